"""Equilibria with other rewards, coalitions, more players and falling scores, against plain computations; and the proofs."""

import csv
import dataclasses
import itertools
import re
import threading
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from scipy.sparse import lil_array
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo import three_player as tp
from pigevo.experiments import experiments_folder
from pigevo.experiments.bonnet2018 import proofs
from pigevo.experiments.bonnet2018.coalitions import coalition
from pigevo.experiments.bonnet2018.iterations import iteration
from pigevo.experiments.bonnet2018.n_players import LeftOrbit, certify_many, first_mixing, solve_many
from pigevo.experiments.bonnet2018.rewarded_solver import evaluate_rewarded, solve_rewarded
from pigevo.experiments.bonnet2018.rewards import Rewards, end_values
from pigevo.experiments.bonnet2018.study import solve_choosing
from pigevo.games import Game, Race, Throw
from pigevo.games.pig_variants import HoldToWin, Progressive
from pigevo.games.two_dice import BigPig, PassThePigs, Skunk, TwoDice
from pigevo.three_player.equilibria import best_turns
from pigevo.three_player.rules import count_orbits, orbits_by_total, rotated, throws_of
from tests.cases import games, law
from tests.reference import three
from tests.test_three_players import TINY, assert_all_pure_profiles, random_strategy

PLAY_ON = Rewards((2, 1, -3), "play_on")


@st.composite
def rewards(draw):
    """Any rewards that are allowed."""
    if draw(st.integers(0, 4)) == 0:
        return Rewards(draw(st.sampled_from(["points_needed", "scores"])))
    least, span = draw(st.integers(-5, 5)), draw(st.integers(1, 9))
    share = draw(st.sampled_from([0, 0.01, 0.3, 0.5, 0.9, 1]))
    return Rewards((least + span, least + share * span, least), draw(st.sampled_from(["stop", "play_on"])))


@law(games(largest=4, allow_pass=False), rewards(), st.integers(0, 2**32), quick=8, full=30)
def test_given_strategies_solve_the_dense_system(game, drawn, seed):
    players = [random_strategy(game, seed + n, pure=n == 2) for n in range(3)]
    won = three.winnings(game, drawn.places, drawn.after_first_win)
    dense = three.solve(game.target, game.die, game.bust, [p.chance for p in players], won)
    values = evaluate_rewarded(players, drawn)
    for (m, a, b, c), expected in dense.items():
        assert values[m, :, a, b, c] == pytest.approx(expected, abs=1e-10)


@law(games(largest=6, allow_pass=False), rewards(), st.integers(0, 2**32), st.booleans(), quick=8, full=60)
def test_the_certificate_holds_and_no_random_policy_gains(game, drawn, seed, pure):
    other = random_strategy(game, seed, pure)
    solution = solve_rewarded(game, drawn)
    assert solution.certificate.holds
    values = evaluate_rewarded([other, solution.strategy, solution.strategy], drawn)
    for m in range(3):
        own = np.moveaxis(solution.values, -1, 0)[-m % 3]
        assert (values[m, 0] - own)[1:, 1:, 1:].max() <= 1e-10
    total = 0 if isinstance(drawn.places, str) else sum(drawn.places)
    assert solution.values[1:, 1:, 1:].sum(axis=-1) == pytest.approx(total, abs=1e-10)


@pytest.mark.parametrize("on", ["stop", "play_on"])
def test_adding_to_all_rewards_or_multiplying_them_changes_no_play(on):
    game = tp.Game(target=18)
    plain = solve_rewarded(game, Rewards((2, 1, -3), on))
    for factor, more in ((1, 7), (3, 0), (0.25, -2)):
        other = solve_rewarded(game, Rewards(tuple(factor * r + more for r in (2, 1, -3)), on))
        assert np.array_equal(other.strategy.decisions, plain.strategy.decisions)
        assert other.value == pytest.approx([factor * v + more for v in plain.value], abs=1e-12)
        assert other.certificate.holds


