"""Whose champions a run records: those of the generations of `metrics.csv`, or of every second, fourth, ... of them.

Which they are follows from the settings alone, so it cannot depend on where a run was interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pigevo.evolution.operators import Selection
from pigevo.evolution.plan import Plan
from pigevo.settings import Settings

MOST = 2000
"""Champions of a run."""

MOST_BYTES = 8 << 20
"""Bytes of their file."""

PER_LINE = 40
"""Bytes of the file beside a genome, in which four characters hold 24 genes."""

MOST_MEASURED = 25
"""Generations in which the champion's luck is recorded, beside the ends of waves."""

MOST_GAMES, SHARE = 1_000_000, 0.1
"""Games that may be spent on finding them: so many, or that share of the run's own if these are more."""

EXACT = 5000
"""Games that take as long as one exact win probability, about."""


@dataclass(frozen=True)
class Spacing:
    """Generations.

    Args:
        step: from 0 on, every so many of them; 0 for none.
        ends: the last ones of waves, which are in as well.
    """

    step: int
    ends: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return number in self.ends or (self.step > 0 and number % self.step == 0)

    def until(self, last: int) -> list[int]:
        """All of them that are not after a generation, and that one."""
        steps = range(0, last + 1, self.step) if self.step else ()
        return sorted({*steps, *(end for end in self.ends if end <= last), last})


def spacing(settings: Settings) -> Spacing:
    """The generations whose champions a run records; the last one's is known at its end in any case."""
    plan, most = settings.plan, _affordable(settings.plan)
    step = settings.record_every
    while True:
        counts = _counts(plan, step)
        held = sum(count * (PER_LINE + wave.grid.genes // 6) for count, wave in zip(counts, plan.waves, strict=True))
        if sum(counts) - 1 <= most and held <= MOST_BYTES:
            return Spacing(step, plan.wave_ends)
        if step > plan.generations:
            return Spacing(0, frozenset())
        step *= 2


def measuring(settings: Settings) -> Spacing:
    """Those of these generations in which luck is told from merit, for which many exact figures are needed."""
    found = spacing(settings)
    step = found.step
    while step and settings.plan.generations > MOST_MEASURED * step:
        step *= 2
    return Spacing(step, found.ends)


def _counts(plan: Plan, step: int) -> list[int]:
    """How many of each wave's generations are recorded; that of generation 0 is the first wave's."""
    begins = [0, *sorted(plan.wave_ends)]
    found = [end // step - begin // step + (end % step > 0) for begin, end in pairwise(begins)]
    return [found[0] + 1, *found[1:]]


def _affordable(plan: Plan) -> int:
    """How many champions may be found beside the last one."""
    asked = not plan.fitness.plays.members or type(plan.selection).pairs is Selection.pairs
    if asked and plan.islands.count == 1:
        return MOST - 1  # selection asks all that is needed
    met = plan.size / 2 * plan.generations
    return int(
        min(
            MOST - 1,
            max(MOST_GAMES / (plan.fitness.plays.games or EXACT), SHARE * met) // max(plan.champion_matches, 1),
        )
    )
