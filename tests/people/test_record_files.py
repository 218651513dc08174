"""Records of games in files, and that the page of their format has the columns, bounds and coverage of the code."""

import itertools
import os
import re
import threading
from pathlib import Path

import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games.pig_variants import HoldToWin
from pigevo.people import (
    MOST_TURNS,
    People,
    Person,
    as_csv,
    neutral_values,
    open_register,
    parse_people,
    read_people,
    tracker_form,
    write_people,
)
from pigevo.people.record_files import ABOVE, CHOICES, COLUMNS, LARGEST, LARGEST_TARGET, LINE, MOST_ROWS, NEEDED
from pigevo.people.recorded_games import recorded_game
from pigevo.simulation.stepwise import play_turns
from tests import measure_intervals as measure
from tests.people.games import FIGURE_6, follow, people, play, small

PIG = pigevo.Pig()


def test_the_printed_record_is_read():
    people_read = parse_people(FIGURE_6, PIG)
    assert people_read.persons == (Person("player 2", "seeking"),)
    (game,) = people_read.games
    assert not game.has_both
    assert [turn.score for turn in game.turns] == [16, 24, 32, 48, 48, 48, 61, 70, 70, 86, 86, 101]
    assert [turn.number for turn in game.turns if turn.is_bust] == [5, 6, 9, 11]
    assert {turn.opponent for turn in game.turns} == {None}


TWO = "game,player,turn,rolls,banked\n"
HEAD = "game,player,turn,rolls,banked,score,preference,question_2,question_3,seat,dice\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin with a row of names"),
        (TWO, "it has no turns"),
        ("game,player,turn,rolls\na,x,1,2\n", "no column banked"),
        ("game,player,turn,rolls,banked,banked\na,x,1,2,8,8\n", "banked is there twice"),
        ("game,player,turn,rolls,bank\na,x,1,2,8\n", "did you mean banked"),
        (TWO + "a,x,1,2,1\n", "row 2: 2 rolls cannot bank 1 point "),
        (TWO + "a,x,1,1,7\n", "row 2: 1 roll cannot bank 7 points from a score of 0"),
        (TWO + "a,x,1,2,3\n", "row 2: 2 rolls cannot bank 3 points"),
        (TWO + "a,x,1,0,0\n", "row 2: a turn has at least one roll"),
        (TWO + "a,x,1,40,90\na,x,2,6,13\n", "row 3: 6 rolls cannot bank 13 points from a score of 90"),
        (TWO + "a,x,1,40,95\na,x,2,4,0\n", "row 3: 4 rolls cannot lose a turn that begins with a score of 95"),
        (TWO + "a,x,1,2,8\n\na,x,3,2,8\n", "row 4: turn 2 is missing before it"),
        (TWO + "a,x,1,2,8\na,x,1,2,8\n", "row 3: turn 1 is there twice"),
        (TWO + "a,x,1,2,8\na,y,1,2,8\na,z,1,2,8\n", "row 4: z is the third player"),
        (TWO + "a,x,1,40,100\na,x,2,1,4\n", "row 3: turn 2 of x comes after the end of game a, which x has won with 100"),
        (TWO + "a,x,1,40,100\na,y,1,1,4\na,y,2,1,4\n", "row 4: turn 2 of y comes after the end"),
        (TWO + "a,x,1,2,8\na,x,2,2,8\na,x,3,2,8\na,y,1,2,8\n", "row 4: turn 3 of x in game a has no turn of y before it"),
        (TWO + "a,x,1,two,8\n", "row 2: rolls is 'two', and must be a whole number"),
        (TWO + "a,x,1,-2,8\n", "row 2: rolls is '-2', and must be a whole number"),
        (TWO + "a,x,1,,8\n", "row 2 has no rolls"),
        (TWO + "a,x,1,2,8,9\n", "row 2 has 6 cells, and there are 5 columns"),
        (TWO + f"{'a' * 61},x,1,2,8\n", "row 2: game is"),
        (TWO + "a,x\x1b,1,2,8\n", "row 2: player is"),
        (HEAD + "a,x,1,2,8,9,,,,,\n", "row 2: the score is 9, and 0 and 8 make 8"),
        (HEAD + "a,x,1,2,8,,brave,,,,\n", "row 2: preference is 'brave', and must be one of averse, neutral, seeking"),
        (HEAD + "a,x,1,2,8,,averse,,,,\na,x,2,2,8,,neutral,,,,\n", "row 3: preference of x is neutral, and was averse above"),
        (HEAD + "a,x,1,2,8,,,c,,,\n", "row 2: question_2 is 'c'"),
        (HEAD + "a,x,1,2,8,,,,,3,\n", "row 2: seat is '3'"),
        (HEAD + "a,x,1,2,8,,,,,1,\na,y,1,2,8,,,,,1,\n", "the seats of game a must be 1 for one player"),
        (HEAD + "a,x,1,2,8,,,,,2,\na,y,1,2,8,,,,,,\na,x,2,2,8,,,,,,\na,x,3,2,8,,,,,,\n", "turn 2 of x in game a has no turn of y"),
        (HEAD + "a,x,1,2,8,,,,,,4-4\n", "row 2: dice is '4-4'"),
        (HEAD + "a,x,1,2,8,,,,,,4 7\n", "row 2: no roll of .* shows 7"),
        (HEAD + "a,x,1,2,8,,,,,,4\n", "row 2: there are 1 dice, and 2 rolls"),
        (HEAD + "a,x,1,2,8,,,,,,4 5\n", "row 2: the dice bank 9 points, and 8 are recorded"),
        (HEAD + "a,x,1,2,8,,,,,,1 4\n", "row 2: the dice go on after a roll that ended the turn"),
        (HEAD + "a,x,1,16,96,,,,,," + "6 " * 15 + "6\na,x,2,2,10,,,,,,5 5\n", "row 3: the dice go on after 100 points"),
        ('game,player,turn,rolls,banked\n"a,x,1,2,8', "no"),
        (TWO + "a,x,1,2,8\n" * (MOST_ROWS + 1), "5,001 turns, and 5,000 are the most"),
        (TWO + "x" * 200_000, "field"),
    ],
)  # fmt: skip
def test_what_breaks_the_rules_is_refused_with_its_row(text, message):
    with pytest.raises(pigevo.InputError, match=message):
        parse_people(text, PIG)


