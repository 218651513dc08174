"""How far the best pure choice of an orbit is from an equilibrium, where the solver finds no pure one.

A pure choice gives each of the three players one turn. The *gain* of a player is what the best
of all turns, played whenever the orbit comes round to that player, would win more at its start, while the
two others stay as they are. The *margin* of the orbit is the smallest, over all pure choices, of the
largest gain of the three.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pigevo import three_player
from pigevo.core.arrays import Floats
from pigevo.three_player.equilibria import BestTurns, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD
from pigevo.three_player.rules import Needs, plain_die, rotated

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
    values, die = np.ascontiguousarray(np.moveaxis(solution.values, -1, 0)), plain_die(solution.game)
    rows = []
    for orbit in solution.without_pure:
        turns = best_turns(orbit.needs, values, die)
        lines = every_best_turn(turns)
        gain = largest_gains(lines).min()
        proof: Fraction | str = ""
        if orbit.needs in IN_FRACTIONS:
            states = [rotated(orbit.needs, m) for m in range(3)]
            played = [[solution.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
            proof = least_gain(enclosure, orbit.needs, played)
        a, b, c = orbit.needs
        rows.append({
            "a": a, "b": b, "c": c, "mixing_players": orbit.equilibria[0].mixing,
            "turns": " ".join(str(len(t)) for t in lines), "margin": float(gain),
            "other_turns_lose_more": all(others_lose(turns, m, lines[m], float(gain)) for m in range(3)),
            "no_pure_one_proved": next(pure_choices(enclosure, orbit.needs), None) is None,
            "gain_in_fractions": float(proof) if proof else "",
        })  # fmt: skip
    return rows


def every_best_turn(turns: BestTurns) -> list[Floats]:
    """The lines of all turns that are best for some bust value from 0 to 1, shape (turns, 4) for each player.

    Args:
        turns: of an orbit.
    """
    counts = [int(np.argmax(turns.starts[m] == 1.0)) for m in range(3)]
    return [turns.lines[m, : counts[m]] for m in range(3)]


def largest_gains(lines: Sequence[Floats]) -> Floats:
    """The largest gain of the three at every pure choice, shape (turns of player 0, of 1, of 2).

    Args:
        lines: of the turns of each.
    """
    grid = [lines[0][:, None, None], lines[1][None, :, None], lines[2][None, None, :]]
    stay = [1 - g[..., LEAVE] for g in grid]
    worst = np.zeros(tuple(len(t) for t in lines))
    for m in range(3):
        n, h = (m + 1) % 3, (m + 2) % 3
        elsewhere = grid[n][..., THIRD] + stay[n] * grid[h][..., NEXT]  # a bust is worth this, and what comes round
        round_trip = stay[n] * stay[h]
        best = np.full(elsewhere.shape, -np.inf)
        for turn in lines[m]:
            out = 1 - (1 - turn[LEAVE]) * round_trip
            best = np.maximum(best, (turn[OWN] + (1 - turn[LEAVE]) * elsewhere) / out)
        worst = np.maximum(worst, best - (grid[m][..., OWN] + stay[m] * elsewhere) / (1 - stay[m] * round_trip))
    return worst


def others_lose(turns: BestTurns, m: int, lines: Floats, gain: float) -> bool:
    """Whether every turn that is never best loses more than `gain`, whatever a bust is worth.

    What a turn loses is, as a function of the bust value, linear between two break points, so it is least at one of
    these, or at 0 or 1. There two turns are best, which part at one decision; another turn leaves both of them
    somewhere, and loses at least what that decision costs, times the chance to come there.

    Args:
        turns: of an orbit.
        m: the player.
        lines: of the turns of that player that are sometimes best.
        gain: is compared with.
    """
    a, (gains, chances) = turns.needs[m], turns.die
    ends = [0.0, *turns.starts[m, 1 : len(lines)].tolist(), 1.0]
    middles = [(low + high) / 2 for low, high in itertools.pairwise(ends)]
    played = [_decisions(turns, m, x)[0] for x in middles]
    for number, x in enumerate(ends):
        costs = _decisions(turns, m, x)[1]
        for rolls in played[max(0, number - 1) : number + 1]:
            reach = np.zeros(a + gains.max())
            reach[0] = 1
            for k in range(a):
                if rolls[k]:
                    reach[k + gains] += reach[k] * chances
            parts = reach[:a] * costs
            both = played[max(0, number - 1)], played[min(number, len(played) - 1)]
            parts[(reach[:a] == 0) | (both[0] != both[1])] = np.inf
            if parts[1:].min(initial=np.inf) <= gain:
                return False
    return True


def _decisions(turns: BestTurns, m: int, x: float) -> tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], Floats]:
    """The best decision at each turn total if a bust is worth `x`, and what the other one costs there."""
    a, (gains, chances), held = turns.needs[m], turns.die, turns.held[m]
    worth = np.ones(a + gains.max())
    rolls, costs = np.ones(a, np.bool_), np.zeros(a)
    for k in range(a - 1, -1, -1):
        roll = float(chances @ worth[k + gains]) + (1 - float(chances.sum())) * x
        hold = held[k, OWN] if k else -np.inf
        rolls[k], worth[k], costs[k] = roll > hold, max(roll, hold), abs(roll - hold)
    return rolls, costs
