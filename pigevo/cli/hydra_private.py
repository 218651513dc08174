"""What pigevo uses of Hydra that Hydra does not publish: its shell completion and `--info`.

Both are methods of the object behind `GlobalHydra`, and Hydra is pinned below 1.4 for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from hydra.core.global_hydra import GlobalHydra

from pigevo.config.compose import explained, hydra_at_work
from pigevo.errors import InputError


def complete(words: Sequence[str], name: str) -> None:
    """Print a shell's completion script, or what can complete the line in COMP_LINE.

    Args:
        words: `install=bash`, `uninstall=bash` or `query=bash`; or another shell.
        name: of the primary config.

    Raises:
        InputError: the words are none of these.
    """
    with hydra_at_work():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        try:
            hydra.shell_completion(name, list(words))
        except (ValueError, AttributeError) as error:
            raise InputError(
                "--shell-completion takes install=SHELL, uninstall=SHELL or query=SHELL; SHELL is bash, zsh or fish."
            ) from error


def inform(what: str, words: Sequence[str], name: str) -> None:
    """Print how Hydra comes to a config: its defaults list, search path, plugins or all.

    Args:
        what: one of Hydra's kinds of information.
        words: settings.
        name: of the primary config.

    Raises:
        InputError: the settings are wrong.
    """
    with explained(), hydra_at_work():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        hydra.show_info(what, name, list(words))