def test_a_spreadsheet_s_semicolons_capitals_and_blank_rows_are_read():
    text = "Game;Player;Turn;Rolls;Banked;Preference\r\n a ; x ;1;2;8;Risk-averse\r\n;;;;;\r\na;x;2;1.0;0;\r\n"
    people_read = parse_people(text, PIG)
    assert people_read.persons == (Person("x", "averse"),)
    assert [turn.rolls for turn in people_read.games[0].turns] == [2, 1]


@pytest.mark.parametrize("separator", ",;\t")
def test_a_spreadsheet_s_empty_columns_at_the_right_are_no_columns(separator):
    rows = ["game,player,turn,rolls,banked,,", "a,x,1,2,8,,", "a,x,2,1,0"]
    text = "\n".join(rows).replace(",", separator)
    people_read = parse_people(text, PIG)
    assert [turn.banked for turn in people_read.games[0].turns] == [8, 0]
    with pytest.raises(pigevo.InputError, match="row 3 has 7 cells, and there are 5 columns"):
        parse_people(f"{text}{separator}{separator}late", PIG)


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        ("a,x,1,2,8\na,y,1,2,9", ("x", "y")),  # nothing tells: the file does
        ("a,x,1,2,8\na,y,1,2,9\na,y,2,2,9", ("y", "x")),  # who has had more turns
        ("a,x,1,25,100\na,y,1,2,9", ("y", "x")),  # who has won after as many turns moved second
        ("a,y,1,2,9\na,x,1,25,100", ("y", "x")),
        ("a,x,1,25,100\na,y,1,2,9\na,x,2,2,9", None),
    ],
)
def test_who_moved_first(rows, order):
    if order is None:
        with pytest.raises(pigevo.InputError, match="row 3: turn 1 of y comes after the end"):
            parse_people(TWO + rows, PIG)
        return
    (game,) = parse_people(TWO + rows, PIG).games
    assert game.players == order
    assert [turn.player for turn in game.turns][:2] == list(order)


def test_seats_decide_who_moved_first():
    (game,) = parse_people(HEAD + "a,x,1,2,8,,,,,2,\na,y,1,2,9,,,,,,\n", PIG).games
    assert game.players == ("y", "x")
    assert [turn.opponent for turn in game.turns] == [0, 9]


@pytest.mark.parametrize(
    "game", [PIG, pigevo.Piglet(target=6), pigevo.Pig(target=60, allow_pass=True), HoldToWin(30, beyond=9)]
)
@pytest.mark.parametrize("dice", [True, False])
def test_what_is_written_is_read_again(game, dice, tmp_path):
    a, b = pigevo.Strategy.from_function(game, lambda i, j, k: k < 7), pigevo.optimal(game).strategy
    if game.allow_pass:
        a = pigevo.skip_when_level(game, 5)
    made = people(a, b, games=6, dice=dice)
    assert read_people(write_people(tmp_path / "games.csv", made), game) == made
    assert as_csv(made).splitlines()[0] == ",".join(name for name in COLUMNS if name != "rule")


