"""The logbook of a run, kept with DEAP: a row of figures a recorded generation, and a hall of fame.

Every figure is the referee's view, which the run itself never sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from deap import tools

from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.champion import Champion
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.generation import Generation
from pigevo.strategies import CubeGrid

COLUMNS = (
    "generation", "wave", "cube_size", "evaluations", "games", "best", "mean", "worst", "diversity", "seconds",
)  # fmt: skip

GENES_AT_ONCE = 1 << 22
"""Of which the ones are counted."""

HALL_SIZE = 10
"""Places in the hall of fame: the best strategies of all recorded generations, as the referee saw them."""


@dataclass(frozen=True)
class Logbook:
    """What a run has recorded.

    Args:
        rows: a DEAP logbook with a row of `COLUMNS`, and the state's digest, a recorded generation.
        hall: a DEAP hall of fame; members are arrays of decisions, packed to bits.
        champions: those of recorded generations, ascending.
    """

    rows: Any = field(default_factory=tools.Logbook)
    hall: Any = field(default_factory=lambda: tools.HallOfFame(HALL_SIZE, similar=np.array_equal))
    champions: list[Champion] = field(default_factory=list)

    def record(self, generation: Generation, seconds: float, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Add a generation: its row, and its best members to the hall of fame."""
        state, values = generation.state, generation.exact
        row = {
            "generation": state.generation,
            "wave": state.wave + 1,
            "cube_size": generation.grid.label,
            "evaluations": state.evaluations,
            "games": state.games,
            **_STATISTICS.compile(values),
            "diversity": diversity(state.genomes),
            "seconds": round(seconds, 3),
            **(more or {}),
            "digest": state.digest,
        }
        self.rows.record(**row)
        self.enter(generation.grid, state.genomes, values)
        return row

    def add_champion(self, generation: Generation) -> None:
        """Add the champion of a generation."""
        self.champions.append(Champion.of(generation.plan, generation.state, generation.best))

    def enter(self, grid: CubeGrid, genomes: Bytes, values: Floats) -> None:
        """Offer strategies with their figures to the hall of fame."""
        best: dict[bytes, Individual] = {}  # copies must not crowd out others
        bar = self.hall[-1].fitness.values[0] if len(self.hall) == HALL_SIZE else -np.inf
        for n in np.argsort(-values, kind="stable"):
            if values[n] <= bar:  # nor does anybody else enter a full hall
                break
            packed = np.packbits(grid.to_tables(genomes[n][None])[0])
            best.setdefault(packed.tobytes(), Individual.of(packed, float(values[n])))
            if len(best) == HALL_SIZE:
                break
        self.hall.update(list(best.values()))


def diversity(genomes: Bytes) -> float:
    """The mean share of genes in which two members differ."""
    n, genes = genomes.shape
    narrow = np.uint8 if n < 256 else np.int64  # sums of bytes are several times as fast
    differing = 0  # of all pairs in all genes: a whole number, so that no order of adding matters
    for start in range(0, genes, GENES_AT_ONCE):
        ones = genomes[:, start : start + GENES_AT_ONCE].sum(axis=0, dtype=narrow).astype(np.int64)
        differing += int((2 * ones * (n - ones)).sum())
    return differing / genes / (n * (n - 1)) if genomes.size else 0.0


def _statistics() -> Any:
    statistics = tools.Statistics()
    for name, function in (("best", np.max), ("mean", np.mean), ("worst", np.min)):
        statistics.register(name, lambda values, f=function: float(f(values)))
    return statistics


_STATISTICS = _statistics()
