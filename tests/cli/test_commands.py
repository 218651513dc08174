import json

import click
import pytest

from pigevo.cli.commands import command_names, load_command


def test_help_names_everything(pigevo):
    said = pigevo("--help")
    assert said.status == 0
    for word in (*command_names(), "cube_random", "exact_vs_optimal", "experiment=cube_random"):
        assert word in said.out


@pytest.mark.parametrize("words", ["", "-h", "help", "seed=1 --help"])
def test_other_ways_to_help(pigevo, words):
    assert pigevo(words).out == pigevo("--help").out


def test_version(pigevo):
    assert pigevo("--version").out.startswith("pigevo 0.")


def test_every_command_has_help_and_json(pigevo):
    for name in command_names():
        command = load_command(name)
        assert command.get_short_help_str()
        assert "--json" in {option for p in command.params if isinstance(p, click.Option) for option in p.opts}
        said = pigevo([name, "--help"])
        assert said.status == 0
        assert f"pigevo {name}" in said.out


def test_duel(pigevo):
    said = pigevo("duel hold_at:3 optimal --target 10 --games 200 --seed 4 --json")
    assert said.status == 0
    record = json.loads(said.out)
    exact, match = record["exact"], record["match"]
    assert exact["overall"] == pytest.approx((exact["first"] + exact["second"]) / 2)
    assert exact["overall"] < 0.5
    assert match["wins"] + match["losses"] + match["stalemates"] == 200
    assert match["interval"][0] < match["win_rate"] < match["interval"][1]


def test_duel_to_read(pigevo):
    said = pigevo("duel hold_at:3 hold_at:3 --target 10 --games 20")
    assert "overall        0.500000" in said.out
    assert "of 20 games" in said.out


def test_duel_with_passing(pigevo):
    said = pigevo("duel roll_and_wait:5,3 hold_at:3 --target 10")
    assert (said.status, "allow_pass" in said.err) == (2, True)
    assert pigevo("duel roll_and_wait:5,3 hold_at:3 --target 10 --allow-pass").status == 0


def test_solve(pigevo, tmp_path):
    said = pigevo("solve --game piglet --target 2 --json --save best.npz")
    record = json.loads(said.out)
    assert record["value"] == pytest.approx(4 / 7)  # Neller & Presser 2004
    assert record["openings"] == [2, 2]
    assert (tmp_path / "best.npz").is_file()
    said = pigevo("duel best.npz optimal --game piglet --target 2 --json")
    assert json.loads(said.out)["exact"]["overall"] == pytest.approx(0.5)


def test_solve_to_read(pigevo):
    said = pigevo("solve --target 10 --save a/best.npz")
    assert "never (rolls to win)   when the opponent has 0" in said.out
    assert "saved as" in said.out


WRONG = [
    ("duel hold_at:20", "Missing argument 'B'"),
    ("duel a b c", "unexpected extra argument"),
    ("duel hold_at 20 optimal", "a number follows its name after a colon, as in hold_at:20"),
    ("duel my files/a.py:f optimal", "a path with spaces stands in quotes"),
    ("duel holdat:20 hold_at:20", "there is no strategy 'holdat'; did you mean hold_at?"),
    ("duel hold_at:x hold_at:20", "'x' in 'hold_at:x' must be a number"),
    ("duel missing.npz hold_at:20", "there is no file missing.npz"),
    ("duel a b --gmes 3", "No such option"),
    ("duel a b --games 0", "0 is not in the range"),
    ("duel a b --heads 0.5", "pig has no --heads; it takes --target, --sides, --allow-pass"),
    ("duel a b --game pgi", "there is no game 'pgi'; did you mean pig?"),
    ("duel a b --target 0", "game.target = 0 is out of range"),
    ("solve --target 9999", "a target of 9999 cannot be played"),
    ("solve --save . --target 5", "is a directory"),
]


def test_one_sentence(refused):
    for words, message in WRONG:
        refused(words, message)


def test_help_of_a_command(pigevo):
    assert pigevo("help duel").out == pigevo("duel --help").out


