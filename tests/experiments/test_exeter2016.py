"""The whole study of Exeter 2016 in a tiny form: run, and run again."""

import csv

import pytest

from pigevo.studies import settings as study_settings
from pigevo.studies.find import load_study

TINY = "debug=fast game.target=40 population.size=4"


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """The study on a game to 40, two generations a run; its pictures and tables are those of the real game."""
    study = load_study("exeter2016")
    whole = study_settings.read_settings(study.HERE / "settings.yaml")
    shorter = {
        part: {
            name: " ".join([w for w in words.split() if not w.startswith("generations=")])
            for name, words in own.items()
        }
        for part, own in whole.items()
    }
    words = {part: {name: f"{w} {TINY}" for name, w in own.items()} for part, own in shorter.items()}
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    monkeypatch.setattr(study.pictures, "GAMES", (2, 4))
    for module in (study.pictures, study.rows):
        monkeypatch.setattr(module, "REPEATS", 10)
    return study


def test_table_1_has_ten_of_its_twelve_score_entries_exactly_and_two_misprints():
    """The rule behind it: roll while `k < h or i + k < j - 1`, as indices from 1 and `>=` give it."""
    study = load_study("exeter2016")
    rows = [row for row in study.rows.table_1(study.read_published()["table_1"]) if row.figure == "table 1"]
    assert len(rows) == 25
    of_scores = [row for row in rows if "score" in row.what and "optimal" not in row.what]
    assert len(of_scores) == 12
    wrong = {row.what: row for row in of_scores if not row.ours.agrees}
    first, second = "hold_at:20 first against score:20,2", "hold_at:25 first against score:20,2"
    assert set(wrong) == {first, second}
    assert [round(wrong[what].ours.value, 4) for what in (first, second)] == [0.5274, 0.5397]
    assert [wrong[what].published for what in (first, second)] == [0.5272, 0.5435]
    assert all("misprint" in row.remark for row in wrong.values())
    assert wrong[second].published == next(
        row.published for row in rows if row.what.endswith("25 first against hold_at:20")
    )
    others = [row for row in rows if not row.ours.agrees and row.what not in wrong]
    assert all("optimal" in row.what and "optimum" in row.remark for row in others)


@pytest.mark.slow
def test_the_study_writes_every_picture_and_table(tiny, tmp_path):
    tiny.run(tmp_path, 2, 2)
    pictures = {path.stem for path in tmp_path.glob("*.png")}
    assert pictures == {*tiny.pictures.CURVES, "figure_03_04", "figure_10", "figure_11", "figure_17"}
    rows = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert {row["figure"] for row in rows} >= {
        "figure 5",
        "figure 9, mutation 0.05",
        "figure 10",
        "figure 17",
        "table 1",
    }
    answers = (tmp_path / "answers.md").read_text()
    assert answers.count("\n## ") == 7
    assert "| figure 13 / figure 6 | 1.67 |" in (tmp_path / "pace.md").read_text()
    assert len(list(tmp_path.glob("runs/*/*/result.json"))) == 2 * 35


@pytest.mark.long
def test_the_study_does_no_finished_run_again(tiny, tmp_path):
    tiny.run(tmp_path, 2, 2)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("runs/*/*/result.json")}
    tiny.run(tmp_path, 2, 2)
    assert {path: path.stat().st_mtime_ns for path in before} == before
