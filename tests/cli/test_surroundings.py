"""Surroundings that are not as one would expect: told in a sentence, or no matter."""

import os
import subprocess
import sys

import pytest

from tests.cli.small import RUN
from tests.small import environment_of_a_process


def done(words, folder, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pigevo", *words.split()], cwd=folder, capture_output=True, text=True, check=False,
        env=environment_of_a_process() | environment,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words", ["--cfg job", "debug=fast", "resume x", "check ops.py:f", "duel ops.py:f optimal", "-m seed=1,2"]
)
def test_a_folder_that_is_gone(pigevo, tmp_path, words):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    said = pigevo(words)
    assert (said.status, said.err) == (2, "pigevo: the present folder has been removed: go to another one.\n")


def test_a_backend_that_is_none_is_not_asked(tmp_path):
    """A run of a second would end in a trace after its work is done, when it draws its pictures."""
    said = done(f"{RUN} fitness.games=4", tmp_path, MPLBACKEND="nope")
    assert said.returncode == 0, said.stderr
    assert (tmp_path / "run" / "figures" / "curve.png").is_file()


COMP_LINES = {
    "pigevo experiment=cube_r": "experiment=cube_random", "python -m pigevo game=pigl": "game=piglet",
    "pigevo 'x": "", "pigevo seed=[[[": "", "pigevo experiment=${": "", "pigevo \x1b": "",
}  # fmt: skip


@pytest.mark.parametrize("line", COMP_LINES)
def test_a_line_to_complete(pigevo, monkeypatch, line):
    monkeypatch.setenv("COMP_LINE", line)
    said = pigevo("--shell-completion query=bash")
    assert (said.status, said.out.strip(), said.err) == (0, COMP_LINES[line], "")


@pytest.mark.parametrize(
    "words",
    ["", "install=%", "install=bas\x1bh", "install=bash install=bash", "== install=bash", "install=tcsh", "query=bash"],
)
def test_a_completion_that_is_none(pigevo, monkeypatch, words):
    monkeypatch.delenv("COMP_LINE", raising=False)
    said = pigevo(["--shell-completion", *words.split(" ")])
    assert said.status == 2
    assert said.err.startswith("pigevo: ")
    assert said.err.count("\n") == 1
