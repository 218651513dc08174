"""How often the wrong strategies are selected by games, for each way to spend them, at equal total games.

Twenty strategies whose truth is known to the last digit meet one opponent, and two of them are to be selected.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

import pigevo
from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import SHARE, mean_interval, share_interval
from pigevo.core.text import with_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.fitness.archive import ARCHIVE, ArchiveGames
from pigevo.evolution.operators import Context
from pigevo.strategies import CubeGrid, Strategy

from ..common import tables as markdown


def chance_of_wrong(truth: Floats, games: int | Ints) -> float:
    """The exact chance that the best of several members does not win the largest share of independent games.

    `truth` is the win probability of each. Each plays its own games (`games` in number, or one number each) with
    independent dice. Members with equal shares are selected with the same probability; if several are truly best, any
    of them is right.  The formula: if the best wins a share w, the probability that it is selected among ties at random
    is the integral over u from 0 to 1 of the product of F(w-) + u (F(w) - F(w-)) over all others; the integrand is a
    polynomial, for which Gauss's rule is exact.
    """
    means = np.asarray(truth, dtype=np.float64)
    played = np.broadcast_to(np.asarray(games), means.shape)
    if means.ndim != 1 or len(means) < 2:
        raise InputError("to select needs at least two members: give the truth of each in one list.")
    if not ((means >= 0) & (means <= 1)).all() or (played < 1).any():
        raise InputError("the truth must be chances from 0 to 1, and everyone must play at least one game.")
    best = np.flatnonzero(means == means.max())
    nodes, weights = np.polynomial.legendre.leggauss(len(means) // 2 + 1)
    nodes, weights = (nodes + 1) / 2, weights / 2
    right = 0.0
    for one in best:
        wins = np.arange(played[one] + 1)
        product = np.ones((len(wins), len(nodes)))
        for other in np.flatnonzero(np.arange(len(means)) != one):
            # as many wins, of another number of games, as the same share is; whole numbers, so that none is missed
            scaled = wins * int(played[other])
            level, whole = scaled // int(played[one]), scaled % int(played[one]) == 0
            law = stats.binom(int(played[other]), means[other])
            tied = np.where(whole, law.pmf(level), 0.0)
            less = law.cdf(level) - tied
            product *= less[:, None] + nodes * tied[:, None]
        right += float(stats.binom(int(played[one]), means[one]).pmf(wins) @ (product @ weights))
    return min(1.0, max(0.0, 1 - right))


@dataclass(frozen=True)
class Selected:
    """The results of many selections, with 95 % intervals.

    `wrong` is the share of selections that include a member that is not among the best, `lost` the mean loss of those
    selected compared with the best, in win probability, and `games` the mean number of games spent.
    """

    wrong: float
    wrong_low: float
    wrong_high: float
    lost: float
    lost_low: float | None
    lost_high: float | None
    games: float
    times: int


def selected(truth: Floats, scores: Floats, games: Ints, wanted: int = 1) -> Selected:
    """The share of wrong selections in repeated measurements.

    Scores have shape (times, n), with ties broken at random; games are those spent each time.
    """
    means = np.asarray(truth, dtype=np.float64)
    last = np.sort(means)[-wanted]
    chosen = np.array([ranking(row, Draw(0, "selection", n))[:wanted] for n, row in enumerate(scores)])
    wrong = int((means[chosen] < last).any(axis=1).sum())
    lost = np.sort(means)[-wanted:].mean() - means[chosen].mean(axis=1)
    low, high = share_interval(wrong, len(scores))
    ends = mean_interval(lost, within=SHARE)
    return Selected(wrong / len(scores), low, high, float(lost.mean()), *ends, float(np.mean(games)), len(scores))


WANTED = 2
WAYS = ("fixed", "halving:0.1", "racing:0.95,0.1", "allocation:0.1")
EACH = (500, 2000, 8000)
"""Games of each member, if all play alike."""

COLUMNS = ("way", "dice", "pooled", "games_each", "wrong", "wrong_low", "wrong_high", "lost", "lost_low", "lost_high",
           "games", "times")  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """A row of the table.

    Args:
        way: to spend games.
        common: whether all members meet the same dice.
        generations: in how many of them the games are spent, half in each and pooled, where it is 2.
        each: games of each member, if all play alike.
        found: how often the wrong ones are selected.
    """

    way: str
    common: bool
    generations: int
    each: int
    found: Selected


@cache
def members() -> tuple[tuple[Strategy, ...], Strategy, Floats]:
    """Twenty strategies, their opponent, and what each wins against it, exactly."""
    game = pigevo.Pig()
    opponent = pigevo.keep_pace_and_end_race(game)
    own = tuple(pigevo.hold_at(game, n) for n in range(12, 32))
    truth = np.array([pigevo.win_probability(one, opponent).overall for one in own])
    return own, opponent, truth


def exact(each: Sequence[int] = EACH) -> list[tuple[int, float]]:
    """The chance that not the best of the twenty is selected, alone, by so many independent games of each."""
    return [(games, chance_of_wrong(members()[2], games)) for games in each]


def table(seeds: int, workers: int, each: Sequence[int] = EACH) -> list[Cell]:
    """Every way to spend games, on common dice and on dice of one's own, at equal total games.

    Args:
        seeds: how often each selects, with other dice each time.
        workers: threads.
        each: games of each member, if all play alike.
    """
    cells = [(way, common, 1, games) for games in each for way in WAYS for common in (True, False)]
    cells += [("fixed", common, 2, games) for games in each for common in (True, False)]
    return [Cell(*cell, measure(*cell, seeds, workers)) for cell in cells]


def measure(way: str, common: bool, generations: int, each: int, seeds: int, workers: int) -> Selected:
    """How often the two best of the twenty are not the two that are selected."""
    own, opponent, truth = members()
    grid = CubeGrid(opponent.game, 1)
    tables = np.stack([one.roll for one in own])
    genomes = grid.from_strategies(own)
    archive = np.packbits(opponent.table)[None]
    fitness = ArchiveGames(games=each // generations, size=1, by="mean", spend=way, common=common, pool=generations > 1)
    scores, games = np.empty((seeds, len(own))), np.zeros(seeds, np.int64)
    for seed in range(seeds):
        state = {ARCHIVE: archive}
        for generation in range(1, 1 + generations):
            pairs = np.empty((0, 2), np.int64)
            context = Context(
                Draw(seed, "dice", generation), grid, generation, state=state, workers=workers, pairs=pairs
            )
            found = fitness(tables, context)
            if fitness.pool:
                with_scores = Context(
                    context.draw, grid, generation, found.scores, state, evaluation=found, workers=workers
                )
                state = {**state, **fitness.remember(genomes, with_scores), ARCHIVE: archive}
            games[seed] += found.games
        scores[seed] = found.scores
    return selected(truth, scores, games, WANTED)


def as_csv(cells: Sequence[Cell]) -> str:
    """The table as `noise.csv`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for cell in cells:
        one = cell.found
        writer.writerow([
            cell.way.partition(":")[0], _dice(cell), cell.generations > 1, cell.each, one.wrong, one.wrong_low,
            one.wrong_high, one.lost, one.lost_low, one.lost_high, one.games, one.times,
        ])  # fmt: skip
    return text.getvalue()


def as_markdown(cells: Sequence[Cell]) -> str:
    """The table as it stands in `tables.md`, with what is exact below it."""
    head = [
        "way",
        "dice",
        "games of each, if alike",
        "the wrong ones are selected (95 %)",
        "lost (95 %)",
        "games spent",
    ]
    rows = [
        (
            cell.way.partition(":")[0] + (", pooled over two generations" if cell.generations > 1 else ""),
            _dice(cell),
            f"{cell.each:,}",
            with_interval(cell.found.wrong, cell.found.wrong_low, cell.found.wrong_high, ".3f"),
            with_interval(cell.found.lost, cell.found.lost_low, cell.found.lost_high, ".5f"),
            f"{cell.found.games:,.0f}",
        )
        for cell in sorted(cells, key=lambda cell: cell.each)
    ]
    alone = "; ".join(f"{chance:.4f} with {games:,}" for games, chance in exact(sorted({cell.each for cell in cells})))
    return (
        f"{markdown.table(head, rows)}\n"
        f"Exactly, that not the very best alone is selected by independent games of each: {alone}.\n"
    )


def _dice(cell: Cell) -> str:
    return "common" if cell.common else "own"
