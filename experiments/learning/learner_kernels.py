"""The loops of the learners, compiled: learners of values, and learners of decisions.

Values are learned by Q-learning, TD(lambda) of afterstates, counting what throws bring, and Monte Carlo tree search,
which plays games from a state on before each decision and keeps nothing of them.  All are probabilities to win of the
player to move, in self-play; when the turn passes on, a value `v` of the opponent is `1 - v`.  Decisions are learned by
the policy gradient on the hold boundary, fictitious play, and counterfactual regret.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Floats, Floats32, Ints, Ints32

from .play_kernels import FREE, LONGEST, ROLL, Rules, cast, chance, leads_to, next_word, outcome, thrown

LEVEL = 1e-5


@kernel()
def step_size(visits: int, power: float) -> float:
    """`visits ** -power`: large enough to forget the start, small enough to average."""
    size: float = np.exp(-power * np.log(np.float64(visits)))
    return size


@kernel()
def better(allowed: int, of_hold: float, of_roll: float) -> bool:
    """Whether to roll, given the values of both."""
    return allowed == ROLL or (allowed == FREE and of_roll > of_hold)


@kernel()
def explored(allowed: int, rolls: bool, u: float, epsilon: float) -> bool:
    """Whether to roll: a decision, or by a coin in the share `epsilon` of those that are free."""
    if allowed == FREE and u < epsilon:
        return u < 0.5 * epsilon
    return rolls


@kernel(is_long=True)
def q_learning(
    rules: Rules,
    q: Floats,
    visits: Ints,
    first: int,
    games: int,
    epsilon: float,
    power: float,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Q-learning in self-play (Watkins 1989): the value of a decision goes towards that of the best one after it.

    Args:
        rules: of the game.
        q: values of holding and rolling, shape (B, W, 2); changed.
        visits: updates of each value, likewise; changed.
        first, games: the number of the first game, and how many are played.
        epsilon: the share of decisions that are drawn by a coin.
        power: of the step size.
        seed, stream: the key of the dice.
    """
    B = rules.follow.shape[1]
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        b, w = rules.opening, 0
        while b < B:
            word = next_word(dice)
            u, free = chance(word), rules.allowed[b, w]
            rolls = explored(free, better(free, q[b, w, 0], q[b, w, 1]), u, epsilon)
            lead = thrown(rules, b, w, word) if rolls else -1 - rules.hold[w]
            if lead >= 0:
                c, x = b, lead
                target = _best(rules, q, c, x)
            else:
                c, x = int(rules.follow[-1 - lead, b]), 0
                target = 0.5 * (c - B) if c >= B else 1.0 - _best(rules, q, c, 0)
            a = 1 if rolls else 0
            visits[b, w, a] += 1
            q[b, w, a] += (target - q[b, w, a]) * step_size(visits[b, w, a], power)
            b, w = c, x


@kernel()
def _best(rules: Rules, q: Floats, b: int, w: int) -> float:
    best: float = q[b, w, 1] if better(rules.allowed[b, w], q[b, w, 0], q[b, w, 1]) else q[b, w, 0]
    return best


@kernel()
def held(rules: Rules, v: Floats, b: int, w: int) -> float:
    """The value of a hold, given those of throws: of the opponent's first throw, or of the game's result."""
    B = rules.follow.shape[1]
    c = rules.follow[rules.hold[w], b]
    worth: float = 0.5 * (c - B) if c >= B else 1.0 - v[c, 0]
    return worth


