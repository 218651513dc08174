"""A strategy drawn in the browser, and what it wins, against pigevo."""

import json

import numpy as np
import pytest

import pigevo
from pigevo.strategies.rules import parse_rule
from pigevo.web.site import GAME, page_strategies

pytestmark = pytest.mark.page
MET = [one.strategy for one in list(page_strategies())[:3]]


def right(strategy):
    wins = [pigevo.win_probability(strategy, one) for one in MET]
    return [value for one in wins for value in (one.first, one.second, one.overall)]


def drawn(holds):
    """The strategy of hold values by own and opponent's score."""
    table = np.asarray(holds).reshape(GAME.target, GAME.target)[:, :, None]
    return pigevo.Strategy.from_function(GAME, lambda i, j, k: k < table)


def open_draw(page):
    page.forget()
    page.open("?#draw")
    page.wait(lambda: page.values(".results tbody") and len(page.values(".results tbody")) == 9, "the first result")


def settled(page, strategy):
    """Wait until the table shows what the strategy wins, and hold it to pigevo."""
    expected = right(strategy)
    page.wait(lambda: page.values(".results tbody")[:1] == pytest.approx(expected[:1], abs=1e-9), "the result")
    page.wait(lambda: page.values(".results tbody") == pytest.approx(expected, abs=1e-9), "all of the result")
    assert page.value(".headline") == pytest.approx(expected[2], abs=1e-9)


def stored(page):
    """The map, as the page keeps it."""
    text = page.run("return localStorage.getItem('pigevo map')")
    return json.loads(text) if text else None


@pytest.mark.parametrize("value", [1, 25, 100])
def test_a_hold_value(page, value):
    open_draw(page)
    slider = page.all("#draw input[type=range]")[0]
    settled(page, pigevo.hold_at(GAME, 20))
    page.run("arguments[0].focus()", slider)
    from selenium.webdriver.common.keys import Keys

    page.press(*{1: [Keys.HOME], 25: [Keys.ARROW_RIGHT] * 5, 100: [Keys.END]}[value])
    assert slider.get_attribute("value") == str(value)
    settled(page, pigevo.hold_at(GAME, value))
    page.picture(f"draw-hold-{value}")


def test_a_map_painted_by_keyboard(page):
    from selenium.webdriver.common.keys import Keys

    open_draw(page)
    page.run("document.querySelector('.map').focus()")
    page.press(*[Keys.ARROW_RIGHT] * 3, *[Keys.ARROW_UP] * 7)
    page.driver.execute_cdp_cmd(
        "Input.dispatchKeyEvent", {"type": "keyDown", "key": "ArrowUp", "code": "ArrowUp", "modifiers": 8}
    )
    assert page.text(".readout") == "Own 3, opponent 17: holds at 20."
    holds = np.full((100, 100), 20)
    page.press("++", "-", "+")  # the brush is 11 by 11
    holds[0:9, 12:23] += 2
    page.press(*[Keys.ARROW_RIGHT] * 60, Keys.ENTER)
    holds[58:69, 12:23] = 25
    settled(page, drawn(holds))
    assert page.text(".readout") == "Own 63, opponent 17: holds at 25."
    page.picture("draw-keyboard")
    page.button("#draw", "Undo").click()
    holds[58:69, 12:23] = 20
    settled(page, drawn(holds))


def test_a_map_painted_by_mouse_is_kept(page):
    from selenium.webdriver import ActionChains

    open_draw(page)
    field = page.one(".map")
    page.middle(field)
    mouse = ActionChains(page.driver, duration=20).move_to_element_with_offset(field, -120, -100).click_and_hold()
    mouse.move_by_offset(150, 130).release().perform()
    page.wait(lambda: stored(page) and 25 in stored(page), "the map")
    holds = np.array(stored(page)).reshape(100, 100)
    assert set(np.unique(holds)) == {20, 25}
    own, other = np.nonzero(holds == 25)
    assert own.min() < 35 < 45 < own.max()
    assert np.corrcoef(own, other)[0, 1] < -0.5  # from above left to below right
    settled(page, drawn(holds))
    page.open("?again#draw")
    settled(page, drawn(holds))


