import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from pigevo.errors import InputError
from pigevo.figures.axes import line
from pigevo.figures.bands import band, plot_bands


@given(st.integers(1, 40), st.integers(1, 5), st.floats(0.01, 0.99), st.integers(0, 99))
def test_the_share_of_runs_that_was_asked_for_lies_inside(runs, points, level, seed):
    values = np.random.default_rng(seed).normal(size=(runs, points))
    found = band(values, level)
    assert (found.low <= found.median).all()
    assert (found.median <= found.high).all()
    inside = ((values >= found.low) & (values <= found.high)).sum(axis=0)
    assert (np.abs(inside - level * runs) <= 2).all()
    assert found.runs == runs
    assert found.x.tolist() == list(range(points))


def test_the_numbers_of_a_band_by_hand():
    values = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [4.0, 5.0]])
    found = band(values, 0.5, x=np.array([10.0, 20.0]))
    assert found.median.tolist() == [2.0, 5.0]
    assert found.low.tolist() == [1.0, 5.0]
    assert found.high.tolist() == [3.0, 5.0]
    assert found.x.tolist() == [10.0, 20.0]


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        (np.zeros((0, 3)), {}, "needs values of shape"),
        (np.zeros(3), {}, "needs values of shape"),
        (np.zeros((2, 3)), {"level": 1.5}, "level = 1.5 is out of range"),
        (np.zeros((2, 3)), {"x": np.zeros(2)}, "3 points needs as many places"),
    ],
)
def test_what_is_no_band_is_refused(values, options, said):
    with pytest.raises(InputError, match=said):
        band(values, **options)


def test_what_is_drawn():
    axes = Figure().add_subplot()
    bands = {f"setting {n}": band(np.full((3, 4), n / 20) + np.arange(3)[:, None]) for n in range(12)}
    assert plot_bands(bands, {"setting 1": 23}, axes) is axes
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == list(bands)
    assert (lines[1].get_color(), lines[1].get_linestyle()) == tuple(line(23).values())
    assert lines[3].get_ydata().tolist() == [1.15] * 4
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 12
    assert len(axes.collections) == 12
