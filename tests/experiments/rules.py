"""A board and a family of rules for tests of the study of rules, and its tables read back."""

import functools

from pigevo.games import Pig
from pigevo.strategies.rules import AtLeast, Constant, KeepUp, Leaves, Multiple
from pigevo.studies.find import load_study

load_study("rules")
from pigevo_study_rules import exhaust, families  # noqa: E402

GAME = Pig(target=30)
RACES = [((Leaves(n),),) for n in (3, 9)] + [((AtLeast("either", 20),),), ((AtLeast("own", 15),), (Leaves(6),))]
SMALL = families.Family(
    "small", [Constant(n) for n in range(4, 20)] + [Multiple(7), KeepUp(9, -1), KeepUp(9, 4)], [(), *RACES]
)

families_of = functools.cache(families.families)


def found_of(family, referee):
    return exhaust.Found(family, exhaust.exhaust(family, referee), *exhaust.complexities(family))


def rows_of(table):
    return [[cell.strip("` ") for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:]]
