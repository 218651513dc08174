"""Fitness by a match between neighbours in the population, who may be twins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.evaluation import Evaluation, absolute, pairwise
from pigevo.evolution.fitness.games import Games
from pigevo.evolution.operators import Context, Fitness, Plays
from pigevo.evolution.registries import FITNESSES


@FITNESSES.register(name="siblings", source="two members learn from each game: Exeter 2016, section 3.4.1")
@dataclass(frozen=True)
class Siblings(Fitness):
    """Members 0 and 1 play a match, 2 and 3, and so on; the share of its games that a member wins is its score.

    With mutator=mirrored they are twins, so that a match tells which of two opposite steps is the better one.  With an
    odd number of members the last one plays against the first, whose score counts both matches.

    Args:
        games: of a match; even if paired.
        paired: whether games 2n and 2n + 1 meet the same dice with the seats swapped.

    Raises:
        InputError: an odd number of paired games.
    """

    games: Annotated[int, Within(1, 10**9)] = 3000
    paired: bool = True

    def __post_init__(self) -> None:
        Games(self.games, self.paired)

    @property
    def plays(self) -> Plays:
        """A match of each member, none that a selection could ask for."""
        return Plays(games=self.games, paired=self.paired)

    def __call__(self, tables: Bools, context: Context) -> Evaluation:
        """Evaluate each member with the dice of the context's generation."""
        pairs = neighbours(len(tables))
        wins = Games(self.games, self.paired)(tables, replace(context, pairs=pairs))
        met = pairwise(len(tables), pairs, wins, self.games * len(pairs))
        return absolute(met.scores, context.pairs, games=met.games, played=met.played)

    def truth(self, tables: Any, context: Context, members: Ints) -> Floats:
        """The exact mean win probabilities of members against those whom they met, shape (m,)."""
        return Games().truth(tables, replace(context, pairs=neighbours(len(tables))), members)


def neighbours(size: int) -> Ints:
    """Members 0 and 1, 2 and 3, ..., shape (m, 2); of an odd number the last one meets the first."""
    return (np.arange(size + size % 2) % size).reshape(-1, 2)
