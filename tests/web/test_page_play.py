"""Whole games in the browser, against the same games played by pigevo."""

import contextlib
import dataclasses
import json
import re
import time
from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest

import pigevo
from pigevo.cli.play_session import Adaptive
from pigevo.dice import Draw
from pigevo.people import Judge, Played, answers_to_holds, events, odds_of, review
from pigevo.strategies.rules import parse_rule
from pigevo.web.site import adapting_file, other_games, page_strategies
from tests.web.browser import ENTER, ESCAPE, TAB

pytestmark = pytest.mark.page
STRATEGIES = {strategy.id: strategy for strategy in page_strategies()}
HOLD_AT_20 = STRATEGIES["hold-at-20"].strategy
CLOSE = 1e-9
SEEN = 5e-5  # the least cost that two decimals of a percentage show


def rolls(total):
    """How these games are played: one hold at less than the optimum's, and turns that go too far."""
    return total < 27


def by_pigevo(opponent, seat, seed, part=0):
    """The same game, and its review."""
    happened = events(opponent, seat, Draw(seed, "dice").at(part=part), lambda position: rolls(position.total))
    played = Played.of(opponent, seat, happened)
    return played, review(played, Judge(opponent))


def start(page, words):
    """Open a game in which the person moves first."""
    page.open(f"?{words}&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.", "the first move")


def state(page):
    """Of the board: asked, waiting or over; empty before it is there."""
    return page.run("return document.querySelector('.board')?.dataset.state ?? ''")


def turn_total(page):
    return int(page.text(".at-risk .number"))


def play(page, act=None, wants=rolls):
    """Play a game to its end; `act(True)` rolls and `act(False)` holds: by key, unless it is given."""
    act = act or (lambda roll: page.press("r" if roll else "h"))
    for _ in range(2000):
        page.wait(lambda: state(page) in ("asked", "over"), "the opponent")
        if state(page) == "over":
            return
        act(wants(turn_total(page)))
    raise AssertionError("the game has no end")


def reviewed(page):
    """The figures of the review, and the rows of its table."""
    page.first(".review table")
    start, cost, luck, end = page.values(".review .sum-of-parts")
    rows = [
        ([cell.get_attribute("textContent") for cell in row.find_elements("css selector", "td")],
         [float(cell.get_attribute("data-value")) for cell in row.find_elements("css selector", "[data-value]")])
        for row in page.all(".review tbody tr:not(.note-row)")
    ]  # fmt: skip
    return {"start": start, "cost": cost, "luck": luck, "end": end}, rows


def notes(page):
    """The note below each row of the review's table, and its numbers."""
    script = """
    const rows = [...document.querySelectorAll(".review tbody tr:not(.note-row)")].map((row) => row.nextElementSibling);
    return rows.map((row) => [row.textContent, [...row.querySelectorAll("[data-value]")].map(({ dataset }) => Number(dataset.value))]);
    """
    return page.run(script)


def check_notes(page, opponent, choices):
    """Hold the notes of the review to pigevo's: what both choices are worth, and what the optimum does, which may come later."""
    game, optimum, expected = opponent.game, Judge(pigevo.optimal(opponent.game).strategy), []
    for choice, (_, (hold, roll, lost, kept)) in zip(choices, notes(page), strict=True):
        position = choice.position
        assert [hold, roll] == pytest.approx([choice.choice.hold, choice.choice.roll], abs=CLOSE)
        odds = odds_of(position)
        losing = odds.ends + odds.falls
        assert losing * lost + (1 - losing) * kept == pytest.approx(roll, abs=CLOSE)
        if type(game) is pigevo.Pig and not game.allow_pass:
            theirs = pigevo.state_values(opponent, Judge(opponent).best.strategy)
            assert lost == pytest.approx(1 - theirs[position.opponent, position.own, 0], abs=CLOSE)
        ours, best = (best_play(position, judge) for judge in (Judge(opponent), optimum))
        of_optimum = "" if ours == best else f"Against the optimum: {best}."
        digits = 2 if f"{round(100 * hold, 2) - round(100 * roll, 2):.2f}" == f"{100 * (hold - roll):.2f}" else 3
        numbers = [
            *(f"{100 * value:.{digits}f} %" for value in (hold, roll)),
            f"{100 * lost:.2f} %",
            f"{100 * kept:.2f} %",
        ]
        expected.append(
            f"Better: {ours}.A {'hold' if position.total else 'pass'} wins {numbers[0]}, a roll {numbers[1]}: "
            f"{numbers[2]} if it loses the turn, else {numbers[3]}.{of_optimum}"
        )
    page.wait(lambda: [words.replace("\u00a0", " ") for words, _ in notes(page)] == expected, f"the notes {expected}")


def best_play(position, judge):
    """What to do at a position, in words; best play may roll again above the totals at which it holds."""
    until, end = judge.until(position), position.game.size - (position.own if position.game.target else 0)
    if 0 < until <= position.total:
        totals = range(position.total + 1, end)
        rolled = (total for total in totals if judge.until(dataclasses.replace(position, rolls=(total,))) > total)
        above = next(rolled, None)
        return f"hold from {until} on" if above is None else f"hold from {until} to {above - 1}, roll again above"
    ends = position.game.target and not position.game.reply and position.own + until >= position.game.size
    return "roll until you win" if ends else {0: "pass", 1: "roll once"}.get(until, f"roll until {until}")


