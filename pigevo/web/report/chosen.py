"""What a run was told to do, as far as its folder alone can tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pigevo.errors import InputError
from pigevo.runs.folder import beside_experiment, changed_settings, refuse_changed, values_of
from pigevo.runs.load import Run
from pigevo.settings.folder_names import flat, spelled
from pigevo.settings.settings import Settings
from pigevo.web.html import Html, table, tag
from pigevo.web.report.parts import more, note, words


@dataclass(frozen=True, eq=False)
class Chosen:
    """The settings of a run.

    Args:
        values: all of them, as plain values.
        settings: the same as what the run can be made again from; None where an operator of the user's is not there.
        why: it is not.
    """

    values: Mapping[str, Any]
    settings: Settings | None = field(repr=False)
    why: str = ""

    @property
    def experiment(self) -> str | None:
        """The name of the experiment, if there is one."""
        name: str | None = self.values.get("experiment")
        return name


def chosen_of(run: Run) -> Chosen:
    """The settings of a run, from its folder.

    Raises:
        InputError: they were changed since they were written, or cannot be read.
    """
    assert run.folder is not None
    if not changed_settings(run.folder):
        values = values_of(run.folder)
        try:
            refuse_changed(run.folder, values)
        except InputError as error:
            return Chosen(values, None, str(error))
    settings = beside_experiment(run.settings)
    return Chosen(settings.values, settings)


def settings_part(chosen: Chosen, varied: Mapping[str, Sequence[str]] | None = None) -> list[Html]:
    """The settings of a run, or those that a sweep's runs have in common: first what is not the experiment's.

    Args:
        chosen: of the run, or of any run of the sweep.
        varied: the values of each setting that a sweep has varied.
    """
    every = {key: spelled(value) for key, value in flat(chosen.values)}
    if chosen.settings is None:
        return [_settings(every), note(chosen.why)]
    own = f"the experiment {chosen.experiment}" if chosen.experiment else "pigevo's defaults"
    shown = {key: ", ".join(values) for key, values in (varied or {}).items()}
    head = "value" if chosen.settings.differences.keys() - shown.keys() or not shown else "varied over"
    shown = {**{key: spelled(value) for key, value in chosen.settings.differences.items()}, **shown}
    rest = {key: value for key, value in every.items() if key not in shown}
    others = more(f"all other settings ({len(rest)})", _settings(rest))
    if not shown:
        return [words("All settings are those of ", own, "."), others]
    return [words("What differs from ", own, ":"), _settings(shown, head), others]


def _settings(values: Mapping[str, str], head: str = "value") -> Html:
    rows = [[tag("code", key), tag("code", value)] for key, value in values.items()]
    return table(["setting", head], rows, words=2)
