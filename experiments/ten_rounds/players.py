"""The players of the blog in a game of rounds, and their turns.

Beside its formula are those that it asks for, among them one who must beat what the other one's last turn banked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, SECOND, TOTAL
from pigevo.strategies.stick_formula import Stick, until_ahead


def formula(game: Game, power: float = 4.0, divisor: float = 50.0) -> pigevo.Strategy:
    """The blog's formula, `rolls ** (power * v) / divisor`, by its public name."""
    return pigevo.parse_strategy(f"stick_formula:{power!r},{divisor!r}", game)


def sharp(threshold: float) -> Stick:
    """The formula in the limit of large powers: it holds for sure from a threshold on, and rolls for sure below it."""
    return lambda total, rolls: worth_of(total, rolls) >= threshold - 1e-12


def worth_of(total: Any, rolls: Any) -> Any:
    """`v * log(rolls)`, all that the formula looks at."""
    return total / rolls / 6 * np.log(rolls)


def rolls_each_turn(count: int) -> Stick:
    """Roll so many times in every turn."""
    return lambda total, rolls: (rolls >= count) + 0 * total


def repaired(strategy: pigevo.Strategy) -> pigevo.Strategy:
    """The same, but who makes the last turn of the game rolls until ahead, and then sticks."""
    return until_ahead(strategy, f"{strategy.name}, last turn repaired")


def banked(game: Game, rolls: Floats) -> Floats:
    """The chance of each number of points that a turn banks, shape (n, points).

    Args:
        game: of rounds, in which a 1 loses the turn total alone.
        rolls: the chance of rolling at each turn total, of n turns, shape (n, cap).
    """
    highest = max(throw.points for throw in (*game.throws, *game.first_throws))
    found = np.zeros((len(rolls), game.cap + highest))
    here = np.zeros_like(found)
    for throw in game.first_throws:
        (found if throw.ends else here)[:, throw.points] += throw.chance
    for total in range(1, game.cap):
        on = here[:, total] * rolls[:, total]
        found[:, total] += here[:, total] - on
        for throw in game.throws:
            (found if throw.ends else here)[:, throw.points + (0 if throw.ends else total)] += on * throw.chance
    found[:, game.cap :] += here[:, game.cap :]
    return found


def mean_points(game: Game, targets: Sequence[int]) -> Floats:
    """The points of a turn, on average, of who holds at each target number, shape (n,)."""
    chances = banked(game, holding(game, np.array(targets)))
    return np.asarray(chances @ np.arange(chances.shape[1]))


def holding(game: Game, targets: Ints) -> Floats:
    """The chance of rolling of who holds at each target number, shape (n, cap)."""
    return (np.arange(game.cap) < targets[:, None]).astype(float)


def beating_turns(opponent: pigevo.Strategy, least: int = 1) -> tuple[float, float]:
    """What a player wins, moving first and second, who rolls until it has beaten the other one's last turn.

    It holds once its turn total is above what the opponent banked in the last turn, and not below `least`; in the first
    turn of the game there is nothing to beat.  What a strategy of the game does not depend on, the points of that turn,
    is carried along here, with the lead.

    Args:
        opponent: whom it meets.
        least: the turn total below which it never holds.
    """
    game = opponent.game
    own = banked(game, holding(game, np.maximum(least, np.arange(game.cap) + 1)))
    first, second = (_won(opponent, own, seat) for seat in (0, 1))
    return first, second


def _won(opponent: pigevo.Strategy, own: Floats, seat: int) -> float:
    """What it wins in a seat, given what its turns bank by the points to beat, shape (cap, points)."""
    game = opponent.game
    leads = np.arange(-game.cap, game.cap + 1)
    state = np.zeros((len(leads), game.cap))  # by the lead, and the points of the opponent's last turn
    state[game.cap, 0] = 1.0
    for left in range(game.turns, 0, -1):
        for mover in (0, 1):
            if mover == seat:
                state = _moved(state @ own, leads, 1)[:, None] * (np.arange(game.cap) == 0)
            else:
                rolls = _by_lead(opponent, left, mover)
                theirs = banked(game, rolls)[::-1]  # the own lead is the opponent's deficit
                state = _told(state.sum(axis=1)[:, None] * theirs, game.cap)
    final = state.sum(axis=1)
    return float(final[leads > 0].sum() + game.draw * final[leads == 0].sum())


def _by_lead(strategy: pigevo.Strategy, left: int, second: int) -> Floats:
    """A strategy's chance of rolling in a turn, by its lead and the turn total, shape (leads, cap)."""
    at = {LEFT: left - 1, SECOND: second}
    if [axis.name for axis in strategy.game.axes] != [LEFT, SECOND, DIFFERENCE, TOTAL]:
        raise InputError(f"{strategy} is not a strategy of ten rounds, whose turns alone are counted here.")
    return np.asarray(strategy.roll[at[LEFT], at[SECOND]], dtype=float)


def _moved(chances: Floats, leads: Ints, sign: int) -> Floats:
    """The lead after a turn, of chances by lead and points, shape (leads,); longer leads count as the longest."""
    cap = int(leads[-1])
    points = np.arange(chances.shape[1])
    after = np.clip(leads[:, None] + sign * points, -cap, cap) + cap
    found: Floats = np.bincount(after.ravel(), weights=chances.ravel(), minlength=len(leads)).astype(np.float64)
    return found


def _told(chances: Floats, cap: int) -> Floats:
    """Chances by lead and by the opponent's points, after its turn, shape (leads, cap)."""
    leads, points = np.arange(-cap, cap + 1), np.arange(chances.shape[1])
    after = np.clip(leads[:, None] - points, -cap, cap) + cap
    place = after * cap + np.minimum(points, cap - 1)
    found: Floats = np.bincount(place.ravel(), weights=chances.ravel(), minlength=len(leads) * cap).astype(np.float64)
    return found.reshape(len(leads), cap)
