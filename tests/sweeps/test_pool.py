"""Runs done by workers that fail, are killed, or are interrupted: the same results in the end."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE
from pigevo.runs.folder import settings_of
from pigevo.sweeps import Job, run_jobs
from pigevo.sweeps.job import SomeFailed
from pigevo.sweeps.run_sweep import drive
from tests.cli.small import digest_of as digest
from tests.processes import wait_for

LONG = ("generations=200", "checkpoint_every=10", "record_every=1000")  # a second
SCRIPT = """
import json, sys
from pathlib import Path
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job, run_jobs
jobs = [Job(Settings.read(values), Path(folder)) for values, folder in json.loads(sys.argv[1])]
print(json.dumps([[o.state, o.error] for o in run_jobs(jobs, workers=2)]))
"""


EDITED = "def mine(genomes, context): return genomes\n"


def own(kind, path):
    return f"{kind}=custom", f"{kind}.function={path}:mine"


def undisturbed(tmp_path, jobs):
    """The digests of the same runs, done here one after the other."""
    folders = [tmp_path / "undisturbed" / job.folder.name for job in jobs]
    settings = [job.settings.with_(checkpoint_every=1000, figures="none") for job in jobs]
    return [run(*undone)["digest"] for undone in zip(settings, folders, strict=True)]


def driver(jobs, environment):
    words = json.dumps([[job.settings.values, str(job.folder)] for job in jobs])
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", SCRIPT, words], env=environment, stdout=pipe, stderr=pipe, text=True)


def test_results_are_those_of_single_runs_in_the_order_of_the_jobs(make_jobs, tmp_path, workers, capfd):
    jobs = make_jobs(tmp_path / "swept", (3, 1, 2))
    jobs[0] = Job(jobs[0].settings.with_(figures="svg"), jobs[0].folder)
    outcomes = run_jobs([*jobs, jobs[1]], workers=2)
    assert [outcome.job for outcome in outcomes] == [*jobs, jobs[1]]
    assert {(outcome.state, outcome.error) for outcome in outcomes} == {("finished", "")}
    assert all(outcome.seconds > 0 for outcome in outcomes)
    assert len(workers) == 2
    assert [digest(job.folder) for job in jobs] == undisturbed(tmp_path, jobs)
    assert (jobs[0].folder / "figures" / "curve.svg").is_file()
    for job in jobs:
        assert settings_of(job.folder) == job.settings
        assert (job.folder / "run.log").read_text().count("6 generations") == 1
    assert capfd.readouterr() == ("", "")  # no terminal, no bar; the runs' words are in their folders


def test_two_different_runs_never_share_a_folder(make_jobs, tmp_path, workers):
    first, second = make_jobs(tmp_path, (1, 2))
    with pytest.raises(InputError, match="two different runs would share the folder"):
        run_jobs([first, Job(second.settings, first.folder)])
    assert workers == []
    assert not first.folder.exists()


UNFORESEEN = """
import os, signal
from pigevo.runs import runner
def beginning(settings, original=runner.beginning):
    if settings.seed == 9:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1 // 0 if settings.seed == 3 else original(settings)
