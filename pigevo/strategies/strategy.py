"""A strategy: one decision, roll or hold, for every state of the game.

`roll[i, j, k]` is True if a player with `i` banked points and a turn total of `k`, whose
opponent has banked `j`, rolls.  Two kinds of cells are not decisions: where `i + k >= target`
the player banks and wins (always False), and at `k = 0` a player must roll unless the game
allows passing (always True).  All others are *decision states*.

On disk a strategy is one bit a cell, or one probability, with its game and a format version.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import TypedDict

from pigevo.core.array_names import ArrayLike, Bools, Bytes, ComputedAgain, Ints, refuse_masked
from pigevo.core.imports import NotebookDisplay
from pigevo.core.imports import numpy as np
from pigevo.core.text import percent, short_repr
from pigevo.errors import InputError
from pigevo.games import Game, GameRecord, game_from_record, game_to_record
from pigevo.games.game import DIFFERENCE, LAST_TURN, LEFT, OPPONENT, OWN, ROLLS, SECOND, TOTAL, require_game

ROUNDING = 1e-9  # probabilities of rolling that differ by less than this are equal

SAMPLE = 25_000
"""A function is called a second time in at least this number of decision states, or in all if there are fewer."""


@dataclass(frozen=True, eq=False, repr=False)
class Strategy(NotebookDisplay, ComputedAgain):
    """A strategy for a game.

    Args:
        game: the game it plays.
        roll: booleans (or zeros and ones) of the game's shape, in a race `(target, target, target)`, indexed by own
            score, opponent's score and turn total; True rolls.  Other numbers are probabilities of rolling, which
            exact evaluation and simulation accept and evolution does not.  Cells that are no decision states are set
            to False.  The stored array is read-only and contiguous along the opponent's score, as the exact engine
            needs it.
        name: its name in tables.

    Raises:
        InputError: the shape is wrong, a value is neither a boolean nor a probability, or there is a hold at a turn
            total of 0 in a game that does not allow passing.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=20)
        >>> mine = pigevo.Strategy.from_function(game, lambda i, j, k: k < 8 + (j - i) / 2, name='mine')
        >>> bool(mine.roll[0, 0, 7]), bool(mine.roll[0, 0, 8])
        (True, False)
        >>> round(pigevo.win_probability(mine, pigevo.hold_at(game, 8)).overall, 6)
        0.585682
    """

    game: Game
    roll: Bools
    name: str = "strategy"

    def __post_init__(self) -> None:
        require_game("Strategy", self.game)
        if not isinstance(self.name, str):
            raise InputError(f"Strategy: name must be a text, not {short_repr(self.name)}.")
        refuse_masked("a strategy's array", self.roll)
        roll = np.asarray(self.roll)
        if roll.dtype == np.bool_:
            roll = roll.view(np.uint8) != 0  # a view of other numbers as booleans has bytes that are neither 0 nor 1
        if roll.shape != self.game.shape:
            raise InputError(f"a strategy for {self.game} has the shape {self.game.shape}, not {roll.shape}.")
        if roll.dtype.kind not in "biuf" or not (roll.dtype == np.bool_ or ((roll >= 0) & (roll <= 1)).all()):
            raise InputError("a strategy's array holds booleans, or zeros and ones: True or 1 rolls.")
        decided = roll.dtype.kind != "f" or bool(np.isin(roll, (0, 1)).all())
        if not self.game.allow_pass and not np.all(roll[self.game.beginning] == 1):
            raise InputError("a hold at a turn total of 0 is a pass: roll there, or take a game with allow_pass=True.")
        layout = self.game.layout
        rows = np.ascontiguousarray(roll.transpose(layout), dtype=np.bool_ if decided else np.float64)
        rows = np.where((self.game.decision_states | self.game.starts).transpose(layout), rows, rows.dtype.type(0))
        rows = rows if decided else np.add(rows, 0.0)  # -0.0 is 0
        _keep(self, rows)

    @staticmethod
    def from_function(game: Game, rule: Callable[..., object], name: str = "strategy", mixed: bool = True) -> Strategy:
        """The strategy that rolls where `rule(i, j, k)` is true, or with the probability that it returns.

        The rule is called with three whole numbers, once for each decision state. A rule with as many arguments as
        the game has axes is called with the values along them, such as `(left, second, difference, total)` in ten
        rounds, and is refused if an argument has the name of another of these quantities. An array of decisions
        makes a strategy much faster: `Strategy(game, roll)`.

        The rule is called a second time, in another order, in all decision states or in a sample of tens of thousands
        of them: a rule that draws random numbers, or that depends on earlier calls, is not a strategy.

        Args:
            game: the game it plays.
            rule: a function of own score, opponent's score and turn total that returns True
                (or 1) to roll, False (or 0) to hold, or a probability of rolling. In games where only the
                difference of the scores matters, it is passed as the own score, and the opponent's is 0.
            name: the strategy's name in tables.
            mixed: whether probabilities are allowed; otherwise they are refused.

        Raises:
            InputError: the rule is `async` or a generator, has an argument with the name of another quantity than its
                value, returns nothing or no decision for a state, or returns another answer when it is called again.
                The rule's own errors are raised with a note of the state.

        Example:
            >>> import pigevo
            >>> game = pigevo.Pig(target=20)
            >>> unsure = pigevo.Strategy.from_function(game, lambda i, j, k: 1 - k / 20, name='unsure')
            >>> unsure.is_mixed, float(unsure.roll[0, 0, 5])
            (True, 0.75)
            >>> round(pigevo.win_probability(unsure, pigevo.hold_at(game, 8)).overall, 4)
            0.4852
        """
        require_game("Strategy.from_function", game)
        from pigevo.user_code.loading import refuse_unfinished  # pigevo's own strategies do not need it

        refuse_unfinished(name, rule)
        strategy = Strategy(game, _answers(game, rule, mixed), name)
        _call_again(strategy, rule, mixed)
        return strategy

    @staticmethod
    def from_holds(game: Game, holds: object, name: str = "strategy") -> Strategy:
        """The strategy that rolls while the turn total is below a hold value, given for each pair of scores.

        Programs that try many strategies, such as optimisers, need it: it takes less than a fiftieth of the time of
        `from_function`. Where a player must hold to win (`hold_to_win`), it holds at the target.

        Args:
            game: the game it plays.
            holds: numbers whose shape is, or broadcasts to, the axes that do not change during a turn (`game.between`):
                in a race `(target, target)`, by own and opponent's score. Fractions and infinity are allowed. Or a
                function that takes arrays of the values along these axes, in a race `(i, j)`, and returns such
                numbers; it is called once.
            name: the strategy's name in tables.

        Raises:
            InputError: the hold values are no numbers, or do not have this shape.

        Example:
            >>> import pigevo
            >>> game = pigevo.Pig()
            >>> mine = pigevo.Strategy.from_holds(game, lambda i, j: 21 + (j - i) / 8, name='mine')
            >>> mine == pigevo.Strategy.from_function(game, lambda i, j, k: k < 21 + (j - i) / 8)
            True
            >>> pigevo.Strategy.from_holds(game, 20) == pigevo.hold_at(game, 20)
            True
        """
        require_game("Strategy.from_holds", game)
        shape, within = game.shape[: len(game.between)], len(game.within)
        if callable(holds):
            holds = holds(*(values.reshape(values.shape[:-within]) for values in [*game.mesh.values()][:-within]))
        refuse_masked("an array of hold values", holds)
        numbers = np.asarray(holds)
        if numbers.dtype.kind not in "iuf" or np.isnan(numbers).any():
            raise InputError("hold values are numbers: the turn total from which the strategy holds.")
        own, end = game.mesh.get(OWN), np.asarray(game.target if game.must_hold else game.size)
        if game.target and own is not None:
            end = end - own.reshape(own.shape[:-within])  # no decisions from there on, or a hold wins
        try:
            ends = np.broadcast_to(np.ceil(np.clip(numbers, 0 if game.allow_pass else 1, end)), shape)
        except ValueError:
            raise InputError(f"hold values for {game} have the shape {shape}, not {numbers.shape}.") from None
        layout = game.layout
        below = ends.astype(np.int32).reshape(shape + (1,) * within).transpose(layout)
        rows = np.broadcast_to(
            game.mesh[TOTAL].astype(np.int32).transpose(layout) < below, [game.shape[a] for a in layout]
        )
        if ROLLS in game.remembers:
            rows = rows & (game.decision_states | game.starts).transpose(layout)
        strategy = object.__new__(Strategy)  # what `__post_init__` checks cannot be wrong
        object.__setattr__(strategy, "game", game)
        object.__setattr__(strategy, "name", name)
        _keep(strategy, np.ascontiguousarray(rows))
        return strategy

    @property
    def is_mixed(self) -> bool:
        """Whether the strategy is mixed. Then the array contains probabilities of rolling."""
        return bool(self.roll.dtype != np.bool_)

    @property
    def table(self) -> Bytes:
        """The decisions as the engines read them, contiguous in the game's layout.

        They are 0/1 bytes, or probabilities if mixed; in a race the shape is `(own, turn total, opponent)`.
        """
        rows: np.ndarray = self.roll.transpose(self.game.layout)
        return rows if self.is_mixed else rows.view(np.uint8)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the game's rules and of every decision."""
        decisions = self.roll.tobytes() if self.is_mixed else np.packbits(self.roll).tobytes()
        content = repr(self.game.rules).encode() + decisions
        return hashlib.sha256(content).hexdigest()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the strategy with its game to a bit-packed `.npz` file, atomically; `load_strategy` reads it."""
        from pigevo.storage.records import write_arrays

        game = game_to_record(self.game)
        record = {"format": 1 if "gains" in game and not self.is_mixed else FORMAT, "game": game, "name": self.name}
        decisions = {"chances": np.array(self.roll)} if self.is_mixed else {"bits": np.packbits(self.roll)}
        return write_arrays(path, {"pigevo_strategy": np.array(json.dumps(record)), **decisions})

    def __setstate__(self, state: dict[str, object]) -> None:
        """The array of a copy is read-only and contiguous along the opponent's score, too."""
        vars(self).update(state)
        _keep(self, np.ascontiguousarray(self.roll.transpose(self.game.layout)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy):
            return NotImplemented
        return self.game.rules == other.game.rules and np.array_equal(self.roll, other.roll)

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        decides = np.broadcast_to(self.game.decision_states, self.game.shape)
        share = self.roll[decides].mean() if decides.any() else 1.0
        return f"Strategy({self.name!r}, {self.game}, rolls in {percent(share)} of the decision states)"


def _keep(strategy: Strategy, rows: np.ndarray) -> None:
    """Store decisions, an array in the game's layout, as a strategy's `roll`."""
    rows.setflags(write=False)
    object.__setattr__(strategy, "roll", rows.transpose(np.argsort(strategy.game.layout)))


def same_game(a: Strategy, b: Strategy) -> None:
    """Refuse two strategies of different games."""
    if a.game.rules != b.game.rules:
        raise InputError(f"{a.name} plays {a.game} and {b.name} plays {b.game}: they must play the same game.")


def of_rule(game: Game, rule: Callable[..., ArrayLike], name: str = "strategy") -> Strategy:
    """The strategy of one of pigevo's own rules, which is called once with index arrays that broadcast."""
    return Strategy(game, _with_forced(game, np.broadcast_to(rule(*arguments_of(game, rule)), game.shape)), name)


def refuse_different_answers(first: Strategy, again: Strategy) -> None:
    """Refuse a rule that decides differently when it is called again; the message names a state."""
    same = first.roll == again.roll
    if first.is_mixed or again.is_mixed:
        same = np.isclose(first.roll, again.roll, rtol=0, atol=ROUNDING)
    if not same.all():
        cell = tuple(np.argwhere(~same)[0].tolist())
        raise _different_answer(first.game, cell, first.roll[cell], again.roll[cell])


def arguments_of(game: Game, rule: Callable[..., object]) -> tuple[Ints, ...]:
    """The arguments of a rule: the values along all axes if it takes that many, else both scores and the turn total.

    Raises:
        InputError: an argument has the name of another quantity than the one that it would be given.
    """
    try:
        parameters = inspect.signature(rule).parameters.values()
    except (ValueError, TypeError):  # some compiled functions have none
        return game.scores
    needed = [
        p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    given = [*game.mesh] if len(needed) == len(game.mesh) else [OWN, OPPONENT, TOTAL]
    if len(needed) != len(given):
        return game.scores
    meant = [_MEANINGS.get(name, here) for name, here in zip(needed, given, strict=True)]
    if meant != given:
        raise InputError(
            f"a function of {len(needed)} arguments is called with ({', '.join(given)}) in {game}, "
            f"not with ({', '.join(needed)}): name them so, or take three arguments (i, j, k)."
        )
    return game.scores if given == [OWN, OPPONENT, TOTAL] else tuple(game.mesh.values())


_MEANINGS = {"i": OWN, "j": OPPONENT, "k": TOTAL} | {
    name: name for name in (OWN, OPPONENT, DIFFERENCE, LAST_TURN, LEFT, SECOND, TOTAL, ROLLS)
}
"""The quantities that names of arguments stand for."""


def forced_rolls(game: Game) -> Bools:
    """The states in which a player must roll: at the start of a turn, unless passing is allowed."""
    forced: Bools = game.starts & (not game.allow_pass)
    return forced


def _with_forced(game: Game, answers: np.ndarray) -> np.ndarray:
    """The array of a strategy whose answers in decision states are given."""
    roll = np.where(np.broadcast_to(game.decision_states, game.shape), answers, answers.dtype.type(0))
    return np.where(forced_rolls(game), roll.dtype.type(1), roll)


def _answers(game: Game, rule: Callable[..., object], mixed: bool) -> np.ndarray:
    """The array of a strategy by a rule that is called with whole numbers, once for each decision state."""
    answers = np.zeros(game.shape, np.bool_)
    for own, cells, decisions in _decided(game, rule, mixed):
        answers = answers.astype(np.promote_types(answers.dtype, decisions.dtype), copy=False)
        answers[own][cells] = decisions
    return _with_forced(game, answers)


def _call_again(strategy: Strategy, rule: Callable[..., object], mixed: bool) -> None:
    game = strategy.game
    states = int(np.count_nonzero(np.broadcast_to(game.decision_states, game.shape)))
    every = max(1, states // SAMPLE)
    for own, cells, again in _decided(game, rule, mixed, every):
        first = strategy.roll[own][cells]
        different = np.flatnonzero(np.abs(np.subtract(first, again, dtype=np.float64)) > ROUNDING)
        if different.size:
            index = different[0]
            cell = (own, *(int(axis[index]) for axis in cells))
            raise _different_answer(game, cell, first[index], again[index])


def _decided(
    game: Game, rule: Callable[..., object], mixed: bool, every: int = 0
) -> Iterator[tuple[int, tuple[Ints, ...], np.ndarray]]:
    """The decision states along the first axis, by their cells on the others, and the decisions of a rule there.

    With `every` it is a sample of the states, backwards; where it begins differs, so that no turn total is left out.
    """
    decides = np.broadcast_to(game.decision_states, game.shape)
    arguments = [np.broadcast_to(argument, game.shape) for argument in arguments_of(game, rule)]
    for own in range(game.shape[0])[:: -1 if every else 1]:
        cells = np.nonzero(decides[own])
        if every:
            cells = tuple(axis[::-1][own % every :: every] for axis in cells)
        yield own, cells, _called(game, rule, [argument[own][cells].tolist() for argument in arguments], mixed)


def _called(game: Game, rule: Callable[..., object], states: Sequence[Sequence[int]], mixed: bool) -> np.ndarray:
    """The decisions of a rule, as booleans or probabilities; `states` has a sequence for each argument."""
    scalars = (int, float, np.bool_, np.integer, np.floating)  # they are judged together, as one array
    answers: list[object] = []
    try:
        for state in zip(*states, strict=True):
            answers.append(answer := rule(*state))
            if isinstance(answer, scalars):
                continue
            refuse_masked("a decision", answer)
            if np.asarray(answer).size != 1:
                break  # many arrays would fill the memory; the first one is refused below
    except Exception as error:
        if isinstance(error, StopIteration):  # it would end a loop somewhere, as if nothing had happened
            error = RuntimeError("the rule raised StopIteration, as next() does where nothing is left").with_traceback(
                error.__traceback__
            )
        error.add_note(f"at {_state(game, [numbers[len(answers)] for numbers in states])}")
        raise error
    if all(issubclass(kind, scalars) for kind in {*map(type, answers)}):
        values = np.array(answers)
        right = _are_decisions(values, mixed)
    else:
        arrays = [np.asarray(answer) for answer in answers]
        right = np.array([array.size == 1 and bool(_are_decisions(array, mixed).all()) for array in arrays])
        values = np.array([float(array.item()) if fits else 0.0 for array, fits in zip(arrays, right, strict=True)])
    if not right.all():
        number = int(np.argmin(right))
        raise _no_decision(answers[number], mixed, f" at {_state(game, [numbers[number] for numbers in states])}")
    return values.astype(np.float64) if mixed and not np.isin(values, (0, 1)).all() else values == 1


def _state(game: Game, state: Sequence[object]) -> str:
    """A state described with the names of a rule's arguments."""
    names = "ijk" if len(state) == 3 else [axis.name for axis in game.axes]
    return ", ".join(f"{name} = {number}" for name, number in zip(names, state, strict=True))


def _different_answer(game: Game, cell: tuple[int, ...], first: object, again: object) -> InputError:
    arrays = game.scores if len(game.axes) == 3 else game.mesh.values()
    state = _state(game, [np.broadcast_to(array, game.shape)[cell] for array in arrays])
    once, then = (("hold", "roll")[int(x)] if x in (0, 1) else f"roll with a chance of {x:.6g}" for x in (first, again))
    return InputError(
        f"it says {once} at {state} and {then} when it is called again: "
        "a strategy depends on the state alone, not on random numbers or earlier calls."
    )


def _are_decisions(answers: np.ndarray, mixed: bool) -> Bools:
    """Where an array contains a boolean, 0 or 1, or, if `mixed`, a probability."""
    if answers.dtype.kind == "b":
        return np.ones(answers.shape, dtype=np.bool_)
    if answers.dtype.kind not in "iufO":
        return np.zeros(answers.shape, dtype=np.bool_)
    if mixed and answers.dtype.kind == "f":
        inside: Bools = (answers >= 0) & (answers <= 1)
        return inside
    if mixed and answers.dtype.kind == "O":
        return np.array([_is_chance(answer) for answer in answers.flat], dtype=np.bool_).reshape(answers.shape)
    return np.isin(answers, (0, 1))


def _is_chance(answer: object) -> bool:
    return isinstance(answer, np.bool_) or (isinstance(answer, Real) and 0 <= float(answer) <= 1)


def _no_decision(answer: object, mixed: bool, where: str = "") -> InputError:
    if isinstance(answer, np.ndarray) and answer.size != 1:
        return InputError(
            f"the rule returns an array of shape {answer.shape}{where}: it is called for one state and returns one "
            "answer; Strategy(game, array) takes an array of all decisions."
        )
    returned = "nothing" if answer is None else short_repr(answer.item() if isinstance(answer, np.generic) else answer)
    could = "True (or 1) to roll" + (", False (or 0) to hold, or a chance of rolling between 0 and 1." if mixed
                                     else " and False (or 0) to hold.")  # fmt: skip
    return InputError(f"the rule returns {returned}{where}: it must return {could}")


FORMAT = 2  # the format number of mixed strategies and of games other than one-die races, which format 1 does not have


class StrategyRecord(TypedDict):
    """The record in the file, beside the bits."""

    game: GameRecord
    name: str


def load_strategy(path: str | os.PathLike[str]) -> Strategy:
    """Read a strategy written by `Strategy.save`.

    Raises:
        InputError: the file does not exist, is not a strategy, is damaged, or was written by a later pigevo.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pigevo.hold_at(pigevo.Pig(), 25).save(folder + '/mine.npz')
        ...     pigevo.load_strategy(path).name
        'hold_at:25'
    """
    from pigevo.storage.records import archive

    with archive(path, "strategy") as file:
        record: StrategyRecord = file.record("pigevo_strategy", StrategyRecord, FORMAT)
        game = game_from_record(record["game"])
        if "chances" in file.names:
            roll: np.ndarray = file.array("chances", np.float64, game.shape)
        else:
            roll = file.bits("bits", math.prod(game.shape)).astype(np.bool_).reshape(game.shape)
        return Strategy(game, roll, name=record["name"])
