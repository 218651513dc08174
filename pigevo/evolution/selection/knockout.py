"""Knockout: the population is paired at random, and the better of each pair survives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Ints
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.verdict import Verdict


@SELECTIONS.register(name="knockout", source="Exeter 2016, section 3.4.2")
@dataclass(frozen=True)
class Knockout:
    """Half of the population survives; a drawn match is decided by a coin."""

    def pairs(self, size: int, draw: Draw) -> Ints:
        """A random matching: everyone is in one pair.

        Raises:
            InputError: the population is odd.
        """
        if size % 2:
            raise InputError(
                f"population.size = {size} is odd: selection=knockout pairs all members, so it must be even."
            )
        return draw.permutation(size).reshape(-1, 2)

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """The winner of each pair, in the order of the pairs."""
        margin = verdict.wins[:, 0] - verdict.wins[:, 1]
        coin = draw.at(part=1).bits(len(margin))
        winner = np.where(margin == 0, coin, margin < 0).astype(np.int64)
        return verdict.pairs[np.arange(len(winner)), winner]
