"""Command lines that are nearly right: valid ones with a few things changed."""

import random
import re
from dataclasses import fields

from pigevo.settings.schema import CUSTOM, GROUPS, Config, registry_of

RUN, SWEEP, SAVED, TABLE = "run", "sweeps/s", "saved.npz", "holds.csv"
OPS, THREE, GAMES = "ops.py", "three.npz", "games.csv"
"""What lies in the folder of every case."""

COMMANDS = {
    "benchmark": [
        "random_search --instances t5-d2 --seeds 1 --budget 60 --to new --workers 1",
        "hill_climber --instances t5-d2-c2-g4-oracle --seeds 1 --budget 400 --to new --workers 1 --json",
    ],
    "bonnet2018": [
        "--target 3 --coalition", "--game piglet --heads 0.3 --target 3 --rewards 2,1,-3 --after-first-win play_on",
        "--game two_dice --target 3 --json", "--players 4 --target 2",
    ],
    "cache": ["--json"],
    "card": ["hold_at:3 --target 9 --to new.pdf", f"{SAVED} --target 9 --to new.html --json", "--target 9"],
    "check": [f"{OPS}:rule", f"{OPS}:cross --kind crossover", f"{OPS}:rule --json"],
    "compare": [f"{SWEEP} --metric peak_mean", f"{SWEEP} mutation=0.1 mutation=0.2", f"{SWEEP} {SWEEP} --json"],
    "describe": ["lexicase", "random search --json", "mutator=deap", "game.target"],
    "duel": [
        "hold_at:3 optimal --target 9", f"{SAVED} {RUN} --target 9 --games 20 --seed 3",
        f"{TABLE} {OPS}:rule --target 9 --sides 6", "score:2,3 turtle --game piglet --heads 0.4 --target 8 --allow-pass",
        "stick_formula:4,50 hold_at:3 --game ten_rounds --turns 2 --cap 9 --games 20",
        f"mix:0.5,noisy:0.1,score:2,1,mirror:{SAVED} noisy:0.05,{OPS}:rule --target 9",
    ],
    "dynamics": [
        "hold_at:3 optimal --target 9 --generations 3 --populations 9 --to new.png", f"{TABLE} {SAVED} score:2,1 --target 9 --time 9 --players 5 --json",
        f"{SWEEP} noisy:0.1,hold_at:3 --generations 3 --populations 9",
    ],
    "explain": [
        "--own 5 --opponent 7 hold_at:3 optimal --target 9", f"--own 2 --opponent 0 --turn 3 {OPS}:rule --target 9 --json",
        "--own 3 --opponent 0 --left 1 --second 1 --game ten_rounds --cap 12 --turns 2 hold_at:3 score:4",
    ],
    "fair-test": [
        "hold_at:3 optimal --target 9 --games 20 --seed 3", f"{SAVED} {RUN} --target 9 --most 5000 --confidence 0.9 --json",
        f"{TABLE} {OPS}:rule --target 9 --power 0.5 --most 0", "hold_at:3 hold_at:4 --game piglet --heads 0.4 --target 8 --games 2",
    ],
    "film": [f"{RUN} --every 2 --to new.gif", f"{RUN} --fps 4 --json"],
    "lineage": [f"{RUN} --to new.png", f"{RUN} --tournament new.png", f"{RUN} --json"],
    "page": ["--to new", "--to new --json", "--port 0", "--port 0 --json"],
    "people": [
        f"{GAMES} --target 9 --figures new", f"{GAMES} --target 9 --json", f"{GAMES} --target 9 --figures svg --to new",
        "--form --target 9 --to new.pdf", "--form --game piglet --to new.html --json", "--form --to new",
    ],
    "play": [
        "hold_at:3 --target 9 --seed 3", f"{SAVED} --target 9 --second --odds --seed 3 --json", "--first --second",
        f"{OPS}:rule --target 9 --games 2 --save {GAMES} --name eve", "--game two_dice game.target=9 --save new.csv",
        f"--target 9 --seed 3 --adviser {OPS}:rule", "hold_at:3 --target 9 --seed 3 --adviser hold_at:4 --json",
        "--adapt --target 9 --games 2 --seed 3", "--adapt --most-loss 0.1 --target 9 --second --json",
    ],
    "reach": ["hold_at:3 optimal --target 9 --games 50 --to new.png", f"{SAVED} --target 9 --share 3 --share 60 --json"],
    "replay": [f"{RUN} --generation 1 --pairing 0 --game 0", f"{RUN} --generation 2 --pairing 3 --game 1 --json"],
    "report": [f"{SWEEP} --metric last_mean --axis games", f"{SWEEP} --json"],
    "respond": ["hold_at:3 --target 9 --rounds 3 --save new.npz", f"{RUN} --target 9"],
    "resume": [RUN, f"{RUN} --json"],
    "rules": ["--card", "5+(j-i)/3 --target 9 --json", "multiple(4) --target 9", "--game piglet --target 5 3"],
    "show": [
        "hold_at:3 optimal --target 9 --at 2,5", f"{RUN} {SAVED} --picture none --json", f"{OPS}:rule --target 9 --to new.png --dpi 30",
        f"{TABLE} hold_at:4 --target 9 --figures svg --picture map --title x",
    ],
    "solve": [
        "--target 9 --save new.npz", "--target 9 --die 0,1,1,2 --bust 1", "--target 9 --bust 6,1 --weights 1,1,1,1,1,2", "--game piglet --target 5 --heads 0.3 --json",
    ],
    "status": [SWEEP, f"{SWEEP}/sweep.json --json"],
    "strategies": ["--target 9", "--game piglet --heads 0.4 --target 5 --json", "--game ten_rounds --turns 2 --cap 9"],
    "study": ["--json", "exeter2016 --seeds 2 --workers 1 --folder new",
              "bonnet2018 --figure 2 --folder new"],
    "three-player": ["--target 4 --save new.npz", f"--certify {THREE} --advice", "--game piglet --heads 0.3 --target 3 --json"],
    "tournament": [
        "hold_at:2..4 optimal --target 9 --times 3", f"{TABLE} {SAVED} {RUN} score:2,0..2 --target 9 --games 20 --seed 3 --json",
        f"{OPS}:rule hold_at:3 --target 9 --timeout 20 --folder new --length 10 --top 1",
        "hold_at:2..4 optimal --target 9 --times 3 --dominated --top 2", "hold_at:3 hold_at:4 --target 9 --dominated --json",
    ],
    "tune": [
        "debug=fast game.target=9 population.size=6 baseline=none mutation=0.001..0.1:log --runs 2 --seeds 1 --confirm 0 --batch 1 --workers 1",
        "debug=fast game.target=9 baseline=none population.size=4..6:2 --runs 2 --seeds 1 --confirm 2 --batch 2 --workers 1 --json",
    ],
    "turns": ["hold_at:3 --target 9", "hold_at:3 --game ten_rounds --turns 2 --cap 9 --left 1 --second 1", f"{TABLE} --target 9 --own 5 --opponent 2 --json"],
    "verify": [RUN, f"{RUN} --generations 2 --json"],
}  # fmt: skip
"""Valid words after each command."""

