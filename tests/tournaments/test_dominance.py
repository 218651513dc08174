"""Dominated strategies: the paper's example, laws, and brute force over mixtures."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.tournaments import dominated, eliminate, nash
from tests.cases import SLOW

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
