"""Decision trees of rules, grown by exact loss: at each leaf a turn total or the end, at each fork a condition.

A tree begins as the best constant.  Then one of its leaves is split: many conditions, with turn totals on both sides,
are tried, the best is taken, and all numbers are moved by small steps as long as that helps.  A tree of five integers
done, the next one begins; what differs between trees are the conditions drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from pigevo.strategies.rules import Base, ConditionalBase, Constant, Rule, ToTheEnd, complexity

from .descent import descend
from .grammar import HOLDS, Source, random_at_least
from .meter import MOST_INTEGERS, Meter

TRIED = 300
"""Splits that are tried for a leaf."""


def trees(meter: Meter, source: Source, target: int) -> None:
    """Trees until the budget is spent."""
    while True:
        rule = descend(Rule(Constant(source.of(HOLDS))), meter)
        while complexity(rule).integers < MOST_INTEGERS:
            leaves = list(forks(rule.base))
            tried = [Rule(_split(source, source.of(leaves), target)) for _ in range(TRIED)]
            tried = [one for one in tried if complexity(one).integers <= MOST_INTEGERS]
            rule = descend(tried[int(meter(tried).argmin())], meter)


def forks(base: Base) -> Iterator[tuple[Base, ...]]:
    """Each leaf of a tree that is no end, as the way to it: the bases from the root to the leaf."""
    if isinstance(base, ConditionalBase):
        for inner in (base.then, base.otherwise):
            for way in forks(inner):
                yield (base, *way)
    elif isinstance(base, Constant):
        yield (base,)


def _split(source: Source, way: tuple[Base, ...], target: int) -> Base:
    leaf = way[-1]
    condition = random_at_least(source, target)
    then: Base = ToTheEnd() if source.uniform() < 0.5 else Constant(source.of(HOLDS))
    made: Base = ConditionalBase(condition, then, leaf)
    for above, below in zip(way[-2::-1], way[:0:-1], strict=True):
        assert isinstance(above, ConditionalBase)
        made = ConditionalBase(above.condition, made, above.otherwise) if above.then is below else ConditionalBase(
            above.condition, above.then, made)  # fmt: skip
    return made
