"""The rules of a game as data, and what a strategy for it can depend on.

A turn is a sequence of throws.  Each throw either adds points to the turn total or ends the turn; before any throw the
player may hold instead and bank the turn total.  The game is a race to `target` points, in which the other player may
have a last turn, or it lasts `turns` turns for each player.  Everything else, such as the shape of strategy arrays and
the exact engine, follows from these data.
"""

from __future__ import annotations

import copy
import inspect
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, replace
from functools import cache, cached_property
from types import EllipsisType
from typing import ClassVar, Literal

from pigevo.core.array_names import Bools, ComputedAgain, Ints
from pigevo.core.checked_values import checked, is_integer, is_real
from pigevo.core.imports import numpy as np
from pigevo.core.registry import Registry, hints_of
from pigevo.core.text import counted, short_repr
from pigevo.errors import InputError

GAMES = Registry("game", package="pigevo.games")

OWN, OPPONENT, TOTAL = "own", "opponent", "total"
LEFT, SECOND, DIFFERENCE = "left", "second", "difference"
ROLLS, LAST_TURN = "rolls", "last_turn"
REMEMBERED = (ROLLS, LAST_TURN)
REPLIES, LEVELS = ("", "second", "other"), ("draw", "kept")

LARGEST_TARGET = 1000
"""The largest target: its strategies have a thousand million cells each; solving it takes a minute and 4 GiB."""


@dataclass(frozen=True)
class Throw:
    """One possible outcome of a throw.

    An outcome never banks the turn total: throws that end the turn and keep it cannot be described.

    Args:
        points: the points that it adds to the turn total; if it ends the turn, the points that the turn still scores;
            0 if the whole score is lost.
        chance: its probability.
        ends: empty if the turn goes on (an outcome of 0 points is thrown again); `turn` if the turn ends and its total
            is lost; `score` if the whole score is lost, too.
    """

    points: int
    chance: float
    ends: Literal["", "turn", "score"] = ""


ENDS = ("", "turn", "score")

Faces = tuple[tuple[tuple[str, ...], Throw], ...]
"""The ways in which the thrown pieces can land, a face for each piece, with their outcomes."""


@dataclass(frozen=True)
class Axis:
    """One axis of a strategy's array: a quantity on which decisions may depend.

    Args:
        name: `own`, `opponent` (banked scores), `difference` (own minus opponent's), `left` (turns that the player
            to move still has, this one included), `second` (1 for the player who moves last in a round), `last_turn`
            (the points that the opponent banked last), `total` (the turn total), `rolls` (those of this turn).
        values: the value that each index on the axis stands for.
    """

    name: str
    values: range


