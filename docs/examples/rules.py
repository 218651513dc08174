"""Strategies of one's own."""

import pigevo


def cautious_when_ahead(i, j, k):
    """Whether to roll with `i` points banked, `j` of the opponent's and `k` at risk in this turn."""
    return k < 20 + (j - i) / 10


def unsure(i, j, k):
    """The chance of rolling: always below 15, never from 25 on, and in between the smaller the more is at risk."""
    return min(1.0, max(0.0, (25 - k) / 10))


def knows_the_round(left, second, difference, total):
    """A rule for ten rounds: whoever moves last in the round sees what to beat, and need not roll as far."""
    return total < (17 if second else 21) - difference / left


def steps(game):
    """A strategy of any game: hold at 20, and at 25 where the opponent is near the target."""
    return pigevo.Strategy.from_function(game, lambda i, j, k: k < (25 if j > 0.7 * game.target else 20), name="steps")