@kernel(is_long=True)
def td_lambda(
    rules: Rules,
    v: Floats,
    visits: Ints,
    first: int,
    games: int,
    epsilon: float,
    power: float,
    trace: float,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """TD(lambda) in self-play (Sutton 1988): the value of a throw goes towards a mean of the values after it.

    The states are afterstates: the dice are in the player's hand.  A hold has the value of the opponent's first
    throw, which the rules tell.  Where a decision explored, nothing behind it counts for what was before (Watkins).

    Args:
        v: values of a throw, shape (B, W); changed.
        visits: updates of each value, likewise; changed.
        trace: lambda.
        rules, first, games, epsilon, power, seed, stream: as for `q_learning`.
    """
    B = rules.follow.shape[1]
    at_b, at_w = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    lead_of, is_cut = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.bool_)
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        b, w, n = rules.opening, 0, 0
        while b < B and n < LONGEST:
            word = next_word(dice)
            u, free = chance(word), rules.allowed[b, w]
            rolls = free == ROLL or (free == FREE and v[b, w] > held(rules, v, b, w))
            explores = free == FREE and u < epsilon
            if explores:
                rolls = u < 0.5 * epsilon
            if w:
                is_cut[n - 1] = explores
            if not rolls:
                b, w = int(rules.follow[rules.hold[w], b]), 0
                continue
            lead = thrown(rules, b, w, word)
            at_b[n], at_w[n], lead_of[n], is_cut[n] = b, w, lead, False
            n += 1
            if lead >= 0:
                w = lead
            else:
                b, w = int(rules.follow[-1 - lead, b]), 0
        if b >= B:
            _learn_backwards(rules, v, visits, at_b, at_w, lead_of, is_cut, n, power, trace)


@kernel()
def _learn_backwards(
    rules: Rules,
    v: Floats,
    visits: Ints,
    at_b: Ints,
    at_w: Ints,
    lead_of: Ints,
    is_cut: Bools,
    n: int,
    power: float,
    trace: float,
) -> None:
    """Update the values of a game's throws, the last one first."""
    B = rules.follow.shape[1]
    after = 0.0  # the return of the following throw, in the view of its player
    for t in range(n - 1, -1, -1):
        b, w, lead = at_b[t], at_w[t], lead_of[t]
        if lead < 0:
            c = int(rules.follow[-1 - lead, b])
            value = 0.5 * (c - B) if c >= B else 1.0 - v[c, 0]
            sampled = value if c >= B else 1.0 - after
        else:
            of_hold = held(rules, v, b, lead)
            value = v[b, lead] if better(rules.allowed[b, lead], of_hold, v[b, lead]) else of_hold
            if t + 1 < n and at_w[t + 1]:
                sampled = after
            else:
                sampled = 1.0 - after if rules.follow[rules.hold[lead], b] < B else of_hold
        target = value if is_cut[t] else (1.0 - trace) * value + trace * sampled
        visits[b, w] += 1
        v[b, w] += (target - v[b, w]) * step_size(visits[b, w], power)
        after = target


