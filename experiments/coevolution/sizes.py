"""A larger population instead of more games of a match, under a fixed number of games of a generation.

Implicit averaging (Fitzpatrick & Grefenstette 1988; Rattray & Shapiro 1997): noise of the fitness can be met by more
games of a match, or by a larger population, whose selection averages over many alike.  Both cost games.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.games import Pig

from ..benchmark.algorithms import Knockout
from ..benchmark.instances import Instance
from ..common.tables import table
from .kept import (
    INTEREST,
    LOSS,
    OURS,
    SLOW,
    Claimed,
    Key,
    Rows,
    Verdict,
    apart,
    by_setting,
    claim_verdict,
    effect,
    fresh,
    kept,
    spread,
)
from .worlds import ended, population_loss

SHORT, LONG = "Pig to 20, 3 sides", "Pig to 100, 6 sides"
PLAYED = {SHORT: (Pig(20, 3), 2), LONG: (Pig(), 20)}
"""The rules, and the edge of a cube."""

MOST_LONG = 20
"""Seeds of the long game at most, which takes a few seconds a run."""

CHILDREN, STAY = "children only", "winners stay"
KINDS = {CHILDREN: False, STAY: True}
SIZES, PER_GENERATION, GENERATIONS = (16, 32, 64, 128, 256), (6400, 1280), 60
"""Populations, games of a generation, and generations."""

EQUAL = -1920
"""Exact evaluations of a population of 32 in `GENERATIONS`; negative, to tell them from games."""

Setting = tuple[str, str, int]
"""A game, what the next population is, and games of a generation or `EQUAL`."""

NOISY: tuple[Setting, ...] = (
    *((SHORT, kind, spent) for kind in KINDS for spent in PER_GENERATION), (LONG, CHILDREN, PER_GENERATION[0]),
)  # fmt: skip
EXACT: tuple[Setting, ...] = ((SHORT, CHILDREN, EQUAL), (SHORT, STAY, EQUAL))


class Asked(NamedTuple):
    """A claim: who makes it, where, what it says of a doubling's change of the loss, and the sizes it compares."""

    whose: str
    settings: tuple[Setting, ...]
    says: Claimed
    first: int
    last: int


ASKED = {
    "a larger population is better than more games": Asked("Fitzpatrick & Grefenstette 1988", NOISY, "less", 16, 256),
    "it is better up to 64 members": Asked(OURS, NOISY, "less", 16, 64),
    "it is worse from 64 members on": Asked(OURS, NOISY, "more", 64, 256),
    "it is worse without luck, at equal evaluations": Asked(OURS, EXACT, "more", 16, 256),
}
FIGURES = ("population", "exploitability", "loss")
COMPARED = (len(NOISY) + len(EXACT)) * len(FIGURES)


def measured(folder: Path, seeds: int, workers: int) -> Rows:
    """Every setting with every size."""
    keys = [
        (*setting, size, seed)
        for setting in (*NOISY, *EXACT) for size in SIZES
        for seed in fresh(seeds, MOST_LONG if setting[0] == LONG else SLOW)
    ]  # fmt: skip
    return kept(folder / "sizes.csv", ("game", "kind", "games of a generation", "size", "seed"), keys, figures, workers)


def figures(key: Key) -> dict[str, float]:
    """The last population of a size whose matches share the games of a generation.

    Below 0 matches are exact, and so many evaluations are all that there are, whatever the size.
    """
    game, cube = PLAYED[str(key[0])]
    spent, size, seed = int(key[2]), int(key[3]), int(key[4])
    instance = Instance(game, cube=cube, games=max(0, spent) // (size // 2))
    make = partial(Knockout, size=size, stay=KINDS[str(key[1])])
    algorithm, found = ended(make, instance, seed, -spent if spent < 0 else GENERATIONS * spent)
    return {"population": population_loss(algorithm, instance)} | found


def slope(by_setting_of_size: dict[int, Floats]) -> Floats:
    """How much a figure grows with each doubling of the size, by least squares, for each seed.

    Args:
        by_setting_of_size: the figures of all seeds by size.
    """
    across = np.log2(list(by_setting_of_size))
    across -= across.mean()
    found: Floats = across @ np.array(list(by_setting_of_size.values())) / (across @ across)
    return found


def named(spent: int) -> str:
    """What a generation, or the whole search, may spend."""
    return f"{-spent:,} exact evaluations in all" if spent < 0 else f"{spent:,} games a generation"


def as_markdown(rows: Rows) -> str:
    """A row for each size, and what a doubling of the population changes."""
    settings = by_setting(rows, 4)
    lines: list[tuple[object, ...]] = []
    slopes: list[tuple[object, ...]] = []
    for (game, kind, spent, size), found in settings.items():
        games = max(0, int(spent)) // (int(size) // 2) or "exact"
        own = (spread(found[what], ".4f", LOSS) for what in FIGURES)
        lines.append((game, kind, named(int(spent)), size, games, len(found["loss"]), *own))
    for game, kind, number in (*NOISY, *EXACT):
        for what in FIGURES:
            by_doubling = slope({size: settings[game, kind, str(number), str(size)][what] for size in SIZES})
            said, interval = apart(by_doubling, COMPARED, "+.5f")
            slopes.append((game, kind, named(number), what, len(by_doubling), interval, said))
    head = ["game", "next population", "spent", "size", "games of a match", "seeds",
            "loss, mean of the population", "champion's exploitability", "champion's loss"]  # fmt: skip
    head_of_slopes = ["game", "next population", "spent", "figure", "seeds",
                      f"change with each doubling (95 % for all {COMPARED} together)", "which is"]  # fmt: skip
    return table(head, lines) + "\n" + table(head_of_slopes, slopes)


def verdicts(rows: Rows) -> list[Verdict]:
    """By the mean loss of the last population, for each doubling of its size."""
    settings = by_setting(rows, 4)
    interest = INTEREST / np.log2(SIZES[-1] / SIZES[0])
    found: list[Verdict] = []
    for claim, asked in ASKED.items():
        used = [size for size in SIZES if asked.first <= size <= asked.last]
        effects = []
        for game, kind, spent in asked.settings:
            across = slope({size: settings[game, kind, str(spent), str(size)]["population"] for size in used})
            name = f"{game}, {kind}, {named(spent)}"
            effects.append(effect(name, across, asked.says, len(asked.settings), "+.5f", interest))
        found.append((claim, asked.whose, claim_verdict(effects)))
    return found
