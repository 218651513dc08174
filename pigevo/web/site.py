"""The files of the page: its own, and the tables that the engine makes for it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.storage.files import make_marked, place_in, refuse_strangers, write_bytes
from pigevo.web.films import champions_of, film_files
from pigevo.web.html import POLICY
from pigevo.web.shown import GAME, Film, PageStrategy, shown_strategies

KIND = "page"
"""What the mark of a folder says that pigevo has written the page to."""

STATIC = files("pigevo.web") / "static"
SKIPPED = ("__pycache__", ".")
"""How names begin that are no part of the page: what Python, an editor or a system leaves."""


def page_files(runs: Sequence[Film] = ()) -> dict[str, bytes]:
    """The whole page: the content of each file by its name, with `/` where it lies in a folder.

    Args:
        runs: films of the user's runs; their champions are strategies of the page, if they play its game.
    """
    found = dict(_static(STATIC, ""))
    found["index.html"] = found["index.html"].replace(b"@POLICY@", POLICY.encode())
    return {**found, **_data(runs), **film_files(runs)}


def write_site(folder: str | os.PathLike[str], runs: Sequence[Film] = ()) -> list[Path]:
    """Write the page as static files, which any host can serve.

    Args:
        folder: a new or empty one, or one that the page was written to before; only its own files are replaced.
        runs: films of the user's runs.

    Returns:
        The files.

    Raises:
        InputError: files of others are in the folder, or it cannot be written.
    """
    place, content = Path(folder), page_files(runs)
    refuse_strangers(place, KIND, lambda _: False)
    make_marked(place, KIND)
    places = [place_in(place, name) for name in content]  # refuses links before anything is written
    return [write_bytes(path, data) for path, data in zip(places, content.values(), strict=True)]


def _static(folder: Traversable, within: str) -> Iterator[tuple[str, bytes]]:
    for one in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if one.name.startswith(SKIPPED):
            continue
        if one.is_dir():
            yield from _static(one, f"{within}{one.name}/")
        else:
            yield within + one.name, one.read_bytes()


def _data(runs: Sequence[Film]) -> dict[str, bytes]:
    """The strategies, bit-packed, and the list of them."""
    shown = [*shown_strategies(), *champions_of(runs)]
    index = {"game": {"target": GAME.target, "sides": GAME.sides}, "strategies": [_entry(one) for one in shown]}
    packed = {f"data/{_file(one)}": np.packbits(one.strategy.roll).tobytes() for one in shown}
    return {"data/index.json": json.dumps(index, indent=1).encode(), **packed}


def _entry(one: PageStrategy) -> dict[str, Any]:
    return {
        "id": one.id, "title": one.title, "sentence": one.sentence, "source": one.source, "rule": one.rule,
        "file": _file(one),
    }  # fmt: skip


def _file(one: PageStrategy) -> str:
    return f"{one.id}.bits"
