"""Learners of decisions: the policy gradient on the hold boundary, fictitious play, and counterfactual regret."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Floats, Ints

from .play_kernels import FREE, LONGEST, ROLL, Rules, cast, chance, next_word, thrown
from .value_kernels import better, step_size

FORGETTING = 0.7
"""The power of the step size of the critic."""


@kernel(is_long=True)
def policy_gradient(
    rules: Rules,
    bound: Floats,
    worth: Floats,
    turns: Ints,
    first: int,
    games: int,
    rate: float,
    softness: float,
    trace: float,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """The policy gradient of a soft boundary (REINFORCE, Williams 1992) with a critic at the beginning of turns.

    At a turn total k a player rolls with the probability `1 / (1 + exp((k - bound) / softness))`.

    Args:
        rules: of the game.
        bound: the boundary in points, shape (B,); changed.
        worth: the critic's value of a turn that begins, likewise; changed.
        turns: how many began, likewise; changed.
        first, games: the number of the first game, and how many are played.
        rate: of the steps of the boundary; they become smaller as `turns ** -0.5`.
        softness: in points.
        trace: how much of the return is what was played out (1), and how much what the critic says (0).
        seed, stream: the key of the dice.
    """
    B, top = rules.follow.shape[1], np.float64(len(rules.hold))
    begun, score = np.empty(LONGEST, np.int64), np.empty(LONGEST)
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        b, w, n, gained = rules.opening, 0, 0, 0.0
        while b < B and n < LONGEST:
            word = next_word(dice)
            free = rules.allowed[b, w]
            rolls = free == ROLL
            if free == FREE:
                p = 1.0 / (1.0 + np.exp((rules.hold[w] - bound[b]) / softness))
                rolls = chance(word) < p
                gained += (1.0 if rolls else 0.0) - p
            lead = thrown(rules, b, w, word) if rolls else -1 - rules.hold[w]
            if lead >= 0:
                w = lead
                continue
            begun[n], score[n] = b, gained / softness
            b, w, n, gained = int(rules.follow[-1 - lead, b]), 0, n + 1, 0.0
        if b < B:
            continue
        result = 0.5 * (b - B)
        for t in range(n - 1, -1, -1):
            c = begun[t]
            if t < n - 1:
                result = 1.0 - (1.0 - trace) * worth[begun[t + 1]] - trace * result
            turns[c] += 1
            better_than_usual = result - worth[c]
            bound[c] += rate * better_than_usual * score[t] / np.sqrt(np.float64(turns[c]))
            bound[c] = min(max(bound[c], 0.0), top)
            worth[c] += better_than_usual * step_size(turns[c], FORGETTING)


@kernel(is_long=True)
def fictitious_play(
    rules: Rules,
    q: Floats,
    visits: Ints,
    chosen: Floats,
    first: int,
    games: int,
    epsilon: float,
    power: float,
    growing: bool,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Fictitious self-play (Heinrich, Lanctot & Silver 2015): a best response by Q-learning to the mean of its past.

    The responding player moves first in every other game; what it decides, unless it explores, is added to the mean.

    Args:
        q: values of holding and rolling for the response, shape (B, W, 2); changed.
        visits: updates of each value, likewise; changed.
        chosen: how often the responses held and rolled, likewise; changed.
        epsilon, power: exploration and step sizes of the response.
        growing: whether the decisions of game n count n times in the mean, so that early ones are forgotten.
        rules, first, games, seed, stream: as for `policy_gradient`.
    """
    B = rules.follow.shape[1]
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        weight = (game + 1) * 1e-4 if growing else 1.0
        responds = game % 2 == 0
        b, w = rules.opening, 0
        last_b, last_w, last_a = -1, 0, 0  # a response's last decision of a turn, whose value is not yet known
        while b < B:
            word = next_word(dice)
            u, free = chance(word), rules.allowed[b, w]
            if responds:
                if w == 0 and last_b >= 0:
                    _towards(q, visits, last_b, last_w, last_a, _best(rules, q, b, 0), power)
                rolls = better(free, q[b, w, 0], q[b, w, 1])
                if free == FREE:
                    if u < epsilon:
                        rolls = u < 0.5 * epsilon
                    else:
                        chosen[b, w, 1 if rolls else 0] += weight
            else:
                rolls = free == ROLL
                if free == FREE:
                    both = chosen[b, w, 0] + chosen[b, w, 1]
                    rolls = u * both < chosen[b, w, 1] if both > 0 else u < 0.5
            lead = thrown(rules, b, w, word) if rolls else -1 - rules.hold[w]
            a = 1 if rolls else 0
            if lead >= 0:
                if responds:
                    _towards(q, visits, b, w, a, _best(rules, q, b, lead), power)
                w = lead
                continue
            if responds:
                last_b, last_w, last_a = b, w, a
            b, w, responds = int(rules.follow[-1 - lead, b]), 0, not responds
        if last_b >= 0:
            result = 0.5 * (b - B)  # of the player whose turn it was, who is not `responds` any more
            _towards(q, visits, last_b, last_w, last_a, 1.0 - result if responds else result, power)


