"""`pigevo play`: whole games through a pipe, and what is refused before them."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import pigevo as library
from pigevo.cli.play_session import MOST_ANSWERS
from pigevo.games.game import GAMES
from tests.cli.sat import SMALL, lines


@pytest.mark.parametrize(("name", "answer"), list(zip(GAMES, itertools.cycle(["r", "h", ""]))))
def test_whole_games_of_every_kind(sit, name, answer):
    options = GAMES[name].options
    more = "game.turns=2" if "turns" in options else f"game.target={6 if 'heads' in options else 25}"
    said = sit(f"hold_at:9 --game {name} {more} --games 2 --seed 3 --odds", lines(answer) * 3_000)
    assert (said.status, said.err) == (0, "")
    assert 1 <= said.out.count("Review: what you win against hold_at:9") <= 2  # none of a game without a choice
    assert "unfinished" not in said.out
    assert "\n2 games: " in said.out
    assert max(map(len, said.out.splitlines())) <= 60
    assert "\x1b" not in said.out


def test_the_same_seed_is_the_same_game(sit):
    first, again, other = (sit(f"--target 20 --seed {seed}", lines("r") * 99).out for seed in (7, 7, 8))
    assert first == again != other


def test_a_new_seed_is_told_and_plays_the_game_again(sit):
    new = sit("--target 20", lines("h") * 99).out
    seed = new.replace("\n", " ").split("--seed")[1].split()[0]
    assert sit(f"--target 20 --seed {seed}", lines("h") * 99).out == new


def test_a_choice_is_asked_for_with_the_dice_and_the_scores(sit):
    said = sit(f"hold_at:9 {SMALL} --second", lines("r", "", "roll", "h", "q")).out
    assert "You move second.\nhold_at:9 [1] the turn is lost\n\nYour turn 1: you 0, hold_at:9 0\n" in said
    assert (
        "  [2] total 2, score 2 if banked; roll or hold? roll\n  [5] total 7, score 7 if banked; roll or hold? roll\n"
        in said
    )


def test_what_is_no_answer_is_told_the_keys(sit):
    said = sit(SMALL, lines("what?", "hold on", "R", "H", "Q"))
    assert said.out.count("\nr or Enter rolls, h holds, ? hint, o odds, q leaves\n") == 1 + 2
    assert "hold? what?\n" in said.out
    assert "hold? roll\n" in said.out
    assert said.status == 0


@pytest.mark.parametrize("typed", [b"\xff\xfe\n", b"\x1b[31m\n", b"\0" * 5_000, b"x" * 5_000 + b"\n", "ü\n".encode()])
def test_whatever_comes_through_the_pipe(sit, typed):
    said = sit(SMALL, typed + b"q\n")
    assert (said.status, said.err) == (0, "")
    assert "\x1b" not in said.out
    assert max(map(len, said.out.splitlines())) <= 60


@pytest.mark.parametrize("answer", ["?", "o", "x"])
def test_answers_without_end_and_without_a_choice_end(sit, answer):
    said = sit(SMALL, lines(answer) * 10_000)
    assert said.status == 0
    assert f"The game is unfinished: no choice among {MOST_ANSWERS} answers." in said.out


@pytest.mark.parametrize(
    ("typed", "why"), [("", "the input has ended"), ("r\n", "the input has ended"), ("q\n", "you leave")]
)
def test_a_game_that_is_left_is_unfinished(sit, typed, why):
    said = sit(f"{SMALL} --games 3", typed)
    assert (said.status, said.err) == (0, "")
    assert f"The game is unfinished: {why}." in said.out
    assert ("Review" in said.out) == (typed == "r\n")
    assert said.out.count("move first") == 1


def test_seats(sit):
    three = [sit(f"{SMALL} --games 3 {seat}", lines("h") * 999).out for seat in ("", "--first", "--second")]
    assert [text.count("you move first.") for text in three] == [2, 3, 0]
    assert [text.count("you move second.") for text in three] == [1, 0, 3]
    assert "Game 2 of 3: you move second." in three[0]


@pytest.mark.parametrize("kind", ["saved.npz", "holds.csv", "mine.py:rule", "turtle", "roll_to_win"])
def test_any_strategy_is_an_opponent(sit, kind):
    game = library.Pig(target=20)
    library.hold_at(game, 6).save("saved.npz")
    np.savetxt("holds.csv", np.full((20, 20), 6), fmt="%d", delimiter=",")
    Path("mine.py").write_text("def rule(i, j, k):\n    return k < 6\n")
    said = sit(f"{kind} {SMALL} --second", lines("h") * 99)
    assert (said.status, said.err) == (0, "")
    if kind not in ("turtle", "roll_to_win"):
        turns = [
            line.split(" ", 1)[1] for line in said.out.splitlines() if "] banks" in line or "the turn is lost" in line
        ]
        same = [line.split(" ", 1)[1] for line in sit(f"hold_at:6 {SMALL} --second", lines("h") * 99).out.splitlines()
                if "] banks" in line or "the turn is lost" in line]  # fmt: skip
        assert turns == same


def test_a_run_is_an_opponent(sit, finished):
    said = sit("run --target 12 --seed 3 --games 4", lines("?", "h") * 99)
    assert (said.status, said.err) == (0, "")
    assert "\n  champion of generation 6  0." in said.out
    assert max(map(len, said.out.splitlines())) <= 60
    assert "Review: what you win against champion of generation 6" in said.out


WRONG = [
    ("hold_at:3 --first --second", "--first and --second exclude each other: without them the seats alternate"),
    ("hold_it", "there is no strategy 'hold_it'; did you mean hold_at or roll_and_wait?"),
    ("--games 0", "0 is not in the range x>=1"),
    ("--seed -1", "-1 is not in the range x>=0"),
    ("--seed 99999999999999999999", "seed must be an integer from 0 to"),
    ("--game two_dice game.target=9 --save new.csv", "records are read of races of one die"),
    ("--target 9 --save .", "is a directory"),
    ("--target 9 --save notes.txt", "notes.txt cannot be read as a record of games: "),
    ("--target 9 --save new.csv --name optimal", "'optimal' is how the opponent is called in the record"),
    ("half.npz --target 9 --allow-pass", "passes by chance is not known here"),
]  # fmt: skip


def test_one_sentence(sit):
    Path("notes.txt").write_text("a shopping list\n")
    game = library.Pig(target=9, allow_pass=True)
    library.Strategy(game, np.full(game.shape, 0.5), "half").save("half.npz")
    before = sorted(Path().iterdir())
    for words, message in WRONG:
        said = sit(words, lines("h") * 99)
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert message in said.err
    assert sorted(Path().iterdir()) == before
