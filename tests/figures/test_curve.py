"""A run's curve: its numbers, and that each is drawn under its name."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.figures.curve import curve_data, moving_average, plot_curve


def row(generation, wave, size, best, mean, worst):
    return {"generation": generation, "wave": wave, "cube_size": size, "best": best, "mean": mean, "worst": worst}


WAVES = [
    row(0, 1, "20", 0.2, 0.1, 0.05), row(5, 1, "20", 0.3, 0.2, 0.1), row(10, 2, "10x5x5", 0.4, 0.25, 0.2),
    row(15, 2, "10x5x5", 0.41, 0.26, 0.21),
]  # fmt: skip
CELLS = [row(0, 1, "1", 0.2, 0.1, 0.05), row(30, 1, "1", 0.3, 0.2, 0.1)]
SAMPLE = Draw(1, "validation").uniforms(4000).reshape(400, 10) / 5


def lines(figure):
    return {line.get_label(): line for line in figure.axes[0].get_lines()}


def test_a_band_holds_95_percent_of_the_random_population_means():
    ((name, low, middle, high),) = curve_data(WAVES, 0.42, own=SAMPLE).bands
    means = SAMPLE.mean(axis=1)
    assert [(means < bound).sum() for bound in (low, middle)] == [10, 200]
    assert (means > high).sum() == 10
    both = [band[0] for band in curve_data(WAVES, 0.4, SAMPLE, SAMPLE / 2).bands]
    assert [name, *both] == ["cubes of 20", "cubes of 20", "single cells"]
    ((name, _, middle, _),) = curve_data(CELLS, 0.4, SAMPLE, SAMPLE / 2).bands
    assert (name, middle) == ("single cells", pytest.approx(np.median(means) / 2))


def test_the_picture_shows_each_curve_under_its_name():
    axes = plot_curve(curve_data(WAVES, 0.4242, SAMPLE, SAMPLE / 2))
    drawn = lines(axes.figure)
    assert drawn["population mean"].get_xydata().tolist() == [[0, 0.1], [5, 0.2], [10, 0.25], [15, 0.26]]
    assert drawn["champion 0.4242"].get_xydata().tolist() == [[15, 0.4242]]
    assert set(drawn["the optimum"].get_ydata()) == {0.5}
    (band,) = (area for area in axes.collections if area.get_label() == "worst to best")
    corners = {tuple(point) for point in band.get_paths()[0].vertices.tolist()}
    assert {(row["generation"], row[name]) for row in WAVES for name in ("best", "worst")} <= corners
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("generation", "win probability against the optimum, exact")
    assert {text.get_text() for text in axes.figure.legends[0].get_texts()} == {
        "worst to best", "population mean", "champion 0.4242", "the optimum", "random populations, cubes of 20 (95 %)",
        "random populations, single cells (95 %)",
    }  # fmt: skip


def test_waves_are_named_and_divided():
    axes = plot_curve(curve_data(WAVES, 0.4))
    assert [t.get_text() for t in axes.texts] == [
        "cubes of 20",
        "cubes of 10x5x5".replace("x", "\N{MULTIPLICATION SIGN}"),
    ]
    assert [line.get_xdata()[0] for line in axes.get_lines() if len(set(line.get_xdata())) == 1][-1] == 5
    assert not plot_curve(curve_data(CELLS, 0.4)).texts


@pytest.mark.filterwarnings("error")
def test_a_run_of_no_generations_can_be_drawn():
    assert isinstance(plot_curve(curve_data(CELLS[:1], 0.2)).figure, Figure)


def test_several_runs_can_be_drawn_into_the_same_axes_under_their_names():
    _, ax = plt.subplots()
    for label, rows in (("one", WAVES), ("two", CELLS)):
        assert plot_curve(curve_data(rows, champion=0.3), ax=ax, label=label) is ax
    first, second = ax.get_lines()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert (first.get_label(), second.get_label()) == ("one", "two")
    assert first.get_color() != second.get_color()
    assert first.get_ydata().tolist() == [row["mean"] for row in WAVES]
    assert ax.get_xlim() == (0, 30)


def test_a_moving_average_is_the_mean_of_its_neighbours():
    generations, values = np.array([0, 10, 20, 30, 100]), np.array([1.0, 2.0, 6.0, 3.0, 9.0])
    assert moving_average(generations, values, 20).tolist() == [1.5, 3.0, pytest.approx(11 / 3), 4.5, 9.0]
    assert moving_average(generations, values, 19).tolist() == values.tolist()
    assert moving_average(generations, values, 1000).tolist() == pytest.approx([4.2] * 5)


def test_the_picture_says_over_how_many_generations_it_averages():
    curve = curve_data(CELLS)
    drawn = lines(plot_curve(curve, average=20).figure)["moving average over 20 generations"]
    assert drawn.get_ydata().tolist() == moving_average(curve.generations, curve.mean, 20).tolist()
    (alone,) = plot_curve(curve, label="mine", average=20).get_lines()
    assert alone.get_label() == "mine, moving average over 20 generations"
    assert alone.get_ydata().tolist() == drawn.get_ydata().tolist()


@pytest.mark.parametrize("average", [0, -1, float("nan"), float("inf"), "ten", True])
def test_a_wrong_average_is_refused(average):
    with pytest.raises(InputError, match="a moving average is over a number of generations above 0"):
        plot_curve(curve_data(CELLS), average=average)
