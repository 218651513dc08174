"""A trial: how good a contestant is after 10^4, 10^5, ... games, exactly."""

from __future__ import annotations

from functools import cache
from time import process_time

import numpy as np

import pigevo
from pigevo.core.arrays import Ints
from pigevo.exact import best_response, optimal, win_probability
from pigevo.strategies import Strategy

from .contestants import CUBES, EVOLUTIONS, LEARNERS, SHORTER, SINGLE, Options, Task
from .evolution import words
from .rules import strategy_of

PARTS, FIRST = 8, 100
"""Parts into which each decade of games is divided, after each of which some learners think; and the first part."""

Figures = dict[str, float]
"""By `loss`, `exploitability`, `seconds` and `games`, and the power of ten."""


def top(name: str, task: Task) -> int:
    """The largest power of ten that a contestant plays."""
    return task.decades[-1] - (name in SHORTER)


def trial(name: str, task: Task, options: Options, seed: int, last: int) -> Figures:
    """The figures of a contestant with a seed.

    Args:
        name: of `contestants`.
        task: the game.
        options: of the contestant.
        seed: of its dice.
        last: the last power of ten.
    """
    decades = range(task.decades[0], last + 1)
    if name in LEARNERS:
        return _learned(name, task, options, seed, decades)
    found: Figures = {}
    for decade in decades:
        found |= _evolved(EVOLUTIONS[CUBES if name == SINGLE else name][0], task, options, seed, decade)
    return found


def judge(strategy: Strategy) -> tuple[float, float]:
    """The exact loss to the optimum and the exploitability."""
    loss = 0.5 - win_probability(strategy, optimal(strategy.game).strategy).overall
    return max(loss, 0.0), max(best_response(strategy).overall - 0.5, 0.0)


def steps(decade: int) -> Ints:
    """The numbers of games after which a learner thinks, up to a power of ten."""
    many = PARTS * (decade - int(np.log10(FIRST)))
    return np.rint(FIRST * 10.0 ** (np.arange(many + 1) / PARTS)).astype(np.int64)


def _learned(name: str, task: Task, options: Options, seed: int, decades: range) -> Figures:
    make = LEARNERS[name][0]
    _compile(name, task)
    found: Figures = {}
    learner, played, seconds = make(task.game, seed, **options), 0, 0.0
    for games in steps(decades[-1]).tolist():
        begun = process_time()
        learner.play(played, games - played)
        seconds, played = seconds + process_time() - begun, games
        if (decade := round(np.log10(games), 9)) in decades:
            found |= _figures(int(decade), strategy_of(task.game, learner.rolls, name), games, seconds)
    return found


@cache
def _compile(name: str, task: Task) -> None:
    make, tried = LEARNERS[name]
    make(task.game, 0, **tried[0]).play(0, 1)


def _evolved(family: str, task: Task, options: Options, seed: int, decade: int) -> Figures:
    chosen = words(family, task.words, task.size, 10**decade, options)
    begun = process_time()
    run = pigevo.evolve(*chosen, seed=seed)
    seconds = process_time() - begun
    return _figures(decade, run.champion, int(run.metrics["games"][-1]), seconds)


def _figures(decade: int, strategy: Strategy, games: int, seconds: float) -> Figures:
    loss, exploitability = judge(strategy)
    return {
        f"loss {decade}": loss, f"exploitability {decade}": exploitability, f"games {decade}": games,
        f"seconds {decade}": seconds,
    }  # fmt: skip
