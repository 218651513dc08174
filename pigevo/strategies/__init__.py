"""Strategies as arrays, the named ones of the literature, and the cube grid over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.imports import lazy_getattr
from pigevo.strategies.named import (
    STRATEGIES as STRATEGIES, hold_at as hold_at, keep_pace_and_end_race as keep_pace_and_end_race,
    random_strategy as random_strategy, roll_and_wait as roll_and_wait, roll_to_win as roll_to_win, score as score,
    skip_when_level as skip_when_level, turtle as turtle,
)  # fmt: skip
from pigevo.strategies.strategy import Strategy as Strategy, load_strategy as load_strategy, same_game as same_game

_HOMES = {
    "combined": ["mirror", "mix", "noisy"],
    "elite_map": ["EliteMap", "load_elite_map"],
    "grid": ["CubeGrid", "Members"],
    "parse": ["expand", "names_file", "parse_strategy"],
}

if TYPE_CHECKING:
    from pigevo.strategies.combined import mirror as mirror, mix as mix, noisy as noisy
    from pigevo.strategies.elite_map import EliteMap as EliteMap, load_elite_map as load_elite_map
    from pigevo.strategies.grid import CubeGrid as CubeGrid, Members as Members
    from pigevo.strategies.parse import expand as expand, names_file as names_file, parse_strategy as parse_strategy
else:
    __getattr__ = lazy_getattr(__name__, _HOMES)
