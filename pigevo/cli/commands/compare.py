"""`pigevo compare A B`: which setting is better, and how sure that is."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.sweeps.contest import Contest
    from pigevo.sweeps.statistics import Compared

_EPILOG = """\
A is a sweep's folder.  B is another sweep's, to compare the settings that both have; or a setting of A, as
mutation=0.01, to compare it with all others; two settings compare these two.  A alone compares every two of its
settings, or, where there are more than six, each with the best.
"""


@click.command(epilog=_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="A [B [C]]")
@click.option("--metric", default="champion", show_default=True, help="By champion, peak_mean, last_mean or best_seen.")
@json_option
def command(words: tuple[str, ...], metric: str, as_json: bool) -> None:
    """Say which of two settings is better, paired by seed."""
    from pigevo.errors import InputError
    from pigevo.sweeps.contest import contest

    if len(words) > 3:
        raise InputError("compare takes a sweep and at most two settings, or two sweeps.")
    made = contest(words, metric)
    record = {
        "metric": made.metric,
        **made.names,
        "compared": [{**asdict(c), "better": c.better} for c in made.compared],
    }
    show(record, describe(made), as_json)


def describe(made: Contest) -> str:
    """The contest as lines to read."""
    from pigevo.sweeps.statistics import CONFIDENCE, POWER

    many = len(made.compared) > 1
    lines = [f"{name}  {told}" for name, told in made.names.items()]
    lines.append(f"{made.metric}, paired by seed; {CONFIDENCE:.0%} bootstrap intervals; p by flipping signs")
    if many:
        lines[-1] += f", corrected for {len(made.compared)} comparisons (Benjamini-Yekutieli)"
    for one in made.compared:
        lines += ["", *_told(one, many)]
    if any(one.more_seeds != 0 for one in made.compared):
        lines += ["", f"(more seeds: for a power of {POWER:.0%}, were the effect as found)"]
    return "\n".join(lines)


def _told(one: Compared, many: bool) -> list[str]:
    verdict = f"{one.better} is better" if one.better else "open"
    if one.more_seeds:
        verdict += f"; about {one.more_seeds:,} more seeds would settle it"
    elif one.more_seeds is None:
        verdict += "; no reasonable number of seeds would settle it"
    interval = f" ({one.low:+.4f} to {one.high:+.4f})" if one.low is not None else ""
    p = f"p = {one.p:.2g}" + (f", corrected {one.corrected:.2g}" if many else "")
    effect = f"effect {one.effect:+.2f} sd" if one.effect is not None else "no spread"
    return [
        f"{one.a}  against  {one.b}",
        f"  difference {one.difference:+.4f}{interval}, {effect}, better with {one.wins:.0%} of {one.seeds} seeds, {p}",
        f"  {verdict}",
    ]
