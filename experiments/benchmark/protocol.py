"""The interface of a benchmark algorithm: it asks questions, receives answers, and has a champion at any time.

A class or function of one argument creates an algorithm from a `Problem`.  Then, as long as the budget lasts, its `ask`
returns a `Question`, and its `tell` receives the results of the first of each pair.  The benchmark counts, plays and
evaluates; an algorithm knows its `Problem` and the answers that it has paid for, and nothing of the game, the referee,
the dice of answers or other trials.  Its questions and its champion are checked here: an error names the algorithm and
describes what would be right.  What an algorithm must not find out by itself is defined by the rules of entry
(`docs/how_to/benchmark.md`); a user's algorithm has a process of its own, where one of them is checked
(`pigevo.experiments.benchmark.entrant_process`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError, unknown

REFERENCE = -1
"""In the second column of a question's pairs: the reference opponent, if the problem has one."""

Unit = Literal["evaluations", "games"]
Stream = Literal["population", "selection", "crossover", "mutation"]


@dataclass(frozen=True)
class Question:
    """The pairs to evaluate; each costs `Problem.cost`.

    A question without pairs means that the algorithm has finished, and ends the trial.

    Args:
        genomes: zeros and ones, shape (n, genes), uint8.
        pairs: rows of `genomes`, shape (m, 2); in the second column `REFERENCE` is the reference opponent.

    Example:
        >>> import numpy as np
        >>> from pigevo.experiments.benchmark import Question
        >>> Question(np.zeros((2, 5), np.uint8), np.array([[0, 1]])).pairs.shape
        (1, 2)
    """

    genomes: Bytes
    pairs: Ints


@dataclass(frozen=True)
class Problem:
    """The information about a task that an algorithm gets: find the strategy with the smallest loss.

    Args:
        genes: the length of a genome.
        games: the number of games of a match; 0 if the answers are exact.
        opponent: whether strategies may play the reference opponent, which is the optimal strategy.
        budget: the budget, in `unit`; a question that costs more than the rest is not answered and ends the trial.
        seed: the seed of everything that the algorithm draws; algorithms of other libraries use it for their own.

    Example:
        >>> from pigevo.experiments.benchmark import Problem
        >>> problem = Problem(genes=5, games=10, opponent=False, budget=100, seed=1)
        >>> problem.pairs, problem.start(3).shape
        (10, (3, 5))
    """

    genes: int
    games: int
    opponent: bool
    budget: int
    seed: int

    @property
    def unit(self) -> Unit:
        """The unit of the budget, pairs evaluated exactly or games."""
        return "games" if self.games else "evaluations"

    @property
    def cost(self) -> int:
        """The cost of a pair, the games of a match or one evaluation."""
        return self.games or 1

    @property
    def pairs(self) -> int:
        """The number of pairs that the budget pays for."""
        return self.budget // self.cost

    def draw(self, stream: Stream, number: int = 0) -> Draw:
        """Random numbers for the algorithm, another lot for each stream and number.

        Args:
            stream: what they are for.
            number: a count of the algorithm's own, from 0: of its steps, say.

        Raises:
            InputError: a stream that algorithms may not use, such as that of the dice that answers are played with.
        """
        if stream not in (own := get_args(Stream)):
            raise unknown("stream", str(stream), own, " for an algorithm")
        return Draw(self.seed, stream, generation=number)

    def start(self, n: int, number: int = 0) -> Bytes:
        """Genomes of fair coins, shape (n, genes).

        Args:
            n: how many.
            number: of the lot; every one is another.
        """
        return self.draw("population", number).bits(n, self.genes)


