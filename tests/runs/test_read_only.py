"""A finished run in a folder that nobody may write to is shown."""

import os
import tempfile
from pathlib import Path

import pytest

from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.load import load_run
from tests.small import small_settings

NOBODY = 65534


@pytest.fixture
def closed():
    """A function that takes away all rights to write in a folder, also those of root, until the test ends."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        changed = []

        def close(folder):
            for path in (folder, *folder.rglob("*")):
                changed.append((path, path.stat().st_mode))
                path.chmod(0o555 if path.is_dir() else 0o444)
            if os.geteuid() == 0:
                os.seteuid(NOBODY)

        close.home = Path(place)
        try:
            yield close
        finally:
            if os.geteuid() != os.getuid():
                os.seteuid(os.getuid())
            for path, mode in changed:
                path.chmod(mode)


def test_a_finished_run_is_shown_and_an_unfinished_one_is_refused_in_a_sentence(closed):
    settings, finished, unfinished = small_settings(), closed.home / "finished", closed.home / "unfinished"
    before = run(settings, finished)
    run(settings, unfinished)
    (unfinished / "result.json").unlink()
    assert load_run(finished).champion.digest  # all is imported now that this needs: nobody may not read what root has
    closed(closed.home)
    with pytest.raises(OSError, match="ermission denied"):
        (finished / "new").touch()
    assert run(settings, finished)["digest"] == before["digest"]
    assert load_run(finished).champion.digest
    for folder, force in ((finished, True), (unfinished, False)):
        with pytest.raises(InputError, match=r"cannot be written: Permission denied\."):
            run(settings.with_(force=force), folder)
