"""Settings compared seed by seed."""

import numpy as np
import pytest

from pigevo.core.intervals import mean_p
from pigevo.studies.group import Question, answers, as_markdown, detectable


def figures(*values):
    return dict(enumerate(values))


def test_answers_are_named_and_those_without_a_common_seed_left_out():
    noise = np.random.default_rng(1).normal(0, 0.001, 12)
    a, b = dict(enumerate(0.3 + noise)), dict(enumerate([0.2] * 12))
    found = answers(
        [Question("new", "old", a, b), Question("x", "y", {1: 0.5}, {2: 0.5}), Question("old", "old", b, b)]
    )
    assert [(one.a, one.b, one.better) for one in found] == [("new", "old", "new"), ("old", "old", None)]
    assert found[0].difference == pytest.approx(0.1, abs=0.002)
    text = as_markdown(found)
    assert "| new | old | 12 | +0.1" in text
    assert text.splitlines()[2].endswith("| A |")
    assert text.splitlines()[3].endswith("| open |")


def test_no_questions_have_no_answers():
    assert answers([]) == []


@pytest.mark.parametrize("seeds", [5, 30])
def test_the_detectable_effect_is_found_four_times_in_five(seeds):
    draws = np.random.default_rng(2).normal(detectable(seeds), 1, (5000, seeds))
    assert np.mean([mean_p(one) <= 0.05 for one in draws]) == pytest.approx(0.8, abs=0.025)
