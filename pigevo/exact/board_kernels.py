"""The general engine's compiled loops: turns of any game, and one pass over all states between turns.

Where a turn changes no score, play comes back to the same two states: two unknowns, which are solved together.
Everything else leads to states that come earlier in the board's order, except where a score falls; from there the
value of the pass before is taken (`pigevo.exact.boards` repeats passes, and proves how far they are from the solution).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Floats, Ints, Ints32


@kernel()
def turn_ends(
    decisions: Any, begin: Ints, leads: Ints, chances: Floats, hold: Ints, follow: Ints32, partner: Ints
) -> tuple[Ints, Ints32, Floats, Floats, Floats]:
    """Where the turns of one strategy end, from every state between turns.

    Args:
        decisions: the chance of rolling (0 or 1, or between), by rows of states, states of a turn, states of a row.
        begin, leads, chances, hold, follow, partner: see `pigevo.games.board.Board`.

    Returns:
        start, to, chance: the states that the opponent then moves from, with their chances, state after state, shapes
            (B + 1,), (ends,), (ends,); without those that come back.
        stay: the chance of the turn that changes no score, where that comes back, shape (B,).
        passes: the chance of a pass there, shape (B,).
    """
    rows, W, L = decisions.shape
    E, B = follow.shape
    start = np.zeros(B + 1, np.int64)
    room = 32 * B
    to, chance = np.empty(room, np.int32), np.empty(room)
    stay, passes = np.zeros(B), np.zeros(B)
    stand, rolled, ends = np.zeros((W, L)), np.zeros(L), np.zeros((E, L))
    alive, met = np.zeros(W, np.bool_), np.zeros(E, np.bool_)
    count = 0
    for row in range(rows):
        alive[0] = True
        stand[0] = 1.0
        for w in range(W):
            if not alive[w]:
                continue
            alive[w] = False
            at, own, banked = stand[w], decisions[row, w], ends[hold[w]]
            some = 0.0
            for n in range(L):
                rolled[n] = at[n] * own[n]
                banked[n] += at[n] - rolled[n]
                some += rolled[n]
            if w == 0:
                for n in range(L):
                    passes[row * L + n] = banked[n]
            at[:] = 0.0
            met[hold[w]] = True
            if some == 0.0:
                continue
            for t in range(begin[w], begin[w + 1]):
                if leads[t] >= 0:
                    alive[leads[t]] = True
                    into = stand[leads[t]]
                else:
                    met[-1 - leads[t]] = True
                    into = ends[-1 - leads[t]]
                p = chances[t]
                for n in range(L):
                    into[n] += p * rolled[n]
        if count + E * L > room:
            room = 2 * room + E * L
            to, chance = _longer(to, room), _longer(chance, room)
        for n in range(L):
            b = row * L + n
            start[b] = count
            for e in range(E):
                if met[e] and ends[e, n] != 0.0:
                    if partner[b] >= 0 and follow[e, b] == partner[b]:
                        stay[b] += ends[e, n]
                    else:
                        to[count] = follow[e, b]
                        chance[count] = ends[e, n]
                        count += 1
            if partner[b] < 0:
                passes[b] = 0.0
            stay[b] -= passes[b]
        for e in range(E):
            if met[e]:
                ends[e] = 0.0
                met[e] = False
    start[B] = count
    return start, to[:count].copy(), chance[:count].copy(), stay, passes


@kernel()
def _longer(array: Any, room: int) -> Any:
    longer = np.empty(room, array.dtype)
    longer[: len(array)] = array
    return longer


@kernel()
def expected(b: int, start: Ints, to: Ints32, chance: Floats, values: Floats) -> float:
    """The expected value after a turn, those that come back left out."""
    total = 0.0
    for n in range(start[b], start[b + 1]):
        total += chance[n] * values[to[n]]
    return total


@kernel()
def evaluation_pass(
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
    mine: Floats,
    theirs: Floats,
) -> None:
    """One pass over all states, in place: what a game is worth to one of two given players.

    Args:
        order, partner: see `pigevo.games.board.Board`.
        start, to, chance, stay, passes: the turns of the player whose worth it is, from `turn_ends`.
        their_start, their_to, their_chance, their_stay, their_passes: those of the other one.
        mine: its worth with itself to move, by its own view of the state, shape (B + 3,); from B on what the ends of
            the game are worth after the opponent's turn.
        theirs: its worth with the opponent to move, by the opponent's view; from B on after its own turn.
    """
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        if p < 0:
            mine[b] = expected(b, start, to, chance, theirs)
            theirs[b] = expected(b, their_start, their_to, their_chance, mine)
            continue
        a, c = expected(b, start, to, chance, theirs), expected(p, their_start, their_to, their_chance, mine)
        s, q, u, r = stay[b], passes[b], their_stay[p], their_passes[p]
        x, y = 1.0 - q * u, 1.0 - r * s  # a pass after a pass ends the game, worth nothing
        away = x * y - s * u
        first, second = a + q * c, c + r * a
        if away <= 0.0:
            mine[b], theirs[p] = 0.0, 0.0
        else:
            mine[b], theirs[p] = (first * y + s * second) / away, (second * x + u * first) / away
