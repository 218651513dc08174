"""What section 4 of Exeter 2016 says in words of its curves: questions about runs, by curves or by their figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import stats

from pigevo.core.arrays import Bools, Floats

from .likelihood import GAMES
from .program import SIZE

GIVEN = {"hold_at": 0.4153, "score": 0.4303}
"""The mean win probability of the given strategies against the optimum."""

TOURNAMENTS, RANDOM = 0.139, 0.1391
"""The highest point of figures 7 and 8, and what 99.9 % of random populations do not exceed (Exeter 2016)."""

POINTS, LEVEL = 101, 0.05
"""The records of figures 7, 8, 12 and 15, of which luck moves one out of its bounds in so many runs at most."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of the report.

    Args:
        words: its section and what it says.
        needs: the figures on which it depends, as curve and name in `published.yaml`.
        true: of which runs it is true, from their figures.
    """

    words: str
    needs: tuple[tuple[str, str], ...]
    true: Callable[..., Bools]


def luck(mean: Floats | float, sides: int) -> Floats:
    """How far the luck of 2,000 games carries the farthest of all records from a mean, to one side or to both."""
    away = stats.norm.isf(LEVEL / POINTS / sides)
    return np.asarray(away * np.sqrt(np.asarray(mean) * (1 - np.asarray(mean)) / (SIZE * GAMES)))


def falls(*values: Floats | float) -> Bools:
    """Whether each value is below the one before it."""
    return np.asarray(np.all([np.less(after, before) for before, after in pairwise(values)], axis=0))


def calm(level: Floats, highest: Floats) -> Bools:
    """Whether a curve rises no farther from its level than by luck."""
    return highest <= level + luck(level, 1)


def stays(start: str) -> Callable[[Floats, Floats], Bools]:
    """Whether a curve stays at the win probability of the given strategies, but for luck."""
    mean = GIVEN[start]
    return lambda lowest, highest: (lowest >= mean - luck(mean, 2)) & (highest <= mean + luck(mean, 2))


def _rows(curve: str, *names: str) -> tuple[tuple[str, str], ...]:
    return tuple((curve, name) for name in names)


FIVE = _rows("figure 5", "at 1", "at 10", "level 20")
SIX = _rows("figure 6", "at 1", "at 10", "at 20", "at 45", "level 80")
ENDS = tuple((f"figure 9, {rate} %", "at 60") for rate in ("0.5", "1", "5"))

SENTENCES = (
    Sentence("4.3: at all rates cubes end above the tournaments", ENDS,
             lambda *ends: np.min(ends, axis=0) > TOURNAMENTS),
    Sentence("4.3.1: 0.5 % exceeds what random search can be expected to find", (("figure 9, 0.5 %", "highest 1"),),
             lambda highest: highest > RANDOM),
    Sentence("4.4: cubes fall at once from hold-at strategies", (("figure 14", "at 1"),),
             lambda first: first < GIVEN["hold_at"]),
    Sentence("4.2: mutation makes the optimum worse and worse", FIVE + SIX,
             lambda *values: falls(*values[: len(FIVE)]) & falls(*values[len(FIVE) :])),
    Sentence("4.2: it falls more gradually at 1 % than at 5 %", (SIX[0], FIVE[0], SIX[1], FIVE[1]),
             lambda first, of_5, later, later_of_5: (first > of_5) & (later > later_of_5)),
    Sentence("4.2: it ends higher at 1 % than at 5 %", (SIX[-1], FIVE[-1]), np.greater),
    Sentence("4.3: knockout from random strategies fluctuates little",
             _rows("figure 8", "level 50", "highest 1"), calm),
    Sentence("4.4: knockout from hold-at strategies falls and never rises again",
             _rows("figure 13", "at 15", "level 25"),
             lambda *values: falls(GIVEN["hold_at"], *values)),
    Sentence("4.4: it becomes similar to random strategies", (("figure 8", "highest 1"), ("figure 13", "level 25")),
             np.greater_equal),
    Sentence("4.5: knockout from score strategies falls, too", _rows("figure 16", "at 15", "level 25"),
             lambda *values: falls(GIVEN["score"], *values)),
    Sentence("4.5: score strategies are higher than hold-at ones with knockout",
             (("figure 16", "level 25"), ("figure 13", "level 25")), np.greater),
    Sentence("4.3: round robin from random strategies fluctuates little",
             _rows("figure 7", "level 0", "highest 0"), calm),
    Sentence("4.4: round robin from hold-at strategies stays where it is", _rows("figure 12", "lowest 0", "highest 0"),
             stays("hold_at")),
    Sentence("4.5: round robin from score strategies stays where it is", _rows("figure 15", "lowest 0", "highest 0"),
             stays("score")),
    Sentence("4.5: score strategies are higher than hold-at ones in the round robin",
             (("figure 15", "level 0"), ("figure 12", "level 0")), np.greater),
)  # fmt: skip


UNSCORED = {
    "4.2: win rates after 2, 20, 40 and 160 generations, and where curves end": "figures, and scored as such",
    "4.2: how soon curves end falling": "figures, which have few places",
    "4.3: figures 7 and 8 are alike": "two groups of curves, which may come from two programs",
    "4.3: a moving average does not change in 1,000 generations": "ours are fewer",
    "4.3: other rates make no difference without cubes": "no runs at other rates",
    "4.3.1: peaks of .139 and .133, and cubes above .24": "figures, and scored as such",
    "4.3.1: quantiles of random search, states that are reached, a resemblance to the optimum": "not of a curve",
    "4.4: figures 12 and 13 are not alike": "two groups of curves",
    "4.4: round robin does not lower the win rate": "is in what figure 12 stays at",
    "4.3 to 4.5: why": "a cause, not a curve",
}
"""Sentences of section 4 that are not scored, and why; Exeter 2016 judges some by the rules of the text."""


def true_of(figures: Mapping[tuple[str, str], Floats]) -> dict[str, Bools]:
    """Of which runs each sentence is true; of those whose figures are there, shape (seeds,) each."""
    return {
        sentence.words: np.asarray(sentence.true(*(figures[key] for key in sentence.needs)))
        for sentence in SENTENCES
        if all(key in figures for key in sentence.needs)
    }


NINE = ("figure 9, 0.5 %", "figure 9, 1 %", "figure 9, 5 %")
FLUCTUATES = slice(5, 61)


def of_figure_9(curves: Mapping[str, Floats]) -> dict[str, bool]:
    """Which sentences of section 4.3 are true of the curves of figure 9.

    A curve peaks early if it has made half of its way to the highest point of the first wave by generation 10.
    """
    nine = [curves[name] for name in NINE]
    gains = [(one[1:3].max() - one[0]) / max(one[1:21].max() - one[0], 1e-9) for one in nine]
    means = [float(one[FLUCTUATES].mean()) for one in nine]
    low, high = (float(np.std(np.diff(one[FLUCTUATES]))) for one in (nine[0], nine[2]))
    return {
        "all three rates peak in the first 10 generations": min(gains) >= 0.5,
        "all three rates are worse after cubes of 20 than before": all(map(_worse_on_cubes_of_10, nine)),
        "most rates improve in the wave of cubes of 5": sum(one[56:61].mean() > one[41:46].mean() for one in nine) >= 2,
        "0.5 % fluctuates less than 5 %": low < high,
        "0.5 % and 1 % are better than 5 %": min(means[:2]) > means[2],
    }  # fmt: skip


def _worse_on_cubes_of_10(values: Floats) -> bool:
    return bool(values[21:26].mean() < values[16:21].mean())
