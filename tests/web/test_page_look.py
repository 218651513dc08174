"""Look, in a browser: surfaces that are drawn and turn, a slice that follows the slider, figures that are the engine's."""

import io

import numpy as np
import pytest
from PIL import Image

import pigevo
from pigevo.exact.choices import Choices
from pigevo.web.site import GAME, page_strategies

pytestmark = pytest.mark.page

SHOWN = {one.id: one.strategy for one in page_strategies()}
BEST = SHOWN["optimal"]
FIGURES = "#look-verdict"


@pytest.fixture
def look(page):
    page.open("#look")
    page.wait(lambda: page.run("return document.querySelector('#look [data-ready]')"), "the surfaces")
    return page


def pixels(page, selector):
    """What an element looks like, shape (height, width, 3)."""
    page.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.run("for (const one of document.querySelectorAll('.slide, .controls')) one.style.position = 'static'")
    page.run("arguments[0].scrollIntoView({block: 'center'})", page.one(selector))
    return np.asarray(Image.open(io.BytesIO(page.one(selector).screenshot_as_png)).convert("RGB")).astype(int)


def changed(before, after):
    return (np.abs(before - after).max(axis=2) > 20).mean()


def set_to(page, selector, value, event="input"):
    page.run(
        "const one = document.querySelector(arguments[0]); one.value = arguments[1]; one.dispatchEvent(new Event(arguments[2], {bubbles: true}))",
        selector, value, event,
    )  # fmt: skip


def figures(page):
    return page.run("return {...document.querySelector(arguments[0]).dataset}", FIGURES)


def choose(page, strategy):
    set_to(page, "#look-strategy", strategy, "change")
    title = page.run("return document.querySelector('#look-strategy').selectedOptions[0].textContent")
    page.wait(lambda: title in page.text("[data-surface=other] + figcaption"))


def test_both_surfaces_are_drawn_and_differ(look):
    seen = [pixels(look, f"[data-surface={name}]") for name in ("optimum", "other")]
    for one in seen:
        assert len(np.unique(one.reshape(-1, 3), axis=0)) > 500
    assert changed(*seen) > 0.02
    look.picture("look")


def test_the_mouse_turns_both_surfaces(look):
    from selenium.webdriver import ActionChains

    before = [pixels(look, f"[data-surface={name}]") for name in ("optimum", "other")]
    canvas = look.one("[data-surface=optimum]")
    ActionChains(look.driver).move_to_element(canvas).click_and_hold().move_by_offset(90, 20).release().perform()
    for name, was in zip(("optimum", "other"), before, strict=True):
        assert changed(was, pixels(look, f"[data-surface={name}]")) > 0.05


def test_keys_turn_both_surfaces_and_home_turns_them_back(look):
    from selenium.webdriver.common.keys import Keys

    before = pixels(look, "[data-surface=optimum]")
    look.run("document.querySelector('[data-surface=other]').focus()")
    look.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP, "+")
    turned = pixels(look, "[data-surface=optimum]")
    assert changed(before, turned) > 0.05
    look.press(Keys.HOME)
    assert changed(before, pixels(look, "[data-surface=optimum]")) < 0.02  # the ring of the focus aside


def test_the_slider_moves_the_plane_and_the_slice(look):
    before = [pixels(look, selector) for selector in ("[data-surface=optimum]", "#look-slice")]
    set_to(look, "#look-opponent", 85)
    assert look.text("output[for=look-opponent]") == "85"
    for was, selector in zip(before, ("[data-surface=optimum]", "#look-slice"), strict=True):
        assert changed(was, pixels(look, selector)) > 0.01
    assert figures(look)["j"] == "85"


@pytest.mark.parametrize("strategy", ["hold-at-20", "champion"])
@pytest.mark.parametrize("at", [(0, 40, 20), (63, 40, 18), (98, 98, 1), (31, 99, 5), (12, 0, 60)])
def test_a_cell_s_figures_are_the_engine_s(look, strategy, at):
    i, j, k = at
    choose(look, strategy)
    set_to(look, "#look-opponent", j)
    set_to(look, "#look-own", i, "change")
    set_to(look, "#look-total", k, "change")
    held_to_the_engine(figures(look), strategy, at)


