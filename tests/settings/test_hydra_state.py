"""Inside somebody else's program: what is process-wide in Hydra and OmegaConf stays the caller's."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hydra.core.config_store import ConfigStore
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime
from hydra.version import VersionBase, setbase
from omegaconf import OmegaConf
from omegaconf.basecontainer import BaseContainer

from pigevo.errors import InputError
from pigevo.settings.hydra_state import hydra_state
from pigevo.settings.settings import Settings

MULTIRUN = """
import hydra

@hydra.main(version_base=VERSION, config_path="conf", config_name="config")
def main(cfg):
    open(f"mine_{cfg.seed}.txt", "w").close()
    import pigevo
    pigevo.Settings.of("debug=fast")

main()
"""


@pytest.fixture
def resolvers():
    before = dict(BaseContainer._resolvers)
    yield
    BaseContainer._resolvers = before


@pytest.mark.parametrize("version", ['"1.1"', "None"])
def test_a_caller_s_multirun_writes_where_it_would_without_pigevo(tmp_path, version):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "config.yaml").write_text("seed: 0\n")
    (tmp_path / "mine.py").write_text(MULTIRUN.replace("VERSION", version))
    words = [sys.executable, "mine.py", "-m", "seed=1,2,3", "hydra.sweep.dir=with", "hydra.job.chdir=True"]
    words = words[:-1] if version == '"1.1"' else words  # Hydra 1.1 changes into the folder of a job by itself
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.txt")}
    assert files == {f"with/{number}/mine_{number + 1}.txt" for number in range(3)}
    assert {path.name for path in tmp_path.rglob("*.log")} == {"mine.log"}


def state():
    """The process-wide state that a composition could change."""
    singletons = {kind: Singleton._instances.get(kind) for kind in (JobRuntime, VersionBase, ConfigStore)}
    return (
        {kind: id(one) for kind, one in singletons.items()},
        str(JobRuntime().conf), VersionBase().getbase(), sorted(ConfigStore.instance().repo), dict(BaseContainer._resolvers),
    )  # fmt: skip


def test_a_composition_leaves_the_caller_s_state_also_after_an_error_and_in_threads():
    JobRuntime().set("name", "mine")
    setbase("1.2")
    before = state()
    Settings.of("debug=fast", seed=81)
    assert state() == before
    with pytest.raises(InputError):
        Settings.of("population=nowhere")
    assert state() == before
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda seed: Settings.of("debug=fast", f"population.size={seed + 4}"), range(8)))
    assert state() == before


def test_nothing_that_a_caller_registers_or_clears_changes_a_setting(resolvers):
    expected = Settings.of("debug=fast", "islands=ring").hash
    for name in ("quick", "cores", "run_folder", "pigevo.quick", "now"):
        OmegaConf.register_new_resolver(name, lambda *_: 7, replace=True)
    assert Settings.of("debug=fast", "islands=ring", "record_every=1").hash == expected
    assert OmegaConf.create({"mine": "${quick:1,2}"}).mine == 7
    OmegaConf.clear_resolvers()
    assert Settings.of("debug=fast", "islands=ring", "record_every=1").hash == expected


def test_a_config_of_a_user_has_all_names_of_resolvers(tmp_path):
    from pigevo.settings.compose import Composer

    (tmp_path / "experiment").mkdir()
    text = "# @package _global_\nexperiment: mine\ngenerations: ${quick:3,4}\nrecord_every: ${pigevo.quick:1,2}\n"
    (tmp_path / "experiment" / "mine.yaml").write_text(text)
    composed = Composer(tmp_path)(["experiment=mine", "debug=fast"])
    assert (composed.values["generations"], composed.values["record_every"]) == (3, 1)


def test_threads_compose_one_after_the_other():
    entered, left = threading.Event(), threading.Event()

    def wait():
        with hydra_state():
            entered.set()
            left.wait(10)

    thread = threading.Thread(target=wait)
    thread.start()
    entered.wait(10)
    second = threading.Thread(target=lambda: Settings.of("debug=fast"))
    second.start()
    second.join(0.2)
    assert second.is_alive()
    left.set()
    thread.join()
    second.join()
