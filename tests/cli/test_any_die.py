"""Pig with another die in every command that takes a game: each once, and what cannot be played is one sentence."""

import pytest

from pigevo.games import Pig
from pigevo.web.site import OWN_GAME, opponents_in, own_game, rules_of
from tests.cli.small import SMALL

DIE, TITLE = "--die 0,1,1,2 --bust 1 --target 9", "Pig to 9 with faces 0, 1, 1, 2 where 1 busts"

COMMANDS = {
    "bonnet2018": "--target 3",
    "card": "hold_at:3 --to card.html",
    "duel": "hold_at:3 hold_at:4 --games 20",
    "explain": "hold_at:3 --own 3 --opponent 0 --turn 2",
    "fair-test": "hold_at:3 hold_at:4 --games 20",
    "reach": "hold_at:3 optimal --games 20",
    "respond": "hold_at:3",
    "rules": "3",
    "show": "hold_at:3 --picture none",
    "solve": "",
    "strategies": "",
    "three-player": "--target 3",
    "tournament": "hold_at:2..4",
    "turns": "hold_at:3",
}
QUICK = ("explain", "solve", "turns")


@pytest.mark.parametrize(
    "command", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in COMMANDS]
)
def test_every_command_knows_the_die(answer, command):
    title = TITLE.replace("9", "3" if "--target 3" in COMMANDS[command] else "9")
    assert title in answer(f"{command} {DIE} {COMMANDS[command]}")


def test_a_turn_is_that_of_the_die(record_of):
    outcomes = record_of("turns hold_at:2 --die 0,1,1,2 --target 9")["outcomes"]
    chances = {row["points"]: row["chance"] for row in outcomes}
    assert chances == {2: pytest.approx(0.25 + 0.5 * 0.5), 3: pytest.approx(0.5 * 0.25)}  # and a bust with the rest


@pytest.mark.parametrize("words", ["--bust 6", "game.bust=6", "game.bust=[6]", "--die 1,2,3,4,5,6 --bust 6"])
def test_the_losing_face_is_written_in_several_ways(record_of, words):
    record = record_of(f"solve {words}")
    assert record["game"] == "Pig to 100 where 6 busts"
    assert f"{record['value']:.6f}" == "0.526472"  # as in the table `faces` of experiments/exeter2017/tables.md


def test_games_of_people_are_played_saved_and_read(sit, pigevo):
    output = sit(f"hold_at:3 {DIE} --games 2 --seed 3 --save games.csv", "r\nh\n" * 400)
    assert output.status == 0
    assert "[1] the turn is lost" in output.out  # the face that busts, though 1 is not the lowest one
    assert TITLE in output.out
    assert TITLE in pigevo(f"people games.csv {DIE}").out


@pytest.mark.usefixtures("no_pictures")
def test_runs_and_replays_have_the_die(pigevo, answer):
    words, title = f"{SMALL} game.die=[0,1,1,2] game.bust=1 hydra.run.dir=run", TITLE.replace("9", "12")
    answer(words)
    answer("verify run --generations 1")
    for command in ("replay run --generation 1 --pairing 0 --game 0", "show run --picture none"):
        assert title in answer(command)
    assert pigevo(words).err.startswith("finished before")


@pytest.mark.slow
def test_films_have_the_die(answer):
    answer(f"{SMALL} game.die=[0,1,1,2] game.bust=1 hydra.run.dir=run figures=none")
    answer("film run --to film.gif")


def test_the_page_plays_it():
    game = Pig(9, numbers=(0, 1, 1, 2), losing=1)
    assert own_game(Pig(losing=1)) == {}  # the page has that anyway
    assert own_game(game) == {OWN_GAME: game}
    rules = rules_of(OWN_GAME, game)
    assert rules["title"] == TITLE
    assert "a 1 loses the turn total, any other face adds its points." in rules["sentence"]
    assert [throw["faces"] for throw in rules["throws"]] == [[[("1",), 0.25], [("1",), 0.25]], [[("2",), 0.25]]]
    assert {opponent["id"] for opponent in rules["opponents"]} >= {"optimal", "hold-at"}
    for passing in (False, True):  # strategies that can be made, also where few faces bust
        opponents = opponents_in(Pig(20, sides=30, losing=30, allow_pass=passing))
        assert {opponent.strategy.game.allow_pass for opponent in opponents} == {passing}
