"""`pigevo strategies`."""

import json

import pytest

import pigevo as package
from pigevo.games import GAMES
from pigevo.strategies import STRATEGIES, parse_strategy


def test_each_named_strategy_has_its_exact_figures(pigevo):
    record = json.loads(pigevo("strategies --target 20 --allow-pass --json").out)
    game = package.Pig(target=20, allow_pass=True)
    best = package.optimal(game).strategy
    assert {one["name"] for one in record["strategies"]} == set(STRATEGIES)
    assert record["strategies"][0]["name"] == "optimal"
    for one in record["strategies"]:
        met = package.win_probability(parse_strategy(one["word"], game), best)
        assert (one["first"], one["second"], one["overall"]) == pytest.approx((met.first, met.second, met.overall))
        assert one["about"]
        assert one["source"] == STRATEGIES[one["name"]].source
        assert [number["name"] for number in one["numbers"]] == list(STRATEGIES[one["name"]].options)
    wins = [one["overall"] for one in record["strategies"]]
    assert wins == sorted(wins, reverse=True)


def test_what_a_game_has_not_is_told_with_the_reason(pigevo):
    said = pigevo("strategies --target 10")
    assert said.status == 0
    assert "not here: roll_and_wait passes: it needs a game with allow_pass=True." in said.out
    assert "score:20,0 (n, behind)" in said.out
    assert "Holds once the turn total has reached `n`" in said.out
    assert "Sources, and the usual numbers of a strategy, are about Pig to 100" in said.out


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_some(pigevo, name):
    small = "--target 8" if "target" in GAMES[name].options else "--turns 2 --cap 20"
    said = pigevo(f"strategies --game {name} {small} --json")
    record = json.loads(said.out)
    assert all(one["why"].startswith(one["name"]) for one in record["others"])
    assert len(record["strategies"]) >= 4
    assert len(record["strategies"]) + len(record["others"]) == len(STRATEGIES)
