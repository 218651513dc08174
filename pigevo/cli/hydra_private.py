"""What pigevo uses of Hydra that Hydra does not publish: its shell completion.

It is a method of the object behind `GlobalHydra`, and Hydra is pinned below 1.4 for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import nullcontext, suppress

from hydra.core.global_hydra import GlobalHydra

from pigevo.config.compose import hydra_at_work
from pigevo.errors import InputError


def complete(words: Sequence[str], name: str) -> None:
    """Print a shell's completion script, or what can complete the line in COMP_LINE.

    Args:
        words: one, `install=bash`, `uninstall=bash` or `query=bash`; or another shell.
        name: of the primary config.

    Raises:
        InputError: the words are none of these, or nobody has typed anything.
    """
    if len(words) != 1 or not re.fullmatch(r"(install|uninstall|query)=(bash|zsh|fish)", words[0]):
        raise InputError(
            "--shell-completion takes install=SHELL, uninstall=SHELL or query=SHELL; SHELL is bash, zsh or fish."
        )
    line = re.sub(r"^\S*python\S*\s+-m\s+", "", os.environ.get("COMP_LINE", ""))  # Hydra knows `python file.py` alone
    os.environ["COMP_LINE"] = line
    asked = words[0].startswith("query=")
    if asked and not line.strip():
        raise InputError("--shell-completion query=SHELL is for shells, which say in COMP_LINE what was typed.")
    with hydra_at_work():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        with suppress(Exception) if asked else nullcontext():  # nothing completes a line that cannot be read
            hydra.shell_completion(name, list(words))
