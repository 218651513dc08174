"""`pigevo three-player`: a game for three, solved and certified."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import FILE, NewFile, game_options, game_was_typed, json_option, purpose, show
from pigevo.cli.output import NEGATIVE_STATUS, terminal_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.games import Game, Race
from pigevo.storage.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.three_player.equilibria import OpenOrbit
    from pigevo.three_player.solver import ThreeSolution

MIXED_STATES_SHOWN = 8
SEVERAL_SHOWN = 8  # the number of orbits with several equilibria in the text
STUDY = "pigevo bonnet2018"  # the command of the study, for more players, other games, other rewards, and coalitions


def _moved(_context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise InputError(f"{option.opts[0]} is an option of the study's command: write `{STUDY} {option.opts[0]} ...`.")


def options_of_the_study(function: Callable[..., int]) -> Callable[..., int]:
    """Hidden options that have moved to the study's command; giving one raises an error that names it."""
    for option in ("--players", "--rewards", "--after-first-win", "--coalition"):
        function = click.option(option, is_flag=False, flag_value="", hidden=True, expose_value=False, callback=_moved)(
            function
        )
    return function


@purpose("Solve the game")
@click.command(
    epilog=f"""\
Exit status: 0 if the certificate holds; 1 if not; 2 for a wrong input.
More players, games in which scores can fall, other rewards than a win, and coalitions: `{STUDY} --help`."""
)
@game_options
@click.option("--save", type=NewFile("solution.npz"), help="Write the solution to this .npz file.")
@click.option("--certify", type=FILE, help="Do not solve: certify the solution in this file.")
@click.option("--advice", is_flag=True,
              help="Also show hold values at typical scores, and the loss by playing the optimum for two.")  # fmt: skip
@options_of_the_study
@json_option
def command(game: Game, save: Path | None, certify: Path | None, advice: bool, as_json: bool) -> int:
    """Compute an equilibrium for three players, with a certificate."""
    if not isinstance(game, Race):
        raise InputError(f"{game} is no race with one die: for other races there is `{STUDY} --help`.")
    if certify is not None and save is not None:
        raise InputError("--certify reads a file and solves nothing: leave --save out.")
    if certify is not None:
        record = certified(certify, advice, game if game_was_typed() else None)
    else:
        record = solved(game, save, advice)
    show(record, describe(record), as_json)
    return 0 if record["certificate"]["holds"] else NEGATIVE_STATUS


def solved(game: Race, save: Path | None, advice: bool) -> JsonObject:
    """Solve a game, certify the solution, and save it if a path is given."""
    from pigevo import three_player
    from pigevo.compiled.cache import compile_ahead
    from pigevo.three_player.evaluation import CERTIFICATE

    if save is not None:
        refuse_unwritable(save)
    compile_ahead(CERTIFICATE)
    begin = time.perf_counter()
    with orbit_bar("orbits", game) as bar:
        solution = three_player.solve(game, progress=bar.update)
    seconds = time.perf_counter() - begin
    record = _record(solution, advice) | {"seconds": seconds, "saved": None}
    if save is not None:
        record["saved"] = str(three_player.save(solution, save))
    return record


def certified(path: Path, advice: bool, game: Game | None = None) -> JsonObject:
    """The record of `solved` for a solution in a file, certified anew; it must be of `game`, if one is given."""
    from pigevo import three_player

    solution = three_player.load(path)
    if game is not None and solution.game.rules != game.rules:
        raise InputError(f"{path} solves {solution.game}, not {game}: give the game's own settings, or none.")
    return _record(solution, advice) | {"seconds": None, "saved": str(path)}


def orbit_bar(what: str, game: Game) -> ProgressBar:
    """A progress bar over all orbits of a game."""
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.three_player.rules import count_orbits

    total = count_orbits(game.target)
    return ProgressBar(desc=what, total=total, disable=None, dynamic_ncols=True, leave=False)


def _record(solution: ThreeSolution, advice: bool) -> JsonObject:
    from pigevo.figures.three_advice import advice_data

    certificate = solution.certificate
    return {
        "game": str(solution.game),
        "value": list(solution.value),
        **orbits_record(solution),
        "certificate": asdict(certificate) | {"holds": certificate.holds},
        "advice": asdict(advice_data(solution)) if advice else None,
    }


