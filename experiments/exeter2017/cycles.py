"""Strategies that beat each other in a circle, populations whose strategies exploit each other, and roll and wait.

The circles are the report's three strategies, the strongest named ones, and evolved ones.  In populations shares grow
with what a strategy wins against the population (replicator dynamics), or players are replaced one by one
(Moran process), on the exact matrix of margins.

Of roll and wait, one of the three, the report has one sentence and two win probabilities: "Roll and wait is a strategy
that behaves such that it gets up to a banked score of 80, before not rolling and waiting for the opponent to catch up,
before then rolling to try to win." Each part of the sentence has several readings, and all are tried.  Stalemates are
those of the strategy that passes when both have banked as much, against itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Bytes, Floats
from pigevo.dice import Draw
from pigevo.exact import against, pairs_of_tables, prepare
from pigevo.figures.axes import FAINT, label_ends, line, styled
from pigevo.games import Game
from pigevo.tournaments import PLAYERS, Course, cycles_of, moran, nash, replicator

from ..common import tables as markdown
from .holds import Line, panels

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


def cycles_table(game: Game, plain: Game, workers: int) -> str:
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


GENERATIONS, MUTATION = 1_000, 0.002
"""Of the Moran process."""

WORTH_NAMING = 0.005
NAMED, BEGINNING, MORAN = 4, 401, 300
"""Curves of a picture that are named; of a cycle the times, and of the Moran process the generations that are shown."""

LOST = 0.02  # a smaller share at the end is nearly none


@dataclass(frozen=True, eq=False)
class Population:
    """What becomes of a population.

    Args:
        name: of it.
        members: the names of its strategies.
        overall: the win probabilities of all against all, shape (n, n).
        large: its shares by replicator dynamics.
        small: its shares by a Moran process.
    """

    name: str
    members: tuple[str, ...]
    overall: Floats
    large: Course
    small: Course


def courses(game: Game, passing: Game, workers: int) -> list[Population]:
    """The courses of four populations; the one of the report's three strategies plays with passing."""
    holds = [pigevo.hold_at(game, n) for n in range(5, 41)]
    exploiters = [pigevo.best_response(one).strategy for one in holds]
    chain = [pigevo.hold_at(game, 20)]
    chain += [one.strategy for one in pigevo.iterated_best_response(chain[0], 6)]
    chain = [pigevo.Strategy(game, one.roll, f"answer {n}" if n else one.name) for n, one in enumerate(chain)]
    trio = [pigevo.turtle(passing, 5), pigevo.roll_to_win(passing), pigevo.roll_and_wait(passing, 80, 15)]
    populations: Mapping[str, Sequence[pigevo.Strategy]] = {
        "turtle, roll to win, roll and wait": trio, "hold at 5 to 40": holds,
        "best responses to hold at 5 to 40": exploiters, "hold at 20, its best response, and so on": chain,
    }  # fmt: skip
    return [_population(name, members, workers) for name, members in populations.items()]


def _population(name: str, members: Sequence[pigevo.Strategy], workers: int) -> Population:
    overall = pigevo.win_matrix(list(members), workers)
    small = moran(overall, GENERATIONS, mutation=MUTATION)
    return Population(name, tuple(one.name for one in members), overall, replicator(overall), small)


def exploiters_table(found: Sequence[Population]) -> str:
    """Cycles, the Nash mixture, and how often another strategy takes the lead."""
    rows = []
    for one in found:
        mixture = nash(one.overall)
        shares = {
            name: share
            for name, share in zip(one.members, mixture.shares.tolist(), strict=True)
            if share > WORTH_NAMING
        }
        listed = ", ".join(
            f"{name} {share:.3f}" for name, share in sorted(shares.items(), key=lambda pair: -pair[1])[:4]
        )
        last, leader, half = one.large.shares[-1], int(one.large.leaders()[-1]), len(one.large.times) // 2
        late = Course(one.large.times[half:], one.large.shares[half:])
        rows.append((one.name, len(one.members), f"{len(cycles_of(one.overall)):,}", listed,
                     one.large.changes_of_lead(), late.changes_of_lead(), f"{one.members[leader]} {last[leader]:.3f}",
                     one.small.changes_of_lead(),
                     f"{float((one.small.shares.max(axis=1) == 1).mean()):.3f}"))  # fmt: skip
    head = [
        "population",
        "strategies",
        "cycles of three",
        "Nash mixture",
        "changes of the lead",
        "in the second half",
        "leads at the end",
        "changes of the lead, Moran",
        "share of the time that all are alike, Moran",
    ]
    return markdown.table(head, rows)


