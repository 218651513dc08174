"""The hold table of a strategy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pigevo.core.arrays import Bools, Ints
from pigevo.exact import optimal, win_probability
from pigevo.figures.decisions import LEADS, decisions_data, drawn_axes
from pigevo.figures.portrait import refuse_undrawable
from pigevo.games.game import DIFFERENCE, Axis
from pigevo.strategies import Strategy
from pigevo.strategies.strategy import of_rule


@dataclass(frozen=True, eq=False)
class HoldTable:
    """The turn totals at which a strategy holds, for as many scores as a page has room for.

    Args:
        axes: the names of rows and columns: `own score` and `opponent's score` in a race.
        rows, columns: the scores that have a row or a column.
        holds: the turn total at which the strategy first holds or wins, shape (rows, columns).
        to_the_end: where the strategy does not hold before the game is won, or before the largest turn total.
        race: whether there is a target, so that rolling to the end wins.
        played: the exact win probability against the optimum of a player who uses the table at the nearest printed
            scores; None in a game whose turns depend on more than two scores.
    """

    axes: tuple[str, str]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    holds: Ints
    to_the_end: Bools
    race: bool
    played: float | None


def hold_table_data(strategy: Strategy, most: int = 25) -> HoldTable:
    """The hold table of a strategy.

    Args:
        strategy: the strategy.
        most: the largest number of rows and of columns. With more scores, only every second, fifth, tenth, ... score
            is taken.

    Raises:
        InputError: The strategy's decisions do not depend on two scores and the turn total alone.

    Example:
        >>> import pigevo
        >>> table = hold_table_data(pigevo.hold_at(pigevo.Pig(target=30), 20), most=4)
        >>> table.rows
        (0, 10, 20)
        >>> table.holds[:, 0].tolist()
        [20, 20, 10]
    """
    refuse_undrawable(strategy)
    game, data = strategy.game, decisions_data(strategy)
    x, y = (game.between[number] for number in drawn_axes(game))
    rows, columns = (_printed(axis, min(round(0.3 * game.size), LEADS), most) for axis in (x, y))
    left, _, low, _ = data.extent
    holds = data.first_hold[np.ix_(np.array(rows) - left, np.array(columns) - low)]
    race = bool(game.target)
    end = game.target if game.must_hold else game.size
    short = np.maximum(end - np.array(rows) * race, 1)[:, None]
    table = HoldTable(data.axes, rows, columns, holds, holds >= short, race, None)
    plain = race and not game.reply and len(game.axes) == 3
    return replace(table, played=_played(table, strategy)) if plain else table


def _printed(axis: Axis, lead: int, most: int) -> tuple[int, ...]:
    values = [value for value in axis.values if axis.name != DIFFERENCE or abs(value) <= lead]
    steps = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    every = ([value for value in values if value % step == 0] for step in steps)
    return tuple(next(some for some in every if len(some) <= most))


def _played(table: HoldTable, strategy: Strategy) -> float:
    """The win probability of play by the table against the optimum; of two equally near scores the higher is used."""
    until = np.where(table.to_the_end, strategy.game.size, table.holds)
    middles = [(np.array(scores[1:]) + scores[:-1]) / 2 for scores in (table.rows, table.columns)]

    def rolls(i: Ints, j: Ints, k: Ints) -> Bools:
        own, opponent = (
            np.searchsorted(between, score, "right") for between, score in zip(middles, (i, j), strict=True)
        )
        decisions: Bools = (k < until[own, opponent]) & (i + k < strategy.game.target)
        return decisions

    by_table = of_rule(strategy.game, rolls)
    return float(win_probability(by_table, optimal(strategy.game).strategy).overall)
