"""Win probabilities, the optimum and best responses in any game, from its board.

In this file a pass goes over all states, from the end of the game backwards; a player's pass is a hold at 0 points.

If scores only grow, one pass over the states solves the equations.  If a score can fall, the values `F` at the low
states (those reached by a fall) are unknowns, and a pass is a linear monotone map `T`: the solution is its fixed point.
The error of an approximate `F` is bounded by proof and not by the size of the last change: if `X - T0(X) >= k > 0`,
where `T0` is `T` without its constants, the error of every value is at most `max |F - T(F)| max(X) / k`, apart from
rounding.  Where play falls too often for passes, the falls are a Markov chain that is solved directly.

A best response in such a game is found by policy iteration: the best turns for the present values at the low states
give decisions, the values of these decisions are solved for, and so on.  Its error bound is the same, with the pass
that takes the best turn everywhere: no strategy does better than the fixed point.  The optimum is verified by its own
best response: the gain of that response over the optimum's value against itself bounds the error of every value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bytes, Decisions, Floats
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import InputError
from pigevo.exact.absorbing_chain import AbsorbingChain, chain_of
from pigevo.exact.board_kernels import Ends, evaluation_pass, optimal_pass, response_pass, turn_ends
from pigevo.games.board import Board, board_of
from pigevo.games.game import Game
from pigevo.strategies import Strategy

PLAIN_PASSES = 80  # the number of passes after which the falls are solved directly
FEW_TERMS = 8  # if after so many passes nearly all falls go on, the falls are solved directly at once
ENOUGH_ENDS = 0.01  # the least share of falls that must end by then

ENOUGH = 1e-15  # the largest change by a pass that ends the iteration
MOST_TERMS = 200  # the largest number of terms in `bound_on_falls`

Pass = Callable[..., Floats]
"""Maps the values at a board's low states, shape (2, low states), to those after a pass."""


@dataclass(frozen=True, eq=False)
class BoardTurns:
    """The turns of one strategy on a board (`board_kernels.turn_ends`)."""

    game: Game
    ends: Ends

    @property
    def arrays(self) -> Ends:
        """The arguments of kernels for an opponent."""
        return self.ends


@dataclass(frozen=True, eq=False)
class Worth:
    """The value of a game to one player in every state between turns, with the player and with the opponent to move.

    Each array has shape (B,), by states in the view of the player to move; `error` bounds the error of every value,
    apart from rounding.
    """

    moving: Floats
    waiting: Floats
    opening: int
    error: float = 0.0

    @property
    def seats(self) -> tuple[float, float]:
        """The values of moving first and of moving second."""
        return float(self.moving[self.opening]), float(self.waiting[self.opening])


Payoffs = tuple[float, float, float]  # of a win, a draw and a loss
NO_PAYOFFS: Payoffs = (0.0, 0.0, 0.0)
ANY_END: Payoffs = (1.0, 1.0, 1.0)
DRAWS: Payoffs = (0.0, 1.0, 0.0)  # with them the value of a game is the probability of a draw


def payoffs_of(game: Game) -> Payoffs:
    """The game's payoffs, the same for both players."""
    return 1.0, game.draw, 0.0


def board_turns(game: Game, tables: np.ndarray) -> BoardTurns:
    """The turns of a strategy, prepared for the engine, from its decisions."""
    board = board_of(game)
    decisions = np.ascontiguousarray(tables).reshape(board.rows)
    return BoardTurns(game, turn_ends(decisions, board.turn, board.partner))


@byte_lru_cache(lambda given, turns: given[0].roll.nbytes + sum(array.nbytes for array in turns.arrays))
def prepare_board(strategy: Strategy) -> BoardTurns:
    """The turns of a strategy on its game's board; the last few results are cached."""
    return board_turns(strategy.game, strategy.table)


def worth(mine: BoardTurns, theirs: BoardTurns, payoffs: Payoffs | None = None) -> Worth:
    """The values of a game to the first of two players, with the game's or given payoffs."""
    board, payoffs = board_of(mine.game), payoffs or payoffs_of(mine.game)
    values = np.zeros((2, board.states + 3))
    one_pass, shape = _evaluation(board, mine, theirs, values), (2, len(board.low))
    falls = bound_on_falls(one_pass, shape, FEW_TERMS, ENOUGH_ENDS) if len(board.low) else 0.0  # without payoffs yet
    _write_results(values, payoffs)
    if falls < np.inf:
        win, _, loss = payoffs
        change, low = np.inf, np.full(shape, (win + loss) / 2)
        for _ in range(PLAIN_PASSES):
            after = one_pass(low)
            change, low = float(np.abs(after - low).max(initial=0.0)), after
            if change <= ENOUGH:
                return _worth_of(board, values, change * falls)
    gains = one_pass(np.zeros(shape)).ravel()
    low = _chain(one_pass, values, shape).expected(gains).reshape(shape)
    _write_results(values, payoffs)
    one_pass(low)
    return _worth_of(board, values)


