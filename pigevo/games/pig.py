"""Pig: one face of a die busts, the others gain their number; for any die, and any busting faces."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within, is_integer, is_real
from pigevo.core.registry import Options
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games.game import GAMES, LARGEST_TARGET, Faces, Game, Throw
from pigevo.games.race import Gains, Race

SIDES = 6
MOST_SIDES = 1000
SHOWN = 12  # the largest number of faces that are listed one by one


@dataclass(frozen=True)
class NumberedDie:
    """A die in normal form: a field with its usual value is empty, so that equal dice are equal values.

    Args:
        sides: the number of faces.
        numbers: the numbers on the faces, sorted; empty if they are 1 to `sides`.
        losing: the numbers that bust, sorted; empty if only the lowest one busts.
        weights: the relative frequencies of the faces; empty if all are equal.

    Raises:
        InputError: as for `Pig`.
    """

    sides: int
    numbers: tuple[int, ...] = ()
    losing: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()

    @staticmethod
    def of(sides: object, numbers: object, losing: object, weights: object) -> NumberedDie:
        """The die given by options, checked."""
        faces = _faces(sides, _listed(numbers))
        loads = _loads(_listed(weights), faces)
        busts = _busts(_listed(losing), faces)
        sorted_faces = sorted(zip(faces, loads, strict=True))
        sorted_numbers = tuple(int(face) for face, _ in sorted_faces)
        return NumberedDie(
            sides=len(faces),
            numbers=() if sorted_numbers == tuple(range(1, len(faces) + 1)) else sorted_numbers,
            losing=() if busts == (min(faces),) else busts,
            weights=() if len(set(loads)) == 1 else tuple(float(load) for _, load in sorted_faces),
        )

    @property
    def faces(self) -> tuple[int, ...]:
        """The number on each face."""
        return self.numbers or tuple(range(1, self.sides + 1))

    @property
    def busts(self) -> tuple[int, ...]:
        """The numbers that bust."""
        return self.losing or (min(self.faces),)

    @property
    def loads(self) -> tuple[float, ...]:
        """The relative frequency of each face."""
        return self.weights or (1,) * self.sides

    def chance_of(self, numbers: Sequence[int]) -> float:
        """The probability of any of some numbers."""
        these = [load for face, load in zip(self.faces, self.loads, strict=True) if face in numbers]
        return math.fsum(these) / math.fsum(self.loads)

    def __str__(self) -> str:
        what = f"faces {enumerated(self.faces)}" if self.numbers or self.weights else f"{self.sides} sides"
        parts = [f"with {what}"] if self.numbers or self.weights or self.sides != SIDES else []
        parts += [f"of weights {enumerated(self.weights)}"] if self.weights else []
        parts += [f"where {_do_bust(self.losing)}"] if self.losing else []
        return " ".join(parts)


def _listed(values: object) -> tuple[object, ...]:
    """Values as a tuple; a single value is a list of one."""
    return tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else (values,)


def _faces(sides: object, numbers: tuple[object, ...]) -> tuple[int, ...]:
    if not is_integer(sides) or not 2 <= sides <= MOST_SIDES:
        raise InputError(f"a die must have from 2 to {MOST_SIDES} sides, not {sides!r}.")
    if not numbers:
        return tuple(range(1, sides + 1))
    if not 2 <= len(numbers) <= MOST_SIDES:
        raise InputError(f"a die must have from 2 to {MOST_SIDES} faces, not {len(numbers)}.")
    faces: list[int] = []
    for face in numbers:
        if not is_integer(face) or not 0 <= face <= LARGEST_TARGET:
            raise InputError(f"a face of {short_repr(face)} cannot be played: faces are whole numbers "
                             f"from 0 to {LARGEST_TARGET}.")  # fmt: skip
        faces.append(face)
    if sides not in (SIDES, len(faces)):
        raise InputError(f"a die with the faces {enumerated(faces)} has {len(faces)} sides, not {sides}: "
                         "leave the sides out.")  # fmt: skip
    return tuple(faces)


def _loads(weights: tuple[object, ...], faces: tuple[int, ...]) -> tuple[float, ...]:
    if weights and len(weights) != len(faces):
        raise InputError(f"the die has {len(faces)} faces and {len(weights)} weights: give one for each face.")
    loads: list[float] = []
    for weight in weights:
        if not is_real(weight) or not 0 < weight < math.inf:
            raise InputError(f"a weight of {short_repr(weight)} cannot be played with: weights are numbers above 0.")
        loads.append(weight)
    if not math.isfinite(sum(loads)):
        raise InputError("the weights add up to more than a float can hold: divide all of them by the same number.")
    return tuple(loads) or (1,) * len(faces)


def _busts(losing: tuple[object, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
    losing_faces: set[int] = set()
    for face in losing:
        if not is_integer(face) or face not in faces:
            raise InputError(f"{short_repr(face)} cannot bust: the faces of the die are {enumerated(faces)}.")
        losing_faces.add(int(face))
    busts = tuple(sorted(losing_faces)) or (int(min(faces)),)
    if not any(face for face in faces if face not in busts):
        raise InputError(f"no face is left that scores: {_do_bust(busts)}, and the faces are {enumerated(faces)}.")
    return busts


def _do_bust(numbers: Sequence[int]) -> str:
    *first, last = map(str, numbers)
    return f"{', '.join(first)} and {last} bust" if first else f"{last} busts"


def enumerated(numbers: Sequence[float]) -> str:
    """Numbers as text; of more than `SHOWN`, the first ones and the last one."""
    words = [f"{value:g}" for value in numbers]
    return ", ".join(words if len(words) <= SHOWN else [*words[: SHOWN - 2], "...", words[-1]])


def _options(options: Options) -> Options:
    """Checked options of Pig without the die's usual values, so that equal games have equal options."""
    given = {name: options.pop(name, ()) for name in ("die", "bust", "weights")}
    if not any(value not in ((), []) for value in given.values()):
        return options
    die = NumberedDie.of(options["sides"], *given.values())
    lists = {"die": die.numbers, "bust": die.losing, "weights": die.weights}
    return {**options, "sides": die.sides, **{name: value for name, value in lists.items() if value}}


