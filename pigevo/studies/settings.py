"""The settings of a study, and the runs that they make for each seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from omegaconf import OmegaConf

from pigevo.config import check, compose
from pigevo.sweeps import Job

RUNS = "runs"


def read_settings(path: Path) -> dict[str, str]:
    """The words of each setting by its name, from a YAML file."""
    return {str(name): str(words) for name, words in OmegaConf.load(path).items()}


def jobs_of(settings: Mapping[str, str], seeds: int, folder: Path, quick: bool = False) -> dict[str, list[Job]]:
    """The runs of each setting, one for each seed from 0 on.

    Args:
        settings: the words of each setting by its name.
        seeds: how many seeds.
        folder: the study's; runs lie in `runs/SETTING/seed_NN`.
        quick: whether to take the quick form of every number (`debug=fast`).

    Raises:
        InputError: words that make no config.
    """
    jobs = {}
    for name, words in settings.items():
        added = ["debug=fast"] if quick else []
        plain = check(compose([*words.split(), "baseline=none", "workers=1", *added]))
        jobs[name] = [
            Job({**plain, "seed": seed}, folder / RUNS / name / f"seed_{seed:02d}", tuple(words.split()), False)
            for seed in range(seeds)
        ]
    return jobs
