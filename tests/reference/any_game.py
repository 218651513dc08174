"""Any game from its rules alone: every state that play can come to, with scores and all, in one sparse system.

A state is `(player, scores, turns made, total, rolls, passed)`, by the player to move (0 is a, 1 is b).  It is told by
the rules' data only, and knows nothing of boards.  An end is "a", "b", "draw" or "stalemate", which is a state in which
both players always pass; each of them does so once.

The last part has an instance of every registered game that is small enough for such a system, and compares what pigevo
computes in a game with it.  A game that is registered and has no instance in `TINY` gets one by itself, from the smallest
options that work.
"""

from collections import namedtuple

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES

State = namedtuple("State", "player scores made last total rolls passed")
START = State(0, (0, 0), 0, 0, 0, 0, False)
ENDS = ("a", "b", "draw", "stalemate")


def clipped(game, own, other):
    if game.target:
        return min(own, game.size)
    if any(t.ends == "score" for t in (*game.throws, *game.first_throws)):
        return min(own, game.cap)
    return other + max(-game.cap, min(game.cap, own - other))


def ended(game, s, change, passes=False):
    """The state or end after a turn that changes the score of the player to move."""
    own, other = s.scores[s.player], s.scores[1 - s.player]
    scores = list(s.scores)
    scores[s.player] = clipped(game, own + change, other)
    if game.target and is_decided(game, s, scores[s.player], other):
        return compared(game, s.player, scores[s.player], other)
    made = s.made + 1 if game.turns else (s.made + 1) % 2 if game.reply == "second" else 0
    if game.turns and made == 2 * game.turns:
        return compared(game, s.player, scores[s.player], other)
    if game.turns:  # only the lead counts
        low = min(scores) if not any(t.ends == "score" for t in game.throws) else 0
        scores = [score - low for score in scores]
    last = min(max(change, 0), game.size - 1) if "last_turn" in game.remembers else 0
    return State(1 - s.player, tuple(scores), made, last, 0, 0, passes and bool(game.target))


def is_decided(game, s, own, other):
    """Whether a race is over after a turn: won at once, nobody has a last turn, or this was one."""
    if own >= game.size or other >= game.target:
        return True
    replies = {"": False, "second": s.made == 0, "other": True}[game.reply]
    return own >= game.target and not replies


def compared(game, player, own, other):
    """Who has won, by the scores of who made the last turn, and of the other one."""
    if own == other:
        return "draw" if game.level == "draw" else "ab"[1 - player]
    return "ab"[player if own > other else 1 - player]


def rolled(game, s):
    """What a throw leads to: pairs of chance and state or end."""
    for throw in game.first_throws if s.rolls == 0 else game.throws:
        if throw.ends:
            yield throw.chance, ended(game, s, throw.points if throw.ends == "turn" else -s.scores[s.player])
            continue
        total = s.total + throw.points
        if game.target and s.scores[s.player] + total >= game.size:
            yield throw.chance, "ab"[s.player]
        elif game.turns and total >= game.cap:
            yield throw.chance, ended(game, s, total)
        else:
            rolls = s.rolls + 1 if "rolls" in game.remembers else 1
            yield throw.chance, s._replace(total=total, rolls=min(rolls, game.most_rolls), passed=False)


def held(game, s):
    return ended(game, s, s.total, passes=s.rolls == 0)


def may_hold(game, s):
    return s.rolls > 0 or game.allow_pass


def states(game, start=START):
    """Every state that can be reached, those of both first movers."""
    seen, open_ = {}, [start, start._replace(player=1)]
    while open_:
        s = open_.pop()
        if s in seen:
            continue
        seen[s] = len(seen)
        open_ += [after for _, after in rolled(game, s) if isinstance(after, State)]
        if may_hold(game, s) and isinstance(held(game, s), State):
            open_.append(held(game, s))
    return seen


def cell(game, s):
    own, other = s.scores[s.player], s.scores[1 - s.player]
    starter = s.made % 2  # who moves second in the round has seen an odd number of turns
    values = {"own": own, "opponent": other, "difference": own - other, "left": game.turns - s.made // 2,
            "second": starter, "last_turn": s.last, "total": s.total, "rolls": s.rolls}  # fmt: skip
    return tuple(values[a.name] - a.values[0] for a in game.axes)


