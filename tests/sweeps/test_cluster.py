"""Work that was handed to a cluster, followed to its end; the real clusters are in test_ray.py and test_slurm.py."""

import contextlib
import os
import signal
import threading

from pigevo.storage.files import locked
from pigevo.sweeps.job import job_record
from pigevo.sweeps.launchers import follow, work


class Piece:
    """A future of which the test decides what it is."""

    def __init__(self, answers=None, error=None, ended=True):
        self.answers, self.error, self.ended = answers, error, ended

    def done(self):
        return self.ended

    def result(self):
        if self.error:
            raise self.error
        return self.answers


def answers_of(jobs):
    return work([job_record(job) for job in jobs])


def test_a_folder_in_use_is_waited_for_and_then_reported(make_jobs, tmp_path, monkeypatch):
    (job,) = make_jobs(tmp_path, (1,))
    monkeypatch.setattr("pigevo.storage.files.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 0.1)
    with locked(job.folder):
        ((state, error, _),) = answers_of([job])
    assert (state, "another process is at work" in error) == ("failed", True)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 600)
    lock = contextlib.ExitStack()
    lock.enter_context(locked(job.folder))
    threading.Timer(0.5, lock.close).start()
    ((state, error, _),) = answers_of([job])
    assert (state, error) == ("finished", "")


def test_work_does_runs_and_reports_each(make_jobs, tmp_path):
    good, bad = make_jobs(tmp_path, (1, 2))
    (tmp_path / "2").write_text("")
    (first, second) = answers_of([good, bad])
    assert first[:2] == ("finished", "")
    assert second[0] == "failed"
    assert "cannot be written" in second[1]
    assert (good.folder / ".hydra" / "overrides.yaml").read_text().splitlines()[0] == "- debug=fast"


def test_what_was_stopped_begins_nothing_more(make_jobs, tmp_path, monkeypatch):
    jobs = make_jobs(tmp_path, (1, 2))
    monkeypatch.setattr("pigevo.sweeps.launchers.do", lambda *_, **__: ("interrupted", "stopped", 1.0))
    answers = answers_of(jobs)
    assert len(answers) == 1
    assert [o.state for o in follow([(jobs, Piece(answers))], lambda: None, lambda _: None)] == ["interrupted"] * 2


def test_the_result_on_disk_counts_whatever_the_cluster_says(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, range(5))
    answers_of(jobs[:3])
    noted = []
    begun = [
        ([jobs[0]], Piece([("finished", "", 1.5)])),
        ([jobs[1]], Piece(error=RuntimeError("node lost\nlong story"))),  # after its last run had ended
        ([jobs[2]], Piece(ended=False)),  # forgotten by the cluster
        ([jobs[3]], Piece(error=RuntimeError("node lost\nlong story"))),
        ([jobs[4]], Piece([("finished", "", 1.0)])),  # into a folder that this machine does not see
    ]
    outcomes = follow(begun, lambda: None, noted.append)
    assert [o.job for o in outcomes] == jobs
    assert [o.state for o in outcomes] == ["finished"] * 3 + ["failed"] * 2
    assert outcomes[0].seconds == 1.5
    assert outcomes[3].error == "lost by the cluster: RuntimeError: node lost"
    assert "do all machines see this folder?" in outcomes[4].error
    assert {id(o) for o in noted} == {id(o) for o in outcomes}


def test_a_request_to_stop_is_passed_on(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, (1, 2))
    pieces = [
        Piece([("interrupted", "stopped", 1.0)], ended=False),
        Piece(error=RuntimeError("cancelled"), ended=False),
    ]

    def cancel():
        for piece in pieces:
            piece.ended = True

    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    outcomes = follow([([job], piece) for job, piece in zip(jobs, pieces, strict=True)], cancel, lambda _: None)
    assert [o.state for o in outcomes] == ["interrupted"] * 2
