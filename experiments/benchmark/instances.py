"""The tasks of the benchmark: a game, a cube grid, the kind of answers, and the allowed opponents."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

from pigevo.core.checked_values import is_integer
from pigevo.core.text import short_repr
from pigevo.dice import Draw
from pigevo.errors import InputError, unknown
from pigevo.games import GAMES, Game
from pigevo.games.game_record import make_game, registered_name
from pigevo.strategies import CubeGrid

from .protocol import Problem, Unit

Opponent = Literal["none", "optimal"]

EVALUATION_BUDGET = 5_000
GAME_BUDGET = 100_000
"""The usual budgets, of exact evaluations and of games."""

LARGEST_TARGET = 200
LARGEST_BUDGET = 10**12
USUAL = "pig"
"""The game of an instance whose name contains none."""

LETTERS = {"target": "t", "turns": "n", "cap": "m", "sides": "d"}
"""The options of a game in an instance's name."""

FORM = re.compile(r"(?:([a-z_]{3,})-)?([tnmd]\d+(?:-[tnmd]\d+)*)(?:-c(\d+))?(?:-(exact|g(\d+)))?(-oracle)?")
HOW = "write it as t20-d3-c2-g100-oracle (target, sides of the die, edge of the cubes, games of a match or `exact`)"


@dataclass(frozen=True)
class Instance:
    """A task: to find the strategy of a game with the smallest loss, within a budget.

    Args:
        game: one of pigevo's games, possibly with other numbers of points, turns and sides.
        cube: the edge of the cubes of a gene.
        games: the number of games of a match, even, so that each player moves first equally often; 0 for exact answers.
        opponent: `none`, so that strategies meet only each other; or `optimal`, so that they may also meet the
            optimal strategy, an oracle that is noisy unless answers are exact.

    Raises:
        InputError: a number is out of range, the number of games is odd, or the game has no name, or has options that
            an instance's name cannot contain.

    Example:
        >>> import pigevo
        >>> from pigevo.experiments.benchmark import Instance
        >>> Instance(pigevo.Pig(10, 2), games=10).name, Instance(pigevo.Piglet(20), cube=2).name
        ('t10-d2-c1-g10', 'piglet-t20-c2-exact')
    """

    game: Game
    cube: int = 1
    games: int = 0
    opponent: Opponent = "none"

    def __post_init__(self) -> None:
        word, options = registered_name(type(self.game)), _lettered(self.game)
        if word is None or make_game(word, options) != self.game:
            raise InputError(
                f"{short_repr(self.game)} is no game of an instance: it must be one of pigevo's, in which only "
                f"{', '.join(LETTERS)} are not as usual."
            )
        for name, value in options.items():
            _refuse_size(name, value, self.name)
        if self.games % 2:
            raise InputError(
                f"the instance {self.name} has matches of {self.games} games: their number must be even, so that each "
                "player moves first as often."
            )
        _ = self.grid

    @property
    def name(self) -> str:
        """The name as typed, `t20-d3-c2-exact` or `piglet-t20-c2-g100-oracle`."""
        word = registered_name(type(self.game))
        sizes = [f"{LETTERS[name]}{value}" for name, value in _lettered(self.game).items()]
        how = f"g{self.games}" if self.games else "exact"
        oracle = "-oracle" if self.opponent == "optimal" else ""
        return "-".join([*([word] if word and word != USUAL else []), *sizes, f"c{self.cube}", how]) + oracle

    @cached_property
    def grid(self) -> CubeGrid:
        """The cube grid of the genomes."""
        return CubeGrid(self.game, self.cube)

    @property
    def unit(self) -> Unit:
        """The unit of the budget."""
        return "games" if self.games else "evaluations"

    @property
    def usual_budget(self) -> int:
        """The default budget."""
        return GAME_BUDGET if self.games else EVALUATION_BUDGET

    def problem(self, seed: int, budget: int | None = None) -> Problem:
        """The problem for an algorithm, with a budget of evaluations, or of games if games are played.

        A budget that is not enough for two pairs is refused.
        """
        Draw(seed, "population")  # refuses a wrong seed before an algorithm fails because of it
        budget = self.usual_budget if budget is None else budget
        problem = Problem(self.grid.genes, self.games, self.opponent == "optimal", budget, seed)
        if not is_integer(budget) or not 2 * problem.cost <= budget <= LARGEST_BUDGET:
            least = f"from {2 * problem.cost} {problem.unit}, which pay for two pairs, to {LARGEST_BUDGET:,}"
            raise InputError(f"a budget of {short_repr(budget)} does not do for {self.name}: it must be {least}.")
        return problem


