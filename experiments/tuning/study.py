"""The tuning study: the best settings of Exeter's algorithm of 2016 at its own budget of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.errors import InputError
from pigevo.runs.baseline import cached_search
from pigevo.storage.files import csv_bytes, write_bytes
from pigevo.sweeps import run_jobs
from pigevo.sweeps.tuning import FRESH, Tuned, tune

from ..common.group import Group, Question, answers, as_markdown, groups_of
from ..common.settings import conclude, in_turn, jobs_of, with_stated
from ..common.tables import WINS, table, write_section

HERE = Path(__file__).parent
BUDGET = 319_000
"""Games of a run of the paper's: 300 generations of 10 matches of 100 games, and 190 for the champion."""
RUNS, EACH, THIRTY = 160, 4, 30
"""Runs of the search, and of each proposal, in a study of thirty seeds."""
WORDS = ("experiment=cube_random", "baseline=none", "record_every=100")
SEARCHED = (
    "mutation=0.0001..0.05:log", "population.size=10..60:2", "fitness.games=20..400:log",
    "cubes.sizes=[20,10,5],[20,10],[20],[10]", "replacement=offspring,survivors_and_offspring",
)  # fmt: skip
PAPER = {"paper, 0.5 %": "mutation=0.005", "paper, 1 %": "mutation=0.01", "paper, 5 %": "mutation=0.05"}
TUNED, RANDOM = "tuned", "random search"


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes.
        seeds: fresh ones, of each setting; the search has as many runs for each of them as with thirty.
        workers: processes.
    """
    runs = max(EACH, RUNS * min(seeds, THIRTY) // THIRTY)
    found = tune((*WORDS, *SEARCHED), runs, EACH, seeds, workers=workers, outputs=folder, words_of=proposed)
    names = {name: name.replace(" ", "_").replace(",", "").replace("_%", "") for name in PAPER}
    jobs = jobs_of({names[name]: " ".join(whole([words])) for name, words in PAPER.items()}, seeds, folder, FRESH)
    conclude(run_jobs(in_turn(jobs), workers, "runs of the paper's settings"))
    groups = groups_of(jobs)
    figures = {TUNED: _tuned(found)}
    figures |= {name: groups[key].by_seed(groups[key].champion) for name, key in names.items()}
    figures[RANDOM] = _random_search(groups[names["paper, 0.5 %"]])
    write_bytes(folder / "proposals.csv", _proposals(found))
    write_section(folder, "table", _report(found, figures))


def whole(words: Sequence[str]) -> list[str]:
    """All words of a run: those of every run, its own, and what the study states of both."""
    return with_stated((*WORDS, *words), HERE / "settings.yaml")


def proposed(values: Mapping[str, str]) -> list[str]:
    """The words of a proposal, or, without values, of the paper's setting, beside those of every run."""
    return whole(at_budget(values) if values else [])[len(WORDS) :]


def at_budget(values: Mapping[str, str]) -> list[str]:
    """The words of a proposal with as many generations as the budget allows, the same in each wave."""
    size, games = int(values["population.size"]), int(values["fitness.games"])
    waves = values["cubes.sizes"].count(",") + 1
    left = BUDGET - size * (size - 1) // 2 * games
    generations = left // (waves * (size // 2) * games)
    if generations < 1:
        raise InputError(f"{size} members and matches of {games} games leave no generation in {BUDGET:,} games.")
    return [*(f"{key}={value}" for key, value in values.items()), f"cubes.generations={generations}"]


def _tuned(found: Tuned) -> dict[int, float]:
    """The champions of the best setting by fresh seed."""
    assert found.confirmed is not None
    return dict(enumerate(found.confirmed.champions, FRESH))


def _random_search(group: Group) -> dict[int, float]:
    """What random search on the paper's largest cubes finds with the budget, by seed."""
    made = {}
    for seed, run in zip(group.seeds, group.runs, strict=True):
        plan = run.settings.plan
        strategies = plan.generations * plan.size
        found, _ = cached_search(run.settings, plan.waves[0].grid, strategies)
        made[seed] = found.by_matches
    return made


def _report(found: Tuned, figures: Mapping[str, Mapping[int, float]]) -> str:
    rows = []
    for name, by_seed in figures.items():
        values = np.array(list(by_seed.values()))
        ends = mean_interval(values, within=WINS)
        rows.append((name, len(values), with_interval(float(values.mean()), *ends), f"{np.median(values):.4f}",
                     f"{values.min():.4f}", f"{values.max():.4f}"))  # fmt: skip
    head = ["setting", "fresh seeds", "champion (95 % interval)", "median", "least", "greatest"]
    asked = [Question(TUNED, name, figures[TUNED], by_seed) for name, by_seed in figures.items() if name != TUNED]
    asked = [*asked, *(Question(name, RANDOM, figures[name], figures[RANDOM]) for name in PAPER)]
    shares = [(key, f"{share:.2f}") for key, share in found.importance.items()]
    best = [*((key, value) for key, value in found.best.values.items()),
            ("cubes.generations", at_budget(found.best.values)[-1].partition("=")[2]),
            ("mean of the search's seeds", f"{found.best.score:.4f}")]  # fmt: skip
    refused = sum(one.score is None for one in found.proposals)
    return "\n".join([
        table(["of the search", ""], [("proposals", len(found.proposals)), ("refused", refused)]),
        table(["best setting", ""], best),
        table(["setting", f"share in the variance ({found.evaluator})"], shares),
        table(head, rows),
        as_markdown(answers(asked, WINS)),
    ])  # fmt: skip


def _proposals(found: Tuned) -> bytes:
    keys = list(found.best.values)
    rows = [
        [n, *one.values.values(), "" if one.score is None else one.score, one.refused]
        for n, one in enumerate(found.proposals)
    ]
    return csv_bytes([["proposal", *keys, "score", "refused"], *rows])
