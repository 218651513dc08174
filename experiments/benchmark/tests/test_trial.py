"""Instances, answers, trials, the reference algorithms, and the best genomes known."""

import itertools
import re
import shutil
from functools import partial

import numpy as np
import pytest
from scipy import stats

import pigevo
from experiments.benchmark.tests.entrants import Mutants, asking
from pigevo.cli.choice_descriptions import sentences
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact import matrix_of_tables, pairs_of_tables
from pigevo.experiments.benchmark import REFERENCE, Question, instance, try_out
from pigevo.experiments.benchmark.algorithms import (
    ALGORITHMS,
    HallOfFame,
    Knockout,
    NashMemory,
    OneCommaLambda,
    ResponseOracles,
    RoundRobin,
    WorstCaseArchive,
    equilibrium,
    mutants,
    next_parents,
)
from pigevo.experiments.benchmark.instances import SUITES, Instance, instances
from pigevo.experiments.benchmark.results import area
from pigevo.experiments.benchmark.tasks import entrant
from pigevo.experiments.benchmark.trial import answer, dice_of, judge
from pigevo.experiments.benchmark.zeros import BEST_KNOWN, JUDGES, LEAST, descend, neighbours, pair_gain, zero
from pigevo.games import Pig, Piglet, Race
from tests.cases import sample
from tests.docs.pages import EXAMPLES


@pytest.mark.parametrize("name", sorted({name for names in SUITES.values() for name in names}))
def test_names_of_the_suites_are_read_as_they_are_written(name):
    assert instance(name).name == name


def test_names_have_the_game_and_its_own_numbers():
    assert instance("piglet-t12-c2") == Instance(Piglet(12), cube=2)
    assert instance("pig-t20").name == "t20-d6-c1-exact"
    assert instance("ten_rounds-n3-m20").name == "ten_rounds-n3-m20-d6-c1-exact"
    assert instance("two_dice-t30-d4-c3-g10").game.sides == 4
    assert "piglet" in {type(task.game).__name__.lower() for task in instances("games")}


@pytest.mark.parametrize("game", [Pig(10, weights=(1, 2, 1, 1, 1, 1)), Race(10, {1: 0.5}, 0.5), Piglet(10, heads=0.3)])
def test_a_game_that_no_name_describes_is_refused(game):
    with pytest.raises(InputError, match="is no game of an instance: it must be one of pigevo's, in which only target"):
        Instance(game)


def test_parts_left_out_of_a_name_have_defaults():
    assert instance("t20") == Instance(Pig(20), cube=1, games=0, opponent="none")
    assert instance("t12-g10-oracle") == Instance(Pig(12), games=10, opponent="optimal")


def test_an_instance_named_twice_is_there_once():
    names = [task.name for task in instances("t9,quick,t10-d2-c1-exact")]
    assert names == ["t9-d6-c1-exact", *SUITES["quick"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("t20-c2-d3", "there is no instance 't20-c2-d3'; write it as t20-d3-c2-g100-oracle"),
        ("nothing", "or name a suite: games, quick, small"),
        ("pigs-t20", "there is no game 'pigs' for the instance pigs-t20; did you mean pig or piglet?"),
        ("skunk-m30-t20", "the numbers of skunk are t (target), m (cap), d (sides)."),
        ("piglet-t20-d3", "the numbers of piglet are t (target)."),
        ("ten_rounds-n300", "the instance ten_rounds-n300 has no such turns: it must be from 1 to 200"),
        ("t0", "has no such target: it must be from 1 to 200"),
        ("t99999999999999999999", "there is no instance"),
        ("t20-d1", "game.sides = 1 is out of range: it must be from 2 to 1000."),
        ("t20-c0", "a cube size must be an integer from 1"),
        ("t20-g9", "has matches of 9 games: their number must be even"),
        ("", "there is no instance ''"),
    ],
)
def test_words_of_no_instance_are_refused(words, message):
    with pytest.raises(InputError, match=re.escape(message)):
        instances(words)


