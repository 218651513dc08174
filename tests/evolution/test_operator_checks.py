"""What `pigevo check` finds in operators whose results are right in shape alone, and what it lets pass."""

import pytest

from pigevo.errors import InputError
from pigevo.settings.operator_checks import INPUTS, KEPT, NUMBERS, ONCE, OTHERS, SAME, UNTOUCHED, VARIED, WORKERS, check
from pigevo.user_code.loading import load

OPS = """
import numpy as np, pigevo
from numpy.random import default_rng
def flipped(genomes, rng): return genomes ^ (rng.random(genomes.shape) < 0.3)
def fixed(genomes, context): return flipped(genomes, np.random.default_rng(0))
def by_seed(genomes, context): return flipped(genomes, default_rng(context.draw.seed))
def by_generation(genomes, context): return flipped(genomes, default_rng(context.generation))
def over_zero(scores, context): return np.argsort(scores / 0)[:2]
def spread(scores, context): return np.argsort((scores - scores.min()) / np.ptp(scores))[:2]
def twice(first, second, context):
    halves = [context.draw.uniforms(first.size).reshape(first.shape) < share for share in (0.5, 0.1)]
    return np.where(halves[0], first, second) ^ halves[1]
def alike(size, context): return np.concatenate([context.draw.bits(size // 2, context.grid.genes) for _ in "ab"]
                                                + [context.draw.at(part=1).bits(size % 2, context.grid.genes)])
def in_a_copy(genomes, context):
    changed = genomes.copy()
    changed.flatten()[context.draw.positions(genomes.size, context.rate)] ^= 1
    return changed
def copied_cut(first, second, context):
    children = first.copy()
    children.flatten()[context.draw.positions(first.size, 0.5)] = 1
    return children
class Kept(pigevo.Mutation):
    def __init__(self, seed: int = 0): self.rng = default_rng(seed)
    def __call__(self, genomes, context): return flipped(genomes, self.rng)

def unseeded(genomes, context): return flipped(genomes, default_rng()) if genomes.shape[1] > 100 else genomes

def seeded(genomes, context): return flipped(genomes, np.random.default_rng(context.draw.words(4)))
def rare(genomes, context):
    changed = genomes.copy()
    changed.reshape(-1)[context.draw.positions(genomes.size, 0.001)] ^= 1
    return changed
def by_design(genomes, context, rate: float = 0): return genomes ^ (context.draw.bits(*genomes.shape) * (rate > 0))
def sets_one(genomes, context):
    genomes[0, 0] = 1
    return genomes
def sets_none(first, second, context):
    second[0, 0] = 0
    return first
def swaps(genomes, context): return genomes[context.draw.permutation(len(genomes))]
def ties(scores, context): return np.lexsort((context.draw.uniforms(len(scores)), -scores))[:2]
def parts(first, second, context):
    halves = [context.draw.at(part=part).uniforms(first.size).reshape(first.shape) < 0.5 for part in (0, 1)]
    return np.where(halves[0], first, second) ^ halves[1]
def first(first, second, context): return first
def by_wins(scores, context): return np.argsort(context.evaluation.wins.sum() - scores)[:2]

def high(generation, score: float = 0.6): return generation.scores.max() > score
def lucky(generation): return np.random.random() < 1e-9
def once_more(generation, seen=[]): return seen.append(0) or len(seen) % 2 == 0
def number(generation): return generation.scores.max()
def sorting(generation): return generation.scores.sort() or False
class Falls(pigevo.StopRule):
    def remember(self, generation, remembered): return {"before": generation.scores.mean(keepdims=True)}
    def ends(self, generation, remembered): return generation.scores.mean() < remembered.get("before", [0])[0]
class Forgets(Falls):
    def remember(self, generation, remembered): return {"before": 3}

class Fair(pigevo.Replacement):
    def __call__(self, survivors, context): return survivors[:1]
    def arrivals(self, places, context): return context.draw.bits(1, context.grid.genes)
class Loaded(Fair):
    def arrivals(self, places, context): return np.random.randint(0, 2, (1, context.grid.genes), np.uint8)
"""
BROKEN = {
    "fixed": {VARIED: "draws, and gives the same for every seed"},
    "by_seed": {VARIED: "draws, and gives the same for every generation"},
    "by_generation": {VARIED: "draws, and gives the same for every seed"},
    "in_a_copy": {VARIED: "returns its argument unchanged in every trial: did you change a copy, as flatten() makes?"},
    "copied_cut": {VARIED: "draws, and returns first unchanged in every trial"},
    "over_zero": {NUMBERS: "divide by zero encountered"},
    "spread": {NUMBERS: "invalid value encountered"},
    "twice": {ONCE: "context.draw.at(part=1)"},
    "alike": {ONCE: "context.draw.at(part=1)"},
    "Kept": {SAME: "gives another result for the same arguments", WORKERS: "on two threads"},
    "unseeded": {SAME: "gives another result for the same arguments"},
    "Loaded": {OTHERS: "global generator: draw from context.draw", SAME: "another result", WORKERS: "on two threads"},
    "lucky": {UNTOUCHED: "global generator: a stop rule may draw nothing"},
    "once_more": {SAME: "a stop rule may draw nothing, and remember nothing but what `remember` returns"},
    "number": {KEPT: "the stop rule number ("},
    "sets_one": {INPUTS: "changes its arguments"},
    "sets_none": {INPUTS: "changes its arguments"},
    "sorting": {KEPT: "sort array is read-only"},
    "Forgets": {KEPT: "it must return arrays of numbers by name from `remember`"},
}
RIGHT = ("Fair", "by_design", "seeded", "rare", "ties", "parts", "first", "by_wins", "high", "Falls")
SLOW = ("by_generation", "spread", "alike", "rare", "by_wins")  # each beside a quick one of its kind


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else []) for name in (*BROKEN, *RIGHT)]
)
def test_what_it_finds(name, tmp_path, recwarn):
    (tmp_path / "ops.py").write_text(OPS)
    broken = check(load(f"{tmp_path}/ops.py:{name}")).broken
    expected = BROKEN.get(name, {})
    assert broken.keys() == expected.keys()
    assert all(part in broken[law] for law, part in expected.items())
    assert not recwarn.list