def chain_of_falls(mine: BoardTurns, theirs: BoardTurns) -> AbsorbingChain:
    """The chain of the low states at which turns begin, with the first player to move, then with the second."""
    board = board_of(mine.game)
    values = np.zeros((2, board.states + 3))
    return _chain(_evaluation(board, mine, theirs, values), values, (2, len(board.low)))


def _evaluation(board: Board, mine: BoardTurns, theirs: BoardTurns, values: Floats) -> Pass:
    """The pass of two players over `values`, shape (2, B + 3), which have the payoffs."""
    moving, waiting = values

    def one_pass(low: Floats, stalemate: float = 0.0) -> Floats:
        values[:, board.low] = low
        evaluation_pass(board.order, board.partner, mine.ends, theirs.ends, moving, waiting, stalemate)
        return values[:, board.low]

    return one_pass


def _chain(one_pass: Pass, values: Floats, shape: tuple[int, ...]) -> AbsorbingChain:
    """The chain of falls of a linear pass: a unit vector gives the chances of a low state to follow each of them.

    It ends by any end of the game, stalemates included.
    """
    _write_results(values, NO_PAYOFFS)
    steps = [one_pass(unit.reshape(shape)).ravel() for unit in np.eye(math.prod(shape))]
    _write_results(values, ANY_END)
    return chain_of(np.stack(steps, axis=1), one_pass(np.zeros(shape), stalemate=1.0).ravel())


def by_turn_state(strategy: Strategy) -> Decisions:
    """The decisions by state of a turn and state between turns, shape (W, B), in the board's numbering."""
    board = board_of(strategy.game)
    return strategy.table.reshape(board.rows).transpose(1, 0, 2).reshape(len(board.hold), -1)


def by_axes(game: Game, values: Floats) -> Floats:
    """Values of shape (W, B) in the shape of a strategy."""
    rows, _, length = board_of(game).rows
    return np.asarray(game.from_layout(values.reshape(-1, rows, length).transpose(1, 0, 2)))


def turn_backwards(strategy: Strategy, after: Floats, worth: Floats) -> Iterator[tuple[int, Floats, Floats]]:
    """For each state of a turn, last to first, its number and the values of rolling and holding, shape (B,).

    `after`, shape (B + 3,), has the values after the turn, with those of the game's results. The value of the state
    under the strategy is written to `worth`, shape (W, B). A hold at a turn total of 0 counts as any other hold, though
    two of them in a row may end the game.
    """
    board, rolls = board_of(strategy.game), by_turn_state(strategy)
    for w in range(len(rolls) - 1, -1, -1):
        rolled, held = np.zeros(board.states), after[board.follow[board.hold[w]]]
        for n in range(board.begin[w], board.begin[w + 1]):
            lead = board.leads[n]
            rolled += board.chances[n] * (worth[lead] if lead >= 0 else after[board.follow[-1 - lead]])
        worth[w] = np.where(rolls[w] == 1, rolled, held + rolls[w] * (rolled - held))
        yield w, rolled, held


def bound_on_falls(one_pass: Pass, shape: tuple[int, ...], terms: int = MOST_TERMS, enough: float = 0.5) -> float:
    """A bound on the expected number of falls to low states, given a pass without constants; infinite if none is found.

    `X` is the sum of the results of 0, 1, 2, ... passes from ones; `X - T0(X) >= k` is checked, and `max(X) / k`
    returned.
    """
    # If T0 is linear, total - T0(total) is 1 minus the next term of the sum, and the terms get small.
    total = np.ones(shape)
    for _ in range(terms):
        after = one_pass(total)
        least = float((total - after).min())
        if least >= enough:
            return float(total.max()) / least
        total = 1.0 + after
    return float("inf")


def _bound_on_error(one_pass: Pass, low: Floats, residual: float, values: Floats, payoffs: Payoffs) -> float:
    """The bound on the error of every value, if one more pass changes `low` by `residual`; `values` stay the same."""
    if not low.size:
        return 0.0
    _write_results(values, NO_PAYOFFS)  # leaves the pass without its constants, which is T0 in the bound above
    bound = residual * bound_on_falls(one_pass, low.shape)
    _write_results(values, payoffs)
    one_pass(low)
    return bound


