"""The general engine's compiled loops of optimisation: the best turn from a state, best responses, the optimum.

See `pigevo.exact.board_kernels` for what a pass is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints, Ints32
from pigevo.exact.board_kernels import expected


@kernel()
def best_turn(
    b: int,
    z: float,
    back: int,
    begin: Ints,
    leads: Ints,
    chances: Floats,
    hold: Ints,
    follow: Ints32,
    after: Floats,
    won: Floats,
    came: Floats,
    tie: float,
    passing: bool,
    decisions: Any,
) -> tuple[float, float]:
    """The best turn from a state when coming back unchanged is worth `z`.

    Args:
        b: the state.
        z: what its partner is worth with the opponent to move.
        back: the partner; -1 if play never comes back.
        begin, leads, chances, hold, follow: see `pigevo.games.board.Board`.
        after: worth of the states with the opponent to move, and of the ends, shape (B + 3,).
        won, came: work arrays, shape (W,).
        tie: rolling must be worth so much more than holding.
        passing: whether a hold before the first throw is allowed.
        decisions: takes the decisions, shape (W,).

    Returns:
        a, s: the turn is worth `a + s z`, where s is the chance of coming back.
    """
    win = follow.shape[1] + 2
    for w in range(len(hold) - 1, -1, -1):
        banked = follow[hold[w], b]
        if banked == win and (w > 0 or passing):
            won[w], came[w], decisions[w] = after[win], 0.0, 0
            continue
        a, s = 0.0, 0.0
        for t in range(begin[w], begin[w + 1]):
            p, state = chances[t], leads[t]
            if state >= 0:
                a += p * won[state]
                s += p * came[state]
            else:
                reached = follow[-1 - state, b]
                if reached == back:
                    s += p
                else:
                    a += p * after[reached]
        if w > 0 or passing:
            is_back = banked == back
            held = z if is_back else after[banked]
            if (a + s * z <= held + tie) if w > 0 else (a + s * z < held - tie):
                won[w], came[w], decisions[w] = 0.0 if is_back else held, 1.0 if is_back else 0.0, 0
                continue
        won[w], came[w], decisions[w] = a, s, 1
    return won[0], came[0]


@kernel()
def response_pass(
    order: Ints,
    partner: Ints,
    begin: Ints,
    leads: Ints,
    chances: Floats,
    hold: Ints,
    follow: Ints32,
    their_start: Ints,
    their_to: Ints32,
    their_chance: Floats,
    their_back: Floats,
    tie: float,
    passing: bool,
    mine: Floats,
    theirs: Floats,
    decisions: Any,
) -> None:
    """One pass over all states, in place: the most that a game can be worth against given turns.

    Args:
        order, partner, begin, leads, chances, hold, follow: see `pigevo.games.board.Board`.
        their_start, their_to, their_chance, their_back: the opponent's turns, passes among those that come back.
        tie, passing: see `best_turn`.
        mine, theirs: see `evaluation_pass`.
        decisions: takes those of the best turns, shape (rows, W, states of a row).
    """
    L = decisions.shape[2]
    won, came = np.zeros(len(hold)), np.zeros(len(hold))
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        made = decisions[b // L, :, b % L]
        if p < 0:
            value, _ = best_turn(b, 0.0, -1, begin, leads, chances, hold, follow, theirs, won, came, tie, passing, made)
            mine[b] = value
            theirs[b] = expected(b, their_start, their_to, their_chance, mine)
            continue
        c, u = expected(p, their_start, their_to, their_chance, mine), their_back[p]
        best, z = -1.0, c
        while True:  # policy iteration: every round is better, until none is
            a, s = best_turn(b, z, p, begin, leads, chances, hold, follow, theirs, won, came, 0.0, passing, made)
            away = 1.0 - s * u
            better = (a + s * c) / away if away > 0.0 else 0.0
            if better <= best:
                break
            best = better
            z = c + u * best
        best_turn(b, z, p, begin, leads, chances, hold, follow, theirs, won, came, tie, passing, made)
        mine[b], theirs[p] = best, z


@kernel()
def optimal_pass(
    order: Ints,
    partner: Ints,
    begin: Ints,
    leads: Ints,
    chances: Floats,
    hold: Ints,
    follow: Ints32,
    tie: float,
    moving: Floats,
    waiting: Floats,
    decisions: Any,
) -> None:
    """One pass over all states, in place: both play best, each for itself.

    Two states that come back to each other are solved by strategy iteration (Hoffman & Karp 1966); there what one
    player wins the other one loses.

    Args:
        order, partner, begin, leads, chances, hold, follow: see `pigevo.games.board.Board`.
        tie: see `best_turn`.
        moving: worth to the player to move, shape (B + 3,); from B on worth of the ends to who has not made them.
        waiting: worth of the same state to the other player; from B on to who has made the end.
        decisions: takes those of both, shape (rows, W, states of a row).
    """
    L = decisions.shape[2]
    W = len(hold)
    won, came, theirs_won, theirs_came = np.zeros(W), np.zeros(W), np.zeros(W), np.zeros(W)
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        made = decisions[b // L, :, b % L]
        if p < 0:
            value, _ = best_turn(b, 0.0, -1, begin, leads, chances, hold, follow, waiting, won, came, tie, False, made)
            moving[b] = value
            waiting[b] = _other(b, begin, leads, chances, hold, follow, moving, made, won)
            continue
        if p < b:
            continue
        other = decisions[p // L, :, p % L]
        x, y, z = 0.0, -1.0, 0.5
        while True:
            a, s = best_turn(
                p, z, b, begin, leads, chances, hold, follow, waiting, theirs_won, theirs_came, 0.0, False, other
            )
            # Against this turn the mover at b waits, when it comes back, for 1 - (a + s (1 - value)).
            best, back = -1.0, 1.0 - a - s
            while True:
                g, h = best_turn(b, back, p, begin, leads, chances, hold, follow, waiting, won, came, 0.0, False, made)
                better = (g + h * (1.0 - a - s)) / (1.0 - h * s)
                if better <= best:
                    break
                best = better
                back = 1.0 - a - s + s * best
            if 1.0 - back <= y:
                break
            x, y = best, 1.0 - back
            z = 1.0 - x
        moving[b], moving[p] = x, y
        waiting[b], waiting[p] = 1.0 - x, 1.0 - y
        best_turn(b, 1.0 - y, p, begin, leads, chances, hold, follow, waiting, won, came, tie, False, made)
        best_turn(p, 1.0 - x, b, begin, leads, chances, hold, follow, waiting, won, came, tie, False, other)


@kernel()
def _other(
    b: int,
    begin: Ints,
    leads: Ints,
    chances: Floats,
    hold: Ints,
    follow: Ints32,
    after: Floats,
    made: Any,
    worth: Floats,
) -> float:
    """What a turn with these decisions is worth to the other player, who moves after it."""
    for w in range(len(hold) - 1, -1, -1):
        if made[w] == 0:
            worth[w] = after[follow[hold[w], b]]
            continue
        total = 0.0
        for t in range(begin[w], begin[w + 1]):
            state = leads[t]
            total += chances[t] * (worth[state] if state >= 0 else after[follow[-1 - state, b]])
        worth[w] = total
    return float(worth[0])
