"""Who finds the better rules with as many evaluations: chance, descent, trees or evolution.

Evolution is genetic programming in DEAP: typed trees that make rules, NSGA-II on what they ask and what they lose.
"""

from __future__ import annotations

import csv
import io
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from deap import base, gp, tools
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, mean_interval, share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact.thresholds import Thresholds
from pigevo.storage.files import write_bytes
from pigevo.strategies.rules import (
    AtLeast,
    ConditionalBase,
    Constant,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Rule,
    Sum,
    ToTheEnd,
    complexity,
    parse_rule,
)

from ..common import tables
from .descent import (
    BEHIND,
    DIVISORS,
    HOLDS,
    MOST_INTEGERS,
    MULTIPLES,
    POINTS,
    Meter,
    Source,
    SpentError,
    descents,
    measured,
    random_search,
    trees,
)

SIZE, CROSSED, GROWN, HIGHEST = 100, 0.5, 0.2, 6
"""Members; shares of children that are crossed, or have a branch grown anew; the height that no tree exceeds."""

STEPS = (-5, -3, -2, -1, 1, 2, 3, 5)
FAR_STEPS = (1, 2, 3, 5, 8, 13, 21)


class Fitness(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """The difference and the integers, the less the better; those who ask too much are as bad as can be."""

    weights = (-1.0, -1.0)


class Tree(gp.PrimitiveTree):  # type: ignore[misc]
    """A rule as a tree of its parts."""

    def __init__(self, content: Any) -> None:
        super().__init__(content)
        self.fitness = Fitness()


class Ruled:
    """The type of a whole rule."""


class Held:
    """The type of a base."""


class Raced:
    """The type of a race."""


class Scored:
    """The type of a condition on scores."""


def kind(name: str) -> type:
    """A type of numbers."""
    return type(f"Of{name.title().replace('+', '').replace('*', '')}", (), {})


def primitives(source: Source, target: int) -> Any:
    """What trees are made of: a constructor for each part of the grammar, and a type for each kind of number.

    Args:
        source: of new numbers.
        target: of the game.
    """
    made = gp.PrimitiveSetTyped("rule", [], Ruled)
    numbers: dict[str, type] = {}
    own = {"holds": HOLDS, "multiples": MULTIPLES, "divisors": DIVISORS, "points": POINTS, "behind": BEHIND}
    for name, values in (own | measured(target)).items():
        numbers[name] = kind(name)
        made.addEphemeralConstant(f"number{len(numbers)}", partial(source.of, values), numbers[name])
    hold, by = numbers["holds"], numbers["divisors"]
    add = made.addPrimitive
    add(Rule, [Held, Raced], Ruled, "rule")
    add(Constant, [hold], Held, "constant")
    add(Multiple, [numbers["multiples"]], Held, "multiple")
    add(lambda n, m: KeepUp(n, m - 1), [hold, numbers["behind"]], Held, "keep_up")
    add(lambda a, b: Marks((a, a + b)), [hold, hold], Held, "two_marks")
    add(lambda a, b, c: Marks((a, a + b, a + b + c)), [hold, hold, hold], Held, "three_marks")
    add(lambda a, b, c, d: Quarters((a, b, c, d)), [hold] * 4, Held, "quarters")
    add(lambda n, d: Sum(n, (Fraction("+", "j-i", d),)), [hold, by], Held, "line")
    add(lambda n, d: Sum(n, (Fraction("+", "j", d),)), [hold, by], Held, "of_theirs")
    add(lambda n, d, e: Sum(n, (Fraction("+", "j", d), Fraction("-", "i", e))), [hold, by, by], Held, "of_both")
    add(ConditionalBase, [Scored, Held, Held], Held, "choice")
    for name in measured(target):
        add(partial(AtLeast, name), [numbers[name]], Scored, f"at_least{len(made.mapping)}")
    add(lambda one: ((one,),), [Scored], Raced, "race")
    add(lambda n: ((Leaves(n),),), [numbers["points"]], Raced, "leaves")
    add(lambda one, race: (*race, (one,)), [Scored, Raced], Raced, "race_or")
    add(lambda one, race: tuple((one, *group) for group in race), [Scored, Raced], Raced, "race_and")
    made.addTerminal(ToTheEnd(), Held, "end")
    made.addTerminal((), Raced, "never")
    made.addTerminal(AtLeast("lead", 1), Scored, "ahead")
    return made


def grow(source: Source, pset: Any, type_: type, height: int) -> list[Any]:
    """A random branch of a type, no higher than asked; DEAP's own wants a terminal and a constructor of every type."""
    makers, ends = pset.primitives[type_], pset.terminals[type_]
    if makers and (height > 0 or not ends):
        maker = source.of(makers)
        return [maker, *(part for one in maker.args for part in grow(source, pset, one, height - 1))]
    end = source.of(ends)
    return [end() if isinstance(end, gp.MetaEphemeral) else end]


def crossed(source: Source, mother: Tree, father: Tree) -> Tree:
    """The mother with a branch of the father's; DEAP's own chooses from a set, whose order no seed decides."""
    child, place = Tree(list(mother)), source.of(range(1, len(mother)))
    fitting = [n for n in range(1, len(father)) if father[n].ret is mother[place].ret]
    if fitting:
        child[mother.searchSubtree(place)] = father[father.searchSubtree(source.of(fitting))]
    return child


def stepped(source: Source, tree: Tree) -> Tree:
    """One number of a tree moved by a small step."""
    places = [n for n, node in enumerate(tree) if isinstance(type(node), gp.MetaEphemeral)]
    if places:
        place = source.of(places)
        number = type(tree[place])()
        number.value = max(1, tree[place].value + source.of(STEPS))
        tree[place] = number
    return tree


def redrawn(source: Source, tree: Tree) -> Tree:
    """One number of a tree drawn anew, as `gp.mutEphemeral` does."""
    changed: Tree = gp.mutEphemeral(tree, "one")[0]
    return changed


def copied(tree: Tree) -> Tree:
    """The same tree with the same fitness, another object."""
    same = Tree(list(tree))
    same.fitness.values = tree.fitness.values
    return same


def polished(tree: Tree, pset: Any, meter: Meter) -> Tree:
    """A tree whose numbers were moved one by one, each to the best of some steps, until none helps."""
    places = [n for n, node in enumerate(tree) if isinstance(type(node), gp.MetaEphemeral)]
    unmoved = 0
    tree = copied(tree)
    for place in itertools.cycle(places):
        tried = [Tree(list(tree)) for _ in range(2 * len(FAR_STEPS) + 1)]
        for one, step in zip(tried[1:], [*FAR_STEPS, *(-step for step in FAR_STEPS)], strict=True):
            one[place] = type(tree[place])()
            one[place].value = max(1, tree[place].value + step)
        judge(tried, pset, meter)
        best = min(tried, key=lambda one: float(one.fitness.values[0]))
        unmoved = 0 if best.fitness.values < tried[0].fitness.values else unmoved + 1
        tree = best if unmoved == 0 else tree
        if unmoved >= len(places):
            break
    return tree


@contextmanager
def _seeded(draw: Draw) -> Iterator[None]:
    """Seed Python's `random`, from which `deap.gp` draws, and restore its state: in the study's own process."""
    before = random.getstate()
    random.seed(int(draw.words(1)[0]))
    try:
        yield
    finally:
        random.setstate(before)


def evolve(meter: Meter, seed: int, target: int, changed: Callable[[Source, Tree], Tree], polish: bool = False) -> None:
    """Generations until the budget is spent.

    Args:
        meter: the referee.
        seed: of the run.
        target: of the game.
        changed: how a number mutates.
        polish: whether one child of each generation, drawn from those that no other beats, comes again with its
            numbers moved to where none betters.
    """
    source = Source(Draw(seed, "mutation"))
    pset = primitives(source, target)
    with _seeded(Draw(seed, "crossover")):
        members = [Tree(grow(source, pset, Ruled, 3)) for _ in range(SIZE)]
        judge(members, pset, meter)
        members = tools.selNSGA2(members, SIZE)
        while True:
            parents = tools.selTournamentDCD(members, SIZE)
            children = [bred(source, pset, *pair, changed) for pair in zip(parents, parents[1:] + parents[:1])]  # noqa: B905
            judge(children, pset, meter)
            if polish:
                unbeaten = tools.sortNondominated(children, SIZE, first_front_only=True)[0]
                children.append(polished(source.of(unbeaten), pset, meter))
            members = tools.selNSGA2([*members, *children], SIZE)


def bred(source: Source, pset: Any, mother: Tree, father: Tree, changed: Callable[[Source, Tree], Tree]) -> Tree:
    """A child of two trees."""
    child = Tree(list(mother))
    fate = source.uniform()
    if fate < CROSSED:
        child = crossed(source, mother, father)
    elif fate < CROSSED + GROWN:
        (child,) = gp.mutUniform(child, lambda pset, type_: grow(source, pset, type_, 2), pset)
    else:
        child = changed(source, child)
    child = child if child.height <= HIGHEST else Tree(list(mother))
    del child.fitness.values
    return child


def judge(members: list[Tree], pset: Any, meter: Meter) -> None:
    """Give every tree its fitness."""
    rules = [_rule(tree, pset) for tree in members]
    fit = [rule for rule in rules if rule is not None]
    worth = dict(zip(fit, meter(fit).tolist(), strict=True)) if fit else {}
    for tree, rule in zip(members, rules, strict=True):
        tree.fitness.values = (1.0, 99.0) if rule is None else (worth[rule], complexity(rule).integers)


def _rule(tree: Tree, pset: Any) -> Rule | None:
    """The rule of a tree, unless it asks too much."""
    try:
        rule: Rule = gp.compile(tree, pset)
    except InputError:
        return None
    return rule if complexity(rule).integers <= MOST_INTEGERS else None


BUDGET = 5_000
"""Different rules that every run may evaluate."""

FRESH = range(100, 130)
"""Seeds on which nothing was chosen."""

OLDER = ((BUDGET, range(10)), (1_000, range(30)))
"""Older contests: budget and seeds. On the first ten seeds genetic programming's steps were chosen."""

INTEREST, ASKED = 0.001, 3
"""The smallest effect of interest, of a mean over seeds, and up to how many integers rules are compared."""

STRICT = 1e-9
"""A difference must be smaller by more to be a win."""

Run = Callable[[Meter, int, int], None]

PREDICTED = "genetic programming, numbers in steps"
"""The contender that is said to be the best."""

CONTENDERS: dict[str, Run] = {
    "random rules": lambda meter, seed, target: random_search(meter, _source(seed), target),
    "descents from random rules": lambda meter, seed, target: descents(meter, _source(seed), target),
    "decision trees": lambda meter, seed, target: trees(meter, _source(seed), target),
    "genetic programming": lambda meter, seed, target: evolve(meter, seed, target, redrawn),
    PREDICTED: lambda meter, seed, target: evolve(meter, seed, target, stepped),
    "genetic programming with descents": lambda meter, seed, target: evolve(meter, seed, target, stepped, polish=True),
}

Outcome = dict[int, tuple[float, Rule]]
"""The best rule that a run has seen for each number of integers, with its difference."""

Outcomes = Mapping[str, Sequence[Outcome]]
"""The outcomes of every contender."""


def contest(referee: Thresholds, seeds: Sequence[int], path: Path, budget: int = BUDGET) -> dict[str, list[Outcome]]:
    """Every contender's runs; those that the file has are read.

    Args:
        referee: the optimum, prepared.
        seeds: of the runs of each.
        path: a CSV file, which takes the best rules of every run.
        budget: different rules that each may evaluate.
    """
    known = _read(path) if path.exists() else {}
    for seed in seeds:
        for name, run in CONTENDERS.items():
            if (name, seed, budget) not in known:
                meter = Meter(referee, budget)
                with suppress(SpentError):
                    run(meter, seed, referee.game.target)
                known[name, seed, budget] = meter.best
                write_bytes(path, _written(known).encode())
    return {name: [known[name, seed, budget] for seed in seeds] for name in CONTENDERS}


COLUMNS = ("contender", "seed", "budget", "integers", "difference", "rule")


def _read(path: Path) -> dict[tuple[str, int, int], Outcome]:
    def of_row(row: Mapping[str, str]) -> tuple[tuple[str, int, int], int, tuple[float, Rule]]:
        key = row["contender"], int(row["seed"]), int(row["budget"])
        return key, int(row["integers"]), (tables.finite(row["difference"]), parse_rule(row["rule"]))

    found: dict[tuple[str, int, int], Outcome] = {}
    for key, integers, best in tables.read_rows(path, COLUMNS, of_row):
        found.setdefault(key, {})[integers] = best
    return found


def _written(found: Mapping[tuple[str, int, int], Outcome]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (name, seed, budget), outcome in found.items():
        for integers, (difference, rule) in sorted(outcome.items()):
            writer.writerow([name, seed, budget, integers, repr(difference), rule])
    return text.getvalue()


def up_to(outcome: Outcome, integers: int) -> float:
    """The least difference of a run's rules with no more integers; 1 where it has seen none."""
    return min((difference for asked, (difference, _) in outcome.items() if asked <= integers), default=1.0)


def contest_table(found: Outcomes, exhausted: Mapping[int, float]) -> str:
    """Medians (with intervals) and the best of all runs for rules of no more integers, beside the exhausted families.

    Then how many seeds each contender wins alone. A seed that two share is nobody's.

    Args:
        found: the outcomes of every contender.
        exhausted: the least difference in all families by the number of integers.
    """
    counts = range(1, MOST_INTEGERS + 1)
    rows = []
    for name, outcomes in found.items():
        figures = [[up_to(outcome, n) for outcome in outcomes] for n in counts]
        rows.append((name, len(outcomes), *(_median(one) for one in figures)))
    best = [min((value for asked, value in exhausted.items() if asked <= n), default=1.0) for n in counts]
    rows.append(("all families, exhausted", "", *(f"{one:.5f}" for one in best[:-1]), ""))
    head = ["contender", "runs", *(f"{n} or fewer: median (95 % interval), best" for n in counts)]
    return tables.table(head, rows) + "\n" + _wins(found)


def _median(figures: Sequence[float]) -> str:
    """The median with its interval by order statistics, which holds it for every law, and the least figure."""
    n, inner = len(figures), sorted(figures)
    below = int(stats.binom.ppf(0.025, n, 0.5))  # so many may lie below the lower end
    told = f" ({inner[below - 1]:.5f} to {inner[n - below]:.5f})" if below > 0 else ""
    return f"{np.median(figures):.5f}{told}, {inner[0]:.5f}"


def wins(found: Outcomes, integers: int) -> dict[str, int]:
    """How many seeds each contender wins alone, by rules of no more than so many integers.

    Args:
        found: the outcomes of every contender.
        integers: at most.
    """
    won = dict.fromkeys(found, 0)
    for seed in range(min(map(len, found.values()))):
        order = sorted((up_to(outcomes[seed], integers), name) for name, outcomes in found.items())
        if len(order) == 1 or order[0][0] < order[1][0] - STRICT:
            won[order[0][1]] += 1
    return won


def _wins(found: Outcomes) -> str:
    counts = range(1, MOST_INTEGERS + 1)
    seeds = min(map(len, found.values()))
    won = {n: wins(found, n) for n in counts}
    rows = [
        (name, *("{} ({:.2f} to {:.2f})".format(won[n][name], *share_interval(won[n][name], seeds)) for n in counts))
        for name in found
    ]
    rows.append(("nobody alone", *(str(seeds - sum(won[n].values())) for n in counts)))
    return tables.table([f"of {seeds} seeds it wins alone (share, 95 %)", *(f"{n} or fewer" for n in counts)], rows)


def compared_table(found: Outcomes) -> str:
    """How much more every other contender's rules lose than those of the predicted one, seed by seed, as a table.

    Args:
        found: the outcomes of every contender, on the same seeds.
    """
    own = np.array([up_to(outcome, ASKED) for outcome in found[PREDICTED]])
    rows = []
    for name in (one for one in found if one != PREDICTED):
        more = np.array([up_to(outcome, ASKED) for outcome in found[name]]) - own
        low, high = mean_interval(more, by_signs=True)
        ends = "undetermined" if low is None else f"{low:+.5f} to {high:+.5f}"
        fewer, ties = int((more > STRICT).sum()), int((abs(more) <= STRICT).sum())
        share = "{:.2f} to {:.2f}".format(*share_interval(fewer, len(more)))
        seeds = f"{fewer} ({share}), {ties}, {len(more) - fewer - ties}"
        rows.append((name, f"{more.mean():+.5f} ({ends})", reading(more), seeds))
    head = [f"{ASKED} or fewer: {PREDICTED}, against", "mean that the other loses more (95 % interval)",
            f"reading, of interest from {INTEREST}", "seeds it is better (share, 95 %), ties, worse"]  # fmt: skip
    return tables.table(head, rows)


def reading(more: Floats) -> str:
    """What a mean over seeds says beside the smallest effect of interest (Schuirmann 1987; Lakens 2017).

    Args:
        more: one difference for each seed.
    """
    (low, high), (inner_low, inner_high) = (mean_interval(more, at, by_signs=True) for at in (CONFIDENCE, 0.9))
    if low is None or high is None or inner_low is None or inner_high is None:
        return "undecided"
    is_small = inner_low > -INTEREST and inner_high < INTEREST
    if not low <= 0 <= high:
        size = ", and large enough" if max(low, -high) >= INTEREST else ", and small" if is_small else ""
        return f"{'better' if low > 0 else 'worse'}{size}"
    return "equivalent" if is_small else "undecided"


def older_tables(
    contests: Sequence[tuple[int, Mapping[str, Sequence[Outcome]]]], exhausted: Mapping[int, float]
) -> str:
    """The tables of several contests, under headings.

    Args:
        contests: budget and outcomes of each.
        exhausted: as in `contest_table`.
    """
    return "\n".join(
        f"### {budget:,} rules, {min(map(len, found.values()))} seeds\n\n{contest_table(found, exhausted)}"
        for budget, found in contests
    )


def _source(seed: int) -> Source:
    return Source(Draw(seed, "mutation"))
