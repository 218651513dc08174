"""The benchmark's own table: all reference algorithms on its suite of small instances."""

from __future__ import annotations

from pathlib import Path

from pigevo.benchmark.bench import benchmark
from pigevo.benchmark.results import Results
from pigevo.studies.tables import interval, table

SUITE = "quick"


def measured(folder: Path, seeds: int, workers: int) -> Results:
    """The benchmark in a folder of its own, where what is done is not done again."""
    return benchmark(suite=SUITE, seeds=seeds, folder=folder / "benchmark", workers=workers, by="exploitability")


def as_markdown(results: Results) -> str:
    """The ranks by anytime area, and what each hands over at the end of each instance."""
    ranked = [
        (one.algorithm, interval(one.rank, one.rank_low, one.rank_high, ".2f"),
         interval(one.area, one.area_low, one.area_high, ".3f"), f"{one.hit:.3f}")
        for one in results.standings
    ]  # fmt: skip
    ends = [
        (one.instance, one.algorithm, f"{one.spent:,.0f} {one.unit}",
         interval(one.exploitability, one.exploitability_low, one.exploitability_high, ".4f"),
         interval(one.loss, one.loss_low, one.loss_high, ".4f"))
        for one in sorted(results.endings, key=lambda one: (one.instance, one.exploitability))
    ]  # fmt: skip
    head = ["algorithm", "mean rank by area", "anytime area", "targets hit"]
    return table(head, ranked) + "\n" + table(["instance", "algorithm", "spent", "exploitability", "loss"], ends)
