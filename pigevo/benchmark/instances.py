"""The tasks of the benchmark: a game, a cube grid, how answers are found, and whom one may meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pigevo.benchmark.protocol import Problem, Unit
from pigevo.core.checked_values import whole
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import Game, Pig
from pigevo.strategies import CubeGrid

Opponent = Literal["none", "optimal"]

EVALUATIONS = 5_000
GAMES = 100_000
"""The usual budgets: of exact evaluations, and of games."""

LARGEST_TARGET = 200
LARGEST_BUDGET = 10**12
FORM = re.compile(r"t(\d+)(?:-d(\d+))?(?:-c(\d+))?(?:-(exact|g(\d+)))?(-oracle)?")
HOW = "write it as t20-d3-c2-g100-oracle (target, sides of the die, edge of the cuboids, games of a match or `exact`)"


@dataclass(frozen=True)
class Instance:
    """A task: to find, within a budget, the strategy of Pig that loses least.

    Args:
        target: points to bank.
        sides: faces of the die.
        cube: edge of the cuboids that a gene decides.
        games: games of a match, an even number so that each player moves first as often; 0 for exact answers.
        opponent: `none`, so that strategies meet only each other; or `optimal`, so that they may also meet the
            optimal strategy, an oracle that is noisy unless answers are exact.

    Raises:
        InputError: a number out of its range, or an odd number of games.

    Example:
        >>> from pigevo.benchmark import Instance
        >>> Instance(target=10, sides=2, games=10).name
        't10-d2-c1-g10'
    """

    target: int
    sides: int = 6
    cube: int = 1
    games: int = 0
    opponent: Opponent = "none"

    def __post_init__(self) -> None:
        if not 1 <= self.target <= LARGEST_TARGET:
            raise InputError(f"the instance {self.name} has no such target: it must be from 1 to {LARGEST_TARGET}.")
        if self.games % 2:
            raise InputError(
                f"the instance {self.name} has matches of {self.games} games: their number must be even, so that each "
                "player moves first as often."
            )
        _ = self.grid

    @property
    def name(self) -> str:
        """As it is typed, `t20-d3-c2-exact` or `t20-d3-c2-g100-oracle`."""
        how = f"g{self.games}" if self.games else "exact"
        oracle = "-oracle" if self.opponent == "optimal" else ""
        return f"t{self.target}-d{self.sides}-c{self.cube}-{how}{oracle}"

    @property
    def game(self) -> Game:
        """Pig with this target and die."""
        return Pig(target=self.target, sides=self.sides)

    @cached_property
    def grid(self) -> CubeGrid:
        """What a gene decides."""
        return CubeGrid(self.game, self.cube)

    @property
    def unit(self) -> Unit:
        """What is spent on it."""
        return "games" if self.games else "evaluations"

    @property
    def usual_budget(self) -> int:
        """How much may be spent unless another budget is given."""
        return GAMES if self.games else EVALUATIONS

    def problem(self, seed: int, budget: int | None = None) -> Problem:
        """What an algorithm knows of it, with a budget of evaluations, or of games where there are any.

        A budget that does not pay for two pairs is refused.
        """
        Draw(seed, "population")  # refuses a wrong seed before an algorithm is blamed for it
        budget = self.usual_budget if budget is None else budget
        problem = Problem(self.grid.genes, self.games, self.opponent == "optimal", budget, seed)
        if not whole(budget) or not 2 * problem.cost <= budget <= LARGEST_BUDGET:
            least = f"from {2 * problem.cost} {problem.unit}, which pay for two pairs, to {LARGEST_BUDGET:,}"
            raise InputError(f"a budget of {short_repr(budget)} does not do for {self.name}: it must be {least}.")
        return problem


def instance(text: str) -> Instance:
    """The instance of that name; what is left away is `-d6-c1-exact`.

    Raises:
        InputError: no instance has this name.

    Example:
        >>> from pigevo.benchmark import instance
        >>> instance("t10-d2-c2-g10").games
        10
    """
    found = FORM.fullmatch(text) if isinstance(text, str) else None
    if not found or max(map(len, re.findall(r"\d+", text))) > 9:
        raise InputError(f"there is no instance {short_repr(text)}; {HOW}, or name a suite: {', '.join(SUITES)}.")
    target, sides, cube, _, games, oracle = found.groups()
    return Instance(int(target), int(sides or 6), int(cube or 1), int(games or 0), "optimal" if oracle else "none")


def instances(words: str) -> tuple[Instance, ...]:
    """Instances by name, and those of suites, separated by commas; each once, in the order in which they are named."""
    if not isinstance(words, str):
        raise InputError(
            f"instances are named in one text, separated by commas, as 'quick,t30-d2'; not {short_repr(words)}."
        )
    found = [one for word in words.split(",") for one in (SUITES.get(word.strip()) or [word.strip()])]
    return tuple(dict.fromkeys(instance(one) for one in found))


SUITES: dict[str, tuple[str, ...]] = {
    "quick": ("t10-d2-c1-exact", "t20-d3-c2-exact", "t20-d3-c2-g10", "t20-d3-c2-g100-oracle"),
    "small": (
        "t10-d2-c1-exact", "t10-d2-c1-g10", "t20-d3-c2-exact", "t20-d3-c2-exact-oracle", "t20-d3-c2-g10",
        "t20-d3-c2-g100", "t20-d3-c2-g100-oracle", "t20-d4-c1-exact", "t30-d2-c3-exact", "t30-d6-c2-exact",
    ),
}  # fmt: skip
"""Sets of instances.  With six sides and a target up to 30 the optimum rolls always: t30-d6 is the easy one."""
