"""`pigevo three-player`, typed."""

import re

import pytest

from pigevo import three_player as tp


def test_a_game_is_solved_saved_and_certified(record_of):
    record = record_of("three-player --target 20 --save a/s.npz")
    assert record["value"] == pytest.approx(tp.solve(tp.Game(target=20)).value)
    assert record["orbits"] == 2680
    assert record["certificate"]["holds"]
    assert record["certificate"]["gain"] < 1e-14
    assert record_of("three-player --certify a/s.npz")["value"] == record["value"]


def test_a_solution_that_is_none_is_refused(pigevo):
    solution = tp.solve(tp.Piglet(6))
    decisions = solution.strategy.decisions.copy()
    decisions[6, 6, 6, 1] = 1 - decisions[6, 6, 6, 1]
    strategy = tp.Strategy(solution.game, decisions, solution.strategy.codes, solution.strategy.chances)
    tp.save(tp.ThreeSolution(strategy, solution.values, ()), "s.npz")
    output = pigevo("three-player --certify s.npz")
    assert output.status == 1
    assert "certificate FAILS" in output.out


@pytest.mark.parametrize(("place", "why"), [("file/s.npz", "Not a directory|File exists"), ("/proc/s.npz", "")])
def test_a_place_that_cannot_be_written_is_refused_before_the_game_is_solved(pigevo, tmp_path, monkeypatch, place, why):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tp, "solve", None)
    output = pigevo(f"three-player --target 20 --save {place}")
    assert output.status == 2
    assert re.search(f"cannot be written: {why}", output.err)


def test_advice(answer, record_of):
    output = answer("three-player --target 20 --advice --save s.npz")
    assert "first holds at" in output
    assert "all level, halfway, 10 against 10 and 10" in output
    assert "percentage points of win probability, by seat" in output
    record = record_of("three-player --certify s.npz --advice")
    plays, lifted = record["advice"]["strategies"]
    assert plays["holds"][0]["at"] == {"own": 0, "next": 0, "third": 0}
    assert [hold["place"] for hold in lifted["holds"]] == [hold["place"] for hold in plays["holds"]]
    assert record["advice"]["loses"] == pytest.approx([0, 0, 0], abs=1e-12)  # to 20 everybody rolls to win


def test_the_payoffs_of_several_equilibria_are_listed(answer, record_of, monkeypatch):
    words = "three-player --game piglet --target 10 --heads 0.53"
    output = answer(words)
    ((orbit,),) = [record_of(words)["several"]]
    assert orbit["needs"] == [3, 3, 6]
    assert len(orbit["equilibria"]) == 5
    for equilibrium in orbit["equilibria"]:
        assert "  ".join(f"{value:.6f}" for value in equilibrium["values"][0]) in output
    monkeypatch.setattr("pigevo.cli.commands.three_player.SEVERAL_SHOWN", 0)
    assert "... and 1 more orbits: --json shows all" in answer(words)
