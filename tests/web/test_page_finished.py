"""Finished games in a browser: as links, which show their review, and luck and skill over games."""

import json
import re
import threading

import pytest

import pigevo
from pigevo.games import GAMES
from pigevo.web.serve import PageServer
from pigevo.web.site import page_files
from tests.web.browser import ENTER
from tests.web.test_page_play import CLOSE, STRATEGIES, board_says, by_pigevo, check, play, start, state
from tests.web.test_site import OfThatTitle

pytestmark = pytest.mark.page


@pytest.fixture
def shared(page):
    """A finished game whose dice nobody could foresee: the words of its link, its scores and the figures of its review."""
    page.forget()
    start(page, "opponent=hold-at-20")
    play(page)
    address = page.first(".share a").get_attribute("href")
    assert address.startswith(f"{page.address}?game=pig&opponent=hold-at-20&seed=")
    yield address.removeprefix(page.address), [score.text for score in page.all(".score")], page.values(".review")
    page.forget()


def test_a_link_shows_the_review_of_its_game(page, shared):
    words, scores, figures = shared
    page.open(words)
    page.first(".review")
    assert [score.text for score in page.all(".score")] == scores
    assert page.values(".review") == figures
    assert page.all(".trouble") == []
    assert page.text(".history summary") == "Luck and skill in 1 game"  # and not in two
    assert page.first(".share a").get_attribute("href") == page.address + words
    page.press("n")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    play(page)
    assert [score.text for score in page.all(".score")] == scores  # of the same dice and decisions


def test_the_dice_of_a_link_are_those_of_its_seed(page):
    start(page, "opponent=optimal&seed=7")
    play(page)
    page.press("n")
    play(page)  # the second game under this seed
    words = page.first(".share a").get_attribute("href").removeprefix(page.address)
    assert "&seed=7&part=1&" in words
    page.open(words)
    page.first(".review")
    check(page, STRATEGIES["optimal"].strategy, 0, 7, 1)


ROLLS_AGAIN = "rrhrrrrhrrrrrrrrrrrrrhrrrrrrhrr"
"""Decisions by which the person rolls at 15 and 17 and holds at 22, at 68 to 50, where the optimum holds from 14 to 18 only."""


def test_a_review_says_where_the_optimum_rolls_again_and_asks_for_it(page):
    page.open(f"?game=pig&opponent=optimal&seed=977670016719662275&part=0&first=you&replay={ROLLS_AGAIN}&end=104-50")
    page.first(".review table")
    rows = page.run(
        "return [...document.querySelectorAll('.review tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    advice = [row[2:5] for row in rows if row[1:2] == ["68 : 50"]]
    hold = "hold from 14 to 18, roll again above"
    assert advice == [["15", "rolled", hold], ["17", "rolled", hold], ["22", "held", "roll until you win"]]
    page.button(".review", "Try these positions again").click()
    asked = set()
    for _ in range(4):
        heading = page.text(".retry h3")
        asked.add(heading.split(": ")[1])
        if "22 at risk" in heading:
            assert "(32 wins, 22 holds)" in page.text(".retry .answer")
            page.press("22", ENTER)
            assert page.text(".retry .verdict").startswith("Too early: from there that costs 0.91")
            page.button(".retry", "Show me").click()
            assert page.text(".retry .verdict").startswith("Best is to roll until you win: with 22 at risk, ")
        else:
            page.press("1", ENTER)
            page.button(".retry", "Show me").click()
        page.press(ENTER)
    assert asked == {
        "you have 0 to 0.", "you have 34 to 50.", "you have 68 to 50.", "you have 68 to 50, and 22 at risk."
    }  # fmt: skip


def test_a_game_that_follows_a_link_goes_on_after_the_page_is_loaded_again(page, shared):
    words, _, _ = shared
    page.open(f"{words}&pace=0")
    page.first(".review")
    page.press("n")
    page.wait(lambda: state(page) == "asked", "the new game")
    page.press("r")
    page.wait(lambda: state(page) == "asked", "the opponent")
    before = board_says(page)
    assert page.run("return location.search") == "?pace=0"
    page.driver.refresh()
    page.wait(lambda: state(page) == "asked", "the game at hand")
    assert (board_says(page), page.all(".review")) == (before, [])


@pytest.mark.parametrize(
    ("pattern", "damage"),
    [("replay=[rh]", "replay="), ("replay=", "replay=x"), ("end=[0-9]+", "end=7"), ("seed=[0-9]+", "seed=1"), ("seed=[0-9]+&", ""),
     ("hold-at-20", "hold-at-21"), ("hold-at-20", "adaptive"), ("game=pig", "game=poker"), ("first=you", "first=opponent"), ("part=0", "part=1")],
)  # fmt: skip
def test_a_damaged_link_gets_a_sentence_and_a_new_game(page, shared, pattern, damage):
    words, _, _ = shared
    page.open(re.sub(pattern, damage, words, count=1))
    page.first("#play .trouble")
    page.wait(lambda: state(page) in ("asked", "waiting"), "the new game")
    assert [one.text for one in page.all(".trouble")] == [
        "This link to a game is damaged or from another version of the page: here is a new game."
    ]
    assert page.all(".review") == []


def test_a_game_of_a_link_that_cannot_be_loaded_gets_a_sentence_and_keeps_the_board(page, shared):
    words, _, _ = shared
    page.driver.execute_cdp_cmd("Network.enable", {})
    page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*hold-at-20*"]})
    try:
        page.open(words)
        page.wait(lambda: "Hold at 20 could not be loaded" in page.text("#play"), "the sentence")
        assert page.all(".board")
        assert page.all("#play > .trouble:not([hidden])") == []
    finally:
        page.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})


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


