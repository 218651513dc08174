"""The compiled games: those of one-die races many at a time, one in each lane, and those of any game on its board.

In lanes no branch depends on the dice.  A branch that depends on a roll is mispredicted half of the time, which takes
longer than the rest of the roll.  So every lane makes one roll per step, whatever its result: bust, bank, win and the
change of turns are choices between values, which the compiler turns into vector instructions.  A lane whose game has
ended continues with meaningless rolls until the block of dice is used up, then starts the next game.  The same games in
plain Python are in `pigevo.simulation.stepwise`.

In games with paired dice each seat rolls its own dice, from its own counter.  A bank stores the next rolls of each seat
of each lane, in two alternating blocks; seat s of lane n has row `s * GAME_LANES + n`.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Decisions, Ints, Ints32, Shorts, Words
from pigevo.simulation.lane_kernels import (
    BITS_OF_A_ROLL,
    GAME_LANES,
    INT,
    JOB_BLOCK,
    JOB_GAME,
    JOB_MATCH,
    JOB_NUMBER,
    STALEMATE,
    STATE_SIZE,
    TURN,
    UNFINISHED,
    PackedTables,
    Reader,
    add_rolls,
    advance,
    all_idle,
    look_up_decisions,
    pass_turns,
    philox_block,
    read_fair,
    read_with_alias,
    start_next_games,
    unpack,
)

WIN, COUPLE, DRAWN = 0, 4, 5

# The kernels take the dice's key as four arguments, and read dice in their own loops: with a tuple, and the reading in
# a function of a `Reader`, all three took a fifth to a quarter longer.


@kernel()
def play_games(
    tables: PackedTables,
    dice: Reader,
    pairs: Ints,
    games: int,
    start: int,
    stop: int,
    most_turns: int,
    first_pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> Bytes:
    """Play the games `start .. stop - 1` of matches of `games` games each; number `m * games + g` is game g of match m.

    `pairs`, shape (matches, 2), are indices of strategies; the first of a pair moves first in even games. `first_pair`,
    `generation`, `seed`, `stream` are the counter of the dice at the first match. The result is WIN, LOSS, STALEMATE or
    UNFINISHED for each game, in the view of the first strategy.
    """
    decisions, size, may_pass = tables.decisions, tables.size, tables.may_pass
    target, width, most = INT(tables.target), INT(tables.width), INT(most_turns)
    table, alias, cut, is_fair = dice.runs, dice.alias, dice.cut, dice.is_fair
    digits, count = dice.digits, dice.runs_of_word
    outcomes = np.empty(stop - start, np.uint8)
    outcomes[:] = UNFINISHED
    states = np.zeros((2, STATE_SIZE), np.int32)
    lanes, after = states[0], states[1]
    jobs, runs = np.zeros((4, GAME_LANES), np.int64), np.zeros((4 * count, GAME_LANES), np.int64)
    jobs[:] = -1
    depth = len(runs) * digits
    rolls = np.zeros((depth + 1, GAME_LANES), np.int32)  # nothing is added after the last roll
    upcoming = start
    while True:
        # Games end and begin between two blocks only, so no roll of a block belongs to two games.
        upcoming = start_next_games(lanes, jobs, pairs, games, size, most, outcomes, start, upcoming, stop)
        if all_idle(jobs):
            return outcomes
        for n in range(GAME_LANES):
            if jobs[JOB_NUMBER, n] >= 0:
                jobs[JOB_BLOCK, n] += 1
                block, part = np.uint64(jobs[JOB_BLOCK, n]), np.uint64(jobs[JOB_GAME, n])
                pair = np.uint64(jobs[JOB_MATCH, n] + first_pair)
                words = philox_block(block, part, pair, generation, seed, stream)
                if is_fair:
                    read_fair(words, table, count, runs, n)
                else:
                    read_with_alias(words, table, alias, cut, runs, n)
        unpack(runs, digits, rolls)
        add_rolls(lanes, rolls[0], target, width)
        for r in range(depth):
            if may_pass:
                for n in range(GAME_LANES):
                    pass_turns(lanes, n, rolls[r, n], decisions, most, target, width)
            look_up_decisions(lanes, decisions)
            # Each step adds the next roll, too. The first roll of the next block is not known yet: `add_rolls` adds it.
            advance(lanes, after, rolls[r], rolls[r + 1], target, width)
            lanes, after = after, lanes


@kernel(borrows=True)
def store_rolls(runs: Ints, lane: int, digits: int, bank: Shorts, seat: int, block: int) -> None:
    """Write the rolls of column `lane` of `runs` into a row of the bank, replacing the older block."""
    depth = len(runs) * digits
    # Blocks are numbered from 1; odd ones have the first half of the row, even ones the second.
    first = ((block - 1) & 1) * depth
    for n in range(len(runs)):
        for digit in range(digits):
            bank[seat, first + n * digits + digit] = np.int16((runs[n, lane] >> (BITS_OF_A_ROLL * digit)) & 0xFFFF)


@kernel(borrows=True)
def deal_rolls(lanes: Ints32, bank: Shorts, used: Ints, roll: Ints32) -> None:
    """Get the next roll for the player to move in every lane."""
    last = np.uint64(bank.shape[1] - 1)  # the length is a power of two
    for n in range(GAME_LANES):
        seat = np.uint64((lanes[TURN + n] & 1) * GAME_LANES + n)
        next_roll = used[seat]
        roll[n] = bank[seat, np.uint64(next_roll) & last]
        used[seat] = next_roll + 1


@kernel()
def play_couples(
    tables: PackedTables,
    dice: Reader,
    pairs: Ints,
    games: int,
    start: int,
    stop: int,
    most_turns: int,
    first_pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> Bytes:
    """Play games as `play_games` does, but with paired dice.

    The first seats of games 2n and 2n + 1 both roll the dice of game 2n, roll for roll,
    and the second seats those of game 2n + 1.
    """
    decisions, size, may_pass = tables.decisions, tables.size, tables.may_pass
    target, width, most = INT(tables.target), INT(tables.width), INT(most_turns)
    table, alias, cut, is_fair = dice.runs, dice.alias, dice.cut, dice.is_fair
    digits, count = dice.digits, dice.runs_of_word
    outcomes = np.full(stop - start, UNFINISHED, np.uint8)
    lanes, after = np.zeros(STATE_SIZE, np.int32), np.zeros(STATE_SIZE, np.int32)
    jobs = np.full((4, GAME_LANES), -1, np.int64)
    runs = np.zeros((4 * count, GAME_LANES), np.int64)
    depth = len(runs) * digits
    bank = np.zeros((2 * GAME_LANES, 2 * depth), np.int16)
    used, block = np.zeros(2 * GAME_LANES, np.int64), np.zeros(2 * GAME_LANES, np.int64)
    roll, nothing = np.zeros(GAME_LANES, np.int32), np.zeros(GAME_LANES, np.int32)
    upcoming = start
    while True:
        upcoming = start_next_games(lanes, jobs, pairs, games, size, most, outcomes, start, upcoming, stop)
        if all_idle(jobs):
            return outcomes
        for seat in range(2 * GAME_LANES):
            n, is_second = seat % GAME_LANES, seat // GAME_LANES
            if jobs[JOB_NUMBER, n] >= 0:
                # A new game: both its seats begin with their first block. The second seat, treated later, marks it.
                if jobs[JOB_BLOCK, n] == 0:
                    used[seat] = block[seat] = 0
                    jobs[JOB_BLOCK, n] = is_second
                while used[seat] + depth > block[seat] * depth:  # enough for all steps until the next check
                    block[seat] += 1
                    # The seat's dice are those of the even or of the odd game of the couple.
                    part = np.uint64((jobs[JOB_GAME, n] & ~1) + is_second)
                    pair = np.uint64(jobs[JOB_MATCH, n] + first_pair)
                    words = philox_block(np.uint64(block[seat]), part, pair, generation, seed, stream)
                    if is_fair:
                        read_fair(words, table, count, runs, n)
                    else:
                        read_with_alias(words, table, alias, cut, runs, n)
                    store_rolls(runs, n, digits, bank, seat, block[seat])
        for _ in range(depth):
            if may_pass:
                for n in range(GAME_LANES):
                    pass_turns(lanes, n, INT(0), decisions, most, target, width)
            deal_rolls(lanes, bank, used, roll)
            add_rolls(lanes, roll, target, width)
            look_up_decisions(lanes, decisions)
            advance(lanes, after, roll, nothing, target, width)
            lanes, after = after, lanes


@kernel()
def tally(outcomes: Bytes, start: int, games: int, counts: Ints) -> None:
    """Add the outcomes of the games from number `start` to `counts`, shape (matches, 6), a column for each outcome.

    Column COUPLE counts couples of games that were both won; a couple is a game of even number and the next one.
    """
    for n in range(len(outcomes)):
        match, game = (start + n) // games, (start + n) % games
        counts[match, outcomes[n]] += 1
        if game & 1 and n > 0 and outcomes[n] == WIN and outcomes[n - 1] == WIN:
            counts[match, COUPLE] += 1


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
    or UNFINISHED, STALEMATE or DRAWN.
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
                    _next_word(words[seat], used, seat, part, match + first_pair, generation, seed, stream)
                    word = words[seat, (used[seat] - 1) % 4]
                    rolls = np.float64(word >> np.uint64(11)) * 2.0**-53 < chance
                if not rolls:
                    effect = hold[w]
                    # Only certain passes count, in a state to which play returns: after two of them no game ends.
                    passed = passed + 1 if w == 0 and chance == 0 and partner[b] >= 0 else 0
                    break
                passed = 0
                _next_word(words[seat], used, seat, part, match + first_pair, generation, seed, stream)
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


@kernel(borrows=True)
def _next_word(
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
