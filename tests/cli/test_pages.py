"""`pigevo card` and `pigevo people`: pages of A4, records of games analysed, and pictures that replace no file of others."""

import re
import shlex
from html import unescape
from pathlib import Path

import click
import pytest
from matplotlib.figure import Figure

import pigevo as library
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.commands.people import _difference, _narrow, _signed, _signed_percent
from pigevo.cli.options import NewFile
from pigevo.figures.page import hold_table_data
from pigevo.games import GAMES
from pigevo.people import write_people
from pigevo.people.csv_rows import COLUMNS
from pigevo.people.pairings import Comparison
from pigevo.people.record_files import TURNS
from pigevo.strategies.rules.reading import known_rules
from tests.people.games import FIGURE_6, people
from tests.web.page import read


@pytest.fixture
def blank(monkeypatch):
    """A card as PDF is an empty page, where a test is of the names of files: its letters take most of the time."""
    monkeypatch.setattr("pigevo.figures.page.card_page", lambda *_: Figure((1, 1)))


def one_page_of_a4(pdf):
    """Whether a PDF has one page of that size."""
    content = Path(pdf).read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    return [float(side) / 72 * 25.4 for side in box] == pytest.approx([210, 297], abs=0.1)


def test_both_files_are_one_page_with_every_number_of_the_table(record_of):
    record = record_of("card")
    pdf, html = map(Path, record["files"])
    assert (pdf.name, html.name) == ("card_optimal_Pig-to-100.pdf", "card_optimal_Pig-to-100.html")
    assert one_page_of_a4(pdf)
    page = read(html)
    printed = [int(text) for text in (cell["text"] for cell in page.all("td")) if text.isdecimal()]
    numbers = [number for row in record["holds"] for number in row]
    assert printed[: len(numbers)] == numbers
    for row in known_rules(library.Pig(), "least loss"):
        assert row.rule.sentence in html.read_text(encoding="utf-8").replace("&#x27;", "'")
        assert any(cell["text"] == row.rule.text for cell in page.all("code"))


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


def test_a_game_without_rules_or_target_has_a_card(answer):
    assert "no rules below it" in answer("card hold_at:20 --game ten_rounds --to rounds.html")
    assert "your lead" in Path("rounds.html").read_text(encoding="utf-8")


@pytest.fixture
def games_of_two(pigevo):
    """Games to 50 of ann, who holds at 25, and bob, who holds at 12."""
    game = library.Pig(target=50)
    games = people(library.hold_at(game, 25), library.hold_at(game, 12), games=14, seed=2, dice=False)
    write_people(Path("games.csv"), games)


def test_the_printed_record_to_read(answer):
    Path("figure_6.csv").write_text(FIGURE_6)
    output = answer("people figure_6.csv")
    assert "score by turn   16 24 32 48 48 48 61 70 70 86 86 101" in output
    assert "stated seeking, suggested averse" in output
    assert output.count("needs the opponent's turns, and game figure 6 has only those of player 2.") == 3


def test_few_turns_give_a_wide_interval_and_a_remark(answer):
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,3,12\na,x,2,5,24\na,x,3,2,0\na,x,4,4,15\n")
    output = answer("people games.csv")
    assert re.search(r"hold value +\d+ \(\d+ to 100, from 4 turns: too few to tell much\)", output)
    assert "stated none, suggested open" in output


def test_two_players_to_read(answer, games_of_two):
    output = answer("people games.csv --target 50")
    for part in (
        "ann: 14 games",
        "stated seeking, suggested seeking; the answers 2 and 3 are seeking",
        "cheaper turns (--json lists all)",
        "if it differed at all (",
        "points a turn, by stated preference",
    ):
        assert part in output


@pytest.mark.slow
def test_two_players_as_json(record_of, games_of_two):
    ann, bob = record_of("people games.csv --target 50")["players"]
    assert ann["person"] == {"name": "ann", "preference": "seeking", "question_2": "b", "question_3": "b"}
    assert ann["hold"]["low"] <= 25 <= ann["hold"]["high"]
    assert bob["hold"]["low"] <= 12 <= bob["hold"]["high"]
    assert bob["suggested"] == "averse"
    costs = [turn["cost"] for turn in ann["costly"]]
    assert ann["cost"]["mean"] == pytest.approx(sum(cost["mean"] for cost in costs))
    assert all(cost["least"] <= cost["mean"] <= cost["most"] for cost in costs)
    assert ann["behind"]["verdict"] in ("more", "less", "open")
    assert ann["following"]["verdict"] in ("follows", "goes against", "open")


