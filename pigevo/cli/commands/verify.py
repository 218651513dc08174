"""`pigevo verify RUN`: whether a run's files are what it wrote, and whether it can be made again to the bit."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, show

if TYPE_CHECKING:
    from pigevo.runs.verify import Verified

DIFFERENT_STATUS = 1

HASHES = "its files have the hashes with which they were written"


@click.command(epilog="Exit status: 0 if all is the same, 1 if something differs, 2 for a wrong input.")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--generations", type=click.IntRange(0), default=10, show_default=True, help="How far to go.")
@json_option
def command(run: Path, generations: int, as_json: bool) -> int:
    """Compare a run's files with their hashes, and its first generations with these made again."""
    from pigevo.core.threads import available_cores
    from pigevo.runs.verify import verify

    found = verify(run, generations, available_cores())
    show({**asdict(found), "same": found.same}, describe(found), as_json)
    return 0 if found.same else DIFFERENT_STATUS


def describe(found: Verified) -> str:
    """The comparison as lines to read."""
    numbers = ", ".join(map(str, found.compared[:8])) + (", ..." if len(found.compared) > 8 else "")
    lines = [f"{found.folder}: recorded generations made again: {numbers or 'none'}"]
    if found.same:
        end = "; and so are the digest of the whole run, its champion and its result" if found.whole else ""
        lines.append(f"same to the bit, their figures included{end}")
        lines += [HASHES] if found.hashes else []
    else:
        lines += [f"different: {difference}" for difference in found.differences]
    if found.changed:
        lines += [f"changed since the run began: {change}" for change in found.changed]
    elif not found.same:
        lines.append("no version has changed since the run began: the record was altered, or a machine erred")
    if found.same and found.next_recorded is not None:
        lines.append(f"the next recorded generation is {found.next_recorded}: --generations {found.next_recorded}")
    return "\n".join(lines)
