"""The page as a whole: its width, names and policy, any server and none, paper, and what axe finds."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from importlib.resources import files

import pytest

from pigevo.web.site import STATIC, page_files, write_site
from tests.small import one_small_game
from tests.web.browser import ENTER, TAB
from tests.web.test_page_play import play, start, state

pytestmark = pytest.mark.page
TABS = ["play", "look", "watch", "evolve", "draw"]


def loaded(page, tab):
    page.open(f"?seed=3&pace=0#{tab}")
    script = "const tab = document.getElementById(arguments[0]); return !tab.querySelector('.loading') && tab.innerText !== ''"
    page.wait(lambda: page.run(script, tab), tab)
    counts = [-1, len(page.all("*"))]
    while counts[-1] != counts[-2]:  # until nothing more comes
        time.sleep(0.3)
        counts.append(len(page.all("*")))


@pytest.mark.parametrize("tab", TABS)
def test_no_wider_than_a_phone(page, tab):
    page.be_a_phone()
    loaded(page, tab)
    assert page.run("return document.documentElement.scrollWidth") <= 360
    assert page.all(".trouble") == []


def double_the_text(page):
    page.run("document.documentElement.style.fontSize = 'calc(2 * 1.0625 * 16px)'")  # 200 % of what style.css has


def too_wide(page):
    """What reaches beyond the window, but for what can be scrolled within a box of its own."""
    script = """
    const scrolls = (element) => element && (getComputedStyle(element).overflowX === "auto" || scrolls(element.parentElement));
    const wide = [...document.querySelectorAll("main *")].filter((element) => element.getClientRects().length && element.getBoundingClientRect().right > screen.width + 1);
    return wide.filter((element) => !scrolls(element)).map((element) => element.outerHTML.slice(0, 100));
    """
    return page.run(script)


def unfold(page):
    page.run("for (const element of document.querySelectorAll('main details')) element.open = true")


def hold_to_the_width_of_a_phone_with_doubled_text(page):
    double_the_text(page)
    unfold(page)
    assert too_wide(page) == []
    assert page.run("return document.documentElement.scrollWidth <= screen.width")


UNCOVERED = """
return arguments[0].map((selector) => {
  const element = document.querySelector(selector), box = element.getBoundingClientRect();
  const seen = [box.top + 1, box.bottom - 1].map((y) => document.elementFromPoint(box.left + box.width / 2, y));
  return seen.every((one) => one && (element.contains(one) || one.contains(element)) && !(one.closest(".choices") && !element.closest(".choices")));
});
"""
BOARD = [".panel.mine", ".panel.theirs", ".die-box", ".said", ".choices button"]


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 844), (844, 390)])
def test_scores_die_and_roll_are_seen_when_the_page_opens(page, width, height):
    page.be_a_phone(width, height)
    start(page, "seed=4")
    assert page.run(UNCOVERED, BOARD) == [True] * len(BOARD)
    page.press("r")
    assert page.run(UNCOVERED, BOARD) == [True] * len(BOARD)


@pytest.mark.parametrize(("width", "height"), [(320, 568), (844, 390)])
def test_on_a_small_screen_the_rules_are_seen_in_a_line_before_the_first_roll(page, width, height):
    page.be_a_phone(width, height)
    losses = {
        "pass_the_pigs": "a bad throw loses the turn\u2019s points or the whole score",
        "piglet": "tails loses the turn\u2019s points",
        "pig": "a 1 loses the turn\u2019s points",
    }
    for name, loss in losses.items():
        start(page, f"seed=5&game={name}")  # whose first throw in Pig is a 6
        said = f"Roll as often as you like; {loss}; hold keeps them."
        assert page.text(".brief") == said
        assert page.run(UNCOVERED, [*BOARD, ".brief"]) == [True] * (len(BOARD) + 1)
    high = page.first(".news").rect["height"]
    page.press("r")
    assert (page.all(".brief"), page.first(".news").rect["height"]) == ([], high)


@pytest.mark.parametrize("width", [320, 390])
def test_with_doubled_text_no_name_breaks_within_a_word(page, width):
    page.be_a_phone(width, 844)
    start(page, "opponent=champion")
    double_the_text(page)
    unfold(page)
    page.run(
        "for (const name of document.querySelectorAll('.panel :is(h2, .note)')) name.style.overflowWrap = 'normal'"
    )
    wide = "return [...document.querySelectorAll('.panel :is(h2, .note)')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.run(wide) == []


CUT = """
const pen = document.createElement("canvas").getContext("2d");
const lists = [...document.querySelectorAll("main select")].filter((one) => one.getClientRects().length && one.value !== ""); // one that is empty always shows the same
return lists.flatMap((list) => {
  pen.font = getComputedStyle(list).font;
  return [...list.options].map(({ text }) => text).filter((text) => pen.measureText(text).width > list.clientWidth - 36);
});
"""


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("tab", TABS)
def test_on_a_phone_no_choice_of_a_list_is_cut(page, tab, width):
    page.be_a_phone(width, 844)
    loaded(page, tab)
    unfold(page)
    assert page.run(CUT) == []
    double_the_text(page)
    assert page.run(CUT) == []


@pytest.mark.parametrize(("width", "tab", "left", "right"), [(768, "play", ".panel.mine", ".panel.theirs"), (900, "evolve", ".stage", ".turning"), (900, "draw", ".map", ".results")])  # fmt: skip
def test_with_doubled_text_columns_have_their_room(page, width, tab, left, right):
    page.be_a_phone(width, 900)
    loaded(page, tab)
    double_the_text(page)
    assert page.run("return document.documentElement.scrollWidth") <= width
    columns = [page.first(side).rect for side in (left, right)]
    assert columns[0]["x"] + columns[0]["width"] <= columns[1]["x"]
    assert min(column["width"] for column in columns) > 0.2 * width


@pytest.mark.parametrize("tab", TABS)
def test_a_word_of_the_address_opens_its_tab(page, tab):
    page.open(f"?{tab}&pace=0")
    page.wait(lambda: page.all(f"#{tab}"), tab)
    assert page.text("nav [aria-current]").lower() == tab


def test_with_doubled_text_the_buttons_cover_nothing(page):
    page.be_a_phone(390, 844)
    start(page, "seed=4")
    double_the_text(page)
    page.run("document.querySelector('.panel').scrollIntoView()")
    bottom, top = page.ends(".panel.mine")[1], page.ends(".choices")[0]
    assert page.ends(".said")[1] <= top > bottom


def test_on_a_small_phone_tables_are_whole_and_with_doubled_text_an_edge_says_that_they_go_on(page):
    page.be_a_phone(320, 568)
    start(page, "opponent=hold-at-20&seed=2")
    sizes = "return [...document.querySelectorAll('.wide')].filter((one) => one.clientWidth).map((one) => [one.scrollWidth, one.clientWidth])"
    page.press("ra")
    page.first(".advice table")
    loaded_sizes = page.run(sizes)
    play(page)
    loaded_sizes += page.run(sizes)
    assert page.text(".review th") == "turn"
    loaded(page, "draw")
    loaded_sizes += page.run(sizes)
    assert len(loaded_sizes) >= 3
    assert [size for size in loaded_sizes if size[0] > size[1]] == []
    double_the_text(page)
    assert "local" in page.run("return getComputedStyle(document.querySelector('.results .wide')).backgroundAttachment")


def test_on_a_desktop_the_lists_of_the_game_are_in_one_line(page):
    loaded(page, "play")
    tops = {select.rect["y"] for select in page.all("#play .setup select")}
    assert (len(tops), len(page.all("#play .setup select"))) == (1, 5)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("tab", TABS)
def test_with_doubled_text_nothing_is_wider_than_a_phone(page, tab, width):
    page.be_a_phone(width, 844)
    loaded(page, tab)
    hold_to_the_width_of_a_phone_with_doubled_text(page)


def test_with_doubled_text_a_game_and_its_review_are_no_wider_than_a_phone(page):
    page.be_a_phone(390, 844)
    start(page, "opponent=hold-at-20&seed=2")
    page.press("rrroa")
    page.first(".advice table")
    page.press("n")
    page.first("[role=group]")
    hold_to_the_width_of_a_phone_with_doubled_text(page)
    play(page)
    page.button(".review", "Try these positions again").click()
    page.press("2", ENTER)
    hold_to_the_width_of_a_phone_with_doubled_text(page)


@pytest.mark.parametrize(
    ("tab", "bar", "picture"), [("look", ".slide", "[data-surface]"), ("watch", ".controls", ".course")]
)
def test_on_a_phone_the_first_picture_is_whole_below_what_moves_it(page, tab, bar, picture):
    page.be_a_phone(390, 844)
    loaded(page, tab)
    places = [*page.ends(bar), *page.ends(picture)]
    assert places == sorted(places)
    assert places[-1] <= 844


@pytest.mark.parametrize("tab", TABS)
def test_in_the_dark(page, tab):
    page.prefer(color_scheme="dark")
    loaded(page, tab)
    assert page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(20, 25, 29)"


@pytest.mark.parametrize("tab", TABS)
def test_everything_to_work_with_has_a_name(page, tab):
    loaded(page, tab)
    elements = page.all("a, button, select, input, [tabindex='0']")
    assert len(elements) > 4
    assert [element.get_attribute("outerHTML") for element in elements if not element.accessible_name.strip()] == []


@pytest.mark.parametrize("tab", TABS)
def test_the_keyboard_reaches_everything_and_is_seen(page, tab):
    loaded(page, tab)
    page.run("document.activeElement.blur()")
    wanted = {element.id for element in page.all("a, button:enabled, select, input:enabled, [tabindex='0']")}
    reached, unseen = set(), []
    for _ in range(len(wanted) + 5):
        page.press(TAB)
        active = page.driver.switch_to.active_element
        if active.tag_name == "body":
            continue
        reached.add(active.id)
        if page.run("return getComputedStyle(document.activeElement).outlineStyle") == "none":
            unseen.append(active.get_attribute("outerHTML"))
    assert wanted <= reached
    assert unseen == []


@pytest.mark.parametrize("words", ["?look&foo=1", "?watch&foo", "?draw&foo=x", "?foo=1#evolve"])
def test_a_word_that_the_page_does_not_know_is_named_on_every_tab(page, words):
    page.open(words)
    assert page.text("main .trouble") == "foo is not a word that the page knows: it is left out."


def test_the_tabs_follow_the_address(page):
    loaded(page, "play")

    def wait_for(tab):
        page.wait(lambda: [section.get_attribute("id") for section in page.all("main > section")] == [tab], tab)

    for tab in ("draw", "play"):
        page.first(f"nav a[href='#{tab}']").click()
        wait_for(tab)
        assert page.first("nav a[aria-current]").get_attribute("href").endswith(f"#{tab}")
    page.driver.back()
    wait_for("draw")


@pytest.mark.parametrize(
    ("tab", "number", "name", "shown"),
    [("look", 0, "Score 20", "Hold at 20"), ("watch", 0, "By the exact referee", "By games of luck (Exeter 2016)"), ("draw", 1, "Score 20", "choose ...")],
)  # fmt: skip
def test_a_choice_that_cannot_be_loaded_gets_a_sentence_and_changes_nothing(page, tab, number, name, shown):
    page.driver.execute_cdp_cmd("Network.enable", {})
    loaded(page, tab)
    words = page.run("return document.querySelector(`#${arguments[0]}`).innerText", tab)
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*score-20*", "*rediscover*"]})
    try:
        choice = page.choice(tab, number)
        choice.select_by_visible_text(name)
        page.wait(lambda: page.all(f"#{tab} > .trouble"), "the sentence")
        said = page.text(f"#{tab} > .trouble")
        assert said == "That could not be shown: You are offline, or the server of this page does not answer."
        assert choice.first_selected_option.text == shown
        assert page.run("return document.querySelector(`#${arguments[0]}`).innerText", tab).endswith(words)
        assert "You are offline" in page.complaints()[-1]
    finally:
        page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    choice.select_by_visible_text(name)
    page.wait(lambda: page.all(f"#{tab} > .trouble") == [], "the choice")


def test_nothing_but_what_is_looked_at_is_loaded(page):
    loaded(page, "play")
    page.wait(lambda: page.all(".choices button"))
    addresses = page.requested()
    parts = (
        "/look.js",
        "/js/look/",
        "/watch.js",
        "/js/canvas.js",
        "/js/curves.js",
        "/draw.js",
        "/js/draw/",
        "/evolve.js",
        "/js/evolve/",
        "/vendor/",
        "/films/",
    )
    assert not [url for url in addresses if any(part in url for part in parts)]
    assert [url for url in addresses if url.endswith(".bits")] == [f"{page.address}data/optimal.bits"]
    loaded(page, "watch")
    addresses = page.requested()
    assert any("look.css" in url for url in addresses)
    assert not any("/vendor/" in url for url in addresses)
    page.open()


def runs_foreign_scripts(window):
    """Whether a script that somebody has written into the document is run."""
    text = "const s = document.createElement('script'); s.textContent = 'window.foreign = 1'; document.body.append(s);"
    return window.run(f"{text} return 'foreign' in window")


def test_the_policy_forbids_other_hosts(window):
    window.open()
    script = "const done = arguments[0]; fetch('https://example.org/').then(() => done('asked'), (error) => done(String(error)));"
    assert "Failed to fetch" in window.driver.execute_async_script(script)
    assert any("Content Security Policy" in complaint for complaint in window.complaints())
    assert not runs_foreign_scripts(window)
    window.complaints(), window.requested()


def test_any_server_will_do(window, tmp_path, monkeypatch):
    """Python's own, which sends no policy: that of the document holds."""
    one_small_game(monkeypatch)
    write_site(tmp_path / "site")
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(tmp_path / "site")],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{process.stdout.readline().split(' port ')[1].split()[0]}/"
        with urllib.request.urlopen(address) as answer:
            assert answer.headers["Content-Security-Policy"] is None
        window.complaints()
        window.driver.get(f"{address}?seed=3&pace=0&first=you")
        window.wait(lambda: window.all(".said") and window.text(".said") == "You move first: roll.")
        assert window.complaints() == []
        assert not runs_foreign_scripts(window)
    finally:
        process.kill()
        process.communicate()
        window.driver.get("about:blank")
        window.complaints(), window.requested()