def test_the_rewards_change_play_and_places_add_up():
    game = tp.Game(target=24)
    win, stop, on = (solve_rewarded(game, r) for r in (Rewards(), Rewards((2, 1, -3)), PLAY_ON))
    assert (win.strategy.decisions != stop.strategy.decisions).any()
    assert (on.strategy.decisions != stop.strategy.decisions).any()
    for solution in (stop, on):
        chances = solution.place_chances()
        assert chances.sum(axis=0) == pytest.approx(1)
        assert chances.sum(axis=1) == pytest.approx(1)
        assert chances @ solution.rewards.places == pytest.approx(solution.value)
    assert win.place_chances()[:, 0] == pytest.approx(win.value)
    lifted = evaluate_rewarded([tp.lifted(game), on.strategy, on.strategy], PLAY_ON)[:, 0, 24, 24, 24]
    assert all(on.value[seat] > lifted[m] - 1e-12 for seat, m in enumerate((0, 2, 1)))


def test_the_second_place_is_what_the_game_for_two_says():
    game = tp.Game(target=20)
    solution = solve_rewarded(game, Rewards((1, 1, 0), "play_on"))
    second = pigevo.optimal(game).values[20 - 7, 20 - 12]  # the mover needs 7 and the other one 12
    assert solution.values[7, 12, 0].tolist() == pytest.approx([second, 1 - second, 1])
    stop = solve_rewarded(game, Rewards((3, 1, 0)))
    assert stop.values[7, 12, 0].tolist() == pytest.approx([1, 0, 3])
    assert stop.values[0, 12, 12].tolist() == pytest.approx([3, 0.5, 0.5])


def test_other_decisions_or_values_fail_the_certificate():
    game = tp.Game(target=35)
    solution, won = solve_rewarded(game, PLAY_ON), end_values(game, PLAY_ON)
    assert tp.certify(solution.strategy, solution.shares.values, won).holds
    assert not tp.certify(tp.solve(game).strategy, solution.shares.values, won).holds
    assert not tp.certify(solution.strategy, solution.shares.values + 1e-9, won).holds


REWARDS = [
    Rewards(), Rewards((2, 1, -3)), PLAY_ON, Rewards((1, 0.1, 0), "play_on"),
    Rewards((3, 2.9, -6)), Rewards("points_needed"), Rewards("scores"),
]  # fmt: skip


@pytest.mark.parametrize("rewards", REWARDS, ids=str)
@pytest.mark.parametrize("game", TINY, ids=str)
def test_every_pure_profile_of_every_orbit_was_tried_and_the_same_ones_are_equilibria(game, rewards):
    solution = solve_rewarded(game, rewards)
    won = three.winnings(game, rewards.places, rewards.after_first_win)
    assert_all_pure_profiles(solution, lambda shares: rewards.in_units(shares, game), won)


def test_a_single_reward_for_the_winner_changes_nothing():
    game = tp.Piglet(7, 0.33)
    win = tp.solve(game)
    place, five = (solve_rewarded(game, r) for r in (Rewards((1, 0, 0), "play_on"), Rewards((5, 0, 0))))
    assert np.array_equal(place.values, win.values)
    assert np.array_equal(place.strategy.decisions, win.strategy.decisions)
    assert np.array_equal(five.strategy.decisions, win.strategy.decisions)
    assert five.value == pytest.approx([5 * v for v in win.value], abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (((1, 2, 0),), "must not rise from first to third place"),
        (((1, 1, 1),), "not be all the same"),
        (((1, 2),), "give three numbers"),
        (((2, float("nan"), 0),), "give three numbers"),
        (((1e6, 1e6, 1e6 - 1),), "take the same number off all"),
        (((1, 0, 0), "stay"), "stop"),
        (("point_needed",), "did you mean points_needed"),
        (("scores", "play_on"), "play cannot go on"),
    ],
)
def test_wrong_rewards_are_refused(arguments, why):
    with pytest.raises(pigevo.InputError, match=why):
        Rewards(*arguments)


