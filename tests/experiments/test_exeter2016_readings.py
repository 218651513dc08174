"""Exeter 2016: what its figures would be under other readings, and what is read off a flat curve."""

import numpy as np
import pytest

from pigevo.studies import settings as study_settings
from pigevo.studies.find import load_study
from pigevo.studies.group import Group

STUDY = load_study("exeter2016")
READINGS, ROWS, PACE = STUDY.readings, STUDY.rows, STUDY.pace
RANDOM = np.random.default_rng(7)


def group(name, means, every=10):
    means = np.atleast_2d(np.asarray(means, dtype=float))
    return Group(name, tuple(range(len(means))), np.arange(means.shape[1]) * float(every), means, ())


def published(**figures):
    """`published.yaml` with some figures only, and nothing that needs no runs."""
    return {"first_populations": [], **figures}


def test_the_round_robins_are_those_of_the_settings():
    settings = study_settings.read_settings(STUDY.HERE / "settings.yaml")["paper"]
    assert {name for name, words in settings.items() if "round_robin" in words} == set(READINGS.ROUND_ROBINS)


def test_a_round_robin_that_never_changes_peaks_where_figure_7_does():
    """101 points of one population of the published average, each with the luck of 2,000 games: .136, 90 % .132 to .1425."""
    runs = group("figure_7", np.full((500, 1), 0.118) + np.linspace(0, 0.03, 101))
    said = {"points": [[0, 0.118]], "flat_from": 0, "peak": 0.139, "remark": ""}
    average, peak = (one.row(n) for n, one in enumerate(ROWS._evolved({"figure_7": runs}, published(figure_7=said))))
    frozen = peak.readings[READINGS.FROZEN]
    assert [frozen.low, frozen.value, frozen.high] == pytest.approx([0.132, 0.136, 0.1425], abs=0.0008)
    assert (peak.ours.agrees, frozen.agrees) == (False, True)
    assert (average.ours.agrees, average.readings[READINGS.FROZEN].agrees) == (False, True)


def test_a_flat_curve_is_an_average_and_not_one_point():
    """Figure 7 at 500: .118 is the moving average, and one point of a run that lies at .1405 can well be there."""
    runs = group("figure_7", 0.1405 + RANDOM.normal(0, 0.009, (30, 101)))
    said = {"points": [[0, 0.118], [500, 0.118]], "flat_from": 0, "remark": ""}
    (one,) = ROWS._evolved({"figure_7": runs}, published(figure_7=said))
    assert one.what == "average of the generations from 0 on"
    row = one.row(0)
    assert not row.ours.agrees
    assert row.ours.high - row.ours.low < 0.006
    point = ROWS.sampled(0.118, ROWS.at(runs, 500)(READINGS.measured(runs.mean, 0)))
    assert point.agrees


def test_only_what_is_flat_is_averaged():
    runs = group("figure_13", [np.linspace(0.415, 0.12, 101)])
    said = {"points": [[0, 0.415], [150, 0.2], [250, 0.12], [1000, 0.12]], "flat_from": 250, "remark": ""}
    found = list(ROWS._evolved({"figure_13": runs}, published(figure_13=said)))
    assert [one.what for one in found] == [
        "mean of the population, generation 150", "average of the generations from 250 on",
    ]  # fmt: skip
    assert found[1].take(runs.mean) == pytest.approx(runs.mean[0, 25:].mean())
    assert found[0].take(runs.mean) == pytest.approx(runs.mean[0, 15])


def test_first_populations_are_told_once_and_before_the_cuboids_are_those_of_the_run_without():
    said = STUDY.read_published()["first_populations"]
    told = [one["figures"] for one in said]
    assert told == ["figures 7 and 8", "figure 9, all rates", "figures 12 and 13", "figure 14", "figures 15 and 16"]
    levels = {"figure_8": 0.1165, "figure_9_0.005": 0.173, "figure_13": 0.4153, "figure_14": 0.363, "figure_16": 0.43}
    groups = {name: group(name, np.full((30, 2), level)) for name, level in levels.items()}
    rows = {one.figure: one.row(n) for n, one in enumerate(ROWS._first(groups, said))}
    for figure in ("figure 9, all rates", "figure 14"):
        assert not rows[figure].ours.agrees
        assert rows[figure].remark
        assert rows[figure].readings[READINGS.BEFORE].agrees
    assert all(rows[figure].ours.agrees and not rows[figure].readings for figure in told[::2])
    of_course = list(ROWS._evolved({"figure_8": groups["figure_8"]}, STUDY.read_published()))
    assert all("generation 0" not in one.what for one in of_course)


def test_no_two_rows_and_no_two_readings_have_the_same_luck():
    means = np.full((30, 5), 0.12)
    one = ROWS.Sampled("f", "w", 0.12, {READINGS.TEXT: means, READINGS.FROZEN: means}, ROWS.peak)
    first, second = one.row(0), one.row(1)
    assert first == one.row(0)
    found = {first.ours.value, second.ours.value, first.readings[READINGS.FROZEN].value}
    lucks = [READINGS.measured(means, *place) for place in ((0, 0), (1, 0), (0, 1))]
    assert len(found) > 1
    assert all(abs(np.corrcoef(lucks[0].ravel(), other.ravel())[0, 1]) < 0.3 for other in lucks[1:])


def test_luck_has_the_law_of_so_many_games():
    found = READINGS.measured(np.full((400, 50), 0.3), 3)
    assert found.mean() == pytest.approx(0.3, abs=0.0005)
    assert found.std() == pytest.approx((0.3 * 0.7 / READINGS.MEASURED) ** 0.5, rel=0.03)


def test_how_many_generations_a_decay_takes():
    fast, slow = (
        group(name, 0.12 + 0.3 * np.exp(-np.arange(21) * rate), every=10) for name, rate in (("f", 0.2), ("s", 0.1))
    )
    for runs, rate in ((fast, 0.02), (slow, 0.01)):
        assert PACE.generation_of(runs, 0.2) == pytest.approx([np.log(0.3 / 0.08) / rate], rel=0.01)
    assert PACE.generation_of(fast, 0.1) == [np.inf]
    rising = group("r", [0.4, 0.2, 0.3, 0.1])
    assert PACE.generation_of(rising, 0.25) == pytest.approx([7.5])


def test_the_share_of_generations_and_the_ratio_of_two_decays_are_told():
    """Figures 6 and 13 are one algorithm from two beginnings: what begins lower is down sooner, however one counts."""
    figures = {name: group(name, np.tile(0.12 + start * np.exp(-0.15 * np.arange(101)), (5, 1)))
               for name, start in (("figure_5", 0.38), ("figure_6", 0.38), ("figure_13", 0.3), ("figure_16", 0.31))}  # fmt: skip
    text = PACE.as_markdown(figures, STUDY.read_published())
    assert text.count("\n| figure 6 |") == 4
    assert "| figure 13 | 0.2 | 150 | 88.2 (88.2 to 88.2) | 0.59 (0.59 to 0.59) |" in text
    line = next(line for line in text.splitlines() if line.startswith("| figure 13 / figure 6"))
    assert "| 1.67 | 0.85 (0.85 to 0.85) |" in line
