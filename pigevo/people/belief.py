"""The posterior distribution of a player's hold value, updated after each game.

The likelihood is that of `pigevo.people.habits`: the player holds at n, but at times holds early, below it, or rolls
late, at it or above.  There the slips may have any chance up to a half, which suits a record that is read once.  Here
they are small, so that a few games say something, and a prior over n makes it Bayes' rule on a grid: every n from 1 to
the target, with each pair of chances in `SLIPS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from pigevo.core.arrays import Floats
from pigevo.games import Game
from pigevo.people.dice_histories import ways
from pigevo.people.habits import SLIPS, log_chances
from pigevo.people.recorded_games import RecordedTurn

MEAN_SLIP = 0.05
"""The chance of a slip has an exponential prior with this mean, cut at a half."""

CHANGE = 0.02
"""The chance that a player takes another hold value before a game, drawn from the prior."""

LEVEL = 0.95
"""Of the intervals."""

_DENSITY = np.sqrt(SLIPS) * np.exp(
    -SLIPS / MEAN_SLIP
)  # the grid is even in the root: each place has a width of its own
SLIP_CHANCES: Floats = np.outer(_DENSITY, _DENSITY).ravel() / _DENSITY.sum() ** 2
"""The prior of both chances of slips, early x late, in the order of `log_chances`."""


@dataclass(frozen=True, eq=False)
class Belief:
    """What is believed of a player's hold value.

    Args:
        game: the game that is played.
        joint: the probability of each hold value from 1 to T with each pair of slips, shape (T, early x late).
        games: games that it has learned from.
        turns: turns of these games with a decision in them.
        decisions: of all these turns.
    """

    game: Game
    joint: Floats
    games: int = 0
    turns: int = 0
    decisions: int = 0

    @property
    def chances(self) -> Floats:
        """The probability of each hold value from 1 to T."""
        chances: Floats = self.joint.sum(axis=1)
        return chances

    @property
    def value(self) -> int:
        """The estimate: the median of the hold value."""
        return int(quantiles(self._values, self.chances, 0.0)[0])

    @property
    def _values(self) -> Floats:
        return np.arange(1, self.game.target + 1, dtype=np.float64)

    @property
    def interval(self) -> tuple[int, int]:
        """The 95 % interval: on either side of it lie at most 2.5 % of the probability."""
        low, high = quantiles(self._values, self.chances, LEVEL)
        return int(low), int(high)


def quantiles(values: Floats, chances: Floats, level: float) -> tuple[float, float]:
    """The smallest interval of a discrete quantity that leaves at most half of 1 - `level` on either side."""
    order = np.argsort(values, kind="stable")
    sums, aside = np.cumsum(chances[order]) / chances.sum(), (1 - level) / 2
    last = len(order) - 1
    low, high = int(np.searchsorted(sums, aside, side="right")), int(np.searchsorted(sums, 1 - aside - 1e-12))
    return float(values[order[min(low, last)]]), float(values[order[min(high, last)]])


def first_belief(game: Game) -> Belief:
    """The belief before the first game: n has a prior of 1 / n, for which 5 to 10 is as likely as 20 to 40.

    Example:
        >>> import pigevo
        >>> from pigevo.people import first_belief
        >>> belief = first_belief(pigevo.Pig())
        >>> belief.value, belief.interval  # nothing is known
        (8, (1, 88))
    """
    weights = 1.0 / np.arange(1, game.target + 1)
    return Belief(game, np.outer(weights / weights.sum(), SLIP_CHANCES))


def learned(belief: Belief, turns: Iterable[RecordedTurn], change: float = CHANGE) -> Belief:
    """The belief after one more game.

    Args:
        belief: what was believed before the game.
        turns: the player's turns of it.
        change: the chance that the player took another hold value between the game before and this one.

    Example:
        >>> import pigevo
        >>> from pigevo.people import RecordedTurn, first_belief, learned
        >>> turns = [RecordedTurn('you', n, 20 * (n - 1), 0, 4, 20, (6, 6, 5, 3)) for n in (1, 2, 3)]
        >>> learned(first_belief(pigevo.Pig()), turns).interval  # 17 was not enough, 20 was
        (18, 20)
    """
    joint = belief.joint
    if belief.games and change:
        joint = (1 - change) * joint + change * first_belief(belief.game).joint
    histories = [one for one in (ways(belief.game, turn) for turn in turns) if one.decisions]
    logs = np.log(np.maximum(joint, 1e-300)) + log_chances(belief.game, histories).sum(axis=0, dtype=np.float64)
    return replace(
        belief, joint=np.exp(logs - logsumexp(logs)), games=belief.games + 1, turns=belief.turns + len(histories),
        decisions=belief.decisions + sum(one.decisions for one in histories),
    )  # fmt: skip
