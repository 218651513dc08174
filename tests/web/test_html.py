"""Elements, drawings and dots are escaped and the same every time; colours can be read in the light and in the dark."""

import base64
import hashlib
import io
import re

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from pigevo.web.drawing import drawn, picture, pixels, svg
from pigevo.web.html import COLUMNS, Html, document, join, note, setting_name, table, tag
from pigevo.web.site import STATIC, page_files
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
