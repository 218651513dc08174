"""The compiled games: many at once, one to a lane, and no branch that the dice decide.

A branch that depends on a roll is predicted wrongly half the time, which costs more than
the rest of the roll.  So every lane makes one roll per step, whatever comes of it: bust,
bank, win and the change of turns are choices between values, which the compiler puts in
vector instructions.  A lane whose game has ended plays on without meaning until the block
of dice is used up, then takes the next game.  The same game stands in plain Python in
`pigevo.arena.plain`.
"""

from __future__ import annotations

import numpy as np

from pigevo.arena.dice_kernels import Reader, read, unpack
from pigevo.arena.lane_kernels import (
    END,
    INT,
    LANES,
    MINE,
    OTHER,
    SIZE,
    STALEMATED,
    TABLE,
    THEIRS,
    TOTAL,
    TURN,
    advance,
    begin,
    look_up,
    skip,
)
from pigevo.arena.paired_kernels import deal, store
from pigevo.arena.philox import philox_block
from pigevo.arena.tables import Tables
from pigevo.arrays import Bytes, Ints
from pigevo.compiled import kernel

WIN, LOSS, STALEMATE, UNFINISHED, COUPLE = 0, 1, 2, 3, 4


@kernel()
def play_games(
    tables: Tables,
    dice: Reader,
    pairs: Ints,
    games: int,
    paired: bool,
    start: int,
    stop: int,
    most_turns: int,
    first_pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> Bytes:
    """Play the games `start .. stop - 1` of matches of `games` games each; number `m * games + g` is game g of match m.

    Args:
        tables: decisions of all strategies.
        dice: how rolls are read from words.
        pairs: two indices of strategies for each match, shape (matches, 2); the first moves first in even games.
        games: games of a match.
        paired: whether the first seats of games 2n and 2n + 1 both roll the dice of game 2n, and the second ones
            those of game 2n + 1.
        start, stop: which games.
        most_turns: turns of both players after which a game is unfinished.
        first_pair, generation, seed, stream: the counter of the dice, at the first match; all but the first are uint64.

    Returns:
        WIN, LOSS, STALEMATE or UNFINISHED of each game, for the first strategy of its match.
    """
    target, width, most = INT(tables.target), INT(tables.width), INT(most_turns)
    decisions, size, may_pass = tables.decisions, tables.size, tables.may_pass
    table, other, cut, is_fair = dice.runs, dice.other, dice.cut, dice.is_fair
    digits, count = dice.digits, dice.runs_of_word
    outcomes = np.empty(stop - start, np.uint8)
    lanes, after = np.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)
    number = np.full(LANES, -1, np.int64)
    runs = np.zeros((4 * count, LANES), np.int64)
    depth = len(runs) * digits
    rolls = np.zeros((depth + 1, LANES), np.int32)  # the last row stays zero
    bank, used, blocks = np.zeros((2 * LANES, 2 * depth), np.int32), np.zeros(2 * LANES, np.int64), np.zeros(2 * LANES, np.int64)
    upcoming, playing = start, 0
    while True:
        for n in range(LANES):
            if number[n] >= 0 and (lanes[END + n] < most or lanes[TURN + n] >= most):
                end, game = lanes[END + n], number[n] % games
                outcome = UNFINISHED if end == most else STALEMATE if end == STALEMATED else (end + game) & 1
                outcomes[number[n] - start] = outcome
                number[n] = -1
                playing -= 1
            if number[n] < 0 and upcoming < stop:
                match, game = upcoming // games, upcoming % games
                lanes[MINE + n] = lanes[THEIRS + n] = lanes[TOTAL + n] = lanes[TURN + n] = 0
                lanes[END + n] = most
                lanes[TABLE + n] = INT(pairs[match, game & 1] * size)
                lanes[OTHER + n] = INT(pairs[match, 1 - (game & 1)] * size)
                used[n] = used[LANES + n] = blocks[n] = blocks[LANES + n] = 0
                number[n] = upcoming
                upcoming += 1
                playing += 1
            if number[n] >= 0:
                match, game = number[n] // games, number[n] % games
                pair = np.uint64(first_pair + match)
                for seat in range(2 if paired else 1):
                    row = seat * LANES + n
                    part = np.uint64((game & ~1) + seat if paired else game)
                    while not paired or used[row] + depth > blocks[row] * depth:
                        blocks[row] += 1
                        words = philox_block(np.uint64(blocks[row]), part, pair, generation, seed, stream)
                        read(words, is_fair, table, other, cut, count, runs, n)
                        if not paired:
                            break
                        store(runs, n, digits, bank, row, blocks[row])
        if playing == 0:
            return outcomes
        if not paired:
            unpack(runs, digits, rolls)
        begin(lanes, rolls[depth if paired else 0], target, width)
        for r in range(depth):
            if may_pass:
                for n in range(LANES):
                    skip(lanes, n, rolls[depth if paired else r, n], decisions, most, target, width)
            if paired:
                deal(lanes, bank, used, rolls[r], width)
            look_up(lanes, decisions)
            advance(lanes, after, rolls[r], rolls[depth if paired else r + 1], target, width)
            lanes, after = after, lanes


@kernel()
def tally(outcomes: Bytes, start: int, games: int, counts: Ints) -> None:
    """Add outcomes of the games from number `start` to `counts`, shape (matches, 5): a column for each, then COUPLE.

    A couple is a game of even number and the next, both won.
    """
    for n in range(len(outcomes)):
        match, game = (start + n) // games, (start + n) % games
        counts[match, outcomes[n]] += 1
        if game & 1 and n > 0 and outcomes[n] == WIN and outcomes[n - 1] == WIN:
            counts[match, COUPLE] += 1
