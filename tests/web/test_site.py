"""What the page is made of: elements, drawings and colours, its files and none from elsewhere, and the server of them."""

import base64
import gzip
import hashlib
import http.client
import io
import json
import posixpath
import re
import shutil
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES, Pig
from pigevo.strategies.rules import parse_rule
from pigevo.strategies.rules.reading import known_rules
from pigevo.web import site
from pigevo.web.drawing import drawn, picture, pixels, svg
from pigevo.web.html import COLUMNS, HEADERS, POLICY, Html, document, join, note, setting_name, table, tag
from pigevo.web.serve import PageServer
from pigevo.web.site import CHAMPION, GAME, STATIC, page_files, page_strategies, write_site
from tests.small import one_small_game
from tests.web.page import Page, contrast, refuse_outside


@pytest.mark.parametrize(
    ("element", "text"),
    [
        (tag("p", "a < b & ", tag("b", "c"), ["d", ["e"]]), "<p>a &lt; b &amp; <b>c</b>de</p>"),
        (tag("img", alt='"><script>', hidden=True, id=None), '<img alt="&quot;&gt;&lt;script&gt;" hidden>'),
        (tag("b", for_="a", class_="b", aria_hidden="true"), '<b for="a" class="b" aria-hidden="true"></b>'),
        (tag("img", checked=False), "<img>"),
        (join(["\x1b[2J", Html("<br>")]), "\\x1b[2J<br>"),
        (
            setting_name("a=1,b=<2>"),
            '<code><span class="whole">a=1</span>,<wbr><span class="whole">b=&lt;2&gt;</span></code>',
        ),
        (note("say `pigevo <x>` or ` not"), '<p class="note">say <code>pigevo &lt;x&gt;</code> or ` not</p>'),
    ],
)
def test_texts_are_escaped_and_elements_are_not(element, text):
    assert element == text


def test_a_table_aligns_words_and_numbers():
    page = Page(table(["a", "b"], [["x", "1"]], "caption"))
    assert page.rows("caption") == [["a", "b"], ["x", "1"]]
    assert [cell.get("@class") for cell in page.all("td")] == [None, "n"]
    assert [cell["@scope"] for cell in page.all("th")] == ["col", "col"]


def test_code_that_would_end_its_element_is_refused():
    with pytest.raises(ValueError, match="ends its own element"):
        document("t", "", "p{}</style><script>1</script>")


def figure(text):
    with drawn():
        axes = Figure(layout="constrained").subplots()
        axes.plot([0, 1, 2], [1, 3, 2], "o-", label=text)
        axes.axhline(2, color="k")
        axes.legend()
        return axes.figure


def test_drawings_share_no_names_and_follow_the_colours_of_the_page():
    text = '<b>&"$x^2$ url(#a)'
    first, second = (svg(figure(text), name, f"of {name}") for name in ("one", "two"))
    page = Page(document("t", [tag("label", for_="x"), tag("p", id="x"), first, second], "p{}", "1").decode())
    refuse_outside(page)
    assert text in [part["text"] for part in page.all("text")]
    assert 'stroke="currentColor"' in first
    assert not {part for part in ("#000", "http", "style=") if part in first}
    assert first == svg(figure(text), "one", "of one")
    assert len(page.all("use")) > 4


def image_of(source):
    return Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2])))


def test_a_picture_has_its_size_and_no_date():
    (element,) = Page(picture(figure("x"), "what it shows", 50)).all("img")
    image = image_of(element["@src"])
    assert (str(image.width), str(image.height)) == (element["@width"], element["@height"])
    assert image.info.keys() <= {"dpi"}
    assert element["@alt"] == "what it shows"


