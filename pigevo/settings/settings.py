"""A run's settings as one value: composed and checked once, then passed on unchanged.

Everything that determines a run is derived from it: its identity (`hash`), the name of its
folder, the plan of its operators.  Two settings with the same hash give the same run, to the bit.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pigevo.core.checked_values import JsonObject, checked, is_integer
from pigevo.core.text import short_repr
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError, unknown
from pigevo.evolution.dry_run import try_out
from pigevo.evolution.operators import KINDS, as_operator
from pigevo.evolution.plan import STOP, Plan, kind_in_words
from pigevo.evolution.stop import as_stop_rule
from pigevo.exact import ENGINE_VERSION
from pigevo.games import Game
from pigevo.settings.compose import Composer, as_overrides
from pigevo.settings.schema import (
    GROUPS,
    NEEDED_BY,
    ON_GENERATION,
    OPTIONAL,
    UNRECORDED,
    VOLATILE,
    Config,
    Values,
    clean,
    flat,
    shortened,
    spelled,
)
from pigevo.settings.selected_option import SelectedOption, read_choice, read_watcher, source_of
from pigevo.user_code.loading import is_from_file, refuse_to_pickle, refuse_unidentified

LOG = logging.getLogger("pigevo")

UNCHANGED = "unchanged"  # the readable part of a folder's name if nothing differs from the experiment

_NO_PART_OF_THE_PLAN = {"seed", "record_every", *VOLATILE}

_GENERAL = {setting.name: setting.metadata["fits"] for setting in fields(Config) if setting.metadata}
"""The types of the general settings, by key."""


@dataclass(frozen=True, eq=False)
class Settings:
    """The settings of a run.

    Args:
        experiment: the name of the experiment, if any.
        seed: determines every random number.
        mutation: the probability that a gene flips; None if the mutator has no rate.
        generations: the length of the run; None if the waves determine it (`plan.generations`).
        record_every: generations between two rows of metrics.
        checkpoint_every: generations between two checkpoints.
        lineage: whether the parents of members, and the effects of operators, are recorded.
        behaviour: whether diversity by behaviour is recorded.
        on_generation: `function`, the reference of a function that observes every generation and may stop the run, and
            its `options`; None if there is none, or if it was passed in Python.
        figures: the format of the run's pictures; `none`, or `auto`, which is PNG but none in a sweep.
        workers: threads of the run; results do not depend on it.
        force: whether a finished run is repeated.
        debug: `none` or `fast`.
        choices: the choice in each group: the game, the population, the operators, ...
        base: the values of the experiment alone, from which the folder's name is derived.
        callback: the identity of the watcher, the function that observes every generation; empty if there is none.
        tried: a plan of settings that differ from these only in general settings such as the seed: it is copied, and
            its operators are not tried again. None if there is none.

    Example:
        >>> import pigevo
        >>> settings = pigevo.Settings.of("cube_random", "debug=fast", mutation=0.005)
        >>> settings.seed, settings.plan.size, settings.values['mutation']
        (0, 20, 0.005)
    """

    experiment: str | None
    seed: int
    mutation: float | None
    generations: int | None
    record_every: int
    checkpoint_every: int
    lineage: bool
    behaviour: bool
    on_generation: JsonObject | None
    figures: str
    workers: int
    force: bool
    debug: str
    choices: Mapping[str, SelectedOption]
    base: Values = field(default_factory=dict, repr=False)
    callback: str = ""
    tried: Plan | None = field(default=None, repr=False)

    @staticmethod
    def read(
        values: Mapping[str, object],
        typed: Collection[str] = (),
        base: Values | None = None,
        own: Mapping[str, Callable[..., object]] | None = None,
        written: Mapping[str, str] | None = None,
    ) -> Settings:
        """Checked settings from plain values by key, with groups as dicts that have a `name`.

        A key without effect is refused if the user has `typed` it.  If a file has set it (`written`), there is a
        warning, unless the user chose what makes it ineffective.  Any other is ignored.  `base` are the values of the
        experiment alone; `own` are the user's functions by group, if they were passed in Python.
        """
        values = _complete(values)
        general = {key: checked(values[key], fits, key) for key, fits in _GENERAL.items() if key in values}
        choices = _read_choices(values, own or {})
        for key, group in NEEDED_BY.items():
            if key not in choices[group].uses:
                if key in typed:
                    raise _without_effect(f"{key} = {general[key]}", choices[group])
                if key in (written or {}) and group not in typed:
                    LOG.warning("%s", _without_effect((written or {})[key], choices[group]))
                general[key] = None
            elif general.get(key) is None:
                raise InputError(f"the setting {key} is missing: {group}={choices[group].name} needs it.")
        watcher = read_watcher(values[ON_GENERATION])
        callback = watcher.user_code.identity if watcher and watcher.user_code else ""
        setting = {key: watcher.values[key] for key in ("function", "options")} if watcher else None
        return Settings(**general, on_generation=setting, choices=choices, base=base or {}, callback=callback)

    @staticmethod
    def of(*overrides: str, **values: object) -> Settings:
        """The settings of a run, composed and checked.

        Args:
            *overrides: the name of an experiment, and settings as on the command line, `"fitness.games=25"`.
            **values: settings by name; a user's function as the operator of a kind.

        Raises:
            InputError: a setting is wrong.
        """
        typed, own = as_overrides(overrides, values)
        composed = Composer()(typed)
        return Settings.read(composed.values, composed.typed, composed.base, own, composed.written)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as plain values, and functions that were passed in Python; those of files are loaded from there."""
        by_user = {group: choice.user_code for group, choice in self.choices.items() if choice.user_code is not None}
        for group, function in by_user.items():
            refuse_to_pickle(f"the {kind_in_words(group)} {function.name}", function, in_file=True)
        passed = {group: function.function for group, function in by_user.items() if not is_from_file(function)}
        return _unpickled, (self.values, self.base, passed, self.callback, self.hash)

    @cached_property
    def values(self) -> JsonObject:
        """All settings as plain values, for YAML and JSON, without those that are None."""
        general = {key: getattr(self, key) for key in (*_GENERAL, ON_GENERATION)}
        values = {key: value for key, value in general.items() if value is not None or key == "experiment"}
        return {**values, **{group: choice.values for group, choice in self.choices.items()}}

    @cached_property
    def identity(self) -> JsonObject:
        """Everything that can affect the result, as plain values, sources of users' functions, and versions."""
        lasting = {key: value for key, value in self.values.items() if key not in (*VOLATILE, ON_GENERATION)}
        chosen = {group: choice.identity for group, choice in self.choices.items()}
        for group in OPTIONAL:
            if self.choices[group].name == "none":
                del lasting[group], chosen[group]
        lasting = {key: value for key, value in lasting.items() if value or key not in UNRECORDED}
        versions = {"streams": STREAM_VERSION, "engine": ENGINE_VERSION}
        watcher = {"callback": self.callback} if self.callback else {}
        options = {"callback_options": given} if (given := (self.on_generation or {}).get("options")) else {}
        return {**lasting, **chosen, **versions, **watcher, **options}

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the identity, in hex."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Settings) and self.hash == other.hash
        return same and all(getattr(self, key) == getattr(other, key) for key in VOLATILE)

    def __hash__(self) -> int:
        return hash(self.hash)

    @property
    def name(self) -> str:
        """The settings that differ from the experiment's, at most 80 characters with the seed, then the hash's start.

        A user's file is named without its folder.
        """
        return self._named(f"seed={self.seed}" if "seed" in self.differences else "")

    def _named(self, last: str) -> str:
        files = [word for choice in self.choices.values() for word in (choice.reference, *choice.strategies)]
        files.append((self.on_generation or {}).get("function", ""))
        values = {key: spelled(value) for key, value in self.differences.items()}
        parts = [f"{key}={text.rpartition('/')[2] if text in files else text}" for key, text in values.items()]
        return f"{shortened(clean(','.join(sorted(parts)) or UNCHANGED), last)}-{self.hash[:10]}"

    @property
    def folder(self) -> str:
        """`<experiment or default>/<settings>-<hash>`."""
        return f"{clean(self.experiment or 'default').lstrip('.')}/{self.name}"

    def folder_in(self, home: Path) -> Path:
        """The run's folder among all runs; a folder of an earlier version, whose long name lacks the seed, is kept."""
        folder = home / self.folder
        earlier = folder.with_name(self._named(""))
        return earlier if os.path.isdir(earlier) and not os.path.exists(folder) else folder  # a path may be too long

    @cached_property
    def differences(self) -> JsonObject:
        """The settings that differ from those of the experiment alone, with `group=name` before the group's options."""
        return differences(self.values, self.base, lambda group, before: self.choices[group].differences(before))

    @cached_property
    def plan(self) -> Plan:
        """The plan of the run, with every operator created and tried on coarse grids (`evolution/dry_run.py`).

        Raises:
            InputError: an operator refuses its options, or its results are not valid for its kind.
        """
        if self.tried:
            return replace(self.tried, seed=self.seed, workers=self.workers, settings=dict(flat(self.values)))
        game = _game_of(self.choices["game"])
        operators: dict[str, Any] = {kind: as_operator(kind, self.choices[kind].bind()) for kind in KINDS}
        plan = Plan(
            game=game, seed=self.seed, size=self.choices["population"].options["size"],
            waves=self.choices["cubes"].bind()(game, self.generations), rate=self.mutation or 0.0,
            workers=self.workers, islands=self.choices["islands"].bind(), stop=as_stop_rule(self.choices[STOP].bind()),
            baseline=self.choices["baseline"].bind(),
            names={kind: self.choices[kind].label for kind in (*KINDS, STOP)}, lineage=self.lineage,
            behaviour=self.behaviour, settings=dict(flat(self.values)),
            user_code={kind: code for kind in (*KINDS, STOP) if (code := self.choices[kind].user_code)}, **operators,
        )  # fmt: skip
        try_out(plan)
        return plan

    def toolbox(self, wave: int = 0) -> Any:
        """The DEAP toolbox of a wave, for users' own loops with one population (`pigevo.evolution.toolbox`)."""
        from pigevo.evolution.toolbox import UsersTools, make_toolbox

        count = len(self.plan.waves)
        if not is_integer(wave) or not -count <= wave < count:
            raise InputError(f"wave = {short_repr(wave)} must be a whole number from 0 to {count - 1}.")
        return make_toolbox(self.plan, self.plan.waves[wave].grid, UsersTools)

    def with_(self, **changed: object) -> Settings:
        """The same settings with other values of general settings such as `seed`, which are checked."""
        for key in changed:
            if key not in _GENERAL:
                raise unknown("general setting", key, _GENERAL)
        for key, group in NEEDED_BY.items():
            if key in changed and key not in self.choices[group].uses:
                raise _without_effect(f"{key} = {changed[key]}", self.choices[group])
        read = {key: checked(value, _GENERAL[key], key) for key, value in changed.items()}
        tried = self.__dict__.get("plan", self.tried) if set(changed) <= _NO_PART_OF_THE_PLAN else None
        return replace(self, **read, tried=tried)

    def refuse_impossible(self) -> None:
        """Refuse settings of which no plan can be made.

        Raises:
            InputError: an operator refuses its options, or its results are not valid for its kind.
        """
        _ = self.plan

    def refuse_unidentified(self) -> None:
        """Refuse operators whose identity is not known, so that their results could be mistaken for others'.

        Raises:
            InputError: an operator depends on a value whose content cannot be read.
        """
        for kind, choice in self.choices.items():
            refuse_unidentified(f"the {kind_in_words(kind)} {choice.label}", choice.user_code)
        if watcher := self.watcher:
            refuse_unidentified(f"the {ON_GENERATION} {watcher.reference}", watcher.user_code)

    @property
    def watcher(self) -> SelectedOption | None:
        """The function that observes every generation, with its options, loaded from its file; None if there is none.

        Raises:
            InputError: it has changed since the settings were first read.
        """
        watcher = read_watcher(self.on_generation)
        if watcher and watcher.user_code and watcher.user_code.identity != self.callback:
            raise InputError(f"{watcher.reference} has changed since the run began: change it back.")
        return watcher

    @property
    def sources(self) -> dict[str, JsonObject]:
        """The user's functions by kind, each with its reference, identity and files."""
        watcher = self.watcher
        code = {kind: choice.user_code for kind, choice in self.choices.items()}
        code |= {ON_GENERATION: watcher.user_code} if watcher else {}
        return {kind: source_of(function) for kind, function in code.items() if function is not None}

    def __repr__(self) -> str:
        return f"Settings({self.folder!r})"


