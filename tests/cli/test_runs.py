"""Runs, sweeps and searches from the command line: what they are given, composed once, and what they say."""

import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

import pigevo as package
from pigevo.cli import main
from pigevo.cli.summary import advice, command_of, summary
from pigevo.experiments import experiments_folder, has_tables_of, study_names
from pigevo.runs.result import sentences
from pigevo.settings.schema import choices
from pigevo.settings.settings import Settings
from pigevo.storage.files import locked
from pigevo.sweeps.job import FINISHED, JobOutcome
from pigevo.sweeps.run_sweep import combinations
from tests.cli.conftest import RUN
from tests.small import done_here, environment_of_a_process, posix


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


@pytest.mark.parametrize("word", ['.mutation="0.1,0.2"', '={mutation: "0.1,0.2"}'])
def test_a_word_can_say_what_is_swept_as_a_file_does(capsys, swept, word):
    assert main(["-m", f"+hydra.sweeper.params{word}"]) == 0
    assert [job.settings.mutation for job in swept] == [0.1, 0.2]


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


TINY = "game.target=12 population.size=6 fitness.games=10"


@pytest.fixture
def counts(kernels_stay, monkeypatch):
    """How often Hydra composed, settings were read, and a plan was made and tried out."""
    counts = Counter()

    def counting(name, function):
        @functools.wraps(function)
        def called(*arguments, **options):
            counts[name] += 1
            return function(*arguments, **options)

        return called

    from pigevo.settings import compose, settings

    compose._packaged.cache_clear()  # as in a new process
    monkeypatch.setattr(compose, "compose", counting("composed", compose.compose))
    monkeypatch.setattr(Settings, "read", staticmethod(counting("read", Settings.read)))
    monkeypatch.setattr(settings, "try_out", counting("planned", settings.try_out))
    return counts


def test_a_run_is_composed_checked_and_planned_once_and_no_command_composes_it_again(answer, counts):
    answer(f"experiment=cube_random debug=fast hydra.run.dir=run {TINY}")
    assert counts == {"composed": 1, "read": 1, "planned": 1}
    for command in ("resume run", "verify run", "replay run --generation 1 --pairing 0 --game 0"):
        counts.clear()
        answer(command)
        assert (counts["composed"], counts["read"]) == (0, 1)
        assert counts["planned"] <= 1


def test_a_run_from_python_too(counts, tmp_path):
    package.evolve("cube_random", "debug=fast", *TINY.split(), folder=tmp_path / "run")
    assert counts == {"composed": 1, "read": 1, "planned": 1}


@pytest.mark.parametrize(
    ("words", "composed", "planned"),
    [
        ("experiment=cube_random mutation=0.005 seed=range(10)", 1, 1),
        (f"mutation=0.1,0.2 seed=range(5) {TINY}", 1, 2),
        (f"crossover=blocks,fitter_parent seed=range(5) {TINY}", 3, 2),  # and what the folders' names are made from
    ],
)
def test_a_sweep_composes_once_a_choice_and_plans_once_a_setting(answer, counts, monkeypatch, words, composed, planned):
    run_jobs = lambda jobs, workers, on_outcome: [JobOutcome(job, FINISHED) for job in jobs]  # noqa: E731
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", run_jobs)
    answer(f"-m debug=fast {words}")
    assert counts["composed"] <= composed
    assert counts["planned"] == planned
    assert counts["read"] <= 10


def test_nothing_is_composed_again_in_a_study(tmp_path, counts):
    from pigevo.experiments.common.settings import jobs_of

    jobs = jobs_of({"a": f"experiment=cube_random debug=fast {TINY}"}, 10, tmp_path)
    assert len({job.settings.hash for job in jobs["a"]}) == 10
    assert all(job.settings.plan.seed == seed for seed, job in enumerate(jobs["a"]))
    assert counts["composed"] <= 2
    assert (counts["read"], counts["planned"]) == (1, 1)


