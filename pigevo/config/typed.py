"""What is wrong with a single word, whatever the others say; of the rest Hydra knows."""

from __future__ import annotations

from collections.abc import Sequence

from hydra.core.override_parser.types import Override

from pigevo.config.schema import CHOICES, choices
from pigevo.errors import InputError

HYDRA_SETTINGS = (
    "hydra.run.dir", "hydra.sweep.dir", "hydra.sweep.subdir", "hydra.mode", "hydra.searchpath", "hydra.launcher",
)  # fmt: skip
"""Those of Hydra's own settings that pigevo reads."""

_READ = (*HYDRA_SETTINGS, "hydra/launcher", "hydra.sweeper.params")


def refuse_words(read: Sequence[Override]) -> None:
    """Refuse what no config can be composed with.

    Args:
        read: the words, as Hydra's grammar reads them.

    Raises:
        InputError: a setting of Hydra's that changes nothing here, or a choice that is no name.
    """
    for one in read:
        key = one.key_or_group
        if key.partition("/")[0].partition(".")[0] == "hydra" and (said := deaf_to_hydra(key, one.is_delete())):
            raise InputError(said)
        if (key in CHOICES or "/" in key) and not one.is_sweep_override() and not _names(one):
            known = f"one of {', '.join(choices(key))}" if key in CHOICES else "a name"
            raise InputError(f"{one.input_line} is no choice: {key} is {known}.")


def deaf_to_hydra(key: str, deleted: bool = False) -> str:
    """What is wrong with a setting of Hydra's; nothing if pigevo reads it."""
    if key.startswith(_READ) and not deleted:
        return ""
    return f"{key} changes nothing here; of Hydra's settings pigevo reads {', '.join(HYDRA_SETTINGS)}."


def _names(one: Override) -> bool:
    """Whether a word chooses a file by its name, or deletes a choice."""
    value = one.value()
    return value is None if one.is_delete() and one.value_type is None else isinstance(value, str) and bool(value)
