"""The practical columns of figure 17 and of section 3.3.5, played again: 100 matches of 3,000 games a pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import pigevo
from pigevo.dice import Draw
from pigevo.games import Game
from pigevo.simulation.match import play_pairs

from ..common import tables
from .holds import GAMES, TESTS

SEATS = ("former first", "latter first", "in general")
DISTANCE = 0.025
"""The report's bound of a deviation."""


def table(game: Game, published: Mapping[str, Any], workers: int) -> str:
    """Exact, published and our own played figures of each pair, with how far the played ones are off in general."""
    rows, off = [], []
    for number, (name, a, b, said) in enumerate(_pairs(game, published)):
        p = pigevo.win_probability(a, b)
        exact = (p.first, 1 - p.second, p.overall)
        ours = _played(game, a, b, number, workers)
        figures = zip(SEATS, exact, said, ours, strict=True)
        for seat, one, theirs, mine in figures:
            rows.append((name, seat, f"{one:.6f}", theirs or "", f"{mine:.4f}", f"{mine - one:+.4f}"))
        off.append(abs(ours[2] - exact[2]))
    head = ["pair", "seat", "exact", "published, played", "ours, played", "ours less exact"]
    summary = [
        ("pairs", len(off)),
        ("farther off in general than the report's bound", sum(one > DISTANCE for one in off)),
        ("largest deviation in general", f"{max(off):.4f}"),
    ]
    return tables.table(head, rows) + "\n" + tables.table([f"{TESTS * GAMES:,} games a pair", "found"], summary)


def _pairs(
    game: Game, published: Mapping[str, Any]
) -> Iterator[tuple[str, pigevo.Strategy, pigevo.Strategy, tuple[str, str, str]]]:
    for a, b, *figures in published["figure_17"]:
        yield f"{a} against {b}", pigevo.hold_at(game, a), pigevo.hold_at(game, b), tuple(figures[3:])
    best = pigevo.optimal(game).strategy
    yield "optimum against 25", best, pigevo.hold_at(game, 25), tuple(published["optimum_and_25"]["played"])
    first, second = published["neller"]["played"]
    yield "optimum against Neller's", best, best, (first, second, "")


def _played(
    game: Game, a: pigevo.Strategy, b: pigevo.Strategy, number: int, workers: int
) -> tuple[float, float, float]:
    games = TESTS * GAMES
    draw = Draw(number, "validation", generation=17)
    outcomes = play_pairs(game, np.stack([a.table, b.table]), [(0, 1)], games, draw, workers, sets=games)
    first, second = float(outcomes[::2, 0].mean()), float(outcomes[1::2, 1].mean())
    return first, second, (first + 1 - second) / 2
