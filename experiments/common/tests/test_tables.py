"""What studies share: tables of published and own figures, comparisons seed by seed, and curves of what was spent."""

import csv

import numpy as np
import pytest

from pigevo.core.intervals import mean_p
from pigevo.experiments.common.group import Question, answers, detectable
from pigevo.experiments.common.group import as_markdown as comparisons_table
from pigevo.experiments.common.spent import (
    SMALLEST_LOSS,
    Spent,
    anytime_data,
    ecdf_data,
    plot_anytime,
    plot_beside,
    plot_ecdf,
    plot_spent,
    spent_data,
)
from pigevo.experiments.common.tables import (
    HEADER,
    Row,
    as_markdown,
    exact,
    read_sections,
    sampled,
    write_section,
    write_table,
)

NO, YES = exact(0.5, 0.4, 2), exact(0.3, 0.3, 2)


def test_a_published_number_agrees_if_it_lies_in_the_band_or_beside_it_by_its_precision():
    ours = np.linspace(0.1, 0.2, 101)
    figures = [sampled(published, ours, precision=0.01) for published in (0.09, 0.096, 0.15, 0.204, 0.21)]
    assert [figure.agrees for figure in figures] == [False, True, True, True, False]
    assert np.allclose([figures[0].low, figures[0].value, figures[0].high], [0.105, 0.15, 0.195])


def test_few_runs_judge_nothing():
    """Three runs of the very law of the published one are no band of 90 % of it."""
    few, enough = (sampled(0.15, np.linspace(0.1, 0.2, n)) for n in (19, 20))
    assert (few.agrees, enough.agrees) == (None, True)
    text = as_markdown([Row("t", "w", 0.15, few, "off"), Row("t", "v", 0.5, NO, "off")])
    assert "| too few runs |" in text
    assert text.splitlines()[-1] == "| all | 2 | too few runs, 20 are needed |  |"


def test_an_exact_number_agrees_if_it_is_printed_alike():
    assert exact(0.5347, 0.534698, 4).agrees
    assert not exact(0.5348, 0.534698, 4).agrees


def test_a_remark_is_said_where_the_texts_rules_do_not_agree_and_numbered_once(tmp_path):
    rows = [Row("t", "w", 0.5, NO, "off"), Row("t", "v", 0.5, NO, "off"), Row("t", "u", 0.3, YES, "not said")]
    text = as_markdown(rows)
    assert text.count("no [1]") == 2
    assert text.count("[1] off") == 1
    assert "not said" not in text
    assert "| t | u | 0.3 | 0.3000, exact | yes |" in text
    write_table(tmp_path, "table", rows)
    read = list(csv.reader((tmp_path / "table.csv").open()))
    assert tuple(read[0]) == (*HEADER, "remark")
    assert read[1][4:] == ["", "", "False", "off"]
    assert read[3][6:] == ["True", ""]


def test_readings_have_columns_of_their_own_and_are_counted_where_they_bear(tmp_path):
    rows = [
        Row("t", "w", 0.5, NO, "off", {"a": YES}),
        Row("t", "v", 0.5, NO, "off", {"a": NO, "b": YES}),
        Row("t", "u", 0.3, YES),
    ]
    lines = as_markdown(rows).splitlines()
    assert lines[0].endswith("| agrees? | a | b |")
    assert lines[2].endswith("| no [1] | 0.3000, exact: yes |  |")
    assert lines[3].endswith("| 0.4000, exact: no | 0.3000, exact: yes |")
    assert lines[-3:] == ["| all | 3 | 1 |  |", "| a | 2 | 0 | 1 |", "| b | 1 | 0 | 1 |"]
    write_table(tmp_path, "table", rows)
    read = list(csv.DictReader((tmp_path / "table.csv").open()))
    assert [row["a: agrees"] for row in read] == ["True", "False", ""]
    assert [row["b: ours"] for row in read] == ["", "0.3", ""]


def test_a_section_is_written_in_place_of_the_one_of_its_name_and_no_other_changes(tmp_path):
    assert read_sections(tmp_path) == {}
    first, second = "| a |\n|---|\n\n### Part\n\n| 1 |\n", "| b |\n"
    write_section(tmp_path, "b_2", second)
    write_section(tmp_path, "a", "old\n")
    write_section(tmp_path, "a", first)
    assert read_sections(tmp_path) == {"a": first, "b_2": second}
    assert (tmp_path / "tables.md").read_text() == f"## a\n\n{first}\n## b_2\n\n{second}"
    assert [path.name for path in tmp_path.iterdir()] == ["tables.md"]


def figures(*values):
    return dict(enumerate(values))


def test_answers_are_named_and_those_without_a_common_seed_left_out():
    noise = np.random.default_rng(1).normal(0, 0.001, 12)
    a, b = dict(enumerate(0.3 + noise)), dict(enumerate([0.2] * 12))
    compared = answers(
        [Question("new", "old", a, b), Question("x", "y", {1: 0.5}, {2: 0.5}), Question("old", "old", b, b)]
    )
    assert [(answer.a, answer.b, answer.better) for answer in compared] == [("new", "old", "new"), ("old", "old", None)]
    assert compared[0].difference == pytest.approx(0.1, abs=0.002)
    text = comparisons_table(compared)
    assert "| new | old | 12 | +0.1" in text
    assert text.splitlines()[2].endswith("| A |")
    assert text.splitlines()[3].endswith("| open |")


