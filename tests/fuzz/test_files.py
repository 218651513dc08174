"""Files that are nearly right: each is read as it is, or refused in one sentence."""

import io
import json
import random
import shutil
import zipfile

import numpy as np
import pytest
import yaml

import pigevo
from pigevo import three_player
from pigevo.people import analyse, read_people
from tests.fuzz.conftest import SMALL, SWEPT, wrong

DEEP = 100_000
VALUES = [
    None, True, False, 0, -1, 1.5, 10**18, 10**30, -(10**400), 1e308, float("nan"), float("inf"), "", "x", "1", "\x1b[31m\x07\r", "\udcff",
    "../../x", "x" * 100_000, [], [[]], [1, "a", None], {}, {"a": 1}, {"name": "pig"}, ["x"] * 1000,
]  # fmt: skip
WHOLE = ["", " ", "\n", "null", "[]", "{}", "3", '"x"', "NaN", "[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * DEEP, "- " * DEEP,
         "\ufeff{}", "\0", "a,b\n1,2\n", "generation\n0\n", "," * 1000, '"' * 999, "x" * 200_000, "!!python/object/apply:os.system ['touch sprung']",
         '{"a": 1' + "0" * 5000 + "}", "a: 0x" + "f" * 9999]  # fmt: skip


def damaged(path, seed):
    """Damage a file as a seed decides; says how."""
    dice = random.Random(f"damage {path.name} {seed}")
    own = {".json": [_record] * 4, ".yaml": [_record] * 4, ".csv": [_cells] * 3, ".npz": [_member] * 4}
    change = dice.choice([_bytes, _cut, _place, _whole, *own.get(path.suffix, [])])
    return f"{path.name}: {change.__name__} {change(path, dice)}"


def _bytes(path, dice):
    content = bytearray(path.read_bytes())
    places = [dice.randrange(len(content)) for _ in range(dice.choice([1, 1, 2, 10]))] if content else []
    for place in places:
        content[place] ^= dice.randrange(1, 256)
    path.write_bytes(content)
    return places


def _cut(path, dice):
    content = path.read_bytes()
    length = dice.choice([0, 1, dice.randrange(len(content) + 1), len(content) - 1])
    path.write_bytes(content[: max(0, length)])
    return length


def _whole(path, dice):
    text = dice.choice(WHOLE)
    path.write_text(text, encoding="utf-8")
    return text[:30]


def _place(path, dice):
    path.unlink()
    kind = dice.choice(["nothing", "folder", "loop", "nowhere", "link to a folder", "closed"])
    if kind == "folder":
        path.mkdir()
    elif kind == "closed":
        path.write_bytes(b"x")
        path.chmod(0)
    elif kind != "nothing":
        path.symlink_to({"loop": path.name, "nowhere": "no such place", "link to a folder": "."}[kind])
    return kind


def places(value, here=()):
    """Where there are values in a record."""
    yield here
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*here, key))


def changed(record, place, dice):
    """The record with another value somewhere, or without it; and what was done."""
    if not place:
        return dice.choice(VALUES), "another record"
    holder = record
    for key in place[:-1]:
        holder = holder[key]
    if dice.random() < 0.25:
        del holder[place[-1]]
        return record, (place, "removed")
    value = dice.choice([*VALUES, _near(holder[place[-1]], dice)])
    holder[place[-1]] = value
    return record, (place, repr(value)[:40])


