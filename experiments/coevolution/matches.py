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
from .tables import LOSS, apart, by_setting, spread, table, verdict
from .trials import ended, population_loss

TARGET, SIDES, CUBE = 20, 3, 2
GAMES, BUDGET, SIZE = (6, 20, 60, 200, 600, 2000), 120_000, 20
"""Games of a match, games in all, and members of the population."""

KINDS = {"children only": False, "winners stay": True}
SIZES, PER_GENERATION, GENERATIONS = (16, 32, 64, 128, 256), (6400, 1280), 60
"""Populations, games of a generation, and generations."""

FIGURES = ("population", "exploitability", "loss")
BESIDE = len(KINDS) * (len(GAMES) - 1)
ASKED = len(KINDS) * (len(PER_GENERATION) + 1) * len(FIGURES)


def measured(folder: Path, seeds: int, workers: int) -> tuple[Rows, Rows]:
    """How many games, and how large a population; also without luck, where nothing is to be averaged."""
    games = [(kind, games, BUDGET, seed) for kind in KINDS for games in GAMES for seed in range(seeds)]
    sizes = [
        (kind, spent, size, seed)
        for kind in KINDS for spent in (*PER_GENERATION, 0) for size in SIZES for seed in range(seeds)
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
    """A population of a size whose matches share the games of a generation; 0 for exact matches."""
    size, spent = int(key[2]), int(key[1])
    instance = Instance(Pig(TARGET, SIDES), cube=CUBE, games=spent // (size // 2))
    return _ended(str(key[0]), instance, size, GENERATIONS * (spent or size // 2), int(key[3]))


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
        games = int(spent) // (int(size) // 2) or "exact"
        lines.append(
            (kind, spent, size, games, len(found["loss"]), *(spread(found[what], ".4f", LOSS) for what in FIGURES))
        )
    for kind in KINDS:
        for spent in (*map(str, PER_GENERATION), "0"):
            for what in FIGURES:
                own = {int(size): settings[kind, spent, str(size)][what] for size in SIZES}
                by_doubling = slope(own)
                said, interval = apart(by_doubling, ASKED, "+.5f")
                slopes.append((kind, spent if spent != "0" else "exact", what, len(by_doubling), interval, said))
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


def verdicts(games: Rows, sizes: Rows) -> list[tuple[str, str]]:
    """Whether the fewest games are better than the most, and whether a larger population is better than more games."""
    of_games, of_sizes = by_setting(games, 3), by_setting(sizes, 3)
    few, many = str(GAMES[0]), str(GAMES[-1])
    fewer = [of_games[kind, few, str(BUDGET)]["population"] - of_games[kind, many, str(BUDGET)]["population"]
             for kind in KINDS]  # fmt: skip
    asked = {"a larger population is better than more games": PER_GENERATION, "it is better without luck, too": (0,)}
    found = [
        (f"{few} games of a match are better than {many}", verdict([apart(one, len(fewer)) for one in fewer], "less"))
    ]
    for said, spent in asked.items():
        doublings = [slope({size: of_sizes[kind, str(one), str(size)]["population"] for size in SIZES})
                     for kind in KINDS for one in spent]  # fmt: skip
        found.append((said, verdict([apart(one, ASKED, "+.5f") for one in doublings], "less")))
    return found
