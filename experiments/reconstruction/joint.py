"""One program behind all curves: its likelihoods by the cubes, without cubes and by the round robin, added."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.core.text import with_interval

from ..common.tables import table
from .courses import read
from .likelihood import RECORDED
from .scoring import Reading, Scored, beside, resampled, scored

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

    def cautious(self, every_sentence: bool = False) -> float:
        """The cautious likelihood of all curves."""
        return sum(own.cautious(every_sentence=every_sentence) for own in self.groups.values())

    def apart_from(self, group: str) -> Joint:
        """The same program beside the curves of the other groups."""
        return Joint(self.name, {name: own for name, own in self.groups.items() if name != group})

    def excluding(self, programs: int, level: float) -> list[str]:
        """The least probable figure of each group, if it excludes one of so many programs at a level."""
        farthest = {group: own.farthest() for group, own in self.groups.items()}
        return [", ".join(key) for key, p in farthest.values() if p * programs < level]


def without_cubes(program: str) -> str:
    """The words of a program that say something where there are no cubes."""
    return " ".join(word for word in program.split()
                    if word.partition("=")[0] not in CUBES_ALONE and word not in CUBES_ALONE_FLIPS)  # fmt: skip


def scored_jointly(folder: Path, seeds_of: Callable[[str, str], Sequence[int]]) -> list[Joint]:
    """Score every program of the joint question in each group of curves.

    With cubes it recorded the mean of a population, or half of it, or what fits best of all that may have been
    recorded, where that fits better than these two.

    Args:
        folder: of the runs, which are made where they are missing.
        seeds_of: the seeds by program and group of curves.
    """
    found = []
    for name, program in read("readings.yaml")["joint"].items():
        bare = without_cubes(program)
        others = {
            group: scored(Reading(name, bare), group, folder, seeds_of(bare, group))
            for group in ("cells", "round_robin")
        }
        seeds = seeds_of(program, "cubes")
        cubes = {
            recorded: scored(Reading(named(name, recorded), program, recorded), "cubes", folder, seeds)
            for recorded in RECORDED
        }
        best = max(RECORDED, key=lambda recorded: cubes[recorded].cautious())
        found += [Joint(cubes[recorded].reading.name, {"cubes": cubes[recorded], **others})
                  for recorded in dict.fromkeys(("mean", "half", best))]  # fmt: skip
    return found


def named(program: str, recorded: str) -> str:
    """The name of a program with what it recorded."""
    return {"mean": program, "half": f"{program}, halved"}.get(recorded, f"{program}, {recorded}")


def as_markdown(found: Sequence[Joint], separate: Joint, luck: float, luck_of_groups: float, level: float) -> str:
    """The programs by their likelihood, each beside the best one and beside a program of its own for each group.

    Args:
        found: the programs.
        separate: the best reading of each group, whichever program it has.
        luck: the log likelihood ratio that the best of all wrong readings exceeds with a small chance.
        luck_of_groups: the same of the best readings of the groups, each chosen for itself.
        level: at which one improbable figure excludes a program.
    """
    order = sorted(found, key=lambda joint: -joint.cautious())
    samples = {joint.name: _samples(joint) for joint in (separate, *order)}
    names = [group.replace("_", " ") for group in separate.groups]
    rows: list[list[object]] = []
    for joint in (separate, *order):
        own = [f"{judgement.cautious():.1f}" for judgement in joint.groups.values()]
        rows.append([joint.name, *own, f"{joint.cautious():.1f}"])
        rows[-1] += [
            _behind(before, joint, samples, luck_of_groups if before is separate else luck)
            for before in ([separate, order[0]] if joint is not separate else [])
            if before is not joint
        ]
        rows[-1] += [""] * (len(names) + 4 - len(rows[-1]))
        rows[-1].append("; ".join(joint.excluding(len(found), level)) if joint is not separate else "")
        rows[-1].append(f"{joint.cautious(every_sentence=True):.1f}")
    head = ["program", *names, "together", "behind the best of each group (95 % interval)", "behind the best program",
            "excluded by", "with all sentences"]  # fmt: skip
    return table(head, rows)


def _samples(joint: Joint) -> list[float]:
    """The cautious likelihood of all curves in samples of the seeds of each group."""
    of_groups = (resampled(own, part).tolist() for part, own in enumerate(joint.groups.values()))
    return [sum(values) for values in zip(*of_groups, strict=False)]


def _behind(best: Joint, joint: Joint, samples: Mapping[str, list[float]], luck: float) -> str:
    """How far a program is behind another, with a 95 % interval over resampled seeds, and what that says."""
    gaps = np.subtract(samples[best.name], samples[joint.name])
    low, high = np.quantile(gaps, (0.025, 0.975)).tolist()
    return f"{with_interval(best.cautious() - joint.cautious(), low, high, '.1f')}, {beside(low, luck)}"