def test_duel_tells_the_difference_from_the_optimum(pigevo):
    record = json.loads(pigevo("duel hold_at:20 keep_pace_and_end_race --json").out)
    first, second = record["difference_from_optimal"]
    assert first == {"name": "hold_at:20", "difference": pytest.approx(0.08, abs=0.0006)}
    assert second == {"name": "keep_pace_and_end_race:21,8,29", "difference": pytest.approx(0.009, abs=0.0006)}


def test_a_difference_of_nothing_has_no_sign(pigevo):
    for words in ("optimal optimal", "optimal hold_at:20", "optimal optimal --target 50"):
        said = pigevo(f"duel {words}").out
        assert "optimal" in said
        assert "-0.0" not in said


def test_duel_of_two_champions_of_one_name(pigevo, tmp_path):
    from pigevo.games import Pig
    from pigevo.strategies import Strategy, hold_at

    game = Pig(target=10)
    for n in (2, 4):
        Strategy(game, hold_at(game, n).roll, "champion").save(tmp_path / f"run{n}" / "champion.npz")
    record = json.loads(pigevo("duel run2 run4 --target 10 --json").out)
    assert (record["a"], record["b"]) == ("run2", "run4")
    assert [row["name"] for row in record["difference_from_optimal"]] == ["run2", "run4"]
    alone = [json.loads(pigevo(f"duel {word} optimal --target 10 --json").out) for word in ("run2", "run4")]
    assert [one["difference_from_optimal"][0]["name"] for one in alone] == ["champion", "champion"]
    differences = [row["difference"] for row in record["difference_from_optimal"]]
    assert differences == [one["difference_from_optimal"][0]["difference"] for one in alone]
    assert differences[0] != differences[1]
    lines = pigevo("duel run2 run4 --target 10").out.splitlines()
    assert lines[0].startswith("run2 against run4 in")
    assert [line.split()[0] for line in lines[-2:]] == ["run2", "run4"]


def test_respond(pigevo, tmp_path):
    saved = tmp_path / "best.npz"
    record = json.loads(pigevo(["respond", "hold_at:20", "--json", "--save", str(saved)]).out)
    assert [round(record["rounds"][0][seat], 4) for seat in ("first", "second")] == [0.5874, round(1 - 0.4776, 4)]
    assert json.loads(pigevo(["duel", str(saved), "hold_at:20", "--json"]).out)["exact"]["first"] == pytest.approx(
        record["rounds"][0]["first"], abs=1e-12
    )


def test_respond_says_how_the_best_response_plays(pigevo):
    said = pigevo("respond hold_at:12 --target 50").out
    plays = json.loads(pigevo("respond hold_at:12 --target 50 --json").out)["plays"]
    assert "first holds at" in said
    assert "It rolls further when behind." in said
    rule, words = plays["rule"], " ".join(said.split())
    assert rule["sentence"] in words
    assert f"they agree in {100 * rule['agrees']:.1f} % of the best response's decisions in play" in words
    assert f"It wins {rule['overall']:.6f} against the same opponent" in words
    met = json.loads(pigevo(["duel", f"rule: {rule['text']}", "hold_at:12", "--target", "50", "--json"]).out)
    assert met["exact"]["overall"] == pytest.approx(rule["overall"], abs=1e-12)
    assert rule["agrees"] > 0.8


def test_respond_in_a_game_without_simple_rules_says_where_it_holds(pigevo):
    words = "respond hold_at:5 --game ten_rounds --turns 2 --cap 20"
    said = pigevo(words).out
    assert "level in the last turn" in said
    assert "In short" not in said
    assert json.loads(pigevo(f"{words} --json").out)["plays"]["rule"] is None


def test_respond_goes_on_to_the_optimum(pigevo):
    record = json.loads(pigevo("respond hold_at:4 --target 10 --rounds 50 --json").out)
    assert record["fixed"]
    assert len(record["rounds"]) < 50
    assert record["rounds"][-1]["first"] == pytest.approx(0.709424322598, abs=1e-9)
    assert "no strategy beats it" in pigevo("respond hold_at:4 --target 10 --rounds 50").out
