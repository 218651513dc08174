"""`pigevo rules`: rules that a person can remember, explained, listed, and in words on a page."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pigevo.cli.options import game_options, json_option, picked, purpose, refuse_void, show
from pigevo.cli.output import text_width, wrapped
from pigevo.core.checked_values import JsonObject
from pigevo.core.text import counted, table
from pigevo.games import Game
from pigevo.strategies.rules import complexity, parse_rule

if TYPE_CHECKING:
    from pigevo.strategies.rules.reading import KnownRule


CARD_WIDTH = 88  # the width of the page in characters

WINS_PER = 1_000  # wins are printed per so many games

LEAST_LOSS, LEAST_EXPLOITABLE = "least loss", "least exploitable"
"""The fronts that the card shows."""

NUMBERS = ("no numbers", "one number", "two numbers", "three numbers", "four numbers", "five numbers")

HOW = """\
On your turn you roll as often as you like, and add up what you roll: that is your turn total. A 1 loses it and ends
your turn; if you hold, you bank it. To hold at 25 is to stop as soon as your turn total is 25 or more. To roll to win
is to stop only when you have won. Look at both scores when your turn begins, and decide then. Parts of a number are
rounded to the nearest whole number, halves up.
"""

_EPILOG = """\
RULE is written as in a strategy `rule: RULE`. It has a base, which says where to hold (25, 21+(j-i)/8 with i the own
score and j the opponent's, multiple(25), marks(25,50,74), max(25,j-i-10), max(17,18+(j-i)/8), quarters(24,25,23,25),
end, 19 if ahead else 24). After a semicolon it may say when to roll to win (race either>=71, race own>=75 or
opponent>=70, race leaves<=25).
A game of rounds is not a race: a rule can only look at the lead, may divide it by your turns left (18+(j-i)/turns), and
may have another base for your last turn (20; last 16+(j-i)); the player who makes the last turn of the game rolls until
ahead. Where both players have equally many turns, A if second else B chooses by whether you move second in each round.
Without RULE the command lists the rules that the study `rules` has found; they are for Pig to 100.
"""


@purpose("Look at a strategy")
@click.command(epilog=_EPILOG)
@click.argument("rule", required=False)
@click.option(
    "--card", is_flag=True, help="Make a page to print: the best rules with one number, with two, and so on, in words."
)
@game_options
@json_option
def command(rule: str | None, card: bool, game: Game, as_json: bool) -> None:
    """List rules that a person can remember, with their losses.

    Of each rule: its complexity, its loss against the optimum, and how much a best response gains on it.
    """
    if rule is not None:
        if card:
            raise click.UsageError("--card makes a page of the best rules: leave RULE out.")
        record = explained(rule, game)
        show(record, describe(record), as_json)
        return
    if card:
        refuse_void("--card is a page to print", "as_json")
    from pigevo.strategies.rules.reading import known_rules

    rules = known_rules(game)
    record = {"game": str(game), "rules": [as_record(row) for row in rules]}
    show(record, card_of(rules, game) if card else listed(rules, game), as_json)


def explained(text: str, game: Game) -> JsonObject:
    """A rule in words, in Python, and in figures: its complexity, and its win probability against the optimum."""
    rule = parse_rule(text)
    strategy = rule.strategy(game)
    from pigevo import best_response, optimal, win_probability
    from pigevo.cli.commands.two_strategies import difference

    best = optimal(game).strategy
    won, demands = win_probability(strategy, best), complexity(rule)
    return {
        "rule": rule.text,
        "sentence": rule.sentence,
        "python": rule.python(game),
        **picked(demands, "integers", "operations"),
        "game": str(game),
        **picked(won, "first", "second", "overall"),
        "difference": difference(win_probability(best, strategy), game.draw),
        "exploitability": best_response(strategy).overall - 0.5 if game.sums_to_one else None,
    }


def describe(record: JsonObject) -> str:
    """The record of `explained` as text."""
    lines = [
        f"rule: {record['rule']}",
        "",
        *wrapped(record["sentence"]),
        "",
        f"  in Python       {record['python']}",
        f"  to remember     {counted(record['integers'], 'number')}, "
        f"and {counted(record['operations'], 'operation')} at a turn",
        f"  overall         {record['overall']:.6f} against the optimum, exactly, in {record['game']}",
        f"  difference      {record['difference']:.6f}   how much more the optimum wins moving first than the rule",
    ]
    if record["exploitability"] is not None:
        lines.append(f"  exploitability  {record['exploitability']:.6f}   what the best response wins beyond a half")
    return "\n".join(lines)


def as_record(known: KnownRule) -> JsonObject:
    """A rule of a front for programs."""
    figures = picked(known, "integers", "operations", "difference", "exploitability")
    return {"front": known.front, "rule": known.rule.text, "sentence": known.rule.sentence, **figures}


def listed(rows: list[KnownRule], game: Game) -> str:
    """All fronts as tables."""
    lines = wrapped(
        f"rules for {game}: the optimum's lead moving first, and what the best response wins beyond a half", ""
    )
    heads = ("integers", "operations", "difference", "exploitability", "rule")
    for front in dict.fromkeys(row.front for row in rows):
        cells = [
            (
                str(row.integers),
                str(row.operations),
                f"{row.difference:.5f}",
                f"{row.exploitability:.5f}",
                row.rule.text,
            )
            for row in rows
            if row.front == front
        ]
        lines += ["", front, *table(heads, cells, ">>>><", text_width(), indent="")]
    return "\n".join(lines)


def card_of(rules: Sequence[KnownRule], game: Game) -> str:
    """A page to print: the best rule and the least exploitable for each count of numbers to remember, in words."""
    lines = [f"PIG TO {game.target}: THE BEST RULES FOUND THAT A PERSON CAN REMEMBER", "", *_in_lines(HOW)]
    best, safe = (
        {row.integers: row for row in rules if row.front == front} for front in (LEAST_LOSS, LEAST_EXPLOITABLE)
    )
    rows: list[KnownRule] = []
    for integers, rule in best.items():
        lines += ["", f"{NUMBERS[integers].capitalize()} to remember", *_wrapped_rule(rule)]
        rows.append(rule)
        safer = safe.get(integers, rule)
        if safer.rule != rule.rule:
            lines += ["  Safer, if the other player knows your rule:", *_wrapped_rule(safer)]
            rows.append(safer)
    return "\n".join([*lines, "", *_table(rows)])


def _wrapped_rule(known: KnownRule) -> list[str]:
    return _in_lines(known.rule.sentence, "    ")


def _in_lines(text: str, indent: str = "") -> list[str]:
    width = min(CARD_WIDTH, text_width())
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)


def _table(rules: Sequence[KnownRule]) -> list[str]:
    rows = [
        (
            f"{WINS_PER * (1 - known.difference) / 2:.1f}",
            f"{WINS_PER * (0.5 - known.exploitability):.1f}",
            known.rule.text,
        )
        for known in rules
    ]
    heads = ("against perfect play", "against one who knows it", "rule")
    lines = table(heads, rows, ">><", min(CARD_WIDTH, text_width()), indent="")
    return [f"Wins in {WINS_PER:,} games, taking turns to begin:", *lines]
