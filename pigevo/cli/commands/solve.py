"""`pigevo solve`: the optimal strategy of a game."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from pigevo.arrays import Bools
from pigevo.cli.options import game_options, json_option, show
from pigevo.files import refuse_unwritable
from pigevo.games import Race

OPENINGS = 6
"""How many scores of the opponent the readable form shows."""


@click.command()
@game_options
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the strategy to this .npz file.")
@json_option
def command(game: Race, save: Path | None, as_json: bool) -> None:
    """The optimal strategy of a game: its value and where it holds."""
    record = solve(game, save)
    show(record, describe(record), as_json)


def solve(game: Race, save: Path | None = None) -> dict[str, Any]:
    """Solve the game, and save the optimal strategy if a path is given.

    Returns:
        `value` (win probability moving first against itself), `openings` (the turn
        total at which a player with no points holds, by the opponent's score),
        `seconds` and `saved`.

    Raises:
        InputError: the path cannot be written.
    """
    from pigevo import optimal

    if save is not None:
        refuse_unwritable(save)
    begin = time.perf_counter()
    solution = optimal(game)
    seconds = time.perf_counter() - begin
    openings = [hold_total(game, solution.strategy.roll[0, j]) for j in range(game.target)]
    saved = str(solution.strategy.save(save)) if save is not None else None
    return {
        "game": str(game),
        "value": float(solution.value),
        "openings": openings,
        "seconds": seconds,
        "saved": saved,
    }


def hold_total(game: Race, rolls: Bools) -> int:
    """The smallest turn total at which a player with no points holds.

    Args:
        game: the game, for its target, at which everybody holds.
        rolls: the decisions by turn total.
    """
    holds = np.flatnonzero(~rolls)
    return int(holds[0]) if len(holds) else game.target


def describe(record: dict[str, Any]) -> str:
    """The record of `solve` as lines to read."""
    openings = record["openings"]
    step = max(1, len(openings) // (OPENINGS - 1))
    scores = sorted({*range(0, len(openings), step), len(openings) - 1})
    lines = [
        f"{record['game']}, solved in {record['seconds']:.2f} s",
        "",
        f"  win probability of the player who moves first   {record['value']:.6f}",
        "",
        "  a player with no points holds at",
        *(_opening(openings, j) for j in scores),
    ]
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _opening(openings: list[int], j: int) -> str:
    total = str(openings[j]) if openings[j] < len(openings) else "never (rolls to win)"
    return f"    {total:>4s}   when the opponent has {j}"
