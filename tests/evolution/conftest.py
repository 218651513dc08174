"""Small plans for the tests of evolution."""

import pytest

from pigevo.settings.settings import Settings

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
