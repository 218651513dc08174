"""`pigevo play` through a pipe: whole games, hints and odds, the review, games that are saved."""

import io
import itertools
import json
import re
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import pytest

import pigevo as library
from pigevo.cli import play_text
from pigevo.cli.play_session import MOST_ANSWERS
from pigevo.games.game import GAMES
from pigevo.people import account, answers_to_holds, first_belief, learned, plan, read_people
from pigevo.strategies.rules import parse_rule

SMALL = "--target 20 --seed 7"
WIDTH = 60


def lines(*answers):
    return "".join(f"{answer}\n" for answer in answers)


def widest(text):
    return max(map(len, text.splitlines()))


@pytest.fixture
def session(sit):
    """What is printed by games that are played without an error."""

    def play(words, *answers):
        output = sit(words, lines(*answers))
        assert (output.status, output.err) == (0, "")
        assert widest(output.out) <= WIDTH
        assert "\x1b" not in output.out
        return output.out

    return play


@pytest.fixture
def session_record(sit):
    """The same with --json."""

    def play(words, *answers):
        output = sit(f"{words} --json", lines(*answers))
        assert output.status == 0, output.err
        return json.loads(output.out)

    return play


@pytest.mark.parametrize(("name", "answer"), list(zip(GAMES, itertools.cycle(["r", "h", ""]))))
def test_whole_games_of_every_kind(session, name, answer):
    options = GAMES[name].options
    more = "game.turns=2" if "turns" in options else f"game.target={6 if 'heads' in options else 25}"
    output = session(f"hold_at:5 --game {name} {more} --games 2 --seed 3 --odds", *[answer] * 3_000)
    assert 1 <= output.count("Review: what you win against hold_at:5") <= 2  # none of a game without a choice
    assert "unfinished" not in output
    assert "\n2 games: " in output


def test_the_same_seed_is_the_same_game_and_a_new_seed_is_printed(session):
    new, other = session("--target 20", *"h" * 99), session("--target 20 --seed 7", *"h" * 99)
    seed = new.replace("\n", " ").split("--seed")[1].split()[0]
    assert session(f"--target 20 --seed {seed}", *"h" * 99) == new != other


def test_a_question_has_the_dice_and_the_scores(session):
    output = session(f"hold_at:9 {SMALL} --second", "r", "", "roll", "h", "q")
    assert "You move second.\nhold_at:9 [1] the turn is lost\n\nYour turn 1: you 0, hold_at:9 0\n" in output
    questions = (
        "  [2] total 2, score 2 if banked; roll or hold? roll\n  [5] total 7, score 7 if banked; roll or hold? roll\n"
    )
    assert questions in output


def test_what_is_no_answer_gets_the_list_of_keys(session):
    output = session(SMALL, "what?", "hold on", "R", "H", "Q")
    assert output.count("\nr or Enter rolls, h holds, ? hint, o odds, q leaves\n") == 1 + 2
    assert "hold? what?\n" in output
    assert "hold? roll\n" in output


@pytest.mark.parametrize("typed", [b"\xff\xfe\n", b"\x1b[31m\n", b"\0" * 5_000, b"x" * 5_000 + b"\n", "ü\n".encode()])
def test_whatever_comes_through_the_pipe(sit, typed):
    output = sit(SMALL, typed + b"q\n")
    assert (output.status, output.err) == (0, "")
    assert "\x1b" not in output.out
    assert widest(output.out) <= WIDTH


@pytest.mark.parametrize("answer", ["?", "o", "x"])
def test_answers_without_end_and_without_a_choice_end(session, answer):
    output = session(SMALL, *[answer] * 10_000)
    assert f"The game is unfinished: no choice among {MOST_ANSWERS} answers." in output


@pytest.mark.parametrize(
    ("answers", "why"), [("", "the input has ended"), ("r", "the input has ended"), ("q", "you leave")]
)
def test_a_game_that_is_left_is_unfinished(session, answers, why):
    output = session(f"{SMALL} --games 3", *answers)
    assert f"The game is unfinished: {why}." in output
    assert ("Review" in output) == (answers == "r")
    assert output.count("move first") == 1


