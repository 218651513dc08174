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
    assert again.mixed == made.mixed != []
    assert np.array_equal(again.values, made.values)
    assert again.exploitability() < 1e-14
    assert [o.needs for o in again.several] == [o.needs for o in made.several]


def test_a_strategy_is_no_solution(tmp_path):
    path = pigevo.hold_at(pigevo.Pig(5), 2).save(tmp_path / "s.npz")
    with pytest.raises(pigevo.InputError, match="not a three-player solution"):
        tp.load(path)
    with pytest.raises(pigevo.InputError, match="there is no file"):
        tp.load(tmp_path / "none.npz")


def test_a_file_of_the_first_format_is_still_read():
    old, new = tp.load(FORMAT_1), tp.solve(tp.Piglet(7, 0.33))
    assert old.game == new.game
    assert np.array_equal(old.strategy.decisions, new.strategy.decisions)
    assert old.values == pytest.approx(new.values, abs=1e-14)
    assert [o.needs for o in old.without_pure] == [o.needs for o in new.without_pure] == [(2, 7, 6)]
    assert [s for s, _ in old.mixed] == [s for s, _ in new.mixed]
    assert len(old.mixed) == 2
    assert old.certificate.holds


def test_a_file_of_a_later_format_is_refused(tmp_path):
    arrays = dict(np.load(FORMAT_1))
    record = json.loads(str(arrays["pigevo_three_player"])) | {"format": 3}
    path = write_arrays(tmp_path / "s.npz", arrays | {"pigevo_three_player": np.array(json.dumps(record))})
    with pytest.raises(pigevo.InputError, match=r"written by a later pigevo \(format 3\)"):
        tp.load(path)
