"""Errors of players who were asked to play by a rule."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import pigevo
from pigevo.cli.commands.people import command
from pigevo.dice import Draw
from pigevo.people import analyse, as_csv, parse_people, recorded_game
from pigevo.people.recorded_games import People, Person
from pigevo.simulation.stepwise import play_turns

GAME = pigevo.Pig()
RULE = "21+(j-i)/8; race either>=71"
HEAD = "game,player,seat,turn,dice,rolls,banked,rule\n"


def test_every_decision_with_known_dice_is_compared_with_the_rule():
    rows = [
        f"1,ann,1,1,6 6 6,3,18,{RULE}",  # at 12 rolls as asked, at 18 holds too early: 2 decisions and the roll at 6
        "1,bob,2,1,6 6 6 6 6 6 6 6 6 6 6 6,12,72,",
        f"1,ann,1,2,6 6 6 6 6 1,6,0,{RULE}",  # bob has 72: race, as asked
        "1,bob,2,2,1,1,0,",
        f"1,ann,1,3,6 6,2,12,{RULE}",  # holds at 12 in the race
    ]
    (found,) = analyse(parse_people(HEAD + "\n".join(rows), GAME)).players[0].by_rule
    assert (found.rule, found.decisions, found.early, found.late, found.errors) == (RULE, 3 + 5 + 2, 2, 0, 2)
    assert found.low < 2 / 10 < found.high


def test_who_plays_the_rule_errs_never_and_who_holds_at_20_errs_both_ways():
    rule = "16 if ahead else 24"
    players = [pigevo.parse_strategy(f"rule: {rule}", GAME), pigevo.hold_at(GAME, 20)]
    games = []
    for number in range(20):
        turns = list(play_turns(*players, Draw(number, "dice"), 1000))
        one = recorded_game(str(number), ("ruler", "holder"), turns)
        games.append(type(one)(one.name, one.players, tuple(with_rule(turn, rule) for turn in one.turns)))
    people = People(GAME, (Person("ruler"), Person("holder")), tuple(games))
    ruler, holder = (one.by_rule[0] for one in analyse(parse_people(as_csv(people), GAME)).players)
    assert (ruler.errors, ruler.left_out) == (0, 0)
    assert ruler.decisions > 300
    assert min(holder.early, holder.late) > 20


def with_rule(turn, rule):
    return type(turn)(**{**turn.__dict__, "rule": rule})


def test_turns_without_dice_are_left_out_and_other_files_have_no_column_for_rules():
    rows = f"1,ann,1,1,,3,18,{RULE}\n1,bob,2,1,2 2,2,4,\n"
    people = parse_people(HEAD + rows, GAME)
    (found,) = analyse(people).players[0].by_rule
    assert (found.decisions, found.left_out, found.low) == (0, 1, None)
    assert as_csv(people).splitlines()[0].endswith(",dice,rule")
    plain = as_csv(parse_people("game,player,turn,rolls,banked\n1,ann,1,3,18\n", GAME))
    assert "rule" not in plain


def test_what_is_no_rule_is_refused_with_its_row():
    with pytest.raises(pigevo.InputError, match=r"row 2: rule is .*21\+\(j-i\)/8"):
        parse_people(HEAD + "1,ann,1,1,6 6 6,3,18,hold sometimes\n", GAME)


def test_the_command_tells_the_rate_with_its_interval(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(HEAD + f"1,ann,1,1,6 6 6,3,18,{RULE}\n1,bob,2,1,1,1,0,\n")
    said = CliRunner().invoke(command, [str(path)]).output
    assert f"plays by        {RULE}" in said
    assert "1 error in 3 decisions, 33.3 % (0.8 % to 90.6 %): held too early 1 times, rolled on 0" in said
    record = json.loads(CliRunner().invoke(command, [str(path), "--json"]).output)
    assert record["players"][0]["by_rule"][0]["early"] == 1
    assert np.isclose(record["players"][0]["by_rule"][0]["low"], 1 - (1 - 0.025) ** (1 / 3))