def lone_against_two(game, won):
    """What the lone player (role, a, b, c) expects, by value iteration over all decisions."""
    points = range(1, game.target + 1)
    values = {(r, *n): 0.0 for r in range(3) for n in itertools.product(points, repeat=3)}

    def turn(r, a, b, c):
        def go(k):
            roll = game.bust * values[(r - 1) % 3, b, c, a]
            roll += sum(p * (won(b, c)[r] if k + n >= a else go(k + n)) for n, p in game.die)
            hold = values[(r - 1) % 3, b, c, a - k] if k else None
            return roll if k == 0 else max(roll, hold) if r == 0 else min(roll, hold)

        return go(0)

    while True:
        new = {state: turn(*state) for state in values}
        change = max(abs(new[state] - values[state]) for state in values)
        values = new
        if change < 1e-14:
            return values


GAME = pigevo.Race(4, {1: 0.3, 2: 0.4}, 0.3)
REWARDED = [
    (tp.Piglet(4, 0.6), Rewards()), (GAME, Rewards()), (GAME, Rewards((2, 1, -3))),
    (GAME, PLAY_ON), (GAME, Rewards("points_needed")),
]  # fmt: skip


@pytest.mark.parametrize(("game", "rewards"), REWARDED, ids=str)
def test_a_coalition_is_the_value_of_the_zero_sum_game(game, rewards):
    slow = lone_against_two(game, three.winnings(game, rewards.places, rewards.after_first_win))
    values = coalition(game, rewards=rewards).values
    for (r, a, b, c), value in slow.items():
        assert values[r, r, a, b, c] == pytest.approx(value, abs=1e-12)
    total = 0 if isinstance(rewards.places, str) else sum(rewards.places)
    assert values[:, :, 1:, 1:, 1:].sum(axis=1) == pytest.approx(total, abs=1e-12)


@pytest.mark.slow
def test_a_coalition_takes_something_but_never_gives():
    solution = tp.solve(tp.Game(target=50))
    lone, alone = np.array(coalition(solution.game, workers=2).value), np.array(solution.value)
    assert (lone < alone).all()
    assert (alone - lone < 0.01).all()


def test_piglets_third_player_sacrifices_himself_for_the_coalition():
    """Bonnet et al. 2018: with a coalition of players 2 and 3 the gain of player 3 decreases too."""
    game = tp.Piglet(10)
    together, alone = coalition(game).at(10)[0], tp.solve(game).value
    assert together[0] < alone[0] - 1e-4
    assert together[1] > alone[1]
    assert together[2] < alone[2]
    small = tp.Piglet(3)
    assert coalition(small).at(3)[0] == pytest.approx(tp.solve(small).value, abs=1e-12)


def test_to_30_points_a_coalition_takes_nothing():
    game = tp.Game(target=30)
    assert coalition(game).value == pytest.approx(tp.solve(game).value, abs=1e-14)


def test_progress_is_called_in_the_callers_thread_and_adds_up_to_all_orbits():
    threads, done = set(), []

    def progress(count):
        threads.add(threading.get_ident())
        done.append(count)

    coalition(tp.Piglet(6), workers=2, progress=progress)
    assert sum(done) == count_orbits(6)
    assert threads == {threading.get_ident()}


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


PLACE = experiments_folder() / "bonnet2018"
README = (PLACE / "README.md").read_text()


def rows(name):
    return list(csv.DictReader((PLACE / name).read_text().splitlines()))


def inside(enclosure, values):
    """How far values by state lie beyond their bounds at most."""
    own = np.moveaxis(values, -1, 0)[:, 1:, 1:, 1:]
    return max((enclosure.low[:, 1:, 1:, 1:] - own).max(), (own - enclosure.high[:, 1:, 1:, 1:]).max())


