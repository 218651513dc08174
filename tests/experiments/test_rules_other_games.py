"""The study of rules: two dice and ten rounds have rules too."""

import pigevo
from pigevo.games import GAMES
from pigevo.strategies.rules import Complexity, complexity, parse_rule
from pigevo.studies.find import load_study
from tests.experiments.rules import rows_of

load_study("rules")
from pigevo_study_rules import ten_rounds, two_dice  # noqa: E402


def check(game, rows):
    """Each row of a table is what its rule asks, wins and loses."""
    best = pigevo.optimal(game).strategy
    for text, integers, operations, difference, exploitability, _ in rows:
        rule = parse_rule(text)
        assert complexity(rule) == Complexity(int(integers), int(operations))
        won = pigevo.win_probability(rule.strategy(game), best).overall
        assert abs(1 - 2 * won - float(difference)) < 0.6e-5
        assert abs(pigevo.best_response(rule.strategy(game)).overall - 0.5 - float(exploitability)) < 0.6e-5


def test_two_dice_have_rules_too(monkeypatch):
    monkeypatch.setattr(two_dice, "ALONE", range(6, 12))
    monkeypatch.setattr(two_dice, "FORMS", ("9; race either>=20",))
    game = GAMES["two_dice"].bind({"target": 25})
    rows = rows_of(two_dice.table(game, 2, 1))
    assert len(rows) == 3
    check(game, rows)
    best = pigevo.optimal(game).strategy
    held = min(1 - 2 * pigevo.win_probability(pigevo.hold_at(game, n), best).overall for n in range(6, 12))
    assert abs(float(rows[0][3]) - held) < 1e-5


def test_ten_rounds_have_rules_too(monkeypatch):
    monkeypatch.setattr(ten_rounds, "HOLDS", range(5, 9))
    monkeypatch.setattr(ten_rounds, "LEADS", range(3, 7))
    monkeypatch.setattr(ten_rounds, "DIVISORS", range(2, 5))
    game = GAMES["ten_rounds"].bind({"turns": 3, "cap": 40, "sides": 4})
    rows = rows_of(ten_rounds.table(game, 2, 1, ("6 if ahead else 8; last 5+(j-i)",)))
    assert [int(row[1]) for row in rows] == [1, 1, 2, 2, 1, 2, 2, 2, 2, 2, 3]  # `ahead` and `max(n,j-i)` need no number
    check(game, rows)
    best = pigevo.optimal(game).strategy
    ends = [parse_rule(f"{n}; last {m}+(j-i)").strategy(game) for n in range(5, 9) for m in range(3, 7)]
    least = min(1 - 2 * pigevo.win_probability(one, best).overall for one in ends)
    assert abs(float(rows[8][3]) - least) < 0.6e-5
    floors = [parse_rule(f"max({n},{m}+(j-i)/turns)").strategy(game) for n in range(5, 9) for m in range(5, 9)]
    least = min(1 - 2 * pigevo.win_probability(one, best).overall for one in floors)
    assert abs(float(rows[5][3]) - least) < 0.6e-5