MEMBERS = {"value": 0.24, "sample": 6000, "reached": 860, "low": 0.13, "high": 0.15, "largest": 0.39}
NONE = {**MEMBERS, "reached": 0, "low": 0.0, "high": 0.000499}
MEANS = {"value": 0.38, "sample": 300, "reached": 0, "low": 0.0, "high": 0.0099, "largest": 0.21, "recorded": 61}
RANDOM_SEARCH = {"cubes": "20", "strategies": 6020, "games": 320_000, "by_matches": 0.3716}
FINE = {**RANDOM_SEARCH, "cubes": "5", "by_matches": 0.2052}
BASE = {
    "populations": 300, "members": 6000, "own_mean": 0.1725, "own_interval": [0.171, 0.174], "own_best": 0.3868,
    "cells_mean": 0.1165, "cells_interval": [0.1164, 0.1167], "cells_best": 0.1462,
    "peak_among_means": {**MEANS, "best_of_recorded_bound": 1e-26},
    "champion_among_members": {"20": MEMBERS, "5": {**MEMBERS, "reached": 2}}, "random_search": [RANDOM_SEARCH, FINE],
}  # fmt: skip
RECORD = {
    "champion": {"first": 0.27, "second": 0.21, "overall": 0.24}, "peak_mean": 0.3833, "peak_generation": 105,
    "last_mean": 0.218, "optimum_overall": 0.5, "generations": 300, "evaluations": 6020, "games": 319_000, "seconds": 3.2, "baseline": BASE,
}  # fmt: skip


@pytest.fixture(scope="module")
def summary_lines():
    settings = Settings.of("cube_random", mutation=0.005)

    def make(**base):
        return summary({**RECORD, "baseline": {**BASE, **base}}, settings, Path("outputs/x"))

    return make


@pytest.mark.usefixtures("no_pictures")
def test_random_search_by_the_same_matches_stands_first(summary_lines):
    output = summary_lines()
    assert max(map(len, output.splitlines())) <= 100
    output = " ".join(output.split())
    for part in (
        "Random search, with as many strategies and the same matches, finds one that wins 37.2 % with",
        "20.5 % with cubes of 5, the champion's own.",
        "6,020 with cubes of 20: 0.3716 chosen by the same matches",
        "6,020 with cubes of 5: 0.2052 chosen by the same matches",
        "as good as the champion with cubes of 5: 2 of 6,000; the best wins 0.3900",
        "mean of 300 random populations: 0.1725 (0.1710 to 0.1740); with single cells 0.1165 (0.1164 to 0.1167)",
    ):
        assert part in output
    fewer = {"random_search": [{**RANDOM_SEARCH, "strategies": 2000}], "own_interval": [None, None], "populations": 1}
    output = " ".join(summary_lines(**fewer).split())
    assert "Random search, with 2,000 strategies and the same" in output
    assert "mean of 1 random populations: 0.1725; with" in output


@pytest.mark.usefixtures("no_pictures")
def test_a_champion_that_none_reaches_has_the_bound_of_its_sample_and_nothing_else(summary_lines):
    output = summary_lines(champion_among_members={"20x10x15": NONE, "5x10x15": NONE})
    assert " ".join(output.split()).count("none of 6,000, fewer than 1 in 2,003 (95 %)") == 2
    assert " 0 (" not in output
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(("bound", "chance"), [(1e-26, "1 in 1,000,000 "), (0.049, "1 in 20 "), (0.051, ""), (1.0, "")])
def test_a_bound_for_populations_is_printed_where_it_says_something(summary_lines, bound, chance):
    output = " ".join(summary_lines(peak_among_means={**MEANS, "best_of_recorded_bound": bound}).split())
    best = "; even the best of 61, as many as the run recorded, would get there with a probability below "
    assert "populations as good on average as this one at its best: none of 300" in output
    assert (best in output) == bool(chance)
    assert not chance or f"{best}{chance}(95 %)" in output


