"""Small plans for the tests of evolution."""

import pytest

from pigevo.evolution.plan import plan_from

BASE = {
    "seed": 1,
    "mutation": 0.02,
    "generations": 6,
    "workers": 1,
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
    """A plan of the settings above, with some of them changed."""
    return lambda **changes: plan_from(BASE | changes)
