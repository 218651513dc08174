"""`pigevo check ops.py:mine`: check a user's operator, stop rule, strategy or game against the laws of its kind."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pigevo.cli.options import json_option, limits_functions, purpose, show
from pigevo.cli.output import NEGATIVE_STATUS, wrapped
from pigevo.errors import InputError, unknown
from pigevo.tournaments import SECONDS

if TYPE_CHECKING:
    from pigevo.settings.operator_checks import Checked

_EPILOG = f"""\
FUNCTION is path/ops.py:name, or package.module:name for what is installed. A crossover takes first, second and context:
two arrays of shape (children, genes), a row for each child; genomes and survivors are (members, genes). Exit status: 0
if it passes all checks, 1 if it breaks one, 2 for a wrong input, or if it takes longer than its limit. Without
--timeout a strategy may take {SECONDS:g} s of processor time, as in a tournament.
"""


@purpose("Sweeps and settings")
@click.command(epilog=_EPILOG)
@click.argument("function")
@click.option("--kind", help="Its kind: population, fitness, selection, crossover, mutator, replacement, stop, "
              "strategy or game; by default the first kind for which its results are valid.")  # fmt: skip
@limits_functions
@json_option
def command(function: str, kind: str | None, as_json: bool) -> int:
    """Check your own operator, stop rule, strategy or game.

    It lists the laws that are broken.
    """
    from pigevo.evolution.operators import KINDS
    from pigevo.evolution.plan import STOP
    from pigevo.settings.operator_checks import A_GAME, STRATEGY, check
    from pigevo.user_code.loading import load

    kinds = (*KINDS, STOP, STRATEGY, A_GAME)
    if kind is not None and kind not in kinds:
        raise unknown("kind", kind, kinds)
    if function.lower().endswith((".csv", ".npz")):
        raise InputError(f"{function} is no function: `pigevo show` reads a table of hold values or a saved strategy.")
    typed = click.get_current_context().get_parameter_source("timeout") is ParameterSource.COMMANDLINE
    checked = check(load(function), kind, None if typed else SECONDS)
    show(asdict(checked), describe(checked, function), as_json)
    return NEGATIVE_STATUS if checked.broken else 0


def describe(checked: Checked, reference: str) -> str:
    """The result of the check as text."""
    from pigevo.core.text import percent
    from pigevo.evolution.plan import kind_in_words
    from pigevo.settings.operator_checks import A_GAME, STRATEGY

    verdict = "fails a check" if checked.broken else "passes all checks"
    lines = [f"{checked.name} ({checked.place}) {verdict} of a {kind_in_words(checked.kind)}"]
    for law in checked.tried:
        lines.append(f"  {'broken' if law in checked.broken else 'kept  '}  {law}")
        if law in checked.broken:
            lines += wrapped(checked.broken[law], " " * 10)
    if checked.others:
        lines.append(f"it could also be a {' or a '.join(checked.others)}: say so with --kind")
    if checked.all_pairs_meet:
        lines.append("everyone meets everyone, in 190 matches of 20 members; with a parameter `opponents: int = 1` "
                     "each meets one, in 10")  # fmt: skip
    if checked.copies:
        lines.append("every child is a copy of one of its parents: first and second have the shape (children, genes), "
                     "so genes are cut along axis 1, as in first[:, :half]")  # fmt: skip
    if effect := checked.effect:
        lines += wrapped(
            f"on {effect.members} x {effect.genes} genes at a rate of {effect.rate} it changes "
            f"{percent(effect.of_genes)} of the genes, in {percent(effect.of_members, 0)} of the members"
        )
    if not checked.broken:
        how = {
            STRATEGY: "as a strategy wherever one is named",
            A_GAME: f"with --game {reference} in commands, and game={reference} in runs",
        }.get(checked.kind, f"with {checked.kind}={reference}")
        lines.append(f"use it {how}")
    return "\n".join(lines)
