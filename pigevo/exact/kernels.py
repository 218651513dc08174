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
    HAS_WIDE_REGISTERS,
    LANES,
    Vector,
    all_nonzero,
    any_nonzero,
    equal_bytes,
    fused,
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
def aligned_empty(rows: int, columns: int) -> Floats:
    """An array aligned to cache lines, to be filled."""
    raw = np.empty(rows * columns + LINE)
    # The number of elements from the beginning of the memory to its first cache line.
    first = -(raw.ctypes.data // raw.itemsize) % LINE
    return raw[first : first + rows * columns].reshape((rows, columns))


@kernel()
def aligned(rows: int, columns: int, fill: float) -> Floats:
    """A filled array aligned to cache lines."""
    array = aligned_empty(rows, columns)
    array[:] = fill
    return array


@kernel(forceinline=True, borrows=True)
def whole_lanes(count: int) -> int:
    """The next multiple of `LANES`."""
    return (count + LANES - 1) // LANES * LANES


@kernel(forceinline=True, borrows=True)
def first_lane(block: int, T: int) -> int:
    """The first score of a block of `LANES` scores; the last block of all overlaps the one before."""
    return min(block * LANES, max(T - LANES, 0))


@kernel(forceinline=True, borrows=True)
def is_of_six(gains: Ints) -> bool:
    """Whether a die has six sides, and so gains of 6 to 2; a die with fewer gains is padded with its largest."""
    if gains.shape[0] != GROUP:
        return False
    for n in range(GROUP):  # noqa: SIM110  (numba compiles no generator)
        if gains[n] != SIX - n:
            return False
    return True


@kernel(forceinline=True, borrows=True)
def is_fair(chances: Floats) -> bool:
    """Whether `GROUP` chances are the same."""
    for n in range(1, GROUP):  # noqa: SIM110  (numba compiles no generator)
        if chances[n] != chances[0]:
            return False
    return True


@kernel()
def chances_of_rolling_on(T: int, gains: Ints, chances: Floats) -> Floats:
    """The chance that a turn which never holds comes to each turn total, in every lane.

    The row of turn total k is `max(gains) + k`; the rows before are 0.
    """
    top = gains[0]
    rolled = aligned(T + 2 * top, LANES, 0.0)
    store(spread(1.0), rolled, top * LANES)
    for k in range(1, T):
        stand = spread(0.0)
        for g in range(gains.shape[0]):
            stand = fused(spread(chances[g]), load(rolled, (top + k - gains[g]) * LANES), stand)
        store(stand, rolled, (top + k) * LANES)
    return rolled


@kernel(forceinline=True, borrows=True)
def follow_turns(
    i: int,
    rows: Bytes,
    row_of_cell: Ints,
    rows_at: int,
    gains: Ints,
    chances: Floats,
    rolling_on: Floats,
    rolled: Floats,
    held: Floats,
    held_at: int,
    behind: Floats,
    behind_at: int,
    sums: Floats,
    sums_at: int,
) -> tuple[int, int]:
    """One player's turns at own score `i`, against `LANES` scores of the opponent.

    The chance of reaching a turn total is distributed over the next rolls where the strategy rolls, and is stored where
    it holds or has won. A pass, at `k = 0`, is left out: like a bust it changes no score. Arrays are read and written
    from an index of their flat memory on (`..._at`):

    - `rows`: the strategy's decisions, from those at the lowest of the scores in its first row on; at each score
      `LANES` bytes can be read;
    - `rolling_on`: `chances_of_rolling_on`, which are the chances until the strategy holds for the first time;
    - `rolled`: work space of the same shape;
    - `held`: gets the chances of holding, in rows of `LANES` by turn total;
    - `behind`: the win probability after a bank, 1 if the game is won, in rows of the array's width by turn total;
    - `sums`: gets the sum over the turn totals of `held * behind`, and in its next row that of `held`.

    The result is the range of turn totals for which `held` is written: the strategy holds at none before, and reaches
    none after.
    """
    T, first = row_of_cell.shape[0], 0
    # The first turn total at which a lane holds. At 0, where no gene decides, all lanes roll.
    while first < T - i and (
        row_of_cell[i, first] >= rows.shape[1] or all_nonzero(rows, rows_at + row_of_cell[i, first] * T)
    ):
        first += 1
    begin = max(first, 1)
    if is_of_six(gains):
        if HAS_WIDE_REGISTERS:
            return begin, _follow_six(
                i, first, rows, row_of_cell, rows_at, chances, rolling_on, held, held_at, behind, behind_at, sums,
                sums_at,
            )  # fmt: skip
        if is_fair(chances):
            p = chances[0]
            return begin, _follow(  # numbers that the compiler knows, and one register for all chances of the die
                0, i, first, rows, row_of_cell, rows_at, (6, 5, 4, 3, 2), (p, p, p, p, p), rolling_on, rolled, held,
                held_at, behind, behind_at, sums, sums_at,
            )  # fmt: skip
    if gains.shape[0] > GROUP:
        return begin, _follow(
            gains.shape[0] - GROUP, i, first, rows, row_of_cell, rows_at, gains, chances, rolling_on, rolled, held,
            held_at, behind, behind_at, sums, sums_at,
        )  # fmt: skip
    return begin, _follow(  # one loop less
        0, i, first, rows, row_of_cell, rows_at, gains, chances, rolling_on, rolled, held, held_at, behind, behind_at,
        sums, sums_at,
    )  # fmt: skip


@kernel(forceinline=True, borrows=True)
def _stand(
    k: int, last: int, gains: Ints | tuple[int, ...], chances: Floats | tuple[float, ...], rolled: Floats
) -> Vector:
    """The chances of coming to turn total `k`, for a die with `last + GROUP` gains."""
    at = gains[0] + k
    stand = spread(chances[0]) * load(rolled, k * LANES)
    for g in range(1, last + 1):
        stand = fused(spread(chances[g]), load(rolled, (at - gains[g]) * LANES), stand)
    stand = fused(spread(chances[last + 1]), load(rolled, (at - gains[last + 1]) * LANES), stand)
    stand = fused(spread(chances[last + 2]), load(rolled, (at - gains[last + 2]) * LANES), stand)
    stand = fused(spread(chances[last + 3]), load(rolled, (at - gains[last + 3]) * LANES), stand)
    # The smallest gain last: its chance was computed last.
    return fused(spread(chances[last + 4]), load(rolled, (at - gains[last + 4]) * LANES), stand)


@kernel(forceinline=True, borrows=True)
def _follow(
    last: int,
    i: int,
    first: int,
    rows: Bytes,
    row_of_cell: Ints,
    rows_at: int,
    gains: Ints | tuple[int, ...],
    chances: Floats | tuple[float, ...],
    rolling_on: Floats,
    rolled: Floats,
    held: Floats,
    held_at: int,
    behind: Floats,
    behind_at: int,
    sums: Floats,
    sums_at: int,
) -> int:
    """`follow_turns` from the turn total `first` on, for a die with `last + GROUP` gains; returns the end."""
    # `top` is the largest gain. Row `top + k` of `rolled` belongs to turn total k; the rows of those below 0 are 0, so
    # that a gain which is larger than k needs no test.
    T, top, width = row_of_cell.shape[0], gains[0], behind.shape[1]
    left, k = T - i, max(first, 1)
    worth, leave = spread(0.0), spread(0.0)
    for row in range(k, k + top):
        store(load(rolling_on, row * LANES), rolled, row * LANES)
    if first == 0:  # some lanes pass
        store(where(rows, rows_at + row_of_cell[i, 0] * T, spread(1.0)), rolled, top * LANES)
    alive = k - 1
    # Upwards: every way to a turn total comes from a lower one, whose chance of rolling is then final. Where nobody
    # rolled at any of the `top` totals before k, neither k nor a later one is reached.
    while k < left and k - alive <= top:
        stand = _stand(k, last, gains, chances, rolled)
        roll = where(rows, rows_at + row_of_cell[i, k] * T, stand)
        store(roll, rolled, (top + k) * LANES)
        hold = stand - roll
        store(hold, held, held_at + k * LANES)
        leave = leave + hold
        worth = fused(hold, load(behind, behind_at + k * width), worth)
        if any_nonzero(roll):
            alive = k
        k += 1
    for row in range(top + k, 2 * top + alive):
        store(spread(0.0), rolled, row * LANES)
    while k < left + top and k - alive <= top:  # won: nobody rolls
        hold = _stand(k, last, gains, chances, rolled)
        store(hold, held, held_at + k * LANES)
        leave = leave + hold
        worth = fused(hold, load(behind, behind_at + k * width), worth)
        k += 1
    store(worth, sums, sums_at)
    store(leave, sums, sums_at + sums.shape[1])
    return int(k)


@kernel(forceinline=True, borrows=True)
def _follow_six(
    i: int,
    first: int,
    rows: Bytes,
    row_of_cell: Ints,
    rows_at: int,
    chances: Floats,
    rolling_on: Floats,
    held: Floats,
    held_at: int,
    behind: Floats,
    behind_at: int,
    sums: Floats,
    sums_at: int,
) -> int:
    """`_follow` for a die of six sides, with the chances of rolling in registers instead of memory."""
    T, width = row_of_cell.shape[0], behind.shape[1]
    left = T - i
    pa, pb, pc = spread(chances[0]), spread(chances[1]), spread(chances[2])
    pd, pe = spread(chances[3]), spread(chances[4])
    worth, leave, nothing = spread(0.0), spread(0.0), spread(0.0)
    k = max(first, 1)
    # Chances of rolling 6, 5, 4, 3 and 2 points ago, and at the total before.
    a, b, c = load(rolling_on, k * LANES), load(rolling_on, (k + 1) * LANES), load(rolling_on, (k + 2) * LANES)
    d, e, last = load(rolling_on, (k + 3) * LANES), load(rolling_on, (k + 4) * LANES), load(rolling_on, (k + 5) * LANES)
    if first == 0:  # some lanes pass
        last = where(rows, rows_at + row_of_cell[i, 0] * T, last)
    alive = k - 1
    while k < left + SIX and k - alive <= SIX:
        stand = fused(pe, e, fused(pd, d, fused(pc, c, fused(pb, b, fused(pa, a, nothing)))))
        roll = nothing
        if k < left:
            roll = where(rows, rows_at + row_of_cell[i, k] * T, stand)
            if any_nonzero(roll):
                alive = k
        hold = stand - roll
        store(hold, held, held_at + k * LANES)
        leave = leave + hold
        worth = fused(hold, load(behind, behind_at + k * width), worth)
        # No gain is 1, so the newest chance waits in `last` for one step.
        a, b, c, d, e, last = b, c, d, e, last, roll
        k += 1
    store(worth, sums, sums_at)
    store(leave, sums, sums_at + sums.shape[1])
    return int(k)


@kernel(forceinline=True, borrows=True)
def follow_again(
    begin: int, end: int, held: Floats, held_at: int, behind: Floats, behind_at: int, sums: Floats, sums_at: int
) -> None:
    """`follow_turns` where the chances `held` are known in a range of turn totals: only the sum of `held * behind`."""
    worth, width = spread(0.0), behind.shape[1]
    for k in range(begin, end):
        worth = fused(load(held, held_at + k * LANES), load(behind, behind_at + k * width), worth)
    store(worth, sums, sums_at)


@kernel(forceinline=True, borrows=True)
def _held_between(held: Floats, lane: int, first: int, end: int) -> tuple[int, int]:
    """The part of a range of turn totals at which the strategy holds: the first one, and the one after the last."""
    while first < end and held[first, lane] == 0.0:
        first += 1
    while end > first and held[end - 1, lane] == 0.0:
        end -= 1
    return first, end


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
    low, leave = np.zeros((T, T), np.int64), aligned_empty(T, T)
    rolling_on = chances_of_rolling_on(T, gains, chances)
    rolled, held = aligned_empty(T + 2 * top, LANES), aligned(T + top + LANES, LANES, 0.0)
    zeros, sums = aligned(T + top, wide, 0.0), aligned(2, wide, 0.0)
    count = 0
    for own in range(T):
        for block in range(wide // LANES):
            lane = first_lane(block, T)
            begun, end = follow_turns(
                own, rows, row_of_cell, lane, gains, chances, rolling_on, rolled, held, 0, zeros, lane, sums, lane
            )
            end = min(end, T - own)
            # A run is copied in groups of `LANES`: what the last group takes beyond the end must be 0.
            held[end : end + LANES] = 0.0
            for j in range(block * LANES, min(lane + LANES, T)):
                first, last = _held_between(held, j - lane, begun, end)
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
def hold_worth(start: Ints, low: Ints, hold: Floats, own: int, opponent: int, values: Floats, values_at: int) -> float:
    """The value of the holds of a turn from score `own`, given the `values` by own score after it, from an index on."""
    begin = start[opponent, own]
    return float(dot(hold, begin, values, values_at + own + low[opponent, own], start[opponent, own + 1] - begin))


@kernel(forceinline=True, borrows=True)
def solve_pair(a: float, s: float, c: float, u: float) -> float:
    """`P` of `P = a + (1 - s) Q`, `Q = c + (1 - u) P`; 0 if neither player ever leaves the pair of scores."""
    # 1 - (1 - s)(1 - u), the divisor after Q is substituted, without the cancellation where s and u are small.
    leave = s + u - s * u
    return (a + (1.0 - s) * c) / leave if leave > 0.0 else 0.0


@kernel(forceinline=True, borrows=True)
def decide_alike(rows: Bytes, row_of_cell: Ints, i: int, first: int, second: int, end: int) -> bool:
    """Whether two strategies decide alike at own score `i`, `LANES` opponent's scores and turn totals below `end`."""
    for k in range(end):
        row = row_of_cell[i, k]
        if row < rows.shape[1] and not equal_bytes(rows, first + row * rows.shape[2], second + row * rows.shape[2]):
            return False
    return True


@kernel()
def win_tables(
    rows: Bytes, row_of_cell: Ints, is_new: Bools, players: Ints, die: DieArrays, turns: Outcomes
) -> tuple[Floats, Floats]:
    """Win probabilities P, Q of `rows[players]`, each against one opponent, given by its `turn_outcomes`.

    At a score pair a player's value moving first is `P = a + (1 - s) Q`, and with the opponent to move
    `Q = c + (1 - u) P`, where `s` and `u` are the chances of leaving, and `a`, `c` come from higher scores. Each array
    has as many rows for each player, by own score, and columns by opponent's score; what is not below the target means
    nothing. The players take turns at each own score, so that the opponent's turns are read from memory once.

    A turn has the same chances as at the next higher own score if its decisions are the same and it wins at neither of
    the two scores: inside a cube the chances are computed once. It also has the chances of the first player's turn if
    both decide alike wherever that one comes: children of the same parents differ in few turns.
    """
    (gains, chances), (start, low, hold, leave) = die, turns
    n, T, wide = players.shape[0], row_of_cell.shape[0], whole_lanes(row_of_cell.shape[0])
    top = gains[0]
    height, reach = T + top, T + LANES
    moving, waiting, sums = aligned_empty(n * T, reach), aligned_empty(n * height, wide), aligned(2 * n, wide, 0.0)
    moving[:, T:] = 0.0  # a run of holds may reach past the end, with chance 0
    for m in range(n):
        waiting[m * height + T : (m + 1) * height] = 1.0
    blocks = wide // LANES
    # Chances that nobody reads at another own score share one array, in the cache, but for those of the first player.
    keepers = 2
    for i in range(1, T):  # where a kernel has `all`, numba imports scipy.linalg
        keepers = keepers if is_new[i] else n
    rolling_on = chances_of_rolling_on(T, gains, chances)
    rolled, held = aligned_empty(T + 2 * top, LANES), aligned_empty(keepers * blocks * height, LANES)
    # The turn totals that the chances at the next higher own score are for. Numba compiles `zeros` once for each type.
    begins, ends = np.zeros((n, blocks), np.int64), np.zeros((n, blocks), np.int64)
    is_followed, as_first = np.zeros((n, blocks), np.int64), np.zeros((n, blocks), np.int64)
    ends[:] = T
    size = rows.shape[1] * T
    # From the target downwards: a turn that leaves a pair leads to a higher score, whose values are then known.
    for i in range(T - 1, -1, -1):
        for m in range(n):
            for block in range(blocks):
                lane = first_lane(block, T)
                rows_at, rows_of_first = players[m] * size + lane, players[0] * size + lane
                behind_at, sums_at = (m * height + i) * wide + lane, 2 * m * wide + lane
                is_known = i + 1 < T and not is_new[i + 1] and ends[m, block] < T - i
                is_followed[m, block] = not is_known
                if m > 0 and is_followed[0, block]:
                    as_first[m, block] = decide_alike(
                        rows, row_of_cell, i, rows_of_first, rows_at, min(ends[0, block], T - i)
                    )
                keeper = 0 if as_first[m, block] else m
                held_at = (min(keeper, keepers - 1) * blocks + block) * height * LANES
                if as_first[m, block] or is_known:
                    begin, end = begins[keeper, block], ends[keeper, block]
                    follow_again(begin, end, held, held_at, waiting, behind_at, sums, sums_at)
                else:
                    begins[m, block], ends[m, block] = follow_turns(
                        i, rows, row_of_cell, rows_at, gains, chances, rolling_on, rolled, held, held_at, waiting,
                        behind_at, sums, sums_at,
                    )  # fmt: skip
                if as_first[m, block]:
                    store(load(sums, wide + lane), sums, sums_at + wide)
                    ends[m, block] = T  # the player's own chances are those of another score
            # The player's own turns, now in `sums`, need only higher i; the opponent's turns need higher j at this i.
            for j in range(T - 1, -1, -1):
                u = leave[j, i]
                c = hold_worth(start, low, hold, j, i, moving, (m * T + i) * reach)
                p = solve_pair(sums[2 * m, j], sums[2 * m + 1, j], c, u)
                moving[m * T + i, j] = p
                waiting[m * height + i, j] = c + (1.0 - u) * p
    return moving, waiting