class Game(ComputedAgain):
    """The rules of a game of two players.

    A game is a frozen dataclass that inherits from this class and overrides the values below where it differs.

    `str(game)` is a name for people, `Pig to 100`, with unusual options; `repr(game)` is Python code that makes it
    again.

    Attributes:
        title: the game's name for people; by default the name of the class.
        target: points that win at once; 0 where the number of turns ends the game.
        reply: who has a last turn after the other player has reached the target: empty for nobody, `second` for the
            player who moves second in the round (both then have equally many turns), `other` for either player. Then
            the higher score wins.
        turns: the number of turns of each player in a game without target; then the higher score wins.
        level: the result of equal scores at the end: a `draw`, or `kept`, a win of the player who reached the target
            first.
        draw: the value of a draw to either player.
        cap: in a game of turns, the turn total and the lead from which a player holds; arrays end there, and where a
            throw may lose the whole score, each score counts up to it and no further. In a race, the score that wins at
            once, if that is not the target: a player who has reached the target can then roll on, and must hold to have
            it counted.
        allow_pass: whether a player may hold at a turn total of 0.
        most_rolls: the largest number of rolls in a turn that decisions can distinguish, if they may depend on it.
    """

    title: ClassVar[str] = ""
    target: int = 0
    reply: Literal["", "second", "other"] = ""
    turns: int = 0
    level: Literal["draw", "kept"] = "draw"
    draw: float = 0.5
    cap: int = 0
    allow_pass: bool = False
    most_rolls: int = 24

    @property
    def rules_in_words(self) -> str:
        """The rules in a few sentences, which say what a throw brings and how the game ends."""
        return f"{self._throws_in_words} {self._end_in_words}".strip()

    @property
    def _throws_in_words(self) -> str:
        prose = (inspect.getdoc(type(self)) or "").partition("\n\n")[0]
        if prose.startswith(f"{type(self).__name__}("):  # the signature, which a dataclass has in place of a docstring
            prose = ""
        return re.sub(r"`(\w+)`", lambda match: str(getattr(self, match[1])), " ".join(prose.split()))

    @property
    def _end_in_words(self) -> str:
        level = (
            "equal scores are a draw"
            if self.level == "draw"
            else f"at equal scores the player who reached {self.target} first wins"
        )
        if self.turns:
            counted_to = f", counted up to {self.cap}," if self.falls else ""
            return f"After {self.turns} turns each the higher score{counted_to} wins; {level}."
        if self.must_hold:
            return (
                f"The first to bank {self.target} wins; a player with {self.target} may roll on, and must hold to win."
            )
        if not self.reply:
            return f"The first to have {self.target} wins."
        who = "the player who moves second still has" if self.reply == "second" else "the other player still has"
        return f"After a score of {self.target} {who} a last turn; then the higher score wins, and {level}."

    def __str__(self) -> str:
        length = f"to {self.target}" if self.target else f"of {counted(self.turns, 'round')}"
        options = [f for f in getattr(self, "__dataclass_fields__", {}).values() if f.init and f.repr]
        unusual = [
            f"{f.name}={getattr(self, f.name)!r}"
            for f in options
            if f.name not in ("target", "turns") and getattr(self, f.name) != f.default
        ]
        return f"{self.title or type(self).__name__} {length}" + (f" ({', '.join(unusual)})" if unusual else "")

    @cached_property
    def remembers(self) -> tuple[str, ...]:
        """Further quantities that decisions may depend on (`rolls` or `last_turn`)."""
        return ()

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw; a game defines these or the faces."""
        if type(self).faces is Game.faces:
            raise NotImplementedError("a game defines throws, or faces, as a property that gives a tuple")
        return merged(throw for _, throw in self.faces)

    @property
    def first_throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of the first throw of a turn."""
        return self.throws

    @property
    def faces(self) -> Faces:
        """The ways in which the thrown pieces can land, with their outcomes and probabilities.

        By default it is one die: its face is the points, or the 1 that ends the turn.
        """
        thrown = dict.fromkeys((*self.throws, *self.first_throws))
        return tuple((plain_face(throw), throw) for throw in thrown)

    @cached_property
    def effective_throws(self) -> tuple[Throw, ...]:
        """`throws` as they are solved and played.

        An outcome of 0 points after which the turn goes on changes nothing and is thrown again, so the chances of the
        others are divided by their sum.
        """
        moving, blank = _without_blanks(self.throws)
        return tuple(replace(t, chance=t.chance / (1 - blank)) for t in moving) if blank else self.throws

    @cached_property
    def first_effective_throws(self) -> tuple[Throw, ...]:
        """The same for `first_throws`, with the outcomes of later throws if the first one is thrown again."""
        if self.first_throws == self.throws:
            return self.effective_throws
        moving, blank = _without_blanks(self.first_throws)
        again = (replace(t, chance=t.chance * blank) for t in self.effective_throws)
        return merged((*moving, *again)) if blank else self.first_throws

    @property
    def die(self) -> tuple[tuple[int, float], ...]:
        """The points that a throw can gain, with their probabilities, sorted by points."""
        return tuple(sorted((t.points, t.chance) for t in self.effective_throws if not t.ends))

    @cached_property
    def bust(self) -> float:
        """The probability that a throw ends the turn."""
        return math.fsum(throw.chance for throw in self.effective_throws if throw.ends)

    @property
    def must_hold(self) -> bool:
        """Whether a player who has reached the target in a turn can roll on, and wins by holding."""
        return bool(self.target and self.cap and not self.reply)

    @property
    def hold_to_win(self) -> Game | None:
        """The same game where a player must hold to win; None if there is none."""
        return self if self.must_hold else None

    @property
    def one_die(self) -> bool:
        """Whether it is a `plain_race` in which whoever reaches the target wins at once; the fast engines play these.

        `Pig`, `Piglet` and `Race` are. Other games with one die, such as Progressive Pig or Hold-to-win Pig, have other
        throws or another end, and the general engines play them.
        """
        return self.plain_race and not self.cap

    @property
    def plain_race(self) -> bool:
        """Whether it is a race in which every throw gains points or loses the turn total, and only scores count.

        A race in which a `cap` lets players roll on at the target is a plain race, too, but no `one_die` race.
        """
        lost = all(t.ends == "turn" and t.points == 0 for t in self.effective_throws if t.ends)
        alike = self.first_effective_throws == self.effective_throws and not self.remembers
        return self.target > 0 and lost and alike and not self.reply

    @property
    def can_draw(self) -> bool:
        """Whether equal scores at the end count as a draw."""
        return self.level == "draw" and bool(self.turns or self.reply)

    @property
    def sums_to_one(self) -> bool:
        """Whether both players' values of a finished game add up to 1 (draws are impossible or worth a half)."""
        return self.draw == 0.5 or not self.can_draw

    @property
    def constant_sum(self) -> bool:
        """Whether the game is constant-sum (no stalemate is possible, and a draw is worth a half)."""
        return self.sums_to_one and (self.turns > 0 or not self.allow_pass)

    @property
    def rules(self) -> tuple[object, ...]:
        """Everything that affects play. Two games with the same rules are the same game."""
        end = (self.target,) if self.target else (self.turns, self.draw, self.cap)
        outcomes = (self.throws, self.first_throws)
        thrown = tuple(tuple((t.points, t.chance, t.ends) for t in throws) for throws in outcomes)
        memory = (self.remembers, self.most_rolls if ROLLS in self.remembers else 0)
        reply = (self.reply, self.level, self.draw, self.cap) if self.reply else ()
        must_hold = ("must hold", self.cap) if self.must_hold else ()
        return ("game", *end, *thrown, self.allow_pass, *memory, *reply, *must_hold)

    @property
    def falls(self) -> bool:
        """Whether a throw can lose the whole score."""
        return any(t.ends == "score" for t in (*self.throws, *self.first_throws))

    @cached_property
    def between(self) -> tuple[Axis, ...]:
        """The axes that do not change during a turn."""
        last = (Axis(LAST_TURN, range(self.size)),) if LAST_TURN in self.remembers else ()
        if self.target:
            second = (Axis(SECOND, range(2)),) if self.reply == "second" else ()
            most = self.size if self.reply else self.target
            return (*last, *second, Axis(OWN, range(self.target)), Axis(OPPONENT, range(most)))
        round_ = (Axis(LEFT, range(1, self.turns + 1)), Axis(SECOND, range(2)))
        if self.falls:  # a player who can lose the whole score must know it
            return (*last, *round_, Axis(OWN, range(self.cap + 1)), Axis(OPPONENT, range(self.cap + 1)))
        return (*last, *round_, Axis(DIFFERENCE, range(-self.cap, self.cap + 1)))

    @cached_property
    def within(self) -> tuple[Axis, ...]:
        """The axes that change from throw to throw."""
        rolls = (Axis(ROLLS, range(self.most_rolls + 1)),) if ROLLS in self.remembers else ()
        return (Axis(TOTAL, range(self.size)), *rolls)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of a strategy's array."""
        return (*self.between, *self.within)

    @property
    def size(self) -> int:
        """The turn total from which every player holds; in a race the score that wins at once."""
        return self.cap or self.target

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of a strategy array."""
        return tuple(len(axis.values) for axis in self.axes)

    @property
    def cells(self) -> int:
        """The number of cells of a strategy array."""
        return math.prod(self.shape)

    @property
    def layout(self) -> tuple[int, ...]:
        """The order of the axes in memory, as the engines read decisions. The last score is contiguous."""
        last = len(self.between) - 1
        return (*range(last), *range(last + 1, len(self.axes)), last)

    def from_layout(self, rows: np.ndarray) -> np.ndarray:
        """The array of a strategy from an array of any shape in the order of `layout`."""
        return rows.reshape([self.shape[axis] for axis in self.layout]).transpose(np.argsort(self.layout))

    @cached_property
    def mesh(self) -> dict[str, Ints]:
        """The values along each axis by its name, as arrays that broadcast against each other."""
        arrays = np.meshgrid(*(np.array(axis.values) for axis in self.axes), indexing="ij", sparse=True)
        for array in arrays:  # users' rules are called with these
            array.setflags(write=False)
        return {axis.name: array for axis, array in zip(self.axes, arrays, strict=True)}

    @property
    def scores(self) -> tuple[Ints, Ints, Ints]:
        """Own score, opponent's score and turn total, to broadcast; in some games only differences matter."""
        mesh = self.mesh
        own = mesh.get(OWN, mesh.get(DIFFERENCE))
        assert own is not None
        return own, mesh.get(OPPONENT, np.zeros_like(own)), mesh[TOTAL]

    def cell(self, **at: int) -> tuple[int, ...]:
        """The cell for given values by axis name; a value beyond the end of an axis is clipped."""
        return tuple(min(max(at[a.name] - a.values[0], 0), len(a.values) - 1) for a in self.axes)

    @cached_property
    def starts(self) -> Bools:
        """The cells where a turn begins, as an array to broadcast."""
        starts: Bools = (self.mesh[TOTAL] == 0) & (self.mesh.get(ROLLS, self.mesh[TOTAL]) == 0)
        starts.setflags(write=False)
        return starts

    @property
    def beginning(self) -> tuple[EllipsisType | int, ...]:
        """The index of the cells where a turn begins."""
        return (..., *[0] * len(self.within))

    @cached_property
    def decision_states(self) -> Bools:
        """The cells that play can consult, as an array to broadcast.

        There the game is not won yet, and the turn has a throw already, or passing is allowed.
        """
        thrown = (self.mesh[TOTAL] > 0) & (self.mesh.get(ROLLS, self.mesh[TOTAL]) > 0)
        decided: Bools = thrown | (self.starts & self.allow_pass)
        if self.target:
            decided = decided & (self.mesh[OWN] + self.mesh[TOTAL] < self.size)
        decided.setflags(write=False)
        return decided

    def __post_init__(self) -> None:
        """Refuse rules that the engines cannot play."""
        of_dataclass: Mapping[str, Field[object]] = getattr(self, "__dataclass_fields__", {})
        chosen = [own for own in of_dataclass.values() if own.init and getattr(self, own.name) is not own.default]
        self._check_fields(*(own.name for own in chosen))
        for throws in (self.throws, self.first_throws):
            if not isinstance(throws, tuple) or not all(isinstance(throw, Throw) for throw in throws):
                raise InputError("throws must be a property that gives a tuple of Throw, the same in every state: what "
                                 "a throw brings cannot depend on the scores or the turn total.")  # fmt: skip
            _check_throws(throws)
        if type(self).faces is not Game.faces and not _are_faces(self.faces):
            raise InputError(
                "faces must be a property that gives a tuple of pairs, the texts of what lies and the Throw that it "
                "brings, as ((('2', '3'), Throw(5, 1.0)),)."
            )
        self._check_blanks()
        self._check_end()
        for name in self.remembers:
            if name not in REMEMBERED:
                raise InputError(f"a decision cannot depend on {name!r}: choose among {', '.join(REMEMBERED)}.")
        self._check_identity()

    def _check_identity(self) -> None:
        """Refuse games that cannot be told apart: results are kept by game, and fields decide which one it is."""
        name, of_dataclass = type(self).__name__, getattr(self, "__dataclass_fields__", {})
        if hidden := [own.name for own in of_dataclass.values() if own.init and not own.compare]:
            raise InputError(f"{name}.{hidden[0]} must count when games are compared: leave compare=False out.")
        try:
            hash(self)
        except TypeError as error:
            raise InputError(
                f"{name} must be a dataclass with frozen=True whose fields are numbers, words, True or False, or "
                f"tuples of these, so that games can be told apart ({error})."
            ) from error
        if hash(twin := copy.copy(self)) != hash(self) and twin == self:
            raise InputError(f"{name} has another hash each time: leave __hash__ to the dataclass.")

    def _check_fields(self, *names: str) -> None:
        """Refuse what the annotations of fields do not allow, such as a text for a truth value."""
        hints = _hints_of(type(self))  # type: ignore[arg-type]  # the class is hashable, whatever its objects are
        for name in names:
            value = getattr(self, name)
            plain = _plain(value)
            if isinstance(value, np.generic | tuple) and repr(plain) != repr(value):  # numpy writes numbers differently
                object.__setattr__(self, name, plain)
            checked(plain, hints.get(name, object), f"{type(self).__name__}.{name}")

    def _check_blanks(self) -> None:
        blank = "a throw of 0 points that leaves the turn going on cannot be played where "
        if ROLLS in self.remembers and any(_without_blanks(throws)[1] for throws in (self.throws, self.first_throws)):
            raise InputError(blank + "decisions depend on the rolls of the turn.")
        if self.allow_pass and self.first_throws != self.throws and _without_blanks(self.first_throws)[1]:
            raise InputError(
                blank + "a player may hold after it and the first throw of a turn differs from later ones."
            )

    def _check_end(self) -> None:
        for name in ("target", "turns", "cap", "most_rolls"):
            value = getattr(self, name)
            if not is_integer(value) or not 0 <= value <= 2 * LARGEST_TARGET:
                raise InputError(
                    f"{name} = {short_repr(value)} cannot be played: it must be a whole number from 0 to "
                    f"{2 * LARGEST_TARGET}."
                )
        if not is_real(self.draw) or not 0 <= self.draw <= 1:
            raise InputError(f"a draw is worth from 0 to 1 to either player, not {short_repr(self.draw)}.")
        if bool(self.target) == bool(self.turns):
            raise InputError("a game ends by a target or by a number of turns: give one of them.")
        if self.turns and self.cap < 1:
            raise InputError("a game of turns needs a cap: the turn total at which every player holds.")
        if self.reply not in REPLIES or self.level not in LEVELS:
            raise InputError("reply is '' or 'second' or 'other', and level is 'draw' or 'kept'.")
        if self.turns and (self.reply or self.level != "draw"):
            raise InputError("a game of turns has no reply, and equal scores in it are a draw.")
        if self.target and self.cap <= self.target and (self.reply or self.cap):
            raise InputError("a race with a reply or a cap needs a cap above its target: the score that wins at once.")


