"""One player's turn at given scores, throw by throw, and the equations of one pair of scores.

The equations are written out and solved as by hand in Exeter 2017, section 2.2.  While both scores are unchanged, the
states of a's turn and of b's turn lead to each other: their values are the unknowns.  All other states that they lead
to, at higher scores or, where a score can fall, at lower ones, have values computed by the exact engine.  If play
cannot return, as in a game of turns, the unknowns are only those of a's turn, and the matrix is triangular.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import JsonObject, is_integer
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.exact.evaluate import worth_between
from pigevo.games import Game
from pigevo.games.board import WIN, Board, board_of
from pigevo.games.game import DIFFERENCE, LAST_TURN, LEFT, OPPONENT, OWN, ROLLS, SECOND, TOTAL
from pigevo.strategies import Strategy, same_game
from pigevo.strategies.arguments import checks_arguments

WORDS = {
    OWN: "own score", OPPONENT: "score of the opponent", DIFFERENCE: "lead", LEFT: "number of turns left",
    SECOND: "place in the round", LAST_TURN: "last turn of the opponent", TOTAL: "turn total", ROLLS: "number of rolls",
}  # fmt: skip
"""The names of the axes in messages."""


@dataclass(frozen=True, eq=False)
class TurnStates:
    """The states of a strategy's turn that begins in one state between turns, in the board's numbering."""

    strategy: Strategy
    state: int

    @cached_property
    def board(self) -> Board:
        """The game as arrays."""
        return board_of(self.strategy.game)

    @cached_property
    def rolls(self) -> Floats:
        """The chance of rolling at each state of the turn, shape (W,)."""
        rows, within, length = self.board.rows
        table = self.strategy.table.reshape(rows, within, length)
        return np.array(table[self.state // length, :, self.state % length], dtype=np.float64)

    def held(self, within: int) -> int:
        """The state from which the opponent moves after a hold, or B plus the number of the game's result."""
        return int(self.board.follow[self.board.hold[within], self.state])

    def thrown(self, within: int) -> list[tuple[float, int, bool]]:
        """The outcomes of a throw: chance, next state, and whether that is a state of this turn."""
        board = self.board
        span = slice(board.begin[within], board.begin[within + 1])
        outcomes = zip(board.chances[span].tolist(), board.leads[span].tolist(), strict=True)
        return [(p, t, True) if t >= 0 else (p, int(board.follow[-1 - t, self.state]), False) for p, t in outcomes]

    def is_won(self, within: int) -> bool:
        """Whether the player holds at a state of the turn because the game is won."""
        return self.rolls[within] == 0 and self.held(within) == self.board.states + WIN

    def thrown_to(self) -> list[int]:
        """The states of the turn that throws can lead to under any strategy, sorted."""
        states, left = {0}, [0]
        while left:
            leads = {lead for _, lead, inside in self.thrown(left.pop()) if inside} - states
            states |= leads
            left.extend(leads)
        return sorted(states)

    def reached(self) -> list[int]:
        """The states of the turn that the strategy can reach before the game is won, sorted."""
        states, left = {0}, [0]
        while left:
            within = left.pop()
            if self.rolls[within] == 0:
                continue
            for _, lead, inside in self.thrown(within):
                if inside and lead not in states and not self.is_won(lead):
                    states.add(lead)
                    left.append(lead)
        return sorted(states)

    def place(self, within: int) -> dict[str, int]:
        """The values on the game's axes at a state of the turn, by axis name."""
        game = self.strategy.game
        cells = np.unravel_index(self.state, tuple(len(axis.values) for axis in game.between))
        inside = np.unravel_index(within, tuple(len(axis.values) for axis in game.within))
        return {axis.name: axis.values[int(n)] for axis, n in zip(game.axes, (*cells, *inside), strict=True)}


