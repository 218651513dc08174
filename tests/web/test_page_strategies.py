"""Look and Draw, in a browser: figures are those of the engine, and what is drawn wins what pigevo says."""

import io
import json
import time

import numpy as np
import pytest
from PIL import Image

import pigevo
from pigevo.exact.choices import Choices
from pigevo.strategies.rules import parse_rule
from pigevo.web.site import GAME, page_strategies
from tests.web.browser import END, ENTER, HOME, LEFT, RIGHT, UP
from tests.web.test_page_play import old_session, start, state, turn_total

pytestmark = pytest.mark.page

STRATEGIES = {strategy.id: strategy.strategy for strategy in page_strategies()}
BEST = STRATEGIES["optimal"]
SURFACES = [f"[data-surface={name}]" for name in ("optimum", "other")]


@pytest.fixture
def look(page):
    page.open("#look")
    wait_for_surfaces(page)
    return page


def wait_for_surfaces(page):
    page.wait(lambda: page.run("return document.querySelector('#look [data-ready]')"), "the surfaces")


def pixels(page, selector):
    """What an element looks like, shape (height, width, 3)."""
    page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.run("for (const one of document.querySelectorAll('.slide, .controls')) one.style.position = 'static'")
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.first(selector))
    return np.asarray(Image.open(io.BytesIO(page.first(selector).screenshot_as_png)).convert("RGB")).astype(int)


def changed(before, after):
    """The share of pixels that differ."""
    return (np.abs(before - after).max(axis=2) > 20).mean()


def set_to(page, selector, value, event="input"):
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event(arguments[2], {bubbles: true}))"
    page.run(script, page.driver.find_element("css selector", selector), value, event)


def figures(page):
    return page.run("return {...document.querySelector('#look-verdict').dataset}")


def choose(page, strategy):
    set_to(page, "#look-strategy", strategy, "change")
    title = page.run("return document.querySelector('#look-strategy').selectedOptions[0].textContent")
    page.wait(lambda: title in page.text("[data-surface=other] + figcaption"))


def test_both_surfaces_are_drawn_and_differ(look):
    pictures = [pixels(look, surface) for surface in SURFACES]
    assert min(len(np.unique(picture.reshape(-1, 3), axis=0)) for picture in pictures) > 500
    assert changed(*pictures) > 0.02


def test_the_mouse_turns_both_surfaces(look):
    before = [pixels(look, surface) for surface in SURFACES]
    mouse = look.mouse().move_to_element(look.first(SURFACES[0]))
    mouse.click_and_hold().move_by_offset(90, 20).release().perform()
    for was, surface in zip(before, SURFACES, strict=True):
        assert changed(was, pixels(look, surface)) > 0.05


def test_keys_turn_both_surfaces_and_home_turns_them_back(look):
    before = pixels(look, SURFACES[0])
    look.run("document.querySelector('[data-surface=other]').focus()")
    look.press(LEFT, LEFT, UP, "+")
    assert changed(before, pixels(look, SURFACES[0])) > 0.05
    look.press(HOME)
    assert changed(before, pixels(look, SURFACES[0])) < 0.02  # the ring of the focus aside


def test_the_sliders_move_the_plane_and_the_slice_and_choose_a_cell(look):
    before = [pixels(look, selector) for selector in (SURFACES[0], "#look-slice")]
    set_to(look, "#look-opponent", 85)
    assert look.text("output[for=look-opponent]") == "85"
    for was, selector in zip(before, (SURFACES[0], "#look-slice"), strict=True):
        assert changed(was, pixels(look, selector)) > 0.01
    choose(look, "champion")
    set_to(look, "#look-own", 31, "change")
    set_to(look, "#look-total", 4.7, "change")
    hold_to_the_engine(figures(look), "champion", (31, 85, 5))


def hold_to_the_engine(verdict, strategy, at):
    i, j, k = at
    exact = Choices(BEST, BEST).at(i * GAME.target + j, k)
    assert (verdict["i"], verdict["j"], verdict["k"]) == (str(i), str(j), str(k))
    worths = [float(verdict[name]) for name in ("roll", "hold", "cost")]
    assert worths == pytest.approx([exact.roll, exact.hold, abs(exact.gain)], abs=1e-9)
    assert verdict["optimum"] == ("roll" if BEST.roll[at] else "hold")
    assert verdict["other"] == ("roll" if STRATEGIES[strategy].roll[at] else "hold")


