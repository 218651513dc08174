"""Surroundings that are not as one would expect: told in a sentence, or no matter."""

import os
import subprocess
import sys

import pytest

from pigevo.cli import entry
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
def test_a_folder_that_is_gone(refused, tmp_path, words):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused(words, "the present folder has been removed: go to another one.")


@pytest.mark.slow
def test_a_backend_that_is_none_is_not_asked(tmp_path):
    """A run of a second would end in a trace after its work is done, when it draws its pictures."""
    output = done(f"{RUN} fitness.games=4", tmp_path, MPLBACKEND="nope")
    assert output.returncode == 0, output.stderr
    assert (tmp_path / "run" / "figures" / "curve.png").is_file()


COMP_LINES = {
    "pigevo experiment=cube_r": "experiment=cube_random", "python -m pigevo game=pigl": "game=piglet",
    "pigevo 'x": "", "pigevo experiment=${": "", "pigevo \x1b": "",
}  # fmt: skip


def test_a_line_to_complete(pigevo, monkeypatch):
    for line, completion in COMP_LINES.items():
        monkeypatch.setenv("COMP_LINE", line)
        output = pigevo("--shell-completion query=bash")
        assert (output.status, output.out.strip(), output.err) == (0, completion, ""), line


def test_a_completion_that_is_none(refused, monkeypatch):
    monkeypatch.delenv("COMP_LINE", raising=False)
    for words in ("", "install=%", "install=bas\x1bh", "install=bash install=bash", "install=tcsh", "query=bash"):
        refused(["--shell-completion", *words.split(" ")], "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "variables"),
    [("{", {}), ("[1, 2]", {}), ("num_threads: 0", {}), ("", {"NUMBA_NUM_THREADS": "0"}), ("developer_mode: 1", None)],
)
def test_settings_of_numba_s_that_make_no_sense(tmp_path, content, variables):
    (tmp_path / ".numba_config.yaml").write_text(content)
    output = done("duel hold_at:3 hold_at:4 --target 9", tmp_path, **(variables or {}))
    assert output.returncode == (0 if variables is None else 2)
    assert output.stderr.startswith("pigevo: numba cannot start with its settings" if output.returncode else "")
    assert output.stderr.count("\n") == bool(output.returncode)


@pytest.mark.slow
def test_settings_of_numba_s_end_a_sweep_before_it_begins(tmp_path):
    output = done("-m debug=fast game.target=9 seed=1,2", tmp_path, NUMBA_NUM_THREADS="0")
    assert output.returncode == 2
    assert output.stderr.startswith("pigevo: numba cannot start with its settings")
    assert output.stderr.count("\n") == 1
    assert not (tmp_path / "outputs").exists()


def test_a_settings_file_that_cannot_be_read_is_told_and_a_broken_package_raises(monkeypatch):
    def importing(error):
        source = "def fail(error):\n    raise error\nfail(error)"
        try:
            exec(compile(source, "matplotlib/__init__.py", "exec"), {"__name__": "matplotlib", "error": error})
        except type(error) as raised:
            return entry._sentence(raised)

    assert "matplotlib cannot start with its settings" in importing(OSError(5, "Input/output error"))
    assert importing(ImportError("numpy.core.multiarray failed to import")) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "status"), [(b"\xff\xfe", 2), (b"text.usetex: True\n", 2), (b"lines.linewidth: 9\n", 0)]
)
def test_a_file_of_matplotlib_s(tmp_path, content, status):
    """One that cannot be read, or drawn with, is told after the work; the run goes on from there."""
    (tmp_path / "matplotlibrc").write_bytes(content)
    output = done(f"{RUN} fitness.games=4", tmp_path, PATH="")
    assert output.returncode == status
    assert "Traceback" not in output.stderr
    (tmp_path / "matplotlibrc").unlink()
    assert done(f"{RUN} fitness.games=4", tmp_path).returncode == 0
