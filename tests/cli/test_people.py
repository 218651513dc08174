"""`pigevo people --form` and `--figures`: a page that is typed off and read, and pictures that replace no file of others."""

import json
import re
from pathlib import Path

import pytest

from pigevo.people.csv_rows import COLUMNS
from pigevo.people.forms import TURNS
from tests.web.page import read

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
    said = pigevo(command)
    assert said.status == 0
    assert "Ann B: 1 game, 1 turn" in said.out


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
def test_figures_are_in_the_folder_and_of_the_format_that_was_said(pigevo, games, words, folder, kind):
    said = pigevo(f"people games.csv {words}")
    assert said.status == 0
    names = [*PICTURES, "games_2"]
    assert sorted(path.name for path in Path(folder).glob("*.*")) == sorted([".lock", *(f"{n}.{kind}" for n in names)])
    assert all(f"saved as {Path(folder, f'{name}.{kind}')}" in said.out for name in names)


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
    assert Path("mine", "scores.png").read_text() == "mine"
    assert len(list(Path("mine").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("people", "give the FILE.csv with the games"),
        ("people games.csv --form", "--form makes an empty form"),
        ("people --form --figures png", "--form makes an empty form"),
        ("people games.csv --to class", "give --form or --figures, too"),
        ("people games.csv --figures a --to b", "write --figures png --to FOLDER"),
        ("people games.csv --figures scores.png", "the pictures are several"),
        ("people --form --to form.docx", "form.docx: the name of a form must end with .pdf or .html"),
        ("people --form --game ten_rounds", "races of one die"),
        ("people games.csv --figures games.csv", "games.csv"),
    ],
)
def test_what_makes_no_sense_is_refused(refused, games, words, said):
    before = sorted(Path().iterdir())
    refused(words, said)
    assert sorted(Path().iterdir()) == before


def test_whole_games_have_a_verdict(pigevo, games):
    said = pigevo("people games.csv").out
    assert "whole games" in said
    assert "undecided whether mirrored play is fairer" in said
