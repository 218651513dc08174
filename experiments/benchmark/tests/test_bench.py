"""A benchmark in its folder and by its command, and a user's algorithm in its own process."""

import json
import os
import re
import shutil
import textwrap
import threading
import time
from pathlib import Path

import pytest

from experiments.benchmark.tests.entrants import Mutants
from pigevo.errors import InputError
from pigevo.experiments.benchmark import instance, try_out
from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.bench import benchmark
from pigevo.experiments.benchmark.instances import SUITES
from pigevo.experiments.benchmark.tasks import entrant, entrants
from pigevo.workers.pool import Worker, WorkerDied
from tests.cases import sample
from tests.small import is_alive

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


@pytest.fixture
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
    monkeypatch.setattr("pigevo.experiments.benchmark.bench._pictures", lambda _: [])


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
@pytest.mark.usefixtures("folder")
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
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_failing_algorithm_is_reported_with_its_line(workers):
    message = r"mine.py:Failing fails in tell \(t9-d3-c1-\w+, question 1\): ZeroDivisionError.*\(mine.py, line 2\d\)"
    with pytest.raises(InputError, match=message):
        run(("mine.py:Failing",), "t9-d3", workers=workers)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
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


@pytest.mark.usefixtures("folder")
def test_an_unforeseen_error_in_a_worker_reaches_the_caller(monkeypatch):
    def fail(*_):
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(Worker, "call", fail)
    with pytest.raises(RuntimeError, match="unforeseen"):
        run(("random_search",), "t9-d3", workers=2)


SMALL = "benchmark random_search --instances t9-d3,t9-d3-g10 --seeds 2 --budget 300 --workers 1"


@pytest.mark.slow
def test_a_benchmark_to_read(answer):
    lines = answer(f"{SMALL} hill_climber").splitlines()
    assert lines[0] == "2 algorithms, 2 instances, 2 seeds; by the anytime area of loss, too few seeds for intervals"
    assert lines[2].split() == ["algorithm", "area", "hit"]
    assert {lines[3].split()[0], lines[4].split()[0]} == {"random_search", "hill_climber"}
    assert "  t9-d3-c1-exact (the best genome known: loss 0.0000, exploitability 0.0000)" in lines
    assert any(line.startswith("  t9-d3-c1-g10 (") for line in lines)
    label, place = lines[-1].split(": ")
    assert label == "  tables, pictures and IOHprofiler's files"
    assert Path(place).parent == Path("outputs/benchmark/results")
    assert (Path(place) / "standings.csv").is_file()


@pytest.mark.slow
def test_a_benchmark_as_json(record_of):
    record = record_of(f"{SMALL} --by exploitability --to new")
    assert (record["by"], record["seeds"]) == ("exploitability", 2)
    assert record["folder"].startswith("new/results/exploitability-1x2x2-")
    assert [row["algorithm"] for row in record["standings"]] == ["random_search"]
    assert {row["instance"] for row in record["endings"]} == {"t9-d3-c1-exact", "t9-d3-c1-g10"}
    assert {row["by"] for row in record["times"]} == {"loss", "exploitability"}


@pytest.mark.slow
def test_an_entrant_stands_beside_those_that_are_named(record_of):
    base = "from pigevo.experiments.benchmark.algorithms import RandomSearch\n"
    Path("mine.py").write_text(f"{base}class Mine(RandomSearch): pass\n")
    rows = record_of(f"{SMALL} --algorithm mine.py:Mine")["standings"]
    assert {row["algorithm"] for row in rows} == {"random_search", "mine.py:Mine"}


def test_an_entrant_stands_beside_all_reference_algorithms(pigevo, monkeypatch):
    called = []

    def noted(algorithms, *_, **__):
        called.append(algorithms)
        raise KeyboardInterrupt

    monkeypatch.setattr("pigevo.experiments.benchmark.bench.benchmark", noted)
    output = pigevo("benchmark --algorithm mine.py:Mine")
    assert output.status == 130
    assert output.err.strip() == "pigevo: interrupted; the same command goes on with the trials that are left."
    assert called == [(*ALGORITHMS, "mine.py:Mine")]


