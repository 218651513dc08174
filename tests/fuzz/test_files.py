"""Files that are nearly right: each is read as it is, or refused in one sentence."""

import random

import pytest

import pigevo
from pigevo import three_player
from pigevo.people import analyse, read_people
from tests.fuzz import case, damage
from tests.fuzz.bounded import wrong

READERS = {
    "run": [
        "resume run", "verify run", "duel run optimal --target 9", "respond run --target 9", "replay run --generation 2 --pairing 0 --game 0",
        " ".join([*case.SMALL, "hydra.run.dir=run", "baseline=random_search", "baseline.populations=2"]),
    ],
    "default": ["status sweeps/s", "report sweeps/s", "compare sweeps/s", " ".join(case.SWEPT)],
    "sweeps/s": ["status sweeps/s", "report sweeps/s", "compare sweeps/s", "compare sweeps/s sweeps/s --json"],
    "saved.npz": ["duel saved.npz optimal --target 9"], "three.npz": ["three-player --certify three.npz"],
    "holds.csv": ["duel holds.csv optimal --target 9"], "ops.py": ["check ops.py:cross", "duel ops.py:rule optimal --target 9"],
    "games.csv": ["people games.csv --target 9", "people games.csv --target 9 --json"],
    "conf": ["--config-dir conf --cfg job experiment=mine"],
}  # fmt: skip
"""What lies in the folder of a case, and what reads it."""

UNREAD = ("overrides.yaml", "table.csv", "ranking.csv")
KINDS = (".json", ".yaml", ".csv", ".npz", ".py")


def blocks(name):
    """A file or folder with blocks of seeds: eight in a slow test, more in a long one."""
    slow = [range(n * 8, (n + 1) * 8) for n in range(3 if name in ("run", "default") else 1)]
    long = [range(1000 + n * 150, 1150 + n * 150) for n in range(3)]
    return [
        pytest.param(name, seeds, marks=getattr(pytest.mark, kind))
        for kind, ranges in (("slow", slow), ("long", long))
        for seeds in ranges
    ]


@pytest.mark.parametrize(("name", "seeds"), [block for name in READERS for block in blocks(name)])
def test_damage_is_refused_or_does_none(bounded, master, folder, name, seeds):
    """Any damage to a file of that name, or in that folder."""
    failures = []
    for seed in seeds:
        dice = random.Random(f"file {name} {seed}")
        places = [folder / name, *sorted((folder / name).rglob("*"))]
        path = dice.choice([p for p in places if p.is_file() and p.suffix in KINDS and p.name not in UNREAD])
        if name == "run" and dice.random() < 0.5:
            (folder / "run" / "result.json").unlink()  # an unfinished one
            path = path if path.name != "result.json" else folder / "run" / "checkpoint.npz"
        how, line = damage.damaged(path, seed), dice.choice(READERS[name])
        output = bounded(line.split(), folder)
        why = wrong(output, (0, 1, 2), may_change=True)
        if why or (folder / "sprung").exists():
            failures.append(f"seed {seed}, {how}: {why}\n{output}")
        damage.restore(master, folder, name)
    assert not failures


PYTHON = {
    "run/population.npz": lambda folder: pigevo.load_run(folder / "run").population,
    "run/champion.npz": lambda folder: pigevo.load_run(folder / "run").champion,
    "run/champions.csv": lambda folder: dict(pigevo.load_run(folder / "run").champions),
    "run/metrics.csv": lambda folder: pigevo.load_run(folder / "run").metrics,
    "run/result.json": lambda folder: pigevo.load_run(folder / "run").result,
    "run/.hydra/config.yaml": lambda folder: pigevo.load_run(folder / "run").settings.plan,
    "sweeps/s/sweep.json": lambda folder: pigevo.load_sweep(folder / "sweeps" / "s").table(),
    "saved.npz": lambda folder: pigevo.load_strategy(folder / "saved.npz"),
    "three.npz": lambda folder: three_player.load(folder / "three.npz").certificate,
    "games.csv": lambda folder: analyse(read_people(folder / "games.csv", pigevo.Pig(target=9))),
}  # fmt: skip


@pytest.mark.parametrize("seeds", [range(8), pytest.param(range(1000, 1600), marks=pytest.mark.long)])
@pytest.mark.parametrize("name", PYTHON)
def test_readers_in_python_raise_one_error(master, folder, name, seeds):
    failures = []
    for seed in seeds:
        how = damage.damaged(folder / name, seed)
        try:
            PYTHON[name](folder)
        except pigevo.InputError:
            pass
        except Exception as error:
            failures.append(f"seed {seed}, {how}: {error!r}")
        damage.restore(master, folder, name)
    assert not failures
