"""Sweeps: planned before any run, done in worker processes that may die, from the command or from Python."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from unittest.mock import Mock

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs import run
from pigevo.runs.checkpoint import CHECKPOINT_FILE
from pigevo.runs.folder import settings_of
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job, run_jobs, run_sweep
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, JobOutcome, SomeFailed
from pigevo.sweeps.record import flat, flat_together, label, sweep_name, swept
from pigevo.sweeps.run_sweep import SweepBar, advice_after_changes, combinations, drive, plan_jobs
from tests.cli.conftest import digest_of as digest
from tests.small import posix, small_words, wait_for

RUNS = [
    *([f"mutation={mutation}", f"seed={seed}"] for mutation in ("0", "1e-3") for seed in (0, 7)),
    *([f"seed={seed}", "experiment=cube_random", "debug=fast"] for seed in (0, 7)),
    *(["population.size=8", f"generations={n}", "experiment=knockout_random"] for n in (1, 3)),
    *([f"mutation={rate}", f"game.target={n}", f"seed={n}"] for rate in ("0.5", "1", "2e-1") for n in (20, 30)),
    *(["game=piglet", f"game.heads={heads}"] for heads in ("1", "1.0", "0.25")),
]


@pytest.fixture
def plan(tmp_path):
    return lambda runs: plan_jobs(runs, Composer(), lambda composed, settings, number: tmp_path / settings.folder)


def test_the_bar_counts_no_interrupted_run_as_done(plan, monkeypatch):
    jobs, bar = plan(RUNS[:3]), Mock(initial=0)
    monkeypatch.setattr(run_sweep, "ProgressBar", lambda **_: bar)
    shown = SweepBar("sweep", jobs, jobs)
    shown.step(jobs[0], 5)
    for job, state in zip(jobs, (INTERRUPTED, FINISHED, FAILED), strict=True):
        shown.done(JobOutcome(job, state))
    generations = [call.args[0] for call in bar.update.call_args_list]
    assert generations == [5, *(job.settings.plan.generations for job in jobs[1:])]
    assert bar.set_description_str.call_args.args == ("sweep: 2 of 3 runs, 1 failed",)


def test_runs_that_are_planned_together_are_those_planned_alone(plan, tmp_path):
    for words, job in zip(RUNS, plan(RUNS), strict=True):
        alone = Settings.of(*words).with_(workers=1, figures="none")
        assert job.settings == alone
        assert job.settings.values == alone.values
        assert job.settings.folder == alone.folder
        assert job.folder == tmp_path / alone.folder
        assert job.overrides == tuple(words)
        plans = [(p.seed, p.size, p.rate, p.workers, p.waves, p.generations) for p in (job.settings.plan, alone.plan)]
        assert plans[0] == plans[1]


def test_a_folder_can_depend_on_the_number_of_the_run_and_its_config(tmp_path):
    jobs = plan_jobs(RUNS[:3], Composer(), lambda composed, _, number: tmp_path / f"{number}-{composed.values['seed']}")
    assert [job.folder.name for job in jobs] == ["0-0", "1-7", "2-0"]


def test_runs_that_differ_in_numbers_alone_are_composed_once(tmp_path):
    class Counting(Composer):
        composed = 0

        def __call__(self, *words):
            self.composed += 1
            return super().__call__(*words)

    composer = Counting()
    runs = [["debug=fast", f"seed={seed}", f"mutation={rate}"] for rate in (0, 0.1, 0.2) for seed in range(50)]
    runs.append(["debug=fast", "seed=0", "mutation=0.1", "selection=truncation"])
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: tmp_path / settings.folder)
    assert composer.composed == 2
    assert len({job.folder for job in jobs}) == 151


@pytest.mark.parametrize("made_of", ["seed", "generations"])
def test_what_a_config_makes_of_a_number_is_made_for_each_run(tmp_path, made_of):
    text = f"# @package _global_\nexperiment: grows\nrecord_every: ${{{made_of}}}\n"
    (tmp_path / "own/experiment").mkdir(parents=True)
    (tmp_path / "own/experiment/grows.yaml").write_text(text)
    composer = Composer(tmp_path / "own")
    runs = [["experiment=grows", f"{made_of}={number}"] for number in (3, 4)]
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: tmp_path / settings.folder)
    assert [job.settings.record_every for job in jobs] == [3, 4]


def test_a_seed_is_read_as_hydra_reads_it(plan):
    """Also among seeds that are read without it."""
    assert [job.settings.seed for job in plan([["seed=1"], ["seed=007"], ["seed=1_000"]])] == [1, 7, 1000]
    with pytest.raises(InputError, match="cannot be read"):
        plan([["seed=1"], ["seed=\u0663"]])  # an Arabic digit


def test_pictures_are_drawn_in_a_sweep_only_where_its_config_says_how(tmp_path):
    (tmp_path / "own/experiment").mkdir(parents=True)
    text = "# @package _global_\nexperiment: printed\nfigures: pdf\n"
    (tmp_path / "own/experiment/printed.yaml").write_text(text)
    runs = [["experiment=printed"], ["seed=1"], ["seed=1", "figures=svg"]]
    jobs = plan_jobs(runs, Composer(tmp_path / "own"), lambda composed, settings, number: tmp_path / str(number))
    assert [job.settings.figures for job in jobs] == ["pdf", "none", "svg"]


@pytest.mark.parametrize("wrong", ["seed=-1", "mutation=1.5", "mutation=x", "seed=1.5", "population.size=7"])
def test_a_wrong_run_among_others_is_refused(plan, wrong):
    with pytest.raises(InputError, match=wrong.partition("=")[0]):
        plan([["seed=1"], ["mutation=0.1"], [wrong], ["seed=2"]])


def test_files_are_named_without_folders_where_that_tells_them_apart(tmp_path):
    def settings(*places):
        return [{"mutator": {"name": "custom", "function": f"{tmp_path}/{place}"}, "seed": 0} for place in places]

    assert [values["mutator"] for values in flat_together(settings("a/ops.py:f", "b/ops.py:g"))] == [
        "ops.py:f",
        "ops.py:g",
    ]
    alike = flat_together(settings("a/ops.py:f", "b/ops.py:f"))
    assert [values["mutator"] for values in alike] == [f"{tmp_path}/a/ops.py:f", f"{tmp_path}/b/ops.py:f"]
    listed = flat_together([{"fitness": {"name": "panel", "opponents": [f"{tmp_path}/x.npz", "optimal"]}}])
    assert listed[0]["fitness.opponents"] == "[x.npz,optimal]"


def test_the_name_of_a_sweep_depends_on_its_runs_alone(plan):
    jobs = plan(RUNS)
    name = sweep_name(jobs)
    assert sweep_name([*reversed(jobs), jobs[0]]) == name
    assert sweep_name(jobs[:-1]) != name
    assert name.startswith("cube_random,default,knockout_random,")
    assert len(name) <= 91


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["seed=3"], [["seed=3"]]),
        (["a=1,2", "b=x,y"], [["a=1", "b=x"], ["a=1", "b=y"], ["a=2", "b=x"], ["a=2", "b=y"]]),
        (["seed=range(3)"], [["seed=0"], ["seed=1"], ["seed=2"]]),
        (["cubes.sizes=[20,10],[5]"], [["cubes.sizes=[20,10]"], ["cubes.sizes=[5]"]]),
        (["seed=1,1"], [["seed=1"], ["seed=1"]]),
        (["~x", "fitness=games,exact"], [["~x", "fitness=games"], ["~x", "fitness=exact"]]),
        (["mutation=choice(0.1,0.2)"], [["mutation=0.1"], ["mutation=0.2"]]),
    ],
)
def test_combinations(words, expected):
    assert combinations(words) == expected


@pytest.mark.parametrize(
    ("words", "message"), [(["seed=range(0)"], "the sweep has no runs"), (["seed=[1"], "'seed=[1' cannot be read")]
)
def test_words_that_make_no_sweep(words, message):
    with pytest.raises(InputError, match=re.escape(message)):
        combinations(words)


@pytest.fixture(scope="module")
def values_of():
    """The plain values of settings given as words."""
    composer = Composer()

    def read(*lists):
        composed = [composer(words.split()) for words in lists]
        return [Settings.read(config.values, config.typed, config.base).values for config in composed]

    return read


def test_seeds_and_how_a_run_is_done_are_no_settings(values_of):
    assert swept(values_of("seed=1 workers=1 checkpoint_every=3", "seed=2 force=true")) == []


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        (("mutation=0", "mutation=1e-3"), ["mutation=0", "mutation=0.001"]),
        (("fitness=games", "fitness=exact"), ["fitness=games", "fitness=exact"]),
        (("game.target=20", "game.target=30"), ["game.target=20", "game.target=30"]),
        (
            ("cubes=only_20", "cubes=only_5", "cubes=waves"),
            ["cubes.sizes=[20]", "cubes.sizes=[5]", "cubes.sizes=[20,10,5]"],
        ),
        (
            ("experiment=cube_random", "experiment=knockout_random"),
            ["experiment=cube_random", "experiment=knockout_random"],
        ),
        (
            ("cubes=none", "cubes=waves", "cubes=waves cubes.sizes=[5]"),
            ["cubes=none", "cubes=waves,cubes.sizes=[20,10,5]", "cubes=waves,cubes.sizes=[5]"],
        ),
        (
            ("mutator=bit_flip", "mutator=boundary", "mutator=bit_flip mutation=0.1"),
            ["mutator=bit_flip,mutation=0.01", "mutator=boundary", "mutator=bit_flip,mutation=0.1"],
        ),
    ],
)
def test_a_setting_is_named_by_the_fewest_keys(values_of, lists, expected):
    settings = values_of(*lists)
    keys = swept(settings)
    assert [label(flat(values), keys) for values in settings] == expected


def test_different_runs_have_different_settings_or_seeds(values_of):
    words = [f"mutation={m} population.size={n} seed={s}" for m in (0, 0.1) for n in (4, 6) for s in (1, 2)]
    settings = values_of(*words)
    keys = swept(settings)
    assert sorted(keys) == ["mutation", "population.size"]
    assert len({(label(flat(values), keys), values["seed"]) for values in settings}) == 8


OF_ANY_TYPE = "def keep(first, second, context, x=None, y=()):\n    return first\n"


@pytest.fixture
def any_type(tmp_path):
    """The word for a crossover whose options have no types."""
    (tmp_path / "ops.py").write_text(OF_ANY_TYPE)
    return f"crossover={tmp_path}/ops.py:keep"


def test_values_of_different_types_have_different_names(plan, any_type):
    typed = ["1", "'1'", "true", "'true'", "null", "'null'", "'1e3'", "word", "[1,'1']", "['1',1]"]
    jobs = plan([[any_type, f"crossover.options.x={value}"] for value in typed])
    settings = [job.settings.values for job in jobs]
    assert swept(settings) == ["crossover.options.x"]
    assert [label(flat(values), swept(settings)) for values in settings] == [
        f"crossover.options.x={value}" for value in typed
    ]


def test_different_runs_with_one_name_are_refused_before_anything_is_written(tmp_path, any_type):
    (tmp_path / "here").mkdir()
    with pytest.raises(InputError, match=r"x=1 and crossover\.options\.x=1\.0 are different runs that have one name"):
        pigevo.sweep("debug=fast", any_type, "crossover.options.x=1,1.0", outputs=tmp_path / "here")
    assert not any((tmp_path / "here").iterdir())


@pytest.mark.parametrize("word", ["figures=png,svg", "workers=1,2", "checkpoint_every=range(1,3)", "++figures=png,svg"])
def test_what_changes_no_result_has_one_value(word):
    with pytest.raises(InputError, match=rf"{word.partition('=')[0].lstrip('+')} changes no result of a run: give one"):
        combinations([word])


def test_runs_from_before_there_was_a_group_differ_in_nothing_from_those_without(values_of):
    (now,) = values_of("seed=1")
    before = {key: value for key, value in now.items() if key not in ("stop", "islands")}
    assert swept([now, before]) == []
    assert flat(before) == flat(now)


@pytest.mark.slow
@pytest.mark.parametrize("words", [["-m", "seed=1,2"], ["seed=1"]])
def test_what_is_refused_leaves_no_file_without_asserts_either(tmp_path, words):
    (tmp_path / "ops.py").write_text("def one_child(first, second, context):\n    return first[:1]\n")
    words = [sys.executable, "-O", "-m", "pigevo", *words, "crossover=ops.py:one_child", "debug=fast"]
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert (made.returncode, "one_child" in made.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir() if path.name != "__pycache__"] == ["ops.py"]


LONG = ("generations=200", "checkpoint_every=10", "record_every=1000")  # a second
SCRIPT = """
import json, sys
from pathlib import Path
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job, run_jobs
jobs = [Job(Settings.read(values), Path(folder)) for values, folder in json.loads(sys.argv[1])]
print(json.dumps([[o.state, o.error] for o in run_jobs(jobs, workers=2)]))
"""


EDITED = "def mine(genomes, context): return genomes\n"


def own(kind, path):
    return f"{kind}=custom", f"{kind}.function={path}:mine"


def undisturbed(tmp_path, jobs):
    """The digests of the same runs, done here one after the other."""
    folders = [tmp_path / "undisturbed" / job.folder.name for job in jobs]
    settings = [job.settings.with_(checkpoint_every=1000, figures="none") for job in jobs]
    return [run(*undone)["digest"] for undone in zip(settings, folders, strict=True)]


def driver(jobs, environment):
    words = json.dumps([[job.settings.values, str(job.folder)] for job in jobs])
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", SCRIPT, words], env=environment, stdout=pipe, stderr=pipe, text=True)


def test_results_are_those_of_single_runs_in_the_order_of_the_jobs(make_jobs, tmp_path, workers, capfd):
    jobs = make_jobs(tmp_path / "swept", (3, 1, 2))
    jobs[0] = Job(jobs[0].settings.with_(figures="svg"), jobs[0].folder)
    outcomes = run_jobs([*jobs, jobs[1]], workers=2)
    assert [outcome.job for outcome in outcomes] == [*jobs, jobs[1]]
    assert {(outcome.state, outcome.error) for outcome in outcomes} == {("finished", "")}
    assert all(outcome.seconds > 0 for outcome in outcomes)
    assert len(workers) == 2
    assert [digest(job.folder) for job in jobs] == undisturbed(tmp_path, jobs)
    assert (jobs[0].folder / "figures" / "curve.svg").is_file()
    for job in jobs:
        assert settings_of(job.folder) == job.settings
        assert (job.folder / "run.log").read_text().count("6 generations") == 1
    assert capfd.readouterr() == ("", "")  # no terminal, no bar; the runs' words are in their folders


def test_two_different_runs_never_share_a_folder(make_jobs, tmp_path, workers):
    first, second = make_jobs(tmp_path, (1, 2))
    with pytest.raises(InputError, match="two different runs would share the folder"):
        run_jobs([first, Job(second.settings, first.folder)])
    assert workers == []
    assert not first.folder.exists()


UNFORESEEN = """
import os, signal
from pigevo.runs import runner
def beginning(settings, original=runner.beginning):
    if settings.seed == 9:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1 // 0 if settings.seed == 3 else original(settings)
