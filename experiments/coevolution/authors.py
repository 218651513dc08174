"""Claims in the settings of those who made them, as far as these are known.

*Watson & Pollack 2001*: two populations of 25 numbers, or tuples of numbers, in unary code, which begin with zeros.  A
member wins against an opponent by the larger number, in the dimension in which they differ most, or least; its fitness
are its wins against random opponents of the other population.  Parents are drawn in proportion to it, and each bit of a
child is drawn anew with a probability of .005.

*Ficici & Pollack 2003*: three memories on that game with the least difference.  How they searched is not known here;
one population of Watson & Pollack's meets opponents drawn from the memory, or each other while the memory looks on.

*Hevia Fajardo & Lehre 2023*: Bilinear, with strings of other lengths than in `interaction.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.dice import Draw

from ..benchmark.algorithms import By, Payoffs, equilibrium
from ..common.tables import table
from .interaction import RULES, parents_on_bilinear
from .kept import SLOW, Key, Rows, Verdict, by_setting, claim_verdict, effect, fresh, kept, spread
from .memories import CLAIMED, NASH

MEMBERS, RATE, SAMPLE, GENERATIONS = 25, 0.005, 15, 600
"""Members of a population, the probability that a bit is drawn anew, opponents of a member, and generations."""

INTEREST_OF_ONES = 0.05
"""The smallest effect of interest, of the share of ones."""


@dataclass(frozen=True)
class Numbers:
    """A numbers game.

    Args:
        dimensions: numbers of a member.
        bits: of each number.
        nearest: whether the dimension with the least difference decides, or that with the largest.
        sample: opponents of a member.
    """

    dimensions: int
    bits: int
    nearest: bool = False
    sample: int = SAMPLE

    @property
    def genes(self) -> int:
        """The length of a member."""
        return self.dimensions * self.bits

    def values(self, genomes: Bytes) -> Ints:
        """The numbers of genomes, shape (members, dimensions)."""
        ones: Ints = genomes.reshape(len(genomes), self.dimensions, self.bits).sum(axis=2, dtype=np.int64)
        return ones

    def by(self, genomes: Bytes, others: Bytes) -> Ints:
        """How much larger the number that decides is, of each of the first against each of the others."""
        apart = self.values(genomes)[:, None] - self.values(others)[None]
        which = (np.abs(apart).argmin if self.nearest else np.abs(apart).argmax)(axis=2)
        found: Ints = np.take_along_axis(apart, which[:, :, None], axis=2)[:, :, 0]
        return found


CLIMB = "one number of 100 bits, 15 opponents"
NEAREST = Numbers(2, 50, nearest=True)
GAMES = {
    CLIMB: Numbers(1, 100),
    "one number of 100 bits, 1 opponent": Numbers(1, 100, sample=1),
    "ten numbers of 10 bits, the largest difference decides": Numbers(10, 10),
    "two numbers of 50 bits, the least difference decides": NEAREST,
}
FAILURES = dict(zip(
    ("with 1 opponent the populations disengage", "they focus on some of ten dimensions and lose the others",
     "intransitivity holds them back"),
    list(GAMES)[1:], strict=True,
))  # fmt: skip
"""What Watson & Pollack show, beside the first game, in which both populations climb."""

MEMORIES, PLACES = (NASH, *CLAIMED), (10, 100)
LATER = 2000
"""The first of the seeds of what was added after a look at the rest."""

AGAINST, BESIDE = "against the memory", "against each other"
SEARCHES: dict[str, Callable[[int], range]] = {
    AGAINST: fresh,
    BESIDE: lambda seeds: range(LATER, LATER + min(seeds, SLOW)),
}
"""Whom the population meets, and the seeds of each: the second was added after a look at the first."""
LENGTHS = (50, 200, 400)
STEPS = 2000


def on_numbers(key: Key) -> dict[str, float]:
    """The share of ones in both populations, over the second half of the generations."""
    game, seed = GAMES[str(key[0])], int(key[1])
    both = np.zeros((2, MEMBERS, game.genes), np.uint8)
    ones, alike = np.empty(GENERATIONS), np.full(MEMBERS, 1 / MEMBERS)
    for generation in range(GENERATIONS):
        ones[generation] = both.mean()
        results = [game.by(both[0], both[1]) > 0, game.by(both[1], both[0]) > 0]
        draw = Draw(seed, "selection", generation)
        fitness = [wins(results[own], alike, game.sample, draw.at(pair=own)) for own in (0, 1)]
        both = np.stack([bred(both[own], fitness[own], seed, generation, own) for own in (0, 1)])
    return {"ones": float(ones[GENERATIONS // 2 :].mean())}


def wins(results: Bools, chances: Floats, sample: int, draw: Draw) -> Ints:
    """How many of its opponents each member beats, who are drawn with these chances, one by one."""
    drawn = np.searchsorted(np.cumsum(chances)[:-1], draw.uniforms(len(results) * sample), side="right")
    found: Ints = np.take_along_axis(results, drawn.reshape(len(results), sample), axis=1).sum(axis=1)
    return found


def bred(genomes: Bytes, fitness: Ints, seed: int, generation: int, population: int = 0) -> Bytes:
    """The next population: parents in proportion to their fitness, and each bit of a child anew with `RATE`."""
    weights = fitness.astype(float) if fitness.any() else np.ones(len(genomes))
    draw = Draw(seed, "selection", generation).at(pair=population, part=1)
    parents = np.searchsorted(np.cumsum(weights / weights.sum())[:-1], draw.uniforms(len(genomes)), side="right")
    born, mutation = genomes[parents], Draw(seed, "mutation", generation)
    places = mutation.at(pair=population).positions(born.size, RATE)
    born.reshape(-1)[places] = mutation.at(pair=population, part=1).bits(len(places))
    return born


class Memory:
    """What a search remembers, as Nash memory, hall of fame or dominance tournament.

    Args:
        kind: which of them.
        places: the latest so many that the population may meet, beside a mixture.
    """

    def __init__(self, kind: str, places: int) -> None:
        self._kind, self._places = kind, places
        self.known, self.weights = Payoffs.of(np.zeros(NEAREST.genes, np.uint8)), np.ones(1)

    def meet(self, best: Bytes) -> None:
        """Let the best of a generation in: if it beats the mixture, or everyone, or in any case."""
        won = (np.sign(NEAREST.by(best[None], self.known.genomes)) + 1) / 2
        if self._kind == CLAIMED[0] or (won @ self.weights > 0.5 if self._kind == NASH else (won > 0.5).all()):
            self.known = self.known.joined(best[None], won)
            if self._kind == NASH:
                self._solve()
            elif self._kind == CLAIMED[0]:
                self.known = self.known.only(np.arange(len(self.known))[-self._places :])
            if self._kind != NASH:
                recent = np.arange(len(self.known)) >= len(self.known) - self._places
                self.weights = recent / recent.sum()

    def _solve(self) -> None:
        weights = equilibrium(self.known.wins)
        idle = np.flatnonzero(weights == 0)[-self._places :]
        stay = np.sort(np.concatenate([np.flatnonzero(weights > 0), idle]))
        self.known, self.weights = self.known.only(stay), weights[stay]

    def handed_over(self) -> Floats:
        """The share of ones of the mixture on average, or of the last that entered."""
        ones = self.known.genomes.mean(axis=1)
        found: Floats = ones @ self.weights if self._kind == NASH else ones[-1]
        return found


def on_memories(key: Key) -> dict[str, float]:
    """The share of ones in what a memory hands over after all generations.

    It is given the best of each; the population meets the memory, or itself.
    """
    memory, seed = Memory(str(key[1]), int(key[2])), int(key[3])
    genomes = np.zeros((MEMBERS, NEAREST.genes), np.uint8)
    for generation in range(GENERATIONS):
        met = memory.known.genomes if key[0] == AGAINST else genomes
        chances = memory.weights if key[0] == AGAINST else np.full(MEMBERS, 1 / MEMBERS)
        fitness = wins(NEAREST.by(genomes, met) > 0, chances, SAMPLE, Draw(seed, "selection", generation))
        best = genomes[int(fitness.argmax())]
        genomes = bred(genomes, fitness, seed, generation)
        memory.meet(best)
    return {"ones": float(memory.handed_over())}


def on_bilinear(key: Key) -> dict[str, float]:
    """How far both parents are from the equilibrium of strings of a length, in the second half."""
    bits, seed = int(key[0]), int(key[2])
    by: By = "worst" if key[1] == "worst" else "mean"
    path = parents_on_bilinear(0.5, 0.5, by, seed, STEPS, bits)
    away = np.abs(path - bits / 2).max(axis=1)
    return {"found": float((away == 0).any()), "away": float(away[STEPS // 2 :].mean())}


def measured(folder: Path, seeds: int, workers: int) -> tuple[Rows, Rows, Rows]:
    """All three papers'."""
    numbers = [(game, seed) for game in GAMES for seed in fresh(seeds)]
    memories = [
        (search, memory, places, seed)
        for search, of in SEARCHES.items() for memory in MEMORIES for places in PLACES for seed in of(seeds)
    ]  # fmt: skip
    bilinear = [(bits, by, seed) for bits in LENGTHS for by in RULES for seed in fresh(seeds)]
    return (
        kept(folder / "authors_numbers.csv", ("game", "seed"), numbers, on_numbers, workers),
        kept(
            folder / "authors_memories.csv", ("population", "memory", "places", "seed"), memories, on_memories, workers
        ),
        kept(folder / "authors_bilinear.csv", ("bits", "by", "seed"), bilinear, on_bilinear, workers),
    )