def _unpickled(
    values: Values, base: Values, own: Mapping[str, Callable[..., object]], callback: str, hash_: str
) -> Settings:
    settings = replace(Settings.read(values, base=base, own=own), callback=callback)
    if settings.hash != hash_:
        raise InputError(f"the pickled settings {settings.name} had the hash {hash_[:10]}: a file that they name "
                         "has changed, or they are from another version of pigevo.")  # fmt: skip
    return settings


def _complete(values: Mapping[str, object]) -> Values:
    """The values with defaults of settings that earlier versions did not have; an unknown or missing one is refused."""
    known = (*_GENERAL, ON_GENERATION, *GROUPS)
    values = (
        {"figures": "auto", ON_GENERATION: None}
        | dict.fromkeys(UNRECORDED, False)
        | {group: {"name": "none"} for group in OPTIONAL}
        | dict(values)
    )
    for key in values:
        if key not in known:
            raise unknown("setting", key, known)
    for key in known:
        if key not in values and key not in NEEDED_BY:
            raise InputError(f"the setting {key} is missing: conf/config.yaml gives its default.")
    return values


def differences(values: Values, base: Values, of_choice: Callable[[str, Values], JsonObject]) -> JsonObject:
    """The values that differ from those of `base`; `of_choice` compares the choice of a group with that there."""
    changed: JsonObject = {}
    for key, value in values.items():
        if key in GROUPS:
            changed |= of_choice(key, base.get(key, {"name": "none"} if key in OPTIONAL else {}))
        elif key == ON_GENERATION:
            changed |= {key: value["function"]} | dict(flat({f"{key}.options": value["options"]}))
        elif key not in ("experiment", *VOLATILE) and (key not in base or base[key] != value):
            changed[key] = value
    return changed


def _read_choices(values: Mapping[str, object], own: Mapping[str, Callable[..., object]]) -> dict[str, SelectedOption]:
    """The choice of each group; the game is read first, because strategies among the options of others depend on it."""
    choices = {"game": read_choice("game", values["game"], None, own.get("game"))}
    rules = _game_of(choices["game"])
    for group in GROUPS:
        if group != "game":
            choices[group] = read_choice(group, values[group], rules, own.get(group))
    return choices


def _game_of(game: SelectedOption) -> Game:
    try:
        bound: Game = game.bind()
    except InputError as error:
        raise InputError(f"game: {error}") from error
    return bound


def _without_effect(setting: str, choice: SelectedOption) -> InputError:
    """The error for a setting that the chosen function does not use."""
    if choice.group == NEEDED_BY["generations"]:
        return InputError(
            f"{setting} changes nothing with cubes={choice.name}, whose waves have lengths of their own: "
            f"write cubes.generations=VALUE, or cubes=none."
        )
    options = ", ".join(f"{choice.group}.{name}" for name in choice.options) or "none"
    return InputError(
        f"{setting} changes nothing with {choice.group}={choice.name}, which has no rate: "
        f"leave it out; its own settings are {options}."
    )
