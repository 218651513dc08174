"""One process that does command lines within bounds, the folder in which each begins, and what each must keep."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tests.small import environment_of_a_process

SECONDS = 60
LONGEST_LINE = 2_000
OF_PYTHON = ("Error:", "errno", "NoneType", "object has no attribute", "<class")
OWN = (" cannot be imported: ", " fails: ", " failed: ")
"""What comes before an error in a file of the user's, which is printed as Python does."""


@dataclass
class Ended:
    """What a command line came to.

    `status` is None where its time was up, and below 0 for a signal; `changed` names what it wrote, changed or
    removed in its folder.
    """

    words: list
    status: int | None
    out: str
    err: str
    changed: dict

    def __str__(self):
        words = [word if len(word) < 400 else f"{word[:200]}...{len(word)}" for word in self.words]
        return f"{words}\nstatus {self.status}\n{self.out[-300:]}\n{self.err[-3000:]}\n{self.changed}"


class Bounded:
    """Does command lines, each in a child of one process that has imported everything."""

    def __init__(self):
        self._home = tempfile.TemporaryDirectory(prefix="pigevo-fuzz-")
        home = Path(self._home.name)
        self._out, self._err = home / "out", home / "err"
        self.environment = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "HYDRA_FULL_ERROR": "0"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.zygote"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=environment_of_a_process() | self.environment | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        assert self._process.stdout.readline() == "ready\n"

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._home.cleanup()

    def __call__(self, words, folder, dry=False, plain=False, seconds=SECONDS, streams=None):
        """Do a command line in a folder.

        Where it is `dry`, runs, sweeps and studies are only checked; where it is `plain`, runs draw no figures, and those
        of a sweep start no workers. `streams` has places of standard input, output and error by number; None closes one.
        """
        for path in (self._out, self._err):
            path.write_bytes(b"")
        before = contents(folder)
        case = {
            "words": list(words), "folder": str(folder), "dry": dry, "plain": plain, "seconds": seconds,
            "environment": self.environment,
            "streams": [(streams or {}).get(n, str(at)) for n, at in enumerate((os.devnull, self._out, self._err))],
        }  # fmt: skip
        print(json.dumps(case), file=self._process.stdin, flush=True)
        status = json.loads(self._process.stdout.readline())
        after = contents(folder)
        changed = {name: kind for name, kind in after.items() if before.get(name) != kind}
        changed |= {name: "removed" for name in before if name not in after}
        out, err = (path.read_text(errors="backslashreplace") for path in (self._out, self._err))
        return Ended(list(words), status, out, err, changed)


def contents(folder):
    """What lies in a folder: by name the kind of each thing, and of a small plain file what it holds."""
    files = {}
    for place, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = Path(place, name)
            plain = path.is_file() and not path.is_symlink() and path.stat().st_size < 2**20
            files[str(path.relative_to(folder))] = path.read_bytes() if plain else str(path.lstat().st_mode)
    return files


def wrong(output, statuses=(0, 2), may_change=False):
    """What is wrong with how a command line ended; empty if nothing is."""
    if output.status is None:
        return "it does not end"
    if "Traceback" in output.err or output.status < 0:
        return "it fails"
    if output.status not in statuses:
        return "an exit status that nothing tells of"
    if any(not c.isprintable() for text in (output.out, output.err) for c in text if c not in "\n\t\r"):
        return "what cannot be seen reaches the terminal"
    if output.status == 2:
        sentence = output.err.removesuffix("\n")
        if len(sentence.splitlines()) != 1 or not sentence.startswith("pigevo: "):
            return "no single line"
        if len(sentence) > LONGEST_LINE or sentence[-1] not in ".?":
            return "no sentence"
        if not any(own in sentence for own in OWN) and any(words in sentence for words in OF_PYTHON):
            return "a sentence of the machine's"
        if output.changed and not may_change:
            return "it leaves something behind"
    return ""


SMALL = [
    "debug=fast", "game.target=9", "population.size=6", "fitness.games=4", "cubes=waves", "cubes.sizes=[4,2]",
    "cubes.generations=[2,2]", "checkpoint_every=1", "record_every=1", "workers=1",
]  # fmt: skip
SWEPT = ["-m", *SMALL, "mutation=0.1,0.2", "seed=1,2", "hydra.sweep.dir=.", "hydra.launcher.workers=1"]
OPS = """
import numpy as np

def cross(first, second, context, share: float = 0.5):
    return np.where(context.draw.uniforms(first.size).reshape(first.shape) < share, second, first)

def rule(i, j, k):
    return k < 3
"""

GAMES = """game,player,turn,rolls,banked,score,preference,question_2,question_3,seat,dice
one,ann,1,2,8,8,averse,a,b,1,4 4
one,bob,1,1,0,0,,,,2,1
one,ann,2,1,5,13,,,,1,5
two,cem,1,2,0,0,seeking,,,,
"""


def fill(bounded, folder):
    """Fill an empty folder once; `copy_of` makes others of it."""
    for words in (
        [*SMALL, "hydra.run.dir=run", "baseline=random_search", "baseline.populations=2"],
        SWEPT,
        ["three-player", "--target", "4", "--save", "three.npz"],
        ["solve", "--target", "9", "--save", "saved.npz"],
    ):
        output = bounded(words, folder, plain=True, seconds=300)
        assert output.status == 0, output
    next((folder / "sweeps").iterdir()).rename(folder / "sweeps" / "s")
    (folder / "ops.py").write_text(OPS)
    np.savetxt(folder / "holds.csv", np.full((9, 9), 4), fmt="%d", delimiter=",")
    (folder / "games.csv").write_text(GAMES)
    (folder / "conf" / "experiment").mkdir(parents=True)
    (folder / "conf" / "experiment" / "mine.yaml").write_text("# @package _global_\nexperiment: mine\nmutation: 0.02\n")


def copy_of(master, folder):
    """A new folder like the one that `fill` filled, with links that lead nowhere."""
    shutil.copytree(master, folder, symlinks=True)
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "nowhere").symlink_to("no such place")
    return folder


@pytest.fixture(scope="session")
def bounded():
    process = Bounded()
    yield process
    process.close()


@pytest.fixture(scope="session")
def master(bounded, tmp_path_factory):
    folder = tmp_path_factory.mktemp("master")
    fill(bounded, folder)
    return folder


@pytest.fixture
def folder(master, tmp_path):
    return copy_of(master, tmp_path / "case")
