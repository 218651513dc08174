"""Luck and skill over games, as the browser keeps them."""

import json

import pytest

from tests.web.test_page_play import CLOSE, STRATEGIES, by_pigevo, play, start

pytestmark = pytest.mark.page
KEY = "pigevo games"
GAME = {
    "day": "2026-01-31",
    "dice": "7 0",
    "game": "Pig to 100",
    "opponent": "Hold at 20",
    "result": "won",
    "luck": 0.5,
    "skill": -0.25,
}
DAMAGED = [
    None, 7, [], {}, {**GAME, "luck": "0.5"}, {**GAME, "luck": None}, {**GAME, "skill": 0.1}, {**GAME, "day": 5}, {**GAME, "dice": 7},
    {**GAME, "result": "stolen"}, {**GAME, "opponent": "x" * 1000},
]  # fmt: skip
"""Entries of which none is a game."""


@pytest.fixture
def stored(page):
    """A function that puts a text into the storage before the page is opened, and forgets it afterwards."""

    def store(text):
        page.open()
        page.run("localStorage.setItem(arguments[0], arguments[1])", KEY, text)

    page.forget()
    yield store
    page.forget()


@pytest.mark.usefixtures("stored")
def test_luck_and_skill_of_games_are_kept_until_they_are_cleared(page):
    start(page, "opponent=hold-at-20&seed=7")
    assert page.all(".history") == []
    expected = []
    for part in range(2):
        play(page)
        page.first(".review")
        _, right = by_pigevo(STRATEGIES["hold-at-20"].strategy, 0, 7, part)
        before, cost, after = (round(value, 4) for value in (right.start, right.cost, right.end))
        expected.append((after - before + cost, -right.cost))  # the luck as the review shows it
        page.press("n")
    start(page, "opponent=hold-at-20")
    page.first(".history summary").click()
    assert page.text(".history summary") == "Luck and skill in 2 games"
    mean = [sum(values) / 2 for values in zip(*expected, strict=True)]
    newest_first = [value for game in reversed(expected) for value in game]
    assert page.values(".history") == pytest.approx([*mean, *newest_first], abs=CLOSE)
    assert len(page.all(".history rect")) == 4
    page.button(".history", "Clear the history").click()
    assert page.text(".history [role=status]") == "The luck and skill of 2 games are cleared."
    page.button(".history", "Bring it back").click()
    assert page.text(".history summary") == "Luck and skill in 2 games"
    assert page.values(".history") == pytest.approx([*mean, *newest_first], abs=CLOSE)
    page.button(".history", "Clear the history").click()
    start(page, "opponent=hold-at-20")
    assert page.all(".history") == []


@pytest.mark.usefixtures("stored")
def test_the_same_dice_count_once(page):
    for _ in range(2):
        start(page, "opponent=hold-at-20&seed=7")
        play(page)
        page.first(".review")
    assert page.text(".history summary") == "Luck and skill in 1 game"


def test_the_mean_is_that_of_each_game_and_every_entry_names_its_game(page, stored):
    piglet = {**GAME, "dice": "8 0", "game": "Piglet to 10", "luck": 0.25, "skill": 0}
    stored(json.dumps([GAME, piglet, {**GAME, "dice": "9 0", "luck": 0}]))
    page.be_a_phone(390, 844)
    start(page, "")
    page.first(".history summary").click()
    assert [head.text for head in page.all(".history h3")] == ["Pig to 100: 2 games", "Piglet to 10: 1 game"]
    assert page.values(".history .sum-of-parts") == [0.25, -0.25, 0.25, 0]
    rows = [row.text.split(" won ")[0] for row in page.all(".history tbody tr")]
    assert rows == ["Pig to 100", "Piglet to 10", "Pig to 100"]
    assert page.run("return document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("text", ["", "null", "{}", '"x"', "[", "[1", "\x00", json.dumps(DAMAGED)])
def test_a_damaged_history_is_an_empty_one(page, stored, text):
    stored(text)
    start(page, "")
    assert page.all(".history") == []


def test_games_beside_damaged_ones_are_kept(page, stored):
    stored(json.dumps([*DAMAGED, GAME, *DAMAGED]))
    start(page, "")
    page.first(".history summary").click()
    assert page.text(".history summary") == "Luck and skill in 1 game"
    assert page.values(".history") == [0.5, -0.25, 0.5, -0.25]


@pytest.mark.usefixtures("stored")
def test_games_by_a_rule_are_not_of_ones_own_skill(page):
    start(page, "seed=7&opponent=hold-at-20&by=keep-pace")
    play(page)
    page.first(".by-rule button")
    page.first(".review")
    assert page.all(".history") == []
