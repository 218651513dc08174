"""Claims about co-evolution, decided where the truth is exact."""

from __future__ import annotations

import logging
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from pigevo.storage.files import write_bytes

from ..common.tables import table, write_section
from . import authors, disengagement, generalised, interaction, memories, sizes, transitivity
from .drawing import draw
from .kept import Verdict

LOG = logging.getLogger(__name__)

DIFFERENCES = "mean difference, its 95 % interval, and what it says beside the smallest effect of interest"

MOST_SEEDS = 40
"""Seeds of each part at most."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes; figures of a seed that are there are not computed again.
        seeds: of every part that is drawn, `MOST_SEEDS` at most.
        workers: processes.
    """
    seeds = min(seeds, MOST_SEEDS)
    said: list[tuple[str, ...]] = []

    def tell(part: str, name: str, text: str, verdicts: list[Verdict]) -> None:
        write_section(folder, name, text)
        said.extend((part, *verdict) for verdict in verdicts)
        LOG.info("%s: done", part)

    strings, games = interaction.measured(folder, seeds, workers)
    both = interaction.verdicts(strings, games)
    tell("worst or mean", "interaction", interaction.as_markdown(strings, games), both)
    rows = transitivity.measured(folder, seeds, workers)
    tell("fitnessless", "fitnessless", transitivity.as_markdown(rows), [])
    rows = memories.measured(folder, seeds, workers)
    tell("memories", "memories", memories.as_markdown(rows), memories.verdicts(rows))
    missed, exact = generalised.measured(folder, seeds, workers)
    tell("generalisation", "generalised", generalised.as_markdown(missed, exact), [])
    cycles = transitivity.measured_by_level(folder, seeds, workers)
    tell("spinning tops", "tops", transitivity.levels_as_markdown(cycles), transitivity.verdicts_on_levels(cycles))
    left = disengagement.measured(folder, seeds, workers)
    tell("disengagement", "disengagement", disengagement.as_markdown(left), disengagement.verdicts(left))
    of_sizes = sizes.measured(folder, seeds, workers)
    tell("larger populations", "sizes", sizes.as_markdown(of_sizes), sizes.verdicts(of_sizes))
    rows = memories.measured_on_matrix(folder, seeds, workers)
    tell("rock, paper, scissors", "matrices", memories.matrix_as_markdown(rows), memories.verdicts_on_matrix(rows))
    three = authors.measured(folder, seeds, workers)
    tell("authors' settings", "authors", authors.as_markdown(*three), authors.verdicts(*three))
    write_section(folder, "claims", table(["part", "claim or question", "whose", "verdict", DIFFERENCES], said))
    draw(folder, missed, cycles, left, of_sizes)
    _noise(folder, seeds, workers)


def _noise(folder: Path, seeds: int, workers: int) -> None:
    """How often games select wrongly, for each way to spend them, where `noise.py` is beside this file."""
    name = f"{__package__}.noise"
    if find_spec(name) is None:
        return
    noise = import_module(name)
    cells = noise.table(seeds, workers)
    write_bytes(folder / "noise.csv", noise.as_csv(cells).encode())
    write_section(folder, "noise", noise.as_markdown(cells))
