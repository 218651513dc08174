"""Numbers that decide: intervals of means, portable logarithms and powers, and numpy's error state."""

import ast
import itertools
import math
import warnings
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

import pigevo
from pigevo import dice
from pigevo.cli import main
from pigevo.core.intervals import bound_of_means, mean_interval, mean_p, share_interval
from pigevo.core.portable_math import exp, log, log1m, power
from pigevo.dice import Draw
from pigevo.evolution.fitness.archive import thinned
from pigevo.sweeps.report import report
from pigevo.tournaments.dynamics import replicator
from tests import measure_intervals as measure
from tests.measure_intervals import SAMPLES
from tests.small import two_rates
from tests.test_house import FILES, name_of, tree_of

PAGE = (Path(__file__).parents[2] / "docs/explanation/intervals.md").read_text()


def table_of(heading):
    """The heads of a table of the page, and its rows by their first cells or, where these repeat, by the first two."""
    (table,) = [part for part in PAGE.split("\n\n") if part.startswith(f"| {heading} |")]
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    n = 1 if len({row[0] for row in rows}) == len(rows) else 2
    return heads[n:], {row[0] if n == 1 else tuple(row[:2]): row[n:] for row in rows}


def test_differences_that_are_equal_up_to_rounding_are_equal():
    """.3 - .2 and .4 - .3 differ by 5e-17, and two seeds told with p = 1.8e-16."""
    for n in (2, 3, 6):
        sample = np.arange(3, n + 3) / 10 - np.arange(2, n + 2) / 10
        assert np.ptp(sample) > 0
        assert mean_p(sample) == 2.0 ** (1 - n)
        assert mean_interval(sample) == (None, None)
        assert (mean_interval(sample, by_signs=True)[0] is None) == (n < 6)
    assert mean_p(np.array([0.1, 0.1 + 1e-9])) < 1e-6


def agrees(measured, cell, samples, of_page=SAMPLES):
    """Whether a measured share differs from a cell by no more than chance and rounding (p < 0.0001)."""
    share = float(cell)
    return abs(measured - share) <= 4 * (max(share * (1 - share), 0.01) * (1 / samples + 1 / of_page)) ** 0.5 + 0.005


@pytest.mark.parametrize("law", measure.ALL)
@pytest.mark.parametrize("samples", [300, pytest.param(8000, marks=pytest.mark.long)])
def test_intervals_hold_the_mean_as_often_as_the_page_says(law, samples):
    seeds, rows = table_of("one interval")
    for n, cell in zip(seeds, rows[law], strict=True):
        assert agrees(measure.coverage(law, int(n.split()[0]), samples, seed=2), cell, samples)


