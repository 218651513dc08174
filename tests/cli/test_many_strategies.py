"""`pigevo tournament` and `pigevo dynamics`: to read, as JSON, as files; a class's folder; a circle."""

import json
from pathlib import Path

import pytest


def test_to_read(pigevo):
    output = pigevo("tournament hold_at:1..12 optimal --target 20 --times 50 --top 3")
    assert output.status == 0
    lines = output.out.splitlines()
    assert lines[0] == "13 strategies in Pig to 20: exact win probabilities of both seats"
    assert lines[3].split()[:2] == ["1", "optimal"]
    assert "and 10 more, which --top 13 shows" in output.out
    assert "order          transitive" in output.out
    assert "cycles         none of three strategies" in output.out
    assert "Nash mixture   optimal 1.000" in output.out
    assert "Bradley-Terry  differs from the matrix by 0.0" in output.out


def test_played(pigevo):
    output = pigevo("tournament hold_at:3..4 optimal --target 20 --games 100 --seed 2")
    assert "100 games a pair, seed 2, with 95 % intervals" in output.out
    record = json.loads(pigevo("tournament hold_at:3..4 optimal --target 20 --games 100 --seed 2 --json").out)
    assert (record["games"], record["first"]) == (100, None)
    assert record["low"][0][1] < record["overall"][0][1] < record["high"][0][1]


def test_files_are_written(pigevo):
    record = json.loads(pigevo("tournament hold_at:3..5 --target 20 --times 3 --folder new --json").out)
    assert sorted(Path("new").iterdir()) == sorted(Path(path) for path in record["saved"])
    assert len(record["saved"]) == 4
    assert "saved as new/matrix.csv" in pigevo("tournament hold_at:3..5 --target 20 --times 3 --folder new").out


@pytest.mark.parametrize("words", ["hold_at:3 holdat:4", "hold_at:3..4 --games 3", "hold_at:3"])
def test_a_refused_tournament_leaves_no_folder_behind_but_one_that_was_there(pigevo, words):
    Path("old").mkdir()
    for folder in ("new/deep", "old/deep"):
        assert pigevo(f"tournament {words} --folder {folder} --target 9").status == 2
    assert [*Path().rglob("*")] == [Path("old")]


def test_a_cycle_to_read(pigevo):
    output = pigevo("tournament turtle:5 roll_to_win roll_and_wait:80,5 --allow-pass --times 5").out
    assert "order          not transitive" in output
    assert "cycles         1 of three strategies" in output
    assert " > roll_to_win +" in output


def test_a_class(pigevo):
    Path("class").mkdir()
    Path("class/anna.py").write_text("def rule(i, j, k):\n    return k < 5\n")
    Path("class/bob.py").write_text("def rule(i, j, k):\n    return k < 5 if k < 4 else 1 / 0\n")
    Path("class/carl.py").write_text("def rule(i, j, k):\n    while True: pass\n")
    Path("class/dora.csv").write_text("\n".join([",".join(["4"] * 9)] * 9))
    output = pigevo("tournament class hold_at:3 --target 9 --timeout 1 --times 3")
    assert output.status == 1  # some failed
    assert (
        "did not play   class/bob.py:rule fails: ZeroDivisionError: division by zero (class/bob.py, line 2)"
        in output.out
    )
    assert "did not play   class/carl.py: it takes more than 1 s of processor time, in carl.py, line 2" in output.out
    assert "3 strategies in Pig to 9" in output.out
    assert {"anna.py", "dora.csv", "hold_at:3"} <= set(output.out.split())


def test_dominated(pigevo):
    words = "tournament hold_at:3 hold_at:13..14 hold_at:16 optimal --times 3 --dominated"
    output = pigevo(words).out
    assert "dominated      2: against every entrant, another one or a mixture of some does better" in output
    assert "hold_at:3 by optimal (by 0." in output
    assert "hold_at:14 by hold_at:13 0.8" in output
    assert "leaves optimal after 2 rounds" in output
    assert "and 1 more, which --top 2 shows" in pigevo(f"{words} --top 1").out
    record = json.loads(pigevo(f"{words} --json").out)
    assert [one["strategy"] for one in record["dominated"]] == ["hold_at:3", "hold_at:14"]
    assert record["dominated"][0]["by"] == {"optimal": 1.0}
    assert sorted(record["dominated"][1]["by"]) == ["hold_at:13", "hold_at:16"]
    assert record["eliminated"] == [["hold_at:3", "hold_at:14"], ["hold_at:13", "hold_at:16"]]
    assert record["left"] == ["optimal"]


def test_dominated_by_nobody_and_weakly(pigevo):
    output = pigevo("tournament turtle:5 roll_to_win roll_and_wait:80,5 --allow-pass --times 5 --dominated").out
    assert "dominated      none: " in output
    assert "leaves turtle:5, roll_to_win, roll_and_wait:80,5 after 0 rounds" in output


THREE = "dynamics turtle:5 roll_to_win roll_and_wait --allow-pass --generations 20 --populations 200"


def test_three_that_beat_each_other_in_a_circle(pigevo, tmp_path):
    output = pigevo(f"{THREE} --to circle.png")
    assert output.status == 0, output.err
    assert "from nearly equal shares; roll_and_wait leads then\n" in output.out
    assert (
        "the lead changes 178 times; turtle:5 has it 63 % of the time, roll_and_wait 24 %, roll_to_win 13 %\n"
        in output.out
    )
    row = next(line for line in output.out.splitlines() if line.startswith("  turtle:5"))
    assert "0.467" in row  # the Nash mixture
    assert "circle.png" in output.out


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
    output = pigevo("dynamics hold_at:3 optimal --target 9 --generations 5 --populations 50").out
    assert "A single hold_at:3 among 59 of optimal takes over with probability" in output


def test_strategies_of_a_class_and_as_many_players_as_there_are_strategies(pigevo):
    Path("class").mkdir()
    Path("class/two.py").write_text("def careful(i, j, k): return k < 2\ndef bold(i, j, k): return True\n")
    few = "--target 9 --generations 2 --populations 9 --json"
    record = json.loads(pigevo(f"dynamics class class/two.py noisy:0.1,hold_at:1..70 {few}").out)
    assert record["names"][:3] == ["two.py:careful", "two.py:bold", "noisy:0.1,hold_at:1"]
    assert record["players"] == 72
    assert json.loads(pigevo(f"dynamics class {few}").out)["players"] == 60
    assert sum(record["time_in_lead"]["moran"]) == 1
