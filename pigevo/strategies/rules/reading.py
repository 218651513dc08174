"""Reads rules as typed, `21+(j-i)/8; race either>=71`, with Python's parser (nothing is executed); and known rules.

The best rules that are known, for the card and for advisers, were found by the study `rules`: `known.csv` is its table
`front.csv`.
"""

from __future__ import annotations

import ast
import csv
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from pigevo.core.machine import CHANGES_OF_PROCESS
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies.rules import PREFIX
from pigevo.strategies.rules.parts import (
    BY_SIGHT,
    MEASURES,
    TURNS,
    AtLeast,
    Base,
    Condition,
    ConditionalBase,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Second,
    Sum,
    ToTheEnd,
)
from pigevo.strategies.rules.rule import Reasons, Rule

LONGEST = 500  # the largest number of characters in a rule

BASES = (
    "25, 21+(j-i)/8, 18+(j-i)/turns, multiple(25), marks(25,50,74), max(25,j-i-10), max(17,18+(j-i)/turns), "
    "quarters(24,25,23,25), end, A if CONDITION else B"
)
CONDITIONS = f"{'>=N, '.join(MEASURES)}>=N, {', '.join(BY_SIGHT.values())}, leaves<=N"
CHOICES = f"{CONDITIONS.removesuffix(', leaves<=N')}, {Second.text}"

WORDS = {by: AtLeast(what, 1) for what, by in BY_SIGHT.items()}


def parse_rule(text: str) -> Rule:
    """Read a rule: a base, optionally followed by `; race` with conditions or `; last` with another base."""
    whole = text.strip().removeprefix(PREFIX).strip()
    if len(whole) > LONGEST:
        raise InputError(f"a rule has at most {LONGEST} characters, not {len(whole)}.")
    text, semicolon, end = whole.partition(";")
    word, _, rest = end.strip().partition(" ")
    if semicolon and word not in ("race", "last"):
        raise InputError(
            f"after the semicolon of {short_repr(whole)} write race and a condition ({CONDITIONS}), "
            f"or, in a game of rounds, last and a base ({BASES})."
        )
    base = _base(_tree(text, whole, BASES), whole)
    if word == "last":
        return Rule(base, last=_base(_tree(rest, whole, BASES), whole))
    return Rule(base, _race(_tree(rest, whole, CONDITIONS), whole) if word else ())


def _tree(text: str, whole: str, choices: str) -> ast.expr:
    try:
        with CHANGES_OF_PROCESS, warnings.catch_warnings(action="ignore"):  # Python's warnings about its own grammar
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(
            f"{short_repr(text.strip())} in the rule {short_repr(whole)} must be one of: {choices}."
        ) from None


def _base(tree: ast.expr, whole: str) -> Base:
    match tree:
        case ast.Constant():
            return Constant(_number(tree, whole))
        case ast.Name(id="end"):
            return ToTheEnd()
        case ast.IfExp(test=test, body=then, orelse=otherwise):
            return ConditionalBase(_choosing(test, whole), _base(then, whole), _base(otherwise, whole))
        case ast.Call(func=ast.Name(id="multiple"), args=[number], keywords=[]):
            return Multiple(_number(number, whole))
        case ast.Call(func=ast.Name(id="marks"), args=marks, keywords=[]):
            return Marks(tuple(_number(number, whole) for number in marks))
        case ast.Call(func=ast.Name(id="quarters"), args=[_, _, _, _], keywords=[]):
            a, b, c, d = (_number(number, whole) for number in tree.args)
            return Quarters((a, b, c, d))
        case ast.Call(func=ast.Name(id="max"), args=[least, inner], keywords=[]):
            if isinstance(inner, ast.IfExp) or (
                isinstance(inner, ast.BinOp) and isinstance(_first(inner), ast.Constant)
            ):
                return Floor(_number(least, whole), _base(inner, whole))
            return KeepUp(_number(least, whole), _allowed(inner, whole))
        case ast.BinOp():
            return _sum(tree, whole)
    return _refuse(tree, whole, BASES)


def _sum(tree: ast.expr, whole: str) -> Sum:
    fractions: list[Fraction] = []
    while isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add | ast.Sub):
        of, by = _divided(tree.right, whole)
        name = ast.unparse(of).replace(" ", "")
        fractions.insert(0, Fraction("+" if isinstance(tree.op, ast.Add) else "-", name, by))
        tree = tree.left
    if not isinstance(tree, ast.Constant):
        _refuse(tree, whole, BASES)
    return Sum(_number(tree, whole), tuple(fractions))


def _first(tree: ast.expr) -> ast.expr:
    return _first(tree.left) if isinstance(tree, ast.BinOp) else tree


def _divided(tree: ast.expr, whole: str) -> tuple[ast.expr, int | str]:
    """A quantity and what it is divided by, 1 if by nothing."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
        return tree.left, _divisor(tree.right, whole)
    return tree, 1


def _divisor(tree: ast.expr, whole: str) -> int | str:
    match tree:
        case ast.Name(id=name) if name == TURNS:
            return TURNS
        case ast.Constant():
            return _number(tree, whole)
    return _refuse(tree, whole, f"a whole number or {TURNS}")


def _allowed(tree: ast.expr, whole: str) -> int:
    """The deficit allowed by `j-i-10`, `j-i` or `j-i+1`."""
    match tree:
        case ast.BinOp(left=ast.Name(id="j"), op=ast.Sub(), right=ast.Name(id="i")):
            return 0
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=by) if _allowed(left, whole) == 0:
            return _number(by, whole) * (1 if isinstance(tree.op, ast.Sub) else -1)
    return _refuse(tree, whole, "j-i-10, j-i, j-i+1, 18+(j-i)/8")


def _race(tree: ast.expr, whole: str) -> Reasons:
    groups = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
    return tuple(
        tuple(
            _condition(node, whole)
            for node in (group.values if isinstance(group, ast.BoolOp) and isinstance(group.op, ast.And) else [group])
        )
        for group in groups
    )


def _choosing(tree: ast.expr, whole: str) -> AtLeast | Second:
    if isinstance(tree, ast.Name) and tree.id == Second.text:
        return Second()
    condition = _condition(tree, whole, CHOICES)
    if isinstance(condition, Leaves):
        raise InputError(f"leaves<=N in {short_repr(whole)} can stand after race only.")
    return condition


def _condition(tree: ast.expr, whole: str, choices: str = CONDITIONS) -> Condition:
    match tree:
        case ast.Name(id=word) if word in WORDS:
            return WORDS[word]
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[n]):
            what = ast.unparse(left).replace(" ", "")
            if what in MEASURES:
                return AtLeast(what, _number(n, whole))
        case ast.Compare(left=ast.Name(id="leaves"), ops=[ast.LtE()], comparators=[n]):
            return Leaves(_number(n, whole))
        case ast.Name(id=Second.text):
            raise InputError(f"second in {short_repr(whole)} can choose between two bases only: A if second else B.")
    return _refuse(tree, whole, choices)


def _number(tree: ast.expr, whole: str) -> int:
    if isinstance(tree, ast.Constant) and type(tree.value) is int:
        return tree.value
    return _refuse(tree, whole, "a whole number")


def _refuse(tree: ast.expr, whole: str, choices: str) -> NoReturn:
    raise InputError(f"{short_repr(_source(tree))} in the rule {short_repr(whole)} must be one of: {choices}.")


def _source(tree: ast.expr) -> str:
    try:
        return ast.unparse(tree)
    except (RecursionError, ValueError):
        return "what stands there"


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
