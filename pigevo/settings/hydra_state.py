"""Hydra's and OmegaConf's process-wide state as pigevo needs it, for a moment.

Hydra keeps the name of the job, the version that its defaults follow and the schemas of configs in singletons, and
OmegaConf has one registry of resolvers.  A program that calls pigevo may use all of them for itself, so pigevo's own
are put in their place only while a config is composed or resolved, and afterwards the caller's are as they were.  No
resolver of a caller can therefore change what `${quick:}` means in a config of pigevo.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime, setup_globals
from hydra.version import VersionBase, setbase
from omegaconf import DictConfig, OmegaConf
from omegaconf.basecontainer import BaseContainer

from pigevo.core.threads import available_cores
from pigevo.errors import InputError
from pigevo.settings.schema import Config

JOB = "pigevo"
LOCK = threading.RLock()
"""The state is global to the process, so threads compose one after the other."""


@contextmanager
def hydra_state(run_folder: str | None = None) -> Iterator[None]:
    """A context with pigevo's own state of Hydra and OmegaConf; `run_folder` is the value of `${run_folder:}`."""
    with LOCK:
        own: dict[type, Any] = {ConfigStore: _schemas(), JobRuntime: None, VersionBase: None}
        resolvers, instances = BaseContainer._resolvers, Singleton._instances
        Singleton._instances = {kind: instance for kind, instance in instances.items() if kind not in own}
        Singleton._instances[ConfigStore] = own[ConfigStore]
        BaseContainer._resolvers = {
            **resolvers,
            **_resolvers(),
            **_registered(_named({"run_folder": _folder(run_folder)})),
        }
        try:
            JobRuntime().set("name", JOB)
            setbase("1.3")
            yield
        finally:
            later = {kind: one for kind, one in Singleton._instances.items() if kind not in own}  # such as plugins
            Singleton._instances = instances
            instances.update(later)
            BaseContainer._resolvers = resolvers


@cache
def _schemas() -> ConfigStore:
    """Hydra's own schemas and that of pigevo's settings."""
    store = copy.deepcopy(ConfigStore.instance())
    store.store(name="schema", node=Config)
    return store


@cache
def _resolvers() -> Mapping[str, Any]:
    """The resolvers of OmegaConf, of Hydra and of pigevo, whatever is registered in this process."""
    return _registered(_named({"cores": available_cores, "quick": _quick}), setup_globals)


def _registered(functions: Mapping[str, Callable[..., Any]], more: Callable[[], None] | None = None) -> dict[str, Any]:
    """Functions as OmegaConf registers them; with its own resolvers where there are `more`."""
    before = BaseContainer._resolvers
    try:
        BaseContainer._resolvers = {}
        if more:
            OmegaConf.clear_resolvers()  # leaves those of OmegaConf itself
            more()
        for name, function in functions.items():
            OmegaConf.register_new_resolver(name, function)
        return BaseContainer._resolvers
    finally:
        BaseContainer._resolvers = before


def _named(functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Each function under its short name and under its name in pigevo: `quick` and `pigevo.quick`."""
    return {**functions, **{f"pigevo.{name}": function for name, function in functions.items()}}


def _folder(name: str | None) -> Callable[[], str]:
    """`${run_folder:}`: the name of a run's folder, known when its settings are checked."""

    def resolve() -> str:
        if name is None:
            raise InputError("${run_folder:} is the folder of one run: write one for all, as in hydra.sweep.dir=mine.")
        return name

    return resolve


def _quick(fast: Any, full: Any, *, _root_: DictConfig) -> Any:
    return fast if _root_.get("debug") == "fast" else full
