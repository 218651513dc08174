"""Every equilibrium of one orbit at which elimination leaves more than one turn.

Each player plays one of the turns that are left, or mixes two neighbouring ones.  Every
combination of these that the bust values do not rule out at once is tried; it is an
equilibrium if nobody gains more than `TIE` by another turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.three_player.line_kernels import LEAVE, OWN, bust_values, start_values
from pigevo.three_player.weights import TIE, Place, Weights, missed, mixing_weights

SAME = 1e-11
"""Equilibria whose turns differ by less than this are one."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """One equilibrium of an orbit, whose players are numbered in the order of their turns.

    Args:
        turns: for each player the number of the turn played, or of the lower one of two.
        weights: for each player the weight of the next turn above it, 0 if the player does not mix.
        lines: the turn of each player, mixed if two are, as a line, shape (3, 4).
        bust: what a bust is worth to each player.
        values: win probabilities of mover, next and third with each player to move, shape (3, 3).
    """

    turns: tuple[int, ...]
    weights: Weights
    lines: Floats
    bust: tuple[float, ...]
    values: Floats

    @property
    def mixing(self) -> int:
        """How many players mix."""
        return sum(0 < w < 1 for w in self.weights)

    @property
    def stay(self) -> float:
        """The chance that all three bust, one after the other."""
        return float(np.prod(1 - self.lines[:, LEAVE]))


def all_equilibria(lines: Sequence[Floats], symmetric: bool = False) -> list[Equilibrium]:
    """Every equilibrium in these turns, the one that the solution plays first.

    That one has the fewest mixing players, and among these the least chance that all three
    bust one after the other, so that the game moves on soonest.  The rule does not depend on
    how the players are numbered.

    Args:
        lines: for each player the turns as lines, in the order of the bust value, shape (turns, 4) each.
        symmetric: whether all three are at the same state, and so must play the same turn.
    """
    found: list[Equilibrium] = []
    for choice in sorted(_choices(lines), key=lambda choice: sum(p.mixes for p in choice)):
        if _is_tie(choice, found):
            continue
        for weights in mixing_weights(lines, choice):
            one = _equilibrium(lines, choice, weights)
            if _largest_gain(lines, one) <= TIE and not any(_same(one, other) for other in found):
                found.append(one)
    if symmetric:
        found = [one for one in found if np.ptp(one.lines, axis=0).max() < SAME]
    return sorted(found, key=lambda one: (one.mixing, one.stay))


def _is_tie(choice: Sequence[Place], found: Sequence[Equilibrium]) -> bool:
    """Whether one player alone would mix two turns, one of which is a pure equilibrium already found."""
    if sum(p.mixes for p in choice) != 1:
        return False
    return any(all(0 <= i - p.low <= p.mixes for i, p in zip(one.turns, choice, strict=True)) for one in found)


def _choices(lines: Sequence[Floats]) -> list[tuple[Place, ...]]:
    """Every choice of turns and break points at which no bust value lies elsewhere for all weights."""
    places = [[*(Place(i, False) for i in range(len(t))), *(Place(i, True) for i in range(len(t) - 1))] for t in lines]
    possible = np.logical_and.reduce([_possible(lines, places, m) for m in range(3)])
    return [tuple(places[m][i] for m, i in enumerate(choice)) for choice in np.argwhere(possible).tolist()]


def _possible(lines: Sequence[Floats], places: Sequence[Sequence[Place]], m: int) -> Bools:
    """Where player `m`'s bust value can suit the place of `m`, by the places of players 0, 1 and 2.

    It is between its values at the corners, where the others play one of their two turns.
    """
    n, h = (m + 1) % 3, (m + 2) % 3
    above = missed(lines, m)  # by break point, and the turns of n and h
    corners = [[[p.low + p.mixes * end for p in places[other]] for end in (0, 1)] for other in (n, h)]
    sides = np.stack([above[:, v][:, :, w] for v in corners[0] for w in corners[1]])
    reach_up, reach_down = sides.max(axis=0) >= -TIE, sides.min(axis=0) <= TIE
    everywhere = np.ones((1, *reach_up.shape[1:]), np.bool_)
    reach_up = np.concatenate([everywhere, reach_up])  # turn t begins at break point t - 1
    reach_down = np.concatenate([reach_down, everywhere])
    fits = np.stack([reach_up[p.low + p.mixes] & reach_down[p.low] for p in places[m]])
    return np.moveaxis(fits, (0, 1, 2), (m, n, h))


def _equilibrium(lines: Sequence[Floats], choice: Sequence[Place], weights: Weights) -> Equilibrium:
    mixed = np.array([_mixture(t, p, w) for t, p, w in zip(lines, choice, weights, strict=True)])
    values = np.array([start_values(mixed, m) for m in range(3)])
    return Equilibrium(tuple(p.low for p in choice), weights, mixed, bust_values(mixed), values)


def _mixture(turns: Floats, place: Place, weight: float) -> Floats:
    line: Floats = turns[place.low]
    return line if weight == 0 else (1 - weight) * line + weight * turns[place.low + 1]


def _largest_gain(lines: Sequence[Floats], one: Equilibrium) -> float:
    gains = []
    for turns, played, x in zip(lines, one.lines, one.bust, strict=True):
        worth = turns[:, OWN] + (1 - turns[:, LEAVE]) * x
        gains.append(worth.max() - (played[OWN] + (1 - played[LEAVE]) * x))
    return float(max(gains))


def _same(one: Equilibrium, other: Equilibrium) -> bool:
    return bool(np.abs(one.lines - other.lines).max() < SAME)
