"""One program behind all curves: its likelihoods by the cubes, without cubes and by the round robin, added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.core.text import with_interval

from ..common.tables import table
from .courses import read
from .scoring import Reading, Scored, beside, gaps, scored

RECORDED_WITH_CUBES = ("mean", "half")
"""What may have been recorded with cubes."""

CUBES_ALONE = ("begin", "between", "sizes", "wave")
CUBES_ALONE_FLIPS = ("mutation=first_wave", "mutation=large", "mutation=previous", "mutation=cells")
"""Options, and kinds of mutation, that without cubes are as in the text."""


@dataclass(frozen=True)
class Joint:
    """A program beside the curves of all groups.

    Args:
        name: of the program, and what it recorded with cubes.
        groups: its score by group of curves.
    """

    name: str
    groups: Mapping[str, Scored]

    def cautious(self) -> float:
        """The cautious likelihood of all curves."""
        return sum(own.cautious() for own in self.groups.values())


def without_cubes(program: str) -> str:
    """The words of a program that say something where there are no cubes."""
    return " ".join(word for word in program.split()
                    if word.partition("=")[0] not in CUBES_ALONE and word not in CUBES_ALONE_FLIPS)  # fmt: skip


def scored_jointly(folder: Path, seeds: Mapping[str, Sequence[int]]) -> list[Joint]:
    """Score every program of the joint question in each group of curves, with all that it may have recorded with cubes.

    Args:
        folder: of the runs, which are made where they are missing.
        seeds: by group of curves.
    """
    found = []
    for name, program in read("readings.yaml")["joint"].items():
        bare = {
            group: scored(Reading(name, without_cubes(program)), group, folder, own)
            for group, own in seeds.items() if group != "cubes"
        }  # fmt: skip
        for recorded in RECORDED_WITH_CUBES:
            whole = f"{name}, halved" if recorded == "half" else name
            cubes = scored(Reading(whole, program, recorded), "cubes", folder, seeds["cubes"])
            found.append(Joint(whole, {"cubes": cubes, **bare}))
    return found


def as_markdown(found: Sequence[Joint], luck: float, best_of_groups: Mapping[str, Scored]) -> str:
    """The programs by their likelihood, each beside the best one and beside a program of its own for each group.

    Args:
        found: the programs.
        luck: the log likelihood ratio that the best of all wrong readings exceeds with a small chance.
        best_of_groups: the best reading of each group, whichever program it has.
    """
    order = sorted(found, key=lambda joint: -joint.cautious())
    separate = Joint("the best of each group", best_of_groups)
    rows = [_row(separate, separate, luck), *(_row(joint, separate, luck) for joint in order)]
    for row, joint in zip(rows[1:], order, strict=True):
        row.append("best" if joint is order[0] else beside(_behind(order[0], joint)[1], luck))
    rows[0].append("")
    names = [group.replace("_", " ") for group in separate.groups]
    head = ["program", *names, "all", "behind the best of each group (95 % interval)", "beside the best program"]
    return table(head, rows)


def _row(joint: Joint, separate: Joint, luck: float) -> list[object]:
    figures: list[object] = [f"{own.cautious():.1f}" for own in joint.groups.values()]
    apart = "" if joint is separate else with_interval(*_behind(separate, joint), ".1f")
    return [joint.name, *figures, f"{joint.cautious():.1f}", apart]


def _behind(best: Joint, joint: Joint) -> tuple[float, float, float]:
    """How far a program is behind another, with a 95 % interval over resampled seeds of each group."""
    samples = (gaps(best.groups[group], own, part) for part, (group, own) in enumerate(joint.groups.items()))
    low, high = np.quantile([sum(gap) for gap in zip(*samples, strict=False)], (0.025, 0.975)).tolist()
    return best.cautious() - joint.cautious(), low, high
