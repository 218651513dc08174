"""Stop when so many strategies have been evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pigevo.checked import Within
from pigevo.evolution.operators import State
from pigevo.evolution.registries import STOPS
from pigevo.evolution.stopping import StopRule

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation


@STOPS.register(name="evaluations")
@dataclass(frozen=True)
class Evaluations(StopRule):
    """The run ends with the generation by which so many strategies have been evaluated, as `result.json` counts them.

    Args:
        evaluations: how many, each newly made strategy once; the last generation is evaluated whole.
    """

    evaluations: Annotated[int, Within(1, 10**15)] = 100_000

    def ends(self, generation: Generation, remembered: State) -> bool:
        """Whether they have, this generation included."""
        return generation.state.evaluations + generation.state.fresh >= self.evaluations
