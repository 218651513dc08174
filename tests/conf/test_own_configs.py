"""Configs of the user's own, from --config-dir."""

import pytest

from pigevo.errors import InputError
from pigevo.settings.compose import Composer

HEAD = "# @package _global_\nexperiment: mine\n"
WRONG = {
    "itself": (f"{HEAD}a: &a [*a]", "the settings are nested to too many levels"),
    "code": (f"{HEAD}a: !!python/object/apply:os.mkdir [sprung]", "a config file is not valid YAML"),
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
    content, message = WRONG[name]
    with pytest.raises(InputError, match=message):
        compose(content)
    assert not (tmp_path / "sprung").exists()


def test_a_config_with_an_alias_is_a_config(compose):
    values = compose(f"{HEAD}population: {{size: &few 6}}\nfitness: {{games: *few}}\n")
    assert (values["population"]["size"], values["fitness"]["games"]) == (6, 6)


def test_a_missing_folder_of_configs_is_refused():
    with pytest.raises(InputError, match="there is no folder of configs at file:none"):
        Composer()(["hydra.searchpath=[file:none]"])


def test_what_is_shared_in_a_process_is_neither_a_file_of_the_users_nor_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "experiment").mkdir()
    rates = []
    for rate in (0.1, 0.2):
        (tmp_path / "experiment" / "mine.yaml").write_text(f"# @package _global_\nexperiment: mine\nmutation: {rate}\n")
        rates.append(Composer()([f"hydra.searchpath=['file://{tmp_path}']", "experiment=mine"]).values["mutation"])
    assert rates == [0.1, 0.2]
    for folder in (tmp_path, tmp_path / "experiment"):
        monkeypatch.chdir(folder)
        assert Composer()([]).hydra.runtime.cwd == str(folder)
