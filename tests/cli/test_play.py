"""`pigevo play` through a pipe: whole games, hints and odds, the review, games that are saved, and what is refused."""

import io
import itertools
import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

import pigevo as library
from pigevo.cli import play_text
from pigevo.cli.play_session import MOST_ANSWERS
from pigevo.games.game import GAMES
from pigevo.people import account, answers_to_holds, first_belief, learned, plan, read_people
from pigevo.strategies.rules import parse_rule

SMALL = "--target 20 --seed 7"


def lines(*answers):
    return "".join(f"{answer}\n" for answer in answers)


@pytest.mark.parametrize(("name", "answer"), list(zip(GAMES, itertools.cycle(["r", "h", ""]))))
def test_whole_games_of_every_kind(sit, name, answer):
    options = GAMES[name].options
    more = "game.turns=2" if "turns" in options else f"game.target={6 if 'heads' in options else 25}"
    output = sit(f"hold_at:9 --game {name} {more} --games 2 --seed 3 --odds", lines(answer) * 3_000)
    assert (output.status, output.err) == (0, "")
    assert 1 <= output.out.count("Review: what you win against hold_at:9") <= 2  # none of a game without a choice
    assert "unfinished" not in output.out
    assert "\n2 games: " in output.out
    assert max(map(len, output.out.splitlines())) <= 60
    assert "\x1b" not in output.out


def test_the_same_seed_is_the_same_game_and_a_new_one_is_told(sit):
    new, other = sit("--target 20", lines("h") * 99).out, sit("--target 20 --seed 7", lines("h") * 99).out
    seed = new.replace("\n", " ").split("--seed")[1].split()[0]
    assert sit(f"--target 20 --seed {seed}", lines("h") * 99).out == new != other


def test_a_choice_is_asked_for_with_the_dice_and_the_scores(sit):
    output = sit(f"hold_at:9 {SMALL} --second", lines("r", "", "roll", "h", "q")).out
    assert "You move second.\nhold_at:9 [1] the turn is lost\n\nYour turn 1: you 0, hold_at:9 0\n" in output
    questions = (
        "  [2] total 2, score 2 if banked; roll or hold? roll\n  [5] total 7, score 7 if banked; roll or hold? roll\n"
    )
    assert questions in output


def test_what_is_no_answer_is_told_the_keys(sit):
    output = sit(SMALL, lines("what?", "hold on", "R", "H", "Q"))
    assert output.out.count("\nr or Enter rolls, h holds, ? hint, o odds, q leaves\n") == 1 + 2
    assert "hold? what?\n" in output.out
    assert "hold? roll\n" in output.out
    assert output.status == 0


@pytest.mark.parametrize("typed", [b"\xff\xfe\n", b"\x1b[31m\n", b"\0" * 5_000, b"x" * 5_000 + b"\n", "ü\n".encode()])
def test_whatever_comes_through_the_pipe(sit, typed):
    output = sit(SMALL, typed + b"q\n")
    assert (output.status, output.err) == (0, "")
    assert "\x1b" not in output.out
    assert max(map(len, output.out.splitlines())) <= 60


@pytest.mark.parametrize("answer", ["?", "o", "x"])
def test_answers_without_end_and_without_a_choice_end(sit, answer):
    output = sit(SMALL, lines(answer) * 10_000)
    assert output.status == 0
    assert f"The game is unfinished: no choice among {MOST_ANSWERS} answers." in output.out


@pytest.mark.parametrize(
    ("typed", "why"), [("", "the input has ended"), ("r\n", "the input has ended"), ("q\n", "you leave")]
)
def test_a_game_that_is_left_is_unfinished(sit, typed, why):
    output = sit(f"{SMALL} --games 3", typed)
    assert (output.status, output.err) == (0, "")
    assert f"The game is unfinished: {why}." in output.out
    assert ("Review" in output.out) == (typed == "r\n")
    assert output.out.count("move first") == 1


