"""A tournament: every strategy against every other, exactly or in games, and all results derived from the matrix.

The chances to win a tournament of matches, round robins and knockouts, follow from the exact chances of every pair.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints, own_errors
from pigevo.core.checked_values import is_integer
from pigevo.core.intervals import CONFIDENCE
from pigevo.core.machine import available_cores
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact import pairs_of_tables, win_probability
from pigevo.games import Game, Pig
from pigevo.simulation import Match, play_pairs
from pigevo.strategies import Strategy, same_game
from pigevo.strategies.arguments import checks_arguments, require_whole, strategies_of
from pigevo.tournaments import LENGTH, SECONDS, TIMES
from pigevo.tournaments.entries import Entries, failure_texts, read_entries
from pigevo.tournaments.ratings import beats_of, bradley_terry, cycles_of, is_transitive, nash
from pigevo.tournaments.result import Misfit, RankedStrategy, Tournament

MOST_TIMES = 1_000_000
ROUNDING = 1e-9  # means that differ by less are equal, but for rounding


@checks_arguments
@own_errors
def tournament(
    strategies: Sequence[str | Strategy] | Mapping[str, Strategy], games: int | None = None, seed: int = 0,
    length: int = LENGTH, times: int = TIMES, workers: int | None = None, *, game: Game | None = None,
    timeout: float = SECONDS,
) -> Tournament:  # fmt: skip
    """Evaluate every strategy against every other, and rank them.

    Args:
        strategies: words as on the command line (`hold_at:1..100`, files, folders), strategies, or both, of which those
            given by words come first; or strategies by name. Functions of Python files are run, each in processes of
            its own.
        games: the number of games of each pair, even; None for exact win probabilities.
        seed: determines every roll and all other random draws.
        length: the number of games, even, of a match in round robins and knockouts.
        times: the number of round robins, and of knockout brackets, that are drawn.
        workers: threads, and processes for Python files, all cores by default; the result does not depend on it.
        game: the game of strategies given by words; by default that of the strategies, or else Pig to 100.
        timeout: seconds of processor time allowed for each function of a Python file; ten times that by the clock.

    Raises:
        InputError: a word is wrong, the strategies are for different games, fewer than two can play, or a number of
            games is odd.

    Example:
        >>> import pigevo
        >>> played = pigevo.tournament(["hold_at:20", "hold_at:25", "optimal"])
        >>> [ranked.name for ranked in played.ranking]
        ['optimal', 'hold_at:25', 'hold_at:20']
    """
    workers = workers or available_cores()
    require_whole("tournament", seed=seed)
    refuse_odd(length, "a match", "length", MOST_LENGTH)
    if games is not None:
        refuse_odd(games, "a match", "games")
    if not is_integer(times) or not 1 <= times <= MOST_TIMES:
        raise InputError(f"times = {short_repr(times)}: draw from 1 to {MOST_TIMES:,} round robins, a whole number.")
    entries = entries_of(strategies, game, timeout, workers)
    first = second = low = high = means = None
    if games is None:
        first, second = exact_seats(entries.strategies, workers)
        overall = (first + second) / 2
        np.fill_diagonal(overall, 0.5)
        played_game = entries.strategies[0].game
        draw = played_game.draw if played_game.can_draw else 0.5
        drawn = None
        if draw != 0.5 and played_game.allow_pass:  # beside draws there are stalemates, which count for nobody
            drawn = exact_draws(entries.strategies)
        chances = match_chances(first, second, length, draw, drawn)
    else:
        played = play_all(entries.strategies, games, seed, workers)
        overall, (low, high), means = played.overall, played.intervals(), played.mean_intervals()
        chances = (overall > overall.T) + 0.5 * (overall == overall.T)
    ratings, beats = bradley_terry(overall, games), beats_of(overall)
    n = len(overall)
    mean = (overall.sum(axis=1) - np.diag(overall)) / (n - 1)
    mixture = nash(overall)
    robins, knockouts = round_robin_winners(chances, times, seed), knockout_winners(chances, times, seed)
    groups = _alike(entries.strategies)
    for group in groups if games is None else ():  # they differ by the luck of the draws only
        robins[group], knockouts[group] = robins[group].mean(), knockouts[group].mean()
    ranking = tuple(
        RankedStrategy(
            rank=int((mean > mean[a] + ROUNDING).sum()) + 1, name=entries.names[a], mean=float(mean[a]),
            low=None if means is None else float(means[a, 0]), high=None if means is None else float(means[a, 1]),
            beats=int(beats[a].sum()), loses=int(beats[:, a].sum()), rating=float(ratings.ratings[a]),
            error=None if ratings.errors is None else float(ratings.errors[a]),
            share=float(mixture.shares[a]), round_robin=float(robins[a]), knockout=float(knockouts[a]),
        )
        for a in np.argsort(-mean, kind="stable").tolist()
    )  # fmt: skip
    misfit = Misfit(ratings.rms, ratings.largest, (entries.names[ratings.pair[0]], entries.names[ratings.pair[1]]))
    return Tournament(
        game=str(entries.strategies[0].game), names=entries.names, games=games, seed=seed,
        length=length if games is None else games, first=first, second=second, overall=overall, low=low, high=high,
        ranking=ranking, cycles=cycles_of(overall), transitive=is_transitive(overall), misfit=misfit,
        failed=entries.failed, sandbox_gaps=entries.sandbox_gaps, passed_over=entries.passed_over,
        alike=tuple(tuple(entries.names[a] for a in group) for group in groups),
    )  # fmt: skip


def _alike(strategies: Sequence[Strategy]) -> list[list[int]]:
    """The groups of strategies, of two or more, that decide alike in all states."""
    groups: dict[bytes, list[int]] = {}
    for number, strategy in enumerate(strategies):
        decisions = np.ascontiguousarray(strategy.roll, np.float64 if strategy.is_mixed else np.bool_)
        groups.setdefault(hashlib.sha256(decisions.tobytes()).digest(), []).append(number)
    return [group for group in groups.values() if len(group) > 1]


def entries_of(
    strategies: Sequence[str | Strategy] | Mapping[str, Strategy], game: Game | None, timeout: float, workers: int
) -> Entries:
    """The entrants, at least two."""
    if isinstance(strategies, str):
        strategies = [strategies]
    if isinstance(strategies, Mapping):
        entries = Entries(tuple(strategies), tuple(strategies_of("tournament", strategies.values())))
    else:
        words = [entrant for entrant in strategies if isinstance(entrant, str)]
        rest = [entrant for entrant in strategies if not isinstance(entrant, str)]
        arrays = strategies_of("tournament", rest)
        read = read_entries(words, game or (arrays[0].game if arrays else Pig()), timeout, workers)
        names = _apart([*read.names, *(strategy.name for strategy in arrays)])
        entries = Entries(names, (*read.strategies, *arrays), read.failed, read.sandbox_gaps, read.passed_over)
    for strategy in entries.strategies[1:]:
        same_game(entries.strategies[0], strategy)
    if len(entries.strategies) < 2:
        why = "".join(f" {text}." for text in failure_texts(entries.failed)[:1])
        raise InputError(f"at least two strategies are needed, and {len(entries.strategies)} can play.{why}")
    return entries


def _apart(names: Sequence[str]) -> tuple[str, ...]:
    unique: list[str] = []
    for name in names:
        number, free = 2, name
        while free in unique:
            free, number = f"{name} ({number})", number + 1
        unique.append(free)
    return tuple(unique)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Games of every pair: wins, losses, stalemates, unfinished games and draws of the row against the column.

    `counts` has shape (n, n, 5); `draw` is the value of a draw.
    """

    counts: Ints
    draw: float

    @property
    def overall(self) -> Floats:
        """The share of games won by the row, shape (n, n); a half against itself."""
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
        """Wilson's 95 % intervals of the share that each has won of all its games, shape (n, 2)."""
        return np.array([self._interval(counts.sum(axis=0)) for counts in self.counts])

    def _interval(self, counts: Ints) -> tuple[float, float]:
        wins, losses, stalemates, unfinished, draws = counts.tolist()
        return Match(wins, losses, stalemates, unfinished, None, draws, self.draw).interval(CONFIDENCE)


