"""Populations whose members play each other: laws, references and exact small cases."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest

from pigevo.errors import InputError
from pigevo.tournaments import (
    alpha_rank,
    fixation_probabilities,
    moran,
    nash,
    replicator,
    takeovers,
)

CIRCLE = np.array([[0.5, 0.7, 0.4], [0.3, 0.5, 0.8], [0.6, 0.2, 0.5]])
ORDER = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]])


def test_in_a_circle_the_replicator_goes_round_for_ever():
    course = replicator(CIRCLE)
    conserved = (np.log(course.shares) * nash(CIRCLE).shares).sum(axis=1)  # conserved (Hofbauer and Sigmund 1998, 7.4)
    assert np.ptp(conserved) < 1e-5
    assert course.changes_of_lead() > 20
    assert course.shares.sum(axis=1) == pytest.approx(np.ones(len(course.times)))


def test_the_best_of_an_order_is_all_that_is_left():
    assert replicator(ORDER).shares[-1, 0] > 0.999


def test_the_course_is_that_of_nashpy():
    nashpy = pytest.importorskip("nashpy")
    start, times = np.array([0.2, 0.3, 0.5]), np.linspace(0, 60, 13)
    wanted = nashpy.Game(CIRCLE - 0.5).replicator_dynamics(y0=start, timepoints=times)
    assert replicator(CIRCLE, 60, 13, start=start).shares == pytest.approx(wanted, abs=1e-5)


def test_the_strategy_with_the_largest_share_leads():
    course = replicator(CIRCLE, 200, 1001)
    largest = [max(range(3), key=lambda n, row=row: row[n]) for row in course.shares.tolist()]
    assert course.time_in_lead().tolist() == [largest.count(n) / 1001 for n in range(3)]
    assert course.changes_of_lead() == sum(a != b for a, b in itertools.pairwise(largest))


def test_with_mutation_it_rests_where_selection_and_mutation_balance():
    for overall in (CIRCLE, ORDER):
        shares = replicator(overall, 5000, 11, mutation=0.02).shares[-1]
        gains = (overall - 0.5) @ shares
        assert shares * (gains - shares @ gains) + 0.02 * (1 / 3 - shares) == pytest.approx(np.zeros(3), abs=1e-7)


def solved_fixation(margin, players, intensity):
    """The chance that one player takes over, from the linear equations of the birth-death process."""
    up, down = np.zeros(players + 1), np.zeros(players + 1)
    for own in range(1, players):
        other = players - own
        first = own * np.exp(intensity * margin * other / (players - 1))
        second = other * np.exp(-intensity * margin * own / (players - 1))
        up[own] = first / (first + second) * other / players
        down[own] = second / (first + second) * own / players
    matrix, right = np.eye(players + 1), np.zeros(players + 1)
    right[players] = 1
    for own in range(1, players):
        matrix[own, own - 1 : own + 2] = [-down[own], up[own] + down[own], -up[own]]
    return np.linalg.solve(matrix, right)[1]


@pytest.mark.parametrize(
    ("margin", "players", "intensity"), [(0.1, 2, 1.0), (0.02, 30, 4.0), (-0.3, 9, 2.0), (0, 7, 5)]
)
def test_fixation_is_that_of_the_linear_equations(margin, players, intensity):
    overall = 0.5 + np.array([[0, margin], [-margin, 0]])
    wanted = [solved_fixation(margin, players, intensity), solved_fixation(-margin, players, intensity)]
    fixed = fixation_probabilities(overall, players, intensity)
    assert [fixed[0, 1], fixed[1, 0]] == pytest.approx(wanted, rel=1e-9)


def test_the_strongest_selection_has_finite_figures():
    fixed = fixation_probabilities(ORDER, 1000, 1e6)
    assert fixed[0].tolist() == [0.001, 1.0, 1.0]
    assert fixed[2].tolist() == [0.0, 0.0, 0.001]
    assert np.isfinite(alpha_rank(CIRCLE, 1000, 100.0)).all()


@pytest.mark.parametrize(("players", "intensity"), [(60, 2.0), (60, 30.0), (60, 40.0), (1000, 10.0), (20, 1e6)])
def test_alpha_rank_is_that_of_all_trees_however_rare_takeovers_are(players, intensity):
    """By the Markov chain tree theorem, in logarithms: the products of takeovers along all trees to each strategy."""
    overall = np.array([[0.5, 0.1, 0.15], [0.9, 0.5, 0.2], [0.85, 0.8, 0.5]])

    def log_of_takeover(of, by):
        g = intensity * players / (players - 1) * (overall[by, of] - 0.5)
        better = np.log(np.expm1(-abs(g)) / np.expm1(-players * abs(g)))
        return better if g > 0 else better - (players - 1) * abs(g)

    logs = []
    for root in range(3):
        a, b = (n for n in range(3) if n != root)
        trees = ([(a, root), (b, root)], [(a, b), (b, root)], [(b, a), (a, root)])
        logs.append(np.logaddexp.reduce([sum(log_of_takeover(*edge) for edge in tree) for tree in trees]))
    wanted = np.exp(np.array(logs) - max(logs))
    assert alpha_rank(overall, players, intensity) == pytest.approx(wanted / wanted.sum(), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("intensity", [250.0, 3000.0, 1e6])
def test_takeovers_with_the_strongest_selection_are_those_of_the_chain(intensity):
    """All states of six players of three strategies, as a linear system; a product of fitnesses left the floats."""
    overall, players = np.array([[0.5, 0.9, 0.2], [0.1, 0.5, 0.8], [0.8, 0.2, 0.5]]), 6
    states = [(a, b, players - a - b) for a in range(players + 1) for b in range(players + 1 - a)]
    row_of, chain, ends = {state: n for n, state in enumerate(states)}, np.eye(len(states)), np.zeros((len(states), 3))
    for state, row in row_of.items():
        if max(state) == players:
            ends[row] = np.array(state) == players
            continue
        gains = intensity / (players - 1) * ((overall - 0.5) @ state)
        best = max(gain for gain, own in zip(gains, state, strict=True) if own)
        weights = np.array(state) * np.exp(np.minimum(gains - best, 0))  # those that are not there have no children
        for born, dead in itertools.product(range(3), repeat=2):
            after = list(state)
            after[dead] -= 1
            after[born] += 1
            if state[dead] and state[born]:
                chain[row, row_of[tuple(after)]] -= weights[born] / weights.sum() * state[dead] / players
    wanted = np.linalg.solve(chain, ends)[row_of[2, 2, 2]]
    won, undecided = takeovers(overall, players, intensity, 4000, seed=1)
    assert undecided == 0
    for number, chance in zip(won.tolist(), wanted, strict=True):
        assert binomtest(number, 4000, chance).pvalue > 1e-3


def test_simulated_takeovers_have_the_probability_of_the_equations():
    # The chance from k players on follows from that of one (Nowak 2006, equation 6.13).
    players, intensity, margin = 8, 2.0, 0.06
    ratio = np.exp(-intensity * players / (players - 1) * margin)
    wanted = (1 - ratio**4) / (1 - ratio**8)
    overall = 0.5 + np.array([[0, margin], [-margin, 0]])
    won, undecided = takeovers(overall, players, intensity, 20_000, seed=1)
    assert undecided == 0
    assert won.sum() == 20_000
    assert binomtest(int(won[0]), 20_000, wanted).pvalue > 1e-3


def test_alpha_rank_is_that_of_openspiel():
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    for overall in (CIRCLE, ORDER):
        wanted = alpharank.compute([overall], m=10, alpha=2.0, use_local_selection_model=False)[2]
        assert alpha_rank(overall, 10, 2.0) == pytest.approx(wanted, abs=1e-9)


def test_a_population_that_mutates_all_the_time_is_a_sample_of_all():
    course = moran(CIRCLE, 2000, 10, 4.0, mutation=1.0)
    assert course.shares.mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.03)


def test_the_moran_process_keeps_its_players_and_favours_the_better():
    course = moran(np.array([[0.5, 0.8], [0.2, 0.5]]), 200, mutation=0.002)
    assert course.shares.sum(axis=1) == pytest.approx(np.ones(201))
    assert course.shares[100:, 0].mean() > 0.9


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: replicator(np.ones((2, 3))), "square"),
        (lambda: alpha_rank(2 * CIRCLE), "from 0 to 1"),
        (lambda: moran(CIRCLE, players=1), "players"),
        (lambda: moran(CIRCLE, players=2), "2 players cannot begin with 3 strategies"),
        (lambda: takeovers(CIRCLE, players=2), "2 players cannot begin with 3 strategies"),
        (lambda: replicator(CIRCLE, start=np.array([1.0, 0.0, 0.0])), "start"),
        (lambda: fixation_probabilities(CIRCLE, intensity=float("nan")), "intensity"),
    ],
)
def test_wrong_inputs_are_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
