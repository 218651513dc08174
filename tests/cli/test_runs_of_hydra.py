"""What a run is given, and where its folder lies."""

import os
import re
import shlex
from pathlib import Path

import pytest

from pigevo.settings.schema import choices


def test_the_main_job(pigevo, ran, tmp_path):
    assert pigevo("experiment=cube_random mutation=0.005").status == 0
    (settings, folder), *others = ran
    assert not others
    assert settings.mutation == 0.005
    assert settings.values["cubes"] == {"name": "waves", "sizes": [20, 10, 5], "generations": 100}
    assert settings.experiment == "cube_random"
    assert folder == tmp_path / "outputs" / settings.folder
    assert folder.parent == tmp_path / "outputs" / "cube_random"
    assert folder.name.startswith("mutation=0.005-")


def test_the_words_do_not_name_the_folder(pigevo, ran):
    pigevo("experiment=cube_random mutation=1e-3 seed=3")
    pigevo("seed=3 mutation=0.001 experiment=cube_random workers=1 force=true checkpoint_every=7")
    pigevo("fitness=games fitness.games=100 experiment=cube_random mutation=0.001 seed=3")
    assert len({folder for _, folder in ran}) == 1
    assert len(ran) == 3


@pytest.fixture
def swept(monkeypatch):
    """Sweeps only note here the jobs that they were given."""
    jobs = []

    def drive(given, overrides, home, launcher):
        jobs.extend(given)
        return home / "sweep"

    monkeypatch.setattr("pigevo.sweeps.run_sweep.drive", drive)
    return jobs


def test_a_sweep_uses_the_same_folders(pigevo, ran, swept):
    pigevo("seed=2 mutation=0.02")
    pigevo("-m seed=1,2 mutation=0.02")
    assert [job.settings.seed for job in swept] == [1, 2]
    assert swept[1].folder == ran[0][1]
    assert [job.settings.workers for job in swept] == [1, 1]


def test_a_file_can_say_what_is_swept_and_a_word_changes_it(pigevo, swept):
    assert pigevo("sweep=mutation_by_cube_size mutation=0.01 -m seed=3,4").status == 0
    assert len(swept) == 8
    assert {job.settings.choices["cubes"].options["sizes"] for job in swept} == {(20,), (10,), (5,), (20, 10, 5)}
    assert {(job.settings.mutation, job.settings.experiment) for job in swept} == {(0.01, "cube_random")}


def test_no_more_workers_than_cores(pigevo, ran, caplog):
    pigevo("workers=10000")
    assert ran[0][0].workers <= (os.cpu_count() or 1)
    assert "workers = 10000" in caplog.text


@pytest.fixture
def experiment(tmp_path):
    """Writes an experiment `calm` of the user's into the folder `mine` of configs."""
    folder = tmp_path / "mine" / "experiment"
    folder.mkdir(parents=True)
    write = (folder / "calm.yaml").write_text
    return lambda text: write(f"# @package _global_\n{text}")


def test_an_experiment_of_the_user(answer, ran, experiment):
    experiment("experiment: calm\nmutation: 0.2\n")
    answer("--config-dir mine experiment=calm")
    (settings, folder) = ran[0]
    assert settings.mutation == 0.2
    assert folder.parent.name == "calm"
    assert folder.name.startswith("unchanged-")


@pytest.mark.parametrize("folder", ["mine", "config", "my configs"])
def test_what_to_try_next_finds_the_configs_of_the_user(answer, no_pictures, experiment, folder):
    experiment("experiment: calm\nmutation: 0.2\n")
    Path("mine").rename(folder)
    output = answer(["--config-dir", folder, "experiment=calm", "debug=fast", "game=piglet", "baseline=none"])
    (advised,) = re.findall(r"python -m pigevo (.* fitness=exact)", output)
    answer([*shlex.split(advised), "--cfg", "job"])
    (run,) = Path("outputs/calm").iterdir()
    assert "experiment=calm" not in answer(["resume", str(run)]), "nothing says there where its configs are"


IN_VAIN = """defaults:
  - override /cubes: waves
  - override /mutator: expected_flips
experiment: calm
generations: 30
mutation: 0.5
hydra:
  job:
    chdir: true
  sweeper:
    params:
      seed: 1,2
"""


def test_settings_of_an_experiment_s_file_that_have_no_effect_are_named(answer, ran, swept, experiment, caplog):
    experiment(IN_VAIN)
    answer("--config-dir mine experiment=calm")
    for part in (
        "calm.yaml changes nothing with cubes=waves, whose waves have lengths of their own",
        "mutation = 0.5 in",
        "calm.yaml: hydra.job.chdir changes nothing here",
        "hydra.sweeper.params changes nothing in a single run",
    ):
        assert part in caplog.text
    caplog.clear()
    answer("-m --config-dir mine experiment=calm")
    assert caplog.text.count("generations = 30") == 1
    assert "single run" not in caplog.text
    caplog.clear()
    answer("--config-dir mine experiment=calm cubes=waves mutator=bit_flip")
    assert "generations" not in caplog.text
    assert "mutation" not in caplog.text


NAMES = choices("experiment")


@pytest.mark.parametrize("names", [NAMES[::6], pytest.param(NAMES, marks=pytest.mark.slow)], ids=["some", "all"])
def test_no_experiment_of_pigevo_s_sets_anything_in_vain(answer, caplog, names):
    for name in names:
        answer(f"experiment={name} --cfg job")
        assert not caplog.text, name