@kernel()
def _towards(q: Floats, visits: Ints, b: int, w: int, a: int, target: float, power: float) -> None:
    visits[b, w, a] += 1
    q[b, w, a] += (target - q[b, w, a]) * step_size(visits[b, w, a], power)


@kernel()
def _best(rules: Rules, q: Floats, b: int, w: int) -> float:
    best: float = q[b, w, 1] if better(rules.allowed[b, w], q[b, w, 0], q[b, w, 1]) else q[b, w, 0]
    return best


@kernel()
def matched(hold: float, roll: float) -> float:
    """The chance to roll by regret matching (Hart & Mas-Colell 2000)."""
    h, r = max(hold, 0.0), max(roll, 0.0)
    return r / (h + r) if h + r > 0 else 0.5


@kernel(is_long=True)
def regret_sampling(
    rules: Rules,
    regret: Floats,
    mean: Floats,
    first: int,
    games: int,
    epsilon: float,
    clipped: bool,
    by_reach: bool,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Counterfactual regret minimisation by sampled outcomes (Lanctot, Waugh, Zinkevich & Bowling 2009).

    Seats take turns at learning: in each game one explores and adds to its regrets, and the mean strategy of the other
    grows.

    Args:
        regret: of holding and rolling, shape (B, W, 2); changed.
        mean: the sum of strategies, likewise; changed.
        epsilon: the share of the learning seat's decisions that a coin makes.
        clipped: whether regrets stay at 0 at least (CFR+, Tammelin 2014).
        by_reach: whether regrets are divided by the chance that the own earlier decisions were sampled, as the theory
            has it; without, they have smaller variance and a bias that does not depend on the decision.
        rules, first, games, seed, stream: as for `policy_gradient`.
    """
    B = rules.follow.shape[1]
    at_b, at_w = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    at_p, at_q, did_roll = np.empty(LONGEST), np.empty(LONGEST), np.empty(LONGEST, np.bool_)
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        learns = game % 2 == 0
        b, w, n = rules.opening, 0, 0
        while b < B and n < LONGEST:
            word = next_word(dice)
            free = rules.allowed[b, w]
            rolls = free == ROLL
            if free == FREE:
                p = matched(regret[b, w, 0], regret[b, w, 1])
                q = 0.5 * epsilon + (1.0 - epsilon) * p if learns else p
                rolls = chance(word) < q
                if learns:
                    at_b[n], at_w[n], at_p[n], at_q[n], did_roll[n] = b, w, p, q, rolls
                    n += 1
                else:
                    mean[b, w, 0] += 1.0 - p
                    mean[b, w, 1] += p
            lead = thrown(rules, b, w, word) if rolls else -1 - rules.hold[w]
            if lead >= 0:
                w = lead
            else:
                b, w, learns = int(rules.follow[-1 - lead, b]), 0, not learns
        if b < B:
            continue
        won = 0.5 * (b - B) - 0.5  # to the player whose turn it was, who is not `learns` any more
        _regret_backwards(regret, at_b, at_w, at_p, at_q, did_roll, n, -won if learns else won, clipped, by_reach)


@kernel()
def _regret_backwards(
    regret: Floats,
    at_b: Ints,
    at_w: Ints,
    at_p: Floats,
    at_q: Floats,
    did_roll: Bools,
    n: int,
    won: float,
    clipped: bool,
    by_reach: bool,
) -> None:
    """Add the regrets of a game's decisions, the last one first."""
    reach = 1.0
    for t in range(n):
        reach *= at_q[t] if did_roll[t] else 1.0 - at_q[t]
    tail = 1.0  # how much more likely the decisions behind are without exploration
    for t in range(n - 1, -1, -1):
        p, q = (at_p[t], at_q[t]) if did_roll[t] else (1.0 - at_p[t], 1.0 - at_q[t])
        reach /= q
        of_choice = won * tail / q
        if by_reach:
            of_choice /= reach
        a = 1 if did_roll[t] else 0
        b, w = at_b[t], at_w[t]
        regret[b, w, a] += of_choice * (1.0 - p)
        regret[b, w, 1 - a] -= of_choice * p
        if clipped:
            regret[b, w, 0], regret[b, w, 1] = max(regret[b, w, 0], 0.0), max(regret[b, w, 1], 0.0)
        tail *= p / q
