"""The figures of every pair: exact, in both seats, or of games that are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import CONFIDENCE
from pigevo.dice import Draw
from pigevo.exact import pairs_of_tables, win_probability
from pigevo.simulation import Match, play_pairs
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Played:
    """Games of every pair.

    Args:
        counts: wins, losses, stalemates, unfinished games and draws of the row against the column, shape (n, n, 5).
        draw: what a draw is worth.
    """

    counts: Ints
    draw: float

    @property
    def overall(self) -> Floats:
        """The share of games that the row has won, shape (n, n); a half against itself."""
        games = np.maximum(self.counts.sum(axis=2), 1)
        shares: Floats = (self.counts[:, :, 0] + self.draw * self.counts[:, :, 4]) / games
        np.fill_diagonal(shares, 0.5)
        return shares

    def intervals(self) -> tuple[Floats, Floats]:
        """Wilson's 95 % intervals of these shares, shape (n, n) each; a half against itself."""
        n = len(self.counts)
        low, high = np.full((n, n), 0.5), np.full((n, n), 0.5)
        for a in range(n):
            for b in range(n):
                if a != b:
                    low[a, b], high[a, b] = self._interval(self.counts[a, b])
        return low, high

    def mean_intervals(self) -> Floats:
        """Wilson's 95 % intervals of what each has won of all its games, shape (n, 2)."""
        return np.array([self._interval(counts.sum(axis=0)) for counts in self.counts])

    def _interval(self, counts: Ints) -> tuple[float, float]:
        wins, losses, stalemates, unfinished, draws = counts.tolist()
        return Match(wins, losses, stalemates, unfinished, None, draws, self.draw).interval(CONFIDENCE)


def exact_seats(strategies: Sequence[Strategy], workers: int) -> tuple[Floats, Floats]:
    """The exact win probability of the row against the column.

    Args:
        strategies: n of them, of one game.
        workers: threads; the result does not depend on it.

    Returns:
        With the row moving first, and with the column moving first, shape (n, n) each.
    """
    game, n = strategies[0].game, len(strategies)
    half = game.constant_sum  # what one player loses the other one wins: one half of the matrix is enough
    pairs = [(a, b) for a in range(n) for b in range(n) if a <= b or not half]
    if any(one.is_mixed for one in strategies):
        each = [win_probability(strategies[a], strategies[b]) for a, b in pairs]
        seats = np.array([(p.first, p.second) for p in each])
    else:
        seats = pairs_of_tables(game, np.stack([one.table for one in strategies]), pairs, workers)
    first, second = np.empty((n, n)), np.empty((n, n))
    rows, columns = np.array(pairs).T
    if half:
        first[columns, rows], second[columns, rows] = 1 - seats[:, 1], 1 - seats[:, 0]
    first[rows, columns], second[rows, columns] = seats.T
    return first, second


def play_all(strategies: Sequence[Strategy], games: int, seed: int, workers: int) -> Played:
    """Play a match between every two strategies; each pair has dice of its own.

    Args:
        strategies: n of them, of one game.
        games: games of each match; seats alternate.
        seed: decides every roll.
        workers: threads; the result does not depend on it.
    """
    game, n = strategies[0].game, len(strategies)
    rows, columns = np.triu_indices(n, 1)
    tables = np.stack([one.table for one in strategies])
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    found = play_pairs(game, tables, pairs, games, Draw(seed, "dice"), workers)
    counts = np.zeros((n, n, 5), np.int64)
    counts[rows, columns] = found
    counts[columns, rows] = found[:, [1, 0, 2, 3, 4]]
    return Played(counts, game.draw)
