"""A page read back, and what must be true of every page that opens from its file."""

import base64
import hashlib
import io
import re
from html.parser import HTMLParser

import numpy as np
from matplotlib.image import imread

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}
LOADING = {"src", "href", "action", "data", "poster", "srcset", "formaction", "background", "cite", "xlink:href"}


class Page(HTMLParser):
    """The elements of a page, in order: (name, attributes, text inside, itself alone)."""

    def __init__(self, content):
        super().__init__(convert_charrefs=True)
        self.elements, self.stack, self.text = [], [], ""
        self.feed(content)
        self.close()
        assert self.stack == []

    def handle_starttag(self, name, attributes):
        assert len(dict(attributes)) == len(attributes), (name, attributes)
        self.elements.append({"name": name, "text": "", **{f"@{k}": v for k, v in attributes}})
        if name not in VOID:
            self.stack.append((name, len(self.elements) - 1))

    def handle_endtag(self, name):
        assert self.stack, name
        assert self.stack[-1][0] == name, (name, self.stack[-3:])
        self.stack.pop()

    def handle_data(self, data):
        for _, number in self.stack:
            self.elements[number]["text"] += data

    def all(self, name, **attributes):
        wanted = {f"@{key.rstrip('_')}": value for key, value in attributes.items()}
        return [element for element in self.elements if element["name"] == name and wanted.items() <= element.items()]

    def text_of(self, name):
        (element,) = self.all(name)
        return element["text"]

    @property
    def tables(self):
        """The cells of each table, row by row."""
        tables = []
        for element in self.elements:
            if element["name"] == "table":
                tables.append([])
            elif element["name"] == "tr":
                tables[-1].append([])
            elif element["name"] in ("td", "th"):
                tables[-1][-1].append(element["text"])
        return tables

    def rows(self, caption):
        """The cells of the table whose caption begins so."""
        pairs = zip(self.all("table"), self.tables, strict=True)
        (rows,) = [rows for table, rows in pairs if table["text"].startswith(caption)]
        return rows


TAGS = {"div", "strong", "p", "table", "tr", "th", "td", "img"}


class View(Page):
    """The view of a record in a notebook: its title, sentences, tables and picture."""

    def __init__(self, record):
        self.record, self.bundle = record, record._repr_mimebundle_()
        self.html = self.bundle["text/html"]
        super().__init__(self.html)
        assert {element["name"] for element in self.elements} <= TAGS
        assert {key for element in self.elements for key in element} <= {
            "name",
            "text",
            "@style",
            "@class",
            "@alt",
            "@src",
        }
        self.images, self.title = self.all("img"), self.text_of("strong")
        self.text = " ".join([self.title, *(part["text"].replace("\xa0", " ") for part in self.all("p"))])
        assert set(self.bundle) == {"text/html", *(["image/png"] if self.images else [])}

    def row(self, name):
        """The other cells of the first row with that name."""
        return next(row[1:] for table in self.tables for row in table if row[0] == name)

    @property
    def picture(self):
        """The picture, shape (height, width, channels); it is the same beside the text and alone."""
        (image,) = self.images
        head, _, content = image["@src"].partition(",")
        assert head == "data:image/png;base64"
        assert content == self.bundle["image/png"]
        pixels = imread(io.BytesIO(base64.b64decode(content)))
        assert np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0).shape[0] > 10  # it is not blank
        return pixels


def read(path):
    return Page(path.read_text(encoding="utf-8"))


def refuse_outside(page):
    """Refuse a page that loads something, runs something unknown, or cannot be used by everybody."""
    ids = [element["@id"] for element in page.elements if "@id" in element]
    assert len(ids) == len(set(ids))
    targets = {f"#{name}" for name in ids}
    for element in page.elements:
        for key, value in element.items():
            assert not key.startswith("@on"), element
            assert key != "@style", element
            if key.removeprefix("@") in LOADING:
                assert value.startswith("data:image/") or value in targets, (key, value[:80])
            assert set(re.findall(r"url\(([^)]*)\)", value or "")) <= targets or not key.startswith("@")
        if element["name"] == "img":
            assert len(element["@alt"]) > 10
        if element["name"] == "svg":
            assert element.get("@aria-label") or element.get("@aria-hidden") == "true"
        if element["name"] == "label":
            assert element["@for"] in ids
    names = {element["name"] for element in page.elements}
    assert not names & {"iframe", "object", "embed", "link", "base", "form", "video"}
    metas = [meta for meta in page.all("meta") if meta.get("@http-equiv") == "Content-Security-Policy"]
    (policy,) = [meta["@content"] for meta in metas]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    style, script = page.text_of("style"), page.text_of("script")
    wanted = {"default-src": "'none'", "img-src": "data:", "style-src": _digest(style), "script-src": _digest(script)}
    assert wanted.items() <= allowed.items()
    assert not re.search(r"@import|url\(|http", style)
    assert not re.search("http|fetch", script)


def _digest(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def contrast(a, b):
    """Of two colours written #rrggbb, as WCAG 2.1 defines it: from 1 to 21, which black on white has."""

    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)
