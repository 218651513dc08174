"""What a user is told of a run: the memory that it will need, its time, the commit of its code, and its progress."""

import importlib
import io
import json
import logging
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from types import SimpleNamespace

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.cli.summary import summary
from pigevo.core import machine
from pigevo.core.phase_clock import PHASES
from pigevo.errors import InputError
from pigevo.evolution import loop, plan
from pigevo.evolution.loop import first_state
from pigevo.evolution.toolbox import toolbox_of
from pigevo.runs import progress, run, stepper
from pigevo.runs.checkpoint import load_checkpoint
from pigevo.runs.progress import Interruption, RunBar, duration_in_words, that_fit
from pigevo.runs.result import checkout, checkout_of
from pigevo.runs.stepper import beginning, bytes_needed, steps
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import Job
from pigevo.sweeps.run_sweep import jobs_at_once
from tests.runs.conftest import left_after
from tests.small import environment_of_a_process, module_of_posix, posix, small_settings, small_words

resource, termios = map(module_of_posix, ("resource", "termios"))

WIDTH = 80


def test_parts_are_left_out_where_they_do_not_fit():
    parts = ["cubes 20", "mean 0.4761", "best 0.4876"]
    assert that_fit(parts, 80) == "cubes 20  mean 0.4761  best 0.4876"
    assert that_fit(parts, 33) == "cubes 20  mean 0.4761"
    assert that_fit(parts, 3) == "cubes 20"


def ready_bytes(file):
    return os.read(file, 4096) if select.select([file], [], [], 0.1)[0] else b""


@contextmanager
def terminal(columns):
    """Standard error is a terminal; yields a function that reads what was written there."""
    reader, writer = os.openpty()
    termios.tcsetwinsize(writer, (24, columns))
    with open(writer, "w") as screen, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", screen)
        yield lambda: b"".join(iter(lambda: ready_bytes(reader), b"")).decode()
        os.close(reader)  # first, as the other end waits at its close until all has been read


@posix
def test_the_bar_of_a_thousand_generations_has_room_beside_the_figures():
    state = first_state(small_settings("generations=1000").plan)
    with terminal(WIDTH) as written:
        with RunBar(state, 1000) as bar:
            for number in (1, 2, 3, 999):
                time.sleep(0.11)  # after which tqdm draws again
                reached = replace(state, generation=number, games=10**9 * number)
                bar.step(reached, {"cube_size": 20, "mean": 0.4761, "best": 0.4876})
        frames = [frame for frame in written().split("\r") if "mean 0.4761" in frame]
    assert len(frames) >= 4
    for frame in frames:
        assert len(frame) <= WIDTH
        assert len(re.search(r"\|(.*?)\|", frame)[1]) >= 8


def test_the_summary_is_as_wide_as_the_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    settings = small_settings("generations=5")
    text = summary(run(settings, tmp_path), settings, tmp_path)
    before_commands, _ = text.split("\nfolder ")
    assert max(map(len, before_commands.splitlines())) <= WIDTH
    labels = re.findall(r"^(\w[\w ]{2,13}?) {2,}", before_commands, re.M)
    assert labels[:3] == ["champion", "population", "measured"]
    assert labels[-1] == "time"


def test_the_line_at_the_end_of_a_wave_fits_the_terminal(tmp_path, caplog):
    words = ("cubes=waves", "cubes.sizes=[[20,10,5],[5,5,5]]", "cubes.generations=[1,1]")
    with caplog.at_level("INFO"):
        run(small_settings(*words), tmp_path)
    lines = [message for message in caplog.messages if message.startswith("generation")]
    assert [line.partition(":")[0] for line in lines] == [
        "generation 1, the last with cubes of 20x10x5",
        "generation 2, the last with cubes of 5",
    ]
    assert max(map(len, lines)) <= WIDTH


WORDS = ("debug=fast", "game.target=12", "population.size=6", "baseline=none", "figures=none", "generations=6")


def test_time_by_phase_adds_up_also_over_a_stop(tmp_path):
    settings = Settings.of(*WORDS, "checkpoint_every=1", "generations=60")  # each phase takes milliseconds
    left_after(3, settings, tmp_path)
    before = load_checkpoint(tmp_path, settings.hash)[0].phases
    record = run(settings, tmp_path)
    assert tuple(record["phases"]) == PHASES == tuple(before)
    assert all(record["phases"][name] > 0 for name in ("play", "select", "vary", "referee", "rest"))
    assert all(record["phases"][name] >= round(seconds, 3) for name, seconds in before.items() if name != "rest")
    assert sum(record["phases"].values()) == pytest.approx(record["seconds"])
    shares = summary(record, settings, tmp_path).partition("\ntime ")[2].partition("\nfolder ")[0]
    assert "referee" in shares
    assert sum(int(word) for word in shares.split() if word.isdigit()) in range(97, 104)


