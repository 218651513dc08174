"""The plan of a run: the game, the waves, and every operator, chosen and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.cubes.waves import Wave
from pigevo.evolution.offers import Memory, made, offer
from pigevo.evolution.registries import (
    BASELINES,
    CROSSOVERS,
    CUBES,
    JUDGES,
    MUTATORS,
    POPULATIONS,
    REPLACEMENTS,
    SELECTIONS,
)
from pigevo.evolution.verdict import Judge, Selection, Verdict, absolute
from pigevo.games import GAMES, Race
from pigevo.strategies import CubeGrid


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run.

    Args:
        game: the game.
        seed: decides every random number.
        size: members of the population.
        waves: the cube grids, one after the other.
        population: makes the first genomes from a grid and a draw.
        judge: decides who is better.
        selection: decides who meets whom and who survives.
        crossover: makes children of two arrays of parents.
        mutator: changes genomes at a rate.
        replacement: tells which survivors stay.
        rate: the mutation rate.
        workers: threads; no result depends on it.
        baseline: what the run is compared with, if anything.
    """

    game: Race
    seed: int
    size: int
    waves: tuple[Wave, ...]
    population: Callable[..., Bytes]
    judge: Judge
    selection: Selection
    crossover: Callable[..., Bytes]
    mutator: Callable[..., Bytes]
    replacement: Callable[[Bytes], Bytes]
    rate: float
    workers: int
    baseline: Callable[..., Any]

    @property
    def operators(self) -> tuple[Any, ...]:
        """Those who may remember something (`pigevo.evolution.offers`)."""
        return self.judge, self.selection, self.crossover, self.mutator

    @property
    def generations(self) -> int:
        """The length of the run."""
        return sum(wave.generations for wave in self.waves)

    def wave_at(self, generation: int) -> int:
        """The index of the wave that makes this generation; generation 0 belongs to the first."""
        end = 0
        for index, wave in enumerate(self.waves):
            end += wave.generations
            if generation <= end:
                return index
        return len(self.waves) - 1

    @property
    def wave_ends(self) -> frozenset[int]:
        """The last generation of each wave."""
        ends = [sum(w.generations for w in self.waves[: n + 1]) for n in range(len(self.waves))]
        return frozenset(ends)

    def draw(self, stream: str, generation: int) -> Draw:
        """The random numbers of a stream in a generation."""
        return Draw(self.seed, stream, generation)


def plan_from(config: Mapping[str, Any]) -> Plan:
    """The plan that a composed config describes.

    Args:
        config: plain values; the keys are those of the command line.

    Raises:
        InputError: an unknown name, or an option that is wrong.
    """
    game: Race = GAMES.bind(config["game"], "game")()
    workers = int(config["workers"])
    plan = Plan(
        game=game,
        seed=int(config["seed"]),
        size=int(config["population"]["size"]),
        waves=CUBES.bind(config["cubes"], "cubes")(game=game, total=int(config["generations"])),
        population=POPULATIONS.bind(config["population"], "population"),
        judge=JUDGES.bind(config["fitness"], "fitness")(game=game, workers=workers),
        selection=SELECTIONS.bind(config["selection"], "selection")(),
        crossover=made(CROSSOVERS.bind(config["crossover"], "crossover")),
        mutator=made(MUTATORS.bind(config["mutator"], "mutator")),
        replacement=REPLACEMENTS.bind(config["replacement"], "replacement"),
        rate=float(config["mutation"]),
        workers=workers,
        baseline=BASELINES.bind(config["baseline"], "baseline"),
    )
    _try_operators(plan)
    return plan


def _try_operators(plan: Plan) -> None:
    """Run every cheap operator once on a tiny genome, so that a wrong option is told before a run begins."""
    pairs = plan.selection.pairs(plan.size, plan.draw("selection", 0))
    made_up = plan.draw("selection", 0).uniforms(plan.size)
    plan.selection.survivors(absolute(made_up, pairs), plan.draw("selection", 0))
    coarse = replace(plan.waves[0].grid, size=max(1, plan.game.target // 2))
    tiny = plan.draw("population", 0).bits(2, coarse.genes)
    grown = cross(plan, coarse, {}, tiny, tiny[::-1], np.zeros((2, 2)), plan.draw("crossover", 0))
    change(plan, coarse, {}, grown, plan.draw("mutation", 0))
    if "names" in getattr(plan.population, "keywords", {}):
        plan.population(coarse, plan.draw("population", 0))


def cross(plan: Plan, grid: CubeGrid, memory: Memory, first: Bytes, second: Bytes, scores: Floats, draw: Draw) -> Bytes:
    """Children of two arrays of parents, whose scores are the two columns of `scores`, by the plan's crossover."""
    children: Bytes = offer(
        plan.crossover, first=first, second=second, draw=draw, grid=grid, memory=memory,
        first_scores=scores[:, 0], second_scores=scores[:, 1],
    )  # fmt: skip
    return children


def change(plan: Plan, grid: CubeGrid, memory: Memory, genomes: Bytes, draw: Draw) -> Bytes:
    """Genomes changed by the plan's mutator."""
    changed: Bytes = offer(plan.mutator, genomes=genomes, rate=plan.rate, draw=draw, grid=grid, memory=memory)
    return changed


def judged(plan: Plan, memory: Memory, tables: Bytes, pairs: Ints, draw: Draw) -> Verdict:
    """The verdict of the plan's judge."""
    verdict: Verdict = offer(plan.judge, tables=tables, pairs=pairs, draw=draw, memory=memory)
    return verdict


def pair_parents(survivors: int, children: int, draw: Draw) -> tuple[Ints, Ints]:
    """The parents of each child: survivors paired at random, children spread evenly over the pairs.

    With an odd number of survivors the last one is paired with the first; one alone is
    both parents.  Four children a pair replace a population of which half survived.
    """
    order = draw.permutation(survivors)
    ring = np.append(order, order[0]) if survivors % 2 else order
    pairs = ring.reshape(-1, 2)
    chosen = pairs[np.arange(children) % len(pairs)]
    return chosen[:, 0], chosen[:, 1]
