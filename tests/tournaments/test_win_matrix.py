"""What follows from a matrix of win probabilities, by another way: order, ratings, dominance and dynamics."""

import itertools
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binomtest

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.games.game import Game, Throw
from pigevo.tournaments import (
    alpha_rank,
    bradley_terry,
    cycles_of,
    dominated,
    eliminate,
    fixation_probabilities,
    is_transitive,
    knockout_winners,
    match_chances,
    moran,
    nash,
    replicator,
    round_robin_winners,
    takeovers,
)
from tests.cases import SLOW


def matrix(n, seed, spread=0.2):
    """A random matrix of overall win probabilities, some of them level."""
    rng = np.random.default_rng(seed)
    upper = np.triu(np.round(rng.uniform(-spread, spread, (n, n)), 1), 1)
    return 0.5 + upper - upper.T


ROCK = np.array([[0.5, 0.7, 0.4], [0.3, 0.5, 0.9], [0.6, 0.1, 0.5]])
"""0 beats 1 by .2, 1 beats 2 by .4, 2 beats 0 by .1."""


@pytest.mark.parametrize("seed", range(6))
def test_all_cycles_are_those_of_all_triples(seed):
    overall = matrix(7, seed)
    beats = overall > overall.T
    expected = {
        (a, b, c): min(overall[a, b], overall[b, c], overall[c, a]) - 0.5
        for a, b, c in itertools.permutations(range(7), 3)
        if a < min(b, c) and beats[a, b] and beats[b, c] and beats[c, a]
    }
    cycles = cycles_of(overall)
    assert len(cycles) > 0
    assert {tuple(cycle) for cycle in cycles.members.tolist()} == set(expected)
    strengths = [expected[tuple(cycle)] for cycle in cycles.members.tolist()]
    np.testing.assert_allclose(cycles.strengths, strengths)
    assert strengths == sorted(strengths, reverse=True)


def test_transitive_as_the_report_defines_it():
    answers = set()
    for seed in range(30):
        beats = matrix(4, seed) > matrix(4, seed).T
        ways = itertools.permutations(range(4), 3)
        expected = all(beats[a, c] for a, b, c in ways if beats[a, b] and beats[b, c])
        assert is_transitive(matrix(4, seed)) == expected
        answers.add(expected)
    assert answers == {True, False}


def test_rounding_and_stalemates_are_no_margins():
    overall = np.full((3, 3), 0.5)
    overall[[0, 1, 2], [1, 2, 0]] += 1e-15
    assert len(cycles_of(overall)) == 0
    assert is_transitive(overall)
    overall = np.array([[0.0, 0.3, 0.2], [0.3, 0.5, 0.6], [0.1, 0.4, 0.5]])
    assert is_transitive(overall)  # 0 and 1 are level; 0 beats 2 by .05, 1 beats it by .1
    assert len(cycles_of(overall)) == 0


@pytest.mark.parametrize("games", [None, 10**9])
def test_ratings_of_a_matrix_that_follows_the_model(games):
    strengths = np.array([1.2, 0.3, -0.4, -1.1])
    overall = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    ratings = bradley_terry(overall, games)
    np.testing.assert_allclose(ratings.ratings, strengths, atol=1e-6)
    assert ratings.largest < 1e-6
    assert (ratings.errors is None) == (games is None)


def test_the_misfit_of_a_cycle():
    """What each wins is what the ratings say, in all: the equation of greatest likelihood; single pairs are missed."""
    ratings = bradley_terry(ROCK)
    expected = 1 / (1 + np.exp(ratings.ratings[None] - ratings.ratings[:, None]))
    np.testing.assert_allclose(expected.sum(axis=1), ROCK.sum(axis=1), atol=1e-7)
    missed = np.abs(ROCK - expected)
    assert ratings.largest == pytest.approx(missed.max())
    assert missed[ratings.pair] == pytest.approx(missed.max())
    assert ratings.rms == pytest.approx(np.sqrt((missed**2).sum() / 6))
    assert ratings.largest > 0.1


@pytest.mark.slow
def test_standard_errors_are_those_of_simulated_tournaments():
    strengths, games = np.array([0.6, 0.1, -0.7]), 400
    chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    rng, fits = np.random.default_rng(1), []
    for _ in range(400):
        wins = np.triu(rng.binomial(games, chances), 1)
        shares = (wins + np.tril(games - wins.T, -1)) / games
        np.fill_diagonal(shares, 0.5)
        fits.append(bradley_terry(shares, games))
    ratings = np.array([fit.ratings for fit in fits])
    np.testing.assert_allclose(ratings.mean(axis=0), strengths, atol=0.02)
    np.testing.assert_allclose(ratings.std(axis=0), fits[0].errors, rtol=0.12)


