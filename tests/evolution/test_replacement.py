"""Who stays and who comes beside the children: elites, immigrants, and the parents of evolution strategies."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.operators import Replacement
from pigevo.evolution.population import Elites, Immigrants
from pigevo.evolution.toolbox import make_toolbox
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE, tossed

TRUE = {"name": "exact_vs_optimal"}
LOSING = {"name": "tournament", "k": 1}  # selects at random, so that it loses the best one soon


def rows(genomes):
    return [genome.tobytes() for genome in genomes]


def best_of(state, plan, count):
    order = np.argsort(-evaluate(plan, state).scores, kind="stable")
    return rows(state.genomes[order[:count]])


class TestElites:
    @pytest.mark.parametrize("elites", [0, 1, 3, 7])
    def test_the_best_of_everyone_stay_whoever_was_selected(self, make_plan, elites):
        plan = make_plan(replacement={"name": "elites", "elites": elites}, fitness=TRUE, selection=LOSING, mutation=0.5)
        for before, after in itertools.pairwise(states_of(plan)):
            assert rows(after.genomes[:elites]) == best_of(before, plan, elites)
            assert after.fresh == 8 - elites

    def test_they_are_those_whom_truncation_selects_first_ties_and_all(self, make_plan):
        options = {
            "fitness": {"name": "exact_vs", "opponent": "hold_at:1"},  # random strategies of a small game tie here
            "selection": {"name": "truncation", "share": 0.25},
            "game": {"name": "pig", "target": 3},
        }
        plan = make_plan(replacement={"name": "elites", "elites": 2}, **options)
        other = make_plan(replacement={"name": "survivors_and_offspring"}, **options)
        first = first_state(plan)
        scores = evaluate(plan, first).scores
        assert len(set(scores)) < len(scores)
        assert rows(next_state(evaluate(plan, first)).genomes) == rows(next_state(evaluate(other, first)).genomes)

    def test_they_keep_their_decisions_on_a_finer_grid(self):
        game = pigevo.Pig(target=12)
        coarse, fine = pigevo.CubeGrid(game, 4), pigevo.CubeGrid(game, 2)
        genomes = Draw(1, "population").bits(6, coarse.genes)
        context = context_of(coarse, Draw(1, "selection"), scores=np.arange(6.0))
        state = Elites(2).remember(genomes, context)
        elites = Elites(2)(genomes, context_of(fine, scores=np.arange(6.0), state=state))
        assert np.array_equal(fine.to_tables(elites), coarse.to_tables(genomes[[5, 4]]))

    @pytest.mark.parametrize("elites", [8, 9])
    def test_as_many_as_there_are_members_are_refused_before_the_run(self, elites):
        for name in ("elites", "immigrants"):
            with pytest.raises(InputError, match=f"replacement.elites = {elites} leaves no place .* population of 8"):
                _ = Settings.read(BASE | {"replacement": {"name": name, "elites": elites}}).plan


class TestImmigrants:
    @pytest.mark.parametrize(("share", "elites", "strangers"), [(0.0, 1, 0), (0.25, 1, 2), (0.5, 0, 4), (1.0, 3, 5)])
    def test_so_many_strangers_come_last_and_are_newly_made(self, make_plan, share, elites, strangers):
        plan = make_plan(
            replacement={"name": "immigrants", "share": share, "elites": elites},
            population={"name": "named", "names": ["hold_at:5"], "size": 8}, mutation=0.0, fitness=TRUE,
        )  # fmt: skip
        first = first_state(plan)
        state = next_state(evaluate(plan, first))
        known = set(rows(first.genomes))  # all alike, so that children are copies
        assert [row in known for row in rows(state.genomes)] == [True] * (8 - strangers) + [False] * strangers
        assert state.fresh == 8 - elites
        after = next_state(evaluate(plan, state))
        assert after.evaluations == state.evaluations + state.fresh

    def test_their_genes_are_fair_coins_that_differ_by_generation_and_follow_nothing_else(self):
        grid = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
        made = np.array([
            Immigrants(share=0.5).arrivals(8, context_of(grid, Draw(1, "selection", n), scores=np.zeros(8)))
            for n in range(30)
        ])  # fmt: skip
        ties = Draw(1, "selection", 0).bits(4, grid.genes)  # the same numbers would tie genes to the order of the equal
        assert tossed(made[0] ^ ties) > RARE
        assert tossed(made) > RARE
        assert min(stats.binomtest(int(n), 120).pvalue for n in made.sum(axis=(0, 1))) > RARE / made.shape[-1]
        for differ in (made[1:] ^ made[:-1], made[:, 1:] ^ made[:, :-1], made[..., 1:] ^ made[..., :-1]):
            assert tossed(differ) > RARE

    def test_too_many_of_the_user_s_own_are_refused_before_the_run(self):
        class Crowd(Replacement):
            def __call__(self, survivors, context):
                return survivors[:0]

            def arrivals(self, places, context):
                return context.draw.bits(places + 1, context.grid.genes)

        with pytest.raises(InputError, match=r"the replacement .*Crowd .* must return at most 8 genomes"):
            _ = Settings.read(BASE | {"replacement": {"name": "custom"}}, own={"replacement": Crowd}).plan


class TestEvolutionStrategies:
    def plan(self, make_plan, mu, replacement, **more):
        of = Settings.of("selection=mu_best", f"replacement={replacement}").values["replacement"]
        return make_plan(selection={"name": "mu_best", "mu": mu}, replacement=of, fitness=TRUE, **more)

    @pytest.mark.parametrize(("mu", "stay"), [(1, 1), (3, 3), (2, 0)])
    def test_plus_keeps_the_best_of_parents_and_children_and_comma_nobody(self, make_plan, mu, stay):
        plan = self.plan(make_plan, mu, "mu_plus_lambda" if stay else "mu_comma_lambda", mutation=0.5)
        for before, after in itertools.pairwise(states_of(plan)):
            assert rows(after.genomes[:stay]) == best_of(before, plan, stay)
            assert after.fresh == 8 - stay
            assert not {*rows(before.genomes)} & {*rows(after.genomes[stay:])}

    @pytest.mark.parametrize("replacement", ["mu_plus_lambda", "mu_comma_lambda"])
    def test_children_are_those_of_the_best_alone(self, make_plan, replacement):
        plan = self.plan(make_plan, 1, replacement, mutation=0.0)
        states = states_of(plan)
        assert set(rows(states[1].genomes)) == set(best_of(states[0], plan, 1))

    @pytest.mark.parametrize("mu", [8, 20])
    def test_everyone_cannot_be_selected(self, mu):
        with pytest.raises(InputError, match=f"selection.mu = {mu} selects all 8 members of the population"):
            _ = Settings.read(BASE | {"selection": {"name": "mu_best", "mu": mu}}).plan


@pytest.mark.parametrize(("name", "stay"), [("offspring", 0), ("survivors_and_offspring", 4)])
def test_survivors_stay_unchanged_and_children_fill_the_other_places(make_plan, name, stay):
    plan = make_plan(replacement={"name": name}, mutation=0.5)
    toolbox, state = make_toolbox(plan, plan.waves[0].grid), first_state(plan)
    survivors = toolbox.select(toolbox.evaluate(state.genomes, 0), 0)
    following = next_state(evaluate(plan, state))
    assert following.genomes.shape == state.genomes.shape
    assert following.fresh == 8 - stay
    assert np.array_equal(following.genomes[:stay], state.genomes[survivors[:stay]])
    assert not {*rows(state.genomes)} & {*rows(following.genomes[stay:])}
