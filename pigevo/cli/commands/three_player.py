"""`pigevo three-player`: a game for three, solved and certified."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import game_options, json_option, show
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.three_player.equilibria import OpenOrbit
    from pigevo.three_player.solver import ThreeSolution

REFUSED_STATUS = 1
MIXED_STATES_SHOWN = 8
"""How many mixed states the readable form shows."""

NPZ = click.Path(dir_okay=False, path_type=Path)


@click.command(epilog="Exit status: 0 if the certificate holds; 1 if not; 2 for a wrong input.")
@game_options
@click.option("--save", type=NPZ, help="Write the solution to this .npz file.")
@click.option("--certify", type=NPZ, help="Solve nothing: certify the solution in this file anew.")
@click.option("--advice", is_flag=True,
              help="Also: where to hold at typical scores, and what the optimum for two costs instead.")  # fmt: skip
@click.option("--coalition", is_flag=True, help="Also: what two players together can take from the third.")
@json_option
def command(game: Game, save: Path | None, certify: Path | None, advice: bool, coalition: bool, as_json: bool) -> int:
    """An equilibrium of a game for three players, with its certificate."""
    if certify is not None and (save or coalition):
        raise InputError("--certify reads a file and solves nothing: leave --save and --coalition away.")
    if not game.one_die:
        raise InputError(f"three players play races of one die, not {game}.")
    record = certified(certify, advice) if certify is not None else solved(game, save, coalition, advice)
    show(record, describe(record), as_json)
    return 0 if record["certificate"]["holds"] else REFUSED_STATUS


def solved(game: Game, save: Path | None = None, coalition: bool = False, advice: bool = False) -> dict[str, Any]:
    """Solve a game, certify the solution, and save it if a path is given."""
    from pigevo import three_player
    from pigevo.compiled.cache import compile_ahead
    from pigevo.three_player.evaluation import CERTIFICATE

    if save is not None:
        refuse_unwritable(save)
    compile_ahead(CERTIFICATE)
    begin = time.perf_counter()
    with _bar("orbits", game) as bar:
        solution = three_player.solve(game, progress=bar.update)
    seconds = time.perf_counter() - begin
    record = _record(solution, advice) | {"seconds": seconds, "saved": None, "coalition": None}
    if save is not None:
        record["saved"] = str(three_player.save(solution, save))
    if coalition:
        with _bar("coalitions", game) as bar:
            record["coalition"] = list(three_player.coalition(game, progress=bar.update).value)
    return record


def certified(path: Path, advice: bool = False) -> dict[str, Any]:
    """The record of `solved` for a solution in a file, certified anew."""
    from pigevo import three_player

    return _record(three_player.load(path), advice) | {"seconds": None, "saved": str(path), "coalition": None}


def _bar(what: str, game: Game) -> Any:
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.three_player.rules import count_orbits

    return ProgressBar(desc=what, total=count_orbits(game.target), disable=None, dynamic_ncols=True, leave=False)


def _record(solution: ThreeSolution, advice: bool) -> dict[str, Any]:
    from pigevo.figures.three_advice import advice_data
    from pigevo.three_player.rules import count_orbits

    certificate = solution.certificate
    return {
        "game": str(solution.game),
        "value": list(solution.value),
        "orbits": count_orbits(solution.game.target),
        "without_pure": [_orbit(o) for o in solution.without_pure],
        "several": [_orbit(o) for o in solution.several],
        "several_equilibria": len(solution.several_equilibria),
        "mixed": [{"needs": [a, b, c], "total": k, "roll": p} for (a, b, c, k), p in solution.mixed],
        "certificate": {
            "gain": certificate.gain,
            "where": list(certificate.where),
            "error": certificate.error,
            "holds": certificate.holds,
        },
        "advice": asdict(advice_data(solution)) if advice else None,
    }


def _orbit(orbit: OpenOrbit) -> dict[str, Any]:
    found = [{"mixing": one.mixing, "values": one.values.tolist()} for one in orbit.equilibria]
    return {"needs": list(orbit.needs), "equilibria": found}


def describe(record: dict[str, Any]) -> str:
    """The record of `solved` or `certified` as lines to read."""
    from pigevo.figures.three_advice import describe_advice

    how = f"solved in {record['seconds']:.2f} s" if record["seconds"] is not None else f"read from {record['saved']}"
    first, second, third = record["value"]
    lines = [
        f"{record['game']} for three players, {how}",
        "",
        f"  win probability by seat   {first:.6f}  {second:.6f}  {third:.6f}",
        f"  orbits                    {record['orbits']:,}, {len(record['without_pure'])} without a pure equilibrium, "
        f"{record['several_equilibria']} with several ({len(record['several'])} of different win probabilities)",
        *_mixed(record["mixed"]),
        "",
        *_certificate(record["certificate"]),
    ]
    if record["advice"]:
        lines += ["", *(f"  {line}".rstrip() for line in describe_advice(record["advice"]))]
    if record["coalition"]:
        taken = [100 * (v - c) for v, c in zip(record["value"], record["coalition"], strict=True)]
        lines += ["", "  what two who only want the third to lose take from the third, in percentage points, by seat",
                  "                            " + "  ".join(f"{t:.4f}" for t in taken)]  # fmt: skip
    if record["saved"] and record["seconds"] is not None:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _mixed(states: list[dict[str, Any]]) -> list[str]:
    if not states:
        return ["  mixed choices             none"]
    lines = [
        f"    {s['needs'][0]:>3d} {s['needs'][1]:>3d} {s['needs'][2]:>3d}   at {s['total']:>3d}   {s['roll']:.6f}"
        for s in states[:MIXED_STATES_SHOWN]
    ]
    rest = (
        [f"    ... and {len(states) - MIXED_STATES_SHOWN} more: --json shows all"]
        if len(states) > MIXED_STATES_SHOWN
        else []
    )
    return ["", "  mixed choices: points needed by mover, next, third; turn total; chance to roll", *lines, *rest]


def _certificate(certificate: dict[str, Any]) -> list[str]:
    a, b, c, k = certificate["where"]
    word = "holds" if certificate["holds"] else "FAILS"
    return [
        f"  certificate {word}: by leaving the strategy nobody gains more than {certificate['gain']:.2g} at any state",
        f"    (most with {a}, {b} and {c} points needed, at turn total {k}); "
        f"values are right to {certificate['error']:.2g}",
    ]
