"""Operators of a user's, handed over from Python: what they may be, and that they cannot spoil a run."""

import random
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from inspect import Parameter, Signature

import numpy as np
import pytest
from deap import tools

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import some_pairs
from pigevo.evolution.operators import KINDS, as_operator, lazy
from pigevo.evolution.toolbox import REMEMBERING, make_toolbox
from pigevo.runs.stepper import bytes_needed
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import course_of, remembering, run_to_the_end, states_of

HERE = r"\S*test_own_operators\.py, line \d+"


class TestClassesAndInstances:
    def test_may_have_methods_beside_the_call(self, make_plan):
        class Mine(pigevo.Selection):
            def pairs(self, size, context):
                return [(0, other) for other in range(1, size)]

            def remember(self, genomes, context):
                return {"seen": np.array([context.generation])}

            def __call__(self, scores, context):
                return [0, 1]

        for selection in (Mine, Mine()):
            first, second, *_ = course_of(make_plan(selection=selection))
            assert first.evaluation.pairs.tolist() == [[0, n] for n in range(1, 8)]
            assert first.evaluation.pairs.dtype == np.int64
            assert second.state.games == 7 * 20
            assert second.state.memory["selection"]["seen"].tolist() == [0]

    def test_must_inherit_from_their_kind_if_they_have_such_methods(self, make_plan):
        def call(self, first, second, context):
            return first

        cases = [("crossover", type("Mine", (pigevo.Mutation,), {"__call__": call}))]
        for name in ("pairs", "plays", "remember", "couples", "opponents", "outcome", "truth"):
            methods = {name: lambda *_: None, "__call__": lambda self, scores, context: [0]}
            cases.append(("selection", type("Mine", (), methods)))
        for kind, operator in cases:
            message = f"Mine cannot be a {kind}: its class must inherit from {KINDS[kind].__name__}"
            for form in (operator, operator()):
                with pytest.raises(InputError, match=message):
                    make_plan(**{kind: form})

    def test_need_not_inherit_if_they_can_only_be_called(self, make_plan):
        class Mine:
            def __call__(self, scores, context):
                return [0, 1]

        for selection in (Mine, Mine()):
            assert len(states_of(make_plan(selection=selection))) == 7


class Buffer(pigevo.Mutation):
    """Flips genes into the same array each time, or into a new one."""

    def __init__(self, renewed):
        self.renewed, self.buffer, self.remembered = renewed, None, np.zeros(1)

    def remember(self, genomes, context):
        self.remembered[0] = context.generation + context.draw.seed % 97
        return {"last": self.remembered.copy() if self.renewed else self.remembered}

    def __call__(self, genomes, context):
        flipped = genomes ^ (context.draw.uniforms(genomes.size).reshape(genomes.shape) < 0.1)
        if self.buffer is None or self.buffer.shape != genomes.shape:
            self.buffer = np.empty_like(genomes)
        self.buffer[:] = flipped
        return flipped if self.renewed else self.buffer


@pytest.mark.parametrize("islands", [{}, {"islands": {"name": "ring", "count": 2, "interval": 2, "migrants": 1}}])
def test_an_operator_may_return_the_same_array_each_time(make_plan, islands):
    """Islands were alike then, and earlier generations were those of later ones."""
    new, again = (states_of(make_plan(mutator=Buffer(renewed), **islands)) for renewed in (True, False))
    assert [state.digest for state in again] == [state.digest for state in new]
    assert len({state.genomes.tobytes() for state in again}) == len(again)
    assert np.concatenate([s.genomes for s in again]).tobytes() == np.concatenate([s.genomes for s in new]).tobytes()


def after_generation_0(function, kind):
    """An operator that calls the function from generation 1 on, so that the trial before the run finds nothing."""

    def mine(*data):
        if data[-1].generation:
            return function(*data)
        return [0, 1] if kind == "selection" else data[0][:0] if kind == "replacement" else data[0]

    names = {"selection": ["scores"], "crossover": ["first", "second"]}.get(kind, ["genomes"])
    mine.__signature__ = Signature([Parameter(name, Parameter.POSITIONAL_ONLY) for name in (*names, "context")])
    return mine


class TestSharedArrays:
    """No operator can change what others are handed."""

    @pytest.mark.parametrize("name", ["scores", "pairs", "wins"])
    def test_the_evaluation_is_not_written_to(self, make_plan, name):
        def mine(scores, context):
            getattr(context.evaluation, name)[...] = 0
            return [0, 1]

        with pytest.raises(InputError, match=r"the selection .* failed: ValueError: .*read-only"):
            run_to_the_end(make_plan(selection=mine))

    @pytest.mark.parametrize("kind", ["selection", "crossover", "mutator", "replacement"])
    def test_scores_are_read_only(self, make_plan, kind):
        def write(*data):
            data[-1].scores[...] = 0

        with pytest.raises(InputError, match=rf"the {kind} .* failed: ValueError: .*read-only \({HERE}\)"):
            run_to_the_end(make_plan(**{kind: after_generation_0(write, kind)}))

    @pytest.mark.parametrize("kind", REMEMBERING)
    def test_the_population_and_the_memory_are_read_only(self, make_plan, kind):
        def write_population(self, genomes, context):
            genomes ^= 1
            return {}

        def write_memory(self, genomes, context):
            if "seen" in context.state:
                context.state["seen"][0] = 5
            return {"seen": np.zeros(3)}

        for remember in (write_population, write_memory):
            with pytest.raises(ValueError, match="read-only"):
                run_to_the_end(remembering(make_plan(), kind, remember))

    @pytest.mark.parametrize("kind", ["crossover", "replacement"])
    def test_the_rows_of_the_population_that_a_lazy_operator_reads_are_read_only(self, make_plan, kind):
        class Writing(KINDS[kind]):
            @lazy
            def __call__(self, survivors, *_):
                survivors[0][:] ^= 1

        with pytest.raises(ValueError, match="read-only"):
            states_of(replace(make_plan(), **{kind: Writing()}))

    def test_a_replacement_may_change_its_copy_of_the_survivors(self, make_plan):
        def changing(survivors, context):
            survivors ^= 1
            return survivors[:0]

        plan = make_plan()
        changed = replace(plan, replacement=as_operator("replacement", changing))
        assert [s.digest for s in states_of(changed)] == [s.digest for s in states_of(plan)]


