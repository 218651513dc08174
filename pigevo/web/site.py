"""The files of the page: its own, and the strategies and films that it shows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.exact import optimal
from pigevo.games import Pig
from pigevo.storage.files import make_marked, place_in, refuse_strangers, write_bytes
from pigevo.strategies import Strategy, hold_at, load_strategy, roll_to_win, score
from pigevo.strategies.rules import parse_rule
from pigevo.web.html import POLICY

KIND = "page"
"""What the mark of a folder says that pigevo has written the page to."""

STATIC = files("pigevo.web") / "static"
SKIPPED = ("__pycache__", ".")
"""How names begin that are not part of the page: what Python, an editor or a system leaves."""

GAME = Pig()
CHAMPION = Path(__file__).with_name("champion.npz")
"""What `python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0` hands over."""

RULES = {
    "one": "multiple(25)",
    "two": "multiple(24); race either>=72",
    "three": "22+(j-i)/7; race 2*own+opponent>=178",
    "four": "21+(j-i)/7; race own+2*opponent>=194 or leaves<=13",
}
"""The best rules by how many numbers a person must remember, as the study `rules` has found them."""

PUBLISHED = "21+(j-i)/8; race either>=71"

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


@dataclass(frozen=True)
class PageStrategy:
    """A strategy with its title, how it plays in a sentence, its source, and its rule as typed, if it is one.

    `id` is its name in addresses and files, in small letters, digits and hyphens.
    """

    id: str
    title: str
    sentence: str
    source: str
    strategy: Strategy
    rule: str = ""


@dataclass(frozen=True, eq=False)
class Film:
    """A run as the page shows it: its film, of plain values, and the strategy of its last frame."""

    record: dict[str, Any]
    champion: Strategy


def page_files(runs: Sequence[Film] = ()) -> dict[str, bytes]:
    """The whole page: the content of each file by its name, with `/` where it lies in a folder.

    The champions of the user's runs are strategies of the page, if they play its game.
    """
    found = dict(_static(STATIC, ""))
    found["index.html"] = found["index.html"].replace(b"@POLICY@", POLICY.encode())
    return {**found, **_data(runs), **film_files(runs)}


def write_site(folder: str | os.PathLike[str], runs: Sequence[Film] = ()) -> list[Path]:
    """Write the page as static files, which any host can serve, with films of the user's runs.

    The folder is a new or empty one, or one that the page was written to before; only its own files are replaced.
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


def shown_strategies() -> Iterator[PageStrategy]:
    """All of them; the first three are the opponents that are offered first."""
    yield PageStrategy(
        "optimal", "The optimum", "No strategy beats it: computed exactly, for every score.",
        "Neller & Presser 2004; solved by pigevo", optimal(GAME).strategy,
    )  # fmt: skip
    yield PageStrategy(
        "hold-at-20", "Hold at 20", "Banks as soon as a turn is worth 20, whatever the scores.",
        "Neller & Presser 2004", hold_at(GAME, 20),
    )  # fmt: skip
    yield PageStrategy(
        "champion", "The evolved champion", "Evolved from random strategies by playing only against its own ancestors.",
        "python -m pigevo experiment=coevolve seed=1 fitness.exploring_starts=0", load_strategy(CHAMPION),
    )  # fmt: skip
    for number, text in RULES.items():
        yield _rule(f"rule-{number}", f"The {number}-number rule", text, "pigevo study rules")
    yield _rule("keep-pace", "Keep pace, end race", PUBLISHED, "Neller & Presser 2010")
    yield PageStrategy(
        "score-20", "Score 20", "Rolls while it is not ahead; once ahead it banks at 20.",
        "Exeter 2016, section 3.4.5", score(GAME, 20),
    )  # fmt: skip
    yield PageStrategy(
        "hold-at-25", "Hold at 25", "Banks as soon as a turn is worth 25: the best of its kind against the optimum.",
        "Neller & Presser 2004", hold_at(GAME, 25),
    )  # fmt: skip
    yield PageStrategy(
        "roll-to-win", "Roll to win", "Never banks before it has won: the bravest, and nearly the worst.",
        "Exeter 2017, section 3.3.6", roll_to_win(GAME),
    )  # fmt: skip


def _rule(id: str, title: str, text: str, source: str) -> PageStrategy:
    rule = parse_rule(text)
    return PageStrategy(id, title, rule.sentence, source, rule.strategy(GAME), rule.text)


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
