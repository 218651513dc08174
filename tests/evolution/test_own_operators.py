"""Operators that are not pigevo's: a user's, handed over from Python, and those of DEAP behind the adapter."""

import contextlib
import copy
import pickle
import random
import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from inspect import Parameter, Signature

import numpy as np
import pytest
from deap import tools

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.crossover import CROSSOVERS
from pigevo.evolution.crossover import deap as cross_with
from pigevo.evolution.deap_adapter import Individual, operator_of, seeded
from pigevo.evolution.evaluation import some_pairs
from pigevo.evolution.logbook import measured
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.flips import deap as mutate_with
from pigevo.evolution.operators import KINDS, as_operator, lazy
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection.one_round import deap as select_with
from pigevo.evolution.toolbox import REMEMBERING, UsersTools, make_toolbox
from pigevo.games import Pig
from pigevo.runs.stepper import bytes_needed
from pigevo.settings.settings import Settings
from tests.cases import RARE, fits, tossed
from tests.evolution.conftest import BASE, context_of, course_of, remembering, run_to_the_end, states_of

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

    def test_pairs_and_parents_are_read_only_in_every_call(self, make_plan):
        writable = []

        class Playing(pigevo.Fitness):
            plays = pigevo.Plays(members=True)

            def __call__(self, tables, context):  # the champion's matches are those of the last call
                writable.append(context.pairs.flags.writeable)
                return np.full((len(context.pairs), 2), 0.5)

        def swapped(genomes, context):
            assert context.parents.shape == (len(genomes), 2)
            writable.append(context.parents.flags.writeable)
            return genomes

        run_to_the_end(make_plan(fitness=Playing, mutator=swapped))
        assert len(writable) > 4
        assert not any(writable)

    @pytest.mark.parametrize(
        ("array", "wrong"),
        [
            (np.ma.masked_array([1, 2], mask=[0, 1]), "arrays of numbers by name from `remember`, without masks"),
            (5, r"context\.state can only be read: change a copy"),  # written into the memory itself
        ],
    )
    def test_the_memory_takes_nothing_that_a_checkpoint_cannot_hold(self, make_plan, array, wrong):
        class Mine(pigevo.Mutation):
            def remember(self, genomes, context):
                if isinstance(array, int):
                    context.state["mine"] = array
                return {"mine": array}

            def __call__(self, genomes, context):
                return genomes

        with pytest.raises(InputError, match=wrong):
            run_to_the_end(make_plan(mutator=Mine))

    def test_a_remembered_array_of_a_class_is_a_plain_one_at_once_as_after_a_resumed_run(self, make_plan):
        class Mine(pigevo.Mutation):
            def remember(self, genomes, context):
                return {"mine": np.ones(2).view(np.recarray)}

            def __call__(self, genomes, context):
                assert type(context.state["mine"]) is np.ndarray
                return genomes

        run_to_the_end(make_plan(mutator=Mine))

    def test_a_pickled_context_is_read_only_too(self):
        context = context_of(Pig(target=9), scores=[1, 2], state={"mine": np.ones(2)}, pairs=np.array([[0, 1]]))
        again = pickle.loads(pickle.dumps(context))
        assert pickle.loads(pickle.dumps(context.state)).keys() == copy.deepcopy(context.state).keys() == {"mine"}
        for array, same in zip((context.scores, context.pairs, context.state["mine"]),
                               (again.scores, again.pairs, again.state["mine"]), strict=True):  # fmt: skip
            assert np.array_equal(array, same)
            assert not array.flags.writeable
            assert not same.flags.writeable

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


class Counting(pigevo.Mutation):
    """Counts generations, and keeps the strengths with which it was called."""

    seen: list = []  # noqa: RUF012

    def remember(self, genomes, context):
        return {"n": context.state.get("n", np.zeros(1)) + 1}

    def __call__(self, genomes, context, strength: float = 0.0):
        self.seen.append((strength, float(context.state.get("n", [0])[0])))
        return genomes


@dataclass(frozen=True)
class Frozen(Counting):
    """The same as a frozen dataclass."""

    scale: int = 7


@dataclass(frozen=True, slots=True)
class Slotted(pigevo.Mutation):
    """The same with slots."""

    scale: int = 7

    def __call__(self, genomes, context, strength: float = 0.0):
        Counting.seen.append((strength, 2.0 if context.generation == 1 else 3.0))
        return genomes


class FewMeet(pigevo.Selection):
    """Everybody meets one other."""

    opponents = 1

    def __call__(self, scores, context, keep: int = 2):
        return np.argsort(-scores)[:keep]


def test_an_operator_that_is_an_instance_is_called_with_its_options_and_stays_itself():
    """They were recorded, and never used; bound to an option, it forgot what it remembers and whom it lets meet."""
    quick = ("debug=fast", "game.target=9", "generations=3", "cubes=none", "baseline=none")
    for given in (
        {"mutator": Counting(), "mutator.options.strength": 0.5},
        {"mutator": partial(Counting(), strength=0.5)},
        {"mutator": partial(partial(Counting(), strength=0.1), strength=0.5)},
        {"mutator": partial(Frozen(3), strength=0.5)},
        {"mutator": Slotted(3), "mutator.options.strength": 0.5},
    ):
        Counting.seen.clear()
        pigevo.evolve(*quick, **given)
        assert {strength for strength, _ in Counting.seen} == {0.5}
        assert [n for _, n in Counting.seen][-2:] == [2.0, 3.0]
    frozen = as_operator("mutator", partial(Frozen(3), strength=0.5))
    assert (frozen.scale, isinstance(frozen, Frozen), pickle.loads(pickle.dumps(frozen)).scale) == (3, True, 3)
    assert as_operator("mutator", Slotted(4)).scale == 4
    bound = as_operator("selection", partial(FewMeet(), keep=3))
    assert (type(bound).__name__, bound.opponents, isinstance(bound, FewMeet)) == ("FewMeet", 1, True)
    assert len(pickle.loads(pickle.dumps(bound))(np.arange(5.0), None)) == 3
    games = {
        pigevo.evolve(*quick, selection=given).result["games"] for given in (FewMeet(), partial(FewMeet(), keep=3))
    }
    assert len(games) == 1