def state_between(game: Game, own: int, opponent: int, **at: int) -> int:
    """The number of a state between turns in the view of the player to move, whose score is `own`.

    `at` may have `left` (the player's remaining turns, by default all), `second` (1 for the player who moves last in a
    round) and `last_turn` (the points that the opponent banked last), in games that have them.
    """
    values = {OWN: own, OPPONENT: opponent, DIFFERENCE: 0, LEFT: game.turns, SECOND: 0, LAST_TURN: 0} | at
    names = [axis.name for axis in game.between]
    refuse_unused_axes(at, names, game)
    for name in (OWN, OPPONENT, *at):
        _refuse_no_number(name, values[name])
    values[DIFFERENCE] = own - opponent
    for axis in game.between:
        _refuse_outside(axis.name, values[axis.name], axis.values)
    index = tuple(values[axis.name] - axis.values[0] for axis in game.between)
    return int(np.ravel_multi_index(index, tuple(len(axis.values) for axis in game.between)))


def state_within(game: Game, total: int, rolls: int | None = None) -> int:
    """The number of a state of a turn; `rolls` matters in some games, and is 1 by default, or 0 at total 0."""
    refuse_unused_axes({} if rolls is None else {ROLLS: rolls}, [axis.name for axis in game.within], game)
    _refuse_no_number(TOTAL, total)
    values = {TOTAL: total, ROLLS: int(total != 0) if rolls is None else rolls}
    for axis in game.within:
        _refuse_no_number(axis.name, values[axis.name])
        _refuse_outside(axis.name, values[axis.name], axis.values)
    if (values[TOTAL] == 0) != (values[ROLLS] == 0):
        raise InputError(
            f"a turn total of {total} after {values[ROLLS]} rolls cannot be: it is 0 before the first roll, and "
            "above 0 after it."
        )
    index = tuple(values[axis.name] for axis in game.within)
    return int(np.ravel_multi_index(index, tuple(len(axis.values) for axis in game.within)))


def refuse_unused_axes(at: dict[str, int], names: list[str], game: Game) -> None:
    """Refuse arguments that the states of the game do not distinguish."""
    for name in at:
        if name not in names:
            raise InputError(f"in {game} nothing depends on {WORDS.get(name, name)}: leave it out.")


def _refuse_no_number(name: str, value: int) -> None:
    if not is_integer(value) or value < 0:
        raise InputError(f"{short_repr(value)} cannot be the {WORDS[name]}: it must be a whole number, at least 0.")


def _refuse_outside(name: str, value: int, values: range) -> None:
    if value not in values:
        raise InputError(
            f"{'an' if WORDS[name][0] in 'aeiou' else 'a'} {WORDS[name]} of {short_repr(value)} is outside the game: "
            f"it must be from {values[0]} to {values[-1]}."
        )


LARGEST_DENOMINATOR = 1000

StateKey = tuple[int, int]
"""A state: player (0 is a, 1 is b), and number within the turn."""


