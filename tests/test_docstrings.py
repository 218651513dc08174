"""The examples in the docstrings of public names, and of all that is registered, run and print what they say."""

import ast
import doctest
import importlib
import inspect
from operator import attrgetter
from pathlib import Path

import pytest

import pigevo
from pigevo import people, three_player
from pigevo.experiments import benchmark
from pigevo.settings.schema import GROUPS, registry_of
from pigevo.strategies import STRATEGIES

RUNS = {"load_sweep", "sweep", "compare", "benchmark", "optimal"}
"""Those that take more than half a second."""

SLOW = {"tune", "selection_pressure", "simple_rule_against"}
"""The same for internal names."""

NAMES = [
    pytest.param(module.__name__, name, marks=pytest.mark.slow if name in RUNS else ())
    for module in (pigevo, three_player, benchmark)
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) or inspect.isroutine(getattr(module, name))
] + [("pigevo.dice", "Draw"), ("pigevo.tournaments", "dominated"), ("pigevo.tournaments", "eliminate")]
NAMES += [
    ("pigevo.people", name) for name in people.__all__ if "Example:" in (inspect.getdoc(getattr(people, name)) or "")
]

REGISTERED = [
    entry.function
    for registry in (STRATEGIES, *map(registry_of, GROUPS))
    for entry in map(registry.__getitem__, registry)
]
NAMES += sorted(
    {(function.__module__, function.__qualname__) for function in REGISTERED if "Example:" in (function.__doc__ or "")}
    - {("pigevo.games.pig", "Pig"), ("pigevo.games.race", "Piglet")}
)  # public names, too


PACKAGE = Path(pigevo.__file__).parent


def with_examples(nodes, before=""):
    """The qualified names of functions, classes and methods whose docstrings have examples."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if ">>>" in (ast.get_docstring(node) or ""):
                yield before + node.name
            if isinstance(node, ast.ClassDef):
                yield from with_examples(node.body, f"{before}{node.name}.")


def internal():
    """The examples that no list above has: methods, and functions without a public name."""
    listed = set()
    for home, name in (getattr(case, "values", case) for case in NAMES):
        public = getattr(importlib.import_module(home), name)
        listed.add((public.__module__, public.__qualname__))
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(PACKAGE).parts[0] not in ("conf", "experiments") and ">>>" in text:
            home = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
            names = with_examples(ast.parse(text).body)
            yield from ((home, name) for name in names if (home, name) not in listed)


@pytest.mark.parametrize(("home", "name"), NAMES)
def test_the_example_of_a_public_name_prints_what_it_says(home, name, tmp_path, monkeypatch):
    if name == "to_openspiel":
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestFinder(recurse=False).find(getattr(importlib.import_module(home), name), name, globs={})
    output: list[str] = []
    runner = doctest.DocTestRunner()
    done = [runner.run(test, out=output.append) for test in examples]
    assert sum(result.attempted for result in done) > 1
    assert not sum(result.failed for result in done), "".join(output)


INTERNAL = [pytest.param(*case, marks=pytest.mark.slow if case[1] in SLOW else ()) for case in internal()]


@pytest.mark.parametrize(("home", "name"), INTERNAL)
def test_the_example_of_an_internal_name_prints_what_it_says(home, name, tmp_path, monkeypatch):
    """In the names of its module, where its readers find it."""
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(home)
    examples = doctest.DocTestFinder(recurse=False).find(attrgetter(name)(module), name, globs=dict(vars(module)))
    output: list[str] = []
    runner = doctest.DocTestRunner()
    done = [runner.run(test, out=output.append) for test in examples]
    assert sum(result.attempted for result in done) > 0
    assert not sum(result.failed for result in done), "".join(output)
