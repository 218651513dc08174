"""The figures of a study's README, held against the tables beside it.

The scope of a paragraph is the tables that its section and the sections around it link to (or name, as `orbits.csv`), or all
tables of the study where none is linked.  A paragraph that links to a heading within a table (`tables.md#how-much-is-luck`) has that
part alone for its scope.

- A number that hardly stands in a table by chance (`is_specific`) must stand in a row of the scope, rounded as it is printed.
- Any other number must stand in a row of the scope that has another number of the paragraph as well, or be a setting of the
  study: in its `settings.yaml` or in a constant of its code, where whole numbers from 1,000 on may stand, too.
- An interval must stand in one row with the figure before it.
- A figure that stands only in rows that are *open* must be called so in its sentence, and a sentence that calls something
  open must claim nothing.
"""

import csv
import functools
import re
from dataclasses import dataclass

import numpy as np

from pigevo.experiments import experiments_folder
from pigevo.experiments.common.tables import TABLES as FILE
from pigevo.experiments.common.tables import read_sections

NUMBER = re.compile(r"(?<![\w.,])[+-]?(?:\d[\d,]*)?(?:\.\d+|\d)(?:e-\d+)?(?: ?%)?(?![\w])")
INTERVAL = re.compile(rf"({NUMBER.pattern})(?: of \d+)? \([^()\d]*({NUMBER.pattern}) to ({NUMBER.pattern})")
LINK = re.compile(r"\]\((\w+\.(?:md|csv))(?:#([\w-]+))?\)|`(\w+\.csv)`")
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
        bare, _, power = self.text.rstrip(" %").partition("e")
        decimals = len(bare.partition(".")[2])
        return 10.0 ** (int(power or 0) - decimals - (2 if "%" in self.text else 0))

    @property
    def sign(self):
        """The printed sign, 0 if there is none."""
        return {"+": 1, "-": -1}.get(self.text[0], 0)

    @property
    def is_specific(self):
        """Whether it hardly stands in a table by chance: three significant digits, four decimals, or from 1,000 on."""
        return self.value >= 1000 or ("." in self.text and (abs(self.value) >= 100 * self.unit or self.unit < 0.00011))

    @property
    def is_figure(self):
        """Whether it has three decimals or more, as results have."""
        return "%" not in self.text and self.unit < 0.0011


def numbers(text):
    return [Number(match) for match in NUMBER.findall(text)]


