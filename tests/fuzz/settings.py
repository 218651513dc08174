"""Small runs of any settings: every choice of every group, with options from all of their range."""

import inspect
import random
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args, get_origin

from deap import tools

from pigevo.core.checked_values import StrategyName, Within
from pigevo.settings.schema import CUSTOM, GROUPS, registry_of

STRATEGIES = ["hold_at:3", "hold_at:0", "optimal", "turtle", "score:2,3", "random_strategy:5", "roll_to_win",
              "skip_when_level"]  # fmt: skip
NUMBERS = [0, 1, 2, 3, 4, 5, 7, 10]
SHARES = [0, 0.001, 0.2, 0.5, 0.8, 1]
ARGUMENTS = {
    "indpb": SHARES, "tournsize": [0, 1, 2, 5, 50], "eta": [0, 1, 20.0], "low": [0, 1], "up": [0, 1, 2], "mu": [0, 0.5], "sigma": [0, 1],
    "alpha": [0, 0.5], "k": [1, 2], "epsilon": [0, 0.1], "fitness_size": [1, 3], "parsimony_size": [1, 1.5], "fitness_first": [True, False],
    "c": [1.0], "ref_points": [[0]], "fit_attr": ["fitness", "none"], "nd": ["standard", "log", "x"],
}  # fmt: skip
SIZES = {"population.size": [2, 3, 4, 5, 6, 8], "game.target": [1, 2, 3, 5, 8, 12], "game.sides": [2, 3, 6, 30], "game.bust": [1, 2, 3, [1, 2]], "game.heads": [0.01, 0.3, 0.5, 1],
         "fitness.games": [1, 2, 4, 7, 10], "baseline.populations": [2, 3], "fitness.sets": [1, 2, 3, 5],
         "islands.count": [1, 1, 2, 3], "islands.migrants": [0, 1, 2], "islands.interval": [1, 2],
         "fitness.spend": ["fixed", "growing", "halving", "'racing:0.95,0.1'", "allocation"],
         "stop.score": [0.1, 0.3, 0.5],
         "selection.behaviours": ["[mean_hold,deficit_slope]", "[hold_ahead,hold_behind]", "[visited_hold,mean_hold]", "[mean_hold]"],
         "selection.cells": ["[3,4]", "[1,1]", "[20,7]"], "selection.ranges": ["[]", "[[0,9],[-1,1]]", "[[0,9]]"],
         "stop.rules": ["[no_progress:2,evaluations:30]", "[games:20]", "[target:0.3,games:1]"]}  # fmt: skip
"""Values of options whose range also has what takes long, or is meant to be refused."""


def words(seed):
    """The settings of a run as on the command line, as a seed decides them; most of them are right."""
    dice = random.Random(f"settings {seed}")
    line = ["workers=1", f"seed={dice.randrange(5)}", f"record_every={dice.choice([1, 2, 5])}"]
    line.append(f"checkpoint_every={dice.choice([1, 3])}")
    for group in GROUPS:
        registry = registry_of(group)
        name = dice.choice([name for name in registry if name != CUSTOM])
        line.append(f"{group}={name}")
        entry = registry[name]
        if name == "deap":
            line += deap(group, dice)
            continue
        for option in entry.options:
            key = f"{group}.{option}"
            if key in SIZES:
                line.append(f"{key}={dice.choice(SIZES[key])}")
            elif option not in ("sizes", "generations") and dice.random() < 0.6:
                line.append(f"{key}={spelled(value(entry.hints[option], dice))}")
        if group == "cubes":
            line += waves(dice) if "sizes" in entry.options else [f"generations={dice.choice([0, 1, 3])}"]
        if "mutation" in entry.uses(entry.completed({})):
            line.append(f"mutation={dice.choice(SHARES)}")
    return line


def waves(dice):
    """Cube sizes and lengths of waves."""
    sizes = [dice.choice([*NUMBERS[1:], 100, [1, 2, 3], [5, 1, 2], [2, 100, 3]]) for _ in range(dice.choice([1, 2, 3]))]
    return [f"cubes.sizes={spelled(sizes)}", f"cubes.generations={spelled([dice.choice([1, 2]) for _ in sizes])}"]


def deap(group, dice):
    """One of DEAP's operators, and some arguments."""
    begin = {"selection": "sel", "crossover": "cx", "mutator": "mut"}[group]
    operator = dice.choice([name for name in dir(tools) if name.startswith(begin) and callable(getattr(tools, name))])
    parameters = inspect.signature(getattr(tools, operator)).parameters
    taken = [name for name in ARGUMENTS if name in parameters and dice.random() < 0.7]
    given = [f"{group}.arguments.{name}={spelled(dice.choice(ARGUMENTS[name]))}" for name in taken]
    rate = ["mutation=0.3"] if group == "mutator" and "indpb" in parameters and "indpb" not in taken else []
    return [f"{group}.operator={operator}", *given, *rate]


def value(hint, dice):
    """A value of a type, at an end of its range or inside it."""
    if get_origin(hint) is Annotated:
        kind, *notes = get_args(hint)
        if any(isinstance(note, StrategyName) for note in notes):
            return dice.choice(STRATEGIES)
        ranges = [note for note in notes if isinstance(note, Within)]
        if ranges and kind in (int, float):
            low, high = ranges[0].low, min(ranges[0].high, 50)
            inside = [kind(low), kind(high), kind(low + (high - low) * dice.random())]
            return dice.choice([number for number in inside if number in ranges[0]] or [kind(high)])
        return value(kind, dice)
    if get_origin(hint) is Literal:
        return dice.choice(get_args(hint))
    if get_origin(hint) in (list, tuple, Sequence):
        return [value(get_args(hint)[0], dice) for _ in range(dice.choice([1, 1, 2, 3]))]
    if get_origin(hint) is Mapping:
        return {}
    return dice.random() < 0.5 if hint is bool else dice.choice({int: NUMBERS, float: SHARES}[hint])


def spelled(value):
    """A value as on the command line."""
    if isinstance(value, list | tuple):
        return f"[{','.join(map(spelled, value))}]"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}'" if "," in text else text
