"""Fitness by the run's own past champions, also as a race, and selection by cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo import exact
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair
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
from pigevo.evolution.selection.one_round import against_each, lexicase
from pigevo.games import GAMES, Pig
from tests.evolution.helpers import context_of, selecting, tables_of
from tests.laws import RARE

GAME = Pig(target=16)
GRID = pigevo.CubeGrid(GAME, 1)
DRAW = Draw(3, "dice", 5)
PAIRS = np.array([[0, 1], [2, 3]])


def players(n=5):
    return [pigevo.random_strategy(GAME, seed=s) for s in range(n)]


def rows_of(strategies):
    return np.stack([s.table for s in strategies])


def evaluated(fitness, strategies, pairs=PAIRS, draw=DRAW, **more):
    return fitness(tables_of(strategies), context_of(strategies[0].game, draw, pairs=pairs, **more))


def archive_of(*strategies):
    return {"archive": np.packbits(rows_of(strategies).reshape(len(strategies), -1), axis=1)}


def test_the_best_member_enters_when_it_is_time():
    members, state = players(4), {}
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
    members, past = players(5), [pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9)]
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


@pytest.mark.parametrize("game", [GAME, Pig(target=16, allow_pass=True)], ids=["forced", "passing"])
def test_without_champions_everyone_meets_everyone(game):
    members = [pigevo.random_strategy(game, seed=s) for s in range(5)]
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
    members, state = players(8), archive_of(pigevo.hold_at(GAME, 5), pigevo.hold_at(GAME, 9))
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
    stay, other = players(2)
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
    stay, other, new = players(3)
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
