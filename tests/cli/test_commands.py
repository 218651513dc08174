"""Help, and the commands `duel`, `solve`, `respond`, `explain`, `fair-test` and `strategies`."""

import json

import click
import pytest

import pigevo as library
from pigevo.cli.commands import command_names, load_command
from pigevo.games import GAMES
from pigevo.strategies import STRATEGIES, parse_strategy


def test_help_names_everything(pigevo):
    output = pigevo("--help")
    assert output.status == 0
    for word in (*command_names(), "cube_random", "exact_vs_optimal", "experiment=cube_random"):
        assert word in output.out
    for words in ("", "-h", "help", "seed=1 --help"):
        assert pigevo(words).out == output.out
    assert pigevo("help duel").out == pigevo("duel --help").out
    assert pigevo("--version").out.startswith("pigevo 0.")


def test_every_command_has_help_and_json(pigevo):
    for name in command_names():
        command = load_command(name)
        assert command.get_short_help_str()
        assert "--json" in {option for p in command.params if isinstance(p, click.Option) for option in p.opts}
        output = pigevo([name, "--help"])
        assert output.status == 0
        assert f"pigevo {name}" in output.out


def test_duel(pigevo):
    output = pigevo("duel hold_at:3 optimal --target 10 --games 200 --seed 4 --json")
    assert output.status == 0
    record = json.loads(output.out)
    exact, match = record["exact"], record["match"]
    assert exact["overall"] == pytest.approx((exact["first"] + exact["second"]) / 2)
    assert exact["overall"] < 0.5
    assert match["wins"] + match["losses"] + match["stalemates"] == 200
    assert match["interval"][0] < match["win_rate"] < match["interval"][1]
    output = pigevo("duel hold_at:3 hold_at:3 --target 10 --games 20")
    assert "overall        0.500000" in output.out
    assert "of 20 games" in output.out


def test_duel_with_passing(pigevo):
    output = pigevo("duel roll_and_wait:5,3 hold_at:3 --target 10")
    assert (output.status, "allow_pass" in output.err) == (2, True)
    assert pigevo("duel roll_and_wait:5,3 hold_at:3 --target 10 --allow-pass").status == 0


def test_solve(pigevo, tmp_path):
    output = pigevo("solve --game piglet --target 2 --json --save best.npz")
    record = json.loads(output.out)
    assert record["value"] == pytest.approx(4 / 7)  # Neller & Presser 2004
    assert record["openings"] == [2, 2]
    assert (tmp_path / "best.npz").is_file()
    output = pigevo("duel best.npz optimal --game piglet --target 2 --json")
    assert json.loads(output.out)["exact"]["overall"] == pytest.approx(0.5)


def test_solve_to_read(pigevo):
    output = pigevo("solve --target 10 --save a/best.npz")
    assert "never (rolls to win)   when the opponent has 0" in output.out
    assert "saved as" in output.out


def test_duel_tells_the_difference_from_the_optimum(pigevo):
    record = json.loads(pigevo("duel hold_at:20 keep_pace_and_end_race --json").out)
    first, second = record["difference_from_optimal"]
    assert first == {"name": "hold_at:20", "difference": pytest.approx(0.08, abs=0.0006)}
    assert second == {"name": "keep_pace_and_end_race:21,8,29", "difference": pytest.approx(0.009, abs=0.0006)}


def test_a_difference_of_nothing_has_no_sign(pigevo):
    for words in ("optimal optimal", "optimal hold_at:20", "optimal optimal --target 50"):
        output = pigevo(f"duel {words}").out
        assert "optimal" in output
        assert "-0.0" not in output


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
    tested = json.loads(pigevo("fair-test run2 run4 --target 10 --most 0 --json").out)
    assert (tested["a"], tested["b"]) == ("run2", "run4")


def test_respond(pigevo, tmp_path):
    saved = tmp_path / "best.npz"
    record = json.loads(pigevo(["respond", "hold_at:20", "--json", "--save", str(saved)]).out)
    assert [round(record["rounds"][0][seat], 4) for seat in ("first", "second")] == [0.5874, round(1 - 0.4776, 4)]
    met = json.loads(pigevo(["duel", str(saved), "hold_at:20", "--json"]).out)["exact"]
    assert met["first"] == pytest.approx(record["rounds"][0]["first"], abs=1e-12)


