"""Who finds the better rules with as many evaluations: chance, descent, trees or evolution."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval, share_interval
from pigevo.dice import Draw
from pigevo.exact.thresholds import Thresholds
from pigevo.storage.files import write_bytes
from pigevo.strategies.rules import Rule, parse_rule

from ..common import tables
from .descent import MOST_INTEGERS, Meter, Source, SpentError, descents, random_search, trees
from .genetic import evolve, redrawn, stepped

BUDGET = 5_000
"""Different rules that every run may evaluate."""

FRESH = range(100, 130)
"""Seeds on which nothing was chosen."""

OLDER = ((BUDGET, range(10)), (1_000, range(30)))
"""Older contests: budget and seeds. On the first ten seeds genetic programming's steps were chosen."""

INTEREST, ASKED = 0.001, 3
"""The smallest effect of interest, of a mean over seeds, and up to how many integers rules are compared."""

STRICT = 1e-9
"""A difference must be smaller by more to be a win."""

Run = Callable[[Meter, int, int], None]

CONTENDERS: dict[str, Run] = {
    "random rules": lambda meter, seed, target: random_search(meter, _source(seed), target),
    "descents from random rules": lambda meter, seed, target: descents(meter, _source(seed), target),
    "decision trees": lambda meter, seed, target: trees(meter, _source(seed), target),
    "genetic programming": lambda meter, seed, target: evolve(meter, seed, target, redrawn),
    "genetic programming, numbers in steps": lambda meter, seed, target: evolve(meter, seed, target, stepped),
    "genetic programming with descents": lambda meter, seed, target: evolve(meter, seed, target, stepped, polish=True),
}

PREDICTED = "genetic programming, numbers in steps"
"""The contender that is said to be the best."""

Outcome = dict[int, tuple[float, Rule]]
"""The best rule that a run has seen for each number of integers, with its difference."""

Outcomes = Mapping[str, Sequence[Outcome]]
"""The outcomes of every contender."""


def contest(referee: Thresholds, seeds: Sequence[int], path: Path, budget: int = BUDGET) -> dict[str, list[Outcome]]:
    """Every contender's runs; those that the file has are read.

    Args:
        referee: the optimum, prepared.
        seeds: of the runs of each.
        path: a CSV file, which takes the best rules of every run.
        budget: different rules that each may evaluate.
    """
    known = _read(path) if path.exists() else {}
    for seed in seeds:
        for name, run in CONTENDERS.items():
            if (name, seed, budget) not in known:
                meter = Meter(referee, budget)
                with suppress(SpentError):
                    run(meter, seed, referee.game.target)
                known[name, seed, budget] = meter.best
                write_bytes(path, _written(known).encode())
    return {name: [known[name, seed, budget] for seed in seeds] for name in CONTENDERS}


def _read(path: Path) -> dict[tuple[str, int, int], Outcome]:
    found: dict[tuple[str, int, int], Outcome] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            best = float(row["difference"]), parse_rule(row["rule"])
            key = row["contender"], int(row["seed"]), int(row["budget"])
            found.setdefault(key, {})[int(row["integers"])] = best
    return found


def _written(found: Mapping[tuple[str, int, int], Outcome]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["contender", "seed", "budget", "integers", "difference", "rule"])
    for (name, seed, budget), outcome in found.items():
        for integers, (difference, rule) in sorted(outcome.items()):
            writer.writerow([name, seed, budget, integers, repr(difference), rule])
    return text.getvalue()


def up_to(outcome: Outcome, integers: int) -> float:
    """The least difference of a run's rules with no more integers; 1 where it has seen none."""
    return min((difference for asked, (difference, _) in outcome.items() if asked <= integers), default=1.0)


def table(found: Outcomes, exhausted: Mapping[int, float]) -> str:
    """Medians (with intervals) and the best of all runs for rules of no more integers, beside the exhausted families.

    Then how many seeds each contender wins alone. A seed that two share is nobody's.

    Args:
        found: the outcomes of every contender.
        exhausted: the least difference in all families by the number of integers.
    """
    counts = range(1, MOST_INTEGERS + 1)
    rows = []
    for name, outcomes in found.items():
        figures = [[up_to(outcome, n) for outcome in outcomes] for n in counts]
        rows.append((name, len(outcomes), *(_median(one) for one in figures)))
    best = [min((value for asked, value in exhausted.items() if asked <= n), default=1.0) for n in counts]
    rows.append(("all families, exhausted", "", *(f"{one:.5f}" for one in best[:-1]), ""))
    head = ["contender", "runs", *(f"{n} or fewer: median (95 % interval), best" for n in counts)]
    return tables.table(head, rows) + "\n" + _wins(found)