def test_dots_keep_their_colours():
    colours = np.array([[[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [1, 1, 1]]], dtype=float)
    assert (np.array(image_of(pixels(colours)).convert("RGB")) == colours * 255).all()


def test_cells_of_a_table_of_many_columns_say_their_heads_on_a_narrow_screen():
    heads = ["setting", tag("b", "axis"), *(f"head {n}" for n in range(COLUMNS - 1))]
    cells = Page(str(table(heads, [["cell"] * len(heads)]))).all("td")
    assert [cell.get("@data-head") for cell in cells] == ["setting", None, *heads[2:]]
    few = Page(str(table(heads[:1] * COLUMNS, [["cell"] * COLUMNS])))
    assert not any("@data-head" in cell for cell in few.all("td"))


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


MOST = 1_000_000
"""Bytes, compressed, that a browser may need before the first game."""

STRATEGIES = {strategy.id: strategy for strategy in page_strategies()}


@pytest.fixture(scope="module")
def files():
    return page_files()


def loaded(document):
    """The files that a document loads."""
    elements = [element for kind in ("script", "link", "img") for element in document.all(kind)]
    places = [element.get("@src") or element.get("@href") for element in elements]
    return [place for place in places if not place.startswith("data:")]


IMPORTED = re.compile(
    r"""(?:import|export)\s(?:[^"';]*?\sfrom\s)?\s*"(\.[^"]+)"|import\("(\.[^"]+)"\)|new URL\("(\.[^"]+)"""
)


def imported(files, name, lazily=True):
    """The modules that a module needs, with those that they need; those that it imports only at need only if wanted."""
    names = set()
    for static, later, worker in IMPORTED.findall(files[name].decode()):
        if static or worker or (lazily and later):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), static or worker or later))
            names |= {target} | (imported(files, target, lazily) if target.endswith(".js") else set())
    return names


def own(files, *endings):
    """The names of the page's own files with one of these endings."""
    return [name for name in files if name.endswith(endings) and "vendor" not in name]


def test_all_files_that_are_needed_are_there_and_no_others(files):
    places = loaded(Page(files["index.html"].decode()))
    assert "js/main.js" in places
    reached = imported(files, "js/main.js")
    assert {f"js/tabs/{tab}.js" for tab in ("play", "look", "watch", "evolve", "draw")} <= reached
    modules = {name for name in reached if name.endswith(".js")}
    assert {*places, *modules} <= set(files)
    assert set(own(files, ".js")) <= modules | {"js/main.js"}


def test_nothing_is_imported_in_vain(files):
    for name in own(files, ".js"):
        text = files[name].decode()
        for names in re.findall(r"^import {([^}]*)} from", text, re.M):
            for word in re.findall(r"(\w+)\s*(?:,|$)", names.strip()):
                assert len(re.findall(rf"\b{word}\b", text)) > 1, (name, word)


def test_what_a_browser_loads_to_play_against_the_optimum_is_small(files):
    modules = {"js/main.js", "js/tabs/play.js"}
    modules |= set().union(*(imported(files, name, lazily=False) for name in modules))
    places = loaded(Page(files["index.html"].decode()))
    needed = {"index.html", *places, *modules, "data/index.json", "data/optimal.bits"}
    assert len(needed) > 15
    assert sum(len(gzip.compress(files[name], 6)) for name in needed) < MOST


def test_the_document_carries_the_policy_and_nothing_that_it_forbids(files):
    document = Page(files["index.html"].decode())
    metas = [meta for meta in document.all("meta") if meta.get("@http-equiv") == "Content-Security-Policy"]
    assert [meta["@content"] for meta in metas] == [POLICY]
    assert "default-src 'none'" in POLICY
    assert not re.search(r"unsafe|\*", POLICY)
    keys = {key for element in document.elements for key in element}
    assert not {key for key in keys if key == "@style" or key.startswith("@on")}
    assert document.all("style") == []


@pytest.mark.parametrize("ending", [".html", ".css", ".js"])
def test_no_other_host_is_named(files, ending):
    texts = {name: files[name].decode().replace("http://www.w3.org/2000/svg", "") for name in own(files, ending)}
    assert texts
    assert {name for name, text in texts.items() if re.search(r"(?:https?:|wss?:)?//[\w-]+\.\w+", text)} == set()


