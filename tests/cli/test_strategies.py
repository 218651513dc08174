"""Commands about strategies: `show`, `reach`, `turns`, rules, another die, and `tournament` and `dynamics` of many."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pigevo as library
import pigevo as package
from pigevo.errors import InputError
from pigevo.experiments.ten_rounds.study import banked, mean_points
from pigevo.games import GAMES, Pig
from pigevo.strategies.rules import complexity, parse_rule
from pigevo.strategies.rules.reading import known_rules
from pigevo.web.site import OWN_GAME, opponents_in, own_game, rules_of
from tests.cli.conftest import SMALL


def test_words_and_a_picture(answer):
    output = answer("show hold_at:7 --target 30 --dpi 30 --title Mine")
    for words in ("first holds at", "hold_at:7", "at the start, 0 against 0", "exploitability", "gaps            none",
                  "decides differently in", "outputs/pictures/hold_at-7_optimal_Pig-to-30.png"):  # fmt: skip
        assert words in output
    with Image.open("outputs/pictures/hold_at-7_optimal_Pig-to-30.png") as image:
        assert image.size == (10 * 30, 18 * 30)


def test_the_picture_of_a_champion_has_the_name_of_its_run(answer, finished):
    shutil.copytree(finished, "again")
    shown = [answer(f"show {word} hold_at:7 --picture map") for word in ("run", "again", "run/champion.npz")]
    names = [re.search(r"outputs/pictures/(\S+)_hold_at-7_Pig-to-12\.png", output)[1] for output in shown]
    assert names == [f"{run}_champion-of-generation-6" for run in ("run", "again", "run")]


def test_the_table_says_what_the_strategy_does(answer):
    rows = answer("show score:4 hold_at:7 --target 30 --picture none").splitlines()
    behind = next(row for row in rows if "behind, 15 against 21" in row)
    assert behind.split()[-2:] == ["7", "7"]
    assert "It rolls further when behind (15 against 21) than when ahead (15 against 9)." in rows
    output = answer("show optimal --target 50 --picture none")
    assert "It rolls on both when ahead (25 against 15) and when behind (25 against 35), but not everywhere." in output


def test_where_a_rule_loses_most(answer, record_of):
    output = answer("show hold_at:25 --picture none")
    rows = output[output.index("where hold_at:25 loses most") :].splitlines()
    assert " ".join(rows[0].split()) == "where hold_at:25 loses most points turns there decides wrongly"
    assert rows[1].startswith("  0 against 0                0.1416  1.489 times  rolls at 21 to 24")
    assert "holds at 25 to 30" in output
    costs = [float(row.split()[3]) for row in rows[1:11]]
    others, together = float(rows[11].split()[3]), float(rows[12].split()[1])
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) + others == pytest.approx(together, abs=1e-3)
    record = record_of("show hold_at:25 --picture none")
    assert together == pytest.approx(100 * record["loss"]["total"], abs=1e-4)
    assert record["loss"]["total"] == pytest.approx(0.5 - record["strategies"][0]["overall"], abs=1e-12)
    assert len(record["loss"]["places"]) == 10
    assert "loses most" not in answer("show optimal --target 30 --picture none")


def test_gaps_are_named(answer):
    game = library.Pig(target=30)
    roll = library.hold_at(game, 10).roll.copy()
    roll[0, 0, 15:20] = True
    library.Strategy(game, roll, "gappy").save("gappy.npz")
    output = answer("show gappy.npz --picture none")
    assert "* gappy at the start: holds at 10, and rolls again at 15 to 19" in output
    assert "misleads" in output


def test_a_run_brings_its_game(answer, record_of, refused, finished):
    record = record_of("show run --picture none")
    assert record["strategies"][0]["game"].startswith("Pig to 12")
    assert record["beside"]["other"] == "optimal"
    for words in ("duel hold_at:3 run", "respond run"):
        assert "Pig to 12" in answer(words)
    for words in ("show run --target 30", "duel hold_at:3 run --target 100", "duel hold_at:3 run game.target=100"):
        refused(words, "plays Pig to 12")


def test_choices_at_two_scores(answer, record_of):
    words = "show hold_at:5 --target 20 --at 3,4"
    output = answer(words)
    five = next(row for row in record_of(words)["choices"] if row["total"] == 5)
    assert five["chance"] == 0
    assert five["loses"] == pytest.approx(max(five["roll"], five["hold"]) - five["hold"])
    assert f"{five['roll']:.6f}  {five['hold']:.6f}" in output
    assert "never: when hold_at:5 plays optimal, no game reaches it" in " ".join(output.split())
    output = answer("show optimal --target 9 --at 4:6")
    assert "never: when both play optimally, no game reaches it" in " ".join(output.split())


def test_a_format_and_a_file_of_its_own(answer):
    words = ["show", "optimal", "--target", "10", "--picture", "map", "--dpi", "30"]
    answer([*words, "--figures", "svg"])
    answer([*words, "--as", "svg"])  # the former name of --figures
    assert "<svg" in Path("outputs/pictures/optimal_Pig-to-10.svg").read_text()
    answer([*words, "--to", "map.pdf"])
    assert Path("map.pdf").read_bytes()[:4] == b"%PDF"
    answer([*words, "--to", "a/b.PNG", "--title", "\x1b[31m $x\\frac \U0001f3b2"])
    assert Path("a/b.PNG").read_bytes()[:4] == b"\x89PNG"


def test_a_game_without_a_picture_is_described_in_words(answer, pigevo):
    words = "show hold_at:5 --game ten_rounds --turns 2 --cap 20 --rolls"
    output = answer(words)
    assert "no picture: decisions in" in output
    assert ", last in the round" in output
    assert pigevo(f"{words} --figures png").status == 2
    assert not list(Path().iterdir())


def test_what_needs_more_memory_than_there_is_is_refused(answer, refused, monkeypatch):
    monkeypatch.setattr("pigevo.core.machine.available_memory", lambda: 56 * 20**3 - 1)
    refused("show hold_at:3 --target 20 --picture none", "a look at a strategy for Pig to 20")
    answer("show hold_at:3 --target 19 --picture none")


def test_the_formula_of_the_blog_is_drawn_as_curves(answer, pigevo):
    words = "show stick_formula:4,50 --game ten_rounds --turns 2 --cap 30"
    assert "stick_formula:4,50 in Pig of 2 rounds" in answer(f"{words} --to a.png --title mine")
    assert Path("a.png").read_bytes()[:4] == b"\x89PNG"
    assert pigevo(f"{words} --picture map").status == 2
    assert "picture           b.png" in answer("show stick_formula:5,9 --target 9 --to b.png")
    assert Path("b.png").read_bytes() != Path("a.png").read_bytes()


@pytest.mark.parametrize("name", ["half", "stick_formula:4,50"])
def test_strategies_by_chance_have_words_only(answer, name):
    game = library.Pig(target=9)
    library.Strategy.from_function(game, lambda i, j, k: 0.5 + 0 * (i + j + k), name).save("half.npz")
    output = answer("show half.npz")
    assert "Chance decides in 100.0 % of its cells; they count as the more likely decision." in output
    assert "never holds" not in output
    assert f"no picture: {name} leaves decisions to chance" in output


def test_the_states_of_a_thousand_games(answer):
    output = answer("reach hold_at:7 optimal --target 20 --share 5 --share 90 --to states.svg")
    assert "hold_at:7 against optimal in Pig to 20, which has 4,200 states" in output
    assert "1,000 games reach" in output
    assert output.split("90 %")[1].split("\n")[0].strip() == "no number"
    assert Path("states.svg").read_text().startswith("<?xml")
    output = answer("reach hold_at:1 --target 1 --games 1")
    assert "which has 1 state\n" in output
    assert "1 game reaches 1.0 of them" in output


def test_the_states_for_programs(record_of):
    record = record_of("reach hold_at:7 --target 20 --games 10 --share 5")
    strategy = library.hold_at(library.Pig(20), 7)
    states = library.distinct_states(strategy, strategy)
    assert (record["states"], record["most"]) == (states.states, states.most)
    assert (record["expected"], record["share"]) == (states.expected(10), states.share(10))
    assert record["needed"] == [{"share": 0.05, "games": states.games_for(0.05)}]


def test_the_mean_number_of_turns_is_that_of_turns_that_are_played(record_of):
    rng = np.random.default_rng(1)
    turns = [turns_alone(30, 4, 9, rng) for _ in range(4000)]
    record = record_of("turns hold_at:9 --target 30 --sides 4")
    assert record["turns_alone"] == pytest.approx(np.mean(turns), abs=4 * np.std(turns) / len(turns) ** 0.5)


def turns_alone(target, sides, hold, rng):
    """The turns in which somebody who plays alone and holds at a total reaches the target."""
    score = turns = 0
    while score < target:
        turns, total = turns + 1, 0
        while total < hold and score + total < target:
            face = int(rng.integers(1, sides + 1))
            if face == 1:
                total = 0
                break
            total += face
        score += total
    return turns


def test_turns_for_programs(record_of):
    record = record_of("turns hold_at:2 --game piglet --target 6")
    assert (record["bust"], record["mean"], record["turns_alone"]) == (0.75, 0.5, 12.0)
    assert [row["mean"] for row in record["holds"][:3]] == [0.5, 0.5, 0.375]


def test_a_pass_is_no_bust(answer, record_of):
    words = "turns roll_and_wait --allow-pass --own 85 --opponent 10"
    record = record_of(words)
    assert (record["bust"], record["passes"], record["outcomes"]) == (0.0, 1.0, [])
    output = answer(words)
    assert "bust    0.0000\n    pass    1.0000" in output
    assert "Alone, from a score of 0 and with the opponent at 10, it never wins." in output
    mixed = record_of("turns noisy:0.1,hold_at:2 --game piglet --target 6 --allow-pass")
    assert mixed["passes"] == pytest.approx(0.1)
    assert mixed["bust"] == pytest.approx(0.663158, abs=1e-6)  # 0.45 at totals 0 and 1, and 0.05 from 2 on
    assert "pass" not in answer("turns hold_at:20")


def test_a_pass_is_called_a_pass(answer):
    assert "87 against 0                         0.8627  0.854 times  passes" in answer(
        "show roll_and_wait --allow-pass --picture none"
    )
    rows = answer("show roll_and_wait --at 87,0 --allow-pass").splitlines()
    assert rows[3].split()[:2] == ["0", "passes"]
    assert rows[3].split()[4] == "roll"
    assert "it passes; the optimum rolls" in answer("explain roll_and_wait --own 87 --opponent 0 --turn 0 --allow-pass")


def test_turns_of_ten_rounds_are_those_of_the_blogs_study(record_of):
    """Its code follows turns on an array, and knows no board."""
    game = GAMES["ten_rounds"].bind({})
    formula = library.parse_strategy("stick_formula:4,50", game)
    (chances,) = banked(game, formula.roll[2, 1, game.cap + 5, None])
    record = record_of("turns stick_formula:4,50 --game ten_rounds --own 35 --opponent 30 --left 3 --second 1")
    found = {row["points"]: row["chance"] for row in record["outcomes"]} | {0: record["bust"]}
    assert found == {points: pytest.approx(chances[points], abs=1e-12) for points in found}
    assert sum(found.values()) == pytest.approx(1)
    assert (record["turns_alone"], record["left"], record["second"]) == (None, 3, 1)
    means = mean_points(game, range(8, 31)).tolist()
    assert [row["mean"] for row in record["holds"][7:30]] == pytest.approx(means)


def test_turns_with_two_dice_lose_the_score(answer, record_of):
    """Twelve throws of twelve different sums; hold at 3 holds after one throw."""
    record = record_of("turns hold_at:3 --game two_dice --own 10 --target 30")
    assert record["bust"] == pytest.approx(10 / 36)
    lost, *banked_rows = record["outcomes"]
    assert (lost["points"], lost["chance"]) == (-10, pytest.approx(1 / 36))
    assert [row["points"] for row in banked_rows] == list(range(4, 13))
    assert record["holds"][2]["chance"] == pytest.approx(25 / 36)
    rng = np.random.default_rng(3)
    turns = [turns_alone_with_two_dice(30, 8, rng) for _ in range(4000)]
    alone = record_of("turns hold_at:8 --game two_dice --target 30")["turns_alone"]
    assert alone == pytest.approx(np.mean(turns), abs=4 * np.std(turns) / len(turns) ** 0.5)
    assert "-10    0.0278" in answer("turns hold_at:3 --game two_dice --own 10 --target 30")


def turns_alone_with_two_dice(target, hold, rng):
    """The turns in which somebody who plays alone and holds at a total reaches the target; two 1s lose the score."""
    score = turns = 0
    while score < target:
        turns, total = turns + 1, 0
        while total < hold and score + total < target:
            a, b = rng.integers(1, 7, 2).tolist()
            if 1 in (a, b):
                score, total = (0 if a == b else score), 0
                break
            total += a + b
        score += total
    return turns


PUBLISHED = "21+(j-i)/8; race either>=71"


def test_a_rule_is_a_strategy_of_every_command(answer, record_of):
    record = record_of(["duel", f"rule: {PUBLISHED}", "keep_pace_and_end_race"])
    assert record["a"] == f"rule: {PUBLISHED}"
    by_rule, by_name = (row["difference"] for row in record["difference_from_optimal"])
    assert by_rule == by_name == pytest.approx(0.0092, abs=0.00005)
    answer(["show", "rule: 7; race own>=9", "--target", "15", "--picture", "none"])
    answer(["tournament", "rule: 5 if ahead else 7", "hold_at:5..6", "--target", "15", "--times", "2"])
    answer(["respond", "rule: multiple(5)", "--target", "15"])


def test_a_rule_is_explained_with_exact_figures(answer, record_of):
    record = record_of(["rules", "9+(j-i)/4; race either>=20", "--target", "30"])
    game = package.Pig(target=30)
    strategy = package.keep_pace_and_end_race(game, 9, 4, 10)
    p = package.win_probability(strategy, package.optimal(game).strategy)
    assert (record["first"], record["second"], record["overall"]) == pytest.approx((p.first, p.second, p.overall))
    assert record["difference"] == pytest.approx(1 - 2 * p.overall)
    assert record["exploitability"] == pytest.approx(package.best_response(strategy).overall - 0.5)
    assert (record["integers"], record["operations"]) == (3, 10)
    assert package.Strategy.from_function(game, eval(record["python"])) == strategy
    output = " ".join(answer(["rules", "rule: 9+(j-i)/4; race either>=20", "--target", "30"]).split())
    for part in (record["sentence"].split(".")[0], record["python"], f"{p.overall:.6f}"):
        assert part in output


def test_a_rule_for_ten_rounds_is_explained_too(record_of):
    record = record_of(["rules", "20+(j-i)/8; last 16+(j-i)", "--game", "ten_rounds"])
    game = GAMES["ten_rounds"].bind({})
    strategy = parse_rule("20+(j-i)/8; last 16+(j-i)").strategy(game)
    assert record["overall"] == package.win_probability(strategy, package.optimal(game).strategy).overall
    assert record["integers"] == 3
    assert "if left == 1 and second" in record["python"]


@pytest.mark.parametrize("width", [80, 100, 120])
def test_all_rules_of_the_study_are_listed_in_columns(answer, record_of, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    output, rules = answer("rules"), known_rules(package.Pig())
    assert [row["rule"] for row in record_of("rules")["rules"]] == [row.rule.text for row in rules]
    lines = output.splitlines()
    assert max(map(len, lines)) <= width
    heads = [line for line in lines if line.startswith("integers")]
    ends = [heads[0].index(name) + len(name) for name in ("integers", "operations", "difference", "exploitability")]
    starts = [line for line in lines if line.startswith("  ") and line[ends[0] - 1].isdigit()]
    for row, line in zip(rules, starts, strict=True):
        figures = (row.integers, row.operations, f"{row.difference:.5f}", f"{row.exploitability:.5f}")
        assert all(line[:end].endswith(f" {figure}") for end, figure in zip(ends, figures, strict=True))
    assert " ".join(output.split()).count("own+2*opponent>=195 or leaves<=13") >= 1
    assert {head[: ends[-1]] for head in heads} == {heads[0][: ends[-1]]}


def test_the_card_has_a_rule_for_each_number_of_numbers_in_words(answer):
    output = answer("rules --card")
    assert output.startswith("PIG TO 100: THE BEST RULES FOUND ")
    assert max(map(len, output.splitlines())) < 125
    assert len(output.splitlines()) < 66, "a page"
    words, best = " ".join(output.split()), known_rules(package.Pig(), "least loss")
    assert [row.integers for row in best] == [1, 2, 3, 4, 5]
    for row in best:
        assert row.rule.sentence in words
        assert f"{500 * (1 - row.difference):.1f} {500 - 1000 * row.exploitability:.1f} {row.rule.text}" in words
    for number in ("One number", "Two numbers", "Three numbers", "Four numbers", "Five numbers"):
        assert f"{number} to remember" in output
    with pytest.raises(InputError, match="there is no front 'best': there are published"):
        known_rules(package.Pig(), "best")


@pytest.mark.parametrize("target", [50, pytest.param(100, marks=pytest.mark.slow)])
def test_the_rules_of_the_study_are_as_it_says(target):
    game = package.Pig(target=target)
    best = package.optimal(game).strategy
    for row in dict.fromkeys(known_rules(game)):
        strategy, demands = row.rule.strategy(game), complexity(row.rule)
        assert (demands.integers, demands.operations) == (row.integers, row.operations)
        assert 1 - 2 * package.win_probability(strategy, best).overall == pytest.approx(row.difference, abs=1e-8)
        assert package.best_response(strategy).overall - 0.5 == pytest.approx(row.exploitability, abs=1e-8)


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


def test_played(answer, record_of):
    words = "tournament hold_at:3..4 optimal --target 20 --games 100 --seed 2"
    assert "100 games a pair, seed 2, with 95 % intervals" in answer(words)
    record = record_of(words)
    assert (record["games"], record["first"]) == (100, None)
    assert record["low"][0][1] < record["overall"][0][1] < record["high"][0][1]


def test_files_are_written(answer, record_of):
    words = "tournament hold_at:3..5 --target 20 --times 3 --folder new"
    record = record_of(words)
    assert sorted(Path("new").iterdir()) == sorted(Path(path) for path in record["saved"])
    assert len(record["saved"]) == 6
    assert "saved as new/matrix.csv" in answer(words)


def test_who_moves_first_is_printed_and_written(answer):
    output = answer("tournament hold_at:3 optimal --target 9 --folder out").splitlines()
    head = output.index("how often the strategy of the row wins when it moves first, in percent, by rank")
    assert output[head + 1] == "(--folder writes a page with the mean of moving first and moving second)"
    page = Path("out/tournament.html").read_text()
    assert "in percent: the mean of moving first and moving second." in page
    assert "<code>matrix_first.csv</code> has the wins when it moves first" in page
    best, weak = package.optimal(package.Pig(9)).strategy, package.hold_at(package.Pig(9), 3)
    wins = [[package.win_probability(row, column).first for column in (best, weak)] for row in (best, weak)]
    assert [line.split() for line in output[head + 3 : head + 5]] == [
        [str(rank), *(f"{100 * share:.2f}" for share in row)] for rank, row in enumerate(wins, start=1)
    ]
    table = [line.split(",") for line in Path("out/matrix_first.csv").read_text().splitlines()]
    assert table[0] == ["", "hold_at:3", "optimal"]
    assert [float(share) for share in table[2][1:]] == wins[0][::-1]
    assert "moves first" not in answer("tournament hold_at:3 optimal --target 9 --games 10 --folder out")
    assert "moves first" not in Path("out/tournament.html").read_text()


def test_a_file_that_lies_where_the_page_would_is_refused_before_the_tournament(refused, monkeypatch):
    Path("mine").mkdir()
    Path("mine/tournament.html").write_text("my page")
    monkeypatch.setattr("pigevo.tournaments.tournament", lambda *_, **__: pytest.fail("it was played"))
    refused(
        "tournament hold_at:3 hold_at:4 --target 9 --folder mine",
        "mine/tournament.html was not written by pigevo and would be overwritten: "
        "move it away, or choose another folder.",
    )
    assert [path.name for path in Path("mine").iterdir()] == ["tournament.html"]
    assert Path("mine/tournament.html").read_text() == "my page"


@pytest.mark.parametrize("name", ["matrix.csv", "ranking.csv", "cycles.csv", "matrix_first.csv"])
def test_tables_that_are_from_no_tournament_are_not_replaced(answer, refused, name):
    Path("marks").mkdir()
    Path("marks", name).write_text("of the teacher\n")
    words = "tournament hold_at:3 hold_at:4 --target 9 --folder marks"
    refused(words, f"marks has {name}, which is from no tournament: choose another --folder.")
    assert [(path.name, path.read_text()) for path in Path("marks").iterdir()] == [(name, "of the teacher\n")]
    Path("marks", name).unlink()
    answer(words)
    answer(words)


def test_the_folder_of_the_entrants_takes_no_tables_which_would_enter_next_time(refused):
    Path("class").mkdir()
    Path("class/anna.py").write_text("def rule(i, j, k):\n    return k < 5\n")
    refused("tournament class optimal --target 9 --folder ./class", "class has the entrants, and the tables written")
    assert [path.name for path in Path("class").iterdir()] == ["anna.py"]


def test_a_pupils_strategy_has_one_name_everywhere(answer, record_of):
    Path("my class").mkdir()
    names = ["Jörg Müller.py", "Jürg Möller.py"]
    for hold, name in enumerate(names, start=4):
        Path("my class", name).write_text(f"def rule(i, j, k):\n    return k < {hold}\n")
    first, second = (f"my class/{name}" for name in names)
    game = ["--target", "9", "--json"]
    assert record_of(["tournament", "my class", *game])["names"] == names
    assert record_of(["tournament", first, second, *game])["names"] == names
    duel = record_of(["duel", first, second, *game])
    assert [duel["a"], duel["b"]] == [row["name"] for row in duel["difference_from_optimal"]] == names
    assert [
        character["name"] for character in record_of(["show", first, second, "--picture", "none", *game])["strategies"]
    ] == names
    assert answer(["respond", first, "--target", "9"]).startswith("best response to Jörg Müller.py in Pig to 9")
    for word, name in ((first, names[0]), (second, names[1])):
        assert record_of(["card", word, *game])["strategy"] == name
    pictures = {path.name for path in Path("outputs/pictures").iterdir()}
    assert {f"card_{name}_Pig-to-9.html" for name in ("Jörg-Müller.py", "Jürg-Möller.py")} < pictures


@pytest.mark.parametrize("words", ["hold_at:3 holdat:4", "hold_at:3..4 --games 3", "hold_at:3"])
def test_a_refused_tournament_leaves_no_folder_behind_but_one_that_was_there(pigevo, words):
    Path("old").mkdir()
    for folder in ("new/deep", "old/deep"):
        assert pigevo(f"tournament {words} --folder {folder} --target 9").status == 2
    assert [*Path().rglob("*")] == [Path("old")]


def test_a_class(pigevo):
    Path("class").mkdir()
    Path("class/anna.py").write_text("def rule(i, j, k):\n    return k < 5\n")
    Path("class/bob.py").write_text("def rule(i, j, k):\n    return k < 5 if k < 4 else 1 / 0\n")
    Path("class/carl.py").write_text("def rule(i, j, k):\n    while True: pass\n")
    Path("class/dora.csv").write_text("\n".join([",".join(["4"] * 9)] * 9))
    output = pigevo("tournament class hold_at:3 --target 9 --timeout 1 --times 3")
    assert output.status == 1  # some failed
    for part in (
        "did not play   bob.py fails: ZeroDivisionError: division by zero",
        "k = 4 (line 2)",
        "did not play   carl.py: it takes more than 1 s of processor time, in line 2; perhaps it never ends",
        "3 strategies in Pig to 9",
    ):
        assert part in output.out
    assert {"anna.py", "dora.csv", "hold_at:3"} <= set(output.out.split())


def test_dominated(answer, record_of):
    words = "tournament hold_at:3 hold_at:13..14 hold_at:16 optimal --times 3 --dominated"
    output = answer(words)
    for part in (
        "dominated      2: against every entrant, another one or a mixture of some does better",
        "hold_at:3 by optimal (by 0.",
        "hold_at:14 by hold_at:13 0.8",
        "leaves optimal after 2 rounds",
    ):
        assert part in output
    assert "and 1 more, which --top 2 shows" in answer(f"{words} --top 1")
    record = record_of(words)
    weak, middling = record["dominated"]
    assert (weak["strategy"], weak["by"]) == ("hold_at:3", {"optimal": 1.0})
    assert (middling["strategy"], sorted(middling["by"])) == ("hold_at:14", ["hold_at:13", "hold_at:16"])
    assert record["eliminated"] == [["hold_at:3", "hold_at:14"], ["hold_at:13", "hold_at:16"]]
    assert record["left"] == ["optimal"]


def test_three_that_beat_each_other_in_a_circle(answer):
    words = "turtle:5 roll_to_win roll_and_wait --allow-pass --generations 20 --populations 200 --to circle.png"
    output = answer(f"dynamics {words}")
    lead = "turtle:5 has it 63 % of the time, roll_and_wait 24 %, roll_to_win 13 %\n"
    assert "roll_and_wait leads then\n" in output
    assert f"the lead changes 178 times; {lead}" in output
    row = next(line for line in output.splitlines() if line.startswith("  turtle:5"))
    assert "0.467" in row  # the Nash mixture
    assert "circle.png" in output
    assert "it begins with 50.0 % of turtle:5, named first, down to 16.7 % of roll_and_wait, named last\n" in output
    assert "the mean of 20 generations of one such population (seed 0); " in output
    assert "with another seed another strategy may remain" in output


def test_dynamics_for_programs(record_of):
    record = record_of("dynamics hold_at:3 optimal --target 9 --generations 5 --populations 50")
    weak, best = record["strategies"]
    assert (weak["name"], weak["nash"], best["nash"]) == ("hold_at:3", 0.0, 1.0)
    assert best["end"] > 0.99
    assert record["fixation"][1][0] > 1 / record["players"] > record["fixation"][0][1]
    assert abs(sum(row["alpha_rank"] for row in record["strategies"]) - 1) < 1e-12
    low, high = best["interval"]
    assert low <= best["takes_over"] <= high


def test_strategies_of_a_class_and_as_many_players_as_there_are_strategies(record_of):
    Path("class").mkdir()
    Path("class/two.py").write_text("def careful(i, j, k): return k < 2\ndef bold(i, j, k): return True\n")
    few = "--target 9 --generations 2 --populations 9"
    record = record_of(f"dynamics class class/two.py noisy:0.1,hold_at:1..70 {few}")
    assert record["names"][:3] == ["two.py:careful", "two.py:bold", "noisy:0.1,hold_at:1"]
    assert record["players"] == 72
    assert record_of(f"dynamics hold_at:3..4 {few}")["players"] == 60
    assert sum(record["time_in_lead"]["moran"]) == 1


def test_errors_of_ratings_of_strategies_of_nearly_the_same_strength(record_of):
    """Among these ten a pseudo-inverse takes the shift of all ratings, which has no information, for some."""
    ranking = record_of("tournament hold_at:16..25 --games 100 --seed 211")["ranking"]
    assert len(ranking) == 10
    assert all(0.059 < place["error"] < 0.061 for place in ranking)
