"""The players of the blog beside its formula, and those that it asks for, in a game of rounds."""

from __future__ import annotations

from typing import Any

import numpy as np

import pigevo
from pigevo.games import Game
from pigevo.strategies.stick_formula import Stick, until_ahead


def formula(game: Game, power: float = 4.0, divisor: float = 50.0) -> pigevo.Strategy:
    """The blog's formula, `rolls ** (power * v) / divisor`, by its public name."""
    return pigevo.parse_strategy(f"stick_formula:{power!r},{divisor!r}", game)


def sharp(threshold: float) -> Stick:
    """The formula in the limit of large powers: it holds for sure from a threshold on, and rolls for sure below it."""
    return lambda total, rolls: worth_of(total, rolls) >= threshold - 1e-12


def worth_of(total: Any, rolls: Any) -> Any:
    """`v * log(rolls)`, all that the formula looks at."""
    return total / rolls / 6 * np.log(rolls)


def rolls_each_turn(count: int) -> Stick:
    """Roll so many times in every turn."""
    return lambda total, rolls: (rolls >= count) + 0 * total


def repaired(strategy: pigevo.Strategy) -> pigevo.Strategy:
    """The same, but who makes the last turn of the game rolls until ahead, and then sticks."""
    return until_ahead(strategy, f"{strategy.name}, last turn repaired")
