"""Where winning is transitive and where it is not: the knockout as a tournament by a fitness, and levels of strength.

Fitnessless co-evolution (Jaśkowski, Krawiec & Wieloch 2008): they settle a tournament by single elimination, match by
match, without any fitness, and prove that where winning is transitive this is the tournament selection of an ordinary
algorithm. Exeter's knockout is the case of two. Here the chance of each member to be selected is exact, by all
brackets, for matches without luck and for matches of games.

Spinning tops (Czarnecki and others 2020): they expect few cyclic triples among the weakest and the strongest strategies
of a real game and many in the middle. Strength is the mean win probability against all of a set. Two sets are all
strategies of a small game; the others are mixtures of the optimum's genes and their opposites, in every proportion, so
that they reach from the worst to the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
from scipy.stats import binom

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.evaluation import every_pair
from pigevo.exact import pairs_of_tables

from ..common.tables import table
from .kept import SLOW, Key, Rows, Verdict, by_setting, claim_verdict, effect, fresh, kept, spread
from .worlds import BLOCKS, FORTY, ROUNDING, TEN, TWENTY, WHOLE, World, beats, mutants, mutants_of

WORLDS = {world.name: world for world in (TEN, TWENTY, FORTY)}
KINDS = ("random", "evolved", "near the optimum")
SIZE, GAMES = 20, 100
"""Members of a population, and games of a match, as in Exeter 2016."""

GENERATIONS, NEAR = 50, 0.05
"""How long the evolved populations have evolved, and the rate by which the optimum's genes are flipped."""

BRACKETS = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """The figures of every world, kind of population and seed."""
    keys = [(world, kind, seed) for world in WORLDS for kind in KINDS for seed in fresh(seeds)]
    return kept(folder / "fitnessless.csv", ("world", "population", "seed"), keys, figures, workers)


def figures(key: Key) -> dict[str, float]:
    """How transitive a population is, and how far selections by matches are from those by a fitness."""
    world, kind, seed = WORLDS[str(key[0])], str(key[1]), int(key[2])
    genomes = population(world, kind, seed)
    seats = pairs_of_tables(world.grid.game, world.grid.to_tables(genomes), every_pair(SIZE))
    exact, noisy = decided(seats.mean(axis=1)), of_games(seats, GAMES)
    fitness = world.against_optimum(genomes)
    by_fitness, by_wins = order(fitness), order(exact.sum(axis=1))
    two, four = of_two(exact), of_four(exact)
    return {
        "order": float(is_order(exact)),
        "draws": float((exact == 0.5)[np.triu_indices(SIZE, 1)].mean()),
        "cycles": cyclic_share(exact > 0.5),
        "pairs": float((exact != by_fitness)[np.triu_indices(SIZE, 1)].mean()),
        "by wins 2": distance(two, of_two(by_wins)),
        "by wins 4": distance(four, of_four(by_wins)),
        "by fitness 2": distance(two, of_two(by_fitness)),
        "by fitness 4": distance(four, of_four(by_fitness)),
        "games 2": distance(of_two(noisy), of_two(by_fitness)),
        "games 4": distance(of_four(noisy), of_four(by_fitness)),
        "chance 2": distance(np.full(SIZE, 1 / SIZE), of_two(by_fitness)),
        "chance 4": distance(np.full(SIZE, 1 / SIZE), of_four(by_fitness)),
    }


def population(world: World, kind: str, seed: int) -> Bytes:
    """Genomes of fair coins, what the knockout makes of them by exact results, or mutants of the optimum's."""
    if kind == KINDS[2]:
        return mutants(world.best, SIZE, NEAR, Draw(seed, "population"))
    genomes = Draw(seed, "population").bits(SIZE, world.genes)
    for generation in range(1, GENERATIONS + 1 if kind == KINDS[1] else 1):
        pairs = Draw(seed, "selection", generation).permutation(SIZE).reshape(-1, 2)
        wins = pairs_of_tables(world.grid.game, world.grid.to_tables(genomes), pairs).mean(axis=1)
        parents = genomes[np.where(wins >= 0.5, pairs[:, 0], pairs[:, 1])]
        genomes = np.concatenate([parents, mutants_of(parents, 1 / world.genes, Draw(seed, "mutation", generation))])
    return genomes


def decided(wins: Floats) -> Floats:
    """Who survives a match without luck: 1, 0, or a half where neither is better.

    Args:
        wins: exact win probabilities of the first of every pair, shape (m,).
    """
    return _square(np.where(np.abs(wins - 0.5) <= ROUNDING, 0.5, wins > 0.5))


