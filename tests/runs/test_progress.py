"""What a user sees of a run in a terminal of 80 columns."""

import os
import re
import select
import termios
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from pigevo.cli.summary import summary
from pigevo.evolution.loop import first_state
from pigevo.runs import run
from pigevo.runs.progress import RunBar, that_fit
from tests.small import small_settings

WIDTH = 80


def test_parts_are_left_out_where_they_do_not_fit():
    parts = ["cubes 20", "mean 0.4761", "best 0.4876"]
    assert that_fit(parts, 80) == "cubes 20  mean 0.4761  best 0.4876"
    assert that_fit(parts, 33) == "cubes 20  mean 0.4761"
    assert that_fit(parts, 3) == "cubes 20"


def ready_bytes(file):
    return os.read(file, 4096) if select.select([file], [], [], 0.1)[0] else b""


@contextmanager
def terminal(columns):
    """Standard error is a terminal; yields a function that reads what was written there."""
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (24, columns))
    with open(writer, "w") as screen, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", screen)
        yield lambda: b"".join(iter(lambda: ready_bytes(reader), b"")).decode()
        os.close(reader)  # first, as the other end waits at its close until all has been read


def test_the_bar_of_a_thousand_generations_has_room_beside_the_figures():
    state = first_state(small_settings("generations=1000").plan)
    with terminal(WIDTH) as written:
        with RunBar(state, 1000) as bar:
            for number in (1, 2, 3, 999):
                time.sleep(0.11)  # after which tqdm draws again
                reached = replace(state, generation=number, games=10**9 * number)
                bar.step(reached, {"cube_size": 20, "mean": 0.4761, "best": 0.4876})
        frames = [frame for frame in written().split("\r") if "mean 0.4761" in frame]
    assert len(frames) >= 4
    for frame in frames:
        assert len(frame) <= WIDTH
        assert len(re.search(r"\|(.*?)\|", frame)[1]) >= 8


def test_the_summary_is_as_wide_as_the_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    settings = small_settings("generations=5")
    text = summary(run(settings, tmp_path), settings, tmp_path)
    before_commands, _ = text.split("\nfolder ")
    assert max(map(len, before_commands.splitlines())) <= WIDTH
    labels = re.findall(r"^(\w[\w ]{2,13}?) {2,}", before_commands, re.M)
    assert labels[:3] == ["champion", "population", "measured"]
    assert labels[-1] == "time"
