"""Tables of four players, and of three whose scores may fall."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from pigevo.games import Game, Pig, Piglet, Throw
from pigevo.games.pig_variants import Progressive
from pigevo.games.two_dice import BigPig, PassThePigs, TwoDice
from pigevo.three_player.equilibria import best_turns
from pigevo.three_player.rules import throws_of

from .n_player_orbits import least_pure_gain
from .n_players import ManySolution, solve_many
from .records import Rows, kept

FOUR = (*((Piglet, target) for target in (1, 2, 3, 5, 10, 15, 20, 30)), *((Pig, t) for t in (10, 20, 30, 40, 50, 61)))
"""Games of four, with their targets."""

THREE = (
    *((TwoDice, target) for target in (20, 40, 50, 60)), *((PassThePigs, target) for target in (20, 40)),
    *((BigPig, target) for target in (20, 40, 60)), *((Progressive, target) for target in (20, 40, 60)),
)  # fmt: skip
"""Games of three, with their targets: first those whose scores can fall."""

Games = tuple[tuple[Any, int], ...]


def players_table(folder: Path, players: int, games: Games, workers: int) -> Rows:
    """Games for so many players: value by seat, orbits with several best turns left and with mixing, certificate, time.

    Args:
        folder: where what is computed is kept, game by game.
        players: how many.
        games: the games' classes and targets.
        workers: threads.
    """
    found: Rows = []
    for make, target in tqdm(games, desc=f"{players} players", disable=None):
        game = make(target)
        found += kept(folder / "players" / f"{players} {game}.json", solved_row, game, players, workers)
    return found


def solved_row(game: Game, players: int, workers: int) -> Rows:
    """One game: its row of the table; seconds are processor seconds, to solve and to certify.

    Args:
        game: the game.
        players: how many play it.
        workers: threads.
    """
    begin = time.process_time()
    solution = solve_many(game, players, workers)
    solved = time.process_time()
    certificate = solution.certificate
    seats = {f"seat_{n}": value for n, value in enumerate(solution.value, start=1)}
    mixing = solution.mixing_orbits
    return [{
        "game": str(game), "target": game.target, "players": players, **seats, "orbits": solution.orbits,
        "open": len(solution.open_orbits), "mixing": len(mixing),
        "most_mixing_players": max((orbit.mixing for orbit in mixing), default=0),
        **first_mixing(solution),
        "sweeps": solution.sweeps, "change": solution.change, "largest_gain": certificate.gain,
        "error": certificate.error, "seconds_solved": round(solved - begin, 2),
        "seconds_certified": round(time.process_time() - solved, 2),
    }]  # fmt: skip


def first_mixing(solution: ManySolution) -> dict[str, object]:
    """The smallest target with orbits that have no pure equilibrium, given later play, and those orbits.

    Of these are counted the ones from which play comes to no other orbit with several turns left: all later play is
    settled by elimination. Last, how far the best pure choice of their remaining turns is from an equilibrium.

    Args:
        solution: of a game.
    """
    target = min((max(orbit.needs) for orbit in solution.mixing_orbits), default=0)
    first = [orbit for orbit in solution.mixing_orbits if max(orbit.needs) == target]
    settled = [orbit.needs for orbit in first if not any(
        leads_to(orbit.needs, later.needs) for later in solution.open_orbits if later is not orbit
    )]  # fmt: skip
    values, throws = np.moveaxis(solution.values, -1, 0), throws_of(solution.game)
    values = np.ascontiguousarray(values) if first else values
    gains = [least_pure_gain(best_turns(list(orbit.needs), values, throws)) for orbit in first]
    return {
        "first_mixing": target, "first_mixing_orbits": "; ".join(" ".join(map(str, orbit.needs)) for orbit in first),
        "of_them_after_settled_play": len(settled), "least_gain_at_a_pure_choice": min(gains, default=""),
    }  # fmt: skip


def leads_to(here: tuple[int, ...], there: tuple[int, ...]) -> bool:
    """Whether play can come from one orbit to another: each player needs as much or less, in some rotation.

    Args:
        here: points needed in the earlier orbit.
        there: points needed in the other one.
    """
    n = len(here)
    return any(all(here[m] >= there[(m + shift) % n] for m in range(n)) for shift in range(n))


CHANCES = (0.1, 0.2, 0.3, 0.4)
SMALL_TARGETS = (6, 8, 10)


@dataclass(frozen=True)
class SmallGame(Game):
    """A throw gains one or two points, loses the turn total or the whole score."""

    title = "a small game"
    target: int = 8
    one: float = 0.2
    bust: float = 0.2
    fall: float = 0.2

    @property
    def throws(self) -> tuple[Throw, ...]:
        """What a throw can bring."""
        two = 1 - self.one - self.bust - self.fall
        return Throw(1, self.one), Throw(2, two), Throw(0, self.bust, "turn"), Throw(0, self.fall, "score")


def small_games(workers: int) -> Rows:
    """Small games for three whose scores fall, by the chances of a throw: whether the sweeps come to rest.

    Args:
        workers: threads.
    """
    rows = []
    for target, one, bust, fall in itertools.product(SMALL_TARGETS, CHANCES, CHANCES, CHANCES):
        if one + bust + fall < 0.75:
            solution = solve_many(SmallGame(target, one, bust, fall), 3, workers)
            certificate = solution.certificate
            rows.append({
                "target": target, "one": one, "bust": bust, "fall": fall, "sweeps": solution.sweeps,
                "change": solution.change, "open": len(solution.open_orbits), "mixing": len(solution.mixing_orbits),
                "largest_gain": certificate.gain, "holds": certificate.holds,
            })  # fmt: skip
    return rows
