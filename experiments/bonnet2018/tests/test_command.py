"""`pigevo bonnet2018`: to read, as JSON, and what is refused."""

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.experiments.bonnet2018.n_players import solve_many


def test_other_rewards(answer, record_of):
    words = "bonnet2018 --target 20 --rewards 2,1,-3 --after-first-win play_on --coalition"
    output = answer(words)
    assert "expected reward by seat   0.435333  0.069974  -0.505307" in output
    assert "rewards                   2, 1, -3 (the two others play on)" in output
    assert "hundredths of a point" in output
    record = record_of(words)
    assert record["rewards"] == {"places": [2, 1, -3], "after_first_win": "play_on"}
    assert sum(map(sum, record["places"])) == pytest.approx(3)
    assert record["certificate"]["holds"]
    assert "by points needed" in answer("bonnet2018 --target 5 --rewards points_needed")


def test_what_an_equilibrium_is_worth_is_in_units_of_the_rewards(record_of):
    orbits = record_of("bonnet2018 --target 20 --rewards 2,1,-3")["without_pure"]
    assert len(orbits) == 4  # as in README.md
    for orbit in orbits:
        for equilibrium in orbit["equilibria"]:
            assert [sum(row) for row in equilibrium["values"]] == pytest.approx([0, 0, 0])


def test_a_win_alone(answer, record_of):
    record = record_of("bonnet2018 --target 20 --coalition")
    assert record["value"] == pytest.approx(tp.solve(tp.Game(target=20)).value)
    assert record["coalition"] == pytest.approx(record["value"], abs=1e-6)
    assert "win probability by seat" in answer("bonnet2018 --target 5")


def test_four_players(record_of):
    record = record_of("bonnet2018 --players 4 --game piglet --target 5 --heads 0.44")
    assert record["value"] == pytest.approx(solve_many(tp.Piglet(5, 0.44), 4).value)
    assert [orbit["needs"] for orbit in record["open_orbits"] if orbit["mixing"]] == [[4, 5, 4, 5]]
    assert record["certificate"]["holds"]


def test_scores_that_fall(answer):
    output = answer("bonnet2018 --game two_dice --target 9")
    for part in ("Two-dice Pig to 9 for 3 players", "the last one changed values by", "certificate holds"):
        assert part in output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--players 9", "9 players: choose from 2 to 8"),
        ("--players 4 --coalition", "only for three players of a race with one die"),
        ("--game two_dice --rewards 2,1,-3", "only for three players of a race with one die"),
        ("--game skunk", "without a last turn"),
        ("--players 4 --allow-pass", "may not pass"),
        ("--allow-pass", "three players may not pass"),
        ("--rewards 1,2,3", "must not rise from first to third place"),
        ("--rewards 2,one,0", "write it as three numbers"),
        ("--rewards 2", "give three numbers"),
        ("--rewards score", "did you mean scores"),
        ("--reward 2,1,0", "o such option"),
    ],
)
def test_what_cannot_be_solved_is_refused(refused, words, why):
    refused(f"bonnet2018 --target 5 {words}", why)


def test_who_sacrifices_himself_in_a_coalition_is_told(answer, record_of):
    words = "bonnet2018 --game piglet --target 10 --coalition"
    changes = record_of(words)["coalition_changes"]
    assert np.sum(changes, axis=1) == pytest.approx([0, 0, 0], abs=1e-12)
    assert (changes[0][1] > 0, changes[0][0] < 0, changes[0][2] < 0) == (True, True, True)
    (line,) = [line for line in answer(words).splitlines() if "against the first" in line]
    assert line.endswith("   the third sacrifices himself")
    assert f"{100 * changes[0][2]:+.4f}" in line
    nothing = answer("bonnet2018 --target 10 --coalition")
    assert nothing.count("nobody sacrifices himself") == 3