def test_the_list_has_all(answer, record_of):
    output = answer("benchmark --list")
    assert all(f"  {name}: " in output for name in [*ALGORITHMS, *SUITES])
    record = record_of("benchmark --list")
    assert list(record["algorithms"]) == list(ALGORITHMS)
    assert record["suites"].keys() == SUITES.keys()
    assert not Path("outputs").exists()


@pytest.mark.slow
def test_reference_results_stand_beside_an_entrant(answer, record_of):
    words = "benchmark random_search --instances t10-d2-c1-g10 --seeds 2 --workers 1"
    before, after = answer(words).split("  reference results (experiments/benchmark), not computed again here\n")
    assert "  random_search" in before
    heads, *rows = after.split("\n\n")[0].splitlines()
    assert heads.split() == ["algorithm", "area", "hit"]
    names = [row.split()[0] for row in rows]
    assert set(names) == ALGORITHMS.keys() - {"random_search"}
    assert [row["algorithm"] for row in record_of(words)["reference"]] == names
    assert "no reference results: they are of the instances" in answer(f"{words} --budget 500")


LOOKING = """
    import json
    import os
    import sys
    from pathlib import Path

    import numpy as np

    import pigevo
    from pigevo.experiments.benchmark import Question
    from entrants import Mutants

    class Looking(Mutants):
        trials = 0

        def __init__(self, problem):
            super().__init__(problem)
            Looking.trials += 1
            known = sorted(name for name in dir(problem) if not name.startswith("_"))
            heavy = [name for name in sys.modules if name.startswith(("pigevo.exact", "pigevo.simulation", "pigevo.games"))]
            saw = {"known": known, "loaded": heavy, "trials": self.trials, "process": os.getpid()}
            Path(f"saw{problem.seed}.json").write_text(json.dumps(saw))

    class Optimal(Mutants):
        def tell(self, wins):
            super().tell(wins)
            self.optimum = pigevo.optimal(pigevo.Pig(target=9, sides=3))

    class Playing(Mutants):
        def __init__(self, problem):
            super().__init__(problem)
            from pigevo.simulation import play_pairs
"""
FAILING = """
    import os
    from pathlib import Path

    def reading(problem):
        input()

    def writing(problem):
        os.write(1, b'["answer", 1]')
        raise ValueError("wrong")

    def leaving(problem):
        raise GeneratorExit

    def interrupting(problem):
        raise KeyboardInterrupt

    def ending(problem):
        os._exit(7)

    def cancelled(problem):
        raise __import__("asyncio").CancelledError("by itself")

    class Looping:
        def __init__(self, problem):
            Path("writing").write_text(str(os.getpid()))
            Path("writing").rename("begun")
            while True:
                pass
"""
GAMES_PLACE = instance("t9-d3-g10")
IN_A_FOLDER = pytest.mark.usefixtures("here")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working folder with algorithms of a user's that look around."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")  # more threads of its processes would only wait, and busily
    shutil.copy(Path(__file__).with_name("entrants.py"), tmp_path)
    (tmp_path / "mine.py").write_text(textwrap.dedent(LOOKING))
    return tmp_path


def trial(name, seed=1, seconds=None):
    own = entrant(f"mine.py:{name}")
    return try_out(own.make(seconds), GAMES_PLACE, seed, 500, name=own.name, seconds=seconds)


@IN_A_FOLDER
def test_an_entrant_has_the_problem_in_a_new_process_for_each_trial_and_neither_game_nor_referee():
    benchmark("mine.py:Looking", GAMES_PLACE.name, seeds=2, budget=500, workers=1)
    records = [json.loads(Path(f"saw{seed}.json").read_text()) for seed in (0, 1)]
    answers = ["budget", "cost", "draw", "games", "genes", "opponent", "pairs", "seed", "start", "unit"]
    assert [record["known"] for record in records] == [answers] * 2
    assert [record["loaded"] for record in records] == [[], []]
    assert [record["trials"] for record in records] == [1, 1]  # nothing is carried from one trial to the next
    assert len({os.getpid(), *(record["process"] for record in records)}) == 3


