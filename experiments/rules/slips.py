"""What a rule loses in the hands of somebody who errs, exactly.

A player slips: with a small chance each decision is the other one.  Or a number of the rule is off by one, or a
fraction is rounded down or up.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

from pigevo import noisy, optimal, state_values, win_probability
from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.rules import Fraction, Rule, complexity
from pigevo.strategies.rules.parts import End

from ..common import tables
from .exhaust import differences
from .families import divides, numbers_of, with_numbers

CHANCES = (0.01, 0.02, 0.05, 0.1)
"""Of a slip at each decision."""

ONE = 0.05
"""The chance for which costs are told."""

TUNED = (0.05, 0.1)
"""Chances for which better numbers are looked for."""

ROUNDING = 1e-12
"""Choices whose values differ by less are equally good."""

PLACES = ((0, 0), (0.5, 0.5), (0.6, 0.3), (0.3, 0.6), (0.4, 0.6))
"""Scores as shares of the target."""

FAR = {1: 10, 2: 4}
"""How far the numbers of a rule are moved at once, by how many there are; by 1 where there are more."""

OPTIMUM = "the optimum"

Loss = Callable[[Rule, float], float]


def lost(strategy: Strategy, chance: float, best: Strategy) -> float:
    """What the optimum, moving first, wins more often than a strategy with slips moving first against it."""
    return float(1 - 2 * win_probability(noisy(strategy, chance), best).overall)


def lost_by_early_holds(strategy: Strategy, chance: float, best: Strategy) -> float:
    """The same where only a roll that was meant can slip."""
    game = strategy.game
    held_too_soon = np.where(game.decision_states & strategy.roll, 1 - chance, strategy.roll)
    return float(1 - 2 * win_probability(Strategy(game, held_too_soon), best).overall)


def losses(game: Game) -> Loss:
    """A function of a rule and a chance of slips, whose answers are kept."""
    best = optimal(game).strategy
    return cache(lambda rule, chance: lost(rule.strategy(game), chance, best))


def slips_table(rules: Sequence[Rule], game: Game, loss: Loss) -> str:
    """Differences of rules and of the optimum by the chance of slips, with the place of each rule at each chance."""
    best = optimal(game).strategy
    every = (0.0, *CHANCES)
    found = np.array([[loss(rule, chance) for chance in every] for rule in rules])
    order = np.argsort(found[:, 0], kind="stable")
    places = np.argsort(np.argsort(found, axis=0, kind="stable"), axis=0, kind="stable") + 1
    own = [lost(best, chance, best) for chance in every]
    rows = [[OPTIMUM, "", *_figures(own, best, best), *[""] * len(every)]]
    for n in order:
        figures = _figures(found[n], rules[n].strategy(game), best)
        rows.append([f"`{rules[n]}`", str(rules[n].integers), *figures, *map(str, places[n])])
    said = ["as it is", *(f"{chance:.0%}" for chance in CHANCES)]
    costs = [f"{ONE:.0%} cost", "of that early holds"]
    return tables.table(["rule", "integers", *said, *costs, *(f"place {one}" for one in said)], rows)


def _figures(row: Sequence[float], strategy: Strategy, best: Strategy) -> list[str]:
    """The differences, what slips of 5 % cost, and what they cost where only rolls slip."""
    held = lost_by_early_holds(strategy, ONE, best)
    costs = row[1 + CHANCES.index(ONE)] - row[0], held - row[0]
    return [f"{one:.5f}" for one in (*row, *costs)]


def best_plan(game: Game, chance: float) -> Strategy:
    """What a player who slips with this chance, below 1/2, should mean to do against the optimum, by policy iteration.

    Of two intentions the better one is that whose choice is worth more, slips in later decisions included.
    """
    best: Strategy = optimal(game).strategy
    plan = best
    while True:
        erring = noisy(plan, chance)
        better = _improved(plan, state_values(erring, best), state_values(best, erring))
        if better == plan:
            return plan
        plan = better


def _improved(plan: Strategy, mine: Floats, theirs: Floats) -> Strategy:
    """The better choice in each state of a race, for values of states with either player to move."""
    game, (i, j, k) = plan.game, plan.game.scores
    waiting = 1 - theirs[:, :, 0].T  # by the own and the opponent's score
    hold = np.where(i + k < game.target, waiting[np.minimum(i + k, game.target - 1), j], 1.0)
    roll = game.bust * waiting[i, j]
    for points, chance in game.die:
        there = mine[i, j, np.minimum(k + points, game.target - 1)]
        roll = roll + chance * np.where(i + k + points < game.target, there, 1.0)
    rolls = np.where(np.abs(roll - hold) < ROUNDING, plan.roll, roll > hold)
    return Strategy(game, np.where(game.decision_states, rolls, plan.roll))


def plans_table(game: Game) -> str:
    """The best plans by the chance of slips: what they gain on the optimum's plan, and where they hold."""
    best, rows = optimal(game).strategy, []
    for chance in (0.0, *CHANCES):
        plan = best_plan(game, chance)
        before, after = lost(best, chance, best), lost(plan, chance, best)
        held = [_first_hold(plan, *scores) for scores in _places(game)]
        rows.append((f"{chance:.0%}", f"{before:.5f}", f"{after:.5f}", f"{before - after:.5f}", *held))
    places = [f"at {own}-{other}" for own, other in _places(game)]
    return tables.table(["slips", "the optimum's plan", "the best plan", "gain", *places], rows)


