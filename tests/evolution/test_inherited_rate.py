"""The rate in the genome.  Seeds are fixed; a law fails below p = `RARE`."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.mutation.flips import InheritedRate, log_odds
from pigevo.evolution.plan import origins, parentage
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE, tossed

GRID = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
RATES = np.array([0.01, 0.05, 0.2, 0.4])


def inheriting(parents, rates=RATES, **options):
    context = context_of(GRID, Draw(3, "mutation"), rate=0.03, state={"rates": rates}, parents=np.asarray(parents))
    return InheritedRate(**options).inherit(context)["rates"]


class TestLaw:
    def test_log_odds_of_children_are_normal_about_the_mean_of_their_parents(self):
        rates = log_odds(inheriting(np.tile([[1, 2], [2, 2]], (10_000, 1)), step=0.3))
        for child, middle in ((0, log_odds(RATES[1:3]).mean()), (1, log_odds(RATES[2]))):
            assert (rates[child::2] < log_odds(0.5)).all()  # no rate met its bound
            steps = (rates[child::2] - middle) / 0.3
            assert stats.kstest(steps, "norm").pvalue > RARE
            assert stats.kstest(steps * 1.1, "norm").pvalue < RARE

    def test_who_stays_keeps_the_rate_and_who_comes_has_the_first(self):
        assert inheriting([[3, -1], [0, -1], [-1, -1], [1, -1]]).tolist() == [0.4, 0.01, 0.03, 0.05]

    def test_rates_stay_between_a_flip_and_half_the_genes(self):
        rates = inheriting(np.tile([[0, 3]], (1000, 1)), step=10)
        assert rates.min() == 1 / GRID.genes
        assert rates.max() == 0.5
        assert inheriting([[0, 0]], step=0, least=30)[0] == 30 / GRID.genes

    @pytest.mark.parametrize("child", [0, 3])
    def test_each_genome_flips_with_its_own_rate(self, child):
        parents = np.repeat(np.arange(4), 50)[:, None] * [1, 1]
        context = context_of(GRID, Draw(3, "mutation"), rate=0.9, state={"rates": RATES}, parents=parents)
        flipped = InheritedRate(step=0)(np.zeros((200, GRID.genes), np.uint8), context)[50 * child : 50 * child + 50]
        assert tossed(flipped, RATES[child]) > RARE
        assert tossed(flipped, RATES[child] * 1.4) < RARE
        assert stats.chisquare(flipped.sum(axis=0) + 1).pvalue > RARE  # all genes alike


class TestInARun:
    def plan(self, **changes):
        mutator = {"name": "inherited_rate", "step": 0.5}
        return Settings.read({**BASE, "mutator": mutator, "mutation": 0.1, **changes}).plan

    @pytest.mark.parametrize("replacement", ["offspring", "survivors_and_offspring", "elites", "immigrants"])
    def test_each_member_has_the_rate_with_which_it_was_mutated(self, replacement):
        of_children = []

        class Watched(InheritedRate):
            def __call__(self, genomes, context):
                of_children.append(self.inherit(context)["rates"])
                return super().__call__(genomes, context)

        plan = replace(self.plan(replacement={"name": replacement}), mutator=Watched(step=0.5))
        first, *later = states_of(plan)
        assert "mutator" not in first.memory
        for state, children in zip(later, of_children, strict=True):
            rates, stay = state.memory["mutator"]["rates"], plan.size - state.fresh
            assert rates.shape == (plan.size,)
            assert (rates[stay : stay + len(children)] == children).all()
            assert (rates[stay + len(children) :] == 0.1).all()

    def test_survivors_keep_their_rates_generation_by_generation(self):
        plan = self.plan(replacement={"name": "survivors_and_offspring"})
        for before, after in itertools.pairwise(states_of(plan)[1:]):
            owners = {g.tobytes(): r for g, r in zip(before.genomes, before.memory["mutator"]["rates"], strict=True)}
            stay = plan.size - after.fresh
            assert [owners[g.tobytes()] for g in after.genomes[:stay]] == [*after.memory["mutator"]["rates"][:stay]]

    def test_with_a_step_of_0_it_is_bit_flip(self):
        flipping = states_of(self.plan(mutator={"name": "bit_flip"}))
        inheriting_states = states_of(self.plan(mutator={"name": "inherited_rate", "step": 0.0}))
        for state, expected in zip(inheriting_states, flipping, strict=True):
            assert (state.genomes == expected.genomes).all()
            assert state.memory.get("mutator", {"rates": 0.1})["rates"] == pytest.approx(0.1, rel=1e-12)

    def test_selection_for_low_rates_lowers_them(self):
        """Where every flip is a loss, as it is of an optimum's decisions, small rates are inherited more often."""
        words = (
            "population=optimal", "game.target=20", "fitness=exact_vs_optimal", "selection=truncation", "generations=60",
            "mutator=inherited_rate", "mutator.step=0.5", "mutation=0.05", "workers=1", "population.size=20",
        )  # fmt: skip
        last = states_of(Settings.of(*words).plan)[-1]
        assert np.median(last.memory["mutator"]["rates"]) < 0.01


def test_parentage_says_who_stays_who_is_born_and_who_comes():
    assert parentage(np.array([4, 1]), np.array([[0, 3]]), 1).tolist() == [[4, -1], [1, -1], [0, 3], [-1, -1]]


def test_origins_are_the_members_with_the_same_genes_the_best_of_clones_first():
    genomes = np.array([[0, 1, 1], [1, 0, 0], [0, 1, 1], [1, 1, 1]], np.uint8)
    scores = np.array([0.1, 0.9, 0.2, 0.3])
    staying = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 0]], np.uint8)
    assert origins(staying, genomes, scores, np.array([0, 1])).tolist() == [3, 2, -1]
    assert origins(genomes[[0, 3]], genomes, scores, np.array([0, 3])).tolist() == [0, 3]  # as they were selected
    assert origins(staying[:0], genomes, scores, np.array([0])).tolist() == []