@kernel(is_long=True)
def count_throws(
    rules: Rules,
    rolls: Bytes,
    counts: Ints,
    first: int,
    games: int,
    epsilon: float,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Count what throws bring in self-play with given decisions.

    Args:
        rolls: the decisions, shape (B, W).
        counts: of each outcome of a throw, shape (B, outcomes); changed.
        rules, first, games, epsilon, seed, stream: as for `q_learning`.
    """
    B = rules.follow.shape[1]
    for game in range(first, first + games):
        dice = cast(game, 0, seed, stream)
        b, w = rules.opening, 0
        while b < B:
            word = next_word(dice)
            u, free = chance(word), rules.allowed[b, w]
            now = rolls[b, w] == 1 if free == FREE else free == ROLL
            if not explored(free, now, u, epsilon):
                b, w = int(rules.follow[rules.hold[w], b]), 0
                continue
            t = outcome(rules, w, word)
            counts[b, t] += 1
            lead = leads_to(rules, b, t)
            if lead >= 0:
                w = lead
            else:
                b, w = int(rules.follow[-1 - lead, b]), 0


@kernel()
def iterate_values(
    rules: Rules, order: Ints, v: Floats, rolls: Bytes, counts: Ints, unseen: float, prior: float, sweeps: int
) -> None:
    """Value iteration with the shares of outcomes that were counted.

    Args:
        order: the states between turns, those first from which play does not come back to the others.
        v: values of a throw, shape (B, W); changed.
        rolls: the best decisions, likewise; changed.
        counts: of outcomes, shape (B, outcomes).
        unseen: the value of a throw that was never seen.
        prior: throws that this value counts for.
        sweeps: over all states, at most: they end when no value changes by more than `LEVEL`.
    """
    B, W = rules.follow.shape[1], len(rules.hold)
    for _ in range(sweeps):
        most = 0.0
        for b in order:
            for w in range(W - 1, -1, -1):
                total, seen = prior * unseen, prior
                for t in range(rules.begin[w], rules.begin[w + 1]):
                    if counts[b, t] > 0:
                        lead = leads_to(rules, b, t)
                        if lead >= 0:
                            of_hold = held(rules, v, b, lead)
                            value = v[b, lead] if rolls[b, lead] else of_hold
                        else:
                            c = rules.follow[-1 - lead, b]
                            value = 0.5 * (c - B) if c >= B else 1.0 - v[c, 0]
                        total += counts[b, t] * value
                        seen += counts[b, t]
                value = total / seen if seen > 0 else unseen
                most = max(most, abs(value - v[b, w]))
                v[b, w] = value
                rolls[b, w] = better(rules.allowed[b, w], held(rules, v, b, w), v[b, w])
        if most <= LEVEL:
            return


@kernel(is_long=True)
def search_states(
    rules: Rules,
    roots: Ints,
    playouts: int,
    curiosity: float,
    boldness: float,
    wins: Floats32,
    visits: Ints32,
    known: Ints32,
    rolls: Bytes,
    seed: np.uint64,
    stream: np.uint64,
) -> None:
    """Decide in each of some states by UCT (Kocsis & Szepesvari 2006), with a tree of its own for each.

    States that are reached in different ways are one node; every playout adds one.

    Args:
        rules: of the game.
        roots: the states, shape (n, 2) of `b` and `w`.
        playouts: games from each.
        curiosity: the factor of the bonus of what was tried rarely.
        boldness: the chance to roll outside of the tree.
        wins, visits: room for sums of results and numbers of tries, shape (B, W, 2); changed.
        known: the last root, counted from 1, in whose tree a state was, shape (B, W); changed.
        rolls: the decisions, likewise; changed.
        seed, stream: the key of the dice.
    """
    B = rules.follow.shape[1]
    at_b, at_w = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    did_roll, is_mine = np.empty(LONGEST, np.bool_), np.empty(LONGEST, np.bool_)
    for root in range(len(roots)):
        for playout in range(playouts):
            dice = cast(playout, root, seed, stream)
            b, w, n = roots[root, 0], roots[root, 1], 0
            mine, within = True, True
            while b < B:
                word = next_word(dice)
                free = rules.allowed[b, w]
                now = free == ROLL
                if free == FREE and within and n < LONGEST:
                    if known[b, w] != root + 1:
                        known[b, w], within = root + 1, False
                        wins[b, w, 0] = wins[b, w, 1] = 0.0
                        visits[b, w, 0] = visits[b, w, 1] = 0
                    now = _tried(wins[b, w], visits[b, w], curiosity, chance(word))
                    at_b[n], at_w[n], did_roll[n], is_mine[n] = b, w, now, mine
                    n += 1
                elif free == FREE:
                    now = chance(word) < boldness
                lead = thrown(rules, b, w, word) if now else -1 - rules.hold[w]
                if lead >= 0:
                    w = lead
                else:
                    b, w, mine = int(rules.follow[-1 - lead, b]), 0, not mine
            won = 0.5 * (b - B)  # to the player whose turn it was, who is not `mine` any more
            if mine:
                won = 1.0 - won
            for t in range(n):
                a = 1 if did_roll[t] else 0
                visits[at_b[t], at_w[t], a] += 1
                wins[at_b[t], at_w[t], a] += won if is_mine[t] else 1.0 - won
        b, w = roots[root, 0], roots[root, 1]
        rolls[b, w] = visits[b, w, 1] > visits[b, w, 0]


@kernel()
def _tried(wins: Floats32, visits: Ints32, curiosity: float, u: float) -> bool:
    """What is tried in a node: what was not yet, else what has the higher upper confidence bound."""
    held, rolled = visits[0], visits[1]
    if held == 0 or rolled == 0:
        return u < 0.5 if held == rolled else rolled == 0
    bonus = curiosity * np.sqrt(np.log(np.float64(held + rolled)))
    higher: bool = wins[1] / rolled + bonus / np.sqrt(rolled) > wins[0] / held + bonus / np.sqrt(held)
    return higher


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
