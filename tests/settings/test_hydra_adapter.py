"""Composing beside a program's own use of Hydra and OmegaConf: neither changes the other."""

import subprocess
import sys
import threading
import warnings
from contextlib import nullcontext

import pytest
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime
from hydra.version import VersionBase
from omegaconf import OmegaConf
from omegaconf.basecontainer import BaseContainer

import pigevo
from pigevo.errors import InputError
from pigevo.settings.compose import Composer
from pigevo.settings.hydra_adapter import private_hydra


@pytest.fixture
def registry(monkeypatch):
    """A registry of resolvers for the test alone."""
    monkeypatch.setattr(BaseContainer, "_resolvers", dict(BaseContainer._resolvers))


def state():
    """What is the whole process's of Hydra and OmegaConf."""
    kinds = (JobRuntime, VersionBase, GlobalHydra, HydraConfig, ConfigStore)
    inside = {kind: dict(vars(Singleton._instances[kind])) for kind in kinds if kind in Singleton._instances}
    inside[ConfigStore] = {"schema": ConfigStore.instance().repo.get("schema.yaml")}
    return type(Singleton._instances), inside, dict(BaseContainer._resolvers)


@pytest.mark.parametrize("words", [["seed=3"], ["seed=nonsense"], ["no=such"], ["experiment=no_such"], ["${"]])
def test_composing_changes_nothing_of_the_process(words):
    JobRuntime.instance().set("name", "caller")
    before = state()
    try:
        Composer()(words)
    except InputError:
        assert words != ["seed=3"]
    assert state() == before
    assert JobRuntime.instance().get("name") == "caller"


def test_composing_in_threads_leaves_the_filters_of_warnings_alone_all_the_time(monkeypatch):
    changes, seen, filters = [], [], [*warnings.filters]
    for name in ("catch_warnings", "filterwarnings", "simplefilter"):  # all by which filters change
        monkeypatch.setattr(warnings, name, lambda *_, name=name, **__: changes.append(name) or nullcontext())

    def work(number):
        for n in range(3):
            Composer()([f"+made_{number}_{n}=1"])  # a word that nobody has composed
            seen.append([*warnings.filters])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (changes, seen) == ([], [filters] * 6)


def test_only_the_composing_thread_sees_that_it_composes(registry):
    OmegaConf.register_new_resolver("quick", lambda *_: "caller's", replace=True)
    seen = []

    def look():
        OmegaConf.register_new_resolver("late", lambda: "kept", replace=True)
        seen.append(OmegaConf.create({"a": "${quick:1,2}"}).a)
        seen.append(JobRuntime.instance().get("name"))

    JobRuntime.instance().set("name", "caller")
    with private_hydra():
        assert OmegaConf.create({"a": "${quick:1,2}"}).a == 2
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == ["caller's", "caller"]
    assert OmegaConf.create({"a": "${late:}"}).a == "kept"


def test_resolvers_that_a_thread_clears_meanwhile_stay_cleared(registry):
    OmegaConf.register_new_resolver("mine", lambda: 1)
    with private_hydra():
        thread = threading.Thread(target=OmegaConf.clear_resolvers)
        thread.start()
        thread.join()
    assert not OmegaConf.has_resolver("mine")
    assert not OmegaConf.has_resolver("pigevo.quick")


@pytest.mark.parametrize("name", ["quick", "cores", "pigevo.quick", "run_folder", "oc.env", "hydra", "now"])
def test_resolvers_of_a_caller_and_of_pigevo_do_not_meet(registry, name):
    OmegaConf.register_new_resolver(name, lambda *_: 7, replace=True)
    assert pigevo.Settings.of("debug=fast", "seed=1").generations == 2
    assert OmegaConf.create({"a": f"${{{name}:1}}"}).a == 7


@pytest.fixture
def read_own(tmp_path):
    """A function that composes an experiment of a user's own with some lines."""
    (tmp_path / "experiment").mkdir()

    def read(lines, *words):
        (tmp_path / "experiment" / "mine.yaml").write_text(f"# @package _global_\nexperiment: mine\n{lines}\n")
        return Composer(tmp_path)(["experiment=mine", *words]).values

    return read


@pytest.mark.parametrize(("debug", "generations", "seed"), [("fast", 3, 4), ("none", 5, 6)])
def test_cleared_resolvers_are_harmless(registry, read_own, debug, generations, seed):
    OmegaConf.clear_resolvers()
    values = read_own("generations: ${quick:3,5}\nseed: ${pigevo.quick:4,6}", f"debug={debug}")
    assert (values["generations"], values["seed"]) == (generations, seed)
    assert not OmegaConf.has_resolver("quick")


def test_a_callers_resolver_works_in_the_callers_file(registry, read_own):
    OmegaConf.register_new_resolver("seed_of_mine", lambda: 12)
    assert read_own("seed: ${seed_of_mine:}")["seed"] == 12


MULTIRUN = """
import hydra, pigevo
@hydra.main(version_base="1.1", config_path=None, config_name=None)
def main(config):
    open(f"mine_{config.seed}.txt", "w").close()
    pigevo.Settings.of("debug=fast")
main()
"""


def test_every_job_of_a_callers_multirun_has_its_folder(tmp_path):
    (tmp_path / "own.py").write_text(MULTIRUN)
    words = ["-m", "+seed=1,2,3", "hydra.sweep.dir=sweep"]
    subprocess.run([sys.executable, "own.py", *words], cwd=tmp_path, check=True, capture_output=True)
    assert {path.parent.name for path in tmp_path.rglob("mine_*.txt")} == {"0", "1", "2"}
    assert {path.name for path in tmp_path.rglob("*.log")} == {"own.log"}
