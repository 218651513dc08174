"""The rules that the study `rules` has found, as data: for the card, and for whoever offers them as advisers."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from pigevo.errors import InputError
from pigevo.strategies.rules import Rule, parse_rule
from pigevo.studies.find import experiments_folder

BEST = "least loss"
"""The front by integers and loss."""


@dataclass(frozen=True)
class Remembered:
    """A rule of a front.

    Args:
        front: the front's name: `least loss`, `least exploitable`, `by operations`, `by both`, `without division`,
            `without looking at the opponent`, or `published`.
        rule: the rule; `rule.sentence` says it in words, `str(rule)` as it is typed after `rule:`.
        integers, operations: what it asks (see `pigevo.strategies.rules.complexity`).
        difference: how much more often the optimum, moving first, wins against it than it wins moving first.
        exploitability: what the best response wins against it, less a half.
    """

    front: str
    rule: Rule
    integers: int
    operations: int
    difference: float
    exploitability: float


def remembered(front: str = "", target: int = 100) -> list[Remembered]:
    """The rules of one front, or of all, those with few integers first.

    Args:
        front: its name; all fronts, if empty.
        target: 100 or 50.

    Raises:
        InputError: the study has no rules for the target, or no such front.
    """
    name = "front.csv" if target == 100 else f"front_{target}.csv"
    path = experiments_folder() / "rules" / name
    if not path.is_file():
        raise InputError(f"there are no rules for a target of {target}: the study `rules` has them for 100 and 50.")
    with path.open(newline="", encoding="utf-8") as file:
        rows = [_read(row) for row in csv.DictReader(file)]
    known = list(dict.fromkeys(row.front for row in rows))
    if front and front not in known:
        raise InputError(f"there is no front {front!r}: there are {', '.join(known)}.")
    return [row for row in rows if front in ("", row.front)]


def _read(row: dict[str, str]) -> Remembered:
    figures = float(row["difference"]), float(row["exploitability"])
    return Remembered(row["front"], parse_rule(row["rule"]), int(row["integers"]), int(row["operations"]), *figures)
