"""Evaluates threshold rules against one opponent, many thousands a second, for searches over rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bools, Floats, Ints, Shorts
from pigevo.core.machine import map_threads
from pigevo.errors import InputError
from pigevo.exact.evaluate import clip_probabilities, win_probability
from pigevo.exact.kernels import DieArrays, Outcomes
from pigevo.exact.solve import best_response
from pigevo.exact.threshold_kernels import rule_seats, run_ends
from pigevo.exact.turns import fast_turns, is_fast, packed_die
from pigevo.exact.visits import reach
from pigevo.games import Game
from pigevo.games.game import OPPONENT, OWN
from pigevo.strategies import Strategy
from pigevo.strategies.arguments import checks_arguments
from pigevo.strategies.rules import AtLeast, Base, Constant, Fraction, Rule, Sum

TOGETHER = 16 * LANES  # the number of rules that a thread evaluates at a time
BEYOND = np.iinfo(np.int16).max  # the largest stored hold value (16 bits): larger ones also mean rolling to win

MOST_HELD = 40  # the largest turn total that `simple_rule_against` holds at when scores are level
DIVISORS = (0, 4, 6, 8, 12)  # the divisors of the opponent's lead; 0 stands for a rule that does not use the lead
RACES = tuple(range(5, 100, 5))  # the percentages of the target from which a simple rule may roll to win

TRIED = 3  # the number of rules similar to the best response from which a search begins where evaluation takes long
STEPS = (1, 4)  # its steps: turn totals, and places in the lists above


Numbers = tuple[int, int, int]
"""A simple rule: its hold value when level, its divisor, and where its end begins.

In a race the latter is the score from which it rolls to win, at the target never; in a game of rounds the hold value of
the last turn when level, 0 for a last turn like all others.
"""


@dataclass(frozen=True, eq=False)
class Thresholds:
    """An opponent prepared for threshold rules, which roll until a turn total that depends on both banked scores.

    The game is a one-die race, and the opponent is not mixed. Where passing is allowed, to hold at 0 is to pass.
    """

    opponent: Strategy

    def __post_init__(self) -> None:
        if not self.game.one_die:
            raise InputError(f"threshold rules are evaluated in races of one die, not in {self.game}.")
        if self.opponent.is_mixed:
            raise InputError(
                f"threshold rules are evaluated against opponents without chance, not {self.opponent.name}."
            )

    @cached_property
    def arrays(self) -> tuple[DieArrays, Outcomes, Ints]:
        """The die and the opponent's turns, as arguments of `rule_seats`."""
        turns = fast_turns(self.opponent)
        return packed_die(self.game), turns.arrays, run_ends(turns.start, turns.hold)

    @property
    def game(self) -> Game:
        """The game."""
        return self.opponent.game

    def seats(
        self, bases: Ints | Shorts, races: Bools, rules: Ints | Sequence[tuple[int, int, int]], workers: int = 1
    ) -> Floats:
        """Win probabilities of rules made of bases and races, moving first and second, shape (n, 2).

        `bases` are turn totals to hold at, `races` whether to roll to win instead, shape (any, T, T), by own and
        opponent's score. A rule is the index of its base, the index of its race, and a margin: it also rolls to win
        where a hold at the base's turn total would leave at most the margin to go; 0 for no margin.
        """
        numbers = np.asarray(rules, dtype=np.int64).reshape(-1, 3)
        plans = np.clip(bases, -BEYOND, BEYOND).astype(np.int16)
        parts = [numbers[n : n + TOGETHER] for n in range(0, len(numbers), TOGETHER)]
        least = 0 if self.game.allow_pass else 1
        seats = map_threads(lambda part: rule_seats(plans, races, part, least, *self.arrays), parts, workers)
        return clip_probabilities(np.concatenate([np.empty((0, 2)), *seats]))

    def overall(self, plans: Ints, workers: int = 1) -> Floats:
        """Overall win probabilities of `plans`: turn totals to hold at by both scores, shape (n, T, T)."""
        never = np.zeros((1, *plans.shape[1:]), np.bool_)
        rules = [(n, 0, 0) for n in range(len(plans))]
        return np.asarray(self.seats(plans, never, rules, workers).mean(axis=1))


@checks_arguments
def simple_rule_against(opponent: Strategy, answer: Strategy | None = None) -> Rule:
    """A simple rule that wins much against an opponent, often nearly as much as the best response.

    In a race the rule is `c+(j-i)/d; race either>=e`, or parts of it; in a game of rounds `c+(j-i)/d; last c+(j-i)`. In
    one-die races, against an opponent that is not mixed, about four thousand rules are evaluated exactly, then the
    neighbours of the best one. Elsewhere a search begins at rules that agree most often, in play, with the best
    response, `answer` if it has been computed already, and goes on to a neighbour as long as one wins more: other rules
    may win more still.

    Raises:
        InputError: there is no such rule, or no best response, for the game or the opponent.

    Example:
        >>> import pigevo
        >>> from pigevo.exact import simple_rule_against
        >>> print(simple_rule_against(pigevo.hold_at(pigevo.Pig(), 20)))
        20+(j-i)/6; race either>=81
    """
    if not is_fast(opponent):
        return _rule_near(best_response(opponent).strategy if answer is None else answer, opponent)
    referee, target = Thresholds(opponent), opponent.game.target
    races = _races(target)
    best_rules = [_best(referee, range(1, min(MOST_HELD, target) + 1), d, races) for d in DIVISORS]
    _, c, d, race = max(best_rules, key=lambda rule: rule[0])
    around = [race, *range(max(1, race - 4), min(target, race + 5))]
    _, c, d, race = _best(referee, range(max(1, c - 1), c + 2), d, around)
    return _rule(opponent.game, c, d, race)


