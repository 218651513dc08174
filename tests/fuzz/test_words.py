"""Command lines that are nearly right, have any settings, or lose a stream: each is done, or refused in a sentence."""

import inspect
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Literal, get_args, get_origin

import pytest
from deap import tools

from pigevo.cli.commands import command_names
from pigevo.core.checked_values import StrategyName, Within
from pigevo.settings.schema import CUSTOM, GROUPS, Config, registry_of
from tests.fuzz.conftest import SWEPT, copy_of, wrong

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


STATUSES = (0, 1, 2)
"""1 is what commands that compare, check or list return where they find something."""


def wrong_cases(bounded, master, tmp_path, seeds, begin=None):
    """What is wrong with any of the command lines of some seeds."""
    folder, failures = None, []
    for seed in seeds:
        folder = folder or copy_of(master, tmp_path / f"case{seed}")
        output = bounded(nearly_valid(seed, begin), folder, dry=True)
        if why := wrong(output, STATUSES):
            failures.append(f"seed {seed}: {why}\n{output}")
        if output.changed:
            folder = None
    return failures


SLOW = [pytest.param(range(n, n + 12), marks=pytest.mark.slow) for n in range(12, 96, 12)]
LONG = [pytest.param(range(n, n + 250), marks=pytest.mark.long) for n in range(1000, 6000, 250)]


@pytest.mark.parametrize("seeds", [range(12), *SLOW, *LONG])
def test_of_any_kind(bounded, master, tmp_path, seeds):
    assert not wrong_cases(bounded, master, tmp_path, seeds)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_of_each_command(bounded, master, tmp_path, name):
    begin = [name, *COMMANDS[name][0].split()]
    assert not wrong_cases(bounded, master, tmp_path, range(5), begin)


SOME = pytest.param(slice(0, None, 61), marks=pytest.mark.slow)
ALL = [pytest.param(slice(block, None, 20), marks=pytest.mark.long) for block in range(20)]


@pytest.mark.parametrize("part", [SOME, *ALL])
def test_odd_values_of_options(bounded, folder, part):
    """Lines that ask only for the composed config."""
    lines = each_option()[part]
    assert not [f"{line}: {why}" for line in lines if (why := wrong(bounded(line, folder), (0, 2)))]


ONE_BY_ONE = [
    "~mutator=[]", "-m seed=range(0,100000000)", "-m seed=range(0,1000) mutation=range(0,1,0.001)", "hydra/launcher=3", "sweep=3", "+population=bool(1)", "@cubes.sizes=1.5", "-m seed=range(0,1,0)",
    "-m hydra.launcher._target_=os.system seed=1,2", "-m +hydra.launcher._target_=os.system seed=1,2", "--shell-completion seed=1",
    "--hydra-help hydra/sweeper=3", "-p nope", "-p", "--info", "hydra=3", "~hydra.run", "hydra.run.dir=null", "hydra/launcher=[a,b]",
    "-m seed=1,2 hydra.launcher=2", "-m seed=1,2 hydra.launcher=null", "-m seed=1,2 hydra.launcher.workers=0", "-m seed=1,2 hydra.sweep.dir=",
    "-m seed=1,2 hydra.sweep.dir=${run_folder:}", "-m seed=1,2 hydra.sweep.dir=${no.such}", "-m seed=1,2 hydra.sweep.subdir=",
    "-m seed=1,2 hydra.sweep.subdir=same", "hydra.searchpath=[file:none]", "hydra.mode=${seed}", "hydra.mode=${no.such}", "hydra.searchpath=[zip:x]", "--config-dir= seed=1", "crossover=deap crossover.arguments=3",
    "experiment=none/etc/passwd", f"seed={'9' * 5000}", f"population=named population.names={'[' * 3000}{']' * 3000}",
    "game.target=8 cubes=waves cubes.sizes=[8] crossover=deap crossover.operator=cxOnePoint",
    "game.target=8 cubes=waves cubes.sizes=[8] mutator=deap mutator.operator=mutShuffleIndexes mutation=0.001",
    "crossover=deap crossover.operator=cxBlend crossover.arguments.alpha=0.5", 
    "duel loop optimal", "status loop", "resume nowhere", "report folder", "compare nowhere", 
    "three-player --certify saved.npz", "solve --save folder", "replay run --generation 2 --pairing 99 --game 0",
    *(f"{command} {'x' * 300}" for command in ("resume", "status", "verify", "report", "compare", "study", "three-player --certify")),
    *(f"{command} {'x' * 300}.npz optimal" for command in ("duel",)), f"solve --target 5 --save {'x' * 300}", f"hydra.run.dir={'x' * 300}",
    "show ~run saved.npz", "show saved.npz --to folder/a/b", "film run --to folder", "describe \x1b[31m",
    f"check {'x' * 300}.py:f", f"--config-dir {'x' * 300}", f"study {'x/' * 3000}", f"-m seed=1,2 hydra.sweep.dir={'x' * 300}",
]  # fmt: skip
"""What ended in a trace, hung, or was let through, at one time or might have."""