def orbits_record(solution: ThreeSolution) -> JsonObject:
    """The orbits without a pure equilibrium and with several, and the mixed choices."""
    from pigevo.three_player.rules import count_orbits

    return {
        "orbits": count_orbits(solution.game.target),
        "without_pure": [_orbit(orbit) for orbit in solution.without_pure],
        "several": [_orbit(orbit) for orbit in solution.several],
        "several_equilibria": len(solution.several_equilibria),
        "mixed": [{"needs": [a, b, c], "total": k, "roll": p} for (a, b, c, k), p in solution.mixed],
    }


def _orbit(orbit: OpenOrbit) -> JsonObject:
    equilibria = [
        {"mixing": equilibrium.mixing, "values": equilibrium.values.tolist()} for equilibrium in orbit.equilibria
    ]
    return {"needs": list(orbit.needs), "equilibria": equilibria}


def describe(record: JsonObject) -> str:
    """The record of `solved` or `certified` as text."""
    from pigevo.figures.three_advice import describe_advice

    how = f"solved in {record['seconds']:.2f} s" if record["seconds"] is not None else f"read from {record['saved']}"
    lines = [
        f"{record['game']} for three players, {how}",
        "",
        f"  win probability by seat   {'  '.join(f'{value:.6f}' for value in record['value'])}",
        *orbits_lines(record, "win probabilities"),
        "",
        *certificate_lines(record["certificate"]),
    ]
    if record["advice"]:
        lines += ["", *describe_advice(record["advice"], terminal_width())]
    if record["saved"] and record["seconds"] is not None:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def orbits_lines(record: JsonObject, values: str) -> list[str]:
    """An `orbits_record` as lines of text; `values` is the word for what players expect, such as win probabilities."""
    orbits = wrapped(
        f"{record['orbits']:,}, {len(record['without_pure'])} without a pure equilibrium, "
        f"{record['several_equilibria']} with several ({len(record['several'])} of different {values})",
        "  orbits                    ",
        " " * 28,
    )
    states, payoffs = record["mixed"], payoff_lines(record["several"], values)
    if not states:
        return [*orbits, "  mixed choices             none", *payoffs]
    lines = [
        f"    {s['needs'][0]:>3d} {s['needs'][1]:>3d} {s['needs'][2]:>3d}   at {s['total']:>3d}   {s['roll']:.6f}"
        for s in states[:MIXED_STATES_SHOWN]
    ]
    if len(states) > MIXED_STATES_SHOWN:
        lines.append(f"    ... and {len(states) - MIXED_STATES_SHOWN} more: --json shows all")
    return [
        *orbits,
        *payoffs,
        "",
        "  mixed choices: points needed by mover, next, third; turn total; chance to roll",
        *lines,
    ]


def payoff_lines(several: list[JsonObject], values: str) -> list[str]:
    """The players' values in each equilibrium of the orbits that have several; the first equilibrium is played."""
    if not several:
        return []
    lines = [
        "",
        f"  several equilibria: points needed by mover, next, third; their {values} in each, the first is played",
    ]
    for orbit in several[:SEVERAL_SHOWN]:
        needs = " ".join(f"{need:>3d}" for need in orbit["needs"])
        for number, equilibrium in enumerate(orbit["equilibria"]):
            expected = "  ".join(f"{value:.6f}" for value in equilibrium["values"][0][:3])
            lines.append(f"    {needs if number == 0 else '':11}   {expected}")
    if len(several) > SEVERAL_SHOWN:
        lines.append(f"    ... and {len(several) - SEVERAL_SHOWN} more orbits: --json shows all")
    return lines


def certificate_lines(certificate: JsonObject) -> list[str]:
    """A certificate, given as plain values, as lines of text."""
    *needs, last, k = certificate["where"]
    word = "holds" if certificate["holds"] else "FAILS"
    return wrapped(
        f"certificate {word}: by leaving the strategy nobody gains more than {certificate['gain']:.2g} at any state "
        f"(most with {', '.join(map(str, needs))} and {last} points needed, at turn total {k}); "
        f"values are right to {certificate['error']:.2g}",
        "  ",
        "    ",
    )
