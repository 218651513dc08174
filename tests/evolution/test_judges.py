"""Judges: what a verdict says, pair by pair and member by member."""

import numpy as np
import pytest

import pigevo
from pigevo.arena import play_pairs
from pigevo.arena.plain import outcome, play_turns
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.exact import Exact, ExactVs, ExactVsOptimal
from pigevo.evolution.fitness.games import Games
from pigevo.evolution.fitness.sets import Sets
from pigevo.evolution.referee import referee
from pigevo.evolution.verdict import absolute, every_pair, pairwise
from pigevo.games import Pig

GAME = Pig(target=16)
PASSING = Pig(target=16, allow_pass=True)
DRAW = Draw(3, "dice", 5)


def players(game, n=6):
    return [pigevo.random_strategy(game, seed=s) for s in range(n)]


def rows_of(strategies):
    return np.stack([s.table for s in strategies])


MATCHING = np.array([[4, 0], [1, 5], [3, 2]])


class TestVerdict:
    def test_a_pairwise_score_is_the_mean_of_a_members_results(self):
        pairs = np.array([[0, 1], [2, 0], [1, 2]])
        wins = np.array([[0.6, 0.4], [0.9, 0.1], [0.3, 0.5]])
        verdict = pairwise(3, pairs, wins, games=7)
        assert verdict.scores == pytest.approx([(0.6 + 0.1) / 2, (0.4 + 0.3) / 2, (0.9 + 0.5) / 2])
        assert verdict.games == 7

    def test_a_member_who_met_nobody_scores_nothing(self):
        assert pairwise(3, np.array([[0, 2]]), np.array([[0.7, 0.3]])).scores.tolist() == [0.7, 0.0, 0.3]

    def test_an_absolute_verdict_compares_scores_in_pairs(self):
        verdict = absolute(np.array([0.1, 0.2, 0.3]), np.array([[2, 0], [1, 2]]))
        assert verdict.wins.tolist() == [[0.3, 0.1], [0.2, 0.3]]
        assert verdict.games == 0

    @pytest.mark.parametrize("size", [1, 2, 5])
    def test_every_pair_is_every_pair_once(self, size):
        assert every_pair(size).tolist() == [[a, b] for a in range(size) for b in range(a + 1, size)]


class TestGames:
    @pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
    def test_are_the_matches_of_the_arena(self, game):
        rows = rows_of(players(game))
        verdict = Games(game, 1, games=30)(rows, MATCHING, DRAW)
        counts = play_pairs(game, rows, MATCHING.tolist(), 30, DRAW)
        assert np.array_equal(verdict.wins, counts[:, :2] / 30)
        assert verdict.games == 90
        assert verdict.scores[4] == counts[0, 0] / 30
        assert verdict.scores[0] == counts[0, 1] / 30
        assert (counts[:, 2].sum() > 0) == game.allow_pass

    def test_play_other_games_in_other_generations(self):
        rows = rows_of(players(GAME))
        judge = Games(GAME, 1, games=200)
        assert not np.array_equal(judge(rows, MATCHING, DRAW).wins, judge(rows, MATCHING, Draw(3, "dice", 6)).wins)

    def test_come_near_the_exact_judge(self):
        rows = rows_of(players(GAME))
        sampled = Games(GAME, 2, games=20_000)(rows, MATCHING, DRAW).wins
        exact = Exact(GAME, 1)(rows, MATCHING, DRAW).wins
        assert np.abs(sampled - exact).max() < 4.5 * 0.5 / 20_000**0.5  # p below 6 * 7e-6


class TestExact:
    @pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
    def test_gives_both_of_a_pair_their_own_win_probability(self, game):
        members = players(game)
        verdict = Exact(game, 1)(rows_of(members), MATCHING, DRAW)
        for (a, b), wins in zip(MATCHING, verdict.wins, strict=True):
            assert wins[0] == pytest.approx(pigevo.win_probability(members[a], members[b]).overall, abs=1e-12)
            assert wins[1] == pytest.approx(pigevo.win_probability(members[b], members[a]).overall, abs=1e-12)
            if game.allow_pass:
                assert wins.sum() < 0.99  # the rest are stalemates

    def test_everyone_against_everyone_is_the_win_matrix(self):
        members = players(GAME)
        verdict = Exact(GAME, 1)(rows_of(members), every_pair(6), DRAW)
        matrix = pigevo.win_matrix(members)
        expected = (matrix.sum(axis=1) - 0.5) / 5
        assert verdict.scores == pytest.approx(expected, abs=1e-12)

    def test_needs_no_dice(self):
        rows = rows_of(players(GAME))
        a, b = (Exact(GAME, 1)(rows, MATCHING, Draw(s, "dice", s)).wins for s in (1, 2))
        assert np.array_equal(a, b)


