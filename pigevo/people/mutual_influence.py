"""Whether players follow each other: whether somebody rolls more often after the opponent has rolled often."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.people.records import RecordedGame

SHUFFLES = 999
FEWEST = 5
LEVEL = 0.05


@dataclass(frozen=True)
class Following:
    """How a player's turns go with the opponent's turns before them.

    Args:
        correlation: of the number of rolls with that of the opponent's turn before, by ranks (Spearman).
        p: how often it is as far from 0, or farther, when the opponent's turns of each game are put in any order.
        turns: how many turns have one of the opponent's before them.
        verdict: `follows`, `goes against`, or `open`, where that is not rare.
    """

    correlation: float
    p: float
    turns: int
    verdict: str


def following(games: Iterable[RecordedGame], player: str) -> Following:
    """Whether a player follows the opponents.

    Args:
        games: in which the player played.
        player: whose turns are looked at.

    Raises:
        InputError: no game has the turns of both, or too few turns, or rolls that are all alike.
    """
    both = [game for game in games if game.has_both]
    if not both:
        raise InputError("who follows whom needs the opponent's turns: the record has one side only.")
    pairs = [np.array(_pairs(game, player), dtype=np.float64).reshape(-1, 2) for game in both]
    theirs, own = np.concatenate(pairs).T
    if len(own) < FEWEST or np.ptp(own) == 0 or np.ptp(theirs) == 0:
        raise InputError(f"{len(own)} turns after one of the opponent's are too few, or too much alike, to follow.")
    ranks = stats.rankdata(own) - (len(own) + 1) / 2
    others = stats.rankdata(theirs) - (len(own) + 1) / 2
    found = _correlation(others, ranks)
    places = np.split(np.arange(len(own)), np.cumsum([len(pair) for pair in pairs])[:-1])
    draw = Draw(1, "validation")
    orders = (
        np.concatenate([place[draw.at(pair=n, part=m).permutation(len(place))] for m, place in enumerate(places)])
        for n in range(SHUFFLES)
    )
    rarer = sum(abs(_correlation(others[order], ranks)) >= abs(found) - 1e-12 for order in orders)
    p = (1 + rarer) / (1 + SHUFFLES)
    verdict = "open" if p >= LEVEL else "follows" if found > 0 else "goes against"
    return Following(found, p, len(own), verdict)


def _pairs(game: RecordedGame, player: str) -> list[tuple[int, int]]:
    """The opponent's rolls, and the player's own in the turn after."""
    return [
        (before.rolls, turn.rolls)
        for before, turn in zip(game.turns, game.turns[1:], strict=False) if turn.player == player
    ]  # fmt: skip


def _correlation(a: Floats, b: Floats) -> float:
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum()))
