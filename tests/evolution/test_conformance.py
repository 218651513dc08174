"""What every operator must keep: each registered one is tried, and wrong data are refused in a clear sentence."""

import copy
import functools
import inspect
import itertools
import random
import re
import textwrap
from collections import ChainMap
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import pigevo
from pigevo.core import machine
from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import operator_calls, population
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.loop import generations
from pigevo.evolution.operators import KINDS, Context, Plays, as_operator, is_lazy
from pigevo.evolution.plan import STREAMS
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.settings.operator_checks import INPUTS, KEPT, NUMBERS, ONCE, OTHERS, SAME, UNTOUCHED, VARIED, WORKERS, check
from pigevo.settings.schema import registry_of
from pigevo.strategies import CubeGrid, Members
from pigevo.user_code.loading import load
from tests.evolution.conftest import remembering, run_to_the_end, states_of

QUICK = {
    "games": {"games": 20},
    "sets": {"games": 20, "sets": 4},
    "archive_games": {"games": 60},
}
GAME = pigevo.Pig(target=12)
GRIDS = {
    "cells": CubeGrid(GAME, 1),
    "cubes": CubeGrid(GAME, (4, 3, 1)),
    "cubes that do not divide": CubeGrid(GAME, 5),
    "one gene": CubeGrid(GAME, 12),
    "passing": CubeGrid(pigevo.Pig(target=9, allow_pass=True), 2),
    "piglet": CubeGrid(pigevo.Piglet(target=7), 1),
    "no gene": CubeGrid(pigevo.Pig(target=1), 1),
}
SOME = [GRIDS[name] for name in ("cubes that do not divide", "passing", "no gene")]
SIZES = (8, 7, 2)
ALL = [(kind, name) for kind in KINDS for name in registry_of(kind)]
OF_KIND = pytest.mark.parametrize(("kind", "name"), ALL)


def operator_of(kind, name):
    entry = registry_of(kind)[name]
    return as_operator(kind, entry.bind(entry.completed(entry.check(QUICK.get(name, {}), kind))))


def values_of(kind, name):
    return {"name": name, **({"size": 8} if kind == "population" else {}), **QUICK.get(name, {})}


def given(operator, kind, grid, size, seed=1, workers=1, **more):
    """The data that an operator is handed, the context last."""
    genomes = Draw(seed, "population").bits(2, size, grid.genes)
    scores = Draw(seed, "validation").uniforms(size)
    context = Context(Draw(seed, STREAMS[kind], 3), grid, 3, scores, rate=0.3, workers=workers, **more)
    if kind == "population":
        return size, context
    if kind == "fitness":
        decisions = grid.to_tables(genomes[0]).transpose(0, 1, 3, 2).view(np.bool_)
        return decisions, replace(context, pairs=every_pair(size))
    if kind == "selection":
        return scores.copy(), replace(context, evaluation=Evaluation.of_scores(scores, operator.pairs(size, context)))
    if kind == "crossover":
        return genomes[0], genomes[1], replace(context, scores=np.stack([scores, scores[::-1]]))
    return genomes[0], context


def checked(plan, data):
    """What the operator gives, with the checks of a run."""
    *arrays, context = data
    kind = next(kind for kind in KINDS if plan.names[kind] == "tried")
    if kind == "population":
        return operator_calls.population(plan, context, *arrays)
    if kind == "fitness":
        return operator_calls.evaluate(plan, arrays[0].transpose(0, 1, 3, 2).view(np.uint8), context).wins
    if kind == "selection":
        return operator_calls.select(plan, context.evaluation, context)
    if kind == "replacement":
        return operator_calls.keep(plan, *arrays, context, len(arrays[0]))
    return {"crossover": operator_calls.mate, "mutator": operator_calls.mutate}[kind](plan, *arrays, context)


@pytest.fixture
def tried(make_plan):
    """A plan with an operator in it, under the name `tried`."""
    return lambda kind, operator: replace(
        make_plan(), **{kind: operator}, names={k: "" for k in KINDS} | {kind: "tried"}
    )


def raw(returned):
    """What an operator returns, as arrays."""
    if hasattr(returned, "wins"):
        return [np.asarray(getattr(returned, name)) for name in ("scores", "wins", "cases", "games")]
    return [np.asarray(returned)]


