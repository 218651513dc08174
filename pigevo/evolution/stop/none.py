"""No stop rule: the run is as long as planned."""

from __future__ import annotations

from dataclasses import dataclass

from pigevo.evolution.operators import State
from pigevo.evolution.plan import Evaluated, StopRule
from pigevo.evolution.registries import STOPS


@STOPS.register(name="none")
@dataclass(frozen=True)
class Never(StopRule):
    """The run is as long as `generations`, or its waves, say."""

    def ends(self, generation: Evaluated, remembered: State) -> bool:
        """Never."""
        return False