def instance(text: str) -> Instance:
    """The instance of a name; parts left out are `-c1-exact` and the game's defaults.

    Raises:
        InputError: no instance has this name.

    Example:
        >>> from pigevo.experiments.benchmark import instance
        >>> instance("t10-d2-c2-g10").games, instance("big_pig-t30").game
        (10, BigPig(target=30, bonus=25, allow_pass=False))
    """
    match = FORM.fullmatch(text) if isinstance(text, str) else None
    if not match or max(map(len, re.findall(r"\d+", text))) > 9:
        raise InputError(f"there is no instance {short_repr(text)}; {HOW}, or name a suite: {', '.join(SUITES)}.")
    word, sizes, cube, _, games, oracle = match.groups()
    word = word or USUAL
    if word not in GAMES:
        raise unknown("game", word, GAMES, f" for the instance {text}")
    names, chosen = {letter: name for name, letter in LETTERS.items()}, sizes.split("-")
    options = {names[size[0]]: int(size[1:]) for size in chosen}
    has = _sizes(GAMES[word].function)
    if list(options) != [name for name in has if name in options] or len(options) < len(chosen):
        form = ", ".join(f"{LETTERS[name]} ({name})" for name in has)
        raise InputError(f"there is no instance {short_repr(text)}; {HOW}; the numbers of {word} are {form}.")
    for name, value in options.items():
        _refuse_size(name, value, text)
    return Instance(make_game(word, options), int(cube or 1), int(games or 0), "optimal" if oracle else "none")


def _sizes(game: Any) -> list[str]:
    """The options of a game, or of a class of one, that an instance's name says, in their order in the name."""
    own = {one.name for one in fields(game) if one.init}
    return [name for name in LETTERS if name in own]


def _lettered(game: Game) -> dict[str, int]:
    """The values of a game's options that its instance's name says."""
    word = registered_name(type(game))
    return {name: getattr(game, name) for name in (_sizes(game) if word else ())}


def _refuse_size(name: str, value: int, of: str) -> None:
    if name != "sides" and not 1 <= value <= LARGEST_TARGET:
        raise InputError(f"the instance {of} has no such {name}: it must be from 1 to {LARGEST_TARGET}.")


def instances(words: str) -> tuple[Instance, ...]:
    """Instances given by names and suites, separated by commas; each once, in the given order."""
    if not isinstance(words, str):
        raise InputError(
            f"instances are named in one text, separated by commas, as 'quick,t30-d2'; not {short_repr(words)}."
        )
    names = [one for word in words.split(",") for one in (SUITES.get(word.strip()) or [word.strip()])]
    return tuple(dict.fromkeys(instance(name) for name in names))


SUITES: dict[str, tuple[str, ...]] = {
    "games": (
        "piglet-t20-c2-exact", "piglet-t20-c2-g10", "ten_rounds-n3-m20-d6-c2-g100", "skunk-t20-m30-d6-c3-g100",
    ),
    "quick": ("t10-d2-c1-exact", "t20-d3-c2-exact", "t20-d3-c2-g10", "t20-d3-c2-g100-oracle"),
    "small": (
        "t10-d2-c1-exact", "t10-d2-c1-g10", "t20-d3-c2-exact", "t20-d3-c2-exact-oracle", "t20-d3-c2-g10",
        "t20-d3-c2-g100", "t20-d3-c2-g100-oracle", "t20-d4-c1-exact", "t30-d2-c3-exact", "t30-d6-c2-exact",
    ),
}  # fmt: skip
"""Sets of instances; `games` are games other than Pig.

With six sides and a target of up to 30 the optimum always rolls: t30-d6 is the easy one."""
