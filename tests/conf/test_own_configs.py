"""Configs of the user's own, from --config-dir: read as every other file is."""

import os

import pytest

from pigevo.errors import InputError
from pigevo.settings.compose import Composer

HEAD = "# @package _global_\nexperiment: mine\n"
BOMB = "a: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{n}: &a{n + 1} [{','.join([f'*a{n}'] * 9)}]\n" for n in range(12))
WRONG = {
    "anchors": (HEAD + BOMB, r"mine\.yaml is no config: it stands for more than 100,000 values"),
    "itself": (f"{HEAD}a: &a [*a]", r"mine\.yaml is no config: it is nested to more than 30 levels"),
    "depth": (f"{HEAD}a: {'[' * 100_000}", r"mine\.yaml is no config: it is nested to more than 30 levels"),
    "code": (f"{HEAD}a: !!python/object/apply:os.mkdir [sprung]", r"mine\.yaml is no config: it is no YAML"),
    "size": (HEAD + "#" * 2**18, r"mine\.yaml cannot be read: it has 262,18\d bytes, and 262,144 are the most"),
    "bytes": (b"\xff\xfe", r"mine\.yaml is no config: it is no text in UTF-8"),
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
def test_a_config_that_would_never_end(compose, tmp_path, name):
    content, said = WRONG[name]
    with pytest.raises(InputError, match=said):
        compose(content)
    assert not (tmp_path / "sprung").exists()


def test_a_config_with_an_alias_is_a_config(compose):
    found = compose(f"{HEAD}population: {{size: &few 6}}\nfitness: {{games: *few}}\n")
    assert (found["population"]["size"], found["fitness"]["games"]) == (6, 6)


def test_a_pipe_in_the_place_of_a_config_is_none(tmp_path):
    (tmp_path / "experiment").mkdir()
    os.mkfifo(tmp_path / "experiment" / "mine.yaml")
    with pytest.raises(InputError, match="no experiment 'mine'"):
        Composer(tmp_path)(["experiment=mine"])


def test_a_folder_of_configs_that_is_none():
    with pytest.raises(InputError, match="there is no folder of configs at file:none"):
        Composer()(["hydra.searchpath=[file:none]"])
