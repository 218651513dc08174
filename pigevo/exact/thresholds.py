"""Threshold rules against one opponent, many thousands a second: the referee of a search over rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bools, Floats, Ints, Shorts
from pigevo.core.threads import map_threads
from pigevo.errors import InputError
from pigevo.exact.evaluate import win_probability, within
from pigevo.exact.solve import best_response
from pigevo.exact.threshold_kernels import rule_seats, run_ends
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.exact.visits import reach
from pigevo.games import Game
from pigevo.games.game import OPPONENT, OWN
from pigevo.strategies import Strategy
from pigevo.strategies.rules import AtLeast, Base, Constant, Fraction, Rule, Sum

TOGETHER = 16 * LANES
"""Rules that one thread evaluates at a time."""

BEYOND = np.iinfo(np.int16).max
"""Hold values are kept in 16 bits: none that is larger means more than rolling to win."""


MOST_HELD = 40
"""The largest turn total that `simple_rule_against` holds at when scores are level."""

DIVISORS = (0, 4, 6, 8, 12)
"""By what it divides the opponent's lead; 0 stands for a rule that does not look at the lead."""

RACES = tuple(range(50, 100, 5))
"""At which percentages of the target it first tries to roll to win."""


TRIED = 3
"""Of the rules that decide as the best response does, how many are evaluated where that takes long."""


@dataclass(frozen=True, eq=False)
class Thresholds:
    """An opponent prepared for threshold rules: strategies that roll until a turn total, given by both banked scores.

    The game is a race of one die without passing, and the opponent leaves no decision to chance.
    """

    opponent: Strategy

    def __post_init__(self) -> None:
        if not is_fast(self.opponent) or self.game.allow_pass:
            raise InputError(f"threshold rules are evaluated in races of one die without passing, not in {self.game}.")

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """The die and the opponent's turns, as `rule_seats` takes them."""
        turns = prepare(self.opponent)
        return packed_die(self.game), turns.arrays, run_ends(turns.start, turns.hold)

    @property
    def game(self) -> Game:
        """What is played."""
        return self.opponent.game

    def seats(self, bases: Ints | Shorts, races: Bools, rules: Ints | Sequence[Any], workers: int = 1) -> Floats:
        """Win probabilities of rules made of bases and races, moving first and second, shape (n, 2).

        `bases` are turn totals to hold at, `races` whether to roll to win instead, shape (any, T, T), by own and
        opponent's score. A rule is the number of its base and of its race, and a margin: it also rolls to win where a
        hold at the base's turn total would leave no more points to go; 0 for none.
        """
        numbers = np.asarray(rules, dtype=np.int64).reshape(-1, 3)
        plans = np.clip(bases, -BEYOND, BEYOND).astype(np.int16)
        parts = [numbers[n : n + TOGETHER] for n in range(0, len(numbers), TOGETHER)]
        seats = map_threads(lambda part: rule_seats(plans, races, part, *self.arrays), parts, workers)
        return within(np.concatenate([np.empty((0, 2)), *seats]))

    def overall(self, plans: Ints, workers: int = 1) -> Floats:
        """Win probabilities, seats averaged, of `plans`: turn totals to hold at by both scores, shape (n, T, T)."""
        never = np.zeros((1, *plans.shape[1:]), np.bool_)
        rules = [(n, 0, 0) for n in range(len(plans))]
        return np.asarray(self.seats(plans, never, rules, workers).mean(axis=1))


def simple_rule_against(opponent: Strategy, answer: Strategy | None = None) -> Rule:
    """A rule of a small family that wins nearly as much against an opponent as the best response to it.

    In a race it is `c+(j-i)/d; race either>=e`, or parts of it, in a game of rounds `c+(j-i)/d; last c+(j-i)`. In races
    of one die without passing some two thousand rules are evaluated exactly, then those around the best one. In other
    games those are evaluated that decide most often, in play, as the best response does, which is `answer` where it is
    known.

    Raises:
        InputError: a game or an opponent for which there is no such rule, or no best response.

    Example:
        >>> import pigevo
        >>> from pigevo.exact import simple_rule_against
        >>> print(simple_rule_against(pigevo.hold_at(pigevo.Pig(), 20)))
        20+(j-i)/6; race either>=81
    """
    if not is_fast(opponent) or opponent.game.allow_pass:
        return _rule_like(best_response(opponent).strategy if answer is None else answer, opponent)
    referee, target = Thresholds(opponent), opponent.game.target
    races = _races(target)
    best_rules = [_best(referee, range(1, min(MOST_HELD, target) + 1), d, races) for d in DIVISORS]
    _, c, d, race = max(best_rules, key=lambda one: one[0])
    around = [race, *range(max(1, race - 4), min(target, race + 5))]
    _, c, d, race = _best(referee, range(max(1, c - 1), c + 2), d, around)
    return _rule(c, d, race, target)


