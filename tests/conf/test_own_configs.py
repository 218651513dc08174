"""Configs of the user's own, from --config-dir."""

import pytest

from pigevo.errors import InputError
from pigevo.settings.compose import Composer

HEAD = "# @package _global_\nexperiment: mine\n"
WRONG = {
    "itself": (f"{HEAD}a: &a [*a]", "the settings are nested to too many levels"),
    "code": (f"{HEAD}a: !!python/object/apply:os.mkdir [sprung]", "a file of the config is no YAML"),
    "bytes": (b"\xff\xfe", "cannot be composed"),
    "including itself": (f"{HEAD}defaults: [mine]", "or a config includes itself"),
    "no first line": ("experiment: mine\n", "the first line of an experiment's file must be `# @package _global_`"),
    "a number": ("3", "Invalid loaded object type"),
}


@pytest.fixture
def compose(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf" / "experiment").mkdir(parents=True)

    def composed(content):
        path = tmp_path / "conf" / "experiment" / "mine.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Composer(tmp_path / "conf")(["experiment=mine"]).values

    return composed


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_config(compose, tmp_path, name):
    content, said = WRONG[name]
    with pytest.raises(InputError, match=said):
        compose(content)
    assert not (tmp_path / "sprung").exists()


def test_a_config_with_an_alias_is_a_config(compose):
    found = compose(f"{HEAD}population: {{size: &few 6}}\nfitness: {{games: *few}}\n")
    assert (found["population"]["size"], found["fitness"]["games"]) == (6, 6)


def test_a_folder_of_configs_that_is_none():
    with pytest.raises(InputError, match="there is no folder of configs at file:none"):
        Composer()(["hydra.searchpath=[file:none]"])
