"""Names and words of others: what a terminal would obey is written out, and what cannot be encoded too."""

import io
import json
import sys

import numpy as np
import pytest

import pigevo as package
from pigevo.cli import main
from pigevo.core.text import clipped, short_repr, visible
from pigevo.storage.records import with_checksum
from tests.cli.small import RUN

RED = "\x1b[31m\x1b]0;owned\x07"


def test_what_cannot_be_seen_is_written_out():
    assert visible("plain, ü and 🎲\n\tnext") == "plain, ü and 🎲\n\tnext"
    assert visible(f"a{RED}b\r\x7f\u202e\u2028\xa0\udcff") == (
        "a\\x1b[31m\\x1b]0;owned\\x07b\\r\\x7f\\u202e\\u2028\\xa0\\udcff"
    )


def test_a_value_in_a_sentence_is_short():
    assert short_repr("x") == "'x'"
    assert len(short_repr("x" * 10**6)) == 59
    assert short_repr(10**5000) == "a number of too many digits"
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert short_repr(deep) == "a value of too many levels"
    assert clipped("a\nb  c" + "d" * 50, 20) == "a b cddd...dddddddd"


@pytest.fixture
def mine(tmp_path):
    game = package.Pig(target=9)
    return package.Strategy(game, package.hold_at(game, 3).roll, name=f"mine{RED}").save(tmp_path / "mine.npz")


def test_the_name_of_a_strategy(pigevo, mine):
    output = pigevo("duel mine.npz hold_at:4 --target 9")
    assert output.status == 0
    assert "mine\\x1b[31m" in output.out
    assert "\x1b" not in output.out
    assert json.loads(pigevo("duel mine.npz hold_at:4 --target 9 --json").out)["a"] == f"mine{RED}"


@pytest.mark.parametrize(
    "words", [["duel", f"a{RED}", "optimal"], [f"mutation={RED}"], [f"{RED}=3"], ["resume", RED], ["status", RED], ["--cfg", RED], [f"--{RED}"],
              ["check", f"{RED}.py:f"], ["solve", "--target", RED], ["--config-dir", RED, "seed=1"], [f"experiment={RED}"], [f"seed=\udcff{RED}"]],
)  # fmt: skip
def test_a_word(pigevo, words):
    output = pigevo(words)
    assert (output.status, output.err.count("\n")) == (2, 1)
    assert "\x1b" not in output.err


@pytest.mark.usefixtures("no_pictures")
def test_the_name_of_a_folder_and_the_log_of_a_run(pigevo, tmp_path):
    output = pigevo([*RUN.split()[:-1], f"hydra.run.dir='run{RED}'"])
    assert output.status == 0
    assert "run\\x1b[31m" in output.out
    assert "\x1b" not in output.out + output.err
    assert pigevo(["resume", f"run{RED}"]).status == 0
    log = (tmp_path / f"run{RED}" / "run.log").read_text()
    assert "\x1b" not in log


def test_the_record_of_a_sweep(pigevo, tmp_path):
    run = {"folder": "../x", "setting": RED, "seed": 1, "config_hash": "", "config": {}}
    (tmp_path / "sweep.json").write_bytes(with_checksum({"format": 1, "swept": [], "runs": [run]}))
    (tmp_path / "failures.json").write_bytes(with_checksum({"failures": {"../x": f"failed{RED}"}}))
    output = pigevo("status .")
    assert output.status == 1
    assert "failed\\x1b[31m" in output.out
    assert "\x1b" not in output.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_an_output_that_lacks_letters_gets_their_numbers(monkeypatch, mine, encoding, tmp_path):
    monkeypatch.chdir(tmp_path)
    game = package.Pig(target=9)
    package.Strategy(game, np.ones((9, 9, 9), bool), name="würfel🎲").save("other.npz")
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["duel", "other.npz", "hold_at:4", "--target", "9"]) == 0
    name = stream.buffer.getvalue().decode(encoding).partition(" ")[0]
    assert name == {"ascii": "w\\xfcrfel\\U0001f3b2", "latin-1": "würfel\\U0001f3b2", "utf-8": "würfel🎲"}[encoding]
