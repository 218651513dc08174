"""Small runs of any settings: what passes the check does not fail later."""

import pytest

from pigevo.settings.schema import CUSTOM, GROUPS, registry_of
from tests.fuzz import settings
from tests.fuzz.bounded import wrong

SLOW = [pytest.param(range(n, n + 6), marks=pytest.mark.slow) for n in range(0, 24, 6)]
LONG = [pytest.param(range(n, n + 100), marks=pytest.mark.long) for n in range(1000, 1800, 100)]


@pytest.mark.parametrize("seeds", [*SLOW, *LONG])
def test_what_passes_the_check_does_not_fail(bounded, tmp_path, seeds):
    failures = []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        output = bounded([*settings.words(seed), "hydra.run.dir=run"], folder)
        if why := wrong(output):
            output.changed = sorted(output.changed)
            failures.append(f"seed {seed}: {why}\n{output}")
    assert not failures


def test_every_choice_is_among_them():
    chosen = {word for seed in range(400) for word in settings.words(seed)}
    assert {f"{group}={name}" for group in GROUPS for name in registry_of(group) if name != CUSTOM} <= chosen
