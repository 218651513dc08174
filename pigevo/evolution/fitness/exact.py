"""Judges without sampling: exact win probabilities (wished for in Exeter 2016, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pigevo.arrays import Bytes, Ints
from pigevo.dice import Draw
from pigevo.evolution.registries import JUDGES
from pigevo.evolution.verdict import Verdict, absolute, pairwise
from pigevo.games import Race
from pigevo.strategies import Strategy, parse_strategy


@JUDGES.register(name="exact")
@dataclass(frozen=True)
class Exact:
    """Each pair is judged by its exact overall win probability.

    Args:
        game: the game.
        workers: threads.
    """

    game: Race
    workers: int

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge each pair; `draw` is not used."""
        from pigevo.exact import pairs_of_tables

        wins = pairs_of_tables(self.game, tables, pairs.tolist(), self.workers).mean(axis=1)
        if self.game.allow_pass:
            others = pairs_of_tables(self.game, tables, pairs[:, ::-1].tolist(), self.workers).mean(axis=1)
        else:
            others = 1 - wins
        return pairwise(len(tables), pairs, np.stack([wins, others], axis=1))


@JUDGES.register(name="exact_vs")
@dataclass(frozen=True)
class ExactVs:
    """Everyone is judged by the exact overall win probability against one opponent.

    Args:
        game: the game.
        workers: threads.
        opponent: a strategy as on the command line: `hold_at:20`, or the path of a saved one.
    """

    game: Race
    workers: int
    opponent: str = "hold_at:20"
    strategy: Strategy = field(init=False, repr=False)

    def __post_init__(self) -> None:
        import pigevo.exact  # noqa: F401  (adds `optimal` to the names)

        object.__setattr__(self, "strategy", parse_strategy(self.opponent, self.game))

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge each member; `draw` is not used."""
        from pigevo.exact import against, prepare

        return absolute(against(tables, prepare(self.strategy), self.workers).mean(axis=1), pairs)


@JUDGES.register(name="exact_vs_optimal")
@dataclass(frozen=True)
class ExactVsOptimal:
    """Everyone is judged by the exact overall win probability against the optimal strategy.

    Args:
        game: the game.
        workers: threads.
    """

    game: Race
    workers: int

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge each member; `draw` is not used."""
        from pigevo.evolution.referee import referee

        return absolute(referee(self.game, tables, self.workers), pairs)
