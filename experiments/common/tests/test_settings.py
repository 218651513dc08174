"""Studies are found in experiments/, their settings become jobs, and no default of the package moves them."""

import inspect
import re
import shutil
import sys

import pytest
import yaml

from pigevo.errors import InputError
from pigevo.experiments import experiments_folder, load_study, study_names
from pigevo.experiments.common.settings import conclude, in_turn, jobs_of, read_settings
from pigevo.runs.progress import Interrupted
from pigevo.settings import compose
from pigevo.settings.schema import GROUPS, conf_folder
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, JobOutcome, SomeFailed


def test_the_studies_are_the_folders_with_a_study_file():
    assert "exeter2016" in study_names()
    assert study_names() == sorted(p.name for p in experiments_folder().iterdir() if (p / "study.py").exists())


@pytest.mark.parametrize("name", study_names())
def test_every_study_can_be_run_and_tells_its_result(name):
    assert list(inspect.signature(load_study(name).run).parameters) == ["folder", "seeds", "workers"]
    assert (experiments_folder() / name / "README.md").is_file()


@pytest.fixture
def experiments(tmp_path, monkeypatch):
    """A folder of one study with a module beside it."""
    monkeypatch.setattr("pigevo.experiments.experiments_folder", lambda: tmp_path)
    monkeypatch.setattr(sys.modules["pigevo.experiments"], "__path__", [str(tmp_path)])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "beside.py").write_text("ANSWER = 42\n")
    (tmp_path / "mine" / "study.py").write_text("from .beside import ANSWER\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("pigevo.experiments.mine")]:
        del sys.modules[name]


def test_a_study_can_import_the_modules_beside_it(experiments):
    assert load_study("mine").ANSWER == 42
    assert load_study("mine") is load_study("mine")
    assert "beside" not in sys.modules


def test_a_study_that_fails_is_not_kept(experiments):
    (experiments / "mine" / "study.py").write_text("1 / 0\n")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            load_study("mine")


def test_another_name_is_refused():
    with pytest.raises(InputError, match="no study 'exeter2061'; did you mean exeter2017 or exeter2016"):
        load_study("exeter2061")


SETTINGS = read_settings(experiments_folder() / "exeter2016" / "settings.yaml")


@pytest.mark.slow
def test_the_paper_is_done_with_its_own_numbers(tmp_path):
    jobs = jobs_of(SETTINGS["paper"], 30, tmp_path)
    assert {len(members) for members in jobs.values()} == {30}
    settings_of = {name: members[0].settings.values for name, members in jobs.items()}
    assert {values["population"]["size"] for values in settings_of.values()} == {20}
    for name, values in settings_of.items():
        games = 25 if values["selection"]["name"] == "round_robin" else 100
        assert values["fitness"] == {"name": "games", "games": games, "paired": False}
        if name in ("figure_5", "figure_6"):
            assert (values["generations"], values["record_every"]) == (200, 2)
        elif values["cubes"]["name"] == "waves":
            assert values["cubes"] == {"name": "waves", "sizes": [20, 10, 5], "generations": 100}
        else:
            assert (values["generations"], values["record_every"]) == (1000, 10)


@pytest.mark.slow
def test_every_further_setting_makes_a_run_of_its_own(tmp_path):
    jobs = jobs_of(SETTINGS["paper"] | SETTINGS["further"], 1, tmp_path)
    hashes = [job.settings.hash for (job,) in jobs.values()]
    assert len(set(hashes)) == len(hashes) == len(SETTINGS["paper"]) + len(SETTINGS["further"])


def test_seeds_come_one_after_the_other_and_the_longest_runs_of_each_first(tmp_path):
    jobs = jobs_of({"a": "experiment=cube_random"}, 3, tmp_path) | jobs_of({"b": "mutation=0.5"}, 2, tmp_path)
    order = [(job.folder.relative_to(tmp_path).as_posix(), job.settings.seed) for job in in_turn(jobs)]
    assert order == [
        ("runs/b/seed_00", 0), ("runs/a/seed_00", 0), ("runs/b/seed_01", 1), ("runs/a/seed_01", 1), ("runs/a/seed_02", 2),
    ]  # fmt: skip


def test_a_study_goes_on_only_if_every_run_has_finished(tmp_path):
    job = Job(Settings.of(), tmp_path / "x")
    conclude([JobOutcome(job, FINISHED)])
    with pytest.raises(SomeFailed, match=r"1 of 2 runs failed:\n.*x: it broke"):
        conclude([JobOutcome(job, FINISHED), JobOutcome(job, FAILED, "it broke")])
    with pytest.raises(Interrupted, match="the same command goes on"):
        conclude([JobOutcome(job, INTERRUPTED), JobOutcome(job, FAILED, "it broke")])


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
        words |= {
            f"{name} {n}": settled.words_of_run(settled.words_of_setting(name, n))
            for name in settled.FAMILIES
            for n in (0, 1)
        }
        words |= {name: settled.words_of_run([*more]) for name, more in settled.LESS.items()}
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
