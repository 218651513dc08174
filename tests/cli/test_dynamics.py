"""`pigevo dynamics` as a person uses it."""

import json
from pathlib import Path

THREE = "dynamics turtle:5 roll_to_win roll_and_wait --allow-pass --generations 20 --populations 200"


def test_three_that_beat_each_other_in_a_circle(pigevo, tmp_path):
    said = pigevo(f"{THREE} --to circle.png")
    assert said.status == 0, said.err
    assert "from nearly equal shares; roll_and_wait leads then\n" in said.out
    assert (
        "the lead changes 178 times; turtle:5 has it 63 % of the time, roll_and_wait 24 %, roll_to_win 13 %\n"
        in said.out
    )
    row = next(line for line in said.out.splitlines() if line.startswith("  turtle:5"))
    assert "0.467" in row  # the Nash mixture
    assert "circle.png" in said.out


def test_for_programs(pigevo):
    record = json.loads(pigevo("dynamics hold_at:3 optimal --target 9 --generations 5 --populations 50 --json").out)
    weak, best = record["strategies"]
    assert (weak["name"], weak["nash"], best["nash"]) == ("hold_at:3", 0.0, 1.0)
    assert best["end"] > 0.99
    assert record["fixation"][1][0] > 1 / record["players"] > record["fixation"][0][1]
    assert abs(sum(one["alpha_rank"] for one in record["strategies"]) - 1) < 1e-12
    low, high = best["interval"]
    assert low <= best["takes_over"] <= high


def test_two_are_told_their_chances(pigevo):
    said = pigevo("dynamics hold_at:3 optimal --target 9 --generations 5 --populations 50").out
    assert "A single hold_at:3 among 59 of optimal takes over with probability" in said


def test_strategies_of_a_class_and_as_many_players_as_there_are_strategies(pigevo):
    Path("class").mkdir()
    Path("class/two.py").write_text("def careful(i, j, k): return k < 2\ndef bold(i, j, k): return True\n")
    few = "--target 9 --generations 2 --populations 9 --json"
    record = json.loads(pigevo(f"dynamics class class/two.py noisy:0.1,hold_at:1..70 {few}").out)
    assert record["names"][:3] == ["two.py:careful", "two.py:bold", "noisy:0.1,hold_at:1"]
    assert record["players"] == 72
    assert json.loads(pigevo(f"dynamics class {few}").out)["players"] == 60
    assert sum(record["time_in_lead"]["moran"]) == 1


def test_what_cannot_be_is_refused(refused):
    refused("dynamics hold_at:3 --target 9", "two strategies at least")
    refused("dynamics hold_at:3 hold_at:4 --target 9 --players 1", "--players")
    refused("dynamics hold_at:3 hold_at:4 --target 9 --to picture.xyz", "must end with")
    refused("dynamics hold_at:1..9 --target 9 --players 5", "5 players cannot begin with 9 strategies")
