"""The distribution of the outcomes of a strategy's turns, for every pair of scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, Tables
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import InputError
from pigevo.exact.boards import BoardTurns, board_turns, prepare_board
from pigevo.exact.kernels import GROUP, Die, Outcomes
from pigevo.exact.kernels import turn_outcomes as outcome_tables
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.grid import decision_rows


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
def packed_die(game: Game) -> Die:
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
    return Turns(game, *outcome_tables(*decision_rows(tables, which), packed_die(game)))


def turn_outcomes(strategy: Strategy, i: int = 0, j: int = 0) -> dict[int, float]:
    """The distribution of the points that one turn banks.

    Args:
        strategy: the strategy that plays the turn.
        i: its banked score.
        j: the opponent's banked score.

    Returns:
        Points banked, ascending, with their probabilities; 0 stands for a bust (and for a
        pass), and a win counts the whole turn total, which may exceed the points needed.

    Raises:
        InputError: a score is outside the game, or the game is not a one-die race.

    Example:
        >>> import pigevo
        >>> outcomes = pigevo.turn_outcomes(pigevo.hold_at(pigevo.Pig(), 20))
        >>> {points: round(chance, 4) for points, chance in outcomes.items()}
        {0: 0.6245, 20: 0.0997, 21: 0.095, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    """
    game = strategy.game
    if not is_fast(strategy):
        raise InputError(
            "outcomes of turns are known for races of one die and strategies without chance, "
            f"not for {strategy.name} in {game}."
        )
    if not (0 <= i < game.target and 0 <= j < game.target):
        raise InputError(f"scores {i} and {j} are outside the game: they must be from 0 to {game.target - 1}.")
    stand = {0: 1.0}
    banked: dict[int, float] = {0: 0.0}
    while stand:
        k = min(stand)
        chance = stand.pop(k)
        if i + k >= game.target or not strategy.roll[i, j, k]:
            banked[k] = banked.get(k, 0.0) + chance
            continue
        banked[0] += chance * game.bust
        for points, p in game.die:
            stand[k + points] = stand.get(k + points, 0.0) + chance * p
    return dict(sorted(banked.items()))


def mean_turns_alone(strategy: Strategy, j: int = 0) -> float:
    """The mean number of turns in which a strategy reaches the target while the opponent's score stays at `j`.

    From score `i` it is `(1 + sum of chance * turns from i + points) / (1 - bust)`, and infinite if a turn never banks
    anything.

    Raises:
        InputError: as `turn_outcomes`.

    Example:
        >>> import pigevo
        >>> round(pigevo.exact.mean_turns_alone(pigevo.hold_at(pigevo.Pig(), 20)), 4)
        12.6368
    """
    target = strategy.game.target
    turns = np.zeros(target)
    for i in range(target - 1, -1, -1):
        outcomes = turn_outcomes(strategy, i, j)
        stays = outcomes.pop(0)
        left = 1 + sum(chance * turns[i + points] for points, chance in outcomes.items() if i + points < target)
        turns[i] = left / (1 - stays) if stays < 1 else np.inf
    return float(turns[0])