SETTINGS = [
    "experiment=cube_random mutation=0.005 seed=3",
    "debug=fast game.target=9 population.size=6",
    "--cfg job fitness=exact_vs fitness.opponent=hold_at:20",
    "-m seed=range(0,3) mutation=0.001,0.01 debug=fast",
    "-m seed=1,2 hydra.launcher.workers=2 hydra.sweep.dir=mine",
    "cubes=waves cubes.sizes=[20,10] cubes.generations=[3,4] hydra.run.dir=mine",
    "population=named population.names=[hold_at:25,score:20] selection=truncation selection.share=0.3",
    "crossover=deap crossover.operator=cxUniform crossover.arguments.indpb=0.3",
    "selection=deap selection.operator=selTournament selection.arguments.tournsize=4",
    f"crossover=custom crossover.function={OPS}:cross crossover.options.share=0.2",
    "game.target=9 game.die=[0,1,1,2] game.bust=1 debug=fast",
    "~cubes +game.allow_pass=true ++seed=4 workers=1 force=true",
    "--config-dir conf --cfg all experiment=mine",
    "-m hydra/launcher=ray_cluster seed=1,2 --json",
    "game=piglet game.heads=0.4 baseline=random_search baseline.populations=2 record_every=2",
    "sweep=mutation_by_cube_size cubes=none mutation=0.1 seed=1,2 checkpoint_every=3",
    "mutator=self_adapting replacement=survivors_and_offspring fitness=sets fitness.games=20 fitness.sets=4",
    "hydra.searchpath=[file://conf] generations=4 experiment=none",
    "--shell-completion install=bash",
]