GAME = "game,player,turn,rolls,banked\n1,ann,1,4,22\n1,bob,1,2,0\n1,ann,2,3,13\n"
PICTURES = ["games_1", "mean_scores", "scores"]


def names_in(folder):
    return sorted(path.name for path in Path(folder).glob("*.*"))


@pytest.fixture
def games(pigevo):
    """Seven games, as the folder of every case has them."""
    rows = GAME.splitlines()[1:]
    text = "\n".join(f"{n}{row[1:]}" for n in range(1, 8) for row in rows)
    return Path("games.csv").write_text(f"{GAME.splitlines()[0]}\n{text}\n")


def test_a_form_is_one_page_with_the_columns_of_the_file(record_of):
    record = record_of("people --form")
    pdf, html = map(Path, record["files"])
    assert [pdf.name, html.name] == ["form_Pig-to-100.pdf", "form_Pig-to-100.html"]
    assert one_page_of_a4(pdf)
    page = read(html)
    columns = [name for name in COLUMNS if name != "rule"]  # of games on the page alone
    heads, cells = ([cell["text"] for cell in page.all(kind)] for kind in ("th", "td"))
    assert sorted(heads[: len(columns)]) == sorted(columns)
    assert heads[: len(columns)] == list(record["example"])
    assert cells[: len(columns)] == list(record["example"].values())
    assert cells.count(str(TURNS)) == 2


def test_what_the_form_says_is_read_by_the_command_that_it_names(answer, record_of):
    record = record_of("people --form --game piglet --target 6 --allow-pass --to form.html")
    (command,) = re.findall(r"read by: pigevo ([^<]*)<", Path("form.html").read_text(encoding="utf-8"))
    assert command == "people games.csv --game piglet --allow-pass --target 6"
    Path("games.csv").write_text(record["csv"])
    assert "Ann B: 1 game, 1 turn" in answer(command)


def test_the_command_that_a_form_names_has_the_faces_of_a_die_and_a_game_of_the_users_own(answer, record_of):
    Path("two words.py").write_text(
        "from dataclasses import dataclass\nimport pigevo\n@dataclass(frozen=True)\nclass Mine(pigevo.Pig):\n    bonus: int = 1\n"
    )
    for words in (["--die", "0,1,1,2"], ["--game", "two words.py:Mine", "--game-option", "bonus=3"]):
        record = record_of(["people", "--form", *words, "--to", "form.html"])
        text = unescape(Path("form.html").read_text(encoding="utf-8"))
        (command,) = re.findall(r"read by: pigevo ([^<]*)<", text)
        Path("games.csv").write_text(record["csv"])
        assert answer(shlex.split(command)).startswith(record["game"])


def test_players_who_had_to_hold_to_win_are_read_with_must_hold(answer, record_of, refused):
    dice = "6 " * 17 + "1"  # rolled on with 102 points, and lost them
    Path("past.csv").write_text(f"game,player,turn,rolls,banked,dice\n1,ann,1,18,0,{dice}\n1,bob,1,1,5,5\n")
    refused("people past.csv", "had to hold to win, read the record with --must-hold")
    assert "ann: 1 game, 1 turn" in answer("people past.csv --must-hold")
    assert record_of("people past.csv --must-hold") == record_of("people past.csv --game hold_to_win")
    refused("people past.csv --must-hold --game two_dice", "--must-hold is for Pig with a usual die, not for Two-dice")
    refused("people past.csv --must-hold --die 0,1,1,2", "--must-hold is for Pig with a usual die, not for Pig")
    record = record_of("people --form --must-hold --target 50 --to form.html")
    (command,) = re.findall(r"read by: pigevo ([^<]*)<", Path("form.html").read_text(encoding="utf-8"))
    assert command == "people games.csv --must-hold --target 50"
    Path("games.csv").write_text(record["csv"])
    assert "Hold-to-win Pig to 50" in answer(command)


@pytest.mark.slow
def test_a_form_goes_into_a_folder_of_its_own(answer):
    for _ in range(2):
        answer("people --form --to class")
        assert names_in("class") == [".lock", "form_Pig-to-100.html", "form_Pig-to-100.pdf"]


