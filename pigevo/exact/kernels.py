"""The compiled loops of one-die races: the outcomes of turns, and the solution of games from them.

Notation: `T` target, `i` own banked score, `j` the opponent's, `k` turn total.  `rows` are rows of 0/1 bytes by `j`:
`row_of_cell` gives the row at `i` and `k`, and `is_new` is true if the rows at `i` differ from those at `i - 1`.  A die
is `gains` (points, the largest first, padded in front to at least `GROUP`) and `chances`.  A turn *leaves* a pair of
scores if it banks something: neither a bust nor a pass.  The chance of leaving is summed up from its parts and never
computed as 1 minus another sum, so that it is precise even for a strategy that hardly ever leaves.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import (
    LANES,
    any_nonzero,
    copy_bytes,
    equal_bytes,
    fused,
    has_wide_registers,
    load,
    load_column,
    spread,
    store,
    total,
    where,
)
from pigevo.core.arrays import Bools, Bytes, Floats, Ints

DieArrays = tuple[Ints, Floats]
"""The gains of a die and their chances."""

Outcomes = tuple[Ints, Ints, Floats, Floats]
"""The result of `turn_outcomes` for one strategy: `start`, `low`, `hold` and `leave`."""

GROUP = 5
"""The number of gains that are added up without a loop."""

SIX = 6
"""The number of sides of the die for which the chances of rolling are held in registers."""

LINE = 8
"""The number of floats in a cache line: vectors that cross lines take twice as long."""


@kernel()
def aligned(rows: int, columns: int, fill: float) -> Floats:
    """A filled array aligned to cache lines."""
    raw = np.full(rows * columns + LINE, fill)
    # The number of elements from the beginning of the memory to its first cache line.
    first = -(raw.ctypes.data // raw.itemsize) % LINE
    return raw[first : first + rows * columns].reshape((rows, columns))


@kernel()
def whole_lanes(count: int) -> int:
    """The next multiple of `LANES`."""
    return (count + LANES - 1) // LANES * LANES


@kernel(forceinline=True, borrows=True)
def is_of_six(gains: Ints) -> bool:
    """Whether a die has six sides, and so gains of 6 to 2; a die with fewer gains is padded with its largest."""
    if gains.shape[0] != GROUP:
        return False
    for n in range(GROUP):  # noqa: SIM110  (numba compiles no generator)
        if gains[n] != SIX - n:
            return False
    return True


@kernel(borrows=True)
def follow_turns(
    i: int,
    lane: int,
    decisions: Bytes,
    gains: Ints,
    chances: Floats,
    rolled: Floats,
    held: Floats,
    behind: Floats,
    sums: Floats,
) -> int:
    """One player's turns at own score `i`, against the `LANES` opponent's scores from `lane` on.

    The chance of reaching a turn total is distributed over the next rolls where the strategy rolls, and is stored in
    `held[k]` where it holds or has won. A pass, at `k = 0`, is left out: like a bust it changes no score. `decisions`
    are bytes `[k, j]` at `i`, padded by `LANES`; lanes from `T` on are meaningless. `rolled` is a work array of
    `T + 2 max(gains)` rows of `LANES`, the first `max(gains)` of them 0. `behind` is the win probability after a score
    is banked, 1 from `T` on. `sums` gets the sums over the turn totals of `held * behind` and of `held`. The result is
    the first turn total from which on none is reached.
    """
    if has_wide_registers() and is_of_six(gains):
        return _follow_six(i, lane, decisions, chances, held, behind, sums)
    if gains.shape[0] > GROUP:
        return _follow(gains.shape[0] - GROUP, i, lane, decisions, gains, chances, rolled, held, behind, sums)
    return _follow(0, i, lane, decisions, gains, chances, rolled, held, behind, sums)  # one loop less


@kernel(forceinline=True, borrows=True)
def _follow(
    last: int,
    i: int,
    lane: int,
    decisions: Bytes,
    gains: Ints,
    chances: Floats,
    rolled: Floats,
    held: Floats,
    behind: Floats,
    sums: Floats,
) -> int:
    """`follow_turns` for a die with `last + GROUP` gains."""
    # `top` is the largest gain. Row `top + k` of `rolled` belongs to turn total k, and the rows before that are 0, so
    # that a gain which is larger than k needs no test.
    top = rolled.shape[0] - behind.shape[0]
    T = behind.shape[0] - top
    left = T - i
    pa, pb, pc = spread(chances[last]), spread(chances[last + 1]), spread(chances[last + 2])
    pd, pe = spread(chances[last + 3]), spread(chances[last + 4])
    a, b, c = top - gains[last], top - gains[last + 1], top - gains[last + 2]
    d, e = top - gains[last + 3], top - gains[last + 4]
    worth, leave = spread(0.0), spread(0.0)
    store(spread(0.0), held, 0)
    store(where(decisions, lane, spread(1.0)), rolled, top * LANES)
    alive = 0
    end = left + top
    # Upwards: every way to a turn total comes from a lower one, whose chance of rolling is then final.
    for k in range(1, left + top):
        stand = spread(0.0)
        for g in range(last):
            stand = fused(spread(chances[g]), load(rolled, (top + k - gains[g]) * LANES), stand)
        stand = fused(pa, load(rolled, (a + k) * LANES), stand)
        stand = fused(pb, load(rolled, (b + k) * LANES), stand)
        stand = fused(pc, load(rolled, (c + k) * LANES), stand)
        stand = fused(pd, load(rolled, (d + k) * LANES), stand)
        stand = fused(pe, load(rolled, (e + k) * LANES), stand)  # the smallest gain last: its chance was computed last
        roll = spread(0.0)
        if k < left:
            roll = where(decisions, k * T + lane, stand)
            if any_nonzero(roll):
                alive = k
        store(roll, rolled, (top + k) * LANES)
        hold = stand - roll
        store(hold, held, k * LANES)
        if has_wide_registers():
            leave = leave + hold
            worth = fused(hold, load(behind, (i + k) * behind.shape[1] + lane), worth)
        # Nobody rolled at any of the `top` totals before k, so neither k nor a later one is reached.
        if k - alive > top:
            end = k
            break
    if not has_wide_registers():  # in a loop of their own: sums and chances together do not fit into the registers
        for k in range(1, min(end + 1, left + top)):
            hold = load(held, k * LANES)
            leave = leave + hold
            worth = fused(hold, load(behind, (i + k) * behind.shape[1] + lane), worth)
    store(worth, sums, lane)
    store(leave, sums, sums.shape[1] + lane)
    return int(end)


@kernel(forceinline=True, borrows=True)
def _follow_six(
    i: int, lane: int, decisions: Bytes, chances: Floats, held: Floats, behind: Floats, sums: Floats
) -> int:
    """`follow_turns` for a die of six sides, with the chances of rolling in registers instead of memory."""
    T = behind.shape[0] - SIX
    left = T - i
    pa, pb, pc = spread(chances[0]), spread(chances[1]), spread(chances[2])
    pd, pe = spread(chances[3]), spread(chances[4])
    worth, leave, nothing = spread(0.0), spread(0.0), spread(0.0)
    a, b, c, d, e = nothing, nothing, nothing, nothing, nothing  # chances of rolling 6, 5, 4, 3 and 2 points ago
    last = where(decisions, lane, spread(1.0))
    store(nothing, held, 0)
    alive, k = 0, 1
    while k < left + SIX and k - alive <= SIX:
        stand = fused(pe, e, fused(pd, d, fused(pc, c, fused(pb, b, fused(pa, a, nothing)))))
        roll = nothing
        if k < left:
            roll = where(decisions, k * T + lane, stand)
            if any_nonzero(roll):
                alive = k
        hold = stand - roll
        store(hold, held, k * LANES)
        leave = leave + hold
        worth = fused(hold, load(behind, (i + k) * behind.shape[1] + lane), worth)
        # No gain is 1, so the newest chance waits in `last` for one step.
        a, b, c, d, e, last = b, c, d, e, last, roll
        k += 1
    store(worth, sums, lane)
    store(leave, sums, sums.shape[1] + lane)
    return int(k)


@kernel(forceinline=True, borrows=True)
def follow_again(i: int, lane: int, end: int, held: Floats, behind: Floats, sums: Floats) -> None:
    """`follow_turns` where the chances `held` are known, and 0 from `end` on: only the sum of `held * behind`."""
    worth = spread(0.0)
    for k in range(1, end):
        worth = fused(load(held, k * LANES), load(behind, (i + k) * behind.shape[1] + lane), worth)
    store(worth, sums, lane)


@kernel(forceinline=True, borrows=True)
def _held_between(held: Floats, lane: int, end: int) -> tuple[int, int]:
    """The range of turn totals at which the strategy holds: the first one, and the one after the last."""
    first = 0
    while first < end and held[first, lane] == 0.0:
        first += 1
    while end > first and held[end - 1, lane] == 0.0:
        end -= 1
    return first, end


@kernel()
def copy_decisions(rows: Bytes, row_of_cell: Ints, strategy: int, own: int, decisions: Bytes) -> None:
    """Copy a strategy's decisions at an own score, by turn total and opponent's score, to the beginning of an array.

    Neighbouring rows are copied together, because many small copies are slow.
    """
    T, m, k = row_of_cell.shape[0], rows.shape[1], 0
    while k < T - own:
        first, count = row_of_cell[own, k], 1
        # No row, because the decision is the same at every opponent's score: m stands for a hold, m + 1 for a roll.
        if first >= m:
            for j in range(T):
                decisions[k * T + j] = first - m
            k += 1
            continue
        while k + count < T - own and first + count < m and row_of_cell[own, k + count] == first + count:
            count += 1
        copy_bytes(rows, (strategy * m + first) * T, count * T, decisions[k * T :])
        k += count


@kernel()
def turn_outcomes(rows: Bytes, row_of_cell: Ints, die: DieArrays) -> tuple[Ints, Ints, Floats, Floats]:
    """The outcomes of the first strategy's turns for every pair of scores: `start`, `low`, `hold` and `leave`.

    The outcomes of a pair begin in `hold` at `start`, shape (T, T + 1), by opponent's score, then own score; they are
    the chances of holding at `low`, `low + 1`, ..., padded with zeros to a multiple of `LANES`. `leave`, shape (T, T)
    by own and opponent's score, is the chance that the turn banks something, wins included.
    """
    gains, chances = die
    T, wide = row_of_cell.shape[0], whole_lanes(row_of_cell.shape[0])
    top = gains[0]
    all_holds = np.empty(T * T * (T + 1) // 2 + LANES * T * T)  # only the written part takes memory
    begin, runs = np.zeros((T, T), np.int64), np.zeros((T, T), np.int64)
    low, leave = np.zeros((T, T), np.int64), np.zeros((T, T))
    rolled, held = aligned(T + 2 * top, LANES, 0.0), aligned(T + top + LANES, LANES, 0.0)
    zeros, sums = aligned(T + top, wide, 0.0), aligned(2, wide, 0.0)
    decisions = np.zeros(T * T + LANES, np.uint8)
    count = 0
    for own in range(T):
        copy_decisions(rows, row_of_cell, 0, own, decisions)
        for lane in range(0, wide, LANES):
            end = min(follow_turns(own, lane, decisions, gains, chances, rolled, held, zeros, sums), T - own)
            # A run is copied in groups of `LANES`: what the last group takes beyond the end must be 0.
            held[end : end + LANES] = 0.0
            for j in range(lane, min(lane + LANES, T)):
                first, last = _held_between(held, j - lane, end)
                begin[own, j] = count
                low[j, own] = first
                for k in range(first, last, LANES):
                    store(load_column(held, k * LANES + j - lane), all_holds, count)
                    count += LANES
                runs[own, j] = count - begin[own, j]
        for j in range(T):
            leave[own, j] = sums[1, j]
    start, hold = _by_opponents_score(begin, runs, all_holds, count)
    return start, low, hold, leave


@kernel()
def _by_opponents_score(begin: Ints, runs: Ints, all_holds: Floats, count: int) -> tuple[Ints, Floats]:
    """The start and the chances of each pair's outcomes, in the order in which an opponent reads them."""
    T = begin.shape[0]
    start, hold = np.zeros((T, T + 1), np.int64), np.empty(count)
    at = 0
    for j in range(T):
        for own in range(T):
            start[j, own] = at
            for t in range(0, runs[own, j], LANES):
                store(load(all_holds, begin[own, j] + t), hold, at)
                at += LANES
        start[j, T] = at
    return start, hold


