"""How far the exact engine is from what a core can do: `python -m tests.bench.bound`.

A pair is followed step by step, one turn total of one own score and `LANES` of the opponent's scores at a time, from the
first total at which the strategy holds against one of them; before that all turns have the same chances.  With G
gains (five at least) a step does G + 1 fused multiply-adds, and loads as many times `LANES` floats, the rows rolled from
and the row of win probabilities behind the hold; with six sides the latter alone, since the rows rolled from stay in
registers.  Then each pair of scores sums the products of the opponent's holds and the win probabilities behind them: two
loads and one multiply-add for each `LANES` floats.  A core with vectors of W floats does at most two loads and two
multiply-adds a cycle:

    cycles >= max(loads, multiply-adds) / 2 * LANES / W

Cycles are measured as seconds by a chain of dependent multiplications, of which one takes 3 cycles and an addition 1 on
the x86 cores of the last fifteen years.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import pigevo
from pigevo.compiled.simd import LANES, load, store
from pigevo.exact import prepare
from pigevo.exact.evaluate import turn_values
from pigevo.exact.kernels import GROUP, SIX, aligned, chances_of_rolling_on, first_lane, follow_turns, whole_lanes
from pigevo.exact.turns import Turns, packed_die, readable_rows

A_CYCLE = 2
"""Vector loads, and fused multiply-adds, that a core does in a cycle at most."""

CHAIN, CHAIN_CYCLES = 20_000_000, 4


@numba.njit
def _chain(number: int, factor: int, more: int, count: int) -> int:
    for _ in range(count):
        number = number * factor + more
    return number


@numba.njit
def _double(array: np.ndarray) -> None:
    store(load(array, 0) + load(array, 0), array, 0)


def floats_in_a_vector() -> int:
    """Floats in the vectors of numba's code for this processor, by the registers in it."""
    _double(np.zeros(LANES))
    code = "".join(_double.inspect_asm().values())
    return 8 if "zmm" in code else 4 if "ymm" in code else 2


def cycles_a_second() -> float:
    """The frequency at which this core works just now."""
    _chain(1, 3, 1, 10)
    return CHAIN * CHAIN_CYCLES / least(lambda: _chain(1, 3, 1, CHAIN), 5)


def least(function: Callable[[], Any], rounds: int) -> float:
    """The least processor time of some calls."""
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        function()
        times.append(time.process_time() - begin)
    return min(times)


def steps(strategy: pigevo.Strategy) -> int:
    """How many steps of `LANES` opponent's scores the engine does for a strategy."""
    rows, row_of_cell, _ = readable_rows(strategy.table[None])
    return _steps(rows, row_of_cell, *packed_die(strategy.game))


@numba.njit
def _steps(rows: np.ndarray, row_of_cell: np.ndarray, gains: np.ndarray, chances: np.ndarray) -> int:
    T, top, wide = row_of_cell.shape[0], gains[0], whole_lanes(row_of_cell.shape[0])
    behind, sums = aligned(T + top, wide, 1.0), aligned(2, wide, 0.0)
    rolling_on = chances_of_rolling_on(T, gains, chances)
    rolled, held, count = aligned(T + 2 * top, LANES, 0.0), aligned(T + top, LANES, 0.0), 0
    for own in range(T):
        for block in range(wide // LANES):
            lane = first_lane(block, T)
            begin, end = follow_turns(
                own, rows, row_of_cell, lane, gains, chances, rolling_on, rolled, held, 0, behind, lane, sums, lane
            )
            count += end - begin
    return count


def counted(strategy: pigevo.Strategy, opponent: Turns) -> tuple[int, int]:
    """Loads of `LANES` floats, and fused multiply-adds of as many, of one strategy against a prepared opponent."""
    gains, _ = packed_die(strategy.game)
    count, holds, rows = steps(strategy), len(opponent.hold) // LANES, max(len(gains), GROUP)
    in_registers = np.array_equal(gains, range(SIX, 1, -1))
    return count * (1 if in_registers else rows + 1) + 2 * holds, count * (rows + 1) + holds


def figures() -> list[dict[str, Any]]:
    """For some strategies against the optimum: what is measured, the bound, and their ratio."""
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    opponent, width, rows = prepare(best), floats_in_a_vector(), []
    for name, player in {
        "the optimum": best, "hold_at:20": pigevo.hold_at(game, 20), "random": pigevo.random_strategy(game, seed=1),
    }.items():  # fmt: skip
        loads, adds = counted(player, opponent)
        turn_values(player.table, opponent)
        hertz = cycles_a_second()  # just before: it changes with the load of the machine
        seconds = least(lambda table=player.table: turn_values(table, opponent), 400)
        bound = max(loads, adds) / A_CYCLE * LANES / width
        cycles = seconds * hertz
        rows.append({
            "strategy": name, "loads": loads, "adds": adds, "width": width, "hertz": hertz, "seconds": seconds,
            "cycles": cycles, "bound": bound, "ratio": cycles / bound,
        })  # fmt: skip
    return rows


if __name__ == "__main__":
    print(json.dumps(figures()))
