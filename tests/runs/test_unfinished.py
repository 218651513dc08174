"""The files of a run that has not finished: as far as its checkpoints tell, what was changed is found."""

import random
import string

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.verify import verify


@pytest.fixture
def stopped(make_settings, tmp_path):
    """A run that has not finished."""
    folder = tmp_path / "run"
    run(make_settings(), folder)
    (folder / "result.json").unlink()
    assert pigevo.load_run(folder).result is None
    assert verify(folder, 0, 1).same
    return folder


def test_rows_of_an_unfinished_run_are_those_that_its_checkpoint_counts_on(stopped):
    text, chosen, told = (stopped / "metrics.csv").read_text(), random.Random(14), 0
    header = text.index("\n") + 1
    for _ in range(60):
        place = chosen.choice([n for n in range(header, len(text)) if text[n].isdigit()])
        other = chosen.choice([digit for digit in string.digits if digit != text[place]])
        (stopped / "metrics.csv").write_text(text[:place] + other + text[place + 1 :])
        with pytest.raises(InputError, match="other rows than a checkpoint counts on"):
            pigevo.load_run(stopped)
        told += not verify(stopped, 0, 1).same
    assert told == 60
    (stopped / "metrics.csv").write_text(text + text.splitlines(keepends=True)[-1].replace("6,", "7,", 1))
    assert len(pigevo.load_run(stopped).metrics["generation"]) == text.count("\n")


def test_champions_of_an_unfinished_run_are_those_that_its_checkpoint_counts_on(stopped):
    path, chosen = stopped / "champions.csv", random.Random(15)
    lines = path.read_text().splitlines(keepends=True)[:-1]  # the last generation's is found at the end
    text = "".join(lines)
    path.write_text(text)
    assert list(pigevo.load_run(stopped).champions) == [0, 2, 4]
    for _ in range(60):
        place = chosen.randrange(text.index("\n0,") + 1, len(text))
        other = chosen.choice([letter for letter in "0aB,\n" if letter != text[place]])
        path.write_text(text[:place] + other + text[place + 1 :])
        with pytest.raises(InputError, match=r"champions\.csv"):
            pigevo.load_run(stopped)
        assert any("champions.csv" in said for said in verify(stopped, 0, 1).differences)
    path.unlink()
    with pytest.raises(InputError, match=r"fewer or other champions than a checkpoint counts on"):
        pigevo.load_run(stopped)
    path.write_text(text + lines[-1][:20])  # what a killed process was writing
    assert list(pigevo.load_run(stopped).champions) == [0, 2, 4]


@pytest.mark.parametrize("name", ["checkpoint.npz", "checkpoint.before.npz"])
def test_a_damaged_checkpoint_is_told_by_verify(stopped, name):
    content = bytearray((stopped / name).read_bytes())
    content[len(content) // 3] ^= 4
    (stopped / name).write_bytes(content)
    (said,) = verify(stopped, 0, 1).differences
    assert name in said
