"""Wishes of Exeter 2016 that its study leaves open: are they worth more than a smallest effect?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pigevo.core.text import with_interval
from pigevo.sweeps import run_jobs
from pigevo.sweeps.statistics import Compared

from ..common.group import Group, Question, answers, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import table

FRESH = 61_000
"""The first of the seeds, with which nothing was tried before."""

LEAST = 0.02
"""The smallest difference of population means in the last generation that matters."""

EFFECTS = {
    "sets": ("matches as 20 sets of 5 games", "plain"), "one_point": ("one-point crossover", "plain"),
    "two_points": ("two-point crossover", "plain"),
    "against_optimum": ("judged against the optimum", "against_each_other"),
    "against_optimum_replaced": ("judged against the optimum, all replaced", "against_each_other_replaced"),
    "round_robin_hold_at": ("round robin from hold-at strategies", "knockout_hold_at"),
}  # fmt: skip
"""Each wish in words, and the setting from which it differs in one thing."""


def effects(folder: Path, seeds: int, workers: int) -> str:
    """The table of the effects, after the runs that are missing."""
    jobs = jobs_of(read_settings(Path(__file__).parent / "settings.yaml")["effects"], seeds, folder, FRESH)
    conclude(run_jobs(in_turn(jobs), workers, "runs of open effects"))
    return as_markdown(groups_of(jobs))


def as_markdown(groups: Mapping[str, Group]) -> str:
    """Each effect with its interval, corrected for their number, and what it says of the smallest one that matters."""
    last = {name: group.by_seed(group.at(group.wave_ends[-1])) for name, group in groups.items()}
    questions = [Question(what, other, last[name], last[other]) for name, (what, other) in EFFECTS.items()]
    rows = [
        (one.a, one.b, one.seeds, with_interval(one.difference, one.low, one.high, "+.4f"), f"{one.corrected:.2g}",
         verdict(one)) for one in answers(questions)
    ]  # fmt: skip
    return table(["A", "B", "seeds", "A - B (95 % interval)", "p", "verdict"], rows)


def verdict(one: Compared) -> str:
    """What the interval of a difference says."""
    if one.low is None or one.high is None:
        return "open"
    if one.low > -LEAST and one.high < LEAST:
        return f"smaller than {LEAST}"
    return "A" if one.low > 0 else "B" if one.high < 0 else "open"