runner.beginning = beginning
"""


def test_the_others_go_on_when_some_fail(make_jobs, tmp_path, monkeypatch):
    good, other, strangers, mine, raising, killed, last = make_jobs(tmp_path, (1, 2, 6, 7, 3, 9, 5))
    (tmp_path / "sitecustomize.py").write_text(UNFORESEEN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    (tmp_path / "file").write_text("")
    edited = tmp_path / "edited.py"
    edited.write_text(EDITED)
    (refused,) = make_jobs(tmp_path, (4,), *own("mutator", edited))
    edited.write_text(EDITED + "# after the sweep was planned\n")
    strangers.folder.mkdir()
    (strangers.folder / "mine.txt").write_text("mine")
    run(mine.settings, mine.folder)
    before = {path: path.read_bytes() for path in mine.folder.rglob("*") if path.is_file()}
    failing = [
        (Job(other.settings, tmp_path / "file" / "x"), "x cannot be written: Not a directory."),
        (raising, "ZeroDivisionError: "),
        (refused, f"{edited}:mine: changed since the sweep was planned"),
        (strangers, "is not empty (mine.txt) and not the folder of a run"),
        (Job(mine.settings.with_(seed=8), mine.folder), "holds a run of another config"),
        (killed, "killed by signal 9 (Killed)"),
    ]
    outcomes = run_jobs([good, *(job for job, _ in failing), last], workers=1)
    assert [outcome.state for outcome in outcomes] == ["finished", *["failed"] * len(failing), "finished"]
    for (_, message), outcome in zip(failing, outcomes[1:-1], strict=True):
        assert message in outcome.error
    assert [path.name for path in strangers.folder.iterdir()] == ["mine.txt"]
    assert all(path.read_bytes() == content for path, content in before.items() if path.name != "run.log")
    assert "mine.txt" not in (good.folder / "run.log").read_text()
    assert "Traceback" in (raising.folder / "run.log").read_text()
    assert "Traceback" not in (refused.folder / "run.log").read_text()


@pytest.mark.slow
def test_a_file_that_is_edited_during_a_sweep_is_named(make_jobs, tmp_path, workers):
    edited = tmp_path / "edited.py"
    edited.write_text(EDITED)
    jobs = make_jobs(tmp_path / "runs", (1, 2), *own("mutator", edited))

    def launcher(left, *, on_outcome):
        done = run_jobs(left[:1], workers=1, on_outcome=on_outcome)
        edited.write_text(EDITED + "# edited\n")
        return done + run_jobs(left[1:], workers=1, on_outcome=on_outcome)

    with pytest.raises(SomeFailed) as caught:
        drive(jobs, [], tmp_path / "sweeps", launcher)
    lines = str(caught.value).splitlines()
    changed = f"{edited}:mine: changed since the sweep was planned"
    assert lines[0] == "1 of 2 runs are finished, 1 failed:"
    assert lines[2] == f"    {changed}"
    assert lines[3].startswith(f"{changed}. The runs that are finished stay as they are. Change the file back, and")
    edited.write_text(EDITED)
    drive(jobs, [], tmp_path / "sweeps", run_jobs)
    assert len(workers) == 3  # what was finished was not done again


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupted_and_killed_drivers_leave_runs_that_go_on(make_jobs, tmp_path, environment):
    jobs = make_jobs(tmp_path / "a", range(3), "generations=900", *LONG[1:])
    begun = jobs[:2]
    first = driver(jobs, environment)
    wait_for(lambda: all((job.folder / CHECKPOINT_FILE).exists() for job in begun))
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=600)
    states = json.loads(out)
    assert [state for state, _ in states] == ["interrupted"] * 3
    assert "stopped after generation" in states[0][1]
    assert "stopping after this generation" in err
    assert not jobs[2].folder.exists()

    second = driver(jobs, environment)
    saved = [job.folder / "metrics.csv" for job in begun]
    marks = [path.stat().st_mtime_ns for path in saved]
    wait_for(lambda: all(path.stat().st_mtime_ns > mark for path, mark in zip(saved, marks, strict=True)))
    second.kill()
    second.communicate(timeout=600)
    outcomes = run_jobs(jobs, workers=2)  # at once: the orphans hold their locks until they have saved
    assert [(o.state, o.error) for o in outcomes] == [("finished", "")] * 3
    assert "going on after generation" in (jobs[0].folder / "run.log").read_text()
    assert [digest(job.folder) for job in jobs] == undisturbed(tmp_path, jobs)


@pytest.mark.slow
def test_a_slow_generation_outlives_its_driver_as_a_checkpoint(make_jobs, tmp_path, environment):
    """Each generation takes longer than a worker is silent, which reports to nobody before it learns that it is alone."""
    (job,) = make_jobs(tmp_path, (1,), "generations=30", "checkpoint_every=1000", "fitness.games=4000000")
    first = driver([job], environment)
    wait_for(lambda: (job.folder / "run.log").exists())
    time.sleep(1.5)
    first.kill()
    first.communicate(timeout=600)
    wait_for(lambda: (job.folder / CHECKPOINT_FILE).exists(), 600)
    assert "the run failed" not in (job.folder / "run.log").read_text()
