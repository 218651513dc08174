"""Pig with any die, any faces that bust and throws of 0 points: the same game by every way of writing and solving it."""

import dataclasses
import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.games import Game, Pig, Piglet, Race, Throw, game_from_record, game_to_record
from pigevo.settings.settings import Settings
from pigevo.strategies import hold_at, random_strategy
from tests.games.every_state import assert_best_as_every_state, assert_pair_as_every_state
from tests.reference import any_game


def chances(faces, busts, weights):
    """The chance of a bust, and those of each number of points, with rolls of nothing thrown again."""
    total = sum(weight for face, weight in zip(faces, weights, strict=True) if face in busts or face)
    bust, gains = 0.0, {}
    for face, weight in zip(faces, weights, strict=True):
        if face in busts:
            bust += weight / total
        elif face:
            gains[face] = gains.get(face, 0.0) + weight / total
    return bust, gains


@dataclasses.dataclass(frozen=True)
class Faces(Game):
    """A die whose blank faces lead back to the same state."""

    target: int
    throws: tuple[Throw, ...]


DICE = {
    "a 6 busts": ({"losing": 6}, (1, 2, 3, 4, 5, 6), {6}, (1,) * 6),
    "a 1 and a 2 bust": ({"losing": (1, 2)}, (1, 2, 3, 4, 5, 6), {1, 2}, (1,) * 6),
    "0, 1, 1, 2": ({"numbers": (0, 1, 1, 2)}, (0, 1, 1, 2), {0}, (1,) * 4),
    "0, 1, 1, 2, where a 1 busts": ({"numbers": (0, 1, 1, 2), "losing": 1}, (0, 1, 1, 2), {1}, (1,) * 4),
    "no order": ({"numbers": (4, 2, 0, 3), "losing": 3}, (4, 2, 0, 3), {3}, (1,) * 4),
    "loaded": ({"weights": (1, 1, 1, 1, 1, 2.5)}, (1, 2, 3, 4, 5, 6), {1}, (1, 1, 1, 1, 1, 2.5)),
    "loaded, in no order": ({"numbers": (3, 0, 1), "weights": (1, 2, 3)}, (3, 0, 1), {0}, (1, 2, 3)),
}


@pytest.mark.parametrize("case", DICE)
def test_it_is_solved_as_all_states_of_its_faces(case):
    options, faces, busts, weights = DICE[case]
    game = Pig(6, **options)
    throws = [
        (0, weight, "turn") if face in busts else (face, weight, "")
        for face, weight in zip(faces, weights, strict=True)
    ]
    every = Faces(6, tuple(Throw(points, weight / sum(weights), ends) for points, weight, ends in throws))
    a, b = pigevo.hold_at(game, 3), pigevo.hold_at(game, 2)
    p = pigevo.win_probability(a, b)
    assert (p.first, p.second) == pytest.approx(any_game.solve(every, a, b)[:, 0], abs=1e-12)
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(any_game.optimum(every), abs=1e-11)
    bust, gains = chances(faces, busts, weights)
    assert (game.bust, dict(game.die)) == (pytest.approx(bust), pytest.approx(gains))


def test_games_are_played_as_they_are_solved():
    game = Pig(12, numbers=(0, 1, 1, 2), losing=1)
    a, b = pigevo.hold_at(game, 4), pigevo.hold_at(game, 2)
    match = pigevo.play_match(a, b, games=20_000, seed=3)
    low, high = match.interval(0.9999)
    assert low < pigevo.win_probability(a, b).overall < high


def test_another_face_that_busts_is_the_race_of_its_gains():
    for bust in range(1, 7):
        race = Race(100, {face: 1 / 6 for face in range(1, 7) if face != bust}, 1 / 6)
        assert Pig(losing=bust).rules == race.rules


SAME = {
    "the usual one": (Pig(), Pig(numbers=range(1, 7), losing=(1,), weights=[2.0] * 6)),
    "the number of sides": (Pig(sides=4), Pig(numbers=(4, 3, 2, 1))),
    "the order of the faces": (Pig(numbers=(2, 1, 0, 1)), Pig(numbers=(0, 1, 1, 2), losing=0)),
    "the order of what busts": (Pig(losing=[2, 1, 2]), Pig(losing=(1, 2))),
    "numpy's numbers": (Pig(numbers=np.array([0, 1, 1, 2])), Pig(numbers=(0, 1, 1, 2))),
}


@pytest.mark.parametrize("case", SAME)
def test_one_die_is_written_in_one_way(case):
    a, b = SAME[case]
    assert (a, hash(a), repr(a), str(a), game_to_record(a)) == (b, hash(b), repr(b), str(b), game_to_record(b))


@st.composite
def dice(draw):
    faces = draw(st.lists(st.integers(0, 9), min_size=2, max_size=8))
    busts = draw(st.sets(st.sampled_from(faces), max_size=3)) if any(faces) else set()
    weights = draw(st.sampled_from([(), tuple(range(1, len(faces) + 1))]))
    return {"numbers": tuple(faces), "losing": tuple(busts), "weights": weights}