def check(page, opponent, seat, seed, part=0):
    """Hold the end of a game and its review to pigevo's."""
    played, right = by_pigevo(opponent, seat, seed, part)
    assert [int(score.text) for score in page.all(".score")] == list(played.scores)
    review_values, rows = reviewed(page)
    assert review_values == {name: pytest.approx(getattr(right, name), abs=CLOSE) for name in review_values}
    seen = [choice for choice in right.costly if choice.cost >= SEEN]
    dearest = sorted(seen, key=lambda choice: -choice.cost)[:12]
    expected, judge = [choice for choice in seen if choice in dearest], Judge(opponent)
    assert len(rows) == len(expected) > 0
    shown = re.findall(r"[\u2212+]?\d+\.\d\d\b", page.text(".review .sum-of-parts"))
    before, *changes, end = [round(100 * float(figure.replace("\u2212", "-"))) for figure in shown]
    assert (before + sum(changes), len(changes)) == (end, 2)  # the figures shown add up
    for (words, numbers), judged in zip(rows, expected, strict=True):
        position = judged.position
        scores, chosen = f"{position.own} : {position.opponent}", "rolled" if judged.rolled else "held"
        assert words[:4] == [str(position.turn), scores, str(position.total), chosen]
        assert words[4] == best_play(position, judge)
        assert words[5].split()[-1] == judged.size
        assert numbers == pytest.approx([judged.cost], abs=CLOSE)
    check_notes(page, opponent, expected)
    assert page.text(".review .in-short").replace("\u00a0", " ") == in_short(right)
    assert f"{len(seen)} of your {len(right.judged)} choices" in page.text(".review .summary")
    sizes = Counter(choice.size for choice in seen)
    counts = [
        f"{n} {size}" for size in ("blunder", "mistake", "inaccurac") if (n := sizes[size.replace("rac", "racy")])
    ]
    assert all(count in page.text(".review .summary") for count in counts)


def dearest_by(word_of, choices):
    """Of choices by a word for each, those that cost most together: the word, the choices, and what they cost."""
    groups = {}
    for choice in choices:
        groups.setdefault(word_of(choice), []).append(choice)
    return max(
        ((word, some, sum(choice.cost for choice in some)) for word, some in groups.items()), key=lambda group: group[2]
    )


def in_short(right):
    """What was wrong most, in words, from pigevo's review."""

    def kind(choice):
        if not choice.position.total:
            return "rolled where passing was better" if choice.rolled else "passed where rolling was better"
        return "rolled on too long" if choice.rolled else "held too early"

    def standing(choice):
        lead = choice.position.own - choice.position.opponent
        return "you were ahead" if lead > 0 else "you were behind" if lead < 0 else "the scores were level"

    wrong, errors, cost = dearest_by(kind, [choice for choice in right.costly if choice.cost >= SEEN])
    when, some, part = dearest_by(standing, errors)
    seen = sum(choice.cost >= SEEN for choice in right.costly)
    of_all = f" of the {100 * right.cost:.2f}" if len(errors) < seen else ""
    lost = " that your choices cost" if of_all else ""
    told = f"that cost {100 * cost:.2f}{of_all} percentage points{lost}"
    if len(errors) == 1:
        return f"You {wrong} once, when {when}; {told}."
    times = "twice" if len(errors) == 2 else f"{len(errors)} times"
    share = f", {'all' if len(some) == len(errors) else 'most'} of it when {when}" if part >= 2 / 3 * cost else ""
    return f"You {wrong} {times}; {told}{share}."


WHOLE = {
    "opponent=optimal": (7, 0), "opponent=hold-at-20": (11, 1), "opponent=champion": (2, 0), "game=piglet": (4, 0),
    "game=two_dice": (3, 0), "game=pass_the_pigs": (5, 0), "game=skunk": (8, 0), "game=equal_turns": (7, 0),
    "game=ten_rounds": (9, 0), "game=pig_with_passing": (10, 0),
}  # fmt: skip
"""What the address says of a game, its seed, and the seat of the person."""


@pytest.mark.parametrize("words", WHOLE)
def test_a_whole_game_by_keyboard_and_its_review(page, words):
    (seed, seat), (kind, name) = WHOLE[words], words.split("=")
    page.open(f"?{words}&seed={seed}&first={('you', 'opponent')[seat]}&pace=0")
    page.first(".choices button")
    play(page)
    games = other_games()
    check(page, STRATEGIES[name].strategy if kind == "opponent" else pigevo.optimal(games[name]).strategy, seat, seed)
    assert page.run("return document.activeElement.textContent").startswith("Review.")


def begin_to_try_again(page):
    """Play a game to the end and try its positions again: pigevo's review and the dearest choice, which is asked first."""
    start(page, "opponent=optimal&seed=7")
    play(page)
    _, right = by_pigevo(STRATEGIES["optimal"].strategy, 0, 7)
    dearest = max(right.costly, key=lambda choice: choice.cost)
    page.button(".review", "Try these positions again").click()
    return right, dearest


