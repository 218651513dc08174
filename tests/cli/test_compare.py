"""`pigevo compare`: what its lines promise."""

import numpy as np
import pytest

from pigevo.cli.commands.compare import describe
from pigevo.core.intervals import SHARE
from pigevo.sweeps.comparison import Contest
from pigevo.sweeps.statistics import compare_pairs


def told(*differences):
    values = {"a": dict(enumerate(0.5 + np.array(differences))), "b": dict.fromkeys(range(len(differences)), 0.5)}
    return describe(Contest("champion", {}, compare_pairs(values, [("a", "b")], SHARE)))


def test_an_interval_stays_within_what_a_difference_can_be():
    """Three seeds, one far astray: Hall's interval alone would be -0.4850 to +1.2736."""
    assert "(-0.4850 to +1.0000)" in told(0.0, 0.01, 0.45)
    assert "(undetermined)" in told(-0.5, 0.01, 0.5)
    assert "(undetermined)" in told(0.2)


@pytest.mark.parametrize("effect", [0.02, 0.2, 0.9, 1.2])
def test_what_more_seeds_bring_is_no_promise(effect):
    line = told(*(effect * 0.01 + 0.01 * np.array([-1, 0, 1, -0.5])))
    assert "would settle it" not in line
    assert " 1 more seeds" not in line
    assert "a power of 80% needs" in line
    assert "if differences are normal" in line
