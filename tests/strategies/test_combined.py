"""Strategies made of others: what they decide, state by state, and how they are typed."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES, Pig
from pigevo.games.game_record import make_game
from pigevo.strategies import parse_strategy
from pigevo.strategies.combined import read_combination
from pigevo.strategies.parse import absolute, names_file, single_words

GAME = Pig(target=12)


def game_of(name):
    entry = GAMES[name]
    small = {key: value for key, value in {"target": 12, "turns": 2, "cap": 20}.items() if key in entry.options}
    return make_game(name, small)


@pytest.mark.parametrize("game", [GAME, Pig(target=12, allow_pass=True), *map(game_of, GAMES)], ids=str)
def test_a_slip_is_the_other_decision_wherever_there_is_one(game):
    own = pigevo.hold_at(game, 4)
    erring = pigevo.noisy(own, 0.1)
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert np.allclose(erring.roll[decides], np.where(own.roll[decides], 0.9, 0.1), rtol=0, atol=1e-15)
    assert np.array_equal(erring.roll[~decides], own.roll[~decides].astype(float))
    assert pigevo.noisy(own, 0) == own
    always = pigevo.noisy(own, 1)
    assert not always.is_mixed
    assert np.array_equal(always.roll[decides], ~own.roll[decides])


def test_slips_add_up_as_chances_do():
    twice = pigevo.noisy(pigevo.noisy(pigevo.hold_at(GAME, 4), 0.1), 0.2)
    assert np.allclose(twice.roll, pigevo.noisy(pigevo.hold_at(GAME, 4), 0.1 * 0.8 + 0.2 * 0.9).roll, atol=1e-15)


def test_a_mixture_has_the_weighted_mean_of_both_chances():
    a, b = pigevo.hold_at(GAME, 3), pigevo.noisy(pigevo.hold_at(GAME, 6), 0.25)
    mixed = pigevo.mix(a, b, 0.2)
    assert np.allclose(mixed.roll, 0.2 * a.roll + 0.8 * b.roll, rtol=0, atol=1e-15)
    assert (pigevo.mix(a, b, 1), pigevo.mix(a, b, 0)) == (a, b)
    assert pigevo.mix(a, a, 0.3) == a
    assert pigevo.mix(a, b, 0.2).roll == pytest.approx(pigevo.mix(b, a, 0.8).roll)


def test_a_mirror_exchanges_the_scores_where_the_strategy_has_something_to_decide():
    own = pigevo.random_strategy(GAME, seed=3)
    mirrored = pigevo.mirror(own)
    for i in range(12):
        for j in range(12):
            for k in range(1, 12 - i):
                there = (j, i, k) if j + k < 12 else (i, j, k)
                assert mirrored.roll[i, j, k] == own.roll[there], (i, j, k)


@pytest.mark.parametrize("game", [GAME, Pig(target=12, allow_pass=True), *map(game_of, GAMES)], ids=str)
def test_the_mirror_of_a_mirror_is_the_strategy_itself(game):
    for own in (pigevo.random_strategy(game, seed=1), pigevo.noisy(pigevo.random_strategy(game, seed=2), 0.125)):
        assert pigevo.mirror(pigevo.mirror(own)) == own
        assert pigevo.mirror(own) != own
    if not game.reply:  # there hold-at looks at the scores at the end
        assert pigevo.mirror(pigevo.hold_at(game, 4)) == pigevo.hold_at(game, 4)


def test_a_mirror_sees_a_deficit_as_a_lead():
    game = GAMES["ten_rounds"].function(turns=3, cap=30)
    behind = parse_strategy("rule: 9+(j-i)/3", game)
    assert pigevo.mirror(behind) != behind
    assert np.array_equal(pigevo.mirror(behind).roll, behind.roll[:, :, ::-1])


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("noisy:0.05,optimal", ["optimal"]),
        ("noisy:0.05,score:20,2", ["score:20,2"]),
        ("noisy: 0.05 , noisy:0.1, hold_at:20", ["noisy:0.1, hold_at:20"]),
        ("mix:0.5,hold_at:20,optimal", ["hold_at:20", "optimal"]),
        ("mix:.5,score:20,2,score:25,-1", ["score:20,2", "score:25,-1"]),
        ("mix:0.5,noisy:0.1,score:20,2,optimal", ["noisy:0.1,score:20,2", "optimal"]),
        ("mix:0.5,mix:0.1,hold_at:1,hold_at:2,mirror:score:1,1", ["mix:0.1,hold_at:1,hold_at:2", "mirror:score:1,1"]),
        ("mix:0.5,mirror:mix:1e-2,a,noisy:0,b,c", ["mirror:mix:1e-2,a,noisy:0,b", "c"]),
        ("mix:0.5,rule: max(17,18+(j-i)/turns),rule: quarters(1,2,3,4)",
         ["rule: max(17,18+(j-i)/turns)", "rule: quarters(1,2,3,4)"]),
        ("mix:0.5,hold_at:1..3,score:5,0..2", ["hold_at:1..3", "score:5,0..2"]),
        ("mirror:rule: 21+(j-i)/8; race either>=71", ["rule: 21+(j-i)/8; race either>=71"]),
        ("mix:1,../a b.npz,mine.py:f", ["../a b.npz", "mine.py:f"]),
    ],
)  # fmt: skip
def test_how_a_word_is_read(word, words):
    assert list(read_combination(word).words) == words


@pytest.mark.parametrize(
    "word", ["hold_at:20", "mixture:0.5", "noisy.npz", "rule: noisy:0.5", "./mix:0.5", "mix/a.npz"]
)
def test_other_words_are_no_combinations(word):
    assert read_combination(word) is None


@pytest.mark.parametrize("name", [
    "noisy:0.05,optimal", "mix:0.5,score:20,2,noisy:0.125,hold_at:7", "mirror:noisy:0.01,rule: 8+(j-i)/2; race either>=9",
])  # fmt: skip
def test_its_name_can_be_typed_again(name):
    made = pigevo.parse_strategy(name, GAME)
    assert made.name == name
    assert pigevo.parse_strategy(made.name, GAME) == made


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("noisy", "'' in 'noisy' must be a probability from 0 to 1: write noisy:CHANCE,STRATEGY"),
        ("noisy:0.05", "noisy is made of one strategy, and 'noisy:0.05' names none"),
        ("noisy:0.05,", "names none"),
        ("noisy:hold_at:20,0.05", "'hold_at:20' in"),
        ("noisy:1.5,optimal", "must be a probability"),
        ("noisy:-0.1,optimal", "must be a probability"),
        ("noisy:nan,optimal", "must be a probability"),
        ("mix:0.5,optimal", "names 1 ('optimal'): write mix:SHARE,STRATEGY,STRATEGY, as in mix:0.5,"),
        ("mix:0.5,hold_at:1,hold_at:2,hold_at:3", "names 3"),
        ("mix:0.5,my,own.npz,hold_at:2", "optimal; a file whose name has a comma cannot be named in it."),
        ("mix:0.5,hold_at:1,noisy:0.1", "names none: write noisy"),
        ("mirror", "mirror is made of one strategy"),
        (
            "mirror:nobody",
            "there is no strategy 'nobody'; `pigevo strategies` lists them, and there is no file or folder of that name.",
        ),
        ("noisy:0.1,hold_at:x", "must be a number"),
        ("noisy:0.1,nowhere.npz", "there is no file nowhere.npz"),
        ("noisy:0.1," * 5000 + "hold_at:3", "more than 20 combinations"),
        ("mirror:" * 21 + "hold_at:3", "more than 20 combinations"),
    ],
)
def test_a_wrong_word_is_refused_with_what_would_be_right(refused, word, part):
    assert len(refused(word, GAME, part)) < 300


def test_in_python_too():
    own = pigevo.hold_at(GAME, 4)
    with pytest.raises(InputError, match="the chance of a slip must be a probability from 0 to 1, not 2"):
        pigevo.noisy(own, 2)
    with pytest.raises(InputError, match="the share of the first strategy must be a probability"):
        pigevo.mix(own, own, float("nan"))
    with pytest.raises(InputError, match="they must play the same game"):
        pigevo.mix(own, pigevo.hold_at(Pig(target=13), 4), 0.5)


def test_files_within_are_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved = pigevo.random_strategy(GAME, seed=3)
    saved.save("mine.npz")
    word = "mix:0.5,noisy:0.1,mine.npz,hold_at:3"
    assert names_file(word)
    assert not names_file("noisy:0.1,hold_at:3")
    assert absolute(word) == f"mix:0.5,noisy:0.1,{tmp_path}/mine.npz,hold_at:3"
    assert single_words(word) == ["mine.npz", "hold_at:3"]
    made = pigevo.parse_strategy(word, GAME)
    assert made == pigevo.mix(pigevo.noisy(saved, 0.1), pigevo.hold_at(GAME, 3), 0.5)