def test_positions_are_tried_again_until_they_are_right(page):
    right, dearest = begin_to_try_again(page)
    assert page.text(".retry h3").endswith(f"you have {dearest.position.own} to {dearest.position.opponent}.")
    assert set(
        page.run("return [...document.querySelectorAll('.instead')].map((one) => getComputedStyle(one).visibility)")
    ) == {"hidden"}
    page.press("2", ENTER)
    verdict = page.text(".retry .verdict")
    assert re.fullmatch(
        r"Too early: from the beginning of a turn that costs \d+\.\d\d percentage points on average, a (mistake|blunder)\. "
        r"Try again\.",
        verdict.replace("\u00a0", " "),
    )
    positions = len({choice.position.turn for choice in right.costly if choice.cost >= SEEN})
    for number in range(positions):
        heading = page.text(".retry h3")
        assert heading.startswith(f"Position {number + 1} of {positions}: ")
        own, other = (int(score) for score in re.findall(r"\d+", heading)[2:])
        answer = next(
            judged.until for judged in right.costly if (judged.position.own, judged.position.opponent) == (own, other)
        )
        field = page.first(".retry input")
        field.clear()
        field.send_keys(str(answer), ENTER)
        assert page.text(".retry .verdict").startswith("Right: roll until ")
        page.press(ENTER)
    assert page.text(".retry p") == "Every position is right."
    assert "visible" in page.run("return getComputedStyle(document.querySelector('.instead')).visibility")


def test_the_next_answer_takes_the_place_of_a_wrong_one(page):
    begin_to_try_again(page)
    page.press("2", ENTER)
    assert page.text(".retry .verdict").startswith("Too early")
    page.press("30")
    assert (page.first(".retry input").get_attribute("value"), page.text(".retry .verdict")) == ("30", "")


def test_after_a_wrong_answer_the_right_one_is_shown_with_its_reason(page):
    _, dearest = begin_to_try_again(page)
    assert page.all(".retry button")[1:] == []
    page.press("2", ENTER)
    page.button(".retry", "Show me").click()
    said = page.text(".retry .verdict").replace("\u00a0", " ")
    words = r"Best is to roll until (\d+): with 2 at risk, rolling on until \1 is worth (\S+) %, and a hold (\S+) %\."
    shown = re.fullmatch(words, said)
    assert shown
    assert int(shown[1]) == dearest.until
    at_two = dataclasses.replace(dearest.position, rolls=(2,))
    choice = Judge(STRATEGIES["optimal"].strategy).choice(at_two)
    assert [float(value) for value in shown.groups()[1:]] == pytest.approx(
        [100 * choice.roll, 100 * choice.hold], abs=0.00501
    )
    assert page.run("return document.activeElement.textContent") in ("Next position", "Done")
    positions = int(page.text(".retry h3").split()[3].rstrip(":"))
    for _ in range(positions - 1):
        page.press(ENTER)  # the next position
        page.press("2", ENTER)
        page.button(".retry", "Show me").click()
    page.press(ENTER)
    assert page.text(".retry p") == (
        f"All {positions} answers were shown to you." if positions > 1 else "The answer was shown to you."
    )


def test_two_who_pass_end_in_a_stalemate(page):
    start(page, "game=pig_with_passing&opponent=roll-and-wait&seed=1")
    assert page.text(".choices button:nth-child(2)").startswith("Pass")
    play(page, wants=lambda _: False)
    assert page.text(".said") == "A stalemate: you have both passed, and nobody wins."


def test_a_game_is_chosen(page):
    start(page, "seed=2")
    assert len(page.all(".die-box .die")) == 1
    page.choice("play", 0).select_by_visible_text("Big Pig to 100")
    page.wait(lambda: len(page.all(".die-box .die")) == 2)
    page.wait(lambda: state(page) == "asked" and page.text(".said") == "You move first: roll.", "the optimum")
    assert "doubles count twice, two 1s are worth 25. The first to have 100 wins." in page.text(".rules")
    assert len(page.all("#play select")) == 3  # nobody else gives advice
    page.first(".choices button").click()  # the focus is still on the choice of games, which takes keys for itself
    page.wait(lambda: page.text(".said").startswith("You rolled "))


def test_a_game_with_the_mouse(page):
    start(page, "seed=9&opponent=keep-pace")
    play(page, lambda roll: page.all(".choices button")[0 if roll else 1].click())
    check(page, STRATEGIES["keep-pace"].strategy, 0, 9)
    page.wait(lambda: page.first(".choices .again").get_attribute("aria-disabled") == "false", "the button")
    page.first(".choices .again").click()
    page.wait(lambda: page.text(".said") == "You move first: roll.")


def test_a_game_with_a_finger_at_a_phones_width(page):
    page.be_a_phone()
    start(page, "seed=4&opponent=optimal")

    def tap(roll):
        before = page.text(".said")
        time.sleep(0.26)  # a second tap at once does nothing
        page.touch(page.middle(page.all(".choices button")[0 if roll else 1]))
        page.wait(lambda: page.text(".said") != before, "the tap")

    play(page, tap)
    check(page, STRATEGIES["optimal"].strategy, 0, 4)


def utc_day():
    return datetime.now(UTC).date()


def test_the_game_of_the_day_has_dice_of_its_date(page):
    start(page, "")
    today = utc_day()
    page.first(".daily").click()
    page.wait(lambda: page.driver.current_url.endswith("?daily") and state(page) == "asked", "the game of the day")
    if today != utc_day():
        return  # midnight was meanwhile
    assert page.text(".about").endswith(f" The game of {today.day} {today:%B %Y}: everybody has these dice.")
    page.driver.get(f"{page.address}?play&daily&pace=0")
    page.first(".choices button")
    play(page)
    check(page, STRATEGIES["optimal"].strategy, 0, int(f"{today:%Y%m%d}"))


