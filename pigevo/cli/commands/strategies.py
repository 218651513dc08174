"""`pigevo strategies`: all named strategies of a game with their win probabilities."""

from __future__ import annotations

import importlib
from dataclasses import asdict
from typing import Any

import click

from pigevo.cli.choice_descriptions import sentences, settings_of
from pigevo.cli.options import game_options, json_option, picked, show
from pigevo.cli.output import wrapped
from pigevo.core.registry import Entry
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import STRATEGIES

_EPILOG = """\
A strategy is written NAME or NAME:number,number, with its numbers in the order shown; what stands there are the usual
ones. `pigevo show NAME` shows what it does. Three words make strategies of others: noisy:0.05,A decides otherwise than
A with a chance of 0.05 at each decision, mix:0.5,A,B draws at each decision whether A or B decides, mirror:A exchanges
the scores.
"""


@click.command(epilog=_EPILOG)
@game_options
@json_option
def command(game: Game, as_json: bool) -> None:
    """List all named strategies with their parameters, sources, and win probabilities against the optimum."""
    record = listed(game)
    show(record, describe(record), as_json)


def listed(game: Game) -> dict[str, Any]:
    """The named strategies of a game, the best first, with win probabilities, and reasons why others are missing."""
    importlib.import_module("pigevo.exact")  # registers `optimal`
    strategies, others = [], []
    for name, entry in STRATEGIES.items():
        try:
            strategies.append(_one(entry, game))
        except InputError as error:
            others.append({"name": name, "about": sentences(entry), "why": str(error)})
    strategies.sort(key=lambda one: (-one["overall"], one["name"] != "optimal"))
    return {"game": str(game), "strategies": strategies, "others": others}


def _one(entry: Entry, game: Game) -> dict[str, Any]:
    from pigevo import optimal, win_probability

    strategy = entry.function(game, **entry.completed({}))
    met = win_probability(strategy, optimal(game).strategy)
    return {
        "name": entry.name,
        "word": strategy.name,
        "about": sentences(entry),
        "source": entry.source,
        "numbers": [asdict(setting) for setting in settings_of(entry)],
        **picked(met, "first", "second", "overall"),
    }


def describe(record: dict[str, Any]) -> str:
    """The strategies as text."""
    written = [_written(one) for one in record["strategies"]]
    width = max(map(len, written))
    lines = [f"strategies of {record['game']}, and what they win against the optimum, exactly"]
    lines += ["Sources, and the usual numbers of a strategy, are about Pig to 100 with six sides.", ""]
    lines.append(f"{'':{width}}   overall    moving first   second")
    for word, one in zip(written, record["strategies"], strict=True):
        lines.append(f"{word:{width}}   {one['overall']:.6f}   {one['first']:.6f}       {one['second']:.6f}")
        source = f" ({one['source']})" if one["source"] else ""
        lines += wrapped(f"{one['about']}{source}", "    ")
    for one in record["others"]:
        lines += ["", f"not here: {one['why']}"]
        lines += wrapped(one["about"], "    ")
    return "\n".join(lines)


def _written(one: dict[str, Any]) -> str:
    """The word with the names of its numbers: `hold_at:20 (n)`."""
    numbers = ", ".join(setting["name"] for setting in one["numbers"])
    name, colon, _ = one["word"].partition(":")
    usual = ",".join(str(setting["default"]) for setting in one["numbers"])
    return f"{name}{':' if usual else colon}{usual} ({numbers})" if numbers else one["word"]
