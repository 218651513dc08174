"""What axe finds in the page: nothing, on every tab, in light and dark, and in every part of a game."""

from importlib.resources import files

import pytest

from tests.web.browser import ENTER
from tests.web.test_page_frame import TABS, loaded, unfold
from tests.web.test_page_play import play, start

pytestmark = pytest.mark.page
SCHEMES = ["light", "dark"]
RUN = "axe.run(document).then(({ violations }) => arguments[0](violations), (error) => arguments[0](String(error)));"


def findings(page):
    """What axe finds: its rules, each with the elements that break it."""
    page.run((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(RUN)
    return {one["id"]: [node["html"] for node in one["nodes"]] for one in found}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("tab", TABS)
def test_axe_finds_nothing_on_a_tab(page, tab, scheme):
    page.prefer(color_scheme=scheme)
    loaded(page, tab)
    unfold(page)
    assert findings(page) == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_during_a_game_and_after_it(page, scheme):
    page.prefer(color_scheme=scheme)
    page.forget()
    start(page, "seed=2&opponent=hold-at-20&adviser=keep-pace")
    page.press("rrroa")
    page.first(".advice table")
    assert findings(page) == {}
    page.press("n")
    assert findings(page) == {}
    play(page)
    page.button(".review", "Try these positions again").click()
    page.press("2", ENTER)
    page.first(".history summary").click()
    page.first(".throws summary").click()
    assert findings(page) == {}
    page.forget()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_a_phone_and_in_a_message(page, scheme):
    page.be_a_phone(390, 844)
    page.prefer(color_scheme=scheme)
    page.open("?replay=x&by=keep-pace")
    page.first("#play .trouble")
    page.first(".settings summary").click()
    assert findings(page) == {}


def test_axe_is_at_work(page):
    """An unnamed button and pale text are found."""
    loaded(page, "play")
    page.run(
        "document.querySelector('.rules').style.color = '#ddd'; document.querySelector('.choices').append(document.createElement('button'))"
    )
    assert {"color-contrast", "button-name"} <= set(findings(page))
