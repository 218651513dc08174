"""Judges whose opponents are the champions of the run's own past."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.archive import NAME, champions, remember_champion
from pigevo.evolution.offers import Look, Memory
from pigevo.evolution.registries import JUDGES
from pigevo.evolution.verdict import Verdict, absolute, every_pair, pairwise
from pigevo.games import Race
from pigevo.registry import Within
from pigevo.threads import map_threads

Every = Annotated[int, Within(1, 10**9)]
Places = Annotated[int, Within(1, 1000)]
By = Literal["worst", "mean"]
SOURCE = "hall of fame: Rosin & Belew 1997, New methods for competitive coevolution"
DICE = "common random numbers: Law, Simulation Modeling and Analysis, chapter 11"


@dataclass(frozen=True)
class _WithArchive:
    game: Race
    workers: int
    every: Every = 20
    size: Places = 8
    by: By = "worst"

    def remember(self, memory: Memory, look: Look) -> Memory:
        """Enter the champion, if it is time."""
        return remember_champion(memory, look, self.every, self.size)


@JUDGES.register(name="archive", source=SOURCE)
@dataclass(frozen=True)
class Archive(_WithArchive):
    """Everyone is judged by the exact win probabilities against past champions of the run.

    By the worst of them evolution looks for the strategy that none of its past can beat,
    and one who has come to the optimum stays there; by their mean it pays to exploit the
    weaker ones.  Before there are champions, everyone meets everyone.

    Args:
        game: the game.
        workers: threads.
        every: generations between two champions.
        size: how many champions are met; their ages grow geometrically (`pigevo.evolution.archive`).
        by: the case that counts.
    """

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw, memory: Memory) -> Verdict:
        """Judge each member; `draw` is not used."""
        from pigevo.exact import against, matrix_of_tables

        if NAME not in memory:
            matrix = matrix_of_tables(self.game, tables, self.workers)
            everyone = every_pair(len(tables))
            wins = np.stack([matrix[a, b] for a, b in (everyone.T, everyone.T[::-1])], axis=1)
            return absolute(pairwise(len(tables), everyone, wins).scores, pairs)
        opponents = _prepared(self.game, memory[NAME].tobytes())
        cases = np.stack([against(tables, o, self.workers).mean(axis=1) for o in opponents], axis=1)
        return absolute(_score(cases, self.by), pairs, cases)


@JUDGES.register(name="archive_games", source=f"{SOURCE}; {DICE}")
@dataclass(frozen=True)
class ArchiveGames(_WithArchive):
    """Everyone is judged by simulated games against past champions of the run, all with the same dice.

    Two members that differ little then win and lose the same games, but for those in which
    the difference matters: their order is known after far fewer games than each one's rate.
    Before there are champions, the opponent is the first member.

    Args:
        game: the game.
        workers: threads.
        every: generations between two champions.
        size: how many champions are met; their ages grow geometrically.
        by: the case that counts.
        games: of each member at most, as many against each opponent, and an even number.

    Raises:
        InputError: fewer than two games for each opponent.
    """

    size: Places = 3
    games: Annotated[int, Within(2, 10**9)] = 48_000

    def __post_init__(self) -> None:
        if self.games < 2 * self.size:
            least = f"at least {2 * self.size} games for {self.size} opponents (fitness.size)"
            raise InputError(f"fitness.games = {self.games} is too small: it must be {least}.")

    def __call__(self, tables: Bytes, pairs: Ints, draw: Draw, memory: Memory) -> Verdict:
        """Judge each member with the dice of `draw`'s generation."""
        opponents = champions(self.game, memory) if NAME in memory else tables[:1]
        each = self.games // (2 * len(opponents)) * 2
        cases = np.stack([self._won(tables, o, each, draw.at(pair=n)) for n, o in enumerate(opponents)], axis=1)
        return absolute(_score(cases, self.by), pairs, cases, games=each * cases.size)

    def _won(self, tables: Bytes, opponent: Bytes, games: int, draw: Draw) -> Floats:
        from pigevo.arena import play_pairs

        def won(own: Bytes) -> int:
            counts = play_pairs(self.game, np.stack([own, opponent]), [(0, 1)], games, draw, paired=True)
            return int(counts[0, 0])

        return np.array(map_threads(won, list(tables), self.workers)) / games


def _score(cases: Floats, by: By) -> Floats:
    score: Floats = cases.min(axis=1) if by == "worst" else cases.mean(axis=1)
    return score


@lru_cache(maxsize=1)
def _prepared(game: Race, archive: bytes) -> list[Any]:
    from pigevo.exact import turns_of_tables

    packed = np.frombuffer(archive, np.uint8).reshape(-1, -(-(game.target**3) // 8))
    return [turns_of_tables(game, tables) for tables in champions(game, {NAME: packed})]
