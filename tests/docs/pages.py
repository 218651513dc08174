"""The examples of the documentation, read from its pages.

A page is a session: its blocks run one after the other in one folder, in which the files of `docs/examples` lie.

- `console` blocks: what follows `$ ` is typed, and the lines below it are what is printed.  `...` stands for any text,
  and a comment `# exit status 1` says how it ends, if not with 0.
- `python` blocks: a comment `# 0.4600...` beside a `print` is how the line begins that it prints; `# True` all of it.
- `{picture}` blocks: code that leaves what it has drawn in `drawn`.
- `sh` blocks are for the reader's machine (installation, clusters) and are not run.

A comment `<!-- quick: A -> B; C -> D -->` above a block, which no reader sees, says what is put in place of what
in the quick form; `<!-- quick -->` says that what came before in quick form changes what this block prints.
What such a block prints is compared where it runs as it stands, in the long test.
"""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = DOCS / "examples"
PAGES = sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)

_BLOCK = re.compile(
    r"(?:^<!-- (?P<quick>quick.*?) -->\n)?^(?P<fence>`{3,})(?P<language>[\w{}]*)[^\n`]*\n(?P<body>.*?)^(?P=fence)$",
    flags=re.M | re.S,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    body: str
    changes: tuple[tuple[str, str], ...]
    has_quick_form: bool

    @property
    def in_quick_form(self):
        """The text that the quick test runs."""
        text = self.body
        for long, short in self.changes:
            assert long in text, f"{long!r} is not in the block that it should shorten"
            text = text.replace(long, short)
        return text


@dataclass(frozen=True)
class Typed:
    """A command line and what it prints, as far as the page shows it."""

    words: tuple[str, ...]
    printed: str
    status: int


def blocks(page):
    """The fenced blocks of a page."""
    for block in _BLOCK.finditer(page.read_text()):
        quick = (block["quick"] or "").removeprefix("quick").removeprefix(": ")
        pairs = (pair.split(" -> ") for pair in quick.split("; ") if pair)
        changes = tuple((long, short) for long, short in pairs)
        yield Block(block["language"], block["body"], changes, block["quick"] is not None)


def session(text):
    """The command lines of a `console` block with what each prints."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        line, _, printed = part.replace("\\\n", " ").partition("\n")
        words = shlex.split(line, comments=True)
        if words[:3] == ["python", "-m", "pigevo"]:
            words = words[2:]
        assert words[0] == "pigevo", f"only pigevo is typed in a console block: {line}"
        status = re.search(r"# exit status (\d)", line)
        yield Typed(tuple(words[1:]), printed.strip("\n"), int(status[1]) if status else 0)


def code_of(block):
    """The Python code of a block, without the options of a directive."""
    return re.sub(r"\A(:\w+:.*\n)+\n?", "", block)
