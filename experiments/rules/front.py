"""The fronts: the rules that no other beats which asks no more, each figure verified one by one."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pigevo import optimal, win_probability
from pigevo.games import Game
from pigevo.strategies.rules import Rule, complexity

from ..common import tables
from .exhaust import Found
from .exploit import exploitability
from .in_play import in_play
from .parts import divides, looks_at_opponent
from .search import by_complexity

LOSS, EXPLOITED, OPERATIONS, BOTH = "least loss", "least exploitable", "by operations", "by both"
UNDIVIDED, ALONE = "without division", "without looking at the opponent"
PUBLISHED = "published"
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
