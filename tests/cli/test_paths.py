"""What is at a path where a command wants a run, a sweep, a strategy or a file: nothing, a file, an empty folder, others."""

from pathlib import Path

import pytest

from pigevo.cli.commands import command_names

RUN = "give the folder of a run, outputs/EXPERIMENT/SETTINGS."
SWEEP = "give the folder of a sweep, outputs/sweeps/NAME."
CHAMPION = "give the folder of a run that has finished."
MANY = "put Python files, tables (.csv) or saved strategies (.npz) there."


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


NEITHER = f"{SWEEP.rstrip('.')}, or of a run, outputs/EXPERIMENT/SETTINGS."
OF_RUN, OF_SWEEP = folder("run", RUN), folder("sweep", SWEEP)
OF_STRATEGY, OF_MANY = strategy("champion.npz", CHAMPION), strategy("strategy", MANY)
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
