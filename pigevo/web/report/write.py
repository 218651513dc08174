"""`report.html` written: made whole, then put in its place, and over nothing that is not a report."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pigevo
from pigevo.core.text import visible
from pigevo.errors import InputError
from pigevo.runs.folder import REPORT_FILE, REPORT_MARK, is_report
from pigevo.storage.files import place_in, refuse_unwritable, write_bytes
from pigevo.web.html import Html, document, tag

MOST_BYTES = 5_000_000
"""A report is smaller: its pictures, films and tables are bounded so that it is."""


def place_for(folder: Path, to: Path | None) -> Path:
    """Where a report goes, before it is made.

    Args:
        folder: of the sweep or the run.
        to: what the user said; None for `report.html` in the folder.

    Raises:
        InputError: a link or a file that is no report lies there, or nothing can be written.
    """
    place = place_in(folder, REPORT_FILE) if to is None else to
    if to is not None and to.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{to} is no name of a report: let it end with .html.")
    refuse_unwritable(place)
    if place.exists() and not is_report(place):
        raise InputError(f"{place} is no report of pigevo's, and would be lost: move it away, or say --html FILE.html.")
    return place


def write_report(place: Path, title: str, parts: list[Html]) -> Path:
    """Write a report.

    Args:
        place: of `place_for`.
        title: of the window.
        parts: what it shows.

    Raises:
        InputError: it cannot be written, or is larger than a report may be.
    """
    here = files("pigevo.web.report")
    style, script = ((here / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    made = f"Made by pigevo {pigevo.__version__} from what the folder records. It needs no other file and asks no host."
    body = [tag("main", parts), tag("footer", tag("p", made))]
    content = document(f"{visible(title)} - pigevo", body, style, script, REPORT_MARK)
    if len(content) > MOST_BYTES:
        raise InputError(
            f"the report would have {len(content) / 1e6:.1f} MB, more than {MOST_BYTES / 1e6:.0f}: say --no-film."
        )
    return write_bytes(place, content)