@pytest.mark.parametrize("words", ["seed=4", "daily"])
def test_on_a_phone_the_first_roll_comes_before_the_settings(page, words):
    page.be_a_phone(390, 844)
    start(page, words)
    buttons = [*page.all(".choices button"), *page.all(".asked button")]
    assert len(buttons) == 5
    for button in buttons:
        box = page.run(
            "const b = arguments[0].getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]", button
        )
        assert min(box) >= 0
        assert box[2] <= 390
        assert box[3] <= 844
    assert page.all(".settings[open]") == page.all("button kbd") == []
    assert "Holding adds the turn total to your score." in page.text(".rules")
    page.first(".settings summary").click()
    assert len(page.all(".settings[open] select")) == 5
    page.be_a_desktop()
    start(page, "seed=4")
    assert len(page.all(".settings[open] select")) == 5


@pytest.mark.parametrize(("down", "seed"), [(0, 2), (500, 2), (500, 4)])
def test_on_a_phone_a_roll_folds_the_settings_and_leaves_the_scores_in_view(page, down, seed):
    page.be_a_phone(390, 844)
    start(page, f"seed={seed}")
    page.first(".settings summary").click()
    page.run("scrollTo(0, arguments[0])", down)
    page.all(".choices button")[0].click()
    page.wait(lambda: page.text(".said") != "You move first: roll.", "the roll")
    assert page.all(".settings[open]") == []
    top, bottom = page.ends(".panel")[0], page.ends(".choices")[1]
    assert 0 <= top < bottom <= 844


def test_on_a_phone_the_buttons_do_not_lie_over_the_scores_while_the_settings_are_open(page):
    page.be_a_phone(390, 844)
    start(page, "seed=2")
    page.first(".settings summary").click()
    page.run("scrollTo(0, 0)")
    assert page.ends(".panel")[1] < page.ends(".choices")[0]


def test_on_a_phone_both_scores_are_level_in_a_game_of_rounds(page):
    page.be_a_phone(390, 844)
    start(page, "game=ten_rounds&seed=4")
    assert page.text(".panel.mine .note") == "to move, 10 left"
    assert len({score.rect["y"] for score in page.all(".score")}) == 1


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 600), (390, 844)])
def test_odds_are_seen_when_they_are_asked_for(page, width, height):
    page.be_a_phone(width, height)
    start(page, "seed=4")
    page.run("scrollTo(0, 0)")
    page.run("arguments[0].click()", page.button(".asked", "Odds"))
    top, bottom = page.ends(".odds")
    assert 0 <= top < bottom <= height


def test_the_settings_are_in_one_line_where_there_is_room(page):
    page.be_a_phone(1280, 800)
    start(page, "seed=4")
    assert len({select.rect["y"] for select in page.all(".setup select")}) == 1


def board_says(page):
    """What the board and the score sheet show."""
    return [part.text for part in page.all(".panel, .at-risk, .log")]


def test_the_game_of_the_day_goes_on_after_the_page_is_loaded_again(page):
    start(page, "daily&opponent=hold-at-20")
    for _ in range(3):  # after a turn or two, and within one
        while turn_total(page) < 5:
            page.press("r")
            page.wait(lambda: state(page) in ("asked", "over"), "the opponent")
        before = board_says(page)
        page.open("?daily&pace=0")  # it is of the opponent that was chosen
        page.wait(lambda: state(page) == "asked", "the game at hand")
        assert board_says(page) == before
        page.press("h")
        page.wait(lambda: state(page) == "asked", "the opponent")
    play(page)
    link = page.first(".share a").get_attribute("href")
    figures = page.values(".review")
    for _ in range(2):
        page.open("?daily&pace=0")
        assert page.first(".share a").get_attribute("href") == link
        assert (state(page), page.values(".review")) == ("over", figures)
        assert page.all(".whose") == []  # it is not somebody else's
    assert page.text(".history summary") == "Luck and skill in 1 game"
    page.first(".history summary").click()
    page.button(".history", "Clear the history").click()
    page.open("?daily&pace=0")
    page.first(".review")
    assert page.all(".history") == []
    kept = "localStorage['pigevo game of the day']"
    page.run(
        f"{kept} = {kept}.replace('\"counted\":true', '\"counted\":false')"
    )  # as if the page had been left before the end was shown
    start(page, "daily&opponent=optimal")  # who asks for another game gets it


def test_after_the_game_of_the_day_come_ordinary_games(page):
    start(page, "daily")
    page.press("r")
    seed = json.loads(page.run("return localStorage.getItem('pigevo game of the day')"))[0]["seed"]
    page.button(".asked", "New game").click()
    page.button(".asked", "End it").click()
    page.wait(lambda: "this is an ordinary game" in page.text(".about") and state(page) == "asked", "the next game")
    assert "everybody has these dice" not in page.text(".about")
    assert page.run("return location.search") == "?first=you&pace=0"
    assert json.loads(page.run("return localStorage.getItem('pigevo game at hand')"))[0]["seed"] != seed
    page.press("r")
    before = board_says(page)
    reload_during_a_game(page)
    assert board_says(page) == before


def reload_during_a_game(page):
    page.driver.refresh()
    page.wait(lambda: state(page) == "asked", "the person's turn")


def review_at_once(page):
    """The words of the review without those that wait for the optimum."""
    return re.sub(r"Against the optimum: .*", "", page.text(".review")).split()