def equal(a, b):
    return all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(raw(a), raw(b), strict=True))


def as_array(value):
    """What an operator that is not lazy is passed."""
    if isinstance(value, population.Chosen):
        return value[:]
    if isinstance(value, Members):
        return population.decisions_of(value[:], value.grid.game)
    return value


def pairs_up(kind, name, size):
    """Whether the operator takes a population of this size; a selection that does not says so before the run."""
    operator = operator_of(kind, name)
    try:
        operator.pairs(size, Context(Draw(1, "selection"), GRIDS["cells"]))
    except InputError as error:
        assert "population.size" in str(error)
        assert size % 2
        return False
    return True


@OF_KIND
class TestOnEveryGrid:
    def test_it_gives_what_its_kind_must_give(self, tried, kind, name):
        operator = operator_of(kind, name)
        plan = tried(kind, operator)
        sizes = [size for size in SIZES if kind != "selection" or pairs_up(kind, name, size)]
        sizes += [0, 1] if kind in ("crossover", "mutator", "replacement") else []
        for grid, size in itertools.product(GRIDS.values(), sizes):
            data = given(operator, kind, grid, size)
            result = checked(plan, data)
            returned = raw(operator(*data))[0]
            assert returned.dtype == {"fitness": np.float64, "selection": np.int64}.get(kind, np.uint8)
            if kind == "selection":
                assert 1 <= len(result) <= size
            if kind == "replacement":
                rows = {row.tobytes() for row in data[0]}
                assert all(row.tobytes() in rows for row in result)

    def test_its_arguments_alone_decide_and_stay_as_they_are(self, kind, name):
        """No other generator, no call before, and no number of workers has a part in it."""
        operator = operator_of(kind, name)
        for grid in SOME:
            data = given(operator, kind, grid, 8)
            arrays = [*(value for value in data[:-1] if isinstance(value, np.ndarray)), data[-1].scores, data[-1].pairs]
            if data[-1].evaluation is not None:
                arrays += raw(data[-1].evaluation)
            before = copy.deepcopy(arrays)
            first = operator(*data)
            assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))
            random.seed(5)
            np.random.seed(5)
            states = random.getstate(), np.random.get_state()[1].copy()
            operator(*given(operator, kind, grid, 8, seed=2))
            assert equal(first, operator_of(kind, name)(*given(operator, kind, grid, 8)))
            for workers in (1, 2, 5):
                assert equal(first, operator(*given(operator, kind, grid, 8, workers=workers)))
            assert random.getstate() == states[0]
            assert np.array_equal(np.random.get_state()[1], states[1])


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, n in ALL if k in REMEMBERING])
def test_what_it_remembers_serves_it_on_this_grid_and_on_a_finer_one(tried, kind, name):
    operator = operator_of(kind, name)
    plan = tried(kind, operator)
    for grid in SOME:
        genomes, scores = Draw(1, "population").bits(8, grid.genes), Draw(1, "validation").uniforms(8)
        context = Context(Draw(1, STREAMS[kind], 2), grid, 2, scores, fresh=4)
        state = operator_calls.remember(plan, kind, genomes, context)
        again = operator_calls.remember(plan, kind, genomes, replace(context, state=state, generation=3))
        assert set(state) <= set(again)
        for finer in (grid, CubeGrid(grid.game, 1)):
            data = given(operator, kind, finer, 8, state={name: read_only(array) for name, array in again.items()})
            assert equal(operator(*data), operator(*data))
            checked(plan, data)


@pytest.mark.parametrize("name", registry_of("fitness"))
def test_scores_without_luck_are_the_same_of_arrays_and_of_members(name):
    fitness = operator_of("fitness", name)
    for grid in SOME:
        decisions, context = given(fitness, "fitness", grid, 8)
        members, genomes = np.array([5, 0, 3]), Draw(1, "population").bits(2, 8, grid.genes)[0]
        of_arrays = fitness.truth(decisions, context, members)
        assert equal(fitness.truth(Members(grid, genomes), context, members), of_arrays)


