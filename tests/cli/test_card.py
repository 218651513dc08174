"""`pigevo card`: one page of A4 with the hold values of a strategy, and rules to remember."""

import json
import re
from pathlib import Path

import pytest

import pigevo as library
from pigevo.figures.remembered import hold_table_data
from pigevo.games import GAMES
from pigevo.studies.remembered import remembered
from tests.web.page import read


def test_both_files_are_one_page_with_every_number_of_the_table(pigevo):
    said = pigevo("card --json")
    record = json.loads(said.out)
    pdf, html = map(Path, record["files"])
    assert (pdf.name, html.name) == ("card_optimal_to_100.pdf", "card_optimal_to_100.html")
    content = pdf.read_bytes()
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    (box,) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", content)
    assert [float(one) / 72 * 25.4 for one in box] == pytest.approx([210, 297], abs=0.1)
    page = read(html)
    shown = [int(text) for text in (cell["text"] for cell in page.all("td")) if text.isdecimal()]
    numbers = [one for row in record["holds"] for one in row]
    assert shown[: len(numbers)] == numbers
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
    said = pigevo("card hold_at:20 --game ten_rounds --to rounds.html")
    assert said.status == 0
    assert "no rules below it" in said.out
    assert "your lead" in Path("rounds.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("card --to card.png", "card.png: the name of a card must end with .pdf or .html."),
        ("card hold_it", "there is no strategy 'hold_it'"),
        ("card random_strategy --game ten_rounds game.rolls=true", "depend on"),
    ],
)
def test_a_wrong_input_gets_one_sentence_and_no_file(pigevo, words, sentence):
    said = pigevo(words)
    assert said.status == 2
    assert sentence in said.err
    assert not list(Path().glob("card*"))
