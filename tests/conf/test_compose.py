"""Every experiment with every choice of every group composes and passes the checks."""

import inspect
from collections.abc import Iterator

import pytest
import yaml
from hydra import initialize_config_dir

from pigevo.cli.help import choices
from pigevo.config import GROUPS, check, compose, conf_folder, register, registry_of

EXPERIMENTS = [None, *choices("experiment")]
OPTIONS = [(group, name) for group in GROUPS for name in choices(group)]


@pytest.fixture(scope="module", autouse=True)
def hydra() -> Iterator[None]:
    """One search path for all: composing is then several times as fast."""
    register()
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


def _words(experiment, *words):
    return [*([f"experiment={experiment}"] if experiment else []), *words]


@pytest.mark.parametrize("experiment", EXPERIMENTS)
@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_every_experiment_with_every_option(experiment, group, option):
    plain = check(compose(_words(experiment, f"{group}={option}")))
    file = yaml.safe_load((conf_folder() / group / f"{option}.yaml").read_text())
    assert plain[group]["name"] == file["name"]
    assert set(plain[group]) == set(file)
    assert plain["experiment"] == experiment


@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_debug(experiment):
    full, fast = (check(compose(_words(experiment, f"debug={d}"))) for d in ("none", "fast"))
    assert fast["generations"] <= 6
    if "games" in full["fitness"]:
        assert fast["fitness"]["games"] <= 5 < full["fitness"]["games"]
    assert fast["record_every"] == 1
    assert fast["cubes"].get("generations", 0) <= 5
    assert {k: v["name"] for k, v in fast.items() if k in GROUPS} == {
        k: v["name"] for k, v in full.items() if k in GROUPS
    }


@pytest.mark.parametrize(("group", "option"), OPTIONS)
def test_a_file_shows_all_options(group, option):
    """Nothing that can be set is hidden in a function's signature."""
    file = yaml.safe_load((conf_folder() / group / f"{option}.yaml").read_text())
    entry = registry_of(group)[file["name"]]
    assert set(file) - {"name"} == set(entry.options)


@pytest.mark.parametrize("group", GROUPS)
def test_every_registered_name_has_a_file(group):
    files = [yaml.safe_load((conf_folder() / group / f"{o}.yaml").read_text()) for o in choices(group)]
    assert {file["name"] for file in files} == set(registry_of(group))


@pytest.mark.parametrize("path", sorted(conf_folder().rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_file_begins_with_a_command(path):
    first, second = path.read_text().splitlines()[:2]
    command = second if first.startswith("# @package") else first
    assert command.startswith("# python -m pigevo ")


@pytest.mark.parametrize("experiment", choices("experiment"))
def test_experiments_set_universal_keys_alone(experiment):
    file = yaml.safe_load((conf_folder() / "experiment" / f"{experiment}.yaml").read_text())
    universal = set(inspect.signature(__import__("pigevo.config").config.Config).parameters) - set(GROUPS)
    assert set(file) - {"defaults"} <= universal
    assert all(set(choice) <= {f"override /{group}" for group in GROUPS} for choice in file["defaults"])


def test_no_folder_takes_the_name_of_a_number():
    assert not (conf_folder() / "mutation").exists()
