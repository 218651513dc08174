"""Who meets whom and who survives: matches, ranks, wheels, several rounds, and how strongly selections select."""

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import toolbox as module
from pigevo.evolution.evaluation import Evaluation, every_pair, with_round
from pigevo.evolution.operators import Context, as_operator
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import Knockout, pointed_at, round_robin, truncation
from pigevo.evolution.selection.rounds import Bracket, DoubleElimination, Swiss, _points
from pigevo.evolution.selection_pressure import intensity_of, known_growth, selection_pressure, takeover_of
from pigevo.evolution.toolbox import make_toolbox
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from tests.cases import RARE, fits, sample, tossed
from tests.evolution.conftest import context_of, selecting
from tests.small import small_words

GAME = Pig(target=5)


def draws(n):
    return (Draw(1, "selection", generation) for generation in range(n))


def paired(size, draw):
    return Knockout().pairs(size, context_of(GAME, draw))


def survivor_count(selection, evaluation, draw=None, **options):
    return selection(*selecting(evaluation, draw or Draw(1, "selection")), **options)


def scored(*scores):
    values = np.array(scores, dtype=float)
    return Evaluation.of_scores(values, every_pair(len(values)))


class TestKnockout:
    @pytest.mark.parametrize("size", [2, 4, 20, 100])
    def test_everyone_is_in_exactly_one_pair(self, size):
        for draw in draws(20):
            pairs = paired(size, draw)
            assert pairs.shape == (size // 2, 2)
            assert sorted(pairs.ravel().tolist()) == list(range(size))

    def test_all_matchings_are_as_likely(self):
        seen = [frozenset(map(frozenset, paired(6, d).tolist())) for d in draws(6000)]
        counts = [seen.count(m) for m in set(seen)]
        assert len(counts) == 15
        assert stats.chisquare(counts).pvalue > RARE

    def test_keeps_the_winner_of_each_match_whatever_the_scores(self):
        pairs = np.array([[3, 0], [1, 5], [4, 2]])
        wins = np.array([[0.6, 0.4], [0.1, 0.9], [0.49, 0.48]])
        evaluation = Evaluation(np.array([0.9, 0.9, 0.9, 0.1, 0.1, 0.1]), pairs, wins)
        for draw in draws(30):
            assert survivor_count(Knockout(), evaluation, draw).tolist() == [3, 5, 4]

    def test_a_drawn_match_is_a_fair_coin(self):
        evaluation = Evaluation.of_matches(40, np.arange(40).reshape(20, 2), np.full((20, 2), 0.5))
        coins = np.array([survivor_count(Knockout(), evaluation, draw) % 2 for draw in draws(1000)])
        assert tossed(coins) > RARE
        assert min(stats.binomtest(int(n), 1000).pvalue for n in coins.sum(axis=0)) > RARE / 20
        assert tossed(coins[:, 1:] ^ coins[:, :-1]) > RARE

    def test_its_coin_does_not_follow_the_matching(self):
        # both come from one stream and generation, in two parts
        survivors = [
            survivor_count(Knockout(), Evaluation.of_matches(2, paired(2, draw), np.full((1, 2), 0.5)), draw)[0]
            for draw in draws(4000)
        ]
        assert tossed(survivors) > RARE


def selection_of(name):
    entry = SELECTIONS[name]
    return as_operator("selection", entry.bind(entry.completed({})))


@pytest.mark.parametrize("name", [name for name in sorted(SELECTIONS) if selection_of(name).all_pairs_meet])
def test_selections_by_rank_let_everyone_meet_everyone_once(name):
    selection = selection_of(name)
    pairs = selection.pairs(7, context_of(GAME, Draw(1, "selection"))).tolist()
    assert sorted(map(sorted, pairs)) == [list(pair) for pair in itertools.combinations(range(7), 2)]


class TestRank:
    @pytest.mark.parametrize(("size", "staying"), [(2, 1), (3, 1), (5, 2), (20, 10), (21, 10)])
    def test_round_robin_rounds_half_of_an_odd_population_down(self, size, staying):
        order = Draw(3, "population").permutation(size)
        survivors = survivor_count(round_robin, scored(*order))
        assert order[survivors].tolist() == list(range(size - 1, size - 1 - staying, -1))

    @pytest.mark.parametrize(("share", "staying"), [(0.0, 1), (0.1, 1), (0.25, 2), (0.5, 5), (0.75, 8), (1.0, 10)])
    def test_truncation_keeps_the_best_share_and_at_least_one(self, share, staying):
        order = Draw(3, "population").permutation(10)
        survivors = survivor_count(truncation, scored(*order), share=share)
        assert order[survivors].tolist() == list(range(9, 9 - staying, -1))

    def test_ties_are_broken_evenly(self):
        survivors = [tuple(survivor_count(truncation, scored(0.5, 0.5, 0.5, 0.5), d).tolist()) for d in draws(6000)]
        counts = [survivors.count(pair) for pair in itertools.permutations(range(4), 2)]
        assert sum(counts) == 6000
        assert stats.chisquare(counts).pvalue > RARE

    def test_a_tie_at_the_edge_does_not_touch_the_better_ones(self):
        evaluation = scored(0.3, 0.9, 0.3, 0.3)
        survivors = [survivor_count(round_robin, evaluation, d).tolist() for d in draws(900)]
        assert all(first == 1 for first, _ in survivors)
        assert stats.chisquare([sum(second == n for _, second in survivors) for n in (0, 2, 3)]).pvalue > RARE


GENERATIONS = 3000
SCORES = np.array([0.1, 0.7, 0.0, 0.35, 0.5, 0.35, 0.9, 0.2])
BY_WHEEL = ("roulette", "sus")
SHARED = ("tournament", *BY_WHEEL, "linear_rank", "exponential_rank")


def chosen(name, scores, generations=GENERATIONS, **options):
    """The survivors in each of so many generations, shape (generations, survivors)."""
    evaluation, select = scored(*scores), SELECTIONS[name].function
    return np.array([survivor_count(select, evaluation, draw, **options) for draw in draws(generations)])


def shares(weights):
    """Weights as shares of 1, exactly."""
    return np.array([float(Fraction(weight) / sum(map(Fraction, weights))) for weight in weights])


def chose(survivors, chances):
    """The p-value of so many independent choices under a law."""
    return fits(np.bincount(np.ravel(survivors), minlength=len(chances)), chances)


def rounded(survivors, expected):
    """The p-value of counts that must be the expected ones, rounded down or up in every generation, with that mean."""
    counts = np.array([np.bincount(row, minlength=len(expected)) for row in survivors])
    least = np.floor(expected)
    assert (counts >= least).all()
    assert (counts <= np.ceil(expected)).all()
    return min(tossed(counts[:, n] > least[n], chance) for n, chance in enumerate(expected - least))


def by_rank(scores, chances):
    """The chance of each member of the i-th rank's chance; equal members share those of their ranks."""
    by_member = np.empty(len(scores))
    by_member[np.argsort(-np.asarray(scores), kind="stable")] = chances
    return np.array([by_member[scores == score].mean() for score in scores])


@pytest.mark.parametrize("name", SHARED)
class TestEach:
    @pytest.mark.parametrize(("share", "survivors"), [(0.01, 1), (0.25, 2), (0.5, 4), (1.0, 8)])
    def test_the_share_decides_how_many_survive(self, name, share, survivors):
        assert chosen(name, SCORES, 3, share=share).shape == (3, survivors)

    def test_equal_members_survive_alike(self, name):
        survivors = chosen(name, np.zeros(8), share=0.1)  # one a generation: the choices are independent
        assert chose(survivors, np.full(8, 1 / 8)) > RARE

    def test_the_order_alone_counts_or_for_a_wheel_the_proportion(self, name):
        other = 1024 * SCORES if name in BY_WHEEL else np.exp(5 * SCORES) - 30
        assert np.array_equal(chosen(name, SCORES, 50), chosen(name, other, 50))

    def test_the_largest_and_the_smallest_numbers_are_no_trouble(self, name):
        huge = chosen(name, [1e308, 0.0, 1e308, 1e308], 300)
        tiny = chosen(name, [5e-324, 0.0, 5e-324, 5e-324], 300)
        assert np.array_equal(huge, tiny)
        assert set(np.unique(huge)) >= {0, 2, 3}


class TestTournament:
    @pytest.mark.parametrize("k", [1, 3, 20])
    def test_the_ith_best_of_n_is_chosen_with_its_exact_chance(self, k):
        scores = np.array([0.3, 0.9, -1.0, 0.5, 0.1])  # ranks 3, 1, 5, 2, 4
        n, rank = 5, np.array([3, 1, 5, 2, 4])
        chances = ((n - rank + 1.0) ** k - (n - rank) ** k) / n**k
        assert chances.sum() == pytest.approx(1)
        survivors = chosen("tournament", scores, k=k, share=1.0)
        assert chose(survivors, chances) > RARE

    def test_tournaments_of_one_generation_are_independent(self):
        survivors = chosen("tournament", SCORES[:4], k=2, share=0.5)
        pairs = np.bincount(survivors[:, 0] * 4 + survivors[:, 1], minlength=16).reshape(4, 4)
        assert stats.chi2_contingency(pairs).pvalue > RARE

    def test_equal_ones_do_not_stand_in_for_each_other(self):
        # with one order of the equal for a whole generation two tournaments would agree too often
        survivors = chosen("tournament", np.zeros(4), k=3, share=0.5)
        assert stats.binomtest(int((survivors[:, 0] == survivors[:, 1]).sum()), len(survivors), 1 / 4).pvalue > RARE


class TestTheWheel:
    @pytest.mark.parametrize("name", BY_WHEEL)
    def test_a_single_survivor_is_chosen_in_proportion_to_its_score(self, name):
        assert chose(chosen(name, SCORES, share=0.1), SCORES / SCORES.sum()) > RARE

    def test_roulette_draws_each_survivor_by_itself(self):
        survivors = chosen("roulette", SCORES[:4], share=1.0)
        chances = SCORES[:4] / SCORES[:4].sum()
        assert chose(survivors, chances) > RARE
        for other in (1, 2, 3):
            pairs = np.bincount(survivors[:, 0] * 4 + survivors[:, other], minlength=16).reshape(4, 4)
            possible = pairs[np.ix_(chances > 0, chances > 0)]
            assert stats.chi2_contingency(possible).pvalue > RARE / 3

    def test_sus_rounds_every_expected_count_down_or_up_in_every_generation(self):
        assert rounded(chosen("sus", SCORES, share=0.5), 4 * SCORES / SCORES.sum()) > RARE / 8

    @pytest.mark.parametrize("name", BY_WHEEL)
    def test_negative_scores_are_refused_with_what_works_instead(self, name):
        with pytest.raises(InputError, match=rf"selection={name} needs scores of at least 0.*-0\.25.*linear_rank"):
            chosen(name, [0.3, -0.25, 0.1], 1)

    def test_a_point_at_the_very_end_meets_nobody_without_an_arc(self):
        points = np.array([0.0, np.nextafter(1.0, 0.0), 1.0])
        assert pointed_at(np.array([0.0, 0.1, 0.2, 0.0]), points).tolist() == [1, 2, 2]


class TestRanks:
    @pytest.mark.parametrize("pressure", [1.0, 1.7])
    def test_linear_ranking_falls_by_equal_steps(self, pressure):
        chances = np.array([pressure - (2 * pressure - 2) * i / 7 for i in range(8)]) / 8
        assert chances.sum() == pytest.approx(1)
        assert chose(chosen("linear_rank", SCORES, pressure=pressure, share=0.1), by_rank(SCORES, chances)) > RARE

    def test_exponential_ranking_falls_by_equal_factors(self):
        chances = shares([Fraction(0.7) ** i for i in range(4)])
        scores = SCORES[[0, 1, 3, 4]]  # so few that the last one is expected a few times
        assert chose(chosen("exponential_rank", scores, factor=0.7, share=0.1), by_rank(scores, chances)) > RARE

    @pytest.mark.parametrize(("name", "options"), [("linear_rank", {"pressure": 1.6}), ("exponential_rank", {})])
    def test_everyone_survives_as_often_as_expected_rounded_down_or_up(self, name, options):
        steps = [1.6 - 1.2 * i / 7 for i in range(8)] if name == "linear_rank" else [0.9**i for i in range(8)]
        survivors = chosen(name, np.arange(8.0), share=0.5, **options)
        assert rounded(survivors, 4 * shares(steps)[::-1]) > RARE / 8

    def test_the_spin_does_not_follow_the_order_of_the_equal(self):
        # both come from one stream and generation, in two parts
        survivors = chosen("linear_rank", np.zeros(2), share=0.5, pressure=2.0)
        assert tossed(survivors) > RARE


ROUNDS_GRID = pigevo.CubeGrid(pigevo.Pig(target=4), 2)


def played(selection, strengths, seed=1, drawn=False):
    """All rounds between members of whom the stronger one always wins, or all of whose matches are drawn."""
    size, context = len(strengths), Context(Draw(seed, "selection"), ROUNDS_GRID)
    evaluation, rounds = Evaluation.of_matches(size, np.empty((0, 2), np.int64), np.empty((0, 2))), []
    pairs = selection.pairs(size, context)
    while len(pairs):
        wins = 0.5 * np.ones(pairs.shape) if drawn else (strengths[pairs] > strengths[pairs[:, ::-1]]).astype(float)
        evaluation = with_round(evaluation, Evaluation(strengths, pairs, wins))
        rounds.append(pairs)
        pairs = selection.next_pairs(size, replace(context, evaluation=evaluation))
    chosen = selection(evaluation.scores, replace(context, scores=evaluation.scores, evaluation=evaluation))
    return rounds, chosen.tolist()


def winners_and_losers(strengths, pairs):
    first_wins = (strengths[pairs[:, 0]] > strengths[pairs[:, 1]])[:, None]
    return np.where(first_wins, pairs, pairs[:, ::-1]).T


@pytest.mark.parametrize("size", [2, 3, 7, 8, 20])
@pytest.mark.parametrize("selection", [Swiss(5), Bracket(2), DoubleElimination(3)], ids=str)
@pytest.mark.parametrize("drawn", [False, True])
def test_nobody_plays_twice_in_a_round_and_the_best_survives(selection, size, drawn):
    for seed in range(5):
        strengths = Draw(seed, "population").uniforms(size)
        rounds, chosen = played(selection, strengths, seed, drawn)
        assert len(rounds) <= selection.rounds
        for pairs in rounds:
            assert len(np.unique(pairs)) == pairs.size
        assert len(set(chosen)) == len(chosen) >= 1
        assert drawn or int(strengths.argmax()) in chosen


@pytest.mark.parametrize(("selection", "matches", "left"),
                         [(Bracket(1), [10], 10), (Bracket(2), [10, 5], 5), (Bracket(4), [10, 5, 2, 1], 2),
                          (DoubleElimination(3), [10, 10, 7], 10), (Swiss(3), [10, 10, 10], 10)], ids=str)  # fmt: skip
def test_so_many_matches_leave_so_many_of_twenty(selection, matches, left):
    rounds, chosen = played(selection, np.arange(20.0))
    assert ([len(pairs) for pairs in rounds], len(chosen)) == (matches, left)


def test_only_who_has_lost_too_often_is_out():
    for selection in (Bracket(3), DoubleElimination(4)):
        strengths = Draw(4, "population").uniforms(16)
        rounds, chosen = played(selection, strengths)
        losses = np.zeros(16, int)
        for pairs in rounds:
            assert (losses[pairs] < selection.lives).all()
            assert (losses[pairs[:, 0]] == losses[pairs[:, 1]]).all()
            losses[winners_and_losers(strengths, pairs)[1]] += 1
        assert sorted(chosen) == np.flatnonzero(losses < selection.lives).tolist()


def test_swiss_players_with_equally_many_points_meet_and_none_twice():
    strengths = Draw(3, "population").uniforms(16)
    rounds, chosen = played(Swiss(4), strengths)
    met, points = set(), np.zeros(16)
    for number, pairs in enumerate(rounds):
        for pair in pairs.tolist():
            assert tuple(sorted(pair)) not in met
            met.add(tuple(sorted(pair)))
        if number < 2:  # later somebody's equals may all have been met
            assert (points[pairs[:, 0]] == points[pairs[:, 1]]).all()
        points[winners_and_losers(strengths, pairs)[0]] += 1
    assert points[chosen].min() >= np.delete(points, chosen).max()
    assert chosen[0] == strengths.argmax()


def test_of_an_odd_number_everyone_sits_out_equally_often():
    rounds, _ = played(Swiss(5), np.arange(5.0))
    assert np.bincount(np.concatenate(rounds).ravel(), minlength=5).tolist() == [4] * 5


@pytest.mark.parametrize(("size", "rounds"), [(3, 4), (3, 5), (5, 5), (5, 7), (7, 3), (8, 3)])
def test_a_round_without_an_opponent_is_a_point_also_for_those_who_have_had_several(size, rounds):
    strengths = Draw(size, "population").uniforms(size)
    all_rounds, _ = played(Swiss(rounds), strengths)
    points = np.zeros(size)
    for pairs in all_rounds:
        points[winners_and_losers(strengths, pairs)[0]] += 1
        points[np.setdiff1d(np.arange(size), pairs)] += 1
    pairs = np.concatenate(all_rounds)
    wins = (strengths[pairs] > strengths[pairs[:, ::-1]]).astype(float)
    assert _points(Evaluation.of_matches(size, pairs, wins), size).tolist() == points.tolist()
    assert points.sum() == rounds * -(-size // 2)


def test_drawn_matches_are_decided_by_a_coin():
    firsts = [1 in played(Bracket(1), np.zeros(2), seed, drawn=True)[1] for seed in range(400)]
    assert 150 < sum(firsts) < 250


@pytest.mark.parametrize("name", ["swiss", "bracket", "double_elimination"])
def test_each_match_has_the_dice_of_its_place(name):
    """So that all rounds at once would give the same results, and any game can be replayed."""
    plan = Settings.of(*small_words(f"selection={name}", "population.size=12")).plan
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    genomes = toolbox.population()
    by_rounds = toolbox.evaluate(genomes, 3)
    at_once = toolbox.evaluate(genomes, 3, pairs=by_rounds.pairs)
    assert len(by_rounds.pairs) > 12 // 2
    assert np.array_equal(by_rounds.wins, at_once.wins)
    assert np.allclose(by_rounds.scores, at_once.scores)
    assert by_rounds.games == at_once.games == 10 * len(by_rounds.pairs)


def test_absolute_scores_are_compared_in_each_round():
    words = "debug=fast", "game.target=12", "population.size=6", "selection=swiss", "fitness=exact_vs_optimal"
    plan = Settings.of(*words).plan
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    evaluation = toolbox.evaluate(toolbox.population(), 0)
    assert np.array_equal(evaluation.wins, evaluation.scores[evaluation.pairs])
    assert len(evaluation.pairs) == 5 * 3


def test_rounds_without_end_are_refused(monkeypatch):
    class Endless(pigevo.Selection):
        def next_pairs(self, size, context):
            return np.array([[0, 1]])

        def __call__(self, scores, context):
            return np.arange(1)

    monkeypatch.setattr(module, "MOST_ROUNDS", 20)
    with pytest.raises(InputError, match="more than 20 rounds"):
        pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "fitness=exact", selection=Endless)


PRESSURE_SIZE = 200
PRESSURE_GRID = pigevo.CubeGrid(pigevo.Pig(target=9), 1)
CASES = {
    "knockout": {}, "tournament": {"k": 3}, "truncation": {"share": 0.2}, "round_robin": {}, "linear_rank": {"pressure": 1.8},
    "exponential_rank": {"factor": 0.99}, "mu_best": {"mu": 20}, "bracket": {"rounds": 2}, "roulette": {}, "sus": {},
    "deap": {"operator": "selTournament", "arguments": {"tournsize": 3}},
}  # fmt: skip


TABLE = Path(__file__).parents[2] / "docs/explanation/selection_table.txt"
"""Made by `python -m tests.evolution.test_selection`."""

HEAD = (
    "| selection | intensity | by the textbook | takeover time | by the textbook | lost |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |\n"
)
ROWS = {
    "knockout": {}, "tournament": {"k": 2}, "truncation": {"share": 0.5}, "linear_rank": {"pressure": 1.8},
    "exponential_rank": {"factor": 0.9}, "mu_best": {"mu": 10}, "bracket": {"rounds": 2}, "swiss": {"rounds": 5},
    "double_elimination": {"rounds": 3}, "cellular": {}, "roulette": {}, "sus": {},
}  # fmt: skip


def row(name):
    """A row of the table in the documentation."""
    pressure = measured(name, ROWS[name], populations=400, size=100)
    options = ", ".join(f"{key}={value}" for key, value in ROWS[name].items())

    def between(mean, interval, digits):
        ends = (f"{end:.{digits}f}" for end in interval)
        return f"{mean:.{digits}f} ({' to '.join(ends)})"

    textbook = f"{pressure.textbook_intensity:.3f}" if pressure.textbook_intensity is not None else ""
    return (
        f"| `{name}`{', ' if options else ''}{options} | {between(pressure.intensity, pressure.intensity_interval, 3)} | {textbook} "
        f"| {between(pressure.takeover, pressure.takeover_interval, 2)} | {pressure.textbook_takeover or ''} | {pressure.lost:.0%} |\n"
    )


@pytest.mark.parametrize("name", sample(ROWS, 2))
def test_the_table_of_the_documentation_is_what_the_code_measures(name):
    assert row(name) in TABLE.read_text(encoding="utf-8")


def measured(name, options, populations=40, size=PRESSURE_SIZE):
    selection = as_operator("selection", SELECTIONS[name].bind(options))
    return selection_pressure(selection, PRESSURE_GRID, size, populations)


def growth_of(name, options, size):
    return known_growth(as_operator("selection", SELECTIONS[name].bind(options)), size)


def test_a_subclass_that_changes_a_selection_does_not_inherit_its_theory():
    class Losers(type(SELECTIONS["knockout"].bind({}))):
        def __call__(self, scores, context):
            return np.setdiff1d(np.arange(len(scores)), super().__call__(scores, context))

    assert known_growth(Losers(), 100) is None
    assert growth_of("double_elimination", {}, 100) is None


@pytest.mark.parametrize("name", sample(CASES, 0, 4))
def test_intensity_and_takeover_are_those_of_the_textbook(name):
    pressure, by_wheel = measured(name, CASES[name]), name in BY_WHEEL
    low, high = pressure.intensity_interval
    assert low < pressure.intensity < high
    error = high - low + 0.02  # of four standard errors, and of a population of 200
    assert abs(pressure.intensity - pressure.textbook_intensity) < error
    assert abs(1.2 * pressure.intensity - pressure.textbook_intensity) > error or by_wheel
    if not by_wheel:
        assert pressure.textbook_takeover >= 3
        assert abs(pressure.takeover - pressure.textbook_takeover) < 1 + 0.1 * pressure.textbook_takeover


def test_numbers_of_the_textbooks():
    assert intensity_of(growth_of("tournament", {"k": 2}, 9)) == pytest.approx(1 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("tournament", {"k": 3}, 9)) == pytest.approx(1.5 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("linear_rank", {"pressure": 1.5}, 9)) == pytest.approx(0.5 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("truncation", {"share": 0.5}, 9)) == pytest.approx(np.sqrt(2 / np.pi), abs=1e-6)
    for k in (2, 3, 7):  # (ln n + ln ln n) / ln k of Goldberg & Deb 1991
        near = (np.log(10**6) + np.log(np.log(10**6))) / np.log(k)
        assert abs(takeover_of(growth_of("tournament", {"k": k}, 10**6), 10**6) - near) < 1.5
    near = 2 / 0.2 * np.log(10**6 - 1)  # the logistic curve of linear ranks
    assert abs(takeover_of(growth_of("linear_rank", {"pressure": 1.2}, 10**6), 10**6) / near - 1) < 0.12
    assert takeover_of(growth_of("truncation", {"share": 0.5}, 128), 128) == 7
    assert growth_of("lexicase", {}, 100) is None
    assert growth_of("exponential_rank", {"factor": 1.0}, 100) is None


def test_populations_that_are_followed_for_long_show_how_many_are_done(monkeypatch, capsys):
    monkeypatch.setattr("pigevo.core.progress_bar.LINE_SECONDS", 0)
    measured("linear_rank", {"pressure": 1.0}, populations=2, size=20)
    assert [line[:23] for line in capsys.readouterr().err.splitlines()] == [
        "selection alone: 50 % a", "selection alone: 100 % "
    ]  # fmt: skip


@pytest.mark.slow
def test_everyone_alike_is_never_taken_over_by_selection():
    pressure = measured("linear_rank", {"pressure": 1.0}, populations=12, size=20)
    assert pressure.lost > 0.5
    assert abs(pressure.intensity) < 0.2


if __name__ == "__main__":
    TABLE.write_text(HEAD + "".join(map(row, ROWS)), encoding="utf-8")
