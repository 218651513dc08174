"""SIMD instructions do what their docstrings say, and kernels of them what plain loops do, to the bit.

As a script it prints what comes of small calls of every kernel with SIMD instructions, for a process that compiles
otherwise.
"""

import hashlib
import importlib
import json
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.extending import _Intrinsic

import pigevo
from pigevo.compiled import simd_reference
from pigevo.compiled.kernel import Kernel
from pigevo.compiled.simd import (
    COINS,
    LANES,
    all_nonzero,
    any_nonzero,
    choose_bytes,
    copy_bytes,
    equal_bytes,
    fused,
    load,
    load_column,
    pack_cells,
    spread,
    store,
    total,
    where,
    wide_product,
)
from pigevo.dice import Die
from pigevo.evolution.gene_kernels import choose_by_coins, flip_after_gaps
from pigevo.exact.evaluate import values_of_table
from pigevo.exact.kernels import turn_outcomes, win_tables
from pigevo.exact.response_kernels import best_response_tables
from pigevo.exact.threshold_kernels import rule_seats, run_ends
from pigevo.exact.turns import readable_rows
from pigevo.games import Game, Throw
from pigevo.games.board import board_of
from pigevo.simulation.kernels import play_couples, play_games, play_on_board
from pigevo.simulation.lane_kernels import pack, pack_rows, reader
from pigevo.three_player.evaluation_kernels import play_three
from tests.small import environment_of_a_process

T = LANES + 3  # the second of two blocks of lanes overlaps the first
DICE = [(gains, np.full(len(gains), 1 / (len(gains) + 1))) for gains in (np.arange(6, 1, -1), np.arange(9, 1, -1))]
DICE.append((DICE[0][0], np.array([0.1, 0.2, 0.1, 0.2, 0.3])))  # not fair
WORDS = tuple(np.uint64(word) for word in (2, 3, 5, 7, 11))
TARGET, GAMES = 6, 40


@numba.njit
def every_instruction(a, b, c, decisions, bytes_, words, out, packed):
    """Does something with each of them; what comes of it stands in `out` and `packed`."""
    lanes = fused(load(a, 3), load(b, 0), load(c, 5)) + load_column(a, 1) * load(b, 7) - spread(b[2, 1])
    store(lanes, out, 0)
    store(where(decisions, 9, lanes), out, LANES)
    out[2, 0] = total(lanes)
    out[2, 1] = any_nonzero(where(decisions, 0, lanes)) + 2 * any_nonzero(spread(0.0))
    copy_bytes(bytes_, 4, 30, packed)
    copy_bytes(packed, 0, 30, packed[COINS:])
    out[2, 3] = equal_bytes(packed, 3, COINS + 3) + 2 * equal_bytes(packed, 30 - LANES, COINS + 30 - LANES)
    out[2, 4] = equal_bytes(packed, 3, COINS + 4) + 2 * equal_bytes(packed, 31 - LANES, COINS + 31 - LANES)
    packed[0], packed[COINS : COINS + LANES] = 0, bytes_[4 : 4 + LANES] | 1
    out[2, 5] = all_nonzero(packed, 0) + 2 * all_nonzero(packed, COINS) + 4 * all_nonzero(bytes_, 3 * COINS)
    packed[COINS + LANES - 1] = 0
    out[2, 6] = all_nonzero(packed, COINS)
    choose_bytes(bytes_, 5, bytes_, 70, words[1], packed, COINS)
    pack_cells(bytes_, 5, packed, 3 * COINS)
    for n in range(words.size):
        high, low = wide_product(words[n], words[-1 - n])
        words[n] = high ^ (low << np.uint64(1))


@dataclass(frozen=True)
class Falling(Game):
    """A game whose throws bring everything that one can bring."""

    target: int = TARGET

    @property
    def throws(self):
        """Both ends of a turn, and two gains."""
        return Throw(0, 1 / 8, "score"), Throw(0, 1 / 4, "turn"), Throw(2, 1 / 2), Throw(3, 1 / 8)


def instructions():
    random = np.random.default_rng(3)
    for _ in range(20):
        a, b, c = 10.0 ** random.uniform(-200, 5, (3, LANES, LANES + 8))
        c *= random.choice([-1, 1], c.shape)
        a[random.random(a.shape) < 0.1] = 0
        decisions = random.integers(0, 2, 4 * COINS, dtype=np.uint8)
        bytes_ = decisions * random.integers(1, 256, 4 * COINS, dtype=np.uint8)
        words = random.integers(0, 2**64, 6, dtype=np.uint64)
        yield a, b, c, decisions, bytes_, words, np.zeros((3, LANES)), np.zeros(4 * COINS, np.uint8)


