"""Any number of players, and scores that fall: against the referee, the solver for three, and dense equations."""

import dataclasses
import itertools

import numpy as np
import pytest
from scipy.sparse import lil_array
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo import three_player as tp
from pigevo.experiments.bonnet2018.n_player_tables import first_mixing
from pigevo.experiments.bonnet2018.n_players import LeftOrbit, certify_many, solve_many
from pigevo.games import Game, Throw
from pigevo.games.pig_variants import HoldToWin, Progressive
from pigevo.games.two_dice import BigPig, PassThePigs, Skunk, TwoDice
from pigevo.three_player.rules import count_orbits, orbits_by_total


@dataclasses.dataclass(frozen=True)
class Rough(Game):
    """Small, with everything that a throw can do: a gain, a bust, a bust that scores, a fall."""

    target: int = 4

    @property
    def throws(self):
        return Throw(1, 0.3), Throw(2, 0.25), Throw(0, 0.15, "turn"), Throw(1, 0.1, "turn"), Throw(0, 0.2, "score")


def chance(solution, needs, k):
    """The chance to roll."""
    byte = solution.decisions[(*needs, k)]
    code = np.ravel_multi_index((*needs, k), solution.decisions.shape)
    return float(byte) if byte < 2 else solution.chances[list(solution.codes).index(code)]


def next_states(game, needs, k, rolls):
    """Where one decision leads: (chance, points needed by all after the turn, or None if it goes on, turn total)."""
    a, rest = needs[0], needs[1:]
    if not rolls:
        return [(1.0, (*rest, a - k), 0)]
    led = []
    for throw in game.effective_throws:
        if throw.ends:
            left = game.target if throw.ends == "score" else max(a - throw.points, 0)
            led.append((throw.chance, (*rest, left), 0))
        elif k + throw.points >= a:
            led.append((throw.chance, (*rest, 0), 0))
        else:
            led.append((throw.chance, None, k + throw.points))
    return led


def dense_values(solution):
    """What all expect at every state and turn total, by one system of equations over the whole game."""
    game, n = solution.game, solution.players
    states = [(s, k) for s in itertools.product(range(1, game.target + 1), repeat=n) for k in range(s[0])]
    number = {state: row for row, state in enumerate(states)}
    matrix, right = lil_array((len(states) * n,) * 2), np.zeros(len(states) * n)
    matrix.setdiag(1.0)
    for (s, k), row in number.items():
        rolling = chance(solution, s, k)
        for rolls, weight in ((True, rolling), (False, 1 - rolling)):
            for p, after, total in next_states(game, s, k, rolls) if weight else []:
                for player in range(n):
                    if after is None:
                        matrix[row * n + player, number[s, total] * n + player] -= weight * p
                    elif after[-1] == 0:
                        right[row * n + player] += weight * p * (player == 0)
                    else:
                        matrix[row * n + player, number[after, 0] * n + (player - 1) % n] -= weight * p
    values = spsolve(matrix.tocsc(), right).reshape(-1, n)
    return {state: values[row] for state, row in number.items()}


def largest_gain(solution, values):
    """What a mover gains at most by one other decision: in a game that ends, none means that nobody gains at all."""
    gains = []
    for (s, k), here in values.items():
        for rolls in (True, False) if k else (True,):
            worth = 0.0
            for p, after, total in next_states(solution.game, s, k, rolls):
                if after is None:
                    worth += p * values[s, total][0]
                else:
                    worth += p if after[-1] == 0 else p * values[after, 0][-1]
            gains.append(worth - here[0])
    return max(gains)


CASES = [(Rough(4), 3), (Rough(3), 4), (Rough(6), 2), (TwoDice(6, sides=3), 3), (Progressive(4, sides=3), 3),
         (tp.Piglet(5, 0.44), 4)]  # fmt: skip


@pytest.mark.parametrize(("game", "players"), CASES, ids=str)
def test_nobody_gains_by_one_other_decision_and_the_values_solve_the_equations_of_the_whole_game(game, players):
    solution = solve_many(game, players)
    values = dense_values(solution)
    for (s, k), right in values.items():
        if k == 0:
            assert solution.values[s] == pytest.approx(right, abs=1e-12)
    assert largest_gain(solution, values) < 1e-12
    assert solution.certificate.holds


def test_four_can_need_to_mix():
    solution = solve_many(tp.Piglet(5, 0.44), 4)
    (orbit,) = solution.mixing_orbits
    assert orbit == LeftOrbit(needs=(4, 5, 4, 5), turns=(2, 1, 2, 1), mixing=2)
    first = first_mixing(solution)
    assert (first["first_mixing"], first["first_mixing_orbits"]) == (5, "4 5 4 5")
    assert first["of_them_after_settled_play"] == 0  # play comes to (2, 3, 2, 5), which has two turns left
    assert 7e-5 < first["least_gain_at_a_pure_choice"] < 8e-5
    assert len(solution.codes) == 1
    pure = dataclasses.replace(solution, decisions=np.where(solution.decisions == 2, 1, solution.decisions))
    assert not dataclasses.replace(pure, codes=solution.codes[:0], chances=solution.chances[:0]).certificate.holds


@pytest.mark.parametrize("game", [pigevo.Pig(15), TwoDice(15), BigPig(20), PassThePigs(12), Progressive(15)], ids=str)
def test_two_players_have_the_referees_values(game):
    solution = solve_many(game, 2)
    optimum = pigevo.optimal(game).values[::-1, ::-1]  # by points needed
    assert solution.values[1:, 1:, 0] == pytest.approx(optimum, abs=1e-12)