def test_a_free_game_goes_on_after_the_page_is_loaded_again_and_shows_its_review_at_the_end(page):
    page.open("?pace=0")
    page.wait(lambda: state(page) == "asked", "the first game")
    for number, name in enumerate(["Hold at 20", "the opponent", "The one-number rule"], 1):
        page.choice("play", number).select_by_visible_text(name)
    page.wait(lambda: state(page) == "asked" and page.all(".log"), "the opponent's first turn")
    page.run("document.activeElement.blur()")  # a list takes keys for itself
    for _ in range(2):
        page.press("r")
        page.wait(lambda: state(page) == "asked", "the opponent")
    before = board_says(page)
    chosen = [page.choice("play", number).first_selected_option.text for number in range(5)]
    assert chosen == ["Pig to 100", "Hold at 20", "the opponent", "The one-number rule", "your own judgement"]
    reload_during_a_game(page)
    assert board_says(page) == before
    assert [page.choice("play", number).first_selected_option.text for number in range(5)] == chosen
    page.button(".asked", "New game").click()
    page.button(".asked", "End it").click()
    page.wait(lambda: state(page) == "asked" and board_says(page) != before, "the next game")
    assert len(page.all(".log tbody tr")) == 1  # the opponent's first turn
    before = board_says(page)
    reload_during_a_game(page)
    assert board_says(page) == before
    play(page)
    page.first(".review")
    said = review_at_once(page)
    page.driver.refresh()
    assert review_at_once(page) == said
    page.open("?pace=0")  # another visit
    page.wait(lambda: state(page) == "asked", "a new game")
    assert page.all(".review") == []


@contextlib.contextmanager
def another_tab(page, words="?pace=0"):
    """A second tab of the same browser, which is closed in the end."""
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.open(words)
    page.wait(lambda: state(page) in ("asked", "over"), "its game")
    yield
    page.driver.close()
    page.driver.switch_to.window(first)


def a_turn(page):
    page.press("r")
    page.wait(lambda: state(page) == "asked", "the opponent")


@pytest.mark.parametrize("words", ["?pace=0", "?daily&pace=0"])
def test_each_tab_has_a_game_of_its_own(page, words):
    page.open(words)
    page.wait(lambda: state(page) == "asked", "the game of the first tab")
    for _ in range(2):
        a_turn(page)
        before = board_says(page)
        with another_tab(page, words):
            assert (board_says(page) == before) == ("daily" in words)  # which goes on as far as it has come in any tab
            for _ in range(3):
                a_turn(page)
            other = board_says(page)
            reload_during_a_game(page)
            assert board_says(page) == other
        reload_during_a_game(page)
        assert board_says(page) == before


@contextlib.contextmanager
def old_session(page):
    """What sessionStorage has before, it has again afterwards, as in a process of the browser to which a tab comes back."""
    before = page.run("return {...sessionStorage}")
    yield
    page.open("?look")  # which plays no game
    page.run("sessionStorage.clear(); Object.assign(sessionStorage, arguments[0])", before)


def end_it(page):
    page.press("n", TAB, ENTER)


@pytest.mark.parametrize("words", ["", "daily"])
@pytest.mark.parametrize("what", [end_it, play, a_turn])
def test_an_old_session_brings_back_no_game_as_it_was(page, what, words):
    start(page, words)
    while turn_total(page) == 0:
        a_turn(page)
    with old_session(page):
        what(page)
        page.wait(lambda: state(page) in ("asked", "over"), "the person's turn")
        if words and what is end_it:
            page.open("?daily&pace=0&first=you")  # it went on; after it there was an ordinary game
            page.wait(lambda: state(page) == "asked", "the game of the day")
        after = board_says(page)
    page.open(f"?{words}&first=you&pace=0")
    page.wait(lambda: state(page) in ("asked", "over"), "a game")
    if what is a_turn or words:
        assert board_says(page) == after
    else:
        assert [score.text for score in page.all(".score")] == ["0", "0"]
        assert (turn_total(page), page.all(".review")) == (0, [])
        assert page.text(".said") == "You move first: roll."


def test_a_game_whose_tab_was_closed_goes_on_in_one_other_tab(page):
    start(page, "opponent=hold-at-20")
    with another_tab(page):
        a_turn(page)
        left = board_says(page)
    with another_tab(page):
        assert board_says(page) == left
        reload_during_a_game(page)
        with another_tab(page):
            assert board_says(page) != left
        reload_during_a_game(page)
        assert board_says(page) == left


def focused(page):
    return page.run("return document.activeElement.firstChild?.textContent")


def test_a_new_game_asks_before_it_ends_one_that_has_begun(page):
    start(page, "opponent=hold-at-20")
    page.press("n")  # nothing was rolled: nothing is lost
    page.wait(lambda: page.text(".said") == "You move first: roll.", "the new game")
    assert page.all("[role=group]") == []
    while turn_total(page) == 0:
        page.press("r")
        page.wait(lambda: state(page) == "asked", "the opponent")
    before = board_says(page)
    for answer in (ENTER, ESCAPE):
        page.press("n")
        question = page.first("[role=group]")
        assert (question.accessible_name, question.text.split("\n")[0]) == ("End this game?", "End this game?")
        assert (focused(page), page.all(".board button")[-2:]) == (
            "Go on",
            question.find_elements("css selector", "button"),
        )
        page.press(answer)
        assert (page.all("[role=group]"), focused(page)) == ([], "New game")
        assert board_says(page) == before
    page.press("n")
    page.press("r")  # who rolls goes on
    assert (page.all("[role=group]"), board_says(page) == before) == ([], False)
    page.wait(lambda: state(page) == "asked", "the opponent")
    page.press("n", TAB, ENTER)
    page.wait(lambda: state(page) == "asked", "the new game")
    assert (page.all("[role=group]"), focused(page)) == ([], "Roll")
    assert [score.text for score in page.all(".score")] == ["0", "0"]


