"""What runs spent, to be said beside every "is better": a setting that played more should be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.runs.load import Run


@dataclass(frozen=True)
class Budget:
    """What the median run of a setting spent.

    Args:
        generations, strategies, games: how many were made, evaluated and simulated.
        waves: the cube size of each wave and the last generation on it.
    """

    generations: float
    strategies: float
    games: float
    waves: tuple[tuple[str, int], ...]


def budget_of(runs: Sequence[Run], generation: float | None = None) -> Budget:
    """The budget of a setting.

    Args:
        runs: its runs, at least one, all finished.
        generation: until where; all of it, unless said.
    """
    generations, strategies, games = np.median([_spent_until(run, generation) for run in runs], axis=0).tolist()
    return Budget(generations, strategies, games, _waves(runs[0], generation))


def difference(a: Budget, b: Budget) -> str:
    """In what two budgets differ, those of the first named first; empty if in nothing."""
    told = [
        f"{name} {first:,.0f} and {second:,.0f}"
        for name, first, second in (
            ("generations", a.generations, b.generations),
            ("strategies", a.strategies, b.strategies),
            ("games", a.games, b.games),
        )
        if round(first) != round(second)
    ]
    sizes = [[size for size, _ in one.waves] for one in (a, b)]
    if a.waves != b.waves and (sizes[0] != sizes[1] or len(a.waves) > 1):
        told.append(f"cubes {_waves_text(a.waves)}, and {_waves_text(b.waves)}")
    return "; ".join(told)


def _spent_until(run: Run, generation: float | None) -> tuple[float, float, float]:
    if generation is None:
        assert run.result is not None
        return run.result["generations"], run.result["evaluations"], run.result["games"]
    places = run.metrics["generation"].astype(float)
    strategies, games = (float(np.interp(generation, places, run.metrics[name])) for name in ("evaluations", "games"))
    return generation, strategies, games


def _waves(run: Run, generation: float | None) -> tuple[tuple[str, int], ...]:
    found: dict[int, tuple[str, int]] = {}
    columns = (run.metrics[name].tolist() for name in ("wave", "cube_size", "generation"))
    for wave, size, number in zip(*columns, strict=True):
        if generation is None or number <= generation:
            found[int(wave)] = (str(size), int(number))
    return tuple(found.values())


def _waves_text(waves: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"of {size} to generation {last:,}" for size, last in waves)