@given(dice(), st.integers(1, 40), st.booleans())
@settings(max_examples=80, deadline=None)
def test_any_die_survives_its_record_and_is_the_race_of_its_faces(options, target, allow_pass):
    busts = set(options["losing"]) or {min(options["numbers"])}
    if not {*options["numbers"]} - busts - {0}:
        with pytest.raises(InputError, match="no face is left that scores"):
            Pig(target, **options)
        return
    game = Pig(target, **options, allow_pass=allow_pass)
    again = game_from_record(json.loads(json.dumps(game_to_record(game))))
    assert again == game
    assert str(again) == str(game)
    bust, gains = chances(options["numbers"], busts, options["weights"] or (1,) * len(options["numbers"]))
    assert (game.bust, dict(game.die)) == (pytest.approx(bust), pytest.approx(gains))
    assert sum(throw.chance for _, throw in game.faces) == pytest.approx(1)


def test_the_record_and_the_digest_of_the_usual_die_are_what_they_were(tmp_path):
    game = Pig(9)
    assert game_to_record(game)["options"] == {"target": 9, "sides": 6, "allow_pass": False}
    saved = pigevo.load_strategy(pigevo.hold_at(Pig(9, losing=6), 3).save(tmp_path / "six.npz"))
    assert saved.game == Pig(9, losing=6)
    assert saved.digest != pigevo.hold_at(game, 3).digest
    assert pigevo.hold_at(game, 3).digest == pigevo.hold_at(Race(9, dict(game.die), game.bust), 3).digest


SMALL = ("debug=fast", "game.target=9", "cubes=none")


def test_a_run_with_the_usual_die_has_the_hash_that_it_had_however_it_is_written():
    usual = Settings.of("cube_random", *SMALL)
    assert usual.values["game"] == {"name": "pig", "target": 9, "sides": 6, "allow_pass": False}
    for words in (["game.bust=1"], ["game.die=[1,2,3,4,5,6]"], ["game.die=[6,5,4,3,2,1]", "game.bust=[1]"]):
        assert Settings.of("cube_random", *SMALL, *words).hash == usual.hash
    other = Settings.of("cube_random", *SMALL, "game.bust=6")
    assert other.hash != usual.hash
    assert "game.bust=6" in other.name
    assert other.plan.game == Pig(9, losing=6)
    assert Settings.read(other.values).hash == other.hash  # as it is read again from a run's folder


def test_a_game_given_from_python_is_that_of_the_words():
    given = Settings.of("cube_random", "debug=fast", "cubes=none", game=Pig(9, numbers=(0, 1, 1, 2), losing=1))
    assert given.hash == Settings.of("cube_random", *SMALL, "game.die=[0,1,1,2]", "game.bust=1").hash


def test_a_replaced_die_keeps_nothing_of_the_old_one():
    assert dataclasses.replace(Pig(losing=6), target=30) == Pig(30, losing=6)
    assert dataclasses.replace(Pig(losing=6), losing=()) == Pig()
    assert Piglet(9).rules == Pig(9, numbers=(0, 1)).rules  # a coin


DIE = (Throw(0, 0.3), Throw(0, 0.2, "turn"), Throw(1, 0.25), Throw(3, 0.25))


@dataclass(frozen=True)
class Blank(Game):
    target: int = 8
    allow_pass: bool = False
    throws = DIE


@dataclass(frozen=True)
class BlankFirst(Game):
    target: int = 8
    allow_pass: bool = False
    throws = (*DIE[:3], Throw(3, 0.15), Throw(0, 0.1, "score"))
    first_throws = (Throw(0, 0.6), Throw(2, 0.4))


@dataclass(frozen=True)
class BlankTurns(Game):
    turns: int = 2
    cap: int = 6
    throws = DIE


@pytest.mark.parametrize("game", [Blank(), Blank(allow_pass=True), BlankFirst(), BlankTurns()], ids=repr)
def test_it_is_solved_as_every_state_says(game):
    for a, b in ((hold_at(game, 3), random_strategy(game, seed=1)), (random_strategy(game, seed=2), hold_at(game, 2))):
        assert_pair_as_every_state(a, b)
    assert_best_as_every_state(game)


@pytest.mark.parametrize("game", [Blank(), BlankFirst()], ids=repr)
def test_it_is_played_as_it_is_solved(game):
    a, b = hold_at(game, 3), hold_at(game, 5)
    match = pigevo.play_match(a, b, games=40_000, seed=3)
    low, high = match.interval(0.9999)
    assert low < pigevo.win_probability(a, b).overall < high


def test_a_race_takes_it_out():
    race = pigevo.Race(30, {0: 0.25, 2: 0.25, 3: 0.25}, bust=0.25)
    assert dict(race.gains) == pytest.approx({2: 1 / 3, 3: 1 / 3})
    assert race.bust == pytest.approx(1 / 3)
    plain = pigevo.Race(8, {1: 0.25 / 0.7, 3: 0.25 / 0.7}, bust=0.2 / 0.7)
    assert pigevo.optimal(Blank()).value == pytest.approx(pigevo.optimal(plain).value, abs=1e-12)


def test_where_it_would_be_a_state_of_its_own_it_is_refused():
    @dataclass(frozen=True)
    class Counts(Blank):
        remembers = ("rolls",)

    with pytest.raises(InputError, match="cannot be played where decisions depend on the rolls of the turn"):
        Counts()
    with pytest.raises(InputError, match="where a player may hold after it and the first throw of a turn differs"):
        BlankFirst(allow_pass=True)
