"""A benchmark in its folder: done once, the same with any workers, and nothing of others touched."""

import itertools
import json
import os
import subprocess
import textwrap

import pytest

from pigevo.benchmark import tasks
from pigevo.benchmark.bench import benchmark
from pigevo.errors import InputError
from pigevo.workers.pool import Worker
from tests.benchmark.entrants import Mutants
from tests.cases import sample

PLACES = "t9-d3,t9-d3-g10"
OWN = """
    from pigevo.benchmark import Question
    import numpy as np

    class Mine:
        def __init__(self, problem):
            self.problem = problem
            self.start = problem.start(6)

        def ask(self):
            print("a word on standard output")
            return Question(self.start, np.array([[a, b] for a in range(6) for b in range(a)]))

        def tell(self, wins):
            self.best = self.start[CHOICE]

        champion = property(lambda self: self.best)

    class Failing(Mine):
        def tell(self, wins):
            1 / 0 if self.problem.seed == 1 else super().tell(wins)
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    from pigevo.compiled.cache import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))
    monkeypatch.chdir(tmp_path)
    write_own("0")
    return tmp_path


def write_own(choice):
    from pathlib import Path

    Path("mine.py").write_text(textwrap.dedent(OWN).replace("CHOICE", choice))


@pytest.fixture
def trials_done(monkeypatch):
    """The trials that are done from now on, as (algorithm, instance, seed)."""
    calls, real = [], tasks.try_out

    def noted(make, place, seed, *more, **options):
        calls.append((options["name"], place.name, seed))
        return real(make, place, seed, *more, **options)

    monkeypatch.setattr(tasks, "try_out", noted)
    return calls


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run(algorithms=("random_search", "mine.py:Mine"), places=PLACES, seeds=2, budget=300, workers=1, **options):
    return benchmark(algorithms, places, seeds, budget, "b", workers, **options)


@pytest.mark.slow
def test_what_is_done_is_not_done_again(here, trials_done):
    run()
    assert len(trials_done) == len(set(trials_done)) == 8
    before = content(here / "b")
    trials_done.clear()
    run()
    assert trials_done == []
    assert content(here / "b") == before
    run(seeds=3)
    assert sorted({seed for *_, seed in trials_done}) == [2]
    assert len(trials_done) == 4


@pytest.mark.slow
def test_another_budget_or_code_is_another_trial(here, trials_done):
    first = run()
    trials_done.clear()
    run(budget=400)
    assert len(trials_done) == 8
    trials_done.clear()
    run(budget=400, seconds=1000)
    assert len(trials_done) == 8
    run(budget=400)
    trials_done.clear()
    write_own("1")
    changed = run(budget=400)
    assert {name for name, *_ in trials_done} == {"mine.py:Mine"}
    assert len(trials_done) == 4
    losses = [found.trials["mine.py:Mine"]["t9-d3-c1-exact"][0].loss[-1] for found in (first, changed)]
    assert losses[0] != losses[1]


@pytest.mark.slow
def test_no_file_depends_on_the_workers(here):
    run()
    benchmark(("random_search", "mine.py:Mine"), PLACES, 2, 300, "b2", 2)
    assert content(here / "b") == content(here / "b2")


@pytest.mark.slow
def test_what_an_interruption_leaves_is_gone_on_with(here, trials_done, monkeypatch):
    real, done = tasks.try_out, []

    def until_the_third(*trial, **options):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(trial)
        return real(*trial, **options)

    monkeypatch.setattr(tasks, "try_out", until_the_third)
    with pytest.raises(KeyboardInterrupt):
        run()
    (one, *_) = done = sorted((here / "b").rglob("[0-9]*.json"))
    (one.parent / f".{one.name.replace('0-', '1-')}.abcd1234.partial").write_text("half a rec")
    assert len(done) == 3
    monkeypatch.setattr(tasks, "try_out", real)
    trials_done.clear()
    run()
    assert len(trials_done) == 5
    assert list((here / "b").rglob("*.partial")) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_algorithm_that_fails_is_told_with_its_line(here, workers):
    said = r"mine.py:Failing fails in tell \(t9-d3-c1-\w+, question 1\): ZeroDivisionError.*\(mine.py, line 2\d\)"
    with pytest.raises(InputError, match=said):
        run(("mine.py:Failing",), "t9-d3", workers=workers)


@pytest.mark.slow
def test_what_an_algorithm_prints_is_no_answer(here, capfd):
    run(("mine.py:Mine",), "t9-d3", workers=2)
    said = capfd.readouterr()
    assert said.out == ""
    assert "a word on standard output" in said.err


def test_a_folder_of_others_is_left_alone(here):
    (here / "b").mkdir()
    (here / "b/letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"b is not empty \(letter.txt\) and not the folder of a benchmark: choose a"):
        run()
    assert os.listdir(here / "b") == ["letter.txt"]


@pytest.mark.slow
def test_what_others_put_into_the_folder_stays(here):
    run(("random_search",))
    (here / "b/notes.txt").write_text("mine")
    (here / "b/trials/random_search/mine.json").write_text("{}")
    run(("random_search",), budget=400)
    assert (here / "b/notes.txt").read_text() == "mine"
    assert (here / "b/trials/random_search/mine.json").read_text() == "{}"


def test_a_damaged_record_is_told(here):
    run(("random_search",), "t9-d3")
    (place,) = (here / "b/trials/random_search/t9-d3-c1-exact").glob("1-*.json")
    place.write_text(place.read_text()[:100])
    with pytest.raises(InputError, match=r"1-\w+.json .*: remove it, and its trial is done again"):
        run(("random_search",), "t9-d3")


@pytest.mark.parametrize(
    "changed",
    sample(
        [
            lambda known: {name: known[name][:1] for name in ("spent", "loss", "exploitability")},  # nothing was spent
            lambda known: {"loss": known["loss"][1:]},
            lambda known: {"spent": known["spent"][::-1]},
            lambda known: {"spent": [*known["spent"][:-1], 10**30]},
            lambda known: {"loss": [float("nan")] * len(known["loss"])},
            lambda known: {"champion": "2" * len(known["champion"])},
        ],
        1,
        4,
    ),
)
def test_a_record_of_what_cannot_be_is_told(here, changed):
    run(("random_search",), "t9-d3", seeds=1)
    (place,) = (here / "b/trials/random_search/t9-d3-c1-exact").glob("0-*.json")
    record = json.loads(place.read_text())
    place.write_text(json.dumps(record | changed(record)))
    with pytest.raises(InputError, match=r"does not fit together: remove it, and its trial is done again"):
        run(("random_search",), "t9-d3", seeds=1)


@pytest.mark.slow
def test_no_table_or_trial_is_overwritten(here):
    """Another algorithm, budget, figure, or other code has other files beside those that there are."""
    first = run(("random_search",), "t9-d3", seeds=1).folder
    before = content(here / "b")
    others = [
        run(("hill_climber",), "t9-d3", seeds=1).folder,
        run(("random_search",), "t9-d3", seeds=1, budget=400).folder,
        run(("random_search",), "t9-d3", seeds=1, by="exploitability").folder,
    ]
    assert len({first, *others}) == 4
    assert before.items() <= content(here / "b").items()


@pytest.mark.slow
def test_a_class_takes_part_beside_names(here):
    """It works in this process, also where others have processes of their own, and is known by its code."""
    import pigevo

    class Mine(Mutants):
        """One that is not in a file of its own."""

    found = pigevo.benchmark([Mine, "random_search"], "t9-d3", 2, 300, "b", 2)
    assert {one.algorithm for one in found.standings} == {"Mine", "random_search"}
    assert len(list((here / "b/trials/Mine").rglob("*.json"))) == 2
    alone = pigevo.benchmark(Mine, "t9-d3", seeds=2, budget=300, folder="other", workers=1)
    assert alone.standings[0] in found.standings


@pytest.mark.slow
def test_tables_and_pictures_are_there(here):
    place = run().folder
    assert place == run().folder
    files = {str(path) for path in content(here / place)}
    assert {"standings.csv", "endings.csv", "times.csv", "summary.json", "figures/ecdf_loss.png"} <= files
    assert {"figures/ecdf_exploitability.png", "figures/loss_t9-d3-c1-g10.png"} <= files
    assert len([name for name in files if name.startswith("ioh/loss/mine.py_Mine/")]) == 4
    record = json.loads((here / place / "summary.json").read_text())
    areas = [one["area"] for one in record["standings"]]
    assert areas == sorted(areas, reverse=True)
    assert len(record["endings"]) == 4


@pytest.mark.parametrize(
    ("words", "options", "said"),
    [
        (("random_serch",), {}, "'random_serch'; did you mean random_search? One of your own is written mine.py:MyAlg"),
        (("nothing.py:Mine",), {}, "there is no file nothing.py"),
        (
            ("mine.py",),
            {},
            "mine.py names no algorithm: write mine.py:NAME, with the name of a class or function in it",
        ),
        (("mine.py:Yours",), {}, "there is no function 'Yours' in mine.py; there are: Failing, Mine"),
        (("random_search",), {"seeds": 0}, "seeds = 0: a benchmark has a whole number of them"),
        (("random_search",), {"seconds": 0}, "seconds = 0: a trial may take a number of them above 0."),
        (("random_search",), {"seconds": float("nan")}, "seconds = nan: a trial may take"),
        (("random_search",), {"key": 7}, "key = 7: the key of the dice is a text."),
        (("random_search",), {"by": "lost"}, "there is no figure 'lost' to order by; did you mean loss?"),
        (("random_search",), {"budget": 1}, "a budget of 1 does not do for t9-d3-c1-exact"),
        ("random_serch", {}, "there is no algorithm 'random_serch'"),
        ((print,), {}, "names no algorithm: give its name or mine.py:MyAlgorithm as text, or a class or function"),
        ((7,), {}, "7 names no algorithm: give its name or mine.py:MyAlgorithm as text, or a class or function"),
        (("random_search",), {"workers": "a"}, "workers = 'a': a benchmark has a whole number of them, at least 1."),
        (("random_search",), {"places": ["quick"]}, "instances are named in one text, separated by commas"),
        (("mine.py:Mine", "copy/mine.py:Mine"), {}, "would have the same name: give one another"),
    ],
)
def test_wrong_words_leave_no_folder(here, words, options, said):
    import re

    (here / "copy").mkdir()
    (here / "copy/mine.py").write_text((here / "mine.py").read_text() + "\n# another\n")
    with pytest.raises(InputError, match=re.escape(said)):
        run(words, **options)
    assert not (here / "b").exists()


@pytest.mark.slow
def test_an_algorithm_of_a_module_has_its_name(here):
    from pigevo.benchmark.entrants import entrant

    (here / "deep").mkdir()
    (here / "deep/mine.py").write_text((here / "mine.py").read_text())
    assert entrant("deep/mine.py:Mine").name == "mine.py:Mine"
    assert entrant("deep.mine:Mine").name == "deep.mine:Mine"
    assert entrant("deep.mine:Mine").folder == "deep.mine_Mine"


def test_a_class_is_known_by_its_code():
    from pigevo.benchmark.entrants import entrant, entrants

    class Mine(Mutants):
        size = 4

    assert entrant(Mine).make is Mine
    known = entrant(Mine).identity
    assert known == entrant(Mine).identity != entrant(Mutants).identity
    Mine.size = 5
    assert entrant(Mine).identity != known
    with pytest.raises(InputError, match="would have the same name"):
        entrants([Mine, type("Mine", (Mutants,), {"size": 5})])


def test_an_unforeseen_error_reaches_the_caller(here, monkeypatch):
    def fail(*_):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(Worker, "call", fail)
    with pytest.raises(RuntimeError, match="unforeseen"):
        run(("random_search",), "t9-d3", workers=2)


def test_processes_that_cannot_be_started_are_told_and_the_others_ended(here, monkeypatch):
    started, begun, calls = [], subprocess.Popen, itertools.count()

    def second_fails(*words, **options):
        if next(calls):
            raise OSError(12, "Cannot allocate memory")
        started.append(begun(*words, **options))
        return started[0]

    monkeypatch.setattr("pigevo.workers.pool.subprocess.Popen", second_fails)
    with pytest.raises(InputError, match="no process could be started: Cannot allocate memory"):
        run(("random_search",), "t9-d3", workers=2)
    assert started[0].poll() is not None
