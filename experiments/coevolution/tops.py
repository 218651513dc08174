"""Spinning tops (Czarnecki and others 2020): at which level of strength are the cycles?

They expect few cyclic triples among the weakest and the strongest strategies of a real game and many in the middle.
Strength is the mean win probability against all of a set.  Two sets are all strategies of a small game; the others are
mixtures of the optimum's genes and their opposites, in every proportion, so that they reach from the worst to the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw

from .fitnessless import cycles_of, cyclic_share
from .kept import SLOW, Key, Rows, fresh, kept
from .tables import Verdict, by_setting, claim_verdict, effect, spread, table
from .worlds import BLOCKS, FORTY, TWENTY, WHOLE, World, beats

EXHAUSTED = {world.name: world for world in (WHOLE, BLOCKS)}
MIXED = {f"{world.name}, mixtures": world for world in (TWENTY, FORTY)}
LEVELS, MIDDLE, MIXTURES = 10, range(3, 7), 300
INTEREST_OF_SHARES = 0.001
"""Levels of as many strategies each, those in the middle, and strategies of a mixed set."""


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """The figures of every set, and of every seed where it is drawn."""
    keys: list[Key] = [(name, 0) for name in EXHAUSTED]
    keys += [(name, seed) for name in MIXED for seed in fresh(seeds, SLOW)]
    return kept(folder / "tops.csv", ("set", "seed"), keys, figures, workers)


def figures(key: Key) -> dict[str, float]:
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


def as_markdown(rows: Rows) -> str:
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


def verdicts(rows: Rows) -> list[Verdict]:
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
