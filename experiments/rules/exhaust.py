"""Every member of a family, evaluated exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from pigevo.core.arrays import Floats, Floats32, Ints
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import FAR, Base, Constant, Leaves, Reasons, Rule, complexity

from .families import Family

NOTHING: Base = Constant(0)

AT_ONCE = 200_000
"""Members whose numbers are laid out at a time; hold values are laid out for bases alone."""


@dataclass(frozen=True, eq=False)
class Found:
    """The members of a family, evaluated.

    Args:
        family: the family.
        difference: the optimum moving first, less the rule moving first against it, for each member, shape (n,).
        integers, operations: the complexity of each, shape (n,).
    """

    family: Family
    difference: Floats32
    integers: Ints
    operations: Ints


def exhaust(family: Family, referee: Thresholds, workers: int = 1) -> Floats32:
    """The difference of every member of a family, in single precision, which takes them apart to a ten-millionth."""
    parts = [
        met(family, np.arange(first, min(first + AT_ONCE, len(family))), referee, workers)
        for first in range(0, len(family), AT_ONCE)
    ]
    return np.concatenate(parts).astype(np.float32)


def met(family: Family, numbers: Ints, referee: Thresholds, workers: int = 1) -> Floats:
    """What a player moving first wins against members of a family, less what they win moving first against it.

    Args:
        family: the family; conditions on what a hold leaves stand alone in its races.
        numbers: which members, shape (n,).
        referee: the player, prepared; with the optimum it is the difference, twice the loss.
        workers: threads.

    Returns:
        Shape (n,).
    """
    base, race = np.divmod(numbers, len(family.races))
    bases, base = np.unique(base, return_inverse=True)
    races, race = np.unique(race, return_inverse=True)
    split = [_split(family.races[n]) for n in races.tolist()]
    plans = np.stack([Rule(family.bases[n]).planned(referee.game) for n in bases.tolist()])
    masks = np.stack([Rule(NOTHING, rest).planned(referee.game) >= FAR for rest, _ in split])
    margins = np.array([margin for _, margin in split])
    seats = referee.seats(plans, masks, np.stack([base, race, margins[race]], axis=1), workers)
    return np.asarray(1 - seats.sum(axis=1))


def differences(rules: Sequence[Rule], referee: Thresholds, workers: int = 1) -> Floats:
    """The differences of any rules, shape (n,)."""
    plans = np.stack([rule.planned(referee.game) for rule in rules])
    return 1 - 2 * referee.overall(plans, workers)


def complexities(family: Family) -> tuple[Ints, Ints]:
    """Integers and operations of each member: those of its base and those of its race."""
    bases = _numbers([Rule(base) for base in family.bases])
    races = _numbers([Rule(NOTHING, race) for race in family.races]) - (1, 0)
    found = (bases[:, None] + races).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _split(race: Reasons) -> tuple[Reasons, int]:
    """A race without its groups on what a hold leaves, and the most points that these let race."""
    alone = [len(group) == 1 and isinstance(group[0], Leaves) for group in race]
    margins = [group[0].n for group, is_margin in zip(race, alone, strict=True) if is_margin]
    rest = tuple(group for group, is_margin in zip(race, alone, strict=True) if not is_margin)
    return rest, max(margins, default=0)


def _numbers(rules: Sequence[Rule]) -> Ints:
    return np.array([astuple(complexity(rule)) for rule in rules])
