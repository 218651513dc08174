"""`pigevo play` in a pseudo-terminal of 60 columns: one key is an answer, and any way out is polite."""

import os
import signal

import pytest

from pigevo.games import Pig
from pigevo.people import read_people
from tests.cases import sample
from tests.cli.terminal import WAIT, Terminal

WORDS = ["play", "hold_at:3", "--target", "9", "--seed", "3"]


@pytest.mark.slow
def test_a_whole_game_with_one_key_for_each_choice(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    terminal.answered("?", "o", "\x1b[A", *"r" * 90)
    status, lines = terminal.end()
    assert status == 0
    assert any(line.startswith("Review: what you win against hold_at:3") for line in lines)
    assert any(line.startswith("  against") for line in lines)
    assert any("hold? an arrow" in line for line in lines)
    assert max(map(len, lines)) <= 60
    assert "\x1b" not in terminal.seen


@pytest.mark.slow
def test_keys_that_are_typed_at_once_are_answers_one_after_the_other(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.answered("?o?\rq")
    status, lines = terminal.end()
    assert status == 0
    assert terminal.seen.count("hold? ") == 5
    assert "hold? roll" in terminal.seen, "Enter rolls"
    assert "The game is unfinished: you leave." in lines


@pytest.mark.parametrize("interrupt", sample(["h\x03", signal.SIGINT], 1))
def test_ctrl_c_ends_it_with_a_sentence_and_keeps_what_was_played(tmp_path, interrupt):
    terminal = Terminal([*WORDS[:3], "90", "--seed", "1", "--save", "games.csv"], tmp_path)
    assert terminal.answered("h", "h")
    assert terminal.asked(3)
    terminal.when_raw()
    if interrupt == signal.SIGINT:
        terminal.interrupt()
    else:
        os.write(terminal.own, interrupt.encode())
    status, lines = terminal.end()
    assert status == 130
    assert lines[-1] == "pigevo: interrupted: the game is unfinished, and its turns are in games.csv."
    (game,) = read_people(tmp_path / "games.csv", Pig(target=90)).games
    assert len(game.turns_of("you")) == 2 + (interrupt == "h\x03")


@pytest.mark.slow
def test_ctrl_d_and_a_terminal_that_is_gone_end_it(tmp_path):
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.answered("\x04")
    status, lines = terminal.end()
    assert status == 0
    assert "The game is unfinished: the input has ended." in lines
    terminal = Terminal(WORDS, tmp_path)
    assert terminal.asked(1)
    os.close(terminal.own)
    assert terminal.process.wait(WAIT) in (0, 2, 141, -signal.SIGHUP)


@pytest.mark.slow
def test_a_dumb_terminal_sends_lines(tmp_path):
    terminal = Terminal(WORDS, tmp_path, TERM="dumb", NO_COLOR="1")
    assert terminal.answered("o\n", "q\n")
    status, lines = terminal.end()
    assert status == 0
    assert "\x1b" not in terminal.seen
    assert terminal.seen.count("hold? ") == 2  # Enter is not an answer of its own
    assert "The game is unfinished: you leave." in lines