@pytest.mark.parametrize(
    ("name", "genes", "members"),
    [("binomial", 0.01, 1 - 0.99**75), ("by_design", 0, 0), ("swaps", 0.475, 0.95)],  # a member in 20 stays in place
)
def test_the_effect_of_a_mutator(name, genes, members, tmp_path):
    (tmp_path / "ops.py").write_text(
        f"{OPS}\ndef binomial(genomes, context): return genomes ^ "
        "(context.draw.uniforms(genomes.size).reshape(genomes.shape) < context.rate)"
    )
    effect = check(load(f"{tmp_path}/ops.py:{name}")).effect
    assert (effect.members, effect.genes, effect.rate) == (20, 75, 0.01)
    assert effect.of_genes == pytest.approx(genes, abs=0.015 if name == "swaps" else 0.0011)  # 4 deviations
    assert effect.of_members == pytest.approx(members, abs=0.045)
    assert (check(load(f"{tmp_path}/ops.py:ties"))).effect is None


SHAPES = """
import numpy as np

def list_cut(first, second, context):
    half = len(first) // 2
    return np.concatenate([first[:half], second[half:]])

def genes_cut(first, second, context):
    half = first.shape[1] // 2
    return np.concatenate([first[:, :half], second[:, half:]], axis=1)

def cloned(first, second, context):
    return first.copy()

def forgot(first, second):
    return first

def alone(genomes):
    return genomes

def misspelled(one, other, context):
    return numpy.where(one, other, one)
"""


@pytest.mark.parametrize(("name", "copies"), [("list_cut", True), ("genes_cut", False), ("cloned", False)])
def test_a_crossover_that_cuts_the_list_of_children_is_found(name, copies, tmp_path):
    (tmp_path / "ops.py").write_text(SHAPES)
    checked = check(load(f"{tmp_path}/ops.py:{name}"))
    assert (checked.kind, checked.copies) == ("crossover", copies)


def test_a_crossover_without_a_context_is_no_mutator(tmp_path):
    (tmp_path / "ops.py").write_text(SHAPES)
    for name, kind, sentence in (
        ("forgot", "crossover", "takes 2 arguments: a crossover is handed 3"),
        ("alone", "mutator", "takes 1 argument: a mutator is handed 2"),
    ):
        checked = check(load(f"{tmp_path}/ops.py:{name}"))
        assert checked.kind == kind
        assert sentence in checked.broken[KEPT]


def test_an_error_is_told_whatever_kind_is_tried(tmp_path):
    (tmp_path / "ops.py").write_text(SHAPES)
    with pytest.raises(InputError, match=r"misspelled \(.*ops\.py, line 21\) failed: NameError: .*numpy.*line 22"):
        check(load(f"{tmp_path}/ops.py:misspelled"))
