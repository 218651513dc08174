"""Simulated games per second, beside a plain loop over OpenSpiel's states in the same run.

Run by `make bench`.  The figures are in `extra_info`: `games/s`, and for one thread the
ratios to two loops over OpenSpiel's states with the same strategies, a plain one and a
lean one.  Figures are wall-clock, but those of one thread and of the loops are processor
time, so that other work on the machine disturbs them less.
"""

import time

import pytest

import pigevo
from pigevo.core.threads import available_cores
from tests.bench.openspiel_loops import LOOPS, is_there, playing

PIG = pigevo.Pig(target=100)
PAIRS = {
    "hold_at 20 v 25": (pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 25)),
    "two random strategies": (pigevo.random_strategy(PIG, seed=0), pigevo.random_strategy(PIG, seed=1)),
}
GAMES = 400_000


def processor_seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def openspiel_games_per_second(loop, a, b, games=200, rounds=5):
    """The best of some rounds, as for the arena."""
    play = playing(loop, a, b, games)
    return games / min(processor_seconds(play) for _ in range(rounds))


@pytest.mark.parametrize("paired", [False, True], ids=["own dice", "paired dice"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", PAIRS)
def test_games_per_second(benchmark, name, workers, paired):
    if workers > available_cores():
        pytest.skip("one core")
    a, b = PAIRS[name]

    def play():
        return pigevo.play_match(a, b, games=GAMES, workers=workers, paired=paired)

    play()  # compiles
    benchmark.pedantic(play, rounds=10)
    rate = GAMES / (benchmark.stats.stats.min if workers > 1 else min(processor_seconds(play) for _ in range(10)))
    benchmark.extra_info["games/s"] = round(rate)
    if workers == 1 and is_there():
        for what, loop in LOOPS.items():
            rate_there = openspiel_games_per_second(loop, a, b)
            benchmark.extra_info |= {f"OpenSpiel, {what}": round(rate_there), f"times {what}": round(rate / rate_there)}


def test_matches_of_a_fitness_per_second(benchmark):
    """All pairs of 40 strategies, 100 games each: the lanes go from one match to the next."""
    from pigevo.dice import Draw
    from pigevo.evolution.evaluation import every_pair
    from pigevo.evolution.fitness.games import Games
    from pigevo.evolution.operators import Context

    grid, fitness = pigevo.CubeGrid(PIG, 1), Games(games=100)
    tables = grid.to_tables(Draw(1, "population").bits(40, grid.genes)).transpose(0, 1, 3, 2).view(bool)
    context = Context(Draw(1, "dice"), grid, pairs=every_pair(40))
    fitness(tables, context)
    benchmark.pedantic(fitness, args=(tables, context), rounds=10)
    benchmark.extra_info["games/s"] = round(100 * len(context.pairs) / benchmark.stats.stats.min)
