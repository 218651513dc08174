"""The lineage study: what selection, crossover and mutation bring to a population, by the equation of Price.

Also whether a run's champions become better (prediction 4): of two champions of the last wave, how often is the earlier
one the better? A run records few champions where naming one takes games. So its generations are computed again, and the
champion of every fifth one is named as if the run ended there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE
from pigevo.exact import pairs_of_tables
from pigevo.runs.load import Run
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.sweeps import run_jobs

from ..coevolution.kept import Key, Rows, kept
from ..common.group import Group, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import mean_of, table, write_section

HERE = Path(__file__).parent
FRESH = 47_000
"""The first of the seeds, with which nothing was tried before."""
OPERATORS = ("selection", "crossover", "mutation")
COLUMNS = ("setting", "seed", "cubes", "generations", *OPERATORS, "change")
APART = 5
"""Generations from one champion to the next."""
ROUNDING = 1e-12
"""Win probabilities this near to a half are a half."""
KEY = ("setting", "seed")


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
    won = kept(folder / "champions.csv", KEY, keys, Champions(settings), workers)
    write_section(folder, "champions", champions_table(won))


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
        means = [mean_of(one, "+.5f") for one in figures]
        lines.append((setting, cubes, len(found), *means))
    head = ["fitness", "cubes", "runs", *OPERATORS, "change of the mean"]
    return table(head, lines)


class Champions:
    """How many champions of a run's last wave are compared, and the share of their pairs that the earlier one wins.

    Args:
        settings: the overrides of each setting.
    """

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = settings

    def __call__(self, key: Key) -> Mapping[str, float]:
        """Those of one run, by setting and seed; a pair in which both win a half counts a half."""
        setting, seed = key
        champions: list[pigevo.Strategy] = []
        for generation in pigevo.generations(*self.settings[str(setting)].split(), f"seed={seed}", "baseline=none"):
            *_, begins, _ = sorted(generation.plan.wave_ends)
            if generation.number > begins and generation.number % APART == 0:
                champions.append(generation.champion)
        pairs = list(itertools.combinations(range(len(champions)), 2))
        tables = np.stack([champion.table for champion in champions])
        overall = pairs_of_tables(champions[0].game, tables, pairs).mean(axis=1)
        earlier = np.where(np.isclose(overall, 0.5, rtol=0, atol=ROUNDING), 0.5, overall > 0.5)
        return {"champions": len(champions), "earlier": float(earlier.mean())}


def champions_table(rows: Rows) -> str:
    """The mean share over the runs of each setting, with a 95 % interval."""
    lines = []
    for setting in dict.fromkeys(setting for setting, _ in rows):
        found = [figures for (name, _), figures in rows.items() if name == setting]
        shares = np.array([figures["earlier"] for figures in found])
        mean = mean_of(shares, ".3f", SHARE)
        lines.append((setting, len(found), f"{found[0]['champions']:.0f}", mean))
    return table(["fitness", "runs", "champions", "share of pairs that the earlier one wins"], lines)
