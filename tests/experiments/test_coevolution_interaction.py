"""The study of co-evolution: two populations on the bilinear game, beside its equilibrium."""

import itertools

import numpy as np

from pigevo.benchmark.instances import Instance
from pigevo.dice import Draw
from pigevo.studies.find import load_study

load_study("coevolution")
from pigevo_study_coevolution import interaction  # noqa: E402


def test_bilinear_by_counting():
    x, y = Draw(0, "validation").bits(3, 8), Draw(1, "validation").bits(2, 8)
    for i, j in itertools.product(range(3), range(2)):
        a, b = int(x[i].sum()), int(y[j].sum())
        assert interaction.bilinear(x, y, 0.25, 0.5)[i, j] == b * (a - 0.5 * 8) - 0.25 * 8 * a


def test_at_the_equilibrium_of_bilinear_nobody_gains_by_leaving():
    strings = np.tril(np.ones((9, 8), np.uint8), -1)  # 0 to 8 ones
    value = interaction.bilinear(strings[4:5], strings[2:3], 0.25, 0.5)[0, 0]
    assert (interaction.bilinear(strings, strings[2:3], 0.25, 0.5) <= value + 1e-12).all()
    assert (interaction.bilinear(strings[4:5], strings, 0.25, 0.5) >= value - 1e-12).all()


def test_the_worst_finds_the_equilibrium_of_bilinear_and_the_mean_circles(monkeypatch):
    monkeypatch.setattr(interaction, "STEPS", 300)
    worst, mean = (interaction.on_bilinear((0.5, 0.5, by, 1)) for by in ("worst", "mean"))
    assert worst["found"] == 1
    assert worst["away"] < 1
    assert mean["away"] > 4


def test_both_rules_are_compared_at_each_step():
    instance = Instance(10, 2)
    algorithm = interaction.Compared(instance.problem(0, 1000), 3, "worst")
    rows = (np.full((3, 3), 0.5), np.array([[0.9, 0.1, 0.9], [0.5, 0.4, 0.5], [0.2, 0.2, 0.2]]))
    for results in rows:
        algorithm.ask()
        algorithm.tell(results.ravel())
    assert algorithm.alike == [True, False]
