"""An opponent that adapts at a limited risk: it plays a best response with some probability, else the optimum.

Before each game it chooses one of several best responses, each to one hold value, and plays it in this game with
probability p; with 1 - p it plays the optimum.  Let v be the win probability of the optimum in its seat against an
optimal player, and v - e that of the response against its own best response.  The optimum wins at least v against any
player, so, even if the player knows which of the two strategies it faces, the mixture wins at least
p (v - e) + (1 - p) v = v - p e: it loses at most p e.  With p = min(1, cap / e) that is at most the cap in every game,
independently of earlier games, and at most N times the cap in N games, also against a player who deceives it.

The gain over the optimum is p times the difference of two exact win probabilities.  The chosen response is the one with
the largest p times expected gain under the present belief.  That is often not the response to the estimated hold value:
a response to a later hold gains less and can be exploited far less, so p is larger.  The idea of a computer that adapts
to a player is from Exeter 2017, section 1.5.3; McCracken & Bowling (2004) bound the loss as here.

The belief is the posterior distribution of the player's hold value, updated after each game.  Its likelihood is that of
`pigevo.people.habits`: the player holds at n, but sometimes holds early, below n, or rolls late, at n or above.  There
the chances of such slips may be anything up to a half, which suits a complete record.  Here they are small, so that a
few games are informative, and there is a prior over n: Bayes' rule on a grid of every n from 1 to the target, with each
pair of chances in `SLIPS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from pigevo.core.arrays import Floats, Ints, own_errors
from pigevo.core.machine import Progress, available_cores, map_threads
from pigevo.errors import InputError
from pigevo.exact import best_response, optimal
from pigevo.exact.evaluate import against
from pigevo.exact.turns import prepare
from pigevo.games import Game
from pigevo.people.habits import SLIPS, log_chances
from pigevo.people.recorded_games import RecordedTurn, history_of
from pigevo.strategies import Strategy, hold_at

MEAN_SLIP = 0.05  # the mean of the exponential prior, truncated at a half, of the chance of a slip
CHANGE = 0.02  # the chance that a player changes to another hold value, drawn from the prior, before a game
CONFIDENCE = 0.95  # the level of the intervals

# The grid is even in the square root, so the points have different widths.
_DENSITY = np.sqrt(SLIPS) * np.exp(-SLIPS / MEAN_SLIP)
SLIP_CHANCES: Floats = np.outer(_DENSITY, _DENSITY).ravel() / _DENSITY.sum() ** 2
"""The prior of both chances of slips, early x late, in the order of `log_chances`."""


@dataclass(frozen=True, eq=False)
class Belief:
    """The posterior distribution of a player's hold value.

    Args:
        game: the game.
        joint: the probability of each hold value from 1 to T with each pair of slips, shape (T, early x late).
        games: the number of games observed.
        turns: the number of turns with a decision in these games.
        decisions: the number of decisions in these turns.
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
        """The 95 % interval: at most 2.5 % of the probability lies on either side."""
        low, high = quantiles(self._values, self.chances, CONFIDENCE)
        return int(low), int(high)


def quantiles(values: Floats, chances: Floats, level: float) -> tuple[float, float]:
    """The smallest interval of a discrete quantity with at most half of 1 - `level` on either side."""
    order = np.argsort(values, kind="stable")
    sums, aside = np.cumsum(chances[order]) / chances.sum(), (1 - level) / 2
    last = len(order) - 1
    low, high = int(np.searchsorted(sums, aside, side="right")), int(np.searchsorted(sums, 1 - aside - 1e-12))
    return float(values[order[min(low, last)]]), float(values[order[min(high, last)]])


