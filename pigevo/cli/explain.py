"""One sentence for each error of Hydra and OmegaConf that a user can cause."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import fields

from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf.errors import ConfigKeyError, OmegaConfBaseException, ValidationError

from pigevo.config import Config
from pigevo.errors import InputError, unknown


def explain(error: BaseException) -> str | None:
    print("RAW", type(error), str(error), [type(e) for e in chain(error)])
    return str(error)


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what caused it, what caused that, and so on."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
