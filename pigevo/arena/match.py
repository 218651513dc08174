"""Matches: a number of simulated games between two strategies, seats alternating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.arena.kernels import play_pair
from pigevo.arrays import Bytes, Ints
from pigevo.dice import STREAMS, Die, Draw
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.strategies import Strategy
from pigevo.threads import available_cores, map_threads

MOST_TURNS = 100_000
"""Turns of both players after which a game is reported as unfinished; a usual game takes about 25."""

BATCH = 20_000
"""Games that one thread plays at a stretch."""


@dataclass(frozen=True)
class Match:
    """The result of a match, seen by the strategy named first.

    Args:
        wins: games it won.
        losses: games it lost.
        stalemates: games that nobody won, both having passed.
        unfinished: games given up after `MOST_TURNS` turns.
    """

    wins: int
    losses: int
    stalemates: int = 0
    unfinished: int = 0

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.losses + self.stalemates + self.unfinished

    @property
    def win_rate(self) -> float:
        """The share of games won; a stalemate and an unfinished game are losses for both."""
        return self.wins / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval for the win probability.

        Args:
            confidence: the share of such intervals that hold the true value, between 0 and 1.

        Raises:
            InputError: a confidence that is no share.
        """
        if not 0 < confidence < 1:
            raise InputError(f"a confidence of {confidence} is none: it must be between 0 and 1, as 0.95.")
        found = stats.binomtest(self.wins, self.games).proportion_ci(confidence, method="wilson")
        return float(found.low), float(found.high)


def play_match(a: Strategy, b: Strategy, games: int = 1000, seed: int = 0, workers: int | None = None) -> Match:
    """Play a match; `a` moves first in games 0, 2, 4, ...

    Args:
        a: whose result is told.
        b: the opponent.
        games: how many, at least 1.
        seed: decides every roll; game `n` is the same whatever the number of games.
        workers: threads, all cores by default; the result does not depend on it.

    Raises:
        InputError: strategies of different games, fewer than 1 game, or a seed out of range.
    """
    if a.game.rules != b.game.rules:
        raise InputError(f"{a.name} plays {a.game} and {b.name} plays {b.game}: they must play the same game.")
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 1:
        raise InputError(f"games = {games!r}: a match has a whole number of games, at least 1.")
    draw = Draw(seed, "dice")
    starts = range(0, int(games), BATCH)

    def play(start: int) -> Ints:
        return _play(a.game, a.rows, b.rows, draw, start, min(BATCH, games - start))

    counts = np.sum(map_threads(play, starts, workers or available_cores()), axis=0)
    return Match(*counts.tolist())


def play_pairs(
    game: Race, rows: Bytes, pairs: Sequence[tuple[int, int]], games: int, draw: Draw, workers: int = 1
) -> Ints:
    """Play a match between each of many pairs.

    Args:
        game: the game.
        rows: decisions as bytes, shape `(n, own, turn total, opponent)`.
        pairs: indices into `rows`; pair number `p` plays with the dice of pair `p`.
        games: games of each match.
        draw: the dice stream, at a generation.
        workers: threads; the result does not depend on it.

    Returns:
        Wins of the first, of the second, stalemates and unfinished games, shape `(pairs, 4)`.
    """

    def play(number: int) -> Ints:
        a, b = pairs[number]
        return _play(game, rows[a], rows[b], draw.at(pair=number), 0, games)

    return np.array(map_threads(play, range(len(pairs)), workers)).reshape(len(pairs), 4)


def _play(game: Race, a: Bytes, b: Bytes, draw: Draw, start: int, games: int) -> Ints:
    die = Die.of(game.die, game.bust)
    key = np.uint64(draw.seed), np.uint64(STREAMS[draw.stream])
    place = np.uint64(draw.generation), np.uint64(draw.pair)
    return play_pair(a, b, die.own, die.other, die.cut, *key, *place, start, games, MOST_TURNS)