runner.beginning = beginning
"""


def test_the_others_go_on_when_some_fail(make_jobs, tmp_path, monkeypatch):
    good, other, strangers, mine, raising, killed, last = make_jobs(tmp_path, (1, 2, 6, 7, 3, 9, 5))
    (tmp_path / "sitecustomize.py").write_text(UNFORESEEN)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    (tmp_path / "file").write_text("")
    edited = tmp_path / "edited.py"
    edited.write_text(EDITED)
    (refused,) = make_jobs(tmp_path, (4,), *own("mutator", edited))
    edited.write_text(EDITED + "# after the sweep was planned\n")
    strangers.folder.mkdir()
    (strangers.folder / "mine.txt").write_text("mine")
    run(mine.settings, mine.folder)
    before = {path: path.read_bytes() for path in mine.folder.rglob("*") if path.is_file()}
    failing = [
        (Job(other.settings, tmp_path / "file" / "x"), "x cannot be written: Not a directory."),
        (raising, "ZeroDivisionError: "),
        (refused, f"{edited}:mine: changed since the sweep was planned"),
        (strangers, "must be new or empty, but has other files (mine.txt)"),
        (Job(mine.settings.with_(seed=8), mine.folder), "holds a run of another config"),
        (killed, "killed by signal 9 (Killed)"),
    ]
    outcomes = run_jobs([good, *(job for job, _ in failing), last], workers=1)
    assert [outcome.state for outcome in outcomes] == ["finished", *["failed"] * len(failing), "finished"]
    for (_, message), outcome in zip(failing, outcomes[1:-1], strict=True):
        assert message in outcome.error
    assert [path.name for path in strangers.folder.iterdir()] == ["mine.txt"]
    assert all(path.read_bytes() == content for path, content in before.items() if path.name != "run.log")
    assert "mine.txt" not in (good.folder / "run.log").read_text()
    assert "Traceback" in (raising.folder / "run.log").read_text()
    assert "Traceback" not in (refused.folder / "run.log").read_text()


def test_of_several_failed_runs_the_file_that_was_edited_is_named(make_jobs, tmp_path):
    """The first job's own file is as it was."""
    files = tmp_path / "same.py", tmp_path / "edited.py"
    for file in files:
        file.write_text(EDITED)
    failed = [job for file in files for job in make_jobs(tmp_path / file.stem, (1,), *own("mutator", file))]
    assert advice_after_changes(failed) == ""
    files[1].write_text(EDITED + "# edited\n")
    assert advice_after_changes(failed).startswith(f"{files[1]}:mine: changed since the sweep was planned. The runs")


