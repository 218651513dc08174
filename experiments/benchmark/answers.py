"""Answers to questions, exact or from games whose dice depend on seed, key and number; and the benchmark's referee.

The referee evaluates champions exactly and outside of the budget.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Tables
from pigevo.core.checked_values import LARGEST_SEED
from pigevo.core.machine import byte_lru_cache
from pigevo.dice import Draw
from pigevo.exact import against, best_response, optimal, pairs_of_tables, prepare, win_probability
from pigevo.games import Game
from pigevo.simulation import play_pairs
from pigevo.strategies import CubeGrid, Members

from .instances import Instance
from .protocol import REFERENCE, Question


def answer(instance: Instance, question: Question, dice: Draw, workers: int = 1) -> Floats:
    """The results of the first of each pair of an allowed question, the mean of both seats, shape (m,).

    If games are played, `dice` are their random numbers (`dice_of`); the result does not depend on the workers.
    """
    if instance.games:
        return _played(instance, question, dice, workers)
    genomes, pairs = question.genomes, question.pairs
    tables, wins = Members(instance.grid, genomes), np.empty(len(pairs))
    absolute = pairs[:, 1] == REFERENCE
    if absolute.any():
        opponent = prepare(optimal(instance.game).strategy)
        wins[absolute] = against(tables, opponent, workers, pairs[absolute, 0]).mean(axis=1)
    if not absolute.all():
        wins[~absolute] = pairs_of_tables(instance.game, tables, pairs[~absolute], workers).mean(axis=1)
    return wins


def dice_of(seed: int, key: str, number: int) -> Draw:
    """The dice of an answer after `number` earlier ones; each answer has independent dice.

    Algorithms know the seed of the trial, but not the key; without a key the dice depend on the seed alone.
    """
    if key:
        seed = int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:8], "little") % LARGEST_SEED
    return Draw(seed, "dice", generation=number)


def _played(instance: Instance, question: Question, dice: Draw, workers: int) -> Floats:
    tables: Tables = Members(instance.grid, question.genomes)
    pairs = question.pairs
    if instance.opponent == "optimal":
        tables = np.concatenate([tables[:], _optimal_table(instance.game)])
        pairs = np.where(pairs == REFERENCE, len(question.genomes), pairs)
    counts = play_pairs(instance.game, tables, pairs, instance.games, dice, workers)
    won: Floats = (counts[:, 0] + instance.game.draw * counts[:, 4]) / instance.games
    return won


@byte_lru_cache(lambda arguments, result: result.nbytes)
def _optimal_table(game: Game) -> Bytes:
    """The optimum's decisions cell by cell, for any grid of the problem."""
    finest = CubeGrid(game, 1)
    return finest.to_tables(finest.from_strategies([optimal(game).strategy]))


class Verdict(NamedTuple):
    """A strategy's losses to the optimum and to its best response; both are at least 0, and 0 for the optimum."""

    loss: float
    exploitability: float


def judge(grid: CubeGrid, genome: Bytes) -> Verdict:
    """The verdict on a genome."""
    strategy = grid.strategy(genome, "champion")
    loss = 0.5 - win_probability(strategy, optimal(grid.game).strategy).overall
    return Verdict(max(0.0, loss), max(0.0, best_response(strategy).overall - 0.5))
