"""Whatever an operator returns, wrong data are refused in one sentence that names the operator and what is wrong."""

import re
import textwrap
from collections import ChainMap
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.operators import KINDS, Plays, as_operator
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.user_code.loading import load
from tests.evolution.helpers import remembering, run_to_the_end, states_of

HERE = r"\S*test_operator_calls\.py, line \d+"
ARGUMENTS = {
    "population": "size, context",
    "fitness": "tables, context",
    "selection": "scores, context",
    "crossover": "first, second, context",
    "mutator": "genomes, context",
    "replacement": "survivors, context",
}
RIGHT = {
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
        f"    return {RIGHT[kind]}",
        f"return {returned.format(f'({RIGHT[kind]})')}",
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