def test_seats(sit):
    three = [sit(f"{SMALL} --games 3 {seat}", lines("h") * 999).out for seat in ("", "--first", "--second")]
    assert [text.count("you move first.") for text in three] == [2, 3, 0]
    assert [text.count("you move second.") for text in three] == [1, 0, 3]
    assert "Game 2 of 3: you move second." in three[0]


@pytest.mark.parametrize("kind", ["saved.npz", "holds.csv", "mine.py:rule", "turtle", "roll_to_win"])
def test_any_strategy_is_an_opponent(sit, kind):
    game = library.Pig(target=20)
    library.hold_at(game, 6).save("saved.npz")
    np.savetxt("holds.csv", np.full((20, 20), 6), fmt="%d", delimiter=",")
    Path("mine.py").write_text("def rule(i, j, k):\n    return k < 6\n")
    output = sit(f"{kind} {SMALL} --second", lines("h") * 99)
    assert (output.status, output.err) == (0, "")
    if kind not in ("turtle", "roll_to_win"):
        same = sit(f"hold_at:6 {SMALL} --second", lines("h") * 99)
        turns = [
            re.findall(r"^.*? (.*(?:\] banks|the turn is lost).*)$", one.out, re.MULTILINE) for one in (output, same)
        ]
        assert turns[0] == turns[1] != []


def test_a_run_is_an_opponent(sit, finished):
    output = sit("run --target 12 --seed 3 --games 4", lines("?", "h") * 99)
    assert (output.status, output.err) == (0, "")
    assert "\n  champion of generation 6  0." in output.out
    assert max(map(len, output.out.splitlines())) <= 60
    assert "Review: what you win against champion of generation 6" in output.out


def test_a_hint_has_both_win_probabilities_against_both(sit):
    output = sit("hold_at:20 --seed 7 --second", lines("r", "r", "?", "q")).out
    game = library.Pig()
    for b in (library.hold_at(game, 20), library.optimal(game).strategy):
        best = library.best_response(b)
        waiting = 1 - library.state_values(b, best.strategy)[:, :, 0]  # by b's own score, then by the person's
        hold = waiting[0, 11]
        roll = (
            waiting[0, 0] + sum(library.state_values(best.strategy, b)[0, 0, 11 + face] for face in range(2, 7))
        ) / 6
        assert f"  {b.name:10}  {roll:.4f}  {hold:.4f}  roll by {roll - hold:.4f}\n" in output
    assert sit("--seed 7", lines("?", "q")).out.count("\n  optimal   0.") == 1


def advised(sit, words, *answers):
    return " ".join(sit(words, lines(*answers, "q")).out.split())


def test_a_hint_also_says_what_the_adviser_would_do(sit):
    rule = "rule: 21+(j-i)/8; race either>=71"
    sentence = parse_rule(rule).sentence
    words = ["hold_at:20", "--second", "--seed", "7", "--adviser", rule]
    output = advised(sit, words, "r", "r", "?")  # 11 at risk, at 0 against 0
    assert f"{rule} would roll. {sentence}" in output
    assert output.count("would") == output.count(sentence) == 1
    assert "against roll hold better hold_at:20 0." in output  # what both are worth, as ever
    assert max(map(len, sit(words, lines("r", "r", "?", "q")).out.splitlines())) <= 60
    assert "would" not in sit(words[:-2], lines("r", "r", "?", "q")).out


@pytest.mark.parametrize(("n", "does"), [(11, "hold"), (12, "roll")])
def test_an_adviser_has_its_own_mind(sit, n, does):
    output = advised(sit, f"hold_at:20 --second --seed 7 --adviser hold_at:{n}", "r", "r", "?")
    assert "total 11, score 11 if banked; roll or hold? ? against roll hold better hold_at:20" in output
    assert f"roll by 0.0192 hold_at:{n} would {does}. [4]" in output


