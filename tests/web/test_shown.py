"""What the page says of its strategies is so."""

import json

import pytest

import pigevo
from pigevo.strategies.rules import parse_rule
from pigevo.studies.remembered import BEST, remembered
from pigevo.web.site import CHAMPION, GAME, page_strategies

SHOWN = {one.id: one for one in page_strategies()}


def against_the_optimum(strategy):
    return pigevo.win_probability(strategy, SHOWN["optimal"].strategy).overall


def test_the_champion_is_what_its_record_says():
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    assert against_the_optimum(SHOWN["champion"].strategy) == pytest.approx(record["overall"], abs=1e-12)
    assert record["overall"] > 0.499
    assert record["command"] == SHOWN["champion"].source


@pytest.mark.long
def test_the_champion_can_be_evolved_again(tmp_path):
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    command, *words = record["command"].split()[2:]
    assert command == "pigevo"
    run = pigevo.evolve(*words)
    assert run.result["digest"] == record["digest"]
    assert run.champion == SHOWN["champion"].strategy


def test_hold_at_25_is_the_best_of_its_kind():
    found = {n: against_the_optimum(pigevo.hold_at(GAME, n)) for n in range(1, 101)}
    assert max(found, key=found.get) == 25


def test_every_strategy_is_told():
    for one in SHOWN.values():
        assert one.title[0].isupper()
        assert one.sentence.endswith(".")
        assert one.source
        assert one.strategy.game == GAME


def test_the_rules_are_the_best_that_the_study_found_and_the_published_one():
    best = {one.integers: one.rule for one in remembered(GAME, BEST)}
    ids = {1: "rule-one", 2: "rule-two", 3: "rule-three", 4: "rule-four"}
    assert {n: SHOWN[name].rule for n, name in ids.items()} == {n: best[n].text for n in ids}
    (published,) = remembered(GAME, "published")
    assert SHOWN["keep-pace"].rule == published.rule.text
    assert SHOWN["keep-pace"].strategy == pigevo.keep_pace_and_end_race(GAME)
    for one in (one for one in SHOWN.values() if one.rule):
        assert one.sentence == parse_rule(one.rule).sentence
        assert one.strategy == parse_rule(one.rule).strategy(GAME)
