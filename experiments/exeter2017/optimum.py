"""The optimum of Pig: the equations that the report solves by hand, its opponents, and the ways to it.

These are best responses from every hold-at strategy, their histories and ends, and value iteration
(Neller & Presser 2004) beside the exact solution.  Other faces that bust and risk preferences have optima of their own.
Figures 1, 2 and 4 of the report are drawn again, and its box plot is played again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Bools, Floats
from pigevo.core.machine import map_threads
from pigevo.dice import Draw
from pigevo.exact import Solution, iterated_best_response, win_matrix
from pigevo.figures.axes import COLORS, DIVIDER, LEAST, figure_of, line, styled
from pigevo.figures.bands import boxes_data, plot_boxes
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.games import Game
from pigevo.people import neutral_values
from pigevo.simulation.match import play_pairs

from ..common import tables as markdown
from ..common.spent import LOSS
from .holds import GAMES, TESTS, Line, panels


def scores_of_equations(game: Game) -> dict[str, tuple[pigevo.Strategy, pigevo.Strategy, int, int]]:
    """The pairs of scores of the report: A's strategy, B's, A's score and B's."""
    rolls = pigevo.roll_to_win(game)
    banks = pigevo.Strategy.from_function(
        game, lambda i, j, k: not (i == 97 and j == 99 and k == 2), "banks at 97, 99, 2"
    )
    found = {
        "99 to 99, both roll": (rolls, rolls, 99, 99),
        "both roll": (rolls, rolls, 97, 99),
        "A banks": (banks, rolls, 97, 99),
    }
    for target in (2, 3):
        piglet = pigevo.Piglet(target)
        found[f"Piglet to {target}"] = (pigevo.hold_at(piglet, 1), pigevo.hold_at(piglet, 2), 0, 0)
    return found


def equations_table(game: Game) -> str:
    """Each equation with its solution."""
    rows = []
    for name, (a, b, own, opponent) in scores_of_equations(game).items():
        found = pigevo.explain_scores(a, b, own, opponent)
        for unknown, equation, value in zip(found.unknowns, found.equations, found.values.tolist(), strict=True):
            rows.append((name, unknown.name, equation, f"{value:.6f}"))
    return markdown.table(["scores", "unknown", "equation", "solution"], rows)


def lines_of_equations(game: Game, published: Mapping[str, Any]) -> Iterator[Line]:
    """The printed solutions beside ours."""
    for name, said in published["equations"].items():
        a, b, own, opponent = scores_of_equations(game)[name]
        found = pigevo.explain_scores(a, b, own, opponent)
        solved = dict(zip((one.name for one in found.unknowns), np.asarray(found.values).tolist(), strict=True))
        for unknown, value in said.items():
            yield Line("2.2.1", f"{name}, {unknown}", value, solved[unknown])


SERIES, LENGTH = 1000, 1000
"""The box plot's series of games, and the games of each."""

NARROW = 6.8  # the width of a picture of a single box, in inches

MANY = TESTS * GAMES