def test_the_command_that_a_finished_sweep_prints_can_be_pasted(make_jobs, tmp_path, caplog):
    caplog.set_level("INFO")
    drive(make_jobs(tmp_path / "my runs", (1,)), [], tmp_path / "my sweep", run_jobs)
    (folder,) = (tmp_path / "my sweep").iterdir()
    assert f"1 of 1 runs are finished; `pigevo report '{folder}'` has the answer" in caplog.messages


@pytest.mark.slow
def test_a_file_that_is_edited_during_a_sweep_is_named(make_jobs, tmp_path, workers):
    edited = tmp_path / "edited.py"
    edited.write_text(EDITED)
    jobs = make_jobs(tmp_path / "runs", (1, 2), *own("mutator", edited))

    def launcher(left, *, on_outcome):
        done = run_jobs(left[:1], workers=1, on_outcome=on_outcome)
        edited.write_text(EDITED + "# edited\n")
        return done + run_jobs(left[1:], workers=1, on_outcome=on_outcome)

    with pytest.raises(SomeFailed) as caught:
        drive(jobs, [], tmp_path / "sweeps", launcher)
    lines = str(caught.value).splitlines()
    changed = f"{edited}:mine: changed since the sweep was planned"
    assert lines[0] == "1 of 2 runs are finished, 1 failed:"
    assert lines[2] == f"    {changed}"
    assert lines[3].startswith(f"{changed}. The runs that are finished stay as they are. Change the file back, and")
    edited.write_text(EDITED)
    drive(jobs, [], tmp_path / "sweeps", run_jobs)
    assert len(workers) == 3  # what was finished was not done again


