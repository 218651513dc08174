"""`pigevo compare A B`: which setting is better, and how sure that is."""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.sweeps.comparison import Contest
    from pigevo.sweeps.statistics import Compared

_EPILOG = """\
A is a sweep's folder.  B is another sweep's, to compare the settings that both have; or a setting of A, as
mutation=0.01, to compare it with all others; two settings compare these two; random_search compares random search
with all.  A alone compares every two of its
settings, or, where there are more than six, each with the best.
"""


@click.command(epilog=_EPILOG)
@click.argument("words", nargs=-1, required=True, metavar="A [B [C]]")
@click.option("--metric", default="champion", show_default=True, help="By champion, peak_mean, last_mean or best_seen.")
@json_option
def command(words: tuple[str, ...], metric: str, as_json: bool) -> None:
    """Say which of two settings is better, paired by seed."""
    from pigevo.errors import InputError
    from pigevo.sweeps.comparison import contest

    if len(words) > 3:
        raise InputError("compare takes a sweep and at most two settings, or two sweeps.")
    made = contest(words, metric)
    record = {
        "metric": made.metric,
        **made.names,
        "quick": made.quick,
        "compared": [{**asdict(c), "better": c.better} for c in made.compared],
    }
    show(record, describe(made), as_json)


def describe(made: Contest) -> str:
    """The contest as lines to read."""
    from pigevo.core.intervals import CONFIDENCE
    from pigevo.sweeps.statistics import POWER, RANGE

    many = len(made.compared) > 1
    lines = [f"{name}  {description}" for name, description in made.names.items()]
    lines.append(f"{made.metric}, paired by seed; {CONFIDENCE:.0%} intervals and p-values by Student's t")
    if many:
        lines += [f"both corrected for {len(made.compared)} comparisons (Benjamini-Yekutieli)"]
    for one in made.compared:
        lines += ["", *_verdict(one, many)]
    if any(one.wanted_seeds != 0 for one in made.compared):
        lines += [
            "",
            f"(seeds for a power of {POWER:.0%}: for the effect as found, and for the ends of its {RANGE:.0%}",
            " interval, if differences are normal; if they are skewed, more may be needed)",
        ]
    if made.quick:
        lines += ["", "Runs of debug=fast are among them: they are for trying, and settle nothing."]
    return "\n".join(lines)


def _verdict(one: Compared, many: bool) -> list[str]:
    from pigevo.sweeps.labels import WHOLE

    verdict = [f"{one.better} is better"] if one.better else [f"open: {_wanted(one)}", *_agreement(one)]
    if one.budgets:
        verdict.append(f"{'but ' if one.better else ''}their budgets differ: {one.budgets}")
    interval = "undetermined" if one.low is None else f"{one.low:+.4f} to {one.high:+.4f}"
    found = f"difference {one.difference:+.4f} ({interval})"
    p = f"p = {one.p:.2g}" + (f", corrected {one.corrected:.2g}" if many else "")
    effect = f"effect {one.effect:+.2f} sd" if one.effect is not None else "no spread"
    return [
        f"{one.a or WHOLE}  against  {one.b or WHOLE}",
        f"  {found}, {effect}, better with {one.wins:.0%} of {one.seeds} seeds, {p}",
        *(
            line
            for sentence in verdict
            for line in textwrap.wrap(sentence, 98, initial_indent="  ", subsequent_indent="    ")
        ),
    ]


def _wanted(one: Compared) -> str:
    """How many seeds would have a good chance to settle it, as a range."""
    from pigevo.sweeps.statistics import MOST_SEEDS, POWER

    if one.effect is None:
        return "these seeds do not tell how many would settle it"
    beyond = f"more than {MOST_SEEDS:,}"
    fewest, about, most = (
        beyond if n is None else f"{n:,}" for n in (one.fewest_wanted, one.wanted_seeds, one.most_wanted)
    )
    if one.wanted_seeds is not None and one.wanted_seeds <= one.seeds:
        return (
            f"{one.seeds} seeds mostly show an effect as large as the one found, but it may be smaller; take twice as "
            f"many (a power of {POWER:.0%} needs anything from {fewest} to {most})"
        )
    return f"a power of {POWER:.0%} needs about {about} seeds in all, or anything from {fewest} to {most}"


def _agreement(one: Compared) -> list[str]:
    """Why it is open although every seed says the same."""
    from pigevo.core.intervals import CONFIDENCE

    if not one.agree or one.seeds < 2:
        return []
    same = f"all {one.seeds} seeds have the same sign"
    if one.p <= 1 - CONFIDENCE:
        return [f"{same}, and p = {one.p:.2g} would settle this comparison alone; among so many it does not"]
    return [f"{same}, which chance alone gives in 1 of {2 ** (one.seeds - 1)} cases"]
