"""A trial: what is counted, recorded and refused."""

import itertools
import re

import numpy as np
import pytest

from experiments.benchmark.tests.entrants import Mutants, asking
from pigevo.errors import InputError
from pigevo.experiments.benchmark import Question, instance, try_out
from pigevo.experiments.benchmark.answers import judge

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


def test_trials_are_the_same_again_and_differ_by_seed():
    first, again, other = (try_out(Mutants, instance("t9-d3-g10"), seed, 2000) for seed in (1, 1, 2))
    assert first.loss.tolist() == again.loss.tolist()
    assert first.loss.tolist() != other.loss.tolist()


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
