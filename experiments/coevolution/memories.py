"""Nash memory against hall of fame and dominance tournament (Ficici & Pollack 2003), at equal budgets.

They play Pig, and rock, paper, scissors: a game that is a matrix, whose one equilibrium plays all three alike. There a
genome is a string of bits, and its ones modulo 3 are what it plays.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.evolution.evaluation import ranking, referee
from pigevo.games import Pig

from ..benchmark.algorithms import SIZE, HallOfFame, NashMemory, children, every_meeting
from ..benchmark.instances import Instance
from ..benchmark.protocol import Problem, Question, checked_question
from ..common.tables import table
from .kept import LOSS, OURS, SLOW, Key, Rows, Verdict, apart, by_setting, claim_verdict, effect, fresh, kept, spread
from .worlds import ended

INSTANCES = {
    one.name: one for one in (Instance(Pig(10, 2), cube=1), Instance(Pig(20, 3), cube=2), Instance(Pig(40, 4), cube=4))
}
BUDGET = 12_000
FIGURES = ("exploitability", "late exploitability", "loss")
COMPARED = 4 * len(INSTANCES) * len(FIGURES)


class DominanceTournament:
    """The best of a generation enters if it beats everyone who has entered (Stanley & Miikkulainen 2002).

    The population meets the latest of those, and breeds as in the benchmark's hall of fame and Nash memory.

    Args:
        problem: the task.
        size: members.
        met: of the dominant strategies, so many meet the population.
    """

    def __init__(self, problem: Problem, size: int = SIZE, met: int = 10) -> None:
        self._problem, self._met, self._number = problem, met, 0
        self._genomes = problem.start(size)
        self._dominant = problem.start(1, 1)
        self._entrant: Bytes | None = None

    def ask(self) -> Question:
        """The population against the latest dominant strategies, or its best against all of them."""
        own = self._genomes if self._entrant is None else self._entrant[None]
        others = self._dominant[-self._met :] if self._entrant is None else self._dominant
        return Question(np.concatenate([own, others]), every_meeting(len(own), len(others)))

    def tell(self, wins: Floats) -> None:
        """Breed, or let the best in."""
        if self._entrant is not None:
            if (wins > 0.5).all():
                self._dominant = np.concatenate([self._dominant, self._entrant[None]])
            self._entrant = None
            return
        size = len(self._genomes)
        scores = wins.reshape(size, -1).mean(axis=1)
        ranked = self._genomes[ranking(scores, self._problem.draw("selection", self._number))]
        self._number += 1
        born = children(self._problem, ranked[: size // 2], size - size // 2, self._number, 1 / self._problem.genes)
        self._genomes, self._entrant = np.concatenate([ranked[: size // 2], born]), ranked[0]

    @property
    def champion(self) -> Bytes:
        """The last that entered, which beats all before it."""
        champion: Bytes = self._dominant[-1]
        return champion


NASH = "Nash memory"
MEMORIES: dict[str, Callable[[Problem], Any]] = {
    NASH: NashMemory,
    "hall of fame": HallOfFame,
    "dominance tournament": DominanceTournament,
    "hall of fame, 2 opponents": partial(HallOfFame, rivals=1, famous=1),
    "dominance tournament, 1 opponent": partial(DominanceTournament, met=1),
}
CLAIMED = ("hall of fame", "dominance tournament")
"""Beside whom the authors of Nash memory call it better.