def test_seats(session):
    outputs = [session(f"{SMALL} --games 3 {seat}", *"h" * 999) for seat in ("", "--first", "--second")]
    assert [output.count("you move first.") for output in outputs] == [2, 3, 0]
    assert [output.count("you move second.") for output in outputs] == [1, 0, 3]
    assert "Game 2 of 3: you move second." in outputs[0]


def turns_of(output):
    """The turns of the opponent, without its name."""
    return re.findall(r"^.*? (.*(?:\] banks|the turn is lost).*)$", output, re.MULTILINE)


def test_a_file_is_an_opponent(session):
    library.hold_at(library.Pig(target=20), 6).save("saved.npz")
    Path("mine.py").write_text("def rule(i, j, k):\n    return k < 6\n")
    by_name, *by_file = (
        turns_of(session(f"{word} {SMALL} --second", *"h" * 99)) for word in ("hold_at:6", "saved.npz", "mine.py:rule")
    )
    assert by_file == [by_name, by_name]
    assert by_name


def test_a_run_is_an_opponent(session, finished):
    output = session("run --target 12 --seed 3 --games 4", *"?h" * 99)
    assert "\n  champion of generation 6  0." in output
    assert "Review: what you win against champion of generation 6" in output


def test_a_hint_has_both_win_probabilities_against_both(session):
    output = session("hold_at:20 --seed 7 --second", "r", "r", "?", "q")
    game = library.Pig()
    for opponent in (library.hold_at(game, 20), library.optimal(game).strategy):
        best = library.best_response(opponent).strategy
        waiting = 1 - library.state_values(opponent, best)[:, :, 0]  # by the opponent's score, then by the person's
        hold = waiting[0, 11]
        going_on = library.state_values(best, opponent)[0, 0, 13:18]  # after a 2 to a 6
        roll = (waiting[0, 0] + going_on.sum()) / 6
        assert (
            f"  {opponent.name:10}  {roll:.4f}  {hold:.4f}  roll by {100 * (roll - hold):.2f} percentage points\n"
            in output
        )
    assert session("--seed 7", "?", "q").count("\n  optimal   0.") == 1


def test_a_hint_also_says_what_the_adviser_would_do(session, sit):
    rule, words = "rule: 21+(j-i)/8; race either>=71", ["hold_at:20", "--second", "--seed", "7"]
    sentence = parse_rule(rule).sentence
    output = " ".join(session([*words, "--adviser", rule], "r", "r", "?", "q").split())  # 11 at risk, at 0 against 0
    assert f"{rule} would roll. {sentence}" in output
    assert output.count("would") == output.count(sentence) == 1
    assert "against roll hold better hold_at:20 0." in output  # what both are worth, as without an adviser
    assert "would" not in session(words, "r", "r", "?", "q")
    output = session([*words, "--adviser", "hold_at:11"], "r", "r", "?", "q")
    assert "roll by 1.92 percentage points\n  hold_at:11 would hold.\n" in output  # though rolling is better


def test_an_adviser_that_leaves_it_to_chance(session):
    game = library.Pig(target=20)
    roll = library.hold_at(game, 8).roll.astype(float) * 0.25
    roll[game.beginning] = 1.0
    library.Strategy(game, roll, "quarter").save("quarter.npz")
    assert "quarter would roll with 25.0 %, or hold." in session(f"hold_at:9 {SMALL} --adviser quarter.npz", "?", "q")


@pytest.mark.parametrize(("name", "target"), [("piglet", 6), ("skunk", 25)])
def test_a_rule_advises_in_other_games_with_a_target(session, name, target):
    words = ["hold_at:5", "--game", name, f"game.target={target}", "--seed", "3", "--adviser", "rule: end"]
    assert "rule: end would roll.\n  Roll to win.\n" in session(words, *"?r" * 300)


def test_odds_come_and_go(session):
    output = session(SMALL, "o", "r", "r", "o", "r", "r", "q")
    assert output.count("a roll: 16.7 % to lose the turn") == 3
    assert "odds are hidden" in output
    assert session(f"{SMALL} --odds", "q").count("a roll: 16.7 %") == 1


