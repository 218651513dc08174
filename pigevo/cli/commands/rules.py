"""`pigevo rules` and `pigevo card [A]`: rules that a person can remember, and a page with a table of hold values."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo import __version__
from pigevo.cli.options import (
    EPILOG,
    FILE,
    game_of_words,
    game_options,
    json_option,
    picked,
    purpose,
    read_strategy,
    show,
)
from pigevo.cli.output import PICTURES, page_files, text_width, wrapped, write_page
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import require_memory
from pigevo.core.tables import table
from pigevo.core.text import counted, safe_name
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import SECOND
from pigevo.games.game_record import file_name_of
from pigevo.storage.files import refuse_unwritable
from pigevo.strategies.rules import complexity, is_rule, parse_rule
from pigevo.web.html import PRINTED, Html, document, tag

if TYPE_CHECKING:
    from pigevo.figures.hold_table import HoldTable
    from pigevo.figures.page import CardText
    from pigevo.strategies import Strategy
    from pigevo.strategies.rules.reading import KnownRule


CARD = 88  # the width of the page in characters

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

    The losses are against the optimum; a rule has a complexity, too.
    """
    if rule is not None:
        record = explained(rule, game)
        show(record, describe(record), as_json)
        return
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
        "python": rule.python(game.target),
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
    """A page to print: for each number of numbers, the best rule, and the one that is hardest to exploit, in words."""
    lines = [f"PIG TO {game.target}: THE BEST RULES FOUND THAT A PERSON CAN REMEMBER", "", *_in_lines(HOW)]
    best, safe = ({row.integers: row for row in rules if row.front == front} for front in (BEST, SAFE))
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
    width = min(CARD, text_width())
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent)


def _table(rules: Sequence[KnownRule]) -> list[str]:
    rows = [
        (f"{GAMES * (1 - known.difference) / 2:.1f}", f"{GAMES * (0.5 - known.exploitability):.1f}", known.rule.text)
        for known in rules
    ]
    heads = ("against perfect play", "against one who knows it", "rule")
    lines = table(heads, rows, ">><", min(CARD, text_width()), indent="")
    return [f"Wins in {GAMES:,} games, taking turns to begin:", *lines]


BEST_PLAY = "optimal"

PER_CELL = 48  # bytes for each cell of a strategy while it is solved and evaluated

WITH_RULES, ALONE = 25, 40
"""The largest numbers of rows and columns of the table: with rules below it, and without."""

_CARD_EPILOG = f"""\
Without A the card is of the optimum. The table has a number for each pair of scores, or, where these are too many for a
page, for each second, fifth or tenth score; what a player wins who takes the nearest of them is computed exactly. Below
it are the best rules that the study `rules` has found, in words and as formulas; it has them for Pig to 50 and to 100.

{EPILOG}"""


@purpose("Play")
@click.command(epilog=_CARD_EPILOG)
@click.argument("a", default="optimal")
@game_options
@click.option("--to", type=FILE,
              help=f"The page's file, .pdf or .html; by default both in {PICTURES}.")  # fmt: skip
@json_option
def card_command(a: str, game: Game, to: Path | None, as_json: bool) -> None:
    """Make an A4 page to print: hold values, and rules to remember."""
    game = game_of_words([a], game)
    require_memory(PER_CELL * game.cells, f"a card for {game}", "choose a smaller target or cap")
    strategy = read_strategy(a, game)
    files = page_files(to, f"card_{safe_name(strategy.name)}_{file_name_of(strategy.game)}", "card")
    for file in files:
        refuse_unwritable(file)
    from pigevo.figures.page import card_page

    record, table = card(strategy)
    text = words_of(record, table)
    pages = partial(card_page, table, text), partial(card_html, table, text)
    record["files"] = [str(write_page(file, *pages)) for file in files]
    show(record, describe_card(record), as_json)


