"""The page of promises names tests that there are."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"


def promises():
    """The items of the page, each as its text."""
    return re.findall(r"^- (.*?)(?=^- |^#|\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def names_in(path):
    """The tests of a file, those of its classes as `Class::test`."""
    names = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
    return names


def test_each_promise_names_a_test_that_there_is():
    rows = promises()
    assert len(rows) > 20
    for promise in rows:
        places = re.findall(r"`(tests/[\w/]+\.py)::([\w:]+)`", promise)
        assert places, promise
        for path, name in places:
            assert name in names_in(path), (path, name)
