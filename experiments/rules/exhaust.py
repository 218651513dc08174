"""All members of all families, evaluated exactly, and what follows: the best by loss and the least exploited.

Families of a game are evaluated once and kept.  Around the best ends of descents of forms with five integers, which
are too large to exhaust, every rule is evaluated.  The families were made by hand, so the best is told if some are
left out.
"""

from __future__ import annotations

import itertools
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pigevo import best_response, optimal
from pigevo.core.arrays import Floats, Floats32, Ints
from pigevo.errors import InputError
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Game
from pigevo.storage.records import read_arrays, write_arrays
from pigevo.strategies.rules import FAR, Base, Constant, Leaves, Reasons, Rule, complexity

from ..common import tables
from .families import Family, families, numbers_of, with_numbers

LOG = logging.getLogger(__name__)

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


def searched(game: Game, folder: Path, workers: int) -> tuple[list[Found], float]:
    """Every family, evaluated; what lies in the folder already is read.

    Args:
        game: the game.
        folder: takes a file for each family.
        workers: threads.

    Returns:
        The families, and how long it took to evaluate them, in seconds, whenever that was.
    """
    referee = Thresholds(optimal(game).strategy)
    found, spent = [], 0.0
    for number, family in enumerate(families(game.target)):
        path = folder / f"{number:03d}.npz"
        if not path.exists() or len(_kept(path)[0]) != len(family):
            begin = time.perf_counter()
            made = exhaust(family, referee, workers)
            write_arrays(path, {"difference": made, "seconds": np.array(time.perf_counter() - begin)})
            LOG.info("%s: %d rules, best %.5f", family.name, len(family), made.min())
        difference, seconds = _kept(path)
        found.append(Found(family, difference, *complexities(family)))
        spent += seconds
    return found, spent


def _kept(path: Path) -> tuple[Floats32, float]:
    arrays = read_arrays(path)
    if arrays.keys() != {"difference", "seconds"} or arrays["seconds"].shape or arrays["difference"].ndim != 1:
        raise InputError(f"{path} is damaged (it has other arrays): {tables.REMEDY}.")
    return arrays["difference"], float(arrays["seconds"])


@dataclass(frozen=True)
class Best:
    """A rule that is best for what it asks.

    Args:
        rule: the rule.
        family: its family's form.
        integers, operations: what it asks.
    """

    rule: Rule
    family: str
    integers: int
    operations: int


def by_complexity(found: Sequence[Found], fits: Callable[[Rule], bool] = lambda rule: True) -> list[Best]:
    """The best rule for every pair of integers and operations that some rule has, by loss.

    Args:
        found: families, evaluated.
        fits: of a family's last member, whether the family counts; all members are of one form.
    """
    best: dict[tuple[int, int], tuple[float, Family, int]] = {}
    for one in found:
        if not fits(one.family.rule(len(one.family) - 1)):
            continue
        order = np.lexsort((one.difference, one.operations, one.integers))
        keys = np.stack([one.integers, one.operations], axis=1)[order]
        firsts = order[np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])]
        for number in firsts.tolist():
            key = int(one.integers[number]), int(one.operations[number])
            entry = float(one.difference[number]), one.family, number
            if key not in best or entry[0] < best[key][0]:
                best[key] = entry
    return [Best(family.rule(number), family.name, *key) for key, (_, family, number) in sorted(best.items())]


FAR_OFF = 6
"""How far every number is moved, up and down."""


def neighbours(rule: Rule, far: int = FAR_OFF) -> Family:
    """All rules whose numbers lie within so many of a rule's own; who is ahead needs no number, and gets none."""
    return Family(rule.text, _moved(rule.base, far), _moved(rule.race, far))