@pytest.mark.parametrize("part", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_each_is_refused_in_a_sentence(bounded, folder, part):
    for line in ONE_BY_ONE[part::3]:
        output = bounded(line.split(" "), folder)
        assert not wrong(output, (2,)), output


STRATEGIES = ["hold_at:3", "hold_at:0", "optimal", "turtle", "score:2,3", "random_strategy:5", "roll_to_win",
              "skip_when_level"]  # fmt: skip
NUMBERS = [0, 1, 2, 3, 4, 5, 7, 10]
SHARES = [0, 0.001, 0.2, 0.5, 0.8, 1]
ARGUMENTS = {
    "indpb": SHARES, "tournsize": [0, 1, 2, 5, 50], "eta": [0, 1, 20.0], "low": [0, 1], "up": [0, 1, 2], "mu": [0, 0.5], "sigma": [0, 1],
    "alpha": [0, 0.5], "k": [1, 2], "epsilon": [0, 0.1], "fitness_size": [1, 3], "parsimony_size": [1, 1.5], "fitness_first": [True, False],
    "c": [1.0], "ref_points": [[0]], "fit_attr": ["fitness", "none"], "nd": ["standard", "log", "x"],
}  # fmt: skip
SIZES = {"population.size": [2, 3, 4, 5, 6, 8], "game.target": [1, 2, 3, 5, 8, 12], "game.sides": [2, 3, 6, 30], "game.bust": [1, 2, 3, [1, 2]], "game.heads": [0.01, 0.3, 0.5, 1],
         "fitness.games": [1, 2, 4, 7, 10], "baseline.populations": [2, 3], "fitness.sets": [1, 2, 3, 5],
         "islands.count": [1, 1, 2, 3], "islands.migrants": [0, 1, 2], "islands.interval": [1, 2],
         "fitness.spend": ["fixed", "growing", "halving", "'racing:0.95,0.1'", "allocation"],
         "stop.score": [0.1, 0.3, 0.5],
         "selection.behaviours": ["[mean_hold,deficit_slope]", "[hold_ahead,hold_behind]", "[visited_hold,mean_hold]", "[mean_hold]"],
         "selection.cells": ["[3,4]", "[1,1]", "[20,7]"], "selection.ranges": ["[]", "[[0,9],[-1,1]]", "[[0,9]]"],
         "stop.rules": ["[no_progress:2,evaluations:30]", "[games:20]", "[target:0.3,games:1]"]}  # fmt: skip
"""Values of options whose range also has what takes long, or is meant to be refused."""


def settings_line(seed):
    """The settings of a run as on the command line, as a seed decides them; most of them are right."""
    dice = random.Random(f"settings {seed}")
    line = ["workers=1", f"seed={dice.randrange(5)}", f"record_every={dice.choice([1, 2, 5])}"]
    line.append(f"checkpoint_every={dice.choice([1, 3])}")
    for group in GROUPS:
        registry = registry_of(group)
        name = dice.choice([name for name in registry if name != CUSTOM])
        line.append(f"{group}={name}")
        entry = registry[name]
        if name == "deap":
            line += deap(group, dice)
            continue
        for option in entry.options:
            key = f"{group}.{option}"
            if key in SIZES:
                line.append(f"{key}={dice.choice(SIZES[key])}")
            elif option not in ("sizes", "generations") and dice.random() < 0.6:
                line.append(f"{key}={spelled(value(entry.hints[option], dice))}")
        if group == "cubes":
            line += waves(dice) if "sizes" in entry.options else [f"generations={dice.choice([0, 1, 3])}"]
        if "mutation" in entry.uses(entry.completed({})):
            line.append(f"mutation={dice.choice(SHARES)}")
    return line


def waves(dice):
    """Cube sizes and lengths of waves."""
    sizes = [dice.choice([*NUMBERS[1:], 100, [1, 2, 3], [5, 1, 2], [2, 100, 3]]) for _ in range(dice.choice([1, 2, 3]))]
    return [f"cubes.sizes={spelled(sizes)}", f"cubes.generations={spelled([dice.choice([1, 2]) for _ in sizes])}"]


def deap(group, dice):
    """One of DEAP's operators, and some arguments."""
    begin = {"selection": "sel", "crossover": "cx", "mutator": "mut"}[group]
    operator = dice.choice([name for name in dir(tools) if name.startswith(begin) and callable(getattr(tools, name))])
    parameters = inspect.signature(getattr(tools, operator)).parameters
    taken = [name for name in ARGUMENTS if name in parameters and dice.random() < 0.7]
    given = [f"{group}.arguments.{name}={spelled(dice.choice(ARGUMENTS[name]))}" for name in taken]
    rate = ["mutation=0.3"] if group == "mutator" and "indpb" in parameters and "indpb" not in taken else []
    return [f"{group}.operator={operator}", *given, *rate]


def value(hint, dice):
    """A value of a type, at an end of its range or inside it."""
    if get_origin(hint) is Annotated:
        kind, *notes = get_args(hint)
        if any(isinstance(note, StrategyName) for note in notes):
            return dice.choice(STRATEGIES)
        ranges = [note for note in notes if isinstance(note, Within)]
        if ranges and kind in (int, float):
            low, high = ranges[0].low, min(ranges[0].high, 50)
            inside = [kind(low), kind(high), kind(low + (high - low) * dice.random())]
            return dice.choice([number for number in inside if number in ranges[0]] or [kind(high)])
        return value(kind, dice)
    if get_origin(hint) is Literal:
        return dice.choice(get_args(hint))
    if get_origin(hint) in (list, tuple, Sequence):
        return [value(get_args(hint)[0], dice) for _ in range(dice.choice([1, 1, 2, 3]))]
    if get_origin(hint) is Mapping:
        return {}
    return dice.random() < 0.5 if hint is bool else dice.choice({int: NUMBERS, float: SHARES}[hint])


def spelled(value):
    """A value as on the command line."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(spelled, value))}]"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}'" if "," in text else text


SLOW_RUNS = [pytest.param(range(n, n + 6), marks=pytest.mark.slow) for n in range(0, 24, 6)]
LONG_RUNS = [pytest.param(range(n, n + 100), marks=pytest.mark.long) for n in range(1000, 1800, 100)]


@pytest.mark.parametrize("seeds", [*SLOW_RUNS, *LONG_RUNS])
def test_what_passes_the_check_does_not_fail(bounded, tmp_path, seeds):
    failures = []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        output = bounded([*settings_line(seed), "hydra.run.dir=run"], folder)
        if why := wrong(output):
            output.changed = sorted(output.changed)
            failures.append(f"seed {seed}: {why}\n{output}")
    assert not failures


def test_every_choice_is_among_them():
    chosen = {word for seed in range(400) for word in settings_line(seed)}
    assert {f"{group}={name}" for group in GROUPS for name in registry_of(group) if name != CUSTOM} <= chosen


FULL = "/dev/full"
SMALL_RUN = "debug=fast game.target=9 population.size=6 workers=1"
LINES = [
    *([name, *examples[0].split()] for name, examples in COMMANDS.items()),
    SMALL_RUN.split(), ["--cfg", "job"], ["--help"], SWEPT,
]  # fmt: skip
SILENT = LINES[-1:]
"""What says everything on standard error."""


def names(words):
    return " ".join(words[:2])


def test_every_command_is_among_them():
    assert sorted(COMMANDS) == command_names()


@pytest.mark.slow
@pytest.mark.parametrize("words", LINES, ids=names)
@pytest.mark.parametrize("place", [None, FULL])
def test_remarks_that_cannot_be_printed_are_lost_and_nothing_else(bounded, folder, words, place):
    dry = words[0] == "study"
    output, usual = bounded(words, folder, dry=dry, streams={2: place}), bounded(words, folder, dry=dry)
    assert output.status == usual.status == 0
    assert bool(output.out) == (words not in SILENT)
    assert first_line(output) == first_line(usual)  # the answer alone, which a program may read


def first_line(output):
    return re.sub("[0-9]+", "N", output.out.partition("\n")[0])


QUICK = ("check", "compare", "duel", "people", "solve", "status", "--help", SMALL_RUN.split()[0])
"""The quick ones of those that answer; the others answer by the same ways."""
ANSWERING = [
    pytest.param(line, marks=() if line[0] in QUICK else pytest.mark.slow) for line in LINES if line not in SILENT
]


@pytest.mark.parametrize("words", ANSWERING, ids=names)
def test_an_answer_that_cannot_be_printed_is_an_error(bounded, folder, words):
    output = bounded(words, folder, dry=words[0] == "study", plain=True, streams={1: FULL})
    assert (output.status, output.err.splitlines()[-1]) == (
        2, "pigevo: standard output cannot be written: No space left on device.",
    )  # fmt: skip


def test_nothing_begins_where_the_answer_has_no_place(bounded, folder):
    for words in LINES:
        output = bounded(words, folder, streams={1: None})
        sentence = "pigevo: standard output is closed: send it to a file, or to /dev/null.\n"
        assert (output.status, output.err, output.changed) == (2, sentence, {}), output


@pytest.mark.parametrize(
    ("words", "streams"),
    [
        (SMALL_RUN.split(), {0: None, 2: None}), (SMALL_RUN.split(), {1: FULL, 2: FULL}), (SMALL_RUN.split(), {0: None, 1: None, 2: None}),
        (["mutation=7"], {1: None, 2: None}), (["mutation=7"], {0: None}), (["duel", "hold_at:3", "optimal"], {0: None}),
    ],
)  # fmt: skip
def test_several_at_once(bounded, folder, words, streams):
    output = bounded(words, folder, plain=True, streams=streams)
    assert output.status == (2 if words == ["mutation=7"] or 1 in streams else 0)
    assert all(
        "pigevo:" not in str(content) for content in output.changed.values()
    )  # no file got the number of a stream