def _median(figures: Sequence[float]) -> str:
    """The median with its interval by order statistics, which holds it for every law, and the least figure."""
    n, inner = len(figures), sorted(figures)
    below = int(stats.binom.ppf(0.025, n, 0.5))  # so many may lie below the lower end
    told = f" ({inner[below - 1]:.5f} to {inner[n - below]:.5f})" if below > 0 else ""
    return f"{np.median(figures):.5f}{told}, {inner[0]:.5f}"


def wins(found: Outcomes, integers: int) -> dict[str, int]:
    """How many seeds each contender wins alone, by rules of no more than so many integers.

    Args:
        found: the outcomes of every contender.
        integers: at most.
    """
    won = dict.fromkeys(found, 0)
    for seed in range(min(map(len, found.values()))):
        order = sorted((up_to(outcomes[seed], integers), name) for name, outcomes in found.items())
        if len(order) == 1 or order[0][0] < order[1][0] - STRICT:
            won[order[0][1]] += 1
    return won


def _wins(found: Outcomes) -> str:
    counts = range(1, MOST_INTEGERS + 1)
    seeds = min(map(len, found.values()))
    won = {n: wins(found, n) for n in counts}
    rows = [
        (name, *("{} ({:.2f} to {:.2f})".format(won[n][name], *share_interval(won[n][name], seeds)) for n in counts))
        for name in found
    ]
    rows.append(("nobody alone", *(str(seeds - sum(won[n].values())) for n in counts)))
    return tables.table([f"of {seeds} seeds it wins alone (share, 95 %)", *(f"{n} or fewer" for n in counts)], rows)


def compared(found: Outcomes) -> str:
    """How much more every other contender's rules lose than those of the predicted one, seed by seed, as a table.

    Args:
        found: the outcomes of every contender, on the same seeds.
    """
    own = np.array([up_to(outcome, ASKED) for outcome in found[PREDICTED]])
    rows = []
    for name in (one for one in found if one != PREDICTED):
        more = np.array([up_to(outcome, ASKED) for outcome in found[name]]) - own
        low, high = mean_interval(more)
        ends = "undetermined" if low is None else f"{low:+.5f} to {high:+.5f}"
        fewer, ties = int((more > STRICT).sum()), int((abs(more) <= STRICT).sum())
        share = "{:.2f} to {:.2f}".format(*share_interval(fewer, len(more)))
        seeds = f"{fewer} ({share}), {ties}, {len(more) - fewer - ties}"
        rows.append((name, f"{more.mean():+.5f} ({ends})", reading(more), seeds))
    head = [f"{ASKED} or fewer: {PREDICTED}, against", "mean that the other loses more (95 % interval)",
            f"reading, of interest from {INTEREST}", "seeds it is better (share, 95 %), ties, worse"]  # fmt: skip
    return tables.table(head, rows)


def reading(more: Floats) -> str:
    """What a mean over seeds says beside the smallest effect of interest (Schuirmann 1987; Lakens 2017).

    Args:
        more: one difference for each seed.
    """
    (low, high), (inner_low, inner_high) = mean_interval(more), mean_interval(more, 0.9)
    if low is None or high is None or inner_low is None or inner_high is None:
        return "undecided"
    is_small = inner_low > -INTEREST and inner_high < INTEREST
    if not low <= 0 <= high:
        size = ", and large enough" if max(low, -high) >= INTEREST else ", and small" if is_small else ""
        return f"{'better' if low > 0 else 'worse'}{size}"
    return "equivalent" if is_small else "undecided"


def older_tables(
    contests: Sequence[tuple[int, Mapping[str, Sequence[Outcome]]]], exhausted: Mapping[int, float]
) -> str:
    """The tables of several contests, under headings.

    Args:
        contests: budget and outcomes of each.
        exhausted: as in `table`.
    """
    return "\n".join(
        f"### {budget:,} rules, {min(map(len, found.values()))} seeds\n\n{table(found, exhausted)}"
        for budget, found in contests
    )


def _source(seed: int) -> Source:
    return Source(Draw(seed, "mutation"))
