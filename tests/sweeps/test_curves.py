"""The bands of runs that were not recorded at the same places."""

from types import SimpleNamespace

import numpy as np
import pytest

from pigevo.sweeps.curves import POINTS, band_of


def run(places, values):
    return SimpleNamespace(metrics={"seconds": np.array(places), "mean": np.array(values)})


def test_a_band_goes_as_far_as_all_runs_do():
    """Where one run has not begun, or is over, nothing is known of it."""
    runs = [run([0.0, 10.0], [0.0, 1.0]), run([2.0, 6.0], [0.2, 0.6]), run([1.0, 8.0], [0.1, 0.8])]
    found = band_of(runs, "mean", "seconds", 0.5)
    assert (found.x[0], found.x[-1], len(found.x)) == (2.0, 6.0, POINTS)
    assert found.runs == 3
    for line in (found.low, found.median, found.high):
        assert line == pytest.approx(found.x / 10)


def test_a_run_counts_as_it_is_between_its_records():
    runs = [run([0.0, 4.0, 8.0], [0.0, 0.4, 0.0]), run([0.0, 8.0, 20.0], [0.2, 0.2, 9.0])]
    found = band_of(runs, "mean", "seconds", 0.5)
    assert found.x[-1] == 8.0
    triangle = np.interp(found.x, [0, 4, 8], [0, 0.4, 0])
    assert found.median == pytest.approx((triangle + 0.2) / 2)
    assert found.high == pytest.approx(np.maximum(triangle, 0.2) * 0.75 + np.minimum(triangle, 0.2) * 0.25)


def test_runs_recorded_at_the_same_places_are_not_interpolated():
    runs = [run([0, 10, 11], [0.1, 0.5, 0.9]), run([0, 10, 11], [0.3, 0.7, 0.5])]
    found = band_of(runs, "mean", "seconds", 0.5)
    assert found.x.tolist() == [0, 10, 11]
    assert found.median.tolist() == pytest.approx([0.2, 0.6, 0.7])
