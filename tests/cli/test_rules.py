"""`pigevo rules`, and rules where strategies are named."""

import json
import re

import pytest

import pigevo as package
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.strategies.rules import complexity, parse_rule
from pigevo.studies.remembered import remembered

PUBLISHED = "21+(j-i)/8; race either>=71"


def test_a_rule_is_a_strategy_of_every_command(pigevo):
    output = pigevo(["duel", f"rule: {PUBLISHED}", "keep_pace_and_end_race", "--json"])
    record = json.loads(output.out)
    assert record["a"] == f"rule: {PUBLISHED}"
    mine, of_the_name = (row["difference"] for row in record["difference_from_optimal"])
    assert mine == of_the_name == pytest.approx(0.0092, abs=0.00005)
    assert pigevo(["show", "rule: 7; race own>=9", "--target", "15", "--picture", "none"]).status == 0
    words = ["tournament", "rule: 5 if ahead else 7", "hold_at:5..6", "--target", "15", "--times", "2"]
    assert pigevo(words).status == 0
    assert pigevo(["respond", "rule: multiple(5)", "--target", "15"]).status == 0


def test_a_rule_is_explained_with_exact_figures(pigevo):
    record = json.loads(pigevo(["rules", "9+(j-i)/4; race either>=20", "--target", "30", "--json"]).out)
    game = package.Pig(target=30)
    strategy = package.keep_pace_and_end_race(game, 9, 4, 10)
    p = package.win_probability(strategy, package.optimal(game).strategy)
    assert (record["first"], record["second"], record["overall"]) == pytest.approx((p.first, p.second, p.overall))
    assert record["difference"] == pytest.approx(1 - 2 * p.overall)
    assert record["exploitability"] == pytest.approx(package.best_response(strategy).overall - 0.5)
    assert (record["integers"], record["operations"]) == (3, 10)
    assert package.Strategy.from_function(game, eval(record["python"])) == strategy
    output = pigevo(["rules", "rule: 9+(j-i)/4; race either>=20", "--target", "30"]).out
    for part in (record["sentence"].split(".")[0], record["python"], f"{p.overall:.6f}"):
        assert part in " ".join(output.split())


def test_a_rule_for_ten_rounds_is_explained_too(pigevo):
    output = json.loads(pigevo(["rules", "20+(j-i)/8; last 16+(j-i)", "--game", "ten_rounds", "--json"]).out)
    game = GAMES["ten_rounds"].bind({})
    strategy = parse_rule("20+(j-i)/8; last 16+(j-i)").strategy(game)
    assert output["overall"] == package.win_probability(strategy, package.optimal(game).strategy).overall
    assert output["integers"] == 3
    assert "if left == 1 and second" in output["python"]


def test_all_rules_of_the_study_are_listed(pigevo):
    output, record = pigevo("rules"), json.loads(pigevo("rules --json").out)
    rules = remembered(package.Pig())
    assert [one["rule"] for one in record["rules"]] == [one.rule.text for one in rules]
    for one in rules:
        row = rf"{re.escape(one.rule.text)} +{one.integers} +{one.operations} +{one.difference:.5f} +{one.exploitability:.5f}"
        assert re.search(row, output.out)


def test_the_card_has_a_rule_for_each_number_of_numbers_in_words(pigevo):
    output = pigevo("rules --card")
    assert output.status == 0
    assert output.out.startswith("PIG TO 100: THE BEST RULES FOUND ")
    words = " ".join(output.out.split())
    best = remembered(package.Pig(), "least loss")
    assert [one.integers for one in best] == [1, 2, 3, 4, 5]
    for one in best:
        assert one.rule.sentence in words
        assert f"{one.rule.text} {500 * (1 - one.difference):.1f} {500 - 1000 * one.exploitability:.1f}" in words
    for number in ("One number", "Two numbers", "Three numbers", "Four numbers", "Five numbers"):
        assert f"{number} to remember" in output.out
    assert max(map(len, output.out.splitlines())) < 125
    assert len(output.out.splitlines()) < 66, "a page"
    with pytest.raises(InputError, match="there is no front 'best': there are published"):
        remembered(package.Pig(), "best")


@pytest.mark.parametrize("target", [50, pytest.param(100, marks=pytest.mark.slow)])
def test_the_rules_of_the_study_are_as_it_says(target):
    game = package.Pig(target=target)
    best = package.optimal(game).strategy
    for one in dict.fromkeys(remembered(game)):
        strategy = one.rule.strategy(game)
        demands = complexity(one.rule)
        assert (demands.integers, demands.operations) == (one.integers, one.operations)
        assert 1 - 2 * package.win_probability(strategy, best).overall == pytest.approx(one.difference, abs=1e-8)
        assert package.best_response(strategy).overall - 0.5 == pytest.approx(one.exploitability, abs=1e-8)
