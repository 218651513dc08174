"""`pigevo play` in a pseudo-terminal of 60 columns: one key is an answer, and any way out is polite."""

import os
import select
import signal
import struct
import subprocess
import sys
import time

import pytest

from pigevo.games import Pig
from pigevo.people import read_people
from tests.cases import sample
from tests.small import environment_of_a_process

fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
WAIT = 120.0
WORDS = ["play", "hold_at:3", "--target", "9", "--seed", "3"]


class Terminal:
    """A child process whose three streams are a terminal."""

    def __init__(self, words, folder, **environment):
        self._own, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", *words], stdin=its, stdout=its, stderr=its, cwd=folder, start_new_session=True,
            env=environment_of_a_process() | {"TERM": "xterm"} | environment,
        )  # fmt: skip
        os.close(its)
        self.seen, self._has_keys = "", environment.get("TERM") != "dumb"

    def read(self):
        """What comes next; nothing at the end."""
        assert select.select([self._own], [], [], WAIT)[0], f"nothing comes after {self.seen[-300:]!r}"
        try:
            got = os.read(self._own, 4096).decode()
        except OSError:  # Linux says so at the end
            got = ""
        self.seen += got
        return got

    def asked(self, times):
        """Wait until so many questions have been asked, or until the end; whether they were."""
        while self.seen.count("hold? ") < times and self.read():
            pass
        return self.seen.count("hold? ") >= times

    def answered(self, *typed):
        """Type an answer to each question; whether all were asked for."""
        for number, keys in enumerate(typed, start=1):
            if not self.asked(number):
                return False
            self.when_raw()
            os.write(self._own, keys.encode())
        return True

    def when_raw(self):
        """Wait until a key is waited for, so that none is typed before."""
        until = time.monotonic() + 2.0
        while self._has_keys and termios.tcgetattr(self._own)[3] & termios.ICANON and time.monotonic() < until:
            time.sleep(0.01)

    def interrupt(self):
        """Send SIGINT until the process says something: one that comes just before a read begins does not end that."""
        for _ in range(60):
            self.process.send_signal(signal.SIGINT)
            if select.select([self._own], [], [], 2.0)[0]:
                return

    def end(self):
        """Read to the end; the exit status and the lines."""
        while self.read():
            pass
        status = self.process.wait(WAIT)
        os.close(self._own)
        return status, self.seen.replace("\r\n", "\n").splitlines()


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
        os.write(terminal._own, interrupt.encode())
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
    os.close(terminal._own)
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
