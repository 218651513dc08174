"""Every experiment with every choice of every group composes, passes the checks, and shows what will happen."""

import inspect
import re

import pytest
import yaml

from pigevo.errors import InputError
from pigevo.settings.compose import Composer
from pigevo.settings.schema import CUSTOM, CUSTOM_GROUPS, GROUPS, NEEDED_BY, Config, choices, conf_folder, registry_of
from pigevo.settings.settings import Settings

EXPERIMENTS = [None, *choices("experiment")]
OPTIONS = [(group, name) for group in GROUPS for name in choices(group)]
OWN = """
import numpy as np
from pigevo import Pig
def game() -> Pig: return Pig()
def population(size, context): return context.draw.bits(size, context.grid.genes)
def fitness(tables, context): return tables.mean(axis=(1, 2, 3))
def selection(scores, context): return np.argsort(-scores)[: len(scores) // 2]
def crossover(first, second, context): return first
def mutator(genomes, context): return genomes
def replacement(survivors, context): return survivors[:0]
def stop(generation): return False
"""


@pytest.fixture(scope="module")
def ops(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "ops.py"
    path.write_text(OWN)
    return path


@pytest.fixture(scope="module")
def settings_of():
    """Settings of words; what two of them share is composed once."""
    composer = Composer()

    def read(*words):
        composed = composer([word for word in words if word])
        return Settings.read(composed.values, composed.typed, composed.base)

    return read


def _chosen(group, option, ops):
    return [f"{group}={option}", *([f"{group}.function={ops}:{group}"] if option == CUSTOM else [])]


def _named(experiment):
    return f"experiment={experiment}" if experiment else ""


def _file(group, option):
    return yaml.safe_load((conf_folder() / group / f"{option}.yaml").read_text())


@pytest.mark.parametrize("number", range(max(len(choices(group)) for group in GROUPS)))
def test_every_option_with_some_experiment_and_some_of_the_others(settings_of, ops, number):
    options = {group: (names := choices(group))[number % len(names)] for group in GROUPS}
    check(settings_of, ops, EXPERIMENTS[number % len(EXPERIMENTS)], options)


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_with_every_option(settings_of, ops, experiment):
    for group, option in OPTIONS:
        check(settings_of, ops, experiment, {group: option})


def check(settings_of, ops, experiment, options):
    chosen = [word for group, option in options.items() for word in _chosen(group, option, ops)]
    settings = settings_of(_named(experiment), *chosen)
    for group, option in options.items():
        file = _file(group, option)
        assert settings.choices[group].name == file["name"]
        assert set(settings.values[group]) == {
            key for key, value in file.items() if value != []
        }  # a usual die is left out
    assert settings.experiment == experiment
    for key, listening in NEEDED_BY.items():
        assert (key in settings.values) == (key in settings.choices[listening].uses)


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_debug(settings_of, experiment):
    full, fast = (settings_of(_named(experiment), f"debug={d}").values for d in ("none", "fast"))
    assert fast.get("generations", 0) <= 6
    if "games" in full["fitness"]:
        assert fast["fitness"]["games"] <= 5 < full["fitness"]["games"]
    assert fast["record_every"] == 1
    assert fast["cubes"].get("generations", 0) <= 5
    assert {k: v["name"] for k, v in fast.items() if k in GROUPS} == {
        k: v["name"] for k, v in full.items() if k in GROUPS
    }


def test_a_file_shows_all_options():
    """Nothing that can be set is hidden in a function's signature."""
    for group, option in OPTIONS:
        file = _file(group, option)
        if option == CUSTOM:
            common = {"size"} if group == "population" else set()
            options = set() if group == "game" else {"options"}  # those of a game stand beside its function
            assert set(file) == {"name", "function"} | options | common
        else:
            assert set(file) - {"name"} == set(registry_of(group)[file["name"]].options), option


def test_a_file_shows_the_defaults_of_the_signature():
    """Of the choice of a function's own name; of a pair of a quick and a full value the latter."""
    for group, option in OPTIONS:
        text = re.sub(r"\$\{quick:[^,]*,(.*?)\}", r"\1", (conf_folder() / group / f"{option}.yaml").read_text())
        shown = yaml.safe_load(text)
        if option != CUSTOM and shown.pop("name") == option:
            usual = registry_of(group)[option].defaults
            for name in shown.keys() & usual.keys() - {"names"}:  # `population.names` shows that several can be named
                plain = list(usual[name]) if isinstance(usual[name], tuple) else usual[name]
                assert shown[name] == plain or not (shown[name] or plain), f"{group}={option}: {name}"


def test_every_registered_name_has_a_file():
    for group in GROUPS:
        own = {CUSTOM} if group in CUSTOM_GROUPS else set()
        assert {_file(group, option)["name"] for option in choices(group)} == set(registry_of(group)) | own


def test_every_file_begins_with_a_command():
    for path in conf_folder().rglob("*.yaml"):
        first, second = path.read_text().splitlines()[:2]
        command = second if first.startswith("# @package") else first
        assert command.startswith("# python -m pigevo "), path


def test_experiments_set_universal_keys_alone():
    universal = set(inspect.signature(Config).parameters) - set(GROUPS)
    for experiment in choices("experiment"):
        file = _file("experiment", experiment)
        assert set(file) - {"defaults"} <= universal
        assert all(set(choice) <= {f"override /{group}" for group in GROUPS} for choice in file["defaults"])


def test_every_option_is_checked_by_its_type():
    """Also those that a class inherits from one in another file; without a type anything would pass."""
    for group in GROUPS:
        for name, entry in registry_of(group).items():
            assert set(entry.hints) == set(entry.options), name


def test_inherited_options_out_of_their_range_are_refused():
    with pytest.raises(InputError, match=r"fitness\.every"):
        Settings.of("fitness=archive_games", "fitness.every=0")
