"""Random populations, which were only drawn, never evolved (Exeter 2016, section 4.3.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import Within
from pigevo.evolution.registries import BASELINES
from pigevo.evolution.search import random_values
from pigevo.strategies import CubeGrid

Track = Callable[[Iterable[int]], Iterable[int]]


@BASELINES.register(name="none")
def no_baseline(grid: CubeGrid, size: int, workers: int, track: Track) -> Floats:
    """An empty sample: the run is compared with nothing."""
    return np.empty((0, size))


@BASELINES.register(source="Exeter 2016, section 4.3.1 and figure 10")
def random_search(
    grid: CubeGrid, size: int, workers: int, track: Track, populations: Annotated[int, Within(2, 10**6)] = 300
) -> Floats:
    """Exact win probabilities of random genomes against the optimum.

    The sample is the same for every run: it belongs to the validation stream of seed 0.

    Args:
        grid: where the genomes live.
        size: members of a population.
        workers: threads.
        track: is handed the population numbers and gives them back one by one, as `tqdm` does.
        populations: how many populations are drawn.

    Returns:
        Overall win probabilities, shape (populations, size).
    """
    return random_values(grid, size, range(populations), workers, track)