def test_with_json_the_game_goes_to_standard_error(session, sit):
    words = f"hold_at:5 {SMALL} --games 2"
    output, text = sit(f"{words} --json", lines(*"h" * 99)), session(words, *"h" * 99)
    assert output.err == text
    record = json.loads(output.out)
    assert (record["opponent"], record["seed"], record["saved"]) == ("hold_at:5", 7, None)
    assert [game["moved"] for game in record["games"]] == ["first", "second"]
    for game in record["games"]:
        review = game["review"]
        assert review["cost"] == pytest.approx(sum(choice["cost"] for choice in review["choices"]))
        assert review["start"] - review["cost"] + review["luck"] == pytest.approx(review["end"])
        assert review["end"] == float(game["result"] == "won")
        assert f"cost {100 * review['cost']:.2f} percentage points together" in " ".join(text.split())


def test_the_review_lists_the_dearest_choices(session, session_record):
    choices = session_record("hold_at:2 --seed 3", *"h" * 99)["games"][0]["review"]["choices"]
    text, most = session("hold_at:2 --seed 3", *"h" * 99), play_text.MOST_LISTED
    costs = sorted((choice["cost"] for choice in choices if choice["cost"] > 5e-5), reverse=True)
    assert len(costs) > most
    listed = re.findall(r"(\d+)  held +(\w+) +(\d+\.\d+)  (\w+)$", text, re.MULTILINE)
    assert sorted((float(cost) for _, _, cost, _ in listed), reverse=True) == pytest.approx(
        [100 * cost for cost in costs[:most]], abs=5e-3
    )
    assert all(until == "win" or int(until) > int(total) for total, until, _, _ in listed)
    assert {size for *_, size in listed} == {"blunder", "mistake"}
    assert all(("blunder" if float(cost) >= 1 else "mistake") == size for *_, cost, size in listed)
    sizes = Counter(choice["size"] for choice in choices if choice["cost"] > 5e-5)
    summary = ", ".join(f"{sizes[size]} {size}s" for size in ("blunder", "mistake") if sizes[size])
    assert f"(the {most} dearest are shown): {summary}" in " ".join(text.split())


def test_the_review_says_where_best_play_rolls_again_above_its_holds(session, session_record):
    words = "optimal --target 40 --seed 0", *"r" * 99
    (dear,) = [c for c in session_record(*words)["games"][0]["review"]["choices"] if c["again"] and c["cost"] > 5e-5]
    lines = session(*words).splitlines()
    at = next(
        n
        for n, line in enumerate(lines)
        if f"{dear['total']:5d}  rolled  {dear['until']:5d}  {100 * dear['cost']:6.2f}" in line
    )
    assert lines[at + 1].strip() == "hold from 18 to 28, roll again above"
    assert sum("roll again above" in line for line in lines) == 1


def test_games_are_saved_and_pigevo_people_reads_them(session, answer):
    output = session(f"hold_at:9 {SMALL} --games 4 --save games.csv --name ann", *"rh" * 99)
    assert output.endswith("Saved in games.csv, which pigevo people reads.\n")
    session(f"turtle {SMALL} --save games.csv --name ann", "h", "h", "q")
    games = read_people("games.csv", library.Pig(target=20))
    assert [len(games.games_of(name)) for name in ("ann", "hold_at:9", "turtle:5")] == [5, 4, 1]
    assert "ann: 5 games, " in answer("people games.csv --target 20")


def test_the_cost_of_a_saved_game_against_the_optimum_is_that_of_its_review(session_record, record_of):
    record = session_record(f"{SMALL} --save games.csv", *"h" * 99)
    players = record_of("people games.csv --target 20")["players"]
    cost = next(player["cost"]["mean"] for player in players if player["person"]["name"] == "you")
    assert cost == pytest.approx(record["games"][0]["review"]["cost"], abs=1e-9)


