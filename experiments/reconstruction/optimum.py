"""Slips that may have made the optimum of Exeter 2016: its table 1 has .5301 for the optimum against itself, not .5306.

The report solves the equations level by level, from high sums of both scores down, by strategy iteration from the
strategy that always rolls (section 3.5).  Here are strategies that such a program could have returned, and their wins.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

import pigevo
from pigevo.core.arrays import Bools, Floats
from pigevo.games import Pig
from pigevo.strategies import Strategy

OPPONENTS = ("hold_at:20", "hold_at:25", "score:20,2", "score:25,2")
TARGETS, SCORES_OFF, TOTAL_OFF = range(98, 104), range(-2, 4), range(-2, 3)
"""Optima of these targets are read as many places off in both scores and in the turn total."""

ROUNDS, WHOLE_ROUNDS = range(1, 5), range(1, 9)
"""Rounds of strategy iteration, level by level and for all states at once."""

GAINS = range(2, 7)


@dataclass(frozen=True)
class Equations:
    """The equations of a level with an index one off.

    Args:
        bank: points that a hold banks beyond the turn total.
        bust: how much the opponent's and the own score are off after a bust.
    """

    bank: int = 0
    bust: tuple[int, int] = (0, 0)


def entries(strategy: Strategy) -> Floats:
    """What table 1 says of an optimum: moving first against itself, of others against it, and of it against others."""
    others = [pigevo.parse_strategy(name, strategy.game) for name in OPPONENTS]
    return np.array([
        pigevo.win_probability(strategy, strategy).first,
        *(pigevo.win_probability(other, strategy).first for other in others),
        *(pigevo.win_probability(strategy, other).first for other in others),
    ])  # fmt: skip


def candidates() -> Iterator[tuple[str, Strategy]]:
    """Strategies that a slip may have made, by its name."""
    game = Pig()
    yield "the optimum", pigevo.optimal(game).strategy
    for target in TARGETS:
        for off in itertools.product(SCORES_OFF, SCORES_OFF, TOTAL_OFF):
            if target != game.target or any(off):
                yield (
                    f"target {target}, read off by {off[0]}, {off[1]}, {off[2]}",
                    _strategy(game, read_off(target, off)),
                )
    for rounds in ROUNDS:
        yield f"{rounds} rounds a level", _strategy(game, by_levels(game.target, rounds))
    yield from ((f"{rounds} rounds of all states", one) for rounds, one in enumerate(of_all_states(game), 1))
    for bank in (-1, 1):
        yield f"a hold banks {bank:+d}", _strategy(game, by_levels(game.target, equations=Equations(bank)))
    for bust in ((1, 0), (0, 1), (1, 1)):
        name = f"a bust moves scores by {bust[0]}, {bust[1]}"
        yield name, _strategy(game, by_levels(game.target, equations=Equations(bust=bust)))


def _strategy(game: Pig, roll: Bools) -> Strategy:
    forced = roll.copy()
    forced[:, :, 0] = True
    return Strategy(game, forced, "slip")


def read_off(target: int, off: tuple[int, int, int]) -> Bools:
    """The decisions of the optimum of another target at indices that are off; beyond its array its last ones."""
    roll = pigevo.optimal(Pig(target=target)).strategy.roll
    at = [np.clip(np.arange(100) + by, 0, target - 1) for by in off]
    return np.asarray(roll[np.ix_(*at)])


def of_all_states(game: Pig) -> Iterator[Strategy]:
    """Strategy iteration that improves the decisions in all states in each round."""
    target = game.target
    best = _strategy(game, np.ones((target,) * 3, np.bool_))
    for _ in WHOLE_ROUNDS:
        values = np.ones((target, target, target + max(GAINS)))
        values[:, :, :target] = pigevo.state_values(best, best)
        waiting = 1 - values[:, :, 0].T
        rolls = (waiting[:, :, None] + sum(values[:, :, gain : gain + target] for gain in GAINS)) / 6
        holds = np.ones((target,) * 3)
        for total in range(1, target):
            holds[: target - total, :, total] = waiting[total:]
        best = _strategy(game, rolls >= holds)
        yield best


def by_levels(target: int, rounds: int = 100, equations: Equations = Equations()) -> Bools:
    """Strategy iteration level by level, for at most some rounds.

    Within a level a player's value in each state is linear in what it has after a bust: c + d x.
    """
    start = np.zeros((target, target))
    roll = np.ones((target,) * 3, np.bool_)
    for level in range(2 * target - 2, -1, -1):
        for own in range(max(0, level - target + 1), level // 2 + 1):
            for (i, j), decisions in _level(start, own, level - own, rounds, equations).items():
                roll[i, j, : target - i] = decisions
    return roll


Sides = dict[tuple[int, int], list[bool]]


def _level(start: Floats, i: int, j: int, rounds: int, equations: Equations) -> Sides:
    """The decisions at two scores and at the same scores exchanged; their values are written into `start`."""
    target = len(start)
    sides = list(dict.fromkeys([(i, j), (j, i)]))
    decisions: Sides = {(a, b): [True] * (target - a) for a, b in sides}
    for round_ in itertools.count():
        lines = {side: _lines(start, side, decisions[side], equations) for side in sides}
        (c, d), (e, f) = ((lines[side][0][0], lines[side][1][0]) for side in (sides[0], sides[-1]))
        first = (c + d * (1 - e - f)) / (1 - d * f)
        start[i, j], start[j, i] = first, e + f * (1 - first)
        better = {(a, b): _improved(start, (a, b), lines[a, b], equations) for a, b in sides}
        if round_ == rounds or better == decisions:
            return decisions
        decisions = better
    raise AssertionError


def _lines(
    start: Floats, side: tuple[int, int], decisions: list[bool], equations: Equations
) -> tuple[list[float], list[float]]:
    """The values of the states of a turn as lines c + d x, where x is what the player has once the opponent begins."""
    length = len(decisions)
    c, d = [1.0] * (length + max(GAINS)), [0.0] * (length + max(GAINS))
    bust = _bust(start, side, equations)
    for total in range(length - 1, -1, -1):
        if decisions[total]:
            ahead = slice(total + GAINS.start, total + GAINS.stop)
            c[total], d[total] = sum(c[ahead]) / 6, sum(d[ahead]) / 6
            c[total], d[total] = (c[total], d[total] + 1 / 6) if bust is None else (c[total] + bust / 6, d[total])
        else:
            held = _held(start, side, total, equations)
            c[total], d[total] = (0.0, 1.0) if held is None else (held, 0.0)
    return c, d


def _bust(start: Floats, side: tuple[int, int], equations: Equations) -> float | None:
    """What a player has after a bust, or None where that is unknown, since the level is being solved."""
    if equations.bust == (0, 0):
        return None
    theirs, own = (min(score + off, len(start) - 1) for score, off in zip(side[::-1], equations.bust, strict=True))
    return None if (theirs, own) == side[::-1] else 1 - float(start[theirs, own])


def _held(start: Floats, side: tuple[int, int], total: int, equations: Equations) -> float | None:
    """What a player has after a hold, or None where no point is banked."""
    own = side[0] + total + equations.bank
    if own >= len(start):
        return 1.0
    return None if own == side[0] else 1 - float(start[side[1], own])


def _improved(
    start: Floats, side: tuple[int, int], lines: tuple[list[float], list[float]], equations: Equations
) -> list[bool]:
    """The better decision in each state of a turn, a roll if both are equal; a turn begins with a roll."""
    waiting = 1 - float(start[side[::-1]])
    values = [c + d * waiting for c, d in zip(*lines, strict=True)]
    bust = _bust(start, side, equations)
    found = [True]
    for total in range(1, len(start) - side[0]):
        rolls = (sum(values[total + GAINS.start : total + GAINS.stop]) + (waiting if bust is None else bust)) / 6
        held = _held(start, side, total, equations)
        found.append(rolls >= (waiting if held is None else held))
    return found


def agreeing(found: Mapping[str, Floats], published: Floats) -> dict[str, int]:
    """How many entries of each candidate are those of the table as printed."""
    return {name: int((np.abs(own - published) <= 0.5e-4 + 1e-12).sum()) for name, own in found.items()}
