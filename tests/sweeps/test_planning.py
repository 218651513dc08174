"""Composing many runs is the same as composing each, and quicker."""

import pytest
from hydra import initialize_config_dir

from pigevo.config import check, compose, conf_folder, register
from pigevo.errors import InputError
from pigevo.runs.naming import run_folder
from pigevo.sweeps.planning import plan_jobs
from pigevo.sweeps.record import sweep_name

RUNS = [
    *([f"mutation={mutation}", f"seed={seed}"] for mutation in ("0", "1e-3") for seed in (0, 7)),
    *([f"seed={seed}", "experiment=cube_random", "debug=fast"] for seed in (0, 7)),
    *(["population.size=8", f"generations={n}", "experiment=knockout_random"] for n in (1, 3)),
]


@pytest.fixture(scope="module", autouse=True)
def _hydra():
    """One search path for all: composing is then several times as fast."""
    register()
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


@pytest.fixture
def load():
    """Composes as Hydra would, and counts."""

    def composed(words):
        composed.calls += 1
        config = compose(words)
        from omegaconf import OmegaConf, open_dict

        with open_dict(config):
            config.hydra = OmegaConf.create(
                {"sweep": {"dir": "outputs", "subdir": "${run_folder:}"}, "runtime": {"choices": {}}}
            )
        return config

    composed.calls = 0
    return composed


def test_runs_that_share_a_composition_are_those_composed_alone(load):
    jobs = plan_jobs(RUNS, load)
    assert load.calls == 3
    for words, job in zip(RUNS, jobs, strict=True):
        config = compose(words)
        assert job.config == {**check(config), "workers": 1}
        assert str(job.folder).endswith(f"outputs/{run_folder(config)}")
        assert job.overrides == tuple(words)
        assert job.folder.is_absolute()


@pytest.mark.parametrize("wrong", [["seed=-1"], ["mutation=1.5"], ["mutation=x"], ["seed=1.5"]])
def test_a_wrong_one_among_them_is_found(load, wrong):
    key = wrong[0].partition("=")[0]
    others = [[f"{key}=0"], [f"{key}=1"]]
    with pytest.raises((InputError, Exception), match=key):
        plan_jobs([*others, wrong], load)


def test_the_name_of_a_sweep_depends_on_its_runs_alone(load):
    jobs = plan_jobs(RUNS, load)
    configs = [job.config for job in jobs]
    name = sweep_name(configs)
    assert sweep_name([*reversed(configs), configs[0]]) == name
    assert sweep_name(configs[:-1]) != name
    assert name.startswith("cube_random,default,knockout_random,")
    assert len(name) <= 91
