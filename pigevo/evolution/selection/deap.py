"""Selection by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.arrays import Ints
from pigevo.dice import Draw
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.verdict import Verdict, every_pair


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    from pigevo.evolution.deap_adapter import complete

    return complete("sel", options, given=2)


@SELECTIONS.register(name="deap", source="DEAP, deap.tools.sel*", complete=_complete)
@dataclass(frozen=True)
class DeapSelection:
    """As many as half of the population, chosen by a DEAP operator; one may be chosen twice.

    Args:
        operator: its name in `deap.tools`, as `selTournament`.
        arguments: its arguments beside the individuals and their number; the usual ones are filled in.
    """

    operator: str = "selTournament"
    arguments: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        from pigevo.evolution.deap_adapter import operator_of

        operator_of("sel", self.operator, self.arguments, given=2)

    def pairs(self, size: int, draw: Draw) -> Ints:
        """Every pair."""
        return every_pair(size)

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """The indices of the individuals that the operator chose."""
        from pigevo.evolution.deap_adapter import Individual, operator_of, seeded

        choose = operator_of("sel", self.operator, self.arguments, given=2)
        empty = np.empty(0, dtype=np.uint8)
        members = [Individual.of(empty, score, index) for index, score in enumerate(verdict.scores.tolist())]
        with seeded(draw):
            chosen = choose(members, max(1, len(members) // 2))
        return np.array([member.index for member in chosen], dtype=np.int64)