def matrices(game, number):
    """What a throw and a hold lead to, shape (states, states + ends); a hold that is not allowed is a throw."""
    parts = []
    for lead in (rolled, lambda g, s: [(1.0, held(g, s))] if may_hold(g, s) else rolled(g, s)):
        rows, columns, values = [], [], []
        for s, n in number.items():
            for chance, after in lead(game, s):
                rows.append(n)
                columns.append(number[after] if isinstance(after, State) else len(number) + ENDS.index(after))
                values.append(chance)
        parts.append(sparse.csr_matrix((values, (rows, columns)), shape=(len(number), len(number) + len(ENDS))))
    return parts


def solve(game, a, b):
    """Chances of the four ends if a moves first, and if b does, shape (2, 4)."""
    number, chances = every_state(game, a, b)
    return chances[[number[START], number[START._replace(player=1)]]]


def values(game, a, b):
    """What a game is worth to a, to move, in the shape of a strategy; nan where play cannot come."""
    number, chances = every_state(game, a, b)
    worth = np.full(game.shape, np.nan)
    for s, n in number.items():
        if s.player == 0 and not s.passed:
            worth[cell(game, s)] = chances[n, 0] + game.draw * chances[n, 2]
    return worth


def played(game, number, a, b):
    """What the decisions of a and b lead to, shape (states, states + ends)."""
    roll, hold = matrices(game, number)
    chance = np.array([(a, b)[s.player].roll[cell(game, s)] for s in number], dtype=float)
    both = (sparse.diags(chance) @ roll + sparse.diags(1 - chance) @ hold).tolil()
    for s, m in number.items():  # who always pass here and in the state before it never leave
        after = held(game, s) if chance[m] == 0 and s.passed else None
        if isinstance(after, State) and chance[number[after]] == 0 and held(game, after) == s:
            both[m] = 0.0
            both[m, len(number) + ENDS.index("stalemate")] = 1.0
    return both.tocsc()


def every_state(game, a, b):
    """The number of each state, and the chances of the four ends from there, shape (states, 4)."""
    number = states(game)
    both, n = played(game, number, a, b), len(number)
    system = (sparse.identity(n) - both[:, :n]).tocsc()
    return number, np.stack([spsolve(system, both[:, n + e].toarray().ravel()) for e in range(len(ENDS))], axis=1)


def optimum(game, b=None, sweeps=20_000):
    """What the player to move at the start wins if both play best, or, against b, moving first and second."""
    number = states(game)
    roll, hold = matrices(game, number)
    mine = np.array([s.player == 0 for s in number])
    worth = np.array([1.0, 0.0, game.draw, 0.0])
    chance = None if b is None else np.array([float(b.roll[cell(game, s)]) for s in number])
    v = np.zeros(len(number))
    for _ in range(sweeps):
        by_roll, by_hold = (part @ np.concatenate([v, worth]) for part in (roll, hold))
        theirs = np.minimum(by_roll, by_hold) if b is None else chance * by_roll + (1 - chance) * by_hold
        new = np.where(mine, np.maximum(by_roll, by_hold), theirs)
        if np.abs(new - v).max() < 1e-15:
            break
        v = new
    return v[number[START]], v[number[START._replace(player=1)]]


SMALL = {"target": (7, 12, 20), "turns": (2,), "cap": (12,), "beyond": (5,), "heads": (0.5,)}
"""Options that decide how large a game is, smallest first."""


def tiny(name):
    """The smallest instance of a game."""
    entry = GAMES[name]
    for place in range(3):
        small = {o: values[min(place, len(values) - 1)] for o, values in SMALL.items() if o in entry.options}
        try:
            return entry.bind(entry.check(small, "game"))
        except InputError:
            continue
    return entry.bind({})


TINY = {name: tiny(name) for name in GAMES}


def sample(*quick):
    """The names of all games as cases of a test, of which all but these are slow."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in sorted(GAMES)]


def assert_pair_as_every_state(a, b):
    """Wins, draws and stalemates of both seats."""
    p, ends = pigevo.win_probability(a, b), solve(a.game, a, b)
    assert (p.first, p.second) == pytest.approx(ends[:, 0] + a.game.draw * ends[:, 2], abs=1e-12)
    assert (p.draw_first, p.draw_second) == pytest.approx(ends[:, 2], abs=1e-12)
    assert (p.stalemate_first, p.stalemate_second) == pytest.approx(ends[:, 3], abs=1e-12)


def assert_best_as_every_state(game, *opponents):
    """The values of the optimum and of best responses."""
    best = pigevo.optimal(game)
    assert (best.value, best.second) == pytest.approx(optimum(game), abs=1e-11)
    for opponent in opponents:
        answer = pigevo.best_response(opponent)
        assert (answer.value, answer.second) == pytest.approx(optimum(game, opponent), abs=1e-11)
