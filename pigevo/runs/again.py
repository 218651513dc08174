"""A run's generations, made once more from its record alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

from pigevo.errors import InputError
from pigevo.evolution.loop import Generation, State, first_state, generations
from pigevo.evolution.plan import Plan
from pigevo.runs.checkpoint import nearest_state
from pigevo.runs.progress import tracked
from pigevo.settings import Settings


def from_start(plan: Plan, last: int) -> Iterator[Generation]:
    """Generations 0 to `last`, under a progress bar."""
    return _onwards(plan, first_state(plan), last)


def generation_of(settings: Settings, folder: Path, number: int) -> tuple[Generation, int]:
    """One generation of a run, made from generation 0, or from a checkpoint that is nearer.

    Args:
        settings: the run's.
        folder: the run's.
        number: of the generation.

    Returns:
        The generation, and the number of the one it was made from.

    Raises:
        InputError: the run has no such generation.
    """
    plan = settings.plan
    if not 0 <= number <= plan.generations:
        raise InputError(f"generation {number} is out of range: the run has generations 0 to {plan.generations}.")
    start: State = nearest_state(folder, settings.hash, number) or first_state(plan)
    (newest,) = deque(_onwards(plan, start, number), maxlen=1)
    if newest.number < number:
        raise InputError(f"generation {number} is out of range: the run ends with generation {newest.number}.")
    return newest, start.generation


def _onwards(plan: Plan, state: State, last: int) -> Iterator[Generation]:
    left = tracked("generation", last - state.generation + 1)(generations(plan, state))
    for generation in left:
        yield generation
        if generation.number >= last:
            return
