"""Win probabilities of given strategies, by solving the linear equations of the game.

In one-die races between strategies that are not mixed, scores never fall, so the equations separate into one pair of
unknowns for each pair of banked scores, solved in one pass from the target down (Exeter 2016, section 3.5; Exeter 2017,
section 2).  All other games are solved by `pigevo.exact.boards`.  If passing is allowed, a game may end in a stalemate,
which is a loss for both, and the two players' win probabilities are solved separately.

To check the floats, `rational_win_probability` solves the same equations with Python's `fractions`, where nothing is
rounded.  The fractions grow quickly: targets up to about 20 for Pig take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from pigevo.compiled.simd import LANES
from pigevo.core.arrays import Bytes, Floats, Ints, Tables
from pigevo.core.imports import NotebookDisplay
from pigevo.core.machine import Progress, available_cores, map_threads
from pigevo.errors import InputError
from pigevo.exact.boards import (
    DRAWS,
    BoardTurns,
    board_turns,
    by_axes,
    by_turn_state,
    payoffs_of,
    prepare_board,
    turn_backwards,
    worth,
)
from pigevo.exact.kernels import win_tables
from pigevo.exact.turns import Turns, fast_turns, fast_turns_of, is_fast, packed_die, readable_rows
from pigevo.games import Game
from pigevo.strategies import Members, Strategy, same_game
from pigevo.strategies.arguments import checks_arguments, strategies_of

TOGETHER = 8  # the number of strategies evaluated together: their win probabilities fit into a core's cache
LEAST_OF_A_THREAD = 4  # the number of strategies at least that are worth another thread
ROUNDING = 1e-12  # a smaller difference between 1 and both players' win probabilities is rounding, no stalemate


@dataclass(frozen=True)
class WinProbability(NotebookDisplay):
    """The win probability of one strategy against another.

    Args:
        first: win probability of the first strategy when it moves first; a draw has the game's value of a draw.
        second: win probability of the first strategy when it moves second.
        stalemate_first: probability of a stalemate when it moves first.
        stalemate_second: probability of a stalemate when it moves second.
        draw_first: probability of a draw when it moves first.
        draw_second: probability of a draw when it moves second.
        error: proven bound on the error of each, apart from rounding; 0 if the equations are solved directly.
    """

    first: float
    second: float
    stalemate_first: float = 0.0
    stalemate_second: float = 0.0
    draw_first: float = 0.0
    draw_second: float = 0.0
    error: float = 0.0

    @property
    def overall(self) -> float:
        """The mean of both seats."""
        return (self.first + self.second) / 2


@checks_arguments
def win_probability(a: Strategy, b: Strategy) -> WinProbability:
    """The exact win probability of `a` against `b`, in both seats.

    Raises:
        InputError: the strategies play different games.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> p = pigevo.win_probability(pigevo.hold_at(game, 20), pigevo.optimal(game).strategy)
        >>> round(p.first, 6), round(p.second, 6), round(p.overall, 6)
        (0.491658, 0.428502, 0.46008)
    """
    same_game(a, b)
    if not (is_fast(a) and is_fast(b)):
        return _on_board(prepare_board(a), prepare_board(b))
    mine, waiting = turn_values(a.table, fast_turns(b))
    first, second = float(mine[0, 0]), float(waiting[0, 0])
    if not a.game.allow_pass:
        return WinProbability(first, second)
    # Nobody wins a stalemate: its probability is what both players' win probabilities leave of 1.
    theirs, theirs_waiting = turn_values(b.table, fast_turns(a))
    stalemates = _left_of_one(first, float(theirs_waiting[0, 0])), _left_of_one(second, float(theirs[0, 0]))
    return WinProbability(first, second, *stalemates)


def _on_board(mine: BoardTurns, theirs: BoardTurns) -> WinProbability:
    game, nothing = mine.game, (0.0, 0.0)
    own = worth(mine, theirs)
    draws = worth(mine, theirs, DRAWS).seats if game.can_draw else nothing
    stalemates = nothing
    if game.allow_pass and game.target:
        their = worth(theirs, mine)
        excess = [(2 * game.draw - 1) * share for share in draws]  # over 1, of both players' values of a draw
        first, second = own.seats
        stalemates = _left_of_one(first, their.seats[1] - excess[0]), _left_of_one(second, their.seats[0] - excess[1])
    first, second = np.clip(own.seats, 0.0, 1.0).tolist()
    return WinProbability(first, second, *stalemates, *draws, error=own.error)


@checks_arguments
def win_matrix(strategies: Iterable[Strategy], workers: int | None = None) -> Floats:
    """The overall win probability of each strategy (row) against each (column), shape (n, n).

    In constant-sum games half of the matrix is solved, and the other half is 1 minus that.

    Args:
        strategies: strategies for one game.
        workers: threads, all cores by default; the result does not depend on it.

    Raises:
        InputError: the strategies are for different games.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> pigevo.win_matrix([pigevo.hold_at(game, n) for n in (20, 25)]).round(4)
        array([[0.5   , 0.4883],
               [0.5117, 0.5   ]])
    """
    players = strategies_of("win_matrix", strategies)
    for strategy in players[1:]:
        same_game(players[0], strategy)
    if not players:
        return np.empty((0, 0))
    game, threads = players[0].game, workers or available_cores()
    if not any(s.is_mixed for s in players):
        return matrix_of_tables(game, np.stack([s.table for s in players]), threads)

    def overall_of(pair: Sequence[int]) -> float:
        return win_probability(players[pair[0]], players[pair[1]]).overall

    return _matrix(game, len(players), lambda pairs: np.array(map_threads(overall_of, pairs.tolist(), threads)))


def matrix_of_tables(game: Game, tables: Tables, workers: int = 1) -> Floats:
    """`win_matrix` for decisions as bytes in the game's layout, in a race of shape (n, own, turn total, opponent)."""
    return _matrix(game, len(tables), lambda pairs: pairs_of_tables(game, tables, pairs, workers).mean(axis=1))


