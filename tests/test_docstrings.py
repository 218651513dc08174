"""The example in the docstring of every public name runs, and prints what it says."""

import doctest
import importlib
import inspect

import pytest

import pigevo
from pigevo import benchmark, matrix_games, people, three_player

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
