"""`pigevo explain --own 97 --opponent 99 [A B]`: the equations of a pair of scores; with `--turn`, one decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.errors import InputError
from pigevo.games import Game

if TYPE_CHECKING:
    from pigevo.exact import Choice, Decision, Equations

WIDEST = 12
"""Unknowns up to which the matrix is printed: as many columns as a terminal has room for."""


@click.command(epilog=EPILOG)
@click.argument("strategies", nargs=-1, metavar="[A [B]]")
@click.option("--own", type=int, required=True, help="Banked score of A, who is to move.")
@click.option("--opponent", type=int, required=True, help="Banked score of the opponent.")
@click.option("--turn", type=int, help="Turn total: explain A's one decision there, to roll or to hold.")
@click.option("--left", type=int, help="Turns that A still has, in a game of turns; all by default.")
@click.option("--second", type=int, help="1 if A moves last in a round, in a game of turns.")
@click.option("--last-turn", type=int, help="What the opponent banked last, in games where that counts.")
@click.option("--rolled", type=int, help="How often A has rolled this turn, with --turn, in games where that counts.")
@game_options
@json_option
def command(
    strategies: tuple[str, ...], own: int, opponent: int, turn: int | None, rolled: int | None, game: Game,
    as_json: bool, **places: int | None,
) -> None:  # fmt: skip
    """The equations of one pair of scores and their solution, or one decision.

    Without strategies both players play optimally.
    """
    at: dict[str, Any] = {name: value for name, value in places.items() if value is not None}
    wanted = 2 if turn is None else 1
    strategies = strategies or ("optimal",) * wanted
    if len(strategies) != wanted:
        raise InputError(
            "explain takes two strategies, A B, for the equations of a pair of scores, and one, A, with --turn; "
            "or none, for the optimum."
        )
    if turn is None and rolled is not None:
        raise InputError("--rolled belongs to a decision: give --turn with it.")
    game = game_of_words(strategies, game)
    players = [read_strategy(word, game) for word in strategies]
    from pigevo import explain_scores, explain_turn

    if turn is None:
        equations = explain_scores(players[0], players[1], own, opponent, **at)
        show(equations.as_json, describe_equations(equations), as_json)
    else:
        decision = explain_turn(players[0], own, opponent, turn, rolled, **at)
        show(decision.as_json, describe_decision(decision), as_json)


def describe_equations(found: Equations) -> str:
    """The equations as lines to read."""
    letters = max(map(len, found.meaning))
    lines = [
        f"{found.a} against {found.b} in {found.game}",
        "",
        *(f"  {letter:{letters}}  {meaning}" for letter, meaning in found.meaning.items()),
        "",
        *(f"  {equation}" for equation in found.equations),
    ]
    if found.known:
        lines += ["", "known from the exact engine"]
        lines += [f"  {name} = {value:.6f}" for name, value in found.known.items()]
    lines += ["", "coefficients, unknowns and constants", *_matrix(found)]
    width = max(len(one.name) for one in found.unknowns)
    lines += ["", "solution"]
    lines += [f"  {one.name:{width}} = {x:.6f}" for one, x in zip(found.unknowns, found.values.tolist(), strict=True)]
    return "\n".join(lines)


def _matrix(found: Equations) -> list[str]:
    n, width = len(found.unknowns), max(len(one.name) for one in found.unknowns)
    if n > WIDEST:
        return [
            f"  a matrix of {n} by {n} with {int((found.matrix != 0).sum())} entries other than 0: --json prints it"
        ]
    rows = zip(found.matrix.tolist(), found.unknowns, found.constants.tolist(), strict=True)
    return [
        f"  [{' '.join(f'{x:7.4f}' if x else '      0' for x in row)} ] [{one.name:{width}}]   [{constant:7.4f} ]"
        for row, one, constant in rows
    ]


def describe_decision(found: Decision) -> str:
    """The decision as lines to read."""
    place = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in found.place.items())
    does = f"it {_does(found.rolls)}; the optimum {_does(found.optimum_rolls)}"
    lines = [f"{found.strategy} in {found.game}, at {place}: {does}", ""]
    width = max(len(_pair_name(one)) for one in found.choices)
    lines.append(f"  {'':{width}}  roll      hold      better")
    return "\n".join([*lines, *(f"  {_pair_name(one):{width}}  {_figures(one)}" for one in found.choices)])


def _does(rolls: float) -> str:
    return {0.0: "holds", 1.0: "rolls"}.get(rolls, f"rolls with a chance of {rolls:.4g}")


def _pair_name(one: Choice) -> str:
    return f"{one.playing} against {'itself' if one.playing == one.against else one.against}"


def _figures(one: Choice) -> str:
    if one.hold is None or one.gain is None:
        return f"{one.roll:.6f}  -         roll, as it must"
    by = "" if one.better == "either" else f" by {abs(one.gain):.6f}"
    return f"{one.roll:.6f}  {one.hold:.6f}  {one.better}{by}"