def test_ratings_of_two_are_the_logarithm_of_the_odds():
    """Half a game more for either: 30.5 against 10.5; and the error of a logarithm of odds, shared by two ratings."""
    ratings = bradley_terry(np.array([[0.5, 0.75], [0.25, 0.5]]), 40)
    np.testing.assert_allclose(ratings.ratings, [np.log(30.5 / 10.5) / 2, -np.log(30.5 / 10.5) / 2], atol=1e-6)
    np.testing.assert_allclose(ratings.errors, np.sqrt(1 / 30.5 + 1 / 10.5) / 2, atol=1e-6)
    exact = bradley_terry(np.array([[0.5, 0.75], [0.25, 0.5]]))
    np.testing.assert_allclose(exact.ratings, [np.log(3) / 2, -np.log(3) / 2], atol=1e-6)


def test_standard_errors_of_random_tournaments_are_finite_and_those_of_the_reduced_information():
    """Compared with the inverse of the information without the first rating, seen from the mean of the ratings."""
    n, games, rng = 20, 100, np.random.default_rng(211)
    centre = np.eye(n) - 1 / n
    for _ in range(60):
        strengths = rng.normal(scale=rng.uniform(0.01, 2), size=n)
        wins = np.triu(rng.binomial(games, 1 / (1 + np.exp(strengths[None] - strengths[:, None]))), 1)
        shares = (wins + np.tril(games - wins.T, -1)) / games
        np.fill_diagonal(shares, 0.5)
        fit = bradley_terry(shares, games)
        chance = 1 / (1 + np.exp(fit.ratings[None] - fit.ratings[:, None]))
        information = -(games + 1) * chance * (1 - chance)
        np.fill_diagonal(information, 0)
        np.fill_diagonal(information, -information.sum(axis=1))
        covariances = np.zeros((n, n))
        covariances[1:, 1:] = np.linalg.inv(information[1:, 1:])
        np.testing.assert_allclose(fit.errors, np.sqrt(np.diag(centre @ covariances @ centre)), rtol=1e-6)


def test_who_never_wins_has_a_finite_rating():
    overall = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 0.6], [0.0, 0.4, 0.5]])
    for games in (None, 50):
        ratings = bradley_terry(overall, games)
        assert np.isfinite(ratings.ratings).all()
        assert ratings.ratings.argmax() == 0
        assert ratings.ratings[1] - ratings.ratings[2] == pytest.approx(np.log(1.5), abs=0.1)


def test_the_mixture_of_a_cycle_and_of_one_that_is_unbeaten():
    assert cycles_of(ROCK).members.tolist() == [[0, 1, 2]]
    mixture = nash(ROCK)
    np.testing.assert_allclose(mixture.shares, np.array([4, 1, 2]) / 7)  # each the margin of the two others
    assert mixture.value == pytest.approx(0, abs=1e-9)
    unbeaten = np.array([[0.5, 0.5 - 1e-9, 0.6], [0.5 + 1e-9, 0.5, 0.5 + 1e-9], [0.4, 0.5 - 1e-9, 0.5]])
    assert nash(unbeaten).shares.tolist() == [0, 1, 0]


@pytest.mark.parametrize("seed", range(4))
def test_no_strategy_beats_the_mixture(seed):
    overall = matrix(9, seed)
    mixture = nash(overall)
    assert mixture.shares.sum() == pytest.approx(1)
    assert (mixture.shares >= 0).all()
    margins = mixture.shares @ (overall - overall.T) / 2
    assert margins.min() == pytest.approx(mixture.value)
    assert margins.min() > -1e-9


def test_chances_of_a_match_are_those_of_the_binomial_law():
    first, second = np.array([[0.53, 0.62], [0.55, 0.53]]), np.array([[0.47, 0.45], [0.38, 0.47]])
    half = 25
    wins = np.convolve(stats.binom.pmf(range(half + 1), half, 0.62), stats.binom.pmf(range(half + 1), half, 0.45))
    won = match_chances(first, second, 2 * half)
    assert won[0, 1] == pytest.approx(wins[half + 1 :].sum() + wins[half] / 2, abs=1e-12)
    assert won[0, 1] + won[1, 0] == pytest.approx(1)
    assert won[0, 0] == 0.5


