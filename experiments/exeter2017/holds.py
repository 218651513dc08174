"""Hold at 1 to 100 against each other: figures 17 and 18, the order, and tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.dice import Draw
from pigevo.exact import pairs_of_tables
from pigevo.figures.axes import BALANCE, color_bar, line, styled
from pigevo.games import Game
from pigevo.simulation.match import play_pairs
from pigevo.tournaments import cycles_of, is_transitive, knockout_winners, match_chances, round_robin_winners

from ..common import tables as markdown
from .drawing import panels
from .lines import Line

VALUES = range(1, 101)
TOURNAMENTS = 1000
LENGTHS = (100, 3_000, 300_000)
LONG = 100_000
"""A match of so many games is won by the normal law."""

PLAYED = 3_000
TESTS, GAMES = 100, 3_000
"""The report's fair test: so many matches of so many games."""


@dataclass(frozen=True, eq=False)
class Holds:
    """The win probabilities of hold-at strategies, shape (n, n): of the row against the column.

    Args:
        first: when the row moves first.
        second: when the column does.
        tables: their decisions.
    """

    game: Game
    first: Floats
    second: Floats
    tables: Any

    @property
    def overall(self) -> Floats:
        """The mean of both seats."""
        return (self.first + self.second) / 2


def solve(game: Game, workers: int) -> Holds:
    """All against all, exactly."""
    tables = np.stack([pigevo.hold_at(game, n).table for n in VALUES])
    size = len(tables)
    pairs = [(a, b) for a in range(size) for b in range(a, size)]
    found = pairs_of_tables(game, tables, pairs, workers)
    first, second = np.empty((size, size)), np.empty((size, size))
    for (a, b), (one, two) in zip(pairs, found.tolist(), strict=True):
        first[a, b], second[a, b] = one, two
        first[b, a], second[b, a] = 1 - two, 1 - one
    return Holds(game, first, second, tables)


def lines(holds: Holds, published: Mapping[str, Any]) -> list[Line]:
    """Figure 17, and hold at 25 against hold at 30."""
    found = []
    for a, b, *figures in published["figure_17"]:
        exact = _figures(holds, a, b)
        names = (f"hold at {a} first", f"hold at {b} first", f"hold at {a} in general")
        for n, (name, value) in enumerate(zip(names, exact, strict=True)):
            seats = (Decimal(figures[0]) + 1 - Decimal(figures[1])) / 2
            remark = f"{seats} by the printed figures of both seats" if n == 2 else ""
            found.append(Line("17", f"{a} against {b}, {name}", figures[n], value, 0, remark))
        for n, (name, value) in enumerate(zip(names, exact, strict=True)):
            games = TESTS * GAMES // (1 if n == 2 else 2)
            found.append(Line("17, played", f"{a} against {b}, {name}", figures[n + 3], value, games))
    names = ("25 first", "30 first", "25 in general")
    pair = zip(names, published["hold_at_25_and_30"], _figures(holds, 25, 30), strict=True)
    return found + [Line("18", f"25 against 30, {name}", said, value) for name, said, value in pair]


def _figures(holds: Holds, a: int, b: int) -> tuple[float, float, float]:
    row, column = a - 1, b - 1
    first, other = float(holds.first[row, column]), float(holds.first[column, row])
    return first, other, (first + 1 - other) / 2


def order(holds: Holds) -> str:
    """Whether the order is transitive, who is best, and by how little neighbours differ."""
    overall, names = holds.overall, [f"hold at {n}" for n in VALUES]
    mean = overall.mean(axis=1)
    best = int(overall.min(axis=1).argmax())
    against = np.delete(overall[best], best)
    closest = np.abs(np.where(np.eye(len(names)) > 0, 1.0, overall) - 0.5)
    a, b = np.unravel_index(np.where(closest < 1e-12, 1.0, closest).argmin(), closest.shape)
    rows = [
        ("transitive", "yes" if is_transitive(overall) else "no"),
        ("cycles of three", len(cycles_of(overall))),
        ("strategies that are one and the same", "; ".join(f"hold at {one} and {two}" for one, two in _alike(holds))),
        ("best", names[best]),
        ("what it wins at least against another", f"{against.min():.6f}, against {names[_worst(overall, best)]}"),
        ("best by mean win probability", names[int(mean.argmax())]),
        ("its mean win probability", f"{mean.max():.6f}"),
        ("closest pair that is not level", f"{names[int(a)]} and {names[int(b)]}, {overall[a, b]:.6f}"),
    ]
    ranks = sorted(range(len(names)), key=lambda n: -_wins(overall)[n])[:10]
    text = markdown.table(["hold at 1 to 100", "found"], rows)
    table = [(n + 1, names[r], int(_wins(overall)[r]), f"{mean[r]:.4f}") for n, r in enumerate(ranks)]
    return text + "\n" + markdown.table(["rank", "strategy", "beats", "mean win probability"], table)


