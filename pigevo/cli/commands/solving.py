"""`pigevo solve` and `pigevo respond`: the optimum of a game, and best responses."""

from __future__ import annotations

import functools
import textwrap
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import (
    EPILOG,
    NewFile,
    game_of_words,
    game_options,
    json_option,
    limits_functions,
    purpose,
    read_strategy,
    show,
)
from pigevo.cli.output import terminal_width, text_width
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import counted, percent
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.storage.files import refuse_unwritable, telling_replaced

if TYPE_CHECKING:
    from pigevo.strategies import Strategy

OPENINGS = 6  # about the number of rows of scores, or of turns, that `solve` prints

NEAR, NEARLY = 0.005, 0.1
"""A rule wins nearly as much as a best response if it wins less by one of these at most.

The first is a win probability, which decides where the response itself gains next to nothing; the second is a share of
the response's gain over a half.
"""

ALIKE = 0.9  # the share of a response's decisions in play with which a rule that wins nearly as much has to agree


@purpose("Solve the game")
@click.command()
@game_options
@click.option("--save", type=NewFile("optimal.npz"), help="Write the strategy to this .npz file.")
@json_option
def solve_command(game: Game, save: Path | None, as_json: bool) -> None:
    """Compute the optimum of a game: its value and where it holds."""
    record = solve(game, save)
    show(record, describe_solution(record), as_json)


def solve(game: Game, save: Path | None) -> JsonObject:
    """Solve the game, and save the optimal strategy if a path is given.

    `openings` are the turn totals at which a player without points holds, by the opponent's score; in a game of turns
    those at which the player who moves first holds when level, by the number of turns left.
    """
    from pigevo import optimal

    if save is not None:
        refuse_unwritable(save)
    begin = time.perf_counter()
    solution = optimal(game)
    seconds = time.perf_counter() - begin
    openings = openings_of(solution.strategy)
    saved = _saved(solution.strategy, save)
    return {
        "game": str(game),
        "value": float(solution.value),
        "error": solution.error,
        "openings": openings,
        "of_turns": bool(game.turns),
        "size": game.size,
        "seconds": seconds,
        "saved": saved,
    }


def openings_of(strategy: Strategy) -> list[int]:
    """The smallest turn total at which a player holds, by the opponent's score or by the number of turns left."""
    game = strategy.game
    begin = {"own": 0, "difference": 0, "second": 0, "last_turn": 0, "rolls": 1}
    totals = range(0 if game.allow_pass else 1, game.size)

    def hold_total(n: int) -> int:
        cells = ((k, game.cell(**begin, opponent=n, left=n, total=k)) for k in totals)
        return next((k for k, cell in cells if not strategy.roll[cell]), game.size)

    return [hold_total(n) for n in (range(game.target) if game.target else range(1, game.turns + 1))]


def describe_solution(record: JsonObject) -> str:
    """The record of `solve` as text."""
    openings = record["openings"]
    step = max(1, len(openings) // (OPENINGS - 1))
    scores = sorted({*range(0, len(openings), step), len(openings) - 1})
    of_turns, most = record["of_turns"], record["size"]
    lines = [
        f"{record['game']}, solved in {record['seconds']:.2f} s",
        "",
        f"  win probability of the player who moves first   {record['value']:.6f}",
        "",
        "  the player who moves first holds, when level, at" if of_turns else "  a player with no points holds at",
    ]
    for score in scores:
        total = openings[score] if openings[score] < most else "never (rolls to win)"
        where = f"with {counted(score + 1, 'turn')} left" if of_turns else f"when the opponent has {score}"
        lines.append(f"    {total:>4}   {where}")
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


@purpose("Solve the game")
@click.command(epilog=EPILOG)
@click.argument("opponent")
@limits_functions
@game_options
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of iterated best responses; ends early at a strategy that is its own best response.",
)
@click.option("--save", type=NewFile("response.npz"), help="Write the last best response to this .npz file.")
@json_option
def respond_command(opponent: str, game: Game, rounds: int, save: Path | None, as_json: bool) -> None:
    """Compute the best response to a strategy, and describe it.

    It prints the win probability of the response, and how it plays.
    """
    record = respond(opponent, game_of_words([opponent], game), rounds, save)
    show(record, describe_response(record), as_json)