def test_a_problem_has_units_costs_and_pairs():
    exact, noisy = instance("t20-d3-c2").problem(4), instance("t20-d3-c2-g100-oracle").problem(4, 1050)
    assert (exact.unit, exact.cost, exact.pairs, exact.opponent) == ("evaluations", 1, 5000, False)
    assert (noisy.unit, noisy.cost, noisy.pairs, noisy.opponent) == ("games", 100, 10, True)
    assert exact.genes == instance("t20-d3-c2").grid.genes == 550


def test_starts_are_fair_coins_that_differ_by_number_and_seed():
    problem, other = instance("t20-d3-c2").problem(4), instance("t20-d3-c2").problem(5)
    start = problem.start(40)
    assert start.shape == (40, 550)
    assert start.dtype == np.uint8
    assert abs(start.mean() - 0.5) < 0.02
    assert (start == problem.start(40)).all()
    assert not (start == problem.start(40, 1)).all()
    assert not (start == other.start(40)).all()


def test_draws_of_an_algorithm_are_never_those_of_the_games():
    problem = instance("t9").problem(3)
    drawn = [
        problem.draw(stream, 7).words(4).tolist() for stream in ("population", "selection", "crossover", "mutation")
    ]
    assert Draw(3, "dice", 7).words(4).tolist() not in drawn
    assert len({tuple(words) for words in drawn}) == 4


@pytest.mark.parametrize("budget", [0, 199, 10**13, 2.5])
def test_a_budget_pays_for_two_pairs(budget):
    with pytest.raises(InputError, match="must be from 200 games, which pay for two pairs, to"):
        instance("t9-g100").problem(0, budget)


PAIRS = np.array([[0, 1], [1, 0], [2, 2], [0, 3], [0, 1]])
ABSOLUTE = np.array([[0, REFERENCE], [1, 2], [3, REFERENCE]])


def question(place, pairs=PAIRS, seed=1):
    return Question(place.problem(seed).start(4), pairs)


DICE = dice_of(1, "", 0)


@pytest.mark.parametrize(("name", "pairs"), [("t12-d3", PAIRS), ("t12-d3-c2-oracle", ABSOLUTE)])
def test_exact_answers_are_win_probabilities_and_the_reference_opponent_is_the_optimum(name, pairs):
    place = instance(name)
    meetings = question(place, pairs)
    strategies = [place.grid.strategy(row) for row in meetings.genomes]
    opponents = {REFERENCE: pigevo.optimal(place.game).strategy} | dict(enumerate(strategies))
    right = [pigevo.win_probability(strategies[a], opponents[b]).overall for a, b in pairs.tolist()]
    assert answer(place, meetings, DICE) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("name", ["t12-d3-c2-g20000", "t12-d3-c2-g20000-oracle"])
def test_played_answers_scatter_around_the_exact_ones(name):
    noisy = instance(name)
    exact = instance(name.replace("g20000", "exact"))
    pairs = ABSOLUTE if noisy.opponent == "optimal" else PAIRS
    played = answer(noisy, question(noisy, pairs), DICE)
    right = answer(exact, question(exact, pairs), DICE)
    assert np.abs(played - right).max() < 4.5 * 0.5 / 20000**0.5  # four and a half standard deviations
    assert played * 20000 == pytest.approx((played * 20000).round(), abs=1e-6)
    assert len(set(played.tolist())) > len(set(right.round(12).tolist())) - 2


def test_dice_follow_from_the_seed_the_key_and_the_number_of_the_question():
    place = instance("t12-d3-g2000")
    meetings = question(place)
    first = answer(place, meetings, dice_of(1, "", 0))
    assert (first == answer(place, meetings, Draw(1, "dice", 0))).all()
    for other in [(1, "", 1), (2, "", 0), (1, "a", 0), (1, "b", 0), (2, "a", 0)]:
        assert (first != answer(place, meetings, dice_of(*other))).any()
    assert len({dice_of(seed, key, 0).seed for seed in range(100) for key in ("a", "b")}) == 200
    assert first[0] != first[4]  # the same pair again is another match


@pytest.mark.parametrize("name", ["t12-d3", "t12-d3-oracle", "t12-d3-g20", "t12-d3-g20-oracle"])
def test_no_answer_depends_on_the_workers(name):
    place = instance(name)
    meetings = question(place, np.concatenate([PAIRS, ABSOLUTE]) if place.opponent == "optimal" else PAIRS)
    assert (answer(place, meetings, DICE) == answer(place, meetings, DICE, 2)).all()


