"""`pigevo show`, `reach` and `turns`: what a strategy does, where play comes, and what one turn brings."""

import json

import numpy as np
import pytest
from PIL import Image

import pigevo


def test_words_and_a_picture(pigevo, tmp_path):
    output = pigevo("show hold_at:7 --target 30 --dpi 30 --title Mine")
    assert output.status == 0
    for words in ("first holds at", "hold_at:7", "at the start, 0 against 0", "exploitability", "gaps            none",
                  "decides differently in", "outputs/pictures/hold_at-7_optimal.png"):  # fmt: skip
        assert words in output.out
    with Image.open(tmp_path / "outputs/pictures/hold_at-7_optimal.png") as image:
        assert image.size == (10 * 30, 18 * 30)


def test_the_table_says_what_the_strategy_does(pigevo):
    rows = pigevo("show score:4 hold_at:7 --target 30 --picture none").out.splitlines()
    behind = next(row for row in rows if "behind, 9 against 18" in row)
    assert behind.split()[-2:] == ["10", "7"]
    assert "It rolls further when behind." in rows
    output = pigevo("show optimal --target 50 --picture none").out
    assert "Where it holds depends on the scores." in output
    assert "same turn total" not in output


def test_where_a_rule_loses_most(pigevo):
    output = pigevo("show hold_at:25 --picture none").out
    rows = output[output.index("where hold_at:25 loses most") :].splitlines()
    assert " ".join(rows[0].split()) == "where hold_at:25 loses most points turns there decides wrongly"
    assert rows[1].startswith("  0 against 0                  0.1416   1.489 times   rolls at 21 to 24")
    assert "holds at 25 to 30" in output
    costs = [float(row.split()[3]) for row in rows[1:11]]
    others, together = float(rows[11].split()[3]), float(rows[12].split()[1])
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) + others == pytest.approx(together, abs=1e-3)
    record = json.loads(pigevo("show hold_at:25 --picture none --json").out)
    assert together == pytest.approx(100 * record["loss"]["total"], abs=1e-4)
    assert record["loss"]["total"] == pytest.approx(0.5 - record["strategies"][0]["overall"], abs=1e-12)
    assert len(record["loss"]["places"]) == 10
    assert "loses most" not in pigevo("show optimal --target 30 --picture none").out


def test_gaps_are_told(pigevo, tmp_path):
    from pigevo.games import Pig
    from pigevo.strategies import Strategy
    from pigevo.strategies import hold_at as made

    roll = made(Pig(target=30), 10).roll.copy()
    roll[0, 0, 15:20] = True
    Strategy(Pig(target=30), roll, "gappy").save(tmp_path / "gappy.npz")
    output = pigevo("show gappy.npz --picture none").out
    assert "* gappy at the start: holds at 10, and rolls again at 15 to 19" in output
    assert "misleads" in output


def test_a_run_and_a_saved_strategy_bring_their_game(pigevo, finished):
    output = pigevo("show run --json --picture none")
    assert output.status == 0
    record = json.loads(output.out)
    assert record["strategies"][0]["game"].startswith("Pig to 12")
    assert record["beside"]["other"] == "optimal"
    refused = pigevo("show run --target 30")
    assert (refused.status, "plays Pig to 12" in refused.err) == (2, True)
    assert "Pig to 12" in pigevo("duel hold_at:3 run").out
    assert "Pig to 12" in pigevo("respond run").out
    assert pigevo("duel hold_at:3 run --target 100").status == 2
    assert pigevo("duel hold_at:3 run game.target=100").status == 2


def test_help_tells_the_first_sentence_of_an_option(pigevo):
    output = " ".join(pigevo("show --help").out.split())
    assert "150 in equal_turns, 150 in skunk, 200 in ten_rounds]" in output
    assert "MOST_SIDES" not in output


def test_choices_at_two_scores(pigevo):
    output = pigevo("show hold_at:5 --target 20 --at 3,4")
    assert output.status == 0
    assert "turn total" in output.out
    record = json.loads(pigevo("show hold_at:5 --target 20 --at 3,4 --json").out)
    five = next(row for row in record["choices"] if row["total"] == 5)
    assert five["chance"] == 0
    assert five["loses"] == pytest.approx(max(five["roll"], five["hold"]) - five["hold"])
    assert f"{five['roll']:.6f}    {five['hold']:.6f}" in output.out
    assert "never: when hold_at:5 plays optimal, no game reaches it" in output.out
    assert "never: when both play optimally, no game reaches it" in pigevo("show optimal --target 9 --at 4:6").out


def test_a_format_and_a_file_of_its_own(pigevo, tmp_path):
    words = ["show", "optimal", "--target", "10", "--picture", "map", "--dpi", "30"]
    assert pigevo([*words, "--figures", "svg"]).status == 0
    assert pigevo([*words, "--as", "svg"]).status == 0  # as it was called before
    assert "<svg" in (tmp_path / "outputs/pictures/optimal.svg").read_text()
    assert pigevo([*words, "--to", "map.pdf"]).status == 0
    assert (tmp_path / "map.pdf").read_bytes()[:4] == b"%PDF"
    assert pigevo([*words, "--to", "a/b.PNG", "--title", "\x1b[31m $x\\frac \U0001f3b2"]).status == 0
    assert (tmp_path / "a/b.PNG").read_bytes()[:4] == b"\x89PNG"


