"""Runs of every kind give the digests that the first version of the engine gave, on every processor.

A change here is a change of what seeds mean: raise `STREAM_VERSION` with it, and make the digests anew.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from tests.small import environment_of_a_process

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())

QUICK = (  # beginnings of the runs in the quick suite: those that draw in ways of their own; all others are slow
    "crossover=agree_or_random", "crossover=blocks", "crossover=intermediate",
    "experiment=coevolve fitness=archive", "experiment=coevolve_noisy game", "fitness.paired", "fitness=exact_vs debug", "fitness=panel",
    "fitness=sets selection", "game=piglet", "islands=ring islands.who",
    "mutator=heavy_tailed", "mutator=inherited_rate", "mutator=self_adapting",
    "population=score", "replacement=immigrants", "selection=roulette",
    "selection=sus", "selection=tournament", "stop=any",
)  # fmt: skip
SPENT = ("spend=allocation", "spend=racing:0.6")


def is_quick(words):
    return words.startswith(QUICK) or any(way in words for way in SPENT)


@pytest.mark.parametrize(
    "words", [pytest.param(words, marks=[] if is_quick(words) else pytest.mark.slow) for words in GOLDEN]
)
def test_a_seeded_run_is_the_same_as_ever(words):
    workers = 1 + len(words) % 2
    assert pigevo.evolve(*words.split(), f"workers={workers}").result["digest"] == GOLDEN[words]


SCRIPT = """\
import json, sys, warnings
import pigevo
warnings.simplefilter("error", RuntimeWarning)
for words in json.load(sys.stdin):
    print(json.dumps([words, pigevo.evolve(*words.split(), "workers=1").result["digest"]]), flush=True)
"""
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
HASWELL = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": ""}
PLAIN_PYTHON = {"NUMBA_DISABLE_JIT": "1"}
WITH_BOUNDS = {"NUMBA_BOUNDSCHECK": "1"}
OTHERS = {"generic": (GENERIC, ["avx", "fma"]), "haswell": (HASWELL, ["avx512f"])}
"""Targets for which numba can compile on x86, and the features that they must lack, by LLVM's names."""
ON_X86 = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="the names are those of x86")


def output_of(code, environment, text=""):
    """What a process prints that runs the code with this text on its standard input."""
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, check=False,
        env=environment_of_a_process() | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def digests(environment, words):
    return dict(json.loads(line) for line in output_of(SCRIPT, environment, json.dumps([*words])).splitlines())


NUMPY_FEATURES = """\
from numpy._core import _multiarray_umath as m
print(*(name for name in m.__cpu_dispatch__ if m.__cpu_features__.get(name)))
"""
"""The instructions that numpy's compiled loops make use of if a processor has them, and this one has."""


@pytest.fixture(scope="module")
def plain_numpy():
    """The environment of a process whose numpy uses none of them."""
    environment = {"NPY_DISABLE_CPU_FEATURES": output_of(NUMPY_FEATURES, {}).strip()}
    assert output_of(NUMPY_FEATURES, environment).split() == []
    return environment


EXACT = """\
import hashlib, json
import numba, pigevo
from pigevo import three_player
game, passing = pigevo.Pig(60), pigevo.Pig(20, allow_pass=True)
some = [pigevo.random_strategy(game, seed=seed) for seed in range(3)] + [pigevo.hold_at(game, 20)]
best, answer = pigevo.optimal(game), pigevo.best_response(some[0])
a, b = pigevo.random_strategy(passing, seed=1), pigevo.roll_and_wait(passing, 4, 2)
arrays = [
    pigevo.win_matrix(some), pigevo.state_values(some[0], some[1]), pigevo.reach(some[0], some[3]).first,
    best.values, best.strategy.roll, answer.values, answer.strategy.roll,
    three_player.solve(three_player.Game(target=6)).values,
]
found = [hashlib.sha256(array.tobytes()).hexdigest() for array in arrays] + [repr(pigevo.win_probability(a, b))]
processor = str(numba.njit(lambda: 0).targetctx.codegen().magic_tuple())
print(json.dumps([processor, found]))
"""