def test_an_adviser_that_leaves_it_to_chance(sit, tmp_path):
    game = library.Pig(target=20)
    roll = library.hold_at(game, 8).roll.astype(float) * 0.25
    roll[game.beginning] = 1.0
    path = tmp_path / "quarter.npz"
    library.Strategy(game, roll, "quarter").save(path)
    output = advised(sit, ["hold_at:9", *SMALL.split(), "--adviser", str(path)], "?")
    assert "quarter would roll with 25.0 %, or hold." in output


@pytest.mark.parametrize(("name", "target"), [("piglet", 6), ("skunk", 25)])
def test_a_rule_advises_in_other_games_with_a_target(sit, name, target):
    words = ["hold_at:9", "--game", name, f"game.target={target}", "--seed", "3", "--adviser", "rule: end"]
    output = sit(words, lines("?", "r") * 300)
    assert (output.status, output.err) == (0, "")
    assert "rule: end would roll.\n  Roll to win.\n" in output.out


def test_odds_come_and_go(sit):
    output = sit(f"{SMALL}", lines("o", "r", "r", "o", "r", "r", "q")).out
    assert output.count("a roll: 16.7 % to lose the turn") == 3
    assert "odds are hidden" in output
    assert sit(f"{SMALL} --odds", lines("q")).out.count("a roll: 16.7 %") == 1


def test_json_is_the_answer_and_the_game_is_told_elsewhere(sit):
    words = f"hold_at:5 {SMALL} --games 2"
    output, as_text = sit(f"{words} --json", lines("h") * 99), sit(words, lines("h") * 99)
    assert output.err == as_text.out
    record = json.loads(output.out)
    assert (record["opponent"], record["seed"], record["saved"]) == ("hold_at:5", 7, None)
    assert [game["moved"] for game in record["games"]] == ["first", "second"]
    for game in record["games"]:
        review = game["review"]
        assert review["cost"] == pytest.approx(sum(one["cost"] for one in review["choices"]))
        assert review["start"] - review["cost"] + review["luck"] == pytest.approx(review["end"])
        assert review["end"] == float(game["result"] == "won")
        assert f"cost {review['cost']:.4f} together" in as_text.out


def test_the_review_lists_what_cost_something(sit):
    review = json.loads(sit("hold_at:2 --seed 3 --json", lines("h") * 99).out)["games"][0]["review"]
    text = sit("hold_at:2 --seed 3", lines("h") * 99).out
    dearest = sorted((one for one in review["choices"] if one["cost"] > 5e-5), key=lambda one: -one["cost"])
    assert len(dearest) > play_text.MOST_TOLD
    listed = [line.split() for line in text.splitlines() if line.endswith(tuple("0123456789")) and " held " in line]
    assert len(listed) == play_text.MOST_TOLD
    costs = sorted((float(cells[-1]) for cells in listed), reverse=True)
    assert costs == pytest.approx([one["cost"] for one in dearest[: play_text.MOST_TOLD]], abs=5e-5)
    assert f"(the {len(review['choices']) - play_text.MOST_TOLD} cheapest are not shown)" in text.replace("\n  ", " ")


def test_the_best_response_pays_nothing(sit, pigevo):
    pigevo("respond hold_at:9 --target 20 --save best.npz")
    best = library.load_strategy("best.npz")
    always_rolling = json.loads(sit("hold_at:9 --target 20 --seed 1 --json", lines("r") * 99).out)["games"][0]
    answers, record = [], {"games": [{"review": {"choices": []}}]}
    while len(record["games"]) < 2 and len(answers) < 99:  # the record so far says what is asked next
        record = json.loads(sit("hold_at:9 --target 20 --seed 1 --json", lines(*answers, "h")).out)
        one = record["games"][0]
        if one["result"] != "unfinished" and len(one["review"]["choices"]) <= len(answers):
            break
        last = one["review"]["choices"][len(answers)]
        answers.append("r" if best.roll[last["own"], last["opponent"], last["total"]] else "h")
    assert one["review"]["cost"] == 0
    assert always_rolling["review"]["cost"] > 0


