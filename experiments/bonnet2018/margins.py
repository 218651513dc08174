"""How far the best pure choice of an orbit is from an equilibrium, where the solver finds no pure one.

A pure choice gives each of the three players one turn. The *gain* of a player is what the best
of all turns, played whenever the orbit comes round to that player, would win more at its start, while the
two others stay as they are. The *margin* of the orbit is the smallest, over all pure choices, of the
largest gain of the three.
All turns are meant, also those that are never best. Most cannot matter: see `margin`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from pigevo import three_player
from pigevo.core.arrays import Floats
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
        gain, tried = margin(turns, alone)
        best = every_best_turn(turns)
        proof: Fraction | str = ""
        if orbit.needs in IN_FRACTIONS:
            states = [rotated(orbit.needs, m) for m in range(3)]
            played = [[solution.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
            proof = least_gain(enclosure, orbit.needs, played)
        a, b, c = orbit.needs
        rows.append({
            "a": a, "b": b, "c": c, "mixing_players": orbit.equilibria[0].mixing,
            "turns": " ".join(str(n) for n in tried), "margin": gain, "margin_at_least": gain,
            "margin_of_best_turns": float(largest_gains(best, best).min()),
            "no_pure_one_proved": next(pure_choices(enclosure, orbit.needs), None) is None,
            "gain_in_fractions": float(proof) if proof else "",
        })  # fmt: skip
    return rows


def margin(turns: BestTurns, alone: Coalition) -> tuple[float, list[int]]:
    """The margin of an orbit, and how many turns of each player were tried.

    The best turns alone give an upper bound. A pure choice below it can have only few turns of two players
    (`near_best_turns`). For each pair of these, what the third one's turn must bring is a list of linear conditions
    (`conditions`), and all turns that meet them are found (`turns_that`). The third is who needs most points, and has
    most turns.

    Args:
        turns: of an orbit.
        alone: the game of each player against the two others.
    """
    best = every_best_turn(turns)
    gain = float(largest_gains(best, best).min())
    m = int(np.argmax(turns.needs))
    n, h = (m + 1) % 3, (m + 2) % 3
    near_n, near_h = (near_best_turns(turns, player, best[player], gain, alone) for player in (n, h))
    found = []
    for following, third in product(near_n, near_h):
        found.append(turns_that(turns, m, *conditions(m, following, third, best, gain)))
        if len(found[-1]):
            lines = {m: found[-1], n: following[None], h: third[None]}
            gain = min(gain, float(largest_gains([lines[player] for player in range(3)], best).min()))
    tried = {m: sum(len(lines) for lines in found), n: len(near_n), h: len(near_h)}
    return gain, [tried[player] for player in range(3)]


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


def near_best_turns(turns: BestTurns, m: int, best: Floats, gain: float, alone: Coalition) -> Floats:
    """The lines of all turns of a player in pure choices at which nobody gains more than `gain`, shape (turns, 4).

    Who gains at most `gain` by another turn for good gains no more by playing it once, at the bust value `x` of that
    pure choice (a change for good gains what one turn does, divided by a number of at most 1). What a turn loses,
    beside the best one, is a convex function of `x`, piecewise linear with the break points of the best turns. So a
    turn that loses at most `gain` anywhere in an interval does so at one of these break points or at an end.

    The interval of `x` is what a coalition of the two others leaves: who gains at most `gain` has no less than that,
    less `gain`, and the three win probabilities add up to 1.

    Args:
        turns: of an orbit.
        m: the player.
        best: the lines of the player's turns that are sometimes best.
        gain: in win probability.
        alone: the game of each player against the two others.
    """
    b, c, a = (turns.needs[(m + n) % 3] for n in (1, 2, 3))  # the next player moves
    least = [float(alone.values[r, r, b, c, a]) - gain for r in range(3)]
    ends = max(0.0, least[2]), min(1.0, 1 - least[0] - least[1])
    points = [*ends, *(x for x in turns.starts[m, 1 : len(best)] if ends[0] < x < ends[1])]
    near = []
    for x in points:
        most = (best[:, OWN] + (1 - best[:, LEAVE]) * x).max()
        near.append(turns_that(turns, m, np.array([[1.0, 0, 0, -x]]), np.array([most - gain - x])))
    return np.unique(np.concatenate(near), axis=0)


def conditions(m: int, following: Floats, third: Floats, best: Sequence[Floats], gain: float) -> tuple[Floats, Floats]:
    """What the line of a player's turn must fulfil for nobody to gain more than `gain`, given the two other turns.

    With `n` the next and `h` the third player, `stay` the chance to bust, and the line of `m` to be found:

    - The value of `m` at its own start is the only `v = own + stay (elsewhere + round trip v)`, whose right-hand side
      rises more slowly than `v`. So `v` is at least the best one less `gain` if, and only if, the right-hand side is
      no less than that number where `v` is that number.
    - A given turn loses at most `gain` for good only if it does once (`near_best_turns`), so where its bust value lies
      in an interval. The bust value of `n` is the only `x = third_h + stay_h (next_m + stay_m (own_n + stay_n x))`,
      that of `h` the only `x = third_m + stay_m (next_n + stay_n (own_h + stay_h x))`; as before, each of the two is
      on the right side of an end of its interval if, and only if, the right-hand side is, where `x` is that end.

    All of this is linear in the line of `m`: the first condition is exact, the others are necessary.

    Args:
        m: the player.
        following, third: the lines of the turns of the next player and of the third one.
        best: the lines of the turns of each player that are sometimes best.
        gain: in win probability.

    Returns:
        Weights and least sums, as `turns_that` takes them.
    """
    stay_n, stay_h = 1 - following[LEAVE], 1 - third[LEAVE]
    elsewhere, round_trip = following[THIRD] + stay_n * third[NEXT], stay_n * stay_h
    stay = 1 - best[m][:, LEAVE]
    v = float(((best[m][:, OWN] + stay * elsewhere) / (1 - stay * round_trip)).max()) - gain
    rows = [(1.0, 0.0, 0.0, elsewhere + round_trip * v, v)]  # weights of own, next, third and stay, and the least sum
    for sign, x in zip((1, -1), _within(following, best[(m + 1) % 3], gain), strict=True):
        worth = following[OWN] + stay_n * x
        rows.append((0.0, sign * stay_h, 0.0, sign * stay_h * worth, sign * (x - third[THIRD])))
    for sign, x in zip((1, -1), _within(third, best[(m + 2) % 3], gain), strict=True):
        worth = third[OWN] + stay_h * x
        rows.append((0.0, 0.0, sign, sign * (following[NEXT] + stay_n * worth), sign * x))
    weights, least = np.array(rows)[:, :4], np.array(rows)[:, 4]
    least, weights[:, LEAVE] = least - weights[:, LEAVE], -weights[:, LEAVE]  # stay is 1 - leave
    return weights, least


def _within(turn: Floats, best: Floats, gain: float) -> tuple[float, float]:
    """The least and the largest bust value at which a turn loses at most `gain`; the first is larger if none is."""
    spare, slope = turn[OWN] - best[:, OWN] + gain + ROUNDING, best[:, LEAVE] - turn[LEAVE]
    low, high = -spare[slope > 0] / slope[slope > 0], -spare[slope < 0] / slope[slope < 0]
    return float(low.max(initial=0.0)), float(high.min(initial=1.0))


def turns_that(turns: BestTurns, m: int, weights: Floats, least: Floats) -> Floats:
    """The lines of all turns of a player of which weighted sums are large enough, shape (turns, 4).

    A turn is decided at one total after the other, beginning at 0. It has then brought a part of its line, and stands
    at each higher total with some chance. What it can still bring to a weighted sum is bounded over *all* decisions at
    once: from a total k it brings at most `most[k]`, the larger of what a hold brings and of the average of `most` at
    the totals that a roll leads to. This follows by induction from the highest total down, since what comes after a
    total does not depend on how it was reached. So where the part, and `most` at the totals at which the turn may
    stand, do not add up to `least` for each of the weighted sums, no turn that begins so is meant, and none of them is
    followed. At the end nothing is left to decide, and the bound is the sum itself.

    Args:
        turns: of an orbit.
        m: the player.
        weights: of the four parts of a line, shape (sums, 4).
        least: of each sum, shape (sums,).
    """
    a, (gains, chances) = turns.needs[m], turns.die
    totals = np.minimum(np.arange(a + gains.max()), a)
    held = np.column_stack([turns.held[m], np.ones(len(turns.held[m]))])[totals]  # as lines: who holds leaves
    most = held @ weights.T
    for k in range(a - 1, -1, -1):
        roll = chances @ most[k + gains]
        most[k] = np.maximum(most[k], roll) if k else roll
    reach = np.zeros(len(held))
    reach[0] = 1
    waiting = [(0, np.zeros(4), reach)]
    found = []
    while waiting:
        k, line, reach = waiting.pop()
        if (weights @ line + reach[k:] @ most[k:] < least - ROUNDING).any():
            continue
        k = next((int(total) for total in np.flatnonzero(reach) if total >= k), a)
        if k >= a:
            found.append(line + reach[k:] @ held[k:])
            continue
        further = reach.copy()
        further[k + gains] += reach[k] * chances
        waiting.append((k + 1, line, further))
        if k:
            waiting.append((k + 1, line + reach[k] * held[k], reach))
    return np.array(found).reshape(-1, 4)


ROUNDING = 1e-14
"""A weighted sum is computed with an error of less than this."""