def test_what_cannot_have_happened_is_not_written(tmp_path):
    from dataclasses import replace

    made = people(pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 20))
    first = made.games[0]
    wrong = replace(made, games=(replace(first, turns=(replace(first.turns[0], banked=1), *first.turns[1:])),))
    with pytest.raises(pigevo.InputError, match="row 2"):
        write_people(tmp_path / "games.csv", wrong)
    assert not list(tmp_path.iterdir())


def test_a_game_may_go_on_when_both_have_passed():
    """Only strategies that pass for certain would pass for ever."""
    text = TWO + "a,x,1,0,0\na,y,1,0,0\na,x,2,1,4\n"
    (game,) = parse_people(text, pigevo.Pig(allow_pass=True)).games
    assert [(turn.rolls, turn.banked) for turn in game.turns] == [(0, 0), (0, 0), (1, 4)]


def test_games_of_strategies_that_pass_at_times_can_be_read_back():
    game = pigevo.Pig(10, allow_pass=True)
    player = pigevo.noisy(pigevo.hold_at(game, 4), 0.3)
    played = [tuple(play_turns(player, player, Draw(seed, "dice"), 1000)) for seed in range(30)]
    assert any(a.is_pass and b.is_pass for turns in played for a, b in itertools.pairwise(turns[:-1]))
    games = tuple(recorded_game(f"g{n}", ["a", "b"], turns) for n, turns in enumerate(played))
    written = as_csv(People(game, (Person("a"), Person("b")), games))
    assert [len(read.turns) for read in parse_people(written, game).games] == [len(turns) for turns in played]


PAST = [
    (
        HEAD + "a,x,1,16,96,,,,,," + "6 " * 15 + "6\na,x,2,3,14,,,,,,5 5 4\n",
        "the dice go on after 100 points were reached",
    ),
    (TWO + "a,x,1,40,90\na,x,2,3,18\n", "3 rolls cannot bank 18 points from a score of 90"),
    (TWO + "a,x,1,40,95\na,x,2,4,0\n", "4 rolls cannot lose a turn that begins with a score of 95"),
]


@pytest.mark.parametrize(("text", "message"), PAST)
def test_a_turn_that_goes_on_past_the_target_is_read_where_players_must_hold_to_win(text, message):
    with pytest.raises(pigevo.InputError, match=f"row 3: {message}; if players had to hold to win, .* --must-hold"):
        parse_people(text, PIG)
    (game,) = parse_people(text, HoldToWin()).games
    assert game.turns[1].own + game.turns[1].banked == game.turns[1].score


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (PIG, TWO + "a,x,1,2,3\n"),
        (HoldToWin(100, beyond=1), TWO + "a,x,1,40,95\na,x,2,5,0\n"),
        (pigevo.Piglet(), TWO + "a,x,1,9,9\na,x,2,3,0\n"),
        (pigevo.Race(10, {1: 1.0}, 0.0), TWO + "a,x,1,9,9\na,x,2,3,3\n"),
    ],
)
def test_what_is_impossible_there_too_does_not_name_it(game, text):
    with pytest.raises(pigevo.InputError, match=r"row [23]: .* cannot (bank|lose)") as caught:
        parse_people(text, game)
    assert "must-hold" not in str(caught.value)


def test_other_games_are_refused(tmp_path):
    with pytest.raises(pigevo.InputError, match="only one-die races"):
        read_people(tmp_path / "no such", pigevo.Pig(target=201))


def test_a_file_of_any_size_and_kind_is_refused_in_a_sentence(tmp_path):
    place = tmp_path / "games.csv"
    for content, message in (
        (b"\xff\xfe", "not UTF-8 text"),
        (b"PK\x03\x04\xff", r"it is a workbook, .* not text: save it as text \(a table as CSV UTF-8\)"),
        (b"x" * (LARGEST + 1), "are the most"),
        (b"\0", "games.csv"),
    ):
        place.write_bytes(content)
        with pytest.raises(pigevo.InputError, match=message):
            read_people(place, PIG)
    with pytest.raises(pigevo.InputError, match="there is no file"):
        read_people(tmp_path / "none.csv", PIG)


SHORT = pigevo.Pig(target=30)
OTHER = pigevo.hold_at(SHORT, 9)


def games(seats, opponent=OTHER):
    mine = pigevo.hold_at(opponent.game, 12)
    return [play(opponent, follow(mine), 1, number, seat) for number, seat in enumerate(seats)]


