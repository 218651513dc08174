"""Small runs of any settings: what passes the check does not fail later."""

import pytest

from tests.fuzz import settings
from tests.fuzz.bounded import wrong

QUICK, LONG = 6, 100


def wrong_cases(bounded, tmp_path, seeds):
    """What is wrong with any of the runs of some seeds."""
    failures = []
    for seed in seeds:
        folder = tmp_path / str(seed)
        folder.mkdir()
        output = bounded([*settings.words(seed), "hydra.run.dir=run"], folder)
        if why := wrong(output):
            output.changed = sorted(output.changed)
            failures.append(f"seed {seed}: {why}\n{output}")
    return failures


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_what_passes_the_check_does_not_fail(bounded, tmp_path, block):
    assert not wrong_cases(bounded, tmp_path, range(block * QUICK, (block + 1) * QUICK))


@pytest.mark.long
@pytest.mark.parametrize("block", range(8))
def test_many(bounded, tmp_path, block):
    assert not wrong_cases(bounded, tmp_path, range(1000 + block * LONG, 1000 + (block + 1) * LONG))


def test_every_choice_is_among_them():
    from pigevo.settings.schema import CUSTOM, GROUPS, registry_of

    chosen = {word for seed in range(400) for word in settings.words(seed)}
    assert {f"{group}={name}" for group in GROUPS for name in registry_of(group) if name != CUSTOM} <= chosen
