"""The study of co-evolution: rows that are kept, and verdicts."""

import numpy as np
import pytest

from pigevo.core.intervals import mean_interval
from pigevo.studies.find import load_study

load_study("coevolution")
from pigevo_study_coevolution import interaction, kept, tables  # noqa: E402


def test_only_what_is_missing_is_computed(tmp_path):
    done = []

    def work(key):
        done.append(key)
        return {"sum": key[1] + 0.1, "twice": 2.0 * key[1]}

    path = tmp_path / "rows.csv"
    first = kept.kept(path, ("name", "seed"), [("a", 1), ("a", 2)], work)
    again = kept.kept(path, ("name", "seed"), [("a", 2), ("b", 3)], work)
    assert done == [("a", 1), ("a", 2), ("b", 3)]
    assert first == {("a", "1"): {"sum": 1.1, "twice": 2.0}, ("a", "2"): {"sum": 2.1, "twice": 4.0}}
    assert list(again) == [("a", "2"), ("b", "3")]
    assert again["a", "2"] == first["a", "2"]
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.slow
def test_other_processes_find_the_same(tmp_path):
    keys = [(0.5, 0.5, "worst", seed) for seed in range(2)]
    names = ("alpha", "beta", "by", "seed")
    alone = kept.kept(tmp_path / "alone.csv", names, keys, interaction.on_bilinear)
    assert alone == kept.kept(tmp_path / "both.csv", names, keys, interaction.on_bilinear, 2)


def test_an_answer_is_open_unless_its_interval_says_more():
    assert tables.apart(np.array([0.1, 0.12, 0.09, 0.11]), 1).said == "more"
    assert tables.apart(-np.array([0.1, 0.12, 0.09, 0.11]), 1).said == "less"
    assert tables.apart(np.array([0.1, -0.12, 0.09, -0.11]), 1).said == "open"


def test_the_interval_is_that_of_the_verdict_and_within_what_is_possible():
    some = np.array([0.01, 0.1, 0.06, 0.09, 0.02])
    low, high = mean_interval(some)
    assert tables.apart(some, 1) == ("more", f"+0.0560 ({low:+.4f} to {high:+.4f})")
    low, high = mean_interval(some, 1 - 0.05 / 10)
    assert tables.apart(some, 10) == ("open", f"+0.0560 ({low:+.4f} to {high:+.4f})")
    assert tables.apart(some, 100_000) == ("open", "+0.0560 (undetermined)")
    assert tables.spread(np.array([0.0, 0.01, 0.2, 0.01])).split(" to ")[0] == "0.0550 (0.0000"


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["less", "open"], "holds here: 1 of 2 settings for it, 0 against it, 1 open | 0; 1"),
        (["more", "more"], "does not hold here: 0 of 2 settings for it, 2 against it, 0 open | 0; 1"),
        (["more", "less"], "cannot be decided: 1 of 2 settings for it, 1 against it, 0 open | 0; 1"),
        (["open"], "cannot be decided: 0 of 1 settings for it, 0 against it, 1 open | 0"),
    ],
)
def test_verdicts(answers, said):
    given = [tables.Answer(answer, str(n)) for n, answer in enumerate(answers)]
    assert tables.verdict(given, "less") == said
