"""The bound below which no learner comes, the tables of the study from its rows, and its pictures with the bound.

The bound says how many games a learner needs to tell the optimum's decisions from the opposite ones. Take a state, and
another world that differs in nothing but what a throw brings there: its chances are such that the
other decision is better by as much as it is worse in ours.  A learner that knows no state from another must be ready
for both, each as likely.  If its games between the two worlds have a divergence `D`, it errs with a probability of at
least `exp(-D) / 4` (Bretagnolle & Huber 1979).  Whoever sees throws has `D = visits K`, where `K` is the divergence of
the two laws of a throw, the least that does it (Honda & Takemura 2010).  Whoever sees only the winner, and not to which
states a game came, has in each game that of two coins near a half whose chances differ by what the state is worth.

Visits are those in games of the optimum with itself, whose players throw wherever there is something to learn.  An
error costs the state's gap at each visit, so that the loss is the sum over states: to the first order, since whoever
errs comes to other states, too, and on average of the worlds: in one of them a first guess may be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from pigevo.core.arrays import Bools, Floats
from pigevo.exact import optimal, reach
from pigevo.exact.boards import turn_backwards
from pigevo.exact.evaluate import worth_between
from pigevo.figures.axes import (
    FAINT,
    LEAST,
    WIDTH,
    Given,
    Look,
    Panels,
    figure_of,
    line,
    new_figure,
    panels_or_new,
    set_plain,
    styled,
)
from pigevo.games import Game
from pigevo.games.board import board_of

from ..coevolution.kept import Rows
from ..common.group import Question, answers
from ..common.group import as_markdown as compared
from ..common.tables import mean_of, table
from .play_kernels import FREE, by_state, rules_of, strategy_of
from .trials import (
    CUBES,
    EVERYONE,
    INFORMED,
    LEARNERS,
    LEAST_LOSS,
    SHOWN,
    SINGLE,
    TASKS,
    WHERE,
    Options,
    better_evolution,
    digits,
    judge,
)

HALVINGS = 60
SEATS = 2
"""Players who visit states in a game."""


Seen = Literal["throws", "winners"]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What there is to be learned in each state with a choice that good play comes to; arrays of shape (states,).

    Args:
        visits: of a player in a game, between optimal players.
        gap: by how much one decision is better.
        throws: the divergence that a game gives who sees its throws; infinite if there is no other world.
        winners: the same for who sees the winner.
    """

    visits: Floats
    gap: Floats
    throws: Floats
    winners: Floats

    def least_loss(self, games: float, seen: Seen) -> float:
        """The loss below which no such learner comes on average of all worlds, by games."""
        possible = np.isfinite(self.throws)
        information = (self.throws if seen == "throws" else self.winners)[possible]
        return float(np.sum((self.visits * self.gap)[possible] * 0.25 * np.exp(-games * information)))

    def games_for(self, loss: float, seen: Seen) -> float:
        """The games that it takes until this bound is as low as a loss; 0 if it begins below."""
        if self.least_loss(0, seen) <= loss:
            return 0.0
        low, high = 1.0, 1e15
        for _ in range(HALVINGS):
            middle = np.sqrt(low * high)
            low, high = (middle, high) if self.least_loss(middle, seen) > loss else (low, middle)
        return float(high)


@lru_cache(maxsize=8)
def evidence(game: Game) -> Evidence:
    """The visits, gaps and divergences of a game's states."""
    best, board = optimal(game).strategy, board_of(game)
    after, within = worth_between(best, best)[1], np.empty((len(board.hold), board.states))
    visits = by_state(game, reach(best, best).overall)
    played = (rules_of(game).allowed == FREE) & (visits > 0)
    gaps, divergences = np.zeros(visits.shape), np.full(visits.shape, np.inf)
    for w, rolled, held in turn_backwards(best, after, within):
        states = np.flatnonzero(played[:, w])
        outcomes = range(board.begin[w], board.begin[w + 1])
        worth = np.array([_worth(within, after, board.follow, board.leads[n])[states] for n in outcomes])
        gaps[states, w] = np.abs(rolled - held)[states]
        divergences[states, w] = divergence(board.chances[outcomes], worth, (2 * held - rolled)[states])
    visits, gaps = visits[played], gaps[played]
    return Evidence(visits, gaps, SEATS * visits * divergences[played], -0.5 * np.log1p(-((4 * visits * gaps) ** 2)))