def card(strategy: Strategy) -> tuple[JsonObject, HoldTable]:
    """The content of the page with its table.

    `rules_of_the_game` are its rules in words. `axes` names the meaning of `rows` and `columns`; `holds` and
    `to_the_end` have for each row the turn totals to hold at and whether that is the end of the game. `overall` is the
    strategy's exact win probability against the optimum, `played` that of play by the table, if known; `rule` is the
    strategy's sentence if it is a rule.
    """
    from pigevo.exact import optimal, win_probability
    from pigevo.figures.hold_table import hold_table_data

    game, rules = strategy.game, rules_for(strategy.game)
    table = hold_table_data(strategy, WITH_RULES if rules else ALONE)
    record = {
        "strategy": strategy.name,
        "game": str(game),
        "rules_of_the_game": game.rules_in_words,
        "axes": list(table.axes),
        "rows": list(table.rows),
        "columns": list(table.columns),
        "holds": table.holds.tolist(),
        "to_the_end": table.to_the_end.tolist(),
        "overall": win_probability(strategy, optimal(game).strategy).overall,
        "played": table.played,
        "first_in_round": SECOND in [axis.name for axis in game.between],
        "rule": sentence_of(strategy),
        "rules": rules,
    }
    return record, table


def rules_for(game: Game) -> list[JsonObject]:
    """The rules with the smallest loss for each number of numbers; empty for games that the study does not cover."""
    from pigevo.strategies.rules.reading import has_rules, known_rules

    return [
        {"integers": rule.integers, "sentence": rule.rule.sentence, "rule": rule.rule.text,
         "wins": GAMES * (1 - rule.difference) / 2}
        for rule in (known_rules(game, BEST) if has_rules(game) else ())
    ]  # fmt: skip


def sentence_of(strategy: Strategy) -> str | None:
    """A strategy in words, if it is the rule in its name."""
    if not is_rule(strategy.name):
        return None
    try:
        rule = parse_rule(strategy.name)
        return rule.sentence if rule.strategy(strategy.game) == strategy else None
    except InputError:  # a user's name for a saved strategy
        return None


def words_of(record: JsonObject, table: HoldTable) -> CardText:
    """The texts of the page."""
    from pigevo.figures.page import CardRule, CardText

    rules = [
        CardRule(str(rule["integers"]), rule["sentence"], rule["rule"], f"{rule['wins']:.1f}")
        for rule in record["rules"]
    ]
    reading = record["rules_of_the_game"], _about(record), record["rule"], _reading(record, table), _between(record)
    return CardText(
        title=f"When to hold in {record['game']}",
        reading=tuple(filter(None, reading)),
        heading="Rules to remember",
        how=(HOW, FORMULAS),
        rules=tuple([CardRule("numbers", "the rule in words", "as a formula", "wins"), *rules] if rules else ()),
        foot=f"Computed exactly by pigevo {__version__}.",
    )


FORMULAS = f"""\
Numbers: how many there are to remember. In formulas i (own) is your score and j (opponent) the other player's; after
"race" stands when to roll to win. Wins: of {GAMES:,} games against optimal play, taking turns to begin.
"""


def _about(record: JsonObject) -> str:
    if record["strategy"] == BEST_PLAY:
        return "Optimal play."
    return f"{record['strategy']} wins {_games(record['overall'])} against optimal play, taking turns to begin."


def _games(share: float) -> str:
    return f"{GAMES * share:.1f} of {GAMES:,} games"


def _reading(record: JsonObject, table: HoldTable) -> str:
    """Instructions for finding and reading a cell."""
    if table.race:
        where = "Find the row of your score and the column of the other player's."
        end = " On grey, roll until you have won."
    else:
        where = "Find the row of the turns you have left, this one included, and the column of your lead."
        end = " A dash: roll on, whatever your turn total."
    has_ends = table.to_the_end.any()
    who = " It is for the player who moves first in each round." if record["first_in_round"] else ""
    return f"{where} Roll until your turn total is the number there or more, then hold.{end if has_ends else ''}{who}"


def _between(record: JsonObject) -> str:
    """Instructions for scores between those printed, and the win probability of play by the table."""
    steps = [scores[1] - scores[0] for scores in (record["rows"], record["columns"]) if len(scores) > 1]
    nearest = ""
    if max(steps, default=1) > 1:
        nearest = "At scores that are not printed take the nearest that is"
        nearest += ", of two as near the higher. " if any(step % 2 == 0 for step in steps) else ". "
    if record["played"] is None:
        return nearest
    return f"{nearest}Playing by this table wins {_games(record['played'])} against optimal play."


