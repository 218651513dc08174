"""A README's figures, looked for in the tables beside it: each paragraph names the rows that it tells of.

A number of a paragraph must stand in one of these rows, rounded as the README prints it (a per cent is a hundredth), or be
one of those that are known without a table.  A figure that stands only in rows that are *open* must be called so in its
sentence, and a sentence that calls something open must claim nothing.
"""

import re
from dataclasses import dataclass

NUMBER = re.compile(r"(?<![\w.,])[+-]?(?:\d[\d,]*)?(?:\.\d+|\d)(?:e-\d+)?(?: ?%)?(?![\w])")
CLAIMS = re.compile(r"\b(best|nothing|none|no (?:better|worse|more|less)|the same|equal|do(?:es)? not matter)\b")


@dataclass(frozen=True)
class Number:
    """A number as it is printed."""

    text: str

    @property
    def value(self):
        bare = float(self.text.rstrip(" %").replace(",", ""))
        return bare / 100 if "%" in self.text else bare

    @property
    def unit(self):
        """The value of one in the last digit."""
        bare = self.text.rstrip(" %").split("e")[0]
        power = int(self.text.rstrip(" %").split("e")[1]) if "e" in self.text else 0
        decimals = len(bare.split(".")[1]) if "." in bare else 0
        return 10.0 ** (power - decimals - (2 if "%" in self.text else 0))

    @property
    def is_figure(self):
        """What is printed to three decimals is a result; other numbers may be settings."""
        return "%" not in self.text and self.unit < 0.0011

    def rounds(self, other):
        """Whether the other number, of more digits, is this one when rounded, or is the same, signs aside."""
        apart = abs(abs(self.value) - abs(other.value))
        least = 1e-6 * self.unit
        return apart <= least or (other.unit < 0.9 * self.unit and apart <= (self.unit + other.unit) / 2 + least)


def numbers(text):
    return [Number(found) for found in NUMBER.findall(text)]


def paragraphs(text):
    """The paragraphs, bullets and rows of tables of a README, without code, links, pictures and headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"^( {4}.*|#.*|\|[-|]+)$", "", text, flags=re.M)
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "", text)
    text = re.sub(r"^(\||- )", r"\n\1", text, flags=re.M)
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def sentences(paragraph):
    return re.split(r"(?<=[.;])\s+", paragraph)


def rows_of(tables, wanted):
    """The rows of Markdown tables that begin with one of some words.

    Args:
        tables: texts by file name.
        wanted: file name and how the row's cells begin; every one must be found.
    """
    found = []
    for name, beginning in wanted:
        own = [line for line in tables[name].splitlines() if line.startswith(f"| {beginning}")]
        assert own, f"{name} has no row that begins with {beginning!r}"
        found += own
    return found


def told_rows(paragraph, sources, tables):
    """The rows that a paragraph tells of.

    Args:
        paragraph: the text.
        sources: how each paragraph begins, and file name and beginning of its rows.
        tables: texts by file name.
    """
    (wanted,) = [rows for beginning, rows in sources.items() if paragraph.startswith(beginning)]
    return rows_of(tables, wanted)


def unfounded(paragraph, rows, known=()):
    """The numbers of a paragraph that stand neither in its rows nor among those that are known."""
    there = [one for row in rows for one in numbers(row)]
    return [
        one.text for one in numbers(paragraph)
        if one.text not in known and not any(one.rounds(other) for other in there)
    ]  # fmt: skip


def is_open(row):
    return row.rstrip(" |").endswith("| open")


def not_called_open(paragraph, rows):
    """Sentences that have a figure of open rows only and do not say so."""
    settled, undecided = ([n for row in rows if is_open(row) is kind for n in numbers(row)] for kind in (False, True))
    return [
        sentence for sentence in sentences(paragraph) if "open" not in sentence.lower()
        and any(n.is_figure and any(n.rounds(o) for o in undecided) and not any(n.rounds(o) for o in settled)
                for n in numbers(sentence))
    ]  # fmt: skip


def open_claims(paragraph):
    """Sentences that call something open and claim something of it."""
    return [sentence for sentence in sentences(paragraph) if "open" in sentence.lower() and CLAIMS.search(sentence)]


def unsupported(paragraph, rows, known=()):
    """What in a paragraph the rows do not bear: numbers, what is open and not called so, and claims of what is open."""
    return [*unfounded(paragraph, rows, known), *not_called_open(paragraph, rows), *open_claims(paragraph)]
