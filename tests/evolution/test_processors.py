"""Seeded runs give the golden digests on every processor, here on ones that lack what this one has."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pigevo
from tests.small import environment_of_a_process

PLACE = Path(__file__).with_name("golden.json")
GOLDEN = json.loads(PLACE.read_text())
SCRIPT = """\
import json, sys, warnings
import pigevo
warnings.simplefilter("error", RuntimeWarning)
for words in json.load(sys.stdin):
    print(json.dumps([words, pigevo.evolve(*words.split(), "workers=1").result["digest"]]), flush=True)
"""
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
OTHERS = {"generic": ["avx", "fma"], "haswell": ["avx512f"]}
"""Processors that numba can be told of, and what they lack; the names are LLVM's, and of x86."""
ON_X86 = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="the names are those of x86")


def numpy_features():
    """The instructions that numpy's compiled loops make use of if a processor has them, and this one has."""
    from numpy._core import _multiarray_umath as compiled

    return [name for name in compiled.__cpu_dispatch__ if compiled.__cpu_features__.get(name)]


def said(code, environment, given=""):
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, check=False,
        env=environment_of_a_process() | environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def digests(environment, words):
    return dict(json.loads(line) for line in said(SCRIPT, environment, json.dumps([*words])).splitlines())


@pytest.fixture(scope="module")
def plain_numpy():
    """The environment of a process whose numpy uses none of them."""
    environment = {"NPY_DISABLE_CPU_FEATURES": " ".join(numpy_features())}
    code = "from numpy._core import _multiarray_umath as m; print(*(n for n in m.__cpu_dispatch__ if m.__cpu_features__[n]))"
    assert said(code, environment).split() == []
    return environment


@pytest.mark.slow
def test_the_digests_are_those_of_a_generic_processor_and_of_numpy_s_plain_loops(plain_numpy):
    assert "generic" in said("import numba; print(numba.njit(lambda: 0).targetctx.codegen().magic_tuple())", GENERIC)
    assert digests(GENERIC | plain_numpy, GOLDEN) == GOLDEN


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


@pytest.fixture(scope="module")
def exact_here():
    return json.loads(said(EXACT, {}))


@pytest.mark.slow
@ON_X86
@pytest.mark.parametrize("name", OTHERS)
def test_exact_figures_are_the_same_to_the_bit_on_other_processors(name, exact_here):
    there = json.loads(said(EXACT, {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}))
    assert name in there[0]
    assert not any(f"+{lacking}" in there[0] for lacking in OTHERS[name])
    assert there[1] == exact_here[1]


@pytest.mark.slow
@ON_X86
def test_digests_are_the_same_without_the_widest_vectors():
    some = list(GOLDEN)[::6]
    assert digests({"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": ""}, some) == {one: GOLDEN[one] for one in some}


@pytest.mark.bounds
def test_the_digests_are_the_same_with_bounds_checked():
    code = "import pigevo.compiled.simd, numba; print(numba.config.BOUNDSCHECK, hasattr(pigevo.compiled.simd.load, 'py_func'))"
    assert said(code, {"NUMBA_BOUNDSCHECK": "1"}).split() == ["1", "True"]  # the instructions' twins, which are checked
    assert digests({"NUMBA_BOUNDSCHECK": "1"}, GOLDEN) == GOLDEN


WITHOUT_A_COMPILER = [
    "debug=fast game.target=8 generations=3 population.size=4 fitness=archive mutator=self_adapting baseline=none",
    "debug=fast game=piglet game.target=5 generations=2 population.size=4 fitness.paired=true fitness.games=6 "
    "crossover=blocks mutator=heavy_tailed baseline=none",
]


@pytest.mark.slow
def test_the_digests_are_the_same_without_a_compiler():
    expected = {words: pigevo.evolve(*words.split()).result["digest"] for words in WITHOUT_A_COMPILER}
    assert digests({"NUMBA_DISABLE_JIT": "1"}, WITHOUT_A_COMPILER) == expected


@pytest.mark.long
def test_all_digests_are_the_same_without_a_compiler():
    assert digests({"NUMBA_DISABLE_JIT": "1"}, GOLDEN) == GOLDEN


COMMANDS = [
    "duel hold_at:5 optimal --target 8 --games 30", "solve --target 6", "respond hold_at:3 --target 6",
    "three-player --target 3 --coalition", "duel hold_at:3 optimal --game two_dice --target 6 --games 20",
    "respond hold_at:2 --game skunk --target 4 --cap 7", "show hold_at:3 --target 6 --picture none",
    "duel hold_at:3 roll_and_wait:4,2 --target 6 --allow-pass --games 20",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS)
def test_commands_say_the_same_without_a_compiler(words):
    command = [sys.executable, "-m", "pigevo", *words.split(), "--json"]
    told = []
    for more in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        done = subprocess.run(
            command, env=environment_of_a_process() | more, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        told.append({key: value for key, value in json.loads(done.stdout).items() if key != "seconds"})
    assert told[0] == told[1]


def test_logarithms_and_powers_are_the_same_where_numpy_s_own_differ(plain_numpy):
    """The two processes see different last bits of `np.log`, if there is anything to be switched off here."""
    code = (
        "import numpy as np, hashlib\n"
        "from pigevo.core import portable_math as e\n"
        "from pigevo.dice import Draw\n"
        "x = Draw(1, 'dice').uniforms(20_000)\n"
        "ours = e.log(x + 1e-9), e.log1m(x), e.exp(40 * x - 20), e.power(x, 1.7)\n"
        "places = [Draw(s, 'mutation').positions(50_000, 0.05).tolist() for s in range(20)]\n"
        "told = repr([a.tolist() for a in ours] + places)\n"
        "theirs = np.log(x + 1e-9), np.exp(40 * x - 20), x ** 1.7, np.log1p(-x)\n"
        "print(*(hashlib.sha256(t.encode()).hexdigest() for t in (told, repr([a.tolist() for a in theirs]))))\n"
    )
    here, there = said(code, {}).split(), said(code, plain_numpy).split()
    assert here[0] == there[0]
    if any("X86_V4" in name or "AVX512" in name for name in numpy_features()) and os.name == "posix":
        assert here[1] != there[1], f"numpy {np.__version__} has no fast logarithm here"