def test_another_game_of_the_list_asks_before_it_ends_one_that_has_begun(page):
    start(page, "opponent=hold-at-20")
    games = page.choice("play", 0)
    games.select_by_visible_text("Big Pig to 100")  # nothing was rolled: nothing is lost
    page.wait(lambda: "doubles count twice" in page.text(".rules") and state(page) == "asked", "Big Pig")
    games.select_by_visible_text("Pig to 100")
    page.wait(lambda: "doubles count twice" not in page.text(".rules") and state(page) == "asked", "Pig")
    page.run("document.activeElement.blur()")
    while turn_total(page) == 0:
        page.press("r")
        page.wait(lambda: state(page) == "asked", "the opponent")
    before = board_says(page)
    games.select_by_visible_text("Big Pig to 100")
    question = page.first("[role=group]")
    assert question.accessible_name == "End this game and begin Big Pig to 100?"
    assert games.first_selected_option.text == "Pig to 100"
    page.press(ENTER)
    assert (page.all("[role=group]"), board_says(page)) == ([], before)
    games.select_by_visible_text("Big Pig to 100")
    page.button("[role=group]", "End it").click()
    page.wait(lambda: "doubles count twice" in page.text(".rules") and state(page) == "asked", "Big Pig")
    assert (games.first_selected_option.text, page.all("[role=group]"), focused(page)) == ("Big Pig to 100", [], "Roll")


def test_another_game_that_the_address_asks_for_begins_at_once(page):
    page.open("?pace=0&first=you")
    page.wait(lambda: state(page) == "asked", "the first game")
    while turn_total(page) == 0:
        page.press("r")
        page.wait(lambda: state(page) == "asked", "the opponent")
    before = board_says(page)
    for words in ("opponent=hold-at-25", "seed=3", "game=piglet", "first=opponent"):
        page.open(f"?pace=0&{words}")
        page.wait(lambda: state(page) == "asked", words)
        assert board_says(page) != before
    page.open("?pace=0")
    page.wait(lambda: state(page) == "asked", "the game at hand")
    assert board_says(page) == before


def test_games_that_have_begun_are_there_again_at_their_addresses(page):
    before = {}
    for name in ("pig", "piglet", "big_pig"):
        page.open(f"?pace=0&first=you&game={name}")
        page.wait(lambda: state(page) == "asked", name)
        while turn_total(page) == 0:
            page.press("r")
            page.wait(lambda: state(page) == "asked", "the opponent")
        before[name] = board_says(page)
    for name in ("piglet", "pig", "big_pig"):
        page.open(f"?pace=0&game={name}")
        page.wait(lambda: state(page) == "asked", name)
        assert board_says(page) == before[name]
        reload_during_a_game(page)
        assert board_says(page) == before[name]
    page.press("n", TAB, ENTER)
    page.wait(lambda: state(page) == "asked" and turn_total(page) == 0, "a new game")
    page.open("?pace=0&game=pig")
    page.wait(lambda: state(page) == "asked", "the game at hand")
    assert board_says(page) == before["pig"]


@pytest.mark.parametrize(
    "damage",
    ["", "{", '"rh"', "null", *({name: value} for name in ("acts", "seed", "part", "seat", "game", "opponent", "by") for value in ("hh", 7.5, -1, None))],
)  # fmt: skip
def test_a_damaged_game_at_hand_begins_anew(page, damage):
    for words, key in (("daily", "pigevo game of the day"), ("opponent=optimal", "pigevo game at hand")):
        start(page, words)
        page.press("r")
        kept = json.loads(page.run("return localStorage.getItem(arguments[0])", key))[0]
        text = damage if isinstance(damage, str) else json.dumps([{**kept, **damage}])
        page.store({key: text, "pigevo tab": kept["tab"]})
        start(page, words)
        assert page.all(".trouble, .row-of-dice svg") == []


def test_on_a_phone_that_is_turned_the_settings_are_folded_too(page):
    page.be_a_phone(844, 390)
    start(page, "seed=4")
    assert page.all(".settings[open]") == []
    page.first(".settings summary").click()
    assert len(page.all(".settings[open] select")) == 5


def test_on_a_phone_the_buttons_stay_where_they_are(page):
    page.be_a_phone(390, 844)
    start(page, "seed=3")
    places = set()

    def act(roll):
        button = page.all(".choices button")[0 if roll else 1]
        places.add(
            (
                button.rect["y"] - page.run("return scrollY"),
                button.rect["height"],
                page.run("return arguments[0].scrollWidth <= arguments[0].clientWidth", button),
            )
        )
        page.press("r" if roll else "h")

    play(page, act)
    ((_, height, fits),) = places
    assert (height, fits) == (60, True)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_advice_is_seen_when_it_is_asked_for(page, width, height):
    """It stands below the board, which fills the screen of a phone."""
    page.be_a_phone(width, height)
    start(page, "seed=2&opponent=hold-at-20")
    page.press("rra")
    page.first(".advice table")
    box = "const box = document.querySelector('.advice h3').getBoundingClientRect(); return [box.top, box.bottom]"
    page.wait(lambda: (ends := page.run(box)) and ends[0] >= 0 and ends[1] <= height, "the advice")


