"""The study of rules: a bound on a box of rules is one, and a search with bounds finds the best of all."""

import itertools

import numpy as np
import pytest

from experiments.rules.tests.cases import GAME
from pigevo.exact import optimal
from pigevo.exact.thresholds import Thresholds
from pigevo.experiments.rules import boxes, exhaust, forms, proof
from pigevo.experiments.rules.parts import numbers_of, with_numbers
from pigevo.games import Pig
from pigevo.strategies.rules import complexity, parse_rule

T = GAME.target
RULES = [
    ("6+j/3-i/5; race either>=15 or leaves<=4", "9+j/6-i/9; race either>=21 or leaves<=8"),
    ("max(5,8-(j-i)/2); race own>=9 and behind or sum>=30", "max(7,11-(j-i)/9); race own>=14 and behind or sum>=44"),
    (
        "7 if lead>=3 else multiple(6); race leaves<=2 and ahead",
        "9 if lead>=8 else multiple(9); race leaves<=9 and ahead",
    ),
    ("marks(5,11,15)", "marks(9,17,22)"),
    ("quarters(5,6,7,8); race behind", "quarters(9,9,9,12); race behind"),
    ("max(8,j-i-2); race both>=4 and leaves<=6", "max(11,j-i-9); race both>=11 and leaves<=9"),
]


def box_of(low, high):
    return boxes.Box(parse_rule(low), parse_rule(high))


def members(box, count=60):
    """Some members, the same each time."""
    ends = list(zip(numbers_of(box.low), numbers_of(box.high), strict=True))
    for n in range(count):
        numbers = [a + (7 * n * (place + 1) + n // 3) % (b - a + 1) for place, (a, b) in enumerate(ends)]
        if all(a < b for a, b in itertools.pairwise(numbers)) or not box.low.text.startswith("marks"):
            yield with_numbers(box.low, numbers)


@pytest.mark.parametrize("ends", RULES, ids=lambda ends: ends[0])
def test_a_bound_is_no_more_than_what_any_member_loses(ends, referee):
    box = box_of(*ends)
    totals, (may, must) = boxes.turn_totals(box.base, T), boxes.races(box, T)
    bound = proof.best_within(*totals, may, must, *referee.arrays)
    rules = list(members(box))
    assert len(rules) > 10
    assert bound <= exhaust.differences(rules, referee).min() + 1e-12
    for rule in rules:
        plan = rule.planned(GAME)
        raced = plan >= T
        assert (raced | ((totals[0] <= plan) & (plan <= totals[1]))).all()
        assert (may | ~raced | (totals[1] >= plan)).all()
        assert (raced | ~must).all()


def test_the_bound_on_one_rule_is_what_it_loses(referee):
    rule = parse_rule("8+(j-i)/4; race either>=20 or leaves<=5")
    box = boxes.Box(rule, rule)
    bound = proof.best_within(*boxes.turn_totals(box.base, T), *boxes.races(box, T), *referee.arrays)
    assert abs(bound - exhaust.differences([rule], referee)[0]) < 1e-12


def test_halves_are_all_of_a_box_and_no_more():
    for ends in (("4; race own>=3 or leaves<=2", "6; race own>=7 or leaves<=2"), ("marks(2,3,4)", "marks(5,6,7)")):
        left, result = [box_of(*ends)], []
        while left:
            box = left.pop()
            result += [box.low.text] if box.single else []
            left += box.halves()
        assert len(result) == len(set(result))
        if ends[0].startswith("marks"):
            assert set(result) == {f"marks({a},{b},{c})" for a, b, c in itertools.combinations(range(2, 8), 3)
                                  if a <= 5 and 3 <= b <= 6 and c >= 4}  # fmt: skip
        else:
            assert len(result) == len(box_of(*ends)) == 15


def test_forms_ask_for_as_many_integers_as_they_say():
    for n in range(1, 5):
        for form in forms.bases(n, 100):
            assert form.low.integers == form.high.integers == n
    for n in range(3):
        races = forms.any_race(n, 100)
        assert len(set(races)) == len(races)
        for race in races:
            assert sum(one.integers for group in race.high for one in group) == n
            assert parse_rule(f"9; race {_text(race.high)}").race == race.high if race.high else True


def _text(race):
    return " or ".join(" and ".join(one.text for one in group) for group in race)


@pytest.mark.parametrize(
    "game", [Pig(8, sides=2), *(pytest.param(one, marks=pytest.mark.slow) for one in (Pig(12, sides=3), GAME))], ids=str
)
def test_a_search_with_bounds_finds_the_best_of_brute_force(game, monkeypatch):
    """Of constants with every race of one number, from the second best: a bound that is too high would leave it so."""
    target = game.target
    referee = Thresholds(optimal(game).strategy)
    monkeypatch.setattr(proof, "bases", lambda n, target: forms.plain(1, target)[:1] if n == 1 else [])
    conditions = [f"{what}>={n}" for what in forms.MEASURES for n in range(3 * target)]
    conditions += [f"leaves<={n}" for n in range(target)]
    races = [race for one in conditions for race in (one, f"{one} and ahead", f"{one} and behind")]
    rules = [parse_rule(f"{n}; race {race}") for n in range(1, target + 1) for race in races]
    rules = [one for one in rules if one.integers == 2]
    lost = exhaust.differences(rules, referee)
    best = lost.min()
    second = np.where(lost > best + 1e-6, lost, np.inf).argmin()
    assert lost[second] < best + 0.1
    result = proof.proven(rules[second], game, 1)
    assert abs(result.difference - best) < 1e-9
    assert abs(exhaust.differences([result.rule], referee)[0] - best) < 1e-9
    assert complexity(result.rule).integers == result.integers == 2
