"""A face as a notebook would lay it out: its texts, tables and picture."""

import base64
import io
from html.parser import HTMLParser

import numpy as np
from matplotlib.image import imread

ALLOWED = {"div", "strong", "p", "table", "tr", "th", "td", "img"}
ATTRIBUTES = {"style", "class", "alt", "src"}


class Seen(HTMLParser):
    """The HTML of a record, read; every tag must be one of a few, and be closed."""

    def __init__(self, record):
        super().__init__()
        self.record, self.open, self.tables, self.paragraphs, self.title, self.images = record, [], [], [], "", []
        self.bundle = record._repr_mimebundle_()
        self.html = self.bundle["text/html"]
        self.feed(self.html)
        self.close()
        assert self.open == []
        assert set(self.bundle) == {"text/html", *(["image/png"] if self.images else [])}

    def handle_starttag(self, tag, attributes):
        """Note what begins."""
        assert tag in ALLOWED
        assert {name for name, _ in attributes} <= ATTRIBUTES
        if tag == "img":
            self.images.append(dict(attributes))
            return
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            self.tables[-1][-1].append("")
        elif tag == "p":
            self.paragraphs.append("")

    def handle_endtag(self, tag):
        """What ends is what began last."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Text stands in a cell, a paragraph or the title."""
        inside = self.open[-1]
        if inside in ("th", "td"):
            self.tables[-1][-1][-1] += data
        elif inside == "p":
            self.paragraphs[-1] += data.replace("\xa0", " ")
        else:
            assert inside == "strong"
            self.title += data

    @property
    def text(self):
        """All that is said in sentences."""
        return " ".join([self.title, *self.paragraphs])

    def row(self, name):
        """The other cells of the first row with that name."""
        return next(row[1:] for table in self.tables for row in table if row[0] == name)

    @property
    def picture(self):
        """The picture, shape (height, width, channels); it is the same beside the text and alone."""
        (image,) = self.images
        head, _, content = image["src"].partition(",")
        assert head == "data:image/png;base64"
        assert content == self.bundle["image/png"]
        found = imread(io.BytesIO(base64.b64decode(content)))
        assert np.unique(found.reshape(-1, found.shape[2]), axis=0).shape[0] > 10  # it is not blank
        return found