def test_the_optimum_has_no_loss_and_no_exploitability():
    grid = instance("t20-d3").grid
    best = grid.from_strategies([pigevo.optimal(grid.game).strategy])[0]
    assert judge(grid, best) == pytest.approx((0, 0), abs=1e-12)
    assert min(judge(grid, best)) >= 0


def test_loss_and_exploitability_are_those_of_the_public_functions():
    place = instance("t12-d3-c2")
    genome = place.problem(3).start(1)[0]
    strategy = place.grid.strategy(genome)
    loss, exploitability = judge(place.grid, genome)
    best = pigevo.optimal(place.game).strategy
    assert loss == pytest.approx(pigevo.win_probability(best, strategy).overall - 0.5)
    response = pigevo.best_response(strategy).strategy
    assert exploitability == pytest.approx(pigevo.win_probability(response, strategy).overall - 0.5)
    assert exploitability > loss > 0.01


PLACE = instance("t9-d3")
START = PLACE.problem(1).start(3)


def test_the_budget_is_spent_and_never_exceeded():
    trial = try_out(Mutants, PLACE, 1, 1033)
    assert trial.spent[-1] == 1030
    assert (np.diff(trial.spent) > 0).all()
    assert trial.budget == 1033
    assert try_out(Mutants, PLACE, 1, 1030).spent[-1] == 1030
    games = try_out(Mutants, instance("t9-d3-g10"), 1, 520)  # five matches of ten games at a time
    assert games.spent.tolist()[:3] == [0, 50, 100]
    assert games.spent[-1] == 500


def test_the_first_record_is_of_a_random_genome_and_the_last_of_the_champion():
    trial = try_out(Mutants, PLACE, 1, 200)
    assert (trial.spent[0], trial.loss[0], trial.exploitability[0]) == (0, *judge(PLACE.grid, START[0]))
    assert (trial.loss[-1], trial.exploitability[-1]) == judge(PLACE.grid, trial.champion)
    assert trial.champion.tolist() != START[0].tolist()


def test_every_record_is_of_the_champion_of_its_moment():
    longest = try_out(Mutants, PLACE, 1, 150)
    for budget in (50, 100):
        assert longest.loss[longest.spent == budget] == try_out(Mutants, PLACE, 1, budget).loss[-1]


def test_records_are_geometrically_spaced():
    spent = try_out(asking(START, [[0, 1]]), PLACE, 1, 1000).spent
    assert spent[:13].tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 13, 15, 18]
    assert np.diff(np.log10(spent[spent > 100][:-1])) == pytest.approx(1 / 12, abs=0.01)


def test_a_trial_ends_after_its_seconds_without_those_of_the_referee(monkeypatch):
    clock = itertools.count()
    monkeypatch.setattr(
        "pigevo.experiments.benchmark.trial.perf_counter", lambda: next(clock)
    )  # a second between two looks
    monkeypatch.setattr("pigevo.experiments.benchmark.trial.judge", lambda *_: (next(clock), next(clock)))
    assert try_out(Mutants, PLACE, 1, 1000, seconds=3).spent[-1] == 15
    assert try_out(Mutants, PLACE, 1, 1000, seconds=2.5).spent[-1] == 15


def test_answers_are_those_of_the_questions():
    make = asking(START, [[0, 1], [1, 0], [2, 2]], times=2)
    trial = try_out(make, PLACE, 1, 100)
    assert trial.spent.tolist() == [0, 3, 6]
    assert len(make.made.heard) == 2
    for wins in make.made.heard:
        assert wins.shape == (3,)
        assert wins[0] + wins[1] == pytest.approx(1)
        assert wins[2] == pytest.approx(0.5)


def test_an_algorithm_cannot_change_what_was_recorded():
    class Wiping(Mutants):
        def tell(self, wins):
            super().tell(wins)
            wins[:] = 7

        @property
        def champion(self):
            handed, self.best = self.best, self.best.copy()
            self.handed = [*getattr(self, "handed", []), handed]
            return handed

        def ask(self):
            for champion in getattr(self, "handed", []):
                champion[:] = 1
            return super().ask()

    assert try_out(Wiping, PLACE, 1, 50).champion.tolist() == try_out(Mutants, PLACE, 1, 50).champion.tolist()


