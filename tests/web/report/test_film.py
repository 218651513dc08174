"""The film in a run's `report.html`: its champions, and what it costs."""

from dataclasses import replace

import pigevo
from pigevo.cli import main
from pigevo.runs.film import reel_of
from tests.small import without_champions
from tests.web.page import read


def test_the_film_shows_the_champions_of_the_run(one, told):
    assert told(one)["film"] is True
    page = read(one / "report.html")
    frames = [part for part in page.all("figure") if "frame" in (part.get("@class") or "")]
    titles = [part["text"] for part in frames]
    won = f"{100 * pigevo.load_run(one).result['champion']['overall']:.2f} %"
    assert titles == [*(title for title in titles if title.startswith("generation ")), "the optimum"]
    assert [title.split(":")[0] for title in titles[:-1]] == [f"generation {n}" for n in reel_of(one).numbers]
    assert titles[-2] == f"generation 6: {won}"
    assert 1 < len([part for part in frames if part["@class"] == "frame key"]) <= 6
    assert told(one, "--no-film")["film"] is False
    page = read(one / "report.html")
    assert "film was left out" in page.text_of("body")
    assert "recorded all" not in page.text_of("body")
    assert not [part for part in page.all("figure") if "frame" in (part.get("@class") or "")]


def test_the_page_says_which_champions_of_a_film_were_made_again(one, told):
    told(one)
    assert "The run has recorded all of them." in read(one / "report.html").text_of("body")
    without_champions(one)
    told(one)
    assert f"Those of {len(reel_of(one).numbers)} were made again" in read(one / "report.html").text_of("body")


def test_a_long_run_has_a_film_only_if_asked(one, told, monkeypatch):
    monkeypatch.setattr("pigevo.web.report.film.SECONDS", -1.0)
    assert told(one)["film"] is False
    assert "pigevo report --film puts it in" in read(one / "report.html").text_of("body")
    assert told(one, "--film")["film"] is True


def test_a_film_is_announced_with_what_it_costs(one, capsys, monkeypatch):
    import pigevo.web.report.film as film

    found = film.reel_of
    monkeypatch.setattr(film, "reel_of", lambda *words, **more: replace(found(*words, **more), seconds=12.34))
    assert main(["report", str(one)]) == 0
    said = capsys.readouterr().err
    assert "for the film generations are made again, which took 12.3 s; --no-film leaves it out" in said
