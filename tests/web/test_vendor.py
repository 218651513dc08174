"""What the page has of others is what it says."""

import hashlib
import re

import pytest

from pigevo.web.site import STATIC

PLACE = STATIC / "vendor" / "three"
STATED = dict(
    reversed(line.split())
    for line in (PLACE / "README.md").read_text().splitlines()
    if re.match("[0-9a-f]{64}  ", line)
)


def test_every_file_is_stated():
    assert {path.name for path in PLACE.iterdir()} == {"README.md", *STATED}


@pytest.mark.parametrize("name", STATED)
def test_it_is_the_file_that_is_stated(name):
    assert hashlib.sha256((PLACE / name).read_bytes()).hexdigest() == STATED[name]


def code_of(path):
    """A module without the examples in its comments."""
    return re.sub(r"^ \* .*$", "", path.read_text().replace("\t", " "), flags=re.MULTILINE)


def test_its_modules_import_each_other_and_nothing_else():
    names = r'(?:from|import)\s*["\']([^"\']+)["\']'
    found = {name for path in PLACE.iterdir() if path.suffix == ".js" for name in re.findall(names, code_of(path))}
    assert found == {"./three.core.min.js", "./three.module.min.js"}
