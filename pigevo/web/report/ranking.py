"""The settings of a sweep in their order: a table, a picture of the intervals, and how they compare."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pigevo.errors import InputError
from pigevo.sweeps.comparison import contest
from pigevo.sweeps.report import Report
from pigevo.sweeps.statistics import Compared, Ranked
from pigevo.web.html import Html, Part, table, tag
from pigevo.web.report.parts import interval, more, note, share

METRICS = {
    "champion": "the champion's win probability against the optimum",
    "peak_mean": "the largest mean of a population against the optimum",
    "last_mean": "the mean of the last population against the optimum",
    "best_seen": "the best member that was recorded, against the optimum",
}
"""What settings are ranked by, in words."""


def ranking_part(made: Report) -> list[Html]:
    """The ranking, as `pigevo report` tells it."""
    ranking = made.ranking
    at_once = f", simultaneous for all {len(ranking)}" if len(ranking) > 1 else ""
    optima = {member.setting: run.optimum for member, run in made.sweep.runs.items()}
    scale = _scale(ranking, max(optima.values()))
    rows: list[Sequence[Part]] = [
        [tag("code", one.setting or "all runs"), _drawn(one, scale, optima[one.setting]), share(one.mean),
         interval(one.low, one.high), str(one.runs), share(one.sd)]
        for one in ranking
    ]  # fmt: skip
    axis = tag("span", tag("span", f"{scale[0]:.2f}"), tag("span", f"{scale[1]:.2f}"), class_="axis")
    heads = ["setting", axis, "mean", "95 % interval", "seeds", "standard deviation"]
    parts = [
        table(heads, rows, f"Ranked by {METRICS[made.metric]}, the mean over seeds. {_line(optima)}", words=2),
        note(
            f"The 95 % intervals are those of the mean over seeds{at_once}, and allow for skewed figures. With few "
            "seeds of which a few go far astray they are too narrow; undetermined: these seeds are too few to tell "
            "anything."
        ),
    ]
    for one in sorted(set(made.random.values()), key=lambda one: one.mean):
        ends = f" ({interval(one.low, one.high)})" if one.low is not None else ""
        parts.append(note(f"{one.populations:,} random populations win {share(one.mean)}{ends} on average."))
    return [*parts, *_differences(made)]


def _line(optima: Mapping[str, float]) -> str:
    """What the dotted line is."""
    values = sorted({f"{value:.4g}" for value in optima.values()})
    alike = f", {values[0]}" if len(values) == 1 else ""
    return f"The dotted line is what the optimum wins against itself{alike}."


def _scale(ranking: Sequence[Ranked], best: float) -> tuple[float, float]:
    """The ends of the axis on which all means and intervals are drawn, as far as they are chances."""
    ends = [end for one in ranking for end in (one.low, one.high, one.mean) if end is not None]
    low, high = max(0.0, min(*ends, best - 0.05)), min(1.0, max(*ends, best))
    return math.floor(low * 20) / 20, math.ceil(high * 20) / 20


def _drawn(one: Ranked, scale: tuple[float, float], best: float) -> Html:
    """The mean as a dot, its interval as a line, and the optimum as another; the figures stand beside it."""
    low, high = scale

    def at(value: float) -> str:
        return f"{6 + 188 * (min(max(value, low), high) - low) / (high - low):.1f}"

    parts = [tag("line", x1=at(best), x2=at(best), y1="0", y2="16", class_="optimum")]
    if one.low is not None and one.high is not None:
        parts.append(tag("line", x1=at(one.low), x2=at(one.high), y1="8", y2="8", class_="interval"))
    parts.append(tag("circle", cx=at(one.mean), cy="8", r="4"))
    return tag("svg", *parts, viewBox="0 0 200 16", class_="dot", aria_hidden="true")


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
    title = "Which settings are better" + (f" ({len(rows)} comparisons)" if len(rows) > 1 else "")
    shown = [table(heads, rows, words=3), note(said)]
    return [more(title, *shown) if len(rows) > 6 else tag("div", tag("h3", title), *shown)]


def _difference(one: Compared) -> list[Part]:
    verdict = f"{one.better} is better" if one.better else "open"
    if one.budgets:
        verdict += f"; their budgets differ: {one.budgets}"
    ends = "undetermined" if one.low is None or one.high is None else f"{one.low:+.4f} to {one.high:+.4f}"
    return [
        tag("code", one.a),
        tag("code", one.b),
        verdict,
        f"{one.difference:+.4f}",
        ends,
        str(one.seeds),
        f"{one.corrected:.2g}",
    ]
