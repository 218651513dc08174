"""Strategies as they are typed."""

import subprocess
import sys

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import Pig, Piglet, Race
from pigevo.strategies import expand, parse_strategy

GAME = Pig(target=30)


@pytest.mark.parametrize("name", ["mine.npz", "folder/mine.npz"])
def test_a_path_is_read(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    saved = pigevo.random_strategy(GAME, seed=3)
    saved.save(name)
    assert parse_strategy(name, GAME) == saved
    assert parse_strategy(str(tmp_path / name), GAME) == saved


def test_a_file_of_the_same_rules_is_taken_under_another_name_of_the_game(tmp_path):
    path = str(pigevo.hold_at(Piglet(target=8), 3).save(tmp_path / "s.npz"))
    same = Race(8, {1: 0.5}, 0.5)
    assert parse_strategy(path, same) == pigevo.hold_at(same, 3)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("hold_att", "did you mean hold_at"),
        ("", "there is no strategy ''"),
        ("hold", "there is no strategy 'hold'"),
        ("hold_at:x", "'x' in 'hold_at:x' must be a number"),
        ("hold_at:1,2", "takes 1 (n)"),
        ("roll_to_win:3", "takes none"),
        ("hold_at:-1", "must be at least 0"),
        ("hold_at:2.5", "must be a whole number"),
        ("hold_at:1,,", "must be a number"),
        ("keep_pace_and_end_race:21,0", "must be at least 1"),
        ("random_strategy:-1", "random_strategy.seed = -1 is out of range"),
        ("nowhere.npz", "there is no file nowhere.npz"),
        ("no/where", "there is no file no/where"),
        ("roll_and_wait", "allow_pass=True"),
    ],
)
def test_a_wrong_word_is_refused_with_what_would_be_right(text, part):
    with pytest.raises(InputError) as caught:
        parse_strategy(text, GAME)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_for_another_game_is_refused(tmp_path):
    path = str(pigevo.hold_at(Pig(target=31)).save(tmp_path / "s.npz"))
    with pytest.raises(InputError, match="plays Pig to 31, not Pig to 30:"):
        parse_strategy(path, GAME)


def test_the_package_itself_knows_the_optimum_by_name_whatever_was_used_before():
    code = "import pigevo; print(pigevo.parse_strategy('optimal', pigevo.Pig(target=3)).name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "optimal\n", done.stderr


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("hold_at:1..3", ["hold_at:1", "hold_at:2", "hold_at:3"]),
        ("hold_at:5..20..5", ["hold_at:5", "hold_at:10", "hold_at:15", "hold_at:20"]),
        ("hold_at:5..8..2", ["hold_at:5", "hold_at:7"]),
        ("score:20,0..1", ["score:20,0", "score:20,1"]),
        ("score:3..4,0..1", ["score:3,0", "score:3,1", "score:4,0", "score:4,1"]),
        ("hold_at:7..7", ["hold_at:7"]),
        ("optimal", ["optimal"]),
        ("hold_at:20", ["hold_at:20"]),
        ("../up.npz", ["../up.npz"]),
        ("a..b/ops.py:rule", ["a..b/ops.py:rule"]),
    ],
)
def test_what_a_word_stands_for(word, words):
    assert expand(word) == words


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("hold_at:3..1", "is an empty range: write the smaller number first"),
        ("hold_at:1..x", "must be a range: 1..100, or 5..95..5"),
        ("hold_at:1..9..0", "must be a range"),
        ("hold_at:..", "must be a range"),
        ("hold_at:1..99999", "is too long a range"),
        ("score:1..200,1..200", "stands for 40,000 strategies: 10,000 are the most"),
    ],
)
def test_what_is_no_range(word, message):
    with pytest.raises(InputError, match=message):
        expand(word)
