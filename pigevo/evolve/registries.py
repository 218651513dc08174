"""Stub of the registries of operators, for developing the command line against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pigevo.registry import Registry, Within

POPULATIONS = Registry("population", given=("context",))
SELECTIONS = Registry("selection", given=("context",))
JUDGES = Registry("fitness", given=("context",))
CROSSOVERS = Registry("crossover", given=("context",))
MUTATORS = Registry("mutator", given=("context",))
REPLACEMENTS = Registry("replacement", given=("context",))
CUBES = Registry("cubes", given=("context",))
BASELINES = Registry("baseline", given=("context",))

Size = Annotated[int, Within(2)]
Count = Annotated[int, Within(1)]


@POPULATIONS.register()
def random(context: Any, size: Size) -> None:
    """Stub."""


@POPULATIONS.register()
def hold_at(context: Any, size: Size, values: Sequence[int] = (10, 15, 20, 25, 30)) -> None:
    """Stub."""


@POPULATIONS.register()
def score(context: Any, size: Size, values: Sequence[int] = (10, 15, 20, 25, 30)) -> None:
    """Stub."""


@POPULATIONS.register()
def optimal(context: Any, size: Size) -> None:
    """Stub."""


@POPULATIONS.register()
def named(context: Any, size: Size, names: Sequence[str]) -> None:
    """Stub."""


@SELECTIONS.register()
def knockout(context: Any) -> None:
    """Stub."""


@SELECTIONS.register()
def round_robin(context: Any) -> None:
    """Stub."""


@SELECTIONS.register()
def truncation(context: Any, share: Annotated[float, Within(0, 1)] = 0.5) -> None:
    """Stub."""


@SELECTIONS.register()
def deap(context: Any, operator: str = "selTournament", arguments: Mapping[str, Any] | None = None) -> None:
    """Stub."""


@JUDGES.register()
def games(context: Any, games: Count = 100) -> None:
    """Stub."""


@JUDGES.register()
def exact(context: Any) -> None:
    """Stub."""


@JUDGES.register()
def exact_vs_optimal(context: Any) -> None:
    """Stub."""


@JUDGES.register()
def exact_vs(context: Any, opponent: str = "hold_at:20") -> None:
    """Stub."""


@CROSSOVERS.register()
def agree_or_random(context: Any) -> None:
    """Stub."""


@CROSSOVERS.register(name="deap")
def deap_cross(context: Any, operator: str = "cxUniform", arguments: Mapping[str, Any] | None = None) -> None:
    """Stub."""


@MUTATORS.register()
def bit_flip(context: Any) -> None:
    """Stub."""


@MUTATORS.register(name="deap")
def deap_mutate(
    context: Any, operator: str = "mutFlipBit", arguments: Mapping[str, Any] | None = None
) -> None:
    """Stub."""


@REPLACEMENTS.register()
def offspring(context: Any) -> None:
    """Stub."""


@REPLACEMENTS.register()
def survivors_and_offspring(context: Any) -> None:
    """Stub."""


@CUBES.register(name="none")
def no_cubes(context: Any) -> None:
    """Stub."""


@CUBES.register()
def waves(
    context: Any, sizes: Sequence[int] = (20, 10, 5), generations: Count | Sequence[Count] = 100
) -> None:
    """Stub."""


@BASELINES.register(name="none")
def no_baseline(context: Any) -> None:
    """Stub."""


@BASELINES.register()
def random_search(context: Any, populations: Count = 300) -> None:
    """Stub."""
