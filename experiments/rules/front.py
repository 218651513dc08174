"""The fronts: the rules that no other beats which asks no more, each figure verified one by one, and their picture.

Beside what the text of a rule asks of a person stands what it asks while it is played.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from pigevo import optimal, win_probability
from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.exact.visits import turn_starts
from pigevo.figures.axes import WIDTH, Given, Panels, add_legend, grid_of, line, panels_or_new, styled
from pigevo.games import Game
from pigevo.strategies.rules import AtLeast, Base, ConditionalBase, Leaves, Rule, complexity

from ..common import tables
from .exhaust import Found, by_complexity, exploitability
from .families import divides, looks_at_opponent


@dataclass(frozen=True)
class InPlay:
    """What a rule asks in games against the optimum, the mean of both seats.

    Args:
        operations: weighted operations a turn.
        divides: the share of turns in which something must be divided.
    """

    operations: float
    divides: float


@lru_cache(maxsize=4096)
def in_play(rule: Rule, game: Game) -> InPlay:
    """What a rule asks of a person a turn.

    The dearest turn counts in `complexity`.  Most turns are cheaper: a race that has begun needs no base, and of two
    bases only one is worked out.  So each turn is counted by the scores at its beginning, with conditions in the order
    of the text until the race is decided, and weighted by how many turns begin there in games against the optimum.

    Args:
        rule: the rule.
        game: a race to a target.
    """
    operations, divides = asked(rule, game)
    turns = turn_starts(rule.strategy(game), optimal(game).strategy)
    return InPlay(float((turns * operations).sum() / turns.sum()), float((turns * divides).sum() / turns.sum()))


def asked(rule: Rule, game: Game) -> tuple[Floats, Bools]:
    """The operations of a turn, and whether it needs a division, by both scores, shape (target, target).

    Args:
        rule: the rule.
        game: a race to a target.
    """
    own = np.arange(game.target)
    i, j = np.meshgrid(own, own, indexing="ij")
    operations, divides = _of_base(rule.base, i, j)
    left = game.target - i - rule.base.values(i, j, game.target)
    spent, planned, undecided = np.zeros(i.shape), np.zeros(i.shape, np.bool_), np.ones(i.shape, np.bool_)
    for group in rule.race:
        holds = undecided.copy()
        for one in group:
            spent += holds * one.operations
            if isinstance(one, Leaves):
                planned |= holds
                holds &= left <= one.n
            else:
                holds &= one.holds(i, j)
        undecided &= ~holds
    planned |= undecided
    return spent + planned * operations, planned & divides


def _of_base(base: Base, i: Ints, j: Ints) -> tuple[Floats, Bools]:
    if isinstance(base, ConditionalBase) and isinstance(base.condition, AtLeast):
        holds = base.condition.holds(i, j)
        (then, divided), (other, undivided) = _of_base(base.then, i, j), _of_base(base.otherwise, i, j)
        return base.condition.operations + np.where(holds, then, other), np.where(holds, divided, undivided)
    return np.full(i.shape, float(base.operations)), np.full(i.shape, "/" in base.text)


LOSS, EXPLOITED, OPERATIONS, BOTH = "least loss", "least exploitable", "by operations", "by both"
UNDIVIDED, ALONE = "without division", "without looking at the opponent"
HEAD = ("game", "front", "integers", "operations", "difference", "exploitability", "rule")


@dataclass(frozen=True)
class Judged:
    """A rule with its figures, from `win_probability` and `best_response`.

    Args:
        rule: the rule.
        integers, operations: what it asks.
        difference: the optimum moving first, less the rule moving first against it; twice the loss.
        exploitability: what the best response wins beyond a half.
    """

    rule: Rule
    integers: int
    operations: int
    difference: float
    exploitability: float


@lru_cache(maxsize=4096)
def judged(rule: Rule, game: Game) -> Judged:
    """A rule, judged by the general engine."""
    asked = complexity(rule)
    won = win_probability(rule.strategy(game), optimal(game).strategy).overall
    return Judged(rule, asked.integers, asked.operations, 1 - 2 * won, exploitability(rule, game))


def fronts(found: Sequence[Found], game: Game) -> dict[str, list[Judged]]:
    """The fronts by loss: by integers, by operations, by both, and by integers for two kinds of rules."""
    everything = [judged(best.rule, game) for best in by_complexity(found)]
    plain = [judged(best.rule, game) for best in by_complexity(found, lambda rule: not divides(rule))]
    alone = [judged(best.rule, game) for best in by_complexity(found, lambda rule: not looks_at_opponent(rule))]
    return {
        LOSS: by_integers(everything),
        OPERATIONS: unbeaten(everything, lambda one: (one.operations,)),
        BOTH: unbeaten(everything, lambda one: (one.integers, one.operations)),
        UNDIVIDED: by_integers(plain),
        ALONE: by_integers(alone),
    }


def by_integers(rules: Iterable[Judged]) -> list[Judged]:
    """For each number of integers the best rule, unless one with fewer is as good."""
    return unbeaten(rules, lambda one: (one.integers,))


def unbeaten(rules: Iterable[Judged], price: Callable[[Judged], tuple[int, ...]]) -> list[Judged]:
    """The rules than which no other is better that asks no more."""
    kept: list[Judged] = []
    for one in sorted(rules, key=lambda one: (one.difference, *price(one))):
        if not any(all(a <= b for a, b in zip(price(other), price(one), strict=True)) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: (*price(one), one.difference))


def as_csv(games: Mapping[Game, Mapping[str, Sequence[Judged]]]) -> str:
    """A row for each rule of each front of each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for game, made in games.items():
        for name, rules in made.items():
            for one in rules:
                figures = f"{one.difference:.9f}", f"{one.exploitability:.9f}"
                writer.writerow([game, name, one.integers, one.operations, *figures, one.rule])
    return text.getvalue()


