"""What operators that are classes say beside their data is checked at the seam as well."""

from collections import ChainMap, Counter
from dataclasses import dataclass, replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import absolute, every_pair, some_pairs
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.operators import Plays, as_operator
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.runs.stepper import bytes_needed
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import remembering, run_to_the_end, states_of

HERE = r"\S*test_operator_classes\.py, line \d+"


class TestPairs:
    WRONG = (
        (lambda size: every_pair(size).T, "pairs of indices of shape"),
        (lambda size: every_pair(size) * 1.0, "pairs of indices of shape"),
        (lambda size: every_pair(size).ravel(), "pairs of indices of shape"),
        (lambda size: [[0], [1, 2]], "pairs of indices of shape"),
        (lambda size: None, "returned nothing"),
        (lambda size: [[0, size]], "pairs of indices from 0 to 7"),
        (lambda size: [[-1, 0]], "pairs of indices from 0 to 7"),
        (lambda size: np.array([[0, 2**63]], np.uint64), "pairs of indices from 0 to 7"),
    )

    @pytest.mark.parametrize(("pairs", "part"), WRONG)
    def test_that_are_none_are_told(self, make_plan, pairs, part):
        class Mine(pigevo.Selection):
            def pairs(self, size, context):
                return pairs(size) if context.generation else every_pair(size)

            def __call__(self, scores, context):
                return [0, 1]

        plan = make_plan()
        for bad in (make_plan(selection=Mine), replace(plan, selection=Mine())):
            with pytest.raises(InputError, match=r"^the selection .* returned .*; it must return ") as caught:
                run_to_the_end(bad)
            assert part in str(caught.value)
        with pytest.raises(InputError, match=HERE):
            run_to_the_end(make_plan(selection=Mine))

    def test_decide_who_meets_whom(self, make_plan):
        class Mine(pigevo.Selection):
            def pairs(self, size, context):
                return [(0, other) for other in range(1, size)]

            def __call__(self, scores, context):
                return scores.argsort()[:4]

        generation = next(generations(plan := make_plan(selection=Mine), first_state(plan)))
        assert generation.evaluation.pairs.tolist() == [[0, n] for n in range(1, 8)]
        assert generation.evaluation.games == 7 * 20
        assert generation.evaluation.pairs.dtype == np.int64


