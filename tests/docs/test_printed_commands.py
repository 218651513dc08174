"""Every command that is printed anywhere is accepted: it names commands, options, studies and settings that exist.

It is parsed, and its settings are composed and checked; nothing is run. Examples of `docs/` are also run elsewhere.
"""

import re
import shlex

import click
import pytest
from matplotlib.figure import Figure

from pigevo.cli import main
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.options import as_flags, build_game, options_of_games, read_strategy
from pigevo.cli.setting_words import check_words, parse
from pigevo.experiments import load_study
from pigevo.games import GAMES
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.strategies import STRATEGIES
from pigevo.sweeps.run_sweep import combinations
from tests.docs.pages import DOCS

ROOT = DOCS.parent
TEXTS = sorted({
    *ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("experiments/**/*.md"), *ROOT.glob("experiments/*/*.py"),
    *ROOT.glob("conf/**/*.yaml"), *ROOT.glob("experiments/**/*.yaml"), *ROOT.glob("pigevo/**/*.py"),
} - {ROOT / "CHANGELOG.md"})  # fmt: skip

TYPED = re.compile(r"(?:python -m )?\bpigevo(?= )")
OPEN = re.compile(r"\.\.\.|[<>{}|…]|(?:^|[ =/:])[A-Z][A-Z_]+\b")
"""Of a command that says how one is written: it has a place for something, such as RUN."""


OF_A_PAGE = "keep_five"
"""The name of a game that a page adds."""


def commands_of(text, is_prose):
    """The words typed after `pigevo`: between backquotes, or alone on a line (of prose in a block), up to a comment."""
    text = re.sub(r"\\\n\s*", "", text)
    for found in re.findall(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)", text):
        yield re.sub(r"\s*\n\s*(?:# )?", " ", found)
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        typed = re.match(r"(\s*)(?:# |\$ )?((?:python -m )?pigevo .*)", line)
        if typed and (not is_prose or fenced or len(typed[1]) >= 4):
            yield re.split(r"\s+#|\s{4,}", typed[2])[0].rstrip(".,;")


def printed():
    """Every printed command with the file where it stands first."""
    found = {}
    for path in TEXTS:
        for line in commands_of(path.read_text(encoding="utf-8"), path.suffix == ".md"):
            if TYPED.match(line) and not OPEN.search(line) and OF_A_PAGE not in line:
                found.setdefault(line, path.relative_to(ROOT))
    return [pytest.param(line, id=f"{path}: {line}") for line, path in found.items()]


def accept_command(name, words):
    """Parse the words of a command; without arguments, or with an option without its value, they only name it."""
    command = load_command(name)
    options = {word: one for one in command.params if isinstance(one, click.Option) for word in one.opts}
    assert {word for word in words if word.startswith("--")} <= {*options, "--help"}
    last = options.get(words[-1]) if words else None
    if last and not last.is_flag and last.nargs == 1:
        words = words[:-1]
    if any(not word.startswith("-") for word in words):
        words = as_flags(words) if "--allow-pass" in options else words
        context = command.make_context(f"pigevo {name}", words)
        if "--allow-pass" in options:
            accept_strategies(command, context.params)


def accept_strategies(command, values):
    """Make the named strategies that a command gets in its game, which may not let them pass."""
    options = {name: values[name] for name in options_of_games() if values[name] is not None}
    words = [values[one.name] for one in command.params if isinstance(one, click.Argument)]
    for word in (word for given in words for word in ([given] if isinstance(given, str) else given or ())):
        if word.partition(":")[0] in STRATEGIES and ".." not in word and values["game"] in GAMES:
            read_strategy(word, build_game(values["game"], options))


def accept_settings(words):
    """Compose and check the settings of a run, or the first and the last run of a sweep, without users' files."""
    arguments = parse(words)
    check_words(arguments.overrides)
    own = {word.partition("=")[0] for word in arguments.overrides if ".py" in word}
    given = [word for word in arguments.overrides if not any(re.match(rf"{key}[.=]", word) for key in own)]
    if arguments.multirun:
        parts = combinations(given)
        for part in (parts[0], parts[-1]):
            accepted(part)
    else:
        accepted(given)


def accepted(words):
    composed = Composer()(words)
    assert Settings.read(composed.values, composed.typed, composed.base, written=composed.written).plan


@pytest.mark.parametrize("line", printed())
def test_every_printed_command_is_accepted(line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(TYPED.sub("", line, count=1))
    if words[0] == "study":
        study = load_study(words[1])
        for name in ("run", "run_full"):
            if hasattr(study, name):
                monkeypatch.setattr(study, name, lambda *_: None)
        for figure in getattr(study, "SINGLE_FIGURES", {}):
            monkeypatch.setitem(study.SINGLE_FIGURES, figure, lambda *_: Figure((1, 1)))
        monkeypatch.setattr("pigevo.experiments.load_study", {words[1]: study}.get)
        assert main(words) == 0
    elif words[0] in command_names():
        accept_command(words[0], words[1:])
    elif not {"--help", "--version"} & set(words):
        accept_settings(words)


@pytest.mark.parametrize(("name", "seeds", "status"), [("bonnet2018", 1, 0), ("tuning", 1, 2), ("tuning", 2, 0)])
def test_a_study_that_compares_seeds_needs_two(name, seeds, status, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    study = load_study(name)
    monkeypatch.setattr(study, "run", lambda *_: None)
    monkeypatch.setattr("pigevo.experiments.load_study", {name: study}.get)
    assert main(["study", name, "--seeds", str(seeds)]) == status
    assert ("needs --seeds 2 or more" in capsys.readouterr().err) == bool(status)
