"""Best responses from every hold-at strategy, their histories and ends; other faces that bust; risk preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Bools, Floats
from pigevo.core.machine import map_threads
from pigevo.exact import Solution, iterated_best_response, win_matrix
from pigevo.figures.axes import COLORS, styled
from pigevo.games import Game
from pigevo.people import neutral_values

from ..common import tables
from ..common.spent import LOSS
from .lines import panels

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


def responses(game: Game, found: Sequence[History]) -> str:
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
    text = tables.table(["best responses from hold at 1 to 100", "found"], rows)
    shown = [one for one in found if one.start in (1, 5, 10, 15, 20, 21, 25, 30, 50, 100)]
    table = [(f"hold at {one.start}", len(one.values), ", ".join(f"{v:.6f}" for v in one.values[:6]),
              ", ".join(f"{v:.6f}" for v in one.against_optimum[:4])) for one in shown]  # fmt: skip
    head = ["start", "rounds", "each moving first against the one before", "each against the optimum, overall"]
    return text + "\n" + tables.table(head, table)


def _range(numbers: Sequence[int]) -> str:
    return f"{min(numbers)} to {max(numbers)}, median {int(np.median(numbers))}"


@styled
def picture(found: Sequence[History]) -> Figure:
    """The loss of responses to the optimum, round by round."""
    figure, (axes,) = panels(1, "Best responses from hold at 1 to 100, round by round", 5.6)
    for one in found:
        losses = np.maximum(0.5 - np.array(one.against_optimum), 1e-17)
        axes.plot(np.arange(1, len(losses) + 1), losses, color=COLORS[0], lw=0.6)
    axes.set_yscale("log")
    axes.set_ylim(1e-16, 1)
    axes.set(xlabel="round", ylabel=f"{LOSS} (1e-16: none)")
    return figure


def faces(workers: int) -> str:
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
    return tables.table(head, rows)


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


def risk(game: Game) -> str:
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
    return tables.table(head, rows)