# from three values of a law with two peaks the median width needs as many samples as the page has
@pytest.mark.parametrize("method", measure.METHODS)
@pytest.mark.parametrize(
    ("samples", "n"),
    [(60, 5), *(pytest.param(SAMPLES if n == 3 else 400, n, marks=pytest.mark.long) for n in measure.SIZES)],
)
def test_each_method_holds_the_mean_as_often_and_is_as_wide_as_the_page_says(method, samples, n):
    heads, rows = table_of("held, width")
    for kind, laws in (("runs", measure.RUNS), ("hard laws", measure.HARD)):
        held, width = map(float, rows[kind, method][heads.index(f"{n} seeds")].split(", "))
        shares = np.mean([measure.beside(law, method, n, samples, seed=2) for law in laws], axis=0)
        tried = samples * len(laws) // measure.FEW.get(method, 1)
        assert agrees(shares[0], held, tried, SAMPLES // 5 * len(laws) // measure.FEW.get(method, 1))
        assert shares[1] == pytest.approx(width, rel=0.6 if samples < 100 else 0.2)


@pytest.mark.long
@pytest.mark.parametrize("law", measure.LAWS)
def test_many_intervals_hold_at_once_as_often_as_the_page_says(law):
    seeds, rows = table_of(f"{measure.TOGETHER} at once")
    for n, cell in zip(seeds, rows[law], strict=True):
        coverage = measure.coverage(law, int(n.split()[0]), 400, measure.TOGETHER, seed=2)
        assert agrees(coverage, cell, 400, SAMPLES // 10)


@pytest.mark.long
@pytest.mark.parametrize("effect", measure.EFFECTS)
def test_recommended_seeds_have_the_power_that_the_page_says(effect):
    laws, rows = table_of("effect")
    assert laws == ["seeds", *measure.LAWS]
    assert int(rows[str(effect)][0]) == measure.recommended_seeds(effect)
    for law, cell in zip(laws[1:], rows[str(effect)][1:], strict=True):
        assert agrees(measure.power(law, effect, 4000, seed=2), cell, 4000)


@pytest.mark.long
@pytest.mark.parametrize(("effect", "seeds"), measure.OPEN)
def test_open_comparisons_are_settled_as_often_as_the_page_says(effect, seeds):
    _, rows = table_of("true effect")
    (share,) = rows[str(effect), str(seeds)]
    assert len(rows) == len(measure.OPEN)
    assert agrees(measure.settled(effect, seeds, 400, seed=2), share, 400, SAMPLES // 10)


def test_an_interval_stays_within_what_the_mean_can_be():
    losses = np.array([0.0, 0.001, 0.4])
    low, high = mean_interval(losses)
    assert low < 0
    assert high > 0.45
    assert mean_interval(losses, within=(0.0, 10.0)) == (0.0, high)
    assert mean_interval(losses, within=(-9.0, 0.45)) == (low, 0.45)
    assert mean_interval(losses, within=(0.0, 0.45)) == (None, None)  # all that is possible: undetermined


@pytest.mark.parametrize("values", [(1.0, 2.0, 3.0, 4.0, 5.0), (0.0, 0.001, 0.4), (0.066, 0.079, 0.084, 0.092, 0.101)])
def test_the_interval_and_the_test_are_student_s(values):
    test = stats.ttest_1samp(values, 0)
    assert mean_interval(np.array(values)) == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert mean_p(np.array(values)) == pytest.approx(test.pvalue)


@given(
    st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=2, max_size=12),
    st.sampled_from([0.5, 0.9, 0.95, 0.99, 0.9999]),
)
@example([1.0, 1.0, 1.0], 0.5)
@example([1.0] * 6, 0.99)
def test_the_interval_leaves_nothing_out_exactly_where_the_test_rejects_it(values, level):
    low, high = mean_interval(np.array(values), level, by_signs=True)
    p = mean_p(np.array(values))
    if abs(p - (1 - level)) > 1e-9:
        assert (low is not None and (low > 0 or high < 0)) == (p < 1 - level)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12))
@example([0.0, 0.0, 3e-125])
def test_the_mean_lies_inside_and_a_wider_level_is_wider(values):
    intervals = [mean_interval(np.array(values), level) for level in (0.8, 0.95, 0.999)]
    determined = [ends for ends in intervals if ends[0] is not None]
    for low, high in determined:
        assert low <= np.mean(values) + 1e-12
        assert high >= np.mean(values) - 1e-12
    for (low, high), (lower, higher) in itertools.pairwise(determined):
        assert lower <= low + 1e-12
        assert higher >= high - 1e-12


def test_few_or_equal_values_have_no_interval():
    assert mean_interval(np.array([0.25])) == (None, None)
    assert mean_p(np.array([0.25])) == 1.0
    assert mean_p(np.zeros(5)) == 1.0
    for n in (2, 5):  # so few that are alike may be so by chance
        assert mean_interval(np.full(n, 0.25), by_signs=True) == (None, None)
        assert mean_p(np.full(n, 0.25)) == 2.0 ** (1 - n)
    assert mean_interval(np.full(6, 0.25), by_signs=True) == (0.25, 0.25)
    assert mean_interval(np.full(60, 0.25)) == (None, None)  # rarer values may not have come yet


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.967])
def test_intervals_of_a_share_hold_it_at_least_as_often_as_they_say(share):
    n = 30
    chances = stats.binom.pmf(np.arange(n + 1), n, share)
    ends = [share_interval(k, n) for k in range(n + 1)]
    held = sum(chance for chance, (low, high) in zip(chances, ends, strict=True) if low <= share <= high)
    assert 0.95 <= held <= 0.995
    assert ends[0][0] == 0
    assert ends[n][1] == 1


