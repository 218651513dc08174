"""Matches: a number of simulated games between two strategies, seats alternating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from pigevo.arena.dice_kernels import reader
from pigevo.arena.kernels import play_games, tally
from pigevo.arena.tables import fits, pack
from pigevo.arrays import Bytes, Ints
from pigevo.dice import STREAMS, Die, Draw
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.strategies import Strategy
from pigevo.threads import available_cores, map_threads

MOST_TURNS = 100_000
"""Turns of both players after which a game is reported as unfinished; a usual game takes about 25."""

BATCH = 20_000
"""Games that one thread plays at a stretch; even, so that no couple is divided."""


@dataclass(frozen=True)
class Match:
    """The result of a match, seen by the strategy named first.

    Args:
        wins: games it won.
        losses: games it lost.
        stalemates: games that nobody won, both having passed.
        unfinished: games given up after `MOST_TURNS` turns.
        couples_won: couples of games with the same dice of which it won both; None if each game had its own dice.
    """

    wins: int
    losses: int
    stalemates: int = 0
    unfinished: int = 0
    couples_won: int | None = None

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

        It takes games as independent.  Of a match with paired dice the couples are, not the
        games: there, as many independent games are put in as would give the variance found
        among the couples.  Four couples of independent games are added to that estimate
        only, so that a short match whose couples all agree is not taken as certain.

        Args:
            confidence: the share of such intervals that hold the true value.
        """
        games = self.games / self._spread
        square = float(ndtri((1 + confidence) / 2)) ** 2 / games
        middle = (self.win_rate + square / 2) / (1 + square)
        half = (square * (self.win_rate * (1 - self.win_rate) + square / 4)) ** 0.5 / (1 + square)
        return middle - half, middle + half

    @property
    def _spread(self) -> float:
        """The variance of the win rate, as a multiple of that of independent games."""
        if self.couples_won is None:
            return 1.0
        couples = self.games / 2 + 4
        both, one = self.couples_won + 1, self.wins - 2 * self.couples_won + 2
        mean = (both + one / 2) / couples
        return float((both + one / 4) / couples - mean**2) / (mean * (1 - mean) / 2)


def play_match(
    a: Strategy, b: Strategy, games: int = 1000, seed: int = 0, workers: int | None = None, *, paired: bool = False
) -> Match:
    """Play a match; `a` moves first in games 0, 2, 4, ...

    With `paired`, games 2n and 2n + 1 meet the same dice, roll for roll, from both seats.
    PAIRING

    Args:
        a: whose result is told.
        b: the opponent.
        games: how many, at least 1; even if paired.
        seed: decides every roll; game `n` is the same whatever the number of games.
        workers: threads, all cores by default; the result does not depend on it.
        paired: whether the two games of a couple meet the same dice.

    Raises:
        InputError: strategies of different games, fewer than 1 game, an odd number of paired ones, or a seed
            out of range.
    """
    if a.game.rules != b.game.rules:
        raise InputError(f"{a.name} plays {a.game} and {b.name} plays {b.game}: they must play the same game.")
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 1:
        raise InputError(f"games = {games!r}: a match has a whole number of games, at least 1.")
    draw = Draw(seed, "dice")
    (counts,) = _play(a.game, [a.rows, b.rows], np.array([[0, 1]]), int(games), draw, workers or available_cores(), paired).tolist()
    return Match(*counts[:4], couples_won=counts[4] if paired else None)


def play_pairs(
    game: Race,
    rows: Bytes,
    pairs: Sequence[tuple[int, int]],
    games: int,
    draw: Draw,
    workers: int = 1,
    *,
    paired: bool = False,
) -> Ints:
    """Play a match between each of many pairs.

    Args:
        game: the game.
        rows: decisions as bytes, shape `(n, own, turn total, opponent)`.
        pairs: indices into `rows`; pair number `p` plays with the dice of pair `p`.
        games: games of each match; even if paired.
        draw: the dice stream, at a generation.
        workers: threads; the result does not depend on it.
        paired: whether games 2n and 2n + 1 of a match meet the same dice.

    Returns:
        Wins of the first, of the second, stalemates and unfinished games, shape `(pairs, 4)`.

    Raises:
        InputError: an odd number of paired games.
    """
    chosen = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    if fits(len(rows), game.target) or len(rows) <= 2:
        return _play(game, rows, chosen, games, draw, workers, paired)[:, :4]
    one = np.array([[0, 1]])
    counts = [_play(game, rows[pair], one, games, draw.at(pair=p), workers, paired) for p, pair in enumerate(chosen)]
    return np.array(counts, dtype=np.int64).reshape(-1, 5)[:, :4]


def _play(
    game: Race, rows: Sequence[Bytes] | Bytes, pairs: Ints, games: int, draw: Draw, workers: int, paired: bool
) -> Ints:
    """Outcomes of each pair's match, and the couples of games that its first strategy won; shape `(pairs, 5)`."""
    if paired and games % 2:
        raise InputError(f"games = {games}: games with paired dice come in twos, so their number must be even.")
    tables, dice = pack(rows), reader(Die.of(game.die, game.bust), game.target)
    place = draw.pair, np.uint64(draw.generation), np.uint64(draw.seed), np.uint64(STREAMS[draw.stream])
    total = games * len(pairs)

    def play(start: int) -> tuple[int, Ints]:
        stop = min(start + BATCH, total)
        outcomes = play_games(tables, dice, pairs, games, paired, start, stop, MOST_TURNS, *place)
        first = start // games
        counts = np.zeros(((stop - 1) // games - first + 1, 5), np.int64)
        tally(outcomes, start - first * games, games, counts)
        return first, counts

    result = np.zeros((len(pairs), 5), np.int64)
    for first, counts in map_threads(play, range(0, total, BATCH), workers):
        result[first : first + len(counts)] += counts
    return result
