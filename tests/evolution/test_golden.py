"""Runs of every kind give the digests that the first version of the engine gave.

A change here is a change of what seeds mean: raise `STREAM_VERSION` with it, and make the digests anew.
"""

import json
from pathlib import Path

import pytest

import pigevo

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())

QUICK = (  # what draws in a way of its own, and runs of many parts; the others are slow
    "crossover=agree_or_random", "crossover=blocks", "crossover=intermediate",
    "experiment=coevolve fitness=archive", "experiment=coevolve_noisy game", "fitness.paired", "fitness=exact_vs debug", "fitness=panel",
    "fitness=sets selection", "game=piglet", "islands=ring islands.who",
    "mutator=heavy_tailed", "mutator=inherited_rate", "mutator=self_adapting",
    "population=score", "replacement=immigrants", "selection=roulette",
    "selection=sus", "selection=tournament", "stop=any",
)  # fmt: skip
SPENT = ("spend=allocation", "spend=racing:0.6")


def is_quick(words):
    return words.startswith(QUICK) or any(one in words for one in SPENT)


@pytest.mark.parametrize(
    "words", [pytest.param(words, marks=[] if is_quick(words) else pytest.mark.slow) for words in GOLDEN]
)
def test_a_seeded_run_is_the_same_as_ever(words):
    workers = 1 + len(words) % 2
    assert pigevo.evolve(*words.split(), f"workers={workers}").result["digest"] == GOLDEN[words]
