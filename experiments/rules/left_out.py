"""How much the best rules depend on the families, which were made by hand: the best if some are left out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..common import tables

MOST = 4
"""Integers of the rules that are compared."""


@dataclass(frozen=True)
class FamilyBest:
    """The best rule of a family.

    Args:
        family: its form, as in the table `families`.
        integers: of the best rule.
        rule: its text.
        difference: its difference.
    """

    family: str
    integers: int
    rule: str
    difference: float


INGREDIENTS: dict[str, Callable[[str], bool]] = {
    "multiples": lambda form: "multiple" in form,
    "marks": lambda form: "marks" in form,
    "never less than the deficit, `max`": lambda form: "max" in form,
    "a choice by who is ahead": lambda form: "if ahead" in form,
    "a part of the difference, `(j-i)/d`": lambda form: "(j-i)/d" in form,
    "any division": lambda form: "/" in form,
    "any race": lambda form: "race" in form,
    "two conditions of a race": lambda form: " or " in form or " and " in form,
    "`leaves`": lambda form: "leaves" in form,
    "weighted sums of the scores": lambda form: "2*" in form,
    "`own+2*opponent`": lambda form: "own+2*opponent" in form,
    "`2*own+opponent`": lambda form: "2*own+opponent" in form,
    "`either`": lambda form: "either" in form,
}
"""What a family's form may have, which is left out of all families at once."""


def from_markdown(text: str) -> list[FamilyBest]:
    """The rows of the table `families`.

    Args:
        text: the table.
    """
    rows = re.findall(r"^\| (.+?) \| (\d+) \| [\d,]+ \| `(.+?)` \| ([\d.]+) \|$", text, flags=re.M)
    return [FamilyBest(family, int(integers), rule, float(value)) for family, integers, rule, value in rows]


NOBODY = FamilyBest("none", 0, "", math.inf)
"""Stands where no family has so few integers."""


def best(families: Sequence[FamilyBest], integers: int) -> FamilyBest:
    """The best rule with no more integers, `NOBODY` if there is none.

    Args:
        families: the best of each family.
        integers: at most.
    """
    return min((one for one in families if one.integers <= integers), key=lambda one: one.difference, default=NOBODY)


def table(families: Sequence[FamilyBest]) -> str:
    """The best of all families without one, for those that hold the front, and without an ingredient.

    Args:
        families: the best of each family.
    """
    fronts = [one for one in dict.fromkeys(best(families, n) for n in range(1, MOST + 1)) if one != NOBODY]
    one_out = []
    for holder in fronts:
        rest = best([one for one in families if one != holder], holder.integers)
        more = f"{rest.difference - holder.difference:.5f}"
        one_out.append((holder.integers, holder.family, f"{holder.difference:.5f}", rest.family, f"`{rest.rule}`",
                        f"{rest.difference:.5f}", more))  # fmt: skip
    head = ["integers", "family left out", "its best", "best of the others", "rule", "difference", "more"]
    kinds = [("nothing", families)]
    kinds += [(name, [one for one in families if not has(one.family)]) for name, has in INGREDIENTS.items()]
    rows = [
        (name, len(families) - len(some), *(f"{best(some, n).difference:.5f}" for n in range(1, MOST + 1)))
        for name, some in kinds
    ]
    counts = [f"{n} or fewer" for n in range(1, MOST + 1)]
    return tables.table(head, one_out) + "\n" + tables.table(["left out of all families", "families", *counts], rows)
