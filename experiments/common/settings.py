"""The settings of a study, and their runs for each seed."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from omegaconf import OmegaConf

from pigevo.runs.progress import Interrupted
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path
from pigevo.sweeps.job import FAILED, INTERRUPTED, Job, JobOutcome, SomeFailed

RUNS = "runs"


def read_settings(path: Path) -> dict[str, dict[str, str]]:
    """The overrides of each setting by its part of the study and its name, from a YAML file, `with_stated`."""
    parts, stated = _read(path)
    return {
        part: {name: " ".join(_completed(words.split(), stated)) for name, words in settings.items()}
        for part, settings in parts.items()
    }


def with_stated(words: Sequence[str], path: Path) -> list[str]:
    """The overrides of a setting, completed by those that a study states in its YAML file.

    The file's part `stated` says of a word such as `fitness=games` for which words it stands in the study, whatever the
    package's defaults are: they are added to a setting with that word, unless it sets them itself.
    """
    _, stated = _read(path)
    return _completed(words, stated)


def _read(path: Path) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The settings of a file by part and name, and its part `stated`."""
    read: dict[str, dict[str, str]] = OmegaConf.to_container(OmegaConf.load(path))  # type: ignore[assignment]
    stated = read.pop("stated", {})
    return read, stated


def _completed(words: Iterable[str], stated: Mapping[str, str]) -> list[str]:
    found = list(words)
    keys = {word.partition("=")[0] for word in found}
    for word in found:  # which grows: an experiment stands for choices, and these for their options
        for added in stated.get(word, "").split():
            if (key := added.partition("=")[0]) not in keys:
                keys.add(key)
                found.append(added)
    return found


def jobs_of(settings: Mapping[str, str], seeds: int, folder: Path, first: int = 0) -> dict[str, list[Job]]:
    """The runs of each setting, given by its overrides, one for each seed; their folders are `runs/SETTING/seed_NN`."""
    composer = Composer()
    drawn = range(first, first + seeds)
    return {
        name: list(_seeds(composer, name, overrides.split(), drawn, folder)) for name, overrides in settings.items()
    }


def _seeds(composer: Composer, name: str, overrides: list[str], seeds: Iterable[int], folder: Path) -> Iterator[Job]:
    composed = composer([*overrides, "baseline=none", "workers=1", "figures=none"])
    settings = Settings.read(composed.values, composed.typed, composed.base)
    settings.refuse_impossible()  # the plan is made once for all seeds
    for seed in seeds:
        place = folder / RUNS / name / f"seed_{seed:02d}"
        yield Job(settings.with_(seed=seed), place, (*overrides, f"seed={seed}"))


def in_turn(jobs: Mapping[str, Sequence[Job]]) -> list[Job]:
    """All jobs, the first seed of every setting before the second one, so that an unfinished study shows all settings.

    Within a seed, jobs with the most genes come first, so that no worker has a long one at the end.
    """
    turns = itertools.zip_longest(*jobs.values())
    return [job for turn in turns for job in sorted(filter(None, turn), key=_genes, reverse=True)]


def _genes(job: Job) -> int:
    """The number of genes that a run makes."""
    plan = job.settings.plan
    return plan.size * sum(wave.generations * wave.grid.genes for wave in plan.waves)


def conclude(outcomes: Sequence[JobOutcome]) -> None:
    """Continue if every run has finished."""
    if any(outcome.state == INTERRUPTED for outcome in outcomes):
        raise Interrupted("stopped; the same command goes on from here.")
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    if failed:
        lines = [f"  {display_path(outcome.job.folder)}: {outcome.error}" for outcome in failed]
        raise SomeFailed("\n".join([f"{len(failed)} of {len(outcomes)} runs failed:", *lines]))
