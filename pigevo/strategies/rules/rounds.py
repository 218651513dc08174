"""Rules in a game of rounds, which ends after so many turns: a turn total for each lead and turns left.

There is no target to race to.  Whoever has the game's last turn rolls until ahead, whatever the rule, as one does who
has a last turn after the other has come to a target; the turn before is the last one of the player who moves first, for
which a rule may have a base of its own.
"""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import LEFT, SECOND
from pigevo.strategies.rules.bases import Base, Choice, Constant, KeepUp
from pigevo.strategies.rules.fractions import Floor, Sum


def planned_in_rounds(base: Base, last: Base | None, game: Game) -> Ints:
    """The turn total to hold at for each state in which a turn can begin.

    Args:
        base: of all turns but the own last one.
        last: of that one; None for the same.
        game: of rounds.

    Returns:
        By the axes of the game that stand still during a turn.

    Raises:
        InputError: a base needs more than what a player is ahead or behind.
    """
    for one in (base, last or base):
        if not needs_the_lead_alone(one):
            raise InputError(
                f"{one.text} needs both scores, and a rule in rounds has the lead alone: n, n+(j-i)/d, n+(j-i)/turns, "
                "max(m,n+(j-i)/d), max(n,j-i-m), or one of these if ahead, behind, lead>=n or deficit>=n."
            )
    own, opponent, _ = game.scores
    left = game.mesh[LEFT]
    is_last = left == 1
    plan = np.where(is_last, (last or base).values(own, opponent, left), base.values(own, opponent, left))
    plan = np.where(is_last & (game.mesh[SECOND] == 1), opponent - own + 1, plan)
    found: Ints = np.broadcast_to(plan[game.beginning], tuple(len(axis.values) for axis in game.between))
    return found


def python_in_rounds(base: Base, last: Base | None) -> str:
    """A line of Python: whether to roll, from turns left, whether second in a round, both scores and turn total."""
    earlier = f"{last.python} if left == 1 else {base.python}" if last else base.python
    return f"lambda left, second, i, j, k: k < (j - i + 1 if left == 1 and second else {earlier})"


def needs_the_lead_alone(base: Base) -> bool:
    """Whether a base depends on nothing but the difference of both scores, and the turns left."""
    match base:
        case Constant() | KeepUp():
            return True
        case Sum(fractions=fractions) | Floor(sum=Sum(fractions=fractions)):
            return all(one.of == "j-i" for one in fractions)
        case Choice(condition=condition, then=then, other=other):
            return condition.what in ("lead", "deficit") and all(map(needs_the_lead_alone, (then, other)))
    return False
