"""No stop rule: the run is as long as planned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigevo.evolution.operators import State
from pigevo.evolution.registries import STOPS
from pigevo.evolution.stopping import StopRule

if TYPE_CHECKING:
    from pigevo.evolution.loop import Generation


@STOPS.register(name="none")
@dataclass(frozen=True)
class Never(StopRule):
    """The run is as long as `generations`, or its waves, say."""

    def ends(self, generation: Generation, remembered: State) -> bool:
        """Never."""
        return False
