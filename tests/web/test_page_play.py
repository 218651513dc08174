"""Whole games in the browser, against the same games played by pigevo."""

import re

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.people import Judge, Played, events, review
from pigevo.strategies.rules import parse_rule
from pigevo.web.site import adapting_file, other_games, page_strategies

pytestmark = pytest.mark.page
SHOWN = {one.id: one for one in page_strategies()}
CLOSE = 1e-9


def rolls(total):
    """How these games are played: one hold at less than the optimum's, and turns that go too far."""
    return total < 27


def by_pigevo(opponent, seat, seed, part=0):
    """The same game, and its review."""
    happened = events(opponent, seat, Draw(seed, "dice").at(part=part), lambda place: rolls(place.total))
    played = Played.of(opponent, seat, happened)
    return played, review(played, Judge(opponent))


def state(page):
    """Of the board: asked, waiting or over; empty before it is there."""
    return page.run("return document.querySelector('.board')?.dataset.state ?? ''")


def play(page, act):
    """Play a game to its end; `act(True)` rolls and `act(False)` holds."""
    for _ in range(2000):
        page.wait(lambda: state(page) in ("asked", "over"), "the opponent")
        if state(page) == "over":
            return
        act(rolls(int(page.text(".at-risk .number"))))
    raise AssertionError("the game has no end")


def reviewed(page):
    """The figures of the review, and the rows of its table."""
    page.one(".review table")
    start, cost, luck, end = page.values(".sum-of-parts")
    rows = [
        ([cell.text for cell in row.find_elements("css selector", "td")][:4],
         [float(cell.get_attribute("data-value")) for cell in row.find_elements("css selector", "[data-value]")])
        for row in page.all(".review tbody tr")
    ]  # fmt: skip
    return {"start": start, "cost": cost, "luck": luck, "end": end}, rows


def check(page, opponent, seat, seed, part=0):
    played, right = by_pigevo(opponent, seat, seed, part)
    assert [int(one.text) for one in page.all(".score")] == list(played.scores)
    review_values, rows = reviewed(page)
    assert review_values == {name: pytest.approx(getattr(right, name), abs=CLOSE) for name in review_values}
    dearest = sorted((one for one in right.costly if one.cost >= 5e-5), key=lambda one: -one.cost)[:12]
    expected = [one for one in right.costly if one in dearest]
    assert len(rows) == len(expected) > 0
    for (words, numbers), one in zip(rows, expected, strict=True):
        place, worth = one.place, (one.choice.roll, one.choice.hold)
        scores, chosen = f"{place.own} : {place.opponent}", "rolled" if one.rolled else "held"
        assert words == [str(place.turn), scores, str(place.total), chosen]
        assert numbers == pytest.approx([*(worth if one.rolled else worth[::-1]), one.cost], abs=CLOSE)
    assert f"{len(right.costly)} of your {len(right.judged)} choices" in page.text(".review .summary")


@pytest.mark.parametrize(
    ("opponent", "first", "seed"), [("optimal", "you", 7), ("hold-at-20", "opponent", 11), ("champion", "you", 2)]
)
def test_a_whole_game_by_keyboard_and_its_review(page, opponent, first, seed):
    page.open(f"?seed={seed}&opponent={opponent}&first={first}&pace=0")
    page.one(".choices button")
    play(page, lambda roll: page.press("r" if roll else "h"))
    check(page, SHOWN[opponent].strategy, 0 if first == "you" else 1, seed)
    page.picture(f"play-{opponent}")
    assert page.run("return document.activeElement.textContent").startswith("Review.")