def test_the_list_of_strategies(files):
    index = json.loads(files["data/index.json"])
    assert index["game"] == {"target": 100, "sides": 6}
    ids = [entry["id"] for entry in index["strategies"]]
    assert ids[:3] == ["optimal", "hold-at-20", "champion"]
    assert ids == list(STRATEGIES)
    for entry in index["strategies"]:
        listed = STRATEGIES[entry["id"]]
        assert entry == {name: getattr(listed, name) for name in ("id", "title", "sentence", "source", "rule", "file")}
        assert re.fullmatch("[a-z0-9-]+", entry["id"])
        assert re.fullmatch(r"[A-Z][^`]*\.", entry["sentence"])
        assert (listed.title[0].isupper(), bool(listed.source), listed.strategy.game) == (True, True, GAME)
        bits = np.unpackbits(np.frombuffer(files[f"data/{entry['file']}"], np.uint8), count=GAME.cells)
        np.testing.assert_array_equal(bits.reshape(GAME.shape), listed.strategy.roll)


def test_the_list_of_games_is_that_of_pigevo_play(files):
    """Their rules are held to pigevo's by whole games in test_game.py."""
    games = json.loads(files["data/index.json"])["games"]
    assert [game["name"] for game in games] == ["pig", *(name for name in GAMES if name != "pig"), "pig_with_passing"]
    assert len({game["title"] for game in games}) == len(games)
    for game in games[1:]:
        assert game["opponents"][0]["id"] == "optimal"
        assert {f"data/games/{game['name']}/{opponent['id']}.worth" for opponent in game["opponents"]} <= set(files)
        assert all(re.fullmatch(r"[A-Z][^`]*\.", entry["sentence"]) for entry in (game, *game["opponents"]))


class OfThatTitle(pigevo.Piglet):
    """A game that has the title of another one."""

    title = "Pig"


@pytest.mark.parametrize(
    ("game", "title"),
    [(Pig(sides=8), "Pig to 100 (sides=8)"), (GAMES["two_dice"].bind({"sides": 8}), "Two-dice Pig to 100 (sides=8)"),
     (pigevo.Piglet(target=10, heads=0.6), "Piglet to 10 (heads=0.6)"), (OfThatTitle(target=100), "Pig to 100 (yours)"),
     (GAMES["equal_turns"].bind({"cap": 200}), "Equal-turns Pig to 100 (cap=200)")],
)  # fmt: skip
def test_a_game_of_ones_own_has_a_title_of_its_own(game, title):
    games = json.loads(page_files(game=game)["data/index.json"])["games"]
    titles = [one["title"] for one in games]
    assert titles[-1] == title
    assert len(set(titles)) == len(titles)


SHORT = [
    Pig(sides=20), Pig(target=20), pigevo.Piglet(target=10, heads=0.99), pigevo.Piglet(target=10, heads=1),
    GAMES["ten_rounds"].bind({"cap": 15}), GAMES["two_dice"].bind({"target": 19}), Pig(target=20, allow_pass=True),
]  # fmt: skip
"""Games in which one more throw adds more than it loses at each turn total at which a player has a choice."""


@pytest.mark.parametrize("game", [*SHORT, Pig(target=21), *site.other_games().values()], ids=str)
def test_nobody_who_rolls_to_win_is_said_to_hold(game):
    opponents = {entry.id: entry for entry in site.opponents_in(game) if entry.id != "optimal"}
    assert ("hold-at" in opponents) is (game not in SHORT)
    rolls = {entry.strategy.roll.tobytes() for entry in opponents.values()}
    assert len(rolls) == len(opponents)
    if game.falls and "hold-at" in opponents:
        assert "the score that it risks is not counted" in opponents["hold-at"].sentence


