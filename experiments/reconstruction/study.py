"""The reconstruction study: which reading or slip of the program of Exeter 2016 gives its curves."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from omegaconf import OmegaConf

from ..common.tables import table, write_section
from .likelihood import RECORDED, curve, density, figure
from .program import Program, Setting, evolve

HERE = Path(__file__).parent
T = TypeVar("T", Program, Setting)


def worded(made: type[T], words: str) -> T:
    """A program or a setting from its words."""
    values: Any = OmegaConf.to_container(OmegaConf.from_dotlist(words.split()))
    options: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return made(**options)


def read(name: str) -> Any:
    """The content of a YAML file of the study."""
    return OmegaConf.to_container(OmegaConf.load(HERE / name))


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes.
        seeds: of each reading.
        workers: processes.
    """
    rows = []
    for name, words in read("readings.yaml").items():
        total = 0.0
        for place, said in enumerate(read("published.yaml")["cubes"].values()):
            courses = [evolve(worded(Program, words), worded(Setting, said["setting"]), seed) for seed in range(seeds)]
            curves = [curve(one, RECORDED["mean"], place, seed) for seed, one in enumerate(courses)]
            total += sum(
                density(np.array([figure(row, c) for c in curves]), value) for row, value in said["rows"].items()
            )
        rows.append((name, f"{total:.1f}"))
    write_section(folder, "table", table(["reading", "log likelihood"], rows))
