"""The record of a person's games: what is written is read again, and what is there stays."""

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.people import MOST_TURNS, open_register, read_people, write_people
from pigevo.people.csv_rows import MOST_ROWS
from tests.people.games import follow, people, play, small

PIG = pigevo.Pig(target=30)
OTHER = pigevo.hold_at(PIG, 9)


def games(seats, opponent=OTHER):
    mine = pigevo.hold_at(opponent.game, 12)
    return [play(opponent, follow(mine), 1, number, seat) for number, seat in enumerate(seats)]


def opened(path, game=PIG, person="ann", opponent="hold_at:9"):
    return open_register(path, game, person, opponent)


def as_played(game, person):
    """The turns of a recorded game as those of the arena."""
    seats = {name: seat for seat, name in enumerate(game.players)}
    return [(seats[t.player], t.own, t.opponent, t.dice or (), t.banked) for t in game.turns], seats[person]


@pytest.mark.parametrize(("name", "more"), [("pig", {}), ("piglet", {"allow_pass": True})])
def test_it_is_read_again_as_it_was_played(tmp_path, name, more):
    game = small(name, **more)
    played = games([0, 1, 0, 1], pigevo.hold_at(game, 4))
    opened(tmp_path / "games.csv", game).write(played)
    read = read_people(tmp_path / "games.csv", game)
    assert [person.name for person in read.persons] == sorted(["ann", "hold_at:9"])
    for recorded, one in zip(read.games, played, strict=True):
        turns, seat = as_played(recorded, "ann")
        assert seat == one.seat
        assert turns == [(t.player, t.own, t.opponent, t.rolls, t.banked) for t in one.turns]


def test_games_are_added_to_those_of_others(tmp_path):
    path = tmp_path / "games.csv"
    before = people(pigevo.hold_at(PIG, 8), pigevo.hold_at(PIG, 20), games=3, seed=1)
    write_people(path, before)
    register = opened(path, person="cem").write(games([0]))
    register = register.write(games([1]))
    read = read_people(path, PIG)
    assert read.games[:3] == before.games
    assert read.persons[:2] == before.persons  # with what they have answered
    assert [game.name for game in read.games[3:]] == ["4", "5"]
    assert read.games == register.people.games
    assert {person.name for person in read.persons} == {"ann", "bob", "cem", "hold_at:9"}


def test_a_number_that_is_taken_is_left_out(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("game,player,turn,rolls,banked\n2,bob,1,1,4\n")
    opened(path).write(games([0, 1]))
    assert [game.name for game in read_people(path, PIG).games] == ["2", "3", "4"]


def test_a_game_of_which_no_turn_was_ended_is_none(tmp_path):
    path = tmp_path / "games.csv"
    register = opened(path)
    assert register.write([play(OTHER, lambda _: None)]) is register
    assert not path.exists()


@pytest.mark.parametrize(("seat", "answers"), [(0, 1), (0, 3), (1, 2)])
def test_a_game_that_was_left_is_kept_as_far_as_it_went(tmp_path, seat, answers):
    given = iter([False] * answers)
    left = play(OTHER, lambda _: next(given, None), seat=seat)
    opened(tmp_path / "games.csv").write([left])
    (recorded,) = read_people(tmp_path / "games.csv", PIG).games
    assert [turn.banked for turn in recorded.turns] == [turn.banked for turn in left.turns]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": pigevo.Pig(target=500)}, "records are read of races of one die to at most 200 points, not of Pig"),
        ({"game": small("two_dice")}, "records are read of races of one die"),
        ({"person": " "}, "' ' cannot be a name: it must have 1 to 60 visible letters"),
        ({"person": "a\x1b"}, "cannot be a name"),
        ({"person": "a" * 61}, "cannot be a name"),
        ({"person": "hold_at:9 "}, "'hold_at:9' is how the opponent is called in the record"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_the_game(tmp_path, change, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        opened(tmp_path / "games.csv", **change)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("milk,eggs\n")
    with pytest.raises(InputError, match="cannot be read as a record of games"):
        opened(path)
    assert path.read_text() == "milk,eggs\n"


def test_a_file_without_room_for_a_game_is_refused(tmp_path):
    path, fits = tmp_path / "games.csv", MOST_ROWS - MOST_TURNS
    rows = [f"{number},bob,1,1,4" for number in range(fits)]
    path.write_text("\n".join(["game,player,turn,rolls,banked", *rows]))
    assert opened(path).has_room
    path.write_text(path.read_text() + "\nlast,bob,1,1,4")
    with pytest.raises(InputError, match="has no room for a game more: a record has at most 5,000 turns"):
        opened(path)


def test_the_longest_game_that_there_can_be_is_kept(tmp_path):
    """Somebody who never holds, with a coin for a die, against one who does not either."""
    game = pigevo.Pig(target=200, sides=2)
    played = play(pigevo.hold_at(game, 200), lambda _: True)
    assert len(played.turns) == MOST_TURNS
    opened(tmp_path / "games.csv", game).write([played])
    (recorded,) = read_people(tmp_path / "games.csv", game).games
    assert len(recorded.turns) == MOST_TURNS


@pytest.mark.parametrize("name", ["a\nb\x1b[31m", "x" * 300, "=1+1", 'a "b", c;', "", "ünïcödé"])
def test_whatever_an_opponent_is_called(tmp_path, name):
    opened(tmp_path / "games.csv", opponent=name).write(games([0, 1]))
    assert len(read_people(tmp_path / "games.csv", PIG).games) == 2
