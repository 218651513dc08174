"""The result of a match, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import ndtri

from pigevo.errors import InputError
from pigevo.notebook import Shown


@dataclass(frozen=True)
class Match(Shown):
    """The result of a match, seen by the strategy named first.

    Args:
        wins: games it won.
        losses: games it lost.
        stalemates: games that nobody won, both having passed.
        unfinished: games given up after `pigevo.arena.MOST_TURNS` turns.
        couples_won: couples of games with the same dice of which it won both; None if each game had its own dice.
        draws: games that ended with equal scores, where the number of turns ends the game.
        draw: what a draw is worth.
    """

    wins: int
    losses: int
    stalemates: int = 0
    unfinished: int = 0
    couples_won: int | None = None
    draws: int = 0
    draw: float = 0.5

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.losses + self.stalemates + self.unfinished + self.draws

    @property
    def win_rate(self) -> float:
        """The share of games won; a draw counts what the game says, a stalemate and an unfinished game nothing."""
        return (self.wins + self.draw * self.draws) / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval for the win probability.

        It takes games as independent.  Of a match with paired dice the couples are, not the
        games: there, as many independent games are put in as would give the variance found
        among the couples.  Four couples of independent games are added to that estimate
        only, so that a short match whose couples all agree is not taken as certain.

        Args:
            confidence: the share of such intervals that hold the true value, between 0 and 1.

        Raises:
            InputError: a confidence that is no share.
        """
        if not 0 < confidence < 1:
            raise InputError(f"a confidence of {confidence} is none: it must be between 0 and 1, as 0.95.")
        if self.couples_won is None:
            from scipy.stats import binomtest  # takes long to load

            if self.draws:
                return self._wilson(confidence, self.games / self._of_draws())
            found = binomtest(self.wins, self.games).proportion_ci(confidence, method="wilson")
            return float(found.low), float(found.high)
        return self._wilson(confidence, self.games / self._spread(self.couples_won))

    def _wilson(self, confidence: float, games: float) -> tuple[float, float]:
        """Wilson's interval as of so many independent games that are won or lost."""
        square = float(ndtri((1 + confidence) / 2)) ** 2 / games
        middle = (self.win_rate + square / 2) / (1 + square)
        half = (square * (self.win_rate * (1 - self.win_rate) + square / 4)) ** 0.5 / (1 + square)
        return middle - half, middle + half

    def _of_draws(self) -> float:
        """The variance of a game that may be drawn, as a multiple of that of one that is won as often and else lost."""
        games, wins, draws = self.games + 4, self.wins + 1, self.draws + 1  # so that few games are not taken as sure
        mean = (wins + self.draw * draws) / games
        return max(1e-9, (wins + self.draw**2 * draws) / games - mean**2) / (mean * (1 - mean))

    def _spread(self, couples_won: int) -> float:
        """The variance of the win rate, as a multiple of that of independent games."""
        couples = self.games / 2 + 4
        both, one = couples_won + 1, self.wins - 2 * couples_won + 2
        mean = (both + one / 2) / couples
        return float((both + one / 4) / couples - mean**2) / (mean * (1 - mean) / 2)
