"""A match in sets, as in tennis: who wins a set gets a point, and the points decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.arrays import Bytes, Ints
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.registries import JUDGES
from pigevo.evolution.verdict import Verdict, pairwise
from pigevo.games import Race
from pigevo.registry import Within


@JUDGES.register(name="sets", source="Exeter 2016, section 5.2")
@dataclass(frozen=True)
class Sets:
    """Each pair plays the games of a match in sets; who wins more games of a set gets its point, or both half of it.

    The games are those that the judge `games` would play, dice and seats: only the count differs.

    Args:
        game: the game.
        workers: threads.
        games: games of a match.
        sets: sets of a match; they are equally long.

    Raises:
        InputError: the games cannot be divided into so many sets.
    """

    game: Race
    workers: int
    games: Annotated[int, Within(1, 10**9)] = 100
    sets: Annotated[int, Within(1, 10**9)] = 20

    def __post_init__(self) -> None:
        if self.games % self.sets:
            raise InputError(f"games = {self.games} cannot be divided into {self.sets} sets: give a multiple of it.")

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge by sets with the dice of `draw`'s generation."""
        from pigevo.arena import play_pairs

        counts = play_pairs(self.game, tables, pairs.tolist(), self.games, draw, self.workers, sets=self.sets)
        first = (1 + np.sign(counts[:, 0] - counts[:, 1])).reshape(len(pairs), self.sets).mean(axis=1) / 2
        return pairwise(len(tables), pairs, np.stack([first, 1 - first], axis=1), games=self.games * len(pairs))
