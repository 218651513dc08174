"""How many threads a run gets."""

from __future__ import annotations

import logging

from pigevo.settings import Settings
from pigevo.threads import available_cores


def at_most_the_cores(settings: Settings) -> Settings:
    """The settings with no more workers than the machine has cores, and a word if there were."""
    there = available_cores()
    if settings.workers <= there:
        return settings
    said = "workers = %d: this machine has %d, so the run takes %d."
    logging.getLogger("pigevo").warning(said, settings.workers, there, there)
    return settings.with_(workers=there)