def breaking(**methods):
    return type("Broken", (Mutants,), methods)


def raises(*_):
    raise ValueError("too  many")


def asks(genomes=START, pairs=((0, 1),)):
    return breaking(ask=lambda self: Question(genomes, np.asarray(pairs) if isinstance(pairs, tuple) else pairs))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: None, "mine cannot be made (t9-d3-c1-exact): TypeError: "),
        (lambda problem: None, "mine fails in ask (t9-d3-c1-exact, question 1): AttributeError: 'NoneType'"),
        (breaking(ask=raises), "mine fails in ask (t9-d3-c1-exact, question 1): ValueError: too many."),
        (breaking(tell=None), "mine fails in tell (t9-d3-c1-exact, question 1): TypeError: 'NoneType' object is not"),
        (breaking(tell=raises), "mine fails in tell (t9-d3-c1-exact, question 1): ValueError: too many."),
        (breaking(tell=lambda self, wins: exit(3)), "mine fails in tell (t9-d3-c1-exact, question 1): it calls sys.exit() with 3."),
        (breaking(champion=property(raises)), "mine fails to name its champion (t9-d3-c1-exact, question 1): Val"),
        (breaking(ask=lambda self: None), "mine.ask returns nothing: it must return a pigevo.experiments.benchmark.Question("),
        (breaking(ask=lambda self: (START, [])), "a tuple: it must return a pigevo.experiments.benchmark.Question(genomes, pairs)"),
        (asks(START[:, :5]), "the genomes that mine.ask returns are uint8 of shape (3, 5): they must be zeros and ones "
                             "of shape (n, 324), uint8 (t9-d3-c1-exact)."),
        (asks(START * 0.5), "are float64 of shape (3, 324): they must be"),
        (asks(START + 1), "are not all zeros and ones, there is a 2: they must be"),
        (asks([[0, 1], [0]]), "the genomes that mine.ask returns cannot be read as an array: "),
        (asks([["a"]]), "must be an array of numbers, not "),
        (asks(pairs=((0, 1, 2),)), "the pairs that mine.ask returns are int64 of shape (1, 3): they must be whole "
                                   "numbers of shape (m, 2) (t9-d3-c1-exact)."),
        (asks(pairs=((0.0, 1.0),)), "are float64 of shape (1, 2): they must be whole numbers"),
        (asks(genomes=START[:0]), "returns pairs, but no genomes that could meet ("),
        (asks(pairs=((0, 3),)), "have (0, 3) among them: they must be rows of its genomes, from 0 to 2 ("),
        (asks(pairs=((-1, 1),)), "have (-1, 1) among them"),
        (asks(pairs=((0, -1),)), "mine.ask wants to meet a reference opponent (-1), and this instance has none"),
        (breaking(champion=property(lambda self: START)), "mine.champion is uint8 of shape (3, 324): it must be zeros "
                                                          "and ones of shape (324,), uint8"),
        (breaking(champion=lambda self: START[0]), ": write @property above it (t9-d3-c1-exact)."),
        (asks(pairs=()), "mine never begins with t9-d3-c1-exact: its first question has no pairs"),
        (asks(pairs=np.zeros((101, 2), int)), "mine never begins with t9-d3-c1-exact: its first question costs 101 "
                                              "evaluations, and the budget is 100: give a larger one"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_told_in_one_sentence(make, message):
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        try_out(make, PLACE, 1, 100, name="mine")
    assert "\n" not in str(refused.value)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True])
def test_a_wrong_seed_is_not_the_algorithm_s_fault(seed):
    with pytest.raises(InputError, match=r"^seed must be an integer from 0 to \d+, not "):
        try_out(Mutants, PLACE, seed, 100)


@pytest.mark.parametrize("stream", ["dice", "validation", "luck"])
def test_an_algorithm_draws_from_its_own_streams_alone(stream):
    with pytest.raises(InputError, match=f"no stream '{stream}' for an algorithm"):
        PLACE.problem(1, 100).draw(stream)