def test_bounds_hold_the_exact_fractions_and_are_narrow():
    game = tp.Piglet(8)
    exact, enclosure = proofs.solve_in_fractions(game), proofs.enclose(game)
    for needs, shares in exact.items():
        for p, share in enumerate(shares):
            low, high = (float(bounds[(p, *needs)]) for bounds in (enclosure.low, enclosure.high))
            assert Fraction(low) <= share <= Fraction(high)
    assert (enclosure.high - enclosure.low).max() < 1e-13
    assert (enclosure.high > enclosure.low)[:, 1:, 1:, 1:].all()


@pytest.mark.parametrize("game", [tp.Game(target=12), tp.Piglet(7, 0.33), tp.Piglet(8, 0.475)], ids=str)
def test_the_solvers_equilibrium_lies_within_the_bounds(game):
    solution, enclosure = tp.solve(game), proofs.enclose(game)
    assert inside(enclosure, solution.values) < 1e-14  # the solver's own rounding
    assert {o.needs for o in solution.without_pure} <= set(enclosure.open_orbits)


def test_so_does_every_other_equilibrium():
    game, several = tp.Piglet(10, 0.56), (4, 7, 7)
    enclosure = proofs.enclose(game)
    result = [solve_choosing(game, {several: number}) for number in range(3)]
    assert max(inside(enclosure, one.values) for one in result) < 1e-14
    apart = np.ptp([one.value for one in result], axis=0).max()
    low, high = enclosure.at(10)
    assert 1e-6 < apart <= (high - low).max()


@pytest.mark.parametrize(("heads", "needs"), [(0.33, (2, 7, 6)), (0.475, (5, 5, 6))])
def test_where_there_is_no_pure_equilibrium_every_pure_choice_is_refuted(heads, needs):
    enclosure = proofs.enclose(tp.Piglet(7, heads))
    assert needs in enclosure.open_orbits
    assert list(proofs.pure_choices(enclosure, needs)) == []
    assert list(proofs.pure_choices(enclosure, (1, 2, 3)))


def test_where_there_are_pure_equilibria_they_are_not_refuted():
    enclosure = proofs.enclose(tp.Piglet(7, 0.56))
    assert len(list(proofs.pure_choices(enclosure, (4, 7, 7)))) >= 2


def hold_values(game, needs, values, holds):
    """What the three win at the start of their turns in an orbit of Piglet, by plain linear equations."""
    heads = game.die[0][1]
    leave = [heads**n for n in holds]
    ends = []
    for m in range(3):
        a, b, c = rotated(needs, m)
        after = np.roll(values[b, c, a - holds[m]], 1) if holds[m] < a else np.array([1.0, 0, 0])
        ends.append(np.roll(after, m))  # by player
    system = np.eye(3) - np.array([[0, 1 - leave[0], 0], [0, 0, 1 - leave[1]], [1 - leave[2], 0, 0]])
    return np.linalg.solve(system, np.array(leave)[:, None] * np.array(ends)).diagonal()


def test_the_margin_is_that_of_all_turns_tried_one_by_one():
    game, needs = tp.Piglet(7, 0.33), (2, 7, 6)
    solution = tp.solve(game)
    worth = {
        h: hold_values(game, needs, solution.values, h) for h in itertools.product(*(range(1, n + 1) for n in needs))
    }
    gains = [
        max(max(worth[(*h[:m], n, *h[m + 1 :])][m] for n in range(1, needs[m] + 1)) - worth[h][m] for m in range(3))
        for h in worth
    ]
    (row,) = proofs.margins(solution, proofs.enclose(game))
    assert row["margin"] == pytest.approx(min(gains), rel=1e-9)
    assert row["no_pure_one_proved"]


SMALL = [((0.428, 0.07), (3, 3, 7)), ((0.4, 0.2), (3, 4, 5)), ((0.3, 0.4), (6, 4, 2))]
"""Games to 7 without a pure equilibrium at an orbit or with one, by the chances of one and two points."""


def small_orbit(chances, needs):
    """An orbit of a small game: the game, its best turns, and the lines of all turns of each player."""
    game = Race(7, dict(enumerate(chances, 1)), round(1 - sum(chances), 3))
    turns = best_turns(needs, np.ascontiguousarray(np.moveaxis(tp.solve(game).values, -1, 0)), throws_of(game))
    return game, turns, [every_turn(np.insert(turns.held[m], 3, 1.0, axis=1), needs[m], chances) for m in range(3)]


