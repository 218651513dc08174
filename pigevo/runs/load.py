"""A run read back from its folder: config, result, and its figures as arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pigevo.errors import InputError
from pigevo.frames import data_frame
from pigevo.runs.folder import config_of
from pigevo.runs.metrics import read_metrics
from pigevo.runs.result import read_result
from pigevo.strategies import Strategy, load_strategy

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, eq=False)
class Run:
    """A run on disk.

    Args:
        folder: where it lies.
        config: its checked config, plain values.
        result: the content of `result.json`; None while the run has not finished.
        metrics: the columns of `metrics.csv` by name, each of shape (recorded generations,).
    """

    folder: Path
    config: Mapping[str, Any] = field(repr=False)
    result: Mapping[str, Any] | None = field(repr=False)
    metrics: Mapping[str, np.ndarray] = field(repr=False)

    @property
    def champion(self) -> Strategy:
        """The strategy that the run hands over.

        Raises:
            InputError: the run has not finished.
        """
        if self.result is None:
            raise InputError(f"{self.folder} has no champion yet: the run has not finished.")
        return load_strategy(self.folder / "champion.npz")

    def frame(self) -> pandas.DataFrame:
        """The metrics as a data frame of pandas, a row for each recorded generation."""
        return data_frame(self.metrics)


def load_run(path: str | os.PathLike[str]) -> Run:
    """Read a run.

    Args:
        path: its folder.

    Raises:
        InputError: there is no run, or it has not recorded anything yet, or a file is damaged.
    """
    folder = Path(path)
    result = read_result(folder)
    return Run(folder, result["config"] if result else config_of(folder), result, read_metrics(folder))