def test_advice_and_odds_are_those_of_pigevo(page):
    start(page, "seed=2&opponent=hold-at-20")
    page.press("rrroa")
    total = turn_total(page)
    assert total > 0
    page.first(".advice table")
    happened = events(HOLD_AT_20, 0, Draw(2, "dice"), lambda _: True)
    position = next(event.position for event in happened if hasattr(event, "rolled") and event.position.total == total)
    right = [Judge(opponent).choice(position) for opponent in (HOLD_AT_20, STRATEGIES["optimal"].strategy)]
    worths = [worth for choice in right for worth in (choice.roll, choice.hold)]
    assert page.values(".advice") == pytest.approx(worths, abs=CLOSE)
    better = right[0].better
    assert page.text(".advice h3").lower().startswith(f"{better}: it is worth {100 * abs(right[0].gain):.2f}")
    assert re.search(r"loses the turn with probability 16.7\W% *\. On average", page.text(".odds"))
    page.press("o")
    assert page.all(".odds") == []


def test_advice_before_the_first_roll_of_a_turn_is_about_a_pass(page):
    start(page, "game=pig_with_passing&seed=2")
    page.press("a")
    page.first(".advice table")
    assert [head.text for head in page.all(".advice th")] == ["against", "if you roll", "if you pass"]


@pytest.mark.parametrize("adviser", ["rule-one", "rule-two", "rule-three", "rule-four", "keep-pace"])
def test_a_rule_advises(page, adviser):
    start(page, f"seed=2&opponent=hold-at-20&adviser={adviser}")
    rule, sentences = parse_rule(STRATEGIES[adviser].rule), set()
    for _ in range(12):
        page.wait(lambda: state(page) == "asked", "the opponent")
        total, (own, other) = turn_total(page), (int(score.text) for score in page.all(".score"))
        if total:
            page.press("a")
            advice = "rolls" if total < rule.at(np.array(own), np.array(other), 100) else "holds"
            sentence = f"{STRATEGIES[adviser].title} {advice}."
            page.wait(lambda sentence=sentence: page.text(".advice h3") == sentence, sentence)
            assert page.text(".advice p") == rule.sentence
            assert len(page.values(".advice")) == 4
            sentences.add(sentence)
        page.press("r" if total < 30 else "h")
    assert len(sentences) == 2


def test_an_adviser_is_chosen(page):
    start(page, "seed=2&opponent=optimal&adviser=nobody")
    choice = page.choice("play", 3)
    assert choice.first_selected_option.text == "The optimum"
    advisers = [strategy.title for strategy in STRATEGIES.values() if strategy.id == "optimal" or strategy.rule]
    assert [option.text for option in choice.options] == advisers
    page.press("ra")
    page.first(".advice table")
    assert ": it is worth " in page.text(".advice h3")
    choice.select_by_visible_text("The one-number rule")
    assert page.text(".about").startswith("Your adviser is the one-number rule. Roll until your score")
    page.all("#play .asked button")[0].click()
    page.wait(lambda: page.text(".advice h3") == "The one-number rule rolls.")


@pytest.mark.parametrize(
    ("words", "said"),
    [("game=nonsense", "game=nonsense is not a game of the page: Pig to 100 is taken."),
     ("opponent=x", "opponent=x is not an opponent in Pig to 100: the optimum is taken."),
     ("by=x", "by=x is not a rule of the page for Pig to 100: your own judgement is taken."),
     ("first=me", "first=me is not you, opponent or in-turn: in-turn is taken."),
     (f"seed={'9' * 50}", f"seed={'9' * 35}... is not a whole number from 0 to 9223372036854775807: a new seed for each game is taken."),
     ("game=piglet&opponent=hold-at-20&seed=1", "opponent=hold-at-20 is not an opponent in Piglet to 10: the optimum is taken."),
     ("pace=99999", "pace=99999 is not a whole number of milliseconds up to 60000: 60000 is taken."),
     ("daily=20200101", "daily=20200101 is not daily without a value: the game of today is taken."),
     ("daily&seed=abc", "seed is left out: the game of the day has its date as its seed."),
     ("daily&seed=5", "seed is left out: the game of the day has its date as its seed."),
     ("part=3", "part is a word of a link to a game, which has replay too: it is left out."),
     ("end=4-4", "end is a word of a link to a game, which has replay too: it is left out."),
     ("seed=5&seed=abc", "seed stands there more than once: the first one is taken."),
     ("foo=bar", "foo is not a word that the page knows: it is left out."),
     ("first=me&foo", "first=me is not you, opponent or in-turn: in-turn is taken. foo is not a word that the page knows: it is left out.")],
)  # fmt: skip
def test_a_word_of_the_address_that_makes_no_sense_gets_a_sentence(page, words, said):
    page.open(f"?{words}" if words.startswith("pace") else f"?{words}&pace=0")
    assert page.text("#play .trouble") == said
    page.wait(lambda: state(page) in ("asked", "waiting"), "the game")


def test_a_damaged_link_hides_no_other_word_that_makes_no_sense(page):
    page.open("?replay=x&adviser=nobody&foo&pace=0")
    assert page.text("#play .trouble") == (
        "This link to a game is damaged or from another version of the page: here is a new game. adviser=nobody is not "
        "an adviser in Pig to 100: the optimum is taken. foo is not a word that the page knows: it is left out."
    )


TAPS = """
const [places, pause, done] = arguments;
const buttons = document.querySelectorAll(".choices button");
const next = (n) => pause ? setTimeout(tap, pause, n) : tap(n);  // without a pause at once, however busy the machine is
const tap = (n) => { buttons[places[n]].click(); n + 1 < places.length ? next(n + 1) : done(document.querySelectorAll(".row-of-dice .die").length); };
tap(0);
"""


