"""Files that a benchmark writes in addition to the trials: tables, pictures, and IOHprofiler's files.

The records as IOHanalyzer reads them (Wang, Vermetten, Ye, Doerr & Bäck 2022, ACM TELO 2): IOHprofiler's format.

Each algorithm has a folder, each instance in it a file of JSON and a table:

    hill_climber/IOHprofiler_f1_t10-d2-c1-exact.json
    hill_climber/data_f1_t10-d2-c1-exact/IOHprofiler_f1_DIM450.dat

The dimension is the number of genes, an evaluation is a pair evaluated exactly or a game, and `raw_y` is the
champion's loss or its exploitability less that of the best genome, each in a folder of its own.
Values need not decrease, because a champion may be
lost; readers compute the best so far if they need it.  Readers use the row of evaluation 1 as the start of a run, so it
contains the loss of a strategy of fair coins, which costs nothing, unless the first record is of one evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from pigevo import __version__
from pigevo.storage.files import csv_bytes, path_in, write_bytes
from pigevo.storage.records import to_json

from .entrants import Entrant
from .instances import SUITES, Instance
from .results import Results
from .statistics import MEASURES, By, resampled
from .trial import Trial

VERSION = "0.3.22"
"""Of IOHexperimenter, whose files have this form; IOHanalyzer reads another form where it is below 0.3.3."""

FUNCTIONS = 60_000
"""Numbers that instances beyond those of the suites may have; readers keep them in 16 bits."""


def function_id(instance: Instance) -> int:
    """The number of an instance: its place in the suites, from 1, or beyond 1000 one that follows from its name."""
    known = list(dict.fromkeys(name for names in reversed(SUITES.values()) for name in names))
    if instance.name in known:
        return known.index(instance.name) + 1
    return 1001 + crc32(instance.name.encode()) % FUNCTIONS


def files(
    trials: Sequence[Trial], instance: Instance, by: By, source: str = "", zero: float = 0.0
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an algorithm's files for an instance, the table first; `raw_y` is `by` minus `zero`.

    The trials are in the order of their seeds.
    """
    number, genes = function_id(instance), instance.grid.genes
    table = f"data_f{number}_{instance.name}/IOHprofiler_f{number}_DIM{genes}.dat"
    yield table, "".join(_rows(trial, by, zero) for trial in trials).encode()
    record: dict[str, Any] = {
        "version": VERSION,
        "suite": "pigevo",
        "function_id": number,
        "function_name": instance.name,
        "maximization": False,
        "algorithm": {"name": trials[0].algorithm, "info": source or trials[0].algorithm},
        "experiment_attributes": [{"pigevo": __version__}, {"unit": instance.unit}, {"measure": by}],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": genes, "path": table, "runs": [_run(trial, by, zero) for trial in trials]}],
    }
    yield f"IOHprofiler_f{number}_{instance.name}.json", (to_json(record, indent=1) + "\n").encode()


def _rows(trial: Trial, by: By, zero: float) -> str:
    return "evaluations raw_y\n" + "".join(f"{spent} {value:.10f}\n" for spent, value in _points(trial, by, zero))


def _run(trial: Trial, by: By, zero: float) -> dict[str, Any]:
    at, best = min(_points(trial, by, zero), key=lambda point: point[1])
    return {"instance": 1, "evals": int(trial.spent[-1]), "best": {"evals": at, "y": best, "x": []}}


def _points(trial: Trial, by: By, zero: float) -> list[tuple[int, float]]:
    """The amounts spent, and the figure above the zero at each, from evaluation 1 on."""
    figures = np.maximum(0.0, getattr(trial, by) - zero)
    points = list(zip(trial.spent.tolist(), figures.tolist(), strict=True))
    return points[1:] if points[1][0] == 1 else [(1, points[0][1]), *points[1:]]


DPI = 110

STANDINGS, ENDINGS, TIMES, RECORD = "standings.csv", "endings.csv", "times.csv", "summary.json"


def write_results(results: Results, entered: Mapping[str, Entrant], figures: str) -> None:
    """Write everything derived from the trials; `entered` has the algorithms, `figures` is the pictures' format."""
    from pigevo.figures.axes import figure_of, save_figure

    folder = results.folder
    if folder is None:
        return
    _write_ioh(folder, results, entered)
    for name, rows in ((STANDINGS, results.standings), (ENDINGS, results.endings), (TIMES, results.times())):
        lines = [asdict(row) for row in rows]
        write_bytes(path_in(folder, name), csv_bytes([lines[0], *(line.values() for line in lines)]))
    write_bytes(path_in(folder, RECORD), (to_json(summary(results), indent=1) + "\n").encode())
    for name, axes in _pictures(results):
        save_figure(path_in(folder, f"figures/{name}.{figures}"), figure_of(axes), DPI)


def summary(results: Results) -> dict[str, Any]:
    """The standings, endings and early trials as plain values, with what was asked."""
    return {
        "by": results.by,
        "instances": list(results.instances),
        "seeds": results.areas.shape[2],
        "zeros": results.zeros,
        "standings": [asdict(one) for one in results.standings],
        "endings": [asdict(one) for one in results.endings],
        "early": [asdict(one) for one in results.early],
    }


def _write_ioh(folder: Path, results: Results, entered: Mapping[str, Entrant]) -> None:
    for algorithm, of in results.trials.items():
        one = entered[algorithm]
        for name, trials in of.items():
            for by in MEASURES:
                for file, content in files(trials, results.instances[name], by, one.source, results.zeros[name][by]):
                    write_bytes(path_in(folder, f"ioh/{by}/{one.folder}/{file}"), content)


def _pictures(results: Results) -> list[tuple[str, Any]]:
    from .anytime import anytime_data, ecdf_data, plot_anytime, plot_ecdf

    order, figures = [one.algorithm for one in results.standings], []
    samples = resampled(results.areas.shape[2])
    for by in MEASURES:
        ecdf = {name: ecdf_data(results.shares(name, by), samples) for name in order}
        figures.append((f"ecdf_{by}", plot_ecdf(ecdf)))
    for place, instance in results.instances.items():
        curves = {
            name: anytime_data([t.spent for t in of], [getattr(t, results.by) for t in of])
            for name in order
            for of in [results.trials[name][place]]
        }
        figures.append((f"{results.by}_{place}", plot_anytime(curves, instance.unit, results.by)))
    return figures