EXPECTED = """
    -0x1.26bb1bbb55515p+1 -0x1.6d3c324e13f50p-2 0x1.48a11293d785bp-1 0x1.343774f3e2362p+2 -0x1.7069e2aa2aa5bp+3
    0x1.1aec7b35a00d4p+0 0x1.01c2a61268987p+1 0x1.abe5b1cd863f6p+2 0x1.1428e1cbc0143p+178 0x1.0000a7c5e340ep+0
    -0x1.0635a5955f867p-11 -0x1.cb8e83824f1bcp-9 -0x1.38c8b9feb14dap-7 -0x1.ebc050d460f21p-1 -0x1.ad7f2a5fefd13p-25
    0x1.f9f6e4990f226p+4 0x1.b51cb7a3e8261p+0 0x1.86fe570dfe800p-2 0x1.7e35a9bc426f6p-11 0x1.e286789a07f2ap+24
""".split()  # noqa: SIM905
RANDOM = np.random.default_rng(14)
FRACTIONS = np.concatenate(
    [RANDOM.random(400), 2.0 ** -RANDOM.uniform(1, 60, 200), [0.0, 2.0**-53, 1 - 2.0**-53, 0.25]]
)
NUMBERS = np.concatenate([RANDOM.random(300) * 3, 10.0 ** RANDOM.uniform(-300, 300, 200), [1.0, 2.0**-1074, 1.7e308]])


def off(value, exact):
    """The distance in units of the last place."""
    return float(abs(Decimal(float(value)) - exact) / Decimal(math.ulp(float(exact)) or 1))


def worst(function, exact, numbers):
    with localcontext() as context:
        context.prec = 60
        values = function(numbers)
        return max(off(value, exact(Decimal(float(x)))) for value, x in zip(values, numbers, strict=True))


def test_values_are_right_to_a_few_units_of_the_last_place():
    assert worst(log, Decimal.ln, NUMBERS) < 3
    assert worst(log1m, lambda x: (1 - x).ln(), FRACTIONS) < 3
    assert worst(exp, Decimal.exp, RANDOM.uniform(-50, 50, 500)) < 3
    for exponent in (-1.5, 2.5, 0.3):
        places = RANDOM.uniform(1, 2e5, 300)
        assert worst(lambda x, e=exponent: power(x, e), lambda x, e=exponent: (Decimal(e) * x.ln()).exp(), places) < 100


def test_powers_of_0_and_1_are_exact():
    assert power(np.array([0.0, 1.0, 4.0]), 0.5).tolist() == [0.0, 1.0, 2.0]
    assert power(np.array([0.0, 7.0]), 0).tolist() == [1.0, 1.0]
    assert power(np.array([0.0, 1.0]), -1.5).tolist() == [math.inf, 1.0]
    assert power(np.array([0.0, 1.0]), 2.5).tolist() == [0.0, 1.0]
    assert (exp(0.0), log(1.0), log1m(0.0), exp(-1e9), exp(1e9)) == (1, 0, 0, 0, math.inf)


def test_logarithms_and_powers_are_what_they_were_to_the_bit():
    """Made of what IEEE 754 rounds in one way, these hold on every processor."""
    numbers = np.array([0.1, 0.7, 1.9, 123.456, 1e-5])
    values = [
        float(x).hex() for f in (log, exp, lambda x: log1m(x / 200), lambda x: power(x, -1.5)) for x in f(numbers)
    ]
    assert values == EXPECTED


@pytest.mark.parametrize("probability", [0.5, 0.75, 0.1, 0.005, 1 - 2.0**-30, 1e-12])
def test_another_processor_s_logarithms_decide_no_position(monkeypatch, probability):
    """Where 1 - u is a power of 1 - p the gap is whole: a last bit would decide."""
    uniforms = Draw(1, "mutation").uniforms(3000)
    whole = 1 - np.float64(1 - probability) ** np.arange(60)
    uniforms = np.concatenate([uniforms, whole[(whole >= 0) & (whole < 1)]])
    here = dice._positions_of_successes(uniforms, probability, 10**9)
    flips, true = np.random.default_rng(1), np.log1p

    def other(x):
        return true(x) * (1 + flips.integers(-4, 5, np.shape(x)) * 2.0**-52)

    monkeypatch.setattr(np, "log1p", other)
    for _ in range(10):
        assert np.array_equal(dice._positions_of_successes(uniforms, probability, 10**9), here)
    if probability in (0.5, 0.75):
        monkeypatch.setattr(dice, "CLOSE", -1.0)  # and it is this that keeps them
        assert not all(
            np.array_equal(dice._positions_of_successes(uniforms, probability, 10**9), here) for _ in range(10)
        )


