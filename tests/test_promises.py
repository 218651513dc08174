"""The page of promises names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "promises.md"


def test_each_promise_names_a_test_that_exists():
    promises = re.findall(r"^- (.*?)(?=^- |^#|\Z)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(promises) > 20
    for promise in promises:
        tests = re.findall(r"`((?:experiments/\w+/)?tests/[\w/]+\.py)::([\w:]+)`", promise)
        assert tests, promise
        for path, names in tests:
            source = (ROOT / path).read_text(encoding="utf-8")
            for name in names.split("::"):  # a class and its method, or a function
                assert re.search(rf"^ *(def|class) {name}\b", source, re.MULTILINE), (path, names)
