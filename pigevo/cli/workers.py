"""How many threads a run gets."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from pigevo.threads import available_cores


def with_workers(plain: Mapping[str, Any], swept: bool = False) -> dict[str, Any]:
    """The checked config with one worker for each run of a sweep, and never more than the machine has cores."""
    there = available_cores()
    if plain["workers"] > there and not swept:
        said = "workers = %d: this machine has %d, so the run takes %d."
        logging.getLogger("pigevo").warning(said, plain["workers"], there, there)
    return {**plain, "workers": 1 if swept else min(plain["workers"], there)}
