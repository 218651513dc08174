"""The study of co-evolution: rows that are kept, and verdicts."""

import numpy as np
import pytest

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


def test_other_processes_find_the_same(tmp_path):
    keys = [(0.5, 0.5, "worst", seed) for seed in range(2)]
    names = ("alpha", "beta", "by", "seed")
    alone = kept.kept(tmp_path / "alone.csv", names, keys, interaction.on_bilinear)
    assert alone == kept.kept(tmp_path / "both.csv", names, keys, interaction.on_bilinear, 2)


def test_an_answer_is_open_unless_its_interval_says_more():
    assert tables.apart(np.array([1.0, 1.2, 0.9, 1.1])) == "more"
    assert tables.apart(-np.array([1.0, 1.2, 0.9, 1.1])) == "less"
    assert tables.apart(np.array([1.0, -1.2, 0.9, -1.1])) == "open"
    some = np.array([0.1, 1.0, 0.6, 0.9, 0.2])
    assert (tables.apart(some), tables.apart(some, 1000)) == ("more", "open")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["less", "open"], "holds here: 1 of 2 settings for it, 0 against it, 1 open"),
        (["more", "more"], "does not hold here: 0 of 2 settings for it, 2 against it, 0 open"),
        (["more", "less"], "cannot be decided: 1 of 2 settings for it, 1 against it, 0 open"),
        (["open"], "cannot be decided: 0 of 1 settings for it, 0 against it, 1 open"),
    ],
)
def test_verdicts(answers, said):
    assert tables.verdict(answers, "less") == said
