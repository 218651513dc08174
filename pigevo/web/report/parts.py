"""The parts of every report: sections, key figures, settings, provenance, and pictures to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.web.html import Html, Part, table, tag

OUTPUTS = "outputs"
"""The folder from which a path is told, so that a report says nothing of the machine that it was made on."""


def section(title: str, *parts: Part, name: str) -> Html:
    """A part of the report with its title."""
    return tag("section", tag("h2", title), *parts, id=name)


def words(*parts: Part) -> Html:
    """A paragraph; what stands between backquotes is something to type."""
    return tag("p", map(_prose, parts))


def note(*parts: Part) -> Html:
    """A remark below a table or a figure, as `words`."""
    return tag("p", map(_prose, parts), class_="note")


def more(title: str, *parts: Part) -> Html:
    """What is only seen when it is asked for."""
    return tag("details", tag("summary", title), *parts)


def command(text: str) -> Html:
    """Something to type."""
    return tag("pre", tag("code", text), tabindex=0)


def tiles(figures: Iterable[tuple[str, str, str]]) -> Html:
    """Key figures: of each what it is, the figure, and what it means."""
    return tag(
        "dl",
        [
            tag("div", tag("dt", what), tag("dd", tag("strong", value), tag("span", meaning)))
            for what, value, meaning in figures
        ],
        class_="tiles",
    )


def share(value: float) -> str:
    """A win probability, as everywhere: four places."""
    return f"{value:.4f}"


def interval(low: float | None, high: float | None) -> str:
    """An interval of a win probability."""
    return "undetermined" if low is None or high is None else f"{low:.4f} to {high:.4f}"


def path_of(folder: Path) -> str:
    """A folder as one would type it beside `outputs/`; its name alone where it is not in there."""
    parts = folder.resolve().parts
    last = max((n for n, part in enumerate(parts) if part == OUTPUTS), default=len(parts) - 1)
    return "/".join(parts[last:])


def versions_table(versions: Mapping[str, Any]) -> Html:
    """What a result can depend on, by name."""
    return table(["part", "version"], [[name, str(value)] for name, value in versions.items()], words=2)


def meanings_list(meanings: Mapping[str, str]) -> Html:
    """What words mean."""
    return tag("dl", [[tag("dt", tag("code", word)), tag("dd", _prose(text))] for word, text in meanings.items()])


def _prose(part: Part) -> Part:
    if not isinstance(part, str) or isinstance(part, Html):
        return part
    pieces = re.split(r"`([^`]*)`", part)
    return [tag("code", piece) if number % 2 else piece for number, piece in enumerate(pieces)]


def switch(name: str, question: str, choices: Mapping[str, Part], chosen: str) -> Html:
    """Buttons, and below them what belongs to the one that is pressed.

    Args:
        name: which no other switch of the page has.
        question: what is chosen.
        choices: what belongs to each button, by what is written on it; at most four, which the style knows.
        chosen: the one that is pressed at first, and printed if nobody presses another.
    """
    buttons: list[Html] = []
    for number, label in enumerate(choices):
        key = f"{name}-{number}"
        buttons += [
            tag("input", type="radio", name=name, id=key, class_=f"c{number}", checked=label == chosen),
            tag("label", label, for_=key),
        ]
    panes = [tag("div", inside, class_=f"pane p{number}") for number, inside in enumerate(choices.values())]
    return tag("fieldset", tag("legend", question), buttons, panes, class_="switch")
