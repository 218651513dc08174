"""Fitnesses of one's own."""

from concurrent.futures import ThreadPoolExecutor

import pigevo


def hold_near_20(tables, context):
    """How near to 20 a member first holds at 0 to 0: tables are booleans, shape (n, own, opponent, turn total)."""
    return -abs(tables[:, 0, 0].argmin(axis=1) - 20.0)


def against_two(tables, context, first: int = 20, second: int = 25):
    """What a member wins, exactly, against the one of two hold-at strategies that it does worse against."""
    game = context.game
    rivals = [pigevo.hold_at(game, first), pigevo.hold_at(game, second)]

    def worst(table):
        member = pigevo.Strategy(game, table)
        return min(pigevo.win_probability(member, rival).overall for rival in rivals)

    with ThreadPoolExecutor(context.workers) as threads:
        return list(threads.map(worst, tables))
