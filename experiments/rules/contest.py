"""Who finds the better rules with as many evaluations: chance, descent, trees or evolution."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from pigevo.dice import Draw
from pigevo.exact.thresholds import Thresholds
from pigevo.storage.files import write_bytes
from pigevo.strategies.rules import Rule, parse_rule
from pigevo.studies import tables

from .descent import descents, random_search
from .genetic import evolve, redrawn, stepped
from .grammar import Source
from .meter import MOST_INTEGERS, Meter, SpentError
from .tree import trees

BUDGET = 5_000
"""Different rules that every run may evaluate."""

Run = Callable[[Meter, int, int], None]

CONTENDERS: dict[str, Run] = {
    "random rules": lambda meter, seed, target: random_search(meter, _source(seed), target),
    "descents from random rules": lambda meter, seed, target: descents(meter, _source(seed), target),
    "decision trees": lambda meter, seed, target: trees(meter, _source(seed), target),
    "genetic programming": lambda meter, seed, target: evolve(meter, seed, target, redrawn),
    "genetic programming, numbers in steps": lambda meter, seed, target: evolve(meter, seed, target, stepped),
    "genetic programming with descents": lambda meter, seed, target: evolve(meter, seed, target, stepped, polish=True),
}

Outcome = dict[int, tuple[float, Rule]]
"""The best rule that a run has seen for each number of integers, with its difference."""


def contest(referee: Thresholds, seeds: int, path: Path, budget: int = BUDGET) -> dict[str, list[Outcome]]:
    """Every contender's runs; those that the file has are read.

    Args:
        referee: the optimum, prepared.
        seeds: runs of each.
        path: a CSV file, which takes the best rules of every run.
        budget: different rules that each may evaluate.
    """
    known = _read(path, budget) if path.exists() else {}
    for seed in range(seeds):
        for name, run in CONTENDERS.items():
            if (name, seed) not in known:
                meter = Meter(referee, budget)
                with suppress(SpentError):
                    run(meter, seed, referee.game.target)
                known[name, seed] = meter.best
                write_bytes(path, _written(known, budget).encode())
    return {name: [known[name, seed] for seed in range(seeds)] for name in CONTENDERS}


def _read(path: Path, budget: int) -> dict[tuple[str, int], Outcome]:
    found: dict[tuple[str, int], Outcome] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if int(row["budget"]) == budget:
                best = float(row["difference"]), parse_rule(row["rule"])
                found.setdefault((row["contender"], int(row["seed"])), {})[int(row["integers"])] = best
    return found


def _written(found: Mapping[tuple[str, int], Outcome], budget: int) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["contender", "seed", "budget", "integers", "difference", "rule"])
    for (name, seed), outcome in found.items():
        for integers, (difference, rule) in sorted(outcome.items()):
            writer.writerow([name, seed, budget, integers, repr(difference), rule])
    return text.getvalue()


def up_to(outcome: Outcome, integers: int) -> float:
    """The least difference of a run's rules with no more integers; 1 where it has seen none."""
    return min((difference for asked, (difference, _) in outcome.items() if asked <= integers), default=1.0)


def table(found: Mapping[str, Sequence[Outcome]], exhausted: Mapping[int, float]) -> str:
    """Medians and the best of all runs for rules of no more than so many integers, beside the exhausted families.

    Args:
        found: the outcomes of every contender.
        exhausted: the least difference in all families by the number of integers.
    """
    counts = range(1, MOST_INTEGERS + 1)
    rows = []
    for name, outcomes in found.items():
        figures = [[up_to(outcome, n) for outcome in outcomes] for n in counts]
        rows.append((name, len(outcomes), *(f"{np.median(one):.5f} ({min(one):.5f})" for one in figures)))
    best = [min((value for asked, value in exhausted.items() if asked <= n), default=1.0) for n in counts]
    rows.append(("all families, exhausted", "", *(f"{one:.5f}" for one in best[:-1]), ""))
    head = ["contender", "runs", *(f"{n} or fewer: median (best)" for n in counts)]
    return tables.table(head, rows) + "\n" + _wins(found)


def _wins(found: Mapping[str, Sequence[Outcome]]) -> str:
    """How many runs each contender wins: seed by seed, by rules of no more than so many integers."""
    counts = range(1, MOST_INTEGERS + 1)
    won = {name: dict.fromkeys(counts, 0) for name in found}
    for seed in range(min(map(len, found.values()))):
        for n in counts:
            best = min(up_to(outcomes[seed], n) for outcomes in found.values())
            for name, outcomes in found.items():
                won[name][n] += up_to(outcomes[seed], n) <= best + 1e-9
    rows = [(name, *(won[name][n] for n in counts)) for name in found]
    return tables.table(["seeds that it wins, ties included", *(f"{n} or fewer" for n in counts)], rows)


def _source(seed: int) -> Source:
    return Source(Draw(seed, "mutation"))
