"""The compiled loop of expected visits in any game: play followed forwards, from its opening."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints, Ints32


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
    """Follow play through all states once.

    Args:
        order, partner: see `pigevo.games.board.Board`.
        start, to, chance, stay, passes: the turns of one player, from `pigevo.exact.board_kernels.turn_ends`.
        their_start, their_to, their_chance, their_stay, their_passes: those of the other one.
        coming: how much play comes to each state, with the one and with the other player to move, shape (2, B).
        begun: takes the turns that begin in each state, likewise; they are added.

    Returns:
        How much play a fall of a score has brought to states that this pass had left behind, shape (2, B).
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
