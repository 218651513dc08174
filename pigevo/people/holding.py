"""Which hold value fits best to how somebody played.

The player is taken as one who holds at n, but at times holds early, below it, or rolls late, at it or above, each
with a chance of its own. How likely the recorded turns are depends on n and on these two chances alone, since the
dice do not know them; where the dice are not recorded, the rows of dice that fit count with their chances. Of the two
chances nothing is known, so the likelihood of n is the mean over all of them from 0 to a half. The value that makes
the record likeliest is the answer, and its interval holds all values that make it at least a 25th as likely.

A profile of the likelihood, cut by the quantile of chi-square, is no way out: n is an integer, and among so many values
one fits better than the true one by luck, the more easily the more the slips may explain. Its intervals hold too seldom
where players slip. docs/people.md has both in a table, and tests/people/coverage.py makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from pigevo.core.arrays import Floats32
from pigevo.games import Game
from pigevo.people.dice_histories import Ways, ways
from pigevo.people.records import RecordedTurn

_ROOTS = (np.arange(10) + 0.5) / 10

SLIPS = 0.5 * _ROOTS**2
"""The chances of a decision against the player's own rule that are tried: of holding early, and of rolling late.

They lie closer together near 0, where a small change says as much as a large one elsewhere."""

_WEIGHTS = np.outer(_ROOTS, _ROOTS).ravel() / _ROOTS.sum() ** 2  # of two chances that are uniform from 0 to a half

RATIO = 25
"""How many times likelier than a value outside the interval the best one is, at least; chosen by simulated players."""


@dataclass(frozen=True)
class HoldValue:
    """The hold value that fits best.

    Args:
        value: the turn total at which the player held, as near as a hold value can say.
        low: the least value that makes the record at least a 25th as likely as the best one: the interval's lower end.
        high: the greatest such value; the target means that the player may have rolled to win.
        early: in what share of the decisions below it the player held, as near as can be said.
        late: in what share of those at it or above the player rolled.
        turns: turns that say something: with a decision in them.
        decisions: of all these turns.
    """

    value: int
    low: int
    high: int
    early: float
    late: float
    turns: int
    decisions: int

    @property
    def tells_little(self) -> bool:
        """Whether the turns leave so much open that the greatest value is more than twice the least."""
        return self.high > 2 * self.low


def hold_value(game: Game, turns: Iterable[RecordedTurn]) -> HoldValue | None:
    """The hold value that fits best to some turns of one player.

    Args:
        game: what was played.
        turns: of the player.

    Returns:
        The value with its interval at 95 %; None where no turn has a decision.
    """
    found = [one for one in (ways(game, turn) for turn in turns) if one.decisions]
    return fitted(log_chances(game, found), found)


def fitted(logs: Floats32, found: Sequence[Ways]) -> HoldValue | None:
    """The best hold value by what `log_chances` says of some turns."""
    if not found:
        return None
    total = logs.sum(axis=0, dtype=np.float64)
    by_value = logsumexp(total, axis=1, b=_WEIGHTS)
    best = np.flatnonzero(by_value >= by_value.max() - 1e-3)
    value = int(best[(len(best) - 1) // 2])
    near = np.flatnonzero(by_value >= by_value.max() - np.log(RATIO))
    early, late = (float(SLIPS[n]) for n in np.unravel_index(total[value].argmax(), (len(SLIPS), len(SLIPS))))
    decisions = sum(one.decisions for one in found)
    return HoldValue(value + 1, int(near[0]) + 1, int(near[-1]) + 1, early, late, len(found), decisions)


def log_chances(game: Game, found: Sequence[Ways]) -> Floats32:
    """How likely the decisions of turns are, by hold value from 1 to T and slips, shape (turns, T, early x late)."""
    known: dict[tuple[bytes, int | None], Floats32] = {}
    rows = np.empty((len(found), game.target, len(SLIPS) ** 2), dtype=np.float32)
    for row, one in zip(rows, found, strict=True):
        key = (one.at.tobytes(), one.held)
        if key not in known:
            known[key] = _log_chances(game, one)
        row[:] = known[key]
    return rows


def _log_chances(game: Game, one: Ways) -> Floats32:
    """By how many totals lay below n: the rolls that were right come first, since totals only grow in a turn."""
    values, rolls = np.arange(1, game.target + 1), len(one.at)
    below = np.cumsum(one.at, axis=1)[:, values - 1]  # the chance that the total after each roll lay below n
    reached = np.vstack([np.ones(len(values)), below, np.zeros(len(values))])
    exactly = np.clip(reached[:-1] - reached[1:], 0.0, 1.0)  # that just so many of them did, shape (rolls + 1, T)
    right = np.arange(rolls + 1)
    early = (1 - SLIPS) ** right[:, None]
    late = SLIPS ** (rolls - right)[:, None]
    total = np.einsum("tn,te,tl->nel", exactly, early, late)
    if one.held is not None:
        is_early = (one.held < values)[:, None, None]
        total = total * np.where(is_early, SLIPS[None, :, None], (1 - SLIPS)[None, None, :])
    logs: Floats32 = np.log(np.maximum(total, 1e-37)).reshape(len(values), -1).astype(np.float32)
    return logs


def neutral_values(game: Game) -> tuple[int, int]:
    """The hold values that bring the most points in a turn, the least and the greatest: who holds there is neutral."""
    gain = sum(points * chance for points, chance in game.die)
    if not game.bust:
        return game.target, game.target
    even = gain / game.bust  # the turn total at which a roll loses as much as it gains
    return int(np.ceil(even - 1e-9)), int(np.floor(even + 1e-9)) + 1
