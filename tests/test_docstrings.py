"""The examples in the docstrings of public names, and of all that is registered, run and print what they say."""

import doctest
import importlib
import inspect

import pytest

import pigevo
from pigevo import benchmark, matrix_games, people, three_player
from pigevo.settings.schema import GROUPS, registry_of
from pigevo.strategies import STRATEGIES

RUNS = {"load_sweep", "sweep", "compare", "benchmark", "optimal"}
"""Those that take more than half a second."""

NAMES = [
    pytest.param(module.__name__, name, marks=pytest.mark.slow if name in RUNS else ())
    for module in (pigevo, three_player, matrix_games, benchmark)
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) or inspect.isroutine(getattr(module, name))
] + [("pigevo.dice", "Draw")]
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
    - {("pigevo.games.pig", "Pig"), ("pigevo.games.piglet", "Piglet")}
)  # public names, too


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
