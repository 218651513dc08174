"""Strategies as arrays, the named ones of the literature, and the cube grid over them."""

from pigevo.strategies.grid import CubeGrid, Members
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
from pigevo.strategies.parse import expand, names_file, parse_strategy
from pigevo.strategies.strategy import Strategy, load_strategy, same_game

__all__ = [
    "STRATEGIES",
    "CubeGrid",
    "Members",
    "Strategy",
    "expand",
    "hold_at",
    "keep_pace_and_end_race",
    "load_strategy",
    "parse_strategy",
    "random_strategy",
    "roll_and_wait",
    "roll_to_win",
    "same_game",
    "score",
    "skip_when_level",
    "names_file",
    "turtle",
]