@pytest.mark.parametrize("game", [tp.Game(20), tp.Piglet(7, 0.33), tp.Piglet(8, 0.475)], ids=str)
def test_three_have_the_values_of_the_solver_for_three(game):
    solution, other = solve_many(game, 3), tp.solve(game)
    assert solution.values == pytest.approx(other.values, abs=1e-13)  # also where one of them has won
    assert {o.needs: o.turns for o in solution.open_orbits} == {o.needs: o.turns for o in other.open_orbits}
    assert len(solution.mixing_orbits) == len(other.without_pure)


def test_values_do_not_depend_on_the_number_of_threads():
    one, two = (solve_many(TwoDice(10), 3, workers=w) for w in (1, 2))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.decisions, two.decisions)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_one_point_is_done_by_hand(players):
    game, first_heads = tp.Piglet(1, 0.25), 0.25 * 0.75 ** np.arange(players)
    expected = pytest.approx(first_heads / first_heads.sum(), abs=1e-15)
    assert solve_many(game, players).value == expected
    assert players != 3 or tp.solve(game).value == expected


@pytest.mark.parametrize("game", [tp.Piglet(4), Rough(4)], ids=str)
def test_a_certificate_fails_where_a_decision_or_a_value_is_wrong(game):
    solution = solve_many(game, 4 if game.one_die else 3)
    assert solution.certificate.holds
    at = (4,) * solution.players
    decisions, values = solution.decisions.copy(), solution.values.copy()
    decisions[(*at, 1)] = 1 - decisions[(*at, 1)]
    wrong = certify_many(dataclasses.replace(solution, decisions=decisions))
    assert wrong.gain > 1e-4
    values[at] += 1e-6
    assert certify_many(dataclasses.replace(solution, values=values)).error > 9e-7


def best_response(solution, own):
    """What one player can gain at most by another strategy, by value iteration over single decisions."""
    led = {(s, k): [(w, next_states(solution.game, s, k, rolls))
                    for rolls, w in ((True, chance(solution, s, k)), (False, 1 - chance(solution, s, k))) if k or rolls]
           for s, k in own}  # fmt: skip
    best = {(s, k, p): 0.0 for s, k in own for p in range(solution.players)}

    def worth(s, p, outcomes):
        total = 0.0
        for prob, after, k in outcomes:
            if after is None:
                total += prob * best[s, k, p]
            elif after[-1] == 0:
                total += prob * (p == 0)
            else:
                total += prob * best[after, 0, (p - 1) % solution.players]
        return total

    for _ in range(400):
        for s, k, p in best:
            choices = [(w, worth(s, p, outcomes)) for w, outcomes in led[s, k]]
            best[s, k, p] = max(v for _, v in choices) if p == 0 else sum(w * v for w, v in choices)
    return max(value - own[s, k][p] for (s, k, p), value in best.items() if p == 0 or k == 0)


def test_where_scores_fall_the_certificate_says_all_that_can_be_gained():
    solution = solve_many(Rough(3), 3)
    decisions = solution.decisions.copy()
    decisions[3, 3, 3, 1:3] = 1 - decisions[3, 3, 3, 1:3]
    wrong = dataclasses.replace(solution, decisions=decisions)
    gain = certify_many(wrong).gain
    assert gain == pytest.approx(best_response(wrong, dense_values(wrong)), abs=1e-12)
    assert gain > 1e-3


@dataclasses.dataclass(frozen=True)
class Simple(Game):
    target: int = 7
    one: float = 0.166
    bust: float = 0.302
    fall: float = 0.209

    @property
    def throws(self):
        two = 1 - self.one - self.bust - self.fall
        return Throw(1, self.one), Throw(2, two), Throw(0, self.bust, "turn"), Throw(0, self.fall, "score")


def test_an_orbit_with_several_equilibria_keeps_to_one_from_sweep_to_sweep():
    """Where the first one were taken in each sweep, this game would go round in a circle."""
    solution = solve_many(Simple(7, 0.166, 0.302, 0.209), 3)
    assert len(solution.open_orbits) == 1
    assert solution.sweeps < 10
    assert solution.certificate.holds


def test_where_the_sweeps_go_round_in_circles_the_certificate_fails_and_the_values_are_those_of_the_strategy():
    solution = solve_many(Simple(9, 0.55, 0.226, 0.142), 3)
    assert solution.change > 1e-4
    assert solution.certificate.gain > 1e-5
    assert not solution.certificate.holds
    assert solution.certificate.error < 1e-13


def test_orbits_hold_every_state_once():
    for target, players in ((4, 4), (6, 3), (3, 6), (1, 4)):
        orbits = np.concatenate(list(orbits_by_total(target, players))).tolist()
        states = [state for orbit in orbits for state in {tuple(np.roll(orbit, r)) for r in range(players)}]
        assert sorted(states) == list(itertools.product(range(1, target + 1), repeat=players))
        assert len(orbits) == count_orbits(target, players)


@pytest.mark.parametrize(
    ("game", "players", "why"),
    [
        (tp.Piglet(3), 1, "1 players: choose from 2 to 8"),
        (tp.Piglet(3, allow_pass=True), 4, "may not pass"),
        (Skunk(20), 3, "without a last turn"),
        (HoldToWin(20), 3, "is not solved for several players"),
        (tp.Game(150), 6, "choose a smaller target or fewer players"),
    ],
)
def test_what_cannot_be_solved_is_refused(game, players, why):
    with pytest.raises(pigevo.InputError, match=why):
        solve_many(game, players)
