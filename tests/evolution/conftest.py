"""Small plans, what operators are handed where tests call them by hand, and the course of a run."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.operators import KINDS, Context
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid

BASE = {
    "experiment": None,
    "seed": 1,
    "mutation": 0.02,
    "generations": 6,
    "record_every": 1,
    "checkpoint_every": 50,
    "workers": 1,
    "force": False,
    "debug": "none",
    "game": {"name": "pig", "target": 20},
    "population": {"name": "random", "size": 8},
    "fitness": {"name": "games", "games": 20},
    "selection": {"name": "knockout"},
    "crossover": {"name": "agree_or_random"},
    "mutator": {"name": "bit_flip"},
    "replacement": {"name": "offspring"},
    "cubes": {"name": "none"},
    "baseline": {"name": "none"},
}


@pytest.fixture
def make_plan():
    """A plan of the settings above, with some of them changed; a function of one's own is the operator of its kind."""

    def make(**changes):
        own = {kind: change for kind, change in changes.items() if callable(change)}
        chosen = {kind: {"name": "custom"} for kind in own}
        if "population" in own:
            chosen["population"]["size"] = BASE["population"]["size"]
        return Settings.read(BASE | changes | chosen, own=own).plan

    return make


seeds = st.integers(0, 10**6)
games = st.builds(pigevo.Pig, target=st.integers(1, 11), sides=st.integers(2, 8), allow_pass=st.booleans())
grids = st.builds(CubeGrid, games, st.sampled_from([1, 2, 3, 5, (4, 3, 1), (1, 2, 9)]))
few = settings(max_examples=60, deadline=None)


def context_of(grid, draw=None, scores=(), **more):
    """A context on a grid, or on the cells of a game, in the generation of the draw."""
    grid = grid if isinstance(grid, CubeGrid) else CubeGrid(grid, 1)
    draw = Draw(1, "mutation") if draw is None else draw
    generation = more.pop("generation", draw.generation)
    return Context(draw, grid, generation, np.asarray(scores, dtype=float), **more)


def selecting(evaluation, draw, grid=None):
    """The arguments of a selection: the scores, and a context with the whole evaluation."""
    return evaluation.scores, Context(draw, grid, draw.generation, evaluation.scores, evaluation=evaluation)


def tables_of(strategies):
    """The decisions of strategies as a fitness is handed them, shape (n, own, opponent, turn total)."""
    return np.stack([strategy.roll for strategy in strategies])


def course_of(plan):
    """The generations of a run."""
    return list(generations(plan, first_state(plan)))


def states_of(plan):
    """The states of a run, from its first population on."""
    return [generation.state for generation in course_of(plan)]


def run_to_the_end(plan):
    """The scores of each generation of a run."""
    return [generation.scores for generation in course_of(plan)]


def remembering(plan, kind, remember, work=None):
    """The plan with an operator that remembers, and does its work as before or as `work` says."""
    original = getattr(plan, kind)
    members = {name: getattr(original, name) for name in ("pairs", "plays") if hasattr(original, name)}
    if "pairs" in members:
        members["pairs"] = lambda self, *data: original.pairs(*data)
    members["__call__"] = work or (lambda self, *data: original(*data))
    return replace(plan, **{kind: type("Mine", (KINDS[kind],), members | {"remember": remember})()})
