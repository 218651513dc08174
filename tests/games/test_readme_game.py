"""The game that the README tells to write, written."""

import re
import sys
import types
from pathlib import Path

import pytest
import yaml

import pigevo
from pigevo.games import GAMES
from pigevo.strategies import hold_at, random_strategy
from tests.reference import any_game

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.fixture
def told(monkeypatch):
    """The game of the README, registered for a while."""
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    assert "pig" in GAMES  # the others are found before this one is added
    code = next(block for block in re.findall(r"^```py\n(.*?)^```", README, flags=re.M | re.S))
    module = types.ModuleType("keep_five_of_the_readme")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, "README.md", "exec"), module.__dict__)
    return GAMES["keep_five"]


def test_it_is_played_as_every_state_says(told):
    game = told.bind({"target": 9})
    a, b = hold_at(game, 5), random_strategy(game, seed=1)
    p = pigevo.win_probability(a, b)
    assert (p.first, p.second) == pytest.approx(any_game.solve(game, a, b)[:, 0], abs=1e-12)
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(any_game.optimum(game), abs=1e-11)


def test_its_yaml_names_its_options(told):
    values = yaml.safe_load(next(block for block in re.findall(r"^```yaml\n(.*?)^```", README, flags=re.M | re.S)))
    assert values.pop("name") == "keep_five"
    assert told.completed(told.check(values, "game")) == told.completed({})
