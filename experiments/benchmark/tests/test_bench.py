"""A benchmark in its folder: each trial done once, the same with any workers, and no other file touched."""

import json
import re
import textwrap
from pathlib import Path

import pytest

from experiments.benchmark.tests.entrants import Mutants
from pigevo.errors import InputError
from pigevo.experiments.benchmark.bench import benchmark
from pigevo.experiments.benchmark.entrants import entrant, entrants
from pigevo.workers.pool import Worker
from tests.cases import sample

PLACES = "t9-d3,t9-d3-g10"
OWN = """
    from pigevo.experiments.benchmark import Question
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


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, environment):
    """The benchmark's folder, in a working folder with a user's algorithm."""
    if "NUMBA_CACHE_DIR" in environment:
        monkeypatch.setenv("NUMBA_CACHE_DIR", environment["NUMBA_CACHE_DIR"])
    monkeypatch.chdir(tmp_path)
    write_own("0")
    return tmp_path / "b"


@pytest.fixture
def no_pictures(monkeypatch):
    """Pictures take most of the time of a small benchmark, and say nothing about which trials are done."""
    monkeypatch.setattr("pigevo.experiments.benchmark.output_files._pictures", lambda _: [])


def write_own(choice):
    Path("mine.py").write_text(textwrap.dedent(OWN).replace("CHOICE", choice))


def run(algorithms=("random_search", "mine.py:Mine"), places=PLACES, seeds=2, budget=300, workers=1, **options):
    return benchmark(algorithms, places, seeds, budget, options.pop("folder", "b"), workers, **options)


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def trials_done(*arguments, **options):
    """The trials that a run does, as (algorithm, seed)."""
    times = {path: path.stat().st_mtime_ns for path in Path("b/trials").rglob("*.json")}
    run(*arguments, **options)
    new = [path for path in Path("b/trials").rglob("*.json") if path.stat().st_mtime_ns != times.get(path)]
    return sorted((path.parts[2], int(path.name.split("-")[0])) for path in new)


BOTH = [("mine.py_Mine", 0), ("mine.py_Mine", 1), ("random_search", 0), ("random_search", 1)]


@pytest.mark.slow
def test_what_is_done_is_not_done_again(folder):
    assert trials_done() == sorted(2 * BOTH)
    before = content(folder)
    assert trials_done() == []
    assert content(folder) == before
    assert trials_done(seeds=3) == 2 * [("mine.py_Mine", 2)] + 2 * [("random_search", 2)]


@pytest.mark.slow
def test_another_budget_or_code_is_another_trial(no_pictures):
    exact = {"places": "t9-d3"}
    first = run(**exact)
    assert trials_done(**exact, budget=400) == BOTH
    assert trials_done(**exact, budget=400, seconds=1000) == BOTH
    write_own("1")
    assert trials_done(**exact) == BOTH[:2]
    losses = [results.trials["mine.py:Mine"]["t9-d3-c1-exact"][0].loss[-1] for results in (first, run(**exact))]
    assert losses[0] != losses[1]


@pytest.mark.slow
def test_no_file_depends_on_the_workers(folder):
    run()
    run(workers=2, folder="b2")
    assert content(folder) == content(folder.with_name("b2"))


@pytest.mark.slow
def test_what_an_interruption_leaves_is_gone_on_with(folder, no_pictures):
    def interrupt_after_three(done, of):
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(listener=interrupt_after_three)
    first, *others = sorted(folder.rglob("[0-9]*.json"))
    assert len(others) == 2
    (first.parent / f".{first.name.replace('0-', '1-')}.abcd1234.partial").write_text("half a rec")
    assert len(trials_done()) == 5
    assert list(folder.rglob("*.partial")) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_algorithm_is_reported_with_its_line(workers):
    message = r"mine.py:Failing fails in tell \(t9-d3-c1-\w+, question 1\): ZeroDivisionError.*\(mine.py, line 2\d\)"
    with pytest.raises(InputError, match=message):
        run(("mine.py:Failing",), "t9-d3", workers=workers)


@pytest.mark.slow
def test_what_an_algorithm_prints_goes_to_standard_error(capfd, no_pictures):
    run(("mine.py:Mine",), "t9-d3", workers=2)
    output = capfd.readouterr()
    assert output.out == ""
    assert "a word on standard output" in output.err


def test_a_folder_of_others_is_left_alone(folder):
    folder.mkdir()
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match=r"b must be new or empty, but has other files \(letter.txt\): name"):
        run()
    assert content(folder) == {Path("letter.txt"): b"dear"}


@pytest.mark.parametrize(
    "changes",
    sample(
        [
            lambda known: {name: known[name][:1] for name in ("spent", "loss", "exploitability")},  # nothing was spent
            lambda known: {"loss": known["loss"][1:]},
            lambda known: {"spent": known["spent"][::-1]},
            lambda known: {"spent": [*known["spent"][:-1], 10**30]},
            lambda known: {"loss": [float("nan")] * len(known["loss"])},
            lambda known: {"champion": "2" * len(known["champion"])},
            lambda known: "{",  # no record
        ],
        1,
        4,
        6,
    ),
)
def test_a_record_of_an_impossible_trial_is_refused(folder, changes):
    run(("random_search",), "t9-d3", seeds=1)
    (path,) = (folder / "trials/random_search/t9-d3-c1-exact").glob("0-*.json")
    record = json.loads(path.read_text())
    changed = changes(record)
    path.write_text(changed if isinstance(changed, str) else json.dumps(record | changed))
    with pytest.raises(InputError, match=r"0-\w+.json .*: remove it, and its trial is done again"):
        run(("random_search",), "t9-d3", seeds=1)


@pytest.mark.slow
def test_no_table_or_trial_is_overwritten(folder):
    """Another algorithm, budget or figure has other files beside the earlier ones and those of others."""
    first = run(("random_search",), "t9-d3", seeds=1).folder
    for name in ("notes.txt", "trials/random_search/mine.json"):
        (folder / name).write_text("mine")
    before = content(folder)
    others = [
        run(("hill_climber",), "t9-d3", seeds=1).folder,
        run(("random_search",), "t9-d3", seeds=1, budget=400).folder,
        run(("random_search",), "t9-d3", seeds=1, by="exploitability").folder,
    ]
    assert len({first, *others}) == 4
    assert before.items() <= content(folder).items()


@pytest.mark.slow
def test_a_class_takes_part_beside_names(folder, no_pictures):
    """It works in this process, also where others have processes of their own."""

    class Mine(Mutants):
        """One that is not in a file of its own."""

    results = benchmark([Mine, "random_search"], "t9-d3", 2, 300, "b", 2)
    assert {standing.algorithm for standing in results.standings} == {"Mine", "random_search"}
    assert len(list((folder / "trials/Mine").rglob("*.json"))) == 2
    alone = benchmark(Mine, "t9-d3", seeds=2, budget=300, folder="other", workers=1)
    assert alone.standings[0] in results.standings


@pytest.mark.slow
def test_tables_and_pictures_are_written(folder):
    place = run().folder
    assert place == run().folder
    files = {path.as_posix() for path in content(Path(place))}
    assert {"standings.csv", "endings.csv", "times.csv", "summary.json", "figures/ecdf_loss.png"} <= files
    assert {"figures/ecdf_exploitability.png", "figures/loss_t9-d3-c1-g10.png"} <= files
    assert len([name for name in files if name.startswith("ioh/loss/mine.py_Mine/")]) == 4
    record = json.loads((Path(place) / "summary.json").read_text())
    areas = [standing["area"] for standing in record["standings"]]
    assert areas == sorted(areas, reverse=True)
    assert len(record["endings"]) == 4


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        ("random_serch", {}, "'random_serch'; did you mean random_search? One of your own is written mine.py:MyAlg"),
        (("nothing.py:Mine",), {}, "there is no file nothing.py"),
        (("mine.py",), {}, "mine.py names no algorithm: write mine.py:NAME"),
        (("mine.py:Yours",), {}, "there is no function 'Yours' in mine.py; there are: Failing, Mine"),
        (print, {}, "names no algorithm: give its name or mine.py:MyAlgorithm as text, or a class or function"),
        (("mine.py:Mine", "copy/mine.py:Mine"), {}, "would have the same name: give one another"),
        ("random_search", {"seeds": 0}, "seeds = 0: a benchmark has a whole number of them"),
        ("random_search", {"seconds": 0}, "seconds = 0: a trial may take a number of them above 0."),
        ("random_search", {"seconds": float("nan")}, "seconds = nan: a trial may take"),
        ("random_search", {"key": 7}, "key = 7: the key of the dice is a text."),
        ("random_search", {"by": "lost"}, "there is no figure 'lost' to order by; did you mean loss?"),
        ("random_search", {"budget": 1}, "a budget of 1 does not do for t9-d3-c1-exact"),
        ("random_search", {"workers": "a"}, "workers = 'a': a benchmark has a whole number of them, at least 1."),
        ("random_search", {"places": ["quick"]}, "instances are named in one text, separated by commas"),
    ],
)
def test_wrong_words_leave_no_folder(folder, words, options, message):
    (folder.with_name("copy")).mkdir()
    Path("copy/mine.py").write_text(Path("mine.py").read_text() + "\n# another\n")
    with pytest.raises(InputError, match=re.escape(message)):
        run(words, **options)
    assert not folder.exists()


@pytest.mark.slow
def test_an_algorithm_of_a_module_has_its_name(folder):
    (folder.with_name("deep")).mkdir()
    Path("deep/mine.py").write_text(Path("mine.py").read_text())
    assert entrant("deep/mine.py:Mine").name == "mine.py:Mine"
    module = entrant("deep.mine:Mine")
    assert (module.name, module.folder) == ("deep.mine:Mine", "deep.mine_Mine")


def test_a_class_is_known_by_its_code():
    class Mine(Mutants):
        size = 4

    known = entrant(Mine).identity
    assert known == entrant(Mine).identity != entrant(Mutants).identity
    Mine.size = 5
    assert entrant(Mine).identity != known
    with pytest.raises(InputError, match="would have the same name"):
        entrants([Mine, type("Mine", (Mutants,), {"size": 5})])


def test_an_unforeseen_error_in_a_worker_reaches_the_caller(monkeypatch):
    def fail(*_):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(Worker, "call", fail)
    with pytest.raises(RuntimeError, match="unforeseen"):
        run(("random_search",), "t9-d3", workers=2)