def test_printed_seconds_are_those_of_the_whole_command(tmp_path, monkeypatch, capsys):
    words = [*(word for word in WORDS if not word.startswith(("baseline", "figures"))), "baseline=random_search"]
    wait = time.sleep
    for place in ("pigevo.runs.result.compare", "pigevo.runs.pictures.draw_run"):
        whole = attrgetter(place.rpartition(".")[2])(importlib.import_module(place.rpartition(".")[0]))
        monkeypatch.setattr(place, lambda *given, whole=whole, **named: (wait(0.2), whole(*given, **named))[1])
    began = time.perf_counter()
    assert main(["--json", *words, f"hydra.run.dir={tmp_path / 'run'}"]) == 0
    waited = time.perf_counter() - began
    record = json.loads(capsys.readouterr().out)
    assert record["seconds"] == pytest.approx(waited, abs=0.3)
    assert sum(record["phases"].values()) == pytest.approx(record["seconds"])
    assert min(record["phases"]["random_search"], record["phases"]["pictures"]) >= 0.2


def test_no_part_of_a_short_run_is_more_than_the_whole(tmp_path):
    """The time of the referee was counted after the seconds of the last row were taken: 208 %."""
    record = run(small_settings("generations=0"), tmp_path)
    assert max(record["phases"].values()) <= record["seconds"]


def test_times_left_do_not_count_compilation(monkeypatch):
    settings = Settings.of(*WORDS, "generations=200")
    point = SimpleNamespace(state=SimpleNamespace(generation=9))
    now, compilations = SimpleNamespace(perf_counter=lambda: clock[0]), SimpleNamespace(seconds=0.0)
    clock = [0.0]
    monkeypatch.setattr(progress, "time", now)
    monkeypatch.setattr(progress, "COMPILATIONS", compilations)
    estimate, said = progress.Estimate(settings), []
    for _ in range(8):
        said.append(estimate.step(point, recorded=True))
        clock[0] += 30.5
        compilations.seconds += 30
    assert [line for line in said if line] == [
        "about 2 minutes to go, if later generations take as long as the first 4"
    ]


def test_a_long_run_estimates_once_how_long_it_takes(tmp_path, monkeypatch, caplog):
    now = iter(range(10**6))  # the bar and the estimate look at it once in each generation
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=lambda: next(now)))
    with caplog.at_level(logging.INFO):
        run(Settings.of(*WORDS, "generations=200", "record_every=2"), tmp_path / "long")
    messages = [record.getMessage() for record in caplog.records if "to go" in record.getMessage()]
    assert messages == ["about 7 minutes to go, if later generations take as long as the first 3"]
    caplog.clear()
    with caplog.at_level(logging.INFO):
        run(Settings.of(*WORDS, "generations=30"), tmp_path / "short")
    assert not [record for record in caplog.records if "to go" in record.getMessage()]


