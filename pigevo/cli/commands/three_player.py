"""`pigevo three-player`: a game for three, or for another number of players, solved and certified."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import FILE, game_options, json_option, picked, show
from pigevo.errors import InputError
from pigevo.games import Game, Race
from pigevo.storage.files import refuse_unwritable
from pigevo.three_player.rewards import AFTER_FIRST_WIN, WIN_ONLY, Rewards

if TYPE_CHECKING:
    from pigevo.three_player.equilibria import OpenOrbit
    from pigevo.three_player.solver import ThreeSolution

REFUSED_STATUS = 1
MIXED_STATES_SHOWN = 8
"""The number of mixed states in the text."""


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
@click.option("--save", type=FILE, help="Write the solution to this .npz file.")
@click.option("--certify", type=FILE, help="Do not solve: certify the solution in this file.")
@click.option("--advice", is_flag=True,
              help="Also show hold values at typical scores, and the loss by playing the optimum for two.")  # fmt: skip
@click.option("--rewards", callback=reward_words, metavar="REWARDS", default="1,0,0", show_default=True,
              help="By place, as 2,1,-3; or points_needed or scores, paid by each loser to the winner.")  # fmt: skip
@click.option("--after-first-win", type=click.Choice(AFTER_FIRST_WIN), default="stop", show_default=True,
              help="Whether the scores decide the second place, or the two others play on for it.")  # fmt: skip
@click.option("--coalition", is_flag=True, help="Also compute what two players together can take from the third.")
@json_option
def command(
    game: Game, players: int, certify: Path | None, as_json: bool, rewards: Any, after_first_win: Any, **more: Any
) -> int:
    """Compute an equilibrium of a game for three players, or for --players players, with its certificate."""
    played_for = Rewards(rewards, after_first_win)
    if players != 3 or not isinstance(game, Race):
        if certify is not None or any(more.values()) or played_for != Rewards():
            raise InputError(
                "--save, --certify, --advice, --coalition and rewards are for three players of a race with one die: "
                "leave them out."
            )
        many = solved_many(game, players)
        show(many, describe_many(many), as_json)
        return 0 if many["certificate"]["holds"] else REFUSED_STATUS
    if certify is not None and (more["save"] or more["coalition"] or played_for != Rewards()):
        raise InputError("--certify reads a file and solves nothing: leave --save, --coalition and rewards away.")
    record = certified(certify, more["advice"]) if certify is not None else solved(game, rewards=played_for, **more)
    show(record, describe(record), as_json)
    return 0 if record["certificate"]["holds"] else REFUSED_STATUS


def solved(
    game: Race, save: Path | None = None, coalition: bool = False, advice: bool = False, rewards: Rewards = WIN_ONLY
) -> dict[str, Any]:
    """Solve a game, certify the solution, and save it if a path is given."""
    from pigevo import three_player
    from pigevo.compiled.cache import compile_ahead
    from pigevo.three_player.evaluation import CERTIFICATE

    if save is not None:
        refuse_unwritable(save)
    compile_ahead(CERTIFICATE)
    begin = time.perf_counter()
    with _bar("orbits", game) as bar:
        solution = three_player.solve(game, progress=bar.update, rewards=rewards)
    seconds = time.perf_counter() - begin
    record = _record(solution, advice) | {"seconds": seconds, "saved": None, "coalition": None}
    if save is not None:
        record["saved"] = str(three_player.save(solution, save))
    if coalition:
        with _bar("coalitions", game) as bar:
            record["coalition"] = list(three_player.coalition(game, progress=bar.update, rewards=rewards).value)
    return record


def certified(path: Path, advice: bool = False) -> dict[str, Any]:
    """The record of `solved` for a solution in a file, with a new certificate."""
    from pigevo import three_player

    return _record(three_player.load(path), advice) | {"seconds": None, "saved": str(path), "coalition": None}


def solved_many(game: Game, players: int) -> dict[str, Any]:
    """Solve a race for any number of players, in which scores may fall, and certify the solution."""
    from pigevo import three_player
    from pigevo.core.progress_bar import ProgressBar

    begin = time.perf_counter()
    with ProgressBar(desc="orbits", disable=None, dynamic_ncols=True, leave=False) as bar:
        solution = three_player.solve_many(game, players, progress=bar.update)
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
    """The record of `solved_many` as text."""
    mixing = sum(orbit["mixing"] > 0 for orbit in record["open_orbits"])
    return "\n".join([
        f"{record['game']} for {record['players']} players, solved in {record['seconds']:.2f} s",
        "",
        f"  win probability by seat   {'  '.join(f'{v:.6f}' for v in record['value'])}",
        f"  orbits                    {record['orbits']:,}, {len(record['open_orbits'])} with several best turns left, "
        f"{mixing} at which somebody mixes",
        f"  mixed choices             {record['mixed_states'] or 'none'}",
        *([f"  sweeps                    {record['sweeps']}, the last one changed values by {record['change']:.2g}"]
          if record["sweeps"] > 1 else []),
        "",
        *_certificate(record["certificate"]),
    ])  # fmt: skip


def _bar(what: str, game: Game) -> Any:
    from pigevo.core.progress_bar import ProgressBar
    from pigevo.three_player.rules import count_orbits

    return ProgressBar(desc=what, total=count_orbits(game.target), disable=None, dynamic_ncols=True, leave=False)


def _record(solution: ThreeSolution, advice: bool) -> dict[str, Any]:
    from pigevo.figures.three_advice import advice_data
    from pigevo.three_player.rules import count_orbits

    certificate, places = solution.certificate, None if solution.rewards.win_only else solution.place_chances().tolist()
    return {
        "game": str(solution.game),
        "rewards": asdict(solution.rewards),
        "value": list(solution.value),
        "places": places,
        "orbits": count_orbits(solution.game.target),
        "without_pure": [_orbit(o, solution) for o in solution.without_pure],
        "several": [_orbit(o, solution) for o in solution.several],
        "several_equilibria": len(solution.several_equilibria),
        "mixed": [{"needs": [a, b, c], "total": k, "roll": p} for (a, b, c, k), p in solution.mixed],
        "certificate": asdict(certificate) | {"holds": certificate.holds},
        "advice": asdict(advice_data(solution)) if advice else None,
    }


def _orbit(orbit: OpenOrbit, solution: ThreeSolution) -> dict[str, Any]:
    equilibria = [
        {"mixing": one.mixing, "values": solution.rewards.in_units(one.values, solution.game).tolist()}
        for one in orbit.equilibria
    ]
    return {"needs": list(orbit.needs), "equilibria": equilibria}


def describe(record: dict[str, Any]) -> str:
    """The record of `solved` or `certified` as text."""
    from pigevo.figures.three_advice import describe_advice

    how = f"solved in {record['seconds']:.2f} s" if record["seconds"] is not None else f"read from {record['saved']}"
    first, second, third = record["value"]
    lines = [
        f"{record['game']} for three players, {how}",
        "",
        f"  {_unit(record)} by seat   {first:.6f}  {second:.6f}  {third:.6f}",
        *_places(record),
        f"  orbits                    {record['orbits']:,}, {len(record['without_pure'])} without a pure equilibrium, "
        f"{record['several_equilibria']} with several ({len(record['several'])} of different {_unit(record, True)})",
        *_mixed(record["mixed"]),
        "",
        *_certificate(record["certificate"]),
    ]
    if record["advice"]:
        lines += ["", *(f"  {line}".rstrip() for line in describe_advice(record["advice"]))]
    if record["coalition"]:
        taken = [100 * (v - c) for v, c in zip(record["value"], record["coalition"], strict=True)]
        unit = "percentage points" if _win_only(record) else "hundredths of a point"
        lines += ["", f"  what two who only want the third to lose take from the third, in {unit}, by seat",
                  "                            " + "  ".join(f"{t:.4f}" for t in taken)]  # fmt: skip
    if record["saved"] and record["seconds"] is not None:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _win_only(record: dict[str, Any]) -> bool:
    return Rewards(**record["rewards"]).win_only


def _unit(record: dict[str, Any], many: bool = False) -> str:
    one = "win probability" if _win_only(record) else "expected reward"
    return one if not many else "win probabilities" if _win_only(record) else "rewards"


def _places(record: dict[str, Any]) -> list[str]:
    """The rewards, and the probabilities that each seat comes first, second and third."""
    if record["places"] is None:
        return []
    rows = zip(*record["places"], strict=True)
    return [
        *(f"    comes {place:6}            {first:.6f}  {second:.6f}  {third:.6f}"
          for place, (first, second, third) in zip(("first", "second", "third"), rows, strict=True)),
        f"  rewards                   {Rewards(**record['rewards'])}",
    ]  # fmt: skip


def _mixed(states: list[dict[str, Any]]) -> list[str]:
    if not states:
        return ["  mixed choices             none"]
    lines = [
        f"    {s['needs'][0]:>3d} {s['needs'][1]:>3d} {s['needs'][2]:>3d}   at {s['total']:>3d}   {s['roll']:.6f}"
        for s in states[:MIXED_STATES_SHOWN]
    ]
    if len(states) > MIXED_STATES_SHOWN:
        lines.append(f"    ... and {len(states) - MIXED_STATES_SHOWN} more: --json shows all")
    return ["", "  mixed choices: points needed by mover, next, third; turn total; chance to roll", *lines]


def _certificate(certificate: dict[str, Any]) -> list[str]:
    *needs, last, k = certificate["where"]
    word = "holds" if certificate["holds"] else "FAILS"
    return [
        f"  certificate {word}: by leaving the strategy nobody gains more than {certificate['gain']:.2g} at any state",
        f"    (most with {', '.join(map(str, needs))} and {last} points needed, at turn total {k}); "
        f"values are right to {certificate['error']:.2g}",
    ]
