"""Every member of a family, evaluated exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from pigevo.arrays import Bools, Floats, Ints
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import FAR, Base, Constant, Leaves, Race, Rule, complexity

from .families import Family

AT_ONCE = 200_000
"""Rules of which the numbers are laid out at a time; their hold values are not."""


@dataclass(frozen=True, eq=False)
class Found:
    """The members of a family, evaluated.

    Args:
        family: the family.
        difference: the optimum moving first, less the rule moving first against it, for each member, shape (n,).
        integers, operations: the complexity of each, shape (n,).
    """

    family: Family
    difference: Floats
    integers: Ints
    operations: Ints

    def best(self, chosen: Bools | None = None) -> int:
        """The number of the member with the least difference; among those chosen, if any are."""
        difference = self.difference if chosen is None else np.where(chosen, self.difference, np.inf)
        return int(difference.argmin())


def exhaust(family: Family, referee: Thresholds, workers: int = 1) -> Found:
    """Evaluate all members of a family.

    Args:
        family: the family; conditions on what a hold leaves stand alone in its races.
        referee: the optimum, prepared.
        workers: threads.
    """
    game = referee.game
    plans = np.stack([Rule(base).planned(game) for base in family.bases])
    split = [_split(race) for race in family.races]
    masks = np.stack([Rule(Constant(0), race).planned(game) >= FAR for race, _ in split])
    margins = np.array([margin for _, margin in split])
    seats = []
    for first in range(0, len(family), AT_ONCE):
        number = np.arange(first, min(first + AT_ONCE, len(family)))
        base, race = np.divmod(number, len(masks))
        seats.append(referee.seats(plans, masks, np.stack([base, race, margins[race]], axis=1), workers))
    won = np.concatenate(seats)
    return Found(family, 1 - won[:, 0] - won[:, 1], *_complexities(family))


def differences(rules: Sequence[Rule], referee: Thresholds, workers: int = 1) -> Floats:
    """The differences of any rules, shape (n,)."""
    plans = np.stack([rule.planned(referee.game) for rule in rules])
    return 1 - 2 * referee.overall(plans, workers)


def _split(race: Race) -> tuple[Race, int]:
    """A race without its groups on what a hold leaves, and the most points that these let race."""
    margins = [group[0].n for group in race if len(group) == 1 and isinstance(group[0], Leaves)]
    rest = tuple(group for group in race if not (len(group) == 1 and isinstance(group[0], Leaves)))
    return rest, max(margins, default=0)


def _complexities(family: Family) -> tuple[Ints, Ints]:
    """Integers and operations of each member: those of its base and those of its race."""
    nothing: Base = Constant(0)
    bases = _numbers([Rule(base) for base in family.bases])
    races = _numbers([Rule(nothing, race) for race in family.races]) - (1, 0)
    found = (bases[:, None] + races).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _numbers(rules: Sequence[Rule]) -> Ints:
    return np.array([astuple(complexity(rule)) for rule in rules])
