"""`pigevo page --run`: a user's own runs on the page."""

import json

import pytest

from tests.small import without_champions


def test_own_runs_are_written_with_the_page(pigevo, finished, tmp_path):
    said = pigevo(f"page --to site --run {finished}")
    assert said.status == 0
    assert said.err == ""
    listed = json.loads((tmp_path / "site/data/films/index.json").read_text())
    assert listed[0] == {"file": "run-1.json", "title": finished.name}
    film = json.loads((tmp_path / "site/data/films/run-1.json").read_text())
    assert [frame["generation"] for frame in film["frames"]] == film["curve"]["generation"]


def test_what_a_film_costs_is_told_where_generations_are_made_again(pigevo, finished):
    without_champions(finished)
    said = pigevo(f"page --to site --run {finished}")
    assert said.status == 0
    assert "pigevo: for the films generations are made again, which took the runs " in said.err


@pytest.mark.parametrize("where", ["nowhere", "."])
def test_what_is_no_run_is_told_in_one_line_and_nothing_is_written(pigevo, tmp_path, where):
    said = pigevo(f"page --to site --run {where}")
    assert said.status == 2
    assert len(said.err.strip().splitlines()) == 1
    assert not (tmp_path / "site").exists()
