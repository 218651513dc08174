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
    "game", [tp.Piglet(7, 0.33), pytest.param(tp.Game(target=62), marks=pytest.mark.slow)], ids=str
)
def test_a_saved_solution_is_the_same_and_certified_again(game, tmp_path):
    made = tp.solve(game)
    again = tp.load(tp.save(made, tmp_path / "solution.npz"))
    assert np.array_equal(again.strategy.decisions, made.strategy.decisions)
    assert again.mixed == made.mixed
    assert np.array_equal(again.values[1:, 1:, 1:], made.values[1:, 1:, 1:])
    assert again.certificate.holds
    assert repr(again) == repr(made)
    assert [o.needs for o in again.several] == [o.needs for o in made.several]


def test_a_strategy_is_no_solution(tmp_path):
    path = pigevo.hold_at(pigevo.Pig(5), 2).save(tmp_path / "s.npz")
    with pytest.raises(pigevo.InputError, match="not a three-player solution"):
        tp.load(path)
    with pytest.raises(pigevo.InputError, match="there is no file"):
        tp.load(tmp_path / "none.npz")


def test_a_file_of_the_first_format_is_read_and_is_as_it_was_to_the_bit():
    old, new = tp.load(FORMAT_1), tp.solve(tp.Piglet(7, 0.33))
    assert old.game == new.game
    assert np.array_equal(new.values, old.values)
    assert np.array_equal(new.strategy.decisions, old.strategy.decisions)
    assert [o.needs for o in old.without_pure] == [o.needs for o in new.without_pure] == [(2, 7, 6)]
    assert old.mixed == new.mixed
    assert len(old.mixed) == 2
    assert old.certificate.holds


def changed(folder, changes):
    """A file of the first format with another record."""
    arrays = dict(np.load(FORMAT_1))
    record = json.loads(str(arrays["pigevo_three_player"])) | changes
    return write_arrays(folder / "s.npz", arrays | {"pigevo_three_player": np.array(json.dumps(record))})


def test_a_file_of_a_later_format_is_refused(tmp_path):
    with pytest.raises(pigevo.InputError, match=r"written by a later pigevo \(format 3\)"):
        tp.load(changed(tmp_path, {"format": 3}))


def test_a_file_for_other_rewards_is_refused_and_one_for_a_win_alone_read(tmp_path):
    rewards = {"places": [1.0, 0.0, 0.0], "after_first_win": "stop"}
    assert tp.load(changed(tmp_path, {"format": 2, "rewards": rewards})).certificate.holds
    for places in ([2.0, 1.0, -3.0], "scores"):
        with pytest.raises(pigevo.InputError, match="solved for other rewards than a win"):
            tp.load(changed(tmp_path, {"format": 2, "rewards": rewards | {"places": places}}))
