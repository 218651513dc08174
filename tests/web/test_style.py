"""Colours that can be read, in the light and in the dark; what the page has of others is what it says."""

import hashlib
import re

from pigevo.web.site import STATIC, page_files
from tests.web.page import contrast

READABLE = 4.5
"""The least contrast of text (WCAG 2.1, 1.4.3)."""

PAIRS = [
    *[(text, ground) for text in ("ink", "soft", "mine", "theirs", "bad", "good", "accent") for ground in ("paper", "card")],
    ("on-accent", "accent"), ("ink", "tint"),
]  # fmt: skip


SEEN = 3
"""The least contrast of what is no text (1.4.11): edges of what can be set, the bars of scores, the fields of a slice."""

EDGES = [
    ("edge", "paper"), ("edge", "card"), ("mine", "line"), ("theirs", "line"),
    ("roll", "hold"), ("other-rolls", "hold"), ("other-rolls", "mark"),
]  # fmt: skip


def schemes():
    """The variables of the light scheme, and of the dark one."""
    text = page_files()["style.css"].decode()
    blocks = re.findall(r":root\s*{(.*?)}", text, re.DOTALL)
    light = dict(re.findall(r"--([\w-]+):\s*(#\w{6})", blocks[0]))
    return {"light": light, "dark": light | dict(re.findall(r"--([\w-]+):\s*(#\w{6})", blocks[1]))}


def test_text_can_be_read():
    colours_of = schemes()
    assert colours_of["light"]["paper"] != colours_of["dark"]["paper"]
    for name, colours in colours_of.items():
        low = [pair for pair in PAIRS if contrast(*(colours[part] for part in pair)) < READABLE]
        assert low == [], name


def test_edges_and_fields_can_be_seen():
    for name, colours in schemes().items():
        colours["mark"] = "#ffffff"
        low = [pair for pair in EDGES if contrast(*(colours[part] for part in pair)) < SEEN]
        assert low == [], name


PLACE = STATIC / "vendor" / "three"


def test_files_of_others_are_those_that_are_stated():
    stated = re.findall("^([0-9a-f]{64})  (.*)$", (PLACE / "README.md").read_text(), re.MULTILINE)
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in PLACE.iterdir()}
    assert hashes.pop("README.md")
    assert hashes == {name: digest for digest, name in stated}


def code_of(path):
    """A module without the examples in its comments."""
    return re.sub(r"^ \* .*$", "", path.read_text().replace("\t", " "), flags=re.MULTILINE)


def test_modules_of_others_import_each_other_and_nothing_else():
    names = r'(?:from|import)\s*["\']([^"\']+)["\']'
    modules = {name for path in PLACE.iterdir() if path.suffix == ".js" for name in re.findall(names, code_of(path))}
    assert modules == {"./three.core.min.js", "./three.module.min.js"}


def test_paper_is_light():
    styles = [path.read_text() for path in STATIC.parent.rglob("*.css")]
    dark = [rule for text in styles for rule in re.findall(r"@media ([^{]*prefers-color-scheme: dark[^{]*) {", text)]
    assert dark == ["screen and (prefers-color-scheme: dark)"] * 2