class TestOpponents:
    @pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
    def test_each_meets_so_many_others_or_one_more(self, size):
        draw = Draw(3, "selection", 5)
        for opponents in range(1, 10):
            pairs, each = some_pairs(size, opponents, draw), min(opponents, size - 1)
            assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs) == -(-size * each // 2)
            met = np.bincount(pairs.ravel(), minlength=size)
            assert sorted(met) == [each] * (size - size * each % 2) + [each + 1] * (size * each % 2)
            assert (pairs[:, 0] != pairs[:, 1]).all()

    def test_chance_decides_who(self):
        pairs = [frozenset(map(frozenset, some_pairs(4, 1, Draw(seed, "selection")).tolist())) for seed in range(300)]
        assert sorted(Counter(pairs).values())[0] > 70  # of 100 on average
        assert len(set(pairs)) == 3

    def test_a_function_s_parameter_says_it_and_an_option(self, make_plan):
        def best(scores, context, opponents: int | None = 1):
            return scores.argsort()[:4]

        for options, games in (({}, 4), ({"opponents": 3}, 12), ({"opponents": 99}, 28), ({"opponents": None}, 28)):
            plan = Settings.read(
                BASE | {"selection": {"name": "custom", "options": options}}, own={"selection": best}
            ).plan
            assert states_of(plan)[1].games == games * 20
            assert plan.meets_by_default == (options == {"opponents": None})
        assert not plan.everyone_meets or plan.selection.meets_everyone

    def test_a_class_has_an_attribute(self, make_plan):
        class Mine(pigevo.Selection):
            opponents = 2

            def __call__(self, scores, context):
                return scores.argsort()[:4]

        assert states_of(make_plan(selection=Mine))[1].games == states_of(make_plan(selection=Mine()))[1].games == 160

    @pytest.mark.parametrize("wrong", [0, -1, 1.5, "optimal"])
    def test_a_wrong_number_is_told(self, make_plan, wrong):
        def best(scores, context, opponents=wrong):
            return scores.argsort()[:4]

        with pytest.raises(InputError, match=r"the selection .*opponents = .* must be the number of others"):
            make_plan(selection=best)

    def test_a_large_population_needs_no_memory_for_all_pairs(self, make_plan):
        def best(scores, context, opponents: int = 1):
            return scores.argsort()[: len(scores) // 2]

        def all_meet(scores, context):
            return best(scores, context)

        words = {"population.size": 5_000, "game.target": 5}
        need = [bytes_needed(Settings.of(selection=one, **words)) for one in (best, all_meet)]
        assert need[1] - need[0] > 1.5e9


class TestPlays:
    def test_must_be_a_property(self, make_plan):
        class Mine(pigevo.Fitness):
            def plays(self):
                return Plays(members=True)

            def __call__(self, tables, context):
                return np.zeros((len(context.pairs), 2))

        with pytest.raises(InputError, match=rf"the fitness .*Mine \({HERE}\) returned a method; .* property `plays`"):
            make_plan(fitness=Mine)

    def test_may_fail_with_a_sentence(self, make_plan):
        class Mine(pigevo.Fitness):
            @property
            def plays(self):
                raise KeyError("games")

            def __call__(self, tables, context):
                return np.zeros(len(tables))

        with pytest.raises(InputError, match=rf"{HERE}\) failed: KeyError: 'games' \({HERE}\)"):
            make_plan(fitness=Mine)

    def test_decide_what_is_returned_and_counted(self, make_plan):
        class Mine(pigevo.Fitness):
            def __init__(self, members: bool = True):
                self.members = members

            @property
            def plays(self):
                return Plays(self.members, games=3)

            def __call__(self, tables, context):
                return np.full((len(context.pairs), 2), 0.5) if self.members else np.zeros(len(tables))

        assert states_of(make_plan(fitness=Mine))[1].games == 4 * 3
        plan = replace(make_plan(), fitness=Mine(members=False))
        assert states_of(plan)[1].games == 8 * 3
        with pytest.raises(InputError, match="numbers of shape \\(4, 2\\)"):
            run_to_the_end(replace(plan, fitness=as_operator("fitness", BackToFront())))


@dataclass(frozen=True)
class BackToFront(pigevo.Fitness):
    """It says that members meet, and returns a score each."""

    @property
    def plays(self):
        return Plays(members=True)

    def __call__(self, tables, context):
        return np.zeros(len(tables))


class TestEvaluations:
    """Of a fitness that makes its own."""

    WRONG = (
        ({"scores": np.full(8, np.nan)}, "a score for each strategy, and one of them is nan"),
        ({"scores": np.zeros(4)}, "a score for each strategy, numbers of shape (8,)"),
        ({"scores": None}, "returned nothing"),
        ({"wins": np.zeros((4, 1))}, "the results of each pair"),
        ({"wins": np.full((4, 2), np.inf)}, "and one of them is inf"),
        ({"wins": [[0.5, 0.5], [1]]}, "the results of each pair"),
        ({"pairs": every_pair(8)}, "the pairs of the context"),
        ({"pairs": np.full((4, 2), 99)}, "the pairs of the context"),
        ({"games": -1}, "a number of games"),
        ({"games": 2.5}, "a number of games"),
        ({"games": None}, "a number of games"),
        ({"cases": np.zeros((4, 3))}, "in each case"),
        ({"cases": np.full((8, 3), np.nan)}, "in each case, and one of them is nan"),
        ({"cases": np.zeros(8)}, "in each case"),
    )

    @pytest.mark.parametrize(("changes", "part"), WRONG, ids=str)
    def test_are_checked_whole(self, make_plan, changes, part):
        def mine(tables, context):
            right = absolute(np.zeros(len(tables)), context.pairs)
            return replace(right, **changes) if context.generation else right

        plan = make_plan()
        for bad in (make_plan(fitness=mine), replace(plan, fitness=as_operator("fitness", mine))):
            with pytest.raises(InputError, match=r"^the fitness .* returned .*; it must return ") as caught:
                run_to_the_end(bad)
            assert part in str(caught.value)

    def test_of_lists_and_numpy_s_numbers_are_the_same_run(self, make_plan):
        def plain(tables, context):
            return absolute(tables.mean(axis=(1, 2, 3)), context.pairs, games=5)

        def loose(tables, context):
            found = plain(tables, context)
            lists = {name: getattr(found, name).tolist() for name in ("scores", "pairs", "wins", "cases")}
            return replace(found, **lists, games=np.int64(5))

        for selection in ("knockout", "truncation", "lexicase"):
            plans = [make_plan(fitness=one, selection={"name": selection}) for one in (plain, loose)]
            one, other = ([state.digest for state in states_of(plan)] for plan in plans)
            assert one == other


class TestMemory:
    WRONG = (
        (lambda: None, "returned nothing"),
        (lambda: [np.zeros(3)], "returned a list"),
        (lambda: {"mine": [1, 2]}, "returned a dict"),
        (lambda: {"mine": 3}, "returned a dict"),
        (lambda: {"mine": np.array([None])}, "returned a dict"),
        (lambda: {"mine": np.array(["text"])}, "returned a dict"),
        (lambda: {"no name": np.zeros(3)}, "returned a dict"),
        (lambda: {"a/b": np.zeros(3)}, "returned a dict"),
        (lambda: {3: np.zeros(3)}, "returned a dict"),
    )

    @pytest.mark.parametrize("kind", REMEMBERING)
    @pytest.mark.parametrize(("returned", "part"), WRONG)
    def test_that_is_no_dict_of_arrays_is_told(self, make_plan, kind, returned, part):
        plan = remembering(make_plan(), kind, lambda self, genomes, context: returned() if context.generation else {})
        with pytest.raises(
            InputError, match=rf"^the {kind} {plan.names[kind]} returned .*by name from `remember`"
        ) as told:
            run_to_the_end(plan)
        assert part in str(told.value)

    def test_is_tried_before_the_run(self, make_plan):
        class Mine(pigevo.Mutation):
            def remember(self, genomes, context):
                return {"seen": genomes[len(genomes)]}

            def __call__(self, genomes, context):
                return genomes

        with pytest.raises(InputError, match=rf"the mutator .*Mine \({HERE}\) failed: IndexError: .* \({HERE}\)"):
            make_plan(mutator=Mine)

    def test_may_be_any_mapping(self, make_plan):
        plan = remembering(make_plan(), "mutator", lambda self, genomes, context: ChainMap({"a": np.zeros(3)}))
        assert list(states_of(plan)[-1].memory["mutator"]) == ["a"]
