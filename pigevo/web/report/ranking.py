"""The settings of a sweep in their order: a table, a picture of the intervals, and which differences are real."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from pigevo.errors import InputError
from pigevo.sweeps.contest import contest
from pigevo.sweeps.report import Report
from pigevo.sweeps.statistics import Compared, Ranked
from pigevo.telling import clipped
from pigevo.web.drawing import PALETTE, drawn, svg
from pigevo.web.html import Html, Part, table, tag
from pigevo.web.report.parts import interval, more, note, share

METRICS = {
    "champion": "the champion's win probability against the optimum",
    "peak_mean": "the largest mean of a population against the optimum",
    "last_mean": "the mean of the last population against the optimum",
    "best_seen": "the best member that was recorded, against the optimum",
}
"""What settings are ranked by, in words."""

DRAWN = 40
"""Settings in the picture, at most; the table has all."""


def ranking_part(made: Report) -> list[Html]:
    """The ranking, as `pigevo report` tells it."""
    ranking = made.ranking
    at_once = f", all {len(ranking)} at once" if len(ranking) > 1 else ""
    rows: list[Sequence[Part]] = [
        [
            tag("code", one.setting or "all runs"),
            share(one.mean),
            interval(one.low, one.high),
            str(one.runs),
            share(one.sd),
        ]
        for one in ranking
    ]
    heads = ["setting", "mean", "95 % interval", "seeds", "standard deviation"]
    parts = [
        table(heads, rows, f"Ranked by {METRICS[made.metric]}, the mean over seeds"),
        note(
            "The intervals are those of the mean over seeds, allow for skewed figures, and hold in 95 % of cases"
            f"{at_once}."
        ),
    ]
    if any(one.low is not None for one in ranking):
        parts.insert(0, _picture(made))
    for one in sorted(set(made.random.values()), key=lambda one: one.mean):
        ends = f" ({interval(one.low, one.high)})" if one.low is not None else ""
        parts.append(
            note(f"Random search: {one.populations:,} random populations win {share(one.mean)}{ends} on average.")
        )
    return [*parts, *_differences(made)]


def _picture(made: Report) -> Html:
    ranking = made.ranking[:DRAWN]
    with drawn():
        best = ranking[0]
        label = f"The means of {len(ranking)} settings with their intervals, from {best.setting} at {share(best.mean)}"
        label += f" down to {ranking[-1].setting} at {share(ranking[-1].mean)}." if len(ranking) > 1 else "."
        return tag("figure", svg(plot_ranking(ranking, METRICS[made.metric]), "ranking", label))


def plot_ranking(ranking: Sequence[Ranked], across: str) -> Figure:
    """Draw the mean and the interval of each setting, the best on top.

    Args:
        ranking: the settings, the best first.
        across: the label of the horizontal axis.
    """
    figure = Figure(figsize=(8, 1.0 + 0.32 * len(ranking)), layout="constrained")
    axes = figure.subplots()
    for number, one in enumerate(ranking):
        if one.low is not None and one.high is not None:
            axes.plot([max(one.low, 0.0), min(one.high, 1.0)], [number, number], color=PALETTE[0], lw=2, alpha=0.6)
        axes.plot([one.mean], [number], "o", color=PALETTE[0], ms=6)
    axes.axvline(0.5, color="k", lw=1, ls=":")
    axes.set_yticks(range(len(ranking)), [clipped(one.setting or "all runs", 44) for one in ranking])
    axes.set(ylim=(len(ranking) - 0.4, -0.6), xlabel=f"{across} (dotted: 0.5)")
    axes.spines["left"].set_visible(False)
    axes.tick_params(left=False)
    return figure


def _differences(made: Report) -> list[Html]:
    """Which settings are better, seed by seed, as `pigevo compare` tells it."""
    if len(made.ranking) < 2:
        return []
    try:
        compared = contest([str(made.sweep.folder)], made.metric).compared
    except InputError as error:  # no two settings have a seed in common
        return [note(f"No differences are told: {error}")]
    rows = [_difference(one) for one in compared]
    heads = ["setting", "against", "verdict", "difference", "interval", "seeds", "p, corrected"]
    said = (
        "Compared seed by seed; intervals and p-values are corrected for the number of comparisons "
        "(Benjamini & Yekutieli), as `pigevo compare` does it. Open: these seeds cannot tell."
    )
    title = "Which differences are real" + (f" ({len(rows)} comparisons)" if len(rows) > 1 else "")
    shown = [table(heads, rows, words=3), note(said)]
    return [more(title, *shown) if len(rows) > 6 else tag("div", tag("h3", title), *shown)]


def _difference(one: Compared) -> list[Part]:
    verdict = f"{one.better} is better" if one.better else "open"
    if one.budgets:
        verdict += f"; their budgets differ: {one.budgets}"
    ends = "-" if one.low is None or one.high is None else f"{one.low:+.4f} to {one.high:+.4f}"
    return [
        tag("code", one.a),
        tag("code", one.b),
        verdict,
        f"{one.difference:+.4f}",
        ends,
        str(one.seeds),
        f"{one.corrected:.2g}",
    ]