@GAMES.register(
    name="pig", source="Neller & Presser 2004", complete=_options, called={"numbers": "die", "losing": "bust"}
)
@dataclass(frozen=True)
class Pig(Race):
    """Pig with a fair die of `sides` faces: a 1 loses the turn total, any other face adds its points.

    Another die may have other numbers on its faces, bust with another face or with several, or be loaded.

    Args:
        target: points to bank, at least 1.
        sides: faces of the die, from 2 to 1,000, with the numbers from 1 on; 1 busts.
        numbers: the numbers on the faces, such as 0,1,1,2, if they are not 1 to `sides`; each from 0 to 1,000. The
            lowest one busts, unless `losing` is given; a 0 that does not bust changes nothing.
        losing: the numbers that bust instead of the lowest one, such as 6 or 1,2.
        weights: the relative frequencies of the faces of a loaded die, in the order of the faces.
        allow_pass: whether a player may hold at a turn total of 0.

    Raises:
        InputError: a number is out of range, a busting number is not on the die, no face scores, or the weights are not
            above 0 or not as many as the faces.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=50)
        >>> game.shape, game.bust, game.die[0]
        ((50, 50, 50), 0.16666666666666666, (2, 0.16666666666666666))
        >>> print(game)
        Pig to 50
        >>> six_busts = pigevo.Pig(losing=6)
        >>> print(six_busts, six_busts.die[0], round(pigevo.optimal(six_busts).value, 6))
        Pig to 100 where 6 busts (1, 0.16666666666666666) 0.526472
        >>> print(pigevo.Pig(numbers=(0, 1, 1, 2)))
        Pig to 100 with faces 0, 1, 1, 2
    """

    target: Annotated[int, Within(1)] = 100
    gains: Gains = field(init=False, repr=False)
    bust: float = field(init=False, repr=False)
    sides: Annotated[int, Within(2, MOST_SIDES)] = SIDES
    numbers: tuple[int, ...] = field(default=(), kw_only=True)
    losing: int | tuple[int, ...] = field(default=(), kw_only=True)
    weights: tuple[float, ...] = field(default=(), kw_only=True)
    allow_pass: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        die = NumberedDie.of(self.sides, self.numbers, self.losing, self.weights)
        for name in ("sides", "numbers", "losing", "weights"):
            object.__setattr__(self, name, getattr(die, name))
        scoring = sorted({*die.faces} - {*die.busts})
        object.__setattr__(self, "gains", {face: die.chance_of((face,)) for face in scoring})
        object.__setattr__(self, "bust", die.chance_of(die.busts))
        super().__post_init__()

    @cached_property
    def thrown(self) -> NumberedDie:
        """The die."""
        return NumberedDie(self.sides, self.numbers, self.losing, self.weights)  # type: ignore[arg-type]  # see __post_init__

    @property
    def unusual_die(self) -> str:
        """The rules in a sentence; empty if a 1 busts on a fair die with the usual numbers."""
        die = self.thrown
        if not (die.numbers or die.losing or die.weights):
            return ""
        lost = " or ".join(f"a {bust}" for bust in die.busts)
        loaded = f", of weights {enumerated(die.weights)}" if die.weights else ""
        return (
            f"Pig with a die whose faces are {enumerated(die.faces)}{loaded}: {lost} loses the turn total, "
            f"any other face adds its points."
        )

    @property
    def hold_to_win(self) -> Game | None:
        """The same game where a player must hold to win; None with an unusual die."""
        from pigevo.games.pig_variants import HoldToWin  # a game that Pig itself does not need

        return None if self.unusual_die else HoldToWin(self.target, self.sides, allow_pass=self.allow_pass)

    @property
    def faces(self) -> Faces:
        """The faces of the die."""
        die, total = self.thrown, math.fsum(self.thrown.loads)
        ways = zip(die.faces, die.loads, strict=True)
        return tuple(
            ((str(face),), Throw(0, load / total, "turn") if face in die.busts else Throw(face, load / total))
            for face, load in ways
        )

    def __repr__(self) -> str:
        options = {option.name: getattr(self, option.name) for option in fields(self) if option.init}
        arguments = ", ".join(f"{name}={value!r}" for name, value in options.items() if value != ())
        return f"{type(self).__name__}({arguments})"

    @property
    def _throws_in_words(self) -> str:
        return self.unusual_die or super()._throws_in_words

    def __str__(self) -> str:
        if not self.unusual_die:
            return super().__str__()
        passing = " (allow_pass=True)" if self.allow_pass else ""
        return f"{type(self).__name__} to {self.target} {self.thrown}{passing}"