SCHEMES = ["light", "dark"]
RUN = "axe.run(document).then(({ violations }) => arguments[0](violations), (error) => arguments[0](String(error)));"


def findings(page):
    """What axe finds: its rules, each with the elements that break it."""
    page.run((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(RUN)
    return {one["id"]: [node["html"] for node in one["nodes"]] for one in found}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("tab", TABS)
def test_axe_finds_nothing_on_a_tab(page, tab, scheme):
    page.prefer(color_scheme=scheme)
    loaded(page, tab)
    unfold(page)
    assert findings(page) == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_during_a_game_and_after_it(page, scheme):
    page.prefer(color_scheme=scheme)
    page.forget()
    start(page, "seed=2&opponent=hold-at-20&adviser=keep-pace")
    page.press("rrroa")
    page.first(".advice table")
    assert findings(page) == {}
    page.press("n")
    assert findings(page) == {}
    play(page)
    page.button(".review", "Try these positions again").click()
    page.press("2", ENTER)
    page.first(".history summary").click()
    page.first(".throws summary").click()
    assert findings(page) == {}
    page.forget()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_a_phone_and_in_a_message(page, scheme):
    page.be_a_phone(390, 844)
    page.prefer(color_scheme=scheme)
    page.open("?replay=x&by=keep-pace")
    page.first("#play .trouble")
    page.first(".settings summary").click()
    assert findings(page) == {}


def test_axe_is_at_work(page):
    """An unnamed button and pale text are found."""
    loaded(page, "play")
    page.run(
        "document.querySelector('.rules').style.color = '#ddd'; document.querySelector('.choices').append(document.createElement('button'))"
    )
    assert {"color-contrast", "button-name"} <= set(findings(page))


COPY = """
const copy = document.createElement("canvas"), [original] = arguments;
[copy.width, copy.height] = [original.width, original.height];
copy.getContext("2d").drawImage(original, 0, 0);
"""

DRAWN = f"{COPY} return copy.getContext('2d').getImageData(0, 0, copy.width, copy.height).data.some((value) => value);"

INK = f"""{COPY}
const {{ data }} = copy.getContext("2d").getImageData(0, 0, 30 * window.devicePixelRatio, copy.height);
const opaque = [...Array(data.length / 4).keys()].filter((n) => data[4 * n + 3] > 200).map((n) => data[4 * n]);
return opaque.length ? Math.max(...opaque) : null;
"""
"""The lightest red of the letters left of a map; None before the map is drawn."""


@pytest.mark.parametrize(("tab", "canvas"), [("evolve", ".heat"), ("watch", ".heat"), ("look", ".slice")])
def test_letters_in_a_canvas_are_dark_on_paper(page, tab, canvas):
    page.prefer(color_scheme="dark")
    loaded(page, tab)
    drawing = page.first(f"#{tab} {canvas}")
    page.wait(lambda: (page.run(INK, drawing) or 0) > 200, "light letters on the screen")
    page.prefer(media="print", color_scheme="dark")
    page.wait(lambda: page.run(INK, drawing) < 80, "dark letters on paper")
    assert page.all("button, nav, input[type=range]") == []


def test_a_surface_is_there_after_it_was_drawn(page):
    """A browser prints what the canvas holds, which is otherwise emptied after each frame."""
    loaded(page, "look")
    surface = page.first("#look .surface")
    page.wait(lambda: page.run(DRAWN, surface), "a surface")
    page.run("return new Promise((done) => setTimeout(done, 300))")
    assert page.run(DRAWN, surface)


STORED = """
const done = arguments[0];
caches.open("pigevo page /").then((cache) => cache.keys()).then((keys) => done(keys.map(({ url }) => url)), (error) => done([String(error)]));
"""


@contextlib.contextmanager
def served(folder, port=0):
    """A server of a folder, which knows nothing of pigevo; its port."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        yield int(process.stdout.readline().split(" port ")[1].split()[0])
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def site(window, tmp_path, monkeypatch):
    """A folder with the page; the browser looks at something else afterwards."""
    one_small_game(monkeypatch)
    write_site(tmp_path / "site")
    yield tmp_path / "site"
    window.driver.get("about:blank")
    window.complaints(), window.requested()


def stored(window):
    """The addresses under which files are stored."""
    return window.driver.execute_async_script(STORED)


def listed(address):
    """The addresses under which the files of the page of today are to be stored at once."""
    worker = page_files()["service_worker.js"].decode()
    files = re.search(r"const FILES = (\{.*?\});", worker, re.DOTALL)[1]
    return {f"{address}{name}?{digest}" for name, digest in re.findall(r'"([^"]+)": "(\w+)"', files)}


def visit(window, site, port=0):
    """Open the page until all of it is stored, and stop its server; its port."""
    with served(site, port) as own_port:
        address = f"http://127.0.0.1:{own_port}/"
        window.driver.get(address)
        window.wait(lambda: set(stored(window)) == listed(address), "the files that are to be stored")
        window.wait(lambda: window.run("return Boolean(navigator.serviceWorker.controller)"), "the worker")
        window.driver.get("about:blank")
    return own_port


def test_the_page_works_when_its_server_has_stopped(window, site):
    address = f"http://127.0.0.1:{visit(window, site)}/"
    window.complaints()
    window.driver.get(f"{address}?seed=7&first=you&pace=0")
    window.driver.refresh()
    window.wait(lambda: state(window) == "asked", "the first move")
    play(window)
    window.first(".review")
    for tab in TABS:
        window.driver.get(f"{address}#{tab}")
        script = "const tab = document.getElementById(arguments[0]); return !tab.querySelector('.loading') && tab.innerText !== ''"
        window.wait(lambda tab=tab: window.run(script, tab), tab)
        assert window.all(".trouble") == []
    assert {url for url in window.requested() if url.startswith("http") and not url.startswith(address)} == set()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_page_that_cannot_begin_says_so_after_a_while(window, site, motion):
    window.prefer(reduced_motion=motion)
    window.driver.get((site / "index.html").as_uri())
    window.first(".loading")
    assert (
        window.all("#late") == []
        or window.run("return getComputedStyle(arguments[0]).visibility", window.all("#late")[0]) == "hidden"
    )
    window.run("for (const waiting of document.getAnimations()) waiting.finish()")
    assert "a file that is opened from the disk cannot begin" in window.text("#late")
    window.open("?look")
    window.wait(lambda: not window.all(".loading"), "the page")
    assert window.run("return document.getElementById('late')") is None
    window.prefer()


def test_a_game_that_was_solved_for_the_page_is_there_again(window, site):
    with served(site, visit(window, site)) as port:
        address = f"http://127.0.0.1:{port}/?game=piglet&first=you&pace=0"
        window.driver.get(address)
        window.wait(lambda: state(window) == "asked", "the game")
        window.driver.get("about:blank")
    window.driver.get(address)
    window.wait(lambda: state(window) == "asked", "the game")
    assert sum("/data/games/piglet/" in url for url in stored(window)) == 1


def test_a_new_version_replaces_the_old_one(window, site, tmp_path, monkeypatch):
    minute_ago = time.time() - 60  # the dates of HTTP count seconds: of two versions in one, the second is not seen
    for file in site.rglob("*"):
        os.utime(file, (minute_ago, minute_ago))
    port = visit(window, site)
    shutil.copytree(str(STATIC), tmp_path / "static")
    (tmp_path / "static" / "style.css").write_text("body { background: rgb(1, 2, 3); }")
    (tmp_path / "static" / "js" / "canvas.js").unlink()
    monkeypatch.setattr("pigevo.web.site.STATIC", tmp_path / "static")
    write_site(site)
    visit(window, site, port)  # only the files of the new version are stored
    window.driver.get(f"http://127.0.0.1:{port}/")
    window.wait(lambda: window.all(".choices button"))
    assert window.run("return getComputedStyle(document.body).backgroundColor") == "rgb(1, 2, 3)"


REGISTERED = "navigator.serviceWorker.getRegistrations().then((all) => arguments[0](all.length))"


def test_another_program_at_the_same_port_is_shown_and_the_worker_leaves(window, site, tmp_path):
    for file in site.rglob("*"):
        os.utime(file, (0, 0))  # browsers take what has not changed for years from their own cache for days
    port = visit(window, site)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "style.css").write_text("p { color: rgb(1, 2, 3); }")
    text = "<!doctype html><link rel='stylesheet' href='style.css'><p id='hello'>of somebody else</p>"
    (tmp_path / "other" / "index.html").write_text(text)
    with served(tmp_path / "other", port):
        window.driver.get(f"http://127.0.0.1:{port}/")
        assert window.text("#hello") == "of somebody else"
        assert window.run("return getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"
        window.wait(lambda: window.driver.execute_async_script(REGISTERED) == 0, "the worker to leave")
        assert window.driver.execute_async_script("caches.keys().then(arguments[0])") == []
