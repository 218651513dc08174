"""A referee that counts: every contender has as many evaluations, and what it finds is what the referee has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import Complexity, Rule, complexity

from .exhaust import differences

MOST_INTEGERS = 5


class SpentError(Exception):
    """There are no evaluations left."""


@dataclass(eq=False)
class Meter:
    """Evaluates rules until the budget is spent.

    Args:
        referee: the optimum, prepared.
        budget: different rules that may be evaluated; a rule that was seen before costs nothing.
    """

    referee: Thresholds
    budget: int
    seen: dict[Rule, float] = field(default_factory=dict)

    def __call__(self, rules: Sequence[Rule]) -> Floats:
        """The differences of rules, shape (n,).

        Raises:
            SpentError: the budget ends among them; those before are seen.
        """
        new = list(dict.fromkeys(rule for rule in rules if rule not in self.seen))
        left = self.budget - len(self.seen)
        if affordable := new[:left]:
            self.seen.update(zip(affordable, differences(affordable, self.referee).tolist(), strict=True))
        if len(new) > left or len(self.seen) == self.budget:
            raise SpentError
        return np.array([self.seen[rule] for rule in rules])

    @property
    def best(self) -> dict[int, tuple[float, Rule]]:
        """The best rule seen for each number of integers up to `MOST_INTEGERS`, with its difference."""
        found: dict[int, tuple[float, Rule]] = {}
        for rule, difference in self.seen.items():
            asked: Complexity = complexity(rule)
            if asked.integers <= MOST_INTEGERS and difference < found.get(asked.integers, (9.0, rule))[0]:
                found[asked.integers] = difference, rule
        return found
