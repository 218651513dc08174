"""Folders of pigevo 0.1.0: they had other names for a few options, and a hash of the settings as they were typed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pigevo.runs.metrics import DIGESTS_FILE
from pigevo.runs.records import CONFIG
from pigevo.settings.schema import VOLATILE
from pigevo.storage.checksums import YAML_END, has_end
from pigevo.storage.records import Missing, read_bytes

_RENAMED = {"keeping": "decay", "least": "least_share", "aim": "exponent"}


def is_former(folder: Path) -> bool:
    """Whether a run's folder was written by pigevo 0.1.0: later ones write no digests beside the metrics, and seals."""
    if not os.path.isfile(folder / DIGESTS_FILE):
        return False
    try:
        return not has_end(read_bytes(folder / CONFIG), YAML_END)
    except Missing:
        return True


def renamed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Its settings with the present names of the options."""
    mutator = values.get("mutator")
    if not isinstance(mutator, Mapping):
        return dict(values)
    return {**values, "mutator": {_RENAMED.get(name, name): value for name, value in mutator.items()}}


def former_hash(values: Mapping[str, Any]) -> str:
    """The hash that pigevo 0.1.0 gave to settings."""
    lasting = {key: value for key, value in values.items() if key not in VOLATILE}
    return hashlib.sha256(json.dumps(lasting, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