def test_options_are_checked_also_beside_annotations_for_type_checkers_only():
    text = """
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from pigevo import Context
def flip(genomes, context: Context, strength: float = 0.5, often: int = 3, on: bool = True): return genomes
"""
    names = {}
    exec(text, names)
    for word in ("strength=half", "often=2.5", "on=no"):
        with pytest.raises(InputError, match=rf"mutator\.options\.{word.partition('=')[0]} = .* must be "):
            pigevo.evolve("debug=fast", "game.target=9", f"mutator.options.{word}", mutator=names["flip"])


def test_what_a_watcher_and_a_stop_rule_are_given_cannot_be_changed():
    def sorts(generation):
        generation.exact.sort()

    def turns(generation):
        generation.final_order[0][:] = generation.final_order[0][::-1].copy()

    class Count(pigevo.StopRule):
        """Counts in what it remembered."""

        def remember(self, generation, remembered):
            n = remembered.get("n", np.zeros(1))
            n += 1
            return {"n": n}

        def ends(self, generation, remembered):
            return bool(self.remember(generation, remembered)["n"][0] >= 6)

    quick = ("debug=fast", "game.target=9", "generations=4", "cubes=none", "baseline=none")
    for given in ({"on_generation": sorts}, {"on_generation": turns}, {"stop": Count()}):
        with pytest.raises((InputError, ValueError), match="read-only"):
            pigevo.evolve(*quick, **given)


def test_masked_arrays_are_refused():
    game = Pig(target=12)
    masked = np.ma.array(np.ones(game.shape), mask=False)
    for make in (
        lambda: pigevo.Strategy(game, masked),
        lambda: pigevo.Strategy.from_holds(game, np.ma.array(np.full((12, 12), 6), mask=False)),
        lambda: pigevo.Strategy.from_function(game, lambda i, j, k: np.ma.masked),
        lambda: pigevo.CubeGrid(game, 4).strategy(np.ma.zeros(18)),
        lambda: pigevo.evolve(
            "debug=fast", "game.target=9", mutator=lambda genomes, context: np.ma.array(genomes, mask=False)
        ),
    ):
        with pytest.raises(InputError, match=r"(?i)masked"):
            make()


def test_a_grid_takes_zeros_and_ones_of_its_own_game_only():
    game = Pig(target=12)
    grid = pigevo.CubeGrid(game, 4)
    zeros = np.zeros(grid.genes)
    for genes in (zeros, zeros.astype(bool), zeros + 1, [0] * grid.genes):
        assert grid.strategy(genes).game == game
    for genes in (zeros + 0.7, (zeros + 256).astype(int), (zeros - 1).astype(int), zeros.astype(np.uint8) + 7):
        with pytest.raises(InputError, match="a gene is 0"):
            grid.strategy(genes)
    with pytest.raises(InputError, match="this grid is of Pig to 12"):
        grid.from_strategies([pigevo.hold_at(pigevo.Pig(target=12, sides=5), 4)])
    plan = Settings.of("debug=fast", "game.target=12").plan
    tools = make_toolbox(plan, grid, UsersTools)
    with pytest.raises(InputError, match="a gene is 0"):
        tools.evaluate(np.full((plan.size, grid.genes), 0.5), 0)


def test_an_array_is_no_default_of_an_option():
    def flip(genomes, context, weights=np.ones(3)):  # noqa: B008
        return genomes

    with pytest.raises(InputError, match="array as the default of weights"):
        pigevo.evolve("debug=fast", "game.target=9", mutator=flip)


class Relative(pigevo.Fitness):
    """Scores members by how many others they differ from, without a true score."""

    @property
    def plays(self):
        return pigevo.Plays(games=10, relative=True)

    def __call__(self, tables, context):
        return np.array([(tables != table).reshape(len(tables), -1).any(axis=1).mean() for table in tables])


def test_a_relative_fitness_without_a_true_score_has_no_luck(make_plan):
    for islands in ({"name": "none"}, {"name": "ring", "count": 2}):
        plan = make_plan(fitness=Relative(), selection={"name": "truncation"}, islands=islands, generations=2)
        for generation in course_of(plan):
            figures = measured(plan, generation.state, *generation.final_order)
            assert figures["measured_games"] == 10
            assert "luck" not in figures


@pytest.mark.parametrize("size", [0, -1, 2.5])
def test_a_set_has_at_least_one_game(size):
    with pytest.raises(InputError, match="set_size"):
        pigevo.Plays(members=True, games=10, set_size=size)


def test_scores_are_relative_where_members_play_each_other():
    assert pigevo.Plays(members=True).relative
    assert not pigevo.Plays(games=10).relative
