"""A small match, so that the kernels that play are compiled beside those of the exact engine."""

from __future__ import annotations

from pigevo.arena.examples import examples
from pigevo.arena.kernels import play_games

TASK = {f"{__name__}:play": ["pigevo.arena.kernels.play_games"]}
"""For `pigevo.ahead`."""


def play() -> None:
    """A few games."""
    play_games(*next(examples()))
