"""Wrong words of each command: one line that says what was wrong, status 2, and nothing is written."""

from pathlib import Path

import pytest

SCORES = "explain --own 97 --opponent 99"
WRONG = [
    ("duel hold_at:20", "Missing argument 'B'"),
    ("duel a b c", "unexpected extra argument"),
    ("duel hold_at 20 optimal", "a number follows its name after a colon, as in hold_at:20"),
    ("duel my files/a.py:f optimal", "a path with spaces stands in quotes"),
    ("duel holdat:20 hold_at:20", "there is no strategy 'holdat'; did you mean hold_at?"),
    ("duel hold_at:x hold_at:20", "'x' in 'hold_at:x' must be a number"),
    ("duel missing.npz hold_at:20", "there is no file missing.npz"),
    ("duel a b --gmes 3", "No such option"),
    ("duel a b --games 0", "0 is not in the range"),
    ("duel a b --heads 0.5", "pig has no --heads; it takes --target, --sides, --allow-pass, --die, --bust, --weights"),
    ("duel a b --game pgi", "there is no game 'pgi'; did you mean pig?"),
    ("duel a b --target 0", "game.target = 0 is out of range"),
    ("solve --target 9999", "a target of 9999 cannot be played"),
    ("solve --save . --target 5", "is a directory"),
    (
        f"{SCORES} hold_at:2",
        "explain takes two strategies, A B, for the equations of a pair of scores, and one, A, with --turn",
    ),
    (f"{SCORES} --turn 2 hold_at:2 hold_at:3", "explain takes two strategies"),
    (f"{SCORES} --rolled 2 hold_at:2 hold_at:3", "--rolled belongs to a decision: give --turn with it"),
    (f"{SCORES} --turn 3 hold_at:2", "97 banked and a turn total of 3 reach 100: the game is won there"),
    ("explain --own 97 hold_at:2 hold_at:3", "Missing option '--opponent'"),
    ("explain --own 970 --opponent 3 hold_at:2 hold_at:3", "an own score of 970 is outside the game"),
    (f"{SCORES} --left 2 hold_at:2 hold_at:3", "nothing depends on number of turns left: leave it out"),
    ("fair-test hold_at:3", "Missing argument 'B'"),
    ("fair-test hold_at:3 holdat:4", "there is no strategy 'holdat'; did you mean hold_at?"),
    ("fair-test hold_at:3 hold_at:4 --confidence 95", "95.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --power 1", "1.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --games 3", "games = 3: a fair test has an even number of games"),
    ("tournament", "Missing argument 'STRATEGY...'"),
    ("tournament hold_at:3", "a tournament needs two strategies at least, and 1 can play"),
    ("tournament hold_at:3 hold_at:3", "and 1 can play"),
    ("tournament hold_at:3 holdat:4", "there is no strategy 'holdat'; did you mean hold_at?"),
    ("tournament hold_at:9..3", "is an empty range: write the smaller number first"),
    ("tournament hold_at:3 missing.csv", "there is no file missing.csv"),
    ("tournament hold_at:3..4 --games 3", "games = 3: a match has an even number of games"),
    ("tournament hold_at:3..4 --length 7", "length = 7: a match has an even number of games"),
    ("tournament hold_at:3..4 --timeout 0", "0 is not in the range"),
    ("tournament hold_at:3..4 --folder file", "Directory 'file' is a file"),
    ("tournament broken.py hold_at:3", "and 1 can play. broken.py cannot be read: "),
    (["rules", "21+(j-i)/8; rce either>=71"], "stands race and a condition"),
    (["rules", "--game", "two_dice"], "the study `rules` has no rules for Two-dice Pig"),
    (["rules", "--target", "37", "--card"], "has no rules for Pig to 37"),
    (["rules", "25; race own>=70", "--game", "ten_rounds"], "needs a game with a target"),
    (["duel", "rule: 25 28", "optimal"], "must be one of: 25"),
    ("show", "Missing argument 'A'"),
    ("show hold_at:3 --at 1", "--at OWN,OPPONENT"),
    ("show hold_at:3 --at 30,1 --target 20", "an own score of 30 is outside the game"),
    ("show hold_at:3 --target 9 --to x.bmp", "must end with .png or .pdf or .svg"),
    ("show hold_at:3 --target 9 --to x.svg --figures png", "must end with .png"),
    ("show optimal --target 9 --picture difference", "name another one"),
    ("show hold_at:3 --target 9 --dpi 5", "5 is not in the range"),
    ("show no.npz", "there is no file no.npz"),
    ("three-player --target 200", "too large for three players: at most 150"),
    ("three-player --allow-pass", "three players may not pass"),
    ("three-player --certify none.npz", "there is no file none.npz"),
    ("three-player --certify x.npz --coalition", "leave --save, --coalition and rewards away"),
    ("three-player --target 3 --save .", "is a directory"),
    ("benchmark random_serch", "there is no algorithm 'random_serch'; did you mean random_search?"),
    ("benchmark --instances t0", "has no such target"),
    ("benchmark --seeds 0", "0 is not in the range"),
    ("benchmark --by time", "'time' is not one of 'loss', 'exploitability'"),
    ("benchmark random_search --budget 1", "a budget of 1 does not do for t10-d2-c1-exact"),
    ("benchmark random_search --key file", "file is empty: the key of the dice is any text"),
    ("benchmark random_search --to file", "Directory 'file' is a file"),
    ("card --to card.png", "card.png: the name of a card must end with .pdf or .html."),
    ("card hold_it", "there is no strategy 'hold_it'"),
    ("card random_strategy --game ten_rounds game.rolls=true", "depend on"),
    ("film nowhere", "nowhere holds no run"),
    ("film run --to a.avi", "must end with .gif or .mp4"),
    ("film run --to a.mp4", "needs ffmpeg, which is not found"),
    ("film run --every 0", "0 is not in the range"),
    ("page --port 65536", "65536"),
    ("page --port x", "'x'"),
    ("page --to site --run nowhere", "nowhere"),
    ("page --to site --run .", "holds no run"),
    ("people games.csv", "games.csv cannot be read as a record of games: row 2: 1 roll cannot bank 1 point "),
    ("people file", "file cannot be read as a record of games: it does not begin with a row of names"),
]


def command(words):
    return (words.split() if isinstance(words, str) else words)[0]


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("name", sorted({command(words) for words, _ in WRONG}))
def test_one_sentence(refused, monkeypatch, name):
    Path("file").touch()
    Path("broken.py").write_text("def rule(i, j, k:")
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,1,1\n")
    monkeypatch.setenv("PATH", "")  # no ffmpeg
    before = sorted(Path().iterdir())
    for words, message in WRONG:
        if command(words) == name:
            refused(words, message)
    assert sorted(Path().iterdir()) == before
