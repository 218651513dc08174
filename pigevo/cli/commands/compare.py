"""`pigevo compare A B`: which setting is better, and how sure that is."""

from __future__ import annotations

from dataclasses import asdict

import click

from pigevo.cli.options import json_option, show

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
    from pigevo.sweeps.comparison import compare

    made = compare(*words, metric=metric)
    record = {
        "metric": made.metric,
        **made.names,
        "quick": made.quick,
        "compared": [{**asdict(c), "better": c.better} for c in made.compared],
    }
    show(record, str(made), as_json)
