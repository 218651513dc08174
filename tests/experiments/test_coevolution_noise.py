"""The table of wrong selections, in a tiny form, and as it is kept."""

import csv
import importlib.util
import sys

import numpy as np
import pytest

import pigevo
from pigevo.studies.find import experiments_folder

PLACE = experiments_folder() / "coevolution"


@pytest.fixture(scope="module")
def noise():
    spec = importlib.util.spec_from_file_location("coevolution_noise", PLACE / "noise.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_way_spends_as_many_games(noise):
    cells = noise.table(2, 1, (120,))
    assert len({(cell.way, cell.common, cell.generations) for cell in cells}) == len(cells) == 10
    for cell in cells:
        assert 0.7 * 2400 < cell.found.games <= 2400, cell
        assert cell.found.times == 2
    rows = list(csv.DictReader(noise.as_csv(cells).splitlines()))
    assert [row["way"] for row in rows] == [cell.way.partition(":")[0] for cell in cells]
    assert len(noise.as_markdown(cells).splitlines()) == 2 + 10 + 2


def test_the_truth_is_exact_and_the_chance_falls_with_the_games(noise):
    own, opponent, truth = noise.members()
    assert truth[3] == pigevo.win_probability(own[3], opponent).overall
    chances = [chance for _, chance in noise.exact()]
    assert 1 - 1 / len(own) > chances[0] > chances[1] > chances[2] > 0


def test_the_kept_table_is_that_of_its_figures(noise):
    rows = list(csv.DictReader((PLACE / "noise.csv").open()))
    kept = (PLACE / "noise.md").read_text()
    assert {row["games_each"] for row in rows} == {str(each) for each in noise.EACH}
    for row in rows:
        wrong = f"{float(row['wrong']):.3f} ({float(row['wrong_low']):.3f} to {float(row['wrong_high']):.3f})"
        lost = f"{float(row['lost']):.5f}"
        assert any(
            wrong in line and lost in line and f"| {row['way']}" in line and f"{int(row['games_each']):,}" in line
            for line in kept.splitlines()
        )
    assert np.isfinite([float(row["games"]) for row in rows]).all()
