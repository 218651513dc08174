"""The named strategies that the study of rules found are its rules, and as good as it says."""

import pytest

import pigevo
from pigevo.games import Pig
from pigevo.strategies import STRATEGIES, parse_strategy
from pigevo.studies.remembered import remembered

RULES = {
    "next_multiple": "multiple(25)",
    "next_multiple_and_end_race": "multiple(24); race either>=72",
    "two_totals_and_end_race": "18 if ahead else 22; race sum>=121",
    "keep_pace_and_weigh": "22+(j-i)/7; race 2*own+opponent>=178",
    "keep_pace_and_end_either": "21+(j-i)/8; race either>=75 or 2*own+opponent>=185",
}


@pytest.mark.parametrize("name", RULES)
def test_a_name_is_a_rule_of_the_study(name):
    game = Pig()
    assert parse_strategy(name, game) == parse_strategy(f"rule: {RULES[name]}", game)
    assert STRATEGIES[name].source == "experiments/rules"
    assert RULES[name] in {one.rule.text for one in remembered(game)}


@pytest.mark.parametrize(("word", "rule"), [
    ("next_multiple:7", "multiple(7)"),
    ("next_multiple_and_end_race:7,9", "multiple(7); race either>=21"),
    ("two_totals_and_end_race:6,8,22", "6 if ahead else 8; race sum>=38"),
    ("keep_pace_and_weigh:9,3,33", "9+(j-i)/3; race 2*own+opponent>=57"),
    ("keep_pace_and_end_either:9,3,5,20", "9+(j-i)/3; race either>=25 or 2*own+opponent>=70"),
    ("keep_pace_and_end_either:9,3,999,20", "end"),
])  # fmt: skip
def test_numbers_are_counted_from_the_target(word, rule):
    game = Pig(target=30)
    found = parse_strategy(word, game)
    assert found == parse_strategy(f"rule: {rule}", game)
    assert found.name == word


def test_each_beats_the_published_one_of_as_many_numbers():
    game = Pig()
    best = pigevo.optimal(game).strategy

    def lost(name):
        return 0.5 - pigevo.win_probability(parse_strategy(name, game), best).overall

    published = lost("keep_pace_and_end_race")
    assert lost("keep_pace_and_end_either") < lost("keep_pace_and_weigh") < published
    assert lost("next_multiple") < min(lost(f"hold_at:{n}") for n in range(15, 36))
