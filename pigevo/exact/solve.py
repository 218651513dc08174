"""The optimal strategy, best responses and their iteration, by exact policy iteration on each score pair.

No tolerance is needed to stop.  A state where rolling is better than holding by no more than
`TIE` is a hold: smaller differences are rounding errors.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bytes, Floats, Ints, ReadOnlyCopies, read_only
from pigevo.core.imports import NotebookDisplay
from pigevo.core.machine import byte_lru_cache
from pigevo.exact.boards import Best, best_response_on_board, optimum_on_board, prepare_board
from pigevo.exact.evaluate import clip_probabilities
from pigevo.exact.kernels import turn_outcomes, win_tables
from pigevo.exact.response_kernels import best_response_tables, optimal_tables
from pigevo.exact.turns import fast_turns, is_fast, packed_die
from pigevo.exact.visit_kernels import visit_tables
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.arguments import checks_arguments, require_whole

LOG = logging.getLogger("pigevo")

NOTABLE = 1e-6  # the least error bound of which there is a warning

TIE = 1e-14  # the largest advantage of a roll that counts as rounding

SMALL_DIE = np.arange(6, 1, -1), np.full(5, 1 / 6)  # a small die, for calls whose only purpose is to compile kernels

WIN = {"pigevo.exact.kernels.win_tables": f"{__name__}:small_win"}
"""The kernel of any win probability, for `pigevo.compiled.cache.compile_ahead`."""

TURNS = {"pigevo.exact.kernels.turn_outcomes": f"{__name__}:small_turns"}
"""The kernel that prepares an opponent; in one process with the one above, what both call is compiled once."""

VISITS = {"pigevo.exact.visit_kernels.visit_tables": f"{__name__}:small_visits"}
"""The kernel of expected visits, by which pictures weigh states."""


@dataclass(frozen=True, eq=False)
class Solution(NotebookDisplay, ReadOnlyCopies):
    """A best strategy with its win probabilities.

    Args:
        strategy: the strategy.
        values: its win probability at the start of its own turn, by the axes that do not change during a turn (in a
            race shape (T, T), by own and opponent's score); for the optimum against itself, for a best response against
            the given opponent.
        value: its win probability when it moves first.
        second: its win probability when the opponent moves first.
        error: proven bound on the error of every win probability, apart from rounding; 0 if the equations are solved
            directly.
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


@checks_arguments
@byte_lru_cache(lambda _, solution: solution.strategy.roll.nbytes + solution.values.nbytes)
def optimal(game: Game) -> Solution:
    """The strategy that no other beats overall (Neller & Presser 2004), with its values.

    If passing is allowed, the optimum passes only where a throw may lose more than the turn: else a bust has the same
    result as a pass, and any other end of the turn is at least as good.

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
    strategy, values = Strategy(game, rolls, "optimal"), clip_probabilities(values)
    values.setflags(write=False)
    return Solution(strategy, values, float(values[0, 0]), 1.0 - float(values[0, 0]))


@checks_arguments
def best_response(opponent: Strategy) -> Solution:
    """The strategy that does best against one given opponent, with its values against it.

    It maximises the win probability in every state, and therefore in both seats.

    Example:
        >>> import pigevo
        >>> answer = pigevo.best_response(pigevo.hold_at(pigevo.Pig(), 20))
        >>> round(answer.value, 6)  # moving first
        0.587368
        >>> best = pigevo.optimal(pigevo.Pig()).strategy
        >>> round(pigevo.win_probability(best, pigevo.hold_at(pigevo.Pig(), 20)).first, 6)  # the optimum wins less
        0.571498
    """
    game, name = opponent.game, f"best response to {opponent.name}"
    if not is_fast(opponent):
        return _on_board(game, best_response_on_board(prepare_board(opponent), TIE), name)
    die, turns = packed_die(game), fast_turns(opponent).arrays
    moving, waiting, rolls = best_response_tables(game.target, die, game.allow_pass, TIE, turns)
    strategy = Strategy(game, np.asarray(rolls), name)
    moving, waiting = clip_probabilities(moving), clip_probabilities(waiting)
    moving.setflags(write=False)
    return Solution(strategy, moving, float(moving[0, 0]), float(waiting[0, 0]))


def _on_board(game: Game, best: Best, name: str) -> Solution:
    if best.worth.error > NOTABLE:
        _warn_once(f"{name} of {game}: {_known_to(best.worth.error)}.")
    rolls = game.from_layout(best.tables.view(np.bool_))
    values = clip_probabilities(best.worth.moving.reshape([len(axis.values) for axis in game.between]))
    values.setflags(write=False)
    return Solution(Strategy(game, rolls, name), values, *best.worth.seats, error=best.worth.error)


def _known_to(error: float) -> str:
    if math.isinf(error):
        return "no bound on the error of its win probabilities is proven, since scores fall too often"
    return f"its win probabilities are proven to within {error:.2g} only, and another strategy may win more"


@lru_cache(maxsize=256)
def _warn_once(sentence: str) -> None:
    LOG.warning("%s", sentence)


@checks_arguments
def iterated_best_response(start: Strategy, rounds: int = 50) -> Iterator[Solution]:
    """The best response to `start`, the best response to that response, and so on.

    The iteration ends when a strategy is its own best response, which is an equilibrium.

    Args:
        start: the opponent in the first round.
        rounds: the largest number of rounds.

    Yields:
        The solution of each round, with values against the strategy of the previous round.

    Example:
        >>> import pigevo
        >>> steps = list(pigevo.iterated_best_response(pigevo.hold_at(pigevo.Pig(target=20), 5)))
        >>> steps[-1].strategy == steps[-2].strategy, round(steps[-1].value, 6)
        (True, 0.615559)
    """
    require_whole("iterated_best_response", rounds=rounds)
    for _ in range(rounds):
        answer = best_response(start)
        yield answer
        if answer.strategy == start:
            return
        start = answer.strategy


def small_win() -> None:
    """Call the kernel of win probabilities, with turns prepared without another kernel."""
    T = 2
    turns = np.zeros((T, T + 1), np.int64), np.zeros((T, T), np.int64), np.zeros(0), np.ones((T, T))
    win_tables(*_small_rows(T), read_only(np.ones(T, np.bool_)), np.zeros(1, np.int64), SMALL_DIE, turns)


def small_turns() -> None:
    """Call the kernel that prepares an opponent."""
    turn_outcomes(*_small_rows(2), SMALL_DIE)


def small_visits() -> None:
    """Call the kernel of expected visits."""
    rows, leave = read_only(np.zeros((2, 2, 2), np.uint8)), np.ones((2, 2))
    visit_tables(rows, rows, SMALL_DIE, leave, leave, True)


def _small_rows(T: int) -> tuple[Bytes, Ints]:
    return read_only(np.zeros((LANES, 1, T), np.uint8)), read_only(np.zeros((T, T), np.int64))
