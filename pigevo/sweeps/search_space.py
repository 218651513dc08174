"""The ranges and lists of values among which settings are searched, as they are typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pigevo.errors import InputError
from pigevo.settings.compose import explained, parsed

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::(log|{_NUMBER}))?")
_LIKE_RANGE = re.compile(r"[+-]?[\d.]*\d\.\.")
_WHOLE = re.compile(r"[+-]?\d+")

WRITTEN = "write LOW..HIGH, LOW..HIGH:log, LOW..HIGH:STEP, or values with commas between"
DIGITS = 4
"""Significant digits of a proposed number that is not whole."""


@dataclass(frozen=True)
class Dimension:
    """A setting that is searched: numbers from `low` to `high`, by steps or evenly in their logarithm, or `choices`."""

    key: str
    low: float = 0
    high: float = 0
    step: float | None = None
    log: bool = False
    choices: tuple[str, ...] = ()

    @property
    def distribution(self) -> Any:
        """As Optuna has it."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if self.choices:
            return CategoricalDistribution(self.choices)
        if isinstance(self.low, int) and isinstance(self.high, int):
            return IntDistribution(self.low, self.high, self.log, int(self.step or 1))
        return FloatDistribution(self.low, self.high, self.log, self.step)

    def text(self, value: Any) -> str:
        """A proposed value as it is typed, of not too many digits and inside the range."""
        if not isinstance(value, float):
            return str(value)
        return repr(min(max(float(f"{value:.{DIGITS}g}"), self.low), self.high))


def search_space(words: Sequence[str]) -> tuple[list[str], list[Dimension]]:
    """The words that set one value, and those that say among which values to search."""
    fixed: list[str] = []
    space: list[Dimension] = []
    for word in words:
        key, _, value = word.partition("=")
        if key.lstrip("+") in ("seed", "force"):
            why = "each proposal is done with the first --seeds seeds" if "seed" in key else "finished runs are kept"
            raise InputError(f"{word} cannot be set here: {why}.")
        dimension = _dimension(key, value)
        if dimension is None:
            fixed.append(word)
        else:
            space.append(dimension)
    keys = [one.key for one in space]
    for key in keys:
        if keys.count(key) > 1:
            raise InputError(f"{key} is searched twice: {WRITTEN}, once.")
    if not space:
        raise InputError(f"there is nothing to search: {WRITTEN}, as in 'mutation=0.0001..0.05:log'.")
    return fixed, space


def _dimension(key: str, value: str) -> Dimension | None:
    """What is to be searched; None where the value is one."""
    if match := _RANGE.fullmatch(value):
        return _numbers(key, value, *match.groups())
    if _LIKE_RANGE.match(value):
        raise InputError(f"{key}={value} is no range of numbers: {WRITTEN}.")
    with explained():
        (read,) = parsed([f"{key}={value}"])
        if not read.is_sweep_override():
            return None
        choices = tuple(dict.fromkeys(str(one) for one in read.sweep_string_iterator()))
    if not choices:
        raise InputError(f"{key}={value} has no value: {WRITTEN}.")
    return Dimension(key, choices=choices)


def _numbers(key: str, value: str, low: str, high: str, more: str | None) -> Dimension:
    whole = all(_WHOLE.fullmatch(text) for text in (low, high) if text)
    kind = int if whole and (more in (None, "log") or _WHOLE.fullmatch(more or "")) else float
    dimension = Dimension(key, kind(low), kind(high), None if more in (None, "log") else kind(more or 1), more == "log")
    if dimension.low >= dimension.high:
        raise InputError(f"{key}={value}: the first number must be below the second.")
    if dimension.log and dimension.low <= 0:
        raise InputError(f"{key}={value}: a logarithmic range begins above 0.")
    if dimension.step is not None and not 0 < dimension.step <= dimension.high - dimension.low:
        raise InputError(f"{key}={value}: a step lies between 0 and the width of the range.")
    return dimension
