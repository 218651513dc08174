"""A sweep of small runs, without worker processes."""

from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here, small_settings


def two_rates(home, seeds, *words):
    """A sweep of two mutation rates, done here: the sweep's own folder, inside the home of all sweeps."""
    jobs = [
        Job(small_settings(*words, f"mutation={rate}", f"seed={seed}"), home / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(seeds)
    ]
    return drive(jobs, ["mutation=0,0.3", f"seed=range({seeds})"], home / "sweeps", done_here)
