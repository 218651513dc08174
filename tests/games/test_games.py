"""Games: what every registered one must keep, what is refused, their races and records, and Pig with any die."""

import dataclasses
import itertools
import json
import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES, Game, Pig, Piglet, Race, Throw, game_from_record, game_to_record
from pigevo.games.game_record import options_of
from pigevo.games.race import LARGEST_TARGET
from pigevo.settings.settings import Settings
from pigevo.strategies import Strategy, hold_at, random_strategy, score
from tests.reference import any_game
from tests.reference.any_game import TINY, assert_best_as_every_state, assert_pair_as_every_state, sample

EVERY = pytest.mark.parametrize("name", GAMES)
CLOSE = 1e-12


def mixed(game, seed):
    chances = Draw(seed, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    return Strategy(game, np.where(game.starts, 1.0, chances), f"mixed {seed}")


def players(game):
    return hold_at(game, 5), score(game, 3), random_strategy(game, seed=1), mixed(game, 2)


@EVERY
def test_win_probabilities_are_those_of_one_system_over_every_state(name):
    for a, b in itertools.combinations(players(TINY[name]), 2):
        assert_pair_as_every_state(a, b)


@EVERY
def test_the_optimum_and_best_responses_are_those_of_value_iteration(name):
    game = TINY[name]
    opponents = players(game)
    assert_best_as_every_state(game, *opponents)
    best = pigevo.optimal(game)
    for answer, opponent in [(best, best.strategy), *((pigevo.best_response(b), b) for b in opponents)]:
        p = pigevo.win_probability(answer.strategy, opponent)
        assert (p.first, p.second) == pytest.approx((answer.value, answer.second), abs=1e-11)
        assert 0 <= answer.error < 1e-12
        assert 0 <= p.error < 1e-12


@EVERY
def test_simulated_games_lie_around_the_exact_figure(name):
    game, count = TINY[name], 4000
    for a, b in itertools.combinations(players(game), 2):
        p, m = pigevo.win_probability(a, b), pigevo.play_match(a, b, games=count, seed=4)
        for share, exact in (
            (m.wins, p.overall - game.draw * (p.draw_first + p.draw_second) / 2),
            (m.draws, (p.draw_first + p.draw_second) / 2),
            (m.stalemates, (p.stalemate_first + p.stalemate_second) / 2),
        ):
            assert share / count == pytest.approx(exact, abs=4.5 * (exact * (1 - exact) / count) ** 0.5 + 1e-9)


@EVERY
def test_visits_add_up_to_the_turns_of_a_game(name):
    game = TINY[name]
    a, b = hold_at(game, 5), random_strategy(game, seed=1)
    visits = pigevo.reach(a, b)
    consulted = np.broadcast_to(game.decision_states | game.starts, game.shape)
    assert visits.first[~consulted].sum() == 0
    if game.turns:
        assert np.where(game.starts, visits.first, 0).sum() == pytest.approx(game.turns)


@EVERY
def test_what_every_state_is_worth_is_known_where_play_comes_and_where_it_does_not(name):
    game = TINY[name]
    for a in (random_strategy(game, seed=1), mixed(game, 2)):
        values, slow = pigevo.state_values(a, hold_at(game, 5)), any_game.values(game, a, hold_at(game, 5))
        reached = ~np.isnan(slow)
        assert values[reached] == pytest.approx(slow[reached], abs=CLOSE)
        assert values.shape == game.shape
        assert 0 <= values.min() <= values.max() <= 1


@EVERY
def test_strategies_are_saved_and_loaded(name, tmp_path):
    game = TINY[name]
    for player in players(game):
        again = pigevo.load_strategy(player.save(tmp_path / "mine.npz"))
        assert again == player
        assert again.game == game
        assert again.is_mixed == player.is_mixed
    assert game_from_record(game_to_record(game)) == game


@pytest.mark.parametrize("name", sample("pig", "progressive", "ten_rounds"))
def test_one_generation_evolves(name):
    game = TINY[name]
    own = options_of(game)
    words = [f"game={name}", *(f"game.{key}={value}" for key, value in own.items() if not isinstance(value, tuple))]
    for operators in (
        ("selection=knockout", "fitness=games", "fitness.games=4", "cubes=none", "mutation=0.1"),
        ("selection=truncation", "fitness=exact_vs_optimal", "crossover=blocks", "mutator=self_adapting",
         "cubes=waves", "cubes.sizes=[3,1]", "cubes.generations=2"),
    ):  # fmt: skip
        length = () if "cubes=waves" in operators else ("generations=1",)
        *_, last = pigevo.generations(*words, "population.size=6", "workers=1", *length, *operators)
        assert last.number > 0
        best = pigevo.optimal(game).strategy
        won = [pigevo.win_probability(player, best).overall for player in last.strategies]
        assert won == pytest.approx(last.exact, abs=CLOSE)
        assert max(won) <= 0.5 + 1e-9


@pytest.mark.parametrize("name", sample("pig", "ten_rounds"))
def test_the_settings_of_a_game_are_those_of_its_class(name):
    choice = Settings.of(f"game={name}").choices["game"]
    assert choice.options == GAMES[name].completed({})


@EVERY
def test_how_what_is_thrown_can_lie_adds_up_to_its_throws(name):
    """On the page a throw is drawn as it lies: each way brings a throw of the rules, and all ways to it have its chance."""
    game = GAMES[name].bind({})
    lies = {(t.points, t.ends): 0.0 for t in (*game.throws, *game.first_throws)}
    for faces, throw in game.faces:
        assert faces
        lies[throw.points, throw.ends] += throw.chance
    for some in (game.throws, game.first_throws):
        assert [lies[t.points, t.ends] for t in some] == pytest.approx([t.chance for t in some])


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
def test_a_die_is_solved_as_all_states_of_its_faces(case):
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
def test_a_throw_of_nothing_is_solved_as_every_state_says(game):
    for a, b in ((hold_at(game, 3), random_strategy(game, seed=1)), (random_strategy(game, seed=2), hold_at(game, 2))):
        assert_pair_as_every_state(a, b)
    assert_best_as_every_state(game)


@pytest.mark.parametrize("game", [Blank(), BlankFirst()], ids=repr)
def test_a_throw_of_nothing_is_played_as_it_is_solved(game):
    a, b = hold_at(game, 3), hold_at(game, 5)
    match = pigevo.play_match(a, b, games=40_000, seed=3)
    low, high = match.interval(0.9999)
    assert low < pigevo.win_probability(a, b).overall < high


def test_a_race_takes_a_throw_of_nothing_out():
    race = pigevo.Race(30, {0: 0.25, 2: 0.25, 3: 0.25}, bust=0.25)
    assert dict(race.gains) == pytest.approx({2: 1 / 3, 3: 1 / 3})
    assert race.bust == pytest.approx(1 / 3)
    plain = pigevo.Race(8, {1: 0.25 / 0.7, 3: 0.25 / 0.7}, bust=0.2 / 0.7)
    assert pigevo.optimal(Blank()).value == pytest.approx(pigevo.optimal(plain).value, abs=1e-12)


def test_where_a_throw_of_nothing_would_be_a_state_of_its_own_it_is_refused():
    @dataclass(frozen=True)
    class Counts(Blank):
        remembers = ("rolls",)

    with pytest.raises(InputError, match="cannot be played where decisions depend on the rolls of the turn"):
        Counts()
    with pytest.raises(InputError, match="where a player may hold after it and the first throw of a turn differs"):
        BlankFirst(allow_pass=True)