def respond(opponent: str, game: Game, rounds: int, save: Path | None) -> JsonObject:
    """Compute best responses to a strategy, and save the last one if a path is given.

    Returns:
        `rounds`: for each round the win probability against the previous strategy (`first`, `second`, `overall`) and
        against the optimum (`against_optimal`); `fixed`, whether the last strategy is its own best response; `plays`,
        the result of `how_it_plays`; `seconds` and `saved`.
    """
    start = read_strategy(opponent, game)
    if save is not None:
        refuse_unwritable(save)
    from pigevo import iterated_best_response, optimal, win_probability

    begin = time.perf_counter()
    best = optimal(game).strategy
    rounds_played: list[dict[str, float]] = []
    before = last = start
    for answer in iterated_best_response(start, rounds):
        before, last = last, answer.strategy
        figures = {"first": answer.value, "second": answer.second, "overall": answer.overall}
        rounds_played.append(figures | {"against_optimal": win_probability(last, best).overall})
    seconds = time.perf_counter() - begin
    return {
        "opponent": start.name,
        "game": str(game),
        "rounds": rounds_played,
        "fixed": last == before,
        "plays": how_it_plays(last, before, best),
        "seconds": seconds,
        "saved": _saved(last, save),
    }


def how_it_plays(answer: Strategy, opponent: Strategy, best: Strategy) -> JsonObject:
    """The play of a best response in figures, for a description in words.

    Returns:
        `holds`: its hold values at typical places, and `optimum_holds`, those of the optimum; `gap_decisions`: the
        share of its decisions in play that are rolls above a hold; `ignores_opponent`: whether it does not look at the
        opponent's score; `rule`: the simple rule of those tried that wins most, as `text` and as `sentence`, with
        `agrees`, the share of the response's decisions in play that agree with the rule, and `overall`, the rule's win
        probability against the same opponent; None if there is no such rule.
    """
    from pigevo.exact import simple_rule_against, win_probability
    from pigevo.figures.character import (
        decisions_in_play,
        differences,
        gap_cells,
        hold_data,
        ignores_opponent,
        share_of,
    )

    visits = decisions_in_play(answer, opponent)
    record: JsonObject = {
        "holds": [asdict(hold) for hold in hold_data(answer)],
        "optimum_holds": [asdict(hold) for hold in hold_data(best)],
        "gap_decisions": share_of(gap_cells(answer), visits),
        "ignores_opponent": ignores_opponent(answer),
        "rule": None,
    }
    try:
        rule = simple_rule_against(opponent, answer)
    except InputError:
        return record
    played = rule.strategy(answer.game)
    return record | {
        "rule": {
            "text": rule.text,
            "sentence": rule.sentence,
            "agrees": 1 - share_of(differences(played, answer), visits),
            "overall": win_probability(played, opponent).overall,
        }
    }


def describe_response(record: JsonObject) -> str:
    """The record of `respond` as text."""
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
        lines += ["", "  the last best response is the strategy that it responds to: no strategy wins more against it"]
    lines += ["", *_in_words(record["plays"], record["rounds"][-1]["overall"])]
    if record["saved"]:
        lines += ["", f"  saved as {record['saved']}"]
    return "\n".join(lines)


def _saved(strategy: Strategy, file: Path | None) -> str | None:
    if file is None:
        return None
    with telling_replaced(file):
        return str(strategy.save(file))


def _introduction(rule: JsonObject, wins: float) -> str:
    """What a rule is to a best response that wins so much: its description, another way to win, or neither."""
    if wins - rule["overall"] > max(NEAR, NEARLY * (wins - 0.5)):
        return "None of the simple rules tried wins nearly as much. The best of them"
    return (
        "In short"
        if rule["agrees"] >= ALIKE
        else "A simple rule that wins nearly as much, though it often decides otherwise"
    )


def _in_words(plays: JsonObject, wins: float) -> list[str]:
    """A description of the last response, and how well a simple rule describes it."""
    from pigevo.figures.character import holds_table, tendency

    gaps = plays["gap_decisions"]
    answer_row = {"name": "best response", "chance": 0.0} | {
        key: plays[key] for key in ("holds", "gap_decisions", "ignores_opponent")
    }
    optimum_row = {"name": "optimal", "holds": plays["optimum_holds"]}
    lines = [*holds_table([answer_row, optimum_row], terminal_width()), ""]
    above = f"Of its decisions in play {percent(gaps)} are rolls above the turn total at which it first holds."
    lines.append(f"{tendency(answer_row)} {above}")
    if rule := plays["rule"]:
        both = f"It wins {rule['overall']:.6f} against the same opponent, and the best response {wins:.6f};"
        lines += [
            "",
            f"{_introduction(rule, wins)}: {rule['sentence']}",
            f"{both} they agree in {percent(rule['agrees'])} of the best response's decisions in play.",
            f"  as a strategy: 'rule: {rule['text']}'",
        ]
    wrap = functools.partial(textwrap.wrap, width=text_width(), break_on_hyphens=False)
    return [part for line in lines for part in (wrap(line) if line[:1].strip() else [line])]
