"""Everything that the README tells to type, typed; long runs in their quick form."""

import contextlib
import io
import re
import shlex
from pathlib import Path

import pytest

from pigevo.cli import main
from tests.people.played import FIGURE_6

README = Path(__file__).parents[1] / "README.md"
OWN = "# ops.py\n"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README.read_text(), flags=re.M | re.S)
INLINE = re.findall(r"`(python -m pigevo [^`]+|pigevo [a-z]+ [^`]+)`", README.read_text())


def typed():
    """The command lines of pigevo, from the blocks and from the text."""
    lines = [line for language, block in BLOCKS if not language for line in block.splitlines()]
    for line in [*lines, *INLINE]:
        if not line.strip().startswith(("python -m pigevo", "pigevo ")):
            continue
        words = shlex.split(line, comments=True)
        if words[:3] == ["python", "-m", "pigevo"]:
            yield words[3:]
        elif words[:1] == ["pigevo"]:
            yield words[1:]


def in_quick_form(words):
    """A run as `debug=fast`; a match of fewer games; a study is looked for, and its own test runs it."""
    if "--games" in words:
        words[words.index("--games") + 1] = "100"
    if words[0] == "study":
        return ["study"]
    words = [word.replace("range(0,30)", "range(0,2)") for word in words]
    if words[0].startswith("sweep="):
        words = [*words, "seed=0", "mutation=0.01", "baseline=none"]
    if "-m" in words:
        words = [*words, "baseline=none"]
    is_run = any("=" in word for word in words) and not words[0].isalpha()
    return [*words, "debug=fast"] if is_run or words[0].startswith(("experiment=", "sweep=")) else words


COMMANDS = [
    in_quick_form(words)
    for words in typed()
    if not {"RUN", "SWEEP"} & set(words) and "hydra/launcher=" not in " ".join(words)
]


def test_there_are_commands_to_type():
    assert len(COMMANDS) >= 6
    assert ["experiment=cube_random", "mutation=0.005", "debug=fast"] in COMMANDS


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_does_what_it_says(words, tmp_path, monkeypatch):
    from pigevo.compiled import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))  # workers need not compile the kernels again
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "ops.py").write_text(next(block for _, block in BLOCKS if block.startswith(OWN)))
    (tmp_path / "games.csv").write_text(FIGURE_6)
    assert main(words) == 0


def test_the_operators_that_it_shows_keep_their_laws(tmp_path, capsys):
    code = next(block for _, block in BLOCKS if block.startswith(OWN))
    (tmp_path / "ops.py").write_text(code)
    names = re.findall(r"^def (\w+)", code, flags=re.M)
    assert len(names) == 5
    for name in names:
        assert main(["check", f"{tmp_path}/ops.py:{name}"]) == 0
        assert "keeps all laws" in capsys.readouterr().out


PYTHON = [block for language, block in BLOCKS if language == "python" and not block.startswith(OWN)]


@pytest.mark.parametrize("code", PYTHON)
def test_the_python_code_prints_what_its_comments_say(code):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})
    printed = said.getvalue().split("\n")
    promised = re.findall(r"#\s*([\d.]+\d)\.\.\.", code)
    assert promised
    for number, line in zip(promised, printed, strict=False):
        assert line.startswith(number)


def test_the_game_it_shows_is_played(monkeypatch, capsys):
    (block,) = [block for _, block in BLOCKS if block.startswith("printf ")]
    line, *shown = block.splitlines()
    typed, words = (shlex.split(part, comments=True) for part in line.split(" | "))
    answers = typed[1].encode().decode("unicode_escape").encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(answers)))
    assert main(words[1:]) == 0
    assert "\n".join(shown) in capsys.readouterr().out


def test_the_settings_it_names_exist():
    from pigevo.config.schema import GROUPS
    from pigevo.settings import Settings

    table = re.search(r"\| setting \| choices \|\n.*?\n\n", README.read_text(), flags=re.S).group()
    named = re.findall(r"`(\w+)(?:\.\w+)?=", table) + re.findall(r"^\| `(\w+)`", table, flags=re.M)
    assert set(named) <= {*Settings.of().values, *GROUPS}