@pytest.mark.parametrize(
    ("name", "engine"),
    [pytest.param("Optimal", "pigevo.exact", marks=pytest.mark.slow), ("Playing", "pigevo.simulation")],
)
@IN_A_FOLDER
def test_an_entrant_that_computes_or_plays_games_by_itself_is_refused(name, engine):
    with pytest.raises(InputError, match=rf"^mine.py:{name} loads {engine}.*rules of entry.*\(t9-d3-c1-g10\)\.$"):
        trial(name)


@IN_A_FOLDER
def test_an_entrant_that_does_not_come_back_is_ended_after_the_time_limit(here):
    (here / "mine.py").write_text(textwrap.dedent(FAILING))
    with pytest.raises(
        InputError, match=r"^mine.py:Looping cannot be made \(.*\): it has taken longer than 3 s, the time limit"
    ):
        trial("Looping", seconds=3.0)
    assert not is_alive((here / "begun").read_text())


@IN_A_FOLDER
def test_the_trial_of_an_entrant_is_that_of_the_same_algorithm_in_this_process():
    apart, beside = trial("Mutants"), try_out(Mutants, GAMES_PLACE, 1, 500)
    assert apart.loss.tolist() == beside.loss.tolist()
    assert apart.champion.tolist() == beside.champion.tolist()


@pytest.mark.parametrize(
    ("name", "reason"),
    [("reading", r"a function here may not ask with input\(\)"), ("writing", "ValueError: wrong"), ("leaving", "GeneratorExit"),
     ("cancelled", "CancelledError: by itself"), ("interrupting", "KeyboardInterrupt"),
     ("ending", "it has ended the process that it works in, with exit status 7.")],
)  # fmt: skip
@IN_A_FOLDER
def test_whatever_an_entrant_does_to_its_process_is_told(here, name, reason):
    (here / "mine.py").write_text(textwrap.dedent(FAILING))
    with pytest.raises(InputError, match=rf"^mine.py:{name} cannot be made \(t9-d3-c1-g10\): {reason}"):
        trial(name)


@IN_A_FOLDER
def test_an_entrant_s_process_ends_when_the_trial_s_worker_is_gone(here):
    (here / "mine.py").write_text(textwrap.dedent(FAILING))
    own = entrant("mine.py:Looping")
    record = [own.name, own.word, own.identity, own.source]
    task = {"entrant": record, "instance": GAMES_PLACE.name, "more": [0, 500, None, ""]}

    def died():
        with pytest.raises(WorkerDied):
            worker.call("pigevo.experiments.benchmark.tasks:do", task)

    with Worker() as worker:
        begun = threading.Thread(target=died, daemon=True)
        begun.start()
        while begun.is_alive() and not (here / "begun").exists():
            time.sleep(0.02)
    begun.join()
    with pytest.raises(ProcessLookupError):  # not at once
        for _ in range(600):
            os.kill(int((here / "begun").read_text()), 0)
            time.sleep(0.1)


@pytest.mark.slow
@IN_A_FOLDER
def test_the_noise_follows_from_the_key_which_is_in_no_file():
    public, secret, again, other = (try_out(Mutants, GAMES_PLACE, 1, 500, key=key) for key in ("", "a", "a", "b"))
    assert secret.loss.tolist() == again.loss.tolist()
    assert len({tuple(trial.loss.tolist()) for trial in (public, secret, other)}) == 3
    runs = [
        benchmark("random_search", GAMES_PLACE.name, 2, 500, "b", 1, key=key).trials["random_search"][GAMES_PLACE.name]
        for key in ("", "a long secret", "a long secret")
    ]
    assert [trial.loss.tolist() for trial in runs[1]] == [trial.loss.tolist() for trial in runs[2]]
    assert [trial.loss.tolist() for trial in runs[0]] != [trial.loss.tolist() for trial in runs[1]]
    assert not any(b"a long secret" in file.read_bytes() for file in Path("b").rglob("*") if file.is_file())


@IN_A_FOLDER
def test_a_file_that_changes_while_the_benchmark_runs_is_refused():
    own = entrant("mine.py:Mutants")
    Path("mine.py").write_text(Path("mine.py").read_text() + "\n# changed\n")
    with pytest.raises(InputError, match=r"^mine.py:Mutants is no longer what it was when the benchmark began: "):
        try_out(own.make(), GAMES_PLACE, 1, 500, name=own.name)