def test_a_form_replaces_no_file_of_others(refused):
    Path("mine").mkdir()
    Path("mine", "form_Pig-to-100.pdf").write_text("mine")
    refused(
        "people --form --to mine",
        "mine must be new or empty, but has other files (form_Pig-to-100.pdf): name another folder.",
    )
    assert names_in("mine") == ["form_Pig-to-100.pdf"]


@pytest.mark.parametrize(
    ("words", "folder", "kind"),
    [("--figures class", "class", "png"),
     pytest.param("--figures svg --to class", "class", "svg", marks=pytest.mark.slow),
     pytest.param("--figures pdf", "outputs/pictures/people_games", "pdf", marks=pytest.mark.slow)],
)  # fmt: skip
def test_figures_are_in_the_chosen_folder_and_format(pigevo, games, monkeypatch, words, folder, kind):
    monkeypatch.setattr("pigevo.cli.commands.people.MANY", 1)
    output = pigevo(f"people games.csv {words}")
    assert (output.status, output.err) == (0, "")  # a bar is drawn on terminals alone
    names = [*PICTURES, "games_2"]
    assert names_in(folder) == sorted([".lock", *(f"{name}.{kind}" for name in names)])
    assert all(f"saved as {Path(folder, f'{name}.{kind}')}" in output.out for name in names)


@pytest.mark.slow
def test_pages_of_games_that_are_gone_go_and_nothing_else(answer, games):
    answer("people games.csv --figures class")
    Path("class", "games_2.txt").write_text("mine")
    Path("games.csv").write_text(GAME)
    answer("people games.csv --figures class")
    pictures = [f"{name}.png" for name in PICTURES]
    assert names_in("class") == sorted([".lock", *pictures, "games_2.txt"])


def test_a_folder_with_files_of_others_is_left_as_it_is(refused, games):
    Path("mine").mkdir()
    Path("mine", "scores.png").write_text("mine")
    refused(
        "people games.csv --figures mine",
        "mine must be new or empty, but has other files (scores.png): name another folder.",
    )
    refused("people games.csv --figures png --to mine", "mine must be new or empty")
    refused("people games.csv --figures games.csv", "games.csv")
    assert Path("mine", "scores.png").read_text() == "mine"
    assert names_in("mine") == ["scores.png"]


def test_a_card_goes_into_a_folder_under_its_usual_name(answer, blank):
    Path("cards").mkdir()
    Path("cards", "letter.txt").write_text("mine")
    answer("card hold_at:5 --target 9 --to cards")
    assert names_in("cards") == ["card_hold_at-5_Pig-to-9.html", "card_hold_at-5_Pig-to-9.pdf", "letter.txt"]


def test_a_card_begins_with_whose_it_is_and_says_what_its_colours_and_rules_are(answer):
    Path("anna.py").write_text("def anna(i, j, k):\n    return k < 20 + (j - i) / 8\n")
    texts = {}
    for words in ("anna.py", "hold_at:20", "optimal"):
        answer(f"card {words} --to card.html")
        texts[words] = unescape(Path("card.html").read_text(encoding="utf-8"))
    assert "<h1>anna.py: when to hold in Pig to 100</h1>" in texts["anna.py"]
    assert "<h1>When to hold in Pig to 100</h1>" in texts["optimal"]
    colours = "The darker the orange, the larger the number."
    assert {words: colours in text for words, text in texts.items()} == {
        "anna.py": True, "hold_at:20": False, "optimal": True,
    }  # fmt: skip
    known = "These are the best rules that are known for this game, by how many numbers they have"
    assert f"{known}; the table above is of anna.py." in texts["anna.py"]
    assert f"{known}." in texts["optimal"]


def options_for_a_file():
    """The commands with an option whose type is a file to write, and that option."""
    for name in command_names():
        for option in load_command(name).params:
            if isinstance(option.type, NewFile):
                yield name, option.opts[0], option.type.example


@pytest.mark.parametrize(("command", "option", "example"), list(options_for_a_file()))
def test_a_folder_for_a_file_is_refused_with_the_path_of_a_file_in_it(pigevo, command, option, example):
    Path("mine").mkdir()
    output = pigevo(f"{command} {option} mine")
    file = Path("mine", example)
    assert output.err == f"pigevo: mine is a folder: name a file in it, as in {option} {file}.\n", output.err
    assert output.status == 2


