"""The settings of small runs, which take a fraction of a second each."""

import json
import os
import sys

import pytest

from pigevo.settings.settings import Settings

SMALL = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "mutation=0.03", "workers=1",
    "generations=6", "checkpoint_every=2", "record_every=2", "figures=none",
)  # fmt: skip


def small_words(*words):
    """The settings of a small run and others, as on the command line, without those that the others make void."""
    chosen = dict(word.partition("=")[::2] for word in words)
    void = {
        "generations": chosen.get("cubes", "").startswith("waves"),
        "fitness.games": chosen.get("fitness") in ("exact", "exact_vs_optimal", "archive", "archive_race", "panel"),
        "mutation": chosen.get("mutator") in ("self_adapting", "boundary"),
    }
    return [*(word for word in SMALL if not void.get(word.partition("=")[0])), *words]


def small_settings(*words):
    """The settings of a small run as `Settings`."""
    return Settings.of(*small_words(*words))


def done_here(jobs, *, on_outcome=None, title=""):
    """A launcher that does all jobs in this process."""
    from pigevo.runs import run
    from pigevo.sweeps import JobOutcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        for job in jobs:
            run(job.settings, job.folder)
    return [JobOutcome(job, "finished") for job in jobs]


def one_small_game(patch):
    """Give the page one small game beside Pig to 100: solving all of them takes half a minute."""
    from pigevo.games import Piglet

    patch.setattr("pigevo.web.site.other_games", lambda: {"piglet": Piglet()})
    patch.setattr("pigevo.web.site.adapting_file", lambda _: b"{}")


def resealed(folder, **figures):
    """Change figures of a run's result, or files beside it, and compute all hashes again."""
    from pigevo.runs.result import read_result
    from pigevo.storage.records import hashes_of, with_checksum

    record = {k: v for k, v in read_result(folder, checksum=False).items() if k not in ("hash", "format")} | figures
    record["files"] = hashes_of(folder, record["files"])
    (folder / "result.json").write_bytes(with_checksum(record))


def environment_of_a_process():
    """The environment of a process that imports this pigevo and uses its compiled kernels.

    The threads that OpenBLAS starts with numpy would have nothing to do, and wait busily.
    """
    from pigevo.compiled.cache import cache_folder

    place = cache_folder()
    folder = {"NUMBA_CACHE_DIR": str(place.parent)} if place else {}
    paths = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return {"OPENBLAS_NUM_THREADS": "1"} | os.environ | paths | folder


def without_champions(folder):
    """Remove the recorded champions from a run's folder, as an earlier version would have left it."""
    from pigevo.runs.result import write_result

    (folder / "champions.csv").unlink()
    record = json.loads((folder / "result.json").read_text())
    del record["hash"], record["format"]
    names = [name for name in record.pop("files") if name != "champions.csv"]
    write_result(folder, record, names)
