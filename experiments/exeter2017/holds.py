"""Hold-at strategies against each other, exactly and played: figures 15 to 18, the order, and the fair test.

The practical columns of figure 17 and of section 3.3.5 are played again, 100 matches of 3,000 games a pair, and the
fair test tells how many games tell two strategies apart. What the report prints stands beside what we find, line by
line, here and in the parts of the study that follow; the panels of their pictures are of one kind, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from scipy import stats
from scipy.stats import binom

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.dice import Draw
from pigevo.exact import pairs_of_tables
from pigevo.figures.axes import (
    BALANCE,
    COLORS,
    FAINT,
    PALE,
    WIDTH,
    color_bar,
    figure_of,
    grid_of,
    line,
    panels_or_new,
    styled,
)
from pigevo.games import Game
from pigevo.simulation.match import play_pairs
from pigevo.tournaments import (
    cycles_of,
    games_to_tell,
    games_within,
    is_transitive,
    knockout_winners,
    match_chances,
    power_of,
    round_robin_winners,
)
from pigevo.tournaments.fair import CONFIDENCE, DISTANCE, POWER

from ..common import tables as markdown

SHARE = 0.95
"""Of the games that a played figure may come from: it agrees where it lies in their middle 95 %."""


@dataclass(frozen=True)
class Line:
    """A published figure beside ours.

    Args:
        figure: where it is published.
        what: what it is.
        published: as it is printed.
        ours: exactly.
        games: how many games the published one was played in; 0 where it was computed.
        remark: said of it.
    """

    figure: str
    what: str
    published: str
    ours: float
    games: int = 0
    remark: str = ""

    @property
    def digits(self) -> int:
        """Decimals that are printed."""
        return len(self.published.partition(".")[2])

    @property
    def band(self) -> tuple[float, float] | None:
        """Where a win rate of so many games lies in 95 of 100 cases."""
        if not self.games:
            return None
        low, high = stats.binom.interval(SHARE, self.games, self.ours)
        return float(low) / self.games, float(high) / self.games

    @property
    def agrees(self) -> bool:
        """Whether it is ours as printed, or lies where played figures lie."""
        half = 0.5 * 10.0**-self.digits + 1e-12
        low, high = self.band or (self.ours, self.ours)
        return low - half <= float(self.published) <= high + half


def as_table(lines: Sequence[Line]) -> str:
    """The lines, with the number of those that agree below them."""
    rows = [
        (one.figure, one.what, one.published, *_ours(one), "yes" if one.agrees else "no", one.remark) for one in lines
    ]
    head = ["figure", "what", "published", "ours", "played figures lie", "agrees", "remark"]
    computed = [one for one in lines if not one.games]
    played = [one for one in lines if one.games]
    counts = [
        (name, len(some), sum(one.agrees for one in some), expected)
        for name, some, expected in (
            ("computed", computed, "all"),
            ("played", played, f"{SHARE * len(played):.1f} by luck"),
        )
    ]
    return markdown.table(head, rows) + "\n" + markdown.table(["lines", "number", "agree", "expected"], counts)


def _ours(one: Line) -> tuple[str, str]:
    digits = max(one.digits + 1, 4)
    if one.band is None:
        return f"{one.ours:.{digits}f}", ""
    low, high = one.band
    return f"{one.ours:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


@styled
def panels(
    count: int, title: str, height: float = 4.4, columns: int = 2, width: float = WIDTH
) -> tuple[Figure, Sequence[Axes]]:
    """A figure with so many panels, in reading order.

    Args:
        count: how many.
        title: above them.
        height: of each, in inches.
        columns: side by side at most.
        width: of the figure, in inches.
    """
    across = min(count, columns)
    axes = panels_or_new(None, count, grid_of(count, columns, (width / across, height), fill=True))
    figure = figure_of(axes)
    figure.suptitle(title)
    return figure, axes


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


def lines_of_holds(holds: Holds, published: Mapping[str, Any]) -> list[Line]:
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


def order_table(holds: Holds) -> str:
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


def tournaments_table(holds: Holds, workers: int) -> str:
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


SEATS = ("former first", "latter first", "in general")
REPORTED_BOUND = 0.025
"""The report's bound of a deviation."""


def practical_table(game: Game, published: Mapping[str, Any], workers: int) -> str:
    """Exact, published and our own played figures of each pair, with how far the played ones are off in general."""
    rows, off = [], []
    for number, (name, a, b, said) in enumerate(_pairs(game, published)):
        p = pigevo.win_probability(a, b)
        exact = (p.first, 1 - p.second, p.overall)
        ours = _played_by_seat(game, a, b, number, workers)
        figures = zip(SEATS, exact, said, ours, strict=True)
        for seat, one, theirs, mine in figures:
            rows.append((name, seat, f"{one:.6f}", theirs or "", f"{mine:.4f}", f"{mine - one:+.4f}"))
        off.append(abs(ours[2] - exact[2]))
    head = ["pair", "seat", "exact", "published, played", "ours, played", "ours less exact"]
    summary = [
        ("pairs", len(off)),
        ("farther off in general than the report's bound", sum(one > REPORTED_BOUND for one in off)),
        ("largest deviation in general", f"{max(off):.4f}"),
    ]
    return markdown.table(head, rows) + "\n" + markdown.table([f"{TESTS * GAMES:,} games a pair", "found"], summary)


