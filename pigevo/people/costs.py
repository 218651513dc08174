"""The cost of a turn: win probability given away, if both players continue optimally.

The cost of a decision is the value of the better choice minus the value of the choice made, if all later decisions are
optimal. The cost of a turn is the sum over its decisions; the results of the dice are luck and cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import InputError
from pigevo.exact import optimal, state_values
from pigevo.games import Game
from pigevo.people.dice_histories import Ways, ways
from pigevo.people.recorded_games import RecordedTurn

DIFFERS = 1e-12
"""Decisions with a smaller cost than this count as optimal."""


@dataclass(frozen=True, eq=False)
class Worths:
    """The values of rolling and holding in every state between optimal players, by (i, j, k), of the game's shape."""

    roll: Floats
    hold: Floats

    def costs(self, *scores: int) -> tuple[Floats, Floats]:
        """The costs of rolling and of holding by turn total, for all scores or for one pair of scores."""
        gained = self.roll[scores] - self.hold[scores]
        return np.maximum(-gained, 0.0), np.maximum(gained, 0.0)


@dataclass(frozen=True)
class Cost:
    """The cost of a turn in win probability: the mean, smallest and largest over the possible dice.

    `differed` is the chance that some decision was not the optimum's. If the dice are recorded, all are exact.
    """

    mean: float
    least: float
    most: float
    differed: float


@byte_lru_cache(lambda _, worths: worths.roll.nbytes + worths.hold.nbytes)
def worths_of(game: Game) -> Worths:
    """The values of all decisions; the optimum is computed once for each game."""
    best = optimal(game)
    target, size, waiting = game.target, game.size, 1.0 - best.values.T  # for who has just ended a turn, by own score
    later = np.ones((target, target, size + max(points for points, _ in game.die)))
    later[:, :, :size] = state_values(best.strategy, best.strategy)
    lost = game.bust * waiting
    roll = lost[:, :, None] + sum(p * later[:, :, g : g + size] for g, p in game.die)
    own = np.add.outer(np.arange(target), np.arange(size))
    hold = np.where(own[:, :, None] >= target, 1.0, waiting[np.minimum(own, target - 1)])
    return Worths(roll, hold.transpose(0, 2, 1))


def turn_cost(game: Game, turn: RecordedTurn) -> Cost:
    """The cost of a turn; a turn without the opponent's score is refused."""
    if turn.opponent is None:
        raise InputError("what a turn cost needs the opponent's turns: the record has one side only.")
    rolls, holds = worths_of(game).costs(turn.own, turn.opponent)
    if turn.rolls == 0:
        return _certain(float(holds[0]))
    histories = ways(game, turn)
    last = float(holds[histories.held]) if histories.held is not None else 0.0
    if turn.dice is not None or not len(histories.at):
        return _certain(float((histories.at @ rolls).sum()) + last)
    least, most = (_extreme(game, turn, histories, rolls, which) + last for which in (np.minimum, np.maximum))
    same = 0.0 if last > DIFFERS else _as_the_optimum(game, histories, rolls)
    return Cost(float((histories.at @ rolls).sum()) + last, least, most, 1.0 - same)


def _certain(cost: float) -> Cost:
    return Cost(cost, cost, cost, float(cost > DIFFERS))


def _extreme(game: Game, turn: RecordedTurn, histories: Ways, rolls: Floats, better: np.ufunc) -> float:
    """The smallest or the largest sum of the costs of rolling, over the possible sequences of dice."""
    worst = np.inf if better is np.minimum else -np.inf
    sums = np.where(np.arange(game.size) == 0, 0.0, worst)
    for fits in histories.at:
        reached = np.full(game.size, worst)
        for points, _ in game.die:
            if points < game.size:
                reached[points:] = better(reached[points:], sums[: game.size - points])
        sums = np.where(fits > 0, reached + rolls, worst)
    return float(better.reduce(sums))


def _as_the_optimum(game: Game, histories: Ways, rolls: Floats) -> float:
    """The chance that the optimum would have made every roll of the turn."""
    good = rolls <= DIFFERS
    stand = np.where(np.arange(game.size) == 0, 1.0, 0.0)
    for _ in histories.at:
        following = np.zeros(game.size)
        for points, chance in game.die:
            following[points:] += chance * stand[: max(0, game.size - points)]
        stand = np.where(good, following, 0.0)
    whole = float((histories.before[-1] * histories.after[-1]).sum())
    return min(1.0, float((stand * histories.after[-1]).sum()) / whole)
