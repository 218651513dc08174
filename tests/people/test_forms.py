"""The form to write games down on: its example and its columns can be read."""

import pytest

import pigevo
from pigevo.people import parse_people, tracker_form
from pigevo.people.csv_rows import COLUMNS
from pigevo.people.forms import ABOVE, CHOICES, LINE

GAMES = [
    pigevo.Pig(), pigevo.Pig(target=3), pigevo.Pig(target=200, sides=20, allow_pass=True), pigevo.Pig(sides=2),
    pigevo.Piglet(), pigevo.Race(20, ((3, 0.5), (5, 0.3)), 0.2),
]  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_line_that_is_filled_in_is_read(game):
    form = tracker_form(game)
    (played,) = parse_people(form.csv, game).games
    (turn,) = played.turns
    assert turn.dice is not None
    assert (turn.rolls, turn.banked) == (len(turn.dice), sum(turn.dice))
    assert form.example["dice"] in form.how[1]


def test_it_has_every_column_of_the_file_once_and_every_answer_that_is_read():
    assert sorted((*ABOVE, *LINE, "rule")) == sorted(COLUMNS)  # who plays by a rule does so on the page
    form = tracker_form(pigevo.Pig())
    assert list(form.example) == [*ABOVE, *LINE]
    for name, choices in CHOICES.items():
        for choice in choices:
            cells = form.example | {name: choice}
            text = f"{','.join(cells)}\n{','.join(cells.values())}\n"
            assert getattr(parse_people(text, pigevo.Pig()).persons[0], name) == choice


def test_a_page_that_is_typed_off_is_the_game():
    head, first = tracker_form(pigevo.Pig()).csv.splitlines()
    lines = ["7,Carl,2,averse,,,1,2 1,2,0,0", "7,Ann B,,,,,2,6 6,2,12,29", "7,Carl,,,,,2,,3,15,15"]
    (game,) = parse_people("\n".join([head, first, *lines]), pigevo.Pig()).games
    assert game.players == ("Ann B", "Carl")
    assert [turn.score for turn in game.turns] == [17, 0, 29, 15]


def test_a_game_without_readable_records_has_no_form():
    with pytest.raises(pigevo.InputError, match="races of one die"):
        tracker_form(pigevo.Pig(target=201))