def lines_of_optimum(game: Game, published: Mapping[str, Any]) -> list[Line]:
    """The optimum against hold at 25, against itself, and the box plot's figure."""
    best = pigevo.optimal(game)
    p = pigevo.win_probability(best.strategy, pigevo.hold_at(game, 25))
    seats = ((p.first, 1 - p.second), published["optimum_and_25"])
    found = [
        Line(
            "3.3.5",
            "optimum against hold at 25, optimum first",
            seats[1]["computed"][0],
            p.first,
            0,
            'there "in general"',
        ),
        Line("3.3.5", "optimum against hold at 25, hold at 25 first", seats[1]["computed"][1], 1 - p.second),
    ]
    names = ("optimum first", "hold at 25 first", "optimum in general")
    for name, said, ours in zip(names, seats[1]["played"], (*seats[0], p.overall), strict=True):
        games = MANY if "general" in name else MANY // 2
        found.append(Line("3.3.5, played", f"optimum against hold at 25, {name}", said, ours, games))
    value = float(best.value)
    found.append(Line("3.3.5", "optimum against Neller's, who moves first", published["neller"]["computed"], value))
    for name, said in zip(("theirs first", "Neller's first"), published["neller"]["played"], strict=True):
        found.append(Line("3.3.5, played", f"optimum against Neller's, {name}", said, value, MANY // 2))
    found.append(
        Line("N&P 2004", "optimum against itself, who moves first", published["neller_and_presser_2004"], value)
    )
    what = "hold at 20 moving first against hold at 21"
    return [*found, Line("2.3.4", what, published["boxes"], box_exact(game))]


def box_exact(game: Game) -> float:
    """What hold at 20 wins, moving first, against hold at 21: the middle of the box plot."""
    return float(pigevo.win_probability(pigevo.hold_at(game, 20), pigevo.hold_at(game, 21)).first)


def box_rates(game: Game, workers: int) -> Floats:
    """Win rates of hold at 20, moving first in every game, against hold at 21: of each series."""
    tables = np.stack([pigevo.hold_at(game, n).table for n in (20, 21)])
    rates = np.empty(SERIES)
    for series in range(SERIES):
        draw = Draw(20, "validation", series)
        outcomes = play_pairs(game, tables, [(0, 1)], 2 * LENGTH, draw, workers, sets=2 * LENGTH)
        rates[series] = outcomes[::2, 0].mean()  # the games in which hold at 20 moves first
    return rates


def boxes_table(rates: Floats, exact: float) -> str:
    """The box of the series beside the exact figure and the luck of so many games."""
    drawn = boxes_data(["20 v 21"], rates[None])
    (low, middle, high), (least, most) = drawn.quartiles[0].tolist(), drawn.whiskers[0].tolist()
    rows = [
        ("exact", f"{exact:.6f}"), ("mean of all series", f"{rates.mean():.6f}"), ("median", f"{middle:.4f}"),
        ("quartiles", f"{low:.4f} to {high:.4f}"), ("whiskers", f"{least:.4f} to {most:.4f}"),
        ("standard deviation", f"{rates.std(ddof=1):.4f}"),
        ("standard deviation by the binomial law", f"{(exact * (1 - exact) / LENGTH) ** 0.5:.4f}"),
    ]  # fmt: skip
    return markdown.table(
        [f"{SERIES:,} series of {LENGTH:,} games, hold at 20 first against hold at 21", "found"], rows
    )


@styled
def picture_boxes(rates: Floats, exact: float) -> Figure:
    """The box plot."""
    figure, (axes,) = panels(1, f"{SERIES:,} series of {LENGTH:,} games", height=5, width=NARROW)
    plot_boxes(boxes_data(["hold at 20, moving first, against hold at 21"], rates[None]), axes)
    axes.axhline(exact, color="k", ls="--", lw=1.4)
    axes.text(0.01, exact + 0.001, f"exact: {exact:.4f}", transform=axes.get_yaxis_transform(), fontsize=LEAST)
    axes.set_ylabel("share of games won by hold at 20")
    return figure


STARTS = range(1, 101)
ROUNDS = 30
SAME = 1e-12
POWERS = (0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 3.0)


@dataclass(frozen=True)
class History:
    """The best response to a strategy, the best response to that, and so on.

    Args:
        start: the hold value that it began with.
        values: what each response wins, moving first, against the one before.
        against_optimum: what each wins overall against the optimum.
        is_fixed: whether it ended with an array that answers itself.
    """

    start: int
    values: tuple[float, ...]
    against_optimum: tuple[float, ...]
    is_fixed: bool

    @property
    def to_value(self) -> int:
        """Rounds until no opponent wins more than a half against the response, rounding aside."""
        return next(n for n, value in enumerate(self.against_optimum, start=1) if 0.5 - value < SAME)


def histories(game: Game, workers: int) -> list[History]:
    """The histories from every hold-at strategy."""
    best = pigevo.optimal(game).strategy

    def follow(n: int) -> History:
        start = pigevo.hold_at(game, n)
        rounds: list[Solution] = list(iterated_best_response(start, ROUNDS))
        against = tuple(pigevo.win_probability(one.strategy, best).overall for one in rounds)
        answered = [start, *(one.strategy for one in rounds)]
        return History(n, tuple(one.value for one in rounds), against, answered[-1] == answered[-2])

    return map_threads(follow, STARTS, workers)


def responses_table(game: Game, found: Sequence[History]) -> str:
    """What the histories come to."""
    value = pigevo.optimal(game).value
    firsts = {one.start: one.values[0] for one in found}
    ends = max(abs(one.values[-1] - value) for one in found)
    lowest = min(min(one.values) for one in found)
    rows = [
        ("starts", len(found)), ("that end in an array that answers itself", sum(one.is_fixed for one in found)),
        ("largest difference of an end from the optimum's value", f"{ends:.1e}"),
        ("rounds until nobody beats the response", _range([one.to_value for one in found])),
        ("rounds until the array stays", _range([len(one.values) for one in found])),
        ("smallest win probability, moving first, of any round", f"{lowest:.6f}"),
        ("best response to hold at 21, first", f"{firsts[21]:.6f}"),
        ("best response to hold at 20, first", f"{firsts[20]:.6f}"),
        ("least won by a first response, moving first",
         f"{min(firsts.values()):.6f}, against hold at {min(firsts, key=lambda n: firsts[n])}"),
    ]  # fmt: skip
    text = markdown.table(["best responses from hold at 1 to 100", "found"], rows)
    shown = [one for one in found if one.start in (1, 5, 10, 15, 20, 21, 25, 30, 50, 100)]
    table = [(f"hold at {one.start}", len(one.values), ", ".join(f"{v:.6f}" for v in one.values[:6]),
              ", ".join(f"{v:.6f}" for v in one.against_optimum[:4])) for one in shown]  # fmt: skip
    head = ["start", "rounds", "each moving first against the one before", "each against the optimum, overall"]
    return text + "\n" + markdown.table(head, table)


def _range(numbers: Sequence[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}, median {int(np.median(numbers))}"


@styled
def picture_responses(found: Sequence[History]) -> Figure:
    """The loss of responses to the optimum, round by round."""
    figure, (axes,) = panels(1, "Best responses from hold at 1 to 100, round by round", 5.6)
    for one in found:
        losses = np.maximum(0.5 - np.array(one.against_optimum), 1e-17)
        axes.plot(np.arange(1, len(losses) + 1), losses, color=COLORS[0], lw=0.6)
    axes.set_yscale("log")
    axes.set_ylim(1e-16, 1)
    axes.set(xlabel="round", ylabel=f"{LOSS} (1e-16: none)")
    return figure


def faces_table(workers: int) -> str:
    """Pig with another face that busts."""
    rows = []
    for bust in range(1, 7):
        game = pigevo.Pig(losing=bust)
        best = pigevo.optimal(game)
        holds = [pigevo.hold_at(game, n) for n in range(5, 46)]
        overall = win_matrix([*holds, best.strategy], workers)
        mean = np.array([pigevo.win_probability(one, best.strategy).overall for one in holds])
        unbeaten = int(overall[:-1, :-1].min(axis=1).argmax())
        low, high = neutral_values(game)
        neutral = str(low) if low == high else f"{low} or {high}"
        most = max(_turn(game, n) for n in range(low, high + 1))
        rows.append(
            (
                bust,
                f"{best.value:.6f}",
                5 + unbeaten,
                f"{mean[unbeaten]:.4f}",
                _yes(overall[unbeaten, :-1]),
                5 + int(mean.argmax()),
                f"{mean.max():.4f}",
                neutral,
                f"{most:.4f}",
            )
        )
    head = [
        "face that busts",
        "the optimum, moving first",
        "best hold value",
        "it against the optimum",
        "it beats all other hold values",
        "best hold value against the optimum",
        "that one",
        "hold value of most points",
        "points of its turn",
    ]
    return markdown.table(head, rows)


def _yes(overall: Floats) -> str:
    return "yes" if (overall > 0.5 + SAME).sum() == len(overall) - 1 else "no"


def _turn(game: Game, n: int) -> float:
    outcomes = pigevo.turn_outcomes(pigevo.hold_at(game, n))
    return float(sum(points * chance for points, chance in outcomes.items()))


def turn_rule(game: Game, power: float) -> Bools:
    """Where it pays to roll for whom x points of a turn are worth x to a power, by turn total."""
    worth = np.arange(game.target + 7, dtype=np.float64) ** power
    best = worth.copy()
    rolls: Bools = np.zeros(game.target, dtype=np.bool_)
    for k in range(game.target - 1, -1, -1):
        rolled = sum(chance * best[k + points] for points, chance in game.die)
        rolls[k] = float(rolled) > worth[k] + 1e-12
        best[k] = max(rolled, worth[k])
    return rolls


def risk_table(game: Game) -> str:
    """What players win who maximise a utility of the points of a turn."""
    best, twenty = pigevo.optimal(game).strategy, pigevo.hold_at(game, 20)
    rows = []
    for power in POWERS:
        rolls = turn_rule(game, power)
        stops = np.flatnonzero(~rolls)
        n = int(stops[0]) if len(stops) else game.target
        player = pigevo.Strategy.from_function(
            game, lambda i, j, k, rolls=rolls: rolls[k] | (k == 0), f"power {power:g}"
        )
        threshold = "yes" if not rolls[n:].any() else "no"
        kind = "averse" if power < 1 else "seeking" if power > 1 else "neutral"
        rows.append((f"{power:g}", kind, n if n < game.target else "never", threshold, f"{_turn(game, n):.4f}",
                     f"{pigevo.win_probability(player, best).overall:.4f}",
                     f"{pigevo.win_probability(player, twenty).overall:.4f}"))  # fmt: skip
    head = [
        "power",
        "risk",
        "holds at",
        "a hold value",
        "points of a turn",
        "against the optimum",
        "against hold at 20",
    ]
    return markdown.table(head, rows)


RULES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9, 1e-12)
"""Largest changes of a sweep after which iteration stops."""

LAST = 1e-13


@dataclass(frozen=True)
class Sweep:
    """A sweep of value iteration.

    Args:
        number: the how many-th.
        seconds: since the beginning.
        change: the largest change of a win probability in it.
        value: win probability of who moves first after it.
        error: the largest error at the start of any turn.
        wrong: decisions to be asked that are not the exact optimum's.
    """

    number: int
    seconds: float
    change: float
    value: float
    error: float
    wrong: int


def sweeps(game: Game, in_order: bool) -> Iterator[Sweep]:
    """Value iteration from nothing, until a sweep changes no more than `LAST`.

    Args:
        game: Pig.
        in_order: whether a sweep goes from the largest turn total down and uses what it has just found; otherwise each
            state is taken from the states before the sweep, all at once.
    """
    best, target, top = pigevo.optimal(game), game.target, max(points for points, _ in game.die)
    points = np.arange(target)
    inside = (np.add.outer(points, points) < target)[:, None, :]
    own = np.minimum(np.add.outer(points, points), target - 1)
    values = np.ones((target, target, target + top))
    values[:, :, :target] = np.where(inside, 0.0, 1.0)
    begin, number, change = time.perf_counter(), 0, 1.0
    while change > LAST:
        waiting = 1 - values[:, :, 0].T
        hold = waiting[own].transpose(0, 2, 1)
        before, changed, rolls = values.copy(), 0.0, np.zeros(game.shape, dtype=np.bool_)
        source = values if in_order else before
        for k in range(target - 1, -1, -1) if in_order else (slice(0, target),):
            rolled = _rolled(game, source, waiting, k)
            held = hold[:, :, k]
            better = rolled > held + 1e-14
            if in_order and k == 0:
                better[:] = True
            elif not in_order:
                better[:, :, 0] = True
            rolls[:, :, k] = better
            values[:, :, k] = np.where(
                np.broadcast_to(inside, game.shape)[:, :, k], np.where(better, rolled, held), 1.0
            )
        changed = float(np.abs(values - before).max())
        number, change = number + 1, changed
        yield Sweep(number, time.perf_counter() - begin, change, float(values[0, 0, 0]),
                    float(np.abs(values[:, :, 0] - best.values).max()), _wrong(game, rolls, best.strategy))  # fmt: skip


def _rolled(game: Game, values: Floats, waiting: Floats, k: int | slice) -> Floats:
    if isinstance(k, int):
        return np.asarray(game.bust * waiting + sum(p * values[:, :, k + g] for g, p in game.die))
    size = game.target
    return np.asarray(game.bust * waiting[:, :, None] + sum(p * values[:, :, g : g + size] for g, p in game.die))


def _wrong(game: Game, rolls: Bools, best: pigevo.Strategy) -> int:
    return int((np.broadcast_to(game.decision_states, game.shape) & (rolls != best.roll)).sum())


def iteration_table(
    game: Game, kinds: Mapping[str, list[Sweep]], exact_seconds: float, published: Mapping[str, Any]
) -> str:
    """Sweeps and seconds by stopping rule, and the rules that the printed values need."""
    value = float(pigevo.optimal(game).value)
    rows: list[tuple[object, ...]] = []
    for kind, found in kinds.items():
        for rule in RULES:
            one = next(sweep for sweep in found if sweep.change <= rule)
            rows.append((kind, f"{rule:.0e}", one.number, f"{one.seconds:.2f}", f"{one.value:.10f}", f"{one.error:.1e}",
                         f"{one.wrong:,}"))  # fmt: skip
    rows.append(("exact policy iteration", "none", "", f"{exact_seconds:.2f}", f"{value:.10f}", "0", "0"))
    head = ["how", "stops at a change of", "sweeps", "seconds", "value", "largest error", "wrong decisions"]
    text = markdown.table(head, rows)
    needed: list[tuple[object, ...]] = []
    for source, said in (("Neller & Presser 2004", published["neller_and_presser_2004"]),
                         ("this report", published["neller"]["computed"])):  # fmt: skip
        for kind, found in kinds.items():
            digits = len(said.partition(".")[2])
            wrong = [sweep for sweep in found if f"{sweep.value:.{digits}f}" != said]
            first = found[wrong[-1].number] if wrong else found[0]
            needed.append((f"{said} ({source})", kind, first.number, f"{first.change:.1e}", f"{first.error:.1e}"))
    head = ["printed", "how", "printed so from sweep", "its largest change", "its largest error"]
    return text + "\n" + markdown.table(head, needed)


@styled
def picture_iteration(kinds: Mapping[str, list[Sweep]]) -> Figure:
    """The largest change and the largest error by sweep."""
    figure, (axes,) = panels(1, "Value iteration of Pig", 5.6)
    for number, (kind, found) in enumerate(kinds.items()):
        at = [one.number for one in found]
        color = COLORS[number]
        axes.plot(at, [one.change for one in found], color=color, label=f"{kind}: largest change")
        axes.plot(at, [max(one.error, 1e-16) for one in found], color=color, ls="--", label=f"{kind}: largest error")
    axes.set_yscale("log")
    axes.set(xlabel="sweep", ylabel="change or error of a win probability")
    axes.legend(frameon=False)
    return figure


SHOWN = (0, 50, 90)
"""Scores of the opponent in figure 2."""

KINDS = (COLORS[1], COLORS[0])
"""The colours of figure 2, of holding and rolling: it is blue in the pictures of cubes, too."""

UTILITIES: Mapping[float, str] = {0.5: "risk averse", 1.0: "risk neutral", 2.0: "risk seeking"}


def picture_optimum(game: Game) -> Figure:
    """Figure 1: where the optimum holds."""
    return figure_of(plot_surfaces([decisions_data(pigevo.optimal(game).strategy)]))


def reachable(game: Game) -> tuple[Bools, Bools]:
    """Which states the optimum can come to against any opponent, and against itself, shape (T, T, T).

    Any opponent is one who may do either thing in every state.
    """
    best = pigevo.optimal(game).strategy
    anyone = pigevo.Strategy.from_function(game, lambda i, j, k: 0.5, "any opponent", mixed=True)
    found = [np.asarray(pigevo.reach(best, other).overall > 0) for other in (anyone, best)]
    return found[0], found[1]


def states_table(game: Game, any_opponent: Bools, itself: Bools) -> str:
    """How many states those are."""
    inside = np.broadcast_to(game.decision_states | game.starts, game.shape)
    rolls = pigevo.optimal(game).strategy.roll
    rows = [
        ("all in which the game goes on", f"{int(inside.sum()):,}", ""),
        (
            "that the optimum can come to",
            f"{int((any_opponent & inside).sum()):,}",
            f"{(any_opponent & inside & rolls).sum():,}",
        ),
        (
            "that it can come to against itself",
            f"{int((itself & inside).sum()):,}",
            f"{(itself & inside & rolls).sum():,}",
        ),
    ]
    return markdown.table(["states", "number", "in which it rolls"], rows)


@styled
def picture_states(game: Game, any_opponent: Bools) -> Figure:
    """Figure 2, by slices: states that the optimum can come to, and what it does there."""
    figure, axes = panels(len(SHOWN), "States that the optimum can come to", 3.6, columns=3)
    rolls = pigevo.optimal(game).strategy.roll
    for panel, j in zip(axes, SHOWN, strict=True):
        kinds = np.where(any_opponent[:, j], np.where(rolls[:, j], 2.0, 1.0), np.nan)
        panel.imshow(kinds.T, origin="lower", cmap=ListedColormap(KINDS), vmin=0.5, vmax=2.5, interpolation="nearest")
        panel.plot([0, game.target], [game.target, 0], **DIVIDER)
        panel.set(title=f"opponent's score {j}", xlabel="own score", ylabel="turn total")
    for name, color in zip(("it holds", "it rolls"), KINDS, strict=True):
        axes[-1].plot([], [], "s", ms=9, color=color, label=name)
    axes[-1].legend(frameon=False)
    return figure


@styled
def picture_utilities(game: Game) -> Figure:
    """Figure 4: utilities of the points of a turn, and where each makes a player hold."""
    figure, (axes,) = panels(1, "What the points of a turn may be worth", 5.6)
    points = np.arange(61)
    for number, (power, name) in enumerate(UTILITIES.items()):
        hold, look = int(np.flatnonzero(~turn_rule(game, power))[0]), line(number)
        said = f"{name}: points to the power of {power:g}, holds at {hold} (dot)"
        axes.plot(points, (points / 60) ** power, **look, label=said)
        axes.plot([hold], [(hold / 60) ** power], "o", ms=9, color=look["color"])
    axes.set(xlabel="points of a turn", ylabel="utility (that of 60 points is 1)", ylim=(-0.03, 1.25))
    axes.legend(frameon=False, loc="upper left")
    return figure