@styled
def picture_exploiters(found: Sequence[Population]) -> Figure:
    """The shares over time: replicator dynamics of each population, and the Moran process of the first."""
    figure, axes = panels(len(found) + 1, "Populations of strategies that exploit each other", 3.7)
    for panel, one in zip(axes, found, strict=False):
        until = BEGINNING if len(one.members) == 3 else len(one.large.times)
        times, shares = one.large.times[:until], one.large.shares[:until]
        named = np.argsort(-shares.max(axis=0))[:NAMED].tolist()
        others = [n for n in range(len(one.members)) if n not in named]
        panel.plot(times, shares[:, others], color=FAINT, lw=0.6)
        lines = {one.members[n]: panel.plot(times, shares[:, n], **line(number))[0]
                 for number, n in enumerate(sorted(named))}  # fmt: skip
        panel.set(xlabel="time", ylabel="share of the population", ylim=(0, 1))
        panel.set_title(one.name, fontsize=12)
        lines = {_in_words(name): drawn for name, drawn in lines.items()}
        if (shares[-1, named] < LOST).sum() > 1:  # several lines end in one place
            panel.legend([*lines.values()], [*lines], loc="center right")
        else:
            label_ends(panel, lines)
    first, last = found[0], axes[-1]
    times = first.small.times[:MORAN]
    ends = {}
    for number, (name, shares) in enumerate(zip(first.members, first.small.shares[:MORAN].T, strict=True)):
        (ends[_in_words(name)],) = last.plot(times, shares, **line(number))
    last.set(xlabel="generation", ylabel="share of the population", ylim=(0, 1))
    last.set_title(f"{first.name}: {PLAYERS} players, replaced one by one", fontsize=12)
    label_ends(last, ends)
    return figure


def _in_words(name: str) -> str:
    """The name of a member for a picture: `to hold at 40`."""
    return name.removeprefix("best response ").replace("_", " ").replace(":", " ")


MARK = 80
"""The banked score at which roll and wait begins to wait, by the report."""
TOGETHER = 64
"""Readings that are met with turtle at a time."""
SHOWN = 5
"""Readings that the table has, the nearest ones."""
HEAD = ("roll and wait", "first against turtle", "turtle first", "off by", "roll to win first against it",
        "it first against roll to win")  # fmt: skip


@dataclass(frozen=True)
class Waiting:
    """A reading of the report's sentence on roll and wait.

    Args:
        n: the turn total at which it holds below the mark; with None it plays the optimum there.
        stops: whether it also holds below the mark as soon as it can bank the mark.
        until: when it has been caught up with: `score` c (the opponent has c) or `lead` d (its lead is at most d).
        value: that c or d.
        mark: the banked score from which it waits.
        hurries: whether it rolls to win below the mark, too, once the opponent has c (the mark if it waits for a lead).
        last: the turn total at which it holds once it has been caught up with; with None it rolls to win.
    """

    n: int | None
    stops: bool
    until: str
    value: int
    mark: int = MARK
    hurries: bool = False
    last: int | None = None

    def table(self, game: Game) -> Bytes:
        """Its decisions, in the layout (own, turn total, opponent)."""
        points = np.arange(game.target)
        i, k, j = points[:, None, None], points[None, :, None], points[None, None, :]
        below = k < self.n if self.n is not None else _optimum(game.target)
        reach = below & ((i + k < self.mark) | (not self.stops))
        if self.hurries:
            reach = reach | (j >= (self.value if self.until == "score" else self.mark))
        caught = j >= self.value if self.until == "score" else i - j <= self.value
        ends = (k > 0) | caught if self.last is None else ((k > 0) | caught) & (k < self.last)
        rolls = np.where(i < self.mark, reach, ends) & (i + k < game.target)
        return np.broadcast_to(rolls, (game.target,) * 3).astype(np.uint8)

    def strategy(self, game: Game) -> pigevo.Strategy:
        """As a strategy."""
        return pigevo.Strategy(game, self.table(game).transpose(0, 2, 1).astype(np.bool_), "roll and wait")

    def __str__(self) -> str:
        plays = "plays the optimum" if self.n is None else f"holds at {self.n}"
        stops = f" or {self.mark} banked" if self.stops else f" below {self.mark}"
        caught = f"the opponent has {self.value}" if self.until == "score" else f"its lead is at most {self.value}"
        rolls = "rolls to win" if self.last is None else f"holds at {self.last}"
        hurries = ", which it also does below" if self.hurries else ""
        return f"{plays}{stops}, waits until {caught}, then {rolls}{hurries}"


@cache
def _optimum(target: int) -> Bytes:
    roll = pigevo.optimal(pigevo.Pig(target)).strategy.roll
    return np.ascontiguousarray(roll.transpose(0, 2, 1))


Caught = tuple[str, int]
ALL: tuple[Caught, ...] = (*(("score", c) for c in range(40, 100)), *(("lead", d) for d in range(-25, 41)))
"""Every way to be caught up with that is tried."""


def natural(mark: int) -> list[Caught]:
    """The ways to be caught up with that the sentence suggests first."""
    scores = sorted({mark, mark + 1, MARK, MARK + 1})
    return [("lead", -1), ("lead", 0), ("lead", 1), *(("score", c) for c in scores)]


Readings = Iterator[Waiting]


