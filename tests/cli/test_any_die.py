"""Pig with another die in every command that takes a game: each once, and what cannot be played is one sentence."""

import json

import pytest

from pigevo.web.site import OWN_GAME, opponents_in, own_game, rules_of
from tests.cli.small import SMALL

DIE, TITLE = "--die 0,1,1,2 --bust 1 --target 9", "Pig to 9 with faces 0, 1, 1, 2 where 1 busts"

COMMANDS = {
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
    "command", [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in COMMANDS]
)
def test_every_command_knows_the_die(pigevo, command):
    output = pigevo(f"{command} {DIE} {COMMANDS[command]}")
    assert output.status == 0, output.err
    assert TITLE.replace("9", "3" if command == "three-player" else "9") in output.out


def test_a_turn_is_that_of_the_die(pigevo):
    outcomes = json.loads(pigevo("turns hold_at:2 --die 0,1,1,2 --target 9 --json").out)["outcomes"]
    chances = {one["points"]: one["chance"] for one in outcomes}
    assert chances == {2: pytest.approx(0.25 + 0.5 * 0.5), 3: pytest.approx(0.5 * 0.25)}  # and a bust with the rest


@pytest.mark.parametrize("words", ["--bust 6", "game.bust=6", "game.bust=[6]", "--die 1,2,3,4,5,6 --bust 6"])
def test_the_losing_face_is_said_in_several_ways(pigevo, words):
    record = json.loads(pigevo(f"solve {words} --json").out)
    assert record["game"] == "Pig to 100 where 6 busts"
    assert f"{record['value']:.6f}" == "0.526472"  # as in the table of experiments/exeter2017/faces.md


def test_games_of_people_are_played_saved_and_read(sit, pigevo):
    output = sit(f"hold_at:3 {DIE} --games 2 --seed 3 --save games.csv", "r\nh\n" * 400)
    assert output.status == 0
    assert "[1] the turn is lost" in output.out  # the face that busts, though 1 is not the lowest one
    assert TITLE in output.out
    assert TITLE in pigevo(f"people games.csv {DIE}").out


@pytest.mark.usefixtures("no_pictures")
def test_runs_and_replays_have_the_die(pigevo):
    words = f"{SMALL} game.die=[0,1,1,2] game.bust=1 hydra.run.dir=run"
    assert pigevo(words).status == 0
    assert pigevo("verify run --generations 1").status == 0
    assert "Pig to 12 with faces 0, 1, 1, 2 where 1 busts" in pigevo(
        "replay run --generation 1 --pairing 0 --game 0").out  # fmt: skip
    assert "Pig to 12 with faces 0, 1, 1, 2 where 1 busts" in pigevo("show run --picture none").out
    assert pigevo(words).err.startswith("finished before")


@pytest.mark.slow
def test_films_have_the_die(pigevo):
    assert pigevo(f"{SMALL} game.die=[0,1,1,2] game.bust=1 hydra.run.dir=run figures=none").status == 0
    assert pigevo("film run --to film.gif").status == 0


def test_the_page_plays_it():
    from pigevo.games import Pig

    game = Pig(9, numbers=(0, 1, 1, 2), losing=1)
    assert own_game(Pig(losing=1)) == {}  # the page has that anyway
    assert own_game(game) == {OWN_GAME: game}
    rules = rules_of(OWN_GAME, game)
    assert rules["title"] == TITLE
    assert "a 1 loses the turn total, any other face adds its points." in rules["sentence"]
    assert [throw["faces"] for throw in rules["throws"]] == [[[("1",), 0.25], [("1",), 0.25]], [[("2",), 0.25]]]
    assert {one["id"] for one in rules["opponents"]} >= {"optimal", "hold-at"}
    for passing in (False, True):  # whose strategies can be made, also where few faces bust
        for one in opponents_in(Pig(20, sides=30, losing=30, allow_pass=passing)):
            assert one.strategy.game.allow_pass == passing
