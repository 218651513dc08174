"""One trial: an algorithm on an instance with a seed, from its first question to the end of its budget.

Answers are exact, or from games whose dice depend on seed, key and number. The referee evaluates champions exactly and
outside of the budget.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, TypeVar

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, Tables
from pigevo.core.checked_values import LARGEST_SEED
from pigevo.core.machine import byte_lru_cache
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact import against, best_response, optimal, pairs_of_tables, prepare, win_probability
from pigevo.games import Game
from pigevo.simulation import play_pairs
from pigevo.strategies import CubeGrid, Members
from pigevo.user_code.loading import failure

from .entrant_process import Failed, Refused
from .instances import Instance
from .protocol import REFERENCE, Algorithm, Make, Problem, Question, checked_champion, checked_question


def answer(instance: Instance, question: Question, dice: Draw, workers: int = 1) -> Floats:
    """The results of the first of each pair of an allowed question, the mean of both seats, shape (m,).

    If games are played, `dice` are their random numbers (`dice_of`); the result does not depend on the workers.
    """
    if instance.games:
        return _played(instance, question, dice, workers)
    genomes, pairs = question.genomes, question.pairs
    tables, wins = Members(instance.grid, genomes), np.empty(len(pairs))
    absolute = pairs[:, 1] == REFERENCE
    if absolute.any():
        opponent = prepare(optimal(instance.game).strategy)
        wins[absolute] = against(tables, opponent, workers, pairs[absolute, 0]).mean(axis=1)
    if not absolute.all():
        wins[~absolute] = pairs_of_tables(instance.game, tables, pairs[~absolute], workers).mean(axis=1)
    return wins


def dice_of(seed: int, key: str, number: int) -> Draw:
    """The dice of an answer after `number` earlier ones; each answer has independent dice.

    Algorithms know the seed of the trial, but not the key; without a key the dice depend on the seed alone.
    """
    if key:
        seed = int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:8], "little") % LARGEST_SEED
    return Draw(seed, "dice", generation=number)


def _played(instance: Instance, question: Question, dice: Draw, workers: int) -> Floats:
    tables: Tables = Members(instance.grid, question.genomes)
    pairs = question.pairs
    if instance.opponent == "optimal":
        tables = np.concatenate([tables[:], _optimal_table(instance.game)])
        pairs = np.where(pairs == REFERENCE, len(question.genomes), pairs)
    counts = play_pairs(instance.game, tables, pairs, instance.games, dice, workers)
    won: Floats = (counts[:, 0] + instance.game.draw * counts[:, 4]) / instance.games
    return won


@byte_lru_cache(lambda arguments, result: result.nbytes)
def _optimal_table(game: Game) -> Bytes:
    """The optimum's decisions cell by cell, for any grid of the problem."""
    finest = CubeGrid(game, 1)
    return finest.to_tables(finest.from_strategies([optimal(game).strategy]))


class Verdict(NamedTuple):
    """A strategy's losses to the optimum and to its best response; both are at least 0, and 0 for the optimum."""

    loss: float
    exploitability: float


def judge(grid: CubeGrid, genome: Bytes) -> Verdict:
    """The verdict on a genome."""
    strategy = grid.strategy(genome, "champion")
    loss = 0.5 - win_probability(strategy, optimal(grid.game).strategy).overall
    return Verdict(max(0.0, loss), max(0.0, best_response(strategy).overall - 0.5))


RECORDS_PER_DECADE = 12
"""The number of records for each factor of ten: at 1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 15, 18, 22, ..."""

MOST_QUESTIONS = 10_000_000

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Trial:
    """The quality of the champion as a function of the budget spent.

    Args:
        algorithm: its name.
        instance: the task's name.
        seed: the seed of this trial.
        budget: the budget of this trial.
        spent: evaluations or games at each record, ascending, shape (records,). The first is 0, for a strategy of fair
            coins, the only possible champion before the first answer. The last is everything that was spent.
        loss: the champion's loss at each record, shape (records,).
        exploitability: the champion's exploitability at each record, shape (records,).
        champion: the last champion's genome, shape (genes,).

    Example:
        >>> from pigevo.experiments.benchmark import instance, try_out
        >>> from pigevo.experiments.benchmark.algorithms import ALGORITHMS
        >>> trial = try_out(ALGORITHMS["random_search"].function, instance("t10-d2-c2-exact"), seed=1, budget=200)
        >>> int(trial.spent[-1]), bool(trial.loss[-1] <= trial.loss[0])
        (200, True)
    """

    algorithm: str
    instance: str
    seed: int
    budget: int
    spent: Ints
    loss: Floats
    exploitability: Floats
    champion: Bytes


