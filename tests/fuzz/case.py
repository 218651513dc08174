"""The folder in which every case begins: a finished run, a sweep, files of every kind."""

import shutil

import numpy as np

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


def make(bounded, folder):
    """Fill an empty folder once; `copy` makes others of it."""
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


def copy(master, folder):
    """A new folder like the one that `make` filled, with links that lead nowhere."""
    shutil.copytree(master, folder, symlinks=True)
    (folder / "folder").mkdir()
    (folder / "loop").symlink_to("loop")
    (folder / "nowhere").symlink_to("no such place")
    return folder
