"""The books of a run, kept with DEAP: a row of figures a recorded generation, and a hall of fame.

Every figure is the referee's view, which the run itself never sees.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from deap import tools

from pigevo.arrays import Bytes, Floats
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.loop import State
from pigevo.evolution.plan import Plan
from pigevo.evolution.referee import referee

COLUMNS = (
    "generation", "wave", "cube_size", "evaluations", "games", "best", "mean", "worst", "diversity", "seconds",
)  # fmt: skip

HALL = 10
"""Places in the hall of fame: the best strategies of all recorded generations, as the referee saw them."""


@dataclass(frozen=True)
class Books:
    """What a run has recorded.

    Args:
        logbook: a DEAP logbook with a row of `COLUMNS`, and the state's digest, a recorded generation.
        hall: a DEAP hall of fame; members are arrays of decisions, packed to bits.
    """

    logbook: Any = field(default_factory=tools.Logbook)
    hall: Any = field(default_factory=lambda: tools.HallOfFame(HALL, similar=np.array_equal))

    def record(self, plan: Plan, state: State, seconds: float) -> dict[str, Any]:
        """Add a generation: its row, and its best members to the hall of fame."""
        grid = plan.waves[state.wave].grid
        rows = grid.to_tables(state.genomes)
        values = referee(plan.game, rows, plan.workers)
        row = {
            "generation": state.generation,
            "wave": state.wave + 1,
            "cube_size": grid.label,
            "evaluations": state.evaluations,
            "games": state.games,
            **_STATISTICS.compile(values),
            "diversity": diversity(state.genomes),
            "seconds": round(seconds, 3),
            "digest": state.digest,
        }
        self.logbook.record(**row)
        self.enter(rows, values)
        return row

    def enter(self, rows: Bytes, values: Floats) -> None:
        """Offer judged strategies to the hall of fame."""
        best: dict[bytes, Individual] = {}  # copies must not crowd out others
        for n in np.argsort(-values, kind="stable"):
            packed = np.packbits(rows[n])
            best.setdefault(packed.tobytes(), Individual.of(packed, float(values[n])))
            if len(best) == HALL:
                break
        self.hall.update(list(best.values()))


def diversity(genomes: Bytes) -> float:
    """The mean share of genes in which two members differ."""
    n = len(genomes)
    ones = genomes.sum(axis=0, dtype=np.int64)
    return float((2 * ones * (n - ones)).mean() / (n * (n - 1))) if genomes.size else 0.0


def _statistics() -> Any:
    statistics = tools.Statistics()
    for name, function in (("best", np.max), ("mean", np.mean), ("worst", np.min)):
        statistics.register(name, lambda values, f=function: float(f(values)))
    return statistics


_STATISTICS = _statistics()
