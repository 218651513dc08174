"""The plan of a run (the game, the waves and every operator, chosen and checked), and the base class of stop rules.

A stop rule decides after each generation, in order, whether the run ends with it.  It may use only the generation and
what it remembers of earlier ones.  It may not use a clock, so that a run repeats to the bit.  The rules of pigevo do
not use the referee's figures either: a run sees them only if they are its fitness.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Protocol

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.phase_clock import PhaseClock
from pigevo.dice import Draw
from pigevo.evolution.operators import (
    Crossover,
    Fitness,
    Memory,
    Mutation,
    Population,
    Remembered,
    Replacement,
    Selection,
)
from pigevo.evolution.waves_and_islands import Islands, Wave
from pigevo.games import Game
from pigevo.user_code.loading import UserCode, file_and_line, refuse_to_pickle


@dataclass(frozen=True, eq=False)
class Birth:
    """How a population was made.

    Args:
        before: the previous population, on the grid of this one, shape (n, genes).
        parents: indices into the previous population, shape (n, 2): both parents of a child; the own index and -1 for
            a member that stayed; -1 and -1 for an immigrant.
        crossed: this population before mutation, shape (n, genes).
    """

    before: Bytes
    parents: Ints
    crossed: Bytes

    def nearest(self, genomes: Bytes) -> Ints:
        """The parent with which each member shares more genes, the first if equal; -1 if it has no parents."""
        first, second = self.parents.T
        apart = [np.count_nonzero(self.before[parent] != genomes, axis=1) for parent in (first, second)]
        nearest: Ints = np.where((second >= 0) & (apart[1] < apart[0]), second, first)
        return nearest


def parentage(stayed: Ints, parents: Ints, arrived: int) -> Ints:
    """The parents of survivors, children and immigrants, as in `Context.parents`."""
    alone = np.stack([stayed, np.full_like(stayed, -1)], axis=1)
    return np.concatenate([alone, parents, np.full((arrived, 2), -1)])


def origins(staying: Bytes, genomes: Bytes, scores: Floats, chosen: Ints) -> Ints:
    """The index of each member in the former population, matched by genes; -1 for new genes.

    If all survivors stay in the order of selection, their indices are `chosen`.  Otherwise, of several members with
    the same genes, the one with the best score counts.
    """
    if len(staying) == len(chosen) and np.array_equal(staying, genomes[chosen]):
        return chosen
    best_first = np.argsort(-scores, kind="stable")
    rows = np.packbits(np.concatenate([genomes[best_first], staying]), axis=1)
    _, first, same = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    rows_before = first[same.reshape(-1)[len(genomes) :]]
    return np.where(rows_before < len(genomes), np.append(best_first, -1)[np.minimum(rows_before, len(genomes))], -1)


def joined_births(islands: Sequence[Birth]) -> Birth:
    """The birth of a population on islands; members from another island are found there by their genes."""
    before, crossed = (np.concatenate([getattr(island, name) for island in islands]) for name in ("before", "crossed"))
    starts = np.cumsum([0, *(len(island.before) for island in islands)])
    parents = np.concatenate([
        np.where(birth.parents >= 0, birth.parents + start, -1) for birth, start in zip(islands, starts, strict=False)
    ])  # fmt: skip
    arrived = parents[:, 0] < 0
    parents[arrived, 0] = origins(crossed[arrived], before, np.zeros(len(before)), np.empty(0, np.int64))
    return Birth(before, parents, crossed)


STREAMS = {"population": "population", "fitness": "dice", "selection": "selection", "crossover": "crossover",
           "mutator": "mutation", "replacement": "selection"}  # fmt: skip
"""The random stream of each kind of operator."""

MOST_FINALISTS = 500
"""The largest number of members that all meet each other to find the champion, if selection needs fewer matches."""


@dataclass(frozen=True, eq=False)
class State:
    """The state of a run between two generations, from which the next generation is made.

    Args:
        generation: number of the population, from 0.
        wave: index of the wave.
        genomes: the population, shape (n, genes).
        fresh: number of newly made members, which are the last ones and not evaluated yet.
        evaluations: number of evaluations so far.
        games: number of simulated games so far.
        memory: what the operators remember: arrays by name, by kind.
        birth: how the population was made, if the plan records the lineage.
        arrived: number of members on each island that are new and have no parents there, the last of the fresh ones;
            empty if there are none.  The former population and the plan imply it, so it is no part of the digest.
    """

    generation: int
    wave: int
    genomes: Bytes
    fresh: int
    evaluations: int = 0
    games: int = 0
    memory: Memory = field(default_factory=dict)
    birth: Birth | None = None
    arrived: tuple[int, ...] = ()

    @property
    def digest(self) -> str:
        """A SHA-256 hash of the population, the counts and the memory."""
        counts = (self.generation, self.wave, self.genomes.shape, self.fresh, self.evaluations, self.games)
        digest = hashlib.sha256(repr(counts).encode() + np.packbits(self.genomes).tobytes())
        states = [(name, kind, array) for kind, state in self.memory.items() for name, array in state.items()]
        for name, _, array in sorted(states, key=lambda entry: entry[:2]):
            digest.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
        return digest.hexdigest()


class Evaluated(Protocol):
    """The part of a generation that a stop rule may use: scores and counts, never the referee's figures."""

    @property
    def plan(self) -> Plan:
        """The plan of the run, or of its island."""

    @property
    def state(self) -> State:
        """The population, with the numbers of evaluations and games so far."""

    @property
    def number(self) -> int:
        """The number of the generation, from 0."""

    @property
    def final_scores(self) -> Floats:
        """The scores from the matches that find the champion, shape (n,)."""


