"""What the caps of a game of turns can lose: a bound by a game that is kinder to one player.

In the kinder game the favoured player wins at once wherever it banks a turn total, or comes to a lead, of the cap.  The
other one must hold at a turn total of the cap, and a longer lead of it counts as the cap: both take from it, as a longer
lead is never worse.  So the favoured player wins at least as much as in the game without caps, whatever both do there,
and so the game without caps is worth something between the two kinder games, one for each player.
"""

import numpy as np


def lost_by_caps(game):
    """By how much more the first player could win if any lead or total at the cap were a win for it, and none for the
    other; plus the same for the second player.  Play without caps is worth no more than the kinder game."""
    kind = kinder(game, True)
    plain = kinder(game, None)
    other = kinder(game, False)
    return max(kind - plain, plain - other)


def kinder(game, favoured):
    """The value for who moves first, by backward induction in plain numpy.

    Args:
        game: of turns, without falls.
        favoured: True, the first player wins at once at a cap; False, the second one does; None, nobody does.
    """
    cap, chance = game.cap, 1 / game.sides
    leads = np.arange(-cap, cap + 1)
    after = np.where(leads > 0, 1.0, np.where(leads == 0, game.draw, 0.0))  # by the lead of who has just moved
    for turn in range(2 * game.turns, 0, -1):
        is_first = turn % 2 == 1
        wins = favoured is not None and favoured == is_first

        def banked(total, after=after, wins=wins):
            lead = np.clip(leads + total, -cap, cap)
            worth = after[lead + cap]
            if wins and total >= cap:
                return np.ones_like(worth)
            if wins:
                worth = np.where(leads + total >= cap, 1.0, worth)
            return worth

        value = {total: banked(total) for total in range(cap, cap + game.sides + 1)}
        for total in range(cap - 1, 0, -1):
            roll = chance * banked(0) + sum(chance * value[total + face] for face in range(2, game.sides + 1))
            value[total] = np.maximum(roll, banked(total))
        moving = sum(chance * value[face] for face in range(1, game.sides + 1))
        after = 1 - moving[::-1]  # to who has moved before, by its own lead
    return 1 - after[cap]
