"""OpenSpiel's `pig`, an implementation by other people, as a source of transitions.

It lets a player stop at a turn total of 0, and a player whose points suffice must still
say `stop`; after `horizon` moves the game is a draw, which none comes near to here.
"""

import re

import numpy as np
import pytest
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

import pigevo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not here; it has no wheel for every machine")

ROLL, STOP = 0, 1
HORIZON = 1_000_000


def read(state):
    """(player, own, other, turn total) of a state with a decision."""
    one, two, total = map(int, re.search(r"Scores: (\d+) (\d+), Turn total: (\d+)", str(state)).groups())
    player = state.current_player()
    return (player, one, two, total) if player == 0 else (player, two, one, total)


def ahead(state, chance=1.0):
    """The decisions and ends that follow, each with its probability."""
    if not state.is_chance_node():
        return [(chance, state)]
    return [pair for face, p in state.chance_outcomes() for pair in ahead(state.child(face), chance * p)]


class Explored:
    """Every state with a decision, and what each action leads to."""

    def __init__(self, target):
        self.target = target
        start = pyspiel.load_game("pig", {"winscore": target, "horizon": HORIZON}).new_initial_state()
        self.number, self.states, todo = {str(start): 0}, [read(start)], [start]
        entries = {ROLL: [], STOP: []}
        ends = []
        for n, state in enumerate(todo):
            for action in state.legal_actions():
                for p, after in ahead(state.child(action)):
                    if after.is_terminal():
                        ends.append((action, n, p * after.returns()[0]))
                        continue
                    if str(after) not in self.number:
                        self.number[str(after)] = len(todo)
                        todo.append(after)
                        self.states.append(read(after))
                    entries[action].append((n, self.number[str(after)], p))
        size = len(todo)
        self.ends = np.zeros((2, size))
        for action, n, p in ends:
            self.ends[action, n] += p
        self.matrix = [
            csr_matrix(([p for *_, p in e], ([n for n, *_ in e], [m for _, m, _ in e])), shape=(size, size))
            for e in (entries[ROLL], entries[STOP])
        ]
        self.first = np.array([player == 0 for player, *_ in self.states])

    def optimum(self):
        """The value 2P - 1 of the first player, by value iteration."""
        value = np.zeros(len(self.states))
        for _ in range(10_000):
            by_roll, by_stop = (m @ value + e for m, e in zip(self.matrix, self.ends, strict=True))
            new = np.where(self.first, np.maximum(by_roll, by_stop), np.minimum(by_roll, by_stop))
            if np.abs(new - value).max() < 1e-15:
                break
            value = new
        return value[0]

    def value(self, a, b):
        """2P - 1 of strategy `a`, moving first, against `b`."""
        rolls = np.array([decides((a, b)[player], *rest) for player, *rest in self.states])
        rows = self.matrix[ROLL].multiply(rolls[:, None]) + self.matrix[STOP].multiply(~rolls[:, None])
        ends = np.where(rolls, self.ends[ROLL], self.ends[STOP])
        return spsolve(csr_matrix(identity(len(rolls)) - rows), ends)[0]


def decides(strategy, own, other, total):
    """A pigevo strategy asked for a decision of OpenSpiel's: it stops where it has won."""
    return own + total < strategy.game.target and bool(strategy.roll[own, other, total])


@pytest.fixture(scope="module")
def explored():
    return Explored(20)


def test_the_optimum_is_worth_what_value_iteration_on_openspiel_says(explored):
    """Leave to pass, as in OpenSpiel, is worth nothing."""
    for passing in (False, True):
        value = 2 * pigevo.optimal(pigevo.Pig(20, allow_pass=passing)).value - 1
        assert value == pytest.approx(explored.optimum(), abs=1e-12)
        assert value == pytest.approx(0.23111709961, abs=1e-11)


def pairs(game):
    rng = np.random.default_rng(20)
    coins = [pigevo.Strategy(game, (rng.random(game.shape) < 0.7) | (np.arange(20) == 0)) for _ in "ab"]
    waits = pigevo.roll_and_wait(game, 12, 6)
    return {
        "two arbitrary arrays": coins,
        "hold_at against score": (pigevo.hold_at(game, 8), pigevo.score(game, 5)),
        "roll_to_win against turtle": (pigevo.roll_to_win(game), pigevo.turtle(game, 3)),
        "one that passes against one that does not": (waits, pigevo.turtle(game, 3)),
        "one that does not pass against one that does": (pigevo.hold_at(game, 7), waits),
    }


@pytest.mark.parametrize("name", pairs(pigevo.Pig(20, allow_pass=True)))
def test_a_pair_is_worth_what_openspiels_transitions_say(explored, name):
    a, b = pairs(pigevo.Pig(20, allow_pass=True))[name]
    p = pigevo.win_probability(a, b)
    assert 2 * p.first - 1 == pytest.approx(explored.value(a, b), abs=1e-12)
    assert 2 * p.second - 1 == pytest.approx(-explored.value(b, a), abs=1e-12)


def play(game, players, rng):
    """One game on OpenSpiel's own board; the first player's return."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            faces, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(faces, p=chances)))
        else:
            player, *rest = read(state)
            action = ROLL if decides(players[player], *rest) else STOP
            assert action in state.legal_actions()
            state.apply_action(action)
    return state.returns()[0]


@pytest.mark.parametrize("seat", [1, pytest.param(0, marks=pytest.mark.slow)])
def test_games_played_on_openspiels_board_lie_around_the_exact_figure(seat):
    rules = pigevo.Pig(20, allow_pass=True)
    a, b = pigevo.roll_and_wait(rules, 12, 6), pigevo.turtle(rules, 3)
    board = pyspiel.load_game("pig", {"winscore": 20, "horizon": HORIZON})
    rng = np.random.default_rng(seat)
    games = 1500
    results = [play(board, (a, b) if seat == 0 else (b, a), rng) for _ in range(games)]
    won = results.count(1.0 if seat == 0 else -1.0)
    exact = pigevo.win_probability(a, b)
    p = (exact.first, exact.second)[seat]
    assert abs(won - games * p) < 3.3 * np.sqrt(games * p * (1 - p))  # 99.9 %
