"""Small calls of the kernels that every exact figure needs, so that they are compiled beside each other."""

from __future__ import annotations

import numpy as np

from pigevo.exact.kernels import win_tables
from pigevo.exact.turn_kernels import example_dice, example_rows, example_turns

TASK = {f"{__name__}:meet": ["pigevo.exact.kernels.win_tables"]}
"""For `pigevo.ahead`."""


def meet() -> None:
    """A win probability of a small strategy, whose turns are prepared without the compiler."""
    gains, chances = next(example_dice())
    start, low, hold, leave = example_turns((gains, chances))
    win_tables(example_rows(0)[None], np.arange(1), gains, chances, start, low, hold, leave)