def test_chances_of_a_match_with_games_that_nobody_wins():
    """Two games: a wins the first with .5 and b with .2, the second with .3 and .4; all nine ways counted."""
    first, second = np.array([[0.5, 0.5], [0.4, 0.5]]), np.array([[0.5, 0.3], [0.2, 0.5]])
    ways = itertools.product({1: 0.5, -1: 0.2, 0: 0.3}.items(), {1: 0.3, -1: 0.4, 0: 0.3}.items())
    law = [(x + y, p * q) for (x, p), (y, q) in ways]
    expected = sum(p * (1 if d > 0 else 0.5 if d == 0 else 0) for d, p in law)
    assert match_chances(first, second, 2)[0, 1] == pytest.approx(expected, abs=1e-12)


def test_stalemates_are_no_draws():
    """Two games: a wins each with .3 and b with .2, half are stalemates and none is drawn, whatever a draw is worth."""
    values = np.array([[0.5, 0.3], [0.2, 0.5]])
    expected = 0.3**2 + 2 * 0.3 * 0.5 + (0.5**2 + 2 * 0.3 * 0.2) / 2
    for draw in (0.0, 0.3, 0.9):
        chances = match_chances(values, values, 2, draw, np.zeros((2, 2, 2)))
        assert chances[0, 1] == pytest.approx(expected, abs=1e-12)


@dataclass(frozen=True)
class Replied(Game):
    """A throw brings a point or two, or ends the turn; the second player has a last turn, and players may pass."""

    target: int = 4
    cap: int = 7
    reply: str = "second"
    draw: float = 0.3
    allow_pass: bool = True

    @property
    def throws(self):
        """The throws."""
        return Throw(1, 0.4), Throw(2, 0.4), Throw(0, 0.2, "turn")


@pytest.mark.parametrize("draw", [0.0, 0.3])
def test_a_tournament_of_a_game_with_draws_and_stalemates(draw):
    game = Replied(draw=draw)
    a = pigevo.Strategy.from_holds(game, lambda second, own, opponent: 2 * (own != 2) + 0 * second * opponent)
    b = pigevo.Strategy.from_holds(game, lambda second, own, opponent: ((own != 2) | (opponent != 2)) + 0 * second)
    p = pigevo.win_probability(a, b)
    assert p.draw_first > 0.005
    assert p.stalemate_first > 0.5
    expected, length = 0.0, 4
    for results in itertools.product((1, 0, None, -1), repeat=length):
        chance = 1.0
        for n, result in enumerate(results):
            drawn, stalemate = (p.draw_first, p.stalemate_first) if n % 2 == 0 else (p.draw_second, p.stalemate_second)
            won = (p.first if n % 2 == 0 else p.second) - draw * drawn
            chance *= {1: won, 0: drawn, None: stalemate, -1: 1 - won - drawn - stalemate}[result]
        total = sum(result or 0 for result in results)
        expected += chance * (0.5 if total == 0 else total > 0)
    played = pigevo.tournament({"a": a, "b": b}, length=length, times=10)
    assert {entry.name: entry.knockout for entry in played.ranking}["a"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("draw", [0.0, 0.25, 0.5, 1.0])
def test_the_chance_of_a_match_with_draws_of_any_value(draw):
    """Every sequence of wins, draws and losses; where a draw is worth more than a half, the sign was wrong."""
    game = GAMES["ten_rounds"].bind({"turns": 1, "cap": 30, "draw": draw})
    a, b = pigevo.hold_at(game, 20), pigevo.hold_at(game, 21)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    drawn = p.draw_first, p.draw_second
    won = p.first - draw * p.draw_first, p.second - draw * p.draw_second
    expected, length = 0.0, 6
    for results in itertools.product((1, 0, -1), repeat=length):
        chances = [
            {1: won[n % 2], 0: drawn[n % 2]}.get(r, 1 - won[n % 2] - drawn[n % 2]) for n, r in enumerate(results)
        ]
        expected += float(np.prod(chances)) * (0.5 if sum(results) == 0 else sum(results) > 0)
    first, second = np.array([[0, p.first], [q.first, 0]]), np.array([[0, p.second], [q.second, 0]])
    tolerance = 1e-12 if draw != 0.5 else 0.02  # there a draw is taken for a game that a coin decides
    assert match_chances(first, second, length, draw)[0, 1] == pytest.approx(expected, abs=tolerance)
    played = pigevo.tournament([a, b], length=length, times=10)
    ranked = {entry.name: entry.knockout for entry in played.ranking}
    assert ranked["hold_at:20"] == pytest.approx(expected, abs=tolerance)


def test_round_robins_of_three():
    """Of three players, by all eight outcomes of their matches."""
    chances, expected = ROCK, np.zeros(3)
    for outcome in itertools.product((0, 1), repeat=3):
        p, wins = 1.0, np.zeros(3)
        for (a, b), won in zip(((0, 1), (0, 2), (1, 2)), outcome, strict=True):
            p *= chances[a, b] if won else chances[b, a]
            wins[a if won else b] += 1
        expected += p * (wins == wins.max()) / (wins == wins.max()).sum()
    shares = round_robin_winners(chances, 20_000, seed=2)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares, expected, atol=0.015)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_knockouts_against_every_bracket(n):
    chances = matrix(n, 5, 0.4)
    expected = np.mean([knockout_by_hand(list(order), chances) for order in itertools.permutations(range(n))], axis=0)
    shares = knockout_winners(chances, 4000, seed=1)
    assert shares.sum() == pytest.approx(1)
    np.testing.assert_allclose(shares, expected, atol=0.02)