@kernel(forceinline=True, borrows=True)
def dot(a: Floats, a_start: int, b: Floats, b_start: int, count: int) -> float:
    """The sum of `a[a_start + t] * b[b_start + t]`; `count` is a multiple of `LANES`."""
    products = spread(0.0)
    for t in range(0, count, LANES):
        products = fused(load(a, a_start + t), load(b, b_start + t), products)
    return float(total(products))


@kernel(forceinline=True, borrows=True)
def hold_worth(start: Ints, low: Ints, hold: Floats, own: int, opponent: int, values: Floats) -> float:
    """The value of the holds of a turn from score `own`, given the `values` by own score after it."""
    begin = start[opponent, own]
    return float(dot(hold, begin, values, own + low[opponent, own], start[opponent, own + 1] - begin))


@kernel(forceinline=True, borrows=True)
def solve_pair(a: float, s: float, c: float, u: float) -> float:
    """`P` of `P = a + (1 - s) Q`, `Q = c + (1 - u) P`; 0 if neither player ever leaves the pair of scores."""
    # 1 - (1 - s)(1 - u), the divisor after Q is substituted, without the cancellation where s and u are small.
    leave = s + u - s * u
    return (a + (1.0 - s) * c) / leave if leave > 0.0 else 0.0


@kernel(forceinline=True, borrows=True)
def decide_alike(first: Bytes, second: Bytes, lane: int, end: int, T: int) -> bool:
    """Whether decisions `[k, j]` are equal at the `LANES` scores from `lane` on and the turn totals below `end`."""
    for k in range(end):  # noqa: SIM110  (numba compiles no generator)
        if not equal_bytes(first, second, k * T + lane):
            return False
    return True


