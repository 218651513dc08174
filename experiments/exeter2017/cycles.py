"""Strategies that beat each other in a circle: the report's three, the strongest named ones, and evolved ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import pigevo
from pigevo.core.arrays import Bytes, Floats
from pigevo.dice import Draw
from pigevo.exact import pairs_of_tables
from pigevo.games import Game
from pigevo.tournaments import cycles_of

from ..common import tables as markdown
from .lines import Line

STEPS = 3_000


def turtle_lines(game: Game, published: Mapping[str, Any]) -> list[Line]:
    """Turtle against roll to win, with the hold value that gives the report's figures."""
    n = turtle_value(game, published)
    turtle, other = pigevo.turtle(game, n), pigevo.roll_to_win(game)
    p, q = pigevo.win_probability(turtle, other), pigevo.win_probability(other, turtle)
    names, exact = ("turtle first", "roll to win first", "turtle in general"), (p.first, q.first, p.overall)
    found = [Line("3.3.6", f"turtle (hold at {n}) against roll to win, {name}", said, ours)
             for name, said, ours in zip(names, published["turtle"]["computed"], exact, strict=False)]  # fmt: skip
    for name, said, ours in zip(names, published["turtle"]["played"], exact, strict=True):
        games = 300_000 if "general" in name else 150_000
        found.append(Line("3.3.6, played", f"turtle (hold at {n}) against roll to win, {name}", said, ours, games))
    return found


def turtle_value(game: Game, published: Mapping[str, Any]) -> int:
    """The hold value whose figures against roll to win are nearest to the report's."""
    said = np.array(published["turtle"]["computed"], dtype=np.float64)
    other = pigevo.roll_to_win(game)

    def apart(n: int) -> float:
        p = pigevo.win_probability(pigevo.turtle(game, n), other)
        return float(np.abs(np.array([p.first, 1 - p.second - p.stalemate_second]) - said).max())

    return min(range(1, 31), key=apart)


def named(game: Game) -> list[pigevo.Strategy]:
    """The named strategies with many of their parameters."""
    found = [pigevo.hold_at(game, n) for n in (*range(1, 41), *range(45, 100, 5))]
    found += [pigevo.score(game, n, behind) for n in range(5, 41, 5) for behind in (0, 2, 10, 20, 40)]
    found += [
        pigevo.keep_pace_and_end_race(game, c, d, e) for c in (17, 21, 25) for d in (4, 8, 16) for e in (20, 29, 38)
    ]
    found += [pigevo.roll_to_win(game), pigevo.optimal(game).strategy]
    found += [pigevo.random_strategy(game, seed) for seed in range(3)]
    if game.allow_pass:
        found += [
            pigevo.roll_and_wait(game, s, n) for s in (50, 60, 70, 75, 80, 85, 90, 95) for n in (5, 10, 15, 20, 25)
        ]
        found += [pigevo.skip_when_level(game, n) for n in (5, 10, 15, 20, 25)]
    return found


@dataclass(frozen=True)
class Strongest:
    """The strongest cycle of three.

    Args:
        members: the three, each of whom beats the next; none where there is no cycle.
        row: of the table.
    """

    members: list[pigevo.Strategy]
    row: tuple[object, ...]


def strongest(game: Game, workers: int) -> Strongest:
    """The strongest cycle of three among the named strategies."""
    players = named(game)
    cycles = cycles_of(pigevo.win_matrix(players, workers))
    what = f"{len(players)} named strategies, {'with' if game.allow_pass else 'without'} passing"
    if not len(cycles):
        return Strongest([], (what, 0, "none", "", ""))
    members = [players[n] for n in cycles.members[0].tolist()]
    return Strongest(members, _row(what, f"{len(cycles):,}", [one.name for one in members], cycles.margins[0]))


def _row(what: str, cycles: str, names: Sequence[str], margins: Floats) -> tuple[object, ...]:
    margins_text = ", ".join(f"{margin:.4f}" for margin in margins.tolist())
    return what, cycles, " beats ".join([*names, names[0]]), margins_text, f"{min(margins.tolist()):.4f}"


def margins_of(game: Game, tables: Bytes, workers: int) -> Floats:
    """By how much each of three beats the next, half of what it wins more often."""
    pairs = [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)]
    overall = pairs_of_tables(game, tables, pairs, workers).mean(axis=1)
    return np.asarray((overall[:3] - overall[3:]) / 2)


def evolved(game: Game, start: Sequence[pigevo.Strategy], steps: int, seed: int, workers: int) -> tuple[Bytes, Floats]:
    """What evolution makes of three strategies, bred for the smallest of the margins by which each beats the next.

    In each step one of the three is changed: a box of its array, of any place and size, rolls or holds throughout.  The
    change stays if the smallest margin grows, or is the same and their sum is not smaller.

    Args:
        game: what they play.
        start: three strategies.
        steps: changes tried.
        seed: decides them.
        workers: threads.

    Returns:
        The decisions of the three, and their margins.
    """
    three = np.stack([one.table for one in start])
    now = margins_of(game, three, workers)
    for number in range(steps):
        child = _changed(three, Draw(seed, "mutation", part=number).uniforms(12))
        child[:, :, 0] |= not game.allow_pass  # there every turn begins with a roll
        found = margins_of(game, child, workers)
        if (found.min(), found.sum()) >= (now.min(), now.sum()):
            three, now = child, found
    return three, now


def _changed(three: Bytes, draws: Floats) -> Bytes:
    """Three arrays of which one has a box that only rolls or only holds.

    Along each axis the box is all of it, or all from some place on, or a stretch, of which short ones are as likely as
    long ones. In one of three cases it is only where a turn begins, where holding is a pass.
    """
    child, size = three.copy(), three.shape[1]
    own, total, other = (_stretch(size, *draws[3 * axis : 3 * axis + 3].tolist()) for axis in range(3))
    if draws[9] < 1 / 3:
        total = slice(0, 1)
    rolls = draws[11] < 0.5
    points = np.arange(size)
    asked = points[own, None] + points[None, total] < size
    box = child[int(draws[10] * 3), own, total, other]
    box[asked] = rolls
    return child


def _stretch(size: int, kind: float, length: float, place: float) -> slice:
    edge = max(1, int(size**length))
    if kind < 1 / 3:
        return slice(0, size)
    begin = edge if kind < 2 / 3 else int(place * (size - edge + 1))
    return slice(min(begin, size - 1), size) if kind < 2 / 3 else slice(begin, begin + edge)


def table(game: Game, plain: Game, workers: int) -> str:
    """The strongest cycles: among the named strategies without and with passing, and evolved from these and others.

    Args:
        game: with passing.
        plain: the same without.
        workers: threads.
    """
    head = ["among", "cycles of three", "the strongest", "margins", "smallest margin"]
    rows, names = [], ["first", "second", "third"]
    for one in (plain, game):
        found = strongest(one, workers)
        _, margins = evolved(one, found.members, STEPS, 0, workers)
        rows += [found.row, _row(f"evolved from these in {STEPS:,} steps", "", names, margins)]
    random = [pigevo.random_strategy(game, seed) for seed in range(3)]
    _, margins = evolved(game, random, STEPS, 1, workers)
    rows.append(_row(f"evolved from random strategies in {STEPS:,} steps", "", names, margins))
    return markdown.table(head, rows)
