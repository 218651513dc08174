"""`pigevo card` and `pigevo people`: pages of A4, records of games analysed, and pictures that replace no file of others."""

import json
import re
from pathlib import Path

import pytest

import pigevo as library
from pigevo.figures.remembered import hold_table_data
from pigevo.games import GAMES
from pigevo.people import write_people
from pigevo.people.csv_rows import COLUMNS
from pigevo.people.forms import TURNS
from pigevo.studies.remembered import remembered
from tests.people.games import FIGURE_6, people
from tests.web.page import read


def test_both_files_are_one_page_with_every_number_of_the_table(pigevo):
    output = pigevo("card --json")
    record = json.loads(output.out)
    pdf, html = map(Path, record["files"])
    assert (pdf.name, html.name) == ("card_optimal_to_100.pdf", "card_optimal_to_100.html")
    content = pdf.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    assert [float(one) / 72 * 25.4 for one in box] == pytest.approx([210, 297], abs=0.1)
    page = read(html)
    printed = [int(text) for text in (cell["text"] for cell in page.all("td")) if text.isdecimal()]
    numbers = [one for row in record["holds"] for one in row]
    assert printed[: len(numbers)] == numbers
    for one in remembered(library.Pig(), "least loss"):
        assert one.rule.sentence in html.read_text(encoding="utf-8").replace("&#x27;", "'")
        assert any(cell["text"] == one.rule.text for cell in page.all("code"))


@pytest.mark.parametrize(
    ("game", "name"),
    [(library.Pig(target=30), "hold_at"), (library.Pig(), "optimal"), (GAMES["piglet"].bind({}), "optimal")],
)
def test_a_number_is_where_the_strategy_first_holds(game, name):
    strategy = library.parse_strategy(name, game)
    table = hold_table_data(strategy)
    for row, own in enumerate(table.rows):
        for column, opponent in enumerate(table.columns):
            hold = table.holds[row, column]
            rolls = strategy.roll[own, opponent, : game.target - own]
            assert rolls[1:hold].all()
            assert hold == game.target - own or not rolls[hold]


def test_who_plays_by_a_table_of_all_scores_plays_the_strategy():
    game = library.Piglet()
    best = library.optimal(game).strategy
    assert hold_table_data(best).played == pytest.approx(0.5, abs=1e-12)
    coarse = hold_table_data(library.optimal(library.Pig()).strategy)
    assert 0.49 < coarse.played < 0.5


def test_a_game_without_rules_or_target_has_a_card(pigevo):
    output = pigevo("card hold_at:20 --game ten_rounds --to rounds.html")
    assert output.status == 0
    assert "no rules below it" in output.out
    assert "your lead" in Path("rounds.html").read_text(encoding="utf-8")


@pytest.fixture
def record(tmp_path):
    game = library.Pig(target=50)
    made = people(library.hold_at(game, 25), library.hold_at(game, 12), games=14, seed=2, dice=False)
    return write_people(tmp_path / "games.csv", made)


def test_the_printed_record_to_read(pigevo):
    Path("figure_6.csv").write_text(FIGURE_6)
    output = pigevo("people figure_6.csv")
    assert output.status == 0
    assert "score by turn   16 24 32 48 48 48 61 70 70 86 86 101" in output.out
    assert "stated seeking, suggested averse" in output.out
    assert output.out.count("needs the opponent's turns, and game figure 6 has only those of player 2.") == 3


def test_turns_that_are_too_few_are_said_to_tell_little(pigevo):
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,3,12\na,x,2,5,24\na,x,3,2,0\na,x,4,4,15\n")
    output = pigevo("people games.csv").out
    assert re.search(r"hold value +\d+ \(\d+ to 100, from 4 turns: too few to tell much\)", output)
    assert "stated none, suggested open" in output


def test_two_players_to_read(pigevo, record):
    output = pigevo(["people", str(record), "--target", "50"])
    assert output.status == 0
    assert "ann: 14 games" in output.out
    assert "stated seeking, suggested seeking; the answers 2 and 3 are seeking" in output.out
    assert "cheaper turns more (--json lists all)" in output.out
    assert "if it differed at all (" in output.out
    assert "points a turn, by stated preference" in output.out


@pytest.mark.slow
def test_two_players_as_json(pigevo, record):
    analysis = json.loads(pigevo(["people", str(record), "--target", "50", "--json"]).out)
    ann, bob = analysis["players"]
    assert ann["person"] == {"name": "ann", "preference": "seeking", "question_2": "b", "question_3": "b"}
    assert ann["hold"]["low"] <= 25 <= ann["hold"]["high"]
    assert bob["hold"]["low"] <= 12 <= bob["hold"]["high"]
    assert bob["suggested"] == "averse"
    assert ann["cost"]["mean"] == pytest.approx(sum(turn["cost"]["mean"] for turn in ann["costly"]))
    assert all(turn["cost"]["least"] <= turn["cost"]["mean"] <= turn["cost"]["most"] for turn in ann["costly"])
    assert ann["behind"]["verdict"] in ("more", "less", "open")
    assert ann["following"]["verdict"] in ("follows", "goes against", "open")


