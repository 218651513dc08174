"""The study of rules: contenders search within a budget that counts, and make rules."""

import pytest

from pigevo.dice import Draw
from pigevo.strategies.rules import Constant, Rule, complexity, parse_rule
from pigevo.studies.find import load_study
from tests.experiments.rules import GAME

load_study("rules")
from pigevo_study_rules import contest, descent, genetic, grammar, meter, tree  # noqa: E402


def test_a_budget_is_kept_and_a_rule_seen_costs_nothing(referee):
    counted = meter.Meter(referee, 3)
    rules = [Rule(Constant(n)) for n in (9, 10, 9)]
    found = counted(rules)
    assert found[0] == found[2] != found[1]
    assert len(counted.seen) == 2
    with pytest.raises(meter.SpentError):
        counted([Rule(Constant(n)) for n in (11, 12, 13)])
    assert len(counted.seen) == 3
    assert counted.best[1][0] == min(counted.seen.values())


@pytest.mark.parametrize("name", contest.CONTENDERS)
def test_a_contender_spends_its_budget_and_repeats_itself(name, referee):
    seen = []
    for _ in range(2):
        counted = meter.Meter(referee, 300)
        with pytest.raises(meter.SpentError):
            contest.CONTENDERS[name](counted, 5, GAME.target)
        seen.append(list(counted.seen.items()))
    assert len(seen[0]) == 300
    assert seen[0] == seen[1]
    assert max(complexity(rule).integers for rule, _ in seen[0]) <= meter.MOST_INTEGERS


def test_a_contest_goes_on_from_what_is_there(tmp_path, referee, monkeypatch):
    few = {name: contest.CONTENDERS[name] for name in list(contest.CONTENDERS)[:2]}
    monkeypatch.setattr(contest, "CONTENDERS", few)
    first = contest.contest(referee, 2, tmp_path / "contest.csv", 200)
    again = contest.contest(referee, 2, tmp_path / "contest.csv", 200)
    assert first == again
    monkeypatch.setattr(contest, "Meter", None)
    assert contest.contest(referee, 2, tmp_path / "contest.csv", 200) == first
    with pytest.raises(TypeError):
        contest.contest(referee, 3, tmp_path / "contest.csv", 200)


def test_a_table_of_a_contest_has_who_wins(referee):
    worse, better = ({1: (0.3, parse_rule("9"))}, {1: (0.2, parse_rule("9")), 3: (0.1, parse_rule("9"))})
    told = contest.table({"one": [worse, better], "two": [better, better]}, {1: 0.05})
    assert "| one | 2 | 0.25000 (0.20000) | 0.25000 (0.20000) | 0.20000 (0.10000) |" in told
    assert "| one | 1 | 1 | 1 | 1 | 1 |" in told
    assert "| two | 2 | 2 | 2 | 2 | 2 |" in told


def test_a_descent_ends_where_no_step_helps(referee):
    counted = meter.Meter(referee, 10**5)
    end = descent.descend(parse_rule("15; race either>=29"), counted)
    for place in range(2):
        assert min(counted(descent.moved(end, place))) == counted([end])[0]


def test_random_rules_are_rules():
    source = grammar.Source(Draw(3, "mutation"))
    forms = {type(grammar.random_rule(source, 100).base).__name__ for _ in range(300)}
    assert forms == {"Constant", "Sum", "KeepUp", "Multiple", "Marks", "Quarters", "Choice"}


def test_forks_are_the_leaves_of_a_tree():
    base = parse_rule("end if own>=20 else 9 if ahead else 12").base
    assert [way[-1].text for way in tree.forks(base)] == ["9", "12"]


def test_crossing_keeps_types(referee):
    source = grammar.Source(Draw(1, "mutation"))
    pset = genetic.primitives(source, 30)
    for _ in range(50):
        mother, father = (genetic.Tree(genetic.grow(source, pset, genetic.Ruled, 3)) for _ in range(2))
        child = genetic.crossed(source, mother, father)
        wanted = [genetic.Ruled]
        for node in child:
            assert node.ret is wanted.pop(0)
            wanted[:0] = getattr(node, "args", [])
        assert wanted == []


def test_a_descent_asks_for_no_more_integers_than_it_may(referee):
    rule = parse_rule("9 if ahead else 9")
    assert any("lead" in one.text for one in descent.moved(rule, 0))
    assert not any("lead" in one.text for one in descent.moved(rule, 0, 2))
    assert complexity(descent.descend(rule, meter.Meter(referee, 1000), 2)).integers == 2
