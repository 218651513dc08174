"""Worst against mean interaction in a (1,lambda) co-evolutionary algorithm (Hevia Fajardo & Lehre 2023).

They prove that on Bilinear the algorithm soon comes near the equilibrium if an offspring is judged by its worst
interaction, and is inefficient if it is judged by the mean of all.  Here the same code is run on Bilinear, as a
check of it, and on Pig.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.dice import Draw
from pigevo.games import Pig

from ..benchmark.algorithms import By, OneCommaLambda, next_parents
from ..benchmark.instances import Instance
from ..benchmark.protocol import Problem
from ..common.tables import table
from .kept import LOSS, OURS, Key, Rows, Verdict, apart, by_setting, claim_verdict, effect, fresh, kept, spread
from .worlds import ended

RULES: tuple[By, By] = ("worst", "mean")
BITS, MUTANTS, STEPS = 100, 30, 2000
"""Of Bilinear: the length of both strings, lambda, and how long it is run."""

CENTRES = ((0.5, 0.5), (0.4, 0.6))
"""Alpha and beta: the equilibrium has as large shares of ones in y and in x."""

INSTANCES = {one.name: one for one in (Instance(Pig(10, 2), cube=1), Instance(Pig(20, 3), cube=2))}
LAMBDAS, BUDGET = (10, 30), 18_000
"""Mutants of each parent, and evaluations; a step costs the square of lambda."""

FIGURES = ("exploitability", "late exploitability", "loss")
COMPARED = len(INSTANCES) * len(LAMBDAS) * len(FIGURES)


def measured(folder: Path, seeds: int, workers: int) -> tuple[Rows, Rows]:
    """Bilinear and Pig, by both rules."""
    bilinear = [(a, b, by, seed) for a, b in CENTRES for by in RULES for seed in fresh(seeds)]
    pig = [
        (name, mutants, by, seed, BUDGET)
        for name in INSTANCES for mutants in LAMBDAS for by in RULES for seed in fresh(seeds)
    ]  # fmt: skip
    return (
        kept(folder / "interaction_bilinear.csv", ("alpha", "beta", "by", "seed"), bilinear, on_bilinear, workers),
        kept(folder / "interaction.csv", ("instance", "lambda", "by", "seed", "budget"), pig, on_pig, workers),
    )


def on_pig(key: Key) -> dict[str, float]:
    """What the champion is worth at the end."""
    by: By = "worst" if key[2] == "worst" else "mean"
    make = partial(Compared, mutants=int(key[1]), by=by)
    algorithm, found = ended(make, INSTANCES[str(key[0])], int(key[3]), int(key[4]))
    return found | {"alike": float(np.mean(algorithm.alike))}


class Compared(OneCommaLambda):
    """The algorithm, and at each step whether the other rule would have chosen the same parents."""

    def __init__(self, problem: Problem, mutants: int, by: By) -> None:
        super().__init__(problem, mutants, by)
        self.alike: list[bool] = []

    def tell(self, wins: Floats) -> None:
        """Choose, and look at what the other rule would have chosen."""
        draw, results = self._problem.draw("selection", self._step), wins.reshape(self._mutants, -1)
        worst, mean = (next_parents(results, by, draw) for by in RULES)
        self.alike.append(bool((worst == mean).all()))
        super().tell(wins)


def on_bilinear(key: Key) -> dict[str, float]:
    """How soon the equilibrium is found, and how far from it both parents are in the second half."""
    alpha, beta, seed = float(key[0]), float(key[1]), int(key[3])
    by: By = "worst" if key[2] == "worst" else "mean"
    path = parents_on_bilinear(alpha, beta, by, seed, STEPS)
    away = np.abs(path - np.array([beta, alpha]) * BITS).max(axis=1)
    there = np.flatnonzero(away < 0.5)
    return {
        "found": float(len(there) > 0),
        "step": float(there[0]) if len(there) else float(STEPS),
        "away": float(away[STEPS // 2 :].mean()),
    }


def bilinear(x: Bytes, y: Bytes, alpha: float, beta: float) -> Floats:
    """What x gains and y loses: |y| (|x| - beta n) - alpha n |x|, where |.| counts ones.

    Args:
        x: strings, shape (m, bits).
        y: strings, shape (k, bits).
        alpha: the share of ones in y at the equilibrium.
        beta: the share of ones in x there.

    Returns:
        Shape (m, k).
    """
    ones_x, ones_y, n = x.sum(axis=1)[:, None].astype(float), y.sum(axis=1)[None].astype(float), x.shape[1]
    found: Floats = ones_y * (ones_x - beta * n) - alpha * n * ones_x
    return found


def parents_on_bilinear(alpha: float, beta: float, by: By, seed: int, steps: int, bits: int = BITS) -> Floats:
    """How many ones both parents have at each step, shape (steps, 2); each bit of an offspring flips with 1/bits."""
    parents = Draw(seed, "population").bits(2, bits)
    path = np.empty((steps, 2))
    for step in range(steps):
        path[step] = parents.sum(axis=1)
        born = np.repeat(parents, MUTANTS, axis=0)
        born.reshape(-1)[Draw(seed, "mutation", step).positions(born.size, 1 / bits)] ^= 1
        results = bilinear(born[:MUTANTS], born[MUTANTS:], alpha, beta)
        parents = born[next_parents(results, by, Draw(seed, "selection", step)) + np.array([0, MUTANTS])]
    return path


def as_markdown(on_strings: Rows, on_games: Rows) -> str:
    """Bilinear, and Pig with the differences of both rules, seed by seed."""
    lines: list[tuple[object, ...]] = []
    for (alpha, beta, by), found in by_setting(on_strings, 3).items():
        lines.append((alpha, beta, by, len(found["found"]), int(found["found"].sum()),
                      f"{np.median(found['step']):.0f}", spread(found["away"], ".2f", (0, BITS))))  # fmt: skip
    head = ["alpha", "beta", "by", "seeds", "found the equilibrium", "median step", "ones away from it, second half"]
    return table(head, lines) + "\n" + _of_games(on_games)


def verdicts(on_strings: Rows, on_games: Rows) -> list[Verdict]:
    """On Bilinear by the distance from the equilibrium in the second half, on Pig by the exploitability at the end."""
    strings, games = by_setting(on_strings, 3), by_setting(on_games, 3)
    of_strings = [
        effect(f"alpha {a}, beta {b}", found["away"] - strings[a, b, RULES[1]]["away"], "less", len(CENTRES), "+.2f", 1)
        for (a, b, by), found in strings.items() if by == RULES[0]
    ]  # fmt: skip
    of_games = [
        effect(f"{name}, lambda {mutants}", found[FIGURES[0]] - games[name, mutants, RULES[1]][FIGURES[0]], "same",
               len(INSTANCES) * len(LAMBDAS), "+.5f")
        for (name, mutants, by), found in games.items() if by == RULES[0]
    ]  # fmt: skip
    return [
        ("on Bilinear the worst interaction comes nearer to the equilibrium than the mean",
         "Hevia Fajardo & Lehre 2023", claim_verdict(of_strings)),
        ("on Pig the worst interaction and the mean are equivalent", OURS, claim_verdict(of_games)),
    ]  # fmt: skip


def _of_games(rows: Rows) -> str:
    settings = by_setting(rows, 3)
    lines: list[tuple[object, ...]] = []
    for (name, mutants, by), worst in settings.items():
        if by == RULES[0]:
            mean = settings[name, mutants, RULES[1]]
            for what in FIGURES:
                less = worst[what] - mean[what]
                said, interval = apart(less, COMPARED, "+.5f")
                better = {"less": "worst", "more": "mean", "open": "open"}[said]
                own = (spread(one[what], ".5f", LOSS) for one in (worst, mean))
                lines.append((name, mutants, what, len(less), *own, interval, better))
    same = [
        (name, mutants, by, len(found["alike"]), spread(found["alike"], ".3f"))
        for (name, mutants, by), found in settings.items()
    ]
    head_of_same = ["instance", "lambda", "by", "seeds", "steps at which both rules choose the same parents"]
    of_less = f"worst less mean (95 % for all {COMPARED} together)"
    head = ["instance", "lambda", "figure", "seeds", "by the worst", "by the mean", of_less, "better"]
    return table(head, lines) + "\n" + table(head_of_same, same)
