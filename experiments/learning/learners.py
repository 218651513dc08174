"""The learners: each plays games against itself, and has decisions at any time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints, Ints32
from pigevo.dice import Draw
from pigevo.exact.board_kernels import optimal_pass
from pigevo.games import Game
from pigevo.games.board import board_of

from .learner_kernels import (
    count_throws,
    fictitious_play,
    iterate_values,
    policy_gradient,
    q_learning,
    regret_sampling,
    search_states,
    td_lambda,
)
from .play_kernels import FREE, by_state, rules_of

START = 0.5
"""The value of everything before the first game."""

SWEEPS = 30
"""Of value iteration, each time; values go on from those before."""


RESULTS = 1.0, 0.5, 0.0
"""What the results of a game are worth to a player who is to move after it: the opponent has lost, drawn or won."""

THROWS = 3
"""Throws of a mean gain up to which the policy gradient rolls at first."""


class Learner(Protocol):
    """Learns from games against itself; made from a game, a seed and options."""

    def play(self, first: int, games: int) -> None:
        """Play games and learn from them.

        Args:
            first: the number of the first one, which decides its dice.
            games: how many.
        """

    @property
    def rolls(self) -> Bools:
        """Where it rolls now, shape (B, W)."""


class QLearning:
    """Tabular Q-learning: a value for each decision in each state, which follows the best value after it.

    Args:
        game: what is played.
        seed: of the dice.
        epsilon: the share of decisions that a coin makes.
        power: the step size is `visits ** -power`.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, power: float) -> None:
        self.rules, self.epsilon, self.power = rules_of(game), epsilon, power
        self.key = Draw(seed, "dice").key[3:]
        self.q = np.full((*self.rules.allowed.shape, 2), START)
        self.visits = np.zeros(self.q.shape, np.int64)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        q_learning(self.rules, self.q, self.visits, first, games, self.epsilon, self.power, *self.key)

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        decided: Bools = self.q[:, :, 1] > self.q[:, :, 0]
        return decided


class TDLambda:
    """TD(lambda): a value for the dice in the hand in each state; the rules tell what a hold is worth.

    Args:
        game, seed, epsilon, power: as for `QLearning`.
        trace: lambda.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, power: float, trace: float) -> None:
        self.rules, self.epsilon, self.power, self.trace = rules_of(game), epsilon, power, trace
        self.key = Draw(seed, "dice").key[3:]
        self.v = np.full(self.rules.allowed.shape, START)
        self.visits = np.zeros(self.v.shape, np.int64)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        td_lambda(self.rules, self.v, self.visits, first, games, self.epsilon, self.power, self.trace, *self.key)

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        decided: Bools = self.v > value_of_holds(self.rules.follow, self.rules.hold, self.v)
        return decided


def value_of_holds(follow: Ints32, hold: Ints, v: Floats) -> Floats:
    """What a hold is worth in each state, shape (B, W), given the values of throws."""
    after = np.append(1 - v[:, 0], np.array([0.0, 0.5, 1.0], v.dtype))
    worth: Floats = after[follow[hold].T]
    return worth


class CountedModel:
    """Value iteration with samples: counts what throws bring in each state, and solves the game for these shares.

    Args:
        game, seed, epsilon: as for `QLearning`.
        unseen: the value of a throw that was never seen.
        prior: throws that this value counts for.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, unseen: float, prior: float) -> None:
        self.rules, self.order, self.epsilon = rules_of(game), board_of(game).order, epsilon
        self.unseen, self.prior = unseen, prior
        self.key = Draw(seed, "dice").key[3:]
        self.v = np.full(self.rules.allowed.shape, START)
        self.decided = np.zeros(self.v.shape, np.uint8)
        self.counts = np.zeros((len(self.v), len(self.rules.leads)), np.int64)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        count_throws(self.rules, self.decided, self.counts, first, games, self.epsilon, *self.key)
        iterate_values(
            self.rules, self.order, self.v, self.decided, self.counts, self.unseen, self.prior, SWEEPS
        )  # fmt: skip

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        return self.decided.astype(np.bool_)


