"""Strategies as arrays, the named ones of the literature, and the cube grid over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import lazy_getattr
from pigevo.strategies.named import (
    STRATEGIES,
    hold_at,
    keep_pace_and_end_race,
    random_strategy,
    roll_and_wait,
    roll_to_win,
    score,
    skip_when_level,
    turtle,
)
from pigevo.strategies.strategy import Strategy, load_strategy, same_game

if TYPE_CHECKING:
    from pigevo.strategies.combined import mirror, mix, noisy
    from pigevo.strategies.elite_map import EliteMap, load_elite_map
    from pigevo.strategies.grid import CubeGrid, Members
    from pigevo.strategies.parse import expand, names_file, parse_strategy

__getattr__ = lazy_getattr(
    __name__,
    {
        "combined": ["mirror", "mix", "noisy"],
        "elite_map": ["EliteMap", "load_elite_map"],
        "grid": ["CubeGrid", "Members"],
        "parse": ["expand", "names_file", "parse_strategy"],
    },
)

__all__ = [
    "STRATEGIES",
    "CubeGrid",
    "EliteMap",
    "Members",
    "Strategy",
    "expand",
    "hold_at",
    "keep_pace_and_end_race",
    "load_elite_map",
    "load_strategy",
    "mirror",
    "mix",
    "names_file",
    "noisy",
    "parse_strategy",
    "random_strategy",
    "roll_and_wait",
    "roll_to_win",
    "same_game",
    "score",
    "skip_when_level",
    "turtle",
]
