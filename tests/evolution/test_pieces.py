"""Large populations are worked on in pieces, to the same bit."""

import numpy as np
import pytest

from pigevo.core import memory
from pigevo.evolution import loop, tables
from pigevo.evolution.tables import Members
from pigevo.evolution.toolbox import make_toolbox
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid

WORDS = ("population.size=12", "game.target=20", "generations=2", "baseline=none", "workers=2", "mutation=0.01")
RUNS = [
    ("crossover=agree_or_random", "fitness.games=10"),
    ("crossover=fitter_parent", "fitness=sets", "fitness.sets=5", "fitness.games=10"),
    ("crossover=blocks", "fitness=exact", "selection=round_robin"),
    ("crossover=deap", "fitness=exact_vs_optimal"),
    ("crossover=n_point", "crossover.points=5", "crossover.chance=0.8", "fitness=exact"),
    ("crossover=uniform", "crossover.share=0.3", "crossover.chance=0.8", "fitness=exact"),
    ("fitness=archive", "selection=truncation"),
    ("fitness=archive_games", "fitness.games=20", "selection=truncation"),
    ("game=two_dice", "fitness.games=10"),
    ("game=two_dice", "fitness=exact"),
]


def states(words):
    settings = Settings.of(*WORDS, *words)
    found = list(loop.generations(settings.plan, loop.first_state(settings.plan)))
    return [(one.state.digest, one.exact.tobytes()) for one in found]


SLOW = (0, 3, 6, 9)  # the same pieces as in another run
CASES = [pytest.param(one, marks=pytest.mark.slow if n in SLOW else []) for n, one in enumerate(RUNS)]


@pytest.mark.parametrize("words", CASES, ids=" ".join)
def test_runs_are_the_same(monkeypatch, words):
    whole = states(words)
    made = []
    original = Members.__getitem__
    monkeypatch.setattr(Members, "__getitem__", lambda self, which: made.append(which) or original(self, which))
    for module in (tables, memory):
        monkeypatch.setattr(module, "PIECE", 5000)
    assert states(words) == whole
    assert made  # by pieces indeed


@pytest.mark.parametrize("size", [1, 3])
def test_no_member_s_table_is_laid_out_to_play_games(monkeypatch, size):
    words = [word for word in WORDS if not word.startswith("generations")]
    plan = Settings.of(*words, "fitness.games=10", "cubes=waves", f"cubes.sizes=[{size}]", "cubes.generations=[2]").plan
    generation = loop.evaluate(plan, loop.first_state(plan))
    monkeypatch.setattr(CubeGrid, "to_tables", lambda *_: pytest.fail("laid out"))
    assert len(loop.next_state(generation).genomes) == 12


def test_a_toolbox_leaves_the_genomes_that_it_mutates_alone_unless_it_is_told(make_plan):
    plan = make_plan()
    state = loop.first_state(plan)
    tools, genomes = make_toolbox(plan, plan.waves[0].grid), state.genomes.copy()
    mutated = tools.mutate(genomes, np.zeros(len(genomes)), 0)
    assert np.array_equal(genomes, state.genomes)
    assert not np.array_equal(genomes, mutated)
    tools.mutate(genomes, np.zeros(len(genomes)), 0, in_place=True)
    assert np.array_equal(genomes, mutated)
