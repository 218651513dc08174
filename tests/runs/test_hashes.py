"""No damaged file of a finished run is taken for what the run wrote."""

import json
import os
import random
import shutil
import string

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.consistency import by_hash
from pigevo.runs.folder import OVERRIDES, SOURCES
from pigevo.runs.records import CONFIG
from pigevo.runs.result import read_result
from pigevo.runs.verify import verify
from pigevo.storage.checksums import JSON_END, YAML_END, is_whole, sealed, sealed_json
from pigevo.strategies.parse import CHAMPION

TEXTS = ("result.json", "metrics.csv", "champions.csv", CONFIG, OVERRIDES, SOURCES, "operators/crossover/ops.py")


def changes(text, chosen, every=False):
    """A text with one thing changed: a character, a line, or its end."""
    places = range(len(text)) if every else sorted(chosen.sample(range(len(text)), min(len(text), 40)))
    for place in places:
        other = chosen.choice([c for c in string.digits + string.ascii_letters + ' .,:"#\n-_{' if c != text[place]])
        yield f"{text[place]!r} at {place} is {other!r}", text[:place] + other + text[place + 1 :]
        yield f"{text[place]!r} at {place} is gone", text[:place] + text[place + 1 :]
        yield f"{other!r} comes before {place}", text[:place] + other + text[place:]
        yield f"cut at {place}", text[:place]
    lines = text.splitlines(keepends=True)
    for number in range(len(lines)):
        yield f"line {number} is gone", "".join(lines[:number] + lines[number + 1 :])
        yield f"line {number} is there twice", "".join(lines[: number + 1] + lines[number:])
        if number and lines[number] != lines[number - 1]:
            yield (
                f"line {number} changes places",
                "".join([*lines[: number - 1], lines[number], lines[number - 1], *lines[number + 1 :]]),
            )


def detected(folder, name):
    """Whether `verify` would tell, and whether `load_run` does of a file that it reads."""
    try:
        told = bool(by_hash(folder, read_result(folder, checked=False)))
    except InputError:
        told = True
    if not told:
        return "verify finds nothing"
    reading = {"result.json": lambda: pigevo.load_run(folder), "metrics.csv": lambda: pigevo.load_run(folder),
               "champions.csv": lambda: pigevo.load_run(folder).champions,
               CONFIG: lambda: pigevo.load_run(folder).settings}.get(name)  # fmt: skip
    if reading is None:
        return ""
    try:
        reading()
    except InputError:
        return ""
    return "load_run finds nothing"


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "every"])
@pytest.mark.parametrize("name", TEXTS)
def test_every_small_change_of_a_text_file_is_found(copied, name, every):
    chosen, path = random.Random(f"{name} 14"), copied / name
    text = path.read_text()
    assert detected(copied, name) == "verify finds nothing"
    count = 0
    for what, changed in changes(text, chosen, every):
        path.write_text(changed)
        assert detected(copied, name) == "", what
        count += 1
    assert count > (3 * len(text) if every else 30)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("generations", [0, 99])
def test_verify_tells_each_with_its_exit_status(copied, capsys, name, generations):
    text, chosen = (copied / name).read_text(), random.Random(f"{name} {generations}")
    assert main(["verify", str(copied), "--generations", "99"]) == 0
    assert "its files have the hashes with which they were written" in capsys.readouterr().out
    found = list(changes(text, chosen))
    for what, changed in chosen.sample(found, 12):
        (copied / name).write_text(changed)
        assert main(["verify", str(copied), "--generations", str(generations)]) in (1, 2), what
        said = capsys.readouterr()
        assert "same to the bit" not in said.out
        assert "Traceback" not in said.err + said.out
        assert ("different:" in said.out) != said.err.startswith("pigevo: ")


def names_of(folder):
    return list(read_result(folder)["files"])


def test_all_files_that_a_finished_run_leaves_have_a_hash_but_its_log(whole):
    there = {str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file()}
    assert set(names_of(whole)) == there - {"result.json", "run.log", ".lock"}
    assert set(TEXTS) - {"result.json"} <= set(names_of(whole))


