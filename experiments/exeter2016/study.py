"""Exeter 2016 done again: what is run, and what is written of it."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from pigevo.core.arrays import Floats
from pigevo.settings.settings import Settings
from pigevo.sweeps import run_jobs
from pigevo.sweeps.curves import random_sample

from ..common.group import groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import as_markdown, write_section, write_table
from . import answers, chance, pace, peaks, pictures, reached, rows, sentences

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
    settings = read_settings(HERE / "settings.yaml")
    further = jobs_of(settings["further"], max(2, seeds // FURTHER), folder)
    rates = jobs_of(settings["rates"], max(2, seeds // FURTHER), folder, sentences.FIRST_SEED)
    jobs = jobs_of(settings["paper"] | settings["variants"], seeds, folder) | further
    conclude(run_jobs(in_turn(jobs | rates), workers, "runs of exeter2016"))
    LOG.info("reading the runs, drawing and comparing")
    published = read_published()
    groups = groups_of(jobs)
    random = _random(jobs["figure_8"][0].settings) | _random(jobs["figure_9_0.005"][0].settings)
    with ThreadPoolExecutor(1) as beside:
        drawn = beside.submit(pictures.draw, folder, groups, published, random)
        compared = rows.rows(groups, published, random["1"])
        write_table(folder, "table", compared)
        write_section(folder, "chance", chance.as_markdown(as_markdown(compared)))
        write_section(folder, "peaks", peaks.as_markdown(published, random["1"]))
        write_section(folder, "pace", pace.as_markdown(groups, published))
        distinct = reached.found(reached.RANDOM)
        write_section(folder, "reached", reached.as_markdown(distinct))
        write_section(folder, "variants", answers.variants_as_text(groups))
        write_section(folder, "answers", answers.as_text(groups, random))
        write_section(folder, "sentences", sentences.as_text(groups_of(rates)))
        drawn.result()
    reached.draw(folder / "reached.png", distinct)


def read_published() -> Any:
    """The content of `published.yaml`: what the report says, or its pictures show."""
    return OmegaConf.to_container(OmegaConf.load(HERE / "published.yaml"))


def _random(settings: Settings) -> dict[str, Floats]:
    """Win probabilities of random populations against the optimum, by the size of the cubes of a run's waves."""
    return {wave.grid.label: random_sample(settings, n)[1] for n, wave in enumerate(settings.plan.waves)}
