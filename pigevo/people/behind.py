"""Whether a player takes more risk when behind: the hold value of those turns beside that of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Bools, Floats32
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.people.dice_histories import ways
from pigevo.people.holding import HoldValue, fitted, log_chances
from pigevo.people.records import RecordedTurn

SHUFFLES = 999
FEWEST = 3
"""Turns with a decision that are needed of either kind."""

LEVEL = 0.05


@dataclass(frozen=True)
class Behind:
    """How a player plays when behind.

    Args:
        behind: the hold value of the turns that began behind.
        otherwise: of those that began level or ahead.
        p: how often hold values are as far apart, or farther, when it is drawn by lot which turns were behind.
        verdict: `more`, `less`, or `open`, where that is not rare.
    """

    behind: HoldValue
    otherwise: HoldValue
    p: float
    verdict: str


def when_behind(game: Game, turns: Sequence[RecordedTurn]) -> Behind:
    """Whether a player holds at other totals when behind.

    Args:
        game: what was played.
        turns: of one player, each with the opponent's score.

    Raises:
        InputError: the opponent's turns are not recorded, or there are too few turns of either kind.
    """
    if any(turn.opponent is None for turn in turns):
        raise InputError("who is behind needs the opponent's turns: the record has one side only.")
    found = [(turn, one) for turn in turns if (one := ways(game, turn)).decisions]
    behind = np.array([turn.own < (turn.opponent or 0) for turn, _ in found], dtype=np.bool_)
    if min(behind.sum(), (~behind).sum()) < FEWEST:
        raise InputError(
            f"{len(behind)} turns with a decision, {behind.sum()} of them begun behind, are too few: "
            f"at least {FEWEST} of either kind are needed."
        )
    known = [one for _, one in found]
    logs = log_chances(game, known)
    first, second = (
        fitted(logs[which], [one for one, chosen in zip(known, which, strict=True) if chosen])
        for which in (behind, ~behind)
    )
    assert first is not None
    assert second is not None
    p = _chance(logs, behind)
    verdict = "open" if p >= LEVEL or first.value == second.value else "more" if first.value > second.value else "less"
    return Behind(first, second, p, verdict)


def _chance(logs: Floats32, behind: Bools) -> float:
    """The share of drawn divisions, this one included, that are as far from one common hold value.

    The chances of slips are those that fit to all turns together, which no drawing changes.
    """
    whole = logs.sum(axis=0, dtype=np.float64)
    turns = logs[:, :, whole.max(axis=0).argmax()].astype(np.float64)
    draw = Draw(0, "validation")
    orders = np.array([np.arange(len(turns)), *(draw.at(part=n).permutation(len(turns)) for n in range(SHUFFLES))])
    part = behind[orders].astype(np.float64) @ turns
    gains = part.max(axis=1) + (turns.sum(axis=0) - part).max(axis=1)
    return float(np.mean(gains >= gains[0] - 1e-6))
