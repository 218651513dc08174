"""The runs of a study: one evolution by a reading for a figure and a seed, made once and kept."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from omegaconf import OmegaConf

from pigevo.storage.records import archive, write_arrays

from .program import SIZE, Course, Program, Setting, evolve

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


def course_of(folder: Path, program: str, setting: str, seed: int) -> Course:
    """A run by the words of its program and of its setting, from its file, or made now."""
    mark = hashlib.sha256(f"{program}; {setting}".encode()).hexdigest()[:16]
    path = folder / "runs" / mark / f"seed_{seed}.npz"
    if not path.exists():
        made = evolve(worded(Program, program), worded(Setting, setting), seed)
        write_arrays(path, {"seats": made.seats, "survive": made.survive})
    with archive(path, "record of an evolution") as file:
        seats = file.array("seats", np.float64, [None, SIZE, 2])
        return Course(seats, file.array("survive", np.bool_, [None, SIZE]))
