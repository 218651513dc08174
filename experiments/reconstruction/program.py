"""The program of Exeter 2016 with every decision that a slip can change as an option, and its runs, which are kept.

The report's program is lost.  Its text describes one loop: members meet in pairs, the winners survive, random pairs of
survivors have children, and cells of the children flip; with cubes, one gene decides a whole region, in three waves.
A `Program` is a way in which that loop may have been written; without arguments it follows the text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from omegaconf import OmegaConf

import pigevo
from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.crossover import agree_or_random
from pigevo.evolution.mutation.flips import bit_flip, exact_share
from pigevo.evolution.operators import Context
from pigevo.evolution.population import Chosen
from pigevo.exact.evaluate import against, pairs_of_tables
from pigevo.exact.turns import prepare
from pigevo.games import Pig
from pigevo.simulation import play_pairs
from pigevo.storage.records import archive, write_arrays
from pigevo.strategies import CubeGrid, Members, Strategy

SIZE = 20
"""Members of a population."""

Start = Literal["random", "optimal", "hold_at", "score"]


@dataclass(frozen=True)
class Program:
    """One way to have written the program.

    Args:
        begin: what decides a cube's first gene: the majority of the given strategy's cells in it, a coin, or its first
            or last decision state.
        between: what a finer cube gets: the gene of the cube that it is cut from, or a coin.
        sizes: edges of the cubes, wave by wave.
        wave: generations of a wave; 61 populations are recorded anyway.
        target: the points that win.
        passes: whether the gene of a cube also decides at a turn total of 0, where it may hold.
        selection: who of a pair survives: who wins more games, who wins fewer, the first one, or the better one; or
            the half of the population with the most wins, whoever was met.
        seats: whether the players alternate in moving first, the first of a pair always does, or the second player's
            array is read with the two scores exchanged.
        games: games of a match.
        meet: whether members meet in random pairs, or each with its neighbour in the array.
        parents: who breeds: random pairs of survivors, neighbours, all of them one pair, each survivor with itself, or
            each with the member that it beat.
        siblings: whether each child of a pair is crossed by itself, or all are copies of one.
        next: who makes up the next population: four children of each pair; survivors and two children of each pair, of
            whom the survivors are mutated or not; losers and two children; ten children and ten strategies that always
            hold, that are the first ten of the beginning, or that are new ones by coins; or everybody unchanged.
        crossover: a gene on which parents differ: a coin, always a roll, a roll in two of three cases, always a hold,
            or that of the first parent; or coins for all genes, or for those that agree.
        mutation: genes that flip: each independently at the rate; an exact share; those that are assigned a coin at
            the rate; none; at a hundredth, twice, or ten times the rate; at least one; as many as on the largest cubes;
            whole cubes of the first wave in every wave, or of the wave before; single cells, while cubes are restored
            at the beginning of a wave only; all in the product of three sets of coordinates; the same in all children
            of a generation, or in all generations of a wave.
        evaluated: whether the recorded population is that after or before its mutation.
        referee: the opponent of the recorded games: the optimum, or the optimum with an index one off in the turn total
            or in both scores, or with its scores exchanged.
    """

    begin: Literal["majority", "coin", "lowest", "highest"] = "majority"
    between: Literal["copied", "coin"] = "copied"
    sizes: tuple[int, ...] = (20, 10, 5)
    wave: int = 100
    target: int = 100
    passes: bool = False
    selection: Literal["wins", "losses", "first", "exact", "most_wins"] = "wins"
    ties: Literal["coin", "first"] = "coin"
    seats: Literal["alternate", "first", "exchanged"] = "alternate"
    games: int = 100
    meet: Literal["random", "neighbours"] = "random"
    parents: Literal["pairs", "neighbours", "one_pair", "itself", "beaten"] = "pairs"
    siblings: Literal["own", "copies"] = "own"
    next: Literal[
        "children", "survivors", "mutated_survivors", "losers", "holds", "first_ten", "strangers", "same"
    ] = "children"  # fmt: skip
    crossover: Literal["coin", "roll", "two_thirds", "hold", "first", "all_coins", "inverted"] = "coin"
    mutation: Literal[
        "gene", "share", "value", "none", "hundredth", "twice", "tenfold", "one", "first_wave", "large", "previous",
        "cells", "product", "shared", "fixed",
    ] = "gene"  # fmt: skip
    evaluated: Literal["after", "before"] = "after"
    referee: Literal["optimum", "total_off", "scores_off", "exchanged"] = "optimum"

    @property
    def game(self) -> Pig:
        """The game that it plays."""
        return Pig(target=self.target, allow_pass=self.passes)


@dataclass(frozen=True)
class Setting:
    """What one curve of the report was made with.

    Args:
        start: the first population.
        mutation: the rate.
        cubes: whether there are cubes.
        generations: how many there are without cubes.
        every: generations from one record to the next without cubes.
        round_robin: whether all meet all, in 25 games a pair.
    """

    start: Start
    mutation: float = 0.01
    cubes: bool = False
    generations: int = 300
    every: int = 10
    round_robin: bool = False


@dataclass(frozen=True, eq=False)
class Course:
    """What is recorded of one evolution.

    Args:
        seats: win probabilities of the members against the referee, moving first and second, shape (points, n, 2).
        survive: which members survive next, shape (points, n).
    """

    seats: Floats
    survive: Bools


def evolve(program: Program, setting: Setting, seed: int) -> Course:
    """Run a program; a record before the first generation is that of the given strategies."""
    records = list(_records(program, setting, seed))
    return Course(np.array([seats for seats, _ in records]), np.array([survive for _, survive in records]))


def _records(program: Program, setting: Setting, seed: int) -> Iterator[tuple[Floats, Bools]]:
    game, generation = program.game, 0
    grid, genomes = given(program, setting, seed)
    yield referee(program, Members(grid, genomes)), np.ones(SIZE, np.bool_)
    sizes = program.sizes if setting.cubes else (1,)
    length, every = (program.wave, program.wave // 20) if setting.cubes else (setting.generations, setting.every)
    for number, size in enumerate(sizes):
        draw = Draw(seed, "population", number + 1)
        grid, genomes = laid(program, grid, genomes, CubeGrid(game, size), number, draw)
        if setting.cubes and program.mutation == "cells":
            fine = CubeGrid(game, 1)
            grid, genomes = fine, grid.refine(genomes, fine)
        beginning, before = genomes, genomes
        for _ in range(length):
            survivors, beaten = select(program, setting, Members(grid, genomes), seed, generation)
            if generation and generation % every == 0:
                yield _record(program, grid, before, genomes, survivors)
            generation += 1
            before, genomes = bred(program, setting, grid, genomes, beginning, survivors, beaten, seed, generation)
    survivors, _ = select(program, setting, Members(grid, genomes), seed, generation)
    yield _record(program, grid, before, genomes, survivors)


def _record(program: Program, grid: CubeGrid, before: Bytes, genomes: Bytes, survivors: Ints) -> tuple[Floats, Bools]:
    shown = before if program.evaluated == "before" else genomes
    return referee(program, Members(grid, shown)), np.isin(np.arange(SIZE), survivors)


def given(program: Program, setting: Setting, seed: int) -> tuple[CubeGrid, Bytes]:
    """The strategies that an evolution begins with, cell by cell."""
    grid = CubeGrid(program.game, 1)
    if setting.start == "random":
        return grid, Draw(seed, "population").bits(SIZE, grid.genes)
    named = _named(grid, setting.start)
    return grid, named[np.arange(SIZE) % len(named)]


@cache
def _named(grid: CubeGrid, start: Start) -> Bytes:
    if start == "optimal":
        return grid.from_strategies([optimum(grid.game)])
    rule = pigevo.hold_at if start == "hold_at" else pigevo.score
    return grid.from_strategies([rule(grid.game, value) for value in (10, 15, 20, 25, 30)])


def laid(
    program: Program, old: CubeGrid, genomes: Bytes, new: CubeGrid, number: int, draw: Draw
) -> tuple[CubeGrid, Bytes]:
    """Genomes on the grid of a wave."""
    if (number == 0 and program.begin == "coin" and new.size != old.size) or (number and program.between == "coin"):
        return new, draw.bits(len(genomes), new.genes)
    if number == 0 and program.begin in ("lowest", "highest"):
        order = _cube_of_cell(new)[:: 1 if program.begin == "lowest" else -1]
        place = np.unique(order, return_index=True)[1]
        return new, np.ascontiguousarray(genomes[:, place if program.begin == "lowest" else len(order) - 1 - place])
    if all(edge % finer == 0 for edge, finer in zip(old.edges, new.edges, strict=True)):
        return new, old.refine(genomes, new)
    if set(old.edges) == {1}:  # the majority, faster than from all cells
        cubes = _cube_of_cell(new)
        rolls = np.array([np.bincount(cubes, weights=genome, minlength=new.genes) for genome in genomes])
        return new, (2 * rolls >= np.bincount(cubes)).astype(np.uint8)
    return new, new.from_tables(old.to_tables(genomes))


@cache
def _cube_of_cell(grid: CubeGrid) -> Ints:
    """The gene of a grid that decides each decision state, in the order of the genes of single cells."""
    numbers = np.arange(grid.genes)[None]
    cells = grid.refine(numbers, CubeGrid(grid.game, 1))  # type: ignore[arg-type]  # it copies whatever it is given
    return np.asarray(cells[0], np.int64)


def select(program: Program, setting: Setting, members: Members, seed: int, generation: int) -> tuple[Ints, Ints]:
    """The survivors, and whom each of them beat."""
    draw, dice = Draw(seed, "selection", generation), Draw(seed, "dice", generation)
    order = draw.permutation(SIZE) if program.meet == "random" else np.arange(SIZE)
    if setting.round_robin:
        pairs = np.column_stack(np.triu_indices(SIZE, 1))
        wins = matches(program, members, pairs, 25, dice)
        total = np.bincount(pairs.ravel(), wins.ravel(), SIZE)
        ranked = order[np.argsort(-total[order], kind="stable")]
    else:
        pairs = order.reshape(-1, 2)
        wins = matches(program, members, pairs, program.games, dice)
        ranked = order[np.argsort(-wins.ravel(), kind="stable")]
    half = SIZE // 2
    if program.selection == "losses":
        ranked = ranked[::-1]
    if program.selection == "first":
        ranked = np.arange(SIZE) if setting.round_robin else pairs.T.ravel()
    if setting.round_robin or program.selection in ("most_wins", "first"):
        return ranked[:half], ranked[half:]
    margin = (wins[:, 1] - wins[:, 0]) * (-1 if program.selection == "losses" else 1)
    tied = draw.at(part=1).bits(half) if program.ties == "coin" else np.zeros(half)
    second = np.where(margin == 0, tied, margin > 0).astype(np.int64)
    rows = np.arange(half)
    return pairs[rows, second], pairs[rows, 1 - second]


def matches(program: Program, members: Members, pairs: Ints, games: int, dice: Draw) -> Floats:
    """The wins of both players of each pair, shape (pairs, 2)."""
    game = members.grid.game
    if program.selection == "exact":
        overall = pairs_of_tables(game, members, pairs).mean(axis=1)
        return np.column_stack([overall, 1 - overall])
    if program.seats == "exchanged":
        tables = members[:]
        both = np.concatenate([tables, exchanged(tables)])
        return play_pairs(game, both, pairs + np.array([0, SIZE]), games, dice)[:, :2].astype(np.float64)
    if program.seats == "first":  # the first of a pair moves first in the first game of a match
        won = play_pairs(game, members, np.repeat(pairs, games, axis=0), 1, dice)[:, :2]
        return np.asarray(won.reshape(len(pairs), games, 2).sum(axis=1), np.float64)
    return play_pairs(game, members, pairs, games, dice)[:, :2].astype(np.float64)


def exchanged(tables: Bytes) -> Bytes:
    """Decisions with both scores exchanged, shape (n, own, turn total, opponent)."""
    return np.ascontiguousarray(tables.swapaxes(1, 3))


def bred(
    program: Program, setting: Setting, grid: CubeGrid, genomes: Bytes, beginning: Bytes, survivors: Ints, beaten: Ints,
    seed: int, generation: int,
) -> tuple[Bytes, Bytes]:  # fmt: skip
    """The next population after mutation; and before, if that is evaluated."""
    if program.next == "same":
        return genomes, genomes
    draw = Draw(seed, "selection", generation).at(part=2)
    half = SIZE // 2
    mothers, fathers = survivors[draw.permutation(half)].reshape(-1, 2).T
    if program.parents == "neighbours":
        mothers, fathers = survivors.reshape(-1, 2).T
    elif program.parents == "one_pair":
        mothers, fathers = np.repeat(mothers[:1], half // 2), np.repeat(fathers[:1], half // 2)
    elif program.parents == "itself":
        mothers = fathers = survivors[::2]
    elif program.parents == "beaten":
        mothers, fathers = survivors[::2], beaten[::2]
    each = SIZE // len(mothers) if program.next == "children" else half // len(mothers)
    copies = each if program.siblings == "copies" else 1
    first, second = (Chosen(genomes, np.repeat(own, each // copies)) for own in (mothers, fathers))
    children = crossed(program, first, second, Context(Draw(seed, "crossover", generation), grid))
    children = np.repeat(children, copies, axis=0) if copies > 1 else children
    context = Context(Draw(seed, "mutation", generation), grid, rate=setting.mutation, in_place=True)
    if program.next == "mutated_survivors":
        children = np.concatenate([children, genomes[survivors]])
    before = children.copy() if program.evaluated == "before" else children
    after = mutated(program, setting, children, context)
    rest = beside(program, genomes, beginning, survivors, beaten, Draw(seed, "population", generation).at(part=1))
    if not len(rest):
        return before, after
    return np.concatenate([before, rest]), np.concatenate([after, rest])


def beside(program: Program, genomes: Bytes, beginning: Bytes, survivors: Ints, beaten: Ints, draw: Draw) -> Bytes:
    """Who stands beside the children in the next population."""
    match program.next:
        case "survivors":
            return genomes[survivors]
        case "losers":
            return genomes[beaten]
        case "holds":
            return np.zeros_like(genomes[survivors])
        case "first_ten":
            return beginning[: len(survivors)]
        case "strangers":
            return draw.bits(len(survivors), genomes.shape[1])
        case _:
            return genomes[:0]


def crossed(program: Program, first: Chosen, second: Chosen, context: Context) -> Bytes:
    """The children of parents, before mutation."""
    match program.crossover:
        case "coin":
            return agree_or_random(first, second, context)
        case "roll":
            return first[:] | second[:]
        case "two_thirds":
            return np.where(first[:] == second[:], first[:], _two_thirds(first.shape, context))
        case "hold":
            return first[:] & second[:]
        case "first":
            return first[:]
        case "all_coins":
            return context.draw.bits(*first.shape)
        case "inverted":
            return np.where(first[:] == second[:], context.draw.bits(*first.shape), first[:])


def _two_thirds(shape: tuple[int, ...], context: Context) -> Bytes:
    return (context.draw.uniforms(int(np.prod(shape))).reshape(shape) < 2 / 3).astype(np.uint8)


RATES = {"gene": 1.0, "cells": 1.0, "value": 0.5, "none": 0.0, "hundredth": 0.01, "twice": 2.0, "tenfold": 10.0}
"""The rate at which genes flip independently, as a share of the rate that is stated, by kind of mutation."""


def mutated(program: Program, setting: Setting, genomes: Bytes, context: Context) -> Bytes:
    """The genomes after mutation."""
    kind, grid, rate = program.mutation, context.grid, context.rate
    if kind == "share":
        return exact_share(genomes, context)
    if kind in ("shared", "fixed"):
        draw = context.draw if kind == "shared" else Draw(context.draw.seed, "mutation")
        return genomes ^ bit_flip(np.zeros((1, grid.genes), np.uint8), Context(draw, grid, rate=rate))
    if kind == "product":
        return genomes ^ products(len(genomes), context)
    largest = CubeGrid(grid.game, max(program.sizes) if setting.cubes else 1)
    if kind in ("large", "previous"):
        larger = largest if kind == "large" or not setting.cubes else _grid_before(program, grid)
        flips = bit_flip(np.zeros((len(genomes), larger.genes), np.uint8), Context(context.draw, larger, rate=rate))
        return genomes ^ larger.refine(flips, grid)
    if kind == "one":
        cubes = int(np.prod(grid.slices))
        rate = float(np.ceil(rate * cubes) / cubes)
    elif kind == "first_wave":
        rate *= largest.genes / grid.genes
    else:
        rate *= RATES[kind]
    return bit_flip(genomes, replace(context, rate=min(rate, 1.0)))


def _grid_before(program: Program, grid: CubeGrid) -> CubeGrid:
    """The grid of the wave before that of a grid; in the first wave the grid itself."""
    return CubeGrid(grid.game, program.sizes[max(0, program.sizes.index(grid.edges[0]) - 1)])


def products(count: int, context: Context) -> Bytes:
    """Flips of all cells whose three coordinates are among as many drawn ones as cells should flip."""
    grid = context.grid
    number = max(1, round(context.rate * int(np.prod(grid.slices))))
    own, turn = np.nonzero(grid.row_numbers >= 0)
    flips = np.zeros((count, grid.genes // grid.row_genes, grid.row_genes), np.uint8)
    for member in range(count):
        draws = context.draw.at(pair=member)
        i, j, k = (
            np.isin(np.arange(slices), (draws.at(pair=member, part=axis).uniforms(number) * slices).astype(np.int64))
            for axis, slices in enumerate((grid.slices[0], grid.row_genes, grid.row_numbers.shape[1]))
        )
        flips[member] = (i[own] & k[turn])[:, None] & j
    return flips.reshape(count, -1)


@cache
def optimum(game: Pig) -> Strategy:
    """The optimum of Pig without passing, as a strategy for the game."""
    best = pigevo.optimal(Pig(target=game.target)).strategy
    return Strategy(game, best.roll, "optimal")


@cache
def opponent(kind: str, game: Pig) -> Strategy:
    """The strategy that recorded games are played against."""
    best = optimum(game)
    roll = {
        "optimum": best.roll, "total_off": np.roll(best.roll, -1, axis=2),
        "scores_off": np.roll(best.roll, (-1, -1), axis=(0, 1)), "exchanged": best.roll.swapaxes(0, 1),
    }[kind].copy()  # fmt: skip
    roll[:, :, 0] = True
    return Strategy(game, roll, kind)


def referee(program: Program, members: Members) -> Floats:
    """Win probabilities of members against the recorded opponent, moving first and second, shape (n, 2)."""
    return against(members, prepare(opponent(program.referee, members.grid.game)))


HERE = Path(__file__).parent
T = TypeVar("T", Program, Setting)


def worded(made: type[T], words: str) -> T:
    """A program or a setting from its words."""
    values: Any = OmegaConf.to_container(OmegaConf.from_dotlist(words.split()))
    options: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return made(**options)


def read(name: str) -> Any:
    """The content of a YAML file of the study."""
    return OmegaConf.to_container(OmegaConf.load(HERE / name))


def course_of(folder: Path, program: str, setting: str, seed: int) -> Course:
    """A run by the words of its program and of its setting, from its file, or made now."""
    mark = hashlib.sha256(f"{program}; {setting}".encode()).hexdigest()[:16]
    path = folder / "runs" / mark / f"seed_{seed}.npz"
    if not path.exists():
        made = evolve(worded(Program, program), worded(Setting, setting), seed)
        write_arrays(path, {"seats": made.seats, "survive": made.survive})
    with archive(path, "record of an evolution") as file:
        seats = file.array("seats", np.float64, [None, SIZE, 2])
        return Course(seats, file.array("survive", np.bool_, [None, SIZE]))