@pytest.mark.slow
@posix
def test_interrupted_and_killed_drivers_leave_runs_that_go_on(make_jobs, tmp_path, environment):
    jobs = make_jobs(tmp_path / "a", range(3), "generations=900", *LONG[1:])
    begun = jobs[:2]
    first = driver(jobs, environment)
    wait_for(lambda: all((job.folder / CHECKPOINT_FILE).exists() for job in begun))
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=600)
    states = json.loads(out)
    assert [state for state, _ in states] == ["interrupted"] * 3
    assert "stopped after generation" in states[0][1]
    assert "stopping after this generation" in err
    assert not jobs[2].folder.exists()

    second = driver(jobs, environment)
    saved = [job.folder / "metrics.csv" for job in begun]
    marks = [path.stat().st_mtime_ns for path in saved]
    wait_for(lambda: all(path.stat().st_mtime_ns > mark for path, mark in zip(saved, marks, strict=True)))
    second.kill()
    second.communicate(timeout=600)
    outcomes = run_jobs(jobs, workers=2)  # at once: the orphans hold their locks until they have saved
    assert [(o.state, o.error) for o in outcomes] == [("finished", "")] * 3
    assert "going on after generation" in (jobs[0].folder / "run.log").read_text()
    assert [digest(job.folder) for job in jobs] == undisturbed(tmp_path, jobs)


