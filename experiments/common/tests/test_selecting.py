"""The chance of selecting wrongly: exact against brute force and against simulation."""

import itertools
from math import comb

import numpy as np
import pytest

from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.experiments.common.selecting import chance_of_wrong, selected


def by_hand(truth, games):
    """Every outcome by itself."""
    wrong, best = 0.0, max(truth)
    for wins in itertools.product(*(range(g + 1) for g in games)):
        chance = np.prod([comb(g, w) * p**w * (1 - p) ** (g - w) for p, g, w in zip(truth, games, wins, strict=True)])
        shares = [w / g for w, g in zip(wins, games, strict=True)]
        top = [n for n, share in enumerate(shares) if abs(share - max(shares)) < 1e-12]
        wrong += chance * sum(truth[n] < best for n in top) / len(top)
    return wrong


@pytest.mark.parametrize(
    ("truth", "games"),
    [
        ((0.5, 0.6), (1, 1)),
        ((0.3, 0.35), (7, 7)),
        ((0.5, 0.4, 0.45), (5, 5, 5)),
        ((0.5, 0.4, 0.45), (3, 6, 4)),
        ((0.2, 0.2, 0.1, 0.15), (4, 4, 4, 4)),
        ((0.7, 0.6, 0.5, 0.4, 0.3), (3, 3, 3, 3, 3)),
        ((1.0, 0.0), (3, 2)),
        ((0.5, 0.5), (3, 3)),
    ],
)
def test_it_is_the_sum_over_all_outcomes(truth, games):
    assert chance_of_wrong(np.array(truth), np.array(games)) == pytest.approx(by_hand(truth, games), abs=1e-12)


def test_of_two_it_is_the_convolution_of_their_games():
    from scipy.stats import binom

    wins = np.arange(201)
    first, second = binom.pmf(wins, 200, 0.52), binom.pmf(wins, 200, 0.5)
    level = (first * second).sum()
    more = (second * binom.cdf(wins - 1, 200, 0.52)).sum()
    assert chance_of_wrong(np.array([0.52, 0.5]), 200) == pytest.approx(more + level / 2, abs=1e-12)


def test_simulated_selection_comes_near_the_exact_chance():
    truth = np.array([0.52, 0.5, 0.49, 0.45])
    scores = np.array([(Draw(n, "validation").uniforms(400).reshape(4, 100) < truth[:, None]).mean(axis=1)
                       for n in range(3000)])  # fmt: skip
    outcome = selected(truth, scores, np.full(3000, 400))
    exact = chance_of_wrong(truth, 100)
    assert share_interval(round(outcome.wrong * 3000), 3000, 0.999)[0] < exact
    assert share_interval(round(outcome.wrong * 3000), 3000, 0.999)[1] > exact
    assert outcome.wrong_low < outcome.wrong < outcome.wrong_high
    assert (outcome.games, outcome.times) == (400, 3000)


def test_who_is_selected_is_judged_by_the_truth():
    truth, scores = np.array([0.5, 0.4, 0.45]), np.array([[3.0, 2, 1], [1, 2, 3], [3, 1, 2], [2, 1, 3]])
    best, best_two = (selected(truth, scores, np.zeros(4), n) for n in (1, 2))
    assert (best.wrong, best.lost) == (0.5, pytest.approx(0.025))
    assert (best_two.wrong, best_two.lost) == (0.5, pytest.approx((0.475 - 0.45 + 0.475 - 0.425) / 4))


@pytest.mark.parametrize(("truth", "games"), [([0.5], 3), ([0.5, 1.2], 3), ([0.5, 0.4], 0)])
def test_what_cannot_be_selected_is_refused(truth, games):
    with pytest.raises(InputError):
        chance_of_wrong(np.array(truth), games)
