"""The general engine's compiled loops: turns of any game, one pass over all states between turns, and best turns.

After a turn that changes no score, play can return to the same two states: these are two unknowns, which are solved
together.  All other outcomes lead to states that come earlier in the board's order, except where a score falls; there
the value of the previous pass is used (`pigevo.exact.boards` repeats passes and bounds the remaining error).

As in `pigevo.games.board`, there are B states between turns, in rows of L, W states of a turn, and E effects of a throw
or a hold.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Decisions, Floats, Ints, Ints32, Number
from pigevo.games.board import TurnArrays

Ends = tuple[Ints, Ints32, Floats, Floats, Floats]
"""The result of `turn_ends` for one strategy: `start`, `to`, `chance`, `stay` and `passes`."""


@kernel(borrows=True)
def _follow_turns(
    decisions: Decisions, turn: TurnArrays, stand: Floats, rolled: Floats, alive: Bools, ends: Floats, met: Bools,
    passes: Floats,
) -> None:  # fmt: skip
    """Add the probabilities of the effects that end turns from a row of states to `ends`, shape (E, L); fill `passes`.

    A throw leads to a later state of the turn, so `stand[w]` has all ways to w. The states of a row, which differ in
    the opponent's score or in the lead alone, are followed together; `alive` and `met` mark the entries of `stand` and
    `ends` that are not 0, since most turns come to few states.
    """
    begin, leads, chances, hold, _ = turn
    W, L = decisions.shape
    alive[0] = True
    stand[0] = 1.0
    for w in range(W):
        if not alive[w]:
            continue
        alive[w] = False
        at, chance_to_roll, banked = stand[w], decisions[w], ends[hold[w]]
        rolling = 0.0
        for n in range(L):
            rolled[n] = at[n] * chance_to_roll[n]
            banked[n] += at[n] - rolled[n]
            rolling += rolled[n]
        if w == 0:
            for n in range(L):
                passes[n] = banked[n]
        at[:] = 0.0
        met[hold[w]] = True
        if rolling == 0.0:
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


@kernel()
def turn_ends(decisions: Decisions, turn: TurnArrays, partner: Ints) -> Ends:
    """The outcomes of one strategy's turns from every state between turns of a `pigevo.games.board.Board`.

    `decisions` are probabilities of rolling by rows of states, states of a turn, states of a row. The results are
    `start`, `to` and `chance`, shapes (B + 1,), (ends,), (ends,): the states from which the opponent then moves and
    their probabilities, state after state; turns after which play can return are left out. Where play can return,
    `stay`, shape (B,), is the probability of a turn that changes no score, passes excluded, and `passes`, shape (B,),
    that of a pass.
    """
    follow = turn[-1]
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
        _follow_turns(decisions[row], turn, stand, rolled, alive, ends, met, passes[row * L : (row + 1) * L])
        if count + E * L > room:
            room = 2 * room + E * L
            to, chance = _longer(to, room), _longer(chance, room)
        for n in range(L):
            b = row * L + n
            start[b] = count
            for e in range(E):
                if met[e] and ends[e, n] != 0.0:
                    # From the partner the opponent can bring play back: its value is an unknown.
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
def _longer(array: NDArray[Number], room: int) -> NDArray[Number]:
    """A copy of an array with room for more."""
    longer = np.empty(room, array.dtype)
    longer[: len(array)] = array
    return longer


@kernel()
def expected(b: int, ends: Ends, values: Floats) -> float:
    """The expected value after a turn; turns after which play can return count 0."""
    start, to, chance, _, _ = ends
    total = 0.0
    for n in range(start[b], start[b + 1]):
        total += chance[n] * values[to[n]]
    return total


@kernel()
def leaving(b: int, p: int, own_ends: Ends, their_ends: Ends) -> float:
    """The chance that one of two turns, from `b` and from its partner `p`, changes a score, as the sum of its parts.

    `1 - s u` is nothing but rounding where nearly no turn does.
    """
    leave, their_leave = _changing(b, own_ends), _changing(p, their_ends)
    return leave + their_leave - leave * their_leave


@kernel()
def _changing(b: int, ends: Ends) -> float:
    """The chance that a turn changes a score."""
    start, _, chance, _, _ = ends
    total = 0.0
    for n in range(start[b], start[b + 1]):
        total += chance[n]
    return total


@kernel()
def evaluation_pass(
    order: Ints, partner: Ints, own_ends: Ends, their_ends: Ends, moving: Floats, waiting: Floats, stalemate: float
) -> None:
    """One pass over all states, in place: the values of the game to one player, given both players' `turn_ends`.

    A game that neither player's strategy can leave is worth `stalemate`.

    `moving`, shape (B + 3,), has that player's values when it moves, by states in the player's view, and from index B
    on the values of the game's results after the opponent's turn; `waiting` is the same with the opponent to move, by
    states in the opponent's view.
    """
    stay, passes, their_stay, their_passes = own_ends[3], own_ends[4], their_ends[3], their_ends[4]
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        if p < 0:  # play cannot return: both values follow from known ones
            moving[b] = expected(b, own_ends, waiting)
            waiting[b] = expected(b, their_ends, moving)
            continue
        # Two unknowns: moving = a + s waiting and waiting = c + u moving.
        a, c = expected(b, own_ends, waiting), expected(p, their_ends, moving)
        s, u = stay[b] + passes[b], their_stay[p] + their_passes[p]
        away = 1.0 - s * u
        if away < 0.5 or passes[b] + their_passes[p] > 0.0:
            away = leaving(b, p, own_ends, their_ends)
        if away <= 0.0:  # neither player's strategy can leave
            moving[b], waiting[p] = stalemate, stalemate
        else:
            moving[b], waiting[p] = (a + s * c) / away, (c + u * a) / away


@kernel()
def best_turn(
    b: int,
    z: float,
    back: int,
    turn: TurnArrays,
    after: Floats,
    won: Floats,
    came: Floats,
    tie: float,
    passing: bool,
    decisions: Bytes,
) -> tuple[float, float]:
    """The best turn from state `b` if the value of unchanged scores is `z`; returns `a`, `s` of its value `a + s z`.

    `back` is the state's partner, -1 if play cannot return; `after`, shape (B + 3,), has the values of the states with
    the opponent to move, and of the game's results. Rolling must be better than holding by `tie`. `won` and `came`,
    shape (W,), are work arrays; `decisions`, shape (W,), is filled.
    """
    begin, leads, chances, hold, follow = turn
    win = follow.shape[1] + 2
    # From the last state of the turn backwards, since throws lead to later ones.
    for w in range(len(hold) - 1, -1, -1):
        banked = follow[hold[w], b]
        # Nothing is better than a win.
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
            # Within a turn a tie is a hold; before the first throw it is a throw: nobody passes without a gain.
            if (a + s * z <= held + tie) if w > 0 else (a + s * z < held - tie):
                won[w], came[w], decisions[w] = 0.0 if is_back else held, 1.0 if is_back else 0.0, 0
                continue
        won[w], came[w], decisions[w] = a, s, 1
    return won[0], came[0]


@kernel()
def response_pass(
    order: Ints,
    partner: Ints,
    turn: TurnArrays,
    ends: Ends,
    tie: float,
    passing: bool,
    mine: Floats,
    theirs: Floats,
    decisions: Bytes,
) -> None:
    """One pass over all states, in place: the values of best turns against given turns (see `best_turn`)."""
    L, W = decisions.shape[2], decisions.shape[1]
    won, came = np.zeros(W), np.zeros(W)
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        chosen = decisions[b // L, :, b % L]
        if p < 0:
            value, _ = best_turn(b, 0.0, -1, turn, theirs, won, came, tie, passing, chosen)
            mine[b] = value
            theirs[b] = expected(b, ends, mine)
            continue
        # With the opponent to move the value is z = c + u best, where u is the chance that its turn changes no score.
        c, u = expected(p, ends, mine), ends[3][p] + ends[4][p]
        best, z = -1.0, c
        while True:  # policy iteration: every round improves, until none does
            a, s = best_turn(b, z, p, turn, theirs, won, came, 0.0, passing, chosen)
            away = 1.0 - s * u
            better = (a + s * c) / away if away > 0.0 else 0.0
            if better <= best:
                break
            best = better
            z = c + u * best
        best_turn(b, z, p, turn, theirs, won, came, tie, passing, chosen)
        mine[b], theirs[p] = best, z


@kernel()
def optimal_pass(
    order: Ints,
    partner: Ints,
    turn: TurnArrays,
    tie: float,
    passing: bool,
    moving: Floats,
    waiting: Floats,
    decisions: Bytes,
) -> None:
    """One pass over all states, in place: both players play best, each for itself.

    Where play can return nobody passes; where it cannot, a player may, if `passing`.

    Two states between which play can return are solved by strategy iteration (Hoffman & Karp 1966); the game is
    constant-sum there. `moving` has the values to the player to move and `waiting` those to the other player, shape
    (B + 3,), with the game's results from B on; `decisions`, shape (rows, W, states of a row), is filled for both.
    """
    L, W = decisions.shape[2], decisions.shape[1]
    won, came, theirs_won, theirs_came = np.zeros(W), np.zeros(W), np.zeros(W), np.zeros(W)
    for n in range(len(order)):
        b = order[n]
        p = partner[b]
        chosen = decisions[b // L, :, b % L]
        if p < 0:
            value, _ = best_turn(b, 0.0, -1, turn, waiting, won, came, tie, passing, chosen)
            moving[b] = value
            waiting[b] = _worth_to_opponent(b, turn, moving, chosen, won)
            continue
        if p < b:  # solved together with its partner
            continue
        their_chosen = decisions[p // L, :, p % L]
        # The values x at b and y at p, each to its mover; z is the value of unchanged scores to the mover at p, 1 - x.
        x, y, z = 0.0, -1.0, 0.5
        while True:
            a, s = best_turn(p, z, b, turn, waiting, theirs_won, theirs_came, 0.0, False, their_chosen)
            # Against this turn, unchanged scores are worth 1 - (a + s (1 - value)) to the mover at b.
            best, back = -1.0, 1.0 - a - s
            while True:
                g, h = best_turn(b, back, p, turn, waiting, won, came, 0.0, False, chosen)
                away = 1.0 - h * s
                better = (g + h * (1.0 - a - s)) / away if away > 0.0 else 0.0
                if better <= best:
                    break
                best = better
                back = 1.0 - a - s + s * best
            # 1 - back is what this turn from p is worth against the best answer to it: it must grow.
            if 1.0 - back <= y:
                break
            x, y = best, 1.0 - back
            z = 1.0 - x
        moving[b], moving[p] = x, y
        waiting[b], waiting[p] = 1.0 - x, 1.0 - y
        best_turn(b, 1.0 - y, p, turn, waiting, won, came, tie, False, chosen)
        best_turn(p, 1.0 - x, b, turn, waiting, won, came, tie, False, their_chosen)


@kernel(borrows=True)
def _worth_to_opponent(b: int, turn: TurnArrays, after: Floats, decisions: Bytes, worth: Floats) -> float:
    """The value of a turn with these decisions to the opponent, who moves next."""
    begin, leads, chances, hold, follow = turn
    for w in range(len(hold) - 1, -1, -1):
        if decisions[w] == 0:
            worth[w] = after[follow[hold[w], b]]
            continue
        total = 0.0
        for t in range(begin[w], begin[w + 1]):
            state = leads[t]
            total += chances[t] * (worth[state] if state >= 0 else after[follow[-1 - state, b]])
        worth[w] = total
    return float(worth[0])
