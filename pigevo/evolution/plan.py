"""The plan of a run: the game, the waves, and every operator, chosen and checked; and what a stop rule is.

A stop rule is asked of each generation, in order, whether the run ends with it.  It may look at the generation and at
what it remembers of earlier ones, and at nothing else: not at a clock, so that a run repeats to the bit, nor, if it is
pigevo's, at the referee, which no run sees unless it is the fitness.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.phase_clock import PhaseClock
from pigevo.dice import Draw
from pigevo.evolution import operators
from pigevo.evolution.births import Birth
from pigevo.evolution.cubes import Wave
from pigevo.evolution.islands import Islands
from pigevo.evolution.operators import Crossover, Fitness, Memory, Mutation, Population, Replacement, Selection
from pigevo.games import Game
from pigevo.user_code.loading import Own, place_of

STREAMS = {"population": "population", "fitness": "dice", "selection": "selection", "crossover": "crossover",
           "mutator": "mutation", "replacement": "selection"}  # fmt: skip
"""The stream that each kind of operator draws from."""

EVERYONE = 500
"""The most members that all meet each other to name the champion, where selection needs fewer matches."""


@dataclass(frozen=True, eq=False)
class State:
    """A run between two generations: all that the next one is made from.

    Of the population, shape (n, genes), number `generation` from 0, the last `fresh` members are newly made, and so not
    evaluated yet.  `evaluations` and `games` were spent until here; `memory` is what operators remember: arrays by
    name, by kind.  `birth` tells how the population was made, where a plan has its lineage recorded.
    """

    generation: int
    wave: int
    genomes: Bytes
    fresh: int
    evaluations: int = 0
    games: int = 0
    memory: Memory = field(default_factory=dict)
    birth: Birth | None = None

    @property
    def digest(self) -> str:
        """A SHA-256 of the population, the counts and what is remembered."""
        counts = (self.generation, self.wave, self.genomes.shape, self.fresh, self.evaluations, self.games)
        digest = hashlib.sha256(repr(counts).encode() + np.packbits(self.genomes).tobytes())
        states = [(name, kind, array) for kind, state in self.memory.items() for name, array in state.items()]
        for name, _, array in sorted(states, key=lambda one: one[:2]):
            digest.update(repr((name, array.dtype.str, array.shape)).encode() + array.tobytes())
        return digest.hexdigest()


class Evaluated(Protocol):
    """What a stop rule sees of a generation: scores and counts, never the referee's figures."""

    @property
    def plan(self) -> Plan:
        """The plan of the run, or of its island."""

    @property
    def state(self) -> State:
        """The population with the evaluations and games that were spent on it."""

    @property
    def number(self) -> int:
        """The number of the generation, from 0."""

    @property
    def final_scores(self) -> Floats:
        """The scores by the matches that name the champion, shape (n,)."""


STOP = "stop"
"""The kind of a stop rule, under which it also remembers."""


def in_words(kind: str) -> str:
    """How messages call a kind of function, which is a group of settings."""
    return "stop rule" if kind == STOP else kind


class StopRule:
    """Says with which generation a run ends before its plan does, and may remember earlier generations.

    A plain function is enough if it remembers nothing: `def mine(generation): return generation.scores.max() > 0.6`.

    Example:
        >>> import pigevo
        >>> def soon(generation):
        ...     return generation.number >= 3
        >>> run = pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "record_every=1", stop=soon)
        >>> run.metrics['generation'].tolist()
        [0, 1, 2]
    """

    def __call__(self, generation: Evaluated) -> bool:
        """Whether the run ends with this generation, as a plain function says it."""
        return self.ends(generation, generation.state.memory.get(STOP, {}))

    def check(self, plan: Plan) -> None:
        """Refuse a plan in which the rule has no meaning.

        Raises:
            InputError: it has none.
        """

    def ends(self, generation: Evaluated, remembered: operators.State) -> bool:
        """Whether the run ends with this generation, given what was remembered of those before."""
        raise NotImplementedError

    def remember(self, generation: Evaluated, remembered: operators.State) -> operators.State:
        """What to remember of a generation with which the run did not end, and of those before: arrays by name."""
        return {}


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that decides a run: the operators, a population's size, the waves one after the other.

    `rate` is the mutation rate, for mutators that use it, and `workers` threads, on which no result depends; `baseline`
    is what the run is compared with.  `names` say how messages call the operator of each kind and the stop rule; `own`
    are those that are the user's.  With `lineage` each state tells how it was made (`State.birth`), with
    `behaviour` records have the diversity by behaviour.  `clock` adds up what the tools and the referee have taken.
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
    baseline: Callable[..., Any]
    names: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, Own] = field(default_factory=dict)
    lineage: bool = False
    behaviour: bool = False
    clock: PhaseClock = field(default_factory=PhaseClock)

    @property
    def generations(self) -> int:
        """The length of the run, unless it is stopped before."""
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
    def meets_by_default(self) -> bool:
        """Whether all pairs meet only because a user's selection does not say who meets whom."""
        return "selection" in self.own and self.selection.meets_everyone and bool(self.fitness.plays.members)

    @property
    def everyone_meets(self) -> bool:
        """Whether all members meet each other to name a champion, if they meet at all.

        In a population of more than `EVERYONE` they do only where selection lets all meet in each generation.
        """
        return self.size <= EVERYONE or not self.fitness.plays.members or self.selection.meets_everyone

    @property
    def finalists(self) -> int:
        """How many members meet each other to name a champion."""
        return self.size if self.everyone_meets else EVERYONE

    @property
    def champion_matches(self) -> int:
        """In how many matches they meet."""
        return self.finalists * (self.finalists - 1) // 2

    def draw(self, kind: str, generation: int) -> Draw:
        """The random numbers of an operator of a kind in a generation."""
        return Draw(self.seed, STREAMS[kind], generation)

    def called(self, kind: str) -> str:
        """How a message calls the operator of a kind: its choice, and the place of a user's own."""
        name = f"the {in_words(kind)} {self.names.get(kind, '')}".rstrip()
        return f"{name} ({place_of(self.own[kind].function)})" if kind in self.own else name
