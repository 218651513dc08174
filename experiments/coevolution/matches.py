"""Games of a match under a fixed budget of games, and a larger population instead of more games.

Implicit averaging (Fitzpatrick & Grefenstette 1988; Rattray & Shapiro 1997): noise of the fitness can be met by more
games of a match, or by a larger population, whose selection averages over many alike.  Both cost games.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from pigevo.benchmark.algorithms.generational import Knockout
from pigevo.benchmark.instances import Instance
from pigevo.core.arrays import Floats
from pigevo.games import Pig

from .kept import Key, Rows, kept
from .tables import INTEREST, LOSS, OURS, Verdict, apart, by_setting, claim_verdict, effect, spread, table
from .trials import ended, population_loss

TARGET, SIDES, CUBE = 20, 3, 2
GAMES, BUDGET, SIZE = (6, 20, 60, 200, 600, 2000), 120_000, 20
"""Games of a match, games in all, and members of the population."""

KINDS = {"children only": False, "winners stay": True}
SIZES, PER_GENERATION, GENERATIONS = (16, 32, 64, 128, 256), (6400, 1280), 60
"""Populations, games of a generation, and generations."""

EQUAL = -1920
"""Exact evaluations of a population of 32 in `GENERATIONS`; negative, to tell them from games."""

OF_EQUAL = f"exact, {-EQUAL} in all"

ASKED_OF_SIZES: dict[str, tuple[str, tuple[int, ...], int, int]] = {
    "a larger population is better than more games": ("Fitzpatrick & Grefenstette 1988", PER_GENERATION, 16, 256),
    "it is better up to 64 members (asked after a look)": (OURS, PER_GENERATION, 16, 64),
    "it is better from 64 members on (asked after a look)": (OURS, PER_GENERATION, 64, 256),
    "it is better without luck, at twice the evaluations for each doubling": (OURS, (0,), 16, 256),
    "it is better without luck, at equal evaluations": (OURS, (EQUAL,), 16, 256),
}
"""Who says it, games of a generation, and the smallest and the largest size that are compared."""

FIGURES = ("population", "exploitability", "loss")
BESIDE = len(KINDS) * (len(GAMES) - 1)
ASKED = len(KINDS) * (len(PER_GENERATION) + 2) * len(FIGURES)


def measured(folder: Path, seeds: int, workers: int) -> tuple[Rows, Rows]:
    """How many games, and how large a population; also without luck, where nothing is to be averaged."""
    games = [(kind, games, BUDGET, seed) for kind in KINDS for games in GAMES for seed in range(seeds)]
    sizes = [
        (kind, spent, size, seed)
        for kind in KINDS for spent in (*PER_GENERATION, 0, EQUAL) for size in SIZES for seed in range(seeds)
    ]  # fmt: skip
    return (
        kept(folder / "games.csv", ("kind", "games", "budget", "seed"), games, by_games, workers),
        kept(folder / "sizes.csv", ("kind", "games of a generation", "size", "seed"), sizes, by_size, workers),
    )


def by_games(key: Key) -> dict[str, float]:
    """A population of `SIZE` with matches of so many games."""
    instance = Instance(Pig(TARGET, SIDES), cube=CUBE, games=int(key[1]))
    return _ended(str(key[0]), instance, SIZE, int(key[2]), int(key[3]))


def by_size(key: Key) -> dict[str, float]:
    """A population of a size whose matches share the games of a generation; 0 for exact matches.

    Below 0 matches are exact, and so many evaluations are all that there are, whatever the size.
    """
    size, spent = int(key[2]), int(key[1])
    budget = -spent if spent < 0 else GENERATIONS * (spent or size // 2)
    instance = Instance(Pig(TARGET, SIDES), cube=CUBE, games=max(0, spent) // (size // 2))
    return _ended(str(key[0]), instance, size, budget, int(key[3]))


def _ended(kind: str, instance: Instance, size: int, budget: int, seed: int) -> dict[str, float]:
    make = partial(Knockout, size=size, stay=KINDS[kind])
    algorithm, found = ended(make, instance, seed, budget)
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


def games_as_markdown(rows: Rows) -> str:
    """A row for each kind and number of games, beside the number that is best by the mean of the population."""
    settings = by_setting(rows, 3)
    lines: list[tuple[object, ...]] = []
    for kind in KINDS:
        own = {games: found for (of, games, _), found in settings.items() if of == kind}
        best = min(own, key=lambda games: float(own[games]["population"].mean()))
        for games, found in own.items():
            less = found["population"] - own[best]["population"]
            said, interval = apart(less, BESIDE)
            beside = "the best" if games == best else f"{interval}, {said}"
            generations = BUDGET // (int(games) * SIZE // 2)
            lines.append((kind, games, f"{generations:,}", len(less),
                          *(spread(found[what], ".4f", LOSS) for what in FIGURES), beside))  # fmt: skip
    head = ["next population", "games of a match", "generations", "seeds", "loss, mean of the population",
            "champion's exploitability", "champion's loss",
            f"population beside the best (95 % for all {BESIDE} together)"]  # fmt: skip
    return table(head, lines)


def sizes_as_markdown(rows: Rows) -> str:
    """A row for each size, and what a doubling of the population changes."""
    settings = by_setting(rows, 3)
    lines: list[tuple[object, ...]] = []
    slopes: list[tuple[object, ...]] = []
    for (kind, spent, size), found in settings.items():
        games = max(0, int(spent)) // (int(size) // 2) or "exact"
        lines.append(
            (
                kind,
                spent if int(spent) >= 0 else OF_EQUAL,
                size,
                games,
                len(found["loss"]),
                *(spread(found[what], ".4f", LOSS) for what in FIGURES),
            )
        )
    for kind in KINDS:
        for spent in map(str, (*PER_GENERATION, 0, EQUAL)):
            for what in FIGURES:
                own = {int(size): settings[kind, spent, str(size)][what] for size in SIZES}
                by_doubling = slope(own)
                said, interval = apart(by_doubling, ASKED, "+.5f")
                named = {"0": "exact", str(EQUAL): OF_EQUAL}.get(spent, spent)
                slopes.append((kind, named, what, len(by_doubling), interval, said))
    head = ["next population", "games of a generation", "size", "games of a match", "seeds",
            "loss, mean of the population", "champion's exploitability", "champion's loss"]  # fmt: skip
    head_of_slopes = [
        "next population",
        "games of a generation",
        "figure",
        "seeds",
        f"change with each doubling (95 % for all {ASKED} together)",
        "which is",
    ]
    return table(head, lines) + "\n" + table(head_of_slopes, slopes)


def verdicts(sizes: Rows) -> list[Verdict]:
    """Whether a larger population is better at equal games, and without luck at equal evaluations."""
    settings, of = by_setting(sizes, 3), len(KINDS)
    found: list[Verdict] = []
    for claim, (whose, spent, first, last) in ASKED_OF_SIZES.items():
        used = [size for size in SIZES if first <= size <= last]
        effects = []
        for kind in KINDS:
            for one in spent:
                across = slope({size: settings[kind, str(one), str(size)]["population"] for size in used})
                name = f"{kind}, {abs(one)} {'games' if one > 0 else 'evaluations'}" if one else f"{kind}, exact"
                interest = INTEREST / np.log2(SIZES[-1] / SIZES[0])
                effects.append(effect(name, across, "less", of * len(spent), "+.5f", interest))
        found.append((claim, whose, claim_verdict(effects)))
    return found
