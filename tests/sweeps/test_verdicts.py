"""The sentences of a report: what is shown between settings, and what is open."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from pigevo.core.intervals import SHARE
from pigevo.sweeps.comparison import Comparison
from pigevo.sweeps.load import Sweep
from pigevo.sweeps.report import Report, _shown, ranking_of, verdicts
from pigevo.sweeps.statistics import compare_pairs, rank_settings
from pigevo.web.report.sweep import _figures

SPREAD = (0.01, -0.012, 0.002)  # of three seeds
LUCK = (0.2, -0.2, 0.0)  # in which settings differ by so much that nothing is settled


def made(figures, key="mutation"):
    """The report of settings with these figures of three seeds each."""
    values = {f"{key}={name}": dict(enumerate(seeds)) for name, seeds in figures.items()}
    ranking = rank_settings({name: [*seeds.values()] for name, seeds in values.items()}, SHARE)
    names = [ranked.setting for ranked in ranking]
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    compared = Comparison("champion", {}, compare_pairs(values, pairs, SHARE))
    sweep = SimpleNamespace(searches=(), digests={}, finished=(), runs={})
    return Report(sweep, "champion", ranking, [], {}, compared, {}, Figure())


def around(mean, spread=SPREAD):
    return [mean + part for part in spread]


THREE = {"0.001": around(0.45), "0.005": around(0.369, LUCK), "0.01": around(0.2, SPREAD[::-1])}


def test_what_is_shown_stands_before_what_is_open():
    shown, still_open, *_ = verdicts(made(THREE))
    assert shown == "mutation=0.001 is better than 0.01."
    assert still_open == (
        "Between 0.001 and 0.005 (+8.1 percentage points), and between 0.005 and 0.01, nothing is settled with 3 seeds."
    )


def test_a_difference_between_others_than_the_best_is_no_secret():
    """The largest mean is uncertain, the second is better than the third."""
    shown, still_open, *_ = verdicts(
        made({"0.1": around(0.5, LUCK), "0.2": around(0.45), "0.3": around(0.2, SPREAD[::-1])})
    )
    assert shown == "mutation=0.2 is better than 0.3."
    assert still_open == "Between 0.1 and each of 0.2 and 0.3 nothing is settled with 3 seeds."


def test_many_settings_make_short_sentences():
    figures = {f"0.{n}": around(0.9 - 0.14 * n, LUCK if n in (2, 4) else SPREAD[:: 1 - 2 * (n % 2)]) for n in range(6)}
    report = made(figures)
    shown, still_open, *_ = verdicts(report)
    assert len(shown) < 200
    assert len(still_open) < 200
    assert "other pairs are settled" in shown or "better than" in shown
    assert "other pairs" in still_open


@pytest.mark.parametrize("spread", [SPREAD, LUCK])
def test_where_all_is_settled_or_nothing(spread):
    first, *_ = verdicts(made({"0.1": around(0.8), "0.2": around(0.5, spread[::-1])}))
    assert first == (
        "Of the settings, mutation=0.1 is best: better than every other, with 3 seeds."
        if spread == SPREAD
        else "With 3 seeds, no difference between these 2 settings is shown."
    )
    assert bool(_shown(made({"0.1": around(0.8), "0.2": around(0.5, spread[::-1])}))) == (spread == SPREAD)


@pytest.mark.parametrize("metric", ["champion", "last_mean"])
def test_an_interval_ends_at_what_the_optimum_wins(metric):
    """Of a sweep whose champions are good with one seed and bad with the other."""
    runs = {seed: SimpleNamespace(optimum=0.5) for seed in range(3)}
    sweep = Sweep(Path(), (), ())
    vars(sweep).update(runs=runs, by_seed=lambda _: {"a": {0: 0.1, 1: 0.45, 2: 0.48}, "b": {0: 0.44, 1: 0.45, 2: 0.46}})
    few, narrow = ranking_of(sweep, metric)[::-1]
    assert (few.low, few.high) == (None, None)  # 0 to 0.5 is all that is possible
    assert narrow.high < 0.5
    vars(sweep)["by_seed"] = lambda _: {"a": {0: 0.44, 1: 0.47, 2: 0.48}}
    assert ranking_of(sweep, metric)[0].high == 0.5


def test_the_figure_says_what_is_not_settled():
    title, _, note = next(_figures(made(THREE)))
    assert (title, note) == ("largest mean of a setting", "mutation=0.001, not settled beside 0.005")
