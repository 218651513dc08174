"""A setting against random populations."""

import numpy as np
import pytest

from pigevo.studies.group import Group
from pigevo.studies.randomness import against_random, as_markdown

RANDOM = np.random.default_rng(5)
SAMPLE = RANDOM.normal(0.12, 0.01, (300, 20))


def group(means):
    return Group("g", tuple(range(len(means))), np.arange(means.shape[1], dtype=float), means, ())


def test_random_populations_are_no_different_from_random_populations():
    found = against_random(group(RANDOM.normal(0.12, 0.01 / 20**0.5, (30, 50))), SAMPLE)
    assert found.low < 0 < found.high
    assert 0.3 < found.superiority < 0.7
    assert found.p > 0.01
    assert found.peak_chance > 0.05
    assert found.peak == pytest.approx(found.random_peak, abs=0.001)


def test_better_populations_are_told_from_random_ones():
    found = against_random(group(RANDOM.normal(0.125, 0.01 / 20**0.5, (30, 50))), SAMPLE)
    assert found.low > 0.003
    assert found.difference == pytest.approx(0.005, abs=0.002)
    assert found.p < 0.001
    assert found.peak_chance < 0.05


def test_the_table_has_a_line_for_each_setting():
    rows = {name: against_random(group(np.full((4, 3), 0.2) + RANDOM.random((4, 3)) / 99), SAMPLE) for name in "ab"}
    assert [line[:6] for line in as_markdown(rows).splitlines()[2:]] == ["| a, 4", "| b, 4"]