def _places(game: Game) -> list[tuple[int, int]]:
    """Pairs of scores at which a plan is shown: those in `PLACES`."""
    return [(int(own * game.target), int(other * game.target)) for own, other in PLACES]


def _first_hold(plan: Strategy, own: int, other: int) -> str:
    holds = np.flatnonzero(~plan.roll[own, other, : plan.game.target - own])
    return str(holds[0]) if len(holds) else "rolls on"


def tuned_table(rules: Sequence[Rule], loss: Loss) -> str:
    """The best numbers for a player who slips, near those of some rules, and what they gain."""
    rows = []
    for rule in rules:
        better = rule
        for chance in TUNED:
            better = tuned(better, lambda one, chance=chance: loss(one, chance))  # type: ignore[misc]
            before, after = loss(rule, chance), loss(better, chance)
            rows.append((f"`{rule}`", f"{chance:.0%}", f"{before:.5f}", f"`{better}`", f"{after:.5f}",
                         f"{before - after:.5f}"))  # fmt: skip
    return tables.table(["rule", "slips", "difference", "better numbers", "difference with them", "gain"], rows)


def tuned(rule: Rule, loss: Callable[[Rule], float]) -> Rule:
    """The rule of that form from which no step leads to a smaller loss; a step moves all numbers by `FAR` at most."""
    while True:
        best = min([rule, *_around(rule)], key=loss)
        if best == rule:
            return rule
        rule = best


def _around(rule: Rule) -> list[Rule]:
    numbers, made = numbers_of(rule), []
    far = FAR.get(rule.integers, 1)
    ranges = [range(max(n - far, 2), n + far + 1) if n > 1 else (n,) for n in numbers]  # 1 says who is ahead
    for moved in itertools.product(*ranges):
        try:
            made.append(with_numbers(rule, moved))
        except InputError:
            continue
    return made


@dataclass(frozen=True)
class Down(Fraction):
    """A fraction rounded down: seven eighths of a point are none."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        part: Ints = _of(self, i, j) // self.divisor(end)
        return part if self.sign == "+" else -part


@dataclass(frozen=True)
class Up(Fraction):
    """A fraction rounded up."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        part: Ints = -(-_of(self, i, j) // self.divisor(end))
        return part if self.sign == "+" else -part


@dataclass(frozen=True)
class Coarse(Fraction):
    """A fraction told to the nearest five points of what it is taken of, as who sees 23 and thinks of 25."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        about, by = (2 * _of(self, i, j) + 5) // 10 * 5, self.divisor(end)
        part: Ints = (2 * about + by) // (2 * by)
        return part if self.sign == "+" else -part


def _of(part: Fraction, i: Ints, j: Ints) -> Ints:
    return {"j-i": j - i, "i": i + 0 * j, "j": j + 0 * i}[part.of]


def with_fractions(record: Any, kind: type[Fraction]) -> Any:
    """A rule, or part of one, whose fractions are of another kind."""
    if isinstance(record, Fraction):
        return kind(record.sign, record.of, record.by)
    if isinstance(record, tuple):
        return tuple(with_fractions(one, kind) for one in record)
    if is_dataclass(record):
        made: Any = type(record)
        return made(*(with_fractions(getattr(record, field.name), kind) for field in fields(record)))
    return record


def off_by_one(rule: Rule) -> list[Rule]:
    """The rule with each of its numbers one more, and one less, where there are such rules."""
    numbers, asked, made = numbers_of(rule), complexity(rule).integers, []
    for place in range(len(numbers)):
        for step in (-1, 1):
            try:
                other = with_numbers(rule, [*numbers[:place], numbers[place] + step, *numbers[place + 1 :]])
            except InputError:
                continue
            if complexity(other).integers == asked:  # nobody misremembers who is ahead
                made.append(other)
    return made


def robust_table(rules: Sequence[Rule], referee: Thresholds) -> str:
    """Differences of rules as they are, with a number off by one, and with fractions misjudged."""
    rows = []
    for rule in rules:
        own = float(differences([rule], referee)[0])
        erring = off_by_one(rule)
        off = differences(erring, referee)
        cells = [f"`{rule}`", f"{own:.5f}", f"{off.mean():.5f}", f"{off.max():.5f}", f"`{erring[int(off.argmax())]}`"]
        for kind in (Down, Up, Coarse):
            wrong = differences([with_fractions(rule, kind)], referee)[0] if divides(rule) else own
            cells.append(f"{wrong:.5f}" if divides(rule) else "")
        rows.append(cells)
    errors = ["a number off by one, on average", "at worst", "which is"]
    head = ["rule", "as it is", *errors, "fractions rounded down", "up", "of the nearest five points"]
    return tables.table(head, rows)
