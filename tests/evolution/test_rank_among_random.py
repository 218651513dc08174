"""How rare a figure is among random ones, against brute force and by simulation."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.rank_among_random import Placement, bound_of_best, bound_of_means, place

SAMPLE = Draw(1, "validation").uniforms(400)

# Laws of members on [0, 0.5]: how to draw them, and the values of means of 20 with about the chances 0.1, 0.01, 1e-3 and 1e-4.
LAWS = {
    "bell": lambda rng, shape: rng.beta(20, 60, shape) / 2,
    "skewed": lambda rng, shape: rng.beta(1, 8, shape) / 2,
    "two values": lambda rng, shape: np.where(rng.random(shape) < 0.1, 0.5, 0.1),
    "rare giants": lambda rng, shape: np.where(rng.random(shape) < 1 / 500, 0.5, 0.1 + rng.random(shape) / 100),
    "one in 6,000": lambda rng, shape: np.where(rng.random(shape) < 1 / 6000, 0.5, 0.1),
}


@pytest.mark.parametrize("value", [0.0, 0.2, 0.9, 0.995])
def test_the_share_that_reaches_a_figure_lies_in_its_interval(value):
    placement = place(value, SAMPLE)
    assert placement.reached == sum(x >= value for x in SAMPLE)
    assert (placement.sample, placement.value, placement.largest) == (400, value, SAMPLE.max())
    assert placement.share == placement.reached / 400
    assert placement.low <= placement.share <= placement.high
    if 0 < placement.reached < 400:
        assert stats.binom.sf(placement.reached - 1, 400, placement.low) == pytest.approx(0.025, rel=1e-6)
        assert stats.binom.cdf(placement.reached, 400, placement.high) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("n", [1, 20, 300, 6000])
def test_a_figure_that_none_reaches_has_only_a_bound(n):
    placement = place(2.0, Draw(2, "validation").uniforms(n))
    assert (placement.reached, placement.share, placement.low) == (0, 0.0, 0.0)
    assert placement.high == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-9)


@pytest.mark.parametrize("chance", [1e-4, 1e-6])
def test_no_chance_is_ever_called_less_than_it_is(chance):
    """A law fitted to the tail calls these chances 0 in 45, 57 and 67 % of such samples."""
    value, rng = stats.norm.isf(chance), np.random.default_rng(3)
    assert np.mean([place(value, rng.normal(size=300)).high >= chance for _ in range(300)]) >= 0.95


def test_words_tell_what_the_sample_can_say():
    assert str(place(2.0, Draw(2, "validation").uniforms(6000))) == "none of 6,000, fewer than 1 in 2,003 (95 %)"
    assert str(place(2.0, SAMPLE[:20])) == "none of 20"  # "fewer than 1 in 7" tells nobody anything
    some = place(0.995, SAMPLE)
    assert str(some) == f"{some.reached} of 400"


def test_a_record_is_plain_values_and_read_back_with_what_older_ones_hold():
    placement = place(0.9, SAMPLE)
    record = asdict(placement)
    assert {type(value) for value in record.values()} <= {int, float}
    assert Placement.read(record) == Placement.read(record | {"chance": 0.1, "tail_model": 0.0}) == placement


def coverage(law, n, size, samples):
    """How often the bound holds the chance of a mean that about one in 10, 100 and 1,000 means of `size` members reach."""
    draw = LAWS[law]
    values = np.quantile(
        draw(np.random.default_rng(1), (100_000, size)).mean(axis=1), (0.9, 0.99, 0.999), method="higher"
    )
    means = draw(np.random.default_rng(0), (400_000, size)).mean(axis=1)
    chances = [(means >= value - 1e-12).mean() for value in values]
    members = draw(np.random.default_rng(2), (samples, n))
    bounds = np.array([[bound_of_means(sample, size, float(value)) for value in values] for sample in members])
    return (bounds >= chances).mean(axis=0)


@pytest.mark.parametrize("law", ["bell", "rare giants"])
def test_the_bound_of_means_holds(law):
    assert coverage(law, 600, 20, 20).min() >= 0.85  # of 20 at 95 %: below with p < 0.02


@pytest.mark.long
@pytest.mark.parametrize(("n", "size"), [(100, 4), (600, 20), (6000, 20), (6000, 5)])
@pytest.mark.parametrize("law", LAWS)
def test_the_bound_of_means_holds_in_ninety_five_samples_of_a_hundred(law, n, size):
    assert coverage(law, n, size, 300).min() >= 0.95


def test_the_bound_of_means_has_force():
    """Six thousand members say far more than their 300 means, none of which is as large: fewer than 1 in 100."""
    members = LAWS["skewed"](np.random.default_rng(3), (300, 20))
    far = float(members.mean() + 12 * members.std() / 20**0.5)
    assert bound_of_means(members, 20, far) < 1e-6
    assert place(far, members.mean(axis=1)).high > 0.009


def test_the_bound_grows_with_what_is_asked_and_is_one_inside():
    members = LAWS["bell"](np.random.default_rng(4), 600)
    bounds = [bound_of_means(members, 20, value) for value in (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 1.0
    assert 0 < bounds[-1] < 1e-3


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_few_members_say_nothing(n):
    assert bound_of_means(np.full(n, 0.1), 20, 0.3) > 0.05
    assert bound_of_means(np.full(n, 0.1), 1, 0.5) > 0.3


def test_many_tries_are_allowed_for():
    assert bound_of_best(1e-4, 61) == pytest.approx(0.0061)
    assert bound_of_best(0.1, 61) == 1.0
