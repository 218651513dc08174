"""Reports on A4, in a browser that prefers dark colours."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.page

WIDTH = 718  # pixels between the margins of a browser


@pytest.fixture
def paper(window, run_report):
    """The report of a run, as it is printed."""
    size = {"width": WIDTH, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    window.driver.get(Path(run_report.record["html"]).as_uri())
    window.prefer(media="print", color_scheme="dark")
    yield window
    window.be_a_desktop()
    window.complaints(), window.requested()


def box(paper, selector):
    """Left, top, right and bottom of the first visible element."""
    script = "const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom];"
    return paper.run(script, paper.first(selector))


def test_the_curve_and_the_figures_fill_the_first_page_side_by_side(paper):
    curve, tiles = box(paper, "#curves figure"), box(paper, ".tiles")
    assert curve[2] <= tiles[0] < tiles[2] <= WIDTH
    assert curve[2] - curve[0] > 0.55 * WIDTH
    assert curve[1] < tiles[3]


def test_a_film_is_one_row_that_ends_with_the_optimum(paper):
    assert len(paper.all(".film .frame")) > 2
    tops = paper.run("return arguments[0].map((frame) => frame.getBoundingClientRect().top)", paper.all(".film img"))
    assert max(tops) - min(tops) < 1
    assert box(paper, ".film .goal img")[2] <= WIDTH


def test_scales_keep_their_colours_and_letters_are_dark(paper):
    style = "return [...document.querySelectorAll(arguments[0])].map((part) => getComputedStyle(part)[arguments[1]])"
    assert set(paper.run(style, ".scale i", "printColorAdjust")) == {"exact"}
    assert paper.run(style, "html", "color") == ["rgb(0, 0, 0)"]
    assert paper.run(style, "html", "backgroundColor") == ["rgb(255, 255, 255)"]
