"""The site: built without a warning, whole without a network, and nothing that has a name is missing."""

import html
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

import pigevo
from pigevo.cli import glossary
from pigevo.cli.commands import command_names
from pigevo.settings.schema import CHOICES, choices
from pigevo.strategies import STRATEGIES
from tests.docs.pages import DOCS

pytestmark = pytest.mark.docs

TYPE_OF_A_SENTENCE = r'Type<span class="colon">:</span></dt>\s*<dd[^>]*><p>([A-Z][a-z]+ |<code)'
"""A type that napoleon has found before the colon of a property's docstring."""

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
"""What a browser fetches by itself, by tag; a link that a reader follows is another thing."""


class Page(HTMLParser):
    """What a page loads, where it leads to, and what can be led to in it."""

    def __init__(self, text):
        super().__init__()
        self.loaded, self.links, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag in LOADED and values.get(LOADED[tag]):
            self.loaded.append(values[LOADED[tag]])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        self.names |= {values[key] for key in ("id", "name") if values.get(key)}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built from nothing; warnings are errors."""
    place = tmp_path_factory.mktemp("site")
    words = ["-q", "-E", "-W", "--keep-going", "-b", "html", "-d", str(place / "trees"), str(DOCS), str(place / "html")]
    done = subprocess.run([sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return place / "html"


@pytest.fixture(scope="module")
def pages(site):
    pages_by_path = {
        path: path.read_text(encoding="utf-8") for path in site.rglob("*.html") if "play" not in path.parts
    }
    assert len(pages_by_path) > 25
    return {path: (Page(text), text) for path, text in pages_by_path.items()}


def text_of(page):
    """The words of a page, with plain quotation marks."""
    words = html.unescape(re.sub(r"<[^>]+>", "", page))
    return re.sub(r"\s+", " ", words).translate(str.maketrans("\u2018\u2019\u201c\u201d", "''\"\""))


def test_no_page_loads_anything_from_another_host(site, pages):
    for path, (page, _) in pages.items():
        for address in page.loaded:
            assert not urlsplit(address).scheme or address.startswith("data:"), (path, address)
            assert not address.startswith("//"), (path, address)
    for sheet in [*site.rglob("*.css"), *site.rglob("*.js")]:
        text = sheet.read_text(encoding="utf-8")
        assert not re.search(r"""(url\(|@import|import\(|fetch\(|src=)\s*["']?(https?:)?//""", text), sheet


def test_no_link_leads_nowhere(site, pages):
    for path, (page, _) in pages.items():
        for address in [*page.links, *page.loaded]:
            parts = urlsplit(address)
            if parts.scheme or not (parts.path or parts.fragment):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), (path, address)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target][0].names, (path, address)


def test_every_formula_is_drawn_by_the_browser_itself(pages):
    formulas = [one for _, text in pages.values() for one in re.findall(r"<math.*?</math>", text, flags=re.S)]
    assert len(formulas) > 100
    for one in formulas:
        assert "\\" not in text_of(one), one


def test_pages_are_whole_for_a_keyboard_and_a_screen_reader(pages):
    for path, (_, text) in pages.items():
        assert re.findall(r'role="heading"(?! aria-level)', text) == [], path
        assert re.findall(r"<pre(?! tabindex)", text) == [], path
        assert all("aria-label" in drawer for drawer in re.findall(r'<aside class="\w+-drawer">', text)), path


@pytest.mark.parametrize("word", ["cube", "lexicase", "exploitability", "resume"])
def test_the_search_finds_words_without_a_network(site, word):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert re.search(rf'"?{word[:6]}\w*"?:', index)


def test_the_reference_has_everything_that_has_a_name(site):
    def words_of(page):
        return text_of((site / f"reference/{page}.html").read_text(encoding="utf-8"))

    for name in command_names():
        assert f"pigevo {name}" in words_of("commands")
    for group in CHOICES:
        for name in choices(group):
            assert f"{group}={name}" in words_of("settings" if group in ("experiment", "sweep") else "choices")
    for name in STRATEGIES:
        assert name in words_of("strategies")
    for table in (glossary.METRICS, glossary.RESULTS, glossary.TABLES):
        for name in table:
            assert name in words_of("columns")
    for name in {*pigevo.__all__} - {"__version__"}:
        assert name in words_of("python")
        assert f"pigevo.{name}" in words_of(f"api/pigevo.{name}")
    for word, text in glossary.WORDS.items():
        assert word.replace("_", " ") in words_of("glossary")
        assert text.replace("`", "").split(". ")[0][:60] in words_of("glossary")


def test_docstrings_are_rendered(pages):
    described = [text for path, (_, text) in pages.items() if path.match("reference/api/*.html")]
    assert len(described) > 100
    assert sum("Parameters:" in text_of(page) for page in described) > 50
    for page in described:
        words = text_of(page)
        for sign in ("Args:", "Annotated["):
            assert sign not in words, words[max(0, words.find(sign) - 200) : words.find(sign) + 50]
        for mark in ("problematic", "system-message", TYPE_OF_A_SENTENCE):
            assert not re.search(mark, page)


def test_the_page_to_play_on_is_beside_it(site):
    assert (site / "play/index.html").is_file()
    assert 'href="play/index.html"' in (site / "index.html").read_text(encoding="utf-8")