def _worth_of(board: Board, values: Floats, error: float = 0.0) -> Worth:
    """The values of a board's states, without those of the game's results."""
    return Worth(values[0, : board.states].copy(), values[1, : board.states].copy(), board.opening, error)


MOST_ROUNDS = 200  # the largest number of rounds of policy iteration
SAME = 1e-14  # the largest change in a round that ends policy iteration


@dataclass(frozen=True, eq=False)
class Best:
    """The best decisions, flat in the engines' layout, and the values of the game to a player who uses them."""

    tables: Bytes
    worth: Worth


def best_response_on_board(opponent: BoardTurns, tie: float) -> Best:
    """The best decisions against given turns, with their values."""
    board = board_of(opponent.game)
    values = np.zeros((2, board.states + 3))
    moving, waiting = values
    decisions = np.zeros(board.rows, np.uint8)

    def one_pass(low: Floats) -> Floats:
        values[:, board.low] = low
        passing = board.game.allow_pass
        response_pass(board.order, board.partner, board.turn, opponent.ends, tie, passing, moving, waiting, decisions)
        return values[:, board.low]

    low, residual = _policy_iteration(board, one_pass, values, decisions, opponent)
    best = decisions.copy()
    error = _bound_on_error(one_pass, low, residual, values, payoffs_of(board.game))
    return Best(best, _worth_of(board, values, error))


def _policy_iteration(
    board: Board, one_pass: Pass, values: Floats, decisions: Bytes, opponent: BoardTurns
) -> tuple[Floats, float]:
    """Policy iteration on the values at the low states; returns the final values and the change by one more pass."""
    _write_results(values, payoffs_of(board.game))
    low = one_pass(np.full((2, len(board.low)), 0.5))
    for _ in range(MOST_ROUNDS if len(board.low) else 0):
        mine = worth(board_turns(board.game, decisions), opponent)
        low = np.stack([mine.moving, mine.waiting])[:, board.low]
        after = one_pass(low)
        if np.abs(after - low).max() <= SAME:
            return after, float(np.abs(one_pass(after) - after).max())
        low = after
    after = one_pass(low)
    return after, float(np.abs(one_pass(after) - after).max(initial=0.0))


def optimum_on_board(game: Game, tie: float) -> Best:
    """The optimal decisions (best against themselves), with their values and a proven error bound.

    In games with a fixed number of turns each player maximises its own value from the last turn backwards, also if a
    draw is not worth a half.
    """
    board = board_of(game)
    if game.target and game.can_draw and game.draw != 0.5:
        raise InputError("a draw must be worth a half in a race.")
    values, decisions = np.zeros((2, board.states + 3)), np.zeros(board.rows, np.uint8)
    _write_results(values, payoffs_of(board.game))
    low = np.full((2, len(board.low)), 0.5)
    for number in range(MOST_ROUNDS):
        values[:, board.low] = low
        passing = game.allow_pass
        optimal_pass(board.order, board.partner, board.turn, tie, passing, values[0], values[1], decisions)
        after = values[:, board.low]
        change = np.abs(after - low).max(initial=0.0)
        if change <= SAME:
            break
        low = after
        # The values of these decisions against themselves are closer than one more pass, but they need not converge, so
        # later rounds use the pass alone.
        if number < MOST_ROUNDS // 2:
            own = board_turns(game, decisions)
            mine = worth(own, own)
            low = np.stack([mine.moving, mine.waiting])[:, board.low]
    value = _worth_of(board, values)
    if len(board.low) or (game.allow_pass and game.falls):
        value = _proven(game, decisions, tie)
    return Best(decisions, value)


def _proven(game: Game, decisions: Bytes, tie: float) -> Worth:
    """The values of decisions against themselves; the error is the largest gain of a best response in any state."""
    turns = board_turns(game, decisions)
    mine = worth(turns, turns)
    best = best_response_on_board(turns, tie).worth
    gain = max(float((best.moving - mine.moving).max()), float((best.waiting - mine.waiting).max()), 0.0)
    return Worth(mine.moving, mine.waiting, mine.opening, gain + best.error + mine.error)


def _write_results(values: Floats, payoffs: Payoffs) -> None:
    """Write the values of the game's results to the player to move and to the other one, after those of the states."""
    win, draw, loss = payoffs
    values[:, -3:] = (win, draw, loss), (loss, draw, win)
