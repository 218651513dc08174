"""What the documentation has to say: nothing that has a name is left out, and every example file is told of."""

import ast
import importlib
import pkgutil
import re

import pytest

import pigevo.figures
from pigevo.cli import main
from pigevo.experiments import study_names
from pigevo.games import GAMES
from tests.docs.pages import DOCS, EXAMPLES, PAGES, blocks

EXAMPLE_FILES = sorted(EXAMPLES.glob("*.py"))
TEXT = {page: page.read_text() for page in PAGES}


def plotting():
    """The functions of the package that draw figures."""
    for module in pkgutil.iter_modules(pigevo.figures.__path__):
        home = f"pigevo.figures.{module.name}"
        names = vars(importlib.import_module(home))
        yield from (n for n, one in names.items() if n.startswith("plot_") and one.__module__ == home)


def test_the_gallery_shows_every_figure():
    pictures = [block.body for block in blocks(DOCS / "gallery.md") if block.language == "{picture}"]
    assert [name for name in plotting() if not any(re.search(rf"\b{name}\(", code) for code in pictures)] == []


def test_every_example_file_is_shown_on_a_page():
    text = "".join(TEXT.values())
    assert [file.name for file in EXAMPLE_FILES if f"../examples/{file.name}\n" not in text] == []


def test_what_only_the_site_has_is_linked_or_told_where_the_source_is_read():
    """Elsewhere, as where a repository is browsed, an included file is an empty block, and a comment nothing."""
    for page, text in TEXT.items():
        for found in re.finditer(r"^```\{(?:literal)?include\} (\S+)", text, re.MULTILINE):
            assert f"]({found[1]})" in text[: found.start()].rstrip().rpartition("\n")[2], (page, found[1])
        for line in re.findall("^.*<!-- generated: ", text, re.MULTILINE):
            assert line.partition("<")[0].strip(), page


NO_OPERATORS = {"KeepFive", "OneCommaTen", "Deap", "Pymoo", "spread", "to_json", "to_mlflow", "knows_the_round"}
NO_OPERATORS |= {"strategy_of", "loss", "by_cma", "by_optuna", "by_pymoo"}
"""A game, algorithms of the benchmark, what is called with each generation, a rule for a game of rounds, and what calls other optimisers."""


def operators():
    """What `pigevo check` can try of the examples, and whether it keeps the laws."""
    for file in EXAMPLE_FILES:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name not in NO_OPERATORS:
                yield f"{file.name}:{node.name}", 1 if file.name == "forgetful.py" else 0


@pytest.mark.parametrize(("reference", "status"), list(operators()))
def test_the_operators_of_the_examples_keep_the_laws(reference, status, monkeypatch, capsys):
    monkeypatch.chdir(EXAMPLES)
    assert main(["check", reference]) == status


def test_pigevo_is_typed_in_no_block_that_is_not_run():
    for page in PAGES:
        for block in blocks(page):
            if block.language in ("sh", "") and page.name not in ("clusters.md", "promises.md", "architecture.md"):
                typed = [line for line in block.body.splitlines() if re.search(r"\bpigevo \w|-m pigevo", line)]
                assert all("pigevo play" in line for line in typed), (page, typed)  # a game needs a player


def test_a_page_says_nothing_of_a_block_that_it_does_not_have():
    for page, text in TEXT.items():
        comments = text.count("<!-- quick")
        assert comments == sum(block.has_quick_form for block in blocks(page)), page


TABLE = dict(re.findall(r"^\| `(\w+)` \|.*\| (\.\d{4}) \|$", TEXT[DOCS / "explanation/game.md"], flags=re.M))
SOLVED_AT_ONCE = {"pig", "piglet", "ten_rounds"}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in SOLVED_AT_ONCE else pytest.mark.slow) for n in TABLE]
)
def test_the_table_of_games_says_what_moving_first_is_worth(name):
    assert SOLVED_AT_ONCE <= set(TABLE) <= set(GAMES)
    assert f"{pigevo.optimal(GAMES[name].bind({})).value:.4f}" == f"0{TABLE[name]}"


def test_every_study_is_told_of():
    studies = re.findall(r"^\| `(\w+)` \|", TEXT[DOCS / "how_to/studies.md"], flags=re.M)
    assert sorted(studies) == sorted(study_names())
