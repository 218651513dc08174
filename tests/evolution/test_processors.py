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


def test_the_digests_are_those_of_a_generic_processor_and_of_numpy_s_plain_loops(plain_numpy):
    assert "generic" in said("import numba; print(numba.njit(lambda: 0).targetctx.codegen().magic_tuple())", GENERIC)
    assert digests(GENERIC | plain_numpy, GOLDEN) == GOLDEN


EXACT = """\
import hashlib, json
import numba, pigevo
from pigevo import three_player
game, pass_game = pigevo.Pig(60), pigevo.Pig(20, allow_pass=True)
some = [pigevo.random_strategy(game, seed=seed) for seed in range(3)] + [pigevo.hold_at(game, 20)]
best, answer = pigevo.optimal(game), pigevo.best_response(some[0])
a, b = pigevo.random_strategy(pass_game, seed=1), pigevo.roll_and_wait(pass_game, 4, 2)
arrays = [
    pigevo.win_matrix(some), pigevo.state_values(some[0], some[1]), pigevo.reach(some[0], some[3]).first,
    best.values, best.strategy.roll, answer.values, answer.strategy.roll, three_player.solve(three_player.Game(target=6)).values,
]
found = [hashlib.sha256(array.tobytes()).hexdigest() for array in arrays] + [repr(pigevo.win_probability(a, b))]
processor = str(numba.njit(lambda: 0).targetctx.codegen().magic_tuple())
print(json.dumps([processor, found]))
"""


@pytest.fixture(scope="module")
def exact_here():
    return json.loads(said(EXACT, {}))


@ON_X86
@pytest.mark.parametrize("name", OTHERS)
def test_exact_figures_are_the_same_to_the_bit_on_other_processors(name, exact_here):
    there = json.loads(said(EXACT, {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}))
    here, there = said(code, {}).split(), said(code, plain_numpy).split()
    assert here[0] == there[0]
    if any("X86_V4" in name or "AVX512" in name for name in numpy_features()) and os.name == "posix":
        assert here[1] != there[1], f"numpy {np.__version__} has no fast logarithm here"
