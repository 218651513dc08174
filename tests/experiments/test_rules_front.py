"""The study of rules: no rule of a front is beaten, and none is less exploitable than the one that is said to be."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Pig
from pigevo.strategies.rules import Constant, complexity, divides, parse_rule
from pigevo.studies.find import load_study
from tests.experiments.rules import GAME, SMALL, found_of

load_study("rules")
from pigevo_study_rules import exploit, families, front, search  # noqa: E402


def test_a_front_can_leave_families_out(referee):
    other = families.Family("n+(j-i)/d", [parse_rule("9+(j-i)/4").base], [()])
    found = [found_of(SMALL, referee), found_of(other, referee)]
    assert any(divides(one.rule) for one in search.by_complexity(found))
    assert not any(divides(one.rule) for one in search.by_complexity(found, lambda rule: not divides(rule)))


@pytest.mark.parametrize("integers", [1, 2, 3])
def test_the_least_exploitable_rule_is_that_of_brute_force(referee, integers):
    found = found_of(SMALL, referee)
    least = exploit.least_exploitable([found], integers, GAME, 1)
    all_ = [exploit.exploitability(SMALL.rule(n), GAME) for n in np.flatnonzero(found.integers == integers).tolist()]
    assert least.proven
    assert abs(least.exploitability - min(all_)) < 1e-7
    assert abs(exploit.exploitability(least.rule, GAME) - least.exploitability) < 1e-12
    assert complexity(least.rule).integers == integers
    assert least.answers <= len(all_)


def test_a_rule_that_nobody_exploits_more_than_the_optimum_does_is_found():
    """Its exploitability is its loss, which single precision may have rounded up."""
    game = Pig(target=2)  # every roll but a 1 wins, so every rule is the optimum
    prepared = Thresholds(pigevo.optimal(game).strategy)
    found = found_of(families.Family("", [Constant(n) for n in (1, 2)]), prepared)
    found = replace(found, difference=found.difference + np.float32(5e-8))
    least = exploit.least_exploitable([found], 1, game, 1)
    assert (least.proven, abs(least.exploitability) < 1e-12) == (True, True)


def test_no_rule_of_a_front_is_beaten():
    made = [front.judged(SMALL.rule(n), GAME) for n in range(0, len(SMALL), 7)]
    kept = front.unbeaten(made, lambda one: (one.integers, one.operations))
    assert kept
    for one in made:
        beaten = any(o.difference <= one.difference and o.integers <= one.integers and o.operations <= one.operations
                     for o in kept)  # fmt: skip
        assert beaten
    for one in kept:
        assert not any(o.difference < one.difference and o.integers <= one.integers and o.operations <= one.operations
                       for o in made)  # fmt: skip


def test_a_front_is_written_with_every_figure_in_its_column():
    one = front.judged(parse_rule("9 if ahead else 12; race either>=20"), GAME)
    rows = list(csv.DictReader(io.StringIO(front.as_csv({GAME: {"least loss": [one]}}))))
    assert len(rows) == 1
    row = rows[0]
    assert (row["game"], row["front"], row["rule"]) == (str(GAME), "least loss", one.rule.text)
    assert (int(row["integers"]), int(row["operations"])) == (3, 3)
    won = pigevo.win_probability(one.rule.strategy(GAME), pigevo.optimal(GAME).strategy).overall
    assert abs(float(row["difference"]) - (1 - 2 * won)) < 1e-9
    answered = pigevo.best_response(one.rule.strategy(GAME)).overall
    assert abs(float(row["exploitability"]) - (answered - 0.5)) < 1e-9