def test_every_option_for_a_file_to_write_says_what_to_type():
    options = {(name, option) for name, option, _ in options_for_a_file()}
    assert {("show", "--to"), ("reach", "--to"), ("film", "--to"), ("lineage", "--to"), ("dynamics", "--to")} <= options
    for name in command_names():
        for option in load_command(name).params:
            refuses = isinstance(option.type, click.Path) and not option.type.dir_okay
            assert not refuses or option.opts == ["--certify"], (name, option.opts)


def test_games_to_another_target_are_noticed(answer, record_of):
    """A record has no target: to 20 points a game to 10 is one that nobody has won."""
    write_people("short.csv", people(library.hold_at(library.Pig(10), 4), library.hold_at(library.Pig(10), 5), games=4))
    assert record_of("people short.csv --target 10")["without_winner"] == []
    assert "without a winner" not in answer("people short.csv --target 10")
    unfinished = record_of("people short.csv --target 20")["without_winner"]
    assert unfinished[:1] == ["g0"]
    text = " ".join(answer("people short.csv --target 20").split())
    assert (
        f"{len(unfinished)} games of two players without a winner, the first is g0: if it was played to fewer" in text
    )


def test_a_difference_has_one_sign_and_nothing_has_a_plus():
    comparison = Comparison(9, 9, 0.5, 0.4, low=-0.0004, difference=0.0, high=0.05, verdict="undecided")
    for signed, text in ((_signed_percent, "+0.0 % (+0.0 % to +5.0 %)"), (_signed, "+0.0000 (-0.0004 to +0.0500)")):
        assert _difference(comparison, "whether", {}, signed) == f"difference {text}: undecided whether"


@pytest.mark.parametrize(("games", "low", "said"), [(3, 0.1, True), (8, 0.1, False), (2, None, False)])
def test_an_interval_of_few_means_is_called_too_narrow(games, low, said):
    comparison = Comparison(games, 20, 0.5, 0.4, low=low, difference=0.1, high=0.2, verdict="undecided")
    assert ("too narrow" in _narrow(comparison)) == said


def test_whole_games_have_a_verdict(answer, games):
    output = answer("people games.csv")
    assert "whole games" in output
    assert "undecided whether mirrored play is fairer" in output


def test_a_card_of_another_game_has_another_name(answer, blank):
    for words in ("--target 9", "--target 9 --game two_dice", "--target 9 --sides 8", "--target 9 --allow-pass"):
        answer(f"card hold_at:5 {words}")
    cards = sorted(path.name for path in Path("outputs/pictures").glob("*.html"))
    assert cards == [
        "card_hold_at-5_Pig-to-9-allow_pass=True.html",
        "card_hold_at-5_Pig-to-9-sides=8.html",
        "card_hold_at-5_Pig-to-9.html",
        "card_hold_at-5_Two-dice-Pig-to-9.html",
    ]


def test_a_file_of_other_content_is_not_replaced_without_a_word(answer, caplog):
    def replaced(words):
        caplog.clear()
        answer(words)
        return [record.getMessage().partition(":")[0] for record in caplog.records]

    assert [replaced("card hold_at:5 --target 9 --to card.html") for _ in range(2)] == [[], []]
    assert replaced("card hold_at:5 --target 10 --to card.html") == ["card.html was written anew"]
    assert replaced("tournament hold_at:3 hold_at:4 --target 9 --folder played") == []
    files = ["tournament.html", "matrix.csv", "ranking.csv", "matrix_first.csv"]  # there are no cycles in either
    assert replaced("tournament hold_at:3 hold_at:4 --target 10 --folder played") == [
        f"played/{name} was written anew" for name in files
    ]
    pictures = {"tournament_Pig-to-9.png", "tournament_Pig-to-10.png"}
    assert {path.name for path in Path("played").glob("*.png")} == pictures


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "--target 12",
            "Pig with a fair die of 6 faces: a 1 loses the turn total, any other face adds its points. The first to have 12 wins.",
        ),
        ("--target 12 --bust 6", "The first to have 12 wins."),
        ("--game ten_rounds --turns 2", "After 2 turns each the higher score wins; equal scores are a draw."),
    ],
)
def test_a_card_has_the_rules_of_its_game(answer, words, sentence):
    answer(f"card hold_at:5 {words} --to card.html")
    assert sentence in Path("card.html").read_text()