def holds_line(lines, line):
    return len(lines) and np.abs(lines - line).max(axis=1).min() < 1e-12


@pytest.mark.parametrize(("chances", "needs"), SMALL)
def test_the_margin_is_that_of_all_decisions_tried(chances, needs):
    """Also those of which no turn is ever best; and every pure choice is found that gains no more than is allowed."""
    game, turns, every = small_orbit(chances, needs)
    gains, best, alone = proofs.largest_gains(every, every), proofs.every_best_turn(turns), coalition(game)
    assert proofs.margin(turns, alone)[0] == pytest.approx(gains.min(), rel=1e-9, abs=1e-15)
    for choice in np.argwhere(gains < np.quantile(gains, 0.4))[::3]:
        gain, lines = gains[tuple(choice)], [every[m][number] for m, number in enumerate(choice)]
        for m in range(3):
            given = proofs.conditions(m, lines[(m + 1) % 3], lines[(m + 2) % 3], best, gain)
            assert holds_line(proofs.turns_that(turns, m, *given), lines[m])
            assert holds_line(proofs.near_best_turns(turns, m, best[m], gain, alone), lines[m])


@pytest.mark.parametrize(("chances", "needs"), SMALL)
def test_the_turns_found_are_those_that_meet_the_conditions(chances, needs):
    _, turns, every = small_orbit(chances, needs)
    random = np.random.default_rng(46)
    for m in range(3):
        for _ in range(20):
            weights = random.normal(size=(3, 4))
            least = np.median(every[m] @ weights.T, axis=0)
            meet = every[m][(every[m] @ weights.T >= least - 1e-14).all(axis=1)]
            found = proofs.turns_that(turns, m, weights, least)
            assert all(holds_line(found, line) for line in meet)
            assert all(holds_line(meet, line) for line in found)


def every_turn(held, needed, chances):
    """The lines of a player's turns, by plain recursion over all decisions, shape (turns, 4)."""

    def line(k, holds):
        if k >= needed or k in holds:
            return held[min(k, needed)]
        return sum(chance * line(k + points, holds) for points, chance in enumerate(chances, 1))

    totals = range(1, needed)
    return np.array([line(0, h) for n in range(needed) for h in itertools.combinations(totals, n)])


@pytest.mark.slow
def test_that_target_62_needs_mixing_is_proved_in_rational_numbers(pig62):
    needs = (32, 62, 61)
    enclosure = proofs.enclose(pig62.game)
    assert inside(enclosure, pig62.values) < 1e-13
    states = [rotated(needs, m) for m in range(3)]
    rolls = [[pig62.strategy.chance(*s, k) > 0.5 for k in range(s[0])] for s in states]
    gain = proofs.least_gain(enclosure, needs, rolls)
    recorded = next(row for row in rows("margins.csv") if (row["a"], row["b"], row["c"]) == ("32", "62", "61"))
    assert float(gain) == pytest.approx(float(recorded["gain_in_fractions"]), rel=1e-4)
    assert 0.99 * float(recorded["margin"]) < gain <= Fraction(recorded["margin"])
    assert [o for o in enclosure.open_orbits if next(proofs.pure_choices(enclosure, o), None) is None] == [needs]


def test_every_table_that_the_text_names_is_there_or_made_by_the_command():
    source = (PLACE / "study.py").read_text()
    made = set(re.findall(r'"(\w+\.csv)"', source)) | {"simulation_1.csv"}
    named = set(re.findall(r"`(\w+\.csv)`", README))
    assert named <= made
    linked = re.findall(r"\]\((\w+\.csv)\)", README)
    assert {"bounds.csv", "margins.csv", "regret.csv"} <= set(linked) <= made
    assert all((PLACE / name).exists() for name in linked)


