"""Games of people: `pigevo play` through a pipe, the card to play by, and `pigevo people` for records of games."""

import io
import itertools
import json
import re
import shlex
import sys
from collections import Counter
from dataclasses import asdict
from html import unescape
from pathlib import Path

import click
import pytest
from matplotlib.figure import Figure

import pigevo as library
from pigevo.cli import play_text
from pigevo.cli.commands import command_names, load_command
from pigevo.cli.commands.people import _difference, _narrow, _signed, _signed_percent
from pigevo.cli.options import NewFile
from pigevo.cli.play_session import MOST_ANSWERS
from pigevo.figures.page import hold_table_data
from pigevo.games import GAMES
from pigevo.people import account, answers_to_holds, first_belief, learned, plan, read_people, write_people
from pigevo.people.pairings import Comparison
from pigevo.people.record_files import COLUMNS, TURNS
from pigevo.strategies.rules import parse_rule
from pigevo.strategies.rules.reading import known_rules
from tests.people.games import FIGURE_6, people
from tests.web.page import read

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
    """Through a pipe, by `pigevo play`."""
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


def test_who_moves_first_in_play(session):
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


def test_both_files_of_a_card_are_one_page_with_every_number_of_the_table(record_of):
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


def test_a_single_turn_has_no_slope(answer):
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,3,12\n")
    assert "slope           none: no game has a second turn\n" in answer("people games.csv")


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