def test_a_message_says_how_to_meet_the_oracle():
    with pytest.raises(InputError, match=r"from 0 to 2, or -1 in the second place for the reference opponent \("):
        try_out(asks(pairs=((0, 5),)), instance("t9-d3-oracle"), 1, 100)


def test_arrays_of_other_types_with_the_same_values_are_accepted():
    right = try_out(asking(START, [[0, 1]], times=1), PLACE)
    for genomes in (START.astype(bool), START.astype(np.int64), START.tolist()):
        trial = try_out(asking(genomes, np.array([[0, 1]], np.uint16), times=1), PLACE)
        assert trial.loss.tolist() == right.loss.tolist()


KINDS_OF_PLACES = ["t10-d2-c2-exact", "t10-d2-c2-g10", "t10-d2-c2-exact-oracle", "t10-d2-c2-g10-oracle"]
EVERY_ALGORITHM = pytest.mark.parametrize("name", list(ALGORITHMS))


@EVERY_ALGORITHM
@pytest.mark.parametrize("place", sample(KINDS_OF_PLACES, 0, 3))
def test_an_algorithm_spends_its_budget_on_every_kind_of_instance(name, place):
    budget = 1500 * (instance(place).games or 1)
    trial = try_out(ALGORITHMS[name].function, instance(place), 1, budget, name=name)
    assert 0.5 * budget < trial.spent[-1] <= budget


@EVERY_ALGORITHM
def test_an_algorithm_is_the_same_again_whatever_ran_before(name):
    place = instance("t10-d2-c2-g10")
    first = try_out(ALGORITHMS[name].function, place, 1, 6000)
    other = try_out(ALGORITHMS[name].function, place, 2, 6000)
    again = try_out(ALGORITHMS[name].function, place, 1, 6000)
    assert first.loss.tolist() == again.loss.tolist()
    assert first.champion.tolist() == again.champion.tolist()
    assert first.loss.tolist() != other.loss.tolist()


@EVERY_ALGORITHM
def test_an_algorithm_changes_nothing_that_it_has_handed_over(name):
    place = instance("t10-d2-c2")
    problem = place.problem(1, 2000)
    algorithm = ALGORITHMS[name].function(problem)
    arrays = []
    for number in range(4):
        question = algorithm.ask()
        assert (question.genomes.dtype, question.genomes.shape[1]) == (np.uint8, problem.genes)
        assert 0 <= question.pairs.min() <= question.pairs.max() < len(question.genomes)
        assert (question.pairs[:, 0] != question.pairs[:, 1]).all()
        wins = answer(place, question, dice_of(1, "", number))
        arrays += [(array, array.copy()) for array in (question.genomes, question.pairs)]
        algorithm.tell(wins)
        champion = algorithm.champion
        assert np.isin(champion, (0, 1)).all()
        arrays.append((champion, champion.copy()))
    for array, former in arrays:
        assert np.array_equal(array, former)


@pytest.mark.parametrize("name", sample(list(ALGORITHMS), 0))
def test_an_algorithm_learns(name):
    """After two thousand exact answers loss and exploitability are at most half of those of random genomes."""
    trials = [try_out(ALGORITHMS[name].function, instance("t10-d2-c2-exact"), seed, 2000) for seed in range(5)]
    for key in ("loss", "exploitability"):
        begin, end = (np.mean([getattr(trial, key)[place] for trial in trials]) for place in (0, -1))
        assert end < begin * (1 if name == "random_search" else 0.5)


@EVERY_ALGORITHM
def test_an_algorithm_is_described(name):
    assert len(sentences(ALGORITHMS[name])) > 30


EXAMPLE_FILES = {"bare_loop.py": "OneCommaTen", "with_deap.py": "Deap", "with_pymoo.py": "Pymoo"}


@pytest.fixture
def example(request, tmp_path, monkeypatch):
    if request.param == "with_pymoo.py":
        pytest.importorskip("pymoo")
    shutil.copy(EXAMPLES / request.param, tmp_path)
    monkeypatch.chdir(tmp_path)
    return entrant(f"{request.param}:{EXAMPLE_FILES[request.param]}").make()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLE_FILES, indirect=True)
