"""What the benchmarks compare with: plain compiled loops over the cells, the same in C, and loops over OpenSpiel."""

from __future__ import annotations

import ctypes
import functools
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

import pigevo
from pigevo.exact import prepare
from pigevo.exact.turns import packed_die


@numba.njit
def turn_parts(roll, i, j, bust, die, after):
    """Backwards over the turn total: the turn is worth `a + b z` if a bust is worth `z`."""
    target = roll.shape[0]
    left = target - i
    a = np.ones(left + die.shape[0])
    b = np.zeros(left + die.shape[0])
    for k in range(left - 1, -1, -1):
        if roll[i, j, k]:
            a[k] = 0.0
            b[k] = bust
            for points in range(1, die.shape[0]):
                a[k] += die[points] * a[k + points]
                b[k] += die[points] * b[k + points]
        else:
            a[k] = after[k]
            b[k] = 0.0
    return a[0], b[0]


@numba.njit
def win_probability(roll, other, bust, die):
    """Win probabilities of `roll` against `other`: first and second seat, cell by cell."""
    target = roll.shape[0]
    moving = np.zeros((target, target))
    waiting = np.zeros((target, target))
    after = np.zeros(target)
    for i in range(target - 1, -1, -1):
        for j in range(target - 1, -1, -1):
            for k in range(1, target - i):
                after[k] = waiting[i + k, j]
            a, b = turn_parts(roll, i, j, bust, die, after)
            for k in range(1, target - j):
                after[k] = 1.0 - moving[i, j + k]
            c, d = turn_parts(other, j, i, bust, die, after)
            # moving = a + b waiting, and 1 - waiting = c + d (1 - moving)
            moving[i, j] = (a + b * (1.0 - c - d)) / (1.0 - b * d)
            waiting[i, j] = 1.0 - c - d * (1.0 - moving[i, j])
    return moving[0, 0], waiting[0, 0]


@numba.njit
def optimal_value(target, bust, die, tolerance):
    """The optimum by value iteration, level by level (Neller & Presser 2004), cell by cell."""
    reach = die.shape[0]
    values = np.full((target, target, target + reach), 0.5)
    for i in range(target):
        values[i, :, target - i :] = 1.0
    for total in range(2 * target - 2, -1, -1):
        change = 1.0
        while change > tolerance:
            change = 0.0
            for i in range(max(0, total - target + 1), min(total, target - 1) + 1):
                j = total - i
                for k in range(target - i - 1, -1, -1):
                    roll = bust * (1.0 - values[j, i, 0])
                    for points in range(1, reach):
                        roll += die[points] * values[i, j, k + points]
                    best = roll if k == 0 else max(roll, 1.0 - values[j, i + k, 0])
                    change = max(change, abs(best - values[i, j, k]))
                    values[i, j, k] = best
    return values[0, 0, 0]


@numba.njit
def play(roll, other, sides, games, seed):
    """Wins of `roll` in games of Pig in which the first move alternates, roll by roll."""
    np.random.seed(seed)
    target, wins = roll.shape[0], 0
    for game in range(games):
        mine, theirs, total, moving = 0, 0, 0, game % 2 == 0
        while True:
            own, against = (mine, theirs) if moving else (theirs, mine)
            if own + total >= target:
                wins += moving
                break
            if roll[own, against, total] if moving else other[own, against, total]:
                side = np.random.randint(1, sides + 1)
                if side > 1:
                    total += side
                    continue
            elif moving:
                mine += total
            else:
                theirs += total
            total, moving = 0, not moving
    return wins


SOURCE = Path(__file__).with_name("plain.c")


@functools.cache
def library() -> Any:
    """The compiled reference, for the processor that numba compiles for, or None."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="pigevo-bench-"))
    words = [
        compiler,
        "-O3",
        f"-march={os.environ.get('NUMBA_CPU_NAME', 'native')}",
        "-shared",
        "-fPIC",
        "-o",
        str(folder / "plain.so"),
        str(SOURCE),
    ]
    done = subprocess.run(words, check=False, capture_output=True)
    loaded = ctypes.CDLL(str(folder / "plain.so")) if done.returncode == 0 else None
    shutil.rmtree(folder)
    return loaded


def prepared(strategy: pigevo.Strategy, opponent: pigevo.Strategy) -> Callable[[], float]:
    """The call of the reference for one strategy against another one whose turns are known."""
    game, T = strategy.game, strategy.game.target
    gains, chances = (np.ascontiguousarray(part) for part in packed_die(game))
    turns, ends = prepare(opponent), np.zeros((T, T, T))
    for i in range(T):
        for j in range(T):
            run = turns.hold[turns.start[i, j] : turns.start[i, j + 1]][: T - j - turns.low[i, j]]
            ends[i, j, turns.low[i, j] : turns.low[i, j] + len(run)] = run
    leave = np.ascontiguousarray(turns.leave.T)
    stand, behind, moving = np.zeros((2 * T + 2 * gains[0], T)), np.zeros((T + gains[0], T)), np.zeros((T, T))
    table = np.ascontiguousarray(strategy.table)
    arrays = gains, chances, table, ends, leave, stand, behind, moving
    words = [ctypes.c_long(T), ctypes.c_long(len(gains)), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)]

    def call() -> float:
        library().win_rows(*words)
        return float(moving[0, 0])

    call.arrays = arrays  # type: ignore[attr-defined]  # they live as long as the call
    return call


ROLL, STOP = 0, 1
SCORES = re.compile(r"Scores: (\d+) (\d+), Turn total: (\d+)")


def plain_loop(state, rolls, rng, target):
    """One game as OpenSpiel's examples play it: the state tells the scores and the outcomes of chance."""
    while not state.is_terminal():
        if state.is_chance_node():
            sides, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(sides, chances)[0])
            continue
        first, second, total = map(int, SCORES.search(str(state)).groups())
        player = state.current_player()
        own, other = (first, second) if player == 0 else (second, first)
        state.apply_action(ROLL if own + total < target and rolls[player][own][other][total] else STOP)


def lean_loop(state, rolls, rng, target):
    """One game in which the state is asked as little as possible: scores are kept beside it, sides are known."""
    scores, total, player = [0, 0], 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            side = rng.randrange(6)  # number 0 is the 1
            state.apply_action(side)
            total += side + 1
            if side == 0:
                total, player = 0, 1 - player
        elif scores[player] + total < target and rolls[player][scores[player]][scores[1 - player]][total]:
            state.apply_action(ROLL)
        else:
            state.apply_action(STOP)
            scores[player] += total
            total, player = 0, 1 - player


def playing(loop, a, b, games):
    """A call that plays so many games of `a`, who moves first, against `b`."""
    import pyspiel

    target = a.game.target
    board = pyspiel.load_game("pig", {"winscore": target, "horizon": 100_000})
    rng, rolls = random.Random(1), [p.roll.tolist() for p in (a, b)]

    def play():
        for _ in range(games):
            loop(board.new_initial_state(), rolls, rng, target)

    return play


LOOPS = {"plain loop": plain_loop, "lean loop": lean_loop}
