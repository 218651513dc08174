"""DEAP's own operators behind the adapter.  Seeds are fixed; a law fails below p = `RARE`."""

import contextlib
import random
import warnings

import numpy as np
import pytest
from deap import tools
from scipy import stats

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
from tests.laws import RARE

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


@pytest.mark.parametrize("operator", ["cxTwoPoint", "cxOnePoint", "cxUniform"])
def test_each_childs_gene_comes_from_one_of_its_parents(operator):
    zeros, ones = np.zeros((400, 50), dtype=np.uint8), np.ones((400, 50), dtype=np.uint8)
    arguments = {"indpb": 0.5} if operator == "cxUniform" else None
    children = cross(FIRST, SECOND, Draw(2, "crossover"), operator, arguments)
    assert ((children == FIRST) | (children == SECOND)).all()
    # views that overwrite each other would give both children one parent's genes: never both kinds
    mixed = cross(zeros, ones, Draw(3, "crossover"), operator, arguments)
    assert ((mixed.sum(axis=1) > 0) & (mixed.sum(axis=1) < 50)).mean() > 0.9
    changes = (np.diff(mixed.astype(int), axis=1) != 0).sum(axis=1)
    if operator == "cxOnePoint":
        assert (changes == 1).all()
        assert mixed[::2, 0].sum() == 0
        assert mixed[1::2, 0].all()
    if operator == "cxTwoPoint":
        assert set(changes.tolist()) == {1, 2}


def test_a_tournament_follows_its_law():
    scores = np.arange(6) / 10
    mixed = np.array([3, 0, 5, 1, 4, 2])
    winners = [select(scores[mixed], Draw(1, "selection", g), "selTournament", {"tournsize": 3}) for g in range(3000)]
    ranks = mixed[np.concatenate(winners)]
    law = np.diff((np.arange(7) / 6) ** 3)  # the largest of three draws with replacement
    assert len(ranks) == 9000
    assert stats.chisquare(np.bincount(ranks, minlength=6), law * 9000).pvalue > RARE


def test_flip_bit_flips_at_the_mutation_rate():
    genomes = np.zeros((50, 1000), dtype=np.uint8)
    assert stats.binomtest(int(mutate(genomes, 0.07, Draw(5, "mutation")).sum()), 50_000, 0.07).pvalue > RARE
    given = mutate(genomes, 0.07, Draw(5, "mutation"), "mutFlipBit", {"indpb": 0.3})
    assert stats.binomtest(int(given.sum()), 50_000, 0.3).pvalue > RARE


def test_shuffling_keeps_the_number_of_ones():
    shuffled = mutate(FIRST, 0.5, Draw(5, "mutation"), "mutShuffleIndexes")
    assert np.array_equal(shuffled.sum(axis=1), FIRST.sum(axis=1))
    assert not np.array_equal(shuffled, FIRST)


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


@pytest.mark.parametrize("case", REFUSED)
def test_refuses_with_a_sentence(case):
    make, part = REFUSED[case]
    random.seed(5)
    before = random.getstate()
    with pytest.raises(InputError) as caught:
        make()
    assert part in str(caught.value)
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


ARGUMENTS = {
    "selDoubleTournament": {"fitness_size": 3, "parsimony_size": 1.4, "fitness_first": True},
    "selEpsilonLexicase": {"epsilon": 0.1}, "selNSGA3": {"ref_points": [[1.0]]},
}  # fmt: skip
TIED = {
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
    for scores in TIED.values():
        for size in (2, 3, 6, 12):
            survivors = select(scores[:size], Draw(size, "selection"), operator, arguments)
            assert len(survivors) == size // 2
            assert set(survivors) <= set(range(size))


@pytest.mark.parametrize("operator", ["cxOnePoint", "cxTwoPoint", "mutShuffleIndexes"])
def test_genomes_that_are_too_short_for_an_operator_are_refused_whatever_the_dice_say(operator):
    one, two = np.ones((2, 4, 1), np.uint8)
    with pytest.raises(InputError, match=f"DEAP's {operator} does not work on genomes of zeros and ones of length 1"):
        if operator.startswith("cx"):
            cross(one, two, Draw(1, "crossover"), operator)
        else:
            mutate(one, 0.0, Draw(1, "mutation"), operator)


def test_what_numpy_warns_of_inside_an_operator_of_deap_s_does_not_reach_the_user():
    cross = operator_of("cx", "cxSimulatedBinaryBounded", {"eta": 0, "low": 1, "up": 1}, 2)
    with warnings.catch_warnings(record=True) as said, seeded(Draw(1, "crossover")):
        warnings.simplefilter("always")
        for one, other in zip(FIRST, SECOND, strict=True):
            with contextlib.suppress(InputError):
                cross(Individual.of(one), Individual.of(other))
    assert not said
