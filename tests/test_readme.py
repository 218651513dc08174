"""The README: every command is run and prints what the README shows."""

import re
import shlex

import pytest

import pigevo
from pigevo.cli import main
from pigevo.cli.commands import command_names
from pigevo.settings.settings import Settings
from tests.docs.pages import DOCS, blocks
from tests.docs.test_examples import go_through, in_a_folder, type_in  # noqa: F401

README = DOCS.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


@pytest.fixture
def with_ops(in_a_folder):  # noqa: F811
    """A folder with the file that the README writes."""
    (code,) = (block.body for block in blocks(README) if block.language == "py")
    with open("ops.py", "w") as file:
        file.write(code)


def test_every_command_and_number(with_ops, capsys):
    """Long commands are run in a quick form, and compared by the tests below."""
    go_through(README, True, capsys)


def test_the_first_run_has_the_figures_of_the_text():
    run = pigevo.evolve("cube_random", mutation=0.005, baseline="none")
    result = run.result
    assert f"The champion wins {100 * result['champion']['overall']:.1f} % against the optimal strategy" in TEXT
    assert (
        f"best in generation {result['peak_generation']} of 300, when\nit won {100 * result['peak_mean']:.1f} %" in TEXT
    )
    assert f"it has lost {100 * (result['peak_mean'] - result['last_mean']):.1f} points since" in TEXT


def test_the_lesson_of_the_first_run_is_that_of_thirty_seeds():
    table = (DOCS.parent / "experiments/exeter2016/answers.md").read_text(encoding="utf-8")
    numbers = r"0(\.\d{4}) \(0(\.\d{4}) to 0(\.\d{4})\)"
    row = re.search(rf"^\| 0\.005 \| 30 \| {numbers} \| .* \| {numbers} \| {numbers} \| 30 \|$", table, flags=re.M)
    first, _, _, last, unluckiest, _, champion, low, high = row.groups()
    assert f"are {first} at the end of cuboids\nof 20 and {last} at the end" in TEXT
    assert f"| nothing | {unluckiest} |" in TEXT  # seed 0
    assert f"the median champion wins {champion} ({low} to {high})" in TEXT


@pytest.mark.slow
def test_the_first_run_and_random_search_print_what_it_shows(with_ops, capsys):
    first = next(block for block in blocks(README) if block.language == "console")
    type_in(first.body, True, capsys)


@pytest.mark.long
def test_every_command_and_number_as_it_stands(with_ops, capsys):
    go_through(README, False, capsys)


def test_every_command_of_the_text_exists():
    assert len([block for block in blocks(README) if block.language in ("console", "python")]) >= 6
    assert set(re.findall(r"(?:`|^)pigevo ([a-z][\w-]*)", TEXT, flags=re.M)) <= set(command_names())


def test_interactive_commands_exist():
    """Commands that play or serve have their help."""
    (text,) = (block.body for block in blocks(README) if block.language == "sh" and "pigevo p" in block.body)
    for line in text.splitlines():
        name, *_ = shlex.split(line, comments=True)[1:]
        assert main([name, "--help"]) == 0


@pytest.mark.long
def test_the_table_of_changes_is_reproduced(with_ops, capsys):
    rows = re.findall(r"^\| (nothing|`[^|]*`)(?: \([^|]*\))? \| (\.\d+) \| (\.\d+) \|$", TEXT, flags=re.M)
    assert len(rows) == 3
    for words, population, champion in rows:
        more = [] if words == "nothing" else words.strip("`").split()
        assert main(["experiment=cube_random", "mutation=0.005", "baseline=none", *more]) == 0
        output = capsys.readouterr().out
        assert f"champion       wins 0{champion} " in output
        assert re.search(rf"; 0{population} in generation 300, the last", output)


def test_every_link_leads_somewhere():
    for place in re.findall(r"\]\((?!https?:)([^)]+)\)", TEXT):
        assert (README.parent / place).exists(), place


def test_the_experiments_have_the_described_configs():
    """The fitness, replacement and mutator of each; `coevolve` alone has no access to the optimum."""
    composed = {name: Settings.of(name) for name in ("cube_random", "rediscover", "coevolve")}
    fitness = {name: settings.choices["fitness"].name for name, settings in composed.items()}
    assert fitness == {"cube_random": "games", "rediscover": "exact_vs_optimal", "coevolve": "archive"}
    for name in ("rediscover", "coevolve"):
        chosen = composed[name].choices
        assert chosen["replacement"].name == "survivors_and_offspring", "parents stay"
        assert chosen["mutator"].name == "self_adapting", "moves of the boundary"
    text = " ".join(TEXT.split())
    assert "its fitness is the referee's own figure, the exact win probability against the optimum" in text
    assert "The experiment `coevolve` has no access to the optimum" in text
