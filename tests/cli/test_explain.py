"""`pigevo explain`: the equations of a pair of scores, or one decision, to read and as JSON."""

import json

import pytest

SCORES = "explain --own 97 --opponent 99"


def test_the_equations_to_read(pigevo):
    said = pigevo(f"{SCORES} hold_at:2 hold_at:20").out
    for line in (
        "P(97,99,0) = 1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3",
        "Q(99,99,0) = 0.857143",
        "[ 1.0000 -0.1667  0.1667 ] [P(97,99,0)]   [ 0.8333 ]",
        "P(97,99,2) = 0.142857",
        "Q(99,97,0) = 0.881633",
    ):
        assert f"  {line}\n" in said + "\n"


def test_the_equations_as_json(pigevo):
    record = json.loads(pigevo(f"{SCORES} roll_to_win hold_at:20 --json").out)
    assert [round(one["value"], 4) for one in record["unknowns"]] == [0.8325, 0.8565, 0.8612]
    assert record["unknowns"][1]["state"] == {"own": 97, "opponent": 99, "total": 2}
    assert len(record["matrix"]) == len(record["constants"]) == 3


def test_without_strategies_it_is_about_the_optimum(pigevo):
    said = pigevo("explain --own 40 --opponent 60 --turn 18").out
    assert said.startswith("optimal in ")
    assert "it rolls; the optimum rolls" in said
    assert pigevo(SCORES).out == pigevo(f"{SCORES} optimal optimal").out
    assert pigevo("show hold_at:3 --target 9 --at 4:6").out == pigevo("show hold_at:3 --target 9 --at 4,6").out


def test_a_large_matrix_is_told_and_printed_as_json(pigevo):
    said = pigevo("explain --own 0 --opponent 0 hold_at:20 hold_at:20")
    assert "a matrix of 50 by 50 with 278 entries other than 0: --json prints it" in said.out
    record = json.loads(pigevo("explain --own 0 --opponent 0 hold_at:20 hold_at:20 --json").out)
    assert (
        sum(x != 0 for row in record["matrix"] for x in row) == 278
    )  # each of 19 states rolls: 5 faces go on, a 1 does not; and each is in its own equation


def test_a_decision(pigevo):
    said = pigevo("explain --own 0 --opponent 0 --turn 20 hold_at:20").out
    assert "at own 0, opponent 0, total 20: it holds; the optimum rolls" in said
    assert "optimal against itself      0.619878  0.619257  roll by 0.000621" in said
    record = json.loads(pigevo("explain --own 0 --opponent 0 --turn 20 hold_at:20 --json").out)
    assert record["choices"][2]["gain"] == pytest.approx(0.000621, abs=1e-6)


def test_a_decision_without_a_choice(pigevo):
    assert "roll, as it must" in pigevo("explain --own 0 --opponent 50 --turn 0 hold_at:20 --target 60").out


def test_a_game_of_turns(pigevo):
    said = pigevo("explain --own 3 --opponent 4 --left 1 --second 1 hold_at:3 hold_at:2 --game ten_rounds").out
    assert "P(left, second, difference, total)  a, hold_at:3, wins, with a to move" in said
    assert "P(1,1,-1,0) = 1/6 P(1,1,-1,1) + 1/6 P(1,1,-1,2) + 2/3" in said
    assert "Q(" not in said


WRONG = [
    (f"{SCORES} hold_at:2", "explain takes two strategies, A B, for the equations of a pair of scores, and one, A, with --turn"),
    (f"{SCORES} --turn 2 hold_at:2 hold_at:3", "explain takes two strategies"),
    (f"{SCORES} --rolled 2 hold_at:2 hold_at:3", "--rolled belongs to a decision: give --turn with it"),
    (f"{SCORES} --turn 3 hold_at:2", "97 banked and a turn total of 3 reach 100: the game is won there"),
    ("explain --own 97 hold_at:2 hold_at:3", "Missing option '--opponent'"),
    ("explain --own 970 --opponent 3 hold_at:2 hold_at:3", "an own score of 970 is outside the game"),
    (f"{SCORES} --left 2 hold_at:2 hold_at:3", "nothing depends on number of turns left: leave it out"),
]  # fmt: skip


def test_one_sentence(refused):
    for words, message in WRONG:
        refused(words, message)
