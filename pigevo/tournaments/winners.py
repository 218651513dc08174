"""The chances to win a tournament of matches: round robins and knockouts, from exact chances of every pair."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import whole
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError

MOST_GAMES = 10**9
MOST_LENGTH = 100_000
MOST_AT_ONCE = 2**21
"""The number of values computed at a time, so that long matches of many pairs fit into memory."""


def match_chances(first: Floats, second: Floats, length: int = 100) -> Floats:
    """The chance that the row wins a match against the column; a tied match counts as half won.

    `first` and `second` are the row's win probabilities when it, and when the column, moves first; a draw that counts
    half is treated as a game decided by a coin. The difference of wins and losses is a sum of independent games, so its
    distribution is the inverse Fourier transform of a product of powers.
    """
    even(length, "a match", "length", MOST_LENGTH)
    n = len(first)
    rows, columns = np.triu_indices(n, 1)
    results = 2 * length + 1
    turn = np.exp(-2j * np.pi * np.arange(length + 1) / results)  # the rest follows by symmetry
    chances = np.full((n, n), 0.5)
    step = max(1, MOST_AT_ONCE // len(turn))
    for begin in range(0, len(rows), step):
        a, b = rows[begin : begin + step], columns[begin : begin + step]
        waves = np.ones((len(a), len(turn)), np.complex128)
        for won, lost in ((first[a, b], second[b, a]), (second[a, b], first[b, a])):
            won, lost = won[:, None], lost[:, None]
            waves *= (won * turn + lost / turn + (1 - won - lost)) ** (length // 2)
        law = np.fft.irfft(waves, results, axis=1)  # at index d the chance of d more wins than losses
        chances[a, b] = np.clip(law[:, 1 : length + 1].sum(axis=1) + law[:, 0] / 2, 0, 1)
        chances[b, a] = 1 - chances[a, b]
    return chances


def round_robin_winners(chances: Floats, times: int = 1000, seed: int = 0) -> Floats:
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


def knockout_winners(chances: Floats, times: int = 1000, seed: int = 0) -> Floats:
    """The chance of each strategy to win a knockout: exact for a bracket, and the mean over random brackets.

    If the number of strategies is not a power of two, some random ones have no opponent in the first round.
    """
    n = len(chances)
    size = 1 << max(0, n - 1).bit_length()
    place = np.arange(size)
    met = [(place[:, None] ^ place) // block == 1 for block in (1 << r for r in range(size.bit_length() - 1))]
    seats = _seats(n, size)
    padded = np.zeros((size, size))  # missing entrants win nothing
    padded[:n, n:] = 1.0
    padded[:n, :n] = chances
    chances_to_win = np.zeros(size)
    for number in range(times):
        who = np.arange(size)
        who[:n] = Draw(seed, "selection", pair=1, part=number).permutation(n)
        who = who[seats]
        bracket, alive = padded[np.ix_(who, who)], np.ones(size)
        for others in met:
            alive = alive * ((bracket * others) @ alive)
        chances_to_win[who] += alive
    return chances_to_win[:n] / times


def even(games: int, what: str, name: str, most: int = MOST_GAMES) -> None:
    """Refuse a number of games that is odd, or so large that it would never end."""
    if not whole(games) or games < 2 or games % 2:
        raise InputError(
            f"{name} = {short_repr(games)}: {what} has an even number of games, so that both move first as often."
        )
    if games > most:
        raise InputError(f"{name} = {short_repr(games)}: {what} has at most {most:,} games.")


def _seats(n: int, size: int) -> list[int]:
    """Random places in a bracket for n players; numbers from n on are missing ones."""
    missing = size - n
    pairs = [place for m in range(missing) for place in (m, n + m)]
    return [*pairs, *range(missing, n)]