def as_markdown(numbers: Rows, memories: Rows, bilinear: Rows) -> str:
    """A table for each paper."""
    games = [(game, len(found["ones"]), spread(found["ones"])) for (game,), found in by_setting(numbers, 1).items()]
    kinds = [
        (search, memory, places, len(found["ones"]), spread(found["ones"]))
        for (search, memory, places), found in by_setting(memories, 3).items()
    ]
    strings = [
        (bits, by, len(found["away"]), int(found["found"].sum()), spread(found["away"], ".2f", (0, int(bits))))
        for (bits, by), found in by_setting(bilinear, 2).items()
    ]
    return "\n".join([
        table(["Watson & Pollack 2001: game", "seeds", "share of ones, second half"], games),
        table(["Ficici & Pollack 2003: population", "memory", "places", "seeds", "share of ones, at the end"], kinds),
        table(["Hevia Fajardo & Lehre 2023: bits", "by", "seeds", "found the equilibrium",
               "ones away from it, second half"], strings),
    ])  # fmt: skip


def verdicts(numbers: Rows, memories: Rows, bilinear: Rows) -> list[Verdict]:
    """What Watson & Pollack show beside the climb, Nash memory beside both others, and the worst beside the mean."""
    ones = {game: found["ones"] for (game,), found in by_setting(numbers, 1).items()}
    found: list[Verdict] = [
        (claim, "Watson & Pollack 2001",
         claim_verdict([effect(game, ones[game] - ones[CLIMB], "less", 1, interest=INTEREST_OF_ONES)]))
        for claim, game in FAILURES.items()
    ]  # fmt: skip
    kinds = {key: one["ones"] for key, one in by_setting(memories, 3).items()}
    for search, other in product(SEARCHES, CLAIMED):
        effects = [
            effect(f"{n} places", kinds[search, NASH, str(n)] - kinds[search, other, str(n)], "more", len(PLACES),
                   interest=INTEREST_OF_ONES)
            for n in PLACES
        ]  # fmt: skip
        claim = f"Nash memory is better than the {other}, numbers {search}"
        found.append((claim, "Ficici & Pollack 2003", claim_verdict(effects)))
    strings = {key: one["away"] for key, one in by_setting(bilinear, 2).items()}
    effects = [
        effect(f"{n} bits", strings[str(n), "worst"] - strings[str(n), "mean"], "less", len(LENGTHS), "+.2f", 1)
        for n in LENGTHS
    ]
    claim = "the worst interaction comes nearer to the equilibrium than the mean, other lengths"
    found.append((claim, "Hevia Fajardo & Lehre 2023", claim_verdict(effects)))
    return found
