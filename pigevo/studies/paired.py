"""Settings of a study compared seed by seed, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scipy import optimize

from pigevo.intervals import CONFIDENCE
from pigevo.studies.markdown import interval, table
from pigevo.sweeps.budgets import Budget, difference
from pigevo.sweeps.statistics import POWER, Compared, compare_pairs, power


@dataclass(frozen=True)
class Question:
    """Two figures of the same seeds to be compared.

    Args:
        a, b: what they are, in words.
        of_a, of_b: the figures by seed.
        spent_a, spent_b: what runs had spent for them, if anything is known of it.
    """

    a: str
    b: str
    of_a: Mapping[int, float]
    of_b: Mapping[int, float]
    spent_a: Budget | None = None
    spent_b: Budget | None = None


def answers(questions: Sequence[Question]) -> list[Compared]:
    """Compare all of them, corrected for how many there are; those without a common seed are left out."""
    asked = [q for q in questions if q.of_a.keys() & q.of_b.keys()]
    values = {f"{n} {side}": figures for n, q in enumerate(asked) for side, figures in (("a", q.of_a), ("b", q.of_b))}
    compared = compare_pairs(values, [(f"{n} a", f"{n} b") for n in range(len(asked))]) if asked else []
    return [_renamed(one, q) for one, q in zip(compared, asked, strict=True)]


def as_markdown(compared: Sequence[Compared], verdict: str = "better") -> str:
    """A table of comparisons, intervals and p-values corrected for how many there are.

    Args:
        compared: what was compared.
        verdict: what the larger figure is; it heads the last column.
    """
    rows = []
    for one in compared:
        better = {one.a: "A", one.b: "B", None: "open"}[one.better]
        if one.better and one.budgets:
            better += f" ({one.budgets})"
        apart = interval(one.difference, one.low, one.high, "+.4f")
        effect = "" if one.effect is None else f"{one.effect:+.2f}"
        rows.append((one.a, one.b, one.seeds, apart, effect, f"{one.corrected:.2g}", better))
    return table(["A", "B", "seeds", "A - B (95 % interval)", "effect d_z", "p", verdict], rows)


def detectable(seeds: int) -> float:
    """The effect d_z that a single comparison of so many seeds finds with a power of 80 % at a level of 5 %.

    The differences are taken to be normal.
    """
    return float(optimize.brentq(lambda effect: power(effect, 1 - CONFIDENCE, seeds) - POWER, 0.01, 30))


def _renamed(one: Compared, question: Question) -> Compared:
    a, b = question.spent_a, question.spent_b
    budgets = difference(a, b) if a and b else ""
    return replace(one, a=question.a, b=question.b, budgets=budgets)
