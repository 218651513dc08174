"""Solutions on disk."""

import json
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.storage.array_files import write_arrays

FORMAT_1 = Path(__file__).parent / "format1.npz"
"""Piglet to 7 with heads 0.33, saved before this package was a package."""


@pytest.mark.parametrize(
    ("game", "rewards"),
    [
        (tp.Piglet(7, 0.33), tp.Rewards()),
        (tp.Piglet(5), tp.Rewards((2, 1, -3), "play_on")),
        pytest.param(tp.Game(target=62), tp.Rewards(), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_a_saved_solution_is_the_same_and_certified_again(game, rewards, tmp_path):
    made = tp.solve(game, rewards=rewards)
    again = tp.load(tp.save(made, tmp_path / "solution.npz"))
    assert again.rewards == rewards
    assert np.array_equal(again.strategy.decisions, made.strategy.decisions)
    assert again.mixed == made.mixed
    assert np.array_equal(again.values[1:, 1:, 1:], made.values[1:, 1:, 1:])
    assert again.certificate.holds
    assert repr(again) == repr(made)
    assert ("play on" in repr(again)) == (rewards.after_first_win == "play_on")
    assert [o.needs for o in again.several] == [o.needs for o in made.several]


def test_a_strategy_is_no_solution(tmp_path):
    path = pigevo.hold_at(pigevo.Pig(5), 2).save(tmp_path / "s.npz")
    with pytest.raises(pigevo.InputError, match="not a three-player solution"):
        tp.load(path)
    with pytest.raises(pigevo.InputError, match="there is no file"):
        tp.load(tmp_path / "none.npz")


def test_a_file_of_the_first_format_is_read_and_win_only_is_as_it_was_to_the_bit():
    old = tp.load(FORMAT_1)  # written before there were other rewards
    new, place = tp.solve(tp.Piglet(7, 0.33)), tp.solve(old.game, rewards=tp.Rewards((1, 0, 0), "play_on"))
    assert old.game == new.game
    assert old.rewards == new.rewards == tp.Rewards()
    for solution in (new, place):
        assert np.array_equal(solution.values, old.values)
        assert np.array_equal(solution.strategy.decisions, old.strategy.decisions)
    assert [o.needs for o in old.without_pure] == [o.needs for o in new.without_pure] == [(2, 7, 6)]
    assert old.mixed == new.mixed
    assert len(old.mixed) == 2
    assert old.certificate.holds
    five = tp.solve(old.game, rewards=tp.Rewards((5, 0, 0)))
    assert np.array_equal(five.strategy.decisions, old.strategy.decisions)
    assert five.value == pytest.approx([5 * v for v in old.value], abs=1e-14)


def test_a_file_of_a_later_format_is_refused(tmp_path):
    arrays = dict(np.load(FORMAT_1))
    record = json.loads(str(arrays["pigevo_three_player"])) | {"format": 3}
    path = write_arrays(tmp_path / "s.npz", arrays | {"pigevo_three_player": np.array(json.dumps(record))})
    with pytest.raises(pigevo.InputError, match=r"written by a later pigevo \(format 3\)"):
        tp.load(path)
