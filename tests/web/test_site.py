"""The files of the page: all that it needs and nothing from elsewhere, small, and written only where it may be."""

import gzip
import json
import posixpath
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.web.html import POLICY
from pigevo.web.site import GAME, page_files, shown_strategies, write_site

MOST = 1_000_000
"""Bytes, compressed, that a browser may need before the first game."""


@pytest.fixture(scope="module")
def files():
    return page_files()


class Links(HTMLParser):
    """What a document loads, and its policy."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.policy, self.inline = [], None, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in ("script", "link", "img") and not attributes.get("href", "").startswith("data:"):
            self.loaded.append(attributes.get("src") or attributes.get("href"))
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.inline += [name for name in attributes if name == "style" or name.startswith("on")]


IMPORTED = re.compile(
    r"""(?:import|export)\s(?:[^"';]*?\sfrom\s)?\s*"(\.[^"]+)"|import\("(\.[^"]+)"\)|new URL\("(\.[^"]+)"""
)


def imported(files, name, lazily=True):
    """The modules that one needs, with those that they need; without what it imports only when asked, unless told."""
    found = set()
    for static, later, worker in IMPORTED.findall(files[name].decode()):
        if static or worker or (lazily and later):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), static or worker or later))
            found |= {target} | (imported(files, target, lazily) if target.endswith(".js") else set())
    return found


def before_the_first_game(files):
    """What a browser loads to play against the optimum."""
    document = Links(files["index.html"].decode())
    modules = {"js/main.js", "js/tabs/play.js"}
    modules |= set().union(*(imported(files, name, lazily=False) for name in modules))
    return {"index.html", *document.loaded, *modules, "data/index.json", "data/optimal.bits"}


def test_everything_that_is_named_is_there(files):
    document = Links(files["index.html"].decode())
    assert "js/main.js" in document.loaded
    assert set(document.loaded) <= set(files)
    reached = imported(files, "js/main.js")
    assert {f"js/tabs/{tab}.js" for tab in ("play", "look", "watch", "draw")} <= reached
    assert {name for name in reached if name.endswith(".js")} <= set(files)


def test_no_file_is_left_over(files):
    modules = {name for name in files if name.startswith("js/") and "vendor" not in name}
    assert modules == {"js/main.js", *(name for name in imported(files, "js/main.js") if name.endswith(".js"))} - {
        name for name in imported(files, "js/main.js") if "vendor" in name
    }


def test_nothing_is_imported_in_vain(files):
    for name in (name for name in files if name.startswith("js/")):
        text = files[name].decode()
        for names in re.findall(r"^import {([^}]*)} from", text, re.M):
            for one in (word.split(" as ")[-1].strip() for word in names.split(",") if word.strip()):
                assert len(re.findall(rf"\b{one}\b", text)) > 1, (name, one)


def test_it_is_small_before_the_first_game(files):
    needed = before_the_first_game(files)
    assert len(needed) > 15
    assert sum(len(gzip.compress(files[name], 6)) for name in needed) < MOST


def test_the_document_carries_the_policy_and_nothing_that_it_forbids(files):
    document = Links(files["index.html"].decode())
    assert document.policy == POLICY
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert document.inline == []
    assert "<style" not in files["index.html"].decode()


@pytest.mark.parametrize("ending", [".html", ".css", ".js"])
def test_no_other_host_is_named(files, ending):
    own = [name for name in files if name.endswith(ending) and "vendor" not in name]
    assert own
    for name in own:
        text = files[name].decode().replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"(?:https?:|wss?:)?//[\w-]+\.\w+", text) == [], name


def test_source_files_are_short(files):
    for name, content in files.items():
        if name.endswith((".js", ".css", ".html")) and "vendor" not in name:
            assert content.count(b"\n") < 300, name


def test_the_list_of_strategies(files):
    index = json.loads(files["data/index.json"])
    assert index["game"] == {"target": 100, "sides": 6}
    shown = {one.id: one for one in shown_strategies()}
    assert [one["id"] for one in index["strategies"]][:3] == ["optimal", "hold-at-20", "champion"]
    assert [one["id"] for one in index["strategies"]] == list(shown)
    for entry in index["strategies"]:
        assert set(entry) == {"id", "title", "sentence", "source", "rule", "file"}
        assert entry["rule"] == shown[entry["id"]].rule
        assert re.fullmatch("[a-z0-9-]+", entry["id"])
        bits = np.unpackbits(np.frombuffer(files[f"data/{entry['file']}"], np.uint8), count=GAME.cells)
        np.testing.assert_array_equal(bits.reshape(GAME.shape), shown[entry["id"]].strategy.roll)


def test_writing_it_twice(tmp_path, files):
    place = tmp_path / "new" / "page"
    first = write_site(place)
    assert {path.relative_to(place).as_posix(): path.read_bytes() for path in first} == files
    (place / "CNAME").write_text("of the host")
    (place / "index.html").write_text("old")
    write_site(place)
    assert (place / "index.html").read_bytes() == files["index.html"]
    assert (place / "CNAME").read_text() == "of the host"
    assert not list(place.rglob("*.partial"))


def test_folders_of_others_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match=r"not empty \(thesis.tex\) and not the folder of a page"):
        write_site(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_links_are_not_followed(tmp_path):
    place, other = tmp_path / "page", tmp_path / "other"
    write_site(place)
    other.mkdir()
    (place / "style.css").unlink()
    (place / "style.css").symlink_to(other / "style.css")
    with pytest.raises(InputError, match="is a link"):
        write_site(place)
    assert list(other.iterdir()) == []


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "page").write_text("")
    with pytest.raises(InputError, match="cannot be"):
        write_site(tmp_path / "page")
