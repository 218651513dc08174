"""Small calls of the kernels that every exact figure needs, so that they are compiled beside each other."""

from __future__ import annotations

import numpy as np

from pigevo.exact.kernels import win_tables
from pigevo.exact.turn_kernels import example_dice, example_rows, turn_outcomes
from pigevo.twins import interpreted

TASK = {f"{__name__}:meet": ["pigevo.exact.kernels.win_tables"]}
"""For `pigevo.ahead`."""


def meet() -> None:
    """A win probability of a small strategy, whose turns are prepared without the compiler."""
    rows, die = example_rows(0), next(example_dice())
    prepared = interpreted(turn_outcomes)(rows, *die)
    win_tables(rows[None], np.arange(1), *die, *prepared)
