"""Every example of the documentation is run: long ones in their quick form, and as they stand in the long test."""

import contextlib
import io
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.cli import main
from pigevo.figures.axes import axes_or_new
from tests.docs.pages import DOCS, EXAMPLES, PAGES, blocks, code_of, session
from tests.people.games import FIGURE_6
from tests.small import done_here

RUN_OF = {"console", "python", "{picture}"}
TO_RUN = [page for page in PAGES if any(block.language in RUN_OF for block in blocks(page))]
LONG = [page for page in TO_RUN if any(block.has_quick_form for block in blocks(page)) and page.stem != "studies"]
"""Pages with blocks that have a quick form; a study is run by tests of its own."""


def made(name):
    """The folders of the files of that name below outputs/, the oldest first."""
    return [str(file.parent) for file in sorted(Path("outputs").rglob(name), key=os.path.getmtime)]


def in_place(word):
    """The folder that a placeholder stands for: RUN and SWEEP for the newest, SWEEP_1 and SWEEP_2 for the first two."""
    place = re.match(r"(RUN|SWEEP)(?:_(\d))?(?=/|$)", word)
    if not place:
        return word
    folders = made("result.json" if place[1] == "RUN" else "sweep.json")
    return folders[int(place[2]) - 1 if place[2] else -1] + word[place.end() :]


def agrees(on_page, printed):
    """Whether what a page shows is printed, blanks at ends of lines and the text that `...` stands for aside."""
    parts = (re.escape("\n".join(map(str.rstrip, part.split("\n")))) for part in on_page.split("..."))
    return re.search(".*?".join(parts), "\n".join(map(str.rstrip, printed.split("\n"))), flags=re.S)


def type_in(text, compared, capsys):
    for command in session(text):
        capsys.readouterr()
        status = main([in_place(word) for word in command.words])
        output = capsys.readouterr()
        assert status == command.status, (command.words, output)
        if compared and command.printed:
            streams = [output.err] if status == 2 else [output.out, output.err]  # a terminal shows both
            assert any(agrees(command.printed, stream) for stream in streams), (command.words, command.printed, output)


def execute(code, page, names, compared):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, page.name, "exec"), names)
    promised = re.findall(r"print\(.*#\s*(-?[\d.]+\d(?=\.\.\.)|True$)", code, flags=re.M) if compared else []
    printed = iter(output.getvalue().split("\n"))
    for number in promised:  # in this order, with lines of which nothing is promised between them
        assert any(line.startswith(number) for line in printed), (number, output.getvalue())


def go_through(page, quick, capsys):
    with pytest.MonkeyPatch.context() as patch:
        if quick:  # figures take longer than quick runs; the long test draws them, in workers too
            patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
            patch.setattr("pigevo.figures.portrait.plot_portrait", lambda *_: axes_or_new(None, (1, 1)))
            patch.setattr("pigevo.figures.matrices.plot_tournament", lambda *_: axes_or_new(None, (1, 1)))
            patch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))
        _go_through(page, quick, capsys)


def _go_through(page, quick, capsys):
    names = {"__name__": "__main__"}
    for block in blocks(page):
        text = block.in_quick_form if quick else block.body
        compared = not (quick and block.has_quick_form)
        if block.language == "console":
            type_in(text, compared, capsys)
        elif block.language == "python":
            execute(text, page, names, compared)
        elif block.language == "{picture}":
            execute(code_of(text), page, names, compared=False)
            assert isinstance(names.pop("drawn"), Figure | Axes | Sequence)


@pytest.fixture
def in_a_folder(tmp_path, monkeypatch):
    from pigevo.compiled.cache import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))  # workers need not compile the kernels again
    matplotlib.use("Agg")
    shutil.copytree(EXAMPLES, tmp_path / "work", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "work/games.csv").write_text(FIGURE_6)
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.syspath_prepend(tmp_path / "work")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


# Pages whose examples take more than a few seconds.
LENGTHY = {"standard_operators.md", "student.md", "gallery.md", "figures.md", "sweeps.md", "game.md", "researcher.md",
           "three_players.md", "benchmark.md"}  # fmt: skip
PAGES = [pytest.param(page, marks=pytest.mark.slow if page.name in LENGTHY else ()) for page in TO_RUN]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_example_does_what_its_page_says(page, in_a_folder, capsys):
    go_through(page, True, capsys)


@pytest.mark.long
@pytest.mark.parametrize("page", LONG, ids=lambda page: str(page.relative_to(DOCS)))
def test_long_examples_as_they_stand(page, in_a_folder, capsys):
    go_through(page, False, capsys)
