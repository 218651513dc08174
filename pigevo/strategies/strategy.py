"""A strategy: one decision, roll or hold, for every state of the game.

`roll[i, j, k]` is True where a player with `i` banked points and a turn total of `k`,
whose opponent has banked `j`, rolls.  Two cells in the array are not decisions: where
`i + k >= target` the player banks and has won (kept False), and at `k = 0` a player must
roll unless the game allows passing (kept True).  All others are *asked*.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.arrays import Bools, Bytes
from pigevo.errors import InputError
from pigevo.games import Race


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """A strategy for one game.

    Args:
        game: the game it plays.
        roll: booleans (or zeros and ones), shape `(target, target, target)`, indexed by
            own score, opponent's score and turn total; True rolls.  Cells never asked
            are set False.  It is kept read-only, with `j` contiguous in memory, as the
            exact engine reads it.
        name: how it is called in tables.

    Raises:
        InputError: another shape, values that are no booleans, or a hold at a turn total
            of 0 in a game that does not allow passing.
    """

    game: Race
    roll: Bools
    name: str = "strategy"

    def __post_init__(self) -> None:
        roll = np.asarray(self.roll)
        if roll.shape != self.game.shape:
            raise InputError(f"a strategy for {self.game} has the shape {self.game.shape}, not {roll.shape}.")
        if roll.dtype != np.bool_ and not (roll.dtype.kind in "iuf" and np.isin(roll, (0, 1)).all()):
            raise InputError("a strategy's array holds booleans, or zeros and ones: True or 1 rolls.")
        if not self.game.allow_pass and not roll[:, :, 0].all():
            raise InputError("a hold at a turn total of 0 is a pass: roll there, or take a game with allow_pass=True.")
        rows = np.ascontiguousarray(roll.transpose(0, 2, 1), dtype=np.bool_)
        rows = np.where(banks(self.game).transpose(0, 2, 1), False, rows)
        rows.setflags(write=False)
        object.__setattr__(self, "roll", rows.transpose(0, 2, 1))

    @staticmethod
    def from_function(game: Race, rule: Callable[[Any, Any, Any], Any], name: str = "strategy") -> Strategy:
        """The strategy that rolls where `rule(i, j, k)` is true.

        The rule is called once with three index arrays that broadcast against each other;
        if it cannot take arrays (it says `if`, `and`, `min` ...), once per asked cell with
        three integers.

        Args:
            game: the game it plays.
            rule: a function of own score, opponent's score and turn total that returns True
                (or 1) to roll and False (or 0) to hold, or an array of these.
            name: how the strategy is called in tables.

        Raises:
            InputError: the rule returns something else, or nothing, for an asked cell.
        """
        i, j, k = np.ogrid[: game.target, : game.target, : game.target]
        try:
            answers = np.broadcast_to(np.asarray(rule(i, j, k)), game.shape)
        except (ValueError, TypeError, AttributeError):
            return Strategy(game, _cell_by_cell(game, rule) | _forced(game), name)
        asked = np.broadcast_to(game.asked, game.shape)
        wrong = asked & ~_are_decisions(answers)
        if wrong.any():
            raise _no_decision(answers[wrong].flat[0])
        return Strategy(game, (asked & (answers == 1)) | _forced(game), name)

    @property
    def table(self) -> Bytes:
        """The decisions as 0/1 bytes, shape `(own, turn total, opponent)`, contiguous."""
        return self.roll.transpose(0, 2, 1).view(np.uint8)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the game's rules and every decision."""
        content = repr(self.game.rules).encode() + np.packbits(self.roll).tobytes()
        return hashlib.sha256(content).hexdigest()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy, bit-packed, with its game; `load_strategy` reads it."""
        from pigevo.strategies.store import save_strategy

        return save_strategy(self, path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self.game.rules == other.game.rules and np.array_equal(self.roll, other.roll)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        asked = np.broadcast_to(self.game.asked, self.game.shape)
        share = self.roll[asked].mean() if asked.any() else 1.0
        return f"Strategy({self.name!r}, {self.game}, rolls in {share:.1%} of the asked cells)"


def same_game(a: Strategy, b: Strategy) -> None:
    """Refuse two strategies of different games.

    Raises:
        InputError: their rules differ.
    """
    if a.game.rules != b.game.rules:
        raise InputError(f"{a.name} plays {a.game} and {b.name} plays {b.game}: they must play the same game.")


def banks(game: Race) -> Bools:
    """The cells where the player banks and has won, shape (target, 1, target)."""
    i, _, k = np.ogrid[: game.target, :1, : game.target]
    return i + k >= game.target


def _forced(game: Race) -> Bools:
    forced: Bools = (np.arange(game.target) == 0) & (not game.allow_pass)
    return forced


def _cell_by_cell(game: Race, rule: Callable[[int, int, int], Any]) -> Bools:
    roll = np.zeros(game.shape, dtype=np.bool_)
    for i, j, k in np.argwhere(np.broadcast_to(game.asked, game.shape)).tolist():
        answer = rule(i, j, k)
        if answer is not True and answer is not False:
            value = np.asarray(answer)
            if value.size != 1 or not _are_decisions(value).all():
                raise _no_decision(answer, f" at i = {i}, j = {j}, k = {k}")
            answer = value.item() == 1
        roll[i, j, k] = answer
    return roll


def _are_decisions(answers: Any) -> Bools:
    """Where an array holds a boolean, 0 or 1; its shape."""
    if answers.dtype.kind == "b":
        return np.ones(answers.shape, dtype=np.bool_)
    if answers.dtype.kind not in "iufO":
        return np.zeros(answers.shape, dtype=np.bool_)
    return np.isin(answers, (0, 1))


def _no_decision(answer: Any, where: str = "") -> InputError:
    said = "nothing" if answer is None else repr(answer.item() if isinstance(answer, np.generic) else answer)
    said = " ".join(said.split())
    said = f"{said[:40]}..." if len(said) > 43 else said
    return InputError(f"the rule returns {said}{where}: it must return True (or 1) to roll and False (or 0) to hold.")
