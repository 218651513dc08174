"""A strategy: its shape, its forced and its never asked cells, equality and digest; and on disk."""

import json
import os
import pickle
from fractions import Fraction

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.strategies import Strategy, hold_at, load_strategy, random_strategy

GAME = Pig(target=9)
PASSING = Pig(target=9, allow_pass=True)


def coins(game, seed=1):
    roll = Draw(seed, "population").bits(*game.shape).astype(bool)
    if not game.allow_pass:
        roll[:, :, 0] = True
    return roll


def cells_that_bank(target):
    i, _, k = np.indices((target,) * 3)
    return i + k >= target


@pytest.mark.parametrize("shape", [(9, 9), (9, 9, 10), (8, 9, 9), (100, 100, 100)])
def test_refuses_another_shape(shape):
    with pytest.raises(InputError, match=r"has the shape \(9, 9, 9\)"):
        Strategy(GAME, np.ones(shape, dtype=bool))


@pytest.mark.parametrize("value", [2, -1, 1.5, np.nan, "roll"])
def test_refuses_what_is_no_decision(value):
    roll = np.ones((9, 9, 9), dtype=object if isinstance(value, str) else float)
    roll[3, 3, 3] = value
    with pytest.raises(InputError, match="zeros and ones"):
        Strategy(GAME, roll)


def test_refuses_a_pass_where_the_game_has_none():
    roll = np.ones((9, 9, 9), dtype=bool)
    roll[4, 5, 0] = False
    with pytest.raises(InputError, match="allow_pass=True"):
        Strategy(GAME, roll)
    assert not Strategy(PASSING, roll).roll[4, 5, 0]


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, np.float32])
def test_zeros_and_ones_of_any_kind_are_decisions(kind):
    assert Strategy(GAME, coins(GAME).astype(kind)) == Strategy(GAME, coins(GAME))


@pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
def test_asked_cells_are_kept_and_the_rest_is_cleared(game):
    roll = coins(game)
    cleared = Strategy(game, roll).roll
    banks = cells_that_bank(9)
    assert not cleared[banks].any()
    assert np.array_equal(cleared[~banks], roll[~banks])


def test_decisions_are_read_only():
    strategy = Strategy(GAME, coins(GAME))
    with pytest.raises(ValueError, match="read-only"):
        strategy.roll[2, 2, 2] = True
    with pytest.raises(ValueError, match="read-only"):
        strategy.table[2, 2, 2] = 1


def test_later_changes_of_the_array_do_not_reach_the_strategy():
    roll = coins(GAME)
    strategy = Strategy(GAME, roll)
    before = strategy.roll.copy()
    roll[:, :, 1:] ^= True
    assert np.array_equal(strategy.roll, before)


def test_rows_are_the_decisions_with_the_opponent_last():
    strategy = Strategy(GAME, coins(GAME))
    assert strategy.table.dtype == np.uint8
    assert strategy.table.flags.c_contiguous
    for i, j, k in np.ndindex(9, 9, 9):
        assert strategy.table[i, k, j] == strategy.roll[i, j, k]


RULES = {
    "totals": (lambda i, j, k: k < 4, lambda i, j, k: k < 4),
    "scores": (lambda i, j, k: (i < j) | (k < 3), lambda i, j, k: True if i < j else k < 3),
    "minimum": (lambda i, j, k: k < np.minimum(i, j) + 1, lambda i, j, k: k < min(i, j) + 1),
    "constant": (lambda i, j, k: True, lambda i, j, k: 1),
    "and": (lambda i, j, k: (k < 5) & (i > 2), lambda i, j, k: k < 5 and i > 2),
}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
def test_a_rule_for_arrays_and_one_for_numbers_give_the_same(game, rule):
    for_arrays, for_numbers = RULES[rule]
    fast, slow = Strategy.from_function(game, for_arrays), Strategy.from_function(game, for_numbers)
    assert fast == slow
    for i, j, k in np.ndindex(9, 9, 9):
        decides = i + k < 9 and (k > 0 or game.allow_pass)
        forced = k == 0 and not game.allow_pass
        assert fast.roll[i, j, k] == (bool(for_numbers(i, j, k)) if decides else forced)


