"""Where each state of a game leads to, with which probability: equations 2.32 and 2.33 of Exeter 2016.

A state is `(player, i, j, k, passed)`: the player to move (0 is a, 1 is b), the banked score
of that player, the banked score of the other one, the turn total, and whether the turn just
before was a pass. Two passes in a row are a stalemate (Exeter 2017, section 3.2), which is a
loss for both. An end of the game is `"a"`, `"b"` or `"stalemate"`.
"""

from collections import namedtuple

State = namedtuple("State", "player i j k passed")
Toy = namedtuple("Toy", "target gains bust allow_pass")
"""A game that this reference understands; its probabilities may be fractions."""


def gains_of(game):
    """The pairs of points and probability of a game's die."""
    return tuple(game.gains.items()) if hasattr(game.gains, "items") else tuple(game.gains)


def start(player):
    """The first state of a game that `player` begins."""
    return State(player, 0, 0, 0, False)


def states(game):
    """Every state with a decision, forced ones included."""
    t = game.target
    for player in (0, 1):
        for i in range(t):
            for j in range(t):
                for k in range(t - i):
                    yield State(player, i, j, k, False)
                if game.allow_pass:
                    yield State(player, i, j, 0, True)


def rolled(game, s):
    """What a roll leads to: pairs of probability and next state or end."""
    yield game.bust, State(1 - s.player, s.j, s.i, 0, False)
    for points, probability in gains_of(game):
        k = s.k + points
        if s.i + k >= game.target:
            yield probability, "ab"[s.player]
        else:
            yield probability, State(s.player, s.i, s.j, k, False)


def held(game, s):
    """What a hold leads to."""
    if s.k > 0:
        return State(1 - s.player, s.j, s.i + s.k, 0, False)
    if not game.allow_pass:
        raise ValueError(f"a pass in a game without passing, at {s}")
    if s.passed:
        return "stalemate"
    return State(1 - s.player, s.j, s.i, 0, True)


def played(game, rolls, s):
    """What the player to move at `s` makes of it, if player p follows the array `rolls[p]`."""
    if rolls[s.player][s.i, s.j, s.k]:
        return list(rolled(game, s))
    return [(1, held(game, s))]
