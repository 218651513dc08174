"""`pigevo respond B`: the strategy that does best against B."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable


@click.command(epilog=EPILOG)
@click.argument("opponent")
@game_options
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Answer the answer, and so on; ends early at a strategy that answers itself.",
)
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the last answer to this .npz file."
)
@json_option
def command(opponent: str, game: Game, rounds: int, save: Path | None, as_json: bool) -> None:
    """The best response to a strategy, and what it wins."""
    record = respond(opponent, game_of_words([opponent], game), rounds, save)
    show(record, describe(record), as_json)


def respond(opponent: str, game: Game, rounds: int = 1, save: Path | None = None) -> dict[str, Any]:
    """Answer a strategy, and save the last answer if a path is given.

    Returns:
        `rounds`: for each its win probability against the round before (`first`, `second`,
        `overall`) and against the optimum (`against_optimal`); `fixed`, whether the last
        answer is the strategy that it answers; `seconds` and `saved`.
    """
    answered = read_strategy(opponent, game)
    if save is not None:
        refuse_unwritable(save)
    from pigevo import iterated_best_response, optimal, win_probability

    begin = time.perf_counter()
    best = optimal(game).strategy
    found: list[dict[str, float]] = []
    before = last = answered
    for answer in iterated_best_response(answered, rounds):
        before, last = last, answer.strategy
        figures = {"first": answer.value, "second": answer.second, "overall": answer.overall}
        found.append(figures | {"against_optimal": win_probability(last, best).overall})
    return {
        "opponent": answered.name,
        "game": str(game),
        "rounds": found,
        "fixed": last == before,
        "seconds": time.perf_counter() - begin,
        "saved": str(last.save(save)) if save is not None else None,
    }


def describe(record: dict[str, Any]) -> str:
    """The record of `respond` as lines to read."""
    lines = [
        f"best response to {record['opponent']} in {record['game']}, {record['seconds']:.2f} s",
        "",
        "  round   moving first   second     overall    against the optimum",
    ]
    for number, figures in enumerate(record["rounds"], start=1):
        lines.append(
            f"  {number:5d}   {figures['first']:.6f}       {figures['second']:.6f}   {figures['overall']:.6f}   "
            f"{figures['against_optimal']:.6f}"
        )
    if record["fixed"]:
        lines += ["", "  the last answer is the strategy that it answers: no strategy beats it"]
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)
