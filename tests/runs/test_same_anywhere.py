"""The digest of a whole run does not depend on threads: neither on `workers` nor on what numba is given."""

import json
import subprocess
import sys

import pytest

import pigevo.core.threads
from pigevo.runs import run
from pigevo.settings.settings import Settings

WORDS = ("debug=fast", "game.target=12", "cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]", "mutation=0.03")


@pytest.mark.parametrize("fitness", ["games", "exact", "exact_vs_optimal"])
def test_the_digest_is_the_same_for_one_two_and_four_workers(tmp_path, monkeypatch, fitness):
    monkeypatch.setattr(pigevo.core.threads, "available_cores", lambda: 4)  # four threads, whatever the machine has
    settings = Settings.of(*WORDS, f"fitness={fitness}")
    digests = {run(settings.with_(workers=n), tmp_path / str(n))["digest"] for n in (1, 2, 4)}
    assert len(digests) == 1


@pytest.mark.slow
def test_the_digest_is_the_same_for_any_number_of_numba_s_threads(tmp_path, environment):
    digests, told = set(), []
    for threads, workers in ((1, 1), (2, 4), (3, 2)):
        folder = tmp_path / f"{threads}-{workers}"
        done = subprocess.run(
            [sys.executable, "-m", "pigevo", *WORDS, f"workers={workers}", f"hydra.run.dir={folder}"],
            env=environment | {"NUMBA_NUM_THREADS": str(threads)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        digests.add(json.loads((folder / "result.json").read_text())["digest"])
        told.append(done.stderr)
    assert len(digests) == 1
    cores = pigevo.core.threads.available_cores()
    assert (f"workers = 4: this machine has {cores}, so the run takes {cores}." in told[1]) == (cores < 4)
