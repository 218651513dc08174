"""`pigevo rules`: rules that a person can remember, their complexity, and their losses."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from pigevo.cli.options import game_options, json_option, picked, show
from pigevo.cli.output import wrapped
from pigevo.core.text import counted
from pigevo.games import Game
from pigevo.strategies.rules import complexity, parse_rule

if TYPE_CHECKING:
    from pigevo.strategies.rules.reading import KnownRule

CARD = 88
"""The width of the page in characters."""

GAMES = 1_000

BEST, SAFE = "least loss", "least exploitable"
"""The fronts that the card shows."""

NUMBERS = ("no numbers", "one number", "two numbers", "three numbers", "four numbers", "five numbers")

HOW = """\
On your turn you roll as often as you like, and add up what you roll: that is your turn total. A 1 loses it and ends
your turn; if you hold, you bank it. To hold at 25 is to stop as soon as your turn total is 25 or more. To roll to win
is to stop only when you have won. Look at both scores when your turn begins, and decide then. Parts of a number are
rounded to the nearest whole number, halves up.
"""

_EPILOG = """\
RULE is written as after `rule:` wherever a strategy is asked for: a base, which says where to hold (25, 21+(j-i)/8 with
i the own score and j the other one's, multiple(25), marks(25,50,74), max(25,j-i-10), max(17,18+(j-i)/8),
quarters(24,25,23,25), end, 19 if ahead else 24), and after a semicolon when to roll to win (race either>=71, race
own>=75 or opponent>=70, race leaves<=25).
A game of rounds is not a race: a rule can only look at the lead, may divide it by your turns left
(18+(j-i)/turns), and may have another base for your last turn (20; last 16+(j-i)); who makes the last turn of all rolls
until ahead. Where both players have equally many turns, A if second else B chooses by whether you move second in each
round. Without RULE it lists the rules that the study
`rules` has found; they are for Pig to 100.
"""


@click.command(epilog=_EPILOG)
@click.argument("rule", required=False)
@click.option(
    "--card", is_flag=True, help="Make a page to print: the best rules with one number, with two, and so on, in words."
)
@game_options
@json_option
def command(rule: str | None, card: bool, game: Game, as_json: bool) -> None:
    """List rules that a person can remember: their complexity, and their losses against the optimum."""
    if rule is not None:
        record = explained(rule, game)
        show(record, describe(record), as_json)
        return
    from pigevo.strategies.rules.reading import known_rules

    rules = known_rules(game)
    record = {"game": str(game), "rules": [as_record(one) for one in rules]}
    show(record, card_of(rules, game) if card else listed(rules, game), as_json)


def explained(text: str, game: Game) -> dict[str, Any]:
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
        "python": rule.python(game.target),
        **picked(demands, "integers", "operations"),
        "game": str(game),
        **picked(won, "first", "second", "overall"),
        "difference": difference(win_probability(best, strategy), game.draw),
        "exploitability": best_response(strategy).overall - 0.5 if game.sums_to_one else None,
    }


def describe(record: dict[str, Any]) -> str:
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


def as_record(one: KnownRule) -> dict[str, Any]:
    """A rule of a front for programs."""
    figures = picked(one, "integers", "operations", "difference", "exploitability")
    return {"front": one.front, "rule": one.rule.text, "sentence": one.rule.sentence, **figures}


def listed(rows: list[KnownRule], game: Game) -> str:
    """All fronts as tables."""
    lines = [f"rules for {game}: the optimum's lead moving first, and what the best response wins beyond a half"]
    for front in dict.fromkeys(one.front for one in rows):
        rules = [one for one in rows if one.front == front]
        width = max(len(one.rule.text) for one in rules)
        lines += ["", f"{front:{width}}  integers  operations  difference  exploitability"]
        lines += [
            f"{one.rule.text:{width}}  {one.integers:8d}  {one.operations:10d}  {one.difference:10.5f}  "
            f"{one.exploitability:14.5f}" for one in rules
        ]  # fmt: skip
    return "\n".join(lines)


def card_of(rules: Sequence[KnownRule], game: Game) -> str:
    """A page to print: for each number of numbers, the best rule, and the one that is hardest to exploit, in words."""
    lines = [f"PIG TO {game.target}: THE BEST RULES FOUND THAT A PERSON CAN REMEMBER", "", *textwrap.wrap(HOW, CARD)]
    best, safe = ({one.integers: one for one in rules if one.front == front} for front in (BEST, SAFE))
    rows: list[KnownRule] = []
    for integers, one in best.items():
        lines += ["", f"{NUMBERS[integers].capitalize()} to remember", *_wrapped_rule(one)]
        rows.append(one)
        other = safe.get(integers, one)
        if other.rule != one.rule:
            lines += ["  Safer, if the other player knows your rule:", *_wrapped_rule(other)]
            rows.append(other)
    return "\n".join([*lines, "", *_table(rows)])


def _wrapped_rule(one: KnownRule) -> list[str]:
    return textwrap.wrap(one.rule.sentence, CARD, initial_indent="    ", subsequent_indent="    ")


def _table(rules: Sequence[KnownRule]) -> list[str]:
    width = max(len(one.rule.text) for one in rules)
    lines = [
        f"Wins in {GAMES:,} games, taking turns to begin:",
        f"{'':{width}}  against perfect play  against one who knows it ",
    ]
    for one in rules:
        won, least = GAMES * (1 - one.difference) / 2, GAMES * (0.5 - one.exploitability)
        lines.append(f"{one.rule.text:{width}}  {won:20.1f}  {least:26.1f}")
    return lines
