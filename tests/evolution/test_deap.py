"""DEAP's own operators behind the adapter.  Seeds are fixed; a law fails below p = `RARE`."""

import contextlib
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from deap import tools

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import CROSSOVERS
from pigevo.evolution.crossover import deap as cross_with
from pigevo.evolution.deap_adapter import Individual, operator_of, seeded
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.flips import deap as mutate_with
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import deap as select_with
from pigevo.games import Pig
from tests.evolution.helpers import context_of
from tests.laws import RARE, fits, tossed

FIRST, SECOND = Draw(1, "population").bits(2, 12, 60)
SCORES = Draw(4, "validation").uniforms(12)
GAME = Pig(target=5)


def select(scores, draw, *options):
    return select_with(scores, context_of(GAME, draw, scores), *options)


def cross(first, second, draw, *options):
    return cross_with(first, second, context_of(GAME, draw), *options)


def mutate(genomes, rate, draw, *options):
    return mutate_with(genomes, context_of(GAME, draw, rate=rate), *options)


def chosen(operator, arguments=None):
    """The options of a selection by DEAP, complete, as they are when a run is composed."""
    return SELECTIONS["deap"].completed({"operator": operator, "arguments": arguments})


@pytest.mark.parametrize(("operator", "expected"), [("cxOnePoint", {1}), ("cxTwoPoint", {1, 2}), ("cxUniform", None)])
def test_a_crossover_changes_parents_at_its_places(operator, expected):
    """Views that overwrite each other would give both children of a couple the genes of one parent."""
    zeros, ones = np.zeros((400, 50), dtype=np.uint8), np.ones((400, 50), dtype=np.uint8)
    children = cross(zeros, ones, Draw(3, "crossover"), operator, None if expected else {"indpb": 0.5})
    changes = (np.diff(children.astype(int), axis=1) != 0).sum(axis=1)
    assert set(changes.tolist()) == expected if expected else (changes > 5).all()
    if operator == "cxOnePoint":
        assert children[:, 0].tolist() == [0, 1] * 200


def test_a_mutation_flips_at_the_rate_or_with_its_own_chance_or_keeps_the_number_of_ones():
    genomes = np.zeros((50, 1000), dtype=np.uint8)
    assert tossed(mutate(genomes, 0.07, Draw(5, "mutation")), 0.07) > RARE
    assert tossed(mutate(genomes, 0.07, Draw(5, "mutation"), "mutFlipBit", {"indpb": 0.3}), 0.3) > RARE
    shuffled = mutate(FIRST, 0.5, Draw(5, "mutation"), "mutShuffleIndexes")
    assert np.array_equal(shuffled.sum(axis=1), FIRST.sum(axis=1))
    assert not np.array_equal(shuffled, FIRST)


def test_a_tournament_follows_its_law():
    scores = np.array([3, 0, 5, 1, 4, 2])
    draws = (Draw(1, "selection", generation) for generation in range(3000))
    winners = np.concatenate([select(scores / 10, draw, "selTournament", {"tournsize": 3}) for draw in draws])
    law = np.diff((np.arange(7) / 6) ** 3)  # the largest of three draws with replacement
    assert len(winners) == 9000
    assert fits(np.bincount(scores[winners], minlength=6), law) > RARE


REFUSED = {
    "unknown selection": (lambda: chosen("selTournement"), "did you mean selTournament"),
    "crossover as selection": (lambda: chosen("cxUniform"), "there is no DEAP operator 'cxUniform'"),
    "selection without its size": (lambda: chosen("selDoubleTournament"), "fitness_size"),
    "wrong argument": (lambda: chosen("selBest", {"size": 3}), "it takes fit_attr"),
    "argument that is given": (lambda: chosen("selBest", {"k": 3}), "multiple values"),
    "unknown crossover": (lambda: cross(FIRST, SECOND, Draw(1, "crossover"), "cxTwoPonit"), "did you mean cxTwoPoint"),
    "crossover for lists": (lambda: cross(FIRST, SECOND, Draw(1, "crossover"), "cxMessyOnePoint"), "does not work"),
    "crossover of numbers": (lambda: cross(FIRST, SECOND, Draw(1, "crossover"), "cxBlend", {"alpha": 9}), "genes other than 0 and 1"),
    "unknown mutation": (lambda: mutate(FIRST, 0.1, Draw(1, "mutation"), "mutFlip"), "did you mean mutFlipBit"),
    "mutation of numbers": (
        lambda: mutate(FIRST, 0.5, Draw(1, "mutation"), "mutUniformInt", {"low": 0, "up": 5}), "genes other than 0 and 1",
    ),
    "not an operator": (lambda: chosen("selection"), "there is no DEAP operator"),
}  # fmt: skip


def test_wrong_operators_and_arguments_are_refused_and_leave_the_global_generator_alone():
    random.seed(5)
    before = random.getstate()
    for name, (make, part) in REFUSED.items():
        with pytest.raises(InputError) as caught:
            make()
        assert part in str(caught.value), name
        assert "\n" not in str(caught.value)
    assert random.getstate() == before