@pytest.mark.slow
def test_a_slow_generation_outlives_its_driver_as_a_checkpoint(make_jobs, tmp_path, environment):
    """Each generation takes longer than a worker is silent, which reports to nobody before it learns that it is alone."""
    (job,) = make_jobs(tmp_path, (1,), "generations=30", "checkpoint_every=1000", "fitness.games=4000000")
    first = driver([job], environment)
    wait_for(lambda: (job.folder / "run.log").exists())
    time.sleep(1.5)
    first.kill()
    first.communicate(timeout=600)
    wait_for(lambda: (job.folder / CHECKPOINT_FILE).exists(), 600)
    assert "the run failed" not in (job.folder / "run.log").read_text()


FEW = [word for word in small_words() if not word.startswith("mutation")]


@pytest.fixture
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def contents(sweep):
    return [(m.folder, m.setting, m.seed, m.values, m.state, m.error) for m in sweep.members]


@pytest.mark.usefixtures("_here")
def test_sweep_gives_what_load_sweep_gives_and_what_is_finished_is_not_done_again(tmp_path, workers):
    sweep = pigevo.sweep(*FEW, mutation=[0.01, 0.3], seed=range(2), workers=1)
    assert contents(sweep) == contents(pigevo.load_sweep(sweep.folder))
    assert sweep.folder.parent == tmp_path / "outputs" / "sweeps"
    assert sweep.swept == ("mutation",)
    assert [(m.setting, m.seed, m.state) for m in sweep.members] == [
        (f"mutation={rate}", seed, "finished") for rate in (0.01, 0.3) for seed in (0, 1)
    ]
    workers.clear()
    again = pigevo.sweep(*FEW, mutation=np.array([0.3, 0.01]), seed=(1, 0))
    assert {m.folder for m in again.members} == {m.folder for m in sweep.members}
    assert main(["-m", *FEW, "mutation=0.01,0.3", "seed=range(2)"]) == 0
    assert len(list((tmp_path / "outputs" / "sweeps").iterdir())) == 1
    alone = pigevo.evolve(*FEW, mutation=0.3, seed=1)
    (member,) = (m for m in sweep.members if (m.setting, m.seed) == ("mutation=0.3", 1))
    assert member.load().result["digest"] == alone.result["digest"]
    assert sweep.results()["champion"].shape == (4,)
    assert sweep.runs[member].champion == alone.champion
    assert workers == []


