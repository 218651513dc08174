"""What a run is given, and where its folder lies."""

import os
import re
import shlex

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


def test_an_experiment_of_the_user(pigevo, ran, tmp_path):
    folder = tmp_path / "mine" / "experiment"
    folder.mkdir(parents=True)
    (folder / "calm.yaml").write_text("# @package _global_\nexperiment: calm\nmutation: 0.2\n")
    assert pigevo("--config-dir mine experiment=calm").status == 0
    assert ran[0][0].mutation == 0.2
    assert ran[0][1].parent.name == "calm"
    assert ran[0][1].name.startswith("unchanged-")


def test_what_to_try_next_finds_the_configs_of_the_user(pigevo, no_pictures, tmp_path):
    folder = tmp_path / "mine" / "experiment"
    folder.mkdir(parents=True)
    (folder / "calm.yaml").write_text("# @package _global_\nexperiment: calm\nmutation: 0.2\n")
    output = pigevo("--config-dir mine experiment=calm debug=fast game=piglet baseline=none")
    (advised,) = re.findall(r"python -m pigevo (.* fitness=exact)", output.out)
    assert pigevo([*shlex.split(advised), "--cfg", "job"]).status == 0
    (run,) = (tmp_path / "outputs" / "calm").iterdir()
    assert "experiment=calm" not in pigevo(["resume", str(run)]).out, "nothing says there where its configs are"


DEAF = """# @package _global_
defaults:
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


def test_what_an_experiment_s_file_sets_in_vain_is_told(pigevo, ran, swept, tmp_path, caplog):
    folder = tmp_path / "mine" / "experiment"
    folder.mkdir(parents=True)
    (folder / "calm.yaml").write_text(DEAF)
    assert pigevo("--config-dir mine experiment=calm").status == 0
    assert "calm.yaml changes nothing with cubes=waves, whose waves have lengths of their own" in caplog.text
    assert "mutation = 0.5 in" in caplog.text
    assert "calm.yaml: hydra.job.chdir changes nothing here" in caplog.text
    assert "hydra.sweeper.params changes nothing in a single run" in caplog.text
    caplog.clear()
    assert pigevo("-m --config-dir mine experiment=calm").status == 0
    assert caplog.text.count("generations = 30") == 1
    assert "single run" not in caplog.text
    caplog.clear()
    assert pigevo("--config-dir mine experiment=calm cubes=waves mutator=bit_flip").status == 0
    assert "generations" not in caplog.text
    assert "mutation" not in caplog.text


NAMES = choices("experiment")


@pytest.mark.parametrize("names", [NAMES[::6], pytest.param(NAMES, marks=pytest.mark.slow)], ids=["some", "all"])
def test_no_experiment_of_pigevo_s_sets_anything_in_vain(pigevo, caplog, names):
    for name in names:
        assert pigevo(f"experiment={name} --cfg job").status == 0
        assert not caplog.text, name
