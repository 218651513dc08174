"""`pigevo solve`: the optimal strategy of a game."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from pigevo.cli.options import game_options, json_option, show
from pigevo.core.text import counted
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable
from pigevo.strategies import Strategy

OPENINGS = 6
"""How many scores of the opponent the readable form shows."""


@click.command()
@game_options
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the strategy to this .npz file.")
@json_option
def command(game: Game, save: Path | None, as_json: bool) -> None:
    """The optimal strategy of a game: its value and where it holds."""
    record = solve(game, save)
    show(record, describe(record), as_json)


def solve(game: Game, save: Path | None = None) -> dict[str, Any]:
    """Solve the game, and save the optimal strategy if a path is given.

    `openings` are the turn totals at which a player with no points holds, by the opponent's score; in a game of turns
    those at which who moves first holds when level, by the number of turns left.
    """
    from pigevo import optimal

    if save is not None:
        refuse_unwritable(save)
    begin = time.perf_counter()
    solution = optimal(game)
    seconds = time.perf_counter() - begin
    openings = openings_of(solution.strategy)
    saved = str(solution.strategy.save(save)) if save is not None else None
    return {
        "game": str(game),
        "value": float(solution.value),
        "error": solution.error,
        "openings": openings,
        "of_turns": bool(game.turns),
        "size": game.size,
        "seconds": seconds,
        "saved": saved,
    }


def openings_of(strategy: Strategy) -> list[int]:
    """The smallest turn total at which a player holds, by the opponent's score or by the number of turns left."""
    game = strategy.game
    span = range(game.target) if game.target else range(1, game.turns + 1)
    return [_hold_total(strategy, {"opponent": n, "left": n}) for n in span]


def _hold_total(strategy: Strategy, at: dict[str, int]) -> int:
    game = strategy.game
    begin = {"own": 0, "difference": 0, "second": 0, "last_turn": 0} | at
    totals = range(0 if game.allow_pass else 1, game.size)
    return next((k for k in totals if not strategy.roll[game.cell(**begin, total=k, rolls=1)]), game.size)


def describe(record: dict[str, Any]) -> str:
    """The record of `solve` as lines to read."""
    openings = record["openings"]
    step = max(1, len(openings) // (OPENINGS - 1))
    scores = sorted({*range(0, len(openings), step), len(openings) - 1})
    of_turns, most = record["of_turns"], record["size"]
    lines = [
        f"{record['game']}, solved in {record['seconds']:.2f} s",
        "",
        f"  win probability of the player who moves first   {record['value']:.6f}",
        "",
        "  who moves first holds, when level, at" if of_turns else "  a player with no points holds at",
        *(_opening(openings[j], most, _where(j, of_turns)) for j in scores),
    ]
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _opening(total: int, most: int, where: str) -> str:
    return f"    {total if total < most else 'never (rolls to win)':>4}   {where}"


def _where(place: int, of_turns: bool) -> str:
    return f"with {counted(place + 1, 'turn')} left" if of_turns else f"when the opponent has {place}"