def first_belief(game: Game) -> Belief:
    """The belief before the first game: the prior of n is 1 / n, so that 5 to 10 is as likely as 20 to 40.

    Example:
        >>> import pigevo
        >>> from pigevo.people import first_belief
        >>> belief = first_belief(pigevo.Pig())
        >>> belief.value, belief.interval  # nothing is known
        (8, (1, 88))
    """
    weights = 1.0 / np.arange(1, game.target + 1)
    return Belief(game, np.outer(weights / weights.sum(), SLIP_CHANCES))


@own_errors
def learned(belief: Belief, turns: Iterable[RecordedTurn], change: float = CHANGE) -> Belief:
    """The belief after one more game.

    Args:
        belief: the belief before the game.
        turns: the player's turns in the game.
        change: the chance that the player changed to another hold value before this game.

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
    histories = [history for history in (history_of(belief.game, turn) for turn in turns) if history.decisions]
    logs = np.log(np.maximum(joint, 1e-300)) + log_chances(belief.game, histories).sum(axis=0, dtype=np.float64)
    return replace(
        belief, joint=np.exp(logs - logsumexp(logs)), games=belief.games + 1, turns=belief.turns + len(histories),
        decisions=belief.decisions + sum(history.decisions for history in histories),
    )  # fmt: skip


CAP = 0.01  # the default limit of the cost of adapting in a game, in win probability
NAME = "adaptive"  # the name of the opponent, whichever strategy it plays

MOST_ANSWERS, LARGEST_TARGET = 24, 200
"""The largest number of responses, and the largest target for which they are solved within a minute."""


@dataclass(frozen=True, eq=False)
class BestResponses:
    """The best responses to choose from.

    Seats are those of the adapting opponent: in seat 0 it moves first.

    Args:
        game: the game.
        to: the hold value that each responds to, shape (A,).
        strategies: the best responses.
        gains: the gain of each over the optimum against a player who holds at n, shape (A, T, 2), by response, n - 1
            and seat.
        losses: the largest possible loss of each compared with the optimum's guaranteed value, shape (A, 2): its
            exploitability by seat.
    """

    game: Game
    to: Ints
    strategies: tuple[Strategy, ...]
    gains: Floats
    losses: Floats


@dataclass(frozen=True, eq=False)
class GamePlan:
    """The opponent's plan for one game.

    Args:
        seat: its seat; in seat 0 it moves first.
        answer: the index of the response; None if no response has a gain, so that it plays the optimum.
        to: the hold value that the response is for.
        share: the probability that it plays the response.
        most_loss: the largest possible cost, against the worst player, in win probability.
        gains: the gain over the optimum against a player who holds at n, shape (T,).
        gain: the mean gain under the belief.
    """

    seat: int
    answer: int | None
    to: int | None
    share: float
    most_loss: float
    gains: Floats
    gain: float


@dataclass(frozen=True)
class Account:
    """The value of adapting in some games, in games won.

    Args:
        games: the number of games.
        gain: the exact expected gain over the optimum if the player held at the estimated value in all games.
        low: the lower end of its 95 % interval under the belief.
        high: the upper end.
        most_loss: the largest possible expected cost against any player.
    """

    games: int
    gain: float
    low: float
    high: float
    most_loss: float


def refuse_to_adapt(game: Game) -> None:
    """Refuse a game in which adapting is not possible, or has no bound on its cost."""
    if not game.one_die:
        raise InputError(
            f"an opponent that adapts estimates a hold value, in races of one die (pig, piglet), not in {game}."
        )
    if game.allow_pass:
        raise InputError(
            "an opponent that adapts needs a game in which one player wins what the other loses: "
            "leave out --allow-pass."
        )
    if game.target > LARGEST_TARGET:
        raise InputError(f"an opponent that adapts takes a target of at most {LARGEST_TARGET}, not {game.target}.")


def answers_to_holds(game: Game, progress: Progress | None = None) -> BestResponses:
    """The best responses to some hold values between 2 and the target, evenly spread on a logarithmic scale.

    Args:
        game: a one-die race without passing.
        progress: called with 1 after each of the `steps_of_answers`.

    Raises:
        InputError: the game is of another kind, or its target is above 200.

    Example:
        >>> import pigevo
        >>> from pigevo.people import answers_to_holds
        >>> answers = answers_to_holds(pigevo.Pig(target=20))
        >>> len(answers.to), answers.gains.shape, bool((answers.losses >= 0).all())
        (16, (16, 20, 2), True)
    """
    refuse_to_adapt(game)
    best, to, done = optimal(game), answered_values(game), progress or (lambda _: None)
    value = np.array([best.value, best.second])

    def answered(n: int) -> tuple[Strategy, Floats]:
        answer = best_response(hold_at(game, n)).strategy
        worst = best_response(answer)
        done(1)
        return answer, value - 1.0 + np.array([worst.second, worst.value])

    responses = map_threads(answered, to.tolist(), available_cores())
    tables = np.stack([best.strategy.table, *(answer.table for answer, _ in responses)])

    def won(n: int) -> Floats:
        wins = against(tables, prepare(hold_at(game, n)))
        done(1)
        gained: Floats = wins[1:] - wins[0]
        return gained

    gains = np.stack(map_threads(won, range(1, game.target + 1), available_cores()), axis=1)
    losses = np.maximum(np.stack([loss for _, loss in responses]), 0.0)
    strategies = tuple(Strategy(game, answer.roll, NAME) for answer, _ in responses)
    return BestResponses(game, to, strategies, gains, losses)


def answered_values(game: Game) -> Ints:
    """The hold values to which a best response is computed: at most `MOST_ANSWERS`."""
    return np.unique(np.geomspace(min(2, game.target), game.target, MOST_ANSWERS).round().astype(np.int64))


def steps_of_answers(game: Game) -> int:
    """The number of times that `answers_to_holds` reports progress."""
    return len(answered_values(game)) + game.target


@own_errors
def plan(belief: Belief, answers: BestResponses, seat: int, cap: float = CAP) -> GamePlan:
    """The plan for the next game: the response with the largest expected gain, with the largest allowed probability.

    Args:
        belief: the belief about the player's hold value.
        answers: the best responses to choose from.
        seat: the seat of the adapting opponent; in seat 0 it moves first.
        cap: the limit of the cost of the game, in win probability.

    Example:
        >>> import pigevo
        >>> from pigevo.people import answers_to_holds, first_belief, plan
        >>> game = pigevo.Pig(target=20)
        >>> planned = plan(first_belief(game), answers_to_holds(game), seat=0)  # nothing is known yet
        >>> planned.to, round(planned.share, 4), round(planned.most_loss, 6), round(planned.gain, 4)
        (5, 0.0435, 0.01, 0.0001)
    """
    losses, gains = answers.losses[:, seat], answers.gains[:, :, seat]
    shares = np.minimum(1.0, cap / np.maximum(losses, 1e-12))
    worths = shares * (gains @ belief.chances)
    best = int(worths.argmax())
    if worths[best] <= 0:
        return GamePlan(seat, None, None, 0.0, 0.0, np.zeros(answers.game.target), 0.0)
    share = float(shares[best])
    return GamePlan(
        seat, best, int(answers.to[best]), share, share * float(losses[best]), share * gains[best], float(worths[best])
    )


def played_strategy(answer: int | None, answers: BestResponses) -> Strategy:
    """One of the responses, or the optimum for None, under the name of the adapting opponent."""
    if answer is not None:
        return answers.strategies[answer]
    return Strategy(answers.game, optimal(answers.game).strategy.roll, NAME)


def account(plans: Sequence[GamePlan], belief: Belief) -> Account:
    """The gain in some games, evaluated with the belief after them."""
    gains = sum((plan.gains for plan in plans), np.zeros(belief.game.target))
    low, high = quantiles(gains, belief.chances, CONFIDENCE)
    return Account(len(plans), float(gains[belief.value - 1]), low, high, sum(plan.most_loss for plan in plans))
