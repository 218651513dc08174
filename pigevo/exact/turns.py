"""The turns of a strategy at every pair of scores, prepared for the engines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bytes, Floats, Ints, Tables, read_only
from pigevo.core.machine import byte_lru_cache
from pigevo.exact.boards import BoardTurns, board_turns, prepare_board
from pigevo.exact.kernels import GROUP, DieArrays, Outcomes
from pigevo.exact.kernels import turn_outcomes as outcome_tables
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.grid import DecisionRows, decision_rows


@dataclass(frozen=True, eq=False)
class Turns:
    """The turns of one strategy, in the form of `pigevo.exact.kernels.turn_outcomes`, for any opponent."""

    game: Game
    start: Ints
    low: Ints
    hold: Floats
    leave: Floats

    @property
    def arrays(self) -> Outcomes:
        """The arguments of kernels for an opponent."""
        return self.start, self.low, self.hold, self.leave


@lru_cache(maxsize=64)
def packed_die(game: Game) -> DieArrays:
    """The gains of a game, the largest first, and their probabilities, padded to `GROUP` with chance 0."""
    merged: dict[int, float] = {}
    for points, chance in game.die:  # gains that reach the target are all alike
        merged[min(points, game.target)] = merged.get(min(points, game.target), 0.0) + chance
    gains = np.array(sorted(merged, reverse=True), dtype=np.int64)
    chances = np.array([merged[points] for points in gains.tolist()])
    spare = max(0, GROUP - len(gains))
    return np.pad(gains, (spare, 0), mode="edge"), np.pad(chances, (spare, 0))


def is_fast(strategy: Strategy) -> bool:
    """Whether the fast engine for one-die races can evaluate a strategy; otherwise the general engine does."""
    return strategy.game.one_die and not strategy.is_mixed


@byte_lru_cache(lambda given, turns: given[0].roll.nbytes + sum(array.nbytes for array in turns.arrays))
def fast_turns(strategy: Strategy) -> Turns:
    """The turns of a strategy that is not mixed in a one-die race; the last results are cached."""
    return fast_turns_of(strategy.game, strategy.table[None])


def prepare(strategy: Strategy) -> Turns | BoardTurns:
    """The turns of a strategy, prepared for opponents: `Turns`, or `BoardTurns` for the general engine (`is_fast`)."""
    return fast_turns(strategy) if is_fast(strategy) else prepare_board(strategy)


def turns_of_tables(game: Game, tables: Bytes) -> Turns | BoardTurns:
    """The prepared turns of decisions given as bytes in the game's layout."""
    if not game.one_die:
        return board_turns(game, tables)
    return fast_turns_of(game, tables[None])


def fast_turns_of(game: Game, tables: Tables, which: Ints | None = None) -> Turns:
    """The turns of one strategy that is not mixed in a one-die race; `which` chooses it if there are several."""
    rows, row_of_cell, _ = readable_rows(tables, which)
    return Turns(game, *outcome_tables(rows, row_of_cell, packed_die(game)))


def readable_rows(tables: Tables, which: slice | Ints | None = None) -> DecisionRows:
    """`decision_rows` for kernels that read `LANES` decisions at a time, which in a small game are more than a row."""
    rows, row_of_cell, is_new = decision_rows(tables, which)
    _, count, target = rows.shape
    if target < LANES:
        rows = read_only(np.concatenate([rows, np.zeros((LANES, count, target), np.uint8)]))
    return DecisionRows(rows, row_of_cell, is_new)