def _worth(within: Floats, after: Floats, follow: np.ndarray, lead: int) -> Floats:
    """What an outcome is worth in each state between turns."""
    worth: Floats = within[lead] if lead >= 0 else after[follow[-1 - lead]]
    return worth


def divergence(chances: Floats, worth: Floats, wanted: Floats) -> Floats:
    """The least Kullback-Leibler divergence from a law to another on the same outcomes with a wanted mean.

    It is the maximum over `t` of the mean of `log(1 - t (worth - wanted))`, with `t` such that no logarithm is of less
    than 0 (Honda & Takemura 2010).

    Args:
        chances: the law, shape (outcomes,).
        worth: the outcomes' values, shape (outcomes, n).
        wanted: the means, shape (n,).

    Returns:
        The divergences, shape (n,); infinite where the wanted mean lies beyond all values.
    """
    apart = worth - wanted
    up = chances @ apart < 0  # the mean must grow
    apart = np.where(up, apart, -apart)
    most = apart.max(axis=0)
    possible: Bools = most > 0
    low, high = np.zeros(len(wanted)), 1.0 / np.where(possible, most, 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            grows = chances @ (apart / (1.0 - middle * apart)) < 0  # the derivative, but for its sign
            low, high = np.where(grows, middle, low), np.where(grows, high, middle)
        found: Floats = chances @ np.log1p(-low * apart)
    return np.where(possible, np.maximum(found, 0.0), np.inf)


LOSS = (0.0, 0.5)
"""What a loss or an exploitability can be."""

SEEN: Sequence[Seen] = ("throws", "winners")
LOSSES = (0.01, 0.001, 0.0001)
"""For which the bound says how many games it takes."""

FAR = 9
"""The last power of ten of the bound."""

PRESETS = {"policy gradient": 0, "value iteration": 1}
"""Learners that begin with much, and the games after which this is seen: one begins with a hold boundary, one solves
the game as it imagines it before it has seen throws."""


def by_seed(rows: Rows, task: str, name: str, figure: str) -> dict[int, float]:
    """A figure of a contestant on a task by seed, of those seeds that have it."""
    return {int(seed): row[figure] for (t, n, seed), row in rows.items() if (t, n) == (task, name) and figure in row}


def decades_of(rows: Rows, task: str) -> list[int]:
    """The powers of ten that were played on a task."""
    found = {int(key.split()[1]) for (t, *_), row in rows.items() if t == task for key in row}
    return sorted(found)


def levels(rows: Rows, figure: str, first: int = 0) -> str:
    """The mean of a figure over seeds, by task, contestant and power of ten, from the `first` on."""
    lines = []
    for task in TASKS:
        decades = [decade for decade in decades_of(rows, task) if decade >= first]
        for name in SHOWN:
            by_decade = [np.array([*by_seed(rows, task, name, f"{figure} {decade}").values()]) for decade in decades]
            lines += [(task, name, f"10^{decade}", len(values), mean_of(values, ".5f", LOSS),
                       f"{np.median(values):.5f}")
                      for decade, values in zip(decades, by_decade, strict=True) if len(values)]  # fmt: skip
    return table(["game", "contestant", "games", "seeds", f"{figure} (95 % interval)", "median"], lines)


def against_evolution(rows: Rows, tried: Rows, tasks: Sequence[str]) -> str:
    """Each learner that is told no more beside the better way to evolve, in digits, seed by seed."""
    asked = []
    for task in tasks:
        for decade in decades_of(rows, task):
            rival = better_evolution(tried, decade)
            for name in SHOWN:
                if name not in (INFORMED, rival):
                    where = f"{task}, 10^{decade}"
                    asked.append(Question(f"{name}, {where}", f"{rival}, {where}", _digits(rows, task, name, decade),
                                          _digits(rows, task, rival, decade)))  # fmt: skip
    return compared(answers(asked))


def further(rows: Rows) -> str:
    """What else was predicted, in digits, seed by seed: of CFR beside Q-learning, and of twins without cubes."""
    pairs = [("CFR", "Q-learning", 6), *((SINGLE, CUBES, decade) for decade in (4, 5, 6))]
    asked = [Question(f"{a}, 10^{decade}", f"{b}, 10^{decade}", _digits(rows, WHERE, a, decade),
                      _digits(rows, WHERE, b, decade)) for a, b, decade in pairs]  # fmt: skip
    played = {task: [name for name in EVERYONE if any(key[:2] == (task, name) for key in rows)] for task in TASKS}
    ratios = [(task, f"{max(_ratio(rows, task, name) for name in names):.2f}") for task, names in played.items()]
    head = ["game", "largest ratio of mean exploitability to mean loss"]
    return compared(answers(asked)) + "\n" + table(head, ratios)


def _ratio(rows: Rows, task: str, name: str) -> float:
    """The mean exploitability of a contestant's longest trials, as a multiple of their mean loss; 0 without a loss."""
    decade = max(d for d in decades_of(rows, task) if by_seed(rows, task, name, f"loss {d}"))
    exploitability, loss = (np.mean([*by_seed(rows, task, name, f"{figure} {decade}").values()])
                            for figure in ("exploitability", "loss"))  # fmt: skip
    return float(exploitability / loss) if loss > LEAST_LOSS else 0.0


def _digits(rows: Rows, task: str, name: str, decade: int) -> Mapping[int, float]:
    return {seed: digits(loss) for seed, loss in by_seed(rows, task, name, f"loss {decade}").items()}


def speed(rows: Rows) -> str:
    """The games that each contestant plays and learns from in a second, in its longest trials."""
    lines = []
    for task in TASKS:
        for name in SHOWN:
            decade = max((d for d in decades_of(rows, task) if by_seed(rows, task, name, f"seconds {d}")), default=None)
            if decade is not None:
                games = by_seed(rows, task, name, f"games {decade}")
                rates = [games[seed] / spent for seed, spent in by_seed(rows, task, name, f"seconds {decade}").items()]
                lines.append((task, name, f"10^{decade}", f"{float(np.median(rates)):,.0f}"))
    return table(["game", "contestant", "games", "games a second (median)"], lines)


def bounds() -> str:
    """What the bound says of each task: the least loss by games, and the games that a loss takes."""
    found = {task: evidence(what.game) for task, what in TASKS.items()}
    needed = [(task, seen, *(_rounded(one.games_for(loss, seen)) for loss in LOSSES))
              for task, one in found.items() for seen in SEEN]  # fmt: skip
    losses = [(task, seen, *(f"{one.least_loss(10.0**decade, seen):.5f}" for decade in range(4, FAR + 1)))
              for task, one in found.items() for seen in SEEN]  # fmt: skip
    states = [(task, len(one.gap), f"{one.visits.sum():.1f}", f"{_half(one):,}") for task, one in found.items()]
    return "\n".join([
        table(["game", "seen", *(f"games for a loss of {loss:g}" for loss in LOSSES)], needed),
        table(["game", "seen", *(f"least loss at 10^{decade}" for decade in range(4, FAR + 1))], losses),
        table(["game", "states with a choice that good play comes to", "visits in a game",
               "states that have half of the visits"], states),
    ])  # fmt: skip


def start(settings: Mapping[str, Options]) -> str:
    """What learners lose that begin with much, before their first game or after one, and the bound of no games."""
    lines = []
    for task, what in TASKS.items():
        begun = [f"{_loss_at_first(name, what.game, settings[name]):.5f}" for name in PRESETS]
        lines.append((task, *begun, f"{evidence(what.game).least_loss(0, 'winners'):.5f}"))
    after = {0: "before its first game", 1: "after one game"}
    losses = [f"loss of {name} {after[games]}" for name, games in PRESETS.items()]
    return table(["game", *losses, "least loss at no games"], lines)


def _loss_at_first(name: str, game: Game, options: Options) -> float:
    """The loss of one of `PRESETS`."""
    learner = LEARNERS[name][0](game, 0, **options)
    if PRESETS[name]:
        learner.play(0, PRESETS[name])
    return judge(strategy_of(game, learner.rolls, name))[0]


def _half(found: Evidence) -> int:
    """How many states have half of all visits, the most visited ones."""
    share = np.cumsum(np.sort(found.visits)[::-1]) / found.visits.sum()
    return int(np.searchsorted(share, 0.5)) + 1


def _rounded(games: float) -> str:
    """A number with two significant digits, in full."""
    return f"{float(f'{games:.1e}'):,.0f}"


LOWEST = 1e-5
"""The smallest loss that is drawn; a panel whose losses are larger begins at the decade below them."""

HIGH, NAME = 2.9, 0.26  # the height of a row of panels, and of a name in the row of names above them, in inches
TOP = 0.6  # the largest loss of each panel
BELOW = 0.8  # the bottom of a panel divided by its smallest loss, so that marks at the edge are not cut
MANY = 2.5  # the number of decades from which only powers of ten have a tick
WIDE = 1e4  # the ratio of the ends from which only every other power of ten has a tick, as large numbers would touch
LONG_NUMBERS = 1e7  # the number from which only every third has
MARGIN = 0.06  # the room left and right of all amounts, as a share of their width
APART = 0.012  # the distance of bars of the same amount, as a share of the width
BOUNDS: Mapping[Seen, str] = {"throws": "bound, throws seen", "winners": "bound, only winners seen"}
BOUND_LINES = ("-", ":")
OTHERS: Look = {"color": FAINT, "lw": 0.6, "zorder": 0.5}
"""Contestants of other columns, which stand in the background of a panel."""

BLACK = "black"
AT_EDGE: Look = {"marker": "v", "ms": 7, "ls": "", "clip_on": False, "zorder": 4}
"""The mark of figures that lie below the edge."""

Points = tuple[Sequence[float], Sequence[Floats]]
"""Amounts, and the figures of all seeds at each."""


@styled
def plot_learning(
    panels: Mapping[str, Mapping[str, Points]],
    across: str,
    up: str,
    bounds: Mapping[str, Evidence] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    ax: Given = None,
) -> Panels:
    """Draw the figures of contestants over what they cost: a row of panels for each game, a column for each group.

    Args:
        panels: by game and contestant.
        across: the costs in words.
        up: the figure in words.
        bounds: by game: what the bound is computed from; no bound by default.
        groups: the contestants of each column, which are grey in the others; by default all are in one.
        ax: the panels, row by row; by default in a new figure.
    """
    columns = groups or {"contestants": list(dict.fromkeys(name for curves in panels.values() for name in curves))}
    count = len(panels) * len(columns)
    heads: list[Axes] = []
    drawn = panels_or_new(ax, count, lambda: _new(len(panels), columns, heads))
    for row, (game, curves) in enumerate(panels.items()):
        of_game = drawn[row * len(columns) : (row + 1) * len(columns)]
        least = _bounds(curves, bounds[game]) if bounds is not None else {}
        medians = [float(np.median(of_amount)) for _, values in curves.values() for of_amount in values]
        lowest = decade_below([*medians, *(float(y.min()) for _, y in least.values())])
        for axes, members in zip(of_game, columns.values(), strict=True):
            _frame(axes, curves, lowest)
            _contestants(axes, curves, members, lowest)
            for dashes, (x, y) in zip(BOUND_LINES, least.values(), strict=False):
                _cut(axes, x, y, lowest, {"color": BLACK, "ls": dashes, "lw": 2.5, "zorder": 3})
            axes.set_xlabel(across if row == len(panels) - 1 or groups is None else "")
        of_game[0].set_ylabel(up)
        of_game[0].set_title(game, fontsize=LEAST, loc="left")
    for axes, (title, members) in zip(heads or drawn, columns.items(), strict=False):
        shown = [name for name in members if any(name in curves for curves in panels.values())]
        samples = [Line2D([], [], marker="o", ms=4, **line(members.index(name))) for name in shown]
        axes.legend(samples, shown, title=title, alignment="left", loc="lower left", frameon=not heads)
    if ax is None:
        figure = figure_of(drawn)
        entries = _meanings(bounds is not None, groups is not None)
        figure.legend(entries, [str(entry.get_label()) for entry in entries], loc="outside lower center", ncols=2,
                      frameon=False)  # fmt: skip
    return drawn


def _new(rows: int, columns: Mapping[str, Sequence[str]], heads: list[Axes]) -> Iterable[Axes]:
    """New panels, below a row of places for the names of the contestants of each column, which are put into `heads`."""
    head = NAME * (1 + max(map(len, columns.values())))
    figure = new_figure((WIDTH, HIGH * rows + head))
    heights = [head, *[HIGH] * rows]
    places = figure.subplots(rows + 1, len(columns), sharey="row", squeeze=False, height_ratios=heights)
    heads += places[0].tolist()
    for axes in heads:
        axes.set_axis_off()
    yield from places[1:].ravel().tolist()


def decade_below(losses: Sequence[float]) -> float:
    """The power of ten below all losses that are drawn; those below `LOWEST` lie at the edge of every panel."""
    return float(10 ** np.floor(np.log10(min((loss for loss in losses if loss > LOWEST), default=LOWEST))))


def _bounds(curves: Mapping[str, Points], evidence: Evidence) -> dict[str, tuple[Floats, Floats]]:
    """The least loss by what is seen, with the amounts, over all that were played."""
    ends = [amount for amounts, _ in curves.values() for amount in amounts]
    x = np.geomspace(min(ends), max(ends), 200)
    return {
        name: (x, np.array([evidence.least_loss(float(games), seen) for games in x])) for seen, name in BOUNDS.items()
    }


def _frame(axes: Axes, curves: Mapping[str, Points], lowest: float) -> None:
    """Set the scales of a panel, which are final then."""
    ends = [amount for amounts, _ in curves.values() for amount in amounts]
    room = (max(ends) / min(ends)) ** MARGIN
    axes.set(xscale="log", yscale="log", ylim=(BELOW * lowest, TOP), xlim=(min(ends) / room, max(ends) * room))
    decades = np.log10(TOP / lowest)
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if decades < MANY else (1.0,), numticks=20))
    if max(ends) / min(ends) > WIDE:
        axes.xaxis.set_major_locator(LogLocator(base=1000 if max(ends) > LONG_NUMBERS else 100, numticks=20))
    set_plain(axes.xaxis, axes.yaxis)
    axes.grid(alpha=0.3, lw=0.5)


