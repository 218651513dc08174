"""Exeter 2016 done again: what is run, and what is written of it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from omegaconf import OmegaConf

from pigevo.core.arrays import Floats
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job, run_jobs
from pigevo.sweeps.curves import random_sample

from ..common.group import Group, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import as_markdown, write_section, write_table
from . import answers, pictures, rows
from .answers import FIRST_SEED

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
FURTHER = 3
"""Further settings get one seed for so many of its own, but two at least."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes.
        seeds: how many seeds the paper's own settings have.
        workers: processes.
    """
    jobs, rates = _jobs(folder, seeds)
    conclude(run_jobs(in_turn(jobs | rates), workers, "runs of exeter2016"))
    LOG.info("reading the runs, drawing and comparing")
    published = read_published()
    groups = groups_of(jobs)
    random = _random(jobs["figure_8"][0].settings) | _random(jobs["figure_9_0.005"][0].settings)
    with ThreadPoolExecutor(1) as beside:
        drawn = beside.submit(pictures.draw, folder, groups, published, random)
        compared = rows.rows(groups, published, random["1"])
        write_table(folder, "table", compared)
        write_section(folder, "chance", rows.chance_table(as_markdown(compared)))
        write_section(folder, "peaks", rows.peaks_table(published, random["1"]))
        write_section(folder, "pace", rows.pace_table(groups, published))
        distinct = answers.distinct_states(answers.RANDOM_PAIRS)
        write_section(folder, "reached", answers.distinct_states_table(distinct))
        write_section(folder, "variants", answers.variants_as_text(groups))
        write_section(folder, "answers", answers.questions_as_text(groups, random))
        write_section(folder, "sentences", answers.sentences_as_text(groups_of(rates)))
        drawn.result()
    answers.draw_distinct_states(folder / "reached.png", distinct)


Jobs = dict[str, list[Job]]


def _jobs(folder: Path, seeds: int) -> tuple[Jobs, Jobs]:
    """The runs by setting, and those of the fresh seeds."""
    settings = read_settings(HERE / "settings.yaml")
    few = max(2, seeds // FURTHER)
    jobs = jobs_of(settings["paper"] | settings["variants"], seeds, folder)
    return jobs | jobs_of(settings["further"], few, folder), jobs_of(settings["rates"], few, folder, FIRST_SEED)


def read_published() -> Any:
    """The content of `published.yaml`: what the report says, or its pictures show."""
    return OmegaConf.to_container(OmegaConf.load(HERE / "published.yaml"))


def _random(settings: Settings) -> dict[str, Floats]:
    """Win probabilities of random populations against the optimum, by the size of the cubes of a run's waves."""
    return {wave.grid.label: random_sample(settings, n)[1] for n, wave in enumerate(settings.plan.waves)}


def _groups(names: Iterable[str], folder: Path, seeds: int, workers: int) -> Mapping[str, Group]:
    """The runs of some settings, which are done if they are missing."""
    every, _ = _jobs(folder, seeds)
    jobs = {name: every[name] for name in names}
    conclude(run_jobs(in_turn(jobs), workers, "runs of the figure"))
    return groups_of(jobs)


def _curves(name: str) -> Callable[[Path, int, int], Figure]:
    """The function that draws one of `pictures.CURVES`."""

    def draw(folder: Path, seeds: int, workers: int) -> Figure:
        groups = _groups(pictures.CURVES[name], folder, seeds, workers)
        settings = groups[next(iter(pictures.CURVES[name]))].runs[0].settings
        return pictures.curves(name, groups, read_published(), _random(settings))

    return draw


def _averages(folder: Path, seeds: int, workers: int) -> Figure:
    return pictures.averages(_groups(pictures.AVERAGED, folder, 1, workers), read_published())


def _champion(folder: Path, seeds: int, workers: int) -> Figure:
    name = "figure_9_0.005"
    return pictures.surfaces(_groups([name], folder, seeds, workers)[name].strategy())


def _density(folder: Path, seeds: int, workers: int) -> Figure:
    cells = _random(jobs_of(read_settings(HERE / "settings.yaml")["paper"], 1, folder)["figure_8"][0].settings)["1"]
    return pictures.density({}, read_published(), cells)


SINGLE_FIGURES: Mapping[str, Callable[[Path, int, int], Figure]] = {
    "1": lambda folder, seeds, workers: pictures.operators(),
    "2": lambda folder, seeds, workers: pictures.grids(),
    **dict.fromkeys("34", lambda folder, seeds, workers: pictures.surfaces()),
    **{str(int(name[7:])): _curves(name) for name in pictures.CURVES if name.startswith("figure")},
    "10": _density,
    "11": _champion,
    "17": lambda folder, seeds, workers: pictures.boxes(),
    "averages": _averages,
}
"""Figure 10 alone has the published peaks and needs no runs; `averages` are the red lines of figures 7, 8, 12, 15."""
