"""What no `report.html` is made of, and what it is not written over."""

import shutil

import pytest

from pigevo.errors import InputError
from tests.web.page import read, refuse_outside


def test_a_damaged_run_is_refused_and_nothing_is_written(one, wrong):
    (one / "champion.npz").write_bytes(b"something else")
    assert "was changed since it was written" in wrong(one)
    (one / "metrics.csv").write_text("a,b\n1,2\n")
    assert "was changed since it was written" in wrong(one)
    assert not (one / "report.html").exists()


def test_a_run_that_is_not_what_it_says_is_refused(one, wrong, monkeypatch):
    """Figures and hashes that fit each other, and generations that do not: what makes the film finds it."""

    def other(reel):
        raise InputError("generation 2 made again is not the one in metrics.csv.")

    monkeypatch.setattr("pigevo.web.report.champion.champions", other)
    said = wrong(one)
    assert "generation 2 made again is not the one in metrics.csv; --no-film makes the report without" in said
    assert not (one / "report.html").exists()


def test_an_unfinished_run_is_refused(one, wrong):
    (one / "result.json").unlink()
    assert "has not finished: `pigevo resume" in wrong(one)


def test_a_report_is_not_written_through_a_link_or_over_a_strangers_file(of_run, sweep, one, wrong, wording, tmp_path):
    elsewhere = tmp_path / "elsewhere.html"
    elsewhere.write_text("of somebody")
    for folder in (sweep, one):
        (folder / "report.html").symlink_to(elsewhere)
        assert "is a link" in wrong(folder)
        (folder / "report.html").unlink()
        (folder / "report.html").write_text("of somebody")
        assert "is no report of pigevo's" in wrong(folder)
        (folder / "report.html").unlink()
    assert "is no report of pigevo's" in wrong(one, "--html", elsewhere)
    assert "let it end with .html" in wrong(one, "--html", tmp_path / "page.txt")
    assert elsewhere.read_text() == "of somebody"
    assert not (sweep / "report").exists()
    place = tmp_path / "deep" / "page.html"
    place.parent.mkdir()
    shutil.copy(of_run.folder / "report.html", place)
    assert wording(one, "--html", place, "--no-film")["html"] == str(place)
    assert place.stat().st_size != (of_run.folder / "report.html").stat().st_size
    page = read(place)
    refuse_outside(page)
    assert "The film was left out" in page.text_of("body")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere holds no sweep"),
        (["RUN", "--metric", "champion"], "--metric is about the settings of a sweep"),
        (["RUN", "--axis", "games"], "--axis is about the settings of a sweep"),
    ],
)
def test_wrong_words_are_one_sentence(words, said, one, wrong):
    assert said in wrong(*(one if word == "RUN" else word for word in words))
    assert not (one / "report.html").exists()