def test_a_rule_for_numbers_is_called_for_asked_cells_alone():
    seen = []

    def rule(i, j, k):
        if k > 3:  # no array can answer this
            seen.append((i, j, k))
        return True

    Strategy.from_function(GAME, rule)
    assert len(set(seen)) == sum(i + k < 9 for i in range(9) for k in range(4, 9)) * 9
    assert seen == seen[: len(seen) // 2] + sorted(set(seen), reverse=True)  # and again, in another order
    assert all(isinstance(value, int) and not isinstance(value, np.generic) for cell in seen for value in cell)


def test_a_rule_may_use_what_only_integers_have():
    assert Strategy.from_function(GAME, lambda i, j, k: k.bit_length() < 3) == hold_at(GAME, 4)


WRONG_ANSWERS = ["hold", "", b"hold", 2, 1.5, -0.5, np.nan, np.inf, 1j, [], "True", {}, object(), [True, False]]


@pytest.mark.parametrize("answer", WRONG_ANSWERS, ids=range(len(WRONG_ANSWERS)))
@pytest.mark.parametrize("way", ["array", "filled", "numbers", "somewhere"])
def test_a_rule_that_returns_no_decision_is_refused(answer, way):
    def rule(i, j, k):
        if way == "array":
            return answer
        if way == "filled":
            made = np.ones((9, 9, 9), dtype=object)
            made[0, 0, 3] = answer
            return made
        if way == "numbers":
            return answer if i < j else True
        return answer if (i, j, k) == (0, 0, 3) else True

    ending = r"it must return True \(or 1\) to roll, False \(or 0\) to hold, or a chance of rolling between 0 and 1\.$"
    with pytest.raises(InputError, match=f"^.*{ending}"):
        Strategy.from_function(GAME, rule)


CHANCES = {
    "floats": lambda k: np.where(k < 4, 0.75, 0.0),
    "single precision": lambda k: np.where(k < 4, 0.75, 0.0).astype(np.float32),
    "objects": lambda k: np.where(k < 4, 0.75, False).astype(object),
    "fractions": lambda k: Fraction(3, 4) if k < 4 else 0,
    "numbers beside booleans": lambda k: 0.75 if k < 4 else False,
}


@pytest.mark.parametrize("kind", CHANCES)
def test_a_rule_may_return_a_chance_of_rolling(kind):
    made = Strategy.from_function(GAME, lambda i, j, k: CHANCES[kind](k), "unsure")
    decides = np.broadcast_to(GAME.decision_states, GAME.shape)
    expected = np.where(np.indices((9, 9, 9))[2] < 4, 0.75, 0.0)
    assert made.is_mixed
    assert np.array_equal(made.roll[decides], expected[decides])
    assert (made.roll[:, :, 0] == 1).all()


def test_a_rule_whose_chances_are_refused_may_still_return_zeros_and_ones():
    with pytest.raises(
        InputError, match=r"returns 0\.75.*it must return True \(or 1\) to roll and False \(or 0\) to hold\.$"
    ):
        Strategy.from_function(GAME, lambda i, j, k: 0.75, mixed=False)
    assert Strategy.from_function(GAME, lambda i, j, k: (k < 4) * 1.0, mixed=False) == hold_at(GAME, 4)
    assert not Strategy.from_function(GAME, lambda i, j, k: (k < 4) * 1.0).is_mixed


def test_the_cell_of_a_wrong_answer_is_told():
    with pytest.raises(InputError, match="the rule returns 'hold' at i = 2, j = 5, k = 1: it must"):
        Strategy.from_function(GAME, lambda i, j, k: "hold" if i == 2 and j == 5 else True)
    with pytest.raises(InputError, match="the rule returns nothing at i = 0, j = 1, k = 1: it must"):
        Strategy.from_function(GAME, lambda i, j, k: None if i < j else True)
    with pytest.raises(InputError, match="the rule returns 'hold': it must"):
        Strategy.from_function(GAME, lambda i, j, k: np.where(k < 3, "roll", "hold")[..., ::-1])
    with pytest.raises(InputError, match="the rule returns 2: it must"):
        Strategy.from_function(GAME, lambda i, j, k: (k < 3) * 1 + (i < 9))


RIGHT_ANSWERS = {
    "booleans": lambda k: k < 4,
    "integers": lambda k: (k < 4) * 1,
    "bytes": lambda k: np.uint8(k < 4) if np.ndim(k) == 0 else (k < 4).astype(np.uint8),
    "floats": lambda k: (k < 4) * 1.0,
    "objects": lambda k: np.asarray(k < 4).astype(object),
    "lists": lambda k: np.asarray(k < 4).tolist(),
    "arrays of one": lambda k: np.array([k < 4]) if np.ndim(k) == 0 else k < 4,
}


@pytest.mark.parametrize("kind", RIGHT_ANSWERS)
@pytest.mark.parametrize("way", ["array", "numbers"])
def test_zeros_and_ones_of_any_kind_are_answers(kind, way):
    def rule(i, j, k):
        if way == "numbers" and i < 0:
            return True
        return RIGHT_ANSWERS[kind](k)

    assert Strategy.from_function(GAME, rule) == hold_at(GAME, 4)


def test_what_is_answered_where_nothing_is_asked_does_not_matter():
    def rule(i, j, k):
        return np.where(i + k >= 9, np.nan, np.where(k == 0, 7.0, k < 4))

    assert Strategy.from_function(GAME, rule) == hold_at(GAME, 4)


DRAWN = {
    "each state": lambda draw: lambda i, j, k: draw.random() < 0.5 if k > 2 else True,
    "few states": lambda draw: lambda i, j, k: draw.random() < 0.5 if i == 1 and j == 7 else True,
    "all states": lambda draw: lambda i, j, k: draw.random(k.shape) < 0.5,
    "one number for all": lambda draw: lambda i, j, k: (k < 4) | (draw.random() < 0.5),
    "seldom": lambda draw: lambda i, j, k: (draw.random() < 0.9) | (k < 4),
    "a seed of its own": lambda draw: lambda i, j, k: np.random.default_rng(2).random(np.broadcast(i, j, k).shape) < 0.5,
    "chances": lambda draw: lambda i, j, k: draw.random() + 0 * (i + j + k),
}  # fmt: skip


@pytest.mark.parametrize("rule", DRAWN)
def test_a_rule_that_draws_random_numbers_is_refused(rule):
    with pytest.raises(InputError, match=r"it says .* at i = \d, j = \d, k = \d and .* when it is called again: "):
        Strategy.from_function(GAME, DRAWN[rule](np.random.default_rng(1)))


@pytest.mark.parametrize("way", ["array", "numbers"])
def test_a_rule_that_remembers_is_refused(way):
    calls = []

    def rule(i, j, k):
        calls.append(k)
        if way == "numbers" and i < 0:
            return True
        return k < 3 + len(calls) % 3

    with pytest.raises(InputError, match=r"when it is called again: a strategy depends on the state alone"):
        Strategy.from_function(GAME, rule)


def test_a_rule_that_changes_its_arguments_does_not_change_the_game():
    def rule(i, j, k):
        k += 3
        return k < 7

    game = Pig(target=9)
    assert Strategy.from_function(game, rule) == hold_at(game, 4)
    assert game.mesh["total"].ravel().tolist() == list(range(9))


def test_errors_of_a_rule_are_not_swallowed():
    def rule(i, j, k):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Strategy.from_function(GAME, rule)


def test_strategies_are_equal_by_rules_and_decisions_and_not_by_name():
    roll = coins(GAME)
    a, b = Strategy(GAME, roll, "a"), Strategy(Race(9, GAME.die, GAME.bust), roll, "b")
    assert a == b
    assert hash(a) == hash(b)
    assert a.digest == b.digest
    other = roll.copy()
    other[0, 0, 5] ^= True
    assert a != Strategy(GAME, other)
    assert a.digest != Strategy(GAME, other).digest
    assert a != "a"


def test_the_same_decisions_in_another_game_are_another_strategy():
    roll = np.ones((9, 9, 9), dtype=bool)
    games = [GAME, PASSING, Pig(target=9, sides=5), Piglet(target=9)]
    made = [Strategy(game, roll) for game in games]
    assert len(set(made)) == len({s.digest for s in made}) == len(games)


def test_a_digest_outlives_the_process():
    hold = Strategy.from_function(Piglet(target=3), lambda i, j, k: k < 2)
    assert hold.digest == "4f46308760cd5d70d9d9f272ff07ce36c94bde47e032951e22a2bf8b53e5da19"


def test_the_smallest_game_has_a_strategy():
    assert Strategy(Pig(target=1), np.ones((1, 1, 1))).roll.all()
    assert "100.0 %" in repr(Strategy(Pig(target=1), np.ones((1, 1, 1))))


def test_repr_tells_the_share_of_rolls():
    half = Strategy.from_function(Piglet(target=5), lambda i, j, k: k < 2, "two")
    assert repr(half).startswith("Strategy('two', Piglet to 5")
    assert "rolls in 40.0 % of the decision states" in repr(half)  # 4 of the 10 pairs of i and k >= 1


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
