"""The judge of Exeter 2016: a match of simulated games between two strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pigevo.arrays import Bytes, Ints
from pigevo.dice import Draw
from pigevo.evolve.registries import JUDGES
from pigevo.evolve.verdict import Verdict, pairwise
from pigevo.games import Race
from pigevo.registry import Within


@JUDGES.register(name="games", source="Exeter 2016, section 3.4.5")
@dataclass(frozen=True)
class Games:
    """Each pair plays a match, seats alternating; stalemates and unfinished games count for nobody.

    Args:
        game: the game.
        workers: threads.
        games: games of a match.
    """

    game: Race
    workers: int
    games: Annotated[int, Within(1, 10**9)] = 100

    def __call__(self, rows: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge by matches with the dice of `draw`'s generation."""
        from pigevo.arena import play_pairs

        counts = play_pairs(self.game, rows, pairs.tolist(), self.games, draw, self.workers)
        return pairwise(len(rows), pairs, counts[:, :2] / self.games, games=self.games * len(pairs))