def exact_seats(strategies: Sequence[Strategy], workers: int) -> tuple[Floats, Floats]:
    """Exact win probabilities of the row against the column, with the row and the column moving first, (n, n) each."""
    game, n = strategies[0].game, len(strategies)
    half = game.constant_sum
    pairs = [(a, b) for a in range(n) for b in range(n) if a <= b or not half]
    if any(strategy.is_mixed for strategy in strategies):
        exact = [win_probability(strategies[a], strategies[b]) for a, b in pairs]
        seats = np.array([(p.first, p.second) for p in exact])
    else:
        seats = pairs_of_tables(game, np.stack([strategy.table for strategy in strategies]), pairs, workers)
    first, second = np.empty((n, n)), np.empty((n, n))
    rows, columns = np.array(pairs).T
    if half:
        first[columns, rows], second[columns, rows] = 1 - seats[:, 1], 1 - seats[:, 0]
    first[rows, columns], second[rows, columns] = seats.T
    return first, second


def exact_draws(strategies: Sequence[Strategy]) -> Floats:
    """Exact chances of a draw of the row and the column, with the row and the column moving first, shape (2, n, n)."""
    n = len(strategies)
    drawn = np.zeros((2, n, n))
    for a, b in itertools.combinations(range(n), 2):
        p = win_probability(strategies[a], strategies[b])
        drawn[:, a, b] = drawn[::-1, b, a] = p.draw_first, p.draw_second
    return drawn


def play_all(strategies: Sequence[Strategy], games: int, seed: int, workers: int) -> PairCounts:
    """Play a match between every two strategies, with alternating seats; each pair has independent dice."""
    game, n = strategies[0].game, len(strategies)
    rows, columns = np.triu_indices(n, 1)
    tables = np.stack([strategy.table for strategy in strategies])
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    by_pair = play_pairs(game, tables, pairs, games, Draw(seed, "dice"), workers)
    counts = np.zeros((n, n, 5), np.int64)
    counts[rows, columns] = by_pair
    counts[columns, rows] = by_pair[:, [1, 0, 2, 3, 4]]
    return PairCounts(counts, game.draw)