def opened(path, game=SHORT, person="ann", opponent="hold_at:9"):
    return open_register(path, game, person, opponent)


def write_all(register, played):
    for game in played:
        register = register.write(game)
    return register


def as_played(game, person):
    """The turns of a recorded game as those of `play_turns`, and the seat of a person."""
    seats = {name: seat for seat, name in enumerate(game.players)}
    return [(seats[t.player], t.own, t.opponent, t.dice or (), t.banked) for t in game.turns], seats[person]


@pytest.mark.parametrize(("name", "more"), [("pig", {}), ("piglet", {"allow_pass": True})])
def test_a_record_is_read_as_it_was_played(tmp_path, name, more):
    game = small(name, **more)
    played = games([0, 1, 0, 1], pigevo.hold_at(game, 4))
    write_all(opened(tmp_path / "games.csv", game), played)
    read = read_people(tmp_path / "games.csv", game)
    assert [person.name for person in read.persons] == sorted(["ann", "hold_at:9"])
    for recorded, game_played in zip(read.games, played, strict=True):
        turns, seat = as_played(recorded, "ann")
        assert seat == game_played.seat
        assert turns == [(t.player, t.own, t.opponent, t.rolls, t.banked) for t in game_played.turns]


def test_games_are_added_to_those_of_others(tmp_path):
    path = tmp_path / "games.csv"
    before = people(pigevo.hold_at(SHORT, 8), pigevo.hold_at(SHORT, 20), games=3, seed=1)
    write_people(path, before)
    register = opened(path, person="cem").write(*games([0]))
    register = register.write(*games([1]))
    read = read_people(path, SHORT)
    assert read.games[:3] == before.games
    assert read.persons[:2] == before.persons  # with what they have answered
    assert [game.name for game in read.games[3:]] == ["4", "5"]
    assert read.games == register.people.games
    assert {person.name for person in read.persons} == {"ann", "bob", "cem", "hold_at:9"}


def test_a_taken_number_is_not_given_again(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("game,player,turn,rolls,banked\n2,bob,1,1,4\n")
    write_all(opened(path), games([0, 1]))
    assert [game.name for game in read_people(path, SHORT).games] == ["2", "3", "4"]


def test_a_game_without_an_ended_turn_is_not_recorded(tmp_path):
    path = tmp_path / "games.csv"
    register = opened(path)
    assert register.write(play(OTHER, lambda _: None)) is register
    assert not path.exists()


@pytest.mark.parametrize(("seat", "answers"), [(0, 1), (0, 3), (1, 2)])
def test_a_game_that_was_left_is_recorded_as_far_as_it_went(tmp_path, seat, answers):
    given = iter([False] * answers)
    left = play(OTHER, lambda _: next(given, None), seat=seat)
    opened(tmp_path / "games.csv").write(left)
    (recorded,) = read_people(tmp_path / "games.csv", SHORT).games
    assert [turn.banked for turn in recorded.turns] == [turn.banked for turn in left.turns]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": pigevo.Pig(target=500)}, "only one-die races to at most 200 points can be recorded, not Pig"),
        ({"game": small("two_dice")}, "only one-die races to at most 200 points can be recorded"),
        ({"person": " "}, "' ' cannot be a name: it must have 1 to 60 visible letters"),
        ({"person": "a\x1b"}, "cannot be a name"),
        ({"person": "a" * 61}, "cannot be a name"),
        ({"person": "hold_at:9 "}, "'hold_at:9' is the name of the opponent in the record"),
    ],
)
def test_what_cannot_be_recorded_is_refused_before_the_game(tmp_path, change, message):
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
    with pytest.raises(InputError, match="has no room for another game: a record has at most 5,000 turns"):
        opened(path)


def test_the_longest_possible_game_is_recorded(tmp_path):
    """Somebody who never holds, with a coin for a die, against one who does not either."""
    game = pigevo.Pig(target=200, sides=2)
    played = play(pigevo.hold_at(game, 200), lambda _: True)
    assert len(played.turns) == MOST_TURNS
    opened(tmp_path / "games.csv", game).write(played)
    (recorded,) = read_people(tmp_path / "games.csv", game).games
    assert len(recorded.turns) == MOST_TURNS


@pytest.mark.parametrize("name", ["a\nb\x1b[31m", "x" * 300, "=1+1", 'a "b", c;', "", "ünïcödé"])
def test_an_opponent_may_have_any_name(tmp_path, name):
    write_all(opened(tmp_path / "games.csv", opponent=name), games([0, 1]))
    assert len(read_people(tmp_path / "games.csv", SHORT).games) == 2


