"""Trials of the benchmark's algorithms, as parts of the study make them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pigevo.evolution.evaluation import referee

from ..benchmark.instances import Instance
from ..benchmark.protocol import Problem
from ..benchmark.trial import try_out


def ended(make: Callable[[Problem], Any], instance: Instance, seed: int, budget: int) -> tuple[Any, dict[str, float]]:
    """An algorithm that has spent its budget, and how good its champion is.

    Args:
        make: makes it.
        instance: the task.
        seed: of everything.
        budget: in evaluations or games.

    Returns:
        The algorithm; the champion's loss and exploitability at the end, and their means over all that was
        recorded of the second half of the budget.
    """
    made = []

    def keeping(problem: Problem) -> Any:
        made.append(make(problem))
        return made[0]

    trial = try_out(keeping, instance, seed, budget)
    late = trial.spent >= trial.spent[-1] / 2
    return made[0], {
        "loss": float(trial.loss[-1]),
        "exploitability": float(trial.exploitability[-1]),
        "late loss": float(trial.loss[late].mean()),
        "late exploitability": float(trial.exploitability[late].mean()),
    }


def population_loss(algorithm: Any, instance: Instance) -> float:
    """The mean loss of an algorithm's population against the optimum, exactly."""
    return 0.5 - float(referee(instance.grid.game, instance.grid.to_tables(algorithm.population)).mean())
