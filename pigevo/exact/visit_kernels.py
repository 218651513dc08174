"""The compiled loops of expected visits: play followed forwards, from the opening of the game."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats, Ints, Ints32


@kernel()
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
    """Send `weight` turns of one player through (i, j): its visits, and where its holds lead."""
    left = rows.shape[0] - i
    stand[:] = 0.0
    stand[0] = weight
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
    rows: Bytes,
    theirs: Bytes,
    gains: Ints,
    chances: Floats,
    leave: Floats,
    their_leave: Floats,
    first: bool,
) -> tuple[Floats, Floats, Floats]:
    """Expected visits to every state by one player, shape (T, T, T), and the chances that play first comes to scores.

    These are with the player, and with the opponent, to move, shape (T, T), by the player's and the opponent's score.
    `rows` and `theirs` are bytes `[i, k, j]`; `leave` and `their_leave` are the chances that a turn changes a score.
    """
    T = rows.shape[0]
    stand = np.zeros(T + gains[0])
    starts, their_starts = np.zeros((T, T)), np.zeros((T, T))
    visits, their_visits = np.zeros((T, T, T)), np.zeros((T, T, T))
    arrive, their_arrive = np.zeros((T, T)), np.zeros((T, T))
    starts[0, 0] = 1.0 if first else 0.0
    their_starts[0, 0] = 0.0 if first else 1.0
    for i in range(T):
        for j in range(T):
            a, b = starts[i, j], their_starts[j, i]
            if a + b == 0.0:
                continue
            arrive[i, j] = a
            their_arrive[i, j] = b
            s, u = leave[i, j], their_leave[j, i]
            away = s + u - s * u
            if rows[i, 0, j] == 0 and theirs[j, 0, i] == 0:
                mine, other = a + b, a + b
            elif away > 0.0:
                mine = (a + (1.0 - u) * b) / away
                other = (b + (1.0 - s) * a) / away
            else:
                mine, other = np.inf, np.inf
            _follow(rows, i, j, mine, gains, chances, stand, their_starts, visits)
            _follow(theirs, j, i, other, gains, chances, stand, starts, their_visits)
    return visits, arrive, their_arrive


@kernel()
def visit_pass(
    order: Ints,
    partner: Ints,
    start: Ints,
    to: Ints32,
    chance: Floats,
    stay: Floats,
    passes: Floats,
    their_start: Ints,
    their_to: Ints32,
    their_chance: Floats,
    their_stay: Floats,
    their_passes: Floats,
    coming: Floats,
    begun: Floats,
) -> Floats:
    """Follow play through all states once, by the turns of two players (`pigevo.exact.board_kernels.turn_ends`).

    `coming` is how much play comes to each state, with the one and with the other player to move, shape (2, B); the
    turns that begin there are added to `begun`. Returned is the play that a fall of a score has brought back to states
    that this pass had left behind.
    """
    B = len(order)
    coming = coming.copy()
    later = np.zeros((2, B))
    done = np.zeros((2, B), np.bool_)
    for n in range(B - 1, -1, -1):
        b = order[n]
        p = partner[b]
        m, t = coming[0, b], coming[1, p if p >= 0 else b]
        if p >= 0:
            s, u = stay[b] + passes[b], their_stay[p] + their_passes[p]
            if passes[b] == 1.0 and their_passes[p] == 1.0:  # two passes end the game
                m, t = m + t, m + t
            elif s * u < 1.0:
                m, t = (m + u * t) / (1.0 - s * u), (t + s * m) / (1.0 - s * u)
        begun[0, b] += m
        begun[1, p if p >= 0 else b] += t
        done[0, b] = True
        done[1, p if p >= 0 else b] = True
        if m > 0.0:
            _spread(b, m, start, to, chance, B, done[1], coming[1], later[1])
        if t > 0.0:
            _spread(p if p >= 0 else b, t, their_start, their_to, their_chance, B, done[0], coming[0], later[0])
    return later


@kernel()
def _spread(
    b: int,
    mass: float,
    start: Ints,
    to: Ints32,
    chance: Floats,
    states: int,
    done: Floats,
    coming: Floats,
    later: Floats,
) -> None:
    for n in range(start[b], start[b + 1]):
        state = to[n]
        if state < states:
            if done[state]:
                later[state] += mass * chance[n]
            else:
                coming[state] += mass * chance[n]