def test_an_example_learns_and_is_the_same_again(example):
    place = instance("t10-d2-c2-exact")
    trials = [try_out(example, place, seed, 2000) for seed in (1, 2, 3)]
    again = try_out(example, place, 3, 2000)
    assert again.loss.tolist() == trials[-1].loss.tolist()
    assert sum(trial.loss[-1] for trial in trials) < 0.8 * sum(trial.loss[0] for trial in trials)
    assert min(trial.spent[-1] for trial in trials) > 1800


@pytest.mark.parametrize("example", sample(EXAMPLE_FILES, 0), indirect=True)
def test_an_example_takes_part_where_there_are_games(example):
    trial = try_out(example, instance("t10-d2-c2-g10-oracle"), 1, 10_000)
    assert trial.spent[-1] > 8000


EXACT_PLACE = Instance(Pig(10), cube=2)
LEVEL = 1e-4


def problem_of(seed=0, instance=EXACT_PLACE, budget=2000):
    return instance.problem(seed, budget)


def driven(make, problem, steps):
    """An algorithm after some questions with exact answers, and the last question and answer."""
    algorithm = make(problem)
    for _ in range(steps):
        question = algorithm.ask()
        wins = pairs_of_tables(EXACT_PLACE.game, EXACT_PLACE.grid.to_tables(question.genomes), question.pairs).mean(
            axis=1
        )
        algorithm.tell(wins)
    return algorithm, question, wins


def test_mutants_differ_from_their_parents():
    problem = problem_of()
    genomes = problem.start(200)
    flips = (mutants(problem, genomes, 1) != genomes).sum(axis=1)
    assert flips.min() == 1
    assert 1.2 < flips.mean() < 1.55  # 1 + (1 - 1/75)^75 = 1.365 are expected


def test_ties_of_parents_are_broken_at_random():
    alike = np.full((4, 3), 0.5)
    parents = np.array([next_parents(alike, "worst", Draw(1, "selection", n)) for n in range(1200)])
    for column, count in ((0, 4), (1, 3)):
        seen = np.bincount(parents[:, column], minlength=count)
        assert stats.chisquare(seen).pvalue > LEVEL
    assert stats.chi2_contingency(np.histogram2d(*parents.T, bins=(4, 3))[0]).pvalue > LEVEL


@pytest.mark.parametrize("by", ["worst", "mean"])
def test_the_next_parents_are_the_best_mutants(by):
    problem = problem_of(5)
    algorithm, question, wins = driven(partial(OneCommaLambda, mutants=6, by=by), problem, 3)
    results = wins.reshape(6, 6)
    fold = np.min if by == "worst" else np.mean
    first = max(fold(results[n]) for n in range(6))
    second = max(fold(1 - results[:, n]) for n in range(6))
    (row,) = (question.genomes[:6] == algorithm.champion).all(axis=1).nonzero()
    assert fold(results[row[0]]) == first
    (column,) = (question.genomes[6:] == algorithm._parents[1]).all(axis=1).nonzero()
    assert fold(1 - results[:, column[0]]) == second


def test_a_small_budget_pays_for_a_step_of_one_comma_lambda():
    assert len(OneCommaLambda(problem_of(budget=30)).ask().pairs) == 25


@pytest.mark.parametrize("stay", [True, False])
def test_winners_of_the_knockout_have_children_with_the_genes_of_both_and_may_stay(stay):
    algorithm, question, wins = driven(partial(Knockout, rate=0.0, stay=stay), problem_of(1), 1)
    np.testing.assert_array_equal(np.sort(question.pairs.ravel()), np.arange(20))
    winners = question.genomes[np.where(wins >= 0.5, question.pairs[:, 0], question.pairs[:, 1])]
    born = algorithm.ask().genomes
    if stay:
        np.testing.assert_array_equal(born[:10], winners)
        born = born[10:]
    for child in born:
        agreeing = [(np.where(a == b, a, child) == child).all() for n, a in enumerate(winners) for b in winners[:n]]
        assert any(agreeing)
    assert (born[:, None] == winners).all(axis=2).sum() < 5


