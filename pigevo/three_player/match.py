"""Simulated games of three players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import whole
from pigevo.core.machine import Progress, available_cores, map_threads
from pigevo.dice import Die, Draw
from pigevo.errors import InputError
from pigevo.simulation.match import Match
from pigevo.three_player.evaluation_kernels import play_three
from pigevo.three_player.strategy import Strategy, one_game

MOST_TURNS = 100_000
"""The number of turns of all three players after which a game is reported as unfinished."""

BATCH = 10_000
"""The number of games that a thread plays at a time."""


@dataclass(frozen=True)
class ThreeMatch:
    """The results of games of three players.

    Args:
        wins: games won by the first, the second and the third seat.
        unfinished: games stopped after `MOST_TURNS` turns.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> match = tp.play([solution.strategy] * 3, games=1000, seed=1)
        >>> sum(match.wins) + match.unfinished
        1000
    """

    wins: tuple[int, int, int]
    unfinished: int = 0

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(self.wins) + self.unfinished

    @property
    def win_rates(self) -> tuple[float, float, float]:
        """The share of games that each seat won."""
        first, second, third = (w / self.games for w in self.wins)
        return first, second, third

    def intervals(self, confidence: float = 0.95) -> tuple[tuple[float, float], ...]:
        """Wilson's interval for the win probability of each seat."""
        return tuple(Match(w, self.games - w).interval(confidence) for w in self.wins)


def play(
    strategies: Sequence[Strategy],
    games: int = 1000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ThreeMatch:
    """Play games between three strategies, seated in this order; the first one moves first in every game.

    Args:
        strategies: those of the first, second and third seat; to change seats, play each order.
        games: the number of games, at least 1.
        seed: determines every roll; game `n` does not depend on the number of games.
        workers: threads, all cores by default; the result does not depend on it.
        progress: called with the number of games played since the last call.

    Raises:
        InputError: there are not three strategies, they are for different games, there is less than 1 game, or the
            seed is out of range.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> match = tp.play([solution.strategy] * 3, games=1000, seed=1)
        >>> sum(match.wins)
        1000
    """
    game = one_game(strategies)
    if not whole(games) or games < 1:
        raise InputError(f"games = {games!r}: play a whole number of games, at least 1.")
    draw, die = Draw(seed, "dice"), Die.of(game.die, game.bust)
    first, second, third = (s.tables for s in strategies)
    players, table = (first, second, third), (die.own, die.other, die.cut)
    *_, seed_word, stream = draw.place
    batches = [range(start, min(start + BATCH, int(games))) for start in range(0, int(games), BATCH)]

    def run(batch: range) -> Ints:
        return play_three(players, table, batch.start, batch.stop, MOST_TURNS, seed_word, stream)

    def played(batch: range) -> None:
        if progress is not None:
            progress(len(batch))

    counts = np.sum(map_threads(run, batches, workers or available_cores(), played), axis=0)
    a, b, c, unfinished = counts.tolist()
    return ThreeMatch((a, b, c), unfinished)
