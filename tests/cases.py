"""Random cases: Hypothesis strategies for small games, arbitrary arrays and rules, and p-values of what should follow a law."""

import functools

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from scipy import stats

import pigevo
from pigevo import three_player
from pigevo.strategies.rules import (
    MEASURES,
    TURNS,
    AtLeast,
    ConditionalBase,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Rule,
    Second,
    Sum,
    ToTheEnd,
)

QUICK = settings(
    max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow]
)
SLOW = settings(QUICK, max_examples=20)


def law(*drawn, quick=12, full=60, **named):
    """Make a test of random cases: a few in the quick test, many in the slow one."""

    def made(test):
        @pytest.mark.parametrize("cases", [quick, pytest.param(full, marks=pytest.mark.slow)])
        def over(cases):
            settings(QUICK, max_examples=cases)(given(*drawn, **named)(test))()

        over.__doc__ = test.__doc__
        return over

    return made


def sample(values, *quick):
    """The values of a parameter; those at other places than `quick` are marked slow."""
    return [
        value if place in quick else pytest.param(value, marks=pytest.mark.slow) for place, value in enumerate(values)
    ]


@st.composite
def games(draw, largest=7, allow_pass=None):
    """A race to at most `largest` points; busts have a probability of at most 1/2, so that figures agree to 1e-12."""
    weights = draw(st.dictionaries(st.integers(1, 4), st.integers(1, 4), min_size=1, max_size=3))
    bust = draw(st.integers(0, min(4, sum(weights.values()))))
    total = bust + sum(weights.values())
    passing = draw(st.booleans()) if allow_pass is None else allow_pass
    gains = {points: weight / total for points, weight in weights.items()}
    return pigevo.Race(draw(st.integers(1, largest)), gains, bust / total, allow_pass=passing)


@st.composite
def strategies(draw, game):
    """Any array: each decision state is a coin, fair or not."""
    t = game.target
    if draw(st.booleans()):
        size = -(-(t**3) // 8)
        coins = np.unpackbits(np.frombuffer(draw(st.binary(min_size=size, max_size=size)), np.uint8))
        roll = coins[: t**3].reshape(t, t, t).astype(bool)
    else:
        rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
        roll = rng.random((t, t, t)) < draw(st.sampled_from([0.1, 0.5, 0.8, 0.95]))
    if not game.allow_pass:
        roll[:, :, 0] = True
    return pigevo.Strategy(game, roll)


@st.composite
def duels(draw, players=2, **kinds):
    """A game and some strategies for it."""
    game = draw(games(**kinds))
    return game, *(draw(strategies(game)) for _ in range(players))


@functools.cache
def solved(target):
    """Pig for three players, solved once in a process."""
    return three_player.solve(three_player.Game(target=target))


RARE = 1e-4


def fits(counts, chances):
    """Of counts, by chi-square: cells expected fewer than five times are pooled, impossible ones must be empty."""
    counts, chances = np.asarray(counts), np.asarray(chances, dtype=float)
    due = chances / chances.sum() * counts.sum()
    assert not counts[due == 0].any()
    rare = due < 5
    seen, due = np.append(counts[~rare], counts[rare].sum()), np.append(due[~rare], due[rare].sum())
    assert (due > 0).sum() > 1, "there is one possible outcome only: compare it directly"
    return stats.chisquare(seen[due > 0], due[due > 0]).pvalue


def tossed(coins, chance=0.5):
    """Of an array of 0 and 1: the number of ones is binomial."""
    return stats.binomtest(int(np.sum(coins)), np.size(coins), chance).pvalue


def neighbours(bits):
    """Of a matrix of fair coins: whether those side by side, below each other, and 64 apart, are independent."""
    return min(tossed(one) for one in (bits[:, 1:] ^ bits[:, :-1], bits[1:] ^ bits[:-1], bits[:, 64:] ^ bits[:, :-64]))


totals = st.integers(0, 60)
at_least = st.builds(AtLeast, st.sampled_from(sorted(MEASURES)), st.integers(0, 200))
fractions = st.builds(Fraction, st.sampled_from("+-"), st.sampled_from(["j-i", "i", "j"]), st.integers(1, 40))
sums = st.builds(Sum, totals, st.lists(fractions, min_size=1, max_size=3).map(tuple))
plain = st.one_of(
    st.builds(Constant, totals),
    st.just(ToTheEnd()),
    st.builds(Multiple, st.integers(1, 60)),
    st.sets(st.integers(1, 99), min_size=1, max_size=4).map(lambda marks: Marks(tuple(sorted(marks)))),
    sums,
    st.builds(Floor, totals, sums),
    st.builds(KeepUp, totals, st.integers(-1, 60)),
    st.tuples(totals, totals, totals, totals).map(Quarters),
)
bases = st.recursive(plain, lambda inner: st.builds(ConditionalBase, at_least, inner, inner), max_leaves=4)
conditions = st.one_of(at_least, st.builds(Leaves, st.integers(0, 60)))
races = st.lists(st.lists(conditions, min_size=1, max_size=3).map(tuple), max_size=3).map(tuple)
rules = st.builds(Rule, bases, races)

leads = st.builds(AtLeast, st.sampled_from(["lead", "deficit"]), st.integers(0, 30))
lead_fractions = st.builds(Fraction, st.sampled_from("+-"), st.just("j-i"), st.integers(1, 40) | st.just(TURNS))
lead_sums = st.builds(Sum, totals, st.lists(lead_fractions, min_size=1, max_size=2).map(tuple))
of_the_lead = st.recursive(
    st.one_of(
        st.builds(Constant, totals),
        lead_sums,
        st.builds(Floor, totals, lead_sums),
        st.builds(KeepUp, totals, st.integers(-1, 60)),
    ),
    lambda inner: st.builds(ConditionalBase, leads, inner, inner),
    max_leaves=3,
)
seated = st.recursive(
    of_the_lead,
    lambda inner: (
        st.builds(ConditionalBase, st.builds(Second), inner, inner)
        | st.builds(Floor, totals, st.builds(ConditionalBase, leads | st.builds(Second), inner, inner))
    ),
    max_leaves=4,
)
"""Bases that may look at who moves second in a round."""
rules_for_rounds = st.builds(Rule, seated, last=st.one_of(st.none(), of_the_lead))
