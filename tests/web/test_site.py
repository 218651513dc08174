"""The files of the page: all that it needs and nothing from elsewhere, small, and written only where it may be."""

import gzip
import json
import posixpath
import re

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.strategies.rules import parse_rule
from pigevo.studies.remembered import BEST, remembered
from pigevo.web.html import POLICY
from pigevo.web.site import CHAMPION, GAME, even_hold, page_files, page_strategies, write_site
from tests.small import one_small_game
from tests.web.page import Page

MOST = 1_000_000
"""Bytes, compressed, that a browser may need before the first game."""


@pytest.fixture(scope="module")
def files():
    return page_files()


def loaded(document):
    """The files that a document loads."""
    places = [one.get("@src") or one.get("@href") for kind in ("script", "link", "img") for one in document.all(kind)]
    return [place for place in places if not place.startswith("data:")]


IMPORTED = re.compile(
    r"""(?:import|export)\s(?:[^"';]*?\sfrom\s)?\s*"(\.[^"]+)"|import\("(\.[^"]+)"\)|new URL\("(\.[^"]+)"""
)


def imported(files, name, lazily=True):
    """The modules that one needs, with those that they need; without what it imports only when asked, unless told."""
    names = set()
    for static, later, worker in IMPORTED.findall(files[name].decode()):
        if static or worker or (lazily and later):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), static or worker or later))
            names |= {target} | (imported(files, target, lazily) if target.endswith(".js") else set())
    return names


def before_the_first_game(files):
    """What a browser loads to play against the optimum."""
    document = Page(files["index.html"].decode())
    modules = {"js/main.js", "js/tabs/play.js"}
    modules |= set().union(*(imported(files, name, lazily=False) for name in modules))
    return {"index.html", *loaded(document), *modules, "data/index.json", "data/optimal.bits"}


def test_everything_that_is_named_is_there(files):
    document = Page(files["index.html"].decode())
    assert "js/main.js" in loaded(document)
    assert set(loaded(document)) <= set(files)
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
    document = Page(files["index.html"].decode())
    (policy,) = [one["@content"] for one in document.all("meta") if one.get("@http-equiv") == "Content-Security-Policy"]
    assert policy == POLICY
    assert "default-src 'none'" in POLICY
    assert "unsafe" not in POLICY
    assert "*" not in POLICY
    assert [key for one in document.elements for key in one if key == "@style" or key.startswith("@on")] == []
    assert "<style" not in files["index.html"].decode()


@pytest.mark.parametrize("ending", [".html", ".css", ".js"])
def test_no_other_host_is_named(files, ending):
    own = [name for name in files if name.endswith(ending) and "vendor" not in name]
    assert own
    for name in own:
        text = files[name].decode().replace("http://www.w3.org/2000/svg", "")
        assert re.findall(r"(?:https?:|wss?:)?//[\w-]+\.\w+", text) == [], name


def test_source_files_are_short(files):
    own = [name for name in files if name.endswith((".js", ".css", ".html")) and "vendor" not in name]
    assert own
    for name in own:
        assert files[name].count(b"\n") < 300, name


def test_the_list_of_strategies(files):
    index = json.loads(files["data/index.json"])
    assert index["game"] == {"target": 100, "sides": 6}
    strategies = {one.id: one for one in page_strategies()}
    assert [one["id"] for one in index["strategies"]][:3] == ["optimal", "hold-at-20", "champion"]
    assert [one["id"] for one in index["strategies"]] == list(strategies)
    for entry in index["strategies"]:
        assert set(entry) == {"id", "title", "sentence", "source", "rule", "file"}
        assert entry["rule"] == strategies[entry["id"]].rule
        assert re.fullmatch("[a-z0-9-]+", entry["id"])
        bits = np.unpackbits(np.frombuffer(files[f"data/{entry['file']}"], np.uint8), count=GAME.cells)
        np.testing.assert_array_equal(bits.reshape(GAME.shape), strategies[entry["id"]].strategy.roll)


