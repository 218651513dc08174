"""The study of rules: what a person does who misjudges a fraction, or errs by one."""

import numpy as np

from pigevo.strategies.rules import parse_rule
from pigevo.studies.find import load_study

load_study("rules")
from pigevo_study_rules import robust  # noqa: E402


def test_misjudged_fractions_are_rounded_the_other_way():
    down = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Down)
    up = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Up)
    near = robust.with_fractions(parse_rule("10+(j-i)/4"), robust.Coarse)
    i, j = np.array([0, 0, 0, 5, 0]), np.array([3, 5, 8, 0, 18])
    assert down.at(i, j, 100).tolist() == [10, 11, 12, 8, 14]
    assert up.at(i, j, 100).tolist() == [11, 12, 12, 9, 15]
    assert near.at(i, j, 100).tolist() == [11, 11, 13, 9, 15]


def test_who_errs_by_one_remembers_as_many_numbers():
    texts = {rule.text for rule in robust.off_by_one(parse_rule("18 if ahead else 22; race sum>=121"))}
    assert texts == {f"{a} if ahead else {b}; race sum>={c}" for a, b, c in
                     [(17, 22, 121), (19, 22, 121), (18, 21, 121), (18, 23, 121), (18, 22, 120), (18, 22, 122)]}  # fmt: skip
