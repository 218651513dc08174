"""What goes wrong: words and paths that are refused, bugs, interrupts, lost streams, and what is missing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pigevo as library
from pigevo.cli import entry
from pigevo.cli.commands import command_names
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.settings.compose import Composer
from pigevo.settings.schema import CHOICES, choices
from pigevo.settings.settings import Settings
from pigevo.storage.files import locked
from tests.cli.conftest import RUN
from tests.small import environment_of_a_process

SCORES = "explain --own 97 --opponent 99"
WITH_SIDES = [name for name in GAMES if "sides" in GAMES[name].options]
WRONG_SETTINGS = [
    ("mutatoin=0.005", "no setting mutatoin; did you mean mutation"),
    ("target=50", "did you mean game.target?"),
    ("+mutatoin=3", "no setting 'mutatoin'; did you mean mutation"),
    ("+mutation=0.1", "write mutation=VALUE without +"),
    ("~mutation", "the setting mutation is missing"),
    ("experiment=cube_randm", "no experiment 'cube_randm'; did you mean cube_random"),
    ("game=100", f"game is one of {', '.join(choices('game'))}."),
    ("experiment=cube_random experiment=knockout_random", "experiment is given twice"),
    ("seed=1,000", "seed=1,000 has a comma: write seed=1000."),
    ("fitness.games=1,000", "write fitness.games=1000, or fitness.games=1.000 if it is a fraction."),
    ("lineage=2", "lineage = 2 is of the wrong kind: it must be true or false."),
    ("-m behaviour=true,-1", "behaviour = -1 is of the wrong kind: it must be true or false."),
    ("seed=1.5", "seed = 1.5 is of the wrong kind: it must be a whole number"),
    ("mutation=1.5", "mutation = 1.5 is out of range: it must be from 0 to 1"),
    ("population.size=21", "population.size = 21 is odd"),
    ("game=piglet game.heads=0", "game.heads = 0.0 is out of range: it must be above 0 and at most 1."),
    (
        'population=named population.names=["mix:0.5,hold_at:2,hold_at:4"]',
        "population.names: mix:0.5,hold_at:2,hold_at:4 leaves decisions to chance: a gene says roll or hold.",
    ),
    ("population=score population.values=[20,-1]", "population.values = -1 is out of range: it must be at least 0"),
    ("seed=9223372036854775808", "it must be from 0 to 9223372036854775807"),
    ("crossover=deap crossover.operator=cxTwoPoint crossover.arguments.indpb=0.3", "it takes none"),
    ("game.target=5000", "game: a target of 5000 cannot be played"),
    ("game=piglet game.sides=6", f"it belongs to game={' or game='.join(WITH_SIDES)}."),
    ("cubes=waves cubes.sizes=20", "cubes.sizes = 20 must be a list"),
    ("cubes=waves cubes.sizes=[]", "cubes.sizes is empty: give at least one, as in cubes.sizes=[20,10,5]"),
    ("hydra.run.dir=", "hydra.run.dir is empty: write a folder"),
    ("hydra.foo=3", "hydra.foo changes nothing here; of Hydra"),
    ("mutation=0.1,0.2", "add -m to run each of them"),
    ("cubes.sizes=[20", "'cubes.sizes=[20' cannot be read"),
    ("-m 'seed=range(0,2)'", """has single quotes that this shell does not take away: write "seed=range(0,2)"."""),
    (["debug=fast seed=1"], "'debug=fast seed=1' are several settings in one word: quote each by itself, or none."),
    ("debug=fast seed=1,", "'seed=1,' ends with a comma: write seed=1."),
    ("mutation=${foo}", "mutation has no value that can be read"),
    (
        "mutation=ops.py:flip",
        "it must be a number. An operator is chosen with mutator=ops.py:flip; mutation is its rate.",
    ),
    ("mutation=bit_flip", "An operator is chosen with mutator=bit_flip"),
    ("-m seed=0-2", "it must be a whole number. For 0 to 2 write -m 'seed=range(0,3)'."),
    ("-m mutation=0.001 0.005", "write -m mutation=0.001,0.005, with a comma and no space"),
    ("-m mutation=0.001, 0.005", "write -m mutation=0.001,0.005, with a comma and no space"),
    ("mutation = 0.005", "write mutation=0.005 without spaces"),
    ("=3", "sets nothing"),
    ("dule hold_at:20 optimal", "there is no command 'dule'; did you mean duel or rules?"),
    ("noisy:0.05,optimal", "'noisy:0.05,optimal' is a strategy: write pigevo show noisy:0.05,optimal."),
    ("hold_at:20", "'hold_at:20' is a strategy: write pigevo show hold_at:20."),
    ("hold_at20", "'hold_at20' is a strategy without its colon: write pigevo show hold_at:20."),
    ("evolve", "there is no command 'evolve'; did you mean experiment=cube_random?"),
    ("seed=1 duel", "'duel' is a command, which comes first"),
    ("--mutation 0.005", "settings are written key=value, without dashes"),
    ("--cfg jobb", "invalid choice: 'jobb'"),
    ("--cfg job -m", "--multirun and --cfg exclude each other"),
    ("--resolv", "unrecognized arguments: --resolv; settings are written key=value"),
    ("--resolve --cfg job", "--resolve is not an option of pigevo: `pigevo --cfg job` shows values that are resolved"),
    ("--info config", "--info is not an option of pigevo: `pigevo --cfg all` shows what was composed"),
    ("-p game --cfg job", "-p is not an option of pigevo: `pigevo --cfg job` shows all settings"),
    (
        "-m seed=0,1 hydra.sweep.dir=p,q",
        "hydra.sweep.dir=p,q has several values, and a sweep has one of each Hydra setting",
    ),
    (
        "-m mutation=interval(0,1)",
        "has no values to run one by one: write a list, mutation=0.1,0.2, or 'mutation=range(0,10)'",
    ),
    ("-m seed=1,2 hydra/sweeper=optuna", "to search among them with Optuna, write `pigevo tune`"),
    ("-m seed=1,2 hydra/launcher=joblib", "hydra.launcher.workers=N does N runs at a time"),
    ("-m seed=1,2 hydra.launcher.n_jobs=2", "hydra.launcher.n_jobs; hydra.launcher.workers=N does N runs at a time"),
    ("--config-dir /no/such/folder", "--config-dir: there is no folder '/no/such/folder'"),
    ("--config-name foo", "Cannot find primary config 'foo'"),
    ("-m mutation=0.1,oops", "mutation = oops is of the wrong kind"),
]
WRONG_COMMANDS = [
    ("duel hold_at:20", "Missing argument 'B'"),
    ("duel a b c", "it takes A B, and not c, too: a path with spaces stands in quotes"),
    ("duel hold_at 20 optimal", "a number follows its name after a colon, as in hold_at:20"),
    ("duel my files/a.py:f optimal", "a path with spaces stands in quotes"),
    ("duel holdat:20 hold_at:20", "there is no strategy 'holdat:20'; did you mean hold_at:20?"),
    ("duel hold_at:x hold_at:20", "'x' in 'hold_at:x' must be a number"),
    ("duel missing.npz hold_at:20", "there is no file missing.npz"),
    ("duel a b --gmes 3", "No such option"),
    ("duel a b --games 0", "0 is not in the range"),
    ("duel a b --heads 0.5", "pig has no --heads; it takes --target, --sides, --allow-pass, --die, --bust, --weights"),
    ("duel a b --game pgi", "there is no game 'pgi'; did you mean pig?"),
    ("duel a b --target 0", "game.target = 0 is out of range"),
    ("solve --target 9999", "a target of 9999 cannot be played"),
    ("solve --save . --target 5", ". is a folder: name a file in it, as in --save ./optimal.npz"),
    (f"{SCORES} hold_at:2", "explain takes two strategies, A B, for the equations of a pair of scores, and one"),
    (f"{SCORES} --turn 2 hold_at:2 hold_at:3", "explain takes two strategies"),
    (f"{SCORES} --rolled 2 hold_at:2 hold_at:3", "--rolled belongs to a decision: give --turn with it"),
    (f"{SCORES} --turn 3 hold_at:2", "97 banked and a turn total of 3 reach 100: the game is won there"),
    ("explain --own 97 hold_at:2 hold_at:3", "Missing option '--opponent'"),
    ("explain --own 970 --opponent 3 hold_at:2 hold_at:3", "an own score of 970 is outside the game"),
    (f"{SCORES} --left 2 hold_at:2 hold_at:3", "nothing depends on number of turns left: leave it out"),
    ("fair-test hold_at:3", "Missing argument 'B'"),
    ("fair-test hold_at:3 hold_at:4 --confidence 95", "95.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --power 1", "1.0 is not in the range"),
    ("fair-test hold_at:3 hold_at:4 --games 3", "games = 3: a fair test has an even number of games"),
    ("tournament", "Missing argument 'STRATEGY...'"),
    ("tournament hold_at:3", "at least two strategies are needed, and 1 can play"),
    ("tournament hold_at:3 hold_at:3", "and 1 can play"),
    ("tournament hold_at:3 holdat:4", "there is no strategy 'holdat:4'; did you mean hold_at:4?"),
    ("tournament hold_at:9..3", "is an empty range: write the smaller number first"),
    ("tournament hold_at:3 missing.csv", "there is no file missing.csv"),
    ("tournament hold_at:3..4 --games 3", "games = 3: a match has an even number of games"),
    ("tournament hold_at:3..4 --length 7", "length = 7: a match has an even number of games"),
    ("tournament hold_at:3..4 --timeout 0", "0 is not in the range"),
    ("tournament hold_at:3..4 --folder file", "Directory 'file' is a file"),
    ("tournament broken.py hold_at:3", "and 1 can play. broken.py cannot be read: "),
    (["rules", "21+(j-i)/8; rce either>=71"], "write race and a condition"),
    (["rules", "--game", "two_dice"], "the study `rules` has no rules for Two-dice Pig"),
    (["rules", "--target", "37", "--card"], "has no rules for Pig to 37"),
    (["rules", "25; race own>=70", "--game", "ten_rounds"], "needs a game with a target"),
    (["duel", "rule: 25 28", "optimal"], "must be one of: 25"),
    ("show", "Missing argument 'A'"),
    ("show hold_at:3 --at 1", "--at OWN,OPPONENT"),
    ("page --to site --open", "--to writes files and serves no page: --open has no effect, leave it out"),
    ("show hold_at:3 --at 1,2 --to x.png", "--at draws no picture: --to has no effect, leave it out"),
    ("show hold_at:3 --at 1,2 --picture map", "--at draws no picture: --picture has no effect"),
    ("show hold_at:3 --picture none --title mine", "--picture none draws no picture: --title has no effect"),
    ("rules 25 --card", "--card makes a page of the best rules: leave RULE out"),
    (f"reach hold_at:3 --target 9 --games 1{'0' * 400}", "is not in the range 1<=x<=1000000000000000"),
    (f"duel hold_at:3 hold_at:4 --target 9 --games 1{'0' * 400}", "a match has at most 1,000,000,000,000 games."),
    (f"duel hold_at:3 hold_at:4 --game-option x={'[' * 20_000}", "it takes"),
    (["show", "hold_at:3", "--at", ""], "--at OWN,OPPONENT"),
    ("show hold_at:3 --at 30,1 --target 20", "an own score of 30 is outside the game"),
    ("show hold_at:3 --target 9 --to x.bmp", "must end with .png or .pdf or .svg"),
    ("show hold_at:3 --target 9 --to x.svg --figures png", "must end with .png"),
    ("show optimal --target 9 --picture difference", "name another one"),
    ("show hold_at:3 --target 9 --dpi 5", "5 is not in the range"),
    ("three-player --target 200", "too large for three players: at most 150"),
    (
        "three-player --rewards 2,1",
        "--rewards is an option of the study's command: write `pigevo bonnet2018 --rewards ...`.",
    ),
    ("three-player --coalition --target 20", "write `pigevo bonnet2018 --coalition ...`."),
    ("three-player --allow-pass", "three players may not pass"),
    ("three-player --certify none.npz", "there is no file none.npz"),
    ("three-player --certify x.npz --save y.npz", "leave --save out"),
    ("three-player --target 3 --save .", ". is a folder: name a file in it, as in --save ./solution.npz"),
    ("benchmark random_serch", "there is no algorithm 'random_serch'; did you mean random_search?"),
    ("benchmark --instances t0", "has no such target"),
    ("benchmark --seeds 0", "0 is not in the range"),
    ("benchmark --by time", "'time' is not one of 'loss', 'exploitability'"),
    ("benchmark random_search --budget 1", "a budget of 1 does not do for t10-d2-c1-exact"),
    ("benchmark random_search --key file", "file is empty: the key of the dice is any text"),
    ("benchmark random_search --to file", "Directory 'file' is a file"),
    ("turns hold_at:3 --game two_dice --left 3", "nothing depends on number of turns left: leave it out"),
    ("turns hold_at:3 --game ten_rounds --left 30", "number of turns left of 30 is outside the game"),
    ("study exeter2017 --figure 99", "exeter2017 draws no figure '99'; there are: 1, 2, 4, 15, 16, 18, boxes."),
    ("study tuning --figure 3", "tuning draws no figure alone: leave --figure out"),
    ("study rules --figure 3 --full", "leave one of them out"),
    ("card --to card.png", "card.png: the name of a card must end with .pdf or .html; or name a folder that exists."),
    ("card random_strategy --game ten_rounds game.rolls=true", "depend on"),
    ("report run games.csv", "it takes FOLDER, and not games.csv, too: give each alone"),
    ("film run --to a.avi", "must end with .gif or .mp4"),
    ("film run --to a.mp4", "needs ffmpeg, which is not found"),
    ("film run --every 0", "0 is not in the range"),
    ("page --port 65536", "65536"),
    ("page --port x", "'x'"),
    ("page --to site --run nowhere", "nowhere"),
    ("people games.csv", "games.csv cannot be read as a record of games: row 2: 1 roll cannot bank 1 point "),
    ("people file", "file cannot be read as a record of games: it does not begin with a row of names"),
    ("dynamics hold_at:3 --target 9", "at least two strategies are needed"),
    ("dynamics hold_at:3 hold_at:4 --target 9 --players 1", "--players"),
    ("dynamics hold_at:3 hold_at:4 --target 9 --to picture.xyz", "must end with"),
    ("dynamics hold_at:1..9 --target 9 --players 5", "5 players cannot begin with 9 strategies"),
    ("tournament hold_at:3 hold_at:4 --games 10 --dominated", "--dominated is about exact win probabilities: "),
    ("reach hold_at:7 --game two_dice --target 20", "scores can fall"),
    ("reach hold_at:7 --target 20 --to x.txt", "must end with"),
    ("reach hold_at:7 --target 20 --share 0", "--share"),
    ("turns hold_at:3 --target 9 --own 9", "outside the game"),
    ("tune debug=fast mutation=0.01", "there is nothing to search"),
    ("tune debug=fast mutation=0.1..0.01", "the first number must be below the second"),
    ("tune debug=fast mutatoin=0..1", "there is no setting mutatoin"),
    ("tune debug=fast mutation=0..1 --runs 2", "at least 3, one a seed"),
    ("three-player --target 5 --game skunk", "is no race with one die"),
    ("people", "give the FILE.csv with the games"),
    ("people games.csv --form", "--form makes an empty form"),
    ("people --form --figures png", "--form makes an empty form"),
    ("people games.csv --to class", "give --form or --figures, too"),
    ("people games.csv --figures a --to b", "write --figures png --to FOLDER"),
    ("people games.csv --figures scores.png", "the pictures are several"),
    ("people --form --to form.docx", "form.docx: the name of a form must end with .pdf or .html"),
    ("people --form --game ten_rounds", "only one-die races"),
    ("solve --bust 7", "7 cannot bust: the faces of the die are 1, 2, 3, 4, 5, 6."),
    ("solve --die 0,1 --bust 1", "no face is left that scores"),
    ("solve --die -1,2", "a face of -1 cannot be played"),
    ("solve --die 0,x", "--die '0,x': write numbers with commas between them, as in 0,1,1,2."),
    ("solve --die 0,1.5", "game.die = 1.5 must be a whole number."),
    ("solve --bust ,", "--bust ',': write numbers with commas between them"),
    ("solve --weights 1,2", "the die has 6 faces and 2 weights: give one for each face."),
    ("solve --weights 1,2,3,4,5,nan", "a weight of nan cannot be played with"),
    ("solve --game two_dice --bust 6", "two_dice has no --bust; it takes --target, --sides, --allow-pass."),
    ("debug=fast game.bust=9", "9 cannot bust: the faces of the die are 1, 2, 3, 4, 5, 6."),
    ("debug=fast game.die=[0,1.5]", "game.die = 1.5 must be a whole number."),
    ("debug=fast game.die=0,1,1,2", "A list is written in brackets, game.die=[...]"),
    ("debug=fast seed=range(3)", "add -m to run each of them, as in python -m pigevo -m ... 'seed=range(3)'."),
    ("debug=fast mutation=0.1,0.2", "as in python -m pigevo -m ... mutation=0.1,0.2."),
    ("population=7", "Did you mean population.size=7?"),
    ("fitness=100", "Did you mean fitness.games=100?"),
    ("mutator=print", "A function of your own is mutator=FILE.py:NAME."),
    ("crossover=uniform,crossover=one_point", "names crossover twice: write crossover=uniform,one_point, with -m"),
    ("seed=1,mutation=0.1", "are several settings: write a space between them, seed=1 mutation=0.1."),
    ("fitness.opponent=runs/seed=1,b=2", """If it is one path, quote it: 'fitness.opponent="runs/seed=1,b=2"'."""),
    ("fitness=exact_vs fitness.opponent=a/b,c", """If it is one path, quote it: 'fitness.opponent="a/b,c"'."""),
    ("page --game ten_rounds --rolls", "the page plays no game in which a decision depends on the rolls of the turn"),
    ("play hold_at:3 --adapt", "--adapt is an opponent of its own: leave out 'hold_at:3'"),
    ("play --most-loss 0.1", "--most-loss is what an opponent that adapts may lose: it needs --adapt"),
    ("play --adapt --most-loss 0", "0.0 is not in the range"),
    ("play --adapt --game two_dice game.target=9", "estimates a hold value, in races of one die"),
    ("play --adapt --target 9 --allow-pass", "leave out --allow-pass"),
    ("play --adapt --target 300", "a target of at most 200, not 300"),
    ("play hold_at:3 --first --second", "--first and --second exclude each other: without them the seats alternate"),
    ("play --games 0", "0 is not in the range x>=1"),
    ("play --seed -1", "-1 is not in the range x>=0"),
    ("play --seed 99999999999999999999", "seed must be an integer from 0 to"),
    ("play --game two_dice game.target=9 --save new.csv", "only one-die races to at most 200 points can be recorded"),
    ("play --target 9 --save .", ". is a folder: name a file in it, as in --save ./games.csv"),
    ("play --target 9 --save notes.txt", "notes.txt cannot be read as a record of games: "),
    ("play --target 9 --save new.csv --name optimal", "'optimal' is the name of the opponent in the record"),
    ("play --adviser nobody", "there is no strategy 'nobody'"),
    (["play", "--adviser", "rule: 21+"], "must be one of"),
    (["play", "--adviser", "rule: 25; race own>=70", "--game", "ten_rounds"], "needs a game with a target"),
    ("replay run --generation 7 --pairing 0 --game 0", "generation 7 is out of range: the run has generations 0 to 6"),
    ("replay run --generation 2 --pairing 3 --game 0", "pairing 3 is out of range: generation 2 has 0 to 2"),
    ("replay run --generation 6 --pairing 15 --game 0", "pairing 15 is out of range: generation 6 has 0 to 14"),
    ("replay run --generation 2 --pairing 0 --game 30", "game 30 is out of range: a match of this run has games 0 to"),
    ("replay run --generation -1 --pairing 0 --game 0", "-1 is not in the range"),
    ("replay run --generation 1 --pairing 0", "Missing option '--game'"),
    ("debug=fast hydra.run.dir=run/result.json/run", "result.json"),
    ("verify run --generations -1", "-1 is not in the range"),
    ("duel roll_and_wait:5,3 hold_at:3 --target 10", "allow_pass"),
    ("duel hold_at:3 hold_at:4 --seed 1", "without --games nothing is simulated: --seed has no effect, leave it out"),
    ("fair-test hold_at:3 hold_at:4 --games 10 --most 9", "--games is the number of games to play: --most has no"),
    ("show hold_at:3 --picture none --dpi 80", "--picture none draws no picture: --dpi has no effect"),
    ("play --name ann", "without --save no file has your name: --name has no effect"),
    ("page --to new --port 80", "--to writes files and serves no page: --port has no effect"),
    ("study --full", "without NAME the studies are listed: --full has no effect"),
    ("rules --card --json", "--card is a page to print: --json has no effect"),
    ("benchmark --list --seeds 3", "--list runs nothing: --seeds has no effect"),
    ("benchmark x --list", "--list runs nothing: [ALGORITHM...] has no effect"),
    ("--cfg job --json debug=fast", "--cfg prints YAML: --json has no effect, leave it out"),
    (
        "duel latin.py:rule hold_at:3",
        "latin.py cannot be read: it is not UTF-8 text: save it as UTF-8 (in an editor: Save with encoding).",
    ),
    (
        "debug=fast mutator=latin.py:rule",
        "latin.py cannot be read: it is not UTF-8 text: save it as UTF-8 (in an editor: Save with encoding).",
    ),
    (
        "tournament latin.py hold_at:3",
        "latin.py cannot be read: it is not UTF-8 text: save it as UTF-8 (in an editor: Save with encoding).",
    ),
    ("tournament hold_at:1-100", "1..100 is every number of a range"),
]


NAMES = frozenset(command_names())


def group_of(words):
    """The command of a line, by which the lines are tried together."""
    first = (words.split() if isinstance(words, str) else words)[0]
    return first if first in NAMES else "settings"


WRONG = [*WRONG_SETTINGS, *WRONG_COMMANDS]


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("group", sorted({group_of(words) for words, _ in WRONG}))
def test_one_sentence(refused, monkeypatch, group):
    Path("file").touch()
    Path("notes.txt").write_text("a shopping list\n")
    Path("latin.py").write_bytes("# coding: latin-1, café\ndef rule(i, j, k): return k < 20".encode("latin-1"))
    Path("broken.py").write_text("def rule(i, j, k:")
    Path("games.csv").write_text("game,player,turn,rolls,banked\na,x,1,1,1\n")
    game = library.Pig(target=9, allow_pass=True)
    library.Strategy(game, np.full(game.shape, 0.5), "half").save("half.npz")
    monkeypatch.setenv("PATH", "")  # no ffmpeg
    before = sorted(Path().iterdir())
    for words, message in WRONG:
        if group_of(words) == group:
            refused(words, message)
    assert sorted(Path().iterdir()) == before


RULES = "mine.py:rule"
MEANT = {
    "mutation=0,005 debug=fast": "a comma where numbers have a point: did you mean mutation=0.005?",
    "-m mutation=0,005 debug=fast": "a comma where numbers have a point: did you mean mutation=0.005?",
    "fitness.games=1,5 debug=fast": "If one number is meant, did you mean fitness.games=1.5?",
    "duel hold_at20 optimal": "there is no strategy 'hold_at20'; did you mean hold_at:20?",
    "duel holdat:20 optimal": "did you mean hold_at:20?",
    "duel hold_at=20 optimal": "did you mean hold_at:20?",
    "tournament score20,0 hold_at:5": "did you mean score:20,0?",
    "show RUN": "RUN stands for the folder of a run, outputs/EXPERIMENT/SETTINGS: write that instead",
    "verify RUN": "RUN stands for the folder of a run",
    "report SWEEP": "SWEEP stands for the folder of a sweep, outputs/sweeps/NAME",
    "compare SWEEP": "SWEEP stands for the folder of a sweep",
    "duel A B": "A stands for a strategy, such as hold_at:20 or optimal",
    "check holds.csv": "`pigevo show` reads a table of hold values",
    "check FILE.py:FUNCTION": f"stands for a function in a file, such as {RULES}",
}


@pytest.mark.parametrize("words", MEANT)
def test_a_refusal_says_what_was_meant(refused, words):
    refused(words, MEANT[words])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hold_at:200 optimal", "hold_at:200: 200 points are more than the 100 that win in Pig to 100; did you mean hold_at:20?"),
        ("hold_at:33 optimal --target 30", "33 points are more than the 30 that win in Pig to 30."),
        ("hold_at:20 optimal --target 1", "20 points are more than the 1 that win in Pig to 1."),  # 2 are more, too
    ],
)  # fmt: skip
def test_points_out_of_reach_are_played_with_a_word(pigevo, words, message):
    output = pigevo(f"duel {words}")
    assert (output.status, message in output.err) == (0, True)


def test_what_is_meant_as_it_is_typed_is_left_alone(pigevo, answer):
    assert pigevo("duel hold_at:30 hold_at:20 --target 30").err == ""
    Path("RUN").mkdir()
    assert "stands for" not in pigevo("show RUN").err
    answer("show hold_at:7 --target 9 --picture map --dpi 30 --title A")


LAST_IS_EMPTY = {
    "play": "there is no strategy ''", "show optimal": "there is no strategy ''",
    "reach optimal": "there is no strategy ''", "report": "FOLDER is empty", "film": "RUN is empty",
    "verify": "RUN is empty", "status": "SWEEP is empty", "study tuning --seeds 6 --folder": "--folder is empty",
    "show optimal --to": "--to is empty", "page --to": "--to is empty", "people x.csv --to": "--to is empty",
    "three-player --certify": "--certify is empty", "benchmark --key": "--key is empty",
}  # fmt: skip


@pytest.mark.parametrize("words", LAST_IS_EMPTY)
def test_an_empty_word_is_neither_what_is_usual_nor_the_present_folder(refused, words):
    refused([*words.split(), ""], LAST_IS_EMPTY[words])
    assert list(Path().iterdir()) == []


GIVE_RUN = "give the folder of a run, outputs/EXPERIMENT/SETTINGS."
GIVE_SWEEP = "give the folder of a sweep, outputs/sweeps/NAME."
GIVE_CHAMPION = "give the folder of a run that has finished."
GIVE_MANY = "put Python files, tables (.csv) or saved strategies (.npz) there."


def folder(wanted, remedy):
    """The sentences about a path at which a folder was wanted."""
    return {
        "no": f"there is no folder at/no: {remedy}",
        "file": f"at/file is a file: {remedy}",
        "empty": f"at/empty is empty: {remedy}",
        "others": f"at/others holds no {wanted}: {remedy}",
    }


def file(damaged, kind="at/{} cannot be read: it is a folder."):
    """The sentences about a path at which a file was wanted."""
    folders = {name: kind.format(name) for name in ("empty", "others")}
    return {"no": "there is no file at/no.", "file": damaged, **folders}


def strategy(wanted, remedy):
    """The sentences about a path at which a strategy was wanted, in a file or a folder."""
    damaged = "at/file is damaged, or not a strategy of pigevo (it is not an .npz file)."
    return folder(wanted, remedy) | {"no": "there is no file at/no.", "file": damaged}


NEITHER = f"{GIVE_SWEEP.rstrip('.')}, or of a run, outputs/EXPERIMENT/SETTINGS."
OF_RUN, OF_SWEEP = folder("run", GIVE_RUN), folder("sweep", GIVE_SWEEP)
OF_STRATEGY, OF_MANY = strategy("champion.npz", GIVE_CHAMPION), strategy("strategy", GIVE_MANY)
ONE_SHORT = "at least two strategies are needed, and 1 can play. file is damaged, or not a strategy of pigevo"
COMMANDS = {
    "benchmark": ("PATH/ops.py:mine", dict.fromkeys(OF_RUN, "there is no file at/")),
    "card": ("PATH", OF_STRATEGY),
    "check": ("PATH/ops.py:mine", dict.fromkeys(OF_RUN, "there is no file at/")),
    "compare": ("PATH", OF_SWEEP),
    "duel": ("optimal PATH", OF_STRATEGY),
    "dynamics": ("optimal PATH", OF_MANY | {"file": ONE_SHORT}),
    "explain": ("PATH optimal --own 1 --opponent 1", OF_STRATEGY),
    "fair-test": ("optimal PATH", OF_STRATEGY),
    "film": ("PATH", OF_RUN),
    "lineage": ("PATH", OF_RUN),
    "page": ("--to site --run PATH", OF_RUN),
    "people": ("PATH", file("at/file cannot be read as a record of games: ")),
    "play": ("PATH", OF_STRATEGY),
    "reach": ("PATH", OF_STRATEGY),
    "replay": ("PATH --generation 0 --pairing 0 --game 0", OF_RUN),
    "report": ("PATH", folder("sweep and no run", NEITHER)),
    "respond": ("PATH", OF_STRATEGY),
    "resume": ("PATH", OF_RUN),
    "show": ("PATH", OF_STRATEGY),
    "status": ("PATH", OF_SWEEP),
    "three-player": ("--certify PATH", file("at/file is damaged, or not a three-player solution", "'at/{}' is a directory")),
    "tournament": ("optimal PATH", OF_MANY | {"file": ONE_SHORT}),
    "turns": ("PATH", OF_STRATEGY),
    "verify": ("PATH", OF_RUN),
}  # fmt: skip
WITHOUT_A_PATH = {"bonnet2018", "cache", "describe", "rules", "solve", "strategies", "study", "tune"}


def test_every_command_is_listed_here():
    assert {*COMMANDS, *WITHOUT_A_PATH} == {*command_names()}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_sentence_says_what_is_at_the_path(refused, command):
    Path("at/empty").mkdir(parents=True)
    Path("at/others").mkdir()
    for place in ("at/others/notes.txt", "at/file"):
        Path(place).write_text("a shopping list\n")
    words, sentences = COMMANDS[command]
    for there, sentence in sentences.items():
        refused(f"{command} {words}".replace("PATH", f"at/{there}"), sentence)


PROGRAM = f"{sys.executable} -m pigevo"
WRONG_FILES = [
    ("experiment: other", "the experiment mine calls itself other"),
    ("experiment: mine\nmutatoin: 3", "in experiment/mine.yaml: there is no setting mutatoin"),
    ("experiment: mine\nmutation: lots", "in experiment/mine.yaml: mutation: Value 'lots'"),
    ("experiment: [mine", "is not valid YAML"),
    ("defaults:\n  - override /fitness: gams\nexperiment: mine", "no fitness 'gams'"),
]


def raising(error):
    def fail(*_, **__):
        raise error

    return fail


def shell(command, folder, **environment):
    """A command line of bash, in a process that finds this pigevo."""
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
        env=environment_of_a_process() | environment,
    )  # fmt: skip


def python(code, folder):
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("words", "said"), [("--help", 1), ("describe knockout", 1), ("--version", 0)])
def test_python_without_docstrings_says_that_the_help_has_no_texts(words, said, tmp_path):
    for optimization in ("", "-OO"):
        done = shell(f"{sys.executable} -B {optimization} -m pigevo {words}", tmp_path)
        sentence = (
            "pigevo: Python runs with -OO (PYTHONOPTIMIZE=2), without most texts of this help: run it without that.\n"
        )
        assert (done.returncode, done.stderr) == (0, sentence * bool(said and optimization))


def test_a_wrong_file_of_the_user(refused, ran, tmp_path):
    folder = tmp_path / "conf" / "experiment"
    folder.mkdir(parents=True)
    for content, message in WRONG_FILES:
        (folder / "mine.yaml").write_text(f"# @package _global_\n{content}\n")
        refused(f"--config-dir {tmp_path / 'conf'} experiment=mine", message)
    assert not (tmp_path / "outputs").exists()


def test_a_refusal_of_an_operator_leaves_nothing(refused, monkeypatch, tmp_path):
    monkeypatch.setattr("pigevo.settings.settings.try_out", raising(InputError("cubes.sizes do not fit.")))
    refused("experiment=cube_random", "pigevo: cubes.sizes do not fit.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_another_process_works_in_is_left_alone(refused, tmp_path):
    folder = tmp_path / "outputs" / Settings.of("debug=fast").folder
    with locked(folder):
        refused("debug=fast", "another process is at work")
    assert [path.name for path in folder.iterdir()] == [".lock"]


@pytest.mark.parametrize(
    ("place", "error"),
    [
        ("pigevo.runs.run", ValueError("a bug")),
        ("pigevo.cli.entry._dispatch", OSError(28, "No space left on device")),
        ("pigevo.cli.entry._dispatch", ModuleNotFoundError("pigevo.nothing", name="pigevo.nothing")),
    ],
)
def test_a_bug_is_no_wrong_input_nor_a_matter_of_the_output(pigevo, monkeypatch, place, error):
    monkeypatch.setattr(place, raising(error))
    with pytest.raises(type(error)) as raised:
        pigevo("seed=1")
    assert raised.value is error


def test_interrupted_and_full_traces_on_request(pigevo, monkeypatch):
    monkeypatch.setattr("pigevo.runs.run", raising(KeyboardInterrupt()))
    output = pigevo("seed=1")
    assert (output.status, output.err) == (130, "pigevo: interrupted.\n")
    assert "HYDRA_FULL_ERROR" not in os.environ
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    with pytest.raises(InputError):
        pigevo("mutation=7")


def interrupted_import(then):
    """An import of a package that Ctrl-C reaches, and which does something else with it."""

    def dispatch(words, began):
        try:
            signal.getsignal(signal.SIGINT)(signal.SIGINT, None)
        except KeyboardInterrupt:
            return then()
        raise AssertionError("Ctrl-C did not come")

    return dispatch


def test_an_interrupt_that_a_package_turns_into_another_error_is_called_so(pigevo, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    for error in (RuntimeError("Error calling __set_name__"), ImportError("numba._devicearray failed to import")):
        monkeypatch.setattr(entry, "_dispatch", interrupted_import(raising(error)))
        output = pigevo("seed=1")
        assert (output.status, output.err) == (130, "pigevo: interrupted.\n")
    assert signal.getsignal(signal.SIGINT) == before


def test_a_run_stops_after_an_interrupt_that_a_package_has_swallowed(pigevo, monkeypatch):
    dispatch = entry._dispatch
    monkeypatch.setattr(
        entry, "_dispatch", lambda words, began: interrupted_import(lambda: dispatch(words, began))(0, 0)
    )
    output = pigevo(RUN)
    assert output.status == 130
    assert "goes on from there" in output.err


FAST = ("--version", "mutatoin=1", "mutation=7", "--cfg job", "--help", *(f"{name} --help" for name in command_names()))


def test_started_fast(tmp_path):
    """Each help, a typo, a refused value and a composed config import nothing heavy."""
    code = (
        f"import sys; from pigevo.cli import main\nfor line in {FAST!r}:\n    main(line.split())\n"
        "    print('LOADED', line, sorted({'numba', 'scipy', 'matplotlib', 'deap'} & set(sys.modules)))"
    )
    output = python(code, tmp_path).stdout
    assert all(f"LOADED {line} []" in output for line in FAST), output


def test_wrong_choices_are_answered_without_hydra_as_hydra_would(tmp_path):
    words = [f"{group}=knokout" for group in CHOICES]
    code = (
        "import sys; from pigevo.cli import main\nfor word in sys.argv[1:]: main([word])\nprint('hydra' in sys.modules)"
    )
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    sentences = []
    for word in words:
        with pytest.raises(InputError) as refusal:
            Composer()([word])
        sentences.append(f"pigevo: {refusal.value}")
    assert (done.stdout, done.stderr.splitlines()) == ("False\n", sentences)


def test_a_choice_in_a_folder_of_the_users(pigevo, tmp_path):
    (tmp_path / "conf" / "selection").mkdir(parents=True)
    (tmp_path / "conf" / "selection" / "mine.yaml").write_text("name: knockout\n")
    for words in (f"--config-dir {tmp_path / 'conf'}", f"hydra.searchpath=[file://{tmp_path / 'conf'}]"):
        assert "name: knockout" in pigevo(f"{words} --cfg job selection=mine").out


def test_a_reader_who_leaves(tmp_path):
    done = shell(f"{PROGRAM} --help | head -c 1; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (done.stderr, len(done.stdout)) == ("", 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["--help", pytest.param("--cfg job", marks=pytest.mark.slow)])
def test_output_that_cannot_be_written(words, tmp_path):
    done = shell(f"{PROGRAM} {words} > /dev/full", tmp_path)
    assert done.stderr == "pigevo: standard output cannot be written: No space left on device.\n"
    assert done.returncode == 2


def test_closed_output(tmp_path):
    for words in ("--help", "game.target=12 debug=fast"):
        done = shell(f"{PROGRAM} {words} >&-", tmp_path)
        assert done.stderr == "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
        assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_a_python_without_the_packages(tmp_path):
    """An environment that was not activated: nothing is installed."""
    import pigevo

    source = Path(pigevo.__file__).parents[1]
    done = shell(f"{sys.executable} -S -m pigevo duel a b", tmp_path, PYTHONPATH=str(source))
    lacks = "lacks click, deap, hydra-core, matplotlib, numba, numpy, scipy and tqdm: activate the environment"
    assert done.stderr.startswith(f"pigevo: {sys.executable} {lacks}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("module", "package", "words"), [("hydra", "hydra-core", ["--cfg", "job"]), ("numba", "numba", ["duel", "a", "b"])]
)
def test_one_package_is_missing(module, package, words, tmp_path):
    code = f"import sys; sys.modules[{module!r}] = None\nfrom pigevo.cli import main; sys.exit(main({words!r}))"
    done = python(code, tmp_path)
    assert done.stderr.startswith(f"pigevo: {sys.executable} lacks {package}: activate")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("error", "status"), [("OSError(5, 'Input/output error')", 2), ("ImportError('broken')", 1)])
def test_a_settings_file_that_cannot_be_read_is_named_and_a_broken_package_raises(error, status, tmp_path):
    (tmp_path / "own" / "matplotlib").mkdir(parents=True)
    (tmp_path / "own" / "matplotlib" / "__init__.py").write_text(f"raise {error}")
    path = f"{tmp_path / 'own'}:{environment_of_a_process()['PYTHONPATH']}"
    done = shell(f"{PROGRAM} show hold_at:3 --target 9", tmp_path, PYTHONPATH=path)
    assert done.returncode == status
    assert done.stderr.startswith("pigevo: matplotlib cannot start with its settings") == (status == 2)
    assert ("Traceback" in done.stderr) == (status == 1)


@pytest.mark.parametrize(
    "words", ["--cfg job", "debug=fast", "resume x", "check ops.py:f", "duel ops.py:f optimal", "-m seed=1,2"]
)
def test_a_folder_that_is_gone(refused, tmp_path, words):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused(words, "the present folder has been removed: go to another one.")


@pytest.mark.slow
def test_a_wrong_matplotlib_backend_does_not_matter(tmp_path):
    output = shell(f"{PROGRAM} {RUN} fitness.games=4", tmp_path, MPLBACKEND="nope")
    assert output.returncode == 0, output.stderr
    assert (tmp_path / "run" / "figures" / "curve.png").is_file()


COMP_LINES = {
    "pigevo experiment=cube_r": "experiment=cube_random", "python -m pigevo game=pigl": "game=piglet",
    "pigevo 'x": "", "pigevo experiment=${": "", "pigevo \x1b": "",
}  # fmt: skip


@pytest.mark.parametrize("line", COMP_LINES)
def test_a_line_to_complete(tmp_path, line):
    """In a fresh process, as by a shell: Hydra loads its plugins again for other tests, and the old ones are broken."""
    output = shell(f"{PROGRAM} --shell-completion query=bash", tmp_path, COMP_LINE=line)
    assert (output.returncode, output.stdout.strip(), output.stderr) == (0, COMP_LINES[line], "")


def test_a_completion_that_is_none(refused, monkeypatch):
    monkeypatch.delenv("COMP_LINE", raising=False)
    for words in ("", "install=%", "install=bas\x1bh", "install=bash install=bash", "install=tcsh", "query=bash"):
        refused(["--shell-completion", *words.split(" ")], "")


DUEL, SWEEP = "duel hold_at:3 hold_at:4 --target 9", "-m debug=fast game.target=9 seed=1,2"


@pytest.mark.parametrize(
    ("content", "threads", "words", "status"),
    [
        ("{", "", DUEL, 2),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                ("[1, 2]", "", DUEL, 2),
                ("num_threads: 0", "", DUEL, 2),
                ("", "0", DUEL, 2),
                ("", "0", SWEEP, 2),
                ("developer_mode: 1", "", DUEL, 0),
            ]
        ),
    ],
)
def test_settings_of_numba_that_make_no_sense(tmp_path, content, threads, words, status):
    (tmp_path / ".numba_config.yaml").write_text(content)
    done = shell(f"{PROGRAM} {words}", tmp_path, **({"NUMBA_NUM_THREADS": threads} if threads else {}))
    assert done.returncode == status
    assert done.stderr.startswith("pigevo: numba cannot start with its settings" if status else "")
    assert done.stderr.count("\n") == bool(status)
    assert not (tmp_path / "outputs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "status"), [(b"\xff\xfe", 2), (b"text.usetex: True\n", 2), (b"lines.linewidth: 9\n", 0)]
)
def test_a_file_of_matplotlib(tmp_path, content, status):
    """One that cannot be read, or drawn with, is reported after the work; the run goes on from there."""
    (tmp_path / "matplotlibrc").write_bytes(content)
    done = shell(f"export PATH=; {PROGRAM} {RUN} fitness.games=4", tmp_path)
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    (tmp_path / "matplotlibrc").unlink()
    assert shell(f"{PROGRAM} {RUN} fitness.games=4", tmp_path).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="`ulimit -v` limits a process on Linux")
@pytest.mark.parametrize("limit", [150_000, 300_000, 450_000])
@pytest.mark.parametrize(
    "words", ["solve", "duel hold_at:20 hold_at:25", "experiment=cube_random debug=fast", "tournament hold_at:20..22"]
)
def test_too_little_address_space_is_one_sentence(tmp_path, words, limit):
    done = shell(f"unset OPENBLAS_NUM_THREADS; ulimit -v {limit}; {PROGRAM} {words}", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("pigevo: there is not enough memory: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="`ulimit -v` limits a process on Linux")
@pytest.mark.parametrize("words", ["--help", "duel --help"])
def test_a_help_text_needs_less_than_a_hundred_megabytes(tmp_path, words):
    done = shell(f"ulimit -v 100000; {PROGRAM} {words}", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("can't start new thread"),
        ImportError("a.so: failed to map segment from shared object"),
        OSError(12, "Cannot allocate memory"),
    ],
)
def test_errors_for_lack_of_memory_say_memory(monkeypatch, capsys, error):
    monkeypatch.setattr(entry, "_dispatch", raising(error))
    assert entry.main(["solve"]) == 2
    assert capsys.readouterr().err.startswith("pigevo: there is not enough memory: ")
