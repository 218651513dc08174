"""One program behind all curves: its likelihoods by the cubes, without cubes and by the round robin, added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.core.text import with_interval

from ..common.tables import table
from .courses import read
from .scoring import Reading, Scored, beside, resampled, scored

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


def as_markdown(
    found: Sequence[Joint], best_of_groups: Mapping[str, Scored], luck: float, luck_of_groups: float
) -> str:
    """The programs by their likelihood, each beside the best one and beside a program of its own for each group.

    Args:
        found: the programs.
        best_of_groups: the best reading of each group, whichever program it has.
        luck: the log likelihood ratio that the best of all wrong readings exceeds with a small chance.
        luck_of_groups: the same of the best readings of the groups, each chosen for itself.
    """
    separate = Joint("the best of each group", best_of_groups)
    order = sorted(found, key=lambda joint: -joint.cautious())
    samples = {joint.name: _samples(joint) for joint in (separate, *order)}
    names = [group.replace("_", " ") for group in separate.groups]
    rows: list[list[object]] = []
    for joint in (separate, *order):
        own = [f"{judgement.cautious():.1f}" for judgement in joint.groups.values()]
        rows.append([joint.name, *own, f"{joint.cautious():.1f}"])
        rows[-1] += [
            _behind(before, joint, samples, luck_of_groups if before is separate else luck)
            for before in (separate, order[0])
            if joint not in (separate, before)
        ]
    head = ["program", *names, "all", "behind the best of each group (95 % interval)", "behind the best program"]
    return table(head, [[*row, *[""] * (len(head) - len(row))] for row in rows])


def _samples(joint: Joint) -> list[float]:
    """The cautious likelihood of all curves in samples of the seeds of each group."""
    of_groups = (resampled(own, part).tolist() for part, own in enumerate(joint.groups.values()))
    return [sum(values) for values in zip(*of_groups, strict=False)]


def _behind(best: Joint, joint: Joint, samples: Mapping[str, list[float]], luck: float) -> str:
    """How far a program is behind another, with a 95 % interval over resampled seeds, and what that says."""
    gaps = np.subtract(samples[best.name], samples[joint.name])
    low, high = np.quantile(gaps, (0.025, 0.975)).tolist()
    return f"{with_interval(best.cautious() - joint.cautious(), low, high, '.1f')}, {beside(low, luck)}"