@dataclass(frozen=True)
class Unknown:
    """An unknown win probability, with its name in the equations: `P(97,99,0)`.

    `player` (0 for a, 1 for b) is to move, and rolls with probability `rolls`; `place` is the state in its view.
    """

    name: str
    player: int
    place: Mapping[str, int]
    rolls: float


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of one pair of scores: `matrix @ values = constants`.

    Each of the n unknowns, a's turn first, has an equation as text; `matrix` has shape (n, n). `meaning` explains the
    letters; `known` has the probabilities in the equations that are not unknowns.
    """

    game: str
    a: str
    b: str
    meaning: Mapping[str, str]
    unknowns: tuple[Unknown, ...]
    equations: tuple[str, ...]
    matrix: Floats
    constants: Floats
    values: Floats
    known: Mapping[str, float]

    @property
    def as_json(self) -> JsonObject:
        """Plain values that JSON can hold."""
        return {
            "game": self.game,
            "a": self.a,
            "b": self.b,
            "meaning": dict(self.meaning),
            "unknowns": [
                {
                    "name": unknown.name,
                    "state": dict(unknown.place),
                    "rolls": unknown.rolls,
                    "equation": equation,
                    "value": value,
                }
                for unknown, equation, value in zip(self.unknowns, self.equations, self.values.tolist(), strict=True)
            ],
            "matrix": self.matrix.tolist(),
            "constants": self.constants.tolist(),
            "known": dict(self.known),
        }


@checks_arguments
def explain_scores(a: Strategy, b: Strategy, own: int, opponent: int, **at: int) -> Equations:
    """The win probabilities in all states of one pair of scores, as linear equations with their solution.

    In constant-sum games `P` is the win probability of `a` when `a` is to move and `Q` that of `b` when `b` is to move,
    as in the report. In other games (passing is allowed, or a draw is not worth a half) both letters stand for the win
    probability of `a`, and the second one is `R`.

    Args:
        a: the strategy of the player to move.
        b: the opponent's strategy.
        own: the banked score of a.
        opponent: the banked score of b.
        at: `left`, `second` and `last_turn`, in games that have them (see `pigevo.exact.equations.state_between`).

    Raises:
        InputError: the strategies are for different games, or the scores are outside the game.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig()
        >>> at_97_99 = pigevo.explain_scores(pigevo.hold_at(game, 2), pigevo.hold_at(game, 20), 97, 99)
        >>> at_97_99.equations[0]
        'P(97,99,0) = 1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3'
        >>> round(float(at_97_99.values[0]), 6)
        0.710204
    """
    same_game(a, b)
    return _System(a, b, state_between(a.game, own, opponent, **at)).solved()


@dataclass(frozen=True)
class _Lead:
    """The value after a throw or a hold: that of the unknown `key`, or a known one; 1 minus it if `flipped`."""

    name: str = ""
    key: StateKey | None = None
    value: float = 0.0
    flipped: bool = False


class _System:
    """The unknowns of a pair of scores and their equations, collected one by one."""

    def __init__(self, a: Strategy, b: Strategy, state: int) -> None:
        first = TurnStates(a, state)
        back = int(first.board.partner[state])
        self.a, self.b, self.states = a, b, first.board.states
        # In a constant-sum game an equation may use 1 minus the opponent's win probability, as the report does.
        self.flips = a.game.constant_sum
        self.turns = (first, TurnStates(b, back)) if back >= 0 else (first,)
        self.worths = worth_between(a, b)
        keys: list[StateKey] = [(player, within) for player, turn in enumerate(self.turns) for within in turn.reached()]
        self.row_of = {key: row for row, key in enumerate(keys)}

    def solved(self) -> Equations:
        matrix, constants, texts = np.eye(len(self.row_of)), np.zeros(len(self.row_of)), []
        known: dict[str, float] = {}
        # Each equation is `P - sum of chance * unknown = constant`. A flipped lead is worth `1 - Q`: its 1 is part of
        # the constant, and Q has the opposite sign.
        for key, row in self.row_of.items():
            leads = self.leads(key)
            for lead, chance in leads.items():
                sign = -1.0 if lead.flipped else 1.0
                constants[row] += chance * (lead.flipped + sign * lead.value)
                if lead.key is not None:
                    matrix[row, self.row_of[lead.key]] -= sign * chance
                elif lead.name:
                    known[lead.name] = lead.value
            texts.append(f"{self.name(key)} = {_sum(leads)}")
        unknowns = tuple(
            Unknown(self.name(key), key[0], self.turns[key[0]].place(key[1]), self.chance(key)) for key in self.row_of
        )
        values = np.asarray(np.linalg.solve(matrix, constants), np.float64)
        meaning = self.meaning([*known, *(unknown.name for unknown in unknowns)])
        names = self.a.name, self.b.name
        return Equations(str(self.a.game), *names, meaning, unknowns, tuple(texts), matrix, constants, values, known)

    def meaning(self, names: Sequence[str]) -> dict[str, str]:
        """The meaning of the letters in the names."""
        axes = ", ".join(axis.name.replace("_", " ") for axis in self.a.game.axes)
        winners = ("a", self.a.name), (("b", self.b.name) if self.flips else ("a", self.a.name))
        events = (
            f"{who}, {name}, wins, with {mover} to move" for (who, name), mover in zip(winners, "ab", strict=True)
        )
        letters = {self.letter(player): event for player, event in enumerate(events)}
        used = {name[0] for name in names}
        return {f"{letter}({axes})": event for letter, event in letters.items() if letter in used}

    def letter(self, player: int) -> str:
        """The letter of a player's unknowns: `P`, and `Q` or `R` (`explain_scores`)."""
        return "P" if player == 0 else "Q" if self.flips else "R"

    def name(self, key: StateKey) -> str:
        """The name of an unknown: `P(97,99,0)`."""
        player, within = key
        place = ",".join(map(str, self.turns[player].place(within).values()))
        return f"{self.letter(player)}({place})"

    def chance(self, key: StateKey) -> float:
        """The probability that the player rolls in the state."""
        return float(self.turns[key[0]].rolls[key[1]])

    def leads(self, key: StateKey) -> dict[_Lead, float]:
        """The terms of an unknown's equation, each with its probability; those of equal terms are added up."""
        player, within = key
        turn, rolls, chances = self.turns[player], self.chance(key), dict[_Lead, float]()
        ways = [(p * rolls, self.inside(player, to) if inside else self.outside(player, to))
                for p, to, inside in (turn.thrown(within) if rolls else [])]  # fmt: skip
        if rolls < 1:
            ways.append((1 - rolls, self.held(player, within)))
        for chance, lead in ways:
            chances[lead] = chances.get(lead, 0.0) + chance
        return chances

    def inside(self, player: int, within: int) -> _Lead:
        """The term for a state of the same turn."""
        if self.turns[player].is_won(within):
            return self.outside(player, self.states + WIN)
        return _Lead(self.name((player, within)), (player, within))

    def held(self, player: int, within: int) -> _Lead:
        """The term for a hold; where both players always pass, nobody wins."""
        is_stalemate = within == 0 and len(self.turns) == 2 and all(turn.rolls[0] == 0 for turn in self.turns)
        return _Lead() if is_stalemate else self.outside(player, self.turns[player].held(within))

    def outside(self, player: int, to: int) -> _Lead:
        """The term for the beginning of the opponent's turn, or for the end of the game."""
        opponent = 1 - player
        value = float(self.worths[opponent][to])  # in the view of a
        if to >= self.states:
            return _Lead(value=1 - value if self.flips and player else value)
        if len(self.turns) == 2 and to == self.turns[opponent].state:
            return _Lead(self.name((opponent, 0)), (opponent, 0), flipped=self.flips)
        place = ",".join(map(str, TurnStates((self.a, self.b)[opponent], to).place(0).values()))
        value = 1 - value if self.flips and opponent else value
        return _Lead(f"{self.letter(opponent)}({place})", value=value, flipped=self.flips)


def _sum(leads: Mapping[_Lead, float]) -> str:
    """A sum of terms in the notation of the report: `1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3`."""
    words = []
    for lead, chance in leads.items():
        if lead.name:
            inner = f"1 - {lead.name}" if lead.flipped else lead.name
            words.append(inner if chance == 1 else f"{_number(chance)} {f'({inner})' if lead.flipped else inner}")
    plain = sum(chance * lead.value for lead, chance in leads.items() if not lead.name)
    return " + ".join([*words, *([_number(plain)] if plain or not words else [])])


def _number(value: float) -> str:
    """A number as text, as a fraction if numerator and denominator are small."""
    near = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return str(near) if abs(float(near) - value) < 1e-12 else f"{value:.6f}"
