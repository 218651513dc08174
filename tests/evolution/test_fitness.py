"""Fitness: what an evaluation says, pair by pair and member by member."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, referee
from pigevo.evolution.fitness.win_rates import Exact, Games, Sets, exact_vs, exact_vs_optimal, panel
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from pigevo.simulation import play_pairs
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.strategies import parse_strategy
from tests.evolution.helpers import context_of, tables_of

GAME = Pig(target=16)
PASSING = Pig(target=16, allow_pass=True)
DRAW = Draw(3, "dice", 5)


def players(game, n=6):
    return [pigevo.random_strategy(game, seed=s) for s in range(n)]


def rows_of(strategies):
    return np.stack([s.table for s in strategies])


MATCHING = np.array([[4, 0], [1, 5], [3, 2]])


def returned_by(fitness, strategies, pairs=MATCHING, draw=DRAW, workers=1, **options):
    context = context_of(strategies[0].game, draw, pairs=pairs, workers=workers)
    return fitness(tables_of(strategies), context, **options)


class TestEvaluation:
    def test_a_pairwise_score_is_the_mean_of_a_members_results_and_0_without_any(self):
        pairs = np.array([[0, 1], [2, 0], [1, 2]])
        wins = np.array([[0.6, 0.4], [0.9, 0.1], [0.3, 0.5]])
        evaluation = Evaluation.of_matches(4, pairs, wins, games=7)
        assert evaluation.scores == pytest.approx([(0.6 + 0.1) / 2, (0.4 + 0.3) / 2, (0.9 + 0.5) / 2, 0])
        assert evaluation.games == 7


class TestGames:
    @pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
    def test_are_the_matches_of_the_arena(self, game):
        members = players(game)
        wins = returned_by(Games(games=30), members)
        counts = play_pairs(game, rows_of(members), MATCHING.tolist(), 30, DRAW)
        assert np.array_equal(wins, counts[:, :2] / 30)
        assert (counts[:, 2].sum() > 0) == game.allow_pass


class TestExact:
    @pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
    def test_gives_both_of_a_pair_their_own_win_probability(self, game):
        members = players(game)
        for (a, b), wins in zip(MATCHING, returned_by(Exact(), members), strict=True):
            assert wins[0] == pytest.approx(pigevo.win_probability(members[a], members[b]).overall, abs=1e-12)
            assert wins[1] == pytest.approx(pigevo.win_probability(members[b], members[a]).overall, abs=1e-12)
            if game.allow_pass:
                assert wins.sum() < 0.99  # the rest are stalemates


class TestExactVs:
    def test_is_the_probability_against_the_opponent(self):
        members = players(GAME)
        scores = returned_by(exact_vs, members, opponent="hold_at:7")
        expected = [pigevo.win_probability(m, pigevo.hold_at(GAME, 7)).overall for m in members]
        assert scores == pytest.approx(expected, abs=1e-12)
        assert Evaluation.of_scores(scores, MATCHING).wins[0].tolist() == [scores[4], scores[0]]

    def test_the_optimum_as_opponent_is_the_referee(self):
        members = [*players(GAME), pigevo.optimal(GAME).strategy]
        scores = returned_by(exact_vs_optimal, members)
        assert np.array_equal(scores, returned_by(exact_vs, members, opponent="optimal"))
        assert np.array_equal(scores, referee(GAME, rows_of(members)))
        assert scores.max() == scores[-1] == pytest.approx(0.5, abs=1e-12)

    def test_an_unknown_opponent_is_refused(self, make_plan):
        with pytest.raises(InputError, match=r"fitness\.opponent: .*did you mean hold_at"):
            make_plan(fitness={"name": "exact_vs", "opponent": "hold_on"})


class TestSets:
    @pytest.mark.parametrize("size", [1, 5, 6, 30])
    def test_points_are_those_of_stretches_of_the_same_games(self, size):
        members = players(GAME)
        fitness = Sets(games=30, sets=30 // size)
        for pair, wins in enumerate(returned_by(fitness, members)):
            won = [first_wins(members, pair, game) for game in range(30)]
            points = [np.sign(2 * sum(won[n : n + size]) - size) for n in range(0, 30, size)]
            assert wins[0] == pytest.approx((1 + np.mean(points)) / 2)
            assert wins.sum() == pytest.approx(1)
        assert (fitness.plays.members, fitness.plays.games) == (True, 30)

    def test_games_must_be_a_multiple_of_the_sets(self):
        with pytest.raises(InputError, match="100 cannot be divided into 7 sets"):
            Sets(games=100, sets=7)
        with pytest.raises(InputError, match="multiple of the sets"):
            play_pairs(GAME, rows_of(players(GAME)), [(0, 1)], 10, DRAW, sets=3)


def first_wins(members, pair, game):
    """Whether the first of a pair wins a game, played turn by turn in plain Python."""
    first, second = MATCHING[pair] if game % 2 == 0 else MATCHING[pair][::-1]
    turns = list(play_turns(members[first], members[second], DRAW.at(pair=pair, part=game), 1000))
    return outcome(turns, GAME) == game % 2


class TestPanel:
    PANEL = ("hold_at:5", "score:9", "optimal")

    @pytest.mark.parametrize(("by", "of"), [("mean", np.mean), ("worst", np.min)])
    def test_the_score_is_the_mean_or_the_worst_of_the_exact_win_probabilities(self, by, of):
        members, opponents = players(GAME), [parse_strategy(name, GAME) for name in self.PANEL]
        expected = [[pigevo.win_probability(member, other).overall for other in opponents] for member in members]
        evaluation = returned_by(panel, members, opponents=self.PANEL, by=by)
        assert evaluation.cases == pytest.approx(np.array(expected), abs=1e-12)
        assert evaluation.scores == pytest.approx(of(expected, axis=1), abs=1e-12)
        assert evaluation.wins[0].tolist() == [evaluation.scores[4], evaluation.scores[0]]
        assert evaluation.games == 0

    def test_saved_strategies_are_taken_and_belong_to_the_run_by_what_is_in_them(self, tmp_path):
        path = str(pigevo.hold_at(GAME, 9).save(tmp_path / "s.npz"))
        by_name = returned_by(exact_vs, players(GAME), opponent="hold_at:9")
        assert np.array_equal(returned_by(exact_vs, players(GAME), opponent=path), by_name)
        assert np.array_equal(returned_by(panel, players(GAME), opponents=[path]).scores, by_name)
        words = "game.target=16", "fitness=panel", f"fitness.opponents=['{path}']"
        before = Settings.of(*words).hash
        pigevo.hold_at(GAME, 8).save(tmp_path / "s.npz")
        assert Settings.of(*words).hash != before

    def test_nobody_and_unknown_names_are_refused(self, make_plan):
        with pytest.raises(InputError, match=r"fitness\.opponents is empty: give at least one"):
            make_plan(fitness={"name": "panel", "opponents": []})
        with pytest.raises(InputError, match=r"fitness\.opponents: .*did you mean hold_at"):
            make_plan(fitness={"name": "panel", "opponents": ["hold_at:3", "hold_on"]})
