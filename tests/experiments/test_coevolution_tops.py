"""The study of co-evolution: the cycles of a spinning top, level by level."""

from dataclasses import replace

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.studies.find import load_study
from tests.experiments.coevolution import cyclic_triples, random_survival

load_study("coevolution")
from pigevo_study_coevolution import tops, worlds  # noqa: E402


def test_levels_are_by_strength_and_as_large_as_each_other():
    matrix = random_survival(40)
    level, strength = tops.levels(matrix)
    assert np.bincount(level).tolist() == [4] * 10
    means = [(matrix[n].sum() - 0.5) / 39 for n in range(40)]
    np.testing.assert_allclose(strength, means)
    assert all(strength[level == n].max() <= strength[level == n + 1].min() for n in range(9))


def test_mixtures_reach_from_the_worst_to_the_best():
    genomes = tops.mixtures(worlds.TWENTY, 0)
    alike = (genomes == worlds.TWENTY.best).mean(axis=1)
    assert alike[0] < 0.02
    assert alike[-1] > 0.98
    assert abs(alike[len(alike) // 2] - 0.5) < 0.1


def test_the_cycles_of_a_set_are_those_of_its_levels(monkeypatch):
    monkeypatch.setattr(tops, "EXHAUSTED", {"small": replace(worlds.BLOCKS, size=(5, 10, 5))})
    monkeypatch.setattr(tops, "LEVELS", 2)
    found = tops.figures(("small", 0))
    matrix = tops.EXHAUSTED["small"].matrix(tops.EXHAUSTED["small"].everything())
    triples = cyclic_triples(worlds.beats(matrix))
    level, _ = tops.levels(matrix)
    n = len(matrix)
    for one in range(2):
        members = np.flatnonzero(level == one)
        through = np.mean([sum(m in t for t in triples) for m in members]) / ((n - 1) * (n - 2) / 2)
        inside = sum(all(m in members for m in t) for t in triples)
        assert found[f"through {one}"] == pytest.approx(through)
        assert found[f"within {one}"] == pytest.approx(
            inside / (len(members) * (len(members) - 1) * (len(members) - 2) / 6)
        )


def test_the_middle_is_set_beside_an_end():
    luck = Draw(0, "validation").uniforms(30).reshape(10, 3) / 1000
    found = {f"through {n}": n + luck[n] for n in range(10)}
    assert tops.beside(found, 0).said == "more"
    assert tops.beside(found, 9).said == "less"
