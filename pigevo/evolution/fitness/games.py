"""The fitness of Exeter 2016: a match of simulated games between two strategies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.errors import InputError
from pigevo.evolution.evaluation import pairwise
from pigevo.evolution.fitness.exact import Exact
from pigevo.evolution.operators import Context, Fitness, Plays
from pigevo.evolution.registries import FITNESSES
from pigevo.evolution.tables import simulation_layout
from pigevo.games import Game


@FITNESSES.register(name="games", source="Exeter 2016, section 3.4.5")
@dataclass(frozen=True)
class Games(Fitness):
    """Each pair plays a match, seats alternating; a draw counts what the game says, other ends without winner nothing.

    Args:
        games: games of a match.
        paired: whether games 2n and 2n + 1 of a match meet the same dice with the seats swapped (`pigevo.play_match`);
            `games` must be even then.

    Raises:
        InputError: an odd number of paired games.
    """

    games: Annotated[int, Within(1, 10**9)] = 100
    paired: bool = False

    def __post_init__(self) -> None:
        if self.paired and self.games % 2:
            raise InputError(
                f"games = {self.games}: games with paired dice come in twos, so their number must be even."
            )

    @property
    def plays(self) -> Plays:
        """A match between the members of each pair."""
        return Plays(members=True, games=self.games, paired=self.paired)

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The decisions as bits."""
        return size * game.cells // 8

    def __call__(self, tables: Bools, context: Context) -> Floats:
        """The shares of games won, shape (m, 2), with the dice of the context's generation."""
        from pigevo.simulation import play_pairs

        counts = play_pairs(
            context.game, simulation_layout(tables, context.game),
            context.pairs, self.games, context.draw, context.workers,
            paired=self.paired, progress=context.progress,
        )  # fmt: skip
        won: Floats = (counts[:, :2] + context.game.draw * counts[:, 4:]) / self.games
        return won

    def truth(self, tables: Any, context: Context, members: Ints) -> Floats:
        """The exact mean win probabilities of members against those whom they met, shape (m,)."""
        met = context.pairs[np.isin(context.pairs, members).any(axis=1)]
        met = np.where(np.isin(met[:, 1:], members), met, met[:, ::-1])  # few opponents, who are prepared once
        wins = Exact()(tables, replace(context, pairs=met, progress=None))
        return pairwise(len(tables), met, wins).scores[members]