def test_the_turn_total_at_which_a_throw_loses_as_much_counts_what_a_lost_turn_scores():
    *_, hold = (entry for entry in site.opponents_in(GAMES["progressive"].bind({})) if entry.id == "hold-at")
    assert hold.title == "Hold at 21"


def lists_of(files):
    """What the service worker stores at once, and what later, with the digests."""
    script = files["service_worker.js"].decode()
    return [json.loads(re.search(rf"const {name} = (\{{.*?\}});", script, re.DOTALL)[1]) for name in ("FILES", "LATER")]


def test_the_service_worker_stores_every_file_by_its_content(files):
    now, later = lists_of(files)
    assert sorted([*now, *later, "service_worker.js"]) == sorted(files)
    assert {name.split("/")[0] for name in later} == {"data"}
    assert now["style.css"] == hashlib.sha256(files["style.css"]).hexdigest()


def test_another_version_of_the_page_has_other_digests(files, tmp_path, monkeypatch):
    shutil.copytree(str(STATIC), tmp_path / "static")
    (tmp_path / "static" / "style.css").write_text("p {}")
    monkeypatch.setattr("pigevo.web.site.STATIC", tmp_path / "static")
    (now, later), (changed, changed_later) = lists_of(files), lists_of(page_files())
    assert [name for name in now if now[name] != changed[name]] == ["style.css"]
    assert set(later.values()).isdisjoint(changed_later.values())
    monkeypatch.setattr("pigevo.web.site.__version__", "0.0.1")
    assert set(changed_later.values()).isdisjoint(
        lists_of(page_files())[1].values()
    )  # pigevo may solve games otherwise


def test_no_game_is_solved_before_somebody_plays_it(monkeypatch):
    """Else the page would take half a minute to start."""
    solved = []
    monkeypatch.setattr("pigevo.web.site.worth_file", lambda game, id: solved.append((str(game), id)) or b"")
    files = page_files()
    assert len(list(files)) > 80
    assert solved == []
    assert files["data/games/piglet/hold-at.worth"] == b""
    assert solved == [("Piglet to 10", "hold-at")]


def test_a_file_that_is_requested_again_before_it_is_there_is_solved_once(monkeypatch):
    solved = []
    solve = site.worth_between
    monkeypatch.setattr(site, "worth_between", lambda *both: solved.append(both) or time.sleep(0.2) or solve(*both))
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: site.worth_file(Pig(target=11), "roll-to-win"), range(2))
    assert (one, len(solved)) == (other, 1)


@pytest.mark.slow
def test_all_games_are_a_few_megabytes(files):
    """What a browser loads for one game is less than one."""
    sizes = [len(files[name]) for name in files if name.endswith(".worth")]
    assert max(sizes) <= 300_000
    assert sum(sizes) < 4_000_000


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


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "page").write_text("")
    with pytest.raises(InputError, match="cannot be"):
        write_site(tmp_path / "page")


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


def against_the_optimum(strategy):
    return pigevo.win_probability(strategy, STRATEGIES["optimal"].strategy).overall


def test_the_champion_is_what_its_record_says():
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    assert against_the_optimum(STRATEGIES["champion"].strategy) == pytest.approx(record["overall"], abs=1e-12)
    assert record["overall"] > 0.499
    assert record["command"] == STRATEGIES["champion"].source


@pytest.mark.long
def test_the_champion_can_be_evolved_again(tmp_path):
    record = json.loads(CHAMPION.with_suffix(".json").read_text())
    command, *words = record["command"].split()[2:]
    assert command == "pigevo"
    run = pigevo.evolve(*words)
    assert run.result["digest"] == record["digest"]
    assert run.champion == STRATEGIES["champion"].strategy


def test_hold_at_25_is_the_best_of_its_kind():
    wins = {n: against_the_optimum(pigevo.hold_at(GAME, n)) for n in range(1, 101)}
    assert max(wins, key=wins.get) == 25