def test_games_are_saved_and_pigevo_people_reads_them(sit, pigevo):
    words = f"hold_at:9 {SMALL} --games 4 --save games.csv --name ann"
    output = sit(words, lines("r", "h") * 99)
    assert output.out.endswith("Saved in games.csv, which pigevo people reads.\n")
    sit(f"turtle {SMALL} --save games.csv --name ann", lines("h", "h", "q"))
    read = read_people("games.csv", library.Pig(target=20))
    assert [len(read.games_of(name)) for name in ("ann", "hold_at:9", "turtle:5")] == [5, 4, 1]
    people = pigevo("people games.csv --target 20")
    assert (people.status, people.err) == (0, "")
    assert "ann: 5 games, " in people.out


def test_the_cost_of_a_saved_game_against_the_optimum_is_that_of_its_review(sit, pigevo):
    record = json.loads(sit(f"{SMALL} --save games.csv --json", lines("h") * 99).out)
    people = json.loads(pigevo("people games.csv --target 20 --json").out)
    cost = next(one["cost"]["mean"] for one in people["players"] if one["person"]["name"] == "you")
    assert cost == pytest.approx(record["games"][0]["review"]["cost"], abs=1e-9)


def test_a_disk_that_is_full_ends_the_sitting_with_a_sentence_and_keeps_the_file(sit, monkeypatch):
    sit(f"{SMALL} --save games.csv", lines("h") * 99)
    before = Path("games.csv").read_text()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pigevo.storage.files.os.fsync", full)
    output = sit(f"{SMALL} --save games.csv", lines("h") * 99)
    assert (output.status, output.err) == (2, "pigevo: games.csv cannot be written: No space left on device.\n")
    assert Path("games.csv").read_text() == before


class Lost(io.StringIO):
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
    monkeypatch.setattr(sys, "stdout", Lost(30, error))
    output = sit("hold_at:2 --seed 7 --save games.csv", lines("h") * 99)
    assert output.status == status
    (game,) = read_people("games.csv", library.Pig()).games
    assert len(game.turns) > 5


def test_a_file_that_is_full_ends_the_sitting_before_the_next_game(sit, monkeypatch):
    monkeypatch.setattr("pigevo.people.record_files.MOST_ROWS", 2_010)
    output = sit(f"hold_at:2 {SMALL} --games 9 --save games.csv", lines("h") * 999)
    assert output.status == 0
    games = len(read_people("games.csv", library.Pig(target=20)).games)
    assert 1 <= games < 9
    assert "games.csv has no room for a game more." in output.out


def test_an_opponent_that_adapts_says_what_it_believed_and_what_that_was_worth(sit, pigevo):
    words = f"--adapt {SMALL} --games 4 --save games.csv"
    output, as_text = sit(f"{words} --json", lines("?", "r", "h") * 999), sit(words, lines("?", "r", "h") * 999)
    assert (output.status, output.err.replace("games.csv", ""), as_text.err) == (
        0,
        as_text.out.replace("games.csv", ""),
        "",
    )
    games_played = json.loads(output.out)
    adapting, game = games_played["adapting"], library.Pig(target=20)
    answers = answers_to_holds(game)
    plans, belief = [], first_belief(game)
    recorded = read_people("games.csv", game).games[:4]
    for one, played, record in zip(adapting["games"], games_played["games"], recorded, strict=True):
        seat = 0 if played["moved"] == "second" else 1
        plans.append(plan(belief, answers, seat))
        assert one["believed"]["value"] == belief.value
        assert one["gain"] == plans[-1].gain
        assert one["most_loss"] == plans[-1].most_loss <= 0.01
        belief = learned(belief, record.turns_of("you"))
    low, high = belief.interval
    assert (adapting["believed"]["low"], adapting["believed"]["value"], adapting["believed"]["high"]) == (
        low,
        belief.value,
        high,
    )
    assert adapting["account"] == asdict(account(plans, belief))
    flat = " ".join(as_text.out.split())
    assert f"Now it believes that you hold at {belief.value} (95 %: {low} to {high}), after " in flat
    assert f"adapting is worth {adapting['account']['gain']:+.4f} games in 4 games (95 %: " in flat
    assert "its limit is 0.01 a game" in flat
    assert max(map(len, as_text.out.splitlines())) <= 60
    assert set(re.findall(r"\n  (\S+) +0\.\d+  0\.\d+  \S+", as_text.out)) == {
        "optimal"
    }  # a hint does not tell what it plays
    assert people_of(pigevo) == {"you": 8, "adaptive": 8}


