"""The fair test: how many games tell two strategies apart, figures 15 and 16."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator
from scipy.stats import binom

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.dice import Draw
from pigevo.figures.axes import COLORS, FAINT, PALE, line, styled
from pigevo.games import Game
from pigevo.simulation.match import play_pairs
from pigevo.tournaments import games_to_tell, games_within, power_of
from pigevo.tournaments.fair import CONFIDENCE, DISTANCE, POWER

from ..common import tables as markdown
from .drawing import panels
from .holds import GAMES, TESTS

LENGTHS = np.arange(20, 4001, 20)
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
    """Win rates of hold at 20 in `TESTS` matches of every length in `LENGTHS` with itself, shape (lengths, tests)."""
    rates = np.empty((len(LENGTHS), TESTS))
    for n, length in enumerate(LENGTHS.tolist()):
        rates[n] = _rates(game, length, Draw(15, "validation", n), workers)
    return rates


def fair_tests(game: Game, workers: int) -> Floats:
    """The means of `TESTS` fair tests of `TESTS` matches of `GAMES` games each with itself, shape (tests,)."""
    return _rates(game, TESTS * GAMES, Draw(16, "validation"), workers)


def _rates(game: Game, games: int, draw: Draw, workers: int) -> Floats:
    tables = np.stack([pigevo.hold_at(game, 20).table] * 2)
    counts: Ints = play_pairs(game, tables, [(0, 1)] * TESTS, games, draw, workers)
    return np.asarray(counts[:, 0] / games)


def table(game: Game, rates: Floats, tests: Floats, published: Mapping[str, Any]) -> str:
    """The report's numbers, derived and played."""
    distance, said = published["distance"], published["range"]
    outside = np.abs(rates - 0.5) > distance + 1e-12
    within = chance_within(published["games"], distance)
    near = {length: int(np.abs(LENGTHS - length).argmin()) for length in (published["games"], 2500, GAMES, 4000)}
    rows: list[tuple[object, ...]] = [
        (f"games for {distance:g} at 95 %", published["games"], games_within(distance)),
        ("chance to lie within, in so many games", "", f"{within:.4f}"),
        (f"expected outside of {TESTS} matches of {published['games']:,} games", "", f"{TESTS * (1 - within):.2f}"),
        (f"chance to lie within, in {GAMES:,} games", "", f"{chance_within(GAMES, distance):.4f}"),
    ]
    for length, n in near.items():
        by_law = 1 - chance_within(int(LENGTHS[n]), distance)
        rows.append((f"of {TESTS} matches of {LENGTHS[n]:,} games so many lie outside", "", int(outside[n].sum())))
        rows.append((f"expected outside of {TESTS} matches of {LENGTHS[n]:,} games", "", f"{TESTS * by_law:.2f}"))
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
def picture(rates: Floats, tests: Floats, distance: float) -> Figure:
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
    axes.plot(np.repeat(LENGTHS, TESTS), rates.ravel(), ".", ms=1.6, mew=0, color=FAINT, rasterized=True)
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
