"""`pigevo bonnet2018`: other rewards than a win, coalitions, more players, and games in which scores can fall."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import click

from pigevo.cli.commands.three_player import (
    certificate_lines,
    orbit_bar,
    orbits_lines,
    orbits_record,
)
from pigevo.cli.options import game_options, json_option, picked, show
from pigevo.cli.output import NEGATIVE_STATUS
from pigevo.core.imports import numpy as np
from pigevo.errors import InputError
from pigevo.games import Game, Race

from .rewards import AFTER_FIRST_WIN, Rewards


def reward_words(_context: click.Context, _option: click.Parameter, value: str) -> Any:
    """Rewards as typed: three numbers separated by commas, or a word."""
    if "," not in value and value[:1] not in "-.0123456789":
        return value
    try:
        return tuple(float(part) for part in value.split(","))
    except ValueError:
        hint = "write it as three numbers, for first, second and third place, --rewards 2,1,-3"
        raise click.BadParameter(hint, param_hint="'--rewards'") from None


@click.command(epilog="Exit status: 0 if the certificate holds; 1 if not; 2 for a wrong input.")
@game_options
@click.option("--players", type=int, default=3, show_default=True, help="Number of players, from 2 to 8.")
@click.option("--rewards", callback=reward_words, metavar="REWARDS", default="1,0,0", show_default=True,
              help="By place, as 2,1,-3; or points_needed or scores, paid by each loser to the winner.")  # fmt: skip
@click.option("--after-first-win", type=click.Choice(AFTER_FIRST_WIN), default="stop", show_default=True,
              help="Whether the scores decide the second place, or the two others play on for it.")  # fmt: skip
@click.option("--coalition", is_flag=True, help="Also compute what two players together can take from the third.")
@json_option
def command(game: Game, players: int, rewards: Any, after_first_win: Any, coalition: bool, as_json: bool) -> int:
    """Compute an equilibrium of a game for n players, certified."""
    played_for = Rewards(rewards, after_first_win)
    if players == 3 and isinstance(game, Race):
        record = rewarded_record(game, played_for, coalition)
        text = describe_rewarded(record, played_for)
    elif coalition or played_for != Rewards():
        given = {
            "--rewards": played_for.places != Rewards().places, "--after-first-win": after_first_win != "stop",
            "--coalition": coalition,
        }  # fmt: skip
        options = " and ".join(option for option, is_given in given.items() if is_given)
        raise InputError(f"{options}: only for three players of a race with one die; leave it out.")
    else:
        record = many_record(game, players)
        text = describe_many(record)
    show(record, text, as_json)
    return 0 if record["certificate"]["holds"] else NEGATIVE_STATUS


def rewarded_record(game: Race, rewards: Rewards, coalition: bool) -> dict[str, Any]:
    """Solve a game for three with rewards, and certify the solution."""
    from .coalitions import coalition as two_against_one
    from .rewarded_solver import solve_rewarded

    begin = time.perf_counter()
    with orbit_bar("orbits", game) as bar:
        solution = solve_rewarded(game, rewards, progress=bar.update)
    seconds, certificate, lone = time.perf_counter() - begin, solution.certificate, None
    changes: list[list[float]] | None = None
    if coalition:
        with orbit_bar("coalitions", game) as bar:
            against = two_against_one(game, progress=bar.update, rewards=rewards).at(game.target)
        lone, changes = np.diag(against).tolist(), (against - np.array(solution.value)).tolist()
    orbits = orbits_record(solution.shares)
    for orbit in [*orbits["without_pure"], *orbits["several"]]:
        for equilibrium in orbit["equilibria"]:
            equilibrium["values"] = rewards.in_units(np.array(equilibrium["values"]), game).tolist()
    return {
        "game": str(game),
        "rewards": asdict(rewards),
        "value": list(solution.value),
        "places": None if rewards.win_only else solution.place_chances().tolist(),
        **orbits,
        "certificate": asdict(certificate) | {"holds": certificate.holds},
        "coalition": lone,
        "coalition_changes": changes,
        "seconds": seconds,
    }


def describe_rewarded(record: dict[str, Any], rewards: Rewards) -> str:
    """The record of `rewarded_record` as text."""
    expected, many, unit = "expected reward", "rewards", "hundredths of a point"
    if rewards.win_only:
        expected, many, unit = "win probability", "win probabilities", "percentage points"
    lines = [
        f"{record['game']} for three players, solved in {record['seconds']:.2f} s",
        "",
        f"  {expected} by seat   {_row(record['value'])}",
    ]
    if record["places"]:
        chances = zip(PLACES, zip(*record["places"], strict=True), strict=True)
        lines += [f"    comes {place:6}            {_row(by_seat)}" for place, by_seat in chances]
        lines += [f"  rewards                   {rewards}"]
    lines += [*orbits_lines(record, many), "", *certificate_lines(record["certificate"])]
    if record["coalition"]:
        taken = [100 * (v - c) for v, c in zip(record["value"], record["coalition"], strict=True)]
        lines += ["", f"  what two who only want the third to lose take from the third, in {unit}, by seat",
                  "                            " + "  ".join(f"{t:.4f}" for t in taken), "",
                  f"  what such a coalition changes for each seat, in {unit}",
                  *map(_change_line, range(3), record["coalition_changes"])]  # fmt: skip
    return "\n".join(lines)


PLACES = ("first", "second", "third")
ROUNDING = 1e-12  # a change by less is one of rounding


def _change_line(lone: int, changes: list[float]) -> str:
    """What a coalition against one seat changes for all, and who of the two pays for it."""
    loses = [PLACES[seat] for seat in range(3) if seat != lone and changes[seat] < -ROUNDING]
    who = ["nobody sacrifices himself", *(f"the {seat} sacrifices himself" for seat in loses)]
    figures = "  ".join(f"{100 * change:+8.4f}" for change in changes)
    return f"    against the {PLACES[lone]:6}      {figures}   {', '.join(who[1:] or who)}"


def _row(values: Iterable[float]) -> str:
    return "  ".join(f"{value:.6f}" for value in values)


def many_record(game: Game, players: int) -> dict[str, Any]:
    """Solve a race for any number of players, in which scores may fall, and certify the solution."""
    from pigevo.core.progress_bar import ProgressBar

    from .n_players import solve_many

    begin = time.perf_counter()
    with ProgressBar(desc="orbits", disable=None, dynamic_ncols=True, leave=False) as bar:
        solution = solve_many(game, players, progress=bar.update)
    seconds = time.perf_counter() - begin
    return {
        "game": str(game),
        "players": players,
        "value": list(solution.value),
        "orbits": solution.orbits,
        "open_orbits": [asdict(orbit) for orbit in solution.open_orbits],
        "mixed_states": len(solution.codes),
        **picked(solution, "sweeps", "change"),
        "certificate": asdict(solution.certificate) | {"holds": solution.certificate.holds},
        "seconds": seconds,
    }


def describe_many(record: dict[str, Any]) -> str:
    """The record of `many_record` as text."""
    mixing = sum(orbit["mixing"] > 0 for orbit in record["open_orbits"])
    return "\n".join([
        f"{record['game']} for {record['players']} players, solved in {record['seconds']:.2f} s",
        "",
        f"  win probability by seat   {_row(record['value'])}",
        f"  orbits                    {record['orbits']:,}, {len(record['open_orbits'])} with several best turns left, "
        f"{mixing} at which somebody mixes",
        f"  mixed choices             {record['mixed_states'] or 'none'}",
        *([f"  sweeps                    {record['sweeps']}, the last one changed values by {record['change']:.2g}"]
          if record["sweeps"] > 1 else []),
        "",
        *certificate_lines(record["certificate"]),
    ])  # fmt: skip
