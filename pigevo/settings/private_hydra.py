"""Hydra and OmegaConf without a trace: while pigevo composes, their process-wide state is its own.

A program that calls pigevo may itself use Hydra: its job name, version, stored configs and resolvers determine its
own folders and values.  They are kept in two dicts, of singletons and of resolvers; in their place stand mappings in
which only the composing thread sees pigevo's entries.  Neither dict is part of a public interface, so Hydra is pinned
below 1.4 and OmegaConf below 2.4.
"""

from __future__ import annotations

import copy
import threading
from collections import ChainMap
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.hydra_config import HydraConfig
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime, setup_globals
from hydra.version import VersionBase, setbase
from omegaconf import DictConfig, OmegaConf
from omegaconf.basecontainer import BaseContainer
from omegaconf.omegaconf import register_default_resolvers

from pigevo.core.machine import available_cores
from pigevo.errors import InputError
from pigevo.settings.schema import Config

OWN_FOLDER = "${pigevo.run_folder:}"
"""The Hydra setting that gives a run of a sweep the folder named after its settings: `hydra.sweep.subdir`."""

_LOCK = threading.RLock()
"""Threads compose one after the other."""


class _SeenByOneThread(MutableMapping[Any, Any]):
    """A dict in which one thread sees entries of its own, and to which all other threads have access as before."""

    def __init__(self, own: dict[Any, Any], others: MutableMapping[Any, Any]) -> None:
        self._thread = threading.get_ident()
        self._own = ChainMap(own, others)
        self._others = others

    @property
    def _seen(self) -> MutableMapping[Any, Any]:
        return self._own if threading.get_ident() == self._thread else self._others

    def __getitem__(self, key: Any) -> Any:
        return self._seen[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._seen[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._seen[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.deepcopy(dict(self._seen), memo)


@contextmanager
def private_hydra(run_folder: str | None = None) -> Iterator[None]:
    """A context in which Hydra and OmegaConf have pigevo's state; `run_folder` is the value of `${run_folder:}`."""
    with _LOCK, ExitStack() as stack:
        if not isinstance(Singleton._instances, _SeenByOneThread):
            singletons, resolvers = _state()
            stack.enter_context(_replaced(Singleton, "_instances", singletons))
            stack.enter_context(_replaced(BaseContainer, "_resolvers", resolvers))
        if run_folder is not None:
            stack.callback(_name_run_folder, None)
            _name_run_folder(run_folder)
        yield


@contextmanager
def _replaced(holder: type, name: str, own: dict[Any, Any], empty: bool = False) -> Iterator[None]:
    before = getattr(holder, name)
    stand_in = _SeenByOneThread(own, {} if empty else before)
    setattr(holder, name, stand_in)
    try:
        yield
    finally:
        if getattr(holder, name) is stand_in:  # else another thread has replaced it, as `clear_resolvers` does
            setattr(holder, name, before)


@cache
def _state() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The singletons of Hydra and the resolvers of OmegaConf that pigevo uses."""
    store = type.__call__(ConfigStore)
    store.repo = {name: copy.copy(ConfigStore.instance().repo[name]) for name in ("hydra", "_dummy_empty_config_.yaml")}
    kinds = (HydraConfig, JobRuntime, VersionBase)
    singletons = {ConfigStore: store} | {kind: type.__call__(kind) for kind in kinds}
    resolvers: dict[Any, Any] = {}
    with _replaced(Singleton, "_instances", singletons), _replaced(BaseContainer, "_resolvers", resolvers, empty=True):
        setbase("1.3")
        store.store(name="schema", node=Config)
        register_default_resolvers()
        setup_globals()
        for prefix in ("pigevo.", ""):  # the short names are for users' files
            OmegaConf.register_new_resolver(f"{prefix}cores", available_cores)
            OmegaConf.register_new_resolver(f"{prefix}quick", _quick)
        _name_run_folder(None)
    return singletons, resolvers


def _name_run_folder(name: str | None) -> None:
    """Set the value of `${run_folder:}`: the name of a run's folder, known when its settings are checked."""

    def resolve() -> str:
        if name is None:
            raise InputError("${run_folder:} is the folder of one run: write one for all, as in hydra.sweep.dir=mine.")
        return name

    for prefix in ("pigevo.", ""):
        OmegaConf.register_new_resolver(f"{prefix}run_folder", resolve, replace=True)


def _quick(fast: Any, full: Any, *, _root_: DictConfig) -> Any:
    return fast if _root_.get("debug") == "fast" else full
