"""Questions answered: exactly, or by compiled games whose dice are keyed by the seed and the number of the question."""

from __future__ import annotations

import numpy as np

from pigevo.arena import play_pairs
from pigevo.arrays import Bytes, Floats
from pigevo.benchmark.protocol import REFERENCE, Problem, Question
from pigevo.dice import Draw
from pigevo.evolution.tables import tables_of
from pigevo.exact import against, optimal, pairs_of_tables, prepare
from pigevo.games import Game
from pigevo.kept import kept
from pigevo.strategies import CubeGrid


def answer(problem: Problem, question: Question, number: int, workers: int = 1) -> Floats:
    """What the first of each pair wins, shape (m,): the mean of both seats.

    Args:
        problem: the task.
        question: one that is allowed (`pigevo.benchmark.checks`).
        number: how many questions were answered before; each has dice of its own.
        workers: threads; the result does not depend on it.
    """
    if problem.games:
        return _played(problem, question, number, workers)
    genomes, pairs = question.genomes, question.pairs
    tables, wins = tables_of(problem.grid, genomes), np.empty(len(pairs))
    absolute = pairs[:, 1] == REFERENCE
    if absolute.any():
        wins[absolute] = against(tables, prepare(optimal(problem.game).strategy), workers, pairs[absolute, 0]).mean(
            axis=1
        )
    if not absolute.all():
        wins[~absolute] = pairs_of_tables(problem.game, tables, pairs[~absolute], workers).mean(axis=1)
    return wins


def _played(problem: Problem, question: Question, number: int, workers: int) -> Floats:
    tables, pairs = tables_of(problem.grid, question.genomes), question.pairs
    if problem.opponent:
        tables = np.concatenate([tables[:], _optimal_table(problem.game)])
        pairs = np.where(pairs == REFERENCE, len(question.genomes), pairs)
    dice = Draw(problem.seed, "dice", generation=number)
    counts = play_pairs(problem.game, tables, pairs, problem.games, dice, workers)
    won: Floats = (counts[:, 0] + problem.game.draw * counts[:, 4]) / problem.games
    return won


@kept(lambda given, found: found.nbytes)
def _optimal_table(game: Game) -> Bytes:
    """Its decisions cell by cell, whatever the grid of the problem."""
    finest = CubeGrid(game, 1)
    return finest.to_tables(finest.from_strategies([optimal(game).strategy]))