def test_what_the_text_says_of_all_equilibria_stands_in_the_tables():
    result = rows("margins.csv")
    sizes = sorted(float(row["margin"]) for row in result)
    assert len(result) == 36
    assert all(row["no_pure_one_proved"] == "True" for row in result)
    text = " ".join(README.split())
    for size in (sizes[0], sizes[-1], np.median(sizes)):
        assert f"{size:.2g}".replace("e-0", "e-") in text
    assert all(row["margin_at_least"] == row["margin"] for row in result)
    nearer = [row for row in result if float(row["margin"]) < 0.999 * float(row["margin_of_best_turns"])]
    by_orbit = {", ".join(row[side] for side in "abc"): float(row["margin"]) for row in result}
    printed = re.findall(r"^\| (\d+, \d+, \d+) \| ([\d.e-]+) \|$", README, re.MULTILINE)
    assert len(printed) == 6
    assert all(f"{by_orbit[orbit]:.1e}".replace("e-0", "e-") == size for orbit, size in printed)
    assert max(sizes) < 1e-5
    needs = np.array([[int(row[side]) for side in "abc"] for row in result])
    tried = np.array([row["turns"].split() for row in result], int)
    third = np.arange(3) == needs.argmax(axis=1)[:, None]
    assert (tried[~third].max(), tried[third].max()) == (7, 25)
    assert "few turns, seven at most" in text
    assert "They are 25 at most" in text
    assert f"At {len(nearer)} orbits a turn that is never best comes nearer" in text
    last = rows("bounds.csv")[-1]
    for seat in ("first", "second", "third"):
        low, high = float(last[f"{seat}_low"]), float(last[f"{seat}_high"])
        assert f" {np.floor(low * 1e8) / 1e8:.8f} to {np.ceil(high * 1e8) / 1e8:.8f}".replace(" 0.", " .") in text
    widest = max(float(last[f"{seat}_high"]) - float(last[f"{seat}_low"]) for seat in ("first", "second", "third"))
    assert f"may differ by {widest:.1e} at most".replace("e-0", "e-") in text
    assert float(rows("bounds.csv")[61]["widest"]) < 1e-13
    *_, before, end = rows("regret.csv")
    assert before["sweeps"] == "100000"
    assert float(before["furthest"]) == pytest.approx(float(end["furthest"]), rel=1e-3)


def test_sweeps_of_regret_matching_are_counted_again():
    (recomputed,) = iteration(20, "regret")
    (recorded,) = [row for row in rows("regret_whole.csv") if row["target"] == "20"]
    assert {name: str(recomputed[name]) for name in recorded} == recorded


def test_how_iterations_go_at_two_orbits_stands_in_the_table():
    begin = README.index("| method | (32, 62, 61), no pure equilibrium")
    recorded = [line.strip("| ").split(" | ") for line in README[begin:].split("\n\n")[0].splitlines()[2:]]
    named = {"in place, separate policies": ("in_place", "separate"), "random order": ("random_order",),
             "discount 0.9 for each turn": ("discount",), "one player after the other (ours)": ("by_player",),
             "regret matching": ("regret",)}  # fmt: skip
    result = {(row["needs"], row["method"]): row for row in rows("one_orbit.csv")}
    assert {one for name, *_ in recorded for one in named[name]} == {method for _, method in result}
    for name, *cells in recorded:
        for needs, cell in zip(("32 62 61", "43 43 50"), cells, strict=True):
            for row in (result[needs, method] for method in named[name]):
                assert (row["converged"] == "True") == cell.startswith("converge")
                if row["converged"] == "True":
                    assert cell.endswith(f", {int(row['sweeps']):,} sweeps")
                elif row["cycle"]:
                    states = {tuple(one.split(":")[0].split()) for one in row["cycle"].split("; ")}
                    assert states == set(re.findall(r"\((\d+), (\d+), (\d+)\)", cell))
                    assert ("period" in cell) == bool(row["period"])
                    assert not row["period"] or cell.endswith(f"period {row['period']}")
                else:
                    assert cell == f"not at rest after {int(row['sweeps']):,} sweeps"