def _pairs(
    game: Game, published: Mapping[str, Any]
) -> Iterator[tuple[str, pigevo.Strategy, pigevo.Strategy, tuple[str, str, str]]]:
    for a, b, *figures in published["figure_17"]:
        yield f"{a} against {b}", pigevo.hold_at(game, a), pigevo.hold_at(game, b), tuple(figures[3:])
    best = pigevo.optimal(game).strategy
    yield "optimum against 25", best, pigevo.hold_at(game, 25), tuple(published["optimum_and_25"]["played"])
    first, second = published["neller"]["played"]
    yield "optimum against Neller's", best, best, (first, second, "")


def _played_by_seat(
    game: Game, a: pigevo.Strategy, b: pigevo.Strategy, number: int, workers: int
) -> tuple[float, float, float]:
    games = TESTS * GAMES
    draw = Draw(number, "validation", generation=17)
    outcomes = play_pairs(game, np.stack([a.table, b.table]), [(0, 1)], games, draw, workers, sets=games)
    first, second = float(outcomes[::2, 0].mean()), float(outcomes[1::2, 1].mean())
    return first, second, (first + 1 - second) / 2


FAIR_LENGTHS = np.arange(20, 4001, 20)
SUBJECT = "Hold at 20 against itself"
SIDES = ("hold_at:20 hold_at:21", "hold_at:20 hold_at:25", "hold_at:25 optimal", "hold_at:24 hold_at:25")


def chance_within(games: int, distance: float = DISTANCE, p: float = 0.5) -> float:
    """The chance that the win rate of n games lies within a distance of the win probability, ends included."""
    least, most = math.ceil(games * (p - distance) - 1e-9), math.floor(games * (p + distance) + 1e-9)
    return float(binom.cdf(most, games, p) - binom.cdf(least - 1, games, p))