REAL = {
    "cxBlend": {"alpha": 0.5}, "cxSimulatedBinary": {"eta": 20.0}, "cxSimulatedBinaryBounded": {"eta": 20.0, "low": 0, "up": 1},
    "cxPartialyMatched": {}, "cxUniformPartialyMatched": {}, "cxOrdered": {}, "cxMessyOnePoint": {}, "cxESBlend": {"alpha": 0.5}, "cxTwoPoints": {},
    "mutGaussian": {"mu": 0, "sigma": 1, "indpb": 1e-9}, "mutPolynomialBounded": {"eta": 20.0, "low": 0, "up": 1, "indpb": 1e-9},
    "mutUniformInt": {"low": 0, "up": 2, "indpb": 1e-9}, "mutESLogNormal": {"c": 1.0, "indpb": 1e-9},
}  # fmt: skip


@pytest.mark.parametrize("operator", REAL)
def test_an_operator_that_works_by_luck_only_is_refused_before_a_run(operator):
    """On whole numbers what is between 0 and 1 would silently become 0."""
    registry = CROSSOVERS if operator.startswith("cx") else MUTATORS
    with pytest.raises(InputError, match=f"DEAP.*{operator}"):
        registry["deap"].completed({"operator": operator, "arguments": REAL[operator]})


@pytest.mark.parametrize("rate", [50, -1, float("nan"), float("inf"), True, None, "half"])
@pytest.mark.parametrize("operator", ["cxUniform", "mutFlipBit", "mutShuffleIndexes"])
def test_a_rate_of_an_operator_of_deap_s_is_a_probability(operator, rate):
    registry = CROSSOVERS if operator.startswith("cx") else MUTATORS
    with pytest.raises(InputError, match=rf"indpb = .* of DEAP's {operator} must be a probability, from 0 to 1"):
        registry["deap"].completed({"operator": operator, "arguments": {"indpb": rate}})


def test_a_selection_that_cannot_work_says_why():
    with pytest.raises(InputError, match="crowding distances, which only a fitness of several objectives has"):
        SELECTIONS["deap"].completed({"operator": "selTournamentDCD", "arguments": None})


ARGUMENTS = {
    "selDoubleTournament": {"fitness_size": 3, "parsimony_size": 1.4, "fitness_first": True},
    "selEpsilonLexicase": {"epsilon": 0.1}, "selNSGA3": {"ref_points": [[1.0]]},
}  # fmt: skip
SCORE_TABLES = {
    "distinct": SCORES, "tied": np.round(2 * SCORES) / 2, "zero": np.zeros(12), "mixed": SCORES - 0.5,
    "negative": SCORES - 2, "large": SCORES * 1e300, "tiny": SCORES * 1e-320,
}  # fmt: skip


@pytest.mark.parametrize("operator", [n for n in dir(tools) if n.startswith("sel") and callable(getattr(tools, n))])
def test_a_selection_of_deap_s_is_refused_before_a_run_or_works_at_all_scores(operator):
    options = {"operator": operator, "arguments": ARGUMENTS.get(operator)}
    if operator in ("selTournamentDCD", "selNSGA3", "selNSGA3WithMemory"):
        with pytest.raises(InputError, match=f"DEAP's {operator} does not work here"):
            SELECTIONS["deap"].completed(options)
        return
    arguments = SELECTIONS["deap"].completed(options)["arguments"]
    for scores in SCORE_TABLES.values():
        for size in (2, 3, 6, 12):
            survivors = select(scores[:size], Draw(size, "selection"), operator, arguments)
            assert len(survivors) == size // 2
            assert set(survivors) <= set(range(size))


@pytest.mark.parametrize("operator", ["cxOnePoint", "cxTwoPoint", "mutShuffleIndexes"])
def test_genomes_that_are_too_short_for_an_operator_are_refused_whatever_the_dice_say(operator):
    first, second = np.ones((2, 4, 1), np.uint8)
    with pytest.raises(InputError, match=f"DEAP's {operator} does not work on genomes of zeros and ones of length 1"):
        if operator.startswith("cx"):
            cross(first, second, Draw(1, "crossover"), operator)
        else:
            mutate(first, 0.0, Draw(1, "mutation"), operator)


@pytest.mark.filterwarnings("error")
def test_what_numpy_warns_of_inside_an_operator_of_deap_s_does_not_reach_the_user():
    cross = operator_of("cx", "cxSimulatedBinaryBounded", {"eta": 0, "low": 1, "up": 1}, 2)
    with seeded(Draw(1, "crossover")):
        for first, second in zip(FIRST, SECOND, strict=True):
            with contextlib.suppress(InputError):
                cross(Individual.of(first), Individual.of(second))


def test_threads_of_anybodys_change_no_draw_of_deap_s_operators_and_notice_none():
    words = "knockout_random", "debug=fast", "game.target=30", "baseline=none"
    own = {"mutator": "deap", "mutator.operator": "mutFlipBit", "crossover": "deap", "crossover.operator": "cxTwoPoint"}

    def digest(seed):
        return pigevo.evolve(*words, **own, seed=seed).result["digest"]

    alone, ended, numbers = [*map(digest, range(4))], threading.Event(), []

    def host():
        while not ended.is_set():
            numbers.append(random.random())

    random.seed(5)
    hosts = threading.Thread(target=host)
    hosts.start()
    try:
        with ThreadPoolExecutor(4) as pool:
            assert [*pool.map(digest, range(4))] == alone
    finally:
        ended.set()
        hosts.join()
    alike = random.Random(5)
    assert numbers == [alike.random() for _ in numbers]
