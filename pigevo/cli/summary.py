"""A finished run in words: a plain sentence, the figures, and what to try next."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pigevo.cli.output import text_width
from pigevo.core.checked_values import JsonObject
from pigevo.core.intervals import TELLING, Placement
from pigevo.core.text import for_shell, lines_of, with_interval
from pigevo.runs.result import sentences, with_cubes
from pigevo.settings.schema import GROUPS, conf_folder
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path

NOTABLE_LOSS = 0.02  # the loss of a population since its best that is worth mentioning
SMALLEST_CHANCE = 1e-6  # smaller chances are printed as below this
FAR_FROM_OPTIMAL = 0.02  # a champion with a larger loss against the optimum is still far from it


def summary(record: JsonObject, settings: Settings, folder: Path, options: Sequence[str] = ()) -> str:
    """The result of a run as text."""
    champion, base = record["champion"], record["baseline"]
    games = f", {record['games']:,} simulated games" if record["games"] else ""
    lines = [
        *lines_of(" ".join(sentences(record)), text_width()),
        "",
        *_labelled(
            "champion",
            f"wins {champion['overall']:.4f} against the optimal strategy, exactly: "
            f"{champion['first']:.4f} moving first, {champion['second']:.4f} second",
        ),
        *_labelled(
            "population",
            f"{record['peak_mean']:.4f} on average in generation {record['peak_generation']:,}, "
            f"its best; {record['last_mean']:.4f} in generation {record['generations']:,}, the last",
        ),
        *_measured(record.get("measured")),
        *_elites(record.get("elites")),
        *(_random_search(base) if base else ()),
        *_labelled(
            "run",
            f"{_generations(record)} generations, {record['evaluations']:,} strategies{games}, "
            f"{record['seconds']:.1f} s",
        ),
        *_phases(record),
        f"folder         {display_path(folder)}",
        "",
        "try next",
    ]
    for command, about in itertools.islice(advice(record, settings, display_path(folder), options), 2):
        lines += [f"  {command}", f"      {about}"]
    return "\n".join(lines)


def _generations(record: JsonObject) -> str:
    """The number of generations, and the planned number if a stop rule or a user's function has ended the run."""
    planned = record.get("planned", record["generations"])
    return f"{record['generations']:,}" + (f" of {planned:,}" if planned > record["generations"] else "")


def _phases(record: JsonObject) -> list[str]:
    """The time that the parts of a run took; empty for older records."""
    phases, whole = record.get("phases", {}), record["seconds"]
    if not any(phases.values()) or not whole:
        return []
    shares = {name.replace("_", " "): f"{100 * taken / whole:.0f} %" for name, taken in phases.items()}
    return _labelled("time", ", ".join(f"{name} {share}" for name, share in shares.items() if share != "0 %"))


def _measured(measured: JsonObject | None) -> list[str]:
    """The champion's score in the run's own games, and its luck; empty for older records."""
    if not measured:
        return []
    sentence = (
        f"in the run the champion's fitness was {measured['measured']:.4f}, from {measured['measured_games']:,} games"
    )
    if "measured_low" in measured:
        interval = f"{measured['measured_low']:.4f} to {measured['measured_high']:.4f}"
        sentence += f" (95 % interval {interval}, had the games not chosen it)"
    if "luck" in measured:
        sentence += f"; {measured['luck']:+.4f} of it is luck"
    return _labelled("measured", sentence)


def _elites(elites: JsonObject | None) -> list[str]:
    """The coverage of a run's map, if it has one."""
    if not elites:
        return []
    share = f"an elite in {elites['filled']:,} of {elites['cells']:,} cells (coverage {elites['coverage']:.3f})"
    return _labelled("map", f"{share}, QD score {elites['qd_score']:.2f}")