@pytest.mark.parametrize("enlarged", [False, True])
def test_a_click_chooses_the_cell_under_the_mouse(look, enlarged):
    if enlarged:
        look.first("#look-near").click()
    canvas = look.first("#look-slice")
    look.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
    left, above, below, low_k, count = 46, 8, 44, 8 if enlarged else 0, 25 if enlarged else 100
    width, height = canvas.size["width"], canvas.size["height"]
    size = min(width - left - 6, height - above - below)
    right, down = round(left + 5.5 * size / count), round(above + size - 12.5 * size / count)
    mouse = look.mouse()
    mouse.move_to_element_with_offset(canvas, right - width // 2, down - height // 2).click().perform()
    hold_to_the_engine(figures(look), "hold-at-20", (5, 40, low_k + 12))


def test_arrow_keys_go_from_cell_to_cell_and_enter_announces(look):
    look.run("document.querySelector('#look-slice').focus()")
    look.press(RIGHT, RIGHT, UP, ENTER)
    hold_to_the_engine(figures(look), "hold-at-20", (2, 40, 21))
    script = "return document.getElementById('announcer').textContent"
    look.wait(lambda: "You have 2, the opponent 40, and 21 at risk" in look.run(script))
    assert "gives away" in look.run(script)


def test_look_says_who_makes_which_choice(look):
    rows = [element.text.split("\n") for element in look.all("#look-verdict .worth")]
    assert [row[0] for row in rows] == ["Roll", "Hold"]
    assert [row[-1] for row in rows] == ["the choice of the optimum", "the choice of Hold at 20"]
    choose(look, "champion")
    names = [element.text for element in look.all("#look-verdict .who")]
    assert "the choice of the optimum and the evolved champion" in names


def test_cells_that_roll_again_are_marked(look):
    choose(look, "champion")
    assert "25" in look.text("[data-surface=optimum] + figcaption")
    before = pixels(look, SURFACES[1])
    look.first("#look-again").click()
    assert changed(before, pixels(look, SURFACES[1])) > 0.005


def test_cells_that_are_never_seen_pale(look):
    before = pixels(look, "#look-slice")
    look.first("#look-fade").click()
    assert changed(before, pixels(look, "#look-slice")) > 0.02


def test_a_strategy_that_was_drawn_can_be_looked_at(look):
    look.run("location.hash = 'draw'")
    look.button("#draw", "Play against it").click()
    look.run("location.hash = 'look'")
    look.wait(lambda: look.run("return document.querySelector('#look-strategy option[value=mine]')"), "the strategy")
    assert look.run("return document.querySelector('#look-strategy').value") == "hold-at-20"
    choose(look, "mine")


def test_look_on_a_phone(page):
    page.be_a_phone()
    page.open("#look")
    wait_for_surfaces(page)
    first, second = (page.first(surface).rect for surface in SURFACES)
    assert second["y"] > first["y"] + first["height"]
    page.touch(page.middle(page.first("#look-slice"), 0.5, 0.75))
    page.wait(lambda: figures(page)["i"] != "0", "the cell that was touched")


def test_without_the_third_dimension_it_says_so_and_shows_the_rest(page):
    script = "HTMLCanvasElement.prototype.getContext = ((was) => function (kind, ...more) { return kind.startsWith('webgl') ? null : was.call(this, kind, ...more); })(HTMLCanvasElement.prototype.getContext)"
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        page.open("#look")
        assert "cannot draw in three dimensions" in page.text("#look-no-surface")
        assert page.all("[data-surface]") == []
        assert len(np.unique(pixels(page, "#look-slice").reshape(-1, 3), axis=0)) > 4
        assert float(figures(page)["roll"]) > 0
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


OPPONENTS = [strategy.strategy for strategy in list(page_strategies())[:3]]


def drawn(holds):
    """The strategy of hold values by own and opponent's score."""
    return pigevo.Strategy.from_holds(GAME, np.asarray(holds).reshape(GAME.target, GAME.target))


def open_draw(page):
    page.forget()
    page.open("?#draw")
    page.wait(lambda: page.values(".results tbody") and len(page.values(".results tbody")) == 9, "the first result")


def settled(page, strategy):
    """Wait until the table shows what the strategy wins, and hold it to pigevo."""
    wins = [pigevo.win_probability(strategy, opponent) for opponent in OPPONENTS]
    expected = [value for p in wins for value in (p.first, p.second, p.overall)]
    page.wait(lambda: page.values(".results tbody")[:1] == pytest.approx(expected[:1], abs=1e-9), "the result")
    page.wait(lambda: page.values(".results tbody") == pytest.approx(expected, abs=1e-9), "all of the result")
    assert page.values(".headline")[0] == pytest.approx(expected[2], abs=1e-9)
    assert page.text(".headline") == f"{100 * expected[2]:.1f}\N{NO-BREAK SPACE}%"


def stored(page):
    """The last map, as the page stores it."""
    text = page.run("return localStorage.getItem('pigevo map')")
    return json.loads(text)[0]["map"] if text else None


@pytest.mark.parametrize("value", [1, 25, 100])
def test_a_hold_value(page, value):
    open_draw(page)
    slider = page.all("#draw input[type=range]")[0]
    settled(page, pigevo.hold_at(GAME, 20))
    page.run("arguments[0].focus()", slider)
    page.press(*{1: [HOME], 25: [RIGHT] * 5, 100: [END]}[value])
    assert slider.get_attribute("value") == str(value)
    settled(page, pigevo.hold_at(GAME, value))


def test_each_tab_keeps_the_map_that_was_drawn_in_it_last_also_if_it_is_loaded_again_at_once(page):
    def drawn(value):
        page.wait(lambda: page.all("#hold-at"), "the slider")
        set_to(page, "#hold-at", value)
        page.driver.refresh()
        page.wait(lambda: page.all("#hold-at"), "the slider")
        return page.text("output[for=hold-at]")

    open_draw(page)
    assert drawn(25) == "25"
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open("#draw")
    assert page.text("output[for=hold-at]") == "25"
    assert drawn(30) == "30"
    page.driver.close()
    page.driver.switch_to.window(first)
    page.driver.refresh()
    assert page.text("output[for=hold-at]") == "25"


def test_an_old_session_brings_back_no_map_as_it_was(page):
    """Neither where the last map of all tabs is this tab's, nor where it is of another one."""

    def shown():
        page.open("#draw")
        return page.text("output[for=hold-at]")

    open_draw(page)
    page.wait(lambda: stored(page), "the first map")
    with old_session(page):
        set_to(page, "#hold-at", 25)
    assert shown() == "25"
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    assert shown() == "25"
    with old_session(page):
        set_to(page, "#hold-at", 30)
    page.driver.close()
    page.driver.switch_to.window(first)
    with old_session(page):
        pass
    assert shown() == "25"


@pytest.mark.parametrize(
    ("kept", "shown"),
    [(json.dumps([33] * 10000), "33"), *((text, "20") for text in ("{", "7", "[]", "[null]", '[{"map": 7}]', '[{"map": [1]}]'))],
)  # fmt: skip
def test_a_map_of_an_earlier_version_is_there_and_a_damaged_one_is_not(page, kept, shown):
    page.store({"pigevo map": kept})
    page.open("#draw")
    assert page.text("output[for=hold-at]") == shown


def play_against(page, title):
    """Play against the strategy that is drawn: the page then names it so."""
    page.button("#draw", "Play against it").click()
    page.wait(lambda: title in [head.text for head in page.all(".panel h2")], "the opponent")


@pytest.mark.parametrize("throws", [0, 1])
def test_a_drawn_strategy_is_played_against_in_pig_whatever_game_is_at_hand(page, throws):
    """The tab of the games was not opened before; a game that has begun is ended only if one says so."""
    start(page, "game=piglet")
    page.press("r" * throws)
    page.open("#draw")
    page.button("#draw", "Play against it").click()
    if throws:
        question = page.first("#play [role=group]")
        assert question.accessible_name == "End this game and play against your strategy?"
        page.button("[role=group]", "Go on").click()
        assert page.text(".panel.theirs h2") == "The optimum"
        page.run("location.hash = 'draw'")
        page.button("#draw", "Play against it").click()
        page.wait(lambda: page.run("return document.activeElement.textContent") == "Go on", "the question")
        page.button("[role=group]", "End it").click()
    page.wait(lambda: "Your strategy" in [head.text for head in page.all(".panel h2")], "the opponent")
    assert [page.choice("play", n).first_selected_option.text for n in (0, 1)] == ["Pig to 100", "Your strategy"]
    page.wait(lambda: page.first(".board").get_attribute("data-state") == "asked", "the first move")


def test_a_map_painted_by_keyboard(page):
    open_draw(page)
    page.run("document.querySelector('.map').focus()")
    page.press(*[RIGHT] * 3, *[UP] * 7)
    page.driver.execute_cdp_cmd(
        "Input.dispatchKeyEvent", {"type": "keyDown", "key": "ArrowUp", "code": "ArrowUp", "modifiers": 8}
    )
    assert page.text(".readout") == "Own 3, opponent 17: holds at 20."
    holds = np.full((100, 100), 20)
    page.press("++", "-", "+")  # the brush is 11 by 11
    holds[0:9, 12:23] += 2
    page.press(*[RIGHT] * 60, ENTER)
    holds[58:69, 12:23] = 25
    settled(page, drawn(holds))
    assert page.text(".readout") == "Own 63, opponent 17: holds at 25."
    page.button("#draw", "Undo").click()
    holds[58:69, 12:23] = 20
    settled(page, drawn(holds))


def test_a_map_painted_by_mouse_is_stored(page):
    open_draw(page)
    field = page.first(".map")
    page.middle(field)
    mouse = page.mouse(20).move_to_element_with_offset(field, -120, -100).click_and_hold()
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
    field = page.first(".map")
    page.middle(field)
    page.touch(*(page.middle(field, share, 0.2) for share in (0.2, 0.3, 0.4)))
    page.wait(lambda: stored(page) and 25 in stored(page), "the map")
    holds = np.array(stored(page)).reshape(100, 100)
    own, other = np.nonzero(holds == 25)
    assert 10 <= own.min() <= 20 < 40 <= own.max() <= 50
    assert 70 <= other.min() < other.max() <= 90
    settled(page, drawn(holds))


def test_beginning_with_the_optimum_and_playing_against_it(page):
    open_draw(page)
    page.choice("draw", 1).select_by_visible_text("The optimum")
    first = np.where(OPPONENTS[0].roll, 100, np.arange(100))[:, :, 1:].min(axis=2)  # the first hold, where there is one
    settled(page, drawn(np.where(first < 100, first, 100 - np.arange(100)[:, None])))
    play_against(page, "Your strategy")
    page.wait(lambda: page.first(".board").get_attribute("data-state") == "asked", "the first move")


RULE = "22+(j-i)/7; race 2*own+opponent>=178"


def type_rule(page, text):
    page.first("#rule").clear()
    page.first("#rule").send_keys(text)


def test_a_rule_that_is_typed(page):
    open_draw(page)
    type_rule(page, RULE)
    settled(page, parse_rule(RULE).strategy(GAME))
    plan = parse_rule(RULE).planned(GAME)
    page.wait(lambda: stored(page) == np.clip(plan, 1, 100).ravel().tolist(), "the map")
    assert page.all("#rule-trouble") == []
    type_rule(page, "21+(j-i)/8; race 3<=own")
    assert page.text("#rule-trouble").startswith("A condition is one of: own>=N")
    assert page.first("#rule").get_attribute("aria-invalid") == "true"
    settled(page, parse_rule("21+(j-i)/8").strategy(GAME))  # the last that was one
    assert page.text(".leading h3") == "The strategy before this text wins against the optimum"
    field = page.first("#rule")
    assert (field.accessible_name, field.aria_role) == ("Your rule", "combobox")


def test_a_change_is_compared_with_what_stood_before_the_typing(page):
    open_draw(page)
    time.sleep(2.2)  # the strategy with which the page opens stands
    type_rule(page, "25")  # after the 2 of the first key
    settled(page, pigevo.hold_at(GAME, 25))
    optimum = OPPONENTS[0]
    twenty, here = (pigevo.win_probability(pigevo.hold_at(GAME, n), optimum).overall for n in (20, 25))
    said = f"{100 * (here - twenty):+.2f} percentage points by your last change".replace("-", "\u2212")
    page.wait(lambda: page.text(".change") == said, said)
    assert page.text(".leading h3") == "It wins against the optimum"


def test_the_slider_follows_what_is_typed_or_chosen(page):
    open_draw(page)
    for text, value, message in (("25", "25", "25"), (RULE, "22", "several totals")):
        type_rule(page, text)
        settled(page, parse_rule(text).strategy(GAME))
        assert page.first("#hold-at").get_attribute("value") == value
        assert page.first("#hold-at").get_attribute("aria-valuetext") == message
        assert page.text("output[for=hold-at]") == message
        assert page.run("return document.querySelector('#hold-at').matches('.several')") == (
            message == "several totals"
        )


def test_a_typed_rule_is_an_opponent_and_an_adviser(page):
    open_draw(page)
    type_rule(page, RULE)
    settled(page, parse_rule(RULE).strategy(GAME))
    play_against(page, "Your rule")
    assert page.text(".about").endswith(RULE)
    opponent, adviser = (page.choice("play", n) for n in (1, 3))
    assert opponent.first_selected_option.text == "Your rule"
    assert adviser.first_selected_option.text == "The optimum"
    adviser.select_by_visible_text("Your rule")
    assert page.text(".about").startswith("Your adviser is your rule.")


def test_the_field_has_the_rule_of_the_map_and_no_other(page):
    """After an undo it had the rule that was taken back, and under a painted map one that was not in force."""
    open_draw(page)
    undo = next(button for button in page.all("#draw button") if button.text == "Undo")
    type_rule(page, "25")
    settled(page, pigevo.hold_at(GAME, 25))
    page.run("arguments[0].click()", undo)
    settled(page, pigevo.hold_at(GAME, 20))
    assert page.first("#rule").get_attribute("value") == ""
    type_rule(page, "30")
    settled(page, pigevo.hold_at(GAME, 30))
    page.run("document.querySelector('.map').focus()")
    page.press(ENTER)
    page.wait(lambda: page.first("#rule").get_attribute("value") == "", "an empty field")
    page.run("arguments[0].click()", undo)
    settled(page, pigevo.hold_at(GAME, 30))
    assert page.first("#rule").get_attribute("value") == "30"
    page.first("#rule").send_keys("x")
    assert page.text("#rule-trouble")
    page.run("arguments[0].click()", undo)
    assert page.all("#rule-trouble") == []
    assert page.text(".leading h3") == "It wins against the optimum"


def test_a_rule_that_was_painted_over_is_a_map(page):
    open_draw(page)
    page.choice("draw", 1).select_by_visible_text("The four-number rule")
    rule = parse_rule(page.first("#rule").get_attribute("value"))
    settled(page, rule.strategy(GAME))
    page.run("document.querySelector('.map').focus()")
    page.press(ENTER)
    holds = np.clip(rule.planned(GAME), 1, 100)
    holds[:6, :6] = 25
    settled(page, drawn(holds))
    play_against(page, "Your strategy")
    assert "Your strategy" not in [option.text for option in page.choice("play", 2).options]


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\ufeff"])
def test_a_rule_that_was_pasted_with_other_blanks_is_kept_with_plain_ones(page, blank):
    """Python knows no other ones: a saved game would be refused."""
    open_draw(page)
    set_to(page, "#rule", f"{blank}21{blank}+ (j-i)/8;{blank}race sum>={blank}121{blank}")
    settled(page, parse_rule("21+(j-i)/8; race sum>=121").strategy(GAME))
    play_against(page, "Your rule")
    assert parse_rule(page.text(".about code")).text == "21+(j-i)/8; race sum>=121"


def test_errors_are_counted_by_the_rule_with_which_the_game_began(page):
    """Another rule may be drawn while the game goes on."""

    def by_20():
        page.press("h" if turn_total(page) >= 20 else "r")

    start(page, "")
    page.run("location.hash = 'draw'")
    type_rule(page, "20")
    play_against(page, "Your rule")
    page.choice("play", 1).select_by_visible_text("The optimum")
    page.choice("play", 4).select_by_visible_text("Your rule")
    page.run("document.activeElement.blur()")
    for _ in range(3):
        page.wait(lambda: state(page) == "asked", "the opponent")
        by_20()
    page.run("location.hash = 'draw'")
    type_rule(page, "end")
    page.button("#draw", "Play against it").click()
    page.button("[role=group]", "Go on").click()
    while state(page) != "over":
        if state(page) == "asked":
            by_20()
    assert page.text(".by-rule code") == "20"
    assert page.text(".by-rule .counted").startswith("0 of ")
