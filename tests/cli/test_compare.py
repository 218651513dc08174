"""`pigevo compare`: what its lines promise."""

import numpy as np
import pytest

from pigevo.core.intervals import SHARE
from pigevo.sweeps.comparison import Comparison
from pigevo.sweeps.statistics import compare_pairs


def told(*differences):
    values = {"a": dict(enumerate(0.5 + np.array(differences))), "b": dict.fromkeys(range(len(differences)), 0.5)}
    return str(Comparison("champion", {}, compare_pairs(values, [("a", "b")], SHARE)))


def test_an_interval_stays_within_what_a_difference_can_be():
    """Three seeds, one far astray: Student's interval alone would be -0.5652 to +1.2319."""
    assert "(-0.5652 to +1.0000)" in told(0.1, 0.15, 0.75)
    assert "(undetermined)" in told(-0.5, 0.01, 0.5)
    assert "(undetermined)" in told(0.2)


@pytest.mark.parametrize("effect", [0.02, 0.2, 0.9, 1.2])
def test_an_open_comparison_says_how_many_seeds_it_needs_in_all(effect):
    line = told(*(effect * 0.01 + 0.01 * np.array([-1, 0, 1, -0.5])))
    assert "would settle it" not in line
    assert "more seeds" not in line
    assert "a power of 80% needs" in line
    assert "if differences are normal" in line


def test_that_all_seeds_agree_and_it_is_open_is_explained():
    assert "all 3 seeds have the same sign, which chance alone gives in 1 of 4 cases" in told(0.01, 0.05, 0.2)
    assert "same sign" not in told(0.01, 0.05, -0.2)
    assert "a is better" in told(0.066, 0.079, 0.084, 0.092, 0.101)
    values = {"a": dict.fromkeys(range(3), 0.3), "b": {0: 0.34, 1: 0.35, 2: 0.355}}
    values |= {name: {0: 0.3, 1: at, 2: 0.6 - at} for name, at in (("c", 0.31), ("d", 0.32), ("e", 0.33))}
    pairs = [("a", name) for name in "bcde"]
    said = " ".join(str(Comparison("champion", {}, compare_pairs(values, pairs, SHARE))).split())
    assert "would settle this comparison alone; among so many it does not" in said
