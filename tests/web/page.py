"""A page read back, and what must be true of every page that opens from its file."""

import base64
import hashlib
import re
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "meta", "wbr"}
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
        return [one for one in self.elements if one["name"] == name and wanted.items() <= one.items()]

    def text_of(self, name):
        (one,) = self.all(name)
        return one["text"]

    def rows(self, caption):
        """The cells of the table whose caption begins so."""
        tables = [one for one in self.all("table") if one["text"].startswith(caption)]
        assert len(tables) == 1, caption
        first = self.elements.index(tables[0])
        rows = []
        for one in self.elements[first + 1 :]:
            if one["name"] == "table":
                break
            if one["name"] == "tr":
                rows.append([])
            elif one["name"] in ("td", "th"):
                rows[-1].append(one["text"])
        return rows


def read(path):
    return Page(path.read_text(encoding="utf-8"))


def refuse_outside(page):
    """Refuse a page that loads something, runs something unknown, or cannot be used by everybody."""
    ids = [one["@id"] for one in page.elements if "@id" in one]
    assert len(ids) == len(set(ids))
    for one in page.elements:
        for key in [key[1:] for key in one if key.startswith("@")]:
            value = one[f"@{key}"] or ""
            assert not key.startswith("on"), one
            assert key != "style", one
            if key in LOADING:
                assert value.startswith(("data:image/", "#")), (key, value[:80])
                if value.startswith("#"):
                    assert value[1:] in ids
            for name in re.findall(r"url\(([^)]*)\)", value):
                assert name.startswith("#")
                assert name[1:] in ids
        if one["name"] == "img":
            assert len(one["@alt"]) > 10
        if one["name"] == "svg":
            assert one.get("@aria-label") or one.get("@aria-hidden") == "true"
        if one["name"] == "label":
            assert one["@for"] in ids
    assert not {one["name"] for one in page.elements} & {"iframe", "object", "embed", "link", "base", "form", "video"}
    (policy,) = [one["@content"] for one in page.all("meta") if one.get("@http-equiv") == "Content-Security-Policy"]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["img-src"] == "data:"
    (style,), (script,) = page.all("style"), page.all("script")
    assert "@import" not in style["text"]
    assert "url(" not in style["text"]
    assert allowed["style-src"] == f"'{_digest(style['text'])}'"
    assert allowed["script-src"] == f"'{_digest(script['text'])}'"
    assert "http" not in style["text"] + script["text"]
    assert "fetch" not in script["text"]


def _digest(text):
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def contrast(a, b):
    """Of two colours written #rrggbb, as WCAG 2.1 defines it: from 1 to 21, which black on white has."""

    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)
