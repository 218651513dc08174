"""The compiled loops of expected visits, following play forwards from the opening, and of gene importance.

The effects of all single flips of a strategy take one pass, because a turn visits a turn total at most once.  Flipping
the decision at (i, j, k) changes the turn's parts to `a + r (a' - a_k)` and `s + r (s' - s_k)`, where `r` is the chance
of reaching `k`, `a_k`, `s_k` are the parts from there on as decided, and `a'`, `s'` those as flipped.  This gives new
values for the pair (i, j); the chance that the game reaches the pair does not depend on decisions there.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Floats, Ints
from pigevo.exact.board_kernels import Ends, leaving
from pigevo.exact.kernels import DieArrays, solve_pair


@kernel(borrows=True)
def _follow(
    rows: Bytes,
    i: int,
    j: int,
    weight: float,
    gains: Ints,
    chances: Floats,
    stand: Floats,
    turn_starts: Floats,
    visits: Floats,
) -> None:
    """Follow `weight` turns of one player at (i, j): add its visits, and distribute its holds."""
    left = rows.shape[0] - i
    stand[:] = 0.0
    stand[0] = weight
    # Upwards: all ways to k come from lower totals, so `stand[k]` is complete. What reaches the target is a win.
    for k in range(left):
        come = stand[k]
        visits[i, j, k] += come
        if rows[i, k, j]:
            for g in range(gains.shape[0]):
                stand[k + gains[g]] += come * chances[g]
        elif k > 0:
            turn_starts[j, i + k] += come


@kernel()
def visit_tables(
    rows: Bytes, theirs: Bytes, die: DieArrays, leave: Floats, their_leave: Floats, first: bool
) -> tuple[Floats, Floats, Floats]:
    """Expected visits to every state by one player, shape (T, T, T), and the chances that play ever reaches scores.

    The chances are with the player and with the opponent to move, shape (T, T), by the player's and the opponent's
    score. `rows` and `theirs` are bytes `[i, k, j]`; `leave` and `their_leave` are the chances that a turn changes a
    score.
    """
    gains, chances = die
    T = rows.shape[0]
    stand = np.zeros(T + gains[0])
    starts, their_starts = np.zeros((T, T)), np.zeros((T, T))
    visits, their_visits = np.zeros((T, T, T)), np.zeros((T, T, T))
    arrive, their_arrive = np.zeros((T, T)), np.zeros((T, T))
    starts[0, 0] = 1.0 if first else 0.0
    their_starts[0, 0] = 0.0 if first else 1.0
    # Upwards in both scores: turns that lead to a pair from another one begin at lower scores, so they come before.
    for i in range(T):
        for j in range(T):
            a, b = starts[i, j], their_starts[j, i]
            if a + b == 0.0:
                continue
            arrive[i, j] = a
            their_arrive[i, j] = b
            s, u = leave[i, j], their_leave[j, i]
            away = s + u - s * u
            # The numbers of turns that begin at this pair solve turns = a + (1 - u) their_turns and
            # their_turns = b + (1 - s) turns: a turn that changes no score is followed by one of the other player.
            if rows[i, 0, j] == 0 and theirs[j, 0, i] == 0:  # a stalemate: each passes once
                turns, their_turns = a + b, a + b
            elif away > 0.0:
                turns = (a + (1.0 - u) * b) / away
                their_turns = (b + (1.0 - s) * a) / away
            else:
                turns, their_turns = np.inf, np.inf
            _follow(rows, i, j, turns, gains, chances, stand, their_starts, visits)
            _follow(theirs, j, i, their_turns, gains, chances, stand, starts, their_visits)
    return visits, arrive, their_arrive


@kernel()
def visit_pass(order: Ints, partner: Ints, own_ends: Ends, their_ends: Ends, coming: Floats, begun: Floats) -> Floats:
    """Follow play through all states once, by the turns of two players (`pigevo.exact.board_kernels.turn_ends`).

    `coming`, shape (2, B), is the amount of play that arrives at each state, by the player to move; the turns that
    begin there are added to `begun`. The result is the play that falls of a score returned to states which this pass
    had already treated.
    """
    B = len(order)
    stay, passes, their_stay, their_passes = own_ends[3], own_ends[4], their_ends[3], their_ends[4]
    coming = coming.copy()
    later = np.zeros((2, B))
    done = np.zeros((2, B), np.bool_)
    # The order of values reversed, which is the order of play. The turns of the first player at b and those of the
    # second at its partner lead to each other: they are treated together, as in `visit_tables`.
    for n in range(B - 1, -1, -1):
        b = order[n]
        p = partner[b]
        m, t = coming[0, b], coming[1, p if p >= 0 else b]
        if p >= 0:
            s, u = stay[b] + passes[b], their_stay[p] + their_passes[p]
            if passes[b] == 1.0 and their_passes[p] == 1.0:  # a stalemate: each passes once
                m, t = m + t, m + t
            else:
                away = 1.0 - s * u
                if away < 0.5:
                    away = leaving(b, p, own_ends, their_ends)
                if away > 0.0:
                    m, t = (m + u * t) / away, (t + s * m) / away
        begun[0, b] += m
        begun[1, p if p >= 0 else b] += t
        done[0, b] = True
        done[1, p if p >= 0 else b] = True
        if m > 0.0:
            _spread(b, m, own_ends, B, done[1], coming[1], later[1])
        if t > 0.0:
            _spread(p if p >= 0 else b, t, their_ends, B, done[0], coming[0], later[0])
    return later


@kernel(borrows=True)
def _spread(b: int, mass: float, ends: Ends, states: int, done: Bools, coming: Floats, later: Floats) -> None:
    """Distribute play over the states that a turn leads to; states in `done` get it in the next pass."""
    start, to, chance, _, _ = ends
    for n in range(start[b], start[b + 1]):
        state = to[n]
        if state < states:
            if done[state]:
                later[state] += mass * chance[n]
            else:
                coming[state] += mass * chance[n]


@kernel()
def importance_table(
    rows: Bytes,
    die: DieArrays,
    waiting: Floats,
    their_worth: Floats,
    their_leaving: Floats,
    arrive: Floats,
    their_arrive: Floats,
) -> Floats:
    """The cost in win probability of flipping each decision, shape (T, T, T) by (i, j, k).

    `waiting` is the player's win probability with the opponent to move. The value of the opponent's turn to the player
    is `their_worth + (1 - their_leaving) P`; `arrive` and `their_arrive` are the chances that play first reaches (i, j)
    with the player and with the opponent to move. All have shape (T, T).
    """
    gains, chances = die
    T = rows.shape[0]
    top = gains[0]
    lost = np.zeros((T, T, T))
    won, lived = np.ones(T + top), np.ones(T + top)
    rolled_won, rolled_lived = np.zeros(T), np.zeros(T)
    stand = np.zeros(T + top)
    for i in range(T):
        left = T - i
        won[left:] = 1.0
        lived[left:] = 1.0
        for j in range(T):
            # Downwards: the parts of the turn from k on, if the player rolls at k and as the strategy decides there.
            for k in range(left - 1, -1, -1):
                a = 0.0
                s = 0.0
                for g in range(gains.shape[0]):
                    a += chances[g] * won[k + gains[g]]
                    s += chances[g] * lived[k + gains[g]]
                rolled_won[k] = a
                rolled_lived[k] = s
                if rows[i, k, j] == 0:
                    a = waiting[i + k, j] if k > 0 else 0.0
                    s = 1.0 if k > 0 else 0.0
                won[k] = a
                lived[k] = s
            c = their_worth[i, j]
            u = their_leaving[i, j]
            p = solve_pair(won[0], lived[0], c, u)
            q = c + (1.0 - u) * p
            stand[: left + top] = 0.0
            stand[0] = 1.0
            # Upwards: the chance r that the turn comes to k, and the parts from there on after the other decision.
            for k in range(left):
                r = stand[k]
                if r == 0.0:
                    continue
                if rows[i, k, j]:
                    for g in range(gains.shape[0]):
                        stand[k + gains[g]] += r * chances[g]
                    a = waiting[i + k, j] if k > 0 else 0.0
                    s = 1.0 if k > 0 else 0.0
                else:
                    a = rolled_won[k]
                    s = rolled_lived[k]
                flipped_p = solve_pair(won[0] + r * (a - won[k]), lived[0] + r * (s - lived[k]), c, u)
                flipped_q = c + (1.0 - u) * flipped_p
                lost[i, j, k] = arrive[i, j] * (p - flipped_p) + their_arrive[i, j] * (q - flipped_q)
    return lost