@pytest.mark.usefixtures("no_pictures")
def test_the_result_is_on_standard_output_and_the_course_on_standard_error(pigevo):
    output = pigevo(f"{RUN} fitness.games=30")
    overall = json.loads(Path("run/result.json").read_text())["champion"]["overall"]
    sentence = f"The champion wins {100 * overall:.1f} % against the optimal strategy; 50 % is the best"
    assert output.out.startswith(sentence)
    assert f"champion       wins {overall:.4f} against the optimal strategy, exactly" in output.out
    assert "folder         run" in output.out
    assert "6 generations, population of 6" in output.err
    assert "The champion wins" not in output.err
    assert "generations, population of" not in output.out
    again = pigevo(f"{RUN} fitness.games=30")
    assert again.out == output.out
    assert again.err == "finished before (force=true runs it again); `pigevo report run` draws its pictures\n"
    as_svg = pigevo(f"{RUN} fitness.games=30 figures=svg").err
    assert as_svg == again.err.replace("report run`", "report run --figures svg`")
    for name in ("curve", "champion"):
        Path(f"run/figures/{name}.png").parent.mkdir(exist_ok=True)
        Path(f"run/figures/{name}.png").touch()
    assert pigevo(f"{RUN} fitness.games=30").err == "finished before (force=true runs it again)\n"
    advised = output.out.partition("try next\n")[2].splitlines()
    assert [line.startswith("      ") for line in advised] == [False, True, False, True]


@pytest.mark.usefixtures("no_pictures")
def test_json_is_the_result_and_nothing_else(answer, finished):
    for words in (f"{RUN} fitness.games=30 --json", f"--json {RUN} fitness.games=30", "resume run --json"):
        assert json.loads(answer(words)) == json.loads((finished / "result.json").read_text())


@pytest.mark.usefixtures("no_pictures")
def test_the_summary_says_what_was_lost_and_what_random_search_finds():
    search = {"cubes": "1", "strategies": 10**6, "by_matches": 0.31}
    first, second = sentences(RECORD | {"baseline": {"random_search": [search], "champion_among_members": MEMBERS}})[:2]
    wins = "The champion wins 24.0 % against the optimal strategy"
    assert first.startswith(f"{wins}; 50 % is the best there is. Random search, with as many")
    assert first.endswith("strategies and the same matches, finds one that wins 31.0 %.")
    assert second.startswith("The population was best in generation 105 of 300, when it won 38.3 % on average;")
    for mean, ending in ((0.3733, "it has lost 1.0 percentage points since."), (0.3833, "and has kept what it found.")):
        assert sentences(RECORD | {"last_mean": mean})[1].endswith(ending)
    plain = RECORD | {"baseline": None}
    draws = "; 55.1 % is the best there is, as this game counts draws."
    assert sentences(plain | {"optimum_overall": 0.5507})[0] == f"{wins}{draws}"
    del plain["optimum_overall"]  # as in records of before
    assert sentences(plain)[0] == f"{wins}."


