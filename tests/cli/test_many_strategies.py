"""`pigevo tournament` and `pigevo dynamics`: as JSON, as files; a class's folder; a circle."""

from pathlib import Path

import pytest

import pigevo as package


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
