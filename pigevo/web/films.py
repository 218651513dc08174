"""The films that the page comes with, and those of a user's own runs.

`python -m pigevo.web.films` makes the page's own again, from the runs up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pigevo.storage.files import write_bytes
from pigevo.web.shown import GAME, Film, PageStrategy

EXAMPLES = files("pigevo.web") / "example_films"

MADE_BY: dict[str, tuple[str, tuple[str, ...]]] = {
    "cube_random": (
        "By games of luck, with cuboids of 20, 10 and 5 (Exeter 2016)",
        ("experiment=cube_random", "mutation=0.005"),
    ),
    "rediscover": (
        "By the exact referee, up to 49.99 % against the optimum",
        ("experiment=rediscover", "record_every=10"),
    ),
}
"""The title of each of the page's own films, and the words of the run that it shows."""


def film_files(own: Sequence[Film] = ()) -> dict[str, bytes]:
    """The files of the Watch part: the films, the user's first, and the list of them."""
    found = {f"run-{n}.json": as_text(film.record).encode() for n, film in enumerate(own, start=1)}
    found |= {f"{name}.json": (EXAMPLES / f"{name}.json").read_bytes() for name in MADE_BY}
    titles = [{"file": name, "title": json.loads(content)["title"]} for name, content in found.items()]
    listed = {"index.json": json.dumps(titles, indent=1).encode()}
    return {f"data/films/{name}": content for name, content in (listed | found).items()}


def champions_of(own: Sequence[Film]) -> Iterator[PageStrategy]:
    """The champions of the user's runs that play the page's game, as strategies of the page."""
    for n, film in enumerate(own, start=1):
        if film.champion.game == GAME:
            last = film.record["frames"][-1]
            yield PageStrategy(
                f"run-{n}", "Your champion" + (f" {n}" if len(own) > 1 else ""),
                f"Evolved by {film.record['title']}; it wins {100 * last['overall']:.2f} % against the optimum.",
                f"generation {last['generation']} of {film.record['title']}", film.champion,
            )  # fmt: skip


def as_text(record: dict[str, Any]) -> str:
    """A film as the file that the page reads."""
    return json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n"


def example_film(name: str) -> dict[str, Any]:
    """Make one of the page's own films: its run in a folder that is thrown away, then the film."""
    from pigevo.runs import run
    from pigevo.settings.settings import Settings
    from pigevo.web.evolution_data import film_of  # who only opens the page waits for none of them

    title, words = MADE_BY[name]
    with TemporaryDirectory() as folder:
        place = Path(folder) / name
        run(Settings.of(*words), place, words)
        return film_of(place, title, f"python -m pigevo {' '.join(words)}").record


def write_examples(folder: Path) -> None:
    """Write the page's own films to a folder, one file each."""
    for name in MADE_BY:
        write_bytes(folder / f"{name}.json", as_text(example_film(name)).encode())


if __name__ == "__main__":
    write_examples(Path(str(EXAMPLES)))