def test_a_disk_that_is_full_ends_the_session_with_a_sentence_and_keeps_the_file(session, sit, monkeypatch):
    session(f"{SMALL} --save games.csv", *"h" * 99)
    before = Path("games.csv").read_text()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pigevo.storage.files.os.fsync", full)
    output = sit(f"{SMALL} --save games.csv", lines("h") * 99)
    assert (output.status, output.err) == (2, "pigevo: games.csv cannot be written: No space left on device.\n")
    assert Path("games.csv").read_text() == before


class Failing(io.StringIO):
    """An output that takes so many lines, and then fails."""

    def __init__(self, lines, error):
        super().__init__()
        self._left, self._error = lines, error

    def write(self, text):
        self._left -= text.count("\n")
        if self._left < 0:
            raise self._error
        return super().write(text)


@pytest.mark.parametrize(
    ("error", "status"), [(OSError(28, "No space left on device"), 2), (BrokenPipeError(32, "Broken pipe"), 141)]
)
def test_an_output_that_is_lost_keeps_what_was_played(sit, monkeypatch, error, status):
    monkeypatch.setattr(sys, "stdout", Failing(30, error))
    assert sit("hold_at:2 --seed 7 --save games.csv", lines("h") * 99).status == status
    (game,) = read_people("games.csv", library.Pig()).games
    assert len(game.turns) > 5


def test_a_file_that_is_full_ends_the_session_before_the_next_game(session, monkeypatch):
    monkeypatch.setattr("pigevo.people.record_files.MOST_ROWS", 2_010)
    output = session(f"hold_at:2 {SMALL} --games 9 --save games.csv", *"h" * 999)
    assert 1 <= len(read_people("games.csv", library.Pig(target=20)).games) < 9
    assert "games.csv has no room for another game." in output


def test_an_opponent_that_adapts_says_what_it_believed_and_what_that_was_worth(session, session_record, record_of):
    words = f"--adapt {SMALL} --games 4 --save games.csv"
    record, text = session_record(words, *"?rh" * 999), session(words, *"?rh" * 999)
    adapting, game = record["adapting"], library.Pig(target=20)
    answers, plans, belief = answers_to_holds(game), [], first_belief(game)
    saved_games = read_people("games.csv", game).games[:4]
    for row, played, saved in zip(adapting["games"], record["games"], saved_games, strict=True):
        plans.append(plan(belief, answers, 0 if played["moved"] == "second" else 1))
        assert row["believed"]["value"] == belief.value
        assert row["gain"] == plans[-1].gain
        assert row["most_loss"] == plans[-1].most_loss <= 0.01
        belief = learned(belief, saved.turns_of("you"))
    low, high = belief.interval
    assert adapting["believed"] == adapting["believed"] | {"low": low, "value": belief.value, "high": high}
    assert adapting["account"] == asdict(account(plans, belief))
    flat = " ".join(text.split())
    assert f"Now it believes that you hold at {belief.value} (95 %: {low} to {high}), after " in flat
    assert f"adapting is worth {adapting['account']['gain']:+.4f} games in 4 games (95 %: " in flat
    assert "its limit is 0.01 a game" in flat
    assert set(re.findall(r"\n  (\S+) +0\.\d+  0\.\d+  \S+", text)) == {"optimal"}  # a hint hides what it plays
    players = record_of("people games.csv --target 20")["players"]
    assert {player["person"]["name"]: player["games"] for player in players} == {"you": 8, "adaptive": 8}


def test_the_same_seed_adapts_alike_and_a_greater_limit_is_used(session_record):
    words = f"--adapt {SMALL} --games 4"
    first, second, bold = (session_record(f"{words} {more}", *"h" * 999) for more in ("", "", "--most-loss 0.1"))
    assert first == second
    limits = [[game["most_loss"] for game in record["adapting"]["games"]] for record in (first, bold)]
    assert max(limits[0]) <= 0.01 < max(limits[1]) <= 0.1


def test_who_decides_nothing_teaches_nothing(session):
    assert "You have decided nothing, so it has learned nothing." in " ".join(session(f"--adapt {SMALL}").split())