STOP = "stop"  # the kind of a stop rule, and the key of its state in the memory


def kind_in_words(kind: str) -> str:
    """The name of a kind of function (a group of settings) in messages."""
    return "stop rule" if kind == STOP else kind


class StopRule:
    """Decides whether a run ends with a generation before its plan does; it may remember earlier generations.

    A plain function is enough if nothing is remembered: `def mine(generation): return generation.scores.max() > 0.6`.

    Example:
        >>> import pigevo
        >>> def soon(generation):
        ...     return generation.number >= 3
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "record_every=1", stop=soon)
        >>> run.metrics['generation'].tolist()
        [0, 1, 2]
    """

    def __call__(self, generation: Evaluated) -> bool:
        """Whether the run ends with this generation, called like a plain function."""
        return self.ends(generation, generation.state.memory.get(STOP, {}))

    def check(self, plan: Plan) -> None:
        """Refuse a plan for which the rule makes no sense.

        Raises:
            InputError: The rule makes no sense for this plan.
        """

    def ends(self, generation: Evaluated, remembered: Remembered) -> bool:
        """Whether the run ends with this generation, given what was remembered of earlier ones."""
        raise NotImplementedError

    def remember(self, generation: Evaluated, remembered: Remembered) -> Remembered:
        """Return what to remember, arrays by name, after a generation with which the run did not end."""
        return {}


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that decides a run: the operators, the size of the population, the waves in order, and more.

    Args:
        game: the game.
        seed: the seed of all random streams.
        size: number of members of the population.
        waves: the waves, one after the other.
        population, fitness, selection, crossover, mutator, replacement: the operators.
        rate: the mutation rate, for mutators that use it.
        workers: number of threads, on which no result depends.
        islands: how the population is divided into islands.
        stop: the stop rule.
        baseline: the random sample that the run is compared with.
        names: names of the operators and of the stop rule in messages, by kind.
        user_code: the operators that are the user's own, by kind.
        lineage: whether each state contains how it was made (`State.birth`).
        behaviour: whether records contain the diversity by behaviour.
        clock: adds up the time of the tools and of the referee.
        settings: all settings by their keys, `{"mutation": 0.005, "fitness.games": 100}`, for what records the run.
        folder: the folder in which the run writes its files; empty for a run in memory.
    """

    game: Game
    seed: int
    size: int
    waves: tuple[Wave, ...]
    population: Population
    fitness: Fitness
    selection: Selection
    crossover: Crossover
    mutator: Mutation
    replacement: Replacement
    rate: float
    workers: int
    islands: Islands
    stop: StopRule
    baseline: Callable[..., Floats]
    names: Mapping[str, str] = field(default_factory=dict)
    user_code: Mapping[str, UserCode] = field(default_factory=dict)
    lineage: bool = False
    behaviour: bool = False
    clock: PhaseClock = field(default_factory=PhaseClock)
    settings: Mapping[str, object] = field(default_factory=dict)
    folder: str = ""

    @property
    def generations(self) -> int:
        """The number of generations of the run, unless it is stopped earlier."""
        return sum(wave.generations for wave in self.waves)

    def wave_at(self, generation: int) -> int:
        """The index of the wave that makes this generation; generation 0 belongs to the first."""
        ends = [*accumulate(wave.generations for wave in self.waves)]
        return min(bisect_left(ends, generation), len(ends) - 1)

    @property
    def wave_ends(self) -> frozenset[int]:
        """The last generation of each wave."""
        return frozenset(accumulate(wave.generations for wave in self.waves))

    @property
    def selection_lacks_pairs(self) -> bool:
        """Whether all pairs meet only because a user's selection does not define the pairs."""
        return "selection" in self.user_code and self.selection.all_pairs_meet and bool(self.fitness.plays.members)

    @property
    def all_are_finalists(self) -> bool:
        """Whether all members are finalists, who meet each other to find the champion if members play each other.

        In a population of more than `MOST_FINALISTS` members this is so only if all pairs meet in each generation.
        """
        return self.size <= MOST_FINALISTS or not self.fitness.plays.members or self.selection.all_pairs_meet

    @property
    def finalists(self) -> int:
        """Number of members that meet each other to find the champion."""
        return self.size if self.all_are_finalists else MOST_FINALISTS

    @property
    def finalists_play(self) -> bool:
        """Whether the finalists are evaluated in pairs: not in a large population whose members are scored alone."""
        return self.size <= MOST_FINALISTS or bool(self.fitness.plays.members)

    @property
    def champion_matches(self) -> int:
        """Number of matches between the finalists."""
        return self.finalists * (self.finalists - 1) // 2

    def __getstate__(self) -> dict[str, object]:
        for kind, code in self.user_code.items():
            refuse_to_pickle(f"the {kind_in_words(kind)} {code.name}", code, in_file=False)
        return self.__dict__

    def draw(self, kind: str, generation: int) -> Draw:
        """The random numbers of an operator of a kind in a generation."""
        return Draw(self.seed, STREAMS[kind], generation)

    def called(self, kind: str) -> str:
        """The name of an operator in messages: its choice, and the file and line of a user's function."""
        name = f"the {kind_in_words(kind)} {self.names.get(kind, '')}".rstrip()
        return f"{name} ({file_and_line(self.user_code[kind].function)})" if kind in self.user_code else name