@pytest.mark.parametrize("game", ["--target 50", "--game ten_rounds --turns 6 --cap 60", "--target 30 --allow-pass"])
def test_respond_says_how_the_best_response_plays(pigevo, game):
    output = pigevo(f"respond hold_at:12 {game}").out
    plays = json.loads(pigevo(f"respond hold_at:12 {game} --json").out)["plays"]
    assert "first holds at" in output
    assert ("level in the last turn" in output) == ("rounds" in game)
    rule, words = plays["rule"], " ".join(output.split())
    assert rule["sentence"] in words
    assert f"they agree in {100 * rule['agrees']:.1f} % of the best response's decisions in play" in words
    assert f"It wins {rule['overall']:.6f} against the same opponent" in words
    met = json.loads(pigevo(["duel", f"rule: {rule['text']}", "hold_at:12", *game.split(), "--json"]).out)
    assert met["exact"]["overall"] == pytest.approx(rule["overall"], abs=1e-12)
    assert rule["agrees"] > 0.8


def test_respond_says_where_no_simple_rule_plays_nearly_as_well(pigevo):
    words = "respond hold_at:8 --game skunk --target 20"
    output = " ".join(pigevo(words).out.split())
    record = json.loads(pigevo(f"{words} --json").out)
    assert record["plays"]["rule"]["overall"] - 0.5 < 0.5 * (record["rounds"][0]["overall"] - 0.5)
    assert f"No simple rule plays nearly as well. The nearest one: {record['plays']['rule']['sentence']}" in output
    assert "In short" not in output


def test_respond_goes_on_to_the_optimum(pigevo):
    record = json.loads(pigevo("respond hold_at:4 --target 10 --rounds 50 --json").out)
    assert record["fixed"]
    assert len(record["rounds"]) < 50
    assert record["rounds"][-1]["first"] == pytest.approx(0.709424322598, abs=1e-9)
    assert "no strategy beats it" in pigevo("respond hold_at:4 --target 10 --rounds 50").out


SCORES = "explain --own 97 --opponent 99"


def test_a_saved_strategy_says_what_is_played(pigevo, tmp_path):
    place = library.hold_at(library.Pig(target=30), 9).save(tmp_path / "nine.npz")
    assert "in Pig to 30" in pigevo(f"explain {place} optimal --own 3 --opponent 4").out
    assert "in Pig to 30" in pigevo(f"explain {place} --own 3 --opponent 4 --turn 9").out
    assert "in Pig to 30" in pigevo(f"fair-test {place} optimal --most 0").out
    assert "plays Pig to 30" in pigevo(f"explain {place} --own 3 --opponent 4 --turn 9 --target 40").err


def test_the_equations_to_read(pigevo):
    output = pigevo(f"{SCORES} hold_at:2 hold_at:20").out
    for line in (
        "P(97,99,0) = 1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3",
        "Q(99,99,0) = 0.857143",
        "[ 1.0000 -0.1667  0.1667 ] [P(97,99,0)]   [ 0.8333 ]",
        "P(97,99,2) = 0.142857",
        "Q(99,97,0) = 0.881633",
    ):
        assert f"  {line}\n" in output + "\n"


def test_the_equations_as_json(pigevo):
    record = json.loads(pigevo(f"{SCORES} roll_to_win hold_at:20 --json").out)
    assert [round(one["value"], 4) for one in record["unknowns"]] == [0.8325, 0.8565, 0.8612]
    assert record["unknowns"][1]["state"] == {"own": 97, "opponent": 99, "total": 2}
    assert len(record["matrix"]) == len(record["constants"]) == 3


def test_without_strategies_it_is_about_the_optimum(pigevo):
    output = pigevo("explain --own 40 --opponent 60 --turn 18").out
    assert output.startswith("optimal in ")
    assert "it rolls; the optimum rolls" in output
    assert pigevo(SCORES).out == pigevo(f"{SCORES} optimal optimal").out
    assert pigevo("show hold_at:3 --target 9 --at 4:6").out == pigevo("show hold_at:3 --target 9 --at 4,6").out


def test_a_large_matrix_is_told_and_printed_as_json(pigevo):
    output = pigevo("explain --own 0 --opponent 0 hold_at:20 hold_at:20")
    assert "a matrix of 50 by 50 with 278 entries other than 0: --json prints it" in output.out
    record = json.loads(pigevo("explain --own 0 --opponent 0 hold_at:20 hold_at:20 --json").out)
    assert sum(x != 0 for row in record["matrix"] for x in row) == 278


def test_a_decision(pigevo):
    output = pigevo("explain --own 0 --opponent 0 --turn 20 hold_at:20").out
    assert "at own 0, opponent 0, total 20: it holds; the optimum rolls" in output
    assert "optimal against itself      0.619878  0.619257  roll by 0.000621" in output
    record = json.loads(pigevo("explain --own 0 --opponent 0 --turn 20 hold_at:20 --json").out)
    assert record["choices"][2]["gain"] == pytest.approx(0.000621, abs=1e-6)
    assert "roll, as it must" in pigevo("explain --own 0 --opponent 50 --turn 0 hold_at:20 --target 60").out


