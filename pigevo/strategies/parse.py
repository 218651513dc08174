"""A strategy as it is written on the command line: `hold_at:25`, `optimal`, or what the user has made."""

from __future__ import annotations

from pigevo.games import Game
from pigevo.strategies.named import STRATEGIES
from pigevo.strategies.own import is_own, own_strategy
from pigevo.strategies.rules import is_rule, parse_rule
from pigevo.strategies.strategy import Strategy


def parse_strategy(text: str | Strategy, game: Game) -> Strategy:
    """The strategy that a word says.

    Args:
        text: what the user wrote: `name`, `name:number,number`, a rule (`rule: 21+(j-i)/8; race
            either>=71`), `mine.py:function` (a rule f(i, j, k), or a function of the game that
            returns a `Strategy`), a table of hold values (`.csv`), a saved strategy (`.npz`), or a
            run's folder for its champion.  What is a strategy already stays it.
        game: the game it shall play.

    Raises:
        InputError: no such name, file or function, wrong numbers, or a strategy of another game.
    """
    if isinstance(text, Strategy):
        return text
    if is_rule(text):
        return parse_rule(text).strategy(game)
    if names_file(text):
        return own_strategy(text, game)
    entry, options = STRATEGIES.spelled(text)
    strategy: Strategy = entry.function(game, **options)
    return strategy


def names_file(text: str) -> bool:
    """Whether a word names a file or folder of the user's, and not a strategy of the literature."""
    return not is_rule(text) and text.partition(":")[0].strip() not in STRATEGIES and is_own(text)