class TestUsersOfDeap:
    """Operators as DEAP's users write them: row by row, in place, on arrays of bytes."""

    def test_change_rows_in_place(self, make_plan):
        def crossover(first, second, context):
            for row, other in zip(first, second, strict=True):
                tools.cxUniform(row, other, 0.5)
            return first

        def mutator(genomes, context):
            for genome in genomes:
                (changed,) = tools.mutFlipBit(genome, context.rate)
                assert changed is genome
            return genomes

        states = states_of(make_plan(crossover=crossover, mutator=mutator, mutation=0.3))
        assert len({state.digest for state in states}) == 7
        assert {state.genomes.dtype for state in states} == {np.dtype(np.uint8)}

    def test_select_members_by_their_index(self, make_plan):
        def selection(scores, context):
            return tools.selBest([int(n) for n in scores.argsort()], 4, fit_attr="real")

        assert all(state.fresh == 8 for state in states_of(make_plan(selection=selection)))

    def test_may_hand_the_toolbox_arrays_in_any_order_in_memory(self, make_plan):
        plan = make_plan()
        toolbox = make_toolbox(plan, plan.waves[0].grid)
        rows = np.asfortranarray(Draw(1, "population").bits(5, plan.waves[0].grid.genes))
        children = toolbox.mate(rows, np.zeros(5), 8, 3)
        assert toolbox.mutate(children, np.zeros(5), 3).shape == (8, plan.waves[0].grid.genes)


def best_half(scores, context, opponents: int | None = 1):
    return scores.argsort()[: len(scores) // 2]


class TestOpponents:
    """A selection may say how many others each member meets."""

    @pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
    def test_each_member_meets_so_many_others_or_one_more(self, size):
        draw = Draw(3, "selection", 5)
        for opponents in range(1, 10):
            pairs, met = some_pairs(size, opponents, draw), min(opponents, size - 1)
            assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs) == -(-size * met // 2)
            counts = np.bincount(pairs.ravel(), minlength=size)
            assert sorted(counts) == [met] * (size - size * met % 2) + [met + 1] * (size * met % 2)
            assert (pairs[:, 0] != pairs[:, 1]).all()

    def test_chance_decides_who_meets_whom(self):
        matchings = Counter(
            frozenset(map(frozenset, some_pairs(4, 1, Draw(seed, "selection")).tolist())) for seed in range(300)
        )
        assert len(matchings) == 3
        assert min(matchings.values()) > 70  # of 100 on average

    def test_a_parameter_an_option_or_an_attribute_says_it(self, make_plan):
        for options, games in (({}, 4), ({"opponents": 3}, 12), ({"opponents": 99}, 28), ({"opponents": None}, 28)):
            values = BASE | {"selection": {"name": "custom", "options": options}}
            plan = Settings.read(values, own={"selection": best_half}).plan
            assert states_of(plan)[1].games == games * 20
            assert plan.selection_lacks_pairs == (options == {"opponents": None})

        for function, opponents in ((best_half, 1), (partial(best_half, opponents=3), 3)):
            assert as_operator("selection", function).opponents == opponents

        class Mine(pigevo.Selection):
            opponents = 2

            def __call__(self, scores, context):
                return best_half(scores, context)

        assert states_of(make_plan(selection=Mine))[1].games == states_of(make_plan(selection=Mine()))[1].games == 160

    @pytest.mark.parametrize("wrong", [0, 1.5, "optimal"])
    def test_a_wrong_number_is_refused(self, make_plan, wrong):
        def best(scores, context, opponents=wrong):
            return scores.argsort()[:4]

        with pytest.raises(InputError, match=r"the selection .*opponents = .* must be the number of others"):
            make_plan(selection=best)

    def test_a_large_population_needs_no_memory_for_all_pairs(self):
        def all_meet(scores, context):
            return best_half(scores, context)

        words = {"population.size": 5_000, "game.target": 5}
        few, many = (bytes_needed(Settings.of(selection=selection, **words)) for selection in (best_half, all_meet))
        assert many - few > 1.5e9


class TestOperatorsThatDrawByThemselves:
    def test_are_warned_of_before_the_run(self, caplog):
        def coins(genomes, context):
            return genomes ^ (np.random.random(genomes.shape) < 0.1)

        def lucky(generation):
            return random.random() < 0.5

        def right(genomes, context):
            return genomes ^ np.random.default_rng(context.draw.words(4)).integers(0, 2, genomes.shape, np.uint8)

        for kind, word, function in (("mutator", "mutator", coins), ("stop", "stop rule", lucky)):
            _ = pigevo.Settings.of("debug=fast", **{kind: function}).plan
            assert re.match(
                rf"the {word} \S*{function.__name__} \({HERE}\) draws from Python's or", caplog.messages[-1]
            )
            assert "its runs cannot be repeated: draw from context.draw" in caplog.messages[-1]
        assert len(caplog.messages) == 2
        _ = pigevo.Settings.of("debug=fast", mutator=right).plan
        assert len(caplog.messages) == 2