def extremes(
    games: int, results: int, p: float = 0.5, confidence: float = CONFIDENCE
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The ranges of the smallest and the largest win rate among many results of n games.

    `confidence` is the probability with which each of the two lies within its range.
    """
    ends = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    smallest = binom.ppf(-np.expm1(np.log1p(-ends) / results), games, p) / games
    largest = binom.ppf(ends ** (1 / results), games, p) / games
    return (float(smallest[0]), float(smallest[1])), (float(largest[0]), float(largest[1]))


def rates_by_length(game: Game, workers: int) -> Floats:
    """Win rates of hold at 20 with itself in `TESTS` matches of every length in `FAIR_LENGTHS`: (lengths, tests)."""
    rates = np.empty((len(FAIR_LENGTHS), TESTS))
    for n, length in enumerate(FAIR_LENGTHS.tolist()):
        rates[n] = _rates(game, length, Draw(15, "validation", n), workers)
    return rates


def fair_tests(game: Game, workers: int) -> Floats:
    """The means of `TESTS` fair tests of `TESTS` matches of `GAMES` games each with itself, shape (tests,)."""
    return _rates(game, TESTS * GAMES, Draw(16, "validation"), workers)


def _rates(game: Game, games: int, draw: Draw, workers: int) -> Floats:
    tables = np.stack([pigevo.hold_at(game, 20).table] * 2)
    counts: Ints = play_pairs(game, tables, [(0, 1)] * TESTS, games, draw, workers)
    return np.asarray(counts[:, 0] / games)


def fair_table(game: Game, rates: Floats, tests: Floats, published: Mapping[str, Any]) -> str:
    """The report's numbers, derived and played."""
    distance, said = published["distance"], published["range"]
    outside = np.abs(rates - 0.5) > distance + 1e-12
    within = chance_within(published["games"], distance)
    near = {length: int(np.abs(FAIR_LENGTHS - length).argmin()) for length in (published["games"], 2500, GAMES, 4000)}
    rows: list[tuple[object, ...]] = [
        (f"games for {distance:g} at 95 %", published["games"], games_within(distance)),
        ("chance to lie within, in so many games", "", f"{within:.4f}"),
        (f"expected outside of {TESTS} matches of {published['games']:,} games", "", f"{TESTS * (1 - within):.2f}"),
        (f"chance to lie within, in {GAMES:,} games", "", f"{chance_within(GAMES, distance):.4f}"),
    ]
    for length, n in near.items():
        by_law = 1 - chance_within(int(FAIR_LENGTHS[n]), distance)
        rows.append((f"of {TESTS} matches of {FAIR_LENGTHS[n]:,} games so many lie outside", "", int(outside[n].sum())))
        rows.append((f"expected outside of {TESTS} matches of {FAIR_LENGTHS[n]:,} games", "", f"{TESTS * by_law:.2f}"))
        rows.append((f"half width of 95 % for {length:,} games", "", f"{1.96 * 0.5 / length**0.5:.4f}"))
    mean = f"mean of {TESTS} matches of {GAMES:,} games"
    rows.append((f"{TESTS} results, each the {mean}: the range", f"{said[0]:.4f} to {said[1]:.4f}", _range(tests)))
    for what, games in ((f"the {mean}", TESTS * GAMES), (f"one match of {GAMES:,} games", GAMES)):
        (a, b), (c, d) = extremes(games, TESTS)
        rows.append((f"by law, each {what}: smallest (95 %)", f"{said[0]:.4f}", f"{a:.4f} to {b:.4f}"))
        rows.append((f"by law, each {what}: largest (95 %)", f"{said[1]:.4f}", f"{c:.4f} to {d:.4f}"))
    text = markdown.table(["fair test", "published", "ours"], rows)
    pairs = []
    for words in SIDES:
        one, two = (_read(word, game) for word in words.split())
        p = pigevo.win_probability(one, two).overall
        pairs.append(
            (
                f"{one.name} against {two.name}",
                f"{p:.6f}",
                f"{games_to_tell(p) or 0:,}",
                f"{power_of(GAMES, p):.4f}",
                f"{power_of(TESTS * GAMES, p):.4f}",
                "yes" if abs(p - 0.5) > distance else "no",
            )
        )
    head = ["pair", "exact", f"games to tell apart (power {POWER:g})", f"power of {GAMES:,} games",
            f"power of {TESTS * GAMES:,}", f"farther than {distance:g} from a half"]  # fmt: skip
    return text + "\n" + markdown.table(head, pairs)


def _range(tests: Floats) -> str:
    return f"{tests.min():.4f} to {tests.max():.4f}"


def _read(word: str, game: Game) -> pigevo.Strategy:
    strategy: pigevo.Strategy = pigevo.parse_strategy(word, game)
    return strategy


@styled
def picture_fair(rates: Floats, tests: Floats, distance: float) -> Figure:
    """Figures 15 and 16 side by side."""
    figure, (left, right) = panels(2, SUBJECT)
    _draw_lengths(rates, distance, left)
    _draw_tests(tests, right)
    left.set_title("Figure 15")
    right.set_title("Figure 16")
    return figure


@styled
def figure_15(rates: Floats, distance: float) -> Figure:
    """Figure 15 alone."""
    figure, (axes,) = panels(1, SUBJECT)
    _draw_lengths(rates, distance, axes)
    return figure


@styled
def figure_16(tests: Floats) -> Figure:
    """Figure 16 alone, with its numbers."""
    found = f"{tests.min():.4f} to {tests.max():.4f}, mean {tests.mean():.4f}"
    figure, (axes,) = panels(1, f"{SUBJECT}, {len(tests)} fair tests: {found}")
    _draw_tests(tests, axes)
    return figure


def _draw_lengths(rates: Floats, distance: float, axes: Axes) -> None:
    """Win rates by the length of a match."""
    axes.plot(np.repeat(FAIR_LENGTHS, TESTS), rates.ravel(), ".", ms=1.6, mew=0, color=FAINT, rasterized=True)
    lengths = np.arange(20, 4001)
    for sign in (-1, 1):
        axes.plot(lengths, 0.5 + sign * 0.98 / np.sqrt(lengths), **line(0), label="95 % by law" if sign > 0 else None)
        axes.axhline(0.5 + sign * distance, color="k", lw=1, ls=":", label=f"0.5 ± {distance:g}" if sign > 0 else None)
    axes.axvline(games_within(distance), **line(2), label=f"{games_within(distance):,} games")
    axes.set(xlabel="games of a match", ylabel="share of games won", ylim=(0.35, 0.65))
    axes.xaxis.set_major_locator(MultipleLocator(1000))
    axes.legend(frameon=False)


def _draw_tests(tests: Floats, axes: Axes) -> None:
    """The means of fair tests, one after the other."""
    axes.plot(np.arange(1, TESTS + 1), tests, "o", ms=4, color=COLORS[0], label=f"{TESTS} matches of {GAMES:,} games")
    (low, _), (_, high) = extremes(TESTS * GAMES, TESTS)
    axes.axhspan(low, high, color=PALE, lw=0, label="all of them with 95 %, by law")
    axes.set(xlabel="number of the fair test", ylabel="share of games won", ylim=(0.496, 0.506))
    axes.legend(frameon=False, loc="upper right")
