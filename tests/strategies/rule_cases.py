"""Rules for property tests."""

from hypothesis import strategies as st

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
