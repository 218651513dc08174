"""`pigevo cache`: show the location and size of the caches, and empty them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import json_option, purpose, show
from pigevo.core.checked_values import JsonObject

if TYPE_CHECKING:
    from pigevo.storage.cache_dirs import CacheEntry

_EPILOG = """\
Removed kernels and baselines are made again when they are needed. NUMBA_CACHE_DIR chooses another folder for compiled
kernels, XDG_CACHE_HOME (on Linux) for all caches; pigevo uses a folder only if no other user can write to it.
"""


@purpose("Studies and help")
@click.command(epilog=_EPILOG)
@click.option("--clear", is_flag=True, help="Empty the caches; only files made by pigevo are removed.")
@json_option
def command(clear: bool, as_json: bool) -> None:
    """Show where kernels and baselines are cached, and their size."""
    record = caches_record(clear)
    show(record, describe(record), as_json)


def caches_record(clear: bool = False) -> JsonObject:
    """The content of each cache, after emptying it if requested."""
    from pigevo.compiled.cache import kernels_folder
    from pigevo.storage.cache_dirs import builds, own_cache, samples

    caches = [
        _record_of("kernels", "builds", kernels_folder, builds, clear),
        _record_of("baselines", "samples", lambda: own_cache("baselines"), samples, clear),
    ]
    return {"caches": caches, "cleared": clear}


def _record_of(
    name: str, unit: str, find_folder: Callable[[], Path], entries: Callable[[Path], list[CacheEntry]], clear: bool
) -> JsonObject:
    from pigevo.storage.cache_dirs import MOST_BYTES, remove

    record: JsonObject = {"name": name, "unit": unit, "folder": None, "problem": None, "count": 0, "bytes": 0}
    record |= {"most_bytes": MOST_BYTES, "removed_bytes": 0}
    try:
        folder = find_folder()
    except OSError as error:
        return {**record, "problem": str(error.strerror or error)}
    removed = sum(remove(entry) for entry in entries(folder)) if clear else 0
    present = entries(folder)
    return {
        **record,
        "folder": str(folder),
        "count": sum(bool(entry.files) for entry in present),
        "bytes": sum(entry.bytes for entry in present),
        "removed_bytes": removed,
    }


def describe(record: JsonObject) -> str:
    """The record as lines to read."""
    lines = [_line(cache, record["cleared"]) for cache in record["caches"]]
    if not record["cleared"]:
        lines.append("`pigevo cache --clear` empties them; what is needed is made again")
    return "\n".join(lines)


def _line(cache: JsonObject, cleared: bool) -> str:
    if cache["problem"]:
        return f"{cache['name']:9}  not kept: {cache['problem']}"
    size, most = _megabytes(cache["bytes"]), _megabytes(cache["most_bytes"])
    removed = f"; {_megabytes(cache['removed_bytes'])} were removed" if cleared else ""
    return f"{cache['name']:9}  {cache['folder']}: {cache['count']} {cache['unit']}, {size} of at most {most}{removed}"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
