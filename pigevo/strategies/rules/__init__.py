"""Rules that a person can remember: a grammar as data, its sentences, and the complexity of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

PREFIX = "rule:"  # the prefix of a rule where a strategy's word is expected


def is_rule(text: str) -> bool:
    """Whether a strategy's word is a rule."""
    return text.lstrip().startswith(PREFIX)


_HOMES = {
    "bases": [
        "FAR", "TURNS", "Base", "ConditionalBase", "Constant", "Floor", "Fraction", "KeepUp", "Marks", "Multiple",
        "Quarters", "Sum", "ToTheEnd",
    ],
    "conditions": ["MEASURES", "AtLeast", "Condition", "Leaves", "Second"],
    "reading": ["parse_rule"],
    "rule": ["Complexity", "Reasons", "Rule", "complexity"],
}  # fmt: skip

__all__ = sorted([*exported_names(_HOMES), "is_rule"])
if TYPE_CHECKING:
    from pigevo.strategies.rules.bases import (
        FAR as FAR, TURNS as TURNS, Base as Base, ConditionalBase as ConditionalBase, Constant as Constant,
        Floor as Floor, Fraction as Fraction, KeepUp as KeepUp, Marks as Marks, Multiple as Multiple,
        Quarters as Quarters, Sum as Sum, ToTheEnd as ToTheEnd,
    )  # fmt: skip
    from pigevo.strategies.rules.conditions import (
        MEASURES as MEASURES, AtLeast as AtLeast, Condition as Condition, Leaves as Leaves, Second as Second,
    )  # fmt: skip
    from pigevo.strategies.rules.reading import parse_rule as parse_rule
    from pigevo.strategies.rules.rule import (
        Complexity as Complexity, Reasons as Reasons, Rule as Rule, complexity as complexity,
    )  # fmt: skip
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
