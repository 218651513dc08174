"""Curves and their bands, boxes, waves and names where there is room, and the scores of people by turn."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import pigevo
from pigevo.core.text import multiplied
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.figures.axes import OPTIMUM, figure_of, label_ends, line
from pigevo.figures.bands import (
    Panel,
    SettingOutcome,
    band,
    boxes_data,
    plot_bands,
    plot_boxes,
    plot_outcomes,
    plot_panels,
)
from pigevo.figures.curve import curve_data, draw_searches, mark_waves, moving_average, plot_curve
from pigevo.figures.lineage import LineageCurves, plot_lineage
from pigevo.figures.people import games_data, plot_games, plot_mean_scores, plot_scores, scores_data
from pigevo.figures.population import plot_shares
from pigevo.people import analyse, parse_people


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


def test_a_single_generation_is_seen():
    """A line or a range of one point would have no ink."""
    one = [row(0, 1, "1", 0.45, 0.2, 0.05)]
    bounds = Panel("", {"setting": band(np.array([[0.1], [0.3]]))}, {})
    data = LineageCurves(*np.array([[0], [0.45], [0.2], [0.05], [0], [0.3]]), np.zeros((0, 4)), np.array([20]))
    for axes in (plot_curve(curve_data(one)), *plot_panels([bounds], "x", "y", True), plot_lineage(data)[0]):
        axes.figure.draw_without_rendering()
        (tint,) = axes.collections
        assert tint.get_linewidth()[0] > 2
        drawn = [one for one in axes.get_lines() if len(one.get_xdata()) == 1]
        assert drawn
        assert all(one.get_marker() == "o" for one in drawn)
    assert plot_lineage(data)[2].get_lines()[0].get_marker() == "o"
    assert plot_curve(curve_data(WAVES)).collections[0].get_linewidth()[0] == 0


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


@given(st.integers(1, 40), st.integers(1, 5), st.floats(0.01, 0.99), st.integers(0, 99))
def test_the_wanted_share_of_runs_lies_inside(runs, points, level, seed):
    values = np.random.default_rng(seed).normal(size=(runs, points))
    bounds = band(values, level)
    assert ((bounds.low <= bounds.median) & (bounds.median <= bounds.high)).all()
    inside = ((values >= bounds.low) & (values <= bounds.high)).sum(axis=0)
    assert (np.abs(inside - level * runs) <= 2).all()
    assert (bounds.runs, bounds.x.tolist()) == (runs, list(range(points)))


def test_the_numbers_of_a_band_by_hand():
    values = np.stack([np.arange(5.0), np.full(5, 5.0)], axis=1)
    bounds = band(values, 0.5, x=np.array([10.0, 20.0]))
    numbers = [column.tolist() for column in (bounds.x, bounds.low, bounds.median, bounds.high)]
    assert numbers == [[10.0, 20.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]]


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (np.zeros((0, 3)), {}, "needs values of shape"),
        (np.zeros(3), {}, "needs values of shape"),
        (np.zeros((2, 3)), {"level": 1.5}, "level = 1.5 is out of range"),
        (np.zeros((2, 3)), {"x": np.zeros(2)}, "3 points needs x of that length"),
    ],
)
def test_wrong_values_of_a_band_are_refused(values, options, message):
    with pytest.raises(InputError, match=message):
        band(values, **options)


def test_each_band_is_a_line_of_its_own_style_and_a_tint():
    axes = Figure().add_subplot()
    bands = {f"setting {n}": band(np.full((3, 4), n / 20) + np.arange(3)[:, None]) for n in range(12)}
    assert plot_bands(bands, {"setting 1": 17}, axes) is axes
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == list(bands)
    styles = [(line.get_color(), line.get_linestyle()) for line in lines]
    assert styles[1] == tuple(line(17).values())
    assert lines[3].get_ydata().tolist() == [1.15] * 4
    assert (len(set(styles)), len(axes.collections)) == (12, 12)


def panel(count, title="", waves=()):
    lines = {f"mutation={n}": band(np.linspace(0.1, 0.2 + 0.02 * n, 11)[None]) for n in range(count)}
    return Panel(title, lines, {"random populations (95 %)": (0.1, 0.12, 0.14)}, waves)


def test_the_lines_of_one_panel_have_their_names_at_their_ends():
    figure = figure_of(plot_panels([panel(3)], "x", "y", optimum=True))
    assert figure.legends == []
    names = {text.get_text(): text for text in figure.axes[0].texts}
    assert set(names) == {"mutation=0", "mutation=1", "mutation=2", "random populations (95 %)", "the optimum"}
    assert names["mutation=2"].xy == pytest.approx((10, 0.24))
    figure.draw_without_rendering()
    assert max(text.get_window_extent().x1 for text in names.values()) <= figure.bbox.width


def legend_that_fits(figure):
    """The texts of the only legend of a figure, which must be no wider than it."""
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert legend.get_window_extent().width <= figure.bbox.width
    return {text.get_text() for text in legend.get_texts()}


@pytest.mark.parametrize("panels", [[panel(2, "a"), panel(2, "b")], [panel(13)]])
def test_many_lines_or_panels_have_one_legend_that_fits(panels):
    names = {name for panel_ in panels for name in panel_.bands} | {"random populations (95 %)", "the optimum"}
    assert legend_that_fits(figure_of(plot_panels(panels, "x", "y", optimum=True))) == names


def test_long_names_in_a_narrow_figure_leave_the_curves_their_width():
    search = {"random search, cubes of 20, best of 6,020": 0.34}
    panels = [replace(panel(5), searches=search, waves=((5, "20"), (10, "5")))]
    grid = Figure(figsize=(5.2, 6), layout="constrained").subplots(1, 1, squeeze=False)
    (axes,) = plot_panels(panels, "generation", "population mean", True, grid)
    assert set(search) <= legend_that_fits(figure_of(axes))
    assert axes.get_window_extent().width > 0.7 * figure_of(axes).bbox.width
    assert [text.get_text() for text in axes.texts] == ["cubes of 20", "cubes of 5"]


@pytest.mark.parametrize(
    ("waves", "texts"),
    [
        (((100, "20"), (200, "10"), (300, "5")), ["here the cubes\nshrink to 10", "here the cubes\nshrink to 5"]),
        (((100, "20"), (150, "10"), (300, "1")), ["to 10", "here cubes become\nsingle cells"]),
        (((290, "20"), (292, "10"), (300, "5")), ["", ""]),
        (((300, "20"),), []),
    ],
)
def test_the_words_in_the_figure_to_hand_in_touch_no_curve_and_no_other_words(waves, texts):
    values = np.sqrt(np.linspace(0, 1, 61)) * 0.3
    bounds = band(np.stack([values, values + 0.1]), x=np.linspace(0, 300, 61))
    outcomes = {f"mutation={n}": SettingOutcome(np.array([0.2, 0.3]), 0.25, 0.2, 0.3, bounds) for n in range(3)}
    axes, _ = plot_outcomes(outcomes, "generation", "wins", "champion", waves, True)
    figure_of(axes).draw_without_rendering()
    words = [text for text in axes.texts if not text.get_text().startswith("mutation")]
    assert [text.get_text() for text in words] == texts
    boxes = [text.get_window_extent() for text in words if text.get_text()]
    highest, inside = axes.transData.transform((300, 0.4))[1], axes.get_window_extent()
    for box in boxes:
        assert box.y0 > highest
        assert inside.x0 <= box.x0 < box.x1 <= inside.x1
        assert box.y1 <= inside.y1
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))


@pytest.mark.parametrize(
    ("ends", "said"), [((0.2, 0.3), ")"), ((None, None), ",\nnone where the seeds do not determine it)")]
)
def test_the_figure_to_hand_in_says_so_if_a_row_has_no_bar(ends, said):
    outcomes = {
        "a": SettingOutcome(np.array([0.2, 0.3]), 0.25, 0.2, 0.3),
        "b": SettingOutcome(np.array([0.2, 0.3]), 0.25, *ends),
    }
    above, below = plot_outcomes(outcomes, "generation", "wins", "champion")
    assert below.get_xlabel() == "champion\n(dots: seeds; line: their mean; bar: its 95 % interval" + said
    assert not above.get_lines()  # a mean of champions is no curve of populations
    _, below = plot_outcomes(outcomes, "generation", "wins", "champion", at_once=14)
    assert below.get_xlabel().endswith("interval,\nsimultaneous for all 14" + said.replace(",\n", "; "))


def test_eight_random_searches_differ_in_their_lines_and_from_the_optimums():
    axes = draw_searches(Figure().add_subplot(), {f"search {number}": number / 1000 for number in range(8)})
    axes.set(xlim=(0, 1), ylim=(0, 1))  # many ends close together, so that names have pieces of their lines
    drawn = [(to_hex(line.get_color()), line._unscaled_dash_pattern) for line in axes.get_lines()]
    assert len(set(map(str, drawn))) == 8
    dotted = Figure().add_subplot().axhline(0.5, **OPTIMUM)
    assert dotted._unscaled_dash_pattern not in [pattern for _, pattern in drawn]
    label_ends(axes, dict(zip("abcdefgh", axes.get_lines(), strict=True)))
    pieces = [(to_hex(line.get_color()), line._unscaled_dash_pattern) for line in axes.get_lines()[8:]]
    assert pieces == drawn


def test_generations_are_whole_numbers():
    few = {"a": band(np.array([[0.1, 0.2, 0.3]]))}
    (curves,) = plot_panels([Panel("", few, {})], "generation", "wins", optimum=False)
    outcome = SettingOutcome(np.array([0.2]), 0.2, None, None, few["a"])
    above, _ = plot_outcomes({"a": outcome}, "generation", "wins", "champion")
    for axes in (curves, above):
        assert set(axes.get_xticks()) == set(axes.get_xticks().astype(int))


def test_waves_are_named_where_there_is_room():
    axes = Figure(figsize=(8, 4)).add_subplot()
    axes.set_xlim(0, 100)
    mark_waves(axes, ((60, "20x10x5"), (90, "10x10x10"), (90.5, "5"), (100, "1")), 0.5)
    assert [text.get_text() for text in axes.texts] == [
        multiplied(name) for name in ("cubes of 20x10x5", "cubes of 10x10x10", "1")
    ]
    assert [line.get_xdata()[0] for line in axes.get_lines()] == [60, 90, 90.5]
    alone = Figure().add_subplot()
    assert not mark_waves(alone, ((60, "20"),), 0.5).texts


def test_panels_have_the_waves_of_their_runs():
    figure = figure_of(plot_panels([panel(1, "a", ((5, "20"), (10, "1"))), panel(1, "b")], "x", "y", optimum=False))
    assert [[text.get_text() for text in axes.texts] for axes in figure.axes] == [["cubes of 20", "single cells"], []]
    assert figure.axes[0].get_ylim()[0] == 0


BAND_SAMPLE = np.random.default_rng(0).normal(0.1, 0.01, (3, 200))


def test_boxes_and_whiskers_are_tukeys():
    data = boxes_data([1, 2, 3], BAND_SAMPLE)
    quartiles = np.quantile(BAND_SAMPLE, (0.25, 0.5, 0.75), axis=1).T
    assert np.array_equal(data.quartiles, quartiles)
    for sample, (low, _, high), whiskers in zip(BAND_SAMPLE, quartiles, data.whiskers, strict=True):
        inside = sample[(sample >= low - 1.5 * (high - low)) & (sample <= high + 1.5 * (high - low))]
        assert whiskers.tolist() == [inside.min(), inside.max()]
    axes = plot_boxes(data)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1", "2", "3"]
    assert boxes_data([7], BAND_SAMPLE[:1]).quartiles.shape == (1, 3)


def test_strategies_that_end_with_nothing_have_no_names_at_one_point():
    """They are named where they are many, and no two names lie upon each other."""
    times = np.arange(50.0)
    rest = np.exp(-times / 4)[:, None] * np.array([0.3, 0.3, 0.2])
    course = SimpleNamespace(times=times, shares=np.column_stack([rest, 1 - rest.sum(axis=1)]))
    ax = plot_shares(["a", "b", "c", "last"], course)
    assert [text.get_text() for text in ax.texts if getattr(text, "arrow_patch", None)] == ["last"]
    inside = sorted((text.get_position()[1], text.get_text().strip()) for text in ax.texts if " " in text.get_text())
    assert [name for _, name in inside] == ["a", "b", "c"]
    assert min(np.diff([height for height, _ in inside])) >= 0.08


PIG = pigevo.Pig()
PEOPLE_ROWS = """game,player,preference,turn,rolls,banked
1,ann,seeking,1,4,22
1,bob,averse,1,2,0
1,ann,,2,3,13
1,bob,,2,2,8
1,ann,,3,1,0
2,eve,averse,1,2,6
"""


def test_groups_are_the_stated_preferences_and_have_the_slopes_of_the_analysis():
    people = parse_people(PEOPLE_ROWS, PIG)
    groups = scores_data(people)
    assert list(groups) == ["averse", "seeking"]
    assert groups["averse"].scores == ((0, 8), (6,))
    assert groups["averse"].means == (3, 8)
    assert groups == analyse(people).by_preference
    some = PEOPLE_ROWS.replace("seeking", "")
    assert list(scores_data(parse_people(some, PIG))) == ["averse", "none stated"]
    assert list(scores_data(parse_people(some.replace("averse", ""), PIG))) == ["all players"]


def test_every_score_is_a_dot_and_the_trend_has_the_slope_of_the_means():
    groups = scores_data(parse_people(PEOPLE_ROWS, PIG))
    averse, seeking = plot_scores(groups)
    assert averse.get_lines()[0].get_xydata().tolist() == [[1, 0], [2, 8], [1, 6]]
    assert averse.get_xlim() == seeking.get_xlim()
    assert averse.get_ylim() == seeking.get_ylim()
    _, means = plot_mean_scores(groups)
    dots, trend = means.get_lines()
    assert dots.get_xydata().tolist() == [[1, 22], [2, 35], [3, 35]]
    fitted = np.polyfit([1, 2, 3], [22, 35, 35], 1)
    assert trend.get_ydata() == pytest.approx(np.polyval(fitted, [1, 2, 3]))
    assert trend.get_label() == "6.50 points a turn"


def test_three_groups_have_panels_of_one_width():
    rows = PEOPLE_ROWS + "2,joe,neutral,1,1,4\n"
    panels = plot_scores(scores_data(parse_people(rows, PIG)))
    assert len(panels) == 3
    panels[0].figure.draw_without_rendering()
    assert len({round(panel.get_position().width, 2) for panel in panels}) == 1


def test_a_player_of_one_turn_has_no_trend():
    (panel,) = plot_mean_scores(scores_data(parse_people("game,player,turn,rolls,banked\n1,a,1,1,0\n", PIG)))
    assert len(panel.get_lines()) == 1


def test_both_players_of_a_game_start_at_0_and_who_moved_first_is_the_first():
    people = parse_people(PEOPLE_ROWS, PIG)
    (game,) = games_data(people, ["1"])
    assert game.players == ("ann, seeking", "bob, averse")
    (panel,) = plot_games([game])
    assert [line.get_ydata().tolist() for line in panel.get_lines()] == [[0, 22, 35, 35], [0, 0, 8]]
    assert [text.get_text() for text in panel.get_legend().get_texts()] == list(game.players)
    assert [game.name for game in games_data(people)] == ["1", "2"]
    (panel,) = plot_games([replace(game, players=("_ann", "bob"))])
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["_ann", "bob"]
    with pytest.raises(pigevo.InputError, match="there is no game 3"):
        games_data(people, ["3"])
