"""A finished run in words: the plain sentence first, the figures, and what to try next."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pigevo.config.schema import GROUPS
from pigevo.evolution.placement import Placement
from pigevo.places import shown
from pigevo.settings import Settings

SMALLEST_LOSS = 0.0005
"""A loss that shows when it is told in points with one decimal."""

NOTABLE_LOSS = 0.02
"""A population that has lost more than this since its best has lost something that counts."""

COMMON_SHARE = 0.01
"""Where at least this share of random strategies is as good as the champion, random search finds one too."""

FAR_FROM_OPTIMAL = 0.48
"""A champion below this is still far from the optimum."""

WIDTH = 100


def summary(record: Mapping[str, Any], settings: Settings, folder: Path) -> str:
    """What a run found, as lines to read.

    Args:
        record: the content of `result.json`.
        settings: the run's.
        folder: where it lies.
    """
    champion, base = record["champion"], record["baseline"]
    games = f", {record['games']:,} simulated games" if record["games"] else ""
    lines = [
        textwrap.fill(f"{_sentence(record)} {_population(record)}", WIDTH),
        "",
        f"champion       wins {champion['overall']:.4f} against the optimal strategy, exactly: "
        f"{champion['first']:.4f} moving first, {champion['second']:.4f} second",
        f"population     {record['peak_mean']:.4f} on average in generation {record['peak_generation']}, its best; "
        f"{record['last_mean']:.4f} in generation {record['generations']}, the last",
        *(_random_search(base) if base else ()),
        f"run            {record['generations']:,} generations, {record['evaluations']:,} strategies{games}, "
        f"{record['seconds']:.1f} s",
        f"folder         {shown(folder)}",
        "",
        "try next",
        *_commands(advice(record, settings, shown(folder))),
    ]
    return "\n".join(lines)


def _sentence(record: Mapping[str, Any]) -> str:
    won = f"The champion wins {_percent(record['champion']['overall'])} against the optimal strategy"
    if not record["baseline"]:
        return f"{won}; 50 % is the best there is."
    best = Placement(**record["baseline"]["champion_among_members"])
    if best.chance >= COMMON_SHARE:
        search = f"random search does as well: {best.reached:,} of {best.sample:,} random strategies are as good"
    elif best.reached:
        search = f"of {best.sample:,} random strategies only {best.reached} are as good"
    else:
        search = f"none of {best.sample:,} random strategies is as good"
    return f"{won}; 50 % is the best there is, and {search}."


def _population(record: Mapping[str, Any]) -> str:
    lost = record["peak_mean"] - record["last_mean"]
    when = f"in generation {record['peak_generation']} of {record['generations']}"
    if lost < SMALLEST_LOSS:
        return f"The population was best {when}, and has kept what it found."
    won = _percent(record["peak_mean"])
    return f"The population was best {when}, when it won {won} on average; it has lost {100 * lost:.1f} points since."


def _random_search(base: Mapping[str, Any]) -> list[str]:
    peak, best = (Placement(**base[key]) for key in ("peak_among_means", "champion_among_members"))
    return [
        f"random search  strategies as good as the champion: {best}",
        f"               populations as good on average as this one at its best: {peak}",
        f"               their averages: {base['own_mean']:.4f}, and {base['cells_mean']:.4f} with single cells",
    ]


def advice(record: Mapping[str, Any], settings: Settings, folder: Path) -> Iterator[tuple[str, str]]:
    """Commands that fit what happened, the most useful first, each with what it does.

    Args:
        record: the content of `result.json`.
        settings: the run's.
        folder: where it lies, as one would type it.
    """
    chosen = {group: choice.name for group, choice in settings.choices.items()}
    lost = record["peak_mean"] - record["last_mean"] > NOTABLE_LOSS
    if lost and chosen["replacement"] == "offspring":
        yield _again(settings, "replacement=survivors_and_offspring"), "parents stay, so that nothing good is lost"
    if chosen["fitness"] == "games":
        yield _again(settings, "fitness=exact"), "the same without the luck of the dice"
    if record["champion"]["overall"] < FAR_FROM_OPTIMAL and settings.experiment != "rediscover":
        yield "python -m pigevo experiment=rediscover", "how evolution finds the optimum"
    yield f"pigevo duel {shlex.quote(str(folder))} optimal", "the champion against the optimum, seat by seat"
    yield _again(settings, "seed=range(10)", "-m"), "is it luck? ten seeds"


def _commands(found: Iterator[tuple[str, str]]) -> list[str]:
    return [line for command, about in itertools.islice(found, 2) for line in (f"  {command}", f"      {about}")]


def _again(settings: Settings, change: str, *options: str) -> str:
    """The command of a run with one setting changed."""
    key = change.partition("=")[0]
    experiment = [f"experiment={settings.experiment}"] if settings.experiment else []
    kept = {
        name: value for name, value in settings.differences.items()
        if name != key and not (key in GROUPS and name.startswith(f"{key}."))
    }  # fmt: skip
    words = [f"{name}={_typed(value)}" for name, value in kept.items()]
    return " ".join(["python -m pigevo", *options, *map(shlex.quote, [*experiment, *words, change])])


def _typed(value: Any) -> str:
    """A value as Hydra reads it; a word with anything special in it is quoted."""
    plain = isinstance(value, str) and re.fullmatch(r"[\w./:+-]+", value)
    return value if plain else json.dumps(value, ensure_ascii=False)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
