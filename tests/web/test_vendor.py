"""What the page has of others is what it says."""

import hashlib
import re

from pigevo.web.site import STATIC

PLACE = STATIC / "vendor" / "three"
STATED = dict(
    reversed(line.split())
    for line in (PLACE / "README.md").read_text().splitlines()
    if re.match("[0-9a-f]{64}  ", line)
)


def test_every_file_is_the_one_that_is_stated():
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PLACE.iterdir()}
    assert found.pop("README.md")
    assert found == STATED


def code_of(path):
    """A module without the examples in its comments."""
    return re.sub(r"^ \* .*$", "", path.read_text().replace("\t", " "), flags=re.MULTILINE)


def test_its_modules_import_each_other_and_nothing_else():
    names = r'(?:from|import)\s*["\']([^"\']+)["\']'
    found = {name for path in PLACE.iterdir() if path.suffix == ".js" for name in re.findall(names, code_of(path))}
    assert found == {"./three.core.min.js", "./three.module.min.js"}
