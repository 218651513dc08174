"""Rules that a person can remember: a grammar as data, its sentences, and the complexity of a rule."""

from pigevo.strategies.rules.bases import (
    FAR,
    TURNS,
    Base,
    Choice,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Marks,
    Multiple,
    Quarters,
    Sum,
    ToTheEnd,
)
from pigevo.strategies.rules.conditions import MEASURES, AtLeast, Condition, Leaves, Second, numbers_of, with_numbers
from pigevo.strategies.rules.reading import is_rule, parse_rule
from pigevo.strategies.rules.rule import Complexity, Reasons, Rule, complexity, divides, looks_at_opponent

__all__ = [
    "FAR",
    "MEASURES",
    "TURNS",
    "AtLeast",
    "Base",
    "Choice",
    "Complexity",
    "Condition",
    "Constant",
    "Floor",
    "Fraction",
    "KeepUp",
    "Leaves",
    "Marks",
    "Multiple",
    "Quarters",
    "Reasons",
    "Rule",
    "Second",
    "Sum",
    "ToTheEnd",
    "complexity",
    "divides",
    "is_rule",
    "looks_at_opponent",
    "numbers_of",
    "parse_rule",
    "with_numbers",
]
