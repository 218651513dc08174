"""The parts that every report has: sections, key figures, settings, and where everything is from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pigevo.config.compose import Composer
from pigevo.naming import flat, spelled
from pigevo.settings import Settings
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
    return "-" if low is None or high is None else f"{low:.4f} to {high:.4f}"


def path_of(folder: Path) -> str:
    """A folder as one would type it beside `outputs/`; its name alone where it is not in there."""
    parts = folder.resolve().parts
    last = max((n for n, part in enumerate(parts) if part == OUTPUTS), default=len(parts) - 1)
    return "/".join(parts[last:])


def with_base(settings: Settings) -> Settings:
    """Settings that were read from a run's folder, which know in what they differ from their experiment's."""
    return replace(settings, base=Composer().base(settings.values))


def settings_table(settings: Settings, swept: Mapping[str, Sequence[str]] | None = None) -> list[Html]:
    """The settings of a run, or those that a sweep's runs have in common: first what is not the experiment's.

    Args:
        settings: of the run, or of any run of the sweep.
        swept: the values of each setting that a sweep has varied.
    """
    varied = dict(swept or {})
    changed = {key: spelled(value) for key, value in settings.differences.items()}
    every = {key: spelled(value) for key, value in flat(settings.values)}
    shown = [(key, ", ".join(values)) for key, values in varied.items()]
    shown += [(key, value) for key, value in changed.items() if key not in varied]
    rest = [(key, value) for key, value in every.items() if key not in dict(shown)]
    own = f"the experiment {settings.experiment}" if settings.experiment else "pigevo's defaults"
    others = more(f"all other settings ({len(rest)})", _plain(rest))
    if not shown:
        return [words("All settings are those of ", own, "."), others]
    head = "varied over" if len(shown) == len(varied) else "value"
    return [words("What differs from ", own, ":"), table(["setting", head], _codes(shown), words=2), others]


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


def _codes(rows: Iterable[tuple[str, str]]) -> list[list[Html]]:
    return [[tag("code", key), tag("code", value)] for key, value in rows]


def _plain(rows: Iterable[tuple[str, str]]) -> Html:
    return table(["setting", "value"], _codes(rows), words=2)