@pytest.fixture
def own_games(window):
    """A function that opens a page with a game of one's own, always at the same address, and plays a few acts, or to the end."""
    window.be_a_desktop()
    with PageServer(page_files(game=pigevo.Pig(target=50))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()

        def visit(game, words, acts=None):
            server.files = page_files(game=game)
            window.driver.get("about:blank")
            window.driver.get(f"{server.address}?game=yours&first=you&pace=0{words}")
            window.wait(lambda: state(window) == "asked", "the game")
            if acts is None:
                play(window)
                window.first(".review")
            for act in acts or "":
                window.press(act)
                window.wait(lambda: state(window) == "asked", "the opponent")

        yield visit
        window.driver.get("about:blank")
        server.shutdown()
        thread.join()
    window.complaints(), window.requested()


def test_a_game_goes_on_under_its_own_rules_only(window, own_games):
    """Another game of one's own has the same name and may have the same title."""
    to_50, two_dice = pigevo.Pig(target=50), GAMES["two_dice"].bind({"target": 50})
    own_games(to_50, "", "rrhrr")
    before = board_says(window)
    own_games(two_dice, "", "")
    assert window.text("#play .trouble") == (
        "The game that you had begun has other rules than Two-dice Pig to 50: it waits for a page with these rules."
    )
    assert window.all(".row-of-dice svg") == []
    own_games(to_50, "", "")
    assert (board_says(window), window.all("#play .trouble")) == (before, [])


def test_the_history_tells_games_of_ones_own_apart(window, own_games):
    """Whatever their titles are: a class of one's own may have that of another."""
    eight = pigevo.Pig(target=50, sides=8)
    for game in (eight, pigevo.Pig(target=50), OfThatTitle(target=50), eight):
        own_games(game, "&seed=7")
    window.first(".history summary").click()
    headings = [head.text for head in window.all(".history h3")]
    assert headings == ["Pig to 50 (sides=8): 1 game", "Pig to 50: 1 game", "Pig to 50: 1 game"]


@pytest.mark.usefixtures("stored")
def test_games_by_a_rule_are_not_of_ones_own_skill(page):
    start(page, "seed=7&opponent=hold-at-20&by=keep-pace")
    play(page)
    page.first(".by-rule button")
    page.first(".review")
    assert page.all(".history") == []
