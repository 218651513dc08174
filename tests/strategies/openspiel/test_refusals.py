"""What cannot be a policy of OpenSpiel is refused, whether OpenSpiel is here or not."""

import subprocess
import sys

import pytest

import pigevo


@pytest.mark.parametrize(
    "game",
    [
        pigevo.Piglet(10, heads=0.6), pigevo.Race(10, {1: 0.5, 3: 0.25}, 0.25), pigevo.Race(10, {1: 1.0}, 0.0),
        pigevo.Race(10, {2: 0.5, 3: 0.3}, 0.2), pigevo.Piglet(10, heads=1 - 1e-12),
    ],
    ids=str,
)  # fmt: skip
def test_other_races_are_refused_in_a_sentence(game):
    with pytest.raises(pigevo.InputError, match=r"^OpenSpiel has no .*: its pig is a race with one fair die"):
        pigevo.to_openspiel(pigevo.hold_at(game, 3))


@pytest.mark.parametrize("name", ["two_dice", "ten_rounds", "skunk", "progressive", "big_pig"])
def test_other_games_are_refused_in_a_sentence(name):
    from pigevo.games import GAMES

    with pytest.raises(pigevo.InputError, match="OpenSpiel has no "):
        pigevo.to_openspiel(pigevo.hold_at(GAMES[name].function(), 3))


def test_a_strategy_that_rolls_where_openspiel_lets_it_only_stop_is_refused():
    from pigevo.games.pig_variants import HoldToWin

    on = pigevo.Strategy.from_function(HoldToWin(10), lambda i, j, k: k < 5, "on")
    with pytest.raises(pigevo.InputError, match=r"^on may roll with 10 points or more: OpenSpiel lets .* only stop"):
        pigevo.to_openspiel(on)


@pytest.mark.parametrize("horizon", [0, -1, 2**31, 1.5, "ten", None])
def test_a_wrong_horizon_is_refused(horizon):
    with pytest.raises(pigevo.InputError, match=r"horizon must be an integer from 1 to 2,147"):
        pigevo.to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3), horizon=horizon)


def test_without_openspiel_one_sentence_says_what_to_install(monkeypatch):
    for name in [
        name for name in sys.modules if name.startswith(("pigevo.strategies.openspiel", "open_spiel", "pyspiel"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    from pigevo.strategies.openspiel import to_openspiel

    with pytest.raises(pigevo.InputError, match=r"^to_openspiel needs OpenSpiel: pip install open_spiel\.$"):
        to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3))


def test_openspiel_is_imported_only_when_a_policy_is_made():
    code = "import sys, pigevo; pigevo.to_openspiel; print({'pyspiel', 'open_spiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
