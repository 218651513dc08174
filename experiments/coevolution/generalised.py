"""Generalisation (Chong, Tiňo & Yao 2008), measured and estimated.

A strategy generalises as well as its mean result against all strategies of a game.  They estimate it by random test
strategies and bound the error by Chebyshev's inequality, with the largest variance that results in [0, 1] can have.
Here all strategies are met, so that the mean, the variance and the error of every estimate are known.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.stats import binom, spearmanr

from pigevo.core.arrays import Bytes, Floats
from pigevo.dice import Draw

from ..common.tables import table
from .kept import SLOW, Key, Rows, by_setting, fresh, kept, spread
from .worlds import BLOCKS, ROUNDING, WHOLE

WORLDS = {world.name: world for world in (WHOLE, BLOCKS)}
LEARNERS, SAMPLES = 32, 200
"""Strategies whose generalisation is estimated, evenly spread by strength, and estimates of each by a seed."""

TESTS, ERRORS = (10, 30, 100, 300, 1000), (0.02, 0.05, 0.1)
"""Test strategies of an estimate, and errors that are asked for."""

LARGEST = 0.25
"""The largest variance of results in [0, 1]."""

RISK = 0.05


@lru_cache(maxsize=4)
def truth(name: str) -> tuple[Bytes, Floats]:
    """All genomes of a world, and their exact matrix."""
    genomes = WORLDS[name].everything()
    return genomes, WORLDS[name].matrix(genomes)


def measured(folder: Path, seeds: int, workers: int) -> tuple[Rows, Rows]:
    """How often estimates miss by more than an error, by seed; and what is exact of each world."""
    keys = [(name, tests, seed) for name in WORLDS for tests in TESTS for seed in fresh(seeds, SLOW)]
    exact = kept(folder / "generalised_exact.csv", ("world", "seed"), [(name, 0) for name in WORLDS], whole, 1)
    return kept(folder / "generalised.csv", ("world", "tests", "seed"), keys, figures, workers), exact


def figures(key: Key) -> dict[str, float]:
    """The mean and the largest share, over the learners, of estimates that miss, and how often the best is chosen."""
    name, tests, seed = str(key[0]), int(key[1]), int(key[2])
    _, matrix = truth(name)
    learners = chosen(matrix)
    results, mean = matrix[learners], matrix[learners].mean(axis=1)
    number = TESTS.index(tests)
    missed = np.zeros((len(ERRORS), len(learners)))
    right = 0
    for sample in range(SAMPLES):
        uniforms = Draw(seed, "validation", number).at(part=sample).uniforms(tests)
        estimates = results[:, (uniforms * len(matrix)).astype(np.int64)].mean(axis=1)
        missed += np.abs(estimates - mean) > np.array(ERRORS)[:, None]
        right += int(mean[estimates.argmax()] >= mean.max())
    found = {f"mean {error}": float(row.mean() / SAMPLES) for error, row in zip(ERRORS, missed, strict=True)}
    found |= {f"most {error}": float(row.max() / SAMPLES) for error, row in zip(ERRORS, missed, strict=True)}
    return found | {"right": right / SAMPLES}


def whole(key: Key) -> dict[str, float]:
    """What all strategies together say: variances, what a Chebyshev bound asks for, and who generalises best."""
    name = str(key[0])
    world, (genomes, matrix) = WORLDS[name], truth(name)
    mean, variance = matrix.mean(axis=1), matrix.var(axis=1)
    against, best = world.against_optimum(genomes), int(mean.argmax())
    unbeaten = np.flatnonzero(against >= against.max() - ROUNDING)
    champion = int(min(unbeaten, key=lambda n: world.exploitability(genomes[n])))
    return {
        "variance": float(variance.max()),
        "bound": LARGEST / (RISK * 0.05**2),
        "bound by variance": float(variance.max()) / (RISK * 0.05**2),
        "normal": float(np.ceil(1.959964**2 * variance.max() / 0.05**2)),
        "games": float(needed_games(mean, 0.05)),
        "rank correlation": float(spearmanr(mean, against).statistic),
        "best mean": float(mean[best]),
        "best against the optimum": float(against[best]),
        "best exploitability": world.exploitability(genomes[best]),
        "champion mean": float(mean[champion]),
        "champion against the optimum": float(against[champion]),
        "champion exploitability": world.exploitability(genomes[champion]),
        "champion rank": float((mean > mean[champion] + ROUNDING).sum() + 1),
    }


def chosen(matrix: Floats) -> np.ndarray:
    """The learners, from the weakest to the strongest."""
    ranked = np.argsort(matrix.mean(axis=1), kind="stable")
    found: np.ndarray = ranked[np.linspace(0, len(matrix) - 1, LEARNERS).round().astype(np.int64)]
    return found


def needed_games(mean: Floats, error: float) -> int:
    """The fewest single games, each against a fresh test strategy, that miss by more than an error in 5 % at most.

    A game against a random strategy is won with the probability that is to be estimated, so that wins are binomial.

    Args:
        mean: the probabilities that are to be estimated, shape (n,).
        error: that is allowed.
    """
    games = 1
    while (missing(mean, games, error) > RISK).any():
        games += 1
    return games


def missing(mean: Floats, games: int, error: float) -> Floats:
    """The exact probability that the share of wins in so many games misses by more than an error, shape (n,)."""
    too_few = np.ceil(games * (mean - error) - ROUNDING) - 1
    too_many = np.floor(games * (mean + error) + ROUNDING)
    found: Floats = binom.cdf(too_few, games, mean) + binom.sf(too_many, games, mean)
    return found


def chebyshev(variance: float, tests: int, error: float) -> float:
    """The bound on the probability that the mean of so many results misses by an error or more."""
    return min(1.0, variance / (tests * error**2))


def as_markdown(rows: Rows, exact: Rows) -> str:
    """How often estimates miss beside both bounds, and what is exact."""
    lines, ends = [], []
    for (name, tests), found in by_setting(rows, 2).items():
        variance = exact[name, "0"]["variance"]
        for error in ERRORS:
            lines.append((name, tests, error, len(found["right"]), spread(found[f"mean {error}"]),
                          spread(found[f"most {error}"]), f"{chebyshev(variance, int(tests), error):.4f}",
                          f"{chebyshev(LARGEST, int(tests), error):.4f}", spread(found["right"], ".3f")))  # fmt: skip
    for (name, _), one in exact.items():
        ends.append((name, *(f"{one[key]:.4f}" for key in ("variance",)),
                     *(f"{one[key]:,.0f}" for key in ("bound", "bound by variance", "normal", "games"))))  # fmt: skip
    head = ["world", "test strategies", "error", "seeds", "missed, mean of learners", "missed, worst learner",
            "bound by the true variance", "Chebyshev's bound", "best learner chosen"]  # fmt: skip
    head_of_ends = ["world", "largest variance", "tests for .05 at 95 %: Chebyshev", "by the true variance",
                    "by the normal law", "single games, exact"]  # fmt: skip
    return "\n".join([table(head_of_ends, ends), _best(exact), table(head, lines)])


def _best(exact: Rows) -> str:
    head = ["world", "who", "mean against all", "against the optimum", "exploitability", "rank by the mean",
            "rank correlation of both"]  # fmt: skip
    lines: list[tuple[object, ...]] = []
    for (name, _), one in exact.items():
        lines.append((name, "generalises best", f"{one['best mean']:.4f}", f"{one['best against the optimum']:.4f}",
                      f"{one['best exploitability']:.4f}", 1, f"{one['rank correlation']:.3f}"))  # fmt: skip
        lines.append((name, "least exploitable", f"{one['champion mean']:.4f}",
                      f"{one['champion against the optimum']:.4f}", f"{one['champion exploitability']:.4f}",
                      f"{one['champion rank']:.0f}", ""))  # fmt: skip
    return table(head, lines)