def people_of(pigevo):
    players = json.loads(pigevo("people games.csv --target 20 --json").out)["players"]
    return {one["person"]["name"]: one["games"] for one in players}


def test_the_same_seed_adapts_alike_and_a_greater_limit_is_used(sit):
    words = f"--adapt {SMALL} --games 4 --json"
    first, second, bold = (sit(f"{words} {more}", lines("h") * 999).out for more in ("", "", "--most-loss 0.1"))
    assert first == second
    limits = [[one["most_loss"] for one in json.loads(text)["adapting"]["games"]] for text in (first, bold)]
    assert max(limits[0]) <= 0.01 < max(limits[1]) <= 0.1


def test_who_decides_nothing_teaches_nothing(sit):
    assert "You have decided nothing, so it has learned nothing." in " ".join(sit(f"--adapt {SMALL}", "").out.split())


WRONG = [
    ("hold_at:3 --adapt", "--adapt is an opponent of its own: leave out 'hold_at:3'"),
    ("--most-loss 0.1", "--most-loss is what an opponent that adapts may lose: it needs --adapt"),
    ("--adapt --most-loss 0", "0.0 is not in the range"),
    ("--adapt --game two_dice game.target=9", "an opponent that adapts estimates a hold value, in races of one die"),
    ("--adapt --target 9 --allow-pass", "leave out --allow-pass"),
    ("--adapt --target 300", "a target of at most 200, not 300"),
    ("hold_at:3 --first --second", "--first and --second exclude each other: without them the seats alternate"),
    ("hold_it", "there is no strategy 'hold_it'; did you mean hold_at or roll_and_wait?"),
    ("--games 0", "0 is not in the range x>=1"),
    ("--seed -1", "-1 is not in the range x>=0"),
    ("--seed 99999999999999999999", "seed must be an integer from 0 to"),
    ("--game two_dice game.target=9 --save new.csv", "records are read of races of one die"),
    ("--target 9 --save .", "is a directory"),
    ("--target 9 --save notes.txt", "notes.txt cannot be read as a record of games: "),
    ("--target 9 --save new.csv --name optimal", "'optimal' is how the opponent is called in the record"),
    ("--adviser nobody", "there is no strategy 'nobody'"),
    (["--adviser", "rule: 21+"], "must be one of"),
    (["--adviser", "rule: 25; race own>=70", "--game", "ten_rounds"], "needs a game with a target"),
    ("half.npz --target 9 --allow-pass", "passes by chance is not known here"),
]  # fmt: skip


def test_one_sentence(sit):
    Path("notes.txt").write_text("a shopping list\n")
    game = library.Pig(target=9, allow_pass=True)
    library.Strategy(game, np.full(game.shape, 0.5), "half").save("half.npz")
    before = sorted(Path().iterdir())
    for words, message in WRONG:
        output = sit(words, lines("h") * 99)
        assert (output.status, output.out, output.err.count("\n")) == (2, "", 1)
        assert message in output.err
    assert sorted(Path().iterdir()) == before
