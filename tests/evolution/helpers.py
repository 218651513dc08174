"""What operators are handed, for tests that call them by hand."""

from dataclasses import replace

import numpy as np

from pigevo.dice import Draw
from pigevo.evolution.operators import KINDS, Context
from pigevo.games import Race
from pigevo.strategies import CubeGrid


def context_of(grid, draw=None, scores=(), **more):
    """A context on a grid, or on the cells of a game, in the generation of the draw."""
    grid = CubeGrid(grid, 1) if isinstance(grid, Race) else grid
    draw = Draw(1, "mutation") if draw is None else draw
    generation = more.pop("generation", draw.generation)
    return Context(draw, grid, generation, np.asarray(scores, dtype=float), **more)


def selecting(evaluation, draw, grid=None):
    """The arguments of a selection: the scores, and a context with the whole evaluation."""
    return evaluation.scores, Context(draw, grid, draw.generation, evaluation.scores, evaluation=evaluation)


def tables_of(strategies):
    """The decisions of strategies as a fitness is handed them, shape (n, own, opponent, turn total)."""
    return np.stack([strategy.roll for strategy in strategies])


def states_of(plan):
    """The states of a run, from its first population on."""
    from pigevo.evolution.loop import first_state, generations

    return [generation.state for generation in generations(plan, first_state(plan))]


def run_to_the_end(plan):
    """The scores of each generation of a run."""
    from pigevo.evolution.loop import first_state, generations

    return [generation.scores for generation in generations(plan, first_state(plan))]


def remembering(plan, kind, remember):
    """The plan with an operator that does its work as before, and remembers."""
    other = getattr(plan, kind)
    members = {name: getattr(other, name) for name in ("pairs", "plays") if hasattr(other, name)}
    made = {"remember": remember, "__call__": lambda self, *data: other(*data), **members}
    if "pairs" in members:
        made["pairs"] = lambda self, *data: other.pairs(*data)
    return replace(plan, **{kind: type("Mine", (KINDS[kind],), made)()})
