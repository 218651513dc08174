"""The parents of each child."""

import itertools
from collections import Counter

import pytest
from scipy import stats

from pigevo.dice import Draw
from pigevo.evolution.toolbox import pair_parents


def pairs_of(survivors, children, generation=0):
    first, second = pair_parents(survivors, children, Draw(1, "crossover", generation, part=1))
    return list(zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.parametrize(("survivors", "children"), [(10, 20), (2, 4), (10, 10), (50, 100), (4, 9)])
def test_everyone_is_a_parent_with_one_partner(survivors, children):
    pairs = set(pairs_of(survivors, children))
    assert len(pairs) == survivors // 2
    assert sorted(itertools.chain(*pairs)) == list(range(survivors))


@pytest.mark.parametrize(("survivors", "children"), [(4, 9), (6, 20), (10, 3), (7, 30), (10, 20)])
def test_children_are_spread_evenly(survivors, children):
    counts = Counter(pairs_of(survivors, children))
    shares = [counts[p] for p in counts] + [0] * (-(-survivors // 2) - len(counts))
    assert sum(shares) == children
    assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize("survivors", [3, 5, 9])
def test_the_odd_one_is_paired_with_the_first(survivors):
    pairs = list(dict.fromkeys(pairs_of(survivors, 40)))
    assert len(pairs) == (survivors + 1) // 2
    assert pairs[-1][1] == pairs[0][0]
    assert Counter(itertools.chain(*pairs)) == Counter(range(survivors)) + Counter([pairs[0][0]])


def test_all_matchings_are_as_likely():
    seen = Counter(frozenset(map(frozenset, pairs_of(4, 4, g))) for g in range(3000))
    assert len(seen) == 3
    assert stats.chisquare(list(seen.values())).pvalue > 1e-4


def test_the_odd_partner_is_anyone():
    twice = Counter(Counter(itertools.chain(*set(pairs_of(3, 4, g)))).most_common(1)[0][0] for g in range(3000))
    assert len(twice) == 3
    assert stats.chisquare(list(twice.values())).pvalue > 1e-4
