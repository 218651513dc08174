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
    """The settings of a small run, as on the command line, and more of them; what has no effect beside these is left out."""
    chosen = dict(word.partition("=")[::2] for word in words)
    void = {
        "generations": chosen.get("cubes", "").startswith("waves"),
        "fitness.games": chosen.get("fitness") in ("exact", "exact_vs_optimal", "archive", "archive_race", "panel"),
        "mutation": chosen.get("mutator") in ("self_adapting", "boundary"),
    }
    return [*(word for word in SMALL if not void.get(word.partition("=")[0])), *words]


def small_settings(*words):
    """The same as a value."""
    return Settings.of(*small_words(*words))


def done_here(jobs, *, on_outcome=None, title=""):
    """A launcher without workers: quick, for tests of what comes after."""
    from pigevo.runs import run
    from pigevo.sweeps import Outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        for job in jobs:
            run(job.settings, job.folder)
    return [Outcome(job, "finished") for job in jobs]


def one_small_game(patch):
    """A page with one small game beside Pig to 100: to solve all of them takes half a minute."""
    from pigevo.games import Piglet

    patch.setattr("pigevo.web.site.other_games", lambda: {"piglet": Piglet()})
    patch.setattr("pigevo.web.site.adapting_file", lambda _: b"{}")


def resealed(folder, **figures):
    """Other figures in a run's result, or other files beside it, by one who computes all hashes anew."""
    from pigevo.runs.result import read_result
    from pigevo.storage.records import hashes_of, with_checksum

    record = {k: v for k, v in read_result(folder, checksum=False).items() if k not in ("hash", "format")} | figures
    record["files"] = hashes_of(folder, record["files"])
    (folder / "result.json").write_bytes(with_checksum(record))


def environment_of_a_process():
    """Of a process that finds this pigevo, and its kernels compiled."""
    from pigevo.compiled.cache import cache_folder

    place = cache_folder()
    folder = {"NUMBA_CACHE_DIR": str(place.parent)} if place else {}
    return os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)} | folder


def without_champions(folder):
    """Take its recorded champions from a run's folder: as an earlier pigevo would have left it."""
    from pigevo.runs.result import write_result

    (folder / "champions.csv").unlink()
    record = json.loads((folder / "result.json").read_text())
    del record["hash"], record["format"]
    names = [name for name in record.pop("files") if name != "champions.csv"]
    write_result(folder, record, names)
