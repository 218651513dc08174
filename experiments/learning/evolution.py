"""Evolution by simulated games alone within a budget, by the package's two best settings for that.

`archive` plays past champions and keeps the best (`experiment=coevolve_noisy_archive`); `twins` is an evolution
strategy whose twins play each other (`experiment=coevolve_noisy`).  A larger budget gives more generations and longer
matches, both as its square root.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..common.settings import with_stated

HERE = Path(__file__).parent
EXPERIMENTS = {"archive": "experiment=coevolve_noisy_archive", "twins": "experiment=coevolve_noisy"}
USUAL_BUDGET = 1_000_000
"""Games of a run that has as many generations as the option says."""

SHARES = {"archive": (0.2, 0.33, 0.47), "twins": (0.12, 0.28, 0.6)}
"""Shares of the generations of the waves, as in the experiments of the package."""

POPULATION, FEW, LEAST_MATCH = {"archive": 20, "twins": 200}, 20, 100
"""Members; of twins there are few where matches would have less than so many games."""

ARCHIVE, STILL = 3, 3
"""Past champions that a member meets, and last generations in which nothing is changed."""


def words(family: str, game: str, size: int, budget: int, options: Mapping[str, float | bool | str]) -> list[str]:
    """The words of a run.

    Args:
        family: `archive` or `twins`.
        game: its words.
        size: the points of the game: its target, or what a long turn brings.
        budget: games, of which nearly all are spent.
        options: `generations` of a run of the usual budget; `edge` of the first cubes, as a share of the points, 0 for
            single cells; of the
            archive which case counts, `by`; of twins the `step`, the standard deviation of the first step as a share of
            the points, a tenth of which it is at the end.
    """
    count = float(options["generations"]) * (budget / USUAL_BUDGET) ** 0.5
    waves = [max(1, round(share * count)) for share in SHARES[family]]
    finest = round(float(options["edge"]) * size / 4)
    own = _archive if family == "archive" else _twins
    chosen = [EXPERIMENTS[family], *game.split(), "baseline=none", "figures=none", "workers=1",
              f"cubes.generations={waves}".replace(" ", ""), *own(waves, finest, size, budget, options)]  # fmt: skip
    return with_stated(chosen, HERE / "settings.yaml")


def _archive(
    waves: list[int], finest: int, size: int, budget: int, options: Mapping[str, float | bool | str]
) -> list[str]:
    couple = 2 * ARCHIVE
    games = budget // (POPULATION["archive"] * (sum(waves) + 1)) // couple * couple
    coarse, fine = max(1, 4 * finest), max(1, 2 * finest)
    sizes = f"[{coarse},{fine},[{fine},{fine},1]]"
    return [f"cubes.sizes={sizes}", f"fitness.games={max(couple, games)}", f"fitness.by={options['by']}"]


def _twins(
    waves: list[int], finest: int, size: int, budget: int, options: Mapping[str, float | bool | str]
) -> list[str]:
    count, step = sum(waves), float(options["step"]) * size
    pairs = POPULATION["twins"] // 2
    if budget < pairs * count * LEAST_MATCH:
        pairs = FEW // 2
    edges = [max(1, n * finest) for n in (4, 2, 1)]
    sizes = ",".join(f"[{edge},{edge},1]" for edge in edges)
    return [
        f"population.size={2 * pairs}", f"cubes.sizes=[{sizes}]",
        f"fitness.games={max(2, budget // (pairs * count) // 2 * 2)}", f"mutator.step={step:g}",
        f"mutator.end={0.1 * step:g}", f"mutator.over={max(1, round(0.4 * count))}",
        f"mutator.until={max(1, count - STILL)}", f"crossover.over={2 * pairs}",
    ]  # fmt: skip
