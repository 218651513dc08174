"""The lineage study: what selection, crossover and mutation bring to a population, by the equation of Price.

Also whether a run's champions become better (`champions.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.runs.load import Run
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.sweeps import run_jobs

from ..coevolution.kept import Key, kept
from ..common.group import Group, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import table, write_section
from . import champions

HERE = Path(__file__).parent
FRESH = 47_000
"""The first of the seeds, with which nothing was tried before."""
OPERATORS = ("selection", "crossover", "mutation")
COLUMNS = ("setting", "seed", "cubes", "generations", *OPERATORS, "change")


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes.
        seeds: of each setting.
        workers: processes.
    """
    settings = read_settings(HERE / "settings.yaml")["runs"]
    jobs = jobs_of(settings, seeds, folder, FRESH)
    conclude(run_jobs(in_turn(jobs), workers, "runs of lineage"))
    rows = [row for name, group in groups_of(jobs).items() for row in _rows(name, group)]
    write_bytes(folder / "runs.csv", csv_bytes([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)]))
    write_section(folder, "table", _table(rows))
    keys: list[Key] = [(name, FRESH + number) for number in range(seeds) for name in settings]
    won = kept(folder / "champions.csv", champions.KEY, keys, champions.Champions(settings), workers)
    write_section(folder, "champions", champions.as_markdown(won))


def _rows(name: str, group: Group) -> Iterator[Mapping[str, object]]:
    """The gains of each wave of each run, a generation on average."""
    for seed, one in zip(group.seeds, group.runs, strict=True):
        for wave in np.unique(one.metrics["wave"]):
            yield {"setting": name, "seed": seed, **_gains(one, wave)}


def _gains(one: Run, wave: int) -> dict[str, object]:
    """What each operator brought to the mean in a generation of a wave; its first one, of new cubes, is left out."""
    inside = np.flatnonzero(one.metrics["wave"] == wave)[1:]
    gains = {name: float(np.mean(one.metrics[f"gain_{name}"][inside])) for name in OPERATORS}
    change = float(np.mean((one.metrics["mean"][1:] - one.metrics["mean"][:-1])[inside - 1]))
    return {"cubes": one.metrics["cube_size"][inside[0]], "generations": len(inside), **gains, "change": change}


def _table(rows: list[Mapping[str, object]]) -> str:
    """Means over seeds with 95 % intervals, by setting and cubes."""
    lines = []
    for setting, cubes in dict.fromkeys((row["setting"], row["cubes"]) for row in rows):
        found = [row for row in rows if (row["setting"], row["cubes"]) == (setting, cubes)]
        figures: list[Floats] = [np.array([row[name] for row in found], float) for name in COLUMNS[4:]]
        means = [with_interval(float(one.mean()), *mean_interval(one), "+.5f") for one in figures]
        lines.append((setting, cubes, len(found), *means))
    head = ["fitness", "cubes", "runs", *OPERATORS, "change of the mean"]
    return table(head, lines)
