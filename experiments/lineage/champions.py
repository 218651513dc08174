"""Prediction 4: of two champions of the last wave, how often is the earlier one the better?

A run records few champions where naming one takes games. So its generations are computed again, and the champion of
every fifth one is named as if the run ended there.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

import pigevo
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.exact import pairs_of_tables

from ..coevolution.kept import Key, Rows
from ..common.tables import table

APART = 5
"""Generations from one champion to the next."""
ROUNDING = 1e-12
"""Win probabilities this near to a half are a half."""
KEY = ("setting", "seed")


class Champions:
    """How many champions of a run's last wave are compared, and the share of their pairs that the earlier one wins.

    Args:
        settings: the overrides of each setting.
    """

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = settings

    def __call__(self, key: Key) -> Mapping[str, float]:
        """Those of one run, by setting and seed; a pair in which both win a half counts a half."""
        setting, seed = key
        champions: list[pigevo.Strategy] = []
        for generation in pigevo.generations(*self.settings[str(setting)].split(), f"seed={seed}", "baseline=none"):
            *_, begins, _ = sorted(generation.plan.wave_ends)
            if generation.number > begins and generation.number % APART == 0:
                champions.append(generation.champion)
        pairs = list(itertools.combinations(range(len(champions)), 2))
        tables = np.stack([champion.table for champion in champions])
        overall = pairs_of_tables(champions[0].game, tables, pairs).mean(axis=1)
        earlier = np.where(np.isclose(overall, 0.5, rtol=0, atol=ROUNDING), 0.5, overall > 0.5)
        return {"champions": len(champions), "earlier": float(earlier.mean())}


def as_markdown(rows: Rows) -> str:
    """The mean share over the runs of each setting, with a 95 % interval."""
    lines = []
    for setting in dict.fromkeys(setting for setting, _ in rows):
        found = [figures for (name, _), figures in rows.items() if name == setting]
        shares = np.array([figures["earlier"] for figures in found])
        mean = with_interval(float(shares.mean()), *mean_interval(shares), ".3f")
        lines.append((setting, len(found), f"{found[0]['champions']:.0f}", mean))
    return table(["fitness", "runs", "champions", "share of pairs that the earlier one wins"], lines)
