"""Genetic programming in DEAP: typed trees that make rules, NSGA-II on what they ask and what they lose."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from deap import base, gp, tools

from pigevo.dice import Draw
from pigevo.errors import InputError
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
)

from .descent import BEHIND, DIVISORS, HOLDS, MOST_INTEGERS, MULTIPLES, POINTS, Meter, Source, measured

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