@pytest.mark.slow
@ON_X86
def test_exact_figures_are_the_same_to_the_bit_on_other_processors():
    _, expected = json.loads(output_of(EXACT, {}))
    for name, (environment, lacking) in OTHERS.items():
        processor, figures = json.loads(output_of(EXACT, environment))
        assert name in processor
        assert not any(f"+{feature}" in processor for feature in lacking)
        assert figures == expected


SMALL = [
    "debug=fast game.target=8 generations=3 population.size=4 fitness=archive mutator=self_adapting baseline=none",
    "debug=fast game=piglet game.target=5 generations=2 population.size=4 fitness.paired=true fitness.games=6 "
    "crossover=blocks mutator=heavy_tailed baseline=none",
]


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        pytest.param(GENERIC, GOLDEN, id="generic processor, numpy's plain loops", marks=pytest.mark.slow),
        pytest.param(HASWELL, list(GOLDEN)[::6], id="no widest vectors", marks=[pytest.mark.slow, ON_X86]),
        pytest.param(PLAIN_PYTHON, SMALL, id="no compiler", marks=pytest.mark.slow),
        pytest.param(PLAIN_PYTHON, GOLDEN, id="no compiler, all", marks=pytest.mark.long),
        pytest.param(WITH_BOUNDS, GOLDEN, id="bounds checked", marks=pytest.mark.bounds),
    ],
)
def test_the_digests_are_the_same_in_other_processes(environment, words, plain_numpy):
    expected = {line: GOLDEN.get(line) or pigevo.evolve(*line.split()).result["digest"] for line in words}
    if environment is WITH_BOUNDS:
        code = (
            "import pigevo.compiled.simd as simd, numba; print(numba.config.BOUNDSCHECK, hasattr(simd.load, 'py_func'))"
        )
        assert output_of(code, environment).split() == ["1", "True"]  # the instructions' twins, which are checked
    assert digests(environment | (plain_numpy if environment is GENERIC else {}), words) == expected


COMMANDS = [
    "duel hold_at:5 optimal --target 8 --games 30", "solve --target 6", "respond hold_at:3 --target 6",
    "three-player --target 3", "duel hold_at:3 optimal --game two_dice --target 6 --games 20",
    "respond hold_at:2 --game skunk --target 4 --cap 7", "show hold_at:3 --target 6 --picture none",
    "duel hold_at:3 roll_and_wait:4,2 --target 6 --allow-pass --games 20",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS)
def test_commands_say_the_same_without_a_compiler(words, capsys):
    words = [*words.split(), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "pigevo", *words], env=environment_of_a_process() | PLAIN_PYTHON, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    status, here = main(words), capsys.readouterr()
    assert (status, here.err) == (0, "")
    without, compiled = (json.loads(printed) for printed in (done.stdout, here.out))
    assert without | {"seconds": 0} == compiled | {"seconds": 0}


LOGARITHMS = """\
import numpy as np, hashlib
from pigevo.core import portable_math as e
from pigevo.dice import Draw
x = Draw(1, 'dice').uniforms(20_000)
portable = e.log(x + 1e-9), e.log1m(x), e.exp(40 * x - 20), e.power(x, 1.7)
places = [Draw(s, 'mutation').positions(50_000, 0.05).tolist() for s in range(20)]
of_numpy = np.log(x + 1e-9), np.exp(40 * x - 20), x ** 1.7, np.log1p(-x)
texts = repr([a.tolist() for a in portable] + places), repr([a.tolist() for a in of_numpy])
print(*(hashlib.sha256(text.encode()).hexdigest() for text in texts))
"""


def test_logarithms_and_powers_are_the_same_where_numpy_s_own_differ(plain_numpy):
    """The two processes see different last bits of `np.log`, if there is anything to be switched off here."""
    here, there = output_of(LOGARITHMS, {}).split(), output_of(LOGARITHMS, plain_numpy).split()
    assert here[0] == there[0]
    features = plain_numpy["NPY_DISABLE_CPU_FEATURES"]
    if ("X86_V4" in features or "AVX512" in features) and os.name == "posix":
        assert here[1] != there[1], f"numpy {np.__version__} has no fast logarithm here"