def _rule_like(answer: Strategy, opponent: Strategy) -> Rule:
    """Of the rules that decide most often as an answer does against an opponent, one for each divisor, the best."""
    game, like = answer.game, _agreement(answer, opponent)
    holds = range(1, min(MOST_HELD, game.size) + 1)

    def nearest(rules: Iterable[Rule]) -> Rule:
        return max(rules, key=lambda rule: _agreed(rule, game, like))

    candidates = []
    for d in DIVISORS:
        if game.target:
            candidates.append(nearest(_rule(c, d, race, game.target) for c in holds for race in _races(game.target)))
        else:
            base = nearest(Rule(_base(c, d)) for c in holds).base
            candidates.append(nearest([Rule(base), *(Rule(base, (), _base(c, 1)) for c in holds)]))
    candidates.sort(key=lambda rule: -_agreed(rule, game, like))
    return max(candidates[:TRIED], key=lambda rule: win_probability(rule.strategy(game), opponent).overall)


def _agreement(answer: Strategy, opponent: Strategy) -> Floats:
    """Expected decisions a game in which an answer agrees with holding at a turn total, by the turn's first state.

    The turn total, from 0 to one that is never reached, is the last axis.
    """
    game = answer.game
    visits = np.where(np.broadcast_to(game.decision_states, game.shape), reach(answer, opponent).overall, 0.0)
    within = tuple(range(len(game.between) + 1, visits.ndim))
    rolls, holds = ((visits * part).sum(axis=within) for part in (answer.roll, 1.0 - answer.roll))
    below = [(0, 0)] * len(game.between) + [(1, 0)]
    before, after = (np.pad(np.cumsum(part, axis=-1), below) for part in (rolls, holds))
    agreeing: Floats = before + after[..., -1:] - after
    if not game.target:
        return agreeing
    names = [axis.name for axis in game.between]
    scores = np.moveaxis(agreeing, [names.index(OWN), names.index(OPPONENT)], [0, 1])
    return np.asarray(scores[: game.target, : game.target].sum(axis=tuple(range(2, scores.ndim - 1))))


def _agreed(rule: Rule, game: Game, like: Floats) -> float:
    """Expected decisions a game in which an answer agrees with a rule."""
    plan = np.clip(rule.planned(game), 0, like.shape[-1] - 1)
    if game.target:
        plan = np.minimum(plan, game.target - np.arange(game.target)[:, None])
    return float(np.take_along_axis(like, plan[..., None], axis=-1).sum())


def _races(target: int) -> list[int]:
    """The scores from which on a simple rule may roll to win; the first stands for none."""
    return [target, *sorted({target * share // 100 for share in RACES} - {0})]


def _rule(c: int, d: int, race: int, target: int) -> Rule:
    return Rule(_base(c, d), ((AtLeast("either", race),),) if race < target else ())


def _base(c: int, d: int) -> Base:
    return Sum(c, (Fraction("+", "j-i", d),)) if d else Constant(c)


def _best(referee: Thresholds, holds: Sequence[int], d: int, races: Sequence[int]) -> tuple[float, int, int, int]:
    """What the best of such rules wins, and its three numbers; the first of equals."""
    target = referee.game.target
    own, other = np.arange(target)[:, None], np.arange(target)[None, :]
    plans = np.stack([np.broadcast_to(_base(c, d).values(own, other, target), (target, target)) for c in holds])
    raced = np.stack([np.maximum(own, other) >= race for race in races])
    rules = [(base, race, 0) for base in range(len(holds)) for race in range(len(races))]
    wins = referee.seats(plans, raced, rules).mean(axis=1)
    base, race, _ = rules[int(wins.argmax())]
    return float(wins.max()), holds[base], d, races[race]
