"""No default of the package moves a study: all defaults in conf/ are changed, and every run of every study stays."""

import re
import shutil

import pytest
import yaml

from pigevo.errors import InputError
from pigevo.experiments import experiments_folder, load_study, study_names
from pigevo.experiments.common.settings import read_settings
from pigevo.settings import compose
from pigevo.settings.schema import GROUPS, conf_folder
from pigevo.settings.settings import Settings

STUDIES = sorted(path.parent.name for path in experiments_folder().glob("*/settings.yaml"))
RUN_BY_CODE = "jobs_of(", "pigevo.evolve(", "pigevo.generations(", "pigevo.sweep("


def words_of(study):
    """The words of every kind of run of a study, by a name."""
    parts = read_settings(experiments_folder() / study / "settings.yaml")
    words = {f"{part} {name}": words.split() for part, settings in parts.items() for name, words in settings.items()}
    if study == "illumination":
        words = {name: load_study(study).at_budget(found) for name, found in words.items()}
    if study == "rediscovery":
        settled = load_study(study).settled
        words |= {f"{name} {n}": settled.all_words(settled.words(name, n)) for name in settled.FAMILIES for n in (0, 1)}
        words |= {name: settled.all_words([*more]) for name, more in settled.LESS.items()}
    if study == "tuning":
        module = load_study(study)
        values = {"population.size": "30", "fitness.games": "50", "cubes.sizes": "[20,10]"}
        words |= {"original": [*module.WORDS, *module.proposed({})], "one": [*module.WORDS, *module.proposed(values)]}
        words |= {name: module.whole([found]) for name, found in module.PAPER.items()}
    return words


def hashes_of(words):
    return {name: _hash(found) for name, found in words.items()}


def _hash(words):
    try:
        return Settings.of(*words, "seed=7", "baseline=none").hash
    except InputError as error:
        return str(error)


KEPT = {"name", "experiment", "function", "on_generation", "hydra", "debug", "workers", "force", "figures"}
"""What a file calls itself, and what does not decide a run."""


def _with_other_defaults(conf):
    """Change every default in a folder of configs, to values that need not fit: a study asks for none of them."""
    choices = {
        group: sorted(path.stem for path in (conf / group).glob("*.yaml") if path.stem != "custom") for group in GROUPS
    }
    for path in (path for folder in ("", "experiment", *GROUPS) for path in (conf / folder).glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        read = yaml.safe_load(text)
        defaults = {"defaults": [_other_choice(one, choices) for one in read["defaults"]]} if "defaults" in read else {}
        changed = {key: value if key in KEPT else _other(value) for key, value in read.items()} | defaults
        package = "# @package _global_\n" if text.startswith("# @package _global_") else ""
        path.write_text(package + yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")


def _other_choice(line, choices):
    """A line of a defaults list with the next choice of its group."""
    if not isinstance(line, dict):
        return line
    ((key, name),) = line.items()
    names = choices.get(key.removeprefix("override /"))
    return {key: names[names.index(name) - 1]} if names else line


def _other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 2 if isinstance(value, int) else 0.5 * value + 0.25  # chances stay below 1
    if isinstance(value, str):
        return re.sub(r"\d+", lambda n: str(int(n[0]) + 2), value) if "${" in value else f"other_{value}"
    if isinstance(value, list):
        return [_other(one) for one in value] or [3]
    return 3 if value is None else value  # an empty mapping stays: what an operator does then, it says itself


@pytest.fixture(scope="module")
def changed_conf(tmp_path_factory):
    """A copy of conf/ with other defaults."""
    folder = tmp_path_factory.mktemp("changed") / "conf"
    shutil.copytree(conf_folder(), folder)
    _with_other_defaults(folder)
    return folder


@pytest.fixture
def other_defaults(changed_conf, monkeypatch):
    """The package with other defaults in conf/, from when the function is called."""
    caches = (compose.loading, compose._packaged, compose._packaged_base)

    def change():
        monkeypatch.setattr(compose, "conf_folder", lambda: changed_conf)
        for cache in caches:
            cache.cache_clear()

    yield change
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize("every", [pytest.param(15, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("study", STUDIES)
def test_no_default_of_the_package_moves_a_study(study, every, other_defaults):
    words = dict([*words_of(study).items()][::every])
    before = hashes_of(words)
    assert all(re.fullmatch("[0-9a-f]{64}", found) for found in before.values())
    other_defaults()
    assert hashes_of(words) == before


def test_the_other_defaults_are_other_values(other_defaults):
    default = compose.Composer()(["experiment=cube_random"]).values
    other_defaults()
    changed = compose.Composer()(["experiment=cube_random"]).values
    assert {key for key, value in changed.items() if value == default[key]} <= KEPT


def test_every_study_that_evolves_states_its_settings():
    evolve = {
        path.parent.name
        for name in study_names()
        for path in (experiments_folder() / name).glob("*.py")
        if any(call in path.read_text(encoding="utf-8") for call in RUN_BY_CODE)
    }
    stated = {name for name in STUDIES if "stated:" in (experiments_folder() / name / "settings.yaml").read_text()}
    assert evolve == stated == {*STUDIES}