def blocks(text):
    """The paragraphs, bullets and rows of tables of a README, without code in blocks and headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"^( {4}.*|#.*|\|[-|]+)$", "", text, flags=re.M)
    text = re.sub(r"^(\||- )", r"\n\1", text, flags=re.M)
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def prose_of(block):
    """A paragraph without the targets of links and pictures, and without code."""
    text = re.sub(r"`[^`]*`", "", re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", block))
    return " ".join(text.split())


def sentences(paragraph):
    return re.split(r"(?<=[.;])\s+", paragraph)


class Rows:
    """The numbers of the rows of tables.

    Args:
        text: Markdown tables, one row a line.
    """

    def __init__(self, text):
        lines = [line for line in text.splitlines() if line.strip()]
        cells = [(number, row) for row, line in enumerate(lines) for number in numbers(line)]
        self.row = np.array([row for _, row in cells], dtype=int)
        self.value, self.unit, self.sign = (
            np.array([getattr(number, name) for number, _ in cells]) for name in ("value", "unit", "sign")
        )
        self.is_open = np.array([line.rstrip(" |").endswith("| open") for line in lines], dtype=bool)

    def positions(self, number):
        """Where a number stands, rounded as it is printed; signs must agree only where both are printed."""
        apart, least = np.abs(np.abs(self.value) - abs(number.value)), 1e-6 * number.unit
        finer = (self.unit < 0.9 * number.unit) & (apart <= (number.unit + self.unit) / 2 + least)
        return np.flatnonzero(((apart <= least) | finer) & (self.sign * number.sign >= 0))

    def rows_of(self, number):
        return set(self.row[self.positions(number)].tolist())

    def have_interval(self, estimate, low, high):
        """Whether a row has both ends of an interval side by side (turned if the sign is), and its estimate."""
        lows, highs = self.positions(low), self.positions(high)
        beside = lows[np.isin(lows + 1, highs) | np.isin(lows - 1, highs)]
        return bool(self.rows_of(estimate) & set(self.row[beside].tolist()))


def part_of_tables(texts, anchor):
    """What stands below the heading of Markdown texts that has this anchor."""
    for part in (part for text in texts for part in re.split(r"^(?=#)", text, flags=re.M)):
        heading = part.partition("\n")[0].lstrip("# ").lower()
        if re.sub(r"[^\w -]", "", heading).replace(" ", "-") == anchor:
            return part
    raise AssertionError(f"no heading has the anchor {anchor}")


def paragraphs_with_scopes(readme, tables):
    """The paragraphs of a README that have numbers, each with the rows of its scope.

    Args:
        readme: the text.
        tables: of `readme_and_tables`.
    """
    rows = functools.cache(lambda texts: Rows("\n".join(texts)))

    def linked(text, parts_only=False):
        links = [(linked or named, at) for linked, at, named in LINK.findall(text)]
        parts = [part_of_tables(tables.values(), at) for name, at in links if name == FILE and at and at not in tables]
        names = [at if name == FILE and at else name for name, at in links]
        whole = [text for name in names for text in (tables.values() if name == FILE else [tables.get(name)]) if text]
        return parts if parts_only else parts + whole

    around = {}  # by level, the tables linked in a section and in those around it
    for section in re.split(r"^(?=#+ )", readme, flags=re.M):
        level = len(section) - len(section.lstrip("#"))
        around = {higher: texts for higher, texts in around.items() if higher < level} | {level: linked(section)}
        of_section = [text for texts in around.values() for text in texts] or list(tables.values())
        for block in blocks(section):
            if numbers(paragraph := prose_of(block)):
                yield paragraph, rows(tuple(dict.fromkeys(linked(block, parts_only=True) or of_section)))


def settings_of(folder):
    """The numbers of a study's settings and of the constants of its code."""
    constants = [line for path in folder.glob("*.py") for line in re.findall(r"^[A-Z_]+ = .*", path.read_text(), re.M)]
    settings = [path.read_text() for path in folder.glob("settings.yaml")]
    return Rows("\n".join([*settings, *constants]))


def unfounded(paragraph, rows, settings, known=()):
    """The numbers and intervals of a paragraph that stand neither in its scope nor in the settings and are not known."""
    places = {number: rows.rows_of(number) for number in numbers(paragraph)}
    missing = []
    for number, own in places.items():
        beside = set().union(*(other for another, other in places.items() if another != number))
        in_table = own if number.is_specific else own & beside
        in_settings = not (number.is_specific and "." in number.text) and settings.positions(number).size
        if not in_table and not in_settings and number.text not in known:
            missing.append(number.text)
    intervals = [(match[0], [Number(text) for text in match.groups()]) for match in INTERVAL.finditer(paragraph)]
    return missing + [
        text for text, ends in intervals
        if not rows.have_interval(*ends) and not all(end.text in known for end in ends[1:])
    ]  # fmt: skip


def not_called_open(paragraph, rows, known=()):
    """Sentences that do not say open and have a figure of open rows alone."""

    def is_open(number):
        own = list(rows.rows_of(number))
        return number.is_figure and number.text not in known and own and rows.is_open[own].all()

    return [
        sentence
        for sentence in sentences(paragraph)
        if "open" not in sentence.lower() and any(map(is_open, numbers(sentence)))
    ]


def open_claims(paragraph):
    """Sentences that call something open and claim something of it."""
    return [sentence for sentence in sentences(paragraph) if "open" in sentence.lower() and CLAIMS.search(sentence)]


def readme_and_tables(name):
    """The README of a study and its tables by their names, with other pages by file name; CSV tables where it has neither."""
    folder = experiments_folder() / name
    pages = [path for path in sorted(folder.glob("*.md")) if path.name not in ("README.md", FILE)]
    tables = read_sections(folder) | {path.name: path.read_text() for path in pages}
    for path in sorted(folder.glob("*.csv")) if not tables else ():
        tables[path.name] = "\n".join(" | ".join(cells) for cells in csv.reader(path.read_text().splitlines()))
    return (folder / "README.md").read_text(), tables


def cells_of(table, beginning=""):
    """The cells of the rows of a Markdown table that begin with some words; there must be one."""
    rows = [line.strip("| ").split("|") for line in table.splitlines() if line.startswith(f"| {beginning}")]
    assert rows, f"no row begins with {beginning!r}"
    return [[cell.strip() for cell in row] for row in rows]
