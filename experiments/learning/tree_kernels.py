"""Monte Carlo tree search as a player: before each decision it plays games from there on, and keeps nothing of them."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Floats32, Ints, Ints32

from .play_kernels import LONGEST, cast, chance, next_word, thrown
from .rules import FREE, ROLL, Rules


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