OTHERS = {
    "piglet": 4,
    "two_dice": 3,
    "pass_the_pigs": 5,
    "skunk": 8,
    "equal_turns": 7,
    "ten_rounds": 9,
    "pig_with_passing": 10,
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_whole_game_of_every_kind_and_its_review(page, name):
    page.open(f"?game={name}&seed={OTHERS[name]}&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.", "the optimum")
    play(page, lambda roll: page.press("r" if roll else "h"))
    check(page, pigevo.optimal(other_games()[name]).strategy, 0, OTHERS[name])
    page.picture(f"play-{name}")


def test_two_who_pass_end_in_a_stalemate(page):
    page.open("?game=pig_with_passing&opponent=roll-and-wait&seed=1&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    assert page.text(".choices button:nth-child(2)").startswith("Pass")
    for _ in range(200):
        page.wait(lambda: state(page) in ("asked", "over"), "the opponent")
        if state(page) == "over":
            break
        page.press("h")
    assert page.text(".said") == "A stalemate: you have both passed, and nobody wins."


def test_a_game_is_chosen(page):
    from selenium.webdriver.support.select import Select

    page.open("?seed=2&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    assert len(page.all(".die-box .die")) == 1
    Select(page.all("#play select")[0]).select_by_visible_text("Big Pig to 100")
    page.wait(lambda: len(page.all(".die-box .die")) == 2)
    page.wait(lambda: state(page) == "asked" and page.text(".said") == "You move first: roll.", "the optimum")
    assert "doubles count twice, two 1s are worth 25. The first to have 100 wins." in page.text(".rules")
    assert len(page.all("#play select")) == 3  # nobody else gives advice
    page.one(".choices button").click()  # the focus is still on the choice of games, which takes keys for itself
    page.wait(lambda: page.text(".said").startswith("You rolled "))


def test_the_next_game_has_other_dice_and_the_other_seat(page):
    page.open("?seed=8&opponent=hold-at-20&pace=0")
    for part in range(2):
        play(page, lambda roll: page.press("r" if roll else "h"))
        check(page, SHOWN["hold-at-20"].strategy, part % 2, 8, part)
        page.press("n")


def test_a_game_with_the_mouse(page):
    page.open("?seed=9&opponent=keep-pace&first=you&pace=0")
    play(page, lambda roll: page.all(".choices button")[0 if roll else 1].click())
    check(page, SHOWN["keep-pace"].strategy, 0, 9)
    page.one(".choices .again").click()
    page.wait(lambda: page.text(".said") == "You move first: roll.")


def test_a_game_with_a_finger_at_a_phones_width(page):
    page.be_a_phone()
    page.open("?seed=4&opponent=optimal&first=you&pace=0")

    def tap(roll):
        before = page.text(".said")
        page.touch(page.middle(page.all(".choices button")[0 if roll else 1]))
        page.wait(lambda: page.text(".said") != before, "the tap")

    page.one(".choices button")
    page.picture("phone-play")
    play(page, tap)
    check(page, SHOWN["optimal"].strategy, 0, 4)
    page.picture("phone-review")


def test_advice_and_odds_are_those_of_pigevo(page):
    page.open("?seed=2&opponent=hold-at-20&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    page.press("rrroa")
    opponent, best = SHOWN["hold-at-20"].strategy, SHOWN["optimal"].strategy
    total = int(page.text(".at-risk .number"))
    assert total > 0
    page.one(".advice table")
    page.picture("play-advice")
    place = next(
        e.place
        for e in events(opponent, 0, Draw(2, "dice"), lambda _: True)
        if hasattr(e, "rolled") and e.place.total == total
    )
    right = [Judge(one).choice(place) for one in (opponent, best)]
    assert page.values(".advice") == pytest.approx([w for c in right for w in (c.roll, c.hold)], abs=CLOSE)
    better = right[0].better
    assert page.text(".advice h3").lower().startswith(f"{better}: it is worth {100 * abs(right[0].gain):.2f}")
    assert re.search(r"loses the turn with probability 16.7\W% *\. On average", page.text(".odds"))
    page.press("o")
    assert page.all(".odds") == []


@pytest.mark.parametrize("adviser", ["rule-one", "rule-two", "rule-three", "rule-four", "keep-pace"])
def test_a_rule_advises(page, adviser):
    page.open(f"?seed=2&opponent=hold-at-20&adviser={adviser}&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    rule, sentences = parse_rule(SHOWN[adviser].rule), set()
    for _ in range(12):
        page.wait(lambda: state(page) == "asked", "the opponent")
        total, (own, other) = int(page.text(".at-risk .number")), (int(one.text) for one in page.all(".score"))
        if total:
            rolls = total < rule.at(np.array(own), np.array(other), 100)
            page.press("a")
            does = f"{SHOWN[adviser].title} {'rolls' if rolls else 'holds'}."
            page.wait(lambda does=does: page.text(".advice h3") == does, does)
            assert page.text(".advice p") == rule.sentence
            assert len(page.values(".advice")) == 4
            sentences.add(bool(rolls))
        page.press("r" if total < 30 else "h")
    page.picture(f"play-adviser-{adviser}")
    assert len(sentences) == 2


def test_an_adviser_is_chosen(page):
    from selenium.webdriver.support.select import Select

    page.open("?seed=2&opponent=optimal&adviser=nobody&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    choice = Select(page.all("#play select")[3])
    assert choice.first_selected_option.text == "The optimum"
    advisers = [one.title for one in SHOWN.values() if one.id == "optimal" or one.rule]
    assert [one.text for one in choice.options] == advisers
    page.press("ra")
    page.one(".advice table")
    assert ": it is worth " in page.text(".advice h3")
    choice.select_by_visible_text("The one-number rule")
    assert page.text(".about").startswith("Your adviser is the one-number rule. Roll until your score")
    page.all("#play .asked button")[0].click()
    page.wait(lambda: page.text(".advice h3") == "The one-number rule rolls.")


def test_keys_do_nothing_where_something_is_chosen(page):
    page.open("?seed=2&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.")
    page.one("#play select").send_keys("h")
    page.press("h")
    assert page.text(".at-risk .number") == "0"


def test_the_opponent_takes_its_time_and_can_be_hurried(page):
    """A minute before each roll is more than anything here is waited for."""
    page.open("?seed=1&first=opponent&opponent=hold-at-20&pace=60000")
    page.wait(lambda: "moves first" in page.text(".said"))
    assert page.one(".board").get_attribute("data-state") == "waiting"
    page.press("r")
    page.wait(lambda: "Your turn" in page.text(".said"))
    assert page.text(".at-risk .number") == "0"


def test_who_prefers_no_motion_does_not_wait(page):
    page.prefer(reduced_motion="reduce")
    page.open("?seed=7&first=opponent&opponent=hold-at-20")
    page.wait(lambda: "Your turn" in page.text(".said"))
    assert page.run("return getComputedStyle(document.querySelector('.die-box .die')).animationName") == "none"


def test_what_is_said_is_read_aloud(page):
    page.open("?seed=2&first=you&pace=0")
    element = page.one(".said")
    assert (element.get_attribute("aria-live"), element.aria_role) == ("polite", "status")


@pytest.fixture(scope="module")
def answers():
    """Of the opponent that adapts, solved for here and for the page, so that nobody waits for them there."""
    from pigevo.people import answers_to_holds

    adapting_file(pigevo.Pig())
    return answers_to_holds(pigevo.Pig())


def test_an_opponent_that_adapts_plays_and_believes_as_in_the_terminal(page, answers):
    """Two games by a seed with which it responds in one of them, and their reviews against what it played."""
    from pigevo.cli.play_session import Adaptive

    seed = 5
    adaptive, played = Adaptive(answers, 0.01, seed), set()
    page.open(f"?seed={seed}&opponent=adaptive&pace=0")
    for part in range(2):
        judge = adaptive.opponent_of_game(part, part % 2)
        play(page, lambda roll: page.press("r" if roll else "h"))
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
        page.picture(f"play-adaptive-{part}")
        page.press("n")
    assert played == {"response", "optimum"}


@pytest.mark.usefixtures("answers")
def test_advice_does_not_tell_what_an_opponent_that_adapts_plays(page):
    page.open("?seed=2&opponent=adaptive&first=you&pace=0")
    page.wait(lambda: page.text(".said") == "You move first: roll.", "the answers")
    page.press("ra")
    page.wait(lambda: page.text(".advice h3"))
    assert len(page.values(".advice")) == 2


def test_errors_in_a_game_by_a_rule_are_counted_and_told_after_it(page):
    page.open("?seed=7&opponent=hold-at-20&by=keep-pace&first=you&pace=0")
    page.one(".choices button")
    assert "Play by this rule" in page.text(".about")
    play(page, lambda roll: page.press("r" if roll else "h"))
    played = Played.of(
        SHOWN["hold-at-20"].strategy, 0,
        events(SHOWN["hold-at-20"].strategy, 0, Draw(7, "dice").at(part=0), lambda place: rolls(place.total)),
    )  # fmt: skip
    rule = parse_rule(SHOWN["keep-pace"].rule).strategy(pigevo.Pig()).roll
    wrong = sum(
        bool(rule[one.place.own, one.place.opponent, one.place.total]) is not one.rolled
        for one in review(played, Judge(SHOWN["hold-at-20"].strategy)).judged
    )
    page.one(".by-rule button")
    assert page.text(".by-rule .counted").startswith(f"{wrong} of ")
    page.picture("play-by-rule")