@pytest.mark.parametrize(("pause", "throws"), [(0, 1), (400, 2)])
def test_a_second_tap_at_once_does_nothing(page, pause, throws):
    start(page, "seed=5")  # whose first two throws are a 6 and a 4
    assert page.driver.execute_async_script(TAPS, [0, 0], pause) == throws


def test_a_second_tap_on_the_last_roll_leaves_the_review(page):
    """The button for another game lies where that for a roll was."""
    start(page, "seed=9&opponent=keep-pace")
    page.run("""
    const board = document.querySelector(".board"), tap = () => {
      board.querySelector(".again").click();
      board.dataset.tapped = board.dataset.state;
    };
    new MutationObserver(() => board.dataset.state === "over" && setTimeout(tap, 400)).observe(board, { attributeFilter: ["data-state"] });
    """)
    play(page)
    page.first(".review")
    page.wait(lambda: page.first(".board").get_attribute("data-tapped"), "the tap")
    assert page.first(".board").get_attribute("data-tapped") == state(page) == "over"


def test_a_tap_on_a_button_that_is_switched_off_does_not_hurry_the_opponent(page):
    page.open("?seed=4&first=you&opponent=hold-at-20&pace=60000")
    page.wait(lambda: state(page) == "asked", "the first move")
    page.press("r")
    page.driver.execute_async_script(TAPS, [1, 1, 1], 400)
    assert (state(page), len(page.all(".log tbody tr"))) == ("waiting", 1)
    page.press("h")
    page.wait(lambda: state(page) == "asked", "the opponent, who was hurried")


def test_keys_do_nothing_where_something_is_chosen(page):
    start(page, "seed=2")
    page.first("#play select").send_keys("h")
    page.press("h")
    assert turn_total(page) == 0


def test_the_opponent_takes_its_time_and_can_be_hurried(page):
    """A minute before each roll is more than anything here is waited for."""
    page.open("?seed=1&first=opponent&opponent=hold-at-20&pace=60000")
    page.wait(lambda: "moves first" in page.text(".said"))
    assert state(page) == "waiting"
    page.press("r")
    page.wait(lambda: "Your turn" in page.text(".said"))
    assert turn_total(page) == 0


def test_who_prefers_no_motion_does_not_wait(page):
    page.prefer(reduced_motion="reduce")
    page.open("?seed=7&first=opponent&opponent=hold-at-20")
    page.wait(lambda: "Your turn" in page.text(".said"))
    assert page.run("return getComputedStyle(document.querySelector('.die-box .die')).animationName") == "none"


def test_the_course_of_the_game_is_read_aloud(page):
    start(page, "seed=2")
    element = page.first(".said")
    assert (element.get_attribute("aria-live"), element.aria_role) == ("polite", "status")


@pytest.fixture(scope="module")
def answers():
    """Of the opponent that adapts, solved for here and for the page, so that nobody waits for them there."""
    adapting_file(pigevo.Pig())
    return answers_to_holds(pigevo.Pig())


def test_an_opponent_that_adapts_plays_and_believes_as_in_the_terminal(page, answers):
    """Two games, the second with other dice and in the other seat; by this seed it responds in one of them."""
    seed = 5
    adaptive, played = Adaptive(answers, 0.01, seed), set()
    page.open(f"?seed={seed}&opponent=adaptive&pace=0")
    for part in range(2):
        judge = adaptive.opponent_of_game(part, part % 2)
        play(page)
        check(page, judge.opponent, part % 2, seed, part)
        adaptive.learn(by_pigevo(judge.opponent, part % 2, seed, part)[0])
        right = adaptive.record()
        low, value, high = (right["believed"][name] for name in ("low", "value", "high"))
        assert page.text(".adapting h2") == f"It believes that you hold at {value}."
        text = page.text(".adapting").replace("\u00a0", " ")
        assert f"With 95 % it is {low} to {high}, after {right['believed']['turns']} turns" in text
        ends = [right["account"][name] for name in ("gain", "low", "high", "most_loss")]
        assert page.values(".adapting") == pytest.approx(ends, abs=1e-6)
        played.add(right["games"][-1]["played"])
        page.press("n")
    assert played == {"response", "optimum"}


@pytest.mark.usefixtures("answers")
def test_advice_does_not_tell_what_an_opponent_that_adapts_plays(page):
    start(page, "seed=2&opponent=adaptive")
    page.press("ra")
    page.wait(lambda: page.text(".advice h3"))
    assert len(page.values(".advice")) == 2


def test_errors_in_a_game_by_a_rule_are_counted(page):
    start(page, "seed=7&opponent=hold-at-20&by=keep-pace")
    assert "Play by this rule" in page.text(".about")
    play(page)
    rule = STRATEGIES["keep-pace"].strategy.roll
    _, right = by_pigevo(HOLD_AT_20, 0, 7)
    positions = [(choice.position.own, choice.position.opponent, choice.position.total) for choice in right.judged]
    wrong = sum(
        bool(rule[position]) is not choice.rolled for position, choice in zip(positions, right.judged, strict=True)
    )
    page.first(".by-rule button")
    words = page.text(".by-rule .counted")
    assert words.startswith(f"{wrong} of ")
    assert re.search(
        r": held too early (1 time|(0|[2-9]|\d\d+) times), rolled on too long (1 time|(0|[2-9]|\d\d+) times)\.$", words
    )
