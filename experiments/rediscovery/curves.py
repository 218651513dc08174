"""The curves of the pictures as tables: win probability against the optimum by strategies evaluated."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pigevo.storage.files import csv_bytes

from ..common.group import Group
from ..common.spent import Spent, spent_data


def as_csv(groups: Mapping[str, Group]) -> bytes:
    """The best member of each recorded generation, a column for each seed; empty where a setting lacks the seed.

    A setting spends as many strategies in every run, so that its seeds share their rows.
    """
    seeds = sorted({seed for group in groups.values() for seed in group.seeds})
    rows: list[list[object]] = [["setting", "strategies", *seeds]]
    for name, group in groups.items():
        best = {seed: run.metrics["best"] for seed, run in zip(group.seeds, group.runs, strict=True)}
        for record, strategies in enumerate(group.runs[0].metrics["evaluations"].tolist()):
            cells = (f"{best[seed][record]:.9f}" if seed in best else "" for seed in seeds)
            rows.append([name, strategies, *cells])
    return csv_bytes(rows)


def read(path: Path) -> dict[str, Spent]:
    """The curves that `as_csv` has written, by setting in words."""
    with path.open(newline="", encoding="utf-8") as file:
        _, *rows = csv.reader(file)
    return {
        name.replace("_", " "): _curve(np.array([[cell or "nan" for cell in row[1:]] for row in records], dtype=float))
        for name, records in itertools.groupby(rows, key=lambda row: row[0])
    }


def _curve(columns: np.ndarray) -> Spent:
    """The curves of a setting, from its columns: strategies, then those of seeds, which are NaN without a run."""
    strategies, *seeds = columns.T
    return spent_data([{"evaluations": strategies, "best": best} for best in seeds if not np.isnan(best).any()])