def readings_by_part() -> dict[str, Readings]:
    """All readings, by what is varied beside the hold value and whether it stops at the mark."""
    both = (False, True)
    return {
        "when it is caught up with, and whether it hurries": (
            Waiting(n, stops, *caught, hurries=hurries)
            for n in range(1, 81) for stops in both for caught in ALL for hurries in both
        ),
        "the mark, from 70 to 95": (
            Waiting(n, stops, *caught, mark=mark)
            for mark in range(70, 96) if mark != MARK
            for n in range(1, 61) for stops in both for caught in natural(mark)
        ),
        "the mark, from 60 to 99, after the optimum": (
            Waiting(None, stops, *caught, mark=mark) for mark in range(60, 100) for stops in both for caught in ALL
        ),
        "where it holds at last, from 2 to 20": (
            Waiting(n, stops, *caught, last=last)
            for n in range(1, 45) for stops in both for caught in natural(MARK) for last in range(2, 21)
        ),
    }  # fmt: skip


def roll_and_wait_table(game: Game, published: Mapping[str, Any], workers: int) -> str:
    """The readings of roll and wait that come nearest to the report's figures against turtle."""
    turtle = pigevo.turtle(game, turtle_value(game, published))
    first, second = (float(said) for said in published["roll_and_wait"]["computed"])
    goal = np.array([first, 1 - second])
    found = {
        part: sorted(_tried(game, turtle, readings, goal, workers)) for part, readings in readings_by_part().items()
    }
    tried = sorted(itertools.chain(*found.values()))
    searched = [(part, f"{len(of_part):,}", f"{of_part[0].apart:.4f}") for part, of_part in found.items()]
    count = [
        ("readings tried", f"{len(tried):,}"),
        ("that give the report's figures", sum(reading.apart < 5e-7 for reading in tried)),
        ("nearest is off by", f"{tried[0].apart:.4f}"),
        ("published, roll and wait first", f"{first:.6f}"),
        ("published, turtle first", f"{second:.6f}"),
    ]
    return "\n".join([
        markdown.table(HEAD, [*(near.row(game) for near in tried[:SHOWN]), _default(game, turtle, goal)]),
        markdown.table(["varied beside the hold value and the stop", "readings", "nearest is off by"], searched),
        markdown.table(["search", "found"], count),
    ])  # fmt: skip


@dataclass(frozen=True, order=True)
class Tried:
    """A reading: how far it is off the report's figures, and what it wins against turtle by seat."""

    apart: float
    reading: Waiting = field(compare=False)
    seats: tuple[float, float] = field(compare=False)

    def row(self, game: Game) -> tuple[str, ...]:
        """Its row of the table."""
        return _row_of_reading(str(self.reading), self.seats, self.apart, self.reading.strategy(game))


def _tried(game: Game, turtle: pigevo.Strategy, readings: Readings, goal: Floats, workers: int) -> Iterator[Tried]:
    opponent = prepare(turtle)
    while batch := list(itertools.islice(readings, TOGETHER)):
        seats = against(np.stack([reading.table(game) for reading in batch]), opponent, workers)
        apart = np.abs(seats - goal).max(axis=1)
        yield from map(Tried, apart.tolist(), batch, map(tuple, seats.tolist()))


def _default(game: Game, turtle: pigevo.Strategy, goal: Floats) -> tuple[str, ...]:
    """The row of pigevo's own reading."""
    default = pigevo.roll_and_wait(game)
    p = pigevo.win_probability(default, turtle)
    seats = p.first, p.second
    name = f"{default.name}: holds at 20, waits until its lead is at most 0"
    return _row_of_reading(name, seats, float(np.abs(seats - goal).max()), default)


def _row_of_reading(name: str, seats: Sequence[float], apart: float, strategy: pigevo.Strategy) -> tuple[str, ...]:
    rival = pigevo.roll_to_win(strategy.game)
    p = pigevo.win_probability(rival, strategy)
    figures = seats[0], 1 - seats[1], apart, p.first, 1 - p.second - p.stalemate_second
    return name, *(f"{figure:.6f}" for figure in figures)


HOLDS = (5, 10, 15, 20, 21, 25, 30, 40)
GAMES = 100_000
PLAYED_HOLD = 20


def stalemates_table(game: Game, published: float) -> str:
    """How often nobody wins, exactly and played, by where the strategy holds otherwise.

    Args:
        game: with passing.
        published: "around a quarter".
    """
    rows = []
    for n in HOLDS:
        strategy = pigevo.skip_when_level(game, n)
        p = pigevo.win_probability(strategy, strategy)
        found = ["", ""]
        if n == PLAYED_HOLD:
            match = pigevo.play_match(strategy, strategy, GAMES, seed=17)
            share = match.stalemates / GAMES
            spread = 1.96 * (share * (1 - share) / GAMES) ** 0.5
            found = [f"{share:.4f} of {GAMES:,} games", f"{share - spread:.4f} to {share + spread:.4f}"]
        against = pigevo.win_probability(strategy, pigevo.hold_at(game, n))
        rows.append((n, f"{p.stalemate_first:.6f}", f"{p.first:.6f}", f"{1 - p.first - p.stalemate_first:.6f}", *found,
                     f"{against.overall:.4f}"))  # fmt: skip
    head = [
        "holds otherwise at",
        f"stalemates (published: about {published:g})",
        "who moves first wins",
        "who moves second wins",
        "played",
        "interval (95 %)",
        "wins against the same without passing",
    ]
    return markdown.table(head, rows)
