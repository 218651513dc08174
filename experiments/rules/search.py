"""All families of a game, evaluated once and kept, and the best members of all by what they ask of a person."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo import optimal
from pigevo.core.arrays import Floats32
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Game
from pigevo.storage.records import write_arrays
from pigevo.strategies.rules import Rule

from .exhaust import Found, complexities, exhaust
from .families import Family, families

LOG = logging.getLogger(__name__)


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
