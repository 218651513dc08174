"""Win probabilities in any game, from its board.

Where scores only grow, one pass over the states solves the equations.  Where a score can fall, the worths at the states
that a fall leads back to are unknowns `F`, and a pass maps them to `T(F)`, linear and monotone: the solution is its
fixed point.  How far a found `F` can be from it is proven, not taken from the change that is left: if `X` is such that
`X - T0(X) >= k > 0`, where `T0` is `T` without its constants, every worth is wrong by at most
`max |F - T(F)| max(X) / k`, rounding aside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pigevo.arrays import Floats, Ints, Ints32
from pigevo.exact.board_kernels import evaluation_pass, turn_ends
from pigevo.games.board import Board, board_of
from pigevo.games.game import Game
from pigevo.kept import kept
from pigevo.strategies import Strategy

PLAIN_PASSES = 80
"""Passes after which the system of the unknowns is set up and solved."""

ENOUGH = 1e-15
MOST_LOOPS = 200

Pass = Callable[[Floats], Floats]
"""The worths at a board's low states after a pass, shape (2, low states), from those before."""


@dataclass(frozen=True, eq=False)
class BoardTurns:
    """The turns of one strategy on a board, ready to be met by any opponent.

    Args:
        game: the game.
        start, to, chance, stay, passes: see `pigevo.exact.board_kernels.turn_ends`.
        fixed: whether no decision is left to chance.
    """

    game: Game
    start: Ints
    to: Ints32
    chance: Floats
    stay: Floats
    passes: Floats
    fixed: bool = True

    @property
    def arrays(self) -> tuple[Ints, Ints32, Floats, Floats, Floats]:
        """What the passes take."""
        return self.start, self.to, self.chance, self.stay, self.passes


@dataclass(frozen=True, eq=False)
class Worth:
    """What a game is worth to one player in every state between turns.

    Args:
        moving: with the player to move, by its own view, shape (B,).
        waiting: with the opponent to move, by the opponent's view, shape (B,).
        opening: the state in which a game begins.
        error: how far any of them can be from the truth, rounding aside.
    """

    moving: Floats
    waiting: Floats
    opening: int
    error: float = field(default=0.0)

    @property
    def seats(self) -> tuple[float, float]:
        """The worth of moving first, and of moving second."""
        return float(self.moving[self.opening]), float(self.waiting[self.opening])


def board_turns(game: Game, tables: np.ndarray) -> BoardTurns:
    """The prepared turns of decisions in the layout of the engines."""
    board = board_of(game)
    decisions = np.ascontiguousarray(tables).reshape(board.rows)
    found = turn_ends(decisions, board.begin, board.leads, board.chances, board.hold, board.follow, board.partner)
    return BoardTurns(game, *found, fixed=tables.dtype != np.float64)


@kept(lambda given, found: given[0].roll.nbytes + sum(array.nbytes for array in found.arrays))
def prepare_board(strategy: Strategy) -> BoardTurns:
    """The turns of a strategy on its game's board; the last few are remembered."""
    return board_turns(strategy.game, strategy.table)


def worth(
    mine: BoardTurns, theirs: BoardTurns, win: float, draw: float, loss: float = 0.0, proof: bool = True
) -> Worth:
    """What games between two players are worth to the first one.

    Args:
        mine: its turns.
        theirs: the opponent's.
        win, draw, loss: what it gets at these ends.
        proof: whether the error is wanted, which takes longer where scores can fall.
    """
    board = board_of(mine.game)
    seen = np.zeros((2, board.states + 3))
    moving, waiting = seen

    def once(low: Floats) -> Floats:
        seen[:, board.low] = low
        evaluation_pass(board.order, board.partner, *mine.arrays, *theirs.arrays, moving, waiting)
        return seen[:, board.low]

    def ends(win: float, draw: float, loss: float) -> None:
        waiting[board.states :] = loss, draw, win
        moving[board.states :] = win, draw, loss

    ends(win, draw, loss)
    low, missed = fixed_point(once, np.full((2, len(board.low)), (win + loss) / 2))
    error = 0.0
    if proof and len(board.low):
        ends(0.0, 0.0, 0.0)
        error = missed * loops(once, low.shape)
        ends(win, draw, loss)
        once(low)
    return Worth(moving[: board.states].copy(), waiting[: board.states].copy(), board.opening, error)


def board_state_values(a: Strategy, b: Strategy) -> Floats:
    """What a game is worth to `a`, to move, in every state against `b`, in the shape of a strategy."""
    game, board = a.game, board_of(a.game)
    found = worth(prepare_board(a), prepare_board(b), *symmetric(board), proof=False)
    after = np.append(found.waiting, symmetric(board)[::-1])
    rolls = a.table.reshape(board.rows).transpose(1, 0, 2).reshape(len(board.hold), -1)
    values = np.empty(rolls.shape)
    for w in range(len(values) - 1, -1, -1):
        rolled = np.zeros(board.states)
        for chance, state in zip(
            *(part[board.begin[w] : board.begin[w + 1]] for part in (board.chances, board.leads)), strict=True
        ):
            rolled += chance * (values[state] if state >= 0 else after[board.follow[-1 - state]])
        held = after[board.follow[board.hold[w]]]
        values[w] = held + rolls[w] * (rolled - held)
    values[0] = found.moving  # there a hold is a pass, which may end the game: the pass over the states knows
    rows = values.reshape(-1, board.rows[0], board.rows[2]).transpose(1, 0, 2)
    layout = game.layout
    return rows.reshape([game.shape[axis] for axis in layout]).transpose(np.argsort(layout)).copy()


def fixed_point(once: Pass, low: Floats) -> tuple[Floats, float]:
    """The worths that a linear pass leaves as they are, and by how much it still changes them."""
    for _ in range(PLAIN_PASSES):
        after = once(low)
        if not after.size or np.abs(after - low).max() <= ENOUGH:
            return after, float(np.abs(after - low).max(initial=0.0))
        low = after
    low = _solved(once, low.shape)
    return low, float(np.abs(once(low) - low).max())


def _solved(once: Pass, shape: tuple[int, ...]) -> Floats:
    """The fixed point of a linear pass from its matrix, a column for each pass."""
    constant = once(np.zeros(shape)).ravel()
    columns = [once(unit.reshape(shape)).ravel() - constant for unit in np.eye(constant.size)]
    solved = np.linalg.lstsq(np.eye(constant.size) - np.stack(columns, axis=1), constant)[0]
    return np.asarray(solved, np.float64).reshape(shape)


def loops(once: Pass, shape: tuple[int, ...]) -> float:
    """A bound on how often play can fall back to low states, given a pass without constants; infinite if none is found.

    With `X` the sum of what 0, 1, 2, ... passes make of ones, `X - T0(X) >= k` is checked, and `max(X) / k` returned.
    """
    total = np.ones(shape)
    for _ in range(MOST_LOOPS):
        after = once(total)
        least = float((total - after).min())
        if least >= 0.5:
            return float(total.max()) / least
        total = 1.0 + after
    return float("inf")


def symmetric(board: Board) -> tuple[float, float, float]:
    """What win, draw and loss are worth to either player: a draw is worth what the game says."""
    return 1.0, board.game.draw, 0.0
