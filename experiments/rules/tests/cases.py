"""A board and a family of rules for tests of the study of rules, and its tables read back."""

import functools

import pigevo
from pigevo.experiments.rules import exhaust, families
from pigevo.games import Pig
from pigevo.strategies.rules import AtLeast, Complexity, Constant, KeepUp, Leaves, Multiple, complexity, parse_rule

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


def check_rows(game, rows):
    """Each row of a table is what its rule asks, and what it loses to the optimum and to its best response."""
    best = pigevo.optimal(game).strategy
    for text, integers, operations, difference, exploitability, *_ in rows:
        rule = parse_rule(text)
        strategy = rule.strategy(game)
        assert complexity(rule) == Complexity(int(integers), int(operations))
        assert abs(1 - 2 * pigevo.win_probability(strategy, best).overall - float(difference)) < 0.6e-5
        assert abs(pigevo.best_response(strategy).overall - 0.5 - float(exploitability)) < 0.6e-5
