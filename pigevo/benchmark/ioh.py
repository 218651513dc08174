"""The records as IOHanalyzer reads them (Wang, Vermetten, Ye, Doerr & Bäck 2022, ACM TELO 2): IOHprofiler's format.

Each algorithm has a folder, each instance in it a file of JSON and a table:

    hill_climber/IOHprofiler_f1_t10-d2-c1-exact.json
    hill_climber/data_f1_t10-d2-c1-exact/IOHprofiler_f1_DIM450.dat

The dimension is the number of genes, an evaluation is a pair evaluated exactly or a game, and `raw_y` is the
champion's loss or its exploitability, each in a folder of its own.  Values need not fall, since a champion may be
lost; readers that want the best so far compute it.  Readers take the row of evaluation 1 for the beginning of a run, so
what a strategy of fair coins loses, which costs nothing, stands there, unless the first record is of one evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from pigevo import __version__
from pigevo.benchmark.instances import SUITES, Instance
from pigevo.benchmark.statistics import By
from pigevo.benchmark.trial import Trial

VERSION = "0.3.22"
"""Of IOHexperimenter, whose files have this form; IOHanalyzer reads another form where it is below 0.3.3."""

FUNCTIONS = 60_000
"""Numbers that instances beyond those of the suites may have; readers keep them in 16 bits."""


def function_id(instance: Instance) -> int:
    """The number of an instance: its place in the suite `small`, from 1, or beyond 1000 one that follows from its name.

    Args:
        instance: the task.
    """
    known = list(dict.fromkeys(name for names in reversed(SUITES.values()) for name in names))
    if instance.name in known:
        return known.index(instance.name) + 1
    return 1001 + crc32(instance.name.encode()) % FUNCTIONS


def files(trials: Sequence[Trial], instance: Instance, by: By, source: str = "") -> Iterator[tuple[str, bytes]]:
    """Names and contents of an algorithm's files for an instance, the table first.

    Args:
        trials: of one algorithm on this instance, in the order of their seeds.
        instance: the task.
        by: which figure of the champion is `raw_y`.
        source: where the algorithm is from.
    """
    number, genes = function_id(instance), instance.grid.genes
    table = f"data_f{number}_{instance.name}/IOHprofiler_f{number}_DIM{genes}.dat"
    yield table, "".join(map(_rows, trials, [by] * len(trials))).encode()
    record: dict[str, Any] = {
        "version": VERSION,
        "suite": "pigevo",
        "function_id": number,
        "function_name": instance.name,
        "maximization": False,
        "algorithm": {"name": trials[0].algorithm, "info": source or trials[0].algorithm},
        "experiment_attributes": [{"pigevo": __version__}, {"unit": instance.unit}, {"measure": by}],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": genes, "path": table, "runs": [_run(trial, by) for trial in trials]}],
    }
    yield f"IOHprofiler_f{number}_{instance.name}.json", (json.dumps(record, indent=1) + "\n").encode()


def _rows(trial: Trial, by: By) -> str:
    return "evaluations raw_y\n" + "".join(f"{spent} {value:.10f}\n" for spent, value in _points(trial, by))


def _run(trial: Trial, by: By) -> dict[str, Any]:
    at, best = min(_points(trial, by), key=lambda point: point[1])
    return {"instance": 1, "evals": int(trial.spent[-1]), "best": {"evals": at, "y": best, "x": []}}


def _points(trial: Trial, by: By) -> list[tuple[int, float]]:
    """What was spent, and the figure then; from evaluation 1 on."""
    points = list(zip(trial.spent.tolist(), getattr(trial, by).tolist(), strict=True))
    return points[1:] if points[1][0] == 1 else [(1, points[0][1]), *points[1:]]