def around_table(rules: Sequence[Rule], referee: Thresholds, workers: int, far: int = FAR_OFF) -> str:
    """The best rule around each of some.

    Args:
        rules: in the middle.
        referee: the optimum, prepared.
        workers: threads.
        far: see `FAR_OFF`.
    """
    rows = []
    for rule in rules:
        family = neighbours(rule, far)
        found = exhaust(family, referee, workers)
        best = int(found.argmin())
        rows.append((f"`{rule}`", f"{len(family):,}", f"`{family.rule(best)}`", f"{found[best]:.5f}"))
    return tables.table([f"rules within {far} of each number of", "rules", "best", "difference"], rows)


def _moved(part: Any, far: int) -> list[Any]:
    ranges = [range(max(n - far, 2), n + far + 1) if n > 1 else (n,) for n in numbers_of(part)]
    return [with_numbers(part, numbers) for numbers in itertools.product(*ranges)]


MOST_ANSWERS = 400
"""Best responses that a search may ask for."""

CLOSE_ENOUGH = 1e-7
"""Two figures so close are equal: what single precision tells apart."""


@dataclass(frozen=True)
class LeastExploitable:
    """The rule against which the best response wins least, among those with so many integers.

    Args:
        rule: the rule.
        family: its family's form.
        exploitability: what the best response wins beyond a half.
        candidates: members of families whose loss alone did not rule them out.
        answers: best responses that were solved.
        proven: whether no member of any family is less exploitable.
    """

    rule: Rule
    family: str
    exploitability: float
    candidates: int
    answers: int
    proven: bool


def exploitability(rule: Rule, game: Game) -> float:
    """What the best response wins against a rule beyond a half."""
    return float(best_response(rule.strategy(game)).overall - 0.5)


def least_exploitable(found: Sequence[Found], integers: int, game: Game, workers: int) -> LeastExploitable:
    """The rule with so many integers that is exploited least.

    The best response to a rule wins no less than the optimum does, nor than the best response to another rule.  So
    every opponent bounds the exploitability of all rules from below, at the price of an evaluation.  The rule with the
    lowest bound is answered exactly, its best response joins the opponents, and the search ends when no bound lies
    below the best exact figure: none of the other rules can be better.

    Args:
        found: families, evaluated.
        integers: how many.
        game: the game.
        workers: threads.
    """
    begin = _best(found, integers)
    best = begin.family.rule(_least(begin, integers))
    groups = [_Group(one, integers, 2 * (exploitability(best, game) + CLOSE_ENOUGH)) for one in found]
    groups = [group for group in groups if len(group.numbers)]
    candidates = sum(len(group.numbers) for group in groups)
    least, name = np.inf, begin.family.name
    for answers in range(MOST_ANSWERS):
        lowest = min(groups, key=lambda group: group.lowest)
        if lowest.lowest >= least - CLOSE_ENOUGH:
            return LeastExploitable(best, name, float(least), candidates, answers, True)
        rule = lowest.take()
        answer = best_response(rule.strategy(game))
        if answer.overall - 0.5 < least:
            best, name, least = rule, lowest.found.family.name, answer.overall - 0.5
        opponent = Thresholds(answer.strategy)
        for group in groups:
            group.meet(opponent, least, workers)
    return LeastExploitable(best, name, float(least), candidates, MOST_ANSWERS, False)


class _Group:
    """Members of a family that may still be the least exploitable, with a bound for each.

    Args:
        found: the family.
        integers: of its members.
        below: what the difference must be below.
    """

    def __init__(self, found: Found, integers: int, below: float) -> None:
        self.found = found
        self.numbers = np.flatnonzero((found.integers == integers) & (found.difference < below))
        self.bounds = found.difference[self.numbers].astype(np.float64) / 2

    @property
    def lowest(self) -> float:
        """The lowest bound."""
        return float(self.bounds.min()) if len(self.bounds) else np.inf

    def take(self) -> Rule:
        """The member with the lowest bound, which leaves the group."""
        place = int(self.bounds.argmin())
        rule = self.found.family.rule(int(self.numbers[place]))
        self.numbers, self.bounds = np.delete(self.numbers, place), np.delete(self.bounds, place)
        return rule

    def meet(self, opponent: Thresholds, least: float, workers: int) -> None:
        """Let all members meet an opponent, and leave out those that it exploits more than the best."""
        self._keep(self.bounds < least)
        if len(self.numbers):
            exploited = met(self.found.family, self.numbers, opponent, workers) / 2
            self.bounds = np.maximum(self.bounds, exploited)
            self._keep(self.bounds < least)

    def _keep(self, which: np.ndarray) -> None:
        self.numbers, self.bounds = self.numbers[which], self.bounds[which]


