"""A sweep of many settings, and of settings with long names, has a report that can be read."""

from pathlib import Path
from types import SimpleNamespace

from pigevo.sweeps.statistics import compare_pairs
from pigevo.web.report import curves, sweep


def test_of_very_many_comparisons_the_page_has_some_and_says_so():
    """With 120 settings it would have had 20 MB, and was refused after all its work."""
    names = [f"m={n}" for n in range(60)]
    values = {name: {seed: 0.3 + 0.001 * n * (seed + 1) for seed in range(4)} for n, name in enumerate(names)}
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    comparison = SimpleNamespace(compared=compare_pairs(values, pairs), correction="1,770 comparisons")
    made = SimpleNamespace(
        differences=comparison, against_random=None, sweep=SimpleNamespace(folder=Path("outputs/sweeps/x")),
        metric="champion", settings=names,
    )  # fmt: skip
    text = "".join(map(str, sweep._differences(made)))
    assert text.count("<tr>") == sweep.MOST_ROWS + 2
    assert "Which settings are better (1770 comparisons)" in text
    assert "480 more comparisons" in text
    assert "1,270 of them are left out here" in text
    assert "pigevo compare outputs/sweeps/x" in text


def test_long_settings_are_broken_after_commas_in_a_picture():
    setting = "replacement=survivors_and_offspring,selection=round_robin,fitness=exact_vs_optimal"
    lines = curves._wrapped(setting).split("\n")
    assert "".join(lines) == setting
    assert max(map(len, lines)) <= curves.MOST_IN_LINE
    assert all(line.endswith(",") for line in lines[:-1])
    assert curves._wrapped("mutation=0.01") == "mutation=0.01"
