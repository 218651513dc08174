"""`pigevo card [A]`: an A4 page with a table of hold values and rules to remember."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigevo import __version__
from pigevo.cli.commands.rules import HOW, LEAST_LOSS, WINS_PER
from pigevo.cli.options import (
    EPILOG,
    PATH,
    game_of_words,
    game_options,
    json_option,
    limits_functions,
    purpose,
    read_strategy,
    show,
)
from pigevo.cli.output import PICTURES, name_with_run, page_files, wrapped, write_page
from pigevo.core.checked_values import JsonObject
from pigevo.core.machine import require_memory
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import SECOND
from pigevo.games.game_record import file_name_of
from pigevo.storage.files import refuse_unwritable
from pigevo.strategies.rules import is_rule, parse_rule

if TYPE_CHECKING:
    from pigevo.figures.page import CardText, HoldTable
    from pigevo.strategies import Strategy


BEST_PLAY = "optimal"

FOLDER_TOO = "; or name a folder that exists"

BYTES_PER_CELL = 48  # of a strategy while it is solved and evaluated

WITH_RULES, ALONE = 25, 40
"""The largest numbers of rows and columns of the table: with rules below it, and without."""

_EPILOG = f"""\
Without A the card is of the optimum. The table has a number for each pair of scores, or, where these are too many for a
page, for each second, fifth or tenth score; then a player uses the nearest printed score, and the card has the exact
win probability of this way of playing. Below the table are the best rules that the study `rules` has found, in words
and as formulas, for Pig to 50 and to 100.

{EPILOG}"""


@purpose("Play")
@click.command(epilog=_EPILOG)
@click.argument("a", default="optimal")
@limits_functions
@game_options
@click.option("--to", type=PATH,
              help=f"A folder, or the page's file, .pdf or .html; by default both are in {PICTURES}.")  # fmt: skip
@json_option
def command(a: str, game: Game, to: Path | None, as_json: bool) -> None:
    """Make an A4 page to print: hold values, and rules to remember."""
    game = game_of_words([a], game)
    require_memory(BYTES_PER_CELL * game.cells, f"a card for {game}", "choose a smaller target or cap")
    strategy = read_strategy(a, game)
    files = page_files(to, f"card_{name_with_run(a, strategy.name)}_{file_name_of(strategy.game)}", "card", FOLDER_TOO)
    for file in files:
        refuse_unwritable(file)
    from pigevo.figures.page import card_page
    from pigevo.web.printed import card_html

    record, table = card(strategy)
    text = words_of(record, table)
    pages = partial(card_page, table, text), partial(card_html, table, text)
    record["files"] = [str(write_page(file, *pages)) for file in files]
    show(record, describe_card(record), as_json)


def card(strategy: Strategy) -> tuple[JsonObject, HoldTable]:
    """The content of the page with its table.

    `axes`, `rows`, `columns`, `holds`, `to_the_end` and `played` are the fields of the table, a `HoldTable`.
    `rules_of_the_game` are the game's rules in words; `overall` is the strategy's exact win probability against the
    optimum; `rule` is the strategy's sentence if it is a rule; `rules` is the result of `rules_for`.
    """
    from pigevo.exact import optimal, win_probability
    from pigevo.figures.page import hold_table_data

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
    """The rule with the least loss for each count of numbers to remember; empty for a game that the study lacks."""
    from pigevo.strategies.rules.reading import has_rules, known_rules

    return [
        {"integers": rule.integers, "sentence": rule.rule.sentence, "rule": rule.rule.text,
         "wins": WINS_PER * (1 - rule.difference) / 2}
        for rule in (known_rules(game, LEAST_LOSS) if has_rules(game) else ())
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
    name = record["strategy"]
    title, owner = f"When to hold in {record['game']}", ""
    if name != BEST_PLAY:
        title, owner = f"{name}: when to hold in {record['game']}", f"; the table above is of {name}"
    reading = record["rules_of_the_game"], _about(record), record["rule"], _reading(record, table), _between(record)
    return CardText(
        title=title,
        reading=tuple(filter(None, reading)),
        heading="Rules to remember",
        how=(f"{BEST_KNOWN}{owner}.", HOW, FORMULAS),
        rules=tuple([CardRule("numbers", "the rule in words", "as a formula", "wins"), *rules] if rules else ()),
        foot=f"Computed exactly by pigevo {__version__}.",
    )


BEST_KNOWN = "These are the best rules that are known for this game, by how many numbers they have"

FORMULAS = f"""\
Numbers: how many numbers a rule has. In a formula i (own) is your score and j (opponent) the other player's; the part
after "race" says when to roll to win. Wins: of {WINS_PER:,} games against optimal play, taking turns to begin.
"""


def _about(record: JsonObject) -> str:
    if record["strategy"] == BEST_PLAY:
        return "Optimal play."
    return f"{record['strategy']} wins {_games(record['overall'])} against optimal play, taking turns to begin."


def _games(share: float) -> str:
    return f"{WINS_PER * share:.1f} of {WINS_PER:,} games"


def _reading(record: JsonObject, table: HoldTable) -> str:
    """Instructions for finding and reading a cell."""
    from pigevo.figures.page import tints

    if table.race:
        where = "Find the row of your score and the column of the other player's."
        end = " On grey, roll until you have won."
    else:
        where = "Find the row of the turns you have left, this one included, and the column of your lead."
        end = " A dash: roll on, whatever your turn total."
    has_ends = table.to_the_end.any()
    who = " It is for the player who moves first in each round." if record["first_in_round"] else ""
    shades = " The darker the orange, the larger the number." if len({*tints(table)[~table.to_the_end]}) > 1 else ""
    end = end if has_ends else ""
    return f"{where} Roll until your turn total is the number there or more, then hold.{end}{shades}{who}"


def _between(record: JsonObject) -> str:
    """Instructions for scores between those printed, and the win probability of play by the table."""
    steps = [scores[1] - scores[0] for scores in (record["rows"], record["columns"]) if len(scores) > 1]
    nearest = ""
    if max(steps, default=1) > 1:
        nearest = "For a score that is not printed, take the nearest printed one"
        nearest += ", and the higher of two that are equally near. " if any(step % 2 == 0 for step in steps) else ". "
    if record["played"] is None:
        return nearest
    return f"{nearest}Playing by this table wins {_games(record['played'])} against optimal play."


def describe_card(record: JsonObject) -> str:
    """The files written, as text."""
    rows, columns = len(record["rows"]), len(record["columns"])
    lines = [f"{record['strategy']} in {record['game']}: a table of {rows} by {columns} turn totals to hold at"]
    lines += wrapped(_between(record))
    if not record["rules"]:
        lines.append("  no rules below it: the study `rules` has them for Pig to 50 and to 100")
    return "\n".join([*lines, *(f"  {file}" for file in record["files"])])
