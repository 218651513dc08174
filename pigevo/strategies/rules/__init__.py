"""Rules that a person can remember: a grammar as data, its sentences, and the complexity of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import exported_names, lazy_getattr

PREFIX = "rule:"  # the prefix of a rule where a strategy's word is expected


def is_rule(text: str) -> bool:
    """Whether a strategy's word is a rule."""
    return text.lstrip().startswith(PREFIX)


_HOMES = {
    "parts": [
        "FAR", "MEASURES", "TURNS", "AtLeast", "Base", "Condition", "ConditionalBase", "Constant", "Floor", "Fraction",
        "KeepUp", "Leaves", "Marks", "Multiple", "Quarters", "Second", "Sum", "ToTheEnd",
    ],
    "reading": ["parse_rule"],
    "rule": ["Complexity", "Reasons", "Rule", "complexity"],
}  # fmt: skip

__all__ = sorted([*exported_names(_HOMES), "is_rule"])
if TYPE_CHECKING:
    from pigevo.strategies.rules.parts import (
        FAR as FAR, MEASURES as MEASURES, TURNS as TURNS, AtLeast as AtLeast, Base as Base, Condition as Condition,
        ConditionalBase as ConditionalBase, Constant as Constant, Floor as Floor, Fraction as Fraction,
        KeepUp as KeepUp, Leaves as Leaves, Marks as Marks, Multiple as Multiple, Quarters as Quarters,
        Second as Second, Sum as Sum, ToTheEnd as ToTheEnd,
    )  # fmt: skip
    from pigevo.strategies.rules.reading import parse_rule as parse_rule
    from pigevo.strategies.rules.rule import (
        Complexity as Complexity, Reasons as Reasons, Rule as Rule, complexity as complexity,
    )  # fmt: skip
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