def as_markdown(made: Mapping[str, Sequence[Judged]], game: Game) -> str:
    """A table for each front, with what a rule asks in play.

    Args:
        made: the fronts, by name.
        game: their game.
    """
    parts = []
    for name, rules in made.items():
        head = [
            name,
            "integers",
            "operations",
            "difference",
            "exploitability",
            "operations a turn",
            "turns that divide",
        ]
        rows = [(f"`{one.rule}`", one.integers, one.operations, f"{one.difference:.5f}", f"{one.exploitability:.5f}",
                 f"{in_play(one.rule, game).operations:.2f}", f"{in_play(one.rule, game).divides:.3f}")
                for one in rules]  # fmt: skip
        parts.append(tables.table(head, rows))
    return "\n".join(parts)


PUBLISHED = "published"
"""The front that consists of one rule, which is drawn as a star."""

STAR = "keep pace and end race (2010)"

OBJECTIVES = {"difference": "difference to the optimum", "exploitability": "exploitability"}
"""The objectives, which should be small: the attribute of a rule, and its name."""

MARKERS = "osD^vP"

TICKS = [digit * 10.0**power for power in (-4, -3, -2, -1) for digit in (1, 2, 3, 5)]


class Rated(Protocol):
    """A rule with its figures: a known rule, or one of the study's own."""

    @property
    def integers(self) -> int:
        """Number of integers to remember."""

    @property
    def difference(self) -> float:
        """The win probability of the optimum minus that of the rule, moving first."""

    @property
    def exploitability(self) -> float:
        """The win probability of the best response minus a half."""


@dataclass(frozen=True, eq=False)
class Front:
    """The rules of a front, in the order of the number of integers to remember.

    Args:
        integers: number of integers to remember for each rule, shape (n,).
        difference, exploitability: the figures of each rule, shape (n,).
    """

    integers: Ints
    difference: Floats
    exploitability: Floats


def fronts_data(fronts: Mapping[str, Iterable[Rated]]) -> dict[str, Front]:
    """The figures of fronts.

    Args:
        fronts: rules with their figures, by the name of the front.
    """
    ordered = {name: sorted(rules, key=lambda rule: rule.integers) for name, rules in fronts.items()}
    return {
        name: Front(*(np.array([getattr(rule, column) for rule in rules]) for column in ("integers", *OBJECTIVES)))
        for name, rules in ordered.items()
    }


@styled
def plot_fronts(fronts: Mapping[str, Front], ax: Given = None) -> Panels:
    """Draw fronts by the number of integers to remember, on a logarithmic scale, with a panel for each objective.

    Args:
        fronts: result of `fronts_data`; the front of the published rule is drawn as a star.
        ax: two panels; by default in a new figure.
    """
    panels = panels_or_new(ax, len(OBJECTIVES), grid_of(len(OBJECTIVES), 2, (WIDTH / 2, 4.6), fill=True))
    lines = [name for name in fronts if name != PUBLISHED]
    for axes, objective in zip(panels, OBJECTIVES, strict=True):
        is_first = axes is panels[0]
        for number, name in enumerate(lines):
            look = {**line(number), "marker": MARKERS[number % len(MARKERS)], "ms": 7}
            axes.plot(fronts[name].integers, getattr(fronts[name], objective), **look, label=name if is_first else None)
        if (data := fronts.get(PUBLISHED)) is not None:
            axes.plot(data.integers, getattr(data, objective), "k*", ms=15, label=STAR if is_first else None)
        _frame_panel(axes, OBJECTIVES[objective])
    add_legend(panels[0], ax is None, loc="outside lower center", ncols=3, frameon=False)
    return panels


def _frame_panel(axes: Axes, up: str) -> None:
    axes.set(yscale="log", xlabel="numbers to remember", ylabel=up)
    axes.xaxis.set_major_locator(FixedLocator(range(10)))
    axes.yaxis.set_major_locator(FixedLocator(TICKS))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(color="0.9")
