"""The page on paper, which is light and prints what a canvas holds, whatever the reader's screen prefers."""

import pytest

from tests.web.test_page_frame import loaded

pytestmark = pytest.mark.page

COPY = """
const copy = document.createElement("canvas"), [original] = arguments;
[copy.width, copy.height] = [original.width, original.height];
copy.getContext("2d").drawImage(original, 0, 0);
"""

DRAWN = f"{COPY} return copy.getContext('2d').getImageData(0, 0, copy.width, copy.height).data.some((value) => value);"

INK = f"""{COPY}
const {{ data }} = copy.getContext("2d").getImageData(0, 0, 30 * window.devicePixelRatio, copy.height);
const opaque = [...Array(data.length / 4).keys()].filter((n) => data[4 * n + 3] > 200).map((n) => data[4 * n]);
return opaque.length ? Math.max(...opaque) : null;
"""
"""The lightest red of the letters left of a map; None before the map is drawn."""


@pytest.mark.parametrize(("tab", "canvas"), [("evolve", ".heat"), ("watch", ".heat"), ("look", ".slice")])
def test_letters_in_a_canvas_are_dark_on_paper(page, tab, canvas):
    page.prefer(color_scheme="dark")
    loaded(page, tab)
    drawing = page.first(f"#{tab} {canvas}")
    page.wait(lambda: (page.run(INK, drawing) or 0) > 200, "light letters on the screen")
    page.prefer(media="print", color_scheme="dark")
    page.wait(lambda: page.run(INK, drawing) < 80, "dark letters on paper")
    assert page.all("button, nav, input[type=range]") == []


def test_a_surface_is_there_after_it_was_drawn(page):
    """A browser prints what the canvas holds, which is otherwise emptied after each frame."""
    loaded(page, "look")
    surface = page.first("#look .surface")
    page.wait(lambda: page.run(DRAWN, surface), "a surface")
    page.run("return new Promise((done) => setTimeout(done, 300))")
    assert page.run(DRAWN, surface)
