"""Fitness: what an evaluation says, past champions as opponents, selection by cases, and ways to spend games."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo import exact
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair, referee
from pigevo.evolution.fitness import archive
from pigevo.evolution.fitness.archive import (
    Archive,
    ArchiveGames,
    champions,
    digests,
    raced,
    remember_champion,
    thinned,
)
from pigevo.evolution.fitness.win_rates import Exact, Games, Sets, exact_vs, exact_vs_optimal, panel
from pigevo.evolution.game_allocation import (
    ALLOCATION_RULES,
    IN,
    OUT,
    Next,
    Standings,
    allocation_rule,
    decided,
    racing,
    radii,
    ranked_by_tier,
    shares,
    spend,
)
from pigevo.evolution.selection.one_round import against_each, lexicase
from pigevo.games import GAMES, Pig
from pigevo.settings.settings import Settings
from pigevo.simulation import play_pairs
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.strategies import parse_strategy
from tests.cases import RARE
from tests.evolution.conftest import context_of, selecting, tables_of

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


@pytest.mark.parametrize("fitness", [exact_vs_optimal, Exact(), Games(20)])
def test_a_fitness_takes_other_numbers_seen_as_booleans_as_zeros_and_ones_and_refuses_other_arrays(fitness):
    tables, context = tables_of(players(GAME)), context_of(GAME, DRAW, pairs=MATCHING)
    sevens = (tables.astype(np.uint8) * 7).view(np.bool_)
    assert np.array_equal(np.asarray(fitness(sevens, context)), np.asarray(fitness(tables, context)))
    for wrong in (tables.astype(np.int64), tables[:, 0], tables[:, :8]):
        with pytest.raises(InputError, match=r"are booleans of shape \(n, 16, 16, 16\), not"):
            fitness(wrong, context)


class TestEvaluation:
    def test_a_pairwise_score_is_the_mean_of_a_members_results_and_0_without_any(self):
        pairs = np.array([[0, 1], [2, 0], [1, 2]])
        wins = np.array([[0.6, 0.4], [0.9, 0.1], [0.3, 0.5]])
        evaluation = Evaluation.of_matches(4, pairs, wins, games=7)
        assert evaluation.scores == pytest.approx([(0.6 + 0.1) / 2, (0.4 + 0.3) / 2, (0.9 + 0.5) / 2, 0])
        assert evaluation.games == 7


class TestGames:
    @pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
    def test_are_the_matches_of_the_simulation(self, game):
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


GRID = pigevo.CubeGrid(GAME, 1)
PAIRS = np.array([[0, 1], [2, 3]])


def evaluated(fitness, strategies, pairs=PAIRS, draw=DRAW, **more):
    return fitness(tables_of(strategies), context_of(strategies[0].game, draw, pairs=pairs, **more))


def archive_of(*strategies):
    return {"archive": np.packbits(rows_of(strategies).reshape(len(strategies), -1), axis=1)}


def test_the_best_member_enters_when_it_is_time():
    members, state = players(GAME, 4), {}
    for generation, best in enumerate((2, 0, 1, 3, 1)):
        scores = np.eye(4)[best]
        context = context_of(GRID, DRAW, scores, generation=generation, state=state)
        state = {**state, **remember_champion(GRID.from_strategies(members), context, every=2, size=3)}
    assert np.array_equal(champions(GAME, state), rows_of([members[2], members[1], members[1]]))
    assert state["archive_born"].tolist() == [0, 2, 4]
    assert champions(GAME, {}).shape == (0, 16, 16, 16)


@pytest.mark.parametrize(("size", "factor"), [(1, None), (2, None), (4, 22), (8, 4.1), (20, 2.0)])
def test_the_ages_of_those_who_stay_grow_geometrically(size, factor):
    born = np.empty(0, dtype=np.int64)
    for generation in range(500):
        born = np.append(born, generation)
        born = born[thinned(generation + 1 - born, size)]
        assert len(born) == min(size, generation + 1)
        assert born[-1] == generation
        assert born[0] == 0 or size == 1
    ages = 500 - born
    if factor:
        assert (ages[:-1] / ages[1:]).max() <= factor


def test_scores_are_the_worst_or_the_mean_of_the_cases():
    members, past = players(GAME, 5), [pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9)]
    expected = [[pigevo.win_probability(m, o).overall for o in past] for m in members]
    for by, score in (("worst", np.min), ("mean", np.mean)):
        evaluation = evaluated(Archive(by=by, exploring_starts=0), members, state=archive_of(*past))
        assert np.allclose(evaluation.cases, expected, atol=1e-12)
        assert np.allclose(evaluation.scores, score(expected, axis=1), atol=1e-12)
        assert np.array_equal(evaluation.wins, evaluation.scores[PAIRS])


def test_past_champions_are_met_in_games_of_rounds_too():
    game = GAMES["ten_rounds"].bind({"turns": 2, "cap": 9})
    members, past = [pigevo.hold_at(game, n) for n in (2, 4, 8, 5)], [pigevo.hold_at(game, n) for n in (3, 6)]
    expected = [min(pigevo.win_probability(m, o).overall for o in past) for m in members]
    state = archive_of(*past)
    assert evaluated(Archive(exploring_starts=0), members, state=state).scores == pytest.approx(expected, abs=1e-12)
    context = context_of(pigevo.CubeGrid(game, 1), DRAW, pairs=PAIRS, state=state)
    truth = ArchiveGames(games=8).truth(tables_of(members), context, np.arange(4))
    assert truth == pytest.approx(expected, abs=1e-12)


def test_what_is_decided_at_scores_that_play_never_comes_to_counts():
    """An exploiter may lead its opponents there, and beat all who have never been selected for it."""
    champion = pigevo.hold_at(GAME, 9)  # it never banks less than 9
    careless = champion.roll.copy()
    careless[1:9, :, 1:] = False
    members = [champion, pigevo.Strategy(GAME, careless, name="careless")]
    assert pigevo.win_probability(*members).overall == pytest.approx(0.5, abs=1e-12)
    evaluation = evaluated(Archive(), members, PAIRS[:1], state=archive_of(champion))
    assert evaluation.scores[0] == pytest.approx(0.5, abs=1e-12)
    assert evaluation.scores[1] < 0.5 - 1e-3


@pytest.mark.parametrize("game", [GAME, PASSING], ids=["forced", "passing"])
def test_without_champions_everyone_meets_everyone(game):
    members = players(game, 5)
    evaluation = evaluated(Archive(), members)
    matrix = pigevo.win_matrix(members)
    assert np.allclose(evaluation.scores, (matrix.sum(axis=1) - matrix.diagonal()) / 4, atol=1e-12)


def test_members_that_play_alike_have_the_same_games():
    strategy = pigevo.hold_at(GAME, 6)
    flipped = (np.indices(GAME.shape).sum(axis=0) == 20) & GAME.decision_states
    nearly = pigevo.Strategy(GAME, strategy.roll ^ flipped, "nearly")
    state = archive_of(pigevo.hold_at(GAME, 8))
    fitness, draws = ArchiveGames(games=200), [Draw(1, "dice", generation) for generation in range(40)]
    scores = np.array(
        [evaluated(fitness, [strategy, strategy, nearly], PAIRS[:1], draw, state=state).scores for draw in draws]
    )
    assert (scores[:, 0] == scores[:, 1]).all()
    assert 0 < np.std(scores[:, 2] - scores[:, 0]) < np.std(scores[:, 0]) / 2


class TestLexicase:
    @pytest.mark.parametrize(
        ("cases", "options", "shares"),
        [
            ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.9, 0.9, 0.4], [0.0, 0.0, 0.1]], {"epsilon": 0.0}, [1 / 3, 2 / 3]),
            (np.ones((4, 3)), {}, [1 / 4] * 4),
        ],
        ids=["specialists", "equals"],
    )
    def test_members_survive_as_often_as_a_case_that_they_win_comes_first(self, cases, options, shares):
        cases = np.array(cases)
        evaluation = Evaluation(cases.mean(axis=1), np.zeros((0, 2), int), np.zeros((0, 2)), 0, cases)
        draws = (Draw(1, "selection", generation) for generation in range(900))
        survivors = np.concatenate([lexicase(*selecting(evaluation, draw), share=1.0, **options) for draw in draws])
        counts = np.bincount(survivors, minlength=4)
        assert counts.sum() == counts[: len(shares)].sum() == 3600
        assert stats.chisquare(counts[: len(shares)], 3600 * np.array(shares)).pvalue > RARE

    @pytest.mark.parametrize(
        ("epsilon", "spared"),
        [(0.0, {0}), (0.1, {0}), (0.2, {0, 1}), (1.0, {0, 1}), (2.0, {0, 1, 2}), (4.0, {0, 1, 2, 3})],
    )
    def test_epsilon_spares_the_nearly_best(self, epsilon, spared):
        cases = np.array([[1.0], [0.95], [0.5], [0.0]])  # the median is 0.725, the median deviation from it 0.25
        evaluation = Evaluation(cases[:, 0], np.zeros((0, 2), int), np.zeros((0, 2)), 0, cases)
        draws = [Draw(1, "selection", generation) for generation in range(30)]
        survivors = [lexicase(*selecting(evaluation, draw), share=1.0, epsilon=epsilon) for draw in draws]
        assert set(np.concatenate(survivors).tolist()) == spared

    def test_a_score_alone_is_the_one_case(self):
        scores = np.array([0.1, 0.9, 0.5, 0.2])
        survivors = lexicase(
            *selecting(Evaluation.of_scores(scores, every_pair(4)), Draw(1, "selection")), share=1.0, epsilon=0.0
        )
        assert set(survivors.tolist()) == {1}

    def test_members_are_the_cases_of_a_pairwise_fitness(self):
        pairs = every_pair(3)
        evaluation = Evaluation(np.zeros(3), pairs, np.array([[0.6, 0.4], [0.7, 0.2], [0.1, 0.9]]))
        assert against_each(evaluation).tolist() == [[0.5, 0.6, 0.7], [0.4, 0.5, 0.1], [0.2, 0.9, 0.5]]


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 8), st.randoms(use_true_random=False))
def test_the_best_and_whoever_is_as_good_as_those_who_stayed_have_their_whole_result(
    staying, opponents, others, random
):
    whole = np.array([[random.randint(0, 9) / 9 for _ in range(opponents)] for _ in range(staying + others)])
    matches = np.zeros_like(whole)

    def met(number, players):
        matches[players, number] += 1
        return whole[players, number]

    results = np.concatenate([whole[:staying], raced(whole[:staying], np.arange(staying, len(whole)), met)])
    bar, worst = whole[:staying].min(), whole.min(axis=1)
    good = worst >= bar
    assert np.array_equal(results[good], whole[good])
    assert (results[~good].min(axis=1) < bar).all()
    assert (results.min(axis=1) >= worst).all()
    assert matches.max(initial=0) <= 1
    assert not matches[:staying].any()
    assert (matches[staying:].sum(axis=1) >= 1).all()


def test_those_who_leave_meet_nobody_more():
    whole = np.array([[0.5, 0.4, 0.6], [0.9, 0.3, 0.9], [0.9, 0.5, 0.1]])
    meetings = []

    def met(number, players):
        meetings.append((number, players.tolist()))
        return whole[players, number]

    results = raced(whole[:1], np.array([1, 2]), met)
    assert meetings == [(1, [1, 2]), (0, [2]), (2, [2])]  # the opponent by whom the one who stays does worst is first
    assert results.tolist() == [[0.3, 0.3, 0.3], [0.9, 0.5, 0.1]]


def populations(*words):
    cubes = "cubes.sizes=[5,1]", "cubes.generations=[12,12]"
    run = pigevo.generations("coevolve", "game.target=20", *cubes, "fitness.every=4", *words, seed=2)
    return [(g.state.digest, g.scores.max()) for g in run]


def test_a_race_spares_matches_and_changes_no_run():
    assert populations("fitness.race=true") == populations("fitness.race=false")
    members, state = players(GAME, 8), archive_of(pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9))
    whole, race = (evaluated(Archive(race=race), members, state=state, fresh=6).cases for race in (False, True))
    assert np.array_equal(race[:2], whole[:2])
    assert (race != whole).any()  # who has left has the worst result so far in the other cases


def test_wrong_options_are_refused():
    with pytest.raises(InputError, match=r"fitness\.race cannot be used with fitness\.by = mean: omit it"):
        Archive(by="mean", race=True)
    with pytest.raises(InputError, match="at least 6 games for 3 opponents"):
        ArchiveGames(games=5)


@pytest.mark.parametrize("race", [False, True])
def test_members_that_are_alike_meet_each_champion_once(race, monkeypatch):
    stay, other = players(GAME, 2)
    members = [stay, other, stay, other, stay]
    state = archive_of(pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9))
    fitness = Archive(race=race, exploring_starts=0.25)
    expected = np.concatenate(
        [evaluated(fitness, [one], PAIRS[:0], state=state, fresh=1).cases for one in (stay, other)]
    )
    archive._results.clear()
    met, against = [], exact.against

    def counted(tables, opponent, workers, which, *more):
        met.extend(which.tolist())
        return against(tables, opponent, workers, which, *more)

    monkeypatch.setattr(exact, "against", counted)
    assert np.array_equal(evaluated(fitness, members, state=state, fresh=3).cases, expected[[0, 1, 0, 1, 0]])
    assert sorted(met) == [0, 0, 1, 1]
    met.clear()
    evaluated(fitness, members, state=state, fresh=3)
    assert met == ([] if race else [0, 1, 0, 1])  # those that stay have met these champions before


def test_members_that_stay_and_are_alike_count_each_in_the_order_of_opponents(monkeypatch):
    stay, other, new = players(GAME, 3)
    given, original = [], archive.raced
    monkeypatch.setattr(archive, "raced", lambda known, *more: given.append(known) or original(known, *more))
    state = archive_of(pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9))
    cases = evaluated(Archive(race=True), [stay, stay, other, new], state=state, fresh=1).cases
    assert np.array_equal(given[0], cases[:3])


@pytest.mark.parametrize("genes", [1, 7, 8, 9, 75])
@pytest.mark.parametrize("kind", [bool, np.uint8])
def test_rows_have_one_digest_where_they_are_equal_and_only_there(genes, kind):
    rows = np.concatenate([np.zeros((1, genes)), np.eye(genes), np.eye(genes)[:1], np.ones((int(genes > 1), genes))])
    rows = rows.astype(kind).reshape(len(rows), genes, 1)
    distinct = list(dict.fromkeys(names := digests(rows)))
    assert len(distinct) == len(rows) - 1
    assert names[1] == names[1 + genes]


MEMBERS = [pigevo.hold_at(GAME, n) for n in (2, 4, 5, 6, 7, 9, 12, 16)]
PAST = archive_of(pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9))


def coins(truth, seed, calls=None):
    """A `play` function: member n wins each game with chance `truth[n]`; a unit is two games."""

    def play(more, number):
        if calls is not None:
            calls.append(more.copy())
        won = np.zeros((len(truth), 1))
        for n, units in enumerate(more):
            if units:
                draw = Draw(seed, "validation", number, pair=n)
                won[n] = (draw.uniforms(2 * int(units)) < truth[n]).sum()
        return won

    return play


@pytest.mark.parametrize("name", sorted(ALLOCATION_RULES))
@pytest.mark.parametrize(
    ("members", "units"), [(2, 200), (7, 200), (20, 200), *itertools.product((2, 7, 20), (1, 2, 3, 12))]
)
def test_everyone_plays_and_the_budget_is_not_exceeded(name, members, units):
    truth, budget = np.linspace(0.3, 0.6, members), units * members
    for generation in (0, 100):  # growing spends on average what fixed does
        spent = spend(allocation_rule(name), coins(truth, generation), members, budget, generation=generation)
        assert spent.played.min() > 0
        assert spent.played.sum() <= budget
        assert spent.won.max() <= 2 * spent.played.max()


def test_growing_begins_low_ends_high_and_has_the_mean_of_fixed():
    rule, play = allocation_rule("growing:0.25,40"), coins(np.full(4, 0.5), 1)
    games = [spend(rule, play, 4, 400, generation=generation).played[0] for generation in range(41)]
    assert (games[0], games[20], games[40]) == (25, 100, 175)
    assert np.mean(games) == pytest.approx(100, abs=0.5)
    assert games == sorted(games)


def test_halving_halves_until_as_many_are_left_as_are_wanted():
    calls, truth = [], np.linspace(0.1, 0.9, 20)
    spent = spend(allocation_rule("halving:0.1"), coins(truth, 3, calls), 20, 8000)
    assert [int((c > 0).sum()) for c in calls] == [20, 10, 5, 3]
    assert [int(c.max()) for c in calls] == [100, 200, 400, 666]
    on = [set(np.flatnonzero(c)) for c in calls]
    assert all(later < sooner for sooner, later in itertools.pairwise(on))
    scores = ranked_by_tier(spent.won[:, 0] / (2 * spent.played), spent.tiers)
    assert set(np.argsort(-scores)[:3]) == on[-1]
    assert {18, 19} <= on[-1]


def test_who_was_left_behind_never_ranks_above_who_went_on():
    scores, tiers = np.array([0.5, 0.9, 0.4, 0.45, 0.1]), np.array([2, 0, 2, 1, 1])
    ordered = ranked_by_tier(scores, tiers)
    assert np.argsort(-ordered).tolist()[:2] == [0, 2]
    assert ordered[1] < ordered[4] < ordered[3] < ordered[2] == 0.4
    assert np.array_equal(ranked_by_tier(scores, np.zeros(5, int)), scores)


def test_the_intervals_of_a_race_are_those_of_hoeffding_shared_among_all_rounds_and_members():
    wide = np.sqrt(np.log(2 * 8 * np.pi**2 / (6 * 0.05)) / 200)
    assert radii(np.array([100]), 1, 8, 0.05)[0] == pytest.approx(wide, rel=1e-12)


@pytest.mark.parametrize("wanted", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_race_decides_wrongly_at_most_as_often_as_it_says(wanted):
    truth, wrong, came = np.array([0.7, 0.62, 0.6, 0.5, 0.45, 0.4, 0.3, 0.2]), 0, 0
    best = np.argsort(-truth)[:wanted]
    for race in range(200):
        spent = spend(lambda standings: racing(standings, 0.9, wanted / 8, 20), coins(truth, race), 8, 8 * 600)
        out, into = spent.tiers == OUT, spent.tiers == IN
        came += int(out.sum() + into.sum())
        wrong += bool(out[best].any() or np.delete(into, best).any())
    assert came > 200 * 3  # it does decide
    assert stats.binomtest(wrong, 200, 0.1, alternative="greater").pvalue > 0.01


def test_who_is_in_and_who_is_out_follows_from_the_intervals():
    means, played = np.array([0.9, 0.5, 0.5, 0.1]), np.full(4, 4000)
    standings = Standings(means, played, np.zeros(4, int), 1, 10**6)
    assert decided(standings, 0.95, 1).tolist() == [IN, OUT, OUT, OUT]
    assert decided(standings, 0.95, 2).tolist() == [IN, 0, 0, OUT]
    few = Standings(means, np.full(4, 3), np.zeros(4, int), 1, 10**6)
    assert decided(few, 0.95, 1).tolist() == [0, 0, 0, 0]
    assert decided(Standings(means, played, np.array([0, IN, 0, 0]), 1, 10**6), 0.95, 1)[1] == IN


def test_allocation_shares_are_those_of_the_paper():
    means, variances = np.array([0.6, 0.5, 0.4, 0.55]), np.array([0.2, 0.25, 0.1, 0.2])
    parts = shares(means, variances, 1)
    assert parts.sum() == pytest.approx(1)
    assert parts[1] / parts[2] == pytest.approx((0.25 / 0.1**2) / (0.1 / 0.2**2))
    assert parts[3] / parts[1] == pytest.approx((0.2 / 0.05**2) / (0.25 / 0.1**2))
    others = np.array([1, 2, 3])
    assert parts[0] == pytest.approx(np.sqrt(0.2 * (parts[others] ** 2 / variances[others]).sum()))
    two = shares(means, variances, 2)
    border = (np.sqrt(0.25) * 0.55 + np.sqrt(0.2) * 0.5) / (np.sqrt(0.25) + np.sqrt(0.2))
    assert two[0] / two[2] == pytest.approx((0.2 / (0.6 - border) ** 2) / (0.1 / (0.4 - border) ** 2))
    assert np.allclose(shares(np.full(3, 0.5), np.full(3, 0.25), 3), 1 / 3)


def test_allocation_spends_where_it_is_close():
    truth = np.array([0.6, 0.58, 0.3, 0.3, 0.3, 0.3])
    spent = spend(allocation_rule("allocation:0.16"), coins(truth, 2), 6, 6000)
    assert spent.played[:2].min() > 2 * spent.played[2:].max()
    assert spent.played.sum() > 5900


@pytest.mark.parametrize("units", range(1, 13))
def test_allocation_spends_a_small_budget_too(units):
    """All but what rounding leaves in the last round, in which each may lack a unit."""
    truth = np.linspace(0.3, 0.6, 20)
    spent = spend(allocation_rule("allocation"), coins(truth, 1), 20, 20 * units)
    assert 20 * (units - 1) < spent.played.sum() <= 20 * units
    few = spend(allocation_rule("allocation:0.1,0.99,10"), coins(truth, 1), 20, 20 * units)
    assert 20 * (units - 1) < few.played.sum() <= 20 * units


def test_wrong_ways_are_refused():
    for options, message in (
        ({"spend": "halvin"}, "halving"),
        ({"spend": "racing:0.1", "by": "mean"}, "out of range"),
        ({"spend": "halving"}, "fitness.by=mean, or fitness.size=1"),
        ({"spend": "fixed:3"}, "fixed takes none"),
    ):
        with pytest.raises(InputError, match=message):
            ArchiveGames(**options)


def allocated(draw=None, state=PAST, members=MEMBERS, **options):
    fitness = ArchiveGames(by="mean", size=2, games=800, **options)
    return fitness(tables_of(members), context_of(GAME, draw or DRAW, pairs=np.array([[0, 1]]), state=state))


@pytest.mark.parametrize("spend", ["halving:0.25", "racing:0.9,0.25", "allocation:0.25", "growing"])
def test_games_are_counted_and_the_scores_are_shares_of_them(spend):
    evaluation = allocated(spend=spend)
    assert evaluation.games == evaluation.played.sum() <= 8 * 800
    won = evaluation.cases.mean(axis=1) * evaluation.played
    assert np.allclose(won, np.rint(won))
    assert (evaluation.scores <= evaluation.cases.mean(axis=1)).all()


def test_dice_are_common_unless_common_is_false():
    twice = [MEMBERS[2], MEMBERS[2], MEMBERS[5]]
    same, apart = allocated(members=twice), allocated(members=twice, common=False)
    assert same.scores[0] == same.scores[1]
    assert apart.scores[0] != apart.scores[1]
    rounds = allocated(members=twice, spend="allocation:0.3")
    assert len(np.unique(rounds.played)) > 1


def test_pooled_games_are_kept_and_added():
    fitness = ArchiveGames(by="mean", size=2, games=800, pool=True)
    genomes = GRID.from_strategies(MEMBERS)
    first = allocated(DRAW, pool=True)
    context = context_of(GAME, DRAW, first.scores, state=PAST, evaluation=first)
    state = {**PAST, **{k: v for k, v in fitness.remember(genomes, context).items() if k.startswith("pool")}}
    others = [MEMBERS[6], pigevo.hold_at(GAME, 3), MEMBERS[1]]
    alone, pooled = (allocated(Draw(3, "dice", 6), s, others, pool=True) for s in (PAST, state))
    assert (alone.played.tolist(), pooled.played.tolist()) == ([800] * 3, [1600, 800, 1600])
    assert alone.games == pooled.games == 2400
    assert np.allclose(pooled.cases[0], (alone.cases[0] + first.cases[6]) / 2)
    assert np.array_equal(pooled.cases[1], alone.cases[1])
    elsewhere = {**state, "archive": PAST["archive"][::-1].copy()}
    assert allocated(Draw(3, "dice", 6), elsewhere, others, pool=True).played.tolist() == [800] * 3


def test_every_round_has_dice_of_its_own(monkeypatch):
    """Two rounds of 50 couples: the second has other dice than the first."""

    def played(rounds):
        def rule(standings):
            return Next(np.full(standings.members, 50 if standings.round < rounds else 0), standings.tiers)

        monkeypatch.setattr("pigevo.evolution.fitness.archive.allocation_rule", lambda _: rule)
        evaluation = allocated()
        return evaluation.cases * evaluation.played[:, None] / 2

    once, twice = played(1), played(2)
    assert (twice - once != once).any(axis=0).all()
    assert np.abs((twice - once).sum() / once.sum() - 1) < 0.1
