"""`pigevo play`: games that are saved, and what of them is kept when disks and outputs fail."""

import io
import json
import sys
from pathlib import Path

import pytest

import pigevo as library
from pigevo.people import read_people
from tests.cli.sat import SMALL, lines


def test_games_are_saved_and_pigevo_people_reads_them(sit, pigevo):
    words = f"hold_at:9 {SMALL} --games 4 --save games.csv --name ann"
    said = sit(words, lines("r", "h") * 99)
    assert said.out.endswith("Saved in games.csv, which pigevo people reads.\n")
    sit(f"turtle {SMALL} --save games.csv --name ann", lines("h", "h", "q"))
    read = read_people("games.csv", library.Pig(target=20))
    assert [len(read.games_of(name)) for name in ("ann", "hold_at:9", "turtle:5")] == [5, 4, 1]
    people = pigevo("people games.csv --target 20")
    assert (people.status, people.err) == (0, "")
    assert "ann: 5 games, " in people.out


def test_the_cost_of_a_saved_game_against_the_optimum_is_that_of_its_review(sit, pigevo):
    found = json.loads(sit(f"{SMALL} --save games.csv --json", lines("h") * 99).out)
    people = json.loads(pigevo("people games.csv --target 20 --json").out)
    cost = next(one["cost"]["mean"] for one in people["players"] if one["person"]["name"] == "you")
    assert cost == pytest.approx(found["games"][0]["review"]["cost"], abs=1e-9)


def test_a_disk_that_is_full_ends_the_sitting_with_a_sentence_and_keeps_the_file(sit, monkeypatch):
    sit(f"{SMALL} --save games.csv", lines("h") * 99)
    before = Path("games.csv").read_text()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pigevo.storage.files.os.fsync", full)
    said = sit(f"{SMALL} --save games.csv", lines("h") * 99)
    assert (said.status, said.err) == (2, "pigevo: games.csv cannot be written: No space left on device.\n")
    assert Path("games.csv").read_text() == before


class Lost(io.StringIO):
    """An output that takes so many lines, and then fails."""

    def __init__(self, lines, error):
        super().__init__()
        self._left, self._error = lines, error

    def write(self, text):
        self._left -= text.count("\n")
        if self._left < 0:
            raise self._error
        return super().write(text)


@pytest.mark.parametrize(
    ("error", "status"), [(OSError(28, "No space left on device"), 2), (BrokenPipeError(32, "Broken pipe"), 141)]
)
def test_an_output_that_is_lost_keeps_what_was_played(sit, monkeypatch, error, status):
    monkeypatch.setattr(sys, "stdout", Lost(30, error))
    said = sit("hold_at:2 --seed 7 --save games.csv", lines("h") * 99)
    assert said.status == status
    (game,) = read_people("games.csv", library.Pig()).games
    assert len(game.turns) > 5


def test_a_file_that_is_full_ends_the_sitting_before_the_next_game(sit, monkeypatch):
    monkeypatch.setattr("pigevo.people.game_file.MOST_ROWS", 2_010)
    said = sit(f"hold_at:2 {SMALL} --games 9 --save games.csv", lines("h") * 999)
    assert said.status == 0
    games = len(read_people("games.csv", library.Pig(target=20)).games)
    assert 1 <= games < 9
    assert "games.csv has no room for a game more." in said.out