def _rule_near(answer: Strategy, opponent: Strategy) -> Rule:
    """The best rule that is found from those, one for each divisor, that agree most often with an answer."""
    game, agreement = answer.game, _agreement(answer, opponent)
    holds = range(1, min(MOST_HELD, game.size) + 1)
    ends = _races(game.target) if game.target else [0, *holds]
    won: dict[Numbers, float] = {}

    def agreed(rule: Numbers) -> float:
        return _agreed(_rule(game, *rule), game, agreement)

    def wins(rule: Numbers) -> float:
        if rule not in won:
            won[rule] = win_probability(_rule(game, *rule).strategy(game), opponent).overall
        return won[rule]

    alike: list[Numbers] = []
    for d in DIVISORS:
        level = max(((c, d, ends[0]) for c in holds), key=agreed)[:1] if game.turns else holds
        alike.append(max(((c, d, end) for c in level for end in ends), key=agreed))
    best = max(sorted(alike, key=agreed, reverse=True)[:TRIED], key=wins)
    lists = (holds, DIVISORS, sorted(ends))  # no race is one from the target on, and beside the latest
    while (better := max([best, *_neighbours(best, lists)], key=wins)) != best:
        best = better
    return _rule(game, *best)


def _neighbours(rule: Numbers, lists: Sequence[Sequence[int]]) -> Iterator[Numbers]:
    """The rules that differ in one number, by a few places in the list of its values."""
    for which, values in enumerate(lists):
        at = values.index(rule[which])
        for to in (at + step * sign for step in STEPS for sign in (-1, 1)):
            if 0 <= to < len(values):
                yield (*rule[:which], values[to], *rule[which + 1 :])  # type: ignore[misc]


def _agreement(answer: Strategy, opponent: Strategy) -> Floats:
    """The expected number of decisions in which an answer agrees with a hold value, by the turn's first state.

    The last axis is the hold value, from 0 to one that is never reached.
    """
    game = answer.game
    visits = np.where(np.broadcast_to(game.decision_states, game.shape), reach(answer, opponent).overall, 0.0)
    within = tuple(range(len(game.between) + 1, visits.ndim))
    rolls, holds = ((visits * part).sum(axis=within) for part in (answer.roll, 1.0 - answer.roll))
    # A hold value agrees with the rolls at the states before it and with the holds from it on: sums from both ends.
    below = [(0, 0)] * len(game.between) + [(1, 0)]
    before, after = (np.pad(np.cumsum(part, axis=-1), below) for part in (rolls, holds))
    agreeing: Floats = before + after[..., -1:] - after
    if not game.target:
        return agreeing
    names = [axis.name for axis in game.between]
    scores = np.moveaxis(agreeing, [names.index(OWN), names.index(OPPONENT)], [0, 1])
    return np.asarray(scores[: game.target, : game.target].sum(axis=tuple(range(2, scores.ndim - 1))))


def _agreed(rule: Rule, game: Game, agreement: Floats) -> float:
    """The expected number of decisions in a game in which an answer agrees with a rule."""
    plan = np.clip(rule.planned(game), 0, agreement.shape[-1] - 1)
    if game.target:
        plan = np.minimum(plan, game.target - np.arange(game.target)[:, None])
    return float(np.take_along_axis(agreement, plan[..., None], axis=-1).sum())


def _races(target: int) -> list[int]:
    """The scores from which a simple rule may roll to win; the first stands for never."""
    return [target, *sorted({target * share // 100 for share in RACES} - {0})]


def _rule(game: Game, c: int, d: int, end: int) -> Rule:
    if game.turns:
        return Rule(_base(c, d), (), _base(end, 1) if end else None)
    return Rule(_base(c, d), ((AtLeast("either", end),),) if end < game.target else ())


def _base(c: int, d: int) -> Base:
    return Sum(c, (Fraction("+", "j-i", d),)) if d else Constant(c)


def _best(referee: Thresholds, holds: Sequence[int], d: int, races: Sequence[int]) -> tuple[float, int, int, int]:
    """The win probability and the three numbers of the best rule with the divisor `d`; of equal rules the first."""
    target = referee.game.target
    own, opponent = np.arange(target)[:, None], np.arange(target)[None, :]
    plans = np.stack([np.broadcast_to(_base(c, d).values(own, opponent, target), (target, target)) for c in holds])
    raced = np.stack([np.maximum(own, opponent) >= race for race in races])
    rules = [(base, race, 0) for base in range(len(holds)) for race in range(len(races))]
    wins = referee.seats(plans, raced, rules).mean(axis=1)
    base, race, _ = rules[int(wins.argmax())]
    return float(wins.max()), holds[base], d, races[race]
