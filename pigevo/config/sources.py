"""The user's own configs, read as every other file is: plain ones of a bounded size, and what their aliases stand for.

Hydra lets sources of configs be replaced, but only under a scheme of their own; that of files is replaced in a
registry that Hydra does not publish, for which it is pinned below 1.4.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.sources_registry import SourcesRegistry
from hydra.plugins.config_source import ConfigResult

from pigevo.config.schema import conf_folder
from pigevo.errors import InputError
from pigevo.records import LARGEST_CONFIG, Unreadable, from_yaml, read_bytes


class BoundedSource(FileConfigSource):
    """A folder of configs, of which none takes memory or time without end."""

    def load_config(self, config_path: str) -> ConfigResult:
        """Read one config; those of conf/ are pigevo's own.

        Args:
            config_path: its place in the folder.

        Raises:
            InputError: it is no plain file, too large, or stands for too much.
        """
        path = os.path.join(self.path, self._normalize_file_name(config_path))
        if not self.path.startswith(str(conf_folder())):
            try:
                from_yaml(read_bytes(path, LARGEST_CONFIG))
            except Unreadable:
                raise
            except ValueError as error:
                raise InputError(f"{path} is no config: {' '.join(str(error).split()).rstrip('.')}.") from error
        return super().load_config(config_path)


@contextmanager
def bounded_sources() -> Iterator[None]:
    """Inside, Hydra reads files of configs within bounds; it must have been initialized."""
    types = SourcesRegistry.instance().types
    before = types["file"]
    types["file"] = BoundedSource
    try:
        yield
    finally:
        types["file"] = before