def test_the_archive_is_thinned_as_by_logarithms():
    for seed in range(50):
        ages = np.sort(np.random.default_rng(seed).choice(5000, 30, replace=False) + 1)[::-1]
        expected = np.arange(len(ages))
        while len(expected) > 8:
            gaps = np.log(ages[expected][:-2]) - np.log(ages[expected][2:])
            expected = np.delete(expected, 1 + int(gaps.argmin()))
        assert np.array_equal(thinned(ages, 8), expected)


DECIDING = ("dice/__init__.py", "games", "strategies", "exact", "simulation", "evolution")
REPORTING = {
    "evolution/random_search.py", "evolution/diversity.py", "evolution/selection_pressure.py", "simulation/match.py",
}  # fmt: skip
"""Files that report on a run and decide nothing in it."""
FUNCTIONS = {
    "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "logaddexp", "pow", "power", "float_power", "cbrt", "sin",
    "cos", "tan", "tanh", "arctan", "arctanh", "hypot", "dot", "matmul", "einsum", "inner", "vdot", "lgamma", "gamma",
}  # fmt: skip
WHOLE = {
    "slots ** digits", "slots ** d", "slots ** n", "slots ** (digits - 1 - digit)", "target ** 2", "target ** 3",
    "game.target ** 3", "T ** 3", "sides ** 2",
}  # fmt: skip

GROWTH = {"(1 - part) ** k", "part ** 2", "factor ** (size * part)", "factor ** size", "2 ** self.rounds"}
"""In what a selection says of its growth, which reports compare with and which decides nothing."""


def processor_functions(path):
    """Functions and operators of a file whose last bit depends on the processor."""
    names = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("np", "numpy", "math"):
            names += [node.attr] if node.attr in FUNCTIONS else []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            names.append("@")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            power = ast.unparse(node)
            whole = all(isinstance(side, ast.Constant | ast.UnaryOp) for side in (node.left, node.right))
            names += [] if whole or power in WHOLE | GROWTH else [power]
    return names


def test_nothing_that_decides_asks_the_processor_for_a_logarithm_or_a_power():
    """Beside the fast logarithm of `pigevo.dice`, whose close cases are decided otherwise."""
    deciding = [path for path in FILES if name_of(path).startswith(DECIDING) and name_of(path) not in REPORTING]
    used = {name_of(path): names for path in deciding if (names := processor_functions(path))}
    assert used == {"dice/__init__.py": ["log1p", "log1p"]}


QUICK = ("cube_random", "debug=fast", "game.target=20")


@pytest.fixture
def strict():
    """A program for which every irregular number is an error."""
    with np.errstate(all="raise"):
        yield
        assert set(np.geterr().values()) == {"raise"}


def divides(genomes, context):
    return genomes ^ (np.ones(1) / np.zeros(1) < 0).astype(np.uint8)


def test_runs_are_the_same_whatever_the_program_has_set(strict):
    with np.errstate(all="warn", under="ignore"):
        usual = pigevo.evolve(*QUICK, seed=1)
    assert pigevo.evolve(*QUICK, seed=1).result["digest"] == usual.result["digest"]
    with warnings.catch_warnings(action="ignore"):
        assert pigevo.evolve(*QUICK, seed=1, mutator=divides, baseline="none").champion
        few = pigevo.generations(*QUICK, mutator=divides, baseline="none")
        assert [len(next(few).exact) for _ in range(3)] == [20, 20, 20]


def test_figures_of_sweeps_tournaments_and_matches_are_computed(strict, tmp_path, monkeypatch, capsys):
    assert bound_of_means(np.linspace(0.0, 0.4, 300), 20, 0.39) < 1
    assert mean_p(np.linspace(1, 1 + 1e-9, 50)) < 1e-300
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    sweep = pigevo.load_sweep(two_rates(tmp_path, 2))
    assert report(sweep).ranking
    assert str(pigevo.compare(sweep))
    game = pigevo.Pig(target=20)
    players = [pigevo.hold_at(game, n) for n in (1, 5, 10)]
    for games in (None, 100):
        overall = pigevo.tournament(players, games=games).overall
    assert replicator(overall).shares.shape[1] == 3
    assert main(["duel", "hold_at:5", "hold_at:20", "--games", "1000"]) == 0
    assert "simulated" in capsys.readouterr().out