class DieAlone:
    """Knows the rules but for the chances of the die: counts throws wherever they fall, and solves that game exactly.

    Args:
        game, seed, epsilon: as for `QLearning`.
        prior: throws that each outcome is given in advance.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, prior: float) -> None:
        self.rules, self.board, self.epsilon, self.prior = rules_of(game), board_of(game), epsilon, prior
        self.key = Draw(seed, "dice").key[3:]
        self.decided = np.zeros(self.rules.allowed.shape, np.uint8)
        self.counts = np.zeros((len(self.decided), len(self.rules.leads)), np.int64)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        count_throws(self.rules, self.decided, self.counts, first, games, self.epsilon, *self.key)
        board, values = self.board, np.zeros((2, self.board.states + 3))
        values[0, -3:], values[1, -3:] = RESULTS, RESULTS[::-1]
        decisions = np.zeros(board.rows, np.uint8)
        turn = (board.begin, board.leads, self.shares(), board.hold, board.follow)
        optimal_pass(board.order, board.partner, turn, 0.0, False, values[0], values[1], decisions)
        self.decided = by_state(board.game, board.game.from_layout(decisions)).astype(np.uint8)

    def shares(self) -> Floats:
        """The chances of all outcomes by what was counted, shape (outcomes,); first throws have a die of their own."""
        counts, begin = self.counts.sum(axis=0), self.rules.begin
        first, later = counts[: begin[1]] + self.prior, counts[begin[1] :].reshape(len(begin) - 2, -1)
        pooled = later.sum(axis=0) + self.prior
        return np.concatenate([first / first.sum(), np.tile(pooled / pooled.sum(), len(later))])

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        return self.decided.astype(np.bool_)


class PolicyGradient:
    """The policy gradient on the hold boundary: one number for each pair of scores, which all turn totals share.

    Args:
        game, seed: as for `QLearning`.
        rate, softness, trace: see `policy_gradient`.
    """

    def __init__(self, game: Game, seed: int, rate: float, softness: float, trace: float) -> None:
        self.rules, self.rate, self.softness, self.trace = rules_of(game), rate, softness, trace
        self.key = Draw(seed, "dice").key[3:]
        states, (points, chances) = len(self.rules.allowed), zip(*game.die, strict=True)
        self.bound = np.full(states, THROWS * float(np.dot(points, chances)) / sum(chances))
        self.worth = np.full(states, START)
        self.turns = np.zeros(states, np.int64)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        policy_gradient(
            self.rules, self.bound, self.worth, self.turns, first, games, self.rate, self.softness, self.trace,
            *self.key
        )  # fmt: skip

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        decided: Bools = self.rules.hold < self.bound[:, None]
        return decided


class FictitiousPlay:
    """Fictitious self-play; it hands over the more frequent decision of all its responses.

    Args:
        game, seed, epsilon, power: as for `QLearning`.
        growing: see `fictitious_play`.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, power: float, growing: bool) -> None:
        self.rules, self.epsilon, self.power, self.growing = rules_of(game), epsilon, power, growing
        self.key = Draw(seed, "dice").key[3:]
        shape = (*self.rules.allowed.shape, 2)
        self.q, self.visits = np.full(shape, START), np.zeros(shape, np.int64)
        self.chosen = np.zeros(shape)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        fictitious_play(
            self.rules, self.q, self.visits, self.chosen, first, games, self.epsilon, self.power, self.growing,
            *self.key
        )  # fmt: skip

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        decided: Bools = self.chosen[:, :, 1] > self.chosen[:, :, 0]
        return decided


class RegretSampling:
    """Counterfactual regret minimisation by sampled outcomes; it hands over the likelier decision of its mean strategy.

    Args:
        game, seed: as for `QLearning`.
        epsilon, clipped, by_reach: see `regret_sampling`.
    """

    def __init__(self, game: Game, seed: int, epsilon: float, clipped: bool, by_reach: bool) -> None:
        self.rules, self.epsilon, self.clipped, self.by_reach = rules_of(game), epsilon, clipped, by_reach
        self.key = Draw(seed, "dice").key[3:]
        shape = (*self.rules.allowed.shape, 2)
        self.regret, self.mean = np.zeros(shape), np.zeros(shape)

    def play(self, first: int, games: int) -> None:
        """See `Learner`."""
        regret_sampling(
            self.rules, self.regret, self.mean, first, games, self.epsilon, self.clipped, self.by_reach, *self.key
        )

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        decided: Bools = self.mean[:, :, 1] > self.mean[:, :, 0]
        return decided


class TreeSearch:
    """Monte Carlo tree search in every state in which there is a choice; the games are shared out equally.

    Args:
        game, seed: as for `QLearning`.
        curiosity, boldness: see `search_states`.
    """

    def __init__(self, game: Game, seed: int, curiosity: float, boldness: float) -> None:
        self.rules, self.curiosity, self.boldness = rules_of(game), curiosity, boldness
        self.key = Draw(seed, "dice").key[3:]
        self.roots = np.argwhere(self.rules.allowed == FREE)
        self.decided = np.zeros(self.rules.allowed.shape, np.uint8)

    def play(self, first: int, games: int) -> None:
        """Search anew, with all games up to now: what a search finds out serves one decision only."""
        shape = (*self.rules.allowed.shape, 2)
        search_states(
            self.rules, self.roots, (first + games) // len(self.roots), self.curiosity, self.boldness,
            np.zeros(shape, np.float32), np.zeros(shape, np.int32), np.zeros(shape[:2], np.int32), self.decided,
            *self.key
        )  # fmt: skip

    @property
    def rolls(self) -> Bools:
        """See `Learner`."""
        return self.decided.astype(np.bool_)
