"""The games: what is refused, the race behind them, and their records."""

import json
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pigevo.errors import InputError
from pigevo.games import GAMES, Pig, Piglet, Race, game_from_record, game_to_record
from pigevo.games.race import LARGEST_TARGET

REFUSED = {
    "a target of 0": (lambda: Pig(target=0), "target of 0"),
    "a negative target": (lambda: Race(-3, {1: 0.5}, 0.5), "target of -3"),
    "a target that is not a whole number": (lambda: Pig(target=10.0), "target of 10.0"),
    "a target that is a truth value": (lambda: Piglet(target=True), "target of True"),
    "a target in words": (lambda: Pig(target="100"), "target of '100'"),
    "a target that no memory holds": (lambda: Pig(target=LARGEST_TARGET + 1), str(LARGEST_TARGET)),
    "a die of one side": (lambda: Pig(sides=1), "sides, not 1"),
    "a die of half a side": (lambda: Pig(sides=2.5), "sides, not 2.5"),
    "a die of True sides": (lambda: Pig(sides=True), "sides, not True"),
    "a coin without heads": (lambda: Piglet(heads=0), "heads = 0"),
    "a coin of more than heads": (lambda: Piglet(heads=1.5), "heads = 1.5"),
    "a coin of no number": (lambda: Piglet(heads=math.nan), "heads = nan"),
    "a gain of 0 points alone": (lambda: Race(10, {0: 0.5}, 0.5), "never gains"),
    "a gain below 0": (lambda: Race(10, {-1: 0.5}, 0.5), "gain of -1"),
    "a gain of half a point": (lambda: Race(10, {0.5: 0.5}, 0.5), "gain of 0.5"),
    "a negative probability": (lambda: Race(10, {1: -0.5, 2: 1.0}, 0.5), "must be from 0 to 1, not -0.5"),
    "probabilities above 1 together": (lambda: Race(10, {1: 0.7, 2: 0.2}, 0.2), "add up to 1.1"),
    "probabilities below 1 together": (lambda: Race(10, {1: 0.5}, 0.25), "add up to 0.75"),
    "a roll that always busts": (lambda: Race(10, {}, 1.0), "below 1, not 1"),
    "a die without gains": (lambda: Race(10, {}, 1 - 1e-10), "never gains"),
    "a negative bust probability": (lambda: Race(10, {1: 1.0, 2: 0.5}, -0.5), "below 1, not -0.5"),
    "a bust probability of no number": (lambda: Race(10, {1: 0.5}, math.nan), "nan"),
    "a face that is not there": (lambda: Pig(losing=7), "7 cannot bust: the faces of the die are 1, 2, 3, 4, 5, 6."),
    "no face that scores": (lambda: Pig(numbers=(0, 1), losing=1), "no face is left that scores: 1 busts"),
    "one number only": (lambda: Pig(numbers=(5, 5)), "no face is left that scores: 5 busts, and the faces are 5, 5."),
    "a face below 0": (lambda: Pig(numbers=(-1, 2)), "a face of -1 cannot be played: faces are whole numbers from 0"),
    "half a point": (lambda: Pig(numbers=(0, 1.5)), "a face of 1.5 cannot be played"),
    "too many points": (lambda: Pig(numbers=(0, 1001)), "a face of 1001 cannot be played"),
    "one face": (lambda: Pig(numbers=(3,)), "a die must have from 2 to 1000 faces, not 1."),
    "letters": (lambda: Pig(numbers="0112"), "faces, not 1."),
    "sides beside numbers": (lambda: Pig(sides=8, numbers=(0, 1, 1, 2)), "has 4 sides, not 8: leave the sides out."),
    "too few weights": (lambda: Pig(weights=(1, 2)), "the die has 6 faces and 2 weights: give one for each face."),
    "a face that never comes": (lambda: Pig(sides=2, weights=(1, 0)), "a weight of 0 cannot be played with"),
    "a weight of no number": (lambda: Pig(sides=2, weights=(1, math.nan)), "a weight of nan cannot be played with"),
    "weights without a sum": (lambda: Pig(sides=2, weights=(1e308, 1e308)), "more than a float can hold"),
    "a face of no number": (lambda: Pig(losing="six"), "'six' cannot bust"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_played_is_refused_with_one_sentence(case):
    make, part = REFUSED[case]
    with pytest.raises(InputError) as caught:
        make()
    sentence = str(caught.value)
    assert part in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert ". " not in sentence


def test_takes_the_smallest_and_the_largest_target():
    assert Pig(target=1).target == 1
    assert Pig(target=LARGEST_TARGET).target == LARGEST_TARGET


def test_pig_and_piglet_are_races_whose_gains_are_sorted_summed_and_rid_of_the_impossible():
    assert Pig(target=60, sides=4).rules == Race(60, {2: 1 / 4, 3: 1 / 4, 4: 1 / 4}, 1 / 4).rules
    assert Piglet(target=7, heads=0.3).rules == Race(7, {1: 0.3}, 0.7).rules
    assert Race(9, [(5, 0.25), (2, 0.25), (5, 0.25), (7, 0.0)], 0.25).die == ((2, 0.25), (5, 0.5))


@pytest.mark.parametrize("allow_pass", [False, True])
def test_decision_states_are_where_play_can_decide(allow_pass):
    game = Race(7, {2: 0.5}, 0.5, allow_pass=allow_pass)
    decides = np.broadcast_to(game.decision_states, game.shape)
    for i, j, k in np.ndindex(7, 7, 7):
        assert decides[i, j, k] == (i + k < 7 and (k > 0 or allow_pass))


weights = st.dictionaries(st.integers(1, 40), st.integers(1, 1000), min_size=1, max_size=6)


@given(st.integers(1, 60), weights, st.integers(0, 1000), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_race_survives_its_record(target, gains, bust, allow_pass):
    total = sum(gains.values()) + bust
    race = Race(target, {g: w / total for g, w in gains.items()}, bust / total, allow_pass=allow_pass)
    assert game_from_record(json.loads(json.dumps(game_to_record(race)))).rules == race.rules


def test_a_record_names_a_game_as_it_is_registered_and_not_as_its_class_is_called(monkeypatch):
    @dataclass(frozen=True)
    class BigPig(Pig):
        pass

    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    GAMES.register(name="big_pig")(BigPig)
    record = game_to_record(BigPig(30, sides=4))
    assert record["name"] == "big_pig"
    assert record["options"] == {"target": 30, "sides": 4, "allow_pass": False}


@pytest.mark.parametrize(
    ("game", "changed"),
    [(Pig(target=30), {"name": "hog", "options": {"pens": 3}}), (Piglet(target=9, heads=0.5), {"gains": [[2, 0.5]]})],
    ids=["unknown name", "other rules of this name"],
)
def test_a_record_of_an_unknown_game_is_the_race_of_its_gains(game, changed):
    record = game_to_record(game) | changed
    again = game_from_record(record)
    assert type(again) is Race
    assert [list(pair) for pair in again.die] == [list(pair) for pair in record["gains"]]
    assert again.bust == pytest.approx(game.bust)


@pytest.mark.parametrize(
    ("game", "title"),
    [
        (Pig(), "Pig to 100"),
        (Pig(target=50, sides=8, allow_pass=True), "Pig to 50 (allow_pass=True, sides=8)"),
        (Pig(losing=6), "Pig to 100 where 6 busts"),
        (Pig(50, losing=(1, 2)), "Pig to 50 where 1 and 2 bust"),
        (Pig(numbers=(0, 1, 1, 2)), "Pig to 100 with faces 0, 1, 1, 2"),
        (Pig(numbers=(0, 1, 1, 2), losing=1), "Pig to 100 with faces 0, 1, 1, 2 where 1 busts"),
        (Pig(sides=8, losing=8, allow_pass=True), "Pig to 100 with 8 sides where 8 busts (allow_pass=True)"),
        (Pig(sides=3, weights=(1, 1, 2.5)), "Pig to 100 with faces 1, 2, 3 of weights 1, 1, 2.5"),
        (Pig(numbers=range(1, 40, 2)), "Pig to 100 with faces 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, ..., 39"),
        (GAMES["ten_rounds"].bind({}), "Pig of 10 rounds"),
        (GAMES["ten_rounds"].bind({"turns": 1}), "Pig of 1 round"),
        (GAMES["ten_rounds"].bind({"turns": 3, "draw": 0.0}), "Pig of 3 rounds (draw=0.0)"),
        (GAMES["two_dice"].bind({"target": 40}), "Two-dice Pig to 40"),
        (Race(30, {1: 0.5}, 0.5), "Race to 30 (1 with 0.5, bust with 0.5)"),
        (
            Race(30, {1: 0.5, 2: 0.25}, 0.25, allow_pass=True),
            "Race to 30 (1 with 0.5, 2 with 0.25, bust with 0.25, allow_pass=True)",
        ),
        (
            Race(9, {n: 1 / 6 for n in range(2, 7)}, 1 / 6),
            "Race to 9 (2, 3, 4, 5, 6 with 0.1667 each, bust with 0.1667)",
        ),
    ],
)
def test_a_game_is_called_as_people_call_it_and_its_repr_makes_it_again(game, title):
    assert str(game) == title
    assert eval(repr(game), {type(game).__name__: type(game)}) == game