def _best(found: Sequence[Found], integers: int) -> Found:
    return min(found, key=lambda one: _differences(one, integers).min())


def _least(one: Found, integers: int) -> int:
    return int(_differences(one, integers).argmin())


def _differences(one: Found, integers: int) -> np.ndarray:
    return np.where(one.integers == integers, one.difference, np.inf)


MOST_COMPARED = 4
"""Integers of the rules that are compared."""


@dataclass(frozen=True)
class FamilyBest:
    """The best rule of a family.

    Args:
        family: its form, as in the table `families`.
        integers: of the best rule.
        rule: its text.
        difference: its difference.
    """

    family: str
    integers: int
    rule: str
    difference: float


INGREDIENTS: dict[str, Callable[[str], bool]] = {
    "multiples": lambda form: "multiple" in form,
    "marks": lambda form: "marks" in form,
    "never less than the deficit, `max`": lambda form: "max" in form,
    "a choice by who is ahead": lambda form: "if ahead" in form,
    "a part of the difference, `(j-i)/d`": lambda form: "(j-i)/d" in form,
    "any division": lambda form: "/" in form,
    "any race": lambda form: "race" in form,
    "two conditions of a race": lambda form: " or " in form or " and " in form,
    "`leaves`": lambda form: "leaves" in form,
    "weighted sums of the scores": lambda form: "2*" in form,
    "`own+2*opponent`": lambda form: "own+2*opponent" in form,
    "`2*own+opponent`": lambda form: "2*own+opponent" in form,
    "`either`": lambda form: "either" in form,
}
"""What a family's form may have, which is left out of all families at once."""


NOBODY = FamilyBest("none", 0, "", math.inf)
"""Stands where no family has so few integers."""


def best_of_families(families: Sequence[FamilyBest], integers: int) -> FamilyBest:
    """The best rule with no more integers, `NOBODY` if there is none.

    Args:
        families: the best of each family.
        integers: at most.
    """
    return min((one for one in families if one.integers <= integers), key=lambda one: one.difference, default=NOBODY)


def left_out_table(families: Sequence[FamilyBest]) -> str:
    """The best of all families without one, for those that hold the front, and without an ingredient.

    Args:
        families: the best of each family.
    """
    fronts = [
        one
        for one in dict.fromkeys(best_of_families(families, n) for n in range(1, MOST_COMPARED + 1))
        if one != NOBODY
    ]
    one_out = []
    for holder in fronts:
        rest = best_of_families([one for one in families if one != holder], holder.integers)
        more = f"{rest.difference - holder.difference:.5f}"
        one_out.append((holder.integers, holder.family, f"{holder.difference:.5f}", rest.family, f"`{rest.rule}`",
                        f"{rest.difference:.5f}", more))  # fmt: skip
    head = ["integers", "family left out", "its best", "best of the others", "rule", "difference", "more"]
    kinds = [("nothing", families)]
    kinds += [(name, [one for one in families if not has(one.family)]) for name, has in INGREDIENTS.items()]
    rows = [
        (
            name,
            len(families) - len(some),
            *(f"{best_of_families(some, n).difference:.5f}" for n in range(1, MOST_COMPARED + 1)),
        )
        for name, some in kinds
    ]
    counts = [f"{n} or fewer" for n in range(1, MOST_COMPARED + 1)]
    return tables.table(head, one_out) + "\n" + tables.table(["left out of all families", "families", *counts], rows)