A mixture has few strategies, so that its generations are cheap: the last two are as cheap."""


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """Every memory on every instance."""
    keys = [(name, memory, seed, BUDGET) for name in INSTANCES for memory in MEMORIES for seed in fresh(seeds, SLOW)]
    return kept(folder / "memories.csv", ("instance", "memory", "seed", "budget"), keys, figures, workers)


def figures(key: Key) -> dict[str, float]:
    """What is handed over at the end; of a Nash memory also its mixture."""
    instance = INSTANCES[str(key[0])]
    algorithm, found = ended(MEMORIES[str(key[1])], instance, int(key[2]), int(key[3]))
    if isinstance(algorithm, NashMemory):
        genomes, weights = algorithm.mixture
        won = referee(instance.grid.game, instance.grid.to_tables(genomes))
        found |= {"mixture loss": 0.5 - float(won @ weights), "support": float(len(weights))}
    return found


def as_markdown(rows: Rows) -> str:
    """Each memory, and Nash memory beside the others, seed by seed."""
    settings = by_setting(rows, 2)
    lines: list[tuple[object, ...]] = []
    pairs: list[tuple[object, ...]] = []
    for (name, memory), found in settings.items():
        mixed = (
            [spread(found["mixture loss"], ".5f", LOSS), spread(found["support"], ".1f", (1, np.inf))]
            if "support" in found
            else ["", ""]
        )
        lines.append(
            (name, memory, len(found["loss"]), *(spread(found[what], ".5f", LOSS) for what in FIGURES), *mixed)
        )
        if memory != NASH:
            for what in FIGURES:
                less = settings[name, NASH][what] - found[what]
                said, interval = apart(less, COMPARED, "+.5f")
                better = {"less": NASH, "more": memory, "open": "open"}[said]
                pairs.append((name, memory, what, len(less), interval, better))
    head = ["instance", "memory", "seeds", *FIGURES, "loss of the mixture", "strategies in it"]
    of_less = f"Nash memory less this (95 % for all {COMPARED} together)"
    head_of_pairs = ["instance", "beside Nash memory", "figure", "seeds", of_less, "better"]
    return table(head, lines) + "\n" + table(head_of_pairs, pairs)


def verdicts(rows: Rows) -> list[Verdict]:
    """By the exploitability of what is handed over at the end, beside each of the others."""
    settings = by_setting(rows, 2)
    return [
        (
            f"Nash memory is better than the {other}",
            "Ficici & Pollack 2003" if other in CLAIMED else OURS,
            claim_verdict([effect(name, settings[name, NASH][FIGURES[0]] - settings[name, other][FIGURES[0]], "less",
                                  len(INSTANCES), "+.5f") for name in INSTANCES]),
        )
        for other in MEMORIES if other != NASH
    ]  # fmt: skip


MATRIX_BITS, MATRIX_BUDGET = 60, 12_000


@cache
def matrix() -> Floats:
    """What each of the three wins against each: 1, a half, or 0."""
    return np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])


def played(genomes: Bytes) -> Ints:
    """Which of the three each genome plays."""
    ones: Ints = genomes.sum(axis=1, dtype=np.int64) % 3
    return ones


def spent_on_matrix(make: Callable[[Problem], Any], seed: int, budget: int) -> Any:
    """An algorithm that has spent its budget."""
    problem = Problem(MATRIX_BITS, 0, False, budget, seed)
    algorithm, spent = make(problem), 0
    while True:
        question = checked_question(algorithm.ask(), problem, "the algorithm")
        spent += len(question.pairs)
        if spent > budget or not len(question.pairs):
            return algorithm
        first, second = played(question.genomes)[question.pairs].T
        algorithm.tell(matrix()[first, second])


def handed_over(algorithm: Any) -> tuple[Bytes, Floats]:
    """A mixture: Nash memory's own, or all that have entered the hall or become dominant, alike."""
    if isinstance(algorithm, NashMemory):
        return algorithm.mixture
    past: Bytes = algorithm._dominant if isinstance(algorithm, DominanceTournament) else algorithm._hall
    return past, np.full(len(past), 1 / len(past))


def figures_on_matrix(key: Key) -> dict[str, float]:
    """How exploitable the mixture is."""
    genomes, weights = handed_over(spent_on_matrix(MEMORIES[str(key[0])], int(key[1]), int(key[2])))
    mixed = np.bincount(played(genomes), weights, 3)
    return {"exploitability": float((matrix() @ mixed).max() - 0.5)}


def measured_on_matrix(folder: Path, seeds: int, workers: int) -> Rows:
    """Nash memory and the two that its authors compare it with."""
    keys = [(memory, seed, MATRIX_BUDGET) for memory in (NASH, *CLAIMED) for seed in fresh(seeds)]
    return kept(folder / "matrices.csv", ("memory", "seed", "budget"), keys, figures_on_matrix, workers)


def matrix_as_markdown(rows: Rows) -> str:
    """A row for each memory."""
    lines = [
        (memory, len(found["exploitability"]), spread(found["exploitability"], ".4f", LOSS))
        for (memory,), found in by_setting(rows, 1).items()
    ]
    return table(["memory", "seeds", "exploitability of the mixture"], lines)


def verdicts_on_matrix(rows: Rows) -> list[Verdict]:
    """Nash memory beside the two others."""
    settings = {memory: found["exploitability"] for (memory,), found in by_setting(rows, 1).items()}
    effects = [effect(f"beside the {one}", settings[NASH] - settings[one], "less", len(CLAIMED)) for one in CLAIMED]
    return [("on rock, paper, scissors its mixture is better than past champions", OURS, claim_verdict(effects))]
