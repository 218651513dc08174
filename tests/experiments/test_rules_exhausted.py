"""The study of rules: every member of a family is evaluated, and the best are found, as by brute force."""

import numpy as np
import pytest

import pigevo
from pigevo.strategies.rules import AtLeast, Constant, complexity, divides, looks_at_opponent, parse_rule
from pigevo.studies.find import load_study
from tests.experiments.rules import GAME, SMALL, families_of, found_of, rows_of

load_study("rules")
from pigevo_study_rules import around, exhaust, families, general, search, templates  # noqa: E402


def test_every_member_of_a_family_is_evaluated(referee):
    found = found_of(SMALL, referee)
    assert len(found.difference) == len(SMALL) == 19 * 5
    best = pigevo.optimal(GAME).strategy
    for number in range(len(SMALL)):
        rule = SMALL.rule(number)
        won = pigevo.win_probability(rule.strategy(GAME), best).overall
        assert abs(found.difference[number] - (1 - 2 * won)) < 1e-7
        asked = complexity(rule)
        assert (found.integers[number], found.operations[number]) == (asked.integers, asked.operations)


def test_some_members_are_evaluated_as_all_are(referee):
    chosen = np.array([93, 4, 4, 17])
    np.testing.assert_allclose(
        exhaust.met(SMALL, chosen, referee), exhaust.exhaust(SMALL, referee)[chosen], rtol=0, atol=1e-7
    )


@pytest.mark.parametrize("target", [50, pytest.param(100, marks=pytest.mark.slow)])
def test_families_are_of_one_form_and_no_larger_than_they_say(target):
    for family in families_of(target):
        ends = [family.rule(n) for n in (0, len(family) // 2, len(family) - 1)]
        assert len({divides(rule) for rule in ends}) == 1
        assert len({looks_at_opponent(rule) for rule in ends}) == 1
        assert max(complexity(rule).integers for rule in ends) <= 5
        assert len({family.rule(n) for n in range(0, len(family), 997)}) == len(range(0, len(family), 997))


def test_what_was_evaluated_is_kept(tmp_path, monkeypatch, referee):
    monkeypatch.setattr(search, "families", lambda *_: [SMALL])
    first, spent = search.searched(GAME, tmp_path, 1)
    monkeypatch.setattr(search, "exhaust", None)
    second, again = search.searched(GAME, tmp_path, 1)
    assert (first[0].difference == second[0].difference).all()
    assert spent == again > 0


def test_the_best_by_complexity_are_the_best(referee):
    found = found_of(SMALL, referee)
    best = {(one.integers, one.operations): one.rule for one in search.by_complexity([found])}
    keys = set(zip(found.integers.tolist(), found.operations.tolist(), strict=True))
    assert set(best) == keys
    for key in keys:
        alike = (found.integers == key[0]) & (found.operations == key[1])
        (own,) = exhaust.differences([best[key]], referee)
        assert abs(own - found.difference[alike].min()) < 1e-6


def test_descents_of_a_form_find_its_best(referee):
    found = templates.descended("10; race either>=20", 6, referee)
    family = families.Family(
        "", [Constant(n) for n in range(1, 31)], [((AtLeast("either", n),),) for n in range(1, 31)]
    )
    assert abs(found.difference - exhaust.exhaust(family, referee).min()) < 1e-7
    assert 1 <= found.ended <= found.starts == 6


def test_the_general_engine_evaluates_rules_alike(referee):
    rules = [parse_rule(text) for text in ("9", "7+(j-i)/3; race either>=20", "multiple(8); race leaves<=9")]
    by_engine = general.General(referee.opponent, 2)
    np.testing.assert_allclose(
        exhaust.differences(rules, by_engine), exhaust.differences(rules, referee), rtol=0, atol=1e-12
    )


def test_every_rule_around_one_is_evaluated(referee):
    rule = parse_rule("7 if ahead else 9+(j-i)/4; race either>=20")
    rows = rows_of(around.table([rule], referee, 1, far=1))
    near = [parse_rule(f"{a} if ahead else {n}+(j-i)/{d}; race either>={e}")
            for a in (6, 7, 8) for n in (8, 9, 10) for d in (3, 4, 5) for e in (19, 20, 21)]  # fmt: skip
    assert {around.neighbours(rule, 1).rule(n) for n in range(81)} == set(near)
    found = exhaust.differences(near, referee)
    assert rows == [[rule.text, "81", near[int(found.argmin())].text, f"{found.min():.5f}"]]
