"""The optimal strategy, best responses and their iteration, by exact policy iteration on each score pair.

Neither ever needs a tolerance to stop.  In the array, a state where rolling is worth no
more than `TIE` over holding is a hold: differences below it are rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, read_only
from pigevo.core.byte_lru_cache import byte_lru_cache
from pigevo.core.notebook import NotebookDisplay
from pigevo.exact.boards import Best, best_response_on_board, optimum_on_board, prepare_board
from pigevo.exact.evaluate import within
from pigevo.exact.kernels import win_tables
from pigevo.exact.response_kernels import best_response_tables, optimal_tables
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.games import Game
from pigevo.strategies import Strategy

TIE = 1e-14

SMALL_DIE = np.arange(6, 1, -1), np.full(5, 1 / 6)
"""A small die, for calls that only compile kernels."""

WIN = {"pigevo.exact.kernels.win_tables": f"{__name__}:small_win"}
"""The kernels of every win probability, for `pigevo.compiled.cache.compile_ahead`."""

OPTIMUM = {"pigevo.exact.response_kernels.optimal_tables": f"{__name__}:small_optimum"}
"""The kernels of the optimum, compiled ahead where other kernels are needed first."""


@dataclass(frozen=True, eq=False)
class Solution(NotebookDisplay):
    """A strategy that is best, with its win probabilities.

    Args:
        strategy: the strategy.
        values: its win probability at the start of its own turn, by the axes that stand still during a turn: in a
            race shape (T, T), by own and opponent's score; against itself for the optimum, against the given opponent
            for a best response.
        value: its win probability when it moves first.
        second: its win probability when the opponent moves first.
        error: proven bound on the error of every win probability, rounding aside; 0 where the equations are solved
            outright.
    """

    strategy: Strategy
    values: Floats
    value: float
    second: float
    error: float = 0.0

    @property
    def overall(self) -> float:
        """The mean of both seats."""
        return (self.value + self.second) / 2

    def __repr__(self) -> str:
        return f"Solution({self.strategy.name!r}, value={self.value:.6f}, second={self.second:.6f})"


@byte_lru_cache(lambda _, solution: solution.strategy.roll.nbytes + solution.values.nbytes)
def optimal(game: Game) -> Solution:
    """The strategy that no other beats overall (Neller & Presser 2004), with its values.

    Where passing is allowed the optimum never passes: a bust leads to the same place as a
    pass, and any other end of the turn is at least as good.

    Example:
        >>> import pigevo
        >>> best = pigevo.optimal(pigevo.Pig())
        >>> round(best.value, 6), round(best.second, 6)  # moving first, and second
        (0.530593, 0.469407)
        >>> best.strategy.name
        'optimal'
    """
    if not game.one_die:
        return _on_board(game, optimum_on_board(game, TIE), "optimal")
    values, rolls = optimal_tables(game.target, packed_die(game), TIE)
    strategy, values = Strategy(game, rolls, "optimal"), within(values)
    values.setflags(write=False)
    return Solution(strategy, values, float(values[0, 0]), 1.0 - float(values[0, 0]))


def best_response(opponent: Strategy) -> Solution:
    """The strategy that does best against one given opponent, with its values against it.

    It maximises the win probability in every state, and so in both seats at once.

    Example:
        >>> import pigevo
        >>> answer = pigevo.best_response(pigevo.hold_at(pigevo.Pig(), 20))
        >>> round(answer.value, 6)  # moving first
        0.587368
        >>> round(pigevo.optimal(pigevo.Pig()).value, 6)  # the optimum wins less against it, and more against everybody
        0.530593
    """
    game, name = opponent.game, f"best response to {opponent.name}"
    if not is_fast(opponent):
        return _on_board(game, best_response_on_board(prepare_board(opponent), TIE), name)
    die, turns = packed_die(game), prepare(opponent).arrays
    moving, waiting, rolls = best_response_tables(game.target, die, game.allow_pass, TIE, turns)
    strategy = Strategy(game, np.asarray(rolls), name)
    moving, waiting = within(moving), within(waiting)
    moving.setflags(write=False)
    return Solution(strategy, moving, float(moving[0, 0]), float(waiting[0, 0]))


def _on_board(game: Game, best: Best, name: str) -> Solution:
    rolls = game.from_layout(best.tables.view(np.bool_))
    values = within(best.worth.moving.reshape([len(axis.values) for axis in game.between]))
    values.setflags(write=False)
    return Solution(Strategy(game, rolls, name), values, *best.worth.seats, error=best.worth.error)


def iterated_best_response(start: Strategy, rounds: int = 50) -> Iterator[Solution]:
    """The best response to `start`, the best response to that, and so on.

    It ends when a response is the strategy that it answers: a fixed array, which is an
    equilibrium with itself.

    Args:
        start: what the first round answers.
        rounds: how many rounds at the most.

    Yields:
        The solution of each round, its values those against the round before.

    Example:
        >>> import pigevo
        >>> steps = list(pigevo.iterated_best_response(pigevo.hold_at(pigevo.Pig(target=20), 5)))
        >>> steps[-1].strategy == steps[-2].strategy, round(steps[-1].value, 6)
        (True, 0.615559)
    """
    for _ in range(rounds):
        answer = best_response(start)
        yield answer
        if answer.strategy == start:
            return
        start = answer.strategy


def small_win() -> None:
    """Call the kernel of win probabilities, against turns that no other kernel has prepared."""
    T = 2
    player = read_only(np.zeros((1, T, T, T), np.uint8))
    turns = np.zeros((T, T + 1), np.int64), np.zeros((T, T), np.int64), np.zeros(0), np.ones((T, T))
    win_tables(player, np.zeros(1, np.int64), SMALL_DIE, turns)


def small_optimum() -> None:
    """Call the kernel of the optimum."""
    optimal_tables(2, SMALL_DIE, TIE)