def _matrix(game: Game, n: int, overall_of: Callable[[Ints], Floats]) -> Floats:
    """The matrix of overall win probabilities, given those of pairs of indices, shape (pairs, 2)."""
    first, second = np.triu_indices(n, 1) if game.constant_sum else np.indices((n, n)).reshape(2, -1)
    overall = overall_of(np.stack([first, second], axis=1))
    matrix = np.full((n, n), 0.5)
    matrix[first, second] = overall
    if game.constant_sum:
        matrix[second, first] = 1 - overall
    return matrix


def pairs_of_tables(
    game: Game,
    tables: Tables,
    pairs: Sequence[tuple[int, int]] | Ints,
    workers: int = 1,
    progress: Progress | None = None,
) -> Floats:
    """Win probabilities of the first strategy of each pair of indices into `tables`, by seat: shape (pairs, 2).

    `progress` is called with the number of pairs completed since the last call.
    """
    numbers = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    if not game.one_die:
        return _pairs_on_board(game, tables, numbers, workers, progress)
    seats = np.empty((len(numbers), 2))

    def meet(opponent: int) -> None:
        theirs = np.flatnonzero(numbers[:, 1] == opponent)
        turns = fast_turns_of(game, tables, np.array([opponent]))
        seats[theirs] = against(tables, turns, players=numbers[theirs, 0])

    opponents, counts = np.unique(numbers[:, 1], return_counts=True)
    met = dict(zip(opponents.tolist(), counts.tolist(), strict=True))
    map_threads(meet, sorted(met, key=lambda n: -met[n]), workers, progress and (lambda n: progress(met[n])))
    return seats


def _pairs_on_board(game: Game, tables: Tables, pairs: Ints, workers: int, progress: Progress | None) -> Floats:
    turns = map_threads(lambda number: board_turns(game, tables[number]), range(len(tables)), workers)

    def meet(pair: Ints) -> tuple[float, float]:
        return worth(turns[pair[0]], turns[pair[1]]).seats

    seats = map_threads(meet, list(pairs), workers, progress and (lambda _: progress(1)))
    return clip_probabilities(np.array(seats).reshape(-1, 2))


