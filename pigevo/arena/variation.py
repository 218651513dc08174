"""How much luck is in a match: the same match again and again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pigevo.arena.match import play_pairs
from pigevo.arrays import Floats
from pigevo.dice import Draw
from pigevo.strategies import Strategy, same_game
from pigevo.threads import available_cores


def match_variation(
    a: Strategy, b: Strategy, games: Sequence[int], repeats: int = 500, seed: int = 0, workers: int | None = None
) -> Floats:
    """Win rates of `a` against `b` in repeated matches (Exeter 2016, figure 17).

    Args:
        a: the strategy that moves first in games 0, 2, 4, ... of a match.
        b: the other one.
        games: how many games the matches have, one number for each row of the result.
        repeats: how often a match of each length is played.
        seed: decides the dice, which belong to the validation stream.
        workers: threads; the result does not depend on it.

    Returns:
        Shape (lengths, repeats).

    Raises:
        InputError: the strategies play different games.
    """
    same_game(a, b)
    tables = np.stack([a.table, b.table])
    rates = np.empty((len(games), repeats))
    for number, length in enumerate(games):
        draw = Draw(seed, "validation", number)
        counts = play_pairs(a.game, tables, [(0, 1)] * repeats, length, draw, workers or available_cores())
        rates[number] = counts[:, 0] / length
    return rates