class Algorithm(Protocol):
    """What the benchmark calls: `ask`, then `tell`, again and again, and `champion` after any `tell`.

    Example:
        >>> import numpy as np
        >>> from pigevo.experiments.benchmark import Question, instance, try_out
        >>> class OneCoin:
        ...     def __init__(self, problem):
        ...         self.genomes, self.done = problem.start(2), False
        ...     def ask(self):
        ...         pairs = [] if self.done else [[0, 1]]
        ...         return Question(self.genomes, np.array(pairs, np.int64).reshape(-1, 2))
        ...     def tell(self, wins):
        ...         self.done = True
        ...     @property
        ...     def champion(self):
        ...         return self.genomes[0]
        >>> int(try_out(OneCoin, instance("t10-d2-c2-exact"), seed=1, budget=9).spent[-1])
        1
    """

    def ask(self) -> Question:
        """Whom the algorithm wants to see meet."""

    def tell(self, wins: Floats) -> None:
        """Hear the answer to the last question.

        Args:
            wins: shape (m,): of each pair the share of games that the first won, or its exact probability to win,
                as the mean of both seats.
        """

    @property
    def champion(self) -> Bytes:
        """The genome that the algorithm would hand over now, shape (genes,); asked for after a `tell` only."""


Make = Callable[[Problem], Algorithm]
"""An algorithm's entry: a class or function, of the package or of a user's file."""


def checked_question(question: Any, problem: Problem, name: str) -> Question:
    """The question as the benchmark answers it: arrays of its own, of the right types; `name` is the algorithm's."""
    if not isinstance(question, Question):
        raise InputError(
            f"{name}.ask returns {_kind(question)}: it must return a "
            "pigevo.experiments.benchmark.Question(genomes, pairs)."
        )
    pairs = _array(question.pairs, f"the pairs that {name}.ask returns")
    if pairs.size == 0:
        return Question(np.empty((0, problem.genes), np.uint8), np.empty((0, 2), np.int64))
    genomes = _genomes(question.genomes, ("n", problem.genes), f"the genomes that {name}.ask returns")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise InputError(
            f"the pairs that {name}.ask returns are {_shaped(pairs)}: they must be whole numbers of shape (m, 2)."
        )
    if not len(genomes):
        raise InputError(f"{name}.ask returns pairs, but no genomes that could meet.")
    pairs = pairs.astype(np.int64)
    first, second = pairs.T
    rows = f"they must be rows of its genomes, from 0 to {len(genomes) - 1}"
    if (first < 0).any() or (pairs >= len(genomes)).any() or (second < REFERENCE).any():
        wrong = pairs[(first < 0) | (pairs >= len(genomes)).any(axis=1) | (second < REFERENCE)][0].tolist()
        oracle = f", or {REFERENCE} in the second place for the reference opponent" if problem.opponent else ""
        raise InputError(f"the pairs that {name}.ask returns have {tuple(wrong)} among them: {rows}{oracle}.")
    if (second == REFERENCE).any() and not problem.opponent:
        raise InputError(
            f"{name}.ask wants to meet a reference opponent ({REFERENCE}), and this instance has none: {rows}; "
            "Problem.opponent tells."
        )
    return Question(genomes, pairs)


def checked_champion(champion: Any, problem: Problem, name: str) -> Bytes:
    """The champion's genome, a copy of shape (genes,)."""
    hint = ": write @property above it" if callable(champion) else ""
    return _genomes(champion, (problem.genes,), f"{name}.champion", hint)


def _genomes(value: Any, shape: tuple[int | str, ...], what: str, hint: str = "") -> Bytes:
    array = _array(value, what, hint)
    right = f"zeros and ones of shape ({', '.join(map(str, shape))}{',' * (len(shape) == 1)}), uint8"
    are, they = ("are", "they") if len(shape) > 1 else ("is", "it")
    if array.ndim != len(shape) or array.shape[-1] != shape[-1] or array.dtype.kind not in "biu":
        raise InputError(f"{what} {are} {_shaped(array)}: {they} must be {right}.")
    if array.size and (array.min() < 0 or array.max() > 1):
        wrong = array[(array < 0) | (array > 1)][0]
        raise InputError(f"{what} {are} not all zeros and ones, there is a {wrong}: {they} must be {right}.")
    return array.astype(np.uint8)


def _array(value: Any, what: str, hint: str = "") -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except Exception as error:  # rows of different lengths, or an object that does not let itself be read
        raise InputError(f"{what} cannot be read as an array: {error}.") from error
    if array.dtype.kind not in "biuf" and array.size:
        raise InputError(f"{what} must be an array of numbers, not {_kind(value)}{hint}.")
    return array


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{short_repr(value)}, a {type(value).__name__}"


def _shaped(array: np.ndarray[Any, Any]) -> str:
    return f"{array.dtype} of shape {array.shape}"
