"""`pigevo replay RUN`: one game of a run, roll by roll."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.runs.verify import Replay
    from pigevo.simulation.stepwise import Turn


@click.command(
    epilog="In the last generation everyone meets everyone (of a large population the best 500, where selection asks "
    "for fewer matches); before, pairs are those of selection."
)
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--generation", type=click.IntRange(0), required=True, help="Whose population plays.")
@click.option("--pairing", type=click.IntRange(0), required=True, help="The number of the pair, from 0.")
@click.option("--game", type=click.IntRange(0), required=True, help="The number of the game, from 0.")
@json_option
def command(run: Path, generation: int, pairing: int, game: int, as_json: bool) -> None:
    """Play one game of a run again, roll by roll."""
    from pigevo.core.threads import available_cores
    from pigevo.runs.folder import settings_of
    from pigevo.runs.verify import replay

    settings = settings_of(run).with_(workers=available_cores())
    found = replay(settings, run, generation, pairing, game)
    show(asdict(found), describe(found), as_json)


def describe(found: Replay) -> str:
    """The game as lines to read."""
    counter = ", ".join(f"{name} {value}" for name, value in found.counter.items())
    first, second = found.members
    lines = [
        f"{found.game}: member {first} moves first against member {second}",
        f"dice: {counter}; the population was made again from generation {found.made_from}",
        "",
        f"{'turn':>5} {'member':>7} {'own':>5} {'other':>5}   rolls",
        *(_line(number, turn, found.members) for number, turn in enumerate(found.turns, 1)),
        "",
        _end(found),
    ]
    return "\n".join(lines)


def _line(number: int, turn: Turn, members: tuple[int, int]) -> str:
    rolls = " ".join(str(points) if points else "bust" for points in turn.rolls)
    scored = f", scores {turn.banked}" if turn.banked > 0 else ", loses all" if turn.banked < 0 else ""
    end = "passes" if turn.is_pass else f"{rolls}{scored}" if turn.rolls[-1] == 0 else f"{rolls}, holds {turn.banked}"
    return f"{number:5d} {members[turn.player]:7d} {turn.own:5d} {turn.opponent:5d}   {end}"


def _end(found: Replay) -> str:
    last = found.turns[-1]
    if found.result == 5:
        return f"a draw at {last.opponent}"
    if found.result > 1:
        return "a stalemate: both passed" if found.result == 2 else "unfinished: given up after so many turns"
    scores = last.own + last.banked, last.opponent
    won, lost = scores if found.result == last.player else scores[::-1]
    return f"member {found.members[found.result]} wins by {won} to {lost} in turn {len(found.turns)}"
