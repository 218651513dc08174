"""Strategies on disk: what is written comes back, and nothing else is taken for one."""

import json
import os
import pickle

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.storage import files
from pigevo.strategies import Strategy, hold_at, load_strategy, random_strategy


@pytest.fixture
def saved(tmp_path):
    return random_strategy(Pig(target=23), seed=4).save(tmp_path / "mine.npz")


@pytest.mark.parametrize(
    "game",
    [Pig(target=1), Pig(target=37), Pig(target=21, allow_pass=True), Piglet(target=13, heads=0.3),
     Race(17, {3: 0.4, 5: 0.2}, 0.4, allow_pass=True)],
    ids=repr,
)  # fmt: skip
def test_a_saved_strategy_comes_back(tmp_path, game):
    strategy = random_strategy(game, seed=7)
    again = load_strategy(strategy.save(tmp_path / "s.npz"))
    assert again == strategy
    assert again.name == "random_strategy:7"
    assert again.game == game
    assert type(again.game) is type(game)
    assert again.digest == strategy.digest


def test_saving_makes_the_folder_and_tells_the_place(tmp_path):
    place = tmp_path / "new" / "folder" / "s.npz"
    assert hold_at(Pig(target=9)).save(place) == place
    assert [p.name for p in place.parent.iterdir()] == ["s.npz"]


def test_a_strategy_takes_a_bit_a_cell(tmp_path):
    size = os.path.getsize(random_strategy(Pig(target=60), seed=1).save(tmp_path / "s.npz"))
    assert size < 60**3 / 8 + 2000


def test_one_refused_for_being_missing(tmp_path):
    with pytest.raises(InputError, match="there is no file"):
        load_strategy(tmp_path / "none.npz")
    with pytest.raises(InputError, match="cannot be read"):
        load_strategy(tmp_path)


@pytest.mark.parametrize("share", [0, 0.01, 0.3, 0.95, 0.999])
def test_a_truncated_file_is_refused(saved, share):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=r"mine\.npz"):
        load_strategy(saved)


def test_a_file_with_any_byte_changed_is_refused_or_the_same(saved):
    content, right = saved.read_bytes(), load_strategy(saved)
    refused = 0
    for place in range(0, len(content), 7):
        saved.write_bytes(content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :])
        try:
            assert load_strategy(saved) == right, place
        except InputError as error:
            assert "mine.npz" in str(error)
            refused += 1
    assert refused > len(content) / 7 / 2


@pytest.mark.parametrize("content", [b"", b"hold at 20\n", b"\x93NUMPY\x01\x00", b"PK\x03\x04" + b"x" * 90])
def test_a_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "s.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"s\.npz"):
        load_strategy(tmp_path / "s.npz")


def test_foreign_arrays_are_refused(tmp_path):
    np.save(tmp_path / "s.npy", np.ones((9, 9, 9)))
    np.savez(tmp_path / "s.npz", roll=np.ones((9, 9, 9)))
    for name, said in (("s.npy", "s.npy"), ("s.npz", "s.npz is damaged, or not a strategy of pigevo")):
        with pytest.raises(InputError, match=said):
            load_strategy(tmp_path / name)


def rewritten(path, change):
    arrays = dict(np.load(path))
    record = json.loads(str(arrays["pigevo_strategy"]))
    record, arrays["bits"] = change(record, arrays["bits"])
    np.savez(path, **(arrays | {"pigevo_strategy": np.array(json.dumps(record))}))


@pytest.mark.parametrize(
    "change",
    [
        lambda r, bits: ({k: v for k, v in r.items() if k != "game"}, bits),
        lambda r, bits: ([r], bits),
        lambda r, bits: ("words", bits),
        lambda r, bits: (r | {"game": r["game"] | {"target": "23"}}, bits),
        lambda r, bits: (r | {"game": r["game"] | {"gains": [[2, 0.1]]}}, bits),
        lambda r, bits: (r | {"game": None}, bits),
        lambda r, bits: (r | {"format": "one"}, bits),
        lambda r, bits: (r, bits[:-1]),
        lambda r, bits: (r, np.append(bits, bits)),
        lambda r, bits: (r, bits.astype(float)),
    ],
)
def test_a_record_that_does_not_fit_is_refused(saved, change):
    rewritten(saved, change)
    with pytest.raises(InputError):
        load_strategy(saved)


def test_a_future_format_is_refused_with_advice(saved):
    rewritten(saved, lambda r, bits: (r | {"format": 3}, bits))
    with pytest.raises(InputError, match=r"later pigevo \(format 3\): update pigevo"):
        load_strategy(saved)


class Trap:
    sprung = False

    def __reduce__(self):
        return (setattr, (Trap, "sprung", True))


def test_nothing_is_unpickled(tmp_path):
    np.savez(tmp_path / "trap.npz", pigevo_strategy=np.array([Trap()], dtype=object), bits=np.zeros(1))
    (tmp_path / "bare.npz").write_bytes(pickle.dumps(Trap()))
    Trap.sprung = False
    for name in ("trap.npz", "bare.npz"):
        with pytest.raises(InputError):
            load_strategy(tmp_path / name)
    assert not Trap.sprung


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_partial(saved, monkeypatch, step):
    before = saved.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, step, full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        hold_at(Pig(target=9)).save(saved)
    monkeypatch.undo()
    assert saved.read_bytes() == before
    assert [p.name for p in saved.parent.iterdir()] == ["mine.npz"]


def test_a_place_that_is_a_file_is_refused(saved):
    with pytest.raises(InputError, match="cannot be written"):
        hold_at(Pig(target=9)).save(saved / "below.npz")


def test_a_saved_file_has_the_usual_permissions(saved):
    mask = os.umask(0)
    os.umask(mask)
    assert saved.stat().st_mode & 0o777 == 0o666 & ~mask


def test_saving_twice_gives_the_same_decisions_in_place(saved):
    other = Strategy.from_function(Pig(target=23), lambda i, j, k: k < 3)
    other.save(saved)
    assert load_strategy(saved) == other