@kernel()
def win_tables(
    rows: Bytes, row_of_cell: Ints, is_new: Bools, players: Ints, die: DieArrays, turns: Outcomes
) -> tuple[Floats, Floats]:
    """Win probabilities P, Q of `rows[players]`, each against one opponent, given by its `turn_outcomes`.

    At a score pair a player's value moving first is `P = a + (1 - s) Q`, and with the opponent to move
    `Q = c + (1 - u) P`, where `s` and `u` are the chances of leaving, and `a`, `c` come from higher scores. Both have
    shape (n, T, T), by own and opponent's score. The players take turns at each own score, so that the opponent's turns
    are read from memory once.

    A turn has the same chances as at the next higher own score if its decisions are the same and it wins at neither of
    the two scores: inside a cube the chances are computed once. It also has the chances of the first player's turn if
    both decide alike wherever that one comes: children of the same parents differ in few turns.
    """
    (gains, chances), (start, low, hold, leave) = die, turns
    n, T, wide = players.shape[0], row_of_cell.shape[0], whole_lanes(row_of_cell.shape[0])
    top = gains[0]
    height = T + top
    moving = np.zeros((n, T, T + LANES))  # a run of holds may reach past the end, with chance 0
    waiting, sums = aligned(n * height, wide, 1.0).reshape((n, height, wide)), aligned(2 * n, wide, 0.0)
    blocks = wide // LANES
    # Chances that nobody reads at another own score share one array, in the cache, but for those of the first player.
    keepers = 2 if is_new[1:].all() else n
    rolled, held = aligned(T + 2 * top, LANES, 0.0), aligned(keepers * blocks * height, LANES, 0.0)
    ends = np.full((n, blocks), T)  # the first turn totals not reached at the next higher own score
    are_followed, as_first = np.zeros(blocks, np.bool_), np.zeros((n, blocks), np.bool_)
    decisions = np.zeros((2, T * T + LANES), np.uint8)  # of the first player, and of another
    # From the target downwards: a turn that leaves a pair leads to a higher score, whose values are then known.
    for i in range(T - 1, -1, -1):
        for m in range(n):
            of_player, decided, is_copied = sums[2 * m : 2 * m + 2], decisions[min(m, 1)], False
            for block in range(blocks):
                lane = block * LANES
                is_known = i + 1 < T and not is_new[i + 1] and ends[m, block] < T - i
                if m == 0:
                    are_followed[block] = not is_known
                if not is_copied and (are_followed[block] or not (is_known or as_first[m, block])):
                    copy_decisions(rows, row_of_cell, players[m], i, decided)
                    is_copied = True
                if m > 0 and are_followed[block]:
                    as_first[m, block] = decide_alike(decisions[0], decided, lane, min(ends[0, block], T - i), T)
                keeper = 0 if as_first[m, block] else m
                begin = (min(keeper, keepers - 1) * blocks + block) * height
                chances_held = held[begin : begin + height]
                if as_first[m, block] or is_known:
                    follow_again(i, lane, ends[keeper, block], chances_held, waiting[m], of_player)
                else:
                    ends[m, block] = follow_turns(
                        i, lane, decided, gains, chances, rolled, chances_held, waiting[m], of_player
                    )
                if as_first[m, block]:
                    store(load(sums, wide + lane), of_player, wide + lane)
                    ends[m, block] = T  # the player's own chances are those of another score
            # The player's own turns, now in `sums`, need only higher i; the opponent's turns need higher j at this i.
            for j in range(T - 1, -1, -1):
                u = leave[j, i]
                c = hold_worth(start, low, hold, j, i, moving[m, i])
                p = solve_pair(of_player[0, j], of_player[1, j], c, u)
                moving[m, i, j] = p
                waiting[m, i, j] = c + (1.0 - u) * p
    return moving[:, :, :T], waiting[:, :T, :T]