def _near(value, dice):
    """A value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + dice.choice([-1, 1, 7, 10**6, 10**12])
        case float():
            return dice.choice([-value, value + 1, value * 1e9])
        case str():
            return dice.choice([value[:-1], value + "x", value.upper(), value[::-1], f"\x1b[1m{value}"])
    return [value, value]


def _record(path, dice):
    text = path.read_text()
    record = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    record, how = changed(record, dice.choice(list(places(record))), dice)
    with open(path, "w", errors="surrogatepass") as file:
        file.write(json.dumps(record) if path.suffix == ".json" else yaml.safe_dump(record))
    return how


def _cells(path, dice):
    rows = [line.split(",") for line in path.read_text().splitlines()]
    kind = dice.choice(["cell", "cell", "cell", "row", "rows", "more", "fewer"])
    row = dice.randrange(len(rows))
    column = dice.randrange(len(rows[row]))
    text = dice.choice(["", "x", "nan", "inf", "-1", "1e400", "9" * 30, "9" * 5000, "0x1", "1.5", '"', "\x1b[1m", "\u0663",
                        " 1", "1_0", "\0"])  # fmt: skip
    if kind == "cell":
        rows[row][column] = text
    elif kind == "row":
        del rows[row]
    elif kind == "rows":
        rows.insert(row, rows[row])
    elif kind == "more":
        rows[row].append(text)
    else:
        del rows[row][column]
    path.write_text("\n".join(",".join(cells) for cells in rows) + "\n")
    return kind, row, column, text[:20]


def _member(path, dice):
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    name = dice.choice(sorted(arrays))
    array = arrays[name]
    if array.dtype.kind == "U" and array.shape == () and dice.random() < 0.8:
        record, how = changed(json.loads(str(array)), dice.choice(list(places(json.loads(str(array))))), dice)
        arrays[name] = np.array(json.dumps(record))
    else:
        kinds = {
            "removed": None, "float": array.astype("U8"), "shorter": array.reshape(-1)[:-1], "longer": np.append(array.reshape(-1), array.reshape(-1)),
            "flat": array.reshape(-1), "deeper": array[None], "empty": array.reshape(-1)[:0], "scalar": np.array(3), "complex": np.ones(3, complex),
            "bool": np.ones(array.shape, bool), "negative": np.full(array.shape, -1), "nan": np.full(array.shape, np.nan), "object": np.array([{}], object),
            "large": np.full(array.shape, 10**18), "float64": np.ones(array.shape), "date": np.zeros(array.shape, "M8[s]"), "record": np.zeros(3, "i4,f8"),
            "claims": b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999,), }".ljust(117) + b"\n",
            "header": b"\x93NUMPY\x01\x00\x76\x00" + b"{" * 117 + b"\n",
        }  # fmt: skip
        how = dice.choice(sorted(kinds))
        arrays[name] = kinds[how]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, value in arrays.items():
            if value is None:
                continue
            buffer = io.BytesIO()
            if not isinstance(value, bytes):
                np.lib.format.write_array(buffer, np.asarray(value), allow_pickle=True)
            archive.writestr(f"{member}.npy", value if isinstance(value, bytes) else buffer.getvalue())
    return name, how


def restore(master, folder, name):
    """Put back a file or a folder of `master` into a copy of that."""
    place = folder / name
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    if (master / name).is_dir():
        shutil.copytree(master / name, place, symlinks=True)
    else:
        shutil.copy2(master / name, place)


READERS = {
    "run": [
        "resume run", "verify run", "duel run optimal --target 9", "respond run --target 9", "replay run --generation 2 --pairing 0 --game 0",
        " ".join([*SMALL, "hydra.run.dir=run", "baseline=random_search", "baseline.populations=2"]),
    ],
    "default": ["status sweeps/s", "report sweeps/s", "compare sweeps/s", " ".join(SWEPT)],
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
        how, line = damaged(path, seed), dice.choice(READERS[name])
        output = bounded(line.split(), folder)
        why = wrong(output, (0, 1, 2), may_change=True)
        if why or (folder / "sprung").exists():
            failures.append(f"seed {seed}, {how}: {why}\n{output}")
        restore(master, folder, name)
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
        how = damaged(folder / name, seed)
        try:
            PYTHON[name](folder)
        except pigevo.InputError:
            pass
        except Exception as error:
            failures.append(f"seed {seed}, {how}: {error!r}")
        restore(master, folder, name)
    assert not failures