def _wins(overall: Floats) -> Ints:
    return np.asarray((overall > 0.5 + 1e-12).sum(axis=1), dtype=np.int64)


def _worst(overall: Floats, row: int) -> int:
    others = overall[row].copy()
    others[row] = 1.0
    return int(others.argmin())


def _alike(holds: Holds) -> list[tuple[int, int]]:
    """Hold values that play alike, since no turn total lies between them."""
    level = np.argwhere(np.triu(np.abs(holds.overall - 0.5) < 1e-12, 1))
    return [(int(a) + 1, int(b) + 1) for a, b in level]


def tournaments(holds: Holds, workers: int) -> str:
    """Who wins round robins and knockouts of matches of some lengths, and one that is played."""
    rows: list[Sequence[object]] = []
    for length in LENGTHS:
        chances = match_chances(holds.first, holds.second, length) if length < LONG else _long(holds, length)
        for kind, shares in (
            ("round robin", round_robin_winners(chances, TOURNAMENTS, seed=0)),
            ("knockout", knockout_winners(chances, TOURNAMENTS, seed=0)),
        ):
            order = np.argsort(-shares, kind="stable")[:4]
            shares_text = ", ".join(f"{VALUES[n]}: {shares[n]:.3f}" for n in order)
            rows.append((f"{kind}, matches of {length:,}", f"{shares[24]:.3f}", shares_text, f"{_ten(shares[24]):.3g}"))
    text = markdown.table(["tournament", "hold at 25 wins", "most often win", "hold at 25 wins ten of ten"], rows)
    return text + "\n" + _played(holds, workers)


def _long(holds: Holds, length: int) -> Floats:
    """The chance that the row wins a long match against the column."""
    seats = np.stack([holds.first, holds.second])
    spread = np.sqrt((seats * (1 - seats)).mean(axis=0) / length)
    return np.asarray(stats.norm.cdf((seats.mean(axis=0) - 0.5) / spread), dtype=np.float64)


def _ten(share: float) -> float:
    return float(share**10)


def _played(holds: Holds, workers: int) -> str:
    size = len(VALUES)
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    counts = play_pairs(holds.game, holds.tables, pairs, PLAYED, Draw(17, "validation"), workers)
    points, misses = np.zeros(size), 0
    for (a, b), (won, lost, *_) in zip(pairs, counts.tolist(), strict=True):
        points[a] += 1.0 if won > lost else 0.5 if won == lost else 0.0
        points[b] += 1.0 if lost > won else 0.5 if won == lost else 0.0
        exact = holds.overall[a, b]
        misses += abs(exact - 0.5) > 1e-12 and (won > lost) != (exact > 0.5)
    order = np.argsort(-points, kind="stable")[:5]
    rows = [
        ("matches", f"{len(pairs):,}"),
        ("games of a match", f"{PLAYED:,}"),
        ("most matches won", ", ".join(f"hold at {VALUES[n]}: {points[n]:g}" for n in order)),
        ("matches that the worse one won", misses),
        ("largest difference of a match from the exact figure", f"{_largest(holds, pairs, counts):.4f}"),
    ]
    return markdown.table(["one round robin, played", "found"], rows)


def _largest(holds: Holds, pairs: Sequence[tuple[int, int]], counts: Ints) -> float:
    exact = np.array([holds.overall[a, b] for a, b in pairs])
    return float(np.abs(counts[:, 0] / PLAYED - exact).max())


@styled
def figure_18(holds: Holds) -> Figure:
    """The win probability of hold at 25 against every hold-at strategy, and the whole matrix."""
    figure, (left, right) = panels(2, "Hold at 1 to 100")
    left.plot(VALUES, holds.overall[24], **line(0))
    left.axhline(0.5, color="k", lw=1, ls=":")
    left.set_xlabel("against hold at")
    left.set_ylabel("win probability of hold at 25, both seats")
    left.set_title("Figure 18")
    image = right.imshow(holds.overall, origin="lower", cmap=BALANCE, vmin=0, vmax=1, extent=(0.5, 100.5, 0.5, 100.5))
    values = np.array(VALUES)
    right.contour(values, values, holds.overall, levels=[0.5], colors="k", linewidths=1.2)
    right.set_xlabel("against hold at")
    right.set_ylabel("hold at")
    right.set_title("all against all (line: 0.5)")
    color_bar(image, right, "win probability of the row, both seats")
    return figure
