"""Disengagement: what is left of the gradient where one population is far stronger than the other.

Learners are random strategies; their opponents have each gene of the optimum with a probability of `share`, or else its
opposite, so that a half is as strong as the learners and 1 is the optimum.  What selection sees,
and what it makes of it in some generations, is set beside the learners' true strength.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy.stats import binom, spearmanr

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.intervals import SHARE, Range
from pigevo.dice import Draw
from pigevo.evolution.evaluation import ranking
from pigevo.exact import pairs_of_tables

from ..common.tables import table
from .kept import (
    INTEREST,
    LOSS,
    OURS,
    SLOW,
    Key,
    Rows,
    Verdict,
    apart,
    by_setting,
    claim_verdict,
    effect,
    fresh,
    kept,
    spread,
)
from .worlds import ROUNDING, TWENTY, mutants, mutants_of

SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
LEARNERS, OPPONENTS, GAMES, GENERATIONS = 20, 10, 10, 40
"""Members of both populations, games of a learner, each against a random opponent in a random seat, and generations."""

SOURCE, ONLY = "Watson & Pollack 2001; Cartlidge & Bullock 2004", "Pig to 20, 3 sides"
INTEREST_OF_RANKS = 0.1

RANGES: dict[str, Range] = {
    "mean": SHARE, "spread": LOSS, "rank": (-1, 1), "right": SHARE, "all alike": SHARE, "gain exact": (-1, 1),
    "gain games": (-1, 1),
}  # fmt: skip
"""What the figures of a seed can be."""


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """Every strength of the opponents."""
    keys = [(share, GENERATIONS, seed) for share in SHARES for seed in fresh(seeds, SLOW)]
    return kept(folder / "disengagement.csv", ("share", "generations", "seed"), keys, figures, workers)


def figures(key: Key) -> dict[str, float]:
    """The gradient among random learners, and how much stronger they become."""
    share, generations, seed = float(key[0]), int(key[1]), int(key[2])
    learners = Draw(seed, "population").bits(LEARNERS, TWENTY.genes)
    opponents = mutants(TWENTY.best, OPPONENTS, 1 - share, Draw(seed, "population", 1))
    fitness, truth = results(learners, opponents), strength(learners)
    found = {"mean": float(fitness.mean())} | gradient(fitness, truth)
    for name, games in (("exact", 0), ("games", GAMES)):
        last = evolved(learners, opponents, generations, games, seed)
        found[f"gain {name}"] = float(strength(last).mean() - truth.mean())
    return found


def results(learners: Bytes, opponents: Bytes) -> Floats:
    """The mean exact result of each learner against the opponents, shape (learners,)."""
    n, m = len(learners), len(opponents)
    pairs = np.indices((n, m)).reshape(2, -1).T + np.array([0, n])
    tables = TWENTY.grid.to_tables(np.concatenate([learners, opponents]))
    found: Floats = pairs_of_tables(TWENTY.grid.game, tables, pairs).mean(axis=1).reshape(n, m).mean(axis=1)
    return found


def strength(learners: Bytes) -> Floats:
    """The mean exact result against a field from the weakest to the best, the same for all."""
    rates = np.linspace(0, 1, 21)
    field = np.concatenate([mutants(TWENTY.best, 1, rate, Draw(0, "validation", n)) for n, rate in enumerate(rates)])
    return results(learners, field)


def gradient(fitness: Floats, truth: Floats) -> dict[str, float]:
    """What selection can see of the learners' order.

    Args:
        fitness: exact mean results against the opponents, shape (n,).
        truth: their strength, shape (n,).

    Returns:
        The spread of the fitness; its rank correlation with the strength; the chance that the fitter of a random pair
        wins more of `GAMES` games, a coin deciding ties, and that all have as many wins.
    """
    n = len(fitness)
    chances = binom.pmf(np.arange(GAMES + 1), GAMES, fitness[:, None])
    above = np.concatenate([np.zeros((n, 1)), np.cumsum(chances, axis=1)[:, :-1]], axis=1)
    wins = chances @ above.T + chances @ chances.T / 2
    fitter = fitness[:, None] > fitness[None] + ROUNDING
    return {
        "spread": float(fitness.std()),
        "rank": float(spearmanr(fitness, truth).statistic),
        "right": float(wins[fitter].mean()),
        "all alike": float(chances.prod(axis=0).sum()),
    }


def evolved(learners: Bytes, opponents: Bytes, generations: int, games: int, seed: int) -> Bytes:
    """The learners after truncation selection: the better half stays and has mutants.

    Args:
        learners: shape (n, genes).
        opponents: who stay as they are.
        generations: how many.
        games: of each learner, whose wins are its fitness; 0 for the exact mean.
        seed: of everything.
    """
    rate, n = 1 / learners.shape[1], len(learners)
    for generation in range(1, generations + 1):
        fitness = results(learners, opponents)
        if games:
            fitness = binom.ppf(Draw(seed, "dice", generation).uniforms(n), games, fitness)
        best = learners[ranking(fitness, Draw(seed, "selection", generation))[: n // 2]]
        learners = np.concatenate([best, mutants_of(best, rate, Draw(seed, "mutation", generation))])
    return learners


def as_markdown(rows: Rows) -> str:
    """A row for each strength of the opponents."""
    settings = by_setting(rows, 2)
    equal = next(iter(settings.values()))
    lines = [
        (share, len(found["mean"]), *(spread(found[name], within=within) for name, within in RANGES.items()),
         _beside(found, equal))
        for (share, _), found in settings.items()
    ]  # fmt: skip
    head = ["opponents' genes of the optimum", "seeds", "learners win", "spread of the fitness",
            "rank correlation with strength", "fitter wins more of 10 games", "all win as many", "gain, exact fitness",
            "gain, 10 games", 
            f"gain with games less that against equals (95 % for all {len(SHARES) - 1} together)"]  # fmt: skip
    return table(head, lines)


def _beside(found: Mapping[str, Floats], equal: Mapping[str, Floats]) -> str:
    if found is equal:
        return ""
    said, interval = apart(found["gain games"] - equal["gain games"], len(SHARES) - 1, most=2)
    return f"{interval}, {said}"


def verdicts(rows: Rows) -> list[Verdict]:
    """Whether opponents who are the optimum leave less than equal ones: of the gradient, and of the gain."""
    (equal, *_, best) = by_setting(rows, 2).values()
    asked = {
        "the fitness spreads less against far stronger opponents": ("spread", SOURCE, INTEREST),
        "its order is less that of the strength": ("rank", OURS, INTEREST_OF_RANKS),
        "learners gain less, with exact fitness": ("gain exact", SOURCE, INTEREST),
        "learners gain less, with 10 games": ("gain games", SOURCE, INTEREST),
    }
    return [
        (said, whose, claim_verdict([effect(ONLY, best[what] - equal[what], "less", 1, interest=interest)]))
        for said, (what, whose, interest) in asked.items()
    ]
