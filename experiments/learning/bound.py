"""How many games a learner needs to tell the optimum's decisions from the opposite ones: a lower bound.

Take a state, and another world that differs in nothing but what a throw brings there: its chances are such that the
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

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.exact import optimal, reach
from pigevo.exact.boards import turn_backwards
from pigevo.exact.evaluate import worth_between
from pigevo.games import Game
from pigevo.games.board import board_of

from .play_kernels import FREE, by_state, rules_of

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
