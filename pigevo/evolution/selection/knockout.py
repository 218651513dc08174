"""Knockout: the population is paired at random, and the better of each pair survives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.evolution.operators import Context, Selection
from pigevo.evolution.registries import SELECTIONS


@SELECTIONS.register(name="knockout", source="Exeter 2016, section 3.4.2")
@dataclass(frozen=True)
class Knockout(Selection):
    """Half of the population survives; a drawn match is decided by a coin."""

    def pairs(self, size: int, context: Context) -> Ints:
        """A random matching: everyone is in one pair.

        Raises:
            InputError: the population is odd.
        """
        if size % 2:
            raise InputError(
                f"population.size = {size} is odd: selection=knockout pairs all members, so it must be even."
            )
        return context.draw.permutation(size).reshape(-1, 2)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The winner of each pair, in the order of the pairs."""
        evaluation = context.evaluation
        assert evaluation is not None
        margin = evaluation.wins[:, 0] - evaluation.wins[:, 1]
        coin = context.draw.at(part=1).bits(len(margin))
        winner = np.where(margin == 0, coin, margin < 0).astype(np.int64)
        return evaluation.pairs[np.arange(len(winner)), winner]
