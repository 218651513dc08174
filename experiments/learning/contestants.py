"""What is compared: the games, the learners, and evolution, with the settings that are tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pigevo.games import Game
from pigevo.games.game_record import make_game

from .learners import (
    CountedModel,
    DieAlone,
    FictitiousPlay,
    Learner,
    PolicyGradient,
    QLearning,
    RegretSampling,
    TDLambda,
    TreeSearch,
)

Options = Mapping[str, float | bool | str]
"""Of a learner or of evolution, by name."""


@dataclass(frozen=True)
class Task:
    """A game to be learned.

    Args:
        words: the game, in words of the command line.
        size: its points: the target, or what a long turn brings.
        decades: the powers of ten of the numbers of games.
    """

    words: str
    size: int
    decades: range = range(4, 7)

    @cached_property
    def game(self) -> Game:
        """The game."""
        (_, name), *options = (word.split("=") for word in self.words.split())
        return make_game(name, {key.removeprefix("game."): int(value) for key, value in options})


ANOTHER = Task("game=pig game.target=20 game.sides=3", 20)
"""The game on which settings are chosen."""

TASKS: Mapping[str, Task] = {
    "Pig to 30, four sides": Task("game=pig game.target=30 game.sides=4", 30, range(4, 8)),
    "Pig to 100": Task("game=pig game.target=100 game.sides=6", 100),
    "ten rounds": Task("game=ten_rounds game.cap=120", 100),
    "Pig to 120, ten sides": Task("game=pig game.target=120 game.sides=10", 120),
    "Pig to 120, five sides": Task("game=pig game.target=120 game.sides=5", 120),
}


def grid(**values: Sequence[float | bool | str]) -> tuple[Options, ...]:
    """All combinations of values of options."""
    return tuple(dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values()))


LEARNERS: Mapping[str, tuple[Callable[..., Learner], tuple[Options, ...]]] = {
    "Q-learning": (QLearning, grid(epsilon=(0.02, 0.05, 0.1, 0.2), power=(0.6, 0.7, 0.85))),
    "TD(lambda)": (TDLambda, grid(epsilon=(0.05, 0.15), power=(0.7, 0.85), trace=(0.3, 0.6, 0.9))),
    "value iteration": (CountedModel, grid(epsilon=(0.05, 0.1, 0.2), unseen=(0.5, 1.0), prior=(1.0, 4.0))),
    "die alone": (DieAlone, grid(epsilon=(0.05, 0.1, 0.2), prior=(0.5, 1.0, 2.0, 4.0))),
    "policy gradient": (PolicyGradient, grid(rate=(10.0, 30.0), softness=(1.0, 2.0, 4.0), trace=(0.0, 0.8))),
    "fictitious play": (
        FictitiousPlay, grid(epsilon=(0.05, 0.1, 0.2), power=(0.6, 0.75), growing=(False, True))
    ),
    "CFR": (RegretSampling, grid(epsilon=(0.1, 0.3, 0.6), clipped=(False, True), by_reach=(False, True))),
    "tree search": (TreeSearch, grid(curiosity=(0.3, 0.7, 1.4), boldness=(0.5, 0.7, 0.8, 0.9))),
}  # fmt: skip
"""The learners with twelve settings each."""

EVOLUTIONS: Mapping[str, tuple[str, tuple[Options, ...]]] = {
    "evolution, archive": ("archive", grid(generations=(50, 100, 200), edge=(0.2, 0.4), by=("worst", "mean"))),
    "evolution, twins": ("twins", grid(generations=(100, 200, 400), edge=(0.2, 0.4), step=(0.15, 0.3))),
}
"""The two ways to evolve, with as many."""

INFORMED = "die alone"
"""The learner that is told the rules but for the die, and so is no match for the others."""

EVERYONE = (*LEARNERS, *EVOLUTIONS)

SINGLE, CUBES, WHERE, SINGLES = "evolution, single cells", "evolution, twins", "Pig to 30, four sides", 10
"""The twins again with a gene for each state, whom they are set beside, on which game, and with how many seeds."""

SHORTER = (INFORMED, SINGLE)
"""Those that play a tenth of the games of the others."""

UNTOUCHED = ("Pig to 120, ten sides", "Pig to 120, five sides")
"""The games on which neither a learner nor evolution was developed or tried."""

SHOWN = (*EVERYONE, SINGLE)
"""All that tables and pictures have."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "learn what a state is worth": ("Q-learning", "TD(lambda)", "value iteration", INFORMED),
    "learn what to do": ("policy gradient", "fictitious play", "CFR", "tree search"),
    "evolve": (*EVOLUTIONS, SINGLE),
}
"""All of them, as columns of the pictures."""


def options_of(name: str) -> tuple[Options, ...]:
    """The settings that are tried."""
    return (LEARNERS.get(name) or EVOLUTIONS[name])[1]
