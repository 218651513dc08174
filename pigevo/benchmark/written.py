"""What a benchmark leaves in its folder beside the trials: tables, pictures, and IOHprofiler's files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pigevo.benchmark.entrants import Entrant
from pigevo.benchmark.ioh import files
from pigevo.benchmark.results import Results
from pigevo.benchmark.statistics import MEASURES, resampled
from pigevo.files import write_bytes
from pigevo.folders import place_in

STANDINGS, ENDINGS, TIMES, RECORD = "standings.csv", "endings.csv", "times.csv", "summary.json"


def write_results(folder: Path, results: Results, entered: Mapping[str, Entrant]) -> None:
    """Write all that follows from the trials.

    Args:
        folder: the benchmark's.
        results: what it found.
        entered: the algorithms, by name.

    Raises:
        InputError: something cannot be written.
    """
    _write_ioh(folder, results, entered)
    for name, rows in ((STANDINGS, results.standings), (ENDINGS, results.endings), (TIMES, results.times())):
        write_bytes(place_in(folder, name), _table([asdict(row) for row in rows]))
    write_bytes(place_in(folder, RECORD), (json.dumps(summary(results), indent=1) + "\n").encode())
    for name, picture in _pictures(results):
        write_bytes(place_in(folder, f"figures/{name}.png"), picture)


def summary(results: Results) -> dict[str, Any]:
    """The standings, endings and early trials as plain values, with what was asked."""
    return {
        "by": results.by,
        "instances": list(results.instances),
        "seeds": results.areas.shape[2],
        "standings": [asdict(one) for one in results.standings],
        "endings": [asdict(one) for one in results.endings],
        "early": [asdict(one) for one in results.early],
    }


def _write_ioh(folder: Path, results: Results, entered: Mapping[str, Entrant]) -> None:
    for algorithm, of in results.trials.items():
        one = entered[algorithm]
        for name, trials in of.items():
            for by in MEASURES:
                for file, content in files(trials, results.instances[name], by, one.source):
                    write_bytes(place_in(folder, f"ioh/{by}/{one.folder}/{file}"), content)


def _table(rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _pictures(results: Results) -> list[tuple[str, bytes]]:
    from pigevo.figures.anytime import anytime_data, ecdf_data, plot_anytime, plot_ecdf

    order, found = [one.algorithm for one in results.standings], []
    samples = resampled(results.areas.shape[2])
    for by in MEASURES:
        ecdf = {name: ecdf_data(results.shares(name, by), samples) for name in order}
        found.append((f"ecdf_{by}", _png(plot_ecdf(ecdf))))
    for place, instance in results.instances.items():
        curves = {
            name: anytime_data([t.spent for t in of], [getattr(t, results.by) for t in of])
            for name in order
            for of in [results.trials[name][place]]
        }
        found.append((f"{results.by}_{place}", _png(plot_anytime(curves, instance.unit, results.by))))
    return found


def _png(axes: Any) -> bytes:
    from pigevo.figures.axes import figure_of

    content = io.BytesIO()
    figure_of(axes).savefig(content, format="png", dpi=110)
    return content.getvalue()
