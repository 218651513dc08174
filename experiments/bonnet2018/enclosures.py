"""What holds in every equilibrium: bounds of the values over all of them, and proofs that no pure one exists.

The solver chooses one equilibrium where an orbit has several, and compares floating-point
numbers.  Here nothing is chosen and nothing is rounded the wrong way: orbit by orbit, all that any
equilibrium can be worth is enclosed between two numbers, from what any equilibrium can be worth
later (`enclosure_kernels.py`).  Where a decision may be a roll and a hold, both are followed: if
every pure choice contradicts itself, the orbit has no pure equilibrium, whichever equilibrium is played later.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats
from pigevo.core.machine import Progress
from pigevo.games import Race
from pigevo.three_player.rules import Needs, orbits_by_total, plain_die, rotated, won_values

from .curves import SEATS
from .enclosure_kernels import FREE, HOLDS, ROLLS, bound_orbit, bound_orbits
from .fractions_table import Line, Shares, plain_chances, start_shares, turn_lines
from .records import Rows


@dataclass(frozen=True, eq=False)
class Enclosure:
    """Bounds of the win probabilities in every equilibrium of a game.

    Args:
        game: the game.
        low, high: bounds, shape (3, T + 1, T + 1, T + 1), by the player (0 the mover) and the points that each needs.
        open_orbits: the orbits at which bounds do not decide every decision, each with how many they leave open.
    """

    game: Race
    low: Floats
    high: Floats
    open_orbits: dict[Needs, int]

    def at(self, target: int) -> Floats:
        """Bounds of the seats' win probabilities at the start of a game to a target, shape (2, 3).

        Args:
            target: up to that of the game.
        """
        return np.stack([self.low[:, target, target, target], self.high[:, target, target, target]])

    def opened(self, needs: Needs, asked: Bytes | None = None) -> Bools | None:
        """The decisions that stay open at an orbit if some are as asked, shape (3, T); None if none can be so.

        Args:
            needs: points needed in the orbit.
            asked: of each decision, as in `bound_orbit`; by default nothing.
        """
        T, (die, chances) = self.game.target, _die_bounds(self.game)
        asked = np.full((3, T), FREE, np.uint8) if asked is None else asked
        bounds, found = np.repeat([0.0, 1.0], 9).reshape(2, 3, 3), np.zeros((3, T), np.bool_)
        work = np.empty((2, T + die.max(), 3))
        done = bound_orbit(bounds, np.array(needs), self.low, self.high, die, chances, asked, found, work)
        return found if done else None


def _die_bounds(game: Race) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int64]], Floats]:
    """The gains, and bounds of their chances and, last, of that of a bust."""
    gains, chances = plain_die(game)
    exact = np.append(chances, game.bust)
    return gains, np.stack([np.nextafter(exact, 0), np.nextafter(exact, 1)])


def enclose(game: Race, progress: Progress | None = None) -> Enclosure:
    """Bound the values of every equilibrium of a game.

    Args:
        game: the game.
        progress: is called with the number of orbits whenever so many more are done.
    """
    (die, chances), low, high = _die_bounds(game), won_values(game.target), won_values(game.target)
    found: dict[Needs, int] = {}
    for orbits in orbits_by_total(game.target):
        opened = bound_orbits(orbits, low, high, die, chances)
        found.update({(a, b, c): n for (a, b, c), n in zip(orbits.tolist(), opened.tolist(), strict=True) if n})
        if progress is not None:
            progress(len(orbits))
    return Enclosure(game, low, high, found)


def pure_choices(enclosure: Enclosure, needs: Needs) -> Iterator[Bytes]:
    """The pure choices at an orbit's open decisions that the bounds do not refute, shape (3, T) each.

    If there is none, no pure equilibrium exists there, whichever equilibrium is played later.

    Args:
        enclosure: of the game.
        needs: points needed in the orbit.
    """
    waiting = [np.full((3, enclosure.game.target), FREE, np.uint8)]
    while waiting:
        asked = waiting.pop()
        opened = enclosure.opened(needs, asked)
        if opened is None:
            continue
        free = np.argwhere(opened & (asked == FREE))
        if not len(free):
            yield asked
            continue
        for choice in (ROLLS, HOLDS):
            waiting.append(asked.copy())
            waiting[-1][tuple(free[0])] = choice


def bounds_by_target(enclosure: Enclosure) -> Rows:
    """For every target what the seats win at least and at most in any equilibrium, rounded outward.

    Args:
        enclosure: of the largest target.
    """
    rows = []
    for t in range(1, enclosure.game.target + 1):
        low, high = enclosure.at(t)
        ends = {
            f"{s}_{name}": float(v) for n, s in enumerate(SEATS) for name, v in (("low", low[n]), ("high", high[n]))
        }
        opened = sum(max(needs) <= t for needs in enclosure.open_orbits)
        rows.append({"target": t, **ends, "widest": float((high - low).max()), "open_orbits": opened})
    return rows


def least_gain(enclosure: Enclosure, needs: Needs, rolls: list[list[bool]]) -> Fraction:
    """A gain that some player has at least, at every pure choice of the open decisions, in rational numbers.

    Whoever changes one open decision, and nothing else, gains so much at the start of the turn, whichever equilibrium
    is played later. All other decisions are as the bounds say.

    Args:
        enclosure: of the game.
        needs: points needed in the orbit.
        rolls: for each of the three whether the turn total is rolled at, for the decisions that are not open.
    """
    opened = enclosure.opened(needs)
    free = [] if opened is None else [(int(m), int(k)) for m, k in np.argwhere(opened)]
    gains = []
    for choice in product((False, True), repeat=len(free)):
        turns = [list(turn) for turn in rolls]
        for (m, k), roll in zip(free, choice, strict=True):
            turns[m][k] = roll
        now = _enclosed(enclosure, needs, turns)
        best = Fraction(-1)
        for m, k in free:
            turns[m][k] = not turns[m][k]
            best = max(best, _enclosed(enclosure, needs, turns)[m][0] - now[m][1])
            turns[m][k] = not turns[m][k]
        gains.append(best)
    return min(gains)


def _enclosed(enclosure: Enclosure, needs: Needs, turns: list[list[bool]]) -> list[tuple[Fraction, Fraction]]:
    """What each of the three wins at least and at most at the start of the own turn, if these turns are played.

    Every win probability rises with those of later states, so the lower bounds of these give lower bounds.
    """
    die, states = plain_chances(enclosure.game)[0], [rotated(needs, m) for m in range(3)]
    ends: list[list[Fraction]] = [[], [], []]
    for bounds in (enclosure.low, enclosure.high):
        lines: list[Line] = [turn_lines(s, t, die, _Later(bounds))[0] for s, t in zip(states, turns, strict=True)]
        for m in range(3):
            ends[m].append(start_shares(lines[m], lines[(m + 1) % 3], lines[(m + 2) % 3])[0])
    return [(low, high) for low, high in ends]


class _Later(dict[Needs, Shares]):
    """Bounds in floating point, which are rational numbers, as what `turn_lines` looks up."""

    def __init__(self, bounds: Floats) -> None:
        super().__init__()
        self.bounds = bounds

    def __missing__(self, needs: Needs) -> Shares:
        mover, following, third = (Fraction(float(v)) for v in self.bounds[(slice(None), *needs)])
        return mover, following, third
