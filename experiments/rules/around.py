"""Forms with five integers, too large to exhaust: every rule around the best ends of their descents."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import Rule

from ..common import tables
from .exhaust import exhaust
from .families import Family
from .parts import numbers_of, with_numbers

FAR_OFF = 6
"""How far every number is moved, up and down."""


def neighbours(rule: Rule, far: int = FAR_OFF) -> Family:
    """All rules whose numbers lie within so many of a rule's own; who is ahead needs no number, and gets none."""
    return Family(rule.text, _moved(rule.base, far), _moved(rule.race, far))


def table(rules: Sequence[Rule], referee: Thresholds, workers: int, far: int = FAR_OFF) -> str:
    """The best rule around each of some.

    Args:
        rules: in the middle.
        referee: the optimum, prepared.
        workers: threads.
        far: see `FAR_OFF`.
    """
    rows = []
    for rule in rules:
        family = neighbours(rule, far)
        found = exhaust(family, referee, workers)
        best = int(found.argmin())
        rows.append((f"`{rule}`", f"{len(family):,}", f"`{family.rule(best)}`", f"{found[best]:.5f}"))
    return tables.table([f"rules within {far} of each number of", "rules", "best", "difference"], rows)


def _moved(part: Any, far: int) -> list[Any]:
    ranges = [range(max(n - far, 2), n + far + 1) if n > 1 else (n,) for n in numbers_of(part)]
    return [with_numbers(part, numbers) for numbers in itertools.product(*ranges)]
