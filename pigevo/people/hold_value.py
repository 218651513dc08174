"""Which hold value fits best to how somebody played.

The player is taken as one who holds at n, and in each decision does the other thing with some small chance.  How likely
the recorded turns are depends on n and on that chance alone, since the dice do not know them; where the dice are not
recorded, the rows of dice that fit count with their chances.  The value that makes the record likeliest is the answer, and
its interval holds all values that are not much less likely (the likelihood ratio of the profile, with the quantile of
chi-square).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.arrays import Floats
from pigevo.games import Game
from pigevo.people.records import RecordedTurn
from pigevo.people.ways import Ways, ways

SLIPS = np.geomspace(1e-4, 0.5, 40)
"""The chances of a decision against the player's own rule that are tried."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class HoldValue:
    """The hold value that fits best.

    Args:
        value: the turn total at which the player held, as near as a hold value can say.
        low: the least one that is not much less likely.
        high: the greatest one; the target means that the player may have rolled to win.
        slip: in what share of the decisions the player did the other thing, as near as can be said.
        turns: turns that say something: with a decision in them.
        decisions: of all these turns.
    """

    value: int
    low: int
    high: int
    slip: float
    turns: int
    decisions: int


def hold_value(game: Game, turns: Iterable[RecordedTurn]) -> HoldValue | None:
    """The hold value that fits best to some turns of one player.

    Args:
        game: what was played.
        turns: of the player.

    Returns:
        The value with its interval at `CONFIDENCE`; None where no turn has a decision.
    """
    found = [one for one in (ways(game, turn) for turn in turns) if one.decisions]
    return fitted(log_chances(game, found), found)


def fitted(logs: Floats, found: Sequence[Ways]) -> HoldValue | None:
    """The best hold value by what `log_chances` says of some turns."""
    if not found:
        return None
    total = logs.sum(axis=0)
    by_value = total.max(axis=1)
    best = np.flatnonzero(by_value >= by_value.max() - 1e-9)
    value = int(best[(len(best) - 1) // 2])
    near = np.flatnonzero(2 * (by_value.max() - by_value) <= stats.chi2.ppf(CONFIDENCE, 1))
    slip = float(SLIPS[total[value].argmax()])
    decisions = sum(one.decisions for one in found)
    return HoldValue(value + 1, int(near[0]) + 1, int(near[-1]) + 1, slip, len(found), decisions)


def log_chances(game: Game, found: Sequence[Ways]) -> Floats:
    """How likely the decisions of each turn are, shape (turns, T, slips): by hold value from 1 to T, and chance of a slip."""
    known: dict[tuple[bytes, int | None], Floats] = {}
    rows = []
    for one in found:
        key = (one.at.tobytes(), one.held)
        if key not in known:
            known[key] = _log_chances(game, one)
        rows.append(known[key])
    return np.array(rows).reshape(len(rows), game.target, len(SLIPS))


def _log_chances(game: Game, one: Ways) -> Floats:
    """The law of the number of slips is that of how many totals lay below n: totals only grow during a turn."""
    values = np.arange(1, game.target + 1)
    rolls = len(one.at)
    below = np.cumsum(one.at, axis=1)[:, values - 1]  # the chance that the total after each roll lay below n
    reached = np.vstack([np.ones(len(values)), below, np.zeros(len(values))])
    exactly = np.clip(reached[:-1] - reached[1:], 0.0, 1.0)  # that just so many of them did
    slips = (rolls - np.arange(rolls + 1))[:, None] + (0 if one.held is None else (one.held < values)[None, :])
    chance = SLIPS ** slips[:, :, None] * (1 - SLIPS) ** (one.decisions - slips)[:, :, None]
    total: Floats = (exactly[:, :, None] * chance).sum(axis=0)
    return np.log(np.maximum(total, 1e-300))


def neutral_values(game: Game) -> tuple[int, int]:
    """The hold values, from the least to the greatest, that bring the most points in a turn: who holds there is neutral."""
    gain = sum(points * chance for points, chance in game.die)
    if not game.bust:
        return game.target, game.target
    even = gain / game.bust  # the turn total at which a roll loses as much as it gains
    return int(np.ceil(even - 1e-9)), int(np.floor(even + 1e-9)) + 1