def test_names_that_a_spreadsheet_would_run_are_written_so_that_it_does_not_and_read_again():
    people = parse_people("game,player,turn,rolls,banked\n1,=1+1,1,3,18\n", PIG)
    text = as_csv(people)
    assert "'=1+1" in text
    assert [person.name for person in parse_people(text, PIG).persons] == ["=1+1"]


GAMES = [
    PIG, pigevo.Pig(target=3), pigevo.Pig(target=200, sides=20, allow_pass=True), pigevo.Pig(sides=2),
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


def test_a_form_has_every_column_of_the_file_once_and_every_answer_that_is_read():
    assert sorted((*ABOVE, *LINE, "rule")) == sorted(COLUMNS)  # who plays by a rule does so on the page
    form = tracker_form(PIG)
    assert list(form.example) == [*ABOVE, *LINE]
    for name, choices in CHOICES.items():
        for choice in choices:
            cells = form.example | {name: choice}
            text = f"{','.join(cells)}\n{','.join(cells.values())}\n"
            assert getattr(parse_people(text, PIG).persons[0], name) == choice


def test_a_page_that_is_typed_off_is_the_game():
    head, first = tracker_form(PIG).csv.splitlines()
    lines = ["7,Carl,2,averse,,,1,2 1,2,0,0", "7,Ann B,,,,,2,6 6,2,12,29", "7,Carl,,,,,2,,3,15,15"]
    (game,) = parse_people("\n".join([head, first, *lines]), PIG).games
    assert game.players == ("Ann B", "Carl")
    assert [turn.score for turn in game.turns] == [17, 0, 29, 15]


def test_a_game_without_readable_records_has_no_form():
    with pytest.raises(pigevo.InputError, match="only one-die races"):
        tracker_form(pigevo.Pig(target=201))


PAGE = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")


def test_the_table_of_the_page_has_every_column():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes)? ?\|$", PAGE, flags=re.M)
    assert [name for name, _ in rows] == list(COLUMNS)
    assert [name for name, needed in rows if needed] == list(NEEDED)


def test_the_page_prints_the_record_of_the_report_and_the_bounds():
    assert f"```text\n{FIGURE_6}```" in PAGE
    assert f"at most {MOST_ROWS:,} turns and {LARGEST >> 20} MiB" in PAGE
    assert f"at most {LARGEST_TARGET} points" in PAGE
    assert "holds at {} or {} in Pig".format(*neutral_values(PIG)) in PAGE


LEAST = 0.94


def enough(players, share=LEAST):
    """The share of players below which intervals of this coverage fall by chance once in 10,000."""
    return stats.binom.ppf(1e-4, players, share) / players


@pytest.mark.parametrize("players", [60, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("hold", "slip", "games", "dice"), [(31, 0.1, 1, True), (31, 0.2, 2, False)])
def test_the_interval_of_a_hold_value_holds_it(hold, slip, games, dice, players):
    ((held, _),) = measure.of_hold_values(hold, slip, [games], players, dice)
    assert held >= enough(players)


@pytest.mark.long
def test_the_intervals_of_players_who_look_at_the_scores_hold_both_values():
    for held, _ in measure.when_they_look(0.2, 2, 150):
        assert held >= enough(150)


@pytest.mark.long
def test_the_table_of_the_page_is_what_is_measured():
    assert [line for line in measure.table_of_players(400) if f"{line}\n" not in PAGE] == []


def test_no_share_of_the_table_is_below_what_luck_makes_of_it():
    """Of 45 shares one is lower by chance once in 200."""
    after = PAGE.split("An earlier version")[0]
    shares = [float(share) for share in re.findall(r"(\d\.\d{3}) \(", after)]
    assert len(shares) == 5 * (len(measure.PLAYERS) + 2)
    assert min(shares) >= enough(400)


def test_intervals_are_narrow_after_one_game_without_slips_and_narrower_after_ten():
    ((_, wide),) = measure.of_hold_values(20, 0, [1], 40)
    assert wide < 15
    ((_, wide),) = measure.of_hold_values(20, 0.1, [10], 10)
    assert wide < 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_refused_before_anybody_waits_for_it(tmp_path):
    pipe = tmp_path / "games.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"",), daemon=True)  # whoever reads it reads nothing
    writer.start()
    with pytest.raises(InputError, match=r"games\.csv cannot be written: it is not a file"):
        open_register(pipe, PIG, "Ada", "hold_at:20")
    while writer.is_alive():
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        writer.join(0.05)
        os.close(reading)