@pytest.mark.parametrize("name", registry_of("selection"))
def test_a_selection_takes_members_that_meet_and_members_that_do_not(tried, name):
    operator = operator_of("selection", name)
    for seed in range(5):
        scores, context = given(operator, "selection", GRIDS["cells"], 8, seed)
        wins = Draw(seed, "dice").uniforms(2 * len(context.evaluation.pairs)).reshape(-1, 2)
        met = Evaluation.of_matches(8, context.evaluation.pairs, wins)
        for evaluation in (
            met,
            Evaluation.of_scores(np.zeros(8), met.pairs),
            Evaluation.of_scores(scores, met.pairs, np.zeros((8, 3))),
        ):
            data = evaluation.scores, replace(context, evaluation=evaluation)
            assert len(checked(tried("selection", operator), data)) >= 1


@OF_KIND
class TestInARun:
    def plan(self, make_plan, kind, name, **more):
        cubes = {"name": "waves", "sizes": [10, [5, 3, 1]], "generations": [2, 2]}
        return make_plan(**{kind: values_of(kind, name)}, game={"name": "pig", "target": 14}, cubes=cubes, **more)

    def test_it_goes_on_from_any_state_with_any_number_of_workers(self, make_plan, kind, name):
        stay = {} if kind == "replacement" else {"replacement": {"name": "survivors_and_offspring"}}
        states = states_of(self.plan(make_plan, kind, name, **stay))
        for number, workers in ((0, 2), (2, 1)):
            plan = self.plan(make_plan, kind, name, **stay, workers=workers)
            later = generations(plan, copy.deepcopy(states[number]))
            assert [g.state.digest for g in later] == [s.digest for s in states[number:]]

    def test_called_with_arrays_it_gives_the_same_bits(self, monkeypatch, make_plan, kind, name):
        """Of an operator that is declared `lazy`, which a run passes no arrays."""
        plan, called = self.plan(make_plan, kind, name), []
        operator, call = getattr(plan, kind), type(getattr(plan, kind)).__call__
        plain = isinstance(inspect.getattr_static(type(operator), "__call__"), staticmethod)

        def twice(self, *data):
            run = call if plain else functools.partial(call, self)
            copies = [copy.deepcopy(value) for value in map(as_array, data[:-1])]
            whole = run(*copies, replace(data[-1], in_place=False))
            returned = run(*data)
            called.append(kind)
            assert equal(returned, whole)
            return returned

        twice.lazy = is_lazy(operator)
        monkeypatch.setattr(type(operator), "__call__", twice)
        monkeypatch.setattr(machine, "PIECE", 2000)
        states_of(plan)
        assert called

    def test_it_plays_a_game_that_asks_nothing(self, make_plan, kind, name):
        plan = make_plan(**{kind: values_of(kind, name)}, game={"name": "pig", "target": 1}, generations=3)
        states = states_of(plan)
        assert {state.genomes.shape for state in states} == {(8, 0)}