def test_a_game_of_turns(pigevo):
    output = pigevo("explain --own 3 --opponent 4 --left 1 --second 1 hold_at:3 hold_at:2 --game ten_rounds").out
    assert "P(left, second, difference, total)  a, hold_at:3, wins, with a to move" in output
    assert "P(1,1,-1,0) = 1/6 P(1,1,-1,1) + 1/6 P(1,1,-1,2) + 2/3" in output
    assert "Q(" not in output


def test_to_read(pigevo):
    output = pigevo("fair-test hold_at:3 hold_at:8 --target 20 --seed 1").out
    record = json.loads(pigevo("fair-test hold_at:3 hold_at:8 --target 20 --seed 1 --json").out)
    assert f"exact    {record['overall']:.6f}" in output
    assert f"needed   {record['needed']:,} games tell them apart with 95 % confidence and a power of 80 %" in output
    assert f"{record['match']['wins']:,} won" in output
    assert f"interval {record['low']:.4f} to {record['high']:.4f}" in output
    verdict = f"{record['better']} is better" if record["better"] else "open: the interval holds a half"
    assert f"verdict  {verdict}" in output


def test_level_ones(pigevo):
    output = pigevo("fair-test hold_at:3 hold_at:3 --target 20").out
    assert "they are level: no number of games tells them apart" in output
    assert "played   1,538 games, seed 0:" in output


def test_none_played(pigevo):
    output = pigevo("fair-test hold_at:3 hold_at:4 --target 20 --most 0")
    assert output.status == 0
    assert "played   none: --games or --most allow it" in output.out
    assert json.loads(pigevo("fair-test hold_at:3 hold_at:4 --target 20 --most 0 --json").out)["match"] is None


def test_stalemates_are_told(pigevo):
    output = pigevo("fair-test skip_when_level:3 skip_when_level:5 --target 10 --allow-pass --games 200").out
    assert "of the games; of these skip_when_level:3 wins" in output


def test_each_named_strategy_has_its_exact_figures(pigevo):
    record = json.loads(pigevo("strategies --target 20 --allow-pass --json").out)
    game = library.Pig(target=20, allow_pass=True)
    best = library.optimal(game).strategy
    assert {one["name"] for one in record["strategies"]} == set(STRATEGIES)
    assert record["strategies"][0]["name"] == "optimal"
    for one in record["strategies"]:
        met = library.win_probability(parse_strategy(one["word"], game), best)
        assert (one["first"], one["second"], one["overall"]) == pytest.approx((met.first, met.second, met.overall))
        assert one["about"]
        assert one["source"] == STRATEGIES[one["name"]].source
        assert [number["name"] for number in one["numbers"]] == list(STRATEGIES[one["name"]].options)
    wins = [one["overall"] for one in record["strategies"]]
    assert wins == sorted(wins, reverse=True)


def test_what_a_game_has_not_is_told_with_the_reason(pigevo):
    output = pigevo("strategies --target 10")
    assert output.status == 0
    assert "not here: roll_and_wait passes: it needs a game with allow_pass=True." in output.out
    assert "score:20,0 (n, behind)" in output.out
    assert "Holds when the turn total reaches `n`" in output.out
    assert "Sources, and the usual numbers of a strategy, are about Pig to 100" in output.out


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_game_has_some(pigevo, name):
    small = "--target 8" if "target" in GAMES[name].options else "--turns 2 --cap 20"
    output = pigevo(f"strategies --game {name} {small} --json")
    record = json.loads(output.out)
    assert all(one["why"].startswith(one["name"]) for one in record["others"])
    assert len(record["strategies"]) >= 4
    assert len(record["strategies"]) + len(record["others"]) == len(STRATEGIES)


@pytest.mark.parametrize("words", [
    "duel noisy:0.1,hold_at:3 optimal --games 10", "show mix:0.25,hold_at:3,optimal", "explain --own 8 --opponent 7 {} optimal",
    "respond {}", "reach {}", "fair-test {} optimal --games 20", "tournament {} optimal --times 5", "dynamics {} optimal --populations 9",
])  # fmt: skip
def test_a_strategy_made_of_others_is_one_wherever_strategies_are_named(pigevo, words):
    output = pigevo(f"{words.format('noisy:0.1,mirror:hold_at:3')} --target 10 --json")
    assert output.status == 0, output.err
    assert any(word in output.out for word in ("noisy:0.1,", "mix:0.25,hold_at:3,optimal"))


def test_a_saved_strategy_within_another_says_what_is_played(pigevo):
    library.hold_at(library.Pig(target=9), 3).save("mine.npz")
    assert "in Pig to 9" in pigevo("duel noisy:0.1,mine.npz optimal").out
