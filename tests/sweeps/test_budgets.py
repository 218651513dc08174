"""Comparisons name the budgets of their settings where these differ."""

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.experiments.common.group import Question, answers, as_markdown
from pigevo.runs.load import Run
from pigevo.sweeps.comparison import Budget, budget_of, compare, difference
from tests.small import resealed

WAVES = Budget(300, 6020, 319_000, (("20", 100), ("10", 200), ("5", 300)))
SINGLE = Budget(300, 6020, 319_000, (("20", 300),))


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        (WAVES, WAVES, ""),
        (SINGLE, Budget(200, 4020, 219_000, (("20", 200),)), "generations 300 and 200; strategies 6,020 and 4,020; games 319,000 and 219,000"),
        (WAVES, SINGLE, "cubes of 20 to generation 100, of 10 to generation 200, of 5 to generation 300, and of 20 to generation 300"),
        (SINGLE, Budget(300, 6020, 0, (("20", 300),)), "games 319,000 and 0"),
    ],
)  # fmt: skip
def test_in_what_budgets_differ(a, b, text):
    assert difference(a, b) == text


def run(evaluations=80, games=700):
    columns = {"generation": [0, 5, 10], "wave": [1, 1, 2], "cube_size": ["4", "4", "2"],
               "evaluations": [10, 40, evaluations], "games": [0, 250, 500]}  # fmt: skip
    result = {"generations": 10, "evaluations": evaluations, "games": games}
    return Run(result, {name: np.array(column) for name, column in columns.items()})


def test_the_budget_is_that_of_the_median_run():
    assert budget_of([run(70), run(80, 900), run(100)]) == Budget(10, 80, 700, (("4", 5), ("2", 10)))
    assert budget_of([run()], 5) == Budget(5, 40, 250, (("4", 5),))
    assert budget_of([run()], 2.5) == Budget(2.5, 25, 125, (("4", 0),))


def test_compare_names_the_budgets(sweep, finished_sweep, capsys):
    """One setting of the copy played ten times the games."""
    games = pigevo.load_sweep(sweep).members[0].load().result["games"]
    for member in pigevo.load_sweep(sweep).members:
        if member.setting == "mutation=0":
            resealed(member.folder, games=10 * games)
    main(["compare", str(sweep), "mutation=0", "mutation=0.3"])
    budgets = f"games {10 * games:,} and {games:,}"
    assert f"their budgets differ: {budgets}" in capsys.readouterr().out
    assert [pair.budgets for pair in compare(str(finished_sweep)).compared] == [""]
    pairs = {pair.a: pair.budgets for pair in compare(str(sweep), str(finished_sweep)).compared}
    assert pairs["A: mutation=0"] == budgets


def test_so_do_the_tables_of_studies():
    a, b = ({seed: value + seed / 1000 for seed in range(10)} for value in (0.3, 0.1))
    b[3] += 0.001
    answered = answers([Question("new", "old", a, b, SINGLE, WAVES), Question("new", "old", a, b)])
    assert answered[0].budgets.startswith("cubes of 20")
    lines = as_markdown(answered).splitlines()
    assert lines[2].endswith(f"| A ({answered[0].budgets}) |")
    assert lines[3].endswith("| A |")