MOST_GAMES = 10**9
MOST_LENGTH = 100_000
MOST_AT_ONCE = 2**21  # the number of values computed at a time, so that long matches of many pairs fit into memory


@own_errors
def match_chances(
    first: Floats, second: Floats, length: int = LENGTH, draw: float = 0.5, drawn: Floats | None = None
) -> Floats:
    """The chance that the row wins a match against the column; a tied match counts as half won.

    The difference of wins and losses is a sum of independent games, so its distribution is the inverse Fourier
    transform of a product of powers.

    Args:
        first: the row's win probabilities when it moves first, shape (n, n).
        second: those when the column moves first.
        length: number of games of a match, even.
        draw: the value of a draw; one that counts half is treated as a game decided by a coin, another as nobody's.
        drawn: the chances of a draw when the row, and when the column, moves first, shape (2, n, n); needed only where
            games may also end in a stalemate, in which no value is won.
    """
    refuse_odd(length, "a match", "length", MOST_LENGTH)
    n = len(first)
    rows, columns = np.triu_indices(n, 1)
    results = 2 * length + 1
    turn = np.exp(-2j * np.pi * np.arange(length + 1) / results)  # the rest follows by symmetry
    chances = np.full((n, n), 0.5)
    step = max(1, MOST_AT_ONCE // len(turn))
    for begin in range(0, len(rows), step):
        a, b = rows[begin : begin + step], columns[begin : begin + step]
        waves = np.ones((len(a), len(turn)), np.complex128)
        for seat, (won, lost) in enumerate(((first[a, b], second[b, a]), (second[a, b], first[b, a]))):
            if draw != 0.5:  # both players' values add up to 1, but for the draws
                tied = np.clip((won + lost - 1) / (2 * draw - 1), 0, 1) if drawn is None else drawn[seat][a, b]
                won, lost = won - draw * tied, lost - draw * tied
            won, lost = won[:, None], lost[:, None]
            waves *= (won * turn + lost / turn + (1 - won - lost)) ** (length // 2)
        distribution = np.fft.irfft(waves, results, axis=1)  # at index d the chance of d more wins than losses
        chances[a, b] = np.clip(distribution[:, 1 : length + 1].sum(axis=1) + distribution[:, 0] / 2, 0, 1)
        chances[b, a] = 1 - chances[a, b]
    return chances


@own_errors
def round_robin_winners(chances: Floats, times: int = TIMES, seed: int = 0) -> Floats:
    """The share of round robins won by each strategy, that with the most matches won; ties share the win.

    The round robins are drawn from the selection stream, with the chances of the matches.
    """
    rows, columns = np.triu_indices(len(chances), 1)
    expected, shares = chances[rows, columns], np.zeros(len(chances))
    for number in range(times):
        draws = Draw(seed, "selection", part=number).uniforms(len(rows))
        winners = np.where(draws < expected, rows, columns)
        wins = np.bincount(winners, minlength=len(chances))
        best = wins == wins.max()
        shares += best / best.sum()
    return shares / times


@own_errors
def knockout_winners(chances: Floats, times: int = TIMES, seed: int = 0) -> Floats:
    """The chance of each strategy to win a knockout: exact for a bracket, and the mean over random brackets.

    If the number of strategies is not a power of two, random ones get a bye.
    """
    n = len(chances)
    size = 1 << max(0, n - 1).bit_length()
    seat = np.arange(size)
    opponents_by_round = [
        (seat[:, None] ^ seat) // block == 1 for block in (1 << r for r in range(size.bit_length() - 1))
    ]
    seats = _seats(n, size)
    padded = np.zeros((size, size))  # a bye never wins
    padded[:n, n:] = 1.0
    padded[:n, :n] = chances
    chances_to_win = np.zeros(size)
    for number in range(times):
        who = np.arange(size)
        who[:n] = Draw(seed, "selection", pair=1, part=number).permutation(n)
        who = who[seats]
        bracket, alive = padded[np.ix_(who, who)], np.ones(size)
        for opponents in opponents_by_round:
            alive = alive * ((bracket * opponents) @ alive)
        chances_to_win[who] += alive
    return chances_to_win[:n] / times


def refuse_odd(games: int, what: str, name: str, most: int = MOST_GAMES) -> None:
    """Refuse a number of games that is odd, or so large that it would never end."""
    if not is_integer(games) or games < 2 or games % 2:
        raise InputError(
            f"{name} = {short_repr(games)}: {what} has an even number of games, so that both move first as often."
        )
    if games > most:
        raise InputError(f"{name} = {short_repr(games)}: {what} has at most {most:,} games.")


def _seats(n: int, size: int) -> list[int]:
    """The player in each seat of a bracket for n players; numbers from n on are byes, which the first players get."""
    byes = size - n
    pairs = [seat for m in range(byes) for seat in (m, n + m)]
    return [*pairs, *range(byes, n)]
