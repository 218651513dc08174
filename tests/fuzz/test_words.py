"""Command lines that are nearly right: each is done, or refused in one sentence that leaves nothing behind."""

import pytest

from tests.fuzz import case, words
from tests.fuzz.bounded import wrong

STATUSES = (0, 1, 2)
"""1 is what commands that compare, check or list return where they find something."""


def wrong_cases(bounded, master, tmp_path, seeds, begin=None):
    """What is wrong with any of the command lines of some seeds."""
    folder, failures = None, []
    for seed in seeds:
        folder = folder or case.copy(master, tmp_path / f"case{seed}")
        output = bounded(words.nearly_valid(seed, begin), folder, dry=True)
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
@pytest.mark.parametrize("name", sorted(words.COMMANDS))
def test_of_each_command(bounded, master, tmp_path, name):
    begin = [name, *words.COMMANDS[name][0].split()]
    assert not wrong_cases(bounded, master, tmp_path, range(5), begin)


SOME = pytest.param(slice(0, None, 61), marks=pytest.mark.slow)
ALL = [pytest.param(slice(block, None, 20), marks=pytest.mark.long) for block in range(20)]


@pytest.mark.parametrize("part", [SOME, *ALL])
def test_odd_values_of_options(bounded, folder, part):
    """Lines that ask only for the composed config."""
    lines = words.each_option()[part]
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
