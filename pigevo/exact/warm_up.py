"""Small calls of the kernels that every exact figure needs, so that they are compiled beside each other."""

from __future__ import annotations

import numpy as np

from pigevo.exact.kernels import win_tables
from pigevo.exact.response_kernels import optimal_tables
from pigevo.exact.solve import TIE
from pigevo.exact.turn_kernels import example_dice, example_rows, example_turns

TASK = {f"{__name__}:meet": ["pigevo.exact.kernels.win_tables"]}
"""For `pigevo.compiled.cache`."""

OPTIMUM = {f"{__name__}:solve": ["pigevo.exact.response_kernels.optimal_tables"]}
"""The same, where the optimum is not the first thing that is asked for."""


def meet() -> None:
    """A win probability of a small strategy, whose turns are prepared without the compiler."""
    gains, chances = next(example_dice())
    start, low, hold, leave = example_turns((gains, chances))
    win_tables(example_rows(0)[None], np.arange(1), gains, chances, start, low, hold, leave)


def solve() -> None:
    """The optimum of a small game."""
    gains, chances = next(example_dice())
    optimal_tables(2, gains, chances, TIE)
