"""The film in a run's `report.html`: its champions, and what it costs."""

import re

import pytest

import pigevo
from pigevo.cli import main
from pigevo.runs.film import reel_of
from pigevo.web.report.champion import reel_for
from tests.small import without_champions
from tests.web.page import read


def frames(page):
    return [part for part in page.all("figure") if "frame" in (part.get("@class") or "")]


def test_the_film_shows_the_champions_of_the_run(of_run):
    assert of_run.record["film"] is True
    shown, titles = frames(of_run.page), [part["text"] for part in frames(of_run.page)]
    won = f"{100 * pigevo.load_run(of_run.folder).result['champion']['overall']:.2f} %"
    assert [title.split(":")[0] for title in titles[:-1]] == [f"generation {n}" for n in reel_of(of_run.folder).numbers]
    assert titles[-1] == "the optimum"
    assert titles[-2] == f"generation 6: {won}"
    assert 1 < len([part for part in shown if part["@class"] == "frame key"]) <= 6
    assert "The run has recorded all of them." in of_run.page.text_of("body")


def test_champions_that_are_made_again_are_announced_and_told(one, capsys):
    without_champions(one)
    assert main(["report", str(one)]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"for the film generations are made again, which took \d+\.\d s; --no-film leaves it out", err)
    assert f"Those of {len(reel_of(one).numbers)} were made again" in read(one / "report.html").text_of("body")
    size = (one / "report.html").stat().st_size / 1e6
    assert out.splitlines()[-1] == f"{one / 'report.html'}: open it in a browser ({size:.1f} MB)"


@pytest.mark.parametrize(
    ("asked", "why"), [(None, "`pigevo report --film` puts it in"), (False, "left out"), (True, "")]
)
def test_a_long_run_has_a_film_only_if_asked(of_run, monkeypatch, asked, why):
    monkeypatch.setattr("pigevo.web.report.champion.SECONDS", -1.0)
    found = reel_for(of_run.folder, pigevo.load_run(of_run.folder).champion, asked, 1)
    assert (why in found) if why else found.numbers
