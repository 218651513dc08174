"""A run's generations, made once more from its record alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path

from pigevo.evolution.loop import State, evolve, first_state
from pigevo.evolution.plan import Plan
from pigevo.runs.checkpoint import nearest_state
from pigevo.runs.naming import config_hash
from pigevo.runs.progress import tracked


def from_start(plan: Plan, last: int) -> Iterator[State]:
    """The states of generations 0 to `last`, under a progress bar."""
    state = first_state(plan)
    yield state
    yield from _onwards(plan, state, last)


def state_of(plan: Plan, config: dict[str, object], folder: Path, generation: int) -> tuple[State, int]:
    """The state of one generation, made from generation 0, or from a checkpoint of the run that is nearer.

    Returns:
        The state, and the generation it was made from.
    """
    start = nearest_state(folder, config_hash(config), generation) or first_state(plan)
    newest = deque([start], maxlen=1)
    newest.extend(_onwards(plan, start, generation))
    return newest[0], start.generation


def _onwards(plan: Plan, state: State, last: int) -> Iterator[State]:
    if state.generation >= last:
        return
    for later in tracked("generation", last - state.generation)(evolve(plan, state)):
        yield later
        if later.generation == last:
            return
