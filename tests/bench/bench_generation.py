"""A generation of 20 random genomes of single cells to 100 by knockout, and its parts, one after the other.

Run by `make bench`.  Processor time of one thread, the best of the rounds; beside a part, where there is one, the
plain way of numpy to a result of the same kind.  The whole is measured from generation to generation of a run, as
memory that is new is slower than memory that was used before.
"""

import time

import numpy as np
import pytest

import pigevo
from pigevo.evolution.loop import evaluate, next_state
from pigevo.evolution.toolbox import toolbox_of
from tests.bench.conftest import ROWS

WORDS = ("experiment=knockout_random", "mutation=0.01", "workers=1", "generations=1000")
ROUNDS = 40


def processor_seconds(function):
    begin = time.process_time()
    function()
    return time.process_time() - begin


def best(function, rounds=ROUNDS):
    function()  # compiles
    return min(processor_seconds(function) for _ in range(rounds))


def numpy_crossover(first, second, random):
    """Children by a random byte for each gene."""
    return np.where(random.integers(0, 2, first.shape, dtype=np.uint8), second, first)


def numpy_mutation(genomes, random):
    """Flips by a random number for each gene."""
    return genomes ^ (random.random(genomes.shape, dtype=np.float32) < 0.01)


@pytest.fixture(scope="module")
def run():
    """A generation that is under way, and those after it."""
    generations = pigevo.generations(*WORDS)
    for _ in range(4):
        next(generations)
    return next(generations), generations


def parts_of(generation):
    """The parts by name, each with the plain way if there is one."""
    tools, plan, number = toolbox_of(generation.plan, generation.state.wave), generation.plan, generation.number
    genomes, evaluation, scores = generation.state.genomes, generation.evaluation, generation.scores
    random = np.random.default_rng(1)
    chosen = tools.select(evaluation, number)
    survivors, theirs = genomes[chosen], scores[chosen]
    size, one, two = len(genomes), *np.resize(np.arange(len(chosen)), (2, len(genomes)))
    draw = plan.draw("mutator", number)
    return {
        "meeting, packing and playing 10 matches of 100 games": (
            lambda: tools.evaluate(genomes, number, {}, generation.evaluation.pairs), None),
        "packing the decisions of the members": (lambda: _pack(generation), None),
        "ranking: who survives, who stays": (
            lambda: tools.keep(genomes[tools.select(evaluation, number)], scores, number), None),
        "crossover": (
            lambda: tools.mate(survivors, theirs, size, number),
            lambda: numpy_crossover(survivors[one], survivors[two], random)),
        "mutation": (
            lambda: tools.mutate(genomes, scores, number), lambda: numpy_mutation(genomes, random)),
        "mutation: drawing the places alone": (lambda: draw.positions(genomes.size, plan.rate), None),
        "digest of the population, where a generation is recorded": (lambda: generation.state.digest, None),
    }  # fmt: skip


def _pack(generation):
    from pigevo.simulation.tables import pack
    from pigevo.strategies import Members

    return pack(Members(generation.grid, generation.genomes))


def test_a_generation(benchmark, run, request):
    generation, generations = run
    benchmark.pedantic(next, args=(generations,), rounds=ROUNDS, warmup_rounds=3)
    rows = request.config.stash.setdefault(ROWS, [])
    took = min(processor_seconds(lambda: next(generations)) for _ in range(ROUNDS))
    rows.append({"what": "a generation", "seconds": took, "target": 4e-3, "plain": None, "plain_is": ""})
    for name, (part, plain) in parts_of(generation).items():
        rows.append({"what": name, "seconds": best(part), "target": None,
                     "plain": plain and best(plain, 5), "plain_is": "numpy's way" if plain else ""})  # fmt: skip
    assert len(next_state(evaluate(generation.plan, generation.state)).genomes) == 20


def test_the_matrix_of_twenty_random_strategies(measure):
    game = pigevo.Pig(target=100)
    strategies = [pigevo.random_strategy(game, seed=seed) for seed in range(20)]
    measure("win matrix of 20 random strategies, all cores", lambda: pigevo.win_matrix(strategies), target=50e-3)
