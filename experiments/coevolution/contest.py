"""The benchmark's reference results: all reference algorithms on six instances, three of them of other games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from pigevo.benchmark.bench import benchmark
from pigevo.benchmark.results import Results
from pigevo.benchmark.statistics import By, bounded_interval
from pigevo.core.intervals import SHARE
from pigevo.studies.tables import interval, table

SUITE = (
    "t10-d2-c1-exact,t20-d3-c2-exact,t20-d3-c2-g100-oracle,piglet-t20-c2-exact,ten_rounds-n3-m20-d6-c2-g100,"
    "skunk-t20-m30-d6-c3-g100"
)
SEEDS = 6
"""What is done, at the usual budgets, and with how many seeds at most: what takes some two minutes of a core."""

COLUMNS = ("by", "instance", "algorithm", "seeds", "budget", "area", "low", "high")


def measured(folder: Path, seeds: int, workers: int) -> tuple[Results, Results]:
    """By loss and by exploitability, in a folder of its own, where what is done is not done again."""
    given = {"suite": SUITE, "seeds": min(seeds, SEEDS), "folder": folder / "benchmark", "workers": workers}
    return benchmark(**given, by="loss"), benchmark(**given, by="exploitability")  # type: ignore[arg-type]


def as_csv(both: tuple[Results, Results]) -> str:
    """The area of each algorithm on each instance, by either figure."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for results in both:
        writer.writerows(_areas(results))
    return text.getvalue()


def _areas(results: Results) -> Iterator[tuple[object, ...]]:
    for place, (name, one) in enumerate(results.instances.items()):
        for number, algorithm in enumerate(results.trials):
            areas = results.areas[number, place]
            ends = ("" if end is None else f"{end:.4f}" for end in bounded_interval(areas, SHARE))
            yield results.by, name, algorithm, len(areas), one.usual_budget, f"{areas.mean():.4f}", *ends


def as_markdown(both: tuple[Results, Results]) -> str:
    """The areas over all instances, and what each hands over at the end of each beside the best genome known."""
    of: dict[str, dict[By, str]] = {}
    for results in both:
        for one in results.standings:
            of.setdefault(one.algorithm, {})[results.by] = interval(one.area, one.area_low, one.area_high, ".3f")
    hit = {one.algorithm: f"{one.hit:.3f}" for one in both[0].standings}
    areas = [(name, found["loss"], found["exploitability"], hit[name]) for name, found in of.items()]
    ends = [
        (one.instance, one.algorithm, f"{one.spent:,.0f} {one.unit}",
         interval(one.loss, one.loss_low, one.loss_high), f"{one.loss_zero:.4f}",
         interval(one.exploitability, one.exploitability_low, one.exploitability_high),
         f"{one.exploitability_zero:.4f}")
        for one in both[0].endings
    ]  # fmt: skip
    seeds = both[0].areas.shape[2]
    head = ["algorithm", f"area by loss, {seeds} seeds", "area by exploitability", "targets of loss hit"]
    head_of_ends = ["instance", "algorithm", "spent", "loss", "of the best genome", "exploitability",
                    "of the best genome "]  # fmt: skip
    return table(head, areas) + "\n" + table(head_of_ends, ends)