class TestAbsolute:
    def test_exact_vs_is_the_probability_against_the_opponent(self):
        members = players(GAME)
        verdict = ExactVs(GAME, 1, opponent="hold_at:7")(rows_of(members), MATCHING, DRAW)
        expected = [pigevo.win_probability(m, pigevo.hold_at(GAME, 7)).overall for m in members]
        assert verdict.scores == pytest.approx(expected, abs=1e-12)
        assert verdict.wins[0].tolist() == [verdict.scores[4], verdict.scores[0]]

    def test_exact_vs_takes_the_optimum_and_saved_files(self, tmp_path):
        rows = rows_of(players(GAME))
        assert np.array_equal(
            ExactVs(GAME, 1, opponent="optimal")(rows, MATCHING, DRAW).scores,
            ExactVsOptimal(GAME, 1)(rows, MATCHING, DRAW).scores,
        )
        path = str(pigevo.hold_at(GAME, 9).save(tmp_path / "s.npz"))
        assert ExactVs(GAME, 1, opponent=path).strategy == pigevo.hold_at(GAME, 9)

    def test_exact_vs_refuses_an_opponent_that_is_none(self):
        with pytest.raises(InputError, match="did you mean hold_at"):
            ExactVs(GAME, 1, opponent="hold_on")

    def test_exact_vs_optimal_is_the_referee(self):
        members = [*players(GAME), pigevo.optimal(GAME).strategy]
        rows = rows_of(members)
        verdict = ExactVsOptimal(GAME, 1)(rows, MATCHING, DRAW)
        assert np.array_equal(verdict.scores, referee(GAME, rows))
        assert verdict.scores[-1] == pytest.approx(0.5, abs=1e-12)
        assert verdict.scores.max() == verdict.scores[-1]


@pytest.mark.parametrize("judge", [Games, Exact, ExactVs, ExactVsOptimal])
def test_no_verdict_depends_on_the_workers(judge):
    rows = rows_of(players(GAME))
    one, two = (judge(GAME, workers)(rows, every_pair(6), DRAW) for workers in (1, 2))
    assert np.array_equal(one.wins, two.wins)
    assert np.array_equal(one.scores, two.scores)


class TestSets:
    @pytest.mark.parametrize("size", [1, 5, 6, 30])
    def test_points_are_those_of_stretches_of_the_same_games(self, size):
        rows = rows_of(players(GAME))
        verdict = Sets(GAME, 1, games=30, sets=30 // size)(rows, MATCHING, DRAW)
        for pair, wins in zip(range(len(MATCHING)), verdict.wins, strict=True):
            won = [_first_wins(rows, pair, game) for game in range(30)]
            points = [np.sign(2 * sum(won[n : n + size]) - size) for n in range(0, 30, size)]
            assert wins[0] == pytest.approx((1 + np.mean(points)) / 2)
            assert wins.sum() == pytest.approx(1)
        assert verdict.games == 90

    def test_games_must_be_a_multiple_of_the_sets(self):
        with pytest.raises(InputError, match="100 cannot be divided into 7 sets"):
            Sets(GAME, 1, games=100, sets=7)
        with pytest.raises(InputError, match="multiple of the sets"):
            play_pairs(GAME, rows_of(players(GAME)), [(0, 1)], 10, DRAW, sets=3)


def _first_wins(rows, pair, game):
    """Whether the first of a pair wins a game, played turn by turn in plain Python."""
    first, second = MATCHING[pair] if game % 2 == 0 else MATCHING[pair][::-1]
    strategies = [pigevo.Strategy(GAME, rows[m].transpose(0, 2, 1).astype(bool)) for m in (first, second)]
    turns = list(play_turns(*strategies, DRAW.at(pair=pair, part=game), 1000))
    return outcome(turns, GAME.target) == game % 2
