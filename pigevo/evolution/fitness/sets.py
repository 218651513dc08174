"""A match in sets, as in tennis: who wins a set gets a point, and the points decide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.core.checked_values import Within
from pigevo.errors import InputError
from pigevo.evolution.operators import Context, Fitness, Plays
from pigevo.evolution.registries import FITNESSES
from pigevo.evolution.tables import simulation_layout
from pigevo.games import Game


@FITNESSES.register(name="sets", source="Exeter 2016, section 5.2")
@dataclass(frozen=True)
class Sets(Fitness):
    """Each pair plays the games of a match in sets; who wins more games of a set gets its point, or both half of it.

    The games are those that the fitness `games` would play, dice and seats: only the count differs.

    Args:
        games: games of a match.
        sets: sets of a match; they are equally long.

    Raises:
        InputError: the games cannot be divided into so many sets.
    """

    games: Annotated[int, Within(1, 10**9)] = 100
    sets: Annotated[int, Within(1, 10**9)] = 20

    def __post_init__(self) -> None:
        if self.games % self.sets:
            raise InputError(f"games = {self.games} cannot be divided into {self.sets} sets: give a multiple of it.")

    @property
    def plays(self) -> Plays:
        """A match between the members of each pair."""
        return Plays(members=True, games=self.games)

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The decisions as bits, and the counts of each set."""
        return size * game.cells // 8 + 100 * pairs * self.sets

    def __call__(self, tables: Bools, context: Context) -> Floats:
        """The shares of sets won, shape (m, 2), with the dice of the context's generation."""
        from pigevo.simulation import play_pairs

        counts = play_pairs(
            context.game, simulation_layout(tables, context.game),
            context.pairs, self.games, context.draw, context.workers,
            sets=self.sets, progress=context.progress,
        )  # fmt: skip
        first = (1 + np.sign(counts[:, 0] - counts[:, 1])).reshape(len(context.pairs), self.sets).mean(axis=1) / 2
        return np.stack([first, 1 - first], axis=1)