@pytest.mark.parametrize("way", ["a bit", "cut", "gone"])
def test_every_file_is_compared(copied, way):
    chosen = random.Random(f"files {way}")
    for name in names_of(copied):
        path = copied / name
        content = path.read_bytes()
        place = chosen.randrange(len(content))
        if way == "a bit":
            path.write_bytes(
                content[:place] + bytes([content[place] ^ 1 << chosen.randrange(8)]) + content[place + 1 :]
            )
        elif way == "cut":
            path.write_bytes(content[:place])
        else:
            path.unlink()
        (told,) = by_hash(copied, read_result(copied))
        assert told == f"{name} {'is missing' if way == 'gone' else 'was changed since it was written'}"
        path.write_bytes(content)
    assert by_hash(copied, read_result(copied)) == []


def test_a_file_of_another_s_in_its_place_is_found(copied):
    other = np.asarray(pigevo.load_strategy(copied / CHAMPION).roll).copy()
    other[3, 3, 1] ^= True
    pigevo.Strategy(pigevo.Pig(12), other, pigevo.load_strategy(copied / CHAMPION).name).save(copied / CHAMPION)
    loaded = pigevo.load_run(copied)
    with pytest.raises(InputError, match=r"champion\.npz was changed since it was written"):
        _ = loaded.champion
    with pytest.raises(InputError, match=r"champion\.npz was changed since it was written"):
        pigevo.parse_strategy(str(copied), pigevo.Pig(12))
    shutil.copy(copied / CHAMPION, copied / "population.npz")
    with pytest.raises(InputError, match=r"population\.npz was changed since it was written"):
        _ = loaded.population


@pytest.mark.parametrize("entry", ["hash", "format", "files"])
def test_a_result_cannot_lose_its_hashes(copied, entry):
    record = read_result(copied)
    del record[entry]
    (copied / "result.json").write_text(json.dumps(record, indent=2) + "\n")
    with pytest.raises(InputError, match=r"result\.json is damaged"):
        pigevo.load_run(copied)
    assert not verify(copied, 0, 1).same


def test_a_run_that_goes_on_or_is_shown_checks_what_it_reads(copied):
    settings = pigevo.load_run(copied).settings
    assert run(settings, copied)["digest"]
    text = (copied / "result.json").read_text()
    (copied / "result.json").write_text(text.replace('"overall": 0.', '"overall": 0.9'))
    with pytest.raises(InputError, match=r"result\.json is damaged \(it was changed .*force=true"):
        run(settings, copied)
    (copied / "result.json").unlink()
    config = (copied / CONFIG).read_text()
    for changed in (config.replace("seed: 0", "seed: 1"), config.replace("checkpoint_every: 2", "checkpoint_every: 3"),
                    config.rpartition("#")[0]):  # fmt: skip
        assert changed != config
        (copied / CONFIG).write_text(changed)
        assert main(["resume", str(copied)]) == 2
        assert verify(copied, 0, 1).differences == (f"{CONFIG} was changed since it was written",)
    (copied / CONFIG).write_text(config)
    assert main(["resume", str(copied)]) == 0


def test_a_file_that_cannot_be_read_is_told_as_such_and_not_as_damage(copied, monkeypatch):
    for name in ("result.json", "metrics.csv", CHAMPION):
        content = (copied / name).read_bytes()
        (copied / name).unlink()
        (copied / name).mkdir()  # also for the superuser
        with pytest.raises(InputError, match=r"cannot be read|is no file") as caught:
            _ = pigevo.load_run(copied).champion
        assert "damaged" not in str(caught.value)
        (copied / name).rmdir()
        (copied / name).write_bytes(content)


def test_seals():
    for end in (JSON_END, YAML_END):
        content = sealed(b"a body", end)
        assert is_whole(content, end)
        assert not is_whole(content + b" ", end)
        assert not is_whole(content[1:], end)
        assert not is_whole(b"", end)
        assert not is_whole(content.replace(b"body", b"Body"), end)
    record = json.loads(sealed_json({"a": [1.5, None, "ä"]}))
    assert record.pop("hash")
    assert record == {"format": 2, "a": [1.5, None, "ä"]}


def test_a_run_whose_files_are_copied_is_the_same(copied, tmp_path):
    os.rename(copied, tmp_path / "moved")
    assert verify(tmp_path / "moved", 99, 1).same
