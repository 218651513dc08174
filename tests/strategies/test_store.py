"""Strategies on disk: what is written comes back, and nothing else is taken for one."""

import json
import os
import pickle

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.strategies import load_strategy, random_strategy


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


def test_a_strategy_takes_a_bit_a_cell(tmp_path):
    size = os.path.getsize(random_strategy(Pig(target=60), seed=1).save(tmp_path / "s.npz"))
    assert size < 60**3 / 8 + 2000


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