def of_games(seats: Floats, games: int) -> Floats:
    """The chance of each to survive a match of so many games against each, a coin deciding a draw.

    Args:
        seats: exact win probabilities of the first of every pair, in the first and in the second seat, shape (m, 2).
        games: an even number, half of them in each seat.
    """
    won = np.arange(games // 2 + 1)
    chances = binom.pmf(won, games // 2, seats[:, :, None])
    both = np.stack([np.convolve(first, second) for first, second in chances])
    half = games // 2
    return _square(both[:, half + 1 :].sum(axis=1) + both[:, half] / 2)


def order(fitness: Floats) -> Floats:
    """Who survives where the greater fitness decides, and a coin where both are equal."""
    apart = fitness[:, None] - fitness[None]
    found: Floats = np.where(np.abs(apart) <= ROUNDING, 0.5, apart > 0)
    return found


def of_two(survives: Floats) -> Floats:
    """The chance of each to be selected from a random pair.

    Args:
        survives: the chance of each to survive against each, shape (n, n).
    """
    n = len(survives)
    found: Floats = (survives.sum(axis=1) - np.diag(survives)) * 2 / (n * (n - 1))
    return found


def of_four(survives: Floats) -> Floats:
    """The chance of each to be selected from four random members by single elimination, over all brackets."""
    n = len(survives)
    fours = np.array(list(combinations(range(n), 4)))
    chances = np.zeros(n)
    for (a, b), (c, d) in BRACKETS:
        for own, first, others in ((a, b, (c, d)), (b, a, (c, d)), (c, d, (a, b)), (d, c, (a, b))):
            x, y, p, q = fours[:, own], fours[:, first], fours[:, others[0]], fours[:, others[1]]
            final = survives[p, q] * survives[x, p] + survives[q, p] * survives[x, q]
            np.add.at(chances, x, survives[x, y] * final)
    return chances / (len(BRACKETS) * comb(n, 4))


def distance(one: Floats, other: Floats) -> float:
    """Of two laws, in total variation: the largest difference of the chances of any event."""
    return float(np.abs(one - other).sum() / 2)


def is_order(survives: Floats) -> bool:
    """Whether winning is transitive, draws included.

    Args:
        survives: who survives against whom, 1, 0 or a half, shape (n, n).
    """
    not_worse = (survives >= 0.5).astype(np.int64)
    return not bool(((not_worse @ not_worse > 0) & (not_worse == 0)).any())


def cyclic_share(wins: Bools) -> float:
    """The share of cyclic ones among all triples of members.

    Args:
        wins: who beats whom, shape (n, n).
    """
    return float(cycles_of(wins).sum() / 3 / comb(len(wins), 3))


def cycles_of(wins: Bools) -> Floats:
    """In how many cyclic triples each member is, shape (n,)."""
    edges = wins.astype(np.float64)
    found: Floats = ((edges @ edges) * edges.T).sum(axis=1)
    return found


def as_markdown(rows: Rows) -> str:
    """The means over seeds with their intervals; how many populations are transitive, and selected as by their wins."""
    lines, settings = [], by_setting(rows, 2)
    for (world, kind), found in settings.items():
        ordered = found["order"] == 1
        alike = ordered & (found["by wins 2"] < ROUNDING) & (found["by wins 4"] < ROUNDING)
        lines.append((world, kind, len(ordered), int(ordered.sum()), int(alike.sum()), *(
            spread(found[name], ".4f") for name in ("draws", "cycles", "pairs", "by wins 2", "by fitness 2", "games 2",
                                         "chance 2")
        )))  # fmt: skip
    head = ["world", "population", "seeds", "transitive ones", "of these as a tournament by wins",
            "pairs that draw", "cyclic triples", "pairs against the fitness", "knockout: from wins",
            "from fitness", "with games", "chance: from fitness"]  # fmt: skip
    four = [
        (world, kind, *(spread(found[f"{name} 4"], ".4f") for name in ("by wins", "by fitness", "games", "chance")))
        for (world, kind), found in settings.items()
    ]
    head_of_four = ["world", "population", "of four: from wins", "from fitness", "with games", "chance: from fitness"]
    return table(head, lines) + "\n" + table(head_of_four, four)


def _square(survives: Floats) -> Floats:
    n = round((1 + (1 + 8 * len(survives)) ** 0.5) / 2)
    found = np.full((n, n), 0.5)
    upper = np.triu_indices(n, 1)
    found[upper] = survives
    found.T[upper] = 1 - survives
    return found


EXHAUSTED = {world.name: world for world in (WHOLE, BLOCKS)}
MIXED = {f"{world.name}, mixtures": world for world in (TWENTY, FORTY)}
LEVELS, MIDDLE, MIXTURES = 10, range(3, 7), 300
"""Levels of as many strategies each, those in the middle, and strategies of a mixed set."""

INTEREST_OF_SHARES = 0.001


def measured_by_level(folder: Path, seeds: int, workers: int) -> Rows:
    """The figures of every set, and of every seed where it is drawn."""
    keys: list[Key] = [(name, 0) for name in EXHAUSTED]
    keys += [(name, seed) for name in MIXED for seed in fresh(seeds, SLOW)]
    return kept(folder / "tops.csv", ("set", "seed"), keys, figures_by_level, workers)


def figures_by_level(key: Key) -> dict[str, float]:
    """By level, from the weakest: strength, cycles of a member with any others, and the share of cycles within it."""
    name, seed = str(key[0]), int(key[1])
    world = EXHAUSTED.get(name) or MIXED[name]
    matrix = world.matrix(world.everything() if name in EXHAUSTED else mixtures(world, seed))
    level, strength = levels(matrix)
    wins = beats(matrix)
    through, within = cycles_of(wins), [cyclic_share(wins[np.ix_(level == n, level == n)]) for n in range(LEVELS)]
    found = {f"strength {n}": float(strength[level == n].mean()) for n in range(LEVELS)}
    found |= {f"through {n}": float(through[level == n].mean() / comb(len(matrix) - 1, 2)) for n in range(LEVELS)}
    found |= {f"within {n}": within[n] for n in range(LEVELS)}
    different = len(np.unique(matrix.round(10), axis=0))
    return found | {"all": cyclic_share(wins), "strategies": float(len(matrix)), "different": float(different)}


def mixtures(world: World, seed: int) -> Bytes:
    """Genomes that have each gene of the optimum with a probability of their own, evenly spread, or its opposite."""
    share = (np.arange(MIXTURES) + 0.5) / MIXTURES
    kept_genes = Draw(seed, "population").uniforms(MIXTURES * world.genes).reshape(MIXTURES, -1) < share[:, None]
    return np.where(kept_genes, world.best, 1 - world.best).astype(np.uint8)


def levels(matrix: Floats) -> tuple[Ints, Floats]:
    """The level of each strategy, of as many each, from 0 for the weakest, and its strength.

    Args:
        matrix: win probabilities, shape (n, n).
    """
    strength: Floats = (matrix.sum(axis=1) - np.diag(matrix)) / (len(matrix) - 1)
    rank = np.argsort(np.argsort(strength, kind="stable"), kind="stable")
    return rank * LEVELS // len(matrix), strength


def peaks(found: Mapping[str, Floats], kind: str) -> Ints:
    """Which level has most of a kind, in each seed."""
    highest: Ints = np.argmax([found[f"{kind} {n}"] for n in range(LEVELS)], axis=0)
    return highest


def levels_as_markdown(rows: Rows) -> str:
    """A row for each set and level, and one for each set of where the most are."""
    lines, ends = [], []
    for (name,), found in by_setting(rows, 1).items():
        for n in range(LEVELS):
            lines.append((name, n + 1, *(spread(found[f"{kind} {n}"]) for kind in ("strength", "through", "within"))))
        different = spread(found["different"], ".0f", (1, MIXTURES))
        ends.append((name, f"{found['strategies'][0]:.0f}", different, len(found["all"]), spread(found["all"]),
                     *(_places(peaks(found, kind)) for kind in ("through", "within")),
                     *(spread(_top(found, kind), ".3f") for kind in ("through", "within")),
                     ))  # fmt: skip
    head = ["set", "level", "strength", "share of triples with a member that are cyclic", "within the level"]
    head_of_ends = ["set", "strategies", "that play differently", "seeds", "cyclic triples",
                    "level with most, through", "within",
                    "the top level's share of the most, through", "within "]  # fmt: skip
    return table(head_of_ends, ends) + "\n" + table(head, lines)


def verdicts_on_levels(rows: Rows) -> list[Verdict]:
    """Whether the middle levels have more cycles than the lowest and than the highest."""
    settings = by_setting(rows, 1)
    return [
        (f"more cycles in the middle than at {end}", "Czarnecki and others 2020", claim_verdict(
            [effect(name, beside(found, level), "more", len(settings), interest=INTEREST_OF_SHARES)
             for (name,), found in settings.items()]))
        for end, level in (("the bottom", 0), ("the top", LEVELS - 1))
    ]  # fmt: skip


def beside(found: Mapping[str, Floats], level: int) -> Floats:
    """How many more cycles the middle has than a level, by seed; of a whole game there is one number, and no doubt."""
    more: Floats = np.mean([found[f"through {n}"] for n in MIDDLE], axis=0) - found[f"through {level}"]
    return more


def _top(found: Mapping[str, Floats], kind: str) -> Floats:
    """What the top level has of what the level with most has."""
    most: Floats = np.max([found[f"{kind} {n}"] for n in range(LEVELS)], axis=0)
    share: Floats = found[f"{kind} {LEVELS - 1}"] / np.where(most > 0, most, 1)
    return share


def _places(found: Ints) -> str:
    low, middle, high = (int(np.quantile(found + 1, q, method="nearest")) for q in (0, 0.5, 1))
    return f"{middle}" if low == high else f"{middle} ({low} to {high})"
