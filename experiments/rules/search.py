"""All families of a game, evaluated once and kept, and the best members of all by what they ask of a person."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo import best_response, optimal
from pigevo.arrays import Floats32
from pigevo.exact.thresholds import Thresholds
from pigevo.files import write_arrays
from pigevo.games import Game
from pigevo.strategies.rules import Rule

from .exhaust import Found, complexities, differences, exhaust, met
from .families import Family, families

LOG = logging.getLogger(__name__)

MOST_ANSWERS = 400
"""Best responses that the search for the least exploitable rule may ask for, for each number of integers."""

CLOSE_ENOUGH = 1e-7
"""Two figures so close are equal: what single precision tells apart."""


def searched(game: Game, folder: Path, workers: int, largest: int = 4) -> tuple[list[Found], float]:
    """Every family, evaluated; what lies in the folder already is read.

    Args:
        game: the game.
        folder: takes a file for each family.
        workers: threads.
        largest: integers that a rule has at most.

    Returns:
        The families, and how long it took to evaluate them, in seconds, whenever that was.
    """
    referee = Thresholds(optimal(game).strategy)
    found, spent = [], 0.0
    for number, family in enumerate(families(game.target, largest)):
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
    with np.load(path, allow_pickle=False) as file:
        return file["difference"], float(file["seconds"])


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


def by_complexity(found: Sequence[Found]) -> list[Best]:
    """The best rule for every pair of integers and operations that some rule has, by loss."""
    best: dict[tuple[int, int], tuple[float, Family, int]] = {}
    for one in found:
        order = np.lexsort((one.difference, one.operations, one.integers))
        keys = np.stack([one.integers, one.operations], axis=1)[order]
        firsts = order[np.flatnonzero(np.r_[True, (keys[1:] != keys[:-1]).any(axis=1)])]
        for number in firsts.tolist():
            key = int(one.integers[number]), int(one.operations[number])
            best[key] = min(best.get(key, (9.0, one.family, 0)), (float(one.difference[number]), one.family, number),
                            key=lambda entry: entry[0])  # fmt: skip
    return [Best(family.rule(number), family.name, *key) for key, (_, family, number) in sorted(best.items())]


def members(found: Sequence[Found], integers: int, below: float) -> Iterator[tuple[Found, list[int]]]:
    """Members with so many integers whose difference is below a bound, family by family."""
    for one in found:
        numbers = np.flatnonzero((one.integers == integers) & (one.difference < below))
        if len(numbers):
            yield one, numbers.tolist()


@dataclass(frozen=True)
class LeastExploitable:
    """The rule against which the best response wins least, among those with so many integers.

    Args:
        rule: the rule.
        family: its family's form.
        exploitability: what the best response wins, less a half.
        answers: best responses that were solved.
        proven: whether no member of a family is less exploitable.
    """

    rule: Rule
    family: str
    exploitability: float
    answers: int
    proven: bool


def exploitability(rule: Rule, game: Game) -> float:
    """What the best response wins against a rule, less a half."""
    return float(best_response(rule.strategy(game)).overall - 0.5)


def least_exploitable(found: Sequence[Found], integers: int, game: Game, workers: int) -> LeastExploitable:
    """The rule with so many integers that is exploited least.

    The best response to a rule wins no less than the optimum does, nor than the best response to another rule.  So
    every opponent bounds the exploitability of all rules from below, at the price of an evaluation; the rule with the
    lowest bound is answered exactly, its best response joins the opponents, and the search ends when no bound lies
    below the best exact figure: none of the others can be better.
    """
    referee = Thresholds(optimal(game).strategy)
    least = min(
        (one.family.rule(n) for one, n in ((f, _first(f, integers)) for f in found) if n is not None),
        key=lambda rule: float(differences([rule], referee)[0]),
    )
    best = LeastExploitable(least, "", exploitability(least, game), 1, False)
    groups = list(members(found, integers, 2 * best.exploitability))
    place = [(g, n) for g, (_, numbers) in enumerate(groups) for n in numbers]
    lower = np.concatenate([one.difference[numbers] for one, numbers in groups]).astype(np.float64) / 2
    open_ = np.ones(len(lower), np.bool_)
    for answers in range(2, MOST_ANSWERS + 2):
        open_ &= lower < best.exploitability - CLOSE_ENOUGH
        if not open_.any():
            return LeastExploitable(best.rule, best.family, best.exploitability, answers - 1, True)
        k = int(np.where(open_, lower, np.inf).argmin())
        family = groups[place[k][0]][0].family
        rule = family.rule(place[k][1])
        answer = best_response(rule.strategy(game))
        exact = answer.overall - 0.5
        if exact < best.exploitability:
            best = LeastExploitable(rule, family.name, float(exact), answers, False)
        lower[k], open_[k] = exact, False
        prepared = Thresholds(answer.strategy)
        for g, (one, numbers) in enumerate(groups):
            here = np.array([m for m in _span(groups, g) if open_[m]], dtype=np.int64)
            if len(here):
                chosen = np.array(numbers)[here - _span(groups, g).start]
                lower[here] = np.maximum(lower[here], met(one.family, chosen, prepared, workers) / 2)
    return LeastExploitable(best.rule, best.family, best.exploitability, MOST_ANSWERS, False)


def _first(one: Found, integers: int) -> int | None:
    difference = np.where(one.integers == integers, one.difference, np.inf)
    return int(difference.argmin()) if np.isfinite(difference).any() else None


def _span(groups: Sequence[tuple[Found, list[int]]], number: int) -> range:
    first = sum(len(numbers) for _, numbers in groups[:number])
    return range(first, first + len(groups[number][1]))