def held_to_the_engine(verdict, strategy, at):
    i, j, k = at
    exact = Choices(BEST, BEST).at(i * GAME.target + j, k)
    assert (verdict["i"], verdict["j"], verdict["k"]) == (str(i), str(j), str(k))
    assert float(verdict["roll"]) == pytest.approx(exact.roll, abs=1e-9)
    assert float(verdict["hold"]) == pytest.approx(exact.hold, abs=1e-9)
    assert float(verdict["cost"]) == pytest.approx(abs(exact.gain), abs=1e-9)
    assert verdict["optimum"] == ("roll" if BEST.roll[at] else "hold")
    assert verdict["other"] == ("roll" if SHOWN[strategy].roll[at] else "hold")
    values = pigevo.state_values(BEST, BEST)
    assert max(float(verdict["roll"]), float(verdict["hold"])) == pytest.approx(values[at], abs=1e-9)


@pytest.mark.parametrize("enlarged", [False, True])
def test_a_click_chooses_the_cell_under_the_mouse(look, enlarged):
    from selenium.webdriver import ActionChains

    if enlarged:
        look.one("#look-near").click()
    canvas = look.one("#look-slice")
    look.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
    left, above, below, low_k, count = 46, 8, 44, 8 if enlarged else 0, 25 if enlarged else 100
    width, height = canvas.size["width"], canvas.size["height"]
    size = min(width - left - 6, height - above - below)
    unit = size / count
    right, up = (round(left + 5.5 * unit), round(above + size - 12.5 * unit))
    ActionChains(look.driver).move_to_element_with_offset(
        canvas, right - width // 2, up - height // 2
    ).click().perform()
    held_to_the_engine(figures(look), "hold-at-20", (5, 40, low_k + 12))


def test_arrow_keys_go_from_cell_to_cell_and_enter_tells(look):
    from selenium.webdriver.common.keys import Keys

    look.run("document.querySelector('#look-slice').focus()")
    look.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP)
    look.press(Keys.ENTER)
    held_to_the_engine(figures(look), "hold-at-20", (2, 40, 21))
    script = "document.getElementById('announcer').textContent"
    look.wait(lambda: "You have 2, the opponent 40, and 21 at risk" in look.run(f"return {script}"))
    assert "gives away" in look.run(f"return {script}")


def test_it_says_who_makes_which_choice(look):
    rows = [one.text.split("\n") for one in look.all("#look-verdict .worth")]
    assert [(row[0], row[-1]) for row in rows] == [
        ("Roll", "the choice of the optimum"),
        ("Hold", "the choice of Hold at 20"),
    ]
    choose(look, "champion")
    assert [one.text for one in look.all("#look-verdict .who") if one.text] == [
        "the choice of the optimum and the evolved champion"
    ]


def test_what_rolls_again_is_told_and_marked(look):
    choose(look, "champion")
    assert "25" in look.text("[data-surface=optimum] + figcaption")
    before = pixels(look, "[data-surface=other]")
    look.one("#look-again").click()
    assert changed(before, pixels(look, "[data-surface=other]")) > 0.005


def test_cells_that_are_never_seen_pale(look):
    before = pixels(look, "#look-slice")
    look.one("#look-fade").click()
    assert changed(before, pixels(look, "#look-slice")) > 0.02


def test_a_strategy_that_was_drawn_can_be_looked_at(look):
    look.run("location.hash = 'draw'")
    look.wait(lambda: look.all("#draw button"), "the drawing")
    next(one for one in look.all("#draw button") if one.text == "Play against it").click()
    look.run("location.hash = 'look'")
    look.wait(lambda: look.run("return document.querySelector('#look-strategy option[value=mine]')"), "the strategy")
    assert look.run("return document.querySelector('#look-strategy').value") == "hold-at-20"
    choose(look, "mine")


def test_on_a_phone(page):
    page.be_a_phone()
    page.open("#look")
    page.wait(lambda: page.run("return document.querySelector('#look [data-ready]')"), "the surfaces")
    assert page.run("return document.documentElement.scrollWidth") <= 360
    tops = [page.one(f"[data-surface={name}]").rect for name in ("optimum", "other")]
    assert tops[1]["y"] > tops[0]["y"] + tops[0]["height"]
    canvas = page.one("#look-slice")
    page.touch(page.middle(canvas, 0.5, 0.75))
    page.wait(lambda: figures(page)["i"] != "0", "the cell that was touched")
    page.picture("look-phone")


def test_the_library_comes_only_when_the_surface_is_looked_at(page):
    page.open("#watch")
    page.wait(lambda: page.run("return document.querySelector('#watch [data-ready]')"), "the film")
    loaded = "return performance.getEntriesByType('resource').map((one) => one.name)"
    assert any("look.css" in url for url in page.run(loaded))
    assert not any("vendor" in url for url in page.run(loaded))
    page.run("location.hash = 'look'")
    page.wait(lambda: page.run("return document.querySelector('#look [data-ready]')"), "the surfaces")
    assert any("three.module.min.js" in url for url in page.run(loaded))


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
