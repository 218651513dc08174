"""Strategies of one's own."""

import pigevo


def cautious_when_ahead(i, j, k):
    """Whether to roll with `i` points banked, `j` of the opponent's and `k` at risk in this turn."""
    return k < 20 + (j - i) / 10


def steps(game):
    """A strategy of any game: hold at 20, and at 25 where the opponent is near the target."""
    return pigevo.Strategy.from_function(game, lambda i, j, k: k < (25 if j > 0.7 * game.target else 20), name="steps")
