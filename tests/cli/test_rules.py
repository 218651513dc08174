"""`pigevo rules`, and rules where strategies are named."""

import pytest

import pigevo as package
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.strategies.rules import complexity, parse_rule
from pigevo.strategies.rules.reading import known_rules

PUBLISHED = "21+(j-i)/8; race either>=71"


def test_a_rule_is_a_strategy_of_every_command(answer, record_of):
    record = record_of(["duel", f"rule: {PUBLISHED}", "keep_pace_and_end_race"])
    assert record["a"] == f"rule: {PUBLISHED}"
    by_rule, by_name = (row["difference"] for row in record["difference_from_optimal"])
    assert by_rule == by_name == pytest.approx(0.0092, abs=0.00005)
    answer(["show", "rule: 7; race own>=9", "--target", "15", "--picture", "none"])
    answer(["tournament", "rule: 5 if ahead else 7", "hold_at:5..6", "--target", "15", "--times", "2"])
    answer(["respond", "rule: multiple(5)", "--target", "15"])


def test_a_rule_is_explained_with_exact_figures(answer, record_of):
    record = record_of(["rules", "9+(j-i)/4; race either>=20", "--target", "30"])
    game = package.Pig(target=30)
    strategy = package.keep_pace_and_end_race(game, 9, 4, 10)
    p = package.win_probability(strategy, package.optimal(game).strategy)
    assert (record["first"], record["second"], record["overall"]) == pytest.approx((p.first, p.second, p.overall))
    assert record["difference"] == pytest.approx(1 - 2 * p.overall)
    assert record["exploitability"] == pytest.approx(package.best_response(strategy).overall - 0.5)
    assert (record["integers"], record["operations"]) == (3, 10)
    assert package.Strategy.from_function(game, eval(record["python"])) == strategy
    output = " ".join(answer(["rules", "rule: 9+(j-i)/4; race either>=20", "--target", "30"]).split())
    for part in (record["sentence"].split(".")[0], record["python"], f"{p.overall:.6f}"):
        assert part in output


def test_a_rule_for_ten_rounds_is_explained_too(record_of):
    record = record_of(["rules", "20+(j-i)/8; last 16+(j-i)", "--game", "ten_rounds"])
    game = GAMES["ten_rounds"].bind({})
    strategy = parse_rule("20+(j-i)/8; last 16+(j-i)").strategy(game)
    assert record["overall"] == package.win_probability(strategy, package.optimal(game).strategy).overall
    assert record["integers"] == 3
    assert "if left == 1 and second" in record["python"]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_all_rules_of_the_study_are_listed_in_columns(answer, record_of, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    output, rules = answer("rules"), known_rules(package.Pig())
    assert [row["rule"] for row in record_of("rules")["rules"]] == [row.rule.text for row in rules]
    lines = output.splitlines()
    assert max(map(len, lines)) <= width
    heads = [line for line in lines if line.startswith("integers")]
    ends = [heads[0].index(name) + len(name) for name in ("integers", "operations", "difference", "exploitability")]
    starts = [line for line in lines if line.startswith("  ") and line[ends[0] - 1].isdigit()]
    for row, line in zip(rules, starts, strict=True):
        figures = (row.integers, row.operations, f"{row.difference:.5f}", f"{row.exploitability:.5f}")
        assert all(line[:end].endswith(f" {figure}") for end, figure in zip(ends, figures, strict=True))
    assert " ".join(output.split()).count("own+2*opponent>=195 or leaves<=13") >= 1
    assert {head[: ends[-1]] for head in heads} == {heads[0][: ends[-1]]}


def test_the_card_has_a_rule_for_each_number_of_numbers_in_words(answer):
    output = answer("rules --card")
    assert output.startswith("PIG TO 100: THE BEST RULES FOUND ")
    assert max(map(len, output.splitlines())) < 125
    assert len(output.splitlines()) < 66, "a page"
    words, best = " ".join(output.split()), known_rules(package.Pig(), "least loss")
    assert [row.integers for row in best] == [1, 2, 3, 4, 5]
    for row in best:
        assert row.rule.sentence in words
        assert f"{500 * (1 - row.difference):.1f} {500 - 1000 * row.exploitability:.1f} {row.rule.text}" in words
    for number in ("One number", "Two numbers", "Three numbers", "Four numbers", "Five numbers"):
        assert f"{number} to remember" in output
    with pytest.raises(InputError, match="there is no front 'best': there are published"):
        known_rules(package.Pig(), "best")


@pytest.mark.parametrize("target", [50, pytest.param(100, marks=pytest.mark.slow)])
def test_the_rules_of_the_study_are_as_it_says(target):
    game = package.Pig(target=target)
    best = package.optimal(game).strategy
    for row in dict.fromkeys(known_rules(game)):
        strategy, demands = row.rule.strategy(game), complexity(row.rule)
        assert (demands.integers, demands.operations) == (row.integers, row.operations)
        assert 1 - 2 * package.win_probability(strategy, best).overall == pytest.approx(row.difference, abs=1e-8)
        assert package.best_response(strategy).overall - 0.5 == pytest.approx(row.exploitability, abs=1e-8)