@pytest.mark.usefixtures("no_pictures")
def test_a_sweep_says_where_it_lies_in_json(record_of, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.drive", lambda jobs, words, home, launcher: home / "name")
    record = record_of("-m seed=1,2 debug=fast")
    assert record == {"sweep": str(Path("outputs/sweeps/name").absolute()), "runs": 2}


DEAD = [
    ("experiment=rediscover", ["mutation", "generations"]),
    ("", []),
    pytest.param("experiment=cube_random", ["generations"], marks=pytest.mark.slow),
    pytest.param("mutator=boundary", ["mutation"], marks=pytest.mark.slow),
]


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(("words", "dead"), DEAD)
def test_cfg_shows_what_will_happen(answer, words, dead):
    output = answer(f"{words} seed=3 --cfg job")
    values = yaml.safe_load(output)
    settings = Settings.of(*words.split(), "seed=3")
    assert {"mutation", "generations"} - set(values) == set(dead)
    assert "hydra" not in values
    assert Settings.read(values, base=settings.base) == settings
    assert output.splitlines()[-1] == f"# folder: outputs/{settings.folder}"
    assert not Path("outputs").exists()


@pytest.mark.usefixtures("no_pictures")
def test_cfg_shows_hydra_s_own_settings_too(answer):
    assert set(yaml.safe_load(answer("--cfg hydra"))) == {"hydra"}
    assert {"hydra", "seed"} <= set(yaml.safe_load(answer("--cfg all")))
    assert "# folder: elsewhere" in answer("--cfg job hydra.run.dir=elsewhere")


def test_a_path_below_the_home_is_meant_where_the_shell_leaves_the_tilde(answer, refused, monkeypatch, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    assert "# folder: home/run" in answer(["--cfg", "job", "--config-dir=~", 'hydra.run.dir="~/run"'])
    answer("show hold_at:4 --target 10 --as png --to=~/map.png")
    assert (home / "map.png").is_file()
    refused("dynamics hold_at:20 hold_at:25 --to=~", "~ is a folder: name a file in it, as in --to ~/shares.png")
    assert not Path("~").exists()


OWN = "import numpy as np\ndef mixed(first, second, context, share: float = 0.5): return first\n"
SETTINGS = [
    [],
    ["experiment=cube_random", "mutation=0.005", "seed=3"],
    ["experiment=rediscover", "debug=fast", "game.target=24", "cubes.sizes=[8,[4,4,1],1]"],
    ["crossover=deap", "crossover.operator=cxUniform", "crossover.arguments.indpb=0.3", "fitness=exact"],
    ["population=named", "population.names=['hold_at:5','keep_pace_and_end_race:21,8,29']", "game=pig"],
    ["fitness=exact_vs", "fitness.opponent=hold_at:25", "mutation=1e-5"],
    ["experiment=knockout_hold_at", "fitness.games=50", "fitness.paired=true", "game.allow_pass=true"],
    ["crossover=custom", "crossover.function=own/ops.py:mixed", "crossover.options.share=0.3", "record_every=7"],
    ["fitness=exact_vs", "fitness.opponent='outputs/mutation=0.1,seed=3 (best)'", "population.size=8"],
    ["game=piglet", "game.target=10", "selection=truncation", "selection.share=0.25", "baseline=random_search"],
]


def test_a_command_has_the_backslashes_and_line_ends_of_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = Path('a\\b\n"c"/ops.py')
    file.parent.mkdir()
    file.write_text(OWN)
    settings = Settings.of("debug=fast", 'crossover="a\\b\n\\"c\\"/ops.py:mixed"')
    python, m, pigevo, *words = shlex.split(command_of(settings))
    assert [python, m, pigevo] == ["python", "-m", "pigevo"]
    assert Settings.of(*words).values["crossover"] == settings.values["crossover"]


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize(
    ("words", "last"),
    [(words, (0.2, 0.3)[n % 2]) if n == 7 else pytest.param(words, (0.2, 0.3)[n % 2], marks=pytest.mark.slow)
     for n, words in enumerate(SETTINGS)],
)  # fmt: skip
def test_every_command_that_is_advised_works_and_changes_what_it_says_alone(words, last, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "ops.py").write_text(OWN)
    package.hold_at(package.Pig(), 20).save("outputs/mutation=0.1,seed=3 (best)/champion.npz")
    settings = Settings.of(*words)
    advised = list(advice(RECORD | {"last_mean": last}, settings, Path("a run")))
    assert len(advised) >= 2
    for command, about in advised:
        assert about
        *program, change = shlex.split(command)
        if program[:2] == ["pigevo", "duel"]:
            assert (program[2], change) == ("a run", "optimal")
            continue
        assert program[:3] == ["python", "-m", "pigevo"]
        assert "custom" not in command  # a function of one's own as one types it
        rest = [word for word in program[3:] if word != "-m"]
        key, _, _ = change.partition("=")
        for run in combinations([*rest, change]):
            settings_of_command = Settings.of(*run)
            assert settings_of_command.plan
            if key == "experiment":
                continue
            identity = settings_of_command.identity
            assert {name for name in settings.identity if identity.get(name) != settings.identity[name]} <= {key}
        if key == "seed":
            assert len(combinations([*rest, change])) == 10


SMALL_SWEEP = "debug=fast game.target=12 population.size=6 fitness.games=10 generations=2 record_every=2 baseline=none"
POOL = "pigevo.workers.pool.subprocess.Popen"


@pytest.fixture
def done_at_once(monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))


def not_started(*_, **__):
    raise AssertionError("a worker was started")


def record(tmp_path):
    (path,) = (tmp_path / "outputs" / "sweeps").glob("*/sweep.json")
    return path, json.loads(path.read_text())


WRONG = [
    ("+mutatoin=1,2", "no setting 'mutatoin'; did you mean"),
    ("crossover=deap crossover.operator=cxOnePoint,cxNope", "cxNope"),
    ("seed=range(0)", "the sweep has no runs"),
    ("seed=1,2 hydra.sweep.subdir=same", "two different runs would share the folder outputs/same"),
    ("seed=1,2 hydra/launcher=basic", "BasicLauncher is a launcher of Hydra's, and not one of pigevo's"),
    ("seed=1,2 hydra/sweeper=basic", "hydra/sweeper changes nothing here"),
    ("seed=1,2 hydra.launcher.workers=0", "at least 1"),
    ("cubes=none,waves", "generations = 2 changes nothing with cubes=waves"),
]


@pytest.mark.usefixtures("kernels_stay")
@pytest.mark.slow
def test_a_wrong_value_anywhere_is_refused_before_the_first_run(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, not_started)
    for words, output in WRONG:
        refused(f"-m {SMALL_SWEEP} {words}", output)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("kernels_stay")
@pytest.mark.parametrize(
    ("launcher", "needs"),
    [("ray_cluster", "ray>="), pytest.param("submitit_slurm", "submitit>=", marks=pytest.mark.slow)],
)
def test_a_cluster_gets_nothing_that_is_wrong_either(pigevo, tmp_path, monkeypatch, launcher, needs):
    wrong = pigevo(f"-m {SMALL_SWEEP} mutation=0.1,1.5 hydra/launcher={launcher}")
    assert (wrong.status, wrong.out) == (2, "")
    assert "mutation = 1.5 is out of range" in wrong.err
    assert list(tmp_path.iterdir()) == []
    for module in ("ray", "submitit"):
        monkeypatch.setitem(sys.modules, module, None)  # as if not installed
    output = pigevo(f"-m {SMALL_SWEEP} seed=1,2 hydra/launcher={launcher}").err
    version = re.search(rf"pip install '({needs}[0-9.]+)'", output).group(1)
    assert f'"{version}"' in (Path(__file__).parents[2] / "pyproject.toml").read_text()


@pytest.mark.usefixtures("kernels_stay")
def test_a_sweep_its_record_and_the_same_sweep_in_other_words(pigevo, answer, tmp_path, monkeypatch, done_at_once):
    answer(f"-m {SMALL_SWEEP} seed=1,1,2 mutation=0.01,1e-2,0.02")
    path, sweep = record(tmp_path)
    assert len(sweep["runs"]) == 4
    assert sweep["swept"] == ["mutation"]
    assert sweep["name"].startswith("default,mutation,seed-")
    assert "seed=1,1,2" in sweep["overrides"]
    runs = {(run["setting"], run["seed"]): (path.parent / run["folder"]).resolve() for run in sweep["runs"]}
    assert runs.keys() == {(f"mutation={rate}", seed) for rate in (0.01, 0.02) for seed in (1, 2)}
    assert all((folder / "result.json").is_file() for folder in runs.values())
    assert len(set(runs.values())) == 4
    assert not list(tmp_path.rglob("multirun.yaml"))

    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", not_started)
    again = pigevo(f"-m mutation=2e-2,0.01 seed=2,1 {SMALL_SWEEP} selection=knockout workers=2")
    assert again.status == 0
    assert "4 runs, 4 finished before" in again.err
    assert len(list(Path("outputs/sweeps").iterdir())) == 1
    single = pigevo(f"{SMALL_SWEEP} seed=2 mutation=0.01")  # by itself, it is the same run in the same folder
    assert "finished before" in single.err
    assert str(runs["mutation=0.01", 2].relative_to(tmp_path)) in single.out


@pytest.mark.usefixtures("kernels_stay")
@pytest.mark.slow
def test_failures_are_listed_and_the_others_finish(pigevo, tmp_path, request):
    settings = Settings.of(*SMALL_SWEEP.split(), "seed=2")
    place = tmp_path / "outputs" / settings.folder
    place.parent.mkdir(parents=True)
    place.write_text("a file where the folder should be")
    output = pigevo(f"-m {SMALL_SWEEP} seed=1,2 hydra.launcher.workers=1")
    assert output.status == 1
    assert "1 of 2 runs are finished, 1 failed:" in output.err
    assert (
        f"  {place.relative_to(tmp_path)}\n    {place} cannot be written: it is a file; name another folder."
        in output.err
    )
    path, _ = record(tmp_path)
    failures = path.parent / "failures.json"
    assert list(json.loads(failures.read_text())["failures"]) == [os.path.relpath(place, path.parent)]

    place.unlink()
    request.getfixturevalue("done_at_once")
    assert pigevo(f"-m {SMALL_SWEEP} seed=2,1").status == 0
    assert not failures.exists()
    assert json.loads((place / "result.json").read_text())["config_hash"] == settings.hash


@pytest.mark.usefixtures("kernels_stay")
def test_a_sweep_of_one_run_says_so_and_has_no_spread(pigevo, answer, done_at_once):
    assert ": 1 run\n" in pigevo(f"-m {SMALL_SWEEP} seed=1").err
    (path,) = Path("outputs/sweeps").iterdir()
    assert answer("status").endswith(": 1 run: 1 finished\n")
    heads, row = answer(f"report {path} --table csv").splitlines()
    assert heads.endswith("standard deviation")
    assert row.split(",")[-3:] == ["", "", ""]


@pytest.mark.usefixtures("kernels_stay")
def test_all_sweeps_are_listed(pigevo, answer, done_at_once, refused):
    refused("status", "there is no folder outputs/sweeps: give the folder of one")
    for words in ("seed=1,2", "mutation=0.1,0.2"):
        answer(f"-m {SMALL_SWEEP} {words}")
    assert re.findall(r": (.*)", answer("status")) == ["2 runs: 2 finished"] * 2
    next(Path("outputs/default").glob("*/result.json")).unlink()
    output = pigevo("status --json")
    assert output.status == 1
    assert sorted(sweep["counts"]["finished"] for sweep in json.loads(output.out)["sweeps"]) == [1, 2]
    path = next(Path("outputs/sweeps").glob("*/sweep.json"))
    path.write_text("{}")
    assert f"{path} is damaged" in pigevo("status").out


@pytest.mark.usefixtures("kernels_stay")
@pytest.mark.slow
def test_folders_of_the_users_own(pigevo, tmp_path):
    words = f"-m {SMALL_SWEEP} hydra.sweep.dir=mine hydra.sweep.subdir=${{hydra.job.num}}"
    assert pigevo(f"{words} seed=1,2").status == 0
    assert {p.name for p in (tmp_path / "mine").iterdir()} == {"0", "1", "sweeps"}
    output = pigevo(f"{words} seed=2,1")
    assert output.status == 1
    assert output.err.count("holds a run of another config") == 2


@pytest.mark.usefixtures("kernels_stay")
def test_a_refused_run_leaves_the_record_of_the_run_that_was_there(answer, pigevo):
    def files():
        return {path.name: path.read_text() for path in Path("run/.hydra").iterdir()}

    answer(f"{SMALL_SWEEP} hydra.run.dir=run")
    before = files()
    assert before.keys() == {"config.yaml", "overrides.yaml"}
    output = pigevo(f"{SMALL_SWEEP} hydra.run.dir=run seed=7")
    assert output.status == 2
    assert "holds a run of another config" in output.err
    assert files() == before


@pytest.mark.usefixtures("kernels_stay")
@pytest.mark.slow
@posix
def test_stopped_by_ctrl_c_and_given_again(tmp_path):
    words = [*SMALL_SWEEP.split()[:-3], "generations=1500", "record_every=500", "checkpoint_every=20", "seed=1,2,3"]
    environment = environment_of_a_process()
    command = [sys.executable, "-m", "pigevo", "-m", "hydra.launcher.workers=2", *words]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 600
    while len(list(tmp_path.glob("outputs/*/*/checkpoint.npz"))) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=600)[1]
    assert process.returncode == 130, output
    assert "0 of 3 runs are finished" in output
    assert "the same command goes on from there" in output
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    logs = [path.read_text() for path in tmp_path.glob("outputs/default/*/run.log")]
    assert sum("going on after generation" in log for log in logs) == 2