@pytest.fixture
def jobs(monkeypatch):
    """The jobs of sweeps, of which none is done."""
    begun = []

    def run_jobs(given, workers, on_outcome):
        begun.extend(given)
        return [JobOutcome(job, FINISHED) for job in given]

    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", run_jobs)
    return begun


@pytest.fixture
def own_module(tmp_path, monkeypatch):
    """A module of the user's, whose folder needs quotes on a command line."""
    (tmp_path / "my own").mkdir()
    (tmp_path / "my own" / "newcomer_ops.py").write_text(
        "import pigevo\n\n\ndef mine(first, second, context, share: float = 0.5):\n    return second\n\n\n"
        "def top(scores, context):\n    return scores.argsort()[-2:]\n\n\n"
        "class Middle(pigevo.Selection):\n    def __call__(self, scores, context):\n"
        "        return scores.argsort()[2:4]\n\n\n"
        "def short(target: int = 9) -> pigevo.Race:\n    return pigevo.Pig(target)\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "my own")
    monkeypatch.delitem(sys.modules, "newcomer_ops", raising=False)
    return importlib.import_module("newcomer_ops")


@pytest.mark.usefixtures("_here")
def test_functions_and_classes_stand_in_lists_as_names_do(jobs, own_module):
    sweep = pigevo.sweep(*FEW, selection=["knockout", own_module.top, own_module.Middle], crossover=own_module.mine)
    assert [job.settings.choices["selection"].label for job in jobs] == ["selection=knockout", "top", "Middle"]
    assert {job.settings.choices["crossover"].label for job in jobs} == {"mine"}
    alone = [
        pigevo.Settings.of(*FEW, selection=s, crossover=own_module.mine)
        for s in ("knockout", own_module.top, own_module.Middle)
    ]
    assert [settings.hash for settings in alone] == [job.settings.hash for job in jobs]
    labels = ["selection=knockout", "selection=newcomer_ops.py:Middle", "selection=newcomer_ops.py:top"]
    assert sorted(member.setting for member in sweep.members) == labels
    jobs.clear()
    pigevo.sweep(*FEW[:1], game=iter([own_module.short, pigevo.Pig]), baseline="none")
    assert [job.settings.choices["game"].label for job in jobs] == ["short", "game=pig"]


@pytest.mark.usefixtures("_here")
def test_words_can_be_swept_too_and_a_list_of_lists_where_the_setting_is_a_list(jobs):
    sizes = [[20, 10], [[20, 10, 5]], [5]]
    pigevo.sweep("cube_random", "mutation=0.1,0.2", "debug=fast", **{"cubes.sizes": sizes, "game.target": 20})
    assert {job.settings.choices["cubes"].options["sizes"] for job in jobs} == {(20, 10), ((20, 10, 5),), (5,)}
    assert {job.settings.mutation for job in jobs} == {0.1, 0.2}
    assert len(jobs) == 6
    assert {job.settings.workers for job in jobs} == {1}
    jobs.clear()
    pigevo.sweep(fitness=["games", "exact"], experiment=["knockout_random", "cube_random"])
    assert {(j.settings.experiment, j.settings.choices["fitness"].name) for j in jobs} == {
        (experiment, name) for experiment in ("knockout_random", "cube_random") for name in ("games", "exact")
    }


@pytest.mark.usefixtures("_here")
@pytest.mark.slow
def test_an_operator_from_a_file_goes_to_the_workers(tmp_path, own_module):
    shares = {"crossover.options.share": [0.1, 0.2]}
    sweep = pigevo.sweep(*FEW, crossover=own_module.mine, outputs="there", workers=1, **shares)
    assert sweep.settings == ["crossover.options.share=0.1", "crossover.options.share=0.2"]
    assert sweep.folder.is_relative_to(tmp_path / "there")
    for done in sweep.runs.values():
        alone = pigevo.evolve(*FEW, crossover=own_module.mine, **{"crossover.options.share": 0.1})
        assert done.result["digest"] == alone.result["digest"]
        assert (done.folder / "operators" / "crossover" / "newcomer_ops.py").is_file()
    sweep = pigevo.sweep(*FEW, selection=["knockout", own_module.top], workers=1)
    digests = {run.result["digest"] for run in sweep.runs.values()}
    assert digests == {
        pigevo.evolve(*FEW, selection=selection).result["digest"] for selection in ("knockout", own_module.top)
    }


WRONG = [
    ({"mutation": [0.1, 7]}, "mutation = 7.0 is out of range"),
    ({"seed": []}, "seed"),
    ({"seed": range(0)}, "seed"),
    ({"seed": [1, object()]}, "must be a number, a word or a list"),
    ({"mutatoin": [1, 2]}, "no setting mutatoin; did you mean"),
    ({"crossover": eval("lambda first, second, context: first")}, "write <lambda> into a file"),
    ({"crossover": ["blocks", "blokcs"]}, "did you mean blocks?"),
    ({"crossover": ["blocks", eval("lambda first, second, context: first")]}, "write <lambda> into a file"),
    ({"mutation": [0.1, len]}, "mutation cannot be a function"),
    ({"game": [pigevo.Pig(20), pigevo.Pig(30)]}, "in a list, game takes names and classes, and not Pig"),
]


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(("values", "message"), WRONG)
def test_what_is_wrong_is_one_error_before_anything_is_written(tmp_path, workers, values, message):
    with pytest.raises(InputError) as caught:
        pigevo.sweep(*FEW, **values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == workers == []
