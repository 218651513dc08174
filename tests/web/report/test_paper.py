"""Reports on A4, in a browser that prefers dark colours."""

import base64
import re
from pathlib import Path

import pytest

import pigevo
from pigevo.web.report import write_report
from pigevo.web.report.tournament import MOST_CELLS, tournament_report

pytestmark = pytest.mark.page

WIDTH = 703  # pixels between the margins
A4 = (595, 842)  # points


@pytest.fixture
def paper(window, run_report):
    """The report of a run, as it is printed."""
    yield from printed(window, run_report.record["html"])


@pytest.fixture(params=[3, MOST_CELLS])
def tournament_paper(window, request, tmp_path):
    """The page of a tournament of entrants with long names, as it is printed."""
    game = pigevo.Pig(30)
    entrants = {f"Maximiliane Schmidt-Huber-{n}.py": pigevo.hold_at(game, n) for n in range(request.param)}
    played = tournament_report(pigevo.tournament(entrants, times=5))
    yield from printed(window, write_report(tmp_path / "tournament.html", "Class 7b", played))


def printed(window, path):
    size = {"width": WIDTH, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    window.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    window.driver.get(Path(path).as_uri())
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


def pages(paper):
    """Width and height in points of the pages that are printed, whatever paper the printer prefers."""
    letter = {"paperWidth": 8.5, "paperHeight": 11, "preferCSSPageSize": True}
    content = base64.b64decode(paper.driver.execute_cdp_cmd("Page.printToPDF", letter)["data"])
    return [
        (round(float(width)), round(float(height)))
        for width, height in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    ]


def test_pages_are_a4(paper):
    assert set(pages(paper)) == {A4}


def test_a_matrix_of_any_size_with_long_names_fits_a_page(tournament_paper):
    assert box(tournament_paper, ".matrix")[2] <= WIDTH
    assert tournament_paper.run("return document.documentElement.scrollWidth") <= WIDTH
    assert set(pages(tournament_paper)) == {A4}


def test_the_ranking_of_a_class_takes_two_pages_and_its_wins_are_bold(window, tmp_path):
    game = pigevo.Pig(30)
    entrants = {f"pupil{n}.py": pigevo.hold_at(game, n) for n in range(5, 18)}
    played = tournament_report(pigevo.tournament({"optimal": pigevo.optimal(game).strategy, **entrants}, times=5))
    for paper in printed(window, write_report(tmp_path / "tournament.html", "Class 7b", played)):
        assert len(pages(paper)) == 2
        style = "const {columnCount} = getComputedStyle(arguments[0]); return columnCount;"
        assert paper.run(style, paper.first("#words dl")) == "2"
        assert "no network" not in paper.run("return document.body.innerText")
        weights = paper.run(
            "return [...document.querySelectorAll('.matrix td')].map((cell) => "
            "[cell.textContent, getComputedStyle(cell).fontWeight])"
        )
        assert {(float(text) > 50, weight) for text, weight in weights if text not in ("", "50.0")} == {
            (True, "700"), (False, "400")
        }  # fmt: skip