OPTIONS = ["-m", "--multirun", "--run", "-r", "--cfg", "-c", "job", "all", "--json", "--config-name", "-cn", "--config-dir",
           "--help", "-h", "--version", "-p", "--hydra-help", "--info", "--resolve", "-sc", "--", "-", "---", "--=", "-=3",
           "help", "duel", "optimal", "run", "experiment=", "=", "==", "~", "+", "@", "", " ", "\t", "?"]  # fmt: skip
VALUES = [
    "", "[]", "{}", "[[]]", "null", "true", "None", "nan", "-inf", "1e999", "-1", "0", "1.5", "1e-400", "9" * 40, "9" * 5000,
    "0x10", "1_000", "\u0663", "x" * 300, "x" * 20_000, "[" * 50, "[" * 3000 + "]" * 3000, "{a:" * 30 + "1" + "}" * 30, "'", '"a',
    "a b", "1,2", "1,", ",", "[1,2", "{a:1}", "{a:{b:[1]}}", "${seed}", "${oc.env:HOME}", "${oc.env:NO_SUCH}", "${oc.decode:'['}",
    "${run_folder:}", "${quick:1}", "${", "$", "range(0,1,0)", "range(5)", "range(0,3,-1)", "range(1e9)", "choice()", "choice(1,2)",
    "glob(*)", "glob(*,exclude=c*)", "sort(3,1)", "shuffle(1,2)", "interval(0,1)", "int('a')", "float(x)", "bool(7)", "str(1)",
    "extend_list(1)", "tag(a,1,2)", "json_str([1])", "../x", "./", ".", "x/y", "no/such", "loop", "folder", "nowhere",
    "missing.npz", "missing.py:f", "folder:f", "hold_at", "hold_at:", "hold_at:1,2,3", "hold_at:x", "noisy:", "mix:0.5,", "mirror:mirror:", "optimal:1", "os:system",
    "os.path:join", "\x1b[31mred\x1b[0m", "a\nb", "a\rb", "a\u202eb", "\u00e9", "\udcff", "\U0001f3b2", "a\\", "\\", "=", "==3", "@", "!x",
    "!!python/object:os.system", "&a", "*a", "#", "-", "--", "~", "|", ">", "%", "100%", "%s", "{0}", "<b>", ";ls", "`ls`", "$(ls)",
]  # fmt: skip
CHARACTERS = [*"[]{}()=,:;'\"\\$@~+-*/.%!&|<>#? \n\t\r\x07\x1b\x7f0179eE_x\u0663\u202e\xa0\u2028\udc80\U0001f3b2"]
KEYS = ["seed", "mutation", "experiment", "sweep", "hydra/launcher", "hydra.launcher", "hydra.mode", "hydra.run.dir", "hydra.sweep.dir",
        "hydra.sweep.subdir", "hydra.searchpath", "hydra.sweeper.params", "hydra/sweeper", "hydra/job_logging", "hydra", "hydra.job.name",
        "hydra.launcher._target_", "hydra.launcher.name", "hydra.verbose", "hydra/help", "game", "game.target", "population", "population.size", "cubes",
        "cubes.sizes", "fitness", "fitness.games", "crossover.arguments", "crossover.options", "crossover.function", "mutator",
        "mutator.arguments", "workers", "debug", "force", "baseline", "selection.share", "_self_", "_target_", "defaults", "schema",
        "game.name", "population.names", "fitness.opponent", "generations", "record_every", "no_such"]  # fmt: skip
