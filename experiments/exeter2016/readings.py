"""What the report may have done, and how it measured what came of it.

Beside the rules of its text stand two readings under which figures become what they are:
that generation 0 was recorded before the cubes are laid, and that the round robin bred
and mutated, but never put the children into the population.  Both were found after the comparison with the text's
rules, in the figures that they explain, and their names say so: that these agree is no test of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.dice import Draw

from ..common.group import Group

TEXT = "the text's rules"
BEFORE = "(a) generation 0 before the cubes are laid, found after the comparison"
FROZEN = "(b) a round robin that never changes, found after the comparison"
ROUND_ROBINS = ("figure_7", "figure_12", "figure_15")
MEASURED = 20 * 100
"""Games from which a population mean is estimated: 20 strategies, 100 games each against the optimum."""


def courses(group: Group) -> dict[str, Floats]:
    """Population means of each run by the readings that bear on its course, shape (seeds, points) each."""
    found = {TEXT: group.mean}
    if group.name in ROUND_ROBINS:
        found[FROZEN] = np.repeat(group.mean[:, :1], group.mean.shape[1], axis=1)
    return found


def first_populations(group: Group, before: Group | None) -> dict[str, Floats]:
    """Means of the first populations, shape (seeds, 1) each.

    Args:
        group: runs that begin with cubes or without.
        before: runs that begin with the same strategies before the cubes are laid, where there are cubes.
    """
    found: Mapping[str, Group] = {TEXT: group} | ({BEFORE: before} if before else {})
    return {name: runs.mean[:, :1] for name, runs in found.items()}


def measured(means: Floats, place: int, part: int = 0) -> Floats:
    """Population means as the report would have estimated them from games.

    Args:
        means: exact ones, any shape.
        place: which luck; every row of a table has its own.
        part: which of several lucks of one row.
    """
    luck = Draw(0, "validation", 1, place, part).uniforms(means.size).reshape(means.shape)
    return np.asarray(stats.binom.ppf(luck, MEASURED, means) / MEASURED)
