"""Games by their payoff matrices: the paper's examples, laws, brute force and another library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.matrix_games import (
    MatrixGame,
    best_responses,
    dominated,
    eliminate,
    equilibria,
    prisoners_dilemma,
    pure_equilibria,
    rock_paper_scissors,
)
from tests.cases import SLOW
from tests.matrix_games.brute import dominating_shares, extreme_equilibria, rounded


@st.composite
def games(draw, most=3):
    """Small games of whole numbers, in which ties are frequent."""
    n, m, high = draw(st.integers(1, most)), draw(st.integers(1, most)), draw(st.integers(0, 5))
    cells = st.lists(st.integers(0, high), min_size=n * m, max_size=n * m)
    row, column = (np.reshape(draw(cells), (n, m)) for _ in range(2))
    return MatrixGame(row, draw(st.sampled_from([column, -row, row])))


def as_rows(game, pairs):
    """Equilibria as rows of rounded numbers."""
    return [
        rounded([pair.row.get(n, 0) for n in game.rows], [pair.column.get(n, 0) for n in game.columns])
        for pair in pairs
    ]


def test_the_prisoners_dilemma_of_figure_3_of_exeter_2017():
    game = prisoners_dilemma()
    printed = {("confess", "confess"): (-8, -8), ("confess", "lie"): (0, -10),
               ("lie", "confess"): (-10, 0), ("lie", "lie"): (-1, -1)}  # fmt: skip
    for (row, column), payoffs in printed.items():
        at = game.rows.index(row), game.columns.index(column)
        assert (game.row[at], game.column[at]) == payoffs
    for player in ("row", "column"):
        (lie,) = dominated(game, player)
        assert (lie.strategy, lie.by, lie.strict) == ("lie", {"confess": 1}, True)
        assert (lie.margin, lie.largest) == (1, 2)
        assert best_responses(game, "lie", player) == best_responses(game, "confess", player) == ("confess",)
    (only,) = equilibria(game)
    assert (only,) == pure_equilibria(game)
    assert (only.row, only.column, only.payoffs, only.pure) == ({"confess": 1}, {"confess": 1}, (-8, -8), True)
    assert only.payoffs < (game.row[1, 1], game.column[1, 1])  # both would gain by lying


def test_rock_paper_scissors_is_a_third_of_each():
    game = rock_paper_scissors()
    assert pure_equilibria(game) == ()
    (only,) = equilibria(game)
    assert only.row == pytest.approx({"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3})
    assert only.payoffs == pytest.approx((0, 0))
    assert not only.pure
    assert best_responses(game, only.column) == game.rows
    assert dominated(game, weakly=True) == ()


@given(games())
@SLOW
def test_equilibria_are_those_of_brute_force_and_both_play_best_responses(game):
    ours = as_rows(game, equilibria(game))
    assert len(ours) == len(set(ours))
    assert set(ours) == extreme_equilibria(game.row, game.column)
    assert set(as_rows(game, pure_equilibria(game))) == {row for row in ours if set(row) <= {0.0, 1.0}}
    for equilibrium in equilibria(game):
        assert set(equilibrium.row) <= set(best_responses(game, equilibrium.column))
        assert set(equilibrium.column) <= set(best_responses(game, equilibrium.row, "column"))


def test_equilibria_are_those_of_nashpy():
    """In games without ties; of 2 x 2 games with ties nashpy 0.0.43 misses some."""
    nashpy = pytest.importorskip("nashpy")
    several, draw = 0, np.random.default_rng(7)
    for n, m in [(2, 2), (2, 4), (3, 3), (4, 3), (5, 5), (5, 5), (4, 4), (3, 5)]:
        game = MatrixGame(*draw.random((2, n, m)))
        ours = as_rows(game, equilibria(game))
        assert set(ours) == {rounded(*pair) for pair in nashpy.Game(game.row, game.column).vertex_enumeration()}
        assert len(ours) % 2 == 1
        several += len(ours) > 1
    assert several


@given(games())
@SLOW
def test_who_dominates_gains_more(game):
    for player in ("row", "column"):
        payoffs, names = game.payoffs(player), game.strategies(player)
        for loser in dominated(game, player, weakly=True):
            shares = np.array([loser.by.get(name, 0) for name in names])
            more = shares @ payoffs - payoffs[names.index(loser.strategy)]
            assert shares[names.index(loser.strategy)] == 0
            assert shares.sum() == pytest.approx(1)
            assert (more.min() > 0) if loser.strict else (more.min() > -1e-8 and more.max() > 0)
            assert loser.margin == pytest.approx(more.min(), abs=1e-8)
            assert loser.largest == pytest.approx(more.max())


@given(games())
@SLOW
def test_nobody_else_is_dominated(game):
    """Of at most three strategies with payoffs 0 to 5, by mixtures of the two others."""
    payoffs = game.payoffs("row")
    by_name = {loser.strategy: loser.strict for loser in dominated(game, weakly=True)}
    singly = {loser.strategy: loser.strict for loser in dominated(game, weakly=True, mixed=False)}
    for row, name in enumerate(game.rows if len(payoffs) > 1 else ()):
        strict, weak = dominating_shares(payoffs, row, 60)  # every ratio of two differences of 0 to 5
        assert (name in by_name, by_name.get(name, False)) == (weak, strict)
        strict, weak = dominating_shares(payoffs, row, 1)
        assert (name in singly, singly.get(name, False)) == (weak, strict)


@given(games())
@SLOW
def test_elimination_keeps_every_equilibrium_and_leaves_nothing_dominated(game):
    elimination = eliminate(game)
    for player in ("row", "column"):
        assert dominated(elimination.left, player) == ()
        gone = [loser.strategy for part in elimination.rounds for loser in part if loser.player == player]
        assert sorted([*gone, *elimination.left.strategies(player)]) == sorted(game.strategies(player))
    brute = extreme_equilibria(game.row, game.column)
    assert brute == set(as_rows(game, equilibria(elimination.left)))


def test_elimination_says_in_which_order():
    game = MatrixGame([[4, 1, 3], [3, 2, 0], [2, 0, 9]], [[3, 5, 2], [1, 4, 3], [0, 2, 1]])
    elimination = eliminate(game)
    order = [[(loser.player, loser.strategy) for loser in part] for part in elimination.rounds]
    assert order == [
        [("column", "column 1"), ("column", "column 3")], [("row", "row 1"), ("row", "row 3")]
    ]  # fmt: skip
    assert (elimination.left.rows, elimination.left.columns) == (("row 2",), ("column 2",))


def test_weak_elimination_takes_more():
    game = MatrixGame([[1, 1], [1, 0]], [[1, 1], [1, 0]])
    assert eliminate(game).rounds == ()
    elimination = eliminate(game, weakly=True)
    assert [loser.strict for loser in elimination.rounds[0]] == [False, False]
    assert (elimination.left.rows, elimination.left.columns) == (("row 1",), ("column 1",))


def test_equal_strategies_dominate_each_other_neither_way():
    game = MatrixGame([[2, 1], [2, 1], [0, 0]], np.zeros((3, 2)))
    assert [loser.strategy for loser in dominated(game, weakly=True)] == ["row 3"]
    assert dominated(game, "column", weakly=True) == ()


def test_the_size_of_payoffs_is_of_no_consequence():
    small, large = ([[3e-12, 0], [0, 3e-12], [1e-12, 1e-12]], [[3e12, 0], [0, 3e12], [1e12, 1e12]])
    for payoffs in (small, large):
        (only,) = dominated(MatrixGame(payoffs, np.zeros((3, 2))))
        assert only.by == pytest.approx({"row 1": 0.5, "row 2": 0.5})
        assert only.margin == pytest.approx(payoffs[0][0] / 6)


def test_a_win_matrix_is_a_game():
    pig = pigevo.Pig()
    players = [*(pigevo.hold_at(pig, n) for n in (3, 13, 14, 16, 20)), pigevo.optimal(pig).strategy]
    names = [player.name for player in players]
    game = MatrixGame.symmetric(pigevo.win_matrix(players), names)
    by_name = {loser.strategy: loser for loser in dominated(game)}
    assert set(by_name) == {"hold_at:3", "hold_at:14"}
    assert set(by_name["hold_at:14"].by) == {"hold_at:13", "hold_at:16"}
    assert [loser.strategy for loser in dominated(game, mixed=False)] == ["hold_at:3"]
    assert best_responses(game, "hold_at:3") == ("hold_at:13",)
    assert eliminate(game).left.rows == ("optimal",)
    (only,) = equilibria(game)
    assert (only.row, only.payoffs) == ({"optimal": 1.0}, (0.5, 0.5))


def test_a_cycle_has_no_dominated_strategy_and_a_mixed_equilibrium():
    game = pigevo.Pig(allow_pass=True)
    players = [pigevo.turtle(game, 5), pigevo.roll_to_win(game), pigevo.roll_and_wait(game, 80, 5)]
    matrix = MatrixGame.symmetric(pigevo.win_matrix(players), [player.name for player in players])
    assert dominated(matrix, weakly=True) == ()
    assert all(len(equilibrium.row) > 1 for equilibrium in equilibria(matrix))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MatrixGame([[1, 2]], [[1], [2]]), r"have shape \(1, 2\), those of the column player \(2, 1\)"),
        (lambda: MatrixGame([[1, np.nan]], [[1, 2]]), "a matrix of finite numbers"),
        (lambda: MatrixGame([], []), "a matrix of finite numbers"),
        (lambda: MatrixGame([["a"]], [[1]]), "must be a matrix of numbers"),
        (lambda: MatrixGame([[1], [2]], [[1], [2]], ("a",)), "2 rows need as many names, not 1"),
        (lambda: MatrixGame([[1], [2]], [[1], [2]], ("a", "a")), "two rows are called 'a'"),
        (lambda: dominated(rock_paper_scissors(), "me"), "there is no player 'me': it is 'row' or 'column'"),
        (lambda: best_responses(rock_paper_scissors(), "rok"), "there is no strategy 'rok'; did you mean rock"),
        (lambda: best_responses(rock_paper_scissors(), [0.5, 0.6, -0.1]), "give 3 shares of at least 0 that add up to 1"),
        (lambda: best_responses(rock_paper_scissors(), [0.5, 0.5]), "give 3 shares"),
        (lambda: best_responses(rock_paper_scissors(), [np.nan, 0, 1]), "give 3 shares"),
        (lambda: equilibria(MatrixGame(np.eye(13), np.eye(13))), "leaves 13 and 13 strategies"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_a_game_is_not_changed_by_what_it_was_made_of():
    payoffs = np.eye(2)
    game = MatrixGame(payoffs, payoffs)
    payoffs[0, 0] = 7
    assert game.row[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        game.row[0, 0] = 7
