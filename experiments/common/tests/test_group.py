"""Settings compared seed by seed, and against random populations."""

import numpy as np
import pytest

from pigevo.core.intervals import mean_p
from pigevo.experiments.common import randomness
from pigevo.experiments.common.group import Group, Question, answers, as_markdown, detectable
from pigevo.experiments.common.randomness import against_random, random_peaks


def figures(*values):
    return dict(enumerate(values))


def test_answers_are_named_and_those_without_a_common_seed_left_out():
    noise = np.random.default_rng(1).normal(0, 0.001, 12)
    a, b = dict(enumerate(0.3 + noise)), dict(enumerate([0.2] * 12))
    compared = answers(
        [Question("new", "old", a, b), Question("x", "y", {1: 0.5}, {2: 0.5}), Question("old", "old", b, b)]
    )
    assert [(answer.a, answer.b, answer.better) for answer in compared] == [("new", "old", "new"), ("old", "old", None)]
    assert compared[0].difference == pytest.approx(0.1, abs=0.002)
    text = as_markdown(compared)
    assert "| new | old | 12 | +0.1" in text
    assert text.splitlines()[2].endswith("| A |")
    assert text.splitlines()[3].endswith("| open |")


@pytest.mark.parametrize("seeds", [5, 30])
def test_the_detectable_effect_is_found_four_times_in_five(seeds):
    draws = np.random.default_rng(2).normal(detectable(seeds), 1, (5000, seeds))
    assert np.mean([mean_p(draw) <= 0.05 for draw in draws]) == pytest.approx(0.8, abs=0.025)


RANDOM = np.random.default_rng(5)
SAMPLE = RANDOM.normal(0.12, 0.01, (300, 20))


def group(means):
    return Group("g", tuple(range(len(means))), np.arange(means.shape[1], dtype=float), means, ())


def test_random_populations_are_no_different_from_random_populations():
    compared = against_random(group(RANDOM.normal(0.12, 0.01 / 20**0.5, (30, 50))), SAMPLE)
    assert compared.low < 0 < compared.high
    assert 0.3 < compared.superiority < 0.7
    assert compared.p > 0.01
    assert compared.reached > 0.05 * compared.peaks
    assert compared.peak == pytest.approx(compared.random_peak, abs=0.001)


def test_better_populations_are_told_from_random_ones():
    compared = against_random(group(RANDOM.normal(0.125, 0.01 / 20**0.5, (30, 50))), SAMPLE)
    assert compared.low > 0.003
    assert compared.difference == pytest.approx(0.005, abs=0.002)
    assert compared.p < 0.001
    assert compared.reached < 0.05 * compared.peaks


def test_random_peaks_may_exceed_every_population_of_the_sample():
    """Three hundred means drawn again could not; so many random populations do, as often as their law says."""
    peaks = random_peaks(SAMPLE, 200, 400)
    largest = SAMPLE.mean(axis=1).max()
    assert (peaks > largest).mean() > 0.1
    means = RANDOM.choice(SAMPLE.ravel(), (400, 200, 20)).mean(axis=2).max(axis=1)
    assert np.median(peaks) == pytest.approx(np.median(means), abs=0.0003)


def test_intervals_that_are_read_together_are_wider():
    runs = group(RANDOM.normal(0.125, 0.01 / 20**0.5, (6, 5)))
    alone, among = against_random(runs, SAMPLE), against_random(runs, SAMPLE, 4)
    assert among.low < alone.low < alone.difference < alone.high < among.high


@pytest.mark.long
def test_the_interval_holds_the_difference():
    held = []
    for _ in range(400):
        compared = against_random(group(0.1 + RANDOM.exponential(0.02, (5, 1))), RANDOM.normal(0.12, 0.01, (300, 2)))
        held.append(compared.low <= 0 <= compared.high)
    assert np.mean(held) > 0.85  # exponential figures of five runs: Student's t, .88


def test_the_table_has_a_line_for_each_setting():
    rows = {name: against_random(group(np.full((4, 3), 0.2) + RANDOM.random((4, 3)) / 99), SAMPLE) for name in "ab"}
    assert [line[:6] for line in randomness.as_markdown(rows).splitlines()[2:]] == ["| a, 4", "| b, 4"]
