"""`pigevo show`, `reach` and `turns`: what a strategy does, where play comes, and what one turn brings."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import pigevo as library
from pigevo.experiments.ten_rounds.study import banked, mean_points
from pigevo.games import GAMES


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
    behind = next(row for row in rows if "behind, 9 against 18" in row)
    assert behind.split()[-2:] == ["10", "7"]
    assert "It rolls further when behind." in rows
    output = answer("show optimal --target 50 --picture none")
    assert "Where it holds depends on the scores." in output
    assert "same turn total" not in output


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
    monkeypatch.setattr("pigevo.core.machine.available_memory", lambda: 48 * 20**3 - 1)
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
