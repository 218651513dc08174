"""The compiled simulation of any game on its board; its plain twin is in `pigevo.simulation.stepwise`."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Decisions, Ints, Ints32, Words
from pigevo.simulation.dice_kernels import philox_block

UNFINISHED, STALEMATE, DRAWN = 3, 2, 5


@kernel()
def play_on_board(
    decisions: Decisions,
    begin: Ints,
    leads: Ints,
    cuts: Words,
    hold: Ints,
    follow: Ints32,
    partner: Ints,
    opening: int,
    pairs: Ints,
    games: int,
    start: int,
    stop: int,
    most_turns: int,
    first_pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
    paired: bool,
) -> Bytes:
    """Play the games `start .. stop - 1` of matches of `games` games each; number `m * games + g` is game g of match m.

    Arguments not described here are those of `pigevo.games.board.Board` and `pigevo.simulation.kernels.play_games`;
    `decisions` are probabilities of rolling, shape (n, rows, W, states of a row); the outcome of a throw is the first
    one whose `cut` is above the random word. The result for each game is a win (0) or loss (1) of the first strategy,
    or one of the results above.
    """
    outcomes = np.full(stop - start, UNFINISHED, np.uint8)
    L, B = decisions.shape[3], follow.shape[1]
    words = np.zeros((2, 4), np.uint64)
    used = np.zeros(2, np.int64)
    for number in range(start, stop):
        match, game = number // games, number % games
        used[:] = 0
        b, passed, player = opening, 0, 0
        for _ in range(most_turns):
            table = decisions[pairs[match, (game + player) & 1], b // L]
            seat = player if paired else 0
            part = np.uint64(game - game % 2 + player if paired else game)
            w, effect = 0, -1
            while effect < 0:
                chance = table[w, b % L]
                rolls = chance > 0
                if rolls and chance < 1:
                    _next(words[seat], used, seat, part, match + first_pair, generation, seed, stream)
                    word = words[seat, (used[seat] - 1) % 4]
                    rolls = np.float64(word >> np.uint64(11)) * 2.0**-53 < chance
                if not rolls:
                    effect = hold[w]
                    # Only certain passes count, in a state to which play returns: after two of them it never ends.
                    passed = passed + 1 if w == 0 and chance == 0 and partner[b] >= 0 else 0
                    break
                passed = 0
                _next(words[seat], used, seat, part, match + first_pair, generation, seed, stream)
                word = words[seat, (used[seat] - 1) % 4]
                # The last outcome takes all words that are left, so rounding of the cuts leaves none over.
                t = begin[w]
                while t < begin[w + 1] - 1 and word >= cuts[t]:
                    t += 1
                if leads[t] >= 0:
                    w = leads[t]
                else:
                    effect = -1 - leads[t]
            b = follow[effect, b]
            if b >= B:
                end = b - B
                # The number of the strategy that won, 0 or 1: the one that moved, or the other one after a loss.
                outcomes[number - start] = DRAWN if end == 1 else (game + player + (1 if end == 0 else 0)) & 1
                break
            if passed == 2:
                outcomes[number - start] = STALEMATE
                break
            player = 1 - player
    return outcomes


@kernel()
def _next(
    words: Words,
    used: Ints,
    seat: int,
    part: np.uint64,
    pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Draw one more random word of a seat; the last one drawn has number `used - 1`."""
    if used[seat] % 4 == 0:
        block = np.uint64(used[seat] // 4 + 1)
        words[0], words[1], words[2], words[3] = philox_block(block, part, np.uint64(pair), generation, seed, stream)
    used[seat] += 1