def test_the_round_robin_lets_the_better_half_survive():
    algorithm, question, wins = driven(partial(RoundRobin, stay=True), problem_of(2), 1)
    means = np.full((20, 20), np.nan)
    means[tuple(question.pairs.T)] = wins
    means[tuple(question.pairs.T[::-1])] = 1 - wins
    best = np.argsort(-np.nanmean(means, axis=1))[:10]
    np.testing.assert_array_equal(algorithm.ask().genomes[:10], question.genomes[best])
    np.testing.assert_array_equal(algorithm.champion, question.genomes[best[0]])


def test_the_famous_are_drawn_alike_and_without_repetition():
    seen = np.zeros(8)
    for seed in range(400):
        algorithm = HallOfFame(problem_of(seed), famous=3)
        algorithm._hall = np.arange(8, dtype=np.uint8)[:, None].repeat(algorithm._problem.genes, axis=1)
        famous = algorithm.ask().genomes[-3:, 0]
        assert len(set(famous.tolist())) == 3
        seen[famous] += 1
    assert stats.chisquare(seen).pvalue > LEVEL


def test_the_champion_of_each_generation_enters_the_hall():
    algorithm, question, wins = driven(HallOfFame, problem_of(), 4)
    best = wins.reshape(20, -1).mean(axis=1).argmax()
    np.testing.assert_array_equal(algorithm.champion, question.genomes[best])
    assert len(algorithm._hall) == 5


def test_the_archive_keeps_its_places_and_the_worst_counts():
    algorithm, *_ = driven(partial(WorstCaseArchive, places=3, every=2), problem_of(), 9)
    assert len(algorithm._archive) == 3
    genomes, wins = algorithm.ask().genomes, np.tile([0.9, 0.9, 0.1], (20, 1))
    wins[7] = 0.2  # the best at worst, and not on average
    algorithm.tell(wins.ravel())
    np.testing.assert_array_equal(algorithm.champion, genomes[7])


def test_the_equilibrium_of_a_cycle():
    """Gains of .4, .3 and .4 about the cycle: each weight is that of the pair without it."""
    wins = np.array([[0.5, 0.1, 0.9], [0.9, 0.5, 0.2], [0.1, 0.8, 0.5]])
    np.testing.assert_allclose(equilibrium(wins), np.array([3, 4, 4]) / 11)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 60])
def test_nobody_beats_an_equilibrium(n):
    upper = np.triu(Draw(n, "validation").uniforms(n * n).reshape(n, n), 1)
    wins = upper + np.tril(1 - upper.T, -1) + np.eye(n) / 2
    weights = equilibrium(wins)
    assert abs(weights.sum() - 1) < 1e-12
    assert (wins @ weights).max() < 0.5 + 1e-9


@pytest.mark.parametrize(("make", "known"), [(NashMemory, "_memory"), (ResponseOracles, "_known")])
def test_the_remembered_payoffs_are_the_exact_matrix(make, known):
    problem = problem_of(4)
    algorithm, *_ = driven(make, problem, 70)
    payoffs = getattr(algorithm, known)
    assert len(payoffs) > 2
    exact = matrix_of_tables(EXACT_PLACE.game, EXACT_PLACE.grid.to_tables(payoffs.genomes))
    np.testing.assert_allclose(payoffs.wins, exact, atol=1e-12)
    assert (payoffs.wins @ algorithm._weights).max() < 0.5 + 1e-9


def test_genomes_that_beat_the_mixture_enter_the_memory_of_limited_size():
    problem, entered = problem_of(4), 0
    algorithm = NashMemory(problem, places=1)
    for _ in range(60):
        mixture, weights = algorithm.mixture
        question = algorithm.ask()
        wins = pairs_of_tables(EXACT_PLACE.game, EXACT_PLACE.grid.to_tables(question.genomes), question.pairs).mean(
            axis=1
        )
        entering = len(algorithm._winners)
        algorithm.tell(wins)
        if entering:
            entered += 1
            assert len(algorithm._memory) <= (algorithm._weights > 0).sum() + 1
        for winner in algorithm._winners:
            tables = EXACT_PLACE.grid.to_tables(np.concatenate([winner[None], mixture]))
            assert matrix_of_tables(EXACT_PLACE.game, tables)[0, 1:] @ weights > 0.5
    assert entered > 1


