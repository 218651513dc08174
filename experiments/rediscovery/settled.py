"""What ten seeds left open: settings beside one of them, on thirty seeds on which nothing was chosen.

The ten seeds of the table `ingredients`, and ten of each setting of `archives`, came first.  What follows was
fixed after them and before the runs here.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, mean_interval, share_interval
from pigevo.core.text import with_interval
from pigevo.storage.files import csv_bytes

from ..common.tables import table


@dataclass(frozen=True)
class Plan:
    """What is compared, fixed before the runs.

    Args:
        first: the first of the seeds.
        settings: the names of the settings, all compared with the first of them.
        interest: the smallest effect of interest, in win probability.
        behind: a champion that wins less than this against the optimum stayed behind.
    """

    first: int
    settings: tuple[str, ...]
    interest: float
    behind: float

    @property
    def reference(self) -> str:
        """The setting with which the others are compared."""
        return self.settings[0]

    def words(self, settings: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
        """The words of each setting, from the parts of the study's settings."""
        known = {name: words for part in settings.values() for name, words in part.items()}
        return {name: known[name] for name in self.settings}


INGREDIENTS = Plan(
    first=993_001,
    settings=(
        "all_ingredients", "moves_alone", "no_level_moves", "cells_from_the_start", "survivors_not_kept",
        "half_survives", "no_crossover", "no_aim_at_visits", "moves_chosen_alike", "no_flips", "flips_alone",
    ),
    interest=0.0004,
    behind=0.4985,
)  # fmt: skip
"""Which ingredient of `rediscover` does it: one is taken away at a time.

Half of the loss of all ingredients to the optimum in the ten seeds before (.0008) is of interest: what changes less is
not what brings a run near the optimum.

Left out of the eighteen of `ingredients` is what ten seeds have settled and is no ingredient of the experiment (both
hill climbers, DEAP's operators, random search, a population of 80), and what differs from a setting here by more than
one thing or takes the place of what is taken away here (two other crossovers, flips with a heavy tail, shifts by a
fixed law)."""

OPPONENTS = Plan(
    first=995_001,
    settings=(
        "worst_of_the_archive", "mean_of_the_archive", "the_last_champion_alone", "own_round_robin",
        "own_round_robin_half_survives",
    ),
    interest=0.0005,
    behind=0.4995,
)  # fmt: skip
"""Which opponents do without an oracle: the five settings of `archives`, on a game to 50.

Of interest is .0005, the loss to the optimum that the study's goal for `coevolve` on that game, .4995, allows."""

PLANS = {"settled": INGREDIENTS, "opponents": OPPONENTS}
"""By the name of the table, of the file with a row for each run, and of the folder of the runs."""

Rows = dict[str, dict[int, float]]
"""What the champion of each run wins against the optimum, by setting and seed."""


@dataclass(frozen=True)
class Settled:
    """A setting beside the first one of a plan, seed by seed.

    Args:
        mean, low, high: the mean difference and its interval, simultaneous with those of all settings (Bonferroni).
        effect: the mean difference in standard deviations of the differences (Cohen's d_z).
        verdict: `as good` if both one-sided tests at 5 % / settings say that the difference is smaller than what is of
            interest (Schuirmann 1987), with a word on the side if the interval leaves 0 out as well; else `worse` or
            `better` if it leaves 0 out, else `undecided`.
    """

    setting: str
    mean: float
    low: float | None
    high: float | None
    effect: float | None
    verdict: str


def settled(rows: Rows, plan: Plan) -> list[Settled]:
    """Each setting beside the first one, corrected for how many are asked, whether all are there or not."""
    return [_settled(name, _difference(rows, name, plan), plan) for name in rows if name != plan.reference]


def _difference(rows: Rows, name: str, plan: Plan) -> Floats:
    return np.array([figure - rows[plan.reference][seed] for seed, figure in rows[name].items()])


def _settled(name: str, differences: Floats, plan: Plan) -> Settled:
    share = (1 - CONFIDENCE) / (len(plan.settings) - 1)
    low, high = mean_interval(differences, 1 - share)
    near, far = mean_interval(differences, 1 - 2 * share)  # both one-sided tests at this share
    side = "" if low is None or high is None or low <= 0 <= high else "worse" if high < 0 else "better"
    if near is not None and far is not None and max(-near, far) < plan.interest:
        verdict = f"as good, a little {side}" if side else "as good"
    else:
        verdict = side or "undecided"
    mean, spread = float(differences.mean()), float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
    return Settled(name, mean, low, high, mean / spread if spread else None, verdict)


def as_markdown(rows: Rows, plan: Plan) -> str:
    """Champions of each setting, how many stayed behind, and what is settled."""
    by = {one.setting: one for one in settled(rows, plan)}
    head = ["setting", "runs", "median", "least", f"below {plan.behind} (95 %)",
            f"less {plan.reference.replace('_', ' ')} (95 %)", "effect d_z", "verdict"]  # fmt: skip
    return table(
        head, [_line(name, np.array(list(found.values())), by.get(name), plan) for name, found in rows.items()]
    )


def _line(name: str, figures: Floats, one: Settled | None, plan: Plan) -> Sequence[object]:
    behind = int((figures < plan.behind).sum())
    share = with_interval(behind / len(figures), *share_interval(behind, len(figures)), ".2f")
    start = (name.replace("_", " "), len(figures), f"{np.median(figures):.5f}", f"{figures.min():.5f}", share)
    if one is None:
        return (*start, "", "", "")
    effect = "" if one.effect is None else f"{one.effect:+.2f}"
    return (*start, with_interval(one.mean, one.low, one.high, "+.5f"), effect, one.verdict)


def as_csv(rows: Rows) -> bytes:
    """A row for each run."""
    runs = [[name, seed, repr(figure)] for name, found in rows.items() for seed, figure in found.items()]
    return csv_bytes([["setting", "seed", "champion"], *runs])


def read(path: Path) -> Rows:
    """What `as_csv` has written."""
    rows: Rows = {}
    with path.open(newline="", encoding="utf-8") as file:
        for one in csv.DictReader(file):
            rows.setdefault(one["setting"], {})[int(one["seed"])] = float(one["champion"])
    return rows