def knockout_by_hand(order, chances):
    """The chances to win a bracket: as many as are missing for a power of two have no opponent in the first round."""

    def winner(a, b):
        return a * (chances @ b) + b * (chances @ a)

    players = list(np.eye(len(order))[order])
    byes = (1 << (len(order) - 1).bit_length()) - len(order)
    alive = players[:byes] + [winner(a, b) for a, b in zip(players[byes::2], players[byes + 1 :: 2], strict=True)]
    while len(alive) > 1:
        alive = [winner(a, b) for a, b in zip(alive[::2], alive[1::2], strict=True)]
    return alive[0]


def test_draws_are_the_same_for_the_same_seed():
    assert (round_robin_winners(ROCK, 50, 3) == round_robin_winners(ROCK, 50, 3)).all()
    assert (round_robin_winners(ROCK, 50, 3) != round_robin_winners(ROCK, 50, 4)).any()
    assert (knockout_winners(ROCK, 50, 3) == knockout_winners(ROCK, 50, 3)).all()


def test_errors_of_a_tournament_in_which_a_general_pseudo_inverse_fails():
    """Its smallest eigenvalue is a rounding error above the default cut-off of `numpy.linalg.pinv`."""
    game = pigevo.Pig()
    entries = [pigevo.hold_at(game, n) for n in range(16, 26)]
    result = pigevo.tournament(entries, games=100, seed=211)
    errors = bradley_terry(result.overall, 100).errors
    assert errors.max() == pytest.approx(0.0599, abs=2e-4)
    assert errors.min() == pytest.approx(0.0597, abs=2e-4)


@pytest.mark.parametrize("n", [2, 3, 20])
def test_errors_are_those_of_differences(n):
    """The information matrix without a player gives the covariance of the others' differences from that player."""
    rng = np.random.default_rng(n)
    for _ in range(40 if n == 20 else 5):
        games = int(rng.integers(1, 10_000))
        wins = np.triu(rng.binomial(games, 0.5, (n, n)), 1) / games
        overall = wins + np.tril(1 - wins.T, -1) + np.eye(n) / 2
        rated = bradley_terry(overall, games)
        gaps = rated.ratings[:, None] - rated.ratings
        information = -(games + 1) / (2 + 2 * np.cosh(gaps))
        np.fill_diagonal(information, 0.0)
        np.fill_diagonal(information, -information.sum(axis=1))
        covariance = np.zeros((n, n))
        covariance[1:, 1:] = np.linalg.inv(information[1:, 1:])
        centred = np.eye(n) - 1 / n
        assert rated.errors == pytest.approx(np.sqrt(np.diag(centred @ covariance @ centred)), rel=1e-8)


ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]


@st.composite
def matrices(draw, most=3):
    """Small square matrices of whole numbers, in which ties are frequent."""
    n, high = draw(st.integers(1, most)), draw(st.integers(0, 5))
    return np.reshape(draw(st.lists(st.integers(0, high), min_size=n * n, max_size=n * n)), (n, n))


def names_of(payoffs):
    return tuple("abcdef"[: len(payoffs)])


def dominating_shares(payoffs, strategy, parts):
    """Whether a mixture of the others with shares that are multiples of 1/parts dominates: strictly, and weakly."""
    others = np.delete(payoffs, strategy, axis=0)
    strict = weak = False
    for cuts in itertools.combinations(range(parts + len(others) - 1), len(others) - 1):
        shares = np.diff([-1, *cuts, parts + len(others) - 1]) - 1
        gains = shares @ others - parts * payoffs[strategy]
        strict, weak = strict or gains.min() > 0, weak or (gains.min() >= 0 and gains.max() > 0)
    return strict, weak


