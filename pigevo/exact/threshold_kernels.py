"""The compiled loop that evaluates threshold rules: a hold value for each score pair, against one prepared opponent.

The outcome of a turn that continues until its total is at least `n` does not depend on the scores: with a die of up to
G points there are at most G outcomes, computed once for each `n`.  `LANES` rules are evaluated in parallel, one in each
lane, so that the opponent's turns are read once for all; where all of them hold at the same total, for example in the
end race, the rules' own turns are read once, too.  Notation as in `pigevo.exact.kernels`.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import LANES, fused, load, spread, store
from pigevo.core.arrays import Bools, Floats, Ints, Shorts
from pigevo.exact.kernels import DieArrays, Outcomes, aligned


@kernel()
def threshold_turns(target: int, gains: Ints, chances: Floats) -> tuple[Floats, Floats]:
    """The chances that a turn which holds from `n` on banks `n`, `n + 1`, ..., and their sums.

    The shapes are (target + 1, largest gain) and (target + 1,). A turn that holds from 0 on passes, and banks nothing.
    """
    top = gains.max()
    stand = np.zeros(target + top + 1)
    ends, leave = np.zeros((target + 1, top)), np.zeros(target + 1)
    stand[0] = 1.0
    for n in range(target + 1):  # the turn has rolled at every total below n
        for t in range(top if n else 0):
            ends[n, t] = stand[n + t]
            leave[n] += stand[n + t]
        for g in range(gains.shape[0]):
            if n + gains[g] < stand.shape[0]:
                stand[n + gains[g]] += stand[n] * chances[g]
    return ends, leave


@kernel()
def run_ends(start: Ints, hold: Floats) -> Ints:
    """The end of the holds of each run of `turn_outcomes`, without the padding by zeros; shape (T, T)."""
    T = start.shape[0]
    ends = np.empty((T, T), np.int64)
    for j in range(T):
        for own in range(T):
            end = start[j, own + 1]
            while end > start[j, own] and hold[end - 1] == 0.0:
                end -= 1
            ends[j, own] = end
    return ends


@kernel()
def hold_values(
    bases: Shorts, races: Bools, rules: Ints, first: int, i: int, least: int, until: Shorts, alike: Bools
) -> None:
    """Write the hold values of `LANES` rules from `first` on at own score `i`, clipped to least ... T - i, to `until`.

    `until` has shape (LANES, T), by rule and opponent's score; `alike` gets whether all rules hold at the same value.
    """
    T = bases.shape[1]
    lowest, left = np.int16(least), np.int16(T - i)
    alike[:] = True
    for lane in range(LANES):
        m = min(first + lane, len(rules) - 1)  # the last group is filled up with the last rule
        base, race, holds = bases[rules[m, 0], i], races[rules[m, 1], i], until[lane]
        # From this hold value on, a hold would leave at most the margin to go, so the rule rolls to win.
        most = np.int16(min(max(T - i - rules[m, 2], 0), T))
        for j in range(T):
            holds[j] = left if race[j] | (base[j] >= most) else min(max(base[j], lowest), left)
        for j in range(T):
            alike[j] &= holds[j] == until[0, j]


@kernel(forceinline=True, borrows=True)
def rounds_until_left(s: float, u: float) -> float:
    """The expected rounds until one of two players, with the chances `s` and `u` a turn, leaves; 0 if neither does."""
    leave = s + u - s * u
    return 1.0 / leave if leave > 0.0 else 0.0


@kernel(error_model="numpy")
def rule_seats(
    bases: Shorts, races: Bools, rules: Ints, least: int, die: DieArrays, turns: Outcomes, stop: Ints
) -> Floats:
    """Win probabilities of threshold rules against one opponent (`turn_outcomes`), by seat, shape (n, 2).

    A rule (the numbers of its base and race, and its margin, shape (n, 3)) rolls until the turn total given by its
    base; it rolls to win where its race is true, and where holding at the base's value would leave at most its margin
    to go. A smaller total than `least` counts as that: 0 where passing is allowed, else 1.
    """
    (gains, chances), (start, low, hold, leave) = die, turns
    n, T = rules.shape[0], bases.shape[1]
    ends, leaves = threshold_turns(T, gains, chances)
    top = ends.shape[1]
    far = T + top
    seats = np.empty((n, 2))
    moving = aligned(T + LANES, LANES, 0.0)
    waiting = aligned(T * far, LANES, 1.0)  # by the opponent's score, then by own score; 1 where the game is won
    until, alike = np.zeros((LANES, T), np.int16), np.zeros(T, np.bool_)
    # The equations of `solve_pair`, divided by the chance of leaving: P = won + back c, for each rule in its lane.
    parts = aligned(2, LANES, 0.0)
    won, back = parts[0], parts[1]
    for first in range(0, n, LANES):
        # From the target downwards, as in `win_tables`. `moving` has only the values at i: c needs no others.
        for i in range(T - 1, -1, -1):
            hold_values(bases, races, rules, first, i, least, until, alike)
            for j in range(T - 1, -1, -1):
                u, at = leave[j, i], j * far + i
                c, to = spread(0.0), j + low[i, j]
                for t in range(start[i, j], stop[i, j]):
                    c = fused(spread(hold[t]), load(moving, to * LANES), c)
                    to += 1
                if alike[j]:
                    # One hold value, so one turn for all lanes: its chances are read once.
                    k = np.int64(until[0, j])
                    a = spread(0.0)
                    for t in range(top):
                        a = fused(spread(ends[k, t]), load(waiting, (at + k + t) * LANES), a)
                    s = leaves[k]
                    rounds = rounds_until_left(s, u)
                    p = fused(a, spread(rounds), fused(c, spread((1.0 - s) * rounds), spread(0.0)))
                else:
                    for lane in range(LANES):
                        k = np.int64(until[lane, j])
                        a_lane = 0.0
                        for t in range(top):
                            a_lane += ends[k, t] * waiting[at + k + t, lane]
                        s = leaves[k]
                        rounds = rounds_until_left(s, u)
                        won[lane] = a_lane * rounds
                        back[lane] = (1.0 - s) * rounds
                    p = fused(c, load(parts, LANES), load(parts, 0))
                store(p, moving, j * LANES)
                store(fused(spread(1.0 - u), p, c), waiting, at * LANES)
        for lane in range(min(LANES, n - first)):
            seats[first + lane, 0] = moving[0, lane]
            seats[first + lane, 1] = waiting[0, lane]
    return seats
