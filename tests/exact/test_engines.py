"""The exact engines against a dense linear system over every state, whole turns, fractions and each other."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo.compiled.simd import LANES
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact import (
    against,
    best_response,
    decision_costs,
    mean_turns_alone,
    optimal,
    prepare,
    reach,
    turn_outcomes,
    win_probability,
)  # fmt: skip
from pigevo.exact.absorbing_chain import chain_of
from pigevo.exact.boards import (
    best_response_on_board,
    board_turns,
    bound_on_falls,
    optimum_on_board,
    prepare_board,
    worth,
)
from pigevo.exact.evaluate import TOGETHER
from pigevo.exact.solve import TIE
from pigevo.exact.thresholds import Thresholds, _agreed, _agreement, simple_rule_against
from pigevo.exact.turns import readable_rows, turns_of_tables
from pigevo.exact.visits import board_visits
from pigevo.games import GAMES, Pig, Piglet
from pigevo.games.race import Race
from pigevo.simulation.stepwise import play_turns
from pigevo.strategies import CubeGrid, Members
from pigevo.strategies.rules import FAR, Leaves, Rule, parse_rule
from tests.cases import bases, duels, law, races, rules
from tests.people.games import small
from tests.reference import any_game, two
from tests.reference.any_game import START, assert_best_as_every_state, assert_pair_as_every_state
from tests.reference.two import State

CLOSE = 1e-12


@law(duels(), quick=16)
def test_wins_stalemates_values_and_visits_are_those_of_the_dense_system(duel):
    game, a, b = duel
    p, d = pigevo.win_probability(a, b), two.solve(game, a.roll, b.roll)
    assert (p.first, p.second) == pytest.approx((d.first, d.second), abs=CLOSE)
    assert p.overall == pytest.approx((d.first + d.second) / 2, abs=CLOSE)
    assert (p.stalemate_first, p.stalemate_second) == pytest.approx((d.stalemate_first, d.stalemate_second), abs=CLOSE)
    values, banks = pigevo.state_values(a, b), np.isnan(d.values)
    np.testing.assert_allclose(values[~banks], d.values[~banks], rtol=0, atol=CLOSE)
    assert (values[banks] == 1).all()
    visits = pigevo.reach(a, b)
    np.testing.assert_allclose(visits.first, d.reach(0), rtol=1e-11, atol=CLOSE)
    np.testing.assert_allclose(visits.second, d.reach(1), rtol=1e-11, atol=CLOSE)
    q = pigevo.win_probability(b, a)
    assert p.first + q.second + p.stalemate_first == pytest.approx(1, abs=CLOSE)
    assert p.second + q.first + p.stalemate_second == pytest.approx(1, abs=CLOSE)
    assert p.stalemate_first == pytest.approx(q.stalemate_second, abs=CLOSE)


@pytest.mark.parametrize("rolling", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("sides", [2, 6, 12])
@pytest.mark.parametrize(("target", "size"), [(1, 1), (5, 2), (40, (1, 3, 20)), (40, (7, 1, 1)), (61, (20, 5, 1))])
def test_members_win_what_their_decisions_win_to_the_bit(target, size, sides, rolling):
    """Inside a cube the chances of a turn are computed once, as long as it comes to no win."""
    game = pigevo.Pig(target, sides, allow_pass=True)
    grid, random = CubeGrid(game, size), np.random.default_rng(target)
    members = Members(grid, (random.random((9, grid.genes)) < rolling).astype(np.uint8))
    opponent = prepare(pigevo.hold_at(game, 8))
    starts = [against(tables, opponent, exploring_starts=1.0) for tables in (members, members[:])]
    assert np.array_equal(*starts)
    assert np.array_equal(against(members, opponent), against(members[:], opponent))


@pytest.mark.parametrize("sides", [2, 6, 12])
@pytest.mark.parametrize(
    ("target", "size"), [(5, 1), (40, (1, 3, 20)), (40, (7, 1, 1)), (61, 1), (61, (4, 4, 1)), (61, 9)]
)
def test_siblings_win_what_each_wins_alone_to_the_bit(target, size, sides):
    """A turn that the first member plays alike has its chances: members that differ in few turns, some in the same."""
    game = pigevo.Pig(target, sides, allow_pass=True)
    grid, random = CubeGrid(game, size), np.random.default_rng(target + sides)
    parent = (random.random(grid.genes) < 0.95).astype(np.uint8)
    genomes = np.repeat(parent[None], 8, axis=0)
    for child in grid.rows_of(genomes):
        for _ in range(random.integers(4)):
            row, gene, many = random.integers(len(child)), random.integers(grid.row_genes), random.integers(1, 30)
            child[row : row + many, gene : gene + many] ^= 1
    members, opponent = Members(grid, genomes), prepare(pigevo.hold_at(game, 8))
    together = against(members, opponent, exploring_starts=1.0)
    assert len(np.unique(together[:, 0])) > 3
    alone = [against(members, opponent, players=np.array([child]), exploring_starts=1.0)[0] for child in range(8)]
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("gains", [(2, 6), (1, 3, 4, 5, 6)])
def test_no_die_is_taken_for_that_of_six_sides(gains):
    """Dice of few gains are filled up with their largest one: of 2 and 6 that was followed as if of 2 to 6."""
    chances = np.arange(1, len(gains) + 1) / 20
    game = pigevo.Race(9, list(zip(gains, chances, strict=True)), 1 - chances.sum())
    a, b = pigevo.hold_at(game, 7), pigevo.score(game, 5)
    p, d = pigevo.win_probability(a, b), two.solve(game, a.roll, b.roll)
    assert p.first == pytest.approx(d.first, abs=CLOSE)
    assert p.second == pytest.approx(d.second, abs=CLOSE)
    best, response = pigevo.optimal(game), pigevo.best_response(a)
    assert best.value == pytest.approx(two.solve(game, best.strategy.roll, best.strategy.roll).first, abs=CLOSE)
    assert response.value == pytest.approx(two.solve(game, response.strategy.roll, a.roll).first, abs=CLOSE)


@pytest.mark.parametrize(("target", "n"), [(20, 100), (100, 20)])
def test_no_win_probability_lies_beyond_one(target, n):
    """Without a bust whoever never holds wins at once: rounding made 1.0000000000000007 of it."""
    game = pigevo.Race(target, [(2, 1 / 3), (3, 1 / 3), (4, 1 / 3)], 0.0)
    a, b = pigevo.hold_at(game, n), pigevo.hold_at(game, 5)
    p = pigevo.win_probability(a, b)
    assert 0.9 < p.first <= 1
    assert 0.9 < p.second <= 1
    values = pigevo.state_values(a, b)
    assert 0 <= values.min() <= values.max() <= 1
    for best in (pigevo.best_response(b), pigevo.optimal(game)):
        assert best.values.max() <= 1
        assert best.value <= 1
        assert 0 <= best.second <= 1
    assert pigevo.win_matrix([a, b]).min() >= 0


@law(duels(players=3, largest=5), quick=6, full=20)
def test_the_win_matrix_holds_the_overall_win_probability_of_row_against_column(duel):
    _, *players = duel
    matrix = pigevo.win_matrix(players)
    for row, a in enumerate(players):
        for column, b in enumerate(players):
            assert matrix[row, column] == pytest.approx(pigevo.win_probability(a, b).overall, abs=CLOSE)


@pytest.mark.parametrize("passes", [False, True])
def test_so_does_that_of_mixed_strategies_for_any_number_of_workers(passes):
    """Who always passes wins nothing against a copy: the diagonal said a half."""
    game = pigevo.Pig(8, allow_pass=passes)
    chances = np.random.default_rng(4).random((3, *game.shape))
    if not passes:
        chances[:, :, :, 0] = 1
    players = [pigevo.Strategy(game, roll) for roll in chances]
    if passes:
        never = np.zeros(game.shape)
        never[0, 0, 3] = 0.5  # a state that play does not reach
        players.append(pigevo.Strategy(game, never))
    matrix = pigevo.win_matrix(players)
    expected = [[pigevo.win_probability(a, b).overall for b in players] for a in players]
    assert np.allclose(matrix, expected, rtol=0, atol=CLOSE)
    assert not passes or matrix[3, 3] == 0
    assert np.array_equal(matrix, pigevo.win_matrix(players, workers=2))


@law(duels(players=1))
def test_turn_outcomes_are_those_of_a_turn_followed_forward(duel):
    game, a = duel
    expected = two.banked(game, a.roll)
    for i in range(game.target):
        for j in range(game.target):
            outcomes = turn_outcomes(a, i, j)
            assert sum(outcomes.values()) == pytest.approx(1, abs=CLOSE)
            for points, probability in enumerate(expected[i, j]):
                assert outcomes.get(points, 0) == pytest.approx(probability, abs=CLOSE)


@pytest.mark.parametrize(("p", "seed"), [(0.5, 1), (0.95, 3)])
def test_arbitrary_arrays_at_target_100_agree_with_whole_turns(p, seed):
    game = pigevo.Pig()
    rng = np.random.default_rng(seed)
    a, b = (pigevo.Strategy(game, (rng.random(game.shape) < p) | (np.arange(100) == 0)) for _ in "ab")
    w = pigevo.win_probability(a, b)
    assert (w.first, w.second) == pytest.approx(two.win_by_turns(game, a.roll, b.roll), abs=1e-10)


def test_two_players_who_only_pass_take_one_turn_each_and_nobody_wins():
    game = pigevo.Pig(3, allow_pass=True)
    passes = pigevo.Strategy(game, np.zeros(game.shape, bool))
    p, visits = pigevo.win_probability(passes, passes), pigevo.reach(passes, passes)
    assert (p.first, p.second, p.stalemate_first, p.stalemate_second) == (0, 0, 1, 1)
    for seat in (visits.first, visits.second):
        assert seat[0, 0, 0] == seat.sum() == 1


def test_how_many_meet_an_opponent_together_changes_nothing():
    game = pigevo.Pig(10)
    tables = np.stack([pigevo.random_strategy(game, seed).table for seed in range(33)])
    opponent = prepare(pigevo.hold_at(game, 5))
    alone = [against(table[None], opponent)[0].tolist() for table in tables]
    for count, workers in itertools.product((0, 1, 8, 9, 33), (1, 2, 50)):
        assert against(tables[:count], opponent, workers).tolist() == alone[:count]


def test_chances_of_rolling_are_refused_by_the_fast_engine():
    game = pigevo.Pig(9)
    opponent, mixed = prepare(pigevo.hold_at(game, 3)), pigevo.noisy(pigevo.hold_at(game, 3), 0.1)
    with pytest.raises(pigevo.InputError, match="mixed decisions cannot meet"):
        against(mixed.table[None], opponent)


COINS = [Fraction(1, 2), Fraction(1, 3)]


def two_strategies(game, seed, p=0.6):
    coins = np.random.default_rng(seed).random((2, *game.shape)) < p
    if not game.allow_pass:
        coins[:, :, :, 0] = True
    return [pigevo.Strategy(game, roll) for roll in coins]


def assert_equal(game, exact, a, b, tolerance):
    p, fractions = pigevo.win_probability(a, b), two.win_in_fractions(exact, a.roll, b.roll)
    figures = p.first, p.second, p.stalemate_first, p.stalemate_second
    assert all(abs(Fraction(x) - fraction) < tolerance for x, fraction in zip(figures, fractions, strict=True))


@pytest.mark.parametrize("allow_pass", [False, True])
@pytest.mark.parametrize("heads", COINS)
@pytest.mark.parametrize("target", [1, 2, 4])
def test_piglet_is_the_fraction_from_every_state(target, heads, allow_pass):
    game = pigevo.Piglet(target, float(heads), allow_pass=allow_pass)
    exact = two.piglet(target, heads, allow_pass)
    for seed in range(3):
        a, b = two_strategies(game, seed)
        assert_equal(game, exact, a, b, tolerance=2e-14)
        assert pigevo.rational_win_probability(a, b) == two.win_in_fractions(exact, a.roll, b.roll)[:2]
        values, solved = pigevo.state_values(a, b), two.solve_in_fractions(exact, a.roll, b.roll)
        for i, j, k in np.ndindex(game.shape):
            if i + k < target and (k > 0 or i + j + k == 0):
                assert abs(Fraction(values[i, j, k]) - solved[State(0, i, j, k, False)][0]) < 2e-14


SLOW_GAMES = [(Fraction(1, 50), 4), (Fraction(1, 1000), 3), (Fraction(1, 8), 7)]


@pytest.mark.parametrize(("heads", "target"), SLOW_GAMES)
def test_a_game_that_hardly_ends_still_has_its_fraction(heads, target):
    """Here a turn of `roll_to_win` wins once in millions of times, or less often."""
    game = pigevo.Piglet(target, float(heads))
    roll_to_win = pigevo.roll_to_win(game)
    other = two_strategies(game, 3, p=0.9)[1]
    exact = two.piglet(target, Fraction(float(heads)))
    for a, b in [(roll_to_win, roll_to_win), (roll_to_win, other), (other, other)]:
        assert_equal(game, exact, a, b, tolerance=1e-9)


RACES = [
    pigevo.Piglet(10),
    pigevo.Piglet(6, 1 / 3),
    pigevo.Pig(8),
    pigevo.Pig(7, 4, allow_pass=True),
    pigevo.Race(9, {1: 0.25, 4: 0.25}, bust=0.5),
]


@pytest.mark.parametrize("game", RACES, ids=str)
def test_floats_are_the_fractions_to_rounding(game):
    a, b = two_strategies(game, 2)
    first, second = pigevo.rational_win_probability(a, b)
    p = pigevo.win_probability(a, b)
    assert p.first == pytest.approx(float(first), abs=1e-14)
    assert p.second == pytest.approx(float(second), abs=1e-14)
    assert game.allow_pass or first + pigevo.rational_win_probability(b, a)[1] == 1


def test_in_a_small_game_each_player_s_rows_are_copied_once(monkeypatch):
    """A copy of all for each part of the population took a minute for 40,000 members."""
    lengths, grid = [], CubeGrid(pigevo.Pig(9), 1)

    def watched(*given):
        rows = readable_rows(*given)
        lengths.append(len(rows.rows) - LANES)
        return rows

    monkeypatch.setattr("pigevo.exact.evaluate.readable_rows", watched)
    members = Members(grid, np.random.default_rng(1).integers(0, 2, (100, grid.genes), np.uint8))
    opponent = prepare(pigevo.hold_at(grid.game, 5))
    wins = against(members, opponent)
    assert sum(lengths) == 100
    assert max(lengths) <= TOGETHER
    assert np.array_equal(wins, against(members[:], opponent))


def on_board(a, b):
    return worth(prepare_board(a), prepare_board(b)).seats


def from_anywhere(a, b, prepared):
    return against(a.table[None], prepared(b.game, b.table), exploring_starts=1.0)[0]


@law(duels(), quick=8)
def test_both_engines_give_the_same_figures(duel):
    game, a, b = duel
    p = pigevo.win_probability(a, b)
    assert on_board(a, b) == pytest.approx((p.first, p.second), abs=CLOSE)
    every = worth(prepare_board(a), prepare_board(b)).moving.reshape(game.shape[:2])
    assert np.allclose(every, pigevo.state_values(a, b)[:, :, 0], atol=CLOSE, rtol=0)
    best, fast = best_response_on_board(prepare_board(b), TIE), pigevo.best_response(b)
    assert best.worth.seats == pytest.approx((fast.value, fast.second), abs=CLOSE)
    if not game.allow_pass:
        best, fast = optimum_on_board(game, TIE), pigevo.optimal(game)
        assert best.worth.seats == pytest.approx((fast.value, fast.second), abs=CLOSE)
        if game.bust < 1:
            assert np.allclose(board_visits(a, b, True), pigevo.reach(a, b).first, atol=1e-9, rtol=1e-9)


@law(duels(), quick=8)
def test_both_engines_begin_games_anywhere_alike(duel):
    game, a, b = duel
    seats = from_anywhere(a, b, board_turns)
    assert seats == pytest.approx(from_anywhere(a, b, turns_of_tables), abs=CLOSE)
    assert seats[0] == pytest.approx(pigevo.state_values(a, b)[:, :, 0].mean(), abs=CLOSE) or game.allow_pass
    half = against(a.table[None], turns_of_tables(game, b.table), exploring_starts=0.5)[0]
    assert half == pytest.approx((seats + on_board(a, b)) / 2, abs=CLOSE)


@pytest.mark.parametrize("game", [small(name) for name in GAMES], ids=str)
def test_nobody_beats_the_optimum_in_games_that_begin_anywhere(game):
    best, other = pigevo.optimal(game).strategy, pigevo.random_strategy(game, seed=1)
    won, lost = (from_anywhere(*pair, turns_of_tables).mean() for pair in ((best, other), (other, best)))
    assert won + lost == pytest.approx(1, abs=1e-9) or not game.constant_sum
    assert won >= lost


@pytest.mark.parametrize("game", [pigevo.Pig(), pigevo.Pig(target=60, sides=4, allow_pass=True)], ids=str)
def test_both_engines_agree_on_large_games(game):
    players = [pigevo.hold_at(game, 20), pigevo.score(game, 20), pigevo.random_strategy(game, seed=3)]
    for a in players:
        for b in players:
            p = pigevo.win_probability(a, b)
            assert on_board(a, b) == pytest.approx((p.first, p.second), abs=CLOSE)
    best = optimum_on_board(game, TIE)
    fast = pigevo.optimal(game)
    assert np.allclose(best.worth.moving, fast.values.ravel(), atol=CLOSE, rtol=0)


def test_a_player_who_hardly_banks_is_solved_by_the_matrix():
    """Plain passes take too long where play falls back nearly for ever."""
    game = GAMES["two_dice"].bind({"target": 20, "sides": 2})
    a, b = pigevo.hold_at(game, 4), pigevo.hold_at(game, 3)
    p = pigevo.win_probability(a, b)
    assert p.error < 1e-12
    assert p.overall + pigevo.win_probability(b, a).overall == pytest.approx(1, abs=1e-10)


@pytest.mark.parametrize("target", [100, 136, 160, 220])
def test_games_of_a_million_million_turns_are_solved(target):
    """A turn has next to no chance to be the last, so who needs fewer turns alone wins as their numbers are."""
    game = GAMES["two_dice"].bind({"target": target, "sides": 2})
    a, b = pigevo.hold_at(game, 4), pigevo.hold_at(game, 8)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    mine, theirs = mean_turns_alone(a), mean_turns_alone(b)
    assert p.overall == pytest.approx(theirs / (mine + theirs), abs=2e-6)
    assert p.first + q.second == pytest.approx(1, abs=1e-12)
    assert p.second + q.first == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("target", [20, 60, 110])
@pytest.mark.parametrize("name", ["pig", "hold_to_win"])
def test_turns_that_hardly_ever_change_a_score_are_solved(name, target):
    """With two sides, one player wins with `2^(-T/2)` a turn; the other banks `T - 2` twice as often, and then tosses."""
    game = GAMES[name].bind({"target": target, "sides": 2})
    p = pigevo.win_probability(pigevo.hold_at(game, target), pigevo.hold_at(game, target - 2))
    wins, banks = Fraction(1, 2 ** (target // 2)), Fraction(2, 2 ** (target // 2))
    banked = wins / (1 - (1 - wins) / 2)
    first = (wins + (1 - wins) * banks * banked) / (1 - (1 - wins) * (1 - banks))
    assert p.first == pytest.approx(float(first), rel=1e-13)
    assert p.second == pytest.approx(float(banks * banked + (1 - banks) * first), rel=1e-13)


@pytest.mark.parametrize("name", ["equal_turns", "skunk", "two_dice", "hold_to_win"])
def test_both_players_win_probabilities_add_up_where_turns_hardly_ever_change_a_score(name):
    game = GAMES[name].bind({"target": 110, "sides": 2})
    for n, m in ((game.size, 40), (game.size - 8, 40), (game.size, game.size - 8)):
        a, b = pigevo.hold_at(game, n), pigevo.hold_at(game, m)
        p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
        drawn = (2 * game.draw - 1) * p.draw_first
        assert p.first + q.second == pytest.approx(1 + drawn, abs=1e-12)


@pytest.mark.parametrize("target", [64, 72])
def test_stalemates_that_are_rarer_than_a_rounding_error_in_a_turn_count(target):
    """With a chance of 2^(-T/2) or so for each fall; by symmetry, nobody wins more than half of the other games."""
    game = GAMES["two_dice"].bind({"target": target, "sides": 2, "allow_pass": True})
    at = target - 4
    player = pigevo.Strategy.from_holds(game, lambda i, j: np.where((i == at) & (j == at), 0, 4))
    p = pigevo.win_probability(player, player)
    assert p.first + p.second + p.stalemate_first == pytest.approx(1, abs=1e-12)
    assert p.stalemate_first == pytest.approx(STALEMATES[target], rel=1e-3)


STALEMATES = {64: 3.0521e-5, 72: 7.6296e-6}
"""By an elimination of all states in fractions."""


def test_visits_in_games_of_a_million_turns():
    """By the dense system of all states; and what single decisions cost adds up to what the strategy loses."""
    game = GAMES["two_dice"].bind({"target": 80, "sides": 2})
    a = pigevo.hold_at(game, 4)
    assert float(reach(a, a).first[..., 0].sum()) == pytest.approx(2_097_168.25, rel=1e-9)
    game = GAMES["two_dice"].bind({"target": 60, "sides": 2})
    player, best = pigevo.hold_at(game, 8), pigevo.optimal(game)
    lost = best.overall - pigevo.win_probability(player, best.strategy).overall
    assert decision_costs(player).sum() == pytest.approx(lost, abs=1e-9)


@pytest.mark.parametrize("end", [0.1, 1e-8, 1e-14])
@pytest.mark.parametrize("seed", range(3))
def test_a_chain_is_solved_to_the_last_digits_however_seldom_it_ends(end, seed):
    """By elimination in fractions, which round nothing."""
    n, draw = 5, Draw(seed, "validation")
    steps, ends = draw.uniforms(n * n).reshape(n, n), end * draw.at(part=1).uniforms(n)
    begun, gains = draw.at(part=2).uniforms(2 * n).reshape(2, n)
    total = steps.sum(axis=1) + ends
    steps, ends = steps / total[:, None], ends / total
    chain = chain_of(steps, ends)
    rest = [[-Fraction(float(step)) for step in row] for row in steps]
    for s in range(n):  # the chance to leave, as the sum of all others
        rest[s][s] = Fraction(float(ends[s])) - sum(rest[s][t] for t in range(n) if t != s)
    across = [list(column) for column in zip(*rest, strict=True)]
    assert chain.expected(gains) == pytest.approx(solved_in_fractions(rest, gains), rel=1e-13)
    assert chain.visits(begun) == pytest.approx(solved_in_fractions(across, begun), rel=1e-13)


def solved_in_fractions(matrix, right):
    """The solution of a linear system, by Gauss and Jordan."""
    rows = [[*row, Fraction(float(value))] for row, value in zip(matrix, right, strict=True)]
    for s, row in enumerate(rows):
        for other in rows:
            if other is not row:
                factor = other[s] / row[s]
                other[:] = [x - factor * y for x, y in zip(other, row, strict=True)]
    return [float(row[-1] / row[s]) for s, row in enumerate(rows)]


def test_what_is_not_proven_is_said(caplog):
    for values, sentence in (({"target": 61, "sides": 2}, "no bound"), ({"target": 20}, "")):
        caplog.clear()
        solution = optimal(GAMES["two_dice"].bind(values))
        assert (solution.error > 1e-6) == bool(sentence)
        assert sentence in caplog.text
        assert bool(caplog.text) == bool(sentence)


def test_the_bound_holds_for_a_worth_that_is_off():
    """Put a wrong number in, and the change of one pass times the loops covers how far it is from the truth."""
    matrix, constant = np.array([[0.5, 0.4], [0.3, 0.6]]), np.array([0.05, 0.02])
    truth = np.linalg.solve(np.eye(2) - matrix, constant)
    most = bound_on_falls(lambda low: low @ matrix.T, (2,))
    for wrong in (truth + np.array([1e-3, 0]), truth - 0.1, truth + np.array([0.2, -0.1])):
        missed = np.abs(matrix @ wrong + constant - wrong).max()
        assert np.abs(wrong - truth).max() <= missed * most * (1 + 1e-12)
    assert bound_on_falls(lambda low: low, (2,)) == float("inf")


def test_mixed_strategies_are_refused_where_they_cannot_be():
    game = pigevo.Pig(target=10, allow_pass=True)
    halves = pigevo.Strategy(game, np.full(game.shape, 0.5))
    with pytest.raises(pigevo.InputError, match="a gene says roll or hold"):
        pigevo.CubeGrid(game, 2).from_strategies([halves])


GAME = pigevo.Pig(target=8, sides=4, allow_pass=True)


def by_chance(seed, game=GAME):
    """Rolls, passes and holds surely in some states, and by chance in the others."""
    rng = np.random.default_rng(seed)
    return pigevo.Strategy(game, rng.choice([0.0, 1.0, 0.001, *rng.random(3)], game.shape), f"by_chance:{seed}")


def nine_of_ten(game):
    return pigevo.Strategy(game, np.full(game.shape, 0.9), "return 0.9")


@pytest.mark.parametrize("seed", range(8))
def test_every_state_is_that_of_one_system_and_no_pass_by_chance_ends_a_game(seed):
    a, b = by_chance(seed), by_chance(seed + 100)
    assert_pair_as_every_state(a, b)
    assert_best_as_every_state(GAME, a)
    expected = any_game.values(GAME, a, b)
    reached = ~np.isnan(expected)
    assert pigevo.state_values(a, b)[reached] == pytest.approx(expected[reached], abs=1e-12)


def test_nine_of_ten_against_itself_is_decided_and_beginning_helps():
    """Figures by a backward solve of the scores, independent of pigevo."""
    both = nine_of_ten(pigevo.Pig(allow_pass=True))
    p = pigevo.win_probability(both, both)
    assert (p.first, p.second) == pytest.approx((0.516780379126808, 0.483219620873192), abs=1e-12)
    assert (p.stalemate_first, p.stalemate_second) == (0, 0)  # no word of stalemates in `duel`
    played = pigevo.play_match(both, both, games=2000, seed=2)
    assert (played.stalemates, played.unfinished) == (0, 0)


def test_one_who_always_passes_waits_for_one_who_passes_by_chance():
    waits = pigevo.Strategy(GAME, np.zeros(GAME.shape, bool), "waits")
    p = pigevo.win_probability(nine_of_ten(GAME), waits)
    assert (p.first, p.second) == pytest.approx((1, 1), abs=1e-12)
    assert pigevo.play_match(nine_of_ten(GAME), waits, games=500, seed=1).wins == 500
    itself = pigevo.play_match(waits, waits, games=20, seed=1)
    assert (itself.stalemates, pigevo.win_probability(waits, waits).stalemate_first) == (20, 1.0)


def test_one_who_hardly_ever_rolls_still_wins_half_of_the_games():
    hardly = pigevo.Strategy(GAME, np.where(np.arange(8) == 0, 1e-12, 1.0) * np.ones(GAME.shape), "hardly")
    p = pigevo.win_probability(hardly, hardly)
    assert p.first + p.second == pytest.approx(1, abs=1e-12)
    assert p.first == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_simulated_games_agree_with_the_exact_figures(seed):
    a, b = by_chance(seed), by_chance(seed + 100)
    p, played = pigevo.win_probability(a, b), pigevo.play_match(a, b, games=20_000, seed=seed)
    low, high = played.interval(0.9999)
    assert low <= p.overall <= high or played.unfinished
    left = (p.stalemate_first + p.stalemate_second) / 2
    assert played.stalemates / 20_000 == pytest.approx(left, abs=0.015)


GAMES_PLAYED = [Pig(target=23), Pig(target=31, sides=20), Piglet(target=12), Race(17, {1: 0.2, 5: 0.3, 9: 0.1}, 0.4),
                Pig(target=1), Pig(target=3), Pig(target=23, allow_pass=True), Piglet(target=12, allow_pass=True)]  # fmt: skip


@law(st.lists(rules, min_size=1, max_size=20), st.integers(0, 99), quick=5, full=30)
def test_rules_win_as_the_general_engine_says(made, seed):
    for game in GAMES_PLAYED:
        opponent = pigevo.random_strategy(game, seed=seed)  # where passing is allowed, it passes at half of the scores
        overall = Thresholds(opponent).overall(np.stack([rule.planned(game) for rule in made]))
        exact = [pigevo.win_probability(rule.strategy(game), opponent).overall for rule in made]
        np.testing.assert_allclose(overall, exact, rtol=0, atol=1e-12)


@law(quick=6, full=30, made=st.lists(bases, min_size=1, max_size=4), raced=st.lists(races, min_size=1, max_size=4),
     margins=st.lists(st.integers(0, 30), min_size=1, max_size=3))  # fmt: skip
def test_bases_races_and_margins_make_rules(made, raced, margins):
    """All combinations at once, more than one rule to each lane, both seats."""
    game = Pig(target=23)
    opponent = pigevo.optimal(game).strategy
    nothing = parse_rule("0").base
    raced = [tuple(g for g in race if not any(isinstance(part, Leaves) for part in g)) for race in raced]
    chosen = [(b, r, m) for b in range(len(made)) for r in range(len(raced)) for m in range(len(margins))]
    plans = np.stack([Rule(base).planned(game) for base in made])
    masks = np.stack([Rule(nothing, race).planned(game) >= FAR for race in raced])
    all_seats = Thresholds(opponent).seats(plans, masks, [(b, r, margins[m]) for b, r, m in chosen], workers=2)
    for (b, r, m), seats in zip(chosen, all_seats, strict=True):
        race = (*raced[r], (Leaves(margins[m]),)) if margins[m] else raced[r]
        p = pigevo.win_probability(Rule(made[b], race).strategy(game), opponent)
        np.testing.assert_allclose(seats, (p.first, p.second), rtol=0, atol=1e-12)


def test_without_rules_the_answer_is_empty():
    game = Pig(target=9)
    assert Thresholds(pigevo.hold_at(game, 3)).overall(np.zeros((0, 9, 9), int)).shape == (0,)


def test_rules_are_not_evaluated_in_other_games_or_against_chance():
    with pytest.raises(InputError, match="races of one die, not in Two-dice Pig to 9"):
        Thresholds(pigevo.hold_at(GAMES["two_dice"].bind({"target": 9}), 3))
    with pytest.raises(InputError, match="against opponents without chance, not noisy"):
        Thresholds(pigevo.noisy(pigevo.hold_at(Pig(target=9), 3), 0.1))


@pytest.mark.parametrize("target", [1, 2, 3, 30])
def test_a_simple_rule_exploits_nearly_as_a_best_response_does(target):
    game = Pig(target=target)
    for opponent in (pigevo.hold_at(game, 4), pigevo.random_strategy(game, 2)):
        wins = win_probability(simple_rule_against(opponent).strategy(game), opponent).overall
        most = best_response(opponent).overall
        assert most - 0.03 < wins < most + 1e-12
        assert wins > win_probability(pigevo.hold_at(game, 20), opponent).overall - 1e-12


OTHERS = [GAMES["two_dice"].bind({"target": 20}), Pig(target=25, allow_pass=True),
          GAMES["ten_rounds"].bind({"turns": 4, "cap": 40}), GAMES["ten_rounds"].bind({"turns": 2, "cap": 20, "rolls": True}),
          GAMES["equal_turns"].bind({"target": 20, "cap": 30})]  # fmt: skip


@pytest.mark.parametrize("game", OTHERS, ids=str)
def test_in_other_games_the_search_begins_at_rules_that_decide_alike(game):
    """It wins more than hold values alone; and how often rules agree with the best response is what their arrays say."""
    opponent = pigevo.hold_at(game, 4)
    answer = best_response(opponent).strategy
    rule, like = simple_rule_against(opponent, answer), _agreement(answer, opponent)
    assert rule == simple_rule_against(opponent)
    wins = win_probability(rule.strategy(game), opponent).overall
    assert wins > max(0.5, *(win_probability(pigevo.hold_at(game, n), opponent).overall for n in (6, 15))) - 5e-3
    decisions = np.where(np.broadcast_to(game.decision_states, game.shape), reach(answer, opponent).overall, 0.0)
    if game.reply:  # who has come to the target decides by no rule
        decisions = decisions[:, :, : game.target]
    for text in ("9", "12+(j-i)/4"):
        alike = np.where(parse_rule(text).strategy(game).roll == answer.roll, 1.0, 0.0)
        alike = alike[:, :, : game.target] if game.reply else alike
        assert _agreed(parse_rule(text), game, like) == pytest.approx((decisions * alike).sum())


@pytest.mark.parametrize(
    ("level", "known"),
    [(5, "12+(j-i)/6; race either>=90"), (10, "18+(j-i)/6; race either>=85"), (40, "20; race either>=80")],
)
def test_where_passing_is_allowed_the_whole_grid_is_tried(level, known):
    """What agrees most often with the best response to whoever passes wins far less than other rules."""
    game = Pig(allow_pass=True)
    opponent = pigevo.skip_when_level(game, level)
    wins = win_probability(simple_rule_against(opponent).strategy(game), opponent).overall
    assert wins >= win_probability(parse_rule(known).strategy(game), opponent).overall


def test_where_a_rule_takes_long_to_evaluate_its_neighbours_are_tried():
    game = GAMES["two_dice"].bind({"target": 40})
    best = optimal(game).strategy
    wins = win_probability(simple_rule_against(best).strategy(game), best).overall
    assert wins >= win_probability(parse_rule("18; race either>=15").strategy(game), best).overall > 0.4999


def test_the_search_climbs_to_a_rule_that_none_of_its_neighbours_beats():
    """What agrees most often is `14+(j-i)/8; race either>=10`, with .6892."""
    game = GAMES["equal_turns"].bind({"target": 20, "cap": 30})
    opponent = pigevo.hold_at(game, 4)
    wins = win_probability(simple_rule_against(opponent).strategy(game), opponent).overall
    assert wins == pytest.approx(0.702705, abs=1e-6)
    for text in ("21+(j-i)/8; race either>=10", "22+(j-i)/12; race either>=10", "22+(j-i)/8; race either>=11"):
        assert win_probability(parse_rule(text).strategy(game), opponent).overall <= wins


def test_not_to_race_at_all_is_beside_the_latest_race():
    game = GAMES["skunk"].bind({"target": 40, "cap": 60})
    opponent = pigevo.hold_at(game, 12)
    wins = win_probability(simple_rule_against(opponent).strategy(game), opponent).overall
    assert wins >= win_probability(parse_rule("21+(j-i)/6").strategy(game), opponent).overall > 0.516


def test_a_simple_rule_finds_one_of_its_own_form():
    """Against whoever never holds, what counts is the own way to the target."""
    game = Pig(target=40)
    never = pigevo.Strategy.from_function(game, lambda i, j, k: True)
    rule = simple_rule_against(never).strategy(game)
    best = optimal(game).strategy
    assert win_probability(rule, never).overall > win_probability(best, never).overall - 5e-3


def chances(game, a, b, most=8):
    """The chance that a comes to each of some cells, (cell, moving first, moving second): a system for each cell."""
    number = any_game.states(game)
    n = len(number)
    step = any_game.played(game, number, a, b).tocsr()[:, :n]
    places = {}
    for s in number:
        if s.player == 0:
            places.setdefault(any_game.cell(game, s), []).append(number[s])
    cells = sorted(places)
    for cell in cells[:: -(-len(cells) // most)]:
        wanted = np.zeros(n)
        wanted[places[cell]] = 1
        solved = spsolve((sparse.identity(n) - sparse.diags(1 - wanted) @ step).tocsc(), wanted)
        yield cell, solved[number[START]], solved[number[START._replace(player=1)]]


def assert_as_chain(game, a, b):
    distinct = pigevo.distinct_states(a, b)
    for cell, first, second in chances(game, a, b):
        assert (distinct.first[cell], distinct.second[cell]) == pytest.approx((first, second), abs=1e-10), cell


@law(duels(largest=5), quick=6, full=25)
def test_chances_are_those_of_a_chain_over_all_states(duel):
    game, a, b = duel
    if game.bust < 1:
        assert_as_chain(game, a, b)


SMALLER = {"target": 12, "cap": 24}
"""Every state of every game is looked at, which takes long in larger games."""


@pytest.mark.parametrize("name", [name for name in GAMES if not small(name).falls])
def test_so_they_are_in_every_game_in_which_scores_only_grow(name):
    game = small(name, **{option: value for option, value in SMALLER.items() if option in GAMES[name].options})
    assert_as_chain(game, pigevo.optimal(game).strategy, pigevo.random_strategy(game, seed=2))


def test_as_many_states_as_games_that_are_played_come_to():
    game = pigevo.Pig(20)
    a, b = pigevo.hold_at(game, 7), pigevo.random_strategy(game, seed=1)
    distinct = pigevo.distinct_states(a, b)
    counts = []
    for seed in range(40):
        draw = Draw(seed, "dice")
        counts.append(len(set().union(*(states_of_game(a, b, n % 2, draw.at(part=n)) for n in range(50)))))
    error = np.std(counts, ddof=1) / len(counts) ** 0.5
    assert np.mean(counts) == pytest.approx(distinct.expected(50), abs=4 * error)


def states_of_game(a, b, seat, draw):
    """The states to which player `a` comes in a game that is played, turn totals of 0 among them."""
    return {
        (turn.own, turn.opponent, total)
        for turn in play_turns(*((a, b) if seat == 0 else (b, a)), draw, 1000)
        for total in itertools.accumulate(turn.rolls, initial=0)
        if turn.player == seat and turn.own + total < a.game.target
    }


def test_games_needed_are_the_fewest():
    game = pigevo.Pig(20)
    a = pigevo.hold_at(game, 7)
    distinct = pigevo.distinct_states(a, a)
    reachable = distinct.most / distinct.states
    for share in (0.01, 0.1, 0.9 * reachable):
        games = distinct.games_for(share)
        assert distinct.share(games) >= share > distinct.share(games - 1)
    assert distinct.games_for(reachable + 1e-9) is distinct.games_for(reachable) is None
    assert distinct.games_for(distinct.share(1) / 2) == 1
    surely = pigevo.distinct_states(*[pigevo.hold_at(pigevo.Pig(1), 1)] * 2)
    assert [surely.games_for(share) for share in (0.01, 0.5, 1.0)] == [1, 1, 1]
    assert distinct.games_for(0) == 0
    assert distinct.expected(0) == 0
    assert distinct.expected(1e15) == pytest.approx(distinct.most)


def test_games_in_which_scores_fall_are_refused():
    game = pigevo.parse_strategy("optimal", small("two_dice")).game
    with pytest.raises(InputError, match="scores can fall"):
        pigevo.distinct_states(pigevo.hold_at(game, 5), pigevo.hold_at(game, 5))
