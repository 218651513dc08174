"""What the table of `make bench` measures: each work at growing sizes, with its peers beside it in one process.

Peers are plain compiled loops over the cells, the same in C, and loops over OpenSpiel.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numba
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


@numba.njit
def turn_parts(roll, i, j, bust, die, after):
    """Backwards over the turn total: the turn is worth `a + b z` if a bust is worth `z`."""
    target = roll.shape[0]
    left = target - i
    a = np.ones(left + die.shape[0])
    b = np.zeros(left + die.shape[0])
    for k in range(left - 1, -1, -1):
        if roll[i, j, k]:
            a[k] = 0.0
            b[k] = bust
            for points in range(1, die.shape[0]):
                a[k] += die[points] * a[k + points]
                b[k] += die[points] * b[k + points]
        else:
            a[k] = after[k]
            b[k] = 0.0
    return a[0], b[0]


@numba.njit
def win_probability(roll, other, bust, die):
    """Win probabilities of `roll` against `other`: first and second seat, cell by cell."""
    target = roll.shape[0]
    moving = np.zeros((target, target))
    waiting = np.zeros((target, target))
    after = np.zeros(target)
    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            for k in range(1, target - i):
                after[k] = waiting[i + k, j]
            a, b = turn_parts(roll, i, j, bust, die, after)
            for k in range(1, target - j):
                after[k] = 1.0 - moving[i, j + k]
            c, d = turn_parts(other, j, i, bust, die, after)
            # moving = a + b waiting, and 1 - waiting = c + d (1 - moving)
            moving[i, j] = (a + b * (1.0 - c - d)) / (1.0 - b * d)
            waiting[i, j] = 1.0 - c - d * (1.0 - moving[i, j])
    return moving[0, 0], waiting[0, 0]


@numba.njit
def optimal_value(target, bust, die, tolerance):
    """The optimum by value iteration, level by level (Neller & Presser 2004), cell by cell."""
    reach = die.shape[0]
    values = np.full((target, target, target + reach), 0.5)
    for i in range(target):
        values[i, :, target - i :] = 1.0
    for total in range(2 * target - 2, -1, -1):
        change = 1.0
        while change > tolerance:
            change = 0.0
            for i in range(max(0, total - target + 1), min(total, target - 1) + 1):
                j = total - i
                for k in range(target - i - 1, -1, -1):
                    roll = bust * (1.0 - values[j, i, 0])
                    for points in range(1, reach):
                        roll += die[points] * values[i, j, k + points]
                    best = roll if k == 0 else max(roll, 1.0 - values[j, i + k, 0])
                    change = max(change, abs(best - values[i, j, k]))
                    values[i, j, k] = best
    return values[0, 0, 0]


@numba.njit
def play(roll, other, sides, games, seed):
    """Wins of `roll` in games of Pig in which the first move alternates, roll by roll."""
    np.random.seed(seed)
    target, wins = roll.shape[0], 0
    for game in range(games):
        mine, theirs, total, moving = 0, 0, 0, game % 2 == 0
        while True:
            own, against = (mine, theirs) if moving else (theirs, mine)
            if own + total >= target:
                wins += moving
                break
            if roll[own, against, total] if moving else other[own, against, total]:
                side = np.random.randint(1, sides + 1)
                if side > 1:
                    total += side
                    continue
            elif moving:
                mine += total
            else:
                theirs += total
            total, moving = 0, not moving
    return wins


SOURCE = Path(__file__).with_name("plain.c")


@functools.cache
def library() -> Any:
    """The compiled reference, for the processor that numba compiles for, or None."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="pigevo-bench-"))
    words = [
        compiler,
        "-O3",
        f"-march={os.environ.get('NUMBA_CPU_NAME', 'native')}",
        "-shared",
        "-fPIC",
        "-o",
        str(folder / "plain.so"),
        str(SOURCE),
    ]
    done = subprocess.run(words, check=False, capture_output=True)
    loaded = ctypes.CDLL(str(folder / "plain.so")) if done.returncode == 0 else None
    shutil.rmtree(folder)
    return loaded


def prepared(strategy: pigevo.Strategy, opponent: pigevo.Strategy) -> Callable[[], float]:
    """The call of the reference for one strategy against another one whose turns are known."""
    game, T = strategy.game, strategy.game.target
    gains, chances = (np.ascontiguousarray(part) for part in packed_die(game))
    turns, ends = prepare(opponent), np.zeros((T, T, T))
    for i in range(T):
        for j in range(T):
            run = turns.hold[turns.start[i, j] : turns.start[i, j + 1]][: T - j - turns.low[i, j]]
            ends[i, j, turns.low[i, j] : turns.low[i, j] + len(run)] = run
    leave = np.ascontiguousarray(turns.leave.T)
    stand, behind, moving = np.zeros((2 * T + 2 * gains[0], T)), np.zeros((T + gains[0], T)), np.zeros((T, T))
    table = np.ascontiguousarray(strategy.table)
    arrays = gains, chances, table, ends, leave, stand, behind, moving
    words = [ctypes.c_long(T), ctypes.c_long(len(gains)), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)]

    def call() -> float:
        library().win_rows(*words)
        return float(moving[0, 0])

    call.arrays = arrays  # type: ignore[attr-defined]  # they live as long as the call
    return call


ROLL, STOP = 0, 1
SCORES = re.compile(r"Scores: (\d+) (\d+), Turn total: (\d+)")


def plain_loop(state, rolls, rng, target):
    """One game as OpenSpiel's examples play it: the state tells the scores and the outcomes of chance."""
    while not state.is_terminal():
        if state.is_chance_node():
            sides, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(sides, chances)[0])
            continue
        first, second, total = map(int, SCORES.search(str(state)).groups())
        player = state.current_player()
        own, other = (first, second) if player == 0 else (second, first)
        state.apply_action(ROLL if own + total < target and rolls[player][own][other][total] else STOP)


def lean_loop(state, rolls, rng, target):
    """One game in which the state is asked as little as possible: scores are kept beside it, sides are known."""
    scores, total, player = [0, 0], 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            side = rng.randrange(6)  # number 0 is the 1
            state.apply_action(side)
            total += side + 1
            if side == 0:
                total, player = 0, 1 - player
        elif scores[player] + total < target and rolls[player][scores[player]][scores[1 - player]][total]:
            state.apply_action(ROLL)
        else:
            state.apply_action(STOP)
            scores[player] += total
            total, player = 0, 1 - player


def playing(loop, a, b, games):
    """A call that plays so many games of `a`, who moves first, against `b`."""
    import pyspiel

    target = a.game.target
    board = pyspiel.load_game("pig", {"winscore": target, "horizon": 100_000})
    rng, rolls = random.Random(1), [p.roll.tolist() for p in (a, b)]

    def play():
        for _ in range(games):
            loop(board.new_initial_state(), rolls, rng, target)

    return play


LOOPS = {"plain loop": plain_loop, "lean loop": lean_loop}


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
