"""`pigevo three-player`, typed."""

import json
import re

import pytest

from pigevo import three_player as tp


def test_a_game_is_solved_saved_and_certified(pigevo):
    output = pigevo("three-player --target 20 --save a/s.npz --coalition --json")
    assert output.status == 0
    record = json.loads(output.out)
    assert record["value"] == pytest.approx(tp.solve(tp.Game(target=20)).value)
    assert record["orbits"] == 2680
    assert record["certificate"]["holds"]
    assert record["certificate"]["gain"] < 1e-14
    assert record["coalition"] == pytest.approx(record["value"], abs=1e-6)
    again = pigevo("three-player --certify a/s.npz --json")
    assert again.status == 0
    assert json.loads(again.out)["value"] == record["value"]


def test_to_read(pigevo):
    output = pigevo("three-player --game piglet --target 10 --heads 0.56")
    assert "0 without a pure equilibrium, 14 with several (1 of different win probabilities)" in output.out
    assert "certificate holds" in output.out
    assert "mixed choices             none" in output.out


def test_a_solution_that_is_none_is_refused(pigevo, tmp_path):
    solution = tp.solve(tp.Piglet(6))
    decisions = solution.strategy.decisions.copy()
    decisions[6, 6, 6, 1] = 1 - decisions[6, 6, 6, 1]
    strategy = tp.Strategy(solution.game, decisions, solution.strategy.codes, solution.strategy.chances)
    tp.save(tp.ThreeSolution(strategy, solution.values, ()), tmp_path / "s.npz")
    output = pigevo("three-player --certify s.npz")
    assert output.status == 1
    assert "certificate FAILS" in output.out


@pytest.mark.parametrize(("place", "why"), [("file/s.npz", "Not a directory|File exists"), ("/proc/s.npz", "")])
def test_a_place_that_cannot_be_written_is_told_before_the_game_is_solved(pigevo, tmp_path, monkeypatch, place, why):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tp, "solve", None)
    output = pigevo(f"three-player --target 20 --save {place}")
    assert output.status == 2
    assert re.search(f"cannot be written: {why}", output.err)


def test_advice(pigevo):
    output = pigevo("three-player --target 20 --advice --save s.npz")
    assert "first holds at" in output.out
    assert "all level, halfway, 10 against 10 and 10" in output.out
    assert "percentage points of win probability, by seat" in output.out
    record = json.loads(pigevo("three-player --certify s.npz --advice --json").out)
    plays, lifted = record["advice"]["strategies"]
    assert plays["holds"][0]["at"] == {"own": 0, "next": 0, "third": 0}
    assert [hold["place"] for hold in lifted["holds"]] == [hold["place"] for hold in plays["holds"]]
    assert record["advice"]["loses"] == pytest.approx([0, 0, 0], abs=1e-12)  # to 20 everybody rolls to win


def test_other_rewards(pigevo):
    output = pigevo(
        "three-player --target 20 --rewards 2,1,-3 --after-first-win play_on --save s.npz --coalition --advice"
    )
    assert "expected reward by seat   0.435333  0.069974  -0.505307" in output.out
    assert "rewards                   2, 1, -3 (the two others play on)" in output.out
    assert "hundredths of a point" in output.out
    record = json.loads(pigevo("three-player --certify s.npz --json").out)
    assert record["rewards"] == {"places": [2, 1, -3], "after_first_win": "play_on"}
    assert sum(map(sum, record["places"])) == pytest.approx(3)
    assert record["certificate"]["holds"]
    assert "by points needed" in pigevo("three-player --target 5 --rewards points_needed").out


def test_four_players_and_two_dice(pigevo):
    output = pigevo("three-player --players 4 --game piglet --target 5 --heads 0.44 --json")
    assert output.status == 0
    record = json.loads(output.out)
    assert record["value"] == pytest.approx(tp.solve_many(tp.Piglet(5, 0.44), 4).value)
    assert [orbit["needs"] for orbit in record["open_orbits"] if orbit["mixing"]] == [[4, 5, 4, 5]]
    assert record["certificate"]["holds"]
    read = pigevo("three-player --game two_dice --target 9").out
    assert "Two-dice Pig to 9 for 3 players" in read
    assert "the last one changed values by" in read
    assert "certificate holds" in read
