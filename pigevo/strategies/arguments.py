"""What public functions are given: an argument of another kind is refused, with what to write instead."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from pigevo.core.checked_values import is_integer, is_real
from pigevo.core.imports import numpy as np
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import no_game, require_known_rules
from pigevo.strategies.strategy import Strategy

P = ParamSpec("P")
Result = TypeVar("Result")

_KINDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "Game": (lambda value: isinstance(value, Game), "a game"),
    "Strategy": (lambda value: isinstance(value, Strategy), "a strategy"),
    "int": (is_integer, "a whole number"),
    "float": (is_real, "a number"),
    "bool": (lambda value: isinstance(value, bool | np.bool_), "True or False"),
}
"""By the annotation of a parameter: whether a value fits, and what it must be."""

_NOTHING = object()


def checks_arguments(function: Callable[P, Result]) -> Callable[P, Result]:
    """Decorator: refuse an argument that its annotation, one of `_KINDS` or of these with `| None`, does not allow.

    Whole numbers that must be given are left to the function, which knows what they count.
    """
    expected = []
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        kind, _, rest = str(parameter.annotation).partition(" | ")
        if kind in _KINDS and rest in ("", "None") and parameter.annotation != "int":
            expected.append((place, parameter.name, kind, _NOTHING if not rest else None))

    @functools.wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> Result:
        for place, name, kind, allowed in expected:
            value = arguments[place] if place < len(arguments) else named.get(name, _NOTHING)
            if value is not _NOTHING and value is not allowed and not _KINDS[kind][0](value):
                raise refused(function.__name__, name, value, kind)
            if isinstance(value, Game):
                require_known_rules(value)
        return function(*arguments, **named)

    return call


def require_whole(function: str, **numbers: object) -> None:
    """Refuse arguments of a function, given by name, that are no whole numbers."""
    for name, value in numbers.items():
        if not is_integer(value):
            raise refused(function, name, value, "int")


def strategies_of(function: str, values: Iterable[object]) -> list[Strategy]:
    """The strategies in the argument `strategies` of a function; anything else in it is refused."""
    found: list[Strategy] = []
    for value in [values] if isinstance(values, str) else values:
        if not isinstance(value, Strategy):
            raise refused(function, "each of strategies", value, "Strategy")
        found.append(value)
    return found


def refused(function: str, name: str, value: object, kind: str) -> InputError:
    """The error of an argument that is of another kind."""
    if kind == "Game":
        return no_game(function, name, value)
    instead = _instead(value) if kind == "Strategy" else ""
    what = "an array" if isinstance(value, np.ndarray) else short_repr(value)
    return InputError(f"{function}: {name} must be {_KINDS[kind][1]}, not {what}{instead}.")


def _instead(value: object) -> str:
    """What to write for a value that comes near to a strategy."""
    if isinstance(value, str):
        return f": write parse_strategy({short_repr(value)}, game)"
    if isinstance(value, np.ndarray):
        return ": write Strategy(game, array)"
    return ": its .strategy is one" if isinstance(getattr(value, "strategy", None), Strategy) else ""
