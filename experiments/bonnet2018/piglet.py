"""Three-player Piglet by exhausting every triple of holds, as Bonnet, Neller & Viennot (2018) do, and its tables.

At an orbit each player can aim at any number of heads from 1 to the points needed.  The win
probabilities of all triples (alpha, beta, gamma) are computed; a triple is an equilibrium
if nobody wins more by another number.  Where there is more than one equilibrium, with
different win probabilities, each is followed: the result is every way in which the whole
game can be in equilibrium, a *world* each.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from pigevo import three_player
from pigevo.core.arrays import Floats
from pigevo.games import Piglet
from pigevo.three_player.equilibria import ALIKE, TIE, all_equilibria, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, NEXT, OWN, THIRD, start_values
from pigevo.three_player.rules import Needs, check_three, orbits_by_total, rotated, throws_of, won_values

from .coalitions import coalition
from .records import SEATS, Rows, kept

Holds = tuple[int, int, int]

MOST_WORLDS = 256
"""Worlds that are followed; of a game with more only these are returned, and marked as incomplete."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The equilibria of an orbit that have the same win probabilities.

    Args:
        holds: the triples (alpha, beta, gamma) that lead to them; none if the equilibrium is mixed.
        values: win probabilities of mover, next and third with each player to move, shape (3, 3).
    """

    holds: tuple[Holds, ...]
    values: Floats


@dataclass(frozen=True, eq=False)
class PigletWorlds:
    """The equilibria of three-player Piglet.

    Args:
        game: the game.
        worlds: win probabilities in each world, shape (worlds, T + 1, T + 1, T + 1, 3), by the points that
            mover, next and third still need.
        branches: the orbits with several equilibria of different win probabilities in any world, with the most
            equilibria that one world has there.
        without_pure: the orbits where some world has no pure equilibrium.
        complete: whether all worlds were followed.
    """

    game: Piglet
    worlds: Floats
    branches: dict[Needs, int]
    without_pure: tuple[Needs, ...]
    complete: bool

    def values_at(self, target: int) -> Floats:
        """The different win probabilities of the three seats in a smaller game.

        Args:
            target: points of that game, at most those of `game`.

        Returns:
            Shape (equilibria, 3).
        """
        return distinct(self.worlds[:, target, target, target])

    def gains_at(self, target: int) -> Floats:
        """The same as expected gains in points, where a win brings 2 and a loss costs 1 (Bonnet et al. 2018).

        Args:
            target: points of that game, at most those of `game`.
        """
        return 3 * self.values_at(target) - 1


def exhaust(game: Piglet, most: int = MOST_WORLDS) -> PigletWorlds:
    """Every equilibrium of three-player Piglet.

    Args:
        game: the game; small, since an orbit has as many triples as the product of the points needed.
        most: the largest number of worlds to follow.

    Raises:
        InputError: three players cannot play the game.
    """
    check_three(game)
    worlds = [won_values(game.target)]
    branches: dict[Needs, int] = {}
    without: list[Needs] = []
    complete = True
    for orbit in itertools.chain.from_iterable(orbits_by_total(game.target)):
        a, b, c = orbit.tolist()
        outcomes = [orbit_outcomes((a, b, c), world, game) for world in worlds]
        if not all(outcomes):
            raise ArithmeticError(f"no equilibrium was found where the players need {(a, b, c)}")
        most_there = max(len(found) for found in outcomes)
        if most_there > 1:
            branches[a, b, c] = most_there
        if any(not one.holds for found in outcomes for one in found[:1]):
            without.append((a, b, c))
        worlds = [
            _follow(world, (a, b, c), one) for world, found in zip(worlds, outcomes, strict=True) for one in found
        ]
        complete = complete and len(worlds) <= most
        worlds = worlds[:most]
    table = np.ascontiguousarray(np.moveaxis(np.array(worlds), 1, -1))
    return PigletWorlds(game, table, branches, tuple(without), complete)


def orbit_outcomes(needs: Needs, values: Floats, game: Piglet) -> list[Outcome]:
    """Every equilibrium of one orbit, the pure ones first.

    The pure ones come from exhaustion alone, the mixed ones from the turns that elimination leaves.

    Args:
        needs: points needed by the three players, in the order of their turns.
        values: win probabilities, known for all states after a hold, shape (3, T + 1, T + 1, T + 1).
        game: the game.
    """
    lines = [_lines(rotated(needs, m), values, game.heads) for m in range(3)]
    symmetric = len(set(needs)) == 1
    found: list[Outcome] = []
    for triple in pure_triples(lines):
        if not symmetric or len(set(triple)) == 1:
            chosen = np.array([turns[hold - 1] for turns, hold in zip(lines, triple, strict=True)])
            _add(found, Outcome((triple,), np.array([start_values(chosen, m) for m in range(3)])))
    left = best_turns(needs, values, throws_of(game)).left
    if max(len(turns) for turns in left) > 1:
        for one in all_equilibria(left, symmetric):
            if one.mixing:
                _add(found, Outcome((), one.values))
    return found


def pure_triples(lines: Sequence[Floats]) -> list[Holds]:
    """The triples (alpha, beta, gamma) at which nobody wins more by another number of heads.

    Args:
        lines: for each player the turns that aim at 1, 2, ... heads, shape (points needed, 4).
    """
    worth = [_mover_worth(lines, m) for m in range(3)]
    stable = np.logical_and.reduce([w >= w.max(axis=m, keepdims=True) - TIE for m, w in enumerate(worth)])
    return [(a + 1, b + 1, c + 1) for a, b, c in np.argwhere(stable).tolist()]


def _mover_worth(lines: Sequence[Floats], m: int) -> Floats:
    """The win probability of player `m` when it is to move, for all triples."""
    n, h = (m + 1) % 3, (m + 2) % 3
    one, two, three = (np.moveaxis(lines[p][:, None, None, :], 0, p) for p in (m, n, h))
    stay_m, stay_n = 1 - one[..., LEAVE], 1 - two[..., LEAVE]
    out = one[..., LEAVE] + stay_m * (two[..., LEAVE] + stay_n * three[..., LEAVE])
    worth: Floats = (one[..., OWN] + stay_m * (two[..., THIRD] + stay_n * three[..., NEXT])) / out
    return worth


def _lines(state: Needs, values: Floats, heads: float) -> Floats:
    """The turns that aim at 1, 2, ... heads, as lines."""
    a, b, c = state
    chance = heads ** np.arange(1, a + 1)
    after = values[:, b, c, a - 1 :: -1][:, :a]
    return np.stack([chance * after[2], chance * after[0], chance * after[1], chance], axis=1)


def _add(found: list[Outcome], one: Outcome) -> None:
    for number, other in enumerate(found):
        if np.abs(one.values - other.values).max() < ALIKE:
            found[number] = Outcome(other.holds + one.holds, other.values)
            return
    found.append(one)


def _follow(world: Floats, needs: Needs, one: Outcome) -> Floats:
    after = world.copy()
    for m in range(3):
        a, b, c = rotated(needs, m)
        after[:, a, b, c] = one.values[m]
    return after


def distinct(values: Floats) -> Floats:
    """The rows that differ from those before by more than `ALIKE`, in the order of their first number.

    Args:
        values: shape (rows, n).
    """
    kept: list[Floats] = []
    for row in values:
        if not any(np.abs(row - other).max() < ALIKE for other in kept):
            kept.append(row)
    return np.array(sorted(kept, key=lambda row: tuple(row)))


PIGLET_TARGETS = 30
COIN_TARGETS = (1, 2, 3, 5, 7, 9, 10)
COINS = np.round(np.arange(0.06, 0.9951, 0.005), 3)


def piglet() -> Rows:
    """Piglet with a fair coin, for each target: gains by seat, and with a coalition against the first seat."""
    game = three_player.Piglet(PIGLET_TARGETS)
    worlds, against = exhaust(game), coalition(game)
    rows = []
    for target in range(1, PIGLET_TARGETS + 1):
        own, together = worlds.gains_at(target), 3 * against.at(target)[0] - 1
        rows.append({
            "goal": target, "equilibria": len(own),
            **dict(zip(SEATS, own[0], strict=True)),
            **{f"coalition_{s}": v for s, v in zip(SEATS, together, strict=True)},
        })  # fmt: skip
    return rows


def coins(folder: Path) -> Rows:
    """Piglet with biased coins: the first seat's gain in every equilibrium, by coin and target.

    Args:
        folder: where what is computed is kept.
    """
    found = []
    for heads in tqdm(COINS, desc="coins", disable=None):
        found += kept(folder / "coins" / f"{heads:.3f}.json", coin, float(heads))
    return found


def coin(heads: float) -> Rows:
    """One coin.

    Args:
        heads: the chance of heads.
    """
    worlds = exhaust(three_player.Piglet(max(COIN_TARGETS), heads))
    return [
        {"heads": heads, "goal": target, "equilibrium": number, "gain": float(row[0]), "complete": worlds.complete,
         "without_pure": len(worlds.without_pure)}
        for target in COIN_TARGETS for number, row in enumerate(worlds.gains_at(target))
    ]  # fmt: skip
