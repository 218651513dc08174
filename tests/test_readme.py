"""The README: every command is run and prints what the README shows."""

import csv
import re
import shlex

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.cli.commands import command_names
from pigevo.core.intervals import mean_interval
from pigevo.experiments import experiments_folder
from pigevo.experiments.common.tables import read_sections
from pigevo.settings.settings import Settings
from tests.docs.pages import DOCS, blocks
from tests.docs.test_pages import go_through, in_a_folder, type_in  # noqa: F401

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
    assert f"{result['last_mean']:.4f}" == "0.2180"
    assert f"it has lost {100 * (result['peak_mean'] - result['last_mean']):.1f} percentage points since" in TEXT


def test_the_lesson_of_the_first_run_is_that_of_thirty_seeds():
    table = read_sections(experiments_folder() / "exeter2016")["answers"]
    numbers = r"0(\.\d{4}) \(0(\.\d{4}) to 0(\.\d{4})\)"
    row = re.search(rf"^\| 0\.005 \| 30 \| {numbers} \| .* \| {numbers} \| {numbers} \| 30 \|$", table, flags=re.M)
    first, _, _, last, lowest, *_ = row.groups()
    assert lowest == ".2180"  # seed 0, see above
    medians = f"are {100 * float(first):.1f} % at the end of cubes of 20 and {100 * float(last):.1f} % at the end"
    assert medians in " ".join(TEXT.split())


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


def first_results():
    """The runs of thirty fresh seeds, by fitness and replacement: a column of `first_result.csv` as an array."""
    path = DOCS.parent / "experiments/exeter2016/first_result.csv"
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows, {
        (fitness, replacement): {
            name: np.array([float(row[name]) for row in rows
                            if (row["fitness"], row["replacement"]) == (fitness, replacement) and row[name]])
            for name in ("champion", "population", "search_20")
        }
        for fitness, replacement in ((row["fitness"], row["replacement"]) for row in rows)
    }  # fmt: skip


def with_interval(values):
    low, high = mean_interval(values)
    return tuple(f"{x:.4f}".removeprefix("0") for x in (values.mean(), low, high))


def in_percent(values):
    return tuple(f"{100 * x:.1f}" for x in (values.mean(), *mean_interval(values)))


def test_the_figures_of_thirty_fresh_seeds_are_those_of_their_table():
    _, results = first_results()
    text = " ".join(TEXT.split())
    first = results["games", "offspring"]
    mean, low, high = in_percent(first["champion"])
    assert f"the champion wins {mean} % on average (95 % interval {low} to {high})" in text
    mean, low, high = in_percent(first["search_20"])
    assert f"random search with cubes of 20 wins {mean} % ({low} to {high})" in text
    wins = int((first["champion"] > first["search_20"]).sum())
    assert f"evolution wins more in {wins} of the {len(first['champion'])}." in text
    shown = re.findall(
        r"^\| (?:nothing|`[^|]*`)(?: \([^|]*\))? \| (\.\d+ \([^|]*\)) \| (\.\d+ \([^|]*\)) \|$", TEXT, flags=re.M
    )
    expected = [
        tuple("{} ({} to {})".format(*with_interval(results[key][name])) for name in ("population", "champion"))
        for key in (("games", "offspring"), ("exact", "offspring"), ("exact", "survivors_and_offspring"))
    ]
    assert shown == expected


@pytest.mark.slow
def test_a_run_of_the_table_gives_its_row_again():
    rows, _ = first_results()
    for row in rows[::30]:
        chosen = {name: row[name] for name in ("fitness", "replacement")}
        result = pigevo.evolve("cube_random", mutation=0.005, baseline="none", seed=int(row["seed"]), **chosen).result
        assert (f"{result['champion']['overall']:.6f}", f"{result['last_mean']:.6f}") == (
            row["champion"],
            row["population"],
        )


def test_every_link_leads_somewhere():
    for place in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", TEXT):
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