def test_no_response_enters_twice():
    algorithm = ResponseOracles(problem_of(), mutants=3, steps=2)
    for _ in range(9):
        assert len(algorithm.ask().pairs) == 4
        algorithm.tell(np.array([0.1, 0.2, 0.3, 0.5]))  # no mutant is better than its parent
    assert len(algorithm._known) == 1


QUICK = ("t20-d3-c2", "piglet-t20-c2")
KNOWN_PLACES = [
    pytest.param(f"{name} {by}", marks=() if by == "loss" and name in QUICK else pytest.mark.slow)
    for name, by in BEST_KNOWN
]


def figures(name, by, genomes):
    """By the public functions of the package, one genome at a time."""
    grid = instance(name).grid
    best, strategies = pigevo.optimal(grid.game).strategy, [grid.strategy(genome) for genome in genomes]
    if by == "loss":
        return np.array([0.5 - pigevo.win_probability(strategy, best).overall for strategy in strategies])
    return np.array([pigevo.best_response(strategy).overall - 0.5 for strategy in strategies])


@pytest.mark.parametrize("words", KNOWN_PLACES)
def test_no_other_choice_of_one_gene_is_better_than_the_best_genome_known(words):
    """Every gene is flipped, or every 25th where that takes long."""
    name, by = words.split()
    best, place = zero(instance(name), by), instance(name)
    assert best.figure == pytest.approx(figures(name, by, [best.genome])[0], abs=1e-12)
    genes = slice(None) if by == "loss" else slice(None, None, 25)
    assert JUDGES[by](place.grid)(neighbours(best.genome)[genes]).min() >= best.figure - LEAST
    assert (best.proof == "optimal") == (best.figure < LEAST)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for (name, by), (_, proof) in BEST_KNOWN.items() if proof == "two"])
def test_no_other_choices_of_two_genes_are_better(name):
    place = instance(name)
    assert pair_gain(JUDGES["loss"](place.grid), zero(place, "loss").genome) < LEAST


def test_where_a_gene_is_a_cell_the_zero_is_the_optimum():
    for by in JUDGES:
        best = zero(PLACE, by)
        assert (best.figure, best.proof) == (0, "optimal")


def test_an_unknown_zero_is_computed_and_better_than_most_decisions_of_the_optimum():
    place = instance("t15-d2-c3")
    begin = place.grid.from_strategies([pigevo.optimal(place.game).strategy])[0]
    for by in JUDGES:
        best = zero(place, by)
        assert best.proof == "one"
        assert best.figure < figures("t15-d2-c3", by, [begin])[0] - 1e-4
        assert figures("t15-d2-c3", by, neighbours(best.genome)).min() >= best.figure - LEAST


def test_descent_on_a_sum_of_bits_finds_the_least():
    weights = np.array([3.0, -1.0, 2.0, -5.0])
    assert descend(lambda genomes: genomes @ weights, np.array([1, 0, 0, 0], np.uint8)).tolist() == [0, 1, 0, 1]
    both = lambda genomes: np.where(genomes[:, 0] == genomes[:, 1], -1.0 * genomes[:, 0], 1.0)  # noqa: E731
    begin = np.zeros(2, np.uint8)
    assert descend(both, begin).tolist() == [0, 0]  # each alone is worse, and both together better by 1
    assert pair_gain(both, begin) == 1


@pytest.mark.parametrize("name", sorted({name for names in SUITES.values() for name in names if "-c1-" not in name}))
def test_a_perfect_entrant_has_an_area_of_1(name):
    place = instance(name)
    best = zero(place, "loss")

    class Perfect:
        def __init__(self, problem):
            self.genomes, self.done = np.vstack([best.genome] * 2), False

        def ask(self):
            pairs = np.empty((0, 2), int) if self.done else np.array([[0, 1]])
            return Question(self.genomes, pairs)

        def tell(self, wins):
            self.done = True

        champion = property(lambda self: self.genomes[0])

    trial = try_out(Perfect, place)
    assert area([trial], "loss", place.games or 1, best.figure)[0] == 1