def test_seconds_in_words():
    assert [duration_in_words(s) for s in (1, 75, 720, 5400, 7200, 10**6)] == [
        "about 1 second", "about 75 seconds", "about 12 minutes", "about 2 hours", "about 2 hours", "about 12 days",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_checkout_is_named_by_its_commit_and_whether_it_was_changed(tmp_path, monkeypatch):
    def git(*words):
        own = {"GIT_CONFIG_GLOBAL": os.devnull, "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path), *words]
        return subprocess.run(command, env=own, check=True, capture_output=True, text=True).stdout.strip()

    assert checkout_of(tmp_path) is None
    git("init")
    assert checkout_of(tmp_path) is None  # of no commit yet
    (tmp_path / "pigevo").mkdir()
    (tmp_path / "pigevo/a.py").write_text("1")
    git("add", ".")
    git("commit", "-m", "one")
    commit = git("rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    (tmp_path / "notes").write_text("what the package does not read")
    assert checkout_of(tmp_path) == {"commit": commit, "changed": False}
    (tmp_path / "pigevo/a.py").write_text("2")
    assert checkout_of(tmp_path) == {"commit": commit, "changed": True}
    monkeypatch.setenv("PATH", "")
    assert checkout_of(tmp_path) is None


def test_the_result_names_the_commit_and_the_digest_does_not(monkeypatch, tmp_path):
    here = pigevo.evolve(*WORDS).result
    monkeypatch.setattr("pigevo.runs.result.checkout", lambda: None)
    installed = pigevo.evolve(*WORDS, folder=tmp_path / "run").result
    assert (here["checkout"], installed["checkout"]) == (checkout(), None)
    assert here["digest"] == installed["digest"]


@pytest.mark.parametrize(("words", "last"), [((), 6), (("stop=evaluations", "stop.evaluations=13"), 2)])
def test_a_run_that_was_ended_is_whole(monkeypatch, words, last):
    output = io.StringIO()
    drawn = {"disable": False, "file": output, "mininterval": 0, "dynamic_ncols": False, "ncols": 200}

    class AtOnce(progress.ProgressBar):
        def __init__(self, **options):
            super().__init__(**options | drawn)

    monkeypatch.setattr(progress, "ProgressBar", AtOnce)
    settings = small_settings(*words)
    point = beginning(settings)
    with progress.RunBar(point.state, settings.plan.generations) as bar:
        for step in steps(settings, point):
            bar.step(step.point.state, step.row)
        bar.end(step.point.state)
    lines = [line for line in output.getvalue().replace("\r", "\n").splitlines() if line.strip()]
    assert lines[-1].startswith("100%")
    assert f"{last}/{last} " in lines[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_is_ignored_stays_ignored(number):
    before = signal.signal(number, signal.SIG_IGN)
    try:
        with Interruption() as stop:
            os.kill(os.getpid(), number)
            assert not stop.requested
        assert signal.getsignal(number) is signal.SIG_IGN
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_a_host_program_handles_is_handled_by_it_during_a_run(number):
    heard = []
    before = signal.signal(number, lambda number, _: heard.append(number))
    try:
        with Interruption() as stop:
            os.kill(os.getpid(), number)
            time.sleep(0)
            assert (heard, stop.requested) == ([number], False)
    finally:
        signal.signal(number, before)


def test_a_run_inside_a_run_is_stopped_first():
    with Interruption() as outside, Interruption() as inside:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0)
        assert (inside.requested, outside.requested) == (True, False)


def test_handlers_of_a_host_program_that_is_not_python_are_left_to_it(monkeypatch):
    monkeypatch.setattr(signal, "getsignal", lambda _: None)  # what Python knows of a handler in R or Julia
    monkeypatch.setattr(signal, "signal", lambda *_: pytest.fail("another handler could not be undone"))
    with Interruption() as stop:
        assert not stop.requested


TAKING = [
    ("population=random", "population.size=200", "generations=1", "selection=knockout", "fitness.games=2"),
    ("population=random", "population.size=500", "generations=2", "replacement=mu_plus_lambda", "selection=mu_best",
     "selection.mu=100", "fitness.games=2"),
    ("population=random", "population.size=200", "generations=2", "lineage=true", "fitness.games=2"),
    ("experiment=rediscover", "population.size=100", "cubes.sizes=[1]", "cubes.generations=[1]"),
    ("game=ten_rounds", "population=random", "population.size=40", "generations=1", "fitness.games=2"),
]  # fmt: skip
MEASURED = """
import sys, pigevo
from tests.bench.child import peak_of_process
pigevo.evolve(*sys.argv[1:])
print(peak_of_process())
"""


def taken(words):
    """The peak of a process that makes a run, in bytes."""
    process = [sys.executable, "-c", MEASURED, *words]
    done = subprocess.run(process, capture_output=True, text=True, check=True, env=environment_of_a_process())
    return int(done.stdout)


@pytest.mark.long
@pytest.mark.parametrize("words", TAKING, ids=" ".join)
def test_the_estimate_of_memory_is_more_than_is_taken_and_less_than_twice(words):
    words = [*words, "baseline=none", "workers=1"]
    assert 1 < bytes_needed(Settings.of(*words)) / taken(words) < 2


@pytest.mark.slow
def test_the_largest_population_of_cubes_takes_less_than_700_megabytes():
    words = ["cubes=waves", "cubes.sizes=[10]", "cubes.generations=[2]", "fitness.games=2", "record_every=2",
             "baseline=none", "workers=1"]  # fmt: skip
    taken([*words, "population.size=3000"])  # compiles what is not in the cache, which takes memory of its own
    assert taken([*words, "population.size=10000"]) < 700 << 20


def test_the_estimate_of_memory_grows_with_what_makes_it_grow():
    small = {"population": "random", "population.size": 50, "generations": 1, "baseline": "none"}
    for larger in ({"population.size": 500}, {"game.target": 200}):
        assert bytes_needed(Settings.of(**small | larger)) > bytes_needed(Settings.of(**small))


@pytest.fixture
def little(monkeypatch):
    """A machine with hardly any memory left."""
    monkeypatch.setattr(machine, "available_memory", lambda: 50 << 20)


def test_nothing_is_begun_that_would_need_more(little, tmp_path, capsys):
    message = r"a run with a population of 6 needs about \d+ MB of memory, and there is 52.4 MB"
    with pytest.raises(InputError, match=message):
        run(small_settings(), tmp_path / "run")
    with pytest.raises(InputError, match=message):
        pigevo.evolve(*small_words())
    with pytest.raises(InputError, match=message):
        pigevo.generations(*small_words())
    assert main([*small_words(), f"hydra.run.dir={tmp_path / 'run'}"]) == 2
    assert "needs about" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_a_finished_run_is_shown_all_the_same(tmp_path, monkeypatch):
    done = run(small_settings(), tmp_path / "run")
    monkeypatch.setattr(machine, "available_memory", lambda: 0)
    assert run(small_settings(), tmp_path / "run") == done


def test_fewer_runs_at_a_time_where_memory_is_short(tmp_path, monkeypatch, caplog):
    jobs = [Job(small_settings(f"seed={seed}"), tmp_path / str(seed)) for seed in range(4)]
    needed = bytes_needed(jobs[0].settings)
    for there, runs in ((1.5 * needed, 1), (3.5 * needed, 3), (9 * needed, 4), (None, 4)):
        left = None if there is None else int(there)
        monkeypatch.setattr("pigevo.sweeps.run_sweep.available_memory", lambda left=left: left)
        assert jobs_at_once(jobs, 4) == runs
    assert "3 runs at a time: one needs" in caplog.text


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_AS"), reason="of POSIX")
def test_a_process_that_may_take_little_ends_in_one_sentence(tmp_path):
    """Whatever asks for more than `ulimit -v` lets it have."""
    code = (
        "import resource, sys; from pigevo.cli import main;"
        "resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9,) * 2);"
        "sys.exit(main(['experiment=cube_random', 'population.size=5000', 'selection=round_robin']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment_of_a_process()
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "needs about" in line
    assert list(tmp_path.iterdir()) == []
    assert stepper.ALWAYS < 2 * 10**9


MATCH_WORDS = {
    "game.target": 12, "population.size": 20, "generations": 2, "fitness.games": 10, "baseline": "random_search",
    "baseline.populations": 2,
}  # fmt: skip
FEW = 8


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(plan, "MOST_FINALISTS", FEW)


def test_the_best_by_the_matches_of_selection_meet_each_other(few):
    generations = list(
        loop.generations(Settings.of(**MATCH_WORDS).plan, loop.first_state(Settings.of(**MATCH_WORDS).plan))
    )
    last = generations[-1]
    order, evaluation = last.final_order
    tools = toolbox_of(last.plan, last.state.wave)
    before = tools.evaluate(last.genomes, last.number, last.state.memory)
    among = np.unique(evaluation.pairs)
    assert len(evaluation.pairs) == FEW * (FEW - 1) // 2
    assert len(among) == FEW
    assert before.scores[among].min() >= np.delete(before.scores, among).max()
    assert set(order[:FEW]) == set(among)
    assert evaluation.scores[order[0]] == evaluation.scores[among].max()


def test_the_matches_are_announced_and_counted_and_the_run_can_be_made_again(few, caplog, tmp_path, monkeypatch):
    real = loop.final_evaluation
    monkeypatch.setattr(loop, "final_evaluation", lambda *last: (time.sleep(0.2), real(*last))[1])
    with caplog.at_level(logging.INFO):
        run = pigevo.evolve(**MATCH_WORDS, folder=tmp_path / "run")
    assert f"only the best {FEW} of the last generation" in caplog.text
    assert "which takes 280 games" in caplog.text
    assert run.result["champion_games"] == 10 * (10 + FEW * (FEW - 1) // 2)
    assert run.result["games"] == 2 * 100 + run.result["champion_games"]
    assert run.result["seconds"] >= 0.2
    assert pigevo.evolve(**MATCH_WORDS).result["digest"] == run.result["digest"]


@pytest.mark.parametrize(
    ("words", "whole"), [({}, False), ({"selection": "truncation"}, True), ({"fitness": "exact_vs_optimal"}, True)]
)
def test_all_meet_where_selection_lets_them_or_nobody_meets(few, words, whole):
    assert Settings.of(**{"population.size": 20, **words}).plan.all_are_finalists == whole


def test_members_that_are_scored_alone_get_no_pairs_and_the_same_champion_as_with_them(few, monkeypatch):
    words = {key: value for key, value in MATCH_WORDS.items() if key != "fitness.games"} | {
        "fitness": "exact_vs_optimal"
    }
    alone, found = Settings.of(**words).plan, pigevo.evolve(**words)
    last = loop.final_evaluation(alone, loop.first_state(alone))
    monkeypatch.setattr(plan, "MOST_FINALISTS", 20)
    paired = loop.final_evaluation(alone, loop.first_state(alone))
    assert (len(last.pairs), len(paired.pairs)) == (0, 190)
    assert np.array_equal(last.scores, paired.scores)
    assert pigevo.evolve(**words).result["champion"] == found.result["champion"]


def test_of_an_ordinary_population_all_meet():
    assert Settings.of(**MATCH_WORDS).plan.champion_matches == 190
