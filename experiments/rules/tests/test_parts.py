"""The numbers of a rule, what it asks of a player, and the picture of fronts of rules."""

from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.experiments.rules.drawing import STAR, fronts_data, plot_fronts
from pigevo.experiments.rules.parts import divides, looks_at_opponent, numbers_of, with_numbers
from pigevo.figures.axes import figure_of
from pigevo.games import Pig
from pigevo.strategies.rules import complexity, parse_rule
from pigevo.strategies.rules.reading import known_rules
from tests.strategies.rule_cases import rules, rules_for_rounds

SMALL = Pig(target=23)
few = settings(max_examples=40, deadline=None)
PUBLISHED = "21+(j-i)/8; race either>=71"


@given(st.one_of(rules, rules_for_rounds))
@few
def test_a_rule_with_its_own_numbers_is_itself(rule):
    assert with_numbers(rule, numbers_of(rule)) == rule
    assert len(numbers_of(rule)) >= complexity(rule).integers


@given(rules, st.integers(0, 22), st.integers(0, 22))
@few
def test_a_rule_that_never_looks_at_the_opponent_plays_alike_whatever_it_has(rule, score, other_score):
    if not looks_at_opponent(rule):
        roll = rule.strategy(SMALL).roll
        assert (roll[:, score] == roll[:, other_score]).all()


def test_what_a_rule_asks_of_a_player_and_its_numbers():
    assert divides(parse_rule(PUBLISHED))
    assert not divides(parse_rule("21+(j-i)"))
    assert looks_at_opponent(parse_rule("21; race behind"))
    assert not looks_at_opponent(parse_rule("marks(25,50); race own>=70 or leaves<=20"))
    for_rounds = parse_rule("max(17, 18 + (j - i)/turns)")
    assert divides(for_rounds)
    assert looks_at_opponent(for_rounds)
    assert looks_at_opponent(parse_rule("20; last 16+(j-i)"))
    assert numbers_of(for_rounds) == (17, 18)
    assert with_numbers(for_rounds, (14, 19)).text == "max(14,19+(j-i)/turns)"


def test_every_rule_of_a_front_is_a_point_in_both_panels():
    fronts = {name: known_rules(pigevo.Pig(), name) for name in ("least loss", "published", "by both")}
    panels = plot_fronts(fronts_data(fronts))
    for axes, objective in zip(panels, ("difference", "exploitability"), strict=True):
        drawn = [list(map(tuple, line.get_xydata())) for line in axes.get_lines()]
        rules = [[(rule.integers, getattr(rule, objective)) for rule in fronts[name]]
                for name in ("least loss", "by both", "published")]  # fmt: skip
        assert [sorted(points) for points in drawn] == [sorted(points) for points in rules]
        assert axes.get_lines()[-1].get_marker() == "*"
    (legend,) = figure_of(panels).legends
    assert [text.get_text() for text in legend.get_texts()] == ["least loss", "by both", STAR]


def test_without_the_published_rule_there_is_no_star():
    axes, _ = plot_fronts(fronts_data({"least loss": known_rules(pigevo.Pig(), "least loss")}))
    assert [line.get_marker() for line in axes.get_lines()] == ["o"]
