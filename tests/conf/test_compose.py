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


def file_of(group, option):
    return yaml.safe_load((conf_folder() / group / f"{option}.yaml").read_text())


def experiment_words(experiment):
    return f"experiment={experiment}" if experiment else ""


def check(settings_of, ops, experiment, options):
    own = [f"{group}.function={ops}:{group}" for group, option in options.items() if option == CUSTOM]
    settings = settings_of(experiment_words(experiment), *(f"{g}={option}" for g, option in options.items()), *own)
    for group, option in options.items():
        file = file_of(group, option)
        assert settings.choices[group].name == file["name"]
        assert set(settings.values[group]) == {key for key, value in file.items() if value != []}  # without a usual die
    assert settings.experiment == experiment
    for key, listening in NEEDED_BY.items():
        assert (key in settings.values) == (key in settings.choices[listening].uses)


@pytest.mark.parametrize("number", range(max(len(choices(group)) for group in GROUPS)))
def test_every_option_with_some_experiment_and_some_of_the_others(settings_of, ops, number):
    options = {group: (names := choices(group))[number % len(names)] for group in GROUPS}
    check(settings_of, ops, EXPERIMENTS[number % len(EXPERIMENTS)], options)


@pytest.mark.slow
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_experiment_with_every_option(settings_of, ops, experiment):
    for group, option in OPTIONS:
        check(settings_of, ops, experiment, {group: option})


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_debug_is_quick_and_changes_no_choice(settings_of, experiment):
    full, fast = (settings_of(experiment_words(experiment), f"debug={d}").values for d in ("none", "fast"))
    assert max(fast.get("generations", 0), fast["cubes"].get("generations", 0)) <= 6
    if "games" in full["fitness"]:
        assert fast["fitness"]["games"] <= 5 < full["fitness"]["games"]
    assert fast["record_every"] == 1
    assert {group: fast[group]["name"] for group in GROUPS} == {group: full[group]["name"] for group in GROUPS}


def test_a_file_has_all_options_and_the_defaults_of_the_signature():
    """The defaults of the choice of a function's own name; of a pair of a quick and a full value the latter."""
    for group, option in OPTIONS:
        text = re.sub(r"\$\{pigevo\.quick:[^,]*,(.*?)\}", r"\1", (conf_folder() / group / f"{option}.yaml").read_text())
        values = yaml.safe_load(text)
        name = values.pop("name")
        if option == CUSTOM:
            common = {"size"} if group == "population" else set()
            options = set() if group == "game" else {"options"}  # those of a game stand beside its function
            assert set(values) == {"function"} | options | common
            continue
        entry = registry_of(group)[name]
        assert set(values) == set(entry.options), option
        for key in values.keys() & entry.defaults.keys() - {"names"}:  # `population.names` shows several names
            usual = entry.defaults[key]
            plain = list(usual) if isinstance(usual, tuple) else usual
            assert name != option or values[key] == plain or not (values[key] or plain), f"{group}={option}: {key}"


def test_every_registered_name_has_a_file():
    for group in GROUPS:
        own = {CUSTOM} if group in CUSTOM_GROUPS else set()
        assert {file_of(group, option)["name"] for option in choices(group)} == set(registry_of(group)) | own


def test_every_file_begins_with_a_command():
    for path in conf_folder().rglob("*.yaml"):
        assert re.match(r"(# @package .*\n)?# python -m pigevo ", path.read_text()), path


def test_experiments_set_universal_keys_alone():
    universal = set(inspect.signature(Config).parameters) - set(GROUPS)
    for experiment in choices("experiment"):
        file = file_of("experiment", experiment)
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


@pytest.mark.parametrize(
    ("word", "path", "value"),
    [
        ("seed=${oc.env:PIGEVO_NUMBER,7}", "seed", 7),
        ("mutation=${oc.env:PIGEVO_NUMBER,7e-3}", "mutation", 0.007),
        ("force=${oc.env:PIGEVO_NUMBER,true}", "force", True),
        ("fitness.games=${oc.env:PIGEVO_NUMBER,7}", "fitness.games", 7),
        ("game.target=${oc.env:PIGEVO_SET,7}", "game.target", 12),
        ("debug=${oc.env:PIGEVO_NUMBER,fast}", "debug", "fast"),
    ],
)
def test_a_text_of_the_environment_is_of_the_type_that_is_wanted(monkeypatch, word, path, value):
    monkeypatch.setenv("PIGEVO_SET", "12")
    values = Settings.of(word).values
    for key in path.split("."):
        values = values[key]
    assert (values, type(values)) == (value, type(value))


def test_a_text_of_the_environment_that_is_no_number_is_refused():
    with pytest.raises(InputError, match=r"seed.*'many'.*Integer"):
        Settings.of("seed=${oc.env:PIGEVO_NUMBER,many}")