def test_the_list_of_games_is_that_of_pigevo_play(files):
    """Their rules are held to pigevo's by whole games in test_game.py."""
    listed = json.loads(files["data/index.json"])["games"]
    assert [one["name"] for one in listed] == ["pig", *(name for name in GAMES if name != "pig"), "pig_with_passing"]
    assert len({one["title"] for one in listed}) == len(listed)
    for one in listed[1:]:
        assert one["opponents"][0]["id"] == "optimal"
        assert {f"data/games/{one['name']}/{opponent['id']}.worth" for opponent in one["opponents"]} <= set(files)
        assert re.fullmatch(r"[A-Z][^`]*\.", one["sentence"])
    assert all(opponent["sentence"].endswith(".") for one in listed for opponent in one["opponents"])


def test_no_game_is_solved_before_somebody_plays_it(monkeypatch):
    """Else the page would take half a minute to start."""
    solved = []
    monkeypatch.setattr("pigevo.web.site.worth_file", lambda game, id: solved.append((str(game), id)) or b"")
    files = page_files()
    assert len(files) == len(list(files)) > 100
    assert solved == []
    assert files["data/games/piglet/hold-at.worth"] == b""
    assert solved == [("Piglet to 10", "hold-at")]


@pytest.mark.slow
def test_all_games_are_a_few_megabytes(files):
    """What a browser loads for one game is less than one."""
    sizes = [len(files[name]) for name in files if name.endswith(".worth")]
    assert max(sizes) <= 300_000
    assert sum(sizes) < 4_000_000


@pytest.mark.parametrize(("name", "n"), [("pig", 20), ("piglet", 1), ("two_dice", 19), ("ten_rounds", 20)])
def test_a_throw_at_the_even_hold_loses_as_much_as_it_adds(name, n):
    game = GAMES[name].bind({})
    assert even_hold(game) == n
    gains = sum(throw.chance * throw.points for throw in game.effective_throws if not throw.ends)
    assert game.bust * n >= gains - 1e-9 > game.bust * (n - 1)


def test_writing_it_twice(tmp_path, monkeypatch):
    one_small_game(monkeypatch)
    place, files = tmp_path / "new" / "page", page_files()
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


def test_links_are_not_followed(tmp_path, monkeypatch):
    one_small_game(monkeypatch)
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


SHOWN = {one.id: one for one in page_strategies()}


def against_the_optimum(strategy):
    return pigevo.win_probability(strategy, SHOWN["optimal"].strategy).overall


def test_the_champion_is_what_its_record_says():
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    assert against_the_optimum(SHOWN["champion"].strategy) == pytest.approx(record["overall"], abs=1e-12)
    assert record["overall"] > 0.499
    assert record["command"] == SHOWN["champion"].source


@pytest.mark.long
def test_the_champion_can_be_evolved_again(tmp_path):
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    command, *words = record["command"].split()[2:]
    assert command == "pigevo"
    run = pigevo.evolve(*words)
    assert run.result["digest"] == record["digest"]
    assert run.champion == SHOWN["champion"].strategy


def test_hold_at_25_is_the_best_of_its_kind():
    wins = {n: against_the_optimum(pigevo.hold_at(GAME, n)) for n in range(1, 101)}
    assert max(wins, key=wins.get) == 25


def test_every_strategy_is_told():
    for one in SHOWN.values():
        assert one.title[0].isupper()
        assert one.sentence.endswith(".")
        assert one.source
        assert one.strategy.game == GAME


def test_the_rules_are_the_best_that_the_study_found_and_the_published_one():
    best = {one.integers: one.rule for one in remembered(GAME, BEST)}
    ids = {1: "rule-one", 2: "rule-two", 3: "rule-three", 4: "rule-four"}
    assert {n: SHOWN[name].rule for n, name in ids.items()} == {n: best[n].text for n in ids}
    (published,) = remembered(GAME, "published")
    assert SHOWN["keep-pace"].rule == published.rule.text
    assert SHOWN["keep-pace"].strategy == pigevo.keep_pace_and_end_race(GAME)
    for one in (one for one in SHOWN.values() if one.rule):
        assert one.sentence == parse_rule(one.rule).sentence
        assert one.strategy == parse_rule(one.rule).strategy(GAME)
