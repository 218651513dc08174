"""The judge of Exeter 2016: a match of simulated games between two strategies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pigevo.arrays import Bytes, Ints
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.registries import JUDGES
from pigevo.evolution.verdict import Verdict, pairwise
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
        paired: whether games 2n and 2n + 1 of a match meet the same dice with the seats swapped (`pigevo.play_match`);
            `games` must be even then.

    Raises:
        InputError: an odd number of paired games.
    """

    game: Race
    workers: int
    games: Annotated[int, Within(1, 10**9)] = 100
    paired: bool = False

    def __post_init__(self) -> None:
        if self.paired and self.games % 2:
            raise InputError(
                f"games = {self.games}: games with paired dice come in twos, so their number must be even."
            )

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
        """Judge by matches with the dice of `draw`'s generation."""
        from pigevo.arena import play_pairs

        counts = play_pairs(self.game, tables, pairs.tolist(), self.games, draw, self.workers, paired=self.paired)
        return pairwise(len(tables), pairs, counts[:, :2] / self.games, games=self.games * len(pairs))
