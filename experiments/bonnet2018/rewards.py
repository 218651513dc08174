"""The rewards of the three places, and the players' values when one of them has reached the target.

The solver needs rewards in one form only: the values of a win to the winner, the next and the third player, by the
points that the two others still need.  They are given to it as shares: 0 for the smallest reward of the game and 1 for
the largest, so that adding a constant to all rewards, or multiplying them, changes nothing.  With rewards of 1, 0 and 0
shares are win probabilities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from pigevo.core.array_names import Floats
from pigevo.core.checked_values import is_real
from pigevo.core.imports import numpy as np
from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown
from pigevo.games import Race
from pigevo.three_player.rules import won_values

Places = tuple[float, float, float]

BY_POINTS = ("points_needed", "scores")
"""Rewards that depend on points: each loser pays the winner the points still needed, or the own score."""

AFTER_FIRST_WIN = ("stop", "play_on")

FINEST = 1e-3
"""The smallest difference between the first and the last reward, relative to the largest: smaller ones lose digits."""


@dataclass(frozen=True)
class Rewards:
    """The rewards of a game for three players (Bonnet et al. 2018, "Reward system").

    Args:
        places: the rewards of first, second and third place, which must not increase; or `points_needed`: each loser
            pays the winner the points that the loser still needs; or `scores`: each loser pays the own score, as the
            paper proposes. With `scores` players may avoid banking; if a win is also rare, rounding errors grow and
            the certificate fails.
        after_first_win: `stop` ends the game at the first win, and the two others are placed by their scores; with
            equal scores both get the mean of second and third reward. With `play_on` they play on for second place.

    Raises:
        InputError: the rewards increase, are all equal, are not three numbers, or are paid by points in a game that is
            played on.

    Example:
        >>> import pigevo
        >>> from pigevo.experiments.bonnet2018.rewards import Rewards
        >>> from pigevo.experiments.bonnet2018.rewarded_solver import solve_rewarded
        >>> solution = solve_rewarded(pigevo.Pig(target=20), Rewards((2, 1, -3), "play_on"))
        >>> [round(value, 4) for value in solution.value]
        [0.4353, 0.07, -0.5053]
    """

    places: Places | Literal["points_needed", "scores"] = (1.0, 0.0, 0.0)
    after_first_win: Literal["stop", "play_on"] = "stop"

    def __post_init__(self) -> None:
        if self.after_first_win not in AFTER_FIRST_WIN:
            raise unknown("way to go on after the first win", str(self.after_first_win), AFTER_FIRST_WIN)
        if isinstance(self.places, str):
            if self.places not in BY_POINTS:
                raise unknown("kind of rewards", self.places, BY_POINTS)
            if self.after_first_win == "play_on":
                raise InputError(f"with rewards by {self.places} the game ends at the first win: play cannot go on.")
            return
        object.__setattr__(self, "places", _checked(self.places))

    @property
    def win_only(self) -> bool:
        """Whether these are the default rewards: 1 for a win, and nothing else."""
        return self.places == (1.0, 0.0, 0.0)

    def scale(self, game: Race) -> tuple[float, float]:
        """The smallest reward of the game, and the difference to the largest (if paid by points: bounds of both)."""
        if isinstance(self.places, str):
            return -float(game.target), 3.0 * game.target
        first, _, third = self.places
        return third, first - third

    def in_units(self, shares: Floats, game: Race) -> Floats:
        """Convert shares to rewards."""
        low, span = self.scale(game)
        return shares if self.win_only else low + span * shares

    def in_shares(self, values: Floats, game: Race) -> Floats:
        """Convert rewards to shares."""
        low, span = self.scale(game)
        return values if self.win_only else (values - low) / span

    def __str__(self) -> str:
        if isinstance(self.places, str):
            return "by points needed" if self.places == "points_needed" else "by scores"
        on = " (the two others play on)" if self.after_first_win == "play_on" and not self.win_only else ""
        return f"{', '.join(f'{place:g}' for place in self.places)}{on}"


def _checked(places: Any) -> Places:
    try:
        first, second, third = places
    except (TypeError, ValueError):
        first = None
    if first is None or not all(is_real(place) and math.isfinite(place) for place in (first, second, third)):
        raise InputError(f"rewards of {short_repr(places)}: give three numbers, for first, second and third place.")
    if not first >= second >= third or first == third:
        raise InputError(
            f"rewards of {first:g}, {second:g}, {third:g} give players nothing to play for: they must not rise from "
            "first to third place, and not be all the same."
        )
    if first - third < FINEST * max(abs(first), abs(third)):
        raise InputError(f"rewards of {first:g}, {second:g}, {third:g} hardly differ: take the same number off all.")
    return float(first), float(second), float(third)


WIN_ONLY = Rewards()


def end_values(game: Race, rewards: Rewards = WIN_ONLY) -> Floats:
    """Shares before anything is solved: the players' values where one of them needs nothing, 0 elsewhere.

    Shape (3, T + 1, T + 1, T + 1), by player (0 the mover, 1 the next, 2 the third) and the points that each needs.
    """
    if rewards.win_only:
        return won_values(game.target)
    values = np.zeros((3, *[game.target + 1] * 3))
    won = after_win(game, rewards)
    for winner in range(3):  # counted in turns from the mover; the player after the winner is next
        table = np.zeros((3, *[game.target + 1] * 3))
        table[(winner + np.arange(3)) % 3, :, :, 0] = won
        values += np.moveaxis(table, (1, 2, 3), [1 + (winner + n) % 3 for n in (1, 2, 3)])
    return values


def after_win(game: Race, rewards: Rewards) -> Floats:
    """The shares of winner, next and third player after a win, shape (3, T + 1, T + 1), by the others' needs."""
    target, places = game.target, rewards.places
    won = np.zeros((3, target + 1, target + 1))
    b, c = np.meshgrid(np.arange(1, target + 1), np.arange(1, target + 1), indexing="ij")
    if isinstance(places, str):
        pays_b, pays_c = (b, c) if places == "points_needed" else (target - b, target - c)
        won[:, 1:, 1:] = rewards.in_shares(np.stack([pays_b + pays_c, -pays_b, -pays_c]), game)
        return won
    first, second, third = places
    middle = (second - third) / (first - third)
    if middle == 0:
        before = np.zeros(b.shape)
    elif rewards.after_first_win == "play_on":
        from pigevo.exact.solve import optimal  # compiled code, not needed for rewards alone

        before = optimal(game).values[::-1, ::-1]
    else:
        before = np.where(b == c, 0.5, b < c)
    won[0, 1:, 1:], won[1, 1:, 1:], won[2, 1:, 1:] = 1.0, middle * before, middle * (1 - before)
    return won
