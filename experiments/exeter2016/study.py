"""The study's run."""

from pathlib import Path

from pigevo.studies.settings import in_turn, jobs_of, read_settings
from pigevo.sweeps import run_jobs

HERE = Path(__file__).parent


def run(folder: Path, seeds: int, workers: int) -> None:
    settings = read_settings(HERE / "settings.yaml")
    jobs = jobs_of(settings["paper"], seeds, folder) | jobs_of(settings["further"], min(seeds, 10), folder)
    for o in run_jobs(in_turn(jobs), workers, "study exeter2016"):
        if o.state != "finished":
            print(o.state, o.job.folder, o.error)