def against(
    tables: Tables,
    opponent: Turns | BoardTurns,
    workers: int = 1,
    players: Ints | None = None,
    exploring_starts: float = 0.0,
) -> Floats:
    """Win probabilities of many strategies against one prepared opponent, by seat: shape (players, 2).

    `players` are the indices of the strategies to evaluate, by default all. A share `exploring_starts` of the games
    begins with a turn in a state drawn uniformly at random; this costs no time, since the equations are solved for
    every state anyway.

    Raises:
        InputError: mixed decisions against an opponent prepared for the fast engine.
    """
    if isinstance(opponent, Turns) and tables.dtype.kind == "f":
        raise InputError("mixed decisions cannot meet an opponent that is prepared for the fast engine.")
    who = np.arange(len(tables)) if players is None else players
    if isinstance(opponent, BoardTurns):
        game = opponent.game

        def meet(n: int) -> Floats:
            values = worth(board_turns(game, tables[n]), opponent)
            means = np.array([values.moving.mean(), values.waiting.mean()])
            return _with_exploring_starts(np.array(values.seats), means, exploring_starts)

        return clip_probabilities(np.array(map_threads(meet, who.tolist(), workers)).reshape(-1, 2))
    workers = max(1, min(workers, len(who) // LEAST_OF_A_THREAD))
    rounds = max(1, -(-len(who) // (TOGETHER * workers)))
    parts = [part for part in np.array_split(who, rounds * workers) if len(part)]  # equal parts

    def seats(part: Ints) -> Floats:
        both = _start_values(tables, part, opponent)
        begun = np.stack([values[:, 0, 0] for values in both], axis=1)
        means = np.stack([values.mean(axis=(1, 2)) for values in both], axis=1) if exploring_starts else begun
        return clip_probabilities(_with_exploring_starts(begun, means, exploring_starts))

    return np.concatenate([np.empty((0, 2)), *map_threads(seats, parts, workers)])


def _with_exploring_starts(begun: Floats, means: Floats, exploring_starts: float) -> Floats:
    """The values of both seats if some games begin in a random state, from those of the opening and all states."""
    return (1 - exploring_starts) * begun + exploring_starts * means if exploring_starts else begun


@checks_arguments
def state_values(a: Strategy, b: Strategy) -> Floats:
    """Win probability of `a`, to move, in every state against `b`, in the shape of a strategy: by (i, j, k) in a race.

    Where `i + k >= target` it is 1.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> values = pigevo.state_values(pigevo.hold_at(game, 20), pigevo.hold_at(game, 25))
        >>> values.shape, round(float(values[40, 60, 10]), 4)
        ((100, 100, 100), 0.3705)
    """
    same_game(a, b)
    moving, waiting = worth_between(a, b)
    values: Floats = np.empty(by_turn_state(a).shape)
    for _ in turn_backwards(a, waiting, values):
        pass
    values[0] = moving[: values.shape[1]]  # a hold there is a pass, which may end the game
    return clip_probabilities(by_axes(a.game, values).copy())


def worth_between(a: Strategy, b: Strategy) -> tuple[Floats, Floats]:
    """The values of a game to `a` in every state between turns, with `a` and with `b` to move, and of its results.

    Each array has shape (B + 3,), by states in the view of the player to move; the last three are the game's results
    after a turn of the other player.
    """
    win, draw, loss = payoffs_of(a.game)
    if is_fast(a) and is_fast(b):
        mine, theirs = turn_values(a.table, fast_turns(b))
        # States are in the view of the player to move: with the opponent to move, its score is the first axis.
        moving, waiting = mine.ravel(), theirs.T.ravel()
    else:
        both = worth(prepare_board(a), prepare_board(b))
        moving, waiting = both.moving, both.waiting
    return np.append(moving, (win, draw, loss)), np.append(waiting, (loss, draw, win))


def turn_values(tables: Bytes, opponent: Turns) -> tuple[Floats, Floats]:
    """Win probabilities of decisions against a prepared opponent at the start of every turn of a one-die race.

    Two arrays of shape (T, T), with the player and with the opponent to move, by the player's and the opponent's score.
    """
    moving, waiting = _start_values(tables[None], np.zeros(1, np.int64), opponent)
    return clip_probabilities(moving[0]), clip_probabilities(waiting[0])


def _start_values(tables: Tables, players: Ints, opponent: Turns) -> tuple[Floats, Floats]:
    """The arrays of `turn_values` for each of the players, without clipping."""
    which: Ints | None = None
    if opponent.game.target < LANES or (isinstance(tables, Members) and not tables.are_few):  # then rows are copied
        which, players = players, np.arange(len(players))
    both = win_tables(*readable_rows(tables, which), players, packed_die(opponent.game), opponent.arrays)
    moving, waiting = (values_of_table(table, len(players), opponent.game.target) for table in both)
    return moving, waiting


def values_of_table(table: Floats, players: int, target: int) -> Floats:
    """The win probabilities in a result of `win_tables`, shape (players, T, T)."""
    return table.reshape(players, -1, table.shape[1])[:, :target, :target]


def clip_probabilities(chances: Floats) -> Floats:
    """Clip probabilities to [0, 1] in place, after rounding errors."""
    return np.clip(chances, 0.0, 1.0, out=chances)


def _left_of_one(a: float, b: float) -> float:
    """What two probabilities leave of 1; 0 if that is only a rounding error."""
    rest = 1.0 - a - b
    return min(1.0, rest) if rest > ROUNDING else 0.0


LARGEST_DENOMINATOR = 10**6


@checks_arguments
def rational_win_probability(a: Strategy, b: Strategy) -> tuple[Fraction, Fraction]:
    """The win probabilities of `a` against `b`, moving first and moving second, as fractions.

    The die's probabilities, which are floats, are read as the nearest fractions with
    denominators up to `LARGEST_DENOMINATOR`: a sixth is 1/6.

    Raises:
        InputError: the strategies are for different games, are mixed, or are not for a one-die race.

    Example:
        >>> import pigevo
        >>> game = pigevo.Piglet(target=2)
        >>> pigevo.rational_win_probability(pigevo.hold_at(game, 1), pigevo.hold_at(game, 2))
        (Fraction(12, 25), Fraction(9, 25))
    """
    same_game(a, b)
    if not a.game.one_die or a.is_mixed or b.is_mixed:
        raise InputError("fractions are computed for races of one die, and strategies without chance.")
    die = tuple((points, Fraction(p).limit_denominator(LARGEST_DENOMINATOR)) for points, p in a.game.die)
    target = a.game.target
    moving: dict[tuple[int, int], Fraction] = {}
    waiting: dict[tuple[int, int], Fraction] = {}
    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            mine, stay = _turn(a, i, j, die)
            theirs, they_stay = _turn(b, j, i, die)
            gain = sum((p * (waiting[k, j] if k < target else 1) for k, p in mine.items()), Fraction(0))
            keep = sum((p * moving[i, k] for k, p in theirs.items() if k < target), Fraction(0))
            # moving = gain + stay waiting and waiting = keep + they_stay moving, solved as in `solve_pair`.
            leave = 1 - stay * they_stay
            moving[i, j] = (gain + stay * keep) / leave if leave else Fraction(0)
            waiting[i, j] = keep + they_stay * moving[i, j]
    return moving[0, 0], waiting[0, 0]


def _turn(
    strategy: Strategy, i: int, j: int, die: tuple[tuple[int, Fraction], ...]
) -> tuple[dict[int, Fraction], Fraction]:
    """The outcomes of a turn: new scores with their probabilities, and the chance that the score is unchanged."""
    pending = {0: Fraction(1)}
    ends: dict[int, Fraction] = {}
    # The lowest turn total first: every way to it comes from lower ones.
    while pending:
        k = min(pending)
        chance = pending.pop(k)
        if i + k >= strategy.game.target or not strategy.roll[i, j, k]:
            ends[i + k] = ends.get(i + k, Fraction(0)) + chance
            continue
        for points, p in die:
            pending[k + points] = pending.get(k + points, Fraction(0)) + chance * p
    ends.pop(i, None)
    return ends, 1 - sum(ends.values(), Fraction(0))