def _plain(value: object) -> object:
    """A number of numpy as one of Python; also inside tuples."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value


_hints_of = cache(hints_of)  # of a class of games


_rules_of: dict[Game, tuple[object, ...]] = {}  # of all games that were made
MOST_GAMES = 100_000  # the number of games whose rules are remembered at a time


def require_known_rules(game: Game) -> None:
    """Refuse a game whose rules are other ones than before although its fields are the same."""
    if len(_rules_of) >= MOST_GAMES:
        _rules_of.clear()
    known = _rules_of.get(game)
    if known is None:
        _rules_of[copy.copy(game)] = game.rules  # without what the game has computed
    elif known != game.rules:
        raise InputError(
            f"{game} has had other rules before. Results are kept by game, and the fields of its class tell which game "
            f"it is: let every value that decides the rules of {type(game).__name__} be a field."
        )


def require_game(function: str, game: object) -> None:
    """Refuse what a function was given as its game if it is none, or cannot be told from another one."""
    if not isinstance(game, Game):
        raise no_game(function, "game", game)
    require_known_rules(game)


def no_game(function: str, name: str, value: object) -> InputError:
    """The error of an argument that should be a game."""
    instead = "its .game is one" if isinstance(getattr(value, "game", None), Game) else "pigevo.Pig() is one"
    what = "an array" if isinstance(value, np.ndarray) else short_repr(value)
    return InputError(f"{function}: {name} must be a game, not {what}: {instead}.")


def merged(throws: Iterable[Throw]) -> tuple[Throw, ...]:
    """Throws in which the chances of equal outcomes are added up."""
    chances: dict[tuple[str, int], list[float]] = {}
    for throw in throws:
        chances.setdefault((throw.ends, throw.points), []).append(throw.chance)
    return tuple(Throw(points, math.fsum(parts), ends) for (ends, points), parts in sorted(chances.items()))  # type: ignore[arg-type]


def plain_face(throw: Throw) -> tuple[str]:
    """The face of one die that brings a throw: its points, or the 1 that ends the turn."""
    return ("1" if throw.ends else str(throw.points),)


def _are_faces(faces: object) -> bool:
    return isinstance(faces, tuple) and all(isinstance(pair, tuple) and _is_face(*pair) for pair in faces)


def _is_face(texts: object = None, throw: object = None, *more: object) -> bool:
    is_text = isinstance(texts, tuple) and bool(texts) and all(isinstance(text, str) for text in texts)
    return is_text and isinstance(throw, Throw) and not more


def _check_throws(throws: tuple[Throw, ...]) -> None:
    for throw in throws:
        if not is_integer(throw.points) or not 0 <= throw.points <= LARGEST_TARGET:
            raise InputError(
                f"a throw of {short_repr(throw.points)} points cannot be played: it gains a whole number of points "
                f"from 0 to {LARGEST_TARGET}."
            )
        if not is_real(throw.chance) or not 0 <= throw.chance <= 1:
            raise InputError(f"the probability of a throw must be from 0 to 1, not {short_repr(throw.chance)}.")
    if abs(math.fsum(t.chance for t in throws) - 1) > 1e-9 or min(t.chance for t in throws) < 0:
        raise InputError("the probabilities of a throw must be at least 0 and add up to 1.")
    if wrong := [t.ends for t in throws if t.ends not in ENDS]:
        raise InputError(f"a throw's ends is '' or 'turn' or 'score', not {short_repr(wrong[0])}.")
    if scored := [t.points for t in throws if t.ends == "score" and t.points]:
        raise InputError(
            f"a throw that loses the whole score cannot score {scored[0]} in the same turn: give it 0 points."
        )
    if all(t.ends or not t.points for t in throws):
        raise InputError("throws that never gain points, or always end the turn, cannot be played with: give a gain.")


def _without_blanks(throws: tuple[Throw, ...]) -> tuple[tuple[Throw, ...], float]:
    """The throws that change something, and the chance of a throw that changes nothing."""
    moving = tuple(t for t in throws if t.ends or t.points)
    return moving, math.fsum(t.chance for t in throws if not (t.ends or t.points))
