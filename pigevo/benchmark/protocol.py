"""The interface of a benchmark algorithm: it asks questions, receives answers, and has a champion at any time.

An algorithm is made of a `Problem`, by a class or function of one argument.  Then, as long as the budget
lasts, it is asked for a `Question`, and told what the first of each pair has won.  The benchmark counts, plays and
judges; an algorithm is told its `Problem` and the answers that it has paid for, and nothing of the game, the referee,
the dice of answers or other trials.  What it must not find out by itself are the rules of entry
(`docs/how_to/benchmark.md`); a user's own has a process of its own, where one of them is checked
(`pigevo.benchmark.entrant_process`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.errors import unknown

REFERENCE = -1
"""In the second column of a question's pairs: the reference opponent, where the problem has one."""

Unit = Literal["evaluations", "games"]
Stream = Literal["population", "selection", "crossover", "mutation"]


@dataclass(frozen=True)
class Question:
    """Who is to meet whom; each pair costs `Problem.cost`.

    A question without pairs says that the algorithm has no more to ask, and ends the run.

    Args:
        genomes: zeros and ones, shape (n, genes), uint8.
        pairs: rows of `genomes`, shape (m, 2); in the second column `REFERENCE` is the reference opponent.
    """

    genomes: Bytes
    pairs: Ints


@dataclass(frozen=True)
class Problem:
    """What an algorithm knows of its task: to find the strategy that loses least.

    Args:
        genes: the length of a genome.
        games: games of a match; 0 where the answers are exact.
        opponent: whether a strategy may meet the reference opponent, which is the optimal strategy.
        budget: how much may be spent, in `unit`; a question that costs more than what is left is not answered, and
            ends the run.
        seed: of all that the algorithm draws; an algorithm of another library seeds that with it.
    """

    genes: int
    games: int
    opponent: bool
    budget: int
    seed: int

    @property
    def unit(self) -> Unit:
        """What the budget counts: pairs that are evaluated exactly, or games."""
        return "games" if self.games else "evaluations"

    @property
    def cost(self) -> int:
        """What a pair costs: the games of a match, or one evaluation."""
        return self.games or 1

    @property
    def pairs(self) -> int:
        """How many pairs the budget pays."""
        return self.budget // self.cost

    def draw(self, stream: Stream, number: int = 0) -> Draw:
        """Random numbers for the algorithm, another lot for each stream and number.

        Args:
            stream: what they are for.
            number: a count of the algorithm's own, from 0: of its steps, say.

        Raises:
            InputError: a stream that is none of an algorithm's, such as that of the dice that answers are played with.
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
    """What the benchmark calls: `ask`, then `tell`, again and again, and `champion` after any `tell`."""

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