def test_the_prisoners_dilemma_of_figure_3_of_exeter_2017():
    (lie,) = dominated([[-8, 0], [-10, -1]], ("confess", "lie"))
    assert (lie.strategy, lie.by, lie.strict) == ("lie", {"confess": 1}, True)
    assert (lie.margin, lie.largest) == (1, 2)


def test_of_rock_paper_scissors_none_is_dominated():
    assert dominated(ROCK_PAPER_SCISSORS, ("rock", "paper", "scissors"), weakly=True) == ()


@given(matrices())
@SLOW
def test_who_dominates_gains_more(payoffs):
    names = names_of(payoffs)
    for loser in dominated(payoffs, names, weakly=True):
        shares = np.array([loser.by.get(name, 0) for name in names])
        more = shares @ payoffs - payoffs[names.index(loser.strategy)]
        assert shares[names.index(loser.strategy)] == 0
        assert shares.sum() == pytest.approx(1)
        assert (more.min() > 0) if loser.strict else (more.min() > -1e-8 and more.max() > 0)
        assert loser.margin == pytest.approx(more.min(), abs=1e-8)
        assert loser.largest == pytest.approx(more.max())


@given(matrices())
@SLOW
def test_nobody_else_is_dominated(payoffs):
    """Of at most three strategies with payoffs 0 to 5, by mixtures of the two others."""
    names = names_of(payoffs)
    strict_by_name = {loser.strategy: loser.strict for loser in dominated(payoffs, names, weakly=True)}
    for row, name in enumerate(names if len(names) > 1 else ()):
        strict, weak = dominating_shares(payoffs, row, 60)  # every ratio of two differences of 0 to 5
        assert (name in strict_by_name, strict_by_name.get(name, False)) == (weak, strict)


@given(matrices())
@SLOW
def test_elimination_leaves_nothing_dominated_and_loses_nobody(payoffs):
    names = names_of(payoffs)
    elimination = eliminate(payoffs, names)
    rows = [names.index(name) for name in elimination.left]
    assert dominated(payoffs[np.ix_(rows, rows)], elimination.left) == ()
    gone = [loser.strategy for losers in elimination.rounds for loser in losers]
    assert sorted([*gone, *elimination.left]) == list(names)


def test_elimination_goes_by_rounds():
    """b is dominated by a only when c, against which it does best, is gone."""
    elimination = eliminate([[3, 3, 0], [2, 2, 5], [1, 1, -1]], ("a", "b", "c"))
    assert [[loser.strategy for loser in losers] for losers in elimination.rounds] == [["c"], ["b"]]
    assert elimination.left == ("a",)


def test_equal_strategies_dominate_each_other_neither_way():
    losers = dominated([[2, 1, 3], [2, 1, 3], [0, 0, 0]], ("a", "b", "c"), weakly=True)
    assert [loser.strategy for loser in losers] == ["c"]


def test_the_size_of_payoffs_is_of_no_consequence():
    for unit in (1e-12, 1e12):
        (only,) = dominated(unit * np.array([[3.0, 0, 0], [0, 3, 3], [1, 1, 1]]), ("a", "b", "c"))
        assert only.by == pytest.approx({"a": 0.5, "b": 0.5})
        assert only.margin == pytest.approx(unit / 2)


def test_in_a_win_matrix():
    pig = pigevo.Pig()
    players = [*(pigevo.hold_at(pig, n) for n in (3, 13, 14, 16, 20)), pigevo.optimal(pig).strategy]
    names, matrix = [player.name for player in players], pigevo.win_matrix(players)
    by_name = {loser.strategy: loser.by for loser in dominated(matrix, names)}
    assert set(by_name) == {"hold_at:3", "hold_at:14"}
    assert set(by_name["hold_at:14"]) == {"hold_at:13", "hold_at:16"}
    assert eliminate(matrix, names).left == ("optimal",)


def test_a_cycle_has_no_dominated_strategy_and_a_mixed_equilibrium():
    game = pigevo.Pig(allow_pass=True)
    players = [pigevo.turtle(game, 5), pigevo.roll_to_win(game), pigevo.roll_and_wait(game, 80, 5)]
    matrix = pigevo.win_matrix(players)
    assert dominated(matrix, [player.name for player in players], weakly=True) == ()
    assert (nash(matrix).shares > 0).sum() > 1


@pytest.mark.parametrize("payoffs", [[[1, 2]], [[np.nan]], [[1, 2], [3, 4]], []])
def test_a_matrix_of_another_form_is_refused(payoffs):
    with pytest.raises(InputError, match="with a row for each strategy, here 1"):
        dominated(payoffs, ("a",))


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