HERE = r"\S*test_conformance\.py, line \d+"
ARGUMENTS = {
    "population": "size, context",
    "fitness": "tables, context",
    "selection": "scores, context",
    "crossover": "first, second, context",
    "mutator": "genomes, context",
    "replacement": "survivors, context",
}
RIGHT_RETURNS = {
    "population": "np.zeros((size, context.grid.genes), np.uint8)",
    "fitness": "tables.mean(axis=(1, 2, 3))",
    "selection": "np.arange(len(scores))[::2]",
    "crossover": "first.copy()",
    "mutator": "genomes.copy()",
    "replacement": "survivors[:2]",
}
GENOMES = {
    "a gene of 7": ("{} + np.uint8(7)", "zeros and ones, and one of its genes is"),
    "a gene lacking": ("{}[:, 1:]", " members of "),
    "floats": ("{}.astype(float)", "zeros and ones as uint8: if it never makes a fraction, write .astype(np.uint8)"),
    "int8": ("{}.astype(np.int8)", "zeros and ones as uint8: write .astype(np.uint8)"),
    "halves": ("{} + 0.5", "zeros and ones, and one of its genes is"),
    "a gene that is no number": ("{} * np.nan", "zeros and ones, and one of its genes is nan"),
    "genes that are 0 and 1 in a byte": ("{} * 0 + np.int64(257)", "zeros and ones, and one of its genes is 257"),
    "a gene below 0": ("{}.astype(np.int8) - np.int8(2)", "zeros and ones, and one of its genes is -"),
    "objects": ("{}.astype(object)", "zeros and ones as uint8."),
    "nothing": ("None", "returned nothing"),
    "text": ("'0101'", "returned a str"),
}
ROWS = {
    "half the rows": ("{0}[: len({0}) // 2]", "genomes of shape"),
    "ragged lists": ("[[0, 1], [1]]", "returned a list; it must return genomes of shape"),
    "lists of whole numbers": ("{}.tolist()", "returned a list; it must return zeros and ones as uint8"),
}
SURVIVORS = {
    "too many": ("np.repeat(survivors, 9, axis=0)", "at most 8 genomes"),
    "ragged lists": ("[[0, 1], [1]]", "at most 8 genomes"),
}
SCORES = {
    "half the scores": ("{0}[: len({0}) // 2]", "a score for each strategy, numbers of shape"),
    "one NaN": ("np.where({0} == {0}.max(), np.nan, {0})", "and one of them is nan"),
    "infinity": ("{} - np.inf", "and one of them is -inf"),
    "too large": ("[10**400] * len(tables)", "a score for each strategy"),
    "complex numbers": ("{} * 1j", "returned an array of complex128"),
    "nothing": ("None", "returned nothing"),
    "ragged lists": ("[[0.1], [0.2, 0.3]]", "returned a list; it must return a score for each strategy"),
}
INDICES = {
    "a mask": ("scores > scores.mean()", "np.flatnonzero"),
    "negative": ("[-1]", "indices from 0 to 7"),
    "out of range": ("[0, len(scores)]", "indices from 0 to 7"),
    "beyond 64 bits": ("[2**70]", "at least one whole number"),
    "empty": ("np.empty(0, np.int64)", "at least one whole number"),
    "scores": ("scores", "at least one whole number"),
    "pairs of indices": ("[[0, 1], [2, 3]]", "at least one whole number"),
    "ragged lists": ("[[0], [1, 2]]", "returned a list; it must return the indices"),
    "nothing": ("None", "returned nothing"),
}
WRONG = {kind: GENOMES | ROWS for kind in ("population", "crossover", "mutator")}
WRONG |= {"replacement": GENOMES | SURVIVORS, "fitness": SCORES, "selection": INDICES}


def written(kind, returned, form):
    """The text of an operator that returns something else after the first generation; it begins in line 4."""
    lines = [
        f"if context.generation < {1 if kind != 'population' else 0}:",
        f"    return {RIGHT_RETURNS[kind]}",
        f"return {returned.format(f'({RIGHT_RETURNS[kind]})')}",
    ]
    if form == "function":
        head, indent = f"def mine({ARGUMENTS[kind]}):\n", "    "
    else:
        base = KINDS[kind].__name__
        head = f"class mine(pigevo.{base}):\n    def __call__(self, {ARGUMENTS[kind]}):\n"
        indent = "        "
    return "import numpy as np\nimport pigevo\n\n" + head + textwrap.indent("\n".join(lines), indent) + "\n"


@pytest.fixture
def load_operator(tmp_path, monkeypatch):
    """Writes an operator to a file of the user's and loads it."""
    monkeypatch.chdir(tmp_path)

    def make(text):
        (tmp_path / "ops.py").write_text(text)
        return load("ops.py:mine").function

    return make


def failure_of(make):
    """The sentence with which the making of a plan, or its run, ends."""
    with pytest.raises(InputError) as caught:
        run_to_the_end(make())
    assert "\n" not in str(caught.value)
    return re.sub(r"^in generation \d+, ", "", str(caught.value))


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_data_are_refused_with_the_user_s_file_or_pigevo_s_choice(load_operator, make_plan, kind):
    plan = make_plan()
    for n, (returned, part) in enumerate(WRONG[kind].values()):
        text = written(kind, returned, ("function", "class")[n % 2])
        message = failure_of(partial(make_plan, **{kind: load_operator(text)}))
        assert message.startswith(f"the {kind} mine (ops.py, line 4) returned ")
        assert part in message
        function = load_operator(written(kind, returned, "function"))
        message = failure_of(partial(replace, plan, **{kind: as_operator(kind, function)}))
        assert message.startswith(f"the {kind} {plan.names[kind]} returned ")
        assert part in message


