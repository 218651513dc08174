"""How far the best pure choice of an orbit is from an equilibrium, where the solver finds no pure one.

A pure choice gives each of the three players one turn. The *gain* of a player is what the best
of all turns, played whenever the orbit comes round to that player, would win more at its start, while the
two others stay as they are. The *margin* of the orbit is the smallest, over all pure choices, of the
largest gain of the three.
All turns are meant, also those that are never best. Most cannot matter: see `near_best_turns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pigevo import three_player
from pigevo.core.arrays import Bools, Floats
from pigevo.three_player.equilibria import BestTurns, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD
from pigevo.three_player.rules import Needs, rotated, throws_of

from .coalitions import Coalition, coalition
from .enclosures import Enclosure, least_gain, pure_choices
from .records import Rows

IN_FRACTIONS: tuple[Needs, ...] = ((32, 62, 61), (45, 76, 52))
"""Orbits whose proof is also made in rational numbers: that of target 62, and that of the smallest margin at 100."""


def margins(solution: three_player.ThreeSolution, enclosure: Enclosure) -> Rows:
    """The margin of every orbit without a pure equilibrium, and whether it is proved that it has none.

    Args:
        solution: of the game.
        enclosure: of the same game.
    """
    values, throws = np.ascontiguousarray(np.moveaxis(solution.values, -1, 0)), throws_of(solution.game)
    alone, rows = coalition(solution.game), []
    for orbit in solution.without_pure:
        turns = best_turns(orbit.needs, values, throws)
        least, gain, near = margin(turns, alone)
        best = every_best_turn(turns)
        proof: Fraction | str = ""
        if orbit.needs in IN_FRACTIONS:
            states = [rotated(orbit.needs, m) for m in range(3)]
            played = [[solution.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
            proof = least_gain(enclosure, orbit.needs, played)
        a, b, c = orbit.needs
        rows.append({
            "a": a, "b": b, "c": c, "mixing_players": orbit.equilibria[0].mixing,
            "turns": " ".join(str(n) for n in near), "margin": gain, "margin_at_least": least,
            "margin_of_best_turns": float(largest_gains(best, best).min()),
            "no_pure_one_proved": next(pure_choices(enclosure, orbit.needs), None) is None,
            "gain_in_fractions": float(proof) if proof else "",
        })  # fmt: skip
    return rows


def margin(turns: BestTurns, alone: Coalition) -> tuple[float, float, list[int]]:
    """A lower bound of the margin of an orbit, the smallest gain that was found, and how many turns of each were tried.

    The bound is what was found, where all turns that can belong to a better pure choice could be tried; else the
    largest gain, in steps of `STEP`, up to which they could.

    Args:
        turns: of an orbit.
        alone: the game of each player against the two others.
    """
    best = every_best_turn(turns)
    least = gain = float(largest_gains(best, best).min())
    while (near := near_best_turns(turns, best, least, alone)) is None:
        least *= STEP
    gain = min(gain, float(largest_gains(near, best).min()))
    return min(least, gain), gain, [len(one) for one in near]


STEP = 0.8


def every_best_turn(turns: BestTurns) -> list[Floats]:
    """The lines of all turns that are best for some bust value from 0 to 1, shape (turns, 4) for each player.

    Args:
        turns: of an orbit.
    """
    counts = [int(np.argmax(turns.starts[m] == 1.0)) for m in range(3)]
    return [turns.lines[m, : counts[m]] for m in range(3)]


def largest_gains(lines: Sequence[Floats], best: Sequence[Floats]) -> Floats:
    """The largest gain of the three at every pure choice, shape (turns of player 0, of 1, of 2).

    Args:
        lines: of the turns that each can choose.
        best: of the turns that each can change to; the best of all is one that is sometimes best.
    """
    grid = [lines[0][:, None, None], lines[1][None, :, None], lines[2][None, None, :]]
    stay = [1 - g[..., LEAVE] for g in grid]
    worst = np.zeros(tuple(len(t) for t in lines))
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        elsewhere = grid[n][..., THIRD] + stay[n] * grid[h][..., NEXT]  # a bust is worth this, and what comes round
        round_trip = stay[n] * stay[h]
        most = np.full(elsewhere.shape, -np.inf)
        for turn in best[m]:
            out = 1 - (1 - turn[LEAVE]) * round_trip
            most = np.maximum(most, (turn[OWN] + (1 - turn[LEAVE]) * elsewhere) / out)
        worst = np.maximum(worst, most - (grid[m][..., OWN] + stay[m] * elsewhere) / (1 - stay[m] * round_trip))
    return worst


def near_best_turns(turns: BestTurns, lines: Sequence[Floats], gain: float, alone: Coalition) -> list[Floats] | None:
    """The lines of all turns that can belong to a pure choice at which nobody gains more than `gain`; None of too many.

    Who gains at most `gain` by another turn for good gains no more by playing it once, at the bust value `x` of that
    pure choice (a change for good gains what one turn does, divided by a number of at most 1). What a turn loses,
    beside the best one, is a convex function of `x`, piecewise linear with the break points of the best turns. So a
    turn that loses at most `gain` anywhere in an interval does so at one of these break points or at an end. There all
    such turns are enumerated decision by decision: what a turn loses is the sum, over the turn totals at which it does
    not decide best, of what that decision costs there, times the chance to come there.

    The interval is that of the bust values which such turns of all three allow, narrowed until it rests. It begins with
    what a coalition of the two others leaves to each player: who gains at most `gain` has no less than that, less
    `gain`, and the three win probabilities add up to 1.

    Args:
        turns: of an orbit.
        lines: of the turns of each that are sometimes best.
        gain: in win probability.
        alone: the game of each player against the two others.
    """
    ends = np.empty((3, 2))
    for m in range(3):
        b, c, a = (turns.needs[(m + n) % 3] for n in (1, 2, 3))  # the next player moves
        least = [float(alone.values[r, r, b, c, a]) - gain for r in range(3)]
        ends[m] = max(0.0, least[2]), min(1.0, 1 - least[0] - least[1])
    near = [_near_best(turns, m, lines[m], ends[m], gain) for m in range(3)]
    while True:
        before = ends.copy()
        for m in range(3):
            following, third = near[(m + 1) % 3], near[(m + 2) % 3]
            if following is not None and third is not None:
                ends[m] = _allowed_bust_values(following, third, lines[m], ends[m], gain)
                near[m] = _near_best(turns, m, lines[m], ends[m], gain)
        if np.abs(ends - before).max() < REST:
            break
    few = [one for one in near if one is not None]
    return few if len(few) == 3 else None


REST = 1e-9
"""Bust values whose bounds move by less in a round are at rest."""

MOST = 2000
"""So many turns of a player are tried; where more lose so little, the bust value is narrowed by the others first."""


def _near_best(turns: BestTurns, m: int, best: Floats, ends: Floats, gain: float) -> Floats | None:
    """The lines of the turns that lose at most `gain` between two bust values, shape (turns, 4); None of too many."""
    points = [x for x in turns.starts[m, 1 : len(best)] if ends[0] < x < ends[1]]
    near: dict[tuple[int, ...], Floats] = {}
    for x in [*points, *ends]:
        near.update(_turns_within(turns, m, float(x), gain))
        if len(near) > MOST:
            return None
    return np.array(list(near.values()))


def _turns_within(turns: BestTurns, m: int, x: float, gain: float) -> dict[tuple[int, ...], Floats]:
    """The turns that lose at most `gain` at a bust value, or some of too many: the totals held at, and the line."""
    a, (gains, chances) = turns.needs[m], turns.die
    held = np.column_stack([turns.held[m], np.ones(len(turns.held[m]))])  # as lines: who holds leaves the scores
    rolls, costs = _decisions(turns, m, x)
    reach = np.zeros(a + int(gains.max()))
    reach[0] = 1
    waiting: list[tuple[int, float, tuple[int, ...], Floats, Floats]] = [(0, gain + ROUNDING, (), np.zeros(4), reach)]
    within: dict[tuple[int, ...], Floats] = {}
    while waiting and len(within) <= MOST:
        k, left, holds, line, reach = waiting.pop()
        while k < a and reach[k] == 0:
            k += 1
        if k == a:
            within[holds] = line + reach[a:].sum() * held[a]
            continue
        for roll in (True, False) if k else (True,):
            lost = 0.0 if roll == rolls[k] else reach[k] * costs[k]
            if lost > left:
                continue
            if roll:
                further = reach.copy()
                further[k + gains] += reach[k] * chances
                waiting.append((k + 1, left - lost, holds, line, further))
            else:
                waiting.append((k + 1, left - lost, (*holds, k), line + reach[k] * held[k], reach))
    return within


ROUNDING = 1e-14
"""What a turn loses is computed with an error of less than this."""


def _allowed_bust_values(following: Floats, third: Floats, best: Floats, ends: Floats, gain: float) -> Floats:
    """The least and the largest bust value of a player that turns of the two others allow, within two ends."""
    following, third = following[:, None, :], third[None, :, :]
    stay = 1 - following[..., LEAVE]
    elsewhere = following[..., THIRD] + stay * third[..., NEXT]
    round_trip = stay * (1 - third[..., LEAVE])
    low, high = (float((best[:, OWN] + (1 - best[:, LEAVE]) * x).max()) for x in ends)  # of the own next turn
    least, largest = (elsewhere + round_trip * (low - gain)).min(), (elsewhere + round_trip * high).max()
    return np.array([max(ends[0], least - ROUNDING), min(ends[1], largest + ROUNDING)])


def _decisions(turns: BestTurns, m: int, x: float) -> tuple[Bools, Floats]:
    """The best decision at each turn total if a bust is worth `x`, and what the other one costs there."""
    a, (gains, chances), held = turns.needs[m], turns.die, turns.held[m]
    worth = np.ones(a + gains.max())
    rolls, costs = np.ones(a, np.bool_), np.zeros(a)
    for k in range(a - 1, -1, -1):
        roll = float(chances @ worth[k + gains]) + (1 - float(chances.sum())) * x
        hold = held[k, OWN] if k else -np.inf
        rolls[k], worth[k], costs[k] = roll > hold, max(roll, hold), abs(roll - hold)
    return rolls, costs
