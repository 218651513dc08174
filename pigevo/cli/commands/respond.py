"""`pigevo respond B`: the strategy that does best against B, and how it plays."""

from __future__ import annotations

import textwrap
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import EPILOG, game_of_words, game_options, json_option, read_strategy, show
from pigevo.cli.output import text_width
from pigevo.core.text import percent
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable

if TYPE_CHECKING:
    from pigevo.strategies import Strategy


ENOUGH = 0.5
"""The share of what a best response wins beyond a half from which on a rule says in short how it plays."""


@click.command(epilog=EPILOG)
@click.argument("opponent")
@game_options
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Also the best response to the best response, and so on; ends early at one that is its own best response.",
)
@click.option(
    "--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the last best response to this .npz file."
)
@json_option
def command(opponent: str, game: Game, rounds: int, save: Path | None, as_json: bool) -> None:
    """The best response to a strategy, what it wins, and in words how it plays."""
    record = respond(opponent, game_of_words([opponent], game), rounds, save)
    show(record, describe(record), as_json)


def respond(opponent: str, game: Game, rounds: int = 1, save: Path | None = None) -> dict[str, Any]:
    """Answer a strategy, and save the last answer if a path is given.

    Returns:
        `rounds`: for each its win probability against the round before (`first`, `second`,
        `overall`) and against the optimum (`against_optimal`); `fixed`, whether the last
        answer is the strategy that it answers; `plays`, what `how_it_plays` tells of it; `seconds` and `saved`.
    """
    answered = read_strategy(opponent, game)
    if save is not None:
        refuse_unwritable(save)
    from pigevo import iterated_best_response, optimal, win_probability

    begin = time.perf_counter()
    best = optimal(game).strategy
    found: list[dict[str, float]] = []
    before = last = answered
    for answer in iterated_best_response(answered, rounds):
        before, last = last, answer.strategy
        figures = {"first": answer.value, "second": answer.second, "overall": answer.overall}
        found.append(figures | {"against_optimal": win_probability(last, best).overall})
    seconds = time.perf_counter() - begin
    return {
        "opponent": answered.name,
        "game": str(game),
        "rounds": found,
        "fixed": last == before,
        "plays": how_it_plays(last, before, best),
        "seconds": seconds,
        "saved": str(last.save(save)) if save is not None else None,
    }


def how_it_plays(answer: Strategy, opponent: Strategy, best: Strategy) -> dict[str, Any]:
    """What a best response does, in figures from which words are made.

    Returns:
        `holds`: what it does at typical places, and `optimum_holds`, what the optimum does; `gap_decisions`: the share
        of its decisions in play that are rolls above a hold; `rule`: a simple rule that wins nearly as much, as `text`
        and as `sentence`, with `agrees`, the share of the answer's decisions in play that are the rule's too, and
        `overall`, what the rule wins against the same opponent; None where there is no such rule.
    """
    from pigevo.exact import simple_rule_against, win_probability
    from pigevo.figures.character import decisions_in_play, gap_cells, hold_data, share_of

    visits = decisions_in_play(answer, opponent)
    found: dict[str, Any] = {
        "holds": [asdict(hold) for hold in hold_data(answer)],
        "optimum_holds": [asdict(hold) for hold in hold_data(best)],
        "gap_decisions": share_of(gap_cells(answer), visits),
        "rule": None,
    }
    try:
        rule = simple_rule_against(opponent, answer)
    except InputError:
        return found
    played = rule.strategy(answer.game)
    return found | {
        "rule": {
            "text": rule.text,
            "sentence": rule.sentence,
            "agrees": share_of(played.roll == answer.roll, visits),
            "overall": win_probability(played, opponent).overall,
        }
    }


def describe(record: dict[str, Any]) -> str:
    """The record of `respond` as lines to read."""
    lines = [
        f"best response to {record['opponent']} in {record['game']}, {record['seconds']:.2f} s",
        "",
        "  round   moving first   second     overall    against the optimum",
    ]
    for number, figures in enumerate(record["rounds"], start=1):
        lines.append(
            f"  {number:5d}   {figures['first']:.6f}       {figures['second']:.6f}   {figures['overall']:.6f}   "
            f"{figures['against_optimal']:.6f}"
        )
    if record["fixed"]:
        lines += ["", "  the last best response is the strategy that it responds to: no strategy beats it"]
    lines += ["", *_words(record["plays"], record["rounds"][-1]["overall"])]
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _words(plays: dict[str, Any], wins: float) -> list[str]:
    """How the last answer plays, and how well a simple rule says it."""
    from pigevo.figures.character import holds_table, tendency

    often = plays["gap_decisions"]
    answer_row = {"name": "best response", "holds": plays["holds"], "gap_decisions": often, "chance": 0.0}
    lines = [*holds_table([answer_row, {"name": "optimal", "holds": plays["optimum_holds"]}]), ""]
    above = f"Of its decisions in play {percent(often)} are rolls above the turn total at which it first holds."
    lines.append(f"{tendency(answer_row)} {above}")
    if rule := plays["rule"]:
        near = rule["overall"] - 0.5 > ENOUGH * (wins - 0.5)
        both = f"It wins {rule['overall']:.6f} against the same opponent, and the best response {wins:.6f};"
        lines += [
            "",
            f"{'In short' if near else 'No simple rule plays nearly as well. The nearest one'}: {rule['sentence']}",
            f"{both} they agree in {percent(rule['agrees'])} of the best response's decisions in play.",
            f"  as a strategy: 'rule: {rule['text']}'",
        ]
    return [part for line in lines for part in _wrapped(line)]


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, text_width(), break_on_hyphens=False) if line[:1].strip() else [line]