def card_html(table: HoldTable, text: CardText) -> bytes:
    """The page as an HTML document that prints on one sheet of A4."""
    from pigevo.figures.page import GREY, TINTS

    colors = [f".t{number} {{ background: {tint}; }}" for number, tint in enumerate(TINTS)]
    style = "\n".join([STYLE, *colors, f".end {{ background: {GREY}; }}"])
    parts = [tag("h1", text.title), *(tag("p", line) for line in text.reading), _html_table(table)]
    if text.rules:
        parts += [tag("h2", text.heading), *(tag("p", line, class_="how") for line in text.how), _html_rules(text)]
    return document(text.title, tag("main", parts, tag("footer", tag("p", text.foot))), style)


def _html_table(table: HoldTable) -> Html:
    from pigevo.figures.page import CARD_AXES, cell_text, tints

    down, across = (CARD_AXES.get(name, name) for name in table.axes)
    colors = [[f"t{level}" if level >= 0 else "end" for level in row] for row in tints(table).tolist()]
    begin = tag("th", tag("span", down), class_="down", rowspan=len(table.rows) + 2)
    heads = [
        tag("tr", begin, tag("td"), tag("th", across, class_="across", colspan=len(table.columns), scope="colgroup")),
        tag("tr", tag("td"), [tag("th", str(score), scope="col") for score in table.columns]),
    ]
    rows = [
        tag("tr", tag("th", str(score), scope="row"),
            [tag("td", cell_text(table, row, column), class_=color) for column, color in enumerate(colors[row])])
        for row, score in enumerate(table.rows)
    ]  # fmt: skip
    size = "few" if len(table.columns) <= FEW else "many"
    return tag("div", tag("table", heads, rows, class_=f"holds {size}"), class_="wide", tabindex=0)


def _html_rules(text: CardText) -> Html:
    head, *rules = text.rules
    heads = (head.numbers, head.sentence, head.formula, head.wins)
    rows = [tag("tr", (tag("th", name, scope="col") for name in heads))]
    rows += [
        tag("tr", (tag("td", cell) for cell in (row.numbers, row.sentence, tag("code", row.formula), row.wins)))
        for row in rules
    ]
    return tag("div", tag("table", rows, class_="rules"), class_="wide", tabindex=0)


FEW = 15  # the largest number of columns with large cells

STYLE = f"""{PRINTED}
.how, .rules {{ font-size: 8.5pt; line-height: 1.25; }}
.holds {{ margin: 2mm 0; table-layout: fixed; font-variant-numeric: tabular-nums; text-align: center; }}
.holds th, .holds td {{ padding: 0; line-height: 4.7mm; }}
.holds td[class] {{ border: 0.3pt solid #999; }}
.many {{ min-width: 32rem; }}
.many th, .many td {{ font-size: 8.5pt; }}
.few th, .few td {{ font-size: 10.5pt; line-height: 6.5mm; }}
.holds .across, .holds .down {{ font-weight: 400; font-size: 9.5pt; }}
.down span {{ writing-mode: vertical-rl; transform: rotate(180deg); }}
.rules {{ min-width: 32rem; }}
.rules th, .rules td {{ padding: 0.8mm 2.5mm 0.8mm 0; border-bottom: 0.3pt solid #aaa; }}
.rules th, .rules td {{ text-align: left; vertical-align: top; }}
.rules td:nth-child(3) {{ width: 30%; }}
.rules th:last-child, .rules td:last-child {{ padding-right: 0; text-align: right; }}
code {{ font: 7.5pt/1.3 "DejaVu Sans Mono", Consolas, monospace; }}
@media print {{ .many, .rules {{ min-width: 0; }} }}
"""


def describe_card(record: JsonObject) -> str:
    """The files written, as text."""
    rows, columns = len(record["rows"]), len(record["columns"])
    lines = [f"{record['strategy']} in {record['game']}: a table of {rows} by {columns} turn totals to hold at"]
    lines += [f"  {line}" for line in filter(None, [_between(record).strip()])]
    if not record["rules"]:
        lines.append("  no rules below it: the study `rules` has them for Pig to 50 and to 100")
    return "\n".join([*lines, *(f"  {file}" for file in record["files"])])
