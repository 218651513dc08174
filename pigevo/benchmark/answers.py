"""Answers to questions, exact or by games whose dice follow from seed, key and number; and the benchmark's referee.

The referee says how good a champion really is, exactly and outside of the budget.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from pigevo.benchmark.instances import Instance
from pigevo.benchmark.protocol import REFERENCE, Question
from pigevo.core.arrays import Bytes, Floats
from pigevo.core.byte_lru_cache import byte_lru_cache
from pigevo.core.checked_values import LARGEST_SEED
from pigevo.dice import Draw
from pigevo.evolution.tables import tables_of
from pigevo.exact import against, best_response, optimal, pairs_of_tables, prepare, win_probability
from pigevo.games import Game
from pigevo.simulation import play_pairs
from pigevo.strategies import CubeGrid


def answer(instance: Instance, question: Question, dice: Draw, workers: int = 1) -> Floats:
    """What the first of each pair of an allowed question wins, shape (m,): the mean of both seats.

    Where games are played, `dice` decide them (`dice_of`); the result does not depend on the number of workers.
    """
    if instance.games:
        return _played(instance, question, dice, workers)
    genomes, pairs = question.genomes, question.pairs
    tables, wins = tables_of(instance.grid, genomes), np.empty(len(pairs))
    absolute = pairs[:, 1] == REFERENCE
    if absolute.any():
        opponent = prepare(optimal(instance.game).strategy)
        wins[absolute] = against(tables, opponent, workers, pairs[absolute, 0]).mean(axis=1)
    if not absolute.all():
        wins[~absolute] = pairs_of_tables(instance.game, tables, pairs[~absolute], workers).mean(axis=1)
    return wins


def dice_of(seed: int, key: str, number: int) -> Draw:
    """The dice of an answer; `number` questions were answered before, and each has dice of its own.

    Algorithms know the seed of the trial, but not the key; with no key the dice follow from the seed alone.
    """
    if key:
        seed = int.from_bytes(hashlib.sha256(f"{seed} {key}".encode()).digest()[:8], "little") % LARGEST_SEED
    return Draw(seed, "dice", generation=number)


def _played(instance: Instance, question: Question, dice: Draw, workers: int) -> Floats:
    tables, pairs = tables_of(instance.grid, question.genomes), question.pairs
    if instance.opponent == "optimal":
        tables = np.concatenate([tables[:], _optimal_table(instance.game)])
        pairs = np.where(pairs == REFERENCE, len(question.genomes), pairs)
    counts = play_pairs(instance.game, tables, pairs, instance.games, dice, workers)
    won: Floats = (counts[:, 0] + instance.game.draw * counts[:, 4]) / instance.games
    return won


@byte_lru_cache(lambda arguments, result: result.nbytes)
def _optimal_table(game: Game) -> Bytes:
    """Its decisions cell by cell, whatever the grid of the problem."""
    finest = CubeGrid(game, 1)
    return finest.to_tables(finest.from_strategies([optimal(game).strategy]))


class Verdict(NamedTuple):
    """What a strategy loses to the optimum and to the best response; both are 0 for the optimum, and never below."""

    loss: float
    exploitability: float


def judge(grid: CubeGrid, genome: Bytes) -> Verdict:
    """The verdict on a genome."""
    strategy = grid.strategy(genome, "champion")
    loss = 0.5 - win_probability(strategy, optimal(grid.game).strategy).overall
    return Verdict(max(0.0, loss), max(0.0, best_response(strategy).overall - 0.5))
