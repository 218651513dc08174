"""Selection intensity and takeover time beside what the textbooks say.  Seeds are fixed."""

from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.evolution.operators import as_operator
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection_pressure import intensity_of, known_growth, selection_pressure, takeover_of
from tests.cases import sample

SIZE = 200
GRID = pigevo.CubeGrid(pigevo.Pig(target=9), 1)
CASES = {
    "knockout": {}, "tournament": {"k": 3}, "truncation": {"share": 0.2}, "round_robin": {}, "linear_rank": {"pressure": 1.8},
    "exponential_rank": {"factor": 0.99}, "mu_best": {"mu": 20}, "bracket": {"rounds": 2}, "roulette": {}, "sus": {},
    "deap": {"operator": "selTournament", "arguments": {"tournsize": 3}},
}  # fmt: skip


TABLE = Path(__file__).parents[2] / "docs/explanation/selection_table.txt"
"""Made by `python -m tests.evolution.test_selection_pressure`."""

HEAD = (
    "| selection | intensity | by the textbook | takeover time | by the textbook | lost |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: |\n"
)
ROWS = {
    "knockout": {}, "tournament": {"k": 2}, "truncation": {"share": 0.5}, "linear_rank": {"pressure": 1.8},
    "exponential_rank": {"factor": 0.9}, "mu_best": {"mu": 10}, "bracket": {"rounds": 2}, "swiss": {"rounds": 5},
    "double_elimination": {"rounds": 3}, "cellular": {}, "roulette": {}, "sus": {},
}  # fmt: skip


def row(name):
    """A row of the table in the documentation."""
    pressure = measured(name, ROWS[name], populations=400, size=100)
    options = ", ".join(f"{key}={value}" for key, value in ROWS[name].items())

    def between(mean, interval, digits):
        ends = (f"{end:.{digits}f}" for end in interval)
        return f"{mean:.{digits}f} ({' to '.join(ends)})"

    textbook = f"{pressure.textbook_intensity:.3f}" if pressure.textbook_intensity is not None else ""
    return (
        f"| `{name}`{', ' if options else ''}{options} | {between(pressure.intensity, pressure.intensity_interval, 3)} | {textbook} "
        f"| {between(pressure.takeover, pressure.takeover_interval, 2)} | {pressure.textbook_takeover or ''} | {pressure.lost:.0%} |\n"
    )


@pytest.mark.parametrize("name", sample(ROWS, 2))
def test_the_table_of_the_documentation_is_what_the_code_measures(name):
    assert row(name) in TABLE.read_text(encoding="utf-8")


def measured(name, options, populations=40, size=SIZE):
    selection = as_operator("selection", SELECTIONS[name].bind(options))
    return selection_pressure(selection, GRID, size, populations)


def growth_of(name, options, size):
    return known_growth(as_operator("selection", SELECTIONS[name].bind(options)), size)


def test_a_subclass_that_changes_a_selection_does_not_inherit_its_theory():
    class Losers(type(SELECTIONS["knockout"].bind({}))):
        def __call__(self, scores, context):
            return np.setdiff1d(np.arange(len(scores)), super().__call__(scores, context))

    assert known_growth(Losers(), 100) is None
    assert growth_of("double_elimination", {}, 100) is None


@pytest.mark.parametrize("name", sample(CASES, 0, 4))
def test_intensity_and_takeover_are_those_of_the_textbook(name):
    pressure, by_wheel = measured(name, CASES[name]), name in ("roulette", "sus")
    low, high = pressure.intensity_interval
    assert low < pressure.intensity < high
    error = high - low + 0.02  # of four standard errors, and of a population of 200
    assert abs(pressure.intensity - pressure.textbook_intensity) < error
    assert abs(1.2 * pressure.intensity - pressure.textbook_intensity) > error or by_wheel
    if not by_wheel:
        assert pressure.textbook_takeover >= 3
        assert abs(pressure.takeover - pressure.textbook_takeover) < 1 + 0.1 * pressure.textbook_takeover


def test_numbers_of_the_textbooks():
    assert intensity_of(growth_of("tournament", {"k": 2}, 9)) == pytest.approx(1 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("tournament", {"k": 3}, 9)) == pytest.approx(1.5 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("linear_rank", {"pressure": 1.5}, 9)) == pytest.approx(0.5 / np.sqrt(np.pi), abs=1e-8)
    assert intensity_of(growth_of("truncation", {"share": 0.5}, 9)) == pytest.approx(np.sqrt(2 / np.pi), abs=1e-6)
    for k in (2, 3, 7):  # (ln n + ln ln n) / ln k of Goldberg & Deb 1991
        near = (np.log(10**6) + np.log(np.log(10**6))) / np.log(k)
        assert abs(takeover_of(growth_of("tournament", {"k": k}, 10**6), 10**6) - near) < 1.5
    near = 2 / 0.2 * np.log(10**6 - 1)  # the logistic curve of linear ranks
    assert abs(takeover_of(growth_of("linear_rank", {"pressure": 1.2}, 10**6), 10**6) / near - 1) < 0.12
    assert takeover_of(growth_of("truncation", {"share": 0.5}, 128), 128) == 7
    assert growth_of("lexicase", {}, 100) is None
    assert growth_of("exponential_rank", {"factor": 1.0}, 100) is None


@pytest.mark.slow
def test_everyone_alike_is_never_taken_over_by_selection():
    pressure = measured("linear_rank", {"pressure": 1.0}, populations=12, size=20)
    assert pressure.lost > 0.5
    assert abs(pressure.intensity) < 0.2


if __name__ == "__main__":
    TABLE.write_text(HEAD + "".join(map(row, ROWS)), encoding="utf-8")
