"""A child process in a pseudo-terminal."""

import os
import select
import signal
import struct
import subprocess
import sys
import time

import pytest

from tests.small import environment_of_a_process

fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
WAIT = 120.0


class Terminal:
    """A child process whose three streams are a terminal."""

    def __init__(self, words, folder, columns=60, program=("-m", "pigevo"), **environment):
        self.own, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, *program, *words], stdin=its, stdout=its, stderr=its, cwd=folder, start_new_session=True,
            env=environment_of_a_process() | {"TERM": "xterm"} | environment,
        )  # fmt: skip
        os.close(its)
        self.seen, self._has_keys = "", environment.get("TERM") != "dumb"

    def read(self):
        """What comes next; nothing at the end."""
        assert select.select([self.own], [], [], WAIT)[0], f"nothing comes after {self.seen[-300:]!r}"
        try:
            got = os.read(self.own, 4096).decode()
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
            os.write(self.own, keys.encode())
        return True

    def when_raw(self):
        """Wait until a key is waited for, so that none is typed before."""
        until = time.monotonic() + 2.0
        while self._has_keys and termios.tcgetattr(self.own)[3] & termios.ICANON and time.monotonic() < until:
            time.sleep(0.01)

    def interrupt(self):
        """Send SIGINT until the process says something: one that comes just before a read begins does not end that."""
        for _ in range(60):
            self.process.send_signal(signal.SIGINT)
            if select.select([self.own], [], [], 2.0)[0]:
                return

    def end(self):
        """Read to the end; the exit status and the lines."""
        while self.read():
            pass
        status = self.process.wait(WAIT)
        os.close(self.own)
        return status, self.seen.replace("\r\n", "\n").splitlines()