def test_a_map_painted_by_finger(page):
    page.be_a_phone()
    open_draw(page)
    field = page.one(".map")
    page.middle(field)
    page.touch(*(page.middle(field, share, 0.2) for share in (0.2, 0.3, 0.4)))
    page.wait(lambda: stored(page) and 25 in stored(page), "the map")
    holds = np.array(stored(page)).reshape(100, 100)
    own, other = np.nonzero(holds == 25)
    assert 10 <= own.min() <= 20 < 40 <= own.max() <= 50
    assert 70 <= other.min() < other.max() <= 90
    settled(page, drawn(holds))
    page.picture("phone-draw")


def test_beginning_with_the_optimum_and_playing_against_it(page):
    from selenium.webdriver.support.select import Select

    open_draw(page)
    Select(page.all("#draw select")[1]).select_by_visible_text("The optimum")
    first = np.where(MET[0].roll, 100, np.arange(100))[:, :, 1:].min(axis=2)  # the first hold, where there is one
    settled(page, drawn(np.where(first < 100, first, 100 - np.arange(100)[:, None])))
    page.picture("draw-optimum")
    page.button("#draw", "Play against it").click()
    page.wait(lambda: "Your strategy" in [one.text for one in page.all(".panel h3")], "the opponent")
    page.wait(lambda: page.one(".board").get_attribute("data-state") == "asked", "the first move")


RULE = "22+(j-i)/7; race 2*own+opponent>=178"


def type_rule(page, text):
    page.one("#rule").clear()
    page.one("#rule").send_keys(text)


def test_a_rule_that_is_typed(page):
    open_draw(page)
    type_rule(page, RULE)
    settled(page, parse_rule(RULE).strategy(GAME))
    plan = parse_rule(RULE).planned(GAME)
    page.wait(lambda: stored(page) == np.clip(plan, 1, 100).ravel().tolist(), "the map")
    assert page.all("#rule-trouble") == []
    page.picture("draw-rule")
    type_rule(page, "21+(j-i)/8; race 3<=own")
    assert page.text("#rule-trouble").startswith("A condition is one of: own>=N")
    assert page.one("#rule").get_attribute("aria-invalid") == "true"
    page.picture("draw-no-rule")
    settled(page, parse_rule("21+(j-i)/8").strategy(GAME))  # the last that was one
    field = page.one("#rule")
    assert (field.accessible_name, field.aria_role) == ("Your rule", "combobox")


def test_the_slider_follows_what_is_typed_or_chosen(page):
    open_draw(page)
    for text, value, message in (("25", "25", "25"), (RULE, "22", "differs by score"), ("17", "17", "17")):
        type_rule(page, text)
        settled(page, parse_rule(text).strategy(GAME))
        assert page.one("#hold-at").get_attribute("value") == value
        assert page.one("#hold-at").get_attribute("aria-valuetext") == message
        assert page.text("output[for=hold-at]") == message


def test_a_typed_rule_is_an_opponent_and_an_adviser(page):
    from selenium.webdriver.support.select import Select

    open_draw(page)
    type_rule(page, RULE)
    settled(page, parse_rule(RULE).strategy(GAME))
    page.button("#draw", "Play against it").click()
    page.wait(lambda: "Your rule" in [one.text for one in page.all(".panel h3")], "the opponent")
    assert page.text(".about").endswith(RULE)
    opponent, adviser = (
        Select(page.all("#play select")[n]) for n in (1, 3)
    )  # after the game; first to move is between them
    assert opponent.first_selected_option.text == "Your rule"
    assert adviser.first_selected_option.text == "The optimum"
    adviser.select_by_visible_text("Your rule")
    assert page.text(".about").startswith("Your adviser is your rule.")


def test_a_rule_that_was_painted_over_is_a_map(page):
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.select import Select

    open_draw(page)
    Select(page.all("#draw select")[1]).select_by_visible_text("The four-number rule")
    rule = parse_rule(page.one("#rule").get_attribute("value"))
    settled(page, rule.strategy(GAME))
    page.run("document.querySelector('.map').focus()")
    page.press(Keys.ENTER)
    holds = np.clip(rule.planned(GAME), 1, 100)
    holds[:6, :6] = 25
    settled(page, drawn(holds))
    page.button("#draw", "Play against it").click()
    page.wait(lambda: "Your strategy" in [one.text for one in page.all(".panel h3")], "the opponent")
    assert "Your strategy" not in [one.text for one in Select(page.all("#play select")[2]).options]