@pytest.mark.parametrize("form", ["function", "class"])
@pytest.mark.parametrize("kind", KINDS)
def test_right_data_pass_and_an_exception_is_reported_with_its_line(load_operator, make_plan, kind, form):
    def plan_of(returned):
        return partial(make_plan, **{kind: load_operator(written(kind, returned, form))})

    states = states_of(plan_of("{}")())
    assert len(states) == 7
    if kind not in ("fitness", "selection"):  # genomes may be bytes or truth values
        of_truth_values = states_of(plan_of("{}.astype(bool)")())[-1]
        assert of_truth_values.digest == states[-1].digest
        assert of_truth_values.genomes.dtype == np.uint8
    message, line = failure_of(plan_of("[][1]")), 7 + (form == "class")
    assert message.startswith(f"the {kind} mine (ops.py, line 4) failed: IndexError: list index out of range")
    assert message.endswith(f"(ops.py, line {line})")
    refusal = failure_of(plan_of("pigevo.parse_strategy('hold_on', context.game)"))
    assert refusal.startswith(f"the {kind} mine (ops.py, line 4): there is no strategy 'hold_on'")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_always_wrong_is_refused_before_the_run(load_operator, make_plan, kind):
    text = f"def mine({ARGUMENTS[kind]}):\n    return None\n"
    with pytest.raises(InputError, match=rf"the {kind} mine \(ops\.py, line 1\) returned nothing"):
        make_plan(**{kind: load_operator(text)})


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_pigevo_s_own_operators_stays_what_it_is(make_plan, kind):
    def broken(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_to_the_end(replace(make_plan(), **{kind: as_operator(kind, broken)}))


PAIRS = (
    (every_pair(8).T, "pairs of indices of shape"),
    (every_pair(8) * 1.0, "pairs of indices of shape"),
    ([[0], [1, 2]], "pairs of indices of shape"),
    (None, "returned nothing"),
    ([[0, 8]], "pairs of indices from 0 to 7"),
    ([[-1, 0]], "pairs of indices from 0 to 7"),
)
EVALUATIONS = (
    ({"scores": np.full(8, np.nan)}, "a score for each strategy, and one of them is nan"),
    ({"scores": np.zeros(4)}, "a score for each strategy, numbers of shape (8,)"),
    ({"scores": None}, "returned nothing"),
    ({"wins": np.zeros((4, 1))}, "the results of each pair"),
    ({"wins": np.full((4, 2), np.inf)}, "and one of them is inf"),
    ({"pairs": every_pair(8)}, "the pairs of the context"),
    ({"games": -1}, "a number of games"),
    ({"games": 2.5}, "a number of games"),
    ({"cases": np.zeros((4, 3))}, "in each case"),
    ({"cases": np.full((8, 3), np.nan)}, "in each case, and one of them is nan"),
    ({"cases": np.zeros(8)}, "in each case"),
)
MEMORIES = (
    (None, "returned nothing"),
    ({"mine": [1, 2]}, "by name from `remember`"),
    ({"mine": np.array([None])}, "returned a dict"),
    ({"mine": np.array(["text"])}, "returned a dict"),
    ({"no name": np.zeros(3)}, "returned a dict"),
    ({3: np.zeros(3)}, "returned a dict"),
)


def assert_refused(plan, kind, part):
    with pytest.raises(
        InputError, match=rf"^(in generation \d+, )?the {kind} .* returned .*; it must return "
    ) as caught:
        run_to_the_end(plan)
    assert part in str(caught.value)


def pairing(pairs):
    """A class of selections that return these pairs after the first generation."""

    class Mine(pigevo.Selection):
        def pairs(self, size, context):
            return pairs if context.generation else every_pair(size)

        def __call__(self, scores, context):
            return [0, 1]

    return Mine


def test_wrong_pairs_of_a_selection_are_refused(make_plan):
    for pairs, part in PAIRS:
        selection = pairing(pairs)
        for plan in (make_plan(selection=selection), replace(make_plan(), selection=selection())):
            assert_refused(plan, "selection", part)


def test_a_wrong_evaluation_of_a_fitness_is_refused(make_plan):
    def evaluating(changes):
        def mine(tables, context):
            right = Evaluation.of_scores(np.zeros(len(tables)), context.pairs)
            return replace(right, **changes) if context.generation else right

        return as_operator("fitness", mine)

    for changes, part in EVALUATIONS:
        assert_refused(replace(make_plan(), fitness=evaluating(changes)), "fitness", part)


def test_an_evaluation_may_hold_lists_and_numpy_s_numbers(make_plan):
    def of_arrays(tables, context):
        return Evaluation.of_scores(tables.mean(axis=(1, 2, 3)), context.pairs, games=5)

    def of_lists(tables, context):
        evaluation = of_arrays(tables, context)
        lists = {name: getattr(evaluation, name).tolist() for name in ("scores", "pairs", "wins", "cases")}
        return replace(evaluation, **lists, games=np.int64(5))

    for selection in ("knockout", "truncation", "lexicase"):
        plans = [make_plan(fitness=fitness, selection={"name": selection}) for fitness in (of_arrays, of_lists)]
        digests = [[state.digest for state in states_of(plan)] for plan in plans]
        assert digests[0] == digests[1]


@pytest.mark.parametrize("kind", REMEMBERING)
def test_a_memory_must_be_a_mapping_of_names_to_arrays_of_numbers(make_plan, kind):
    def plan_of(memory):
        return remembering(make_plan(), kind, lambda self, genomes, context: memory if context.generation else {})

    for memory, part in MEMORIES:
        assert_refused(plan_of(memory), kind, part)
    assert list(states_of(plan_of(ChainMap({"mine": np.zeros(3)})))[-1].memory[kind]) == ["mine"]


def test_a_memory_is_tried_before_the_run(make_plan):
    class Mine(pigevo.Mutation):
        def remember(self, genomes, context):
            return {"seen": genomes[len(genomes)]}

        def __call__(self, genomes, context):
            return genomes

    with pytest.raises(InputError, match=rf"the mutator .*Mine \({HERE}\) failed: IndexError: .* \({HERE}\)"):
        make_plan(mutator=Mine)


class Played(pigevo.Fitness):
    """Says whether members meet, and returns a result of each pair or a score of each member."""

    def __init__(self, members: bool = True, returns_pairs: bool = True):
        self.members, self.returns_pairs = members, returns_pairs

    @property
    def plays(self):
        return Plays(self.members, games=3)

    def __call__(self, tables, context):
        return np.full((len(context.pairs), 2), 0.5) if self.returns_pairs else np.zeros(len(tables))


def test_what_a_fitness_plays_decides_what_it_returns_and_which_games_are_counted(make_plan):
    assert states_of(make_plan(fitness=Played))[1].games == 4 * 3
    plan = replace(make_plan(), fitness=Played(members=False, returns_pairs=False))
    assert states_of(plan)[1].games == 8 * 3
    with pytest.raises(InputError, match=r"numbers of shape \(4, 2\)"):
        run_to_the_end(replace(plan, fitness=Played(returns_pairs=False)))


def test_what_a_fitness_plays_must_be_a_property_that_does_not_fail(make_plan):
    class Method(Played):
        def plays(self):
            return Plays(members=True)

    class Failing(Played):
        @property
        def plays(self):
            raise KeyError("games")

    with pytest.raises(InputError, match=rf"the fitness .*Method \({HERE}\) returned a method; .* property `plays`"):
        make_plan(fitness=Method)
    with pytest.raises(InputError, match=rf"{HERE}\) failed: KeyError: 'games' \({HERE}\)"):
        make_plan(fitness=Failing)


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
def of_parents(genomes, context):
    weak = context.scores[context.parents].mean(axis=1) < context.scores.mean()
    return np.where(weak[:, None], 1 - genomes, genomes)
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
SOUND = ("Fair", "by_design", "of_parents", "seeded", "rare", "ties", "parts", "first", "by_wins", "high", "Falls")
SLOW = ("by_generation", "spread", "alike", "rare", "by_wins")  # each beside a quick one of its kind


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else []) for name in (*BROKEN, *SOUND)]
)
def test_what_check_says_of_an_operator(name, tmp_path, recwarn):
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