def _random_search(base: JsonObject) -> list[str]:
    """Rows about random search, about how many random strategies and populations are as good, and about their means."""
    searches = base["random_search"]
    several = len(searches) > 1
    rows = [
        f"{search['strategies']:,}{with_cubes(search['cubes']) if several else ' strategies'}: "
        f"{search['by_matches']:.4f} chosen by the same matches"
        for search in searches
    ]
    lines = []
    for size, placement in base["champion_among_members"].items():
        lines.append(
            f"as good as the champion{with_cubes(size) if several else ''}: "
            f"{Placement.read(placement)}; the best wins {placement['largest']:.4f}"
        )
    lines.append(f"populations as good on average as this one at its best: {_populations(base['peak_among_means'])}")
    own, cells = (with_interval(base[f"{name}_mean"], *base[f"{name}_interval"]) for name in ("own", "cells"))
    lines.append(f"mean of {base['populations']:,} random populations: {own}; with single cells {cells}")
    return [*_labelled("random search", *rows), *_labelled("at random", *lines)]


def _labelled(label: str, *rows: str) -> list[str]:
    """Rows beside a label on their first line."""
    lines = [line for row in rows for line in lines_of(row, text_width() - 15, "  ")]
    return [f"{label if number == 0 else '':15}{line}" for number, line in enumerate(lines)]


def _populations(record: JsonObject) -> str:
    """How many random populations reach the run's peak; if none, also a bound for the best of as many as recorded."""
    placement, bound = Placement.read(record), record.get("best_of_recorded_bound", 1.0)
    if placement.reached:
        return str(placement)
    if bound > TELLING:
        return f"none of {placement.sample:,}"
    best = f"even the best of {record['recorded']:,}, as many as the run recorded, would get there"
    rare = f"a probability below 1 in {int(1 / max(bound, SMALLEST_CHANCE)):,} (95 %)"
    return f"none of {placement.sample:,}; {best} with {rare}"


def advice(
    record: JsonObject, settings: Settings, folder: Path, options: Sequence[str] = ()
) -> Iterator[tuple[str, str]]:
    """Commands that are useful after this result, the most useful first, each with its effect."""
    composable = (
        options or not settings.experiment or (conf_folder() / f"experiment/{settings.experiment}.yaml").exists()
    )
    chosen = {group: choice.name for group, choice in settings.choices.items()}
    lost = record["peak_mean"] - record["last_mean"] > NOTABLE_LOSS
    if composable and lost and chosen["replacement"] == "offspring":
        again = command_of(settings, "replacement=survivors_and_offspring", *options)
        yield again, "parents stay, so that nothing good is lost"
    if composable and chosen["fitness"] == "games":
        yield command_of(settings, "fitness=exact", *options), "the same without the luck of the dice"
    if record.get("elites"):
        yield f"pigevo report {for_shell(folder)}", "its map of elites, each cell of which can be clicked"
    lacks = record.get("optimum_overall", 0.5) - record["champion"]["overall"]
    if lacks > FAR_FROM_OPTIMAL and settings.experiment != "rediscover":
        yield "python -m pigevo experiment=rediscover", "how evolution finds the optimum"
    yield f"pigevo duel {for_shell(folder)} optimal", "the champion against the optimum, seat by seat"
    if composable:
        yield command_of(settings, "seed=range(10)", "-m", *options), "is it luck? ten seeds"


def command_of(settings: Settings, change: str = "", *options: str) -> str:
    """The command of a run, optionally with one setting changed."""
    key = change.partition("=")[0]
    experiment = [f"experiment={settings.experiment}"] if settings.experiment else []
    unchanged = {
        name: value for name, value in settings.differences.items()
        if name != key and not (key in GROUPS and name.startswith(f"{key}."))
    }  # fmt: skip
    for group in {name for name in unchanged if f"{name}.function" in unchanged}:
        unchanged[group] = unchanged.pop(f"{group}.function")  # a function is chosen by its reference, as typed
    words = [f"{name}={_typed(value)}" for name, value in unchanged.items()]
    return " ".join(
        ["python -m pigevo", *map(for_shell, [*options, *experiment, *words, *([change] if change else [])])]
    )


def _typed(value: object) -> str:
    """A value in Hydra's grammar; words with special characters are quoted."""
    if isinstance(value, str) and re.fullmatch(r"[\w./:+-]+", value):
        return value
    from pigevo.settings.compose import in_grammar  # which imports Hydra, and is rarely needed

    return in_grammar(value)