def rows(*seeds, target=T):
    """Some strategies of a small game, which roll at most places; read-only, as those of strategies are."""
    shape = target, target, target
    tables = [(np.random.default_rng(seed).integers(0, 5, shape) > 0).astype(np.uint8) for seed in seeds]
    return readable_rows(np.stack(tables))


def frozen(array):
    """The array, read-only as those of strategies are: kernels are compiled for one type, not for another one each."""
    array.flags.writeable = False
    return array


def outcomes():
    for seed, die in enumerate(DICE):
        yield *rows(seed)[:2], die


def wins():
    for die in DICE:
        for target in (T, 11):  # with 11 the last lanes mean nothing
            players = rows(1, 2, target=target)
            yield *players, np.array([1, 0]), die, turn_outcomes(*rows(0, target=target)[:2], die)
        alike = rows(1, 2).rows.reshape(2, T, T * T)[:, np.arange(T) // 3 * 3]
        repeated = frozen(np.ascontiguousarray(alike).reshape(2, T * T, T))
        is_new = np.arange(T) % 3 == 0
        yield repeated, rows(1).row_of_cell, frozen(is_new), np.array([1, 0]), die, turn_outcomes(*rows(0)[:2], die)
        siblings = np.repeat(rows(1).rows, 3, axis=0)
        siblings[1, ::7, ::5] ^= 1
        siblings[2, 3:90:4, 3] ^= 1
        yield frozen(siblings), *rows(1)[1:], np.arange(3), die, turn_outcomes(*rows(0)[:2], die)


def responses():
    for passing, die in enumerate(DICE):
        yield T, die, bool(passing), 1e-12, turn_outcomes(*rows(0)[:2], die)


def thresholds():
    values = (np.add.outer(np.arange(T), 3 * np.arange(T)) % 7).astype(np.int16)
    bases, races = np.stack([values, values.T + np.int16(2)]), np.stack([values > 5, values < 9])
    rules = np.array([[0, 0, 0], [1, 1, 2], [1, 0, 0]])
    for die in DICE:
        turns = turn_outcomes(*rows(0)[:2], die)
        for least in (0, 1):  # with and without passing
            yield bases, races, rules, least, die, turns, run_ends(turns[0], turns[2])


def packed_rows():
    for target in (11, COINS + 3):  # by bytes, and by words
        cells = (np.arange(2 * (target + 2) * target) % 7 % 2).astype(np.uint8).reshape(2, target + 2, target)
        width = -(-target // 8)
        row_of_cell = np.arange(target * target).reshape(target, target) % (target + 4)
        is_new = np.arange(target) % 3 == 0
        yield cells, row_of_cell, is_new, np.zeros(target * (target + 1) * width, np.uint8)


def crossovers():
    for genes in (5, 2 * COINS + 5):
        parents = (np.arange(4 * genes) % 251).astype(np.uint8).reshape(4, genes)
        others, children = parents[::-1].copy(), np.zeros((3, genes), np.uint8)
        yield parents, np.array([0, 3, 1]), others, np.array([2, 1, 1]), WORDS, children


def flips():
    for count, genes in ((40, 90), (8, 90)):  # enough words, and too few
        yield WORDS, count, -2.8, np.arange(genes, dtype=np.uint8) % 2


def matches():
    """More games than lanes, of a die and of a biased coin, with and without passing."""
    decisions = np.ones((2, TARGET, TARGET, TARGET), np.uint8)
    decisions[0, :, 3:] = decisions[1, 2:, 2:, 1:] = 0
    passing = decisions * (np.arange(TARGET) != 4)[None, :, None, None]
    pairs = np.array([[0, 1], [1, 0]])
    for tables, die in (decisions, Die.of(((2, 1 / 3), (3, 1 / 3)), 1 / 3)), (passing, Die.of(((1, 0.7),), 0.3)):
        yield pack(tables), reader(die, TARGET), pairs, GAMES, 0, 2 * GAMES, 40, 3, *WORDS[:3]


def matches_on_board():
    """Decisions, and chances of rolling with paired dice."""
    board = board_of(Falling())
    cuts = np.linspace(2**60, 2**64 - 2**60, len(board.leads)).astype(np.uint64)
    arrays = board.begin, board.leads, cuts, board.hold, board.follow, board.partner
    cells = np.arange(1, 1 + 2 * np.prod(board.rows)).reshape(2, *board.rows)
    pairs = np.array([[0, 1], [1, 0]])
    for decisions, paired in ((cells % 7 > 0).astype(np.uint8), False), ((1 + cells % 5) / 5, True):
        yield decisions, *arrays, board.opening, pairs, GAMES, 0, 2 * GAMES, 40, 3, *WORDS[:3], paired


def matches_of_three():
    target = 5
    decisions = np.ones((target + 1, target + 1, target + 1, target), np.uint8)
    decisions[..., 2:] = 0
    decisions[:, :, 1::2, 1] = 2
    mixed = np.flatnonzero(decisions == 2)
    tables = decisions.reshape(-1, target), mixed, np.full(len(mixed), 0.3)
    die = np.array([0, 1, 3]), np.array([2, 1, 0]), np.array([2**31, 2**32, 2**30], np.uint64)
    yield (tables, tables, tables), die, 5, 105, 40, np.uint64(2**62 + 1), np.uint64(5)


CALLS = {
    every_instruction: instructions,
    turn_outcomes: outcomes,
    win_tables: wins,
    best_response_tables: responses,
    rule_seats: thresholds,
    pack_rows: packed_rows,
    choose_by_coins: crossovers,
    flip_after_gaps: flips,
    play_games: matches,
    play_couples: matches,
    play_on_board: matches_on_board,
    play_three: matches_of_three,
}


def digests():
    """A digest of what each kernel gives and what it makes of its arguments, by its name."""
    by_name = {}
    with np.errstate(over="ignore"):
        for kernel, calls in CALLS.items():
            name = getattr(kernel, "__name__", None) or kernel.py_func.__name__
            by_name[name] = digest([(result_of(kernel, *arguments), arguments) for arguments in calls()])
    return by_name


def result_of(kernel, *arguments):
    """What a kernel returns, without what it does not write."""
    if kernel is not win_tables:
        return kernel(*arguments)
    _, row_of_cell, _, players, *_ = arguments
    return [values_of_table(table, len(players), len(row_of_cell)) for table in kernel(*arguments)]


def digest(values):
    """A digest of numbers and arrays, whatever Python calls their types."""
    digest = hashlib.sha256()

    def add(value):
        if isinstance(value, tuple | list):
            for part in value:
                add(part)
        elif value is not None:
            array = np.asarray(value)
            digest.update(array.astype(np.float64 if array.dtype.kind == "f" else np.int64).tobytes())

    add(values)
    return digest.hexdigest()[:16]


RANDOM = np.random.default_rng(0)
PACKAGE = Path(pigevo.__file__).parent
KERNEL_MODULES = [
    importlib.import_module(f"pigevo.{'.'.join(path.relative_to(PACKAGE).with_suffix('').parts)}")
    for path in sorted(PACKAGE.rglob("*kernels.py"))
]


def test_a_fused_product_is_rounded_once():
    numbers = [*RANDOM.normal(size=60), 0.0, 1.0, 5e-324, 1e-308, 1e300]
    for a, b in zip(numbers, reversed(numbers), strict=True):
        for c in (-a * b, 1.0, 0.0, -1e-320):
            assert simd_reference.fused_once(a, b, c) == float(Fraction(a) * Fraction(b) + Fraction(c))


def test_the_total_adds_halves_to_halves():
    numbers = RANDOM.normal(size=LANES)
    halves = numbers
    while len(halves) > 1:
        halves = halves[: len(halves) // 2] + halves[len(halves) // 2 :]
    assert numba.njit(lambda a: total(load(a, 0)))(numbers) == halves[0]


def digests_of_a_process(**environment):
    done = subprocess.run(
        [sys.executable, "-m", "tests.compiled.test_simd"], capture_output=True, text=True, check=True,
        cwd=PACKAGE.parent, env=environment_of_a_process() | environment,
    )  # fmt: skip
    return json.loads(done.stdout)


def test_kernels_give_the_same_in_plain_python_to_the_bit():
    assert digests() == digests_of_a_process(NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
def test_kernels_give_the_same_in_compiled_loops_to_the_bit():
    assert digests() == digests_of_a_process(NUMBA_BOUNDSCHECK="1")


def used(kernel):
    """What a kernel names."""
    return [kernel.py_func.__globals__.get(name) for name in kernel.py_func.__code__.co_names]


def instructs(kernel):
    """Whether there is an instruction in a kernel, or in one that it calls."""
    return any(isinstance(x, _Intrinsic) or (isinstance(x, Kernel) and instructs(x)) for x in used(kernel))


def members(kind):
    """All objects of a kind in the modules of kernels."""
    return {value for module in KERNEL_MODULES for value in vars(module).values() if isinstance(value, kind)}


def test_every_kernel_with_an_instruction_is_among_the_examples_or_part_of_one_that_is():
    kernels = members(Kernel)
    parts = {id(part) for kernel in kernels for part in used(kernel)}
    assert {kernel for kernel in kernels if instructs(kernel) and id(kernel) not in parts} == set(CALLS) - {
        every_instruction
    }
    instructions = {value for value in vars(pigevo.compiled.simd).values() if isinstance(value, _Intrinsic)}
    assert instructions <= set(used(every_instruction))


def test_every_kernel_of_pigevo_is_called_in_a_way_that_ctrl_c_is_safe():
    assert members(numba.core.registry.CPUDispatcher) == set()


if __name__ == "__main__":
    print(json.dumps(digests()))
