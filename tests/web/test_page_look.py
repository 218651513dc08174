"""Look, in a browser: surfaces that are drawn and turn, a slice that follows the slider, figures that are the engine's."""

import io

import numpy as np
import pytest
from PIL import Image

from pigevo.exact.choices import Choices
from pigevo.web.site import GAME, page_strategies
from tests.web.browser import ENTER, HOME, LEFT, RIGHT, UP

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


def test_it_says_who_makes_which_choice(look):
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


def test_on_a_phone(page):
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