def test_the_rules_are_the_best_of_the_study_and_the_published_one():
    best = {entry.integers: entry.rule.text for entry in known_rules(GAME, "least loss")}
    for n, name in enumerate(("rule-one", "rule-two", "rule-three", "rule-four"), start=1):
        assert STRATEGIES[name].rule == best[n]
    (published,) = known_rules(GAME, "published")
    assert STRATEGIES["keep-pace"].rule == published.rule.text
    assert STRATEGIES["keep-pace"].strategy == pigevo.keep_pace_and_end_race(GAME)
    for entry in (entry for entry in STRATEGIES.values() if entry.rule):
        assert entry.sentence == parse_rule(entry.rule).sentence
        assert entry.strategy == parse_rule(entry.rule).strategy(GAME)


FILES = {
    "index.html": b"<p>hello", "js/main.js": b"1", "data/a.bits": b"\x00\x01", "style.css": b"", "data/i.json": b"{}",
}  # fmt: skip


@pytest.fixture
def server():
    with PageServer(FILES) as page_server:
        thread = threading.Thread(target=page_server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield page_server
        page_server.shutdown()
        thread.join()


def ask(server, path="/", method="GET", host=None):
    """The answer to a request, and its body."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    if host is not False:
        connection.putheader("Host", host or f"127.0.0.1:{server.server_port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


TYPES = {
    "/": ("index.html", "text/html; charset=utf-8"), "/index.html": ("index.html", "text/html; charset=utf-8"),
    "/?seed=3": ("index.html", "text/html; charset=utf-8"), "/js/main.js": ("js/main.js", "text/javascript; charset=utf-8"),
    "/js%2Fmain.js": ("js/main.js", "text/javascript; charset=utf-8"), "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/data/i.json": ("data/i.json", "application/json"), "/data/a.bits": ("data/a.bits", "application/octet-stream"),
}  # fmt: skip


@pytest.mark.parametrize("path", TYPES)
def test_files_with_their_types_and_headers(server, path):
    answer, body = ask(server, path)
    name, kind = TYPES[path]
    assert (answer.status, answer.getheader("Content-Type"), body) == (200, kind, FILES[name])
    assert {name: answer.getheader(name) for name in HEADERS} == HEADERS
    assert "frame-ancestors 'none'" in answer.getheader("Content-Security-Policy")
    assert "Python" not in answer.getheader("Server")


def test_a_head_has_no_body(server):
    answer, body = ask(server, "/", "HEAD")
    assert (answer.status, answer.getheader("Content-Length"), body) == (200, str(len(FILES["index.html"])), b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "GETS"])
def test_other_methods_are_refused(server, method):
    answer, _ = ask(server, "/", method)
    assert answer.status == 501
    assert answer.getheader("Content-Security-Policy")


@pytest.mark.parametrize(
    "path",
    ["/../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/js", "/js/", "/data/", "/.lock", "/index.html/", "/%00",
     "/C:/x", "/js/../index.html", "/\\index.html", "http://[", "/" + "a" * 5000],
)  # fmt: skip
def test_no_other_path_leads_anywhere(server, path):
    answer, body = ask(server, path)
    assert (answer.status, body) == (404, b"There is no such file.\n")
    assert answer.getheader("Content-Security-Policy")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", " ", "[::1]", "0.0.0.0", False]
)
def test_a_name_that_was_pointed_here_is_refused(server, host):
    answer, body = ask(server, "/", host=host)
    assert (answer.status, b"hello" in body) == (421, False)
    assert {ask(server, "/", host=own)[0].status for own in ("localhost", "LOCALHOST:1234", "127.0.0.1")} == {200}


def test_only_this_machine_can_reach_it(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_a_client_that_goes_away_or_talks_nonsense_does_no_harm(server, capfd):
    whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for words in (b"", b"GET", b"\x00\xff\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", whole):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=60) as connection:
            connection.sendall(words)
    assert ask(server)[0].status == 200
    assert capfd.readouterr() == ("", "")
