"""Selection intensity and takeover time beside what the textbooks say.  Seeds are fixed."""

from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.evolution.operators import as_operator
from pigevo.evolution.selection import SELECTIONS
from pigevo.evolution.selection_pressure import growth_of, intensity_of, selection_pressure, takeover_of
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
    found = measured(name, ROWS[name], populations=400, size=100)
    options = ", ".join(f"{key}={value}" for key, value in ROWS[name].items())

    def between(mean, interval, digits):
        ends = (f"{end:.{digits}f}" for end in interval)
        return f"{mean:.{digits}f} ({' to '.join(ends)})"

    textbook = f"{found.textbook_intensity:.3f}" if found.textbook_intensity is not None else ""
    return (
        f"| `{name}`{', ' if options else ''}{options} | {between(found.intensity, found.intensity_interval, 3)} | {textbook} "
        f"| {between(found.takeover, found.takeover_interval, 2)} | {found.textbook_takeover or ''} | {found.lost:.0%} |\n"
    )


@pytest.mark.parametrize("name", sample(ROWS, 2))
def test_the_table_of_the_documentation_is_what_the_code_measures(name):
    assert row(name) in TABLE.read_text(encoding="utf-8")


def measured(name, options, populations=40, size=SIZE):
    selection = as_operator("selection", SELECTIONS[name].bind(options))
    return selection_pressure(
        selection, GRID, size, growth_of(name, options, size), name in ("roulette", "sus"), populations
    )


@pytest.mark.parametrize("name", sample(CASES, 0, 4))
def test_the_intensity_is_that_of_the_textbook(name):
    found = measured(name, CASES[name])
    low, high = found.intensity_interval
    assert low < found.intensity < high
    error = (high - low) / 4
    assert abs(found.intensity - found.textbook_intensity) < 4 * error + 0.02  # 0.02: of a population of 200
    assert abs(1.2 * found.intensity - found.textbook_intensity) > 4 * error + 0.02 or name in ("roulette", "sus")


@pytest.mark.parametrize("name", sample([name for name in CASES if name not in ("roulette", "sus")], 0))
def test_a_population_is_taken_over_when_the_growth_of_the_best_says(name):
    found = measured(name, CASES[name])
    assert found.textbook_takeover >= 3
    assert abs(found.takeover - found.textbook_takeover) < 1 + 0.1 * found.textbook_takeover


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
    found = measured("linear_rank", {"pressure": 1.0}, populations=12, size=20)
    assert found.lost > 0.5
    assert abs(found.intensity) < 0.2


if __name__ == "__main__":
    TABLE.write_text(HEAD + "".join(map(row, ROWS)), encoding="utf-8")