PREFIXES = ["+", "++", "~", "~~", "@", "+@", "hydra.", "/", ".", "-", "--"]
SUFFIXES = [".x", "@x", "@_global_", "@:", "@a:b", "/x", ".", "[0]", "+", "=="]


def valid(dice):
    """A valid command line, and whether it is a command."""
    if dice.random() < 0.5:
        command = dice.choice(sorted(COMMANDS))
        return [command, *dice.choice(COMMANDS[command]).split()]
    return dice.choice(SETTINGS).split()


def nearly_valid(seed, begin=None):
    """A command line that differs in one to four places, as a seed decides, from a valid one: `begin`, or any."""
    dice = random.Random(f"words {seed}")
    words = list(begin or valid(dice))
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 4])):
        words = dice.choice(CHANGES)(words, dice)
    return [harmless(word) for word in words]


def harmless(word):
    """The word, such that nothing outside the case's folder is meant by it; no argument of a process holds a zero."""
    word = word.replace("\0", "").replace("~/", "~")
    while ".." in word and "/" in word:
        word = word.replace("..", ".")
    return re.sub(r"(?<![\w.})])(?<!file:)(?<!file:/)/", "none/", word)


def _of_a_word(change):
    def changed(words, dice):
        place = dice.randrange(len(words)) if words else 0
        return [*words[:place], *change(words[place] if words else "", dice), *words[place + 1 :]]

    return changed


def _value(word, dice):
    key, equals, _ = word.partition("=")
    return [f"{key}={dice.choice(VALUES)}" if equals else dice.choice(VALUES)]


def _inside(word, dice):
    """A value within the value: an item of a list, a number of a strategy."""
    place = dice.randrange(len(word) + 1)
    return [word[:place] + dice.choice(VALUES) + word[place:]]


def _key(word, dice):
    _, equals, value = word.partition("=")
    return [f"{dice.choice(KEYS)}{equals or '='}{value if equals else dice.choice(VALUES)}"]


def _letter(word, dice):
    place = dice.randrange(len(word) + 1)
    end = dice.choice([place, place, min(len(word), place + 1)])
    return [word[:place] + dice.choice(CHARACTERS) + word[end:]]


def _cut(word, dice):
    return [word[: dice.randrange(len(word) + 1)]]


def _affix(word, dice):
    key, equals, value = word.partition("=")
    return [dice.choice([f"{dice.choice(PREFIXES)}{word}", f"{key}{dice.choice(SUFFIXES)}{equals}{value}"])]


def _twice(words, dice):
    return [*words, dice.choice(words)] if words else [""]


def _without(words, dice):
    place = dice.randrange(len(words)) if words else 0
    return [*words[:place], *words[place + 1 :]]


def _more(words, dice):
    place = dice.randrange(len(words) + 1)
    new = dice.choice([dice.choice(OPTIONS), f"{dice.choice(KEYS)}={dice.choice(VALUES)}", dice.choice(VALUES)])
    return [*words[:place], new, *words[place:]]


def _shuffled(words, dice):
    return dice.sample(words, len(words))


CHANGES = [
    *map(_of_a_word, (_value, _value, _value, _inside, _key, _letter, _letter, _cut, _affix)),
    _twice, _without, _more, _more, _shuffled,
]  # fmt: skip


ODD = ["-1", "0", "1", "1000000000000000000000000000000", "1e308", "1.5", "nan", "inf", "", "null", "true", "x", "[]", "[1]", "[[1]]",
       "[1000000000000000000000000000000]", "[x]", "{}", "{a:1}", "hold_at:3", "loop", "'a b'", "\udcff"]  # fmt: skip


def each_option():
    """A line for every option of every choice, and every general setting, with each odd value."""
    chosen = [(f"{group}={name}", f"{group}.{option}") for group in GROUPS for name, entry in registry_of(group).items()
              for option in entry.options if name != CUSTOM]  # fmt: skip
    general = [("seed=0", field.name) for field in fields(Config)]
    return [["--cfg", "job", choice, f"{key}={value}"] for choice, key in [*chosen, *general] for value in ODD]
