"""What pigevo uses of Hydra that Hydra does not publish: its shell completion.

It is a method of the object behind `GlobalHydra`, and Hydra is pinned below 1.4 for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException

from pigevo.config.compose import hydra_at_work
from pigevo.errors import InputError


def complete(words: Sequence[str], name: str) -> None:
    """Print a shell's completion script, or what can complete the line in COMP_LINE.

    Args:
        words: `install=bash`, `uninstall=bash` or `query=bash`; or another shell.
        name: of the primary config.

    Raises:
        InputError: the words are none of these.
    """
    line = os.environ.get("COMP_LINE", "")
    os.environ["COMP_LINE"] = re.sub(r"^\S*python\S*\s+-m\s+", "", line)  # Hydra knows `python file.py` alone
    with hydra_at_work():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        try:
            hydra.shell_completion(name, list(words))
        except (ValueError, AttributeError, HydraException) as error:
            raise InputError(
                "--shell-completion takes install=SHELL, uninstall=SHELL or query=SHELL; SHELL is bash, zsh or fish."
            ) from error
