"""Whatever an operator returns, wrong data are told at the seam: in one sentence that names the operator."""

import textwrap
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.evolution.operators import KINDS, as_operator
from pigevo.evolution.tables import Chosen
from pigevo.strategies import Members
from pigevo.user_code.loading import load
from tests.evolution.helpers import run_to_the_end, states_of

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
    "a gene lacking": ("{}[:, 1:]", "genomes of shape"),
    "flat": ("{}.ravel()", ""),
    "one in a row": ("{}[None]", ""),
    "floats": ("{}.astype(float)", "zeros and ones as uint8"),
    "int64": ("{}.astype(np.int64)", "zeros and ones as uint8"),
    "int8": ("{}.astype(np.int8)", "zeros and ones as uint8"),
    "objects": ("{}.astype(object)", "zeros and ones as uint8"),
    "nothing": ("None", "returned nothing"),
    "text": ("'0101'", "returned a str"),
    "a number": ("1", "returned a int"),
}
ROWS = {
    "half the rows": ("{0}[: len({0}) // 2]", "genomes of shape"),
    "ragged lists": ("[[0, 1], [1]]", "returned a list; it must return genomes of shape"),
    "lists of whole numbers": ("{}.tolist()", "returned a list; it must return zeros and ones as uint8"),
}
SCORES = {
    "half the scores": ("{0}[: len({0}) // 2]", "a score for each strategy, numbers of shape"),
    "a score in a row": ("{}[:, None]", "a score for each strategy, numbers of shape"),
    "NaN": ("{} * np.nan", "and one of them is nan"),
    "one NaN": ("np.where({0} == {0}.max(), np.nan, {0})", "and one of them is nan"),
    "infinity": ("{} - np.inf", "and one of them is -inf"),
    "too large": ("[10**400] * len(tables)", "a score for each strategy"),
    "words": ("['good'] * len(tables)", "a score for each strategy"),
    "complex numbers": ("{} * 1j", "returned an array of complex128"),
    "nothing": ("None", "returned nothing"),
    "ragged lists": ("[[0.1], [0.2, 0.3]]", "returned a list; it must return a score for each strategy"),
}
INDICES = {
    "a mask": ("scores > scores.mean()", "np.flatnonzero"),
    "a list of truths": ("[score > 0.5 for score in scores.tolist()]", "np.flatnonzero"),
    "negative": ("[-1]", "indices from 0 to 7"),
    "out of range": ("[0, len(scores)]", "indices from 0 to 7"),
    "out of any range": ("np.array([2**63], np.uint64)", "indices from 0 to 7"),
    "beyond 64 bits": ("[2**70]", "at least one whole number"),
    "empty": ("[]", "at least one whole number"),
    "empty whole numbers": ("np.empty(0, np.int64)", "at least one whole number"),
    "scores": ("scores", "at least one whole number"),
    "one index alone": ("3", "at least one whole number"),
    "pairs of indices": ("[[0, 1], [2, 3]]", "at least one whole number"),
    "ragged lists": ("[[0], [1, 2]]", "returned a list; it must return the indices"),
    "nothing": ("None", "returned nothing"),
}
KEPT = {
    "too many": ("np.repeat(survivors, 9, axis=0)", "at most 8 genomes"),
    "a list": ("survivors.tolist()", "at most 8 genomes"),
    "ragged lists": ("[[0, 1], [1]]", "at most 8 genomes"),
}
WRONG = {kind: GENOMES | ROWS for kind in ("population", "crossover", "mutator")}
WRONG |= {"replacement": GENOMES | KEPT, "fitness": SCORES, "selection": INDICES}


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
def own(tmp_path, monkeypatch):
    """An operator from a file of the user's."""
    monkeypatch.chdir(tmp_path)

    def make(text):
        (tmp_path / "ops.py").write_text(text)
        return load("ops.py:mine").function

    return make


def failed(make):
    """The sentence with which the making of a plan, or its run, ends."""
    with pytest.raises(InputError) as caught:
        run_to_the_end(make())
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_data_are_told_with_the_file_of_the_user_s_or_the_choice_of_pigevo_s(own, make_plan, kind):
    plan = make_plan()
    for n, (returned, part) in enumerate(WRONG[kind].values()):
        said = failed(partial(make_plan, **{kind: own(written(kind, returned, ("function", "class")[n % 2]))}))
        assert said.startswith(f"the {kind} mine (ops.py, line 4) returned ")
        assert part in said
        function = own(written(kind, returned, "function"))

        def registered(*data, function=function):  # one of pigevo's is told rows and members, not handed their arrays
            return function(*(one[:] if isinstance(one, Chosen | Members) else one for one in data))

        said = failed(partial(replace, plan, **{kind: as_operator(kind, registered)}))
        assert said.startswith(f"the {kind} {plan.names[kind]} returned ")
        assert part in said


@pytest.mark.parametrize("form", ["function", "class"])
@pytest.mark.parametrize("kind", KINDS)
def test_right_data_pass_and_what_is_raised_is_told_with_its_line(own, make_plan, kind, form):
    def made(returned):
        return partial(make_plan, **{kind: own(written(kind, returned, form))})

    right = states_of(made("{}")())
    assert len(right) == 7
    if kind not in ("fitness", "selection"):  # bytes and truths are both genomes
        truths = states_of(made("{}.astype(bool)")())[-1]
        assert truths.digest == right[-1].digest
        assert truths.genomes.dtype == np.uint8
    said, line = failed(made("[][1]")), 7 + (form == "class")
    assert said.startswith(f"the {kind} mine (ops.py, line 4) failed: IndexError: list index out of range")
    assert said.endswith(f"(ops.py, line {line})")
    refused = failed(made("pigevo.parse_strategy('hold_on', context.game)"))
    assert refused.startswith(f"the {kind} mine (ops.py, line 4): there is no strategy 'hold_on'")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_wrong_at_once_is_told_before_the_run(own, make_plan, kind):
    text = f"def mine({ARGUMENTS[kind]}):\n    return None\n"
    with pytest.raises(InputError, match=rf"the {kind} mine \(ops\.py, line 1\) returned nothing"):
        make_plan(**{kind: own(text)})


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_pigevo_s_own_operators_stays_what_it_is(make_plan, kind):
    def broken(*_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_to_the_end(replace(make_plan(), **{kind: as_operator(kind, broken)}))