GAME = "game,player,turn,rolls,banked\n1,ann,1,4,22\n1,bob,1,2,0\n1,ann,2,3,13\n"
PICTURES = ["games_1", "mean_scores", "scores"]


@pytest.fixture
def games(pigevo):
    """Seven games, as the folder of every case has them."""
    rows = GAME.splitlines()[1:]
    text = "\n".join(f"{n}{row[1:]}" for n in range(1, 8) for row in rows)
    return Path("games.csv").write_text(f"{GAME.splitlines()[0]}\n{text}\n")


def test_a_form_is_one_page_with_the_columns_of_the_file(pigevo):
    record = json.loads(pigevo("people --form --json").out)
    pdf, html = map(Path, record["files"])
    assert [pdf.name, html.name] == ["form_Pig-to-100.pdf", "form_Pig-to-100.html"]
    content = pdf.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    assert [float(one) / 72 * 25.4 for one in box] == pytest.approx([210, 297], abs=0.1)
    page = read(html)
    heads = [cell["text"] for cell in page.all("th")]
    columns = [name for name in COLUMNS if name != "rule"]  # of games on the page alone
    assert sorted(heads[: len(columns)]) == sorted(columns)
    assert heads[: len(columns)] == list(record["example"])
    assert [cell["text"] for cell in page.all("td")][: len(columns)] == list(record["example"].values())
    assert [cell["text"] for cell in page.all("td")].count(str(TURNS)) == 2


def test_what_the_form_says_is_read_by_the_command_that_it_names(pigevo):
    record = json.loads(pigevo("people --form --game piglet --target 6 --allow-pass --to form.html --json").out)
    (command,) = re.findall(r"read by: pigevo ([^<]*)<", Path("form.html").read_text(encoding="utf-8"))
    assert command == "people games.csv --game piglet --allow-pass --target 6"
    Path("games.csv").write_text(record["csv"])
    output = pigevo(command)
    assert output.status == 0
    assert "Ann B: 1 game, 1 turn" in output.out


@pytest.mark.slow
def test_a_form_goes_into_a_folder_of_its_own(pigevo):
    assert pigevo("people --form --to class").status == 0
    assert sorted(path.name for path in Path("class").iterdir()) == [
        ".lock", "form_Pig-to-100.html", "form_Pig-to-100.pdf"
    ]  # fmt: skip
    assert pigevo("people --form --to class").status == 0


def test_a_form_replaces_no_file_of_others(refused):
    Path("mine").mkdir()
    Path("mine", "form_Pig-to-100.pdf").write_text("mine")
    refused("people --form --to mine", "mine is not empty (form_Pig-to-100.pdf)")
    assert [path.name for path in Path("mine").iterdir()] == ["form_Pig-to-100.pdf"]


@pytest.mark.parametrize(
    ("words", "folder", "kind"),
    [("--figures class", "class", "png"),
     pytest.param("--figures svg --to class", "class", "svg", marks=pytest.mark.slow),
     pytest.param("--figures pdf", "outputs/pictures/people_games", "pdf", marks=pytest.mark.slow)],
)  # fmt: skip
def test_figures_are_in_the_folder_and_of_the_format_that_was_said(pigevo, games, monkeypatch, words, folder, kind):
    monkeypatch.setattr("pigevo.cli.commands.people.MANY", 1)
    output = pigevo(f"people games.csv {words}")
    assert (output.status, output.err) == (0, "")  # a bar is drawn on terminals alone
    names = [*PICTURES, "games_2"]
    assert sorted(path.name for path in Path(folder).glob("*.*")) == sorted([".lock", *(f"{n}.{kind}" for n in names)])
    assert all(f"saved as {Path(folder, f'{name}.{kind}')}" in output.out for name in names)


@pytest.mark.slow
def test_pages_of_games_that_are_gone_go_and_nothing_else(pigevo, games):
    assert pigevo("people games.csv --figures class").status == 0
    Path("class", "games_2.txt").write_text("mine")
    Path("games.csv").write_text(GAME)
    assert pigevo("people games.csv --figures class").status == 0
    assert sorted(path.name for path in Path("class").glob("*.*")) == [
        ".lock", "games_1.png", "games_2.txt", "mean_scores.png", "scores.png"
    ]  # fmt: skip


def test_a_folder_with_files_of_others_is_left_as_it_is(refused, games):
    Path("mine").mkdir()
    Path("mine", "scores.png").write_text("mine")
    refused("people games.csv --figures mine", "mine is not empty (scores.png) and not the folder of a class: choose")
    refused("people games.csv --figures png --to mine", "mine is not empty")
    refused("people games.csv --figures games.csv", "games.csv")
    assert Path("mine", "scores.png").read_text() == "mine"
    assert len(list(Path("mine").iterdir())) == 1


def test_whole_games_have_a_verdict(pigevo, games):
    output = pigevo("people games.csv").out
    assert "whole games" in output
    assert "undecided whether mirrored play is fairer" in output
