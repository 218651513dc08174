"""The best rules that are known, found by the study `rules`: for the card, and for advisers.

`known.csv` is the study's table `front.csv`.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies.rules import Rule, parse_rule

BEST = "least loss"
"""The front by integers and loss."""


@dataclass(frozen=True)
class KnownRule:
    """A rule of a front.

    Args:
        front: the front's name: `least loss`, `least exploitable`, `by operations`, `by both`, `without division`,
            `without looking at the opponent`, or `published`.
        rule: the rule; `rule.sentence` is a description, `str(rule)` the rule as typed after `rule:`.
        integers, operations: its complexity (see `pigevo.strategies.rules.rule`).
        difference: the optimum's win probability moving first against it, minus its own moving first.
        exploitability: the win probability of the best response against it, minus a half.
    """

    front: str
    rule: Rule
    integers: int
    operations: int
    difference: float
    exploitability: float


def known_rules(game: Game, front: str = "") -> list[KnownRule]:
    """The rules of one front, or of all fronts, those with few integers first."""
    rows = _rows()
    games = dict.fromkeys(row["game"] for row in rows)
    if str(game) not in games:
        raise InputError(f"the study `rules` has no rules for {game}: it has them for {' and '.join(games)}.")
    rules = [
        KnownRule(row["front"], parse_rule(row["rule"]), *(int(row[name]) for name in ("integers", "operations")),
                   *(float(row[name]) for name in ("difference", "exploitability")))
        for row in rows if row["game"] == str(game)
    ]  # fmt: skip
    fronts = dict.fromkeys(rule.front for rule in rules)
    if front and front not in fronts:
        raise InputError(f"there is no front {front!r}: there are {', '.join(fronts)}.")
    return [rule for rule in rules if front in ("", rule.front)]


def has_rules(game: Game) -> bool:
    """Whether the study has rules for a game."""
    return any(row["game"] == str(game) for row in _rows())


def _rows() -> list[dict[str, str]]:
    with Path(__file__).with_name("known.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