@pytest.mark.usefixtures("kernels_stay")
def test_a_sweep_that_is_being_done_is_left_to_the_process_that_does_it(pigevo, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(POOL, refuse)
    words = f"-m {SMALL_SWEEP} seed=1,2"
    assert pigevo(words).status == 1
    path, _ = record(tmp_path)
    with locked(path.parent, "sweep"):
        output = pigevo(words)
    assert output.status == 2
    assert "another process is at work" in output.err
    assert (path.parent / "failures.json").exists()


TUNE = "tune debug=fast game.target=9 baseline=none fitness.games=4"
SEARCH = f"{TUNE} mutation=0.001..0.1:log population.size=4..7 --runs 5 --seeds 1 --confirm 4"


@pytest.mark.usefixtures("kernels_stay")
def test_the_best_is_printed_with_its_interval_beside_the_default(answer, record_of, done_at_once):
    output, record = answer(SEARCH), record_of(SEARCH)
    best, fresh = record["best"], record["confirmed"]
    setting = ",".join(f"{key}={value}" for key, value in best["values"].items())
    interval = f"(95 % interval {fresh['low']:.4f} to {fresh['high']:.4f})"
    assert f"  {best['score']:.4f}  {setting}\n" in output
    assert f"best    {fresh['mean']:.4f} {interval}  {setting}" in output
    assert "mutation=0.01,population.size=20" in output
    assert any(proposal["refused"] for proposal in record["proposals"])
    assert "refused: population.size = " in output
    assert ("fANOVA" in output) == bool(record["importance"])
    answer(f"report {record['sweep']} --table csv")
    assert "paired by seed" in answer(f"compare {record['sweep']} {setting} mutation=0.01,population.size=20")


def test_a_figure_is_drawn_alone(record_of, tmp_path):
    (file,) = record_of("study exeter2017 --figure 4 --folder drawn")["files"]
    assert (tmp_path / file).read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == [".lock", "figure_04_alone.png"]


def test_a_figure_may_have_fewer_seeds_than_a_study(record_of):
    (file,) = record_of("study bonnet2018 --figure 2 --seeds 1 --folder drawn")["files"]
    assert file.endswith("figure_02_alone.png")


@pytest.mark.parametrize("name", ["coevolution", "benchmark"])
def test_a_second_process_does_not_begin_in_the_folder_of_a_study(refused, name):
    kind = "benchmark" if name == "benchmark" else f"study {name}"
    with locked(Path(name), kind):
        refused(
            f"study {name} --seeds 6 --folder {name}", f"another process is at work in {name}: wait for it, or end it."
        )
    assert [file.name for file in Path(name).iterdir()] == [".lock"]


@pytest.mark.parametrize(
    "others",
    [{"tables.md": "# My notes\n"}, {".lock": "pigevo study structure\n", "tables.md": "## table\n\n| a |\n"}],
)
def test_a_study_replaces_no_tables_of_others(refused, others):
    folder, kept = Path("mine"), {"runs.csv": "my,data\n", **others}
    folder.mkdir()
    for file, text in kept.items():
        (folder / file).write_text(text)
    refused(
        "study illumination --seeds 2 --folder mine",
        "mine must be new or empty, but has other files (runs.csv, tables.md)",
    )
    assert {path.name: path.read_text() for path in folder.iterdir()} == kept


def test_tables_in_a_folder_without_a_mark_are_those_of_one_study(tmp_path):
    names = study_names()
    assert all([name for name in names if has_tables_of(name, experiments_folder() / own)] == [own] for own in names)
    tables = (experiments_folder() / "lineage" / "tables.md").read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "tables.md").write_bytes(tables)
    assert has_tables_of("lineage", tmp_path)


@pytest.mark.parametrize("mark", ["", "pigevo study\n"])
def test_a_study_goes_on_in_its_own_folder_in_a_copy_and_in_that_of_an_earlier_version(answer, mark):
    own = experiments_folder() / "exeter2017" / "tables.md"
    Path("copy").mkdir()
    shutil.copy(own, "copy")
    Path("copy", ".lock").write_text(mark)
    for _ in range(2):
        answer("study exeter2017 --figure 4 --folder copy")
    assert Path("copy", ".lock").read_text() == (mark or "pigevo study exeter2017\n")
    assert Path("copy", "tables.md").read_bytes() == own.read_bytes()


def test_a_study_without_a_publication_has_no_such_figures(refused):
    refused("study learning --figure loss", "learning draws no figure alone: leave --figure out")
