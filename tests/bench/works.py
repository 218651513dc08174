"""What the table of `make bench` measures: each work at growing sizes, with its peers beside it in one process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

import numpy as np
from deap import tools

import pigevo
from pigevo.core.machine import available_cores, available_memory
from pigevo.dice import Draw
from pigevo.evolution.toolbox import toolbox_of
from pigevo.exact import against, matrix_of_tables, prepare
from pigevo.exact.evaluate import turn_values
from pigevo.exact.response_kernels import optimal_tables
from pigevo.exact.solve import TIE
from pigevo.exact.turns import packed_die
from pigevo.strategies import Members
from tests.bench.peers import LOOPS, library, optimal_value, play, playing, prepared, win_probability

Call = Callable[[], Any]


@dataclass(frozen=True)
class Sized:
    """A work at one size.

    Args:
        ours: does it.
        peers: do the same, by name, with how many times less of it where all of it would take too long.
        threads: how many; wall-clock is measured with more than one, else the processor's time.
    """

    ours: Call
    peers: dict[str, tuple[Call, float]] = field(default_factory=dict)
    threads: int = 1


@dataclass(frozen=True)
class Work:
    """A work, the size that grows, and what makes it ready; None where a size is too large for this machine."""

    name: str
    over: str
    sizes: tuple[int, ...]
    make: Callable[[int], Sized | None]


def pair(target: int) -> Sized | None:
    """One strategy against a prepared one: both hold at shares of the target, so that turns grow with it."""
    if target**3 * 8 > (available_memory() or 0):
        return None
    game = pigevo.Pig(target)
    a, b = pigevo.hold_at(game, target // 5), pigevo.hold_at(game, target // 4)
    table, opponent, peers = a.table, prepare(b), {}
    if target <= 400:
        peers["numba by cells"] = _numba(a, b)
        peers |= _c(a, b)
    return Sized(lambda: turn_values(table, opponent)[0][0, 0], peers)


def sides(count: int) -> Sized:
    """A random strategy against the optimum, to 100."""
    game = pigevo.Pig(100, count)
    a, b = pigevo.random_strategy(game, seed=1), pigevo.optimal(game).strategy
    table, opponent = a.table, prepare(b)
    return Sized(lambda: turn_values(table, opponent)[0][0, 0], {"numba by cells": _numba(a, b)} | _c(a, b))


def optimum(target: int) -> Sized:
    """The optimum from nothing; the peer iterates values until they change by less than 1e-12."""
    game = pigevo.Pig(target)
    die = np.array([0.0, 0.0] + [1 / 6] * 5)
    few = {"numba value iteration": (lambda: optimal_value(target, 1 / 6, die, 1e-12), 1.0)}
    return Sized(lambda: optimal_tables(target, packed_die(game), TIE)[0][0, 0], few if target <= 100 else {})


def referee(size: int) -> Sized:
    """A population of cubes of 10 against the optimum, one core."""
    game = pigevo.Pig(100)
    grid, opponent = pigevo.CubeGrid(game, 10), prepare(pigevo.optimal(game).strategy)
    members = Members(grid, Draw(1, "population").bits(size, grid.genes))
    member, best = grid.strategy(members.genomes[0]), pigevo.optimal(game).strategy
    peers = {
        name: (call, 1 / size)
        for name, (call, _) in ({"numba by cells": _numba(member, best)} | _c(member, best)).items()
    }
    return Sized(lambda: against(members, opponent)[0, 0], peers)


def variation(size: int, edge: int = 10) -> Sized:
    """Uniform crossover and mutation of all genes of a population of cubes."""
    generation = next(_generations(20, "crossover=uniform", f"cubes.sizes=[{edge}]"))
    toolbox, grid = toolbox_of(generation.plan, generation.state.wave), generation.grid
    genomes, scores = Draw(1, "population").bits(size, grid.genes), Draw(2, "population").uniforms(size)
    return Sized(
        lambda: toolbox.mutate(toolbox.mate(genomes, scores, size, 1), scores, 1),
        {"DEAP on lists": (_deap_on_lists(genomes.tolist(), 0.5, 0.01), 1.0)},
    )


def generation(size: int) -> Sized:
    """A whole generation of a knockout of cubes of 10: matches of 100 games, crossover, mutation."""
    generations = _generations(size)
    for _ in range(2):  # the second is the first that is bred
        next(generations)
    return Sized(lambda: next(generations))


def match(games: int) -> Sized:
    """A match of hold_at:20 against hold_at:25."""
    game = pigevo.Pig()
    a, b = pigevo.hold_at(game, 20), pigevo.hold_at(game, 25)
    peers = {"numba game by game": (lambda: play(a.roll, b.roll, 6, games, 1), 1.0)}
    for name, loop in LOOPS.items() if find_spec("pyspiel") else ():
        few = min(games, 300)
        peers[f"OpenSpiel, {name}"] = (playing(loop, a, b, few), few / games)
    return Sized(lambda: pigevo.play_match(a, b, games=games, workers=1), peers)


def matrix_by_workers(workers: int) -> Sized:
    """The win matrix of 20 random strategies."""
    game = pigevo.Pig()
    tables = np.stack([pigevo.random_strategy(game, seed).table for seed in range(20)])
    return Sized(lambda: matrix_of_tables(game, tables, workers=workers), threads=workers + 1)


def match_by_workers(workers: int) -> Sized:
    """Four million games."""
    game = pigevo.Pig()
    a, b = pigevo.hold_at(game, 20), pigevo.hold_at(game, 25)
    return Sized(lambda: pigevo.play_match(a, b, games=4_000_000, workers=workers), threads=workers + 1)


EDGES = {pigevo.CubeGrid(pigevo.Pig(), edge).genes: edge for edge in (20, 10, 5, 2, 1)}
"""The sizes of cubes by the genes of a genome, to 100."""

CORES = tuple(sorted({2**n for n in range(5) if 2**n <= available_cores()} | {available_cores()}))

WORKS = {
    "pair": Work("exact: a pair, hold_at:T/5 v T/4", "target", (25, 50, 100, 200, 400, 1000), pair),
    "sides": Work("exact: random v optimum, to 100", "sides", (2, 6, 12, 20, 50), sides),
    "optimum": Work("exact: the optimum", "target", (25, 50, 100, 200, 400), optimum),
    "referee": Work("exact: cubes of 10 v optimum", "population", (20, 100, 500, 2000, 10_000), referee),
    "variation": Work("crossover and mutation, cubes of 10", "population", (20, 100, 500, 2000, 10_000), variation),
    "genes": Work(
        "crossover and mutation of 20 genomes", "genes", (*EDGES,), lambda genes: variation(20, EDGES[genes])
    ),
    "generation": Work("a generation, cubes of 10", "population", (20, 100, 500, 2000, 10_000), generation),
    "match": Work("a match, hold_at:20 v 25", "games", (1000, 10_000, 100_000, 1_000_000), match),
    "matrix": Work("exact: 20 x 20 win matrix", "workers", CORES, matrix_by_workers),
    "matches": Work("a match of 4,000,000 games", "workers", CORES, match_by_workers),
}


def _generations(size: int, *more: str) -> Iterator[Any]:
    words = "experiment=knockout_random", "cubes=only_10", "mutation=0.01", "workers=1", "cubes.generations=[1000]"
    return iter(pigevo.generations(*words, f"population.size={size}", *more))


def _deap_on_lists(population: list[list[int]], share: float, rate: float) -> Call:
    """Uniform crossover of neighbours, and mutation of everyone, on copies, as DEAP's tutorials write it."""

    def call() -> list[list[int]]:
        children = [genome.copy() for genome in population]
        for first, second in zip(children[::2], children[1::2], strict=True):
            tools.cxUniform(first, second, share)
        for child in children:
            tools.mutFlipBit(child, rate)
        return children

    return call


def _numba(a: pigevo.Strategy, b: pigevo.Strategy) -> tuple[Call, float]:
    die = np.zeros(a.game.sides + 1)
    die[2:] = 1 / a.game.sides
    return lambda: win_probability(a.roll, b.roll, 1 / a.game.sides, die)[0], 1.0


def _c(a: pigevo.Strategy, b: pigevo.Strategy) -> dict[str, tuple[Call, float]]:
    return {"C by rows": (prepared(a, b), 1.0)} if library() else {}


if __name__ == "__main__":
    print(json.dumps([(name, work.name, work.over) for name, work in WORKS.items()]))
