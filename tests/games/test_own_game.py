"""The game that the documentation tells to write, put where it says."""

import re
import sys
import types

import pytest
import yaml

import pigevo
from pigevo.games import GAMES
from pigevo.strategies import hold_at, random_strategy
from tests.docs.pages import DOCS, EXAMPLES
from tests.reference import any_game

PAGE = (DOCS / "how_to" / "game.md").read_text(encoding="utf-8")


@pytest.fixture
def described(monkeypatch):
    """The game of the example, registered for a while as the page says."""
    assert "ten_rounds" in GAMES  # the others are found before they are copied
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    decorator = re.search(r"`(@GAMES\.register\(.*?\))`", PAGE).group(1)
    code = (EXAMPLES / "keep_five.py").read_text(encoding="utf-8").replace("@dataclass", f"{decorator}\n@dataclass")
    module = types.ModuleType("keep_five_of_the_page")
    module.GAMES = GAMES
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(code, "keep_five.py", "exec"), module.__dict__)
    return GAMES["keep_five"]


def test_it_is_played_as_every_state_says(described):
    game = described.bind({"target": 9})
    a, b = hold_at(game, 5), random_strategy(game, seed=1)
    p = pigevo.win_probability(a, b)
    assert (p.first, p.second) == pytest.approx(any_game.solve(game, a, b)[:, 0], abs=1e-12)
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(any_game.optimum(game), abs=1e-11)


def test_its_yaml_names_its_options(described):
    values = yaml.safe_load(next(block for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, flags=re.M | re.S)))
    assert values.pop("name") == "keep_five"
    assert described.completed(described.check(values, "game")) == described.completed({})
