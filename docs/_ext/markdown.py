"""Pieces of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def prose(text: str) -> str:
    """A docstring's or a help's words, so that no mark of Markdown is meant by chance; `code` stays code."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else _plain(part) for part in parts)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty where there are no rows."""
    lines = [_row(row) for row in rows]
    return "\n".join([_row(head), _row(["---"] * len(head)), *lines, ""]) if lines else ""


def code(text: object) -> str:
    """A word as code; nothing where there is none."""
    return f"`{text}`" if str(text) else ""


def fence(text: str, language: str = "") -> str:
    """Lines as they are."""
    return f"```{language}\n{text}\n```\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _plain(text: str) -> str:
    return re.sub(r"([\\*<\[\]$])", r"\\\1", text)
