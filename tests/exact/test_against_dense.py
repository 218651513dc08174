"""The exact engine against a dense linear system over every state, whole turns, and fractions."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import pigevo
from pigevo.compiled.simd import LANES
from pigevo.exact import against, prepare, turn_outcomes
from pigevo.exact.evaluate import TOGETHER
from pigevo.exact.turns import readable_rows
from pigevo.strategies import CubeGrid, Members
from tests.cases import duels, law
from tests.reference import two
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


GAMES = [
    pigevo.Piglet(10),
    pigevo.Piglet(6, 1 / 3),
    pigevo.Pig(8),
    pigevo.Pig(7, 4, allow_pass=True),
    pigevo.Race(9, {1: 0.25, 4: 0.25}, bust=0.5),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
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