@pytest.mark.parametrize("seeds", [5, 30])
def test_the_detectable_effect_is_found_four_times_in_five(seeds):
    draws = np.random.default_rng(2).normal(detectable(seeds), 1, (5000, seeds))
    assert np.mean([mean_p(draw) <= 0.05 for draw in draws]) == pytest.approx(0.8, abs=0.025)


METRICS = {"evaluations": np.array([0, 100, 1000]), "best": np.array([0.2, 0.4, 0.45])}
STOPPED = {name: column[:2] for name, column in METRICS.items()}


def test_a_curve_is_the_last_record_at_or_before_each_amount():
    data = spent_data([METRICS, STOPPED])
    for amount, best in zip(data.x, data.best.T, strict=True):
        before = METRICS["best"][METRICS["evaluations"] <= amount * (1 + 1e-9)]
        assert best[0] == before[-1]
    assert data.best[1, -1] == STOPPED["best"][-1]
    assert len(plot_spent({"mine": data}).lines) == 1


def test_nothing_spent_is_drawn_too():
    first = {name: column[:1] for name, column in METRICS.items()}
    assert len(plot_spent({"mine": spent_data([first])}).figure.axes) == 1


def test_each_curve_stands_beside_the_first_one_the_worst_of_the_others_first():
    x = np.array([1.0, 10.0])
    curves = {name: Spent(x, np.array([[0.1, end]])) for name, end in
              (("whole", 0.45), ("good", 0.44), ("bad", 0.2), ("same", 0.45))}  # fmt: skip
    panels = plot_beside(curves)
    assert [ax.get_title() for ax in panels] == ["bad", "good", "same"]
    for ax, end in zip(panels, (0.2, 0.44, 0.45), strict=True):
        whole, own = ax.lines
        assert (whole.get_ydata()[-1], own.get_ydata()[-1]) == pytest.approx((0.05, 0.5 - end))
        assert whole.get_linestyle() != own.get_linestyle()


def tick_labels(axes):
    axes.figure.draw_without_rendering()
    return {label.get_text() for axis in (axes.xaxis, axes.yaxis) for label in axis.get_ticklabels(which="both")}


def test_numbers_along_logarithmic_axes_are_no_formulas():
    """Names may have dollars, so that no text is read as a formula."""
    x, gap = np.geomspace(100, 1000, 20), np.geomspace(0.2, 0.013, 20)
    labels = tick_labels(plot_spent({"one": Spent(x, np.tile(0.5 - gap, (3, 1)))}))
    assert {"0.1", "0.02", "100", "1,000"} <= labels
    assert not any("$" in label for label in labels)


SPENT = [np.array([0, 10, 100]), np.array([0, 20, 100]), np.array([0, 100])]
LOSSES = [np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.0]), np.array([0.3, 0.2])]


def test_at_any_time_the_last_record_counts():
    data = anytime_data(SPENT, LOSSES)
    assert (data.x[0], data.x[-1], data.runs) == (1, pytest.approx(100), 3)
    for x, median in zip(data.x, data.median, strict=True):
        now = [loss[np.maximum(spent, 1) <= x * (1 + 1e-9)][-1] for spent, loss in zip(SPENT, LOSSES, strict=True)]
        assert median == np.median(now)
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.05, 0.15))  # the middle half of the trials


def test_shares_of_targets_hit_are_counted():
    hit = np.array([[0.01, 0.1, np.inf, np.inf], [0.01, 1.0, 1.0, np.inf]])
    data = ecdf_data(hit, np.array([[0, 1], [0, 0], [1, 1]]))
    assert data.median.tolist() == [(hit <= x * (1 + 1e-9)).mean() for x in data.x]
    assert data.median[-1] == 5 / 8
    assert (data.low[-1], data.high[-1]) == pytest.approx((0.5, 0.75), abs=0.01)
    none = ecdf_data(np.full((3, 2), np.inf), np.array([[0, 1, 2]]))
    assert none.median.tolist() == [0] * len(none.x)


def test_the_optimum_itself_has_a_place_on_the_logarithmic_scale():
    axes = plot_anytime({"best": anytime_data([np.array([0, 9])], [np.array([0.1, 0.0])])}, "games")
    assert axes.lines[0].get_ydata()[-1] == SMALLEST_LOSS
    assert axes.get_xlabel() == "games spent"
    labels = tick_labels(axes)
    assert {"1", "0.01", "0.000001"} <= labels
    assert not any("$" in label for label in labels)


def test_tints_are_drawn_where_few_curves_are():
    curve = anytime_data(SPENT, LOSSES)
    for count in (3, 7):
        axes = plot_ecdf({f"a{n}": curve for n in range(count)})
        drawn = [line for line in axes.lines if len(line.get_xdata()) > 2]  # without the samples before names
        assert len(drawn) == count
        assert len(axes.collections) == (count if count == 3 else 0)
        assert ("tint" in axes.get_title(loc="left")) == (count == 3)