def test_a_game_that_two_axes_do_not_tell_is_told_in_words(pigevo, tmp_path):
    words = "show hold_at:5 --game ten_rounds --turns 2 --cap 20 --rolls"
    output = pigevo(words)
    assert (output.status, "no picture: decisions in" in output.out, ", last in the round" in output.out) == (
        0,
        True,
        True,
    )
    assert pigevo(f"{words} --figures png").status == 2
    assert list(tmp_path.iterdir()) == []


def test_what_needs_more_memory_than_there_is_is_refused(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.core.memory.available", lambda: 48 * 20**3 - 1)
    output = pigevo("show hold_at:3 --target 20 --picture none")
    assert (output.status, "a look at a strategy for Pig to 20" in output.err) == (2, True)
    assert pigevo("show hold_at:3 --target 19 --picture none").status == 0


def test_the_formula_of_the_blog_is_drawn_as_curves(pigevo, tmp_path):
    words = "show stick_formula:4,50 --game ten_rounds --turns 2 --cap 30"
    output = pigevo(f"{words} --to a.png --title mine")
    assert (output.status, "stick_formula:4,50 in Pig of 2 rounds" in output.out) == (0, True)
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert pigevo(f"{words} --picture map").status == 2
    other = pigevo("show stick_formula:5,9 --target 9 --to b.png").out
    assert "picture           b.png" in other
    assert (tmp_path / "b.png").read_bytes() != (tmp_path / "a.png").read_bytes()


def test_another_strategy_of_the_formula_s_name_has_no_curves(pigevo, tmp_path):
    import pigevo as package

    game = package.Pig(target=9)
    unsure = package.Strategy.from_function(game, lambda i, j, k: 0.5 + 0 * (i + j + k), "stick_formula:4,50")
    unsure.save(tmp_path / "half.npz")
    assert "no picture: stick_formula:4,50 leaves decisions to chance" in pigevo("show half.npz").out


def test_strategies_by_chance_have_words_only(pigevo, tmp_path):
    from pigevo.games import Pig
    from pigevo.strategies import Strategy

    game = Pig(target=9)
    chances = np.where(game.starts, 1.0, np.where(game.decision_states, 0.5, np.zeros(game.shape)))
    Strategy(game, chances, "half").save(tmp_path / "half.npz")
    output = pigevo("show half.npz").out
    assert "decides in 100.0 % of its cells" in output
    assert "Chance decides in 100.0 % of its cells; they count as the more likely decision." in output
    assert "never holds" not in output
    assert "no picture: half leaves decisions to chance" in output


def test_the_states_of_a_thousand_games(pigevo, tmp_path):
    output = pigevo(["reach", "hold_at:7", "optimal", "--target", "20", "--share", "5", "--share", "90",
                   "--to", str(tmp_path / "states.svg")])  # fmt: skip
    assert output.status == 0, output.err
    assert "hold_at:7 against optimal in Pig to 20, which has 4,200 states" in output.out
    assert "1,000 games come to" in output.out
    assert output.out.split("90 %")[1].split("\n")[0].strip() == "no number"
    assert (tmp_path / "states.svg").read_text().startswith("<?xml")


def test_the_states_for_programs(pigevo):
    record = json.loads(pigevo("reach hold_at:7 --target 20 --games 10 --share 5 --json").out)
    states = expected("hold_at:7")
    assert (record["states"], record["most"]) == (states.states, states.most)
    assert (record["expected"], record["share"]) == (states.expected(10), states.share(10))
    assert record["needed"] == [{"share": 0.05, "games": states.games_for(0.05)}]


def expected(word):
    one = pigevo.parse_strategy(word, pigevo.Pig(20))
    return pigevo.distinct_states(one, one)


def test_hold_at_20_in_words(pigevo):
    output = pigevo("turns hold_at:20")
    assert output.status == 0, output.err
    for part in (
        "bust    0.6245",
        "8.1418 points on average",
        "takes 12.6368 turns",
        "Holding at 20 or 21 brings most",
    ):
        assert part in output.out


def test_figures_are_those_of_turns_that_are_played():
    import pigevo

    game = pigevo.Pig(30, 4)
    rng, wanted = np.random.default_rng(1), pigevo.exact.mean_turns_alone(pigevo.hold_at(game, 9))
    turns = [alone(30, 4, 9, rng) for _ in range(4000)]
    assert np.mean(turns) == pytest.approx(wanted, abs=4 * np.std(turns) / len(turns) ** 0.5)


def alone(target, sides, hold, rng):
    """Turns until somebody who holds at a total has won, with nobody else there."""
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


def test_turns_for_programs(pigevo):
    record = json.loads(pigevo("turns hold_at:2 --game piglet --target 6 --json").out)
    assert (record["bust"], record["mean"], record["turns_alone"]) == (0.75, 0.5, 12.0)
    assert [row["mean"] for row in record["holds"][:3]] == [0.5, 0.5, 0.375]
