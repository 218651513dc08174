"""`report.html`: a sweep or a run in one file that needs nothing else, not even a script; and what reports share.

A report is written completely and then renamed, and replaces only reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import pigevo
from pigevo.core.registry import Registry
from pigevo.core.text import visible
from pigevo.errors import InputError
from pigevo.runs.folder import (
    REPORT_FILE,
    REPORT_MARK,
    beside_experiment,
    differences_without_code,
    is_report,
    values_of,
)
from pigevo.runs.load import Run
from pigevo.settings.schema import Values, flat, spelled
from pigevo.settings.settings import Settings
from pigevo.storage.files import path_in, refuse_unwritable, write_bytes
from pigevo.user_code.loading import CodeNotRun
from pigevo.web.html import Html, document, details, note, paragraph, prose, section, table, tag

OUTCOME_PARTS = Registry("part of a report", 2, __name__)
"""Further parts of a run's report, by the `outcome_name` of its selection. Each is called with the arrays of the run's
`archive.npz` and with its folder as typed, and is registered in the file of its name (`elites.py`)."""

OUTPUTS = "outputs"  # paths in a report begin at this folder, so that it contains nothing about the machine
NOT_RUN = (
    "The code that the run names was not run for this page, so all options of its functions are listed, also defaults."
)
MOST_BYTES = 5_000_000  # the size limit of a report, guaranteed by limits on its pictures, films and tables


def report_path(folder: Path, to: Path | None, name: str = REPORT_FILE) -> Path:
    """The path of a folder's report: `report.html` in it, or another name there, or the user's choice."""
    path = path_in(folder, name) if to is None else to
    if to is not None and to.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{to}: the name of a report must end with .html.")
    refuse_foreign(path, "another name with --html FILE.html")
    return path


def refuse_foreign(path: Path, instead: str) -> None:
    """Refuse the path of a report where another file lies; `instead` names what to choose."""
    refuse_unwritable(path)
    if path.exists() and not is_report(path):
        raise InputError(
            f"{path} was not written by pigevo and would be overwritten: move it away, or choose {instead}."
        )


def write_report(path: Path, title: str, parts: list[Html]) -> Path:
    """Write a report to a path from `report_path`."""
    package = files("pigevo.web.report")
    style, script = ((package / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    needs = tag("span", " It needs no other file and no network.", class_="screen")
    body = [tag("main", parts), tag("footer", tag("p", f"Made by pigevo {pigevo.__version__}.", needs))]
    content = document(f"{visible(title)} - pigevo", body, style, script, REPORT_MARK)
    if len(content) > MOST_BYTES:
        raise InputError(
            f"the report would have {len(content) / 1e6:.1f} MB, more than {MOST_BYTES / 1e6:.0f}: use --no-film."
        )
    return write_bytes(path, content)


@dataclass(frozen=True, eq=False)
class ReportedSettings:
    """The settings of a run, as far as they can be read from its folder.

    `differences` are those that differ from the experiment. `settings` is None if a user's operator is missing, or was
    not to be run, so that the run cannot be repeated; `why` is the reason.
    """

    values: Values
    differences: Values
    settings: Settings | None = field(repr=False)
    why: str = ""


def reported_settings(run: Run) -> ReportedSettings:
    """The settings of a run, from its folder."""
    assert run.folder is not None
    try:
        settings = beside_experiment(run.settings)
    except CodeNotRun as error:
        return ReportedSettings(values_of(run.folder), differences_without_code(run.folder), None, str(error))
    return ReportedSettings(settings.values, settings.differences, settings)


Varied = Mapping[str, Sequence[str]]
"""The values of the keys that a sweep varies."""


def settings_part(chosen: ReportedSettings, varied: Varied | None = None) -> list[Html]:
    """The settings of a run, beginning with those that differ from the experiment; or a sweep's, with swept keys."""
    every = {key: spelled(value) for key, value in flat(chosen.values)}
    rest = {key: value for key, value in every.items() if key not in {*chosen.differences, *(varied or {})}}
    return [*changed_settings(chosen, varied), details(f"all other settings ({len(rest)})", _settings(rest))]


def changed_settings(chosen: ReportedSettings, varied: Varied | None = None) -> list[Html]:
    """The settings that differ from the experiment, and those that a sweep varies."""
    experiment = chosen.values.get("experiment")
    base = f"the experiment {experiment}" if experiment else "pigevo's defaults"
    swept = {key: ", ".join(values) for key, values in (varied or {}).items()}
    differences = {key: spelled(value) for key, value in chosen.differences.items()}
    head = "value" if differences.keys() - swept.keys() or not swept else "varied over"
    if not differences | swept:
        return [paragraph("All settings are those of ", base, ".")]
    shown = [paragraph("What differs from ", base, ":"), _settings(differences | swept, head)]
    return shown if chosen.settings else [*shown, note(NOT_RUN)]


def _settings(values: Mapping[str, str], head: str = "value") -> Html:
    rows = [[tag("code", key), tag("code", value)] for key, value in values.items()]
    return table(["setting", head], rows, words=2)


def versions_table(versions: Mapping[str, object]) -> Html:
    """The versions on which a result can depend, by name."""
    return table(["part", "version"], [[name, str(value)] for name, value in versions.items()], words=2)


def meanings_part(meanings: Mapping[str, str]) -> Html:
    """The meanings of words."""
    meant = tag("dl", [[tag("dt", tag("code", word)), tag("dd", prose(text))] for word, text in meanings.items()])
    return section("What the words mean", meant, name="words")


def path_of(folder: Path) -> str:
    """A folder as typed beside `outputs/`; only its name if it is elsewhere."""
    parts = folder.resolve().parts
    last = max((n for n, part in enumerate(parts) if part == OUTPUTS), default=len(parts) - 1)
    return "/".join(parts[last:])
