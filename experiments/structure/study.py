"""The structure study: cellular selection, islands and panmixia at equal games, at three levels of luck."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.sweeps import run_jobs

from ..common.group import Group, Question, answers, as_markdown, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import WINS, mean_of, table, write_section

HERE = Path(__file__).parent
FRESH = 33_000
"""The first of the seeds, with which nothing was tried before."""
PLAIN = "panmixia"
Luck = Mapping[str, Mapping[str, Group]]
"""The runs of each population by level of luck."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes.
        seeds: of each setting.
        workers: processes.
    """
    settings = read_settings(HERE / "settings.yaml")
    named = {f"{name}_{luck}": words for luck, part in settings.items() for name, words in part.items()}
    jobs = jobs_of(named, seeds, folder, FRESH)
    conclude(run_jobs(in_turn(jobs), workers, "runs of structure"))
    groups = groups_of(jobs)
    found = {luck: {name: groups[f"{name}_{luck}"] for name in part} for luck, part in settings.items()}
    write_bytes(folder / "runs.csv", _runs(found))
    write_section(folder, "table", f"{_levels(found)}\n{as_markdown(answers(_questions(found), WINS))}")


def _words(luck: str, name: str, what: str = "") -> str:
    return ", ".join(word for word in (name, luck.replace("_", " "), what) if word)


def _last(group: Group, column: str) -> Floats:
    """A column of the metrics in the last generation of each run."""
    return np.array([float(run.metrics[column][-1]) for run in group.runs])


def _levels(found: Luck) -> str:
    """What each population comes to."""
    rows = []
    for luck, groups in found.items():
        for name, group in groups.items():
            figures = (_last(group, "mean"), group.champion, _last(group, "diversity"))
            means = (mean_of(one, within=ends) for one, ends in zip(figures, (WINS, WINS, SHARE), strict=True))
            rows.append((_words(luck, name), len(group.runs), f"{np.median(_last(group, 'games')):,.0f}", *means))
    head = ["population", "runs", "games", "last population (95 % interval)", "champion", "diversity"]
    return table(head, rows)


def _questions(found: Luck) -> list[Question]:
    """Each structure beside none, by both figures, at each level of luck."""
    figures: Mapping[str, Callable[[Group], Floats]] = {
        "last population": lambda group: _last(group, "mean"),
        "champion": lambda group: group.champion,
    }
    return [
        Question(_words(luck, name, what), _words(luck, PLAIN, what), group.by_seed(figure(group)),
                 groups[PLAIN].by_seed(figure(groups[PLAIN])), group.budget(), groups[PLAIN].budget())
        for what, figure in figures.items()
        for luck, groups in found.items()
        for name, group in groups.items() if name != PLAIN
    ]  # fmt: skip


def _runs(found: Luck) -> bytes:
    """A row for each run."""
    columns = ("mean", "diversity", "games")
    rows = [
        (luck, name, *row)
        for luck, groups in found.items()
        for name, group in groups.items()
        for row in zip(group.seeds, group.champion, *(_last(group, column) for column in columns), strict=True)
    ]
    return csv_bytes([["luck", "population", "seed", "champion", *columns], *rows])
