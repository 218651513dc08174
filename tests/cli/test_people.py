import json
import re
from pathlib import Path

import pytest

import pigevo as library
from pigevo.people import write_people
from tests.people.played import FIGURE_6, people


@pytest.fixture
def record(tmp_path):
    game = library.Pig(target=50)
    made = people(library.hold_at(game, 25), library.hold_at(game, 12), games=14, seed=2, dice=False)
    return write_people(tmp_path / "games.csv", made)


def test_the_printed_record_to_read(pigevo):
    Path("figure_6.csv").write_text(FIGURE_6)
    said = pigevo("people figure_6.csv")
    assert said.status == 0
    assert "score by turn   16 24 32 48 48 48 61 70 70 86 86 101" in said.out
    assert "stated seeking, suggested averse" in said.out
    assert said.out.count("needs the opponent's turns, and game figure 6 has only those of player 2.") == 3


def test_turns_that_are_too_few_are_said_to_tell_little(pigevo):
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,3,12\na,x,2,5,24\na,x,3,2,0\na,x,4,4,15\n")
    said = pigevo("people games.csv").out
    assert re.search(r"hold value +\d+ \(\d+ to 100, from 4 turns: too few to tell much\)", said)
    assert "stated none, suggested open" in said


def test_two_players_to_read(pigevo, record):
    said = pigevo(["people", str(record), "--target", "50"])
    assert said.status == 0
    assert "ann: 14 games" in said.out
    assert "stated seeking, suggested seeking; the answers 2 and 3 are seeking" in said.out
    assert "cheaper turns more (--json lists all)" in said.out
    assert "if it differed at all (" in said.out
    assert "points a turn, by stated preference" in said.out


@pytest.mark.slow
def test_two_players_as_json(pigevo, record):
    found = json.loads(pigevo(["people", str(record), "--target", "50", "--json"]).out)
    ann, bob = found["players"]
    assert ann["person"] == {"name": "ann", "preference": "seeking", "question_2": "b", "question_3": "b"}
    assert ann["hold"]["low"] <= 25 <= ann["hold"]["high"]
    assert bob["hold"]["low"] <= 12 <= bob["hold"]["high"]
    assert bob["suggested"] == "averse"
    assert ann["cost"]["mean"] == pytest.approx(sum(turn["cost"]["mean"] for turn in ann["costly"]))
    assert all(turn["cost"]["least"] <= turn["cost"]["mean"] <= turn["cost"]["most"] for turn in ann["costly"])
    assert ann["behind"]["verdict"] in ("more", "less", "open")
    assert ann["following"]["verdict"] in ("follows", "goes against", "open")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "game,player,turn,rolls,banked\na,x,1,1,1\n",
            "games.csv cannot be read as a record of games: row 2: 1 roll cannot bank 1 point ",
        ),
        ("", "games.csv cannot be read as a record of games: it does not begin with a row of names"),
    ],
)
def test_what_breaks_the_rules_is_one_sentence(refused, text, said):
    Path("games.csv").write_text(text)
    refused("people games.csv", said)