def try_out(
    make: Make,
    instance: Instance,
    seed: int = 0,
    budget: int | None = None,
    *,
    key: str = "",
    seconds: float | None = None,
    name: str = "the algorithm",
    path: Path | None = None,
    workers: int = 1,
) -> Trial:
    """Run an algorithm until its budget is spent, and evaluate its champion in between.

    A question that costs more than the rest of the budget is not answered: like one without pairs, it ends the trial.

    Args:
        make: creates the algorithm from a problem.
        instance: the task.
        seed: the seed of the algorithm's own draws and, with the key, of the dice of answers.
        budget: evaluations, or games; by default the instance's usual budget.
        key: a secret text on which the dice of answers also depend, so that they cannot be predicted without it.
        seconds: the time limit, without the referee's time; such a trial is not reproducible.
        name: the algorithm's name, for messages and the record.
        path: the file of a user's algorithm, for messages.
        workers: threads for answers; the result does not depend on it.

    Raises:
        InputError: the algorithm fails, or returns something that is not a question or champion; or the budget is not
            enough for its first question.

    Example:
        >>> from pigevo.experiments.benchmark import instance, try_out
        >>> from pigevo.experiments.benchmark.algorithms import ALGORITHMS
        >>> trial = try_out(ALGORITHMS["hill_climber"].function, instance("t10-d2-c2-exact"), seed=1, budget=500)
        >>> bool(trial.loss[-1] < trial.loss[0])
        True
    """
    problem = instance.problem(seed, budget)
    guard = _Guard(name, path, instance)
    algorithm: Algorithm = guard.does("cannot be made", partial(make, problem))
    champion = problem.start(1)[0]
    records, spent, due, taken = [(0, *judge(instance.grid, champion))], 0, 0, 0.0
    for number in range(MOST_QUESTIONS):
        if seconds is not None and taken >= seconds:
            break
        begun = perf_counter()
        reply = guard.does("fails in ask", lambda: algorithm.ask(), number)
        question = guard.holds(partial(checked_question, reply, problem, name))
        price = len(question.pairs) * problem.cost
        if not price or spent + price > problem.budget:
            _must_have_begun(number, price, problem, guard)
            break
        wins = answer(instance, question, dice_of(seed, key, number), workers)
        guard.does("fails in tell", lambda: algorithm.tell(wins), number)  # noqa: B023
        taken += perf_counter() - begun
        spent += price
        if spent >= due:
            champion = _champion(algorithm, problem, guard, number)
            records.append((spent, *judge(instance.grid, champion)))
            due = _next(spent)
    if records[-1][0] < spent:
        records.append((spent, *judge(instance.grid, champion := _champion(algorithm, problem, guard, number))))
    spending, loss, exploitability = (np.array(column) for column in zip(*records, strict=True))
    return Trial(name, instance.name, seed, problem.budget, spending, loss, exploitability, champion)


def _next(spent: int) -> int:
    """The next amount after `spent`, in a geometric sequence, at which the champion is evaluated."""
    step = int(np.floor(np.log10(spent) * RECORDS_PER_DECADE + 1e-9)) + 1
    due = int(np.ceil(10 ** (step / RECORDS_PER_DECADE) - 1e-9))
    return max(due, spent + 1)


def _champion(algorithm: Algorithm, problem: Problem, guard: _Guard, number: int) -> Bytes:
    champion = guard.does("fails to name its champion", lambda: algorithm.champion, number)
    return guard.holds(partial(checked_champion, champion, problem, guard.name))


def _must_have_begun(number: int, price: int, problem: Problem, guard: _Guard) -> None:
    if number == 0:
        why = (
            f"its first question costs {price} {problem.unit}, and the budget is {problem.budget}: "
            "give a larger one with --budget, or ask for less (Problem.pairs tells how many pairs are paid for)"
            if price
            else "its first question has no pairs, which says that it has no more to ask"
        )
        raise InputError(f"{guard.name} never begins with {guard.instance.name}: {why}.")


@dataclass(frozen=True)
class _Guard:
    """Turns errors in an algorithm into one sentence with its name, the instance and the question."""

    name: str
    path: Path | None
    instance: Instance

    def does(self, what: str, call: Callable[[], T], number: int | None = None) -> T:
        """The result of a call to the algorithm; its errors become an `InputError`."""
        try:
            return call()
        except KeyboardInterrupt:
            raise
        except Refused as error:
            raise self._placed(error) from error
        except BaseException as error:
            where = self.instance.name if number is None else f"{self.instance.name}, question {number + 1}"
            reason = str(error) if isinstance(error, Failed) else failure(error, self.path)
            raise InputError(f"{self.name} {what} ({where}): {reason}.") from error

    def holds(self, check: Callable[[], T]) -> T:
        """The result of a check of the algorithm's arrays; its sentence also names the instance."""
        try:
            return check()
        except InputError as error:
            raise self._placed(error) from error

    def _placed(self, error: InputError) -> InputError:
        return InputError(f"{str(error).rstrip('.')} ({self.instance.name}).")