def _contestants(axes: Axes, curves: Mapping[str, Points], members: Sequence[str], lowest: float) -> None:
    """The contestants of a panel, each with its median and bars from the least to the greatest figure; others grey."""
    own = [name for name in members if name in curves]
    low, high = axes.get_xlim()
    for name, (amounts, values) in curves.items():
        if name not in own:
            medians = np.array([np.median(of_amount) for of_amount in values])
            _cut(axes, np.array(amounts), medians, lowest, OTHERS)
    for number, name in enumerate(own):
        amounts, values = curves[name]
        look = line(list(members).index(name))
        x = np.array(amounts) * (high / low) ** (APART * (number - (len(own) - 1) / 2))
        medians, least, most = (np.array([of(of_amount) for of_amount in values]) for of in (np.median, np.min, np.max))
        _cut(axes, x, medians, lowest, {**look, "marker": "o", "ms": 4})
        seen = most >= lowest
        axes.vlines(x[seen], np.maximum(least, lowest)[seen], most[seen], color=look["color"], lw=1.0)
        only = (least < lowest) & (medians >= lowest)
        _mark_edge(axes, x[only], lowest, {"mfc": "w", "mec": look["color"]})


def _cut(axes: Axes, x: Floats, y: Floats, lowest: float, look: Look) -> None:
    """A curve down to the edge, along which it does not go on; its figures below the edge have a mark there."""
    below = y < lowest
    beside = np.pad(below, 1, constant_values=True)
    hidden = below & beside[:-2] & beside[2:]
    axes.plot(x, np.where(hidden, np.nan, np.maximum(y, lowest)), **{**look, "marker": ""})
    if marker := look.get("marker"):
        axes.plot(x[~below], y[~below], marker, ms=look["ms"], color=look["color"], zorder=3)
    if look["color"] != OTHERS["color"]:
        _mark_edge(axes, x[below] if marker else x[below][:1], lowest, {"color": look["color"]})


def _mark_edge(axes: Axes, x: Floats, lowest: float, look: Look) -> None:
    if len(x):  # a line without points that is not clipped would count as one in the corner of the figure
        axes.plot(x, np.full(len(x), lowest), **AT_EDGE, **look)


def _meanings(with_bounds: bool, with_others: bool) -> list[Line2D]:
    """What is drawn in every panel, as entries of a legend."""
    dots = Line2D([], [], marker="o", ms=4, color=FAINT, label="median of the seeds; bar: their range")
    edge = Line2D([], [], **AT_EDGE, color=FAINT, label="below the edge; white: only some seeds")
    bounds = [
        Line2D([], [], color=BLACK, ls=dashes, lw=2.5, label=name)
        for name, dashes in zip(BOUNDS.values(), BOUND_LINES, strict=True)
    ]
    others = Line2D([], [], **OTHERS, label="those of the other columns")
    return [dots, edge, *(bounds if with_bounds else []), *([others] if with_others else [])]
