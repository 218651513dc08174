"""Functions of the user's that look at every generation, or end a run: in runs, sweeps, and when a run goes on."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pigevo as package
from pigevo.errors import InputError
from pigevo.settings.schema import flat
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import SomeFailed, changed
from tests.docs.pages import EXAMPLES
from tests.small import environment_of_a_process, small_words

WATCH = """
from pathlib import Path
print("read")
def every(generation):
    if generation.number == 4 and Path("broken").exists(): raise KeyError("four")
    return {"spread": generation.scores.std()}
def three(generation): return {"stop": generation.number == 3}
def text(generation): return "text"
def two(generation, other): return {}
def none(): return {}
class Silent: pass
def least(generation, share: float = 0.5, names: tuple[str, ...] = ("least",)):
    return {name: generation.scores.min() * share for name in names}
class Since:
    def __init__(self, number: int): self.number = number
    def __call__(self, generation): return {"stop": generation.number == self.number}
"""
SMALL = " ".join(small_words())


@pytest.fixture
def watch(tmp_path, no_pictures, monkeypatch):
    (tmp_path / "watch.py").write_text(WATCH)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "watch", raising=False)
    return tmp_path / "watch.py"


def test_a_watcher_is_the_same_as_one_that_python_hands_over(pigevo, answer, watch):
    words = f"{SMALL} on_generation=watch.py:every hydra.run.dir=run"
    answer(words)
    by_command, own = package.load_run("run"), importlib.import_module("watch")
    by_function, by_word = (package.evolve(*small_words(), on_generation=f) for f in (own.every, "watch.py:every"))
    plain = package.evolve(*small_words())
    for run in (by_function, by_word):
        assert run.result["config_hash"] == by_command.result["config_hash"] != plain.result["config_hash"]
        assert run.result["digest"] == by_command.result["digest"] == plain.result["digest"]
        assert np.array_equal(run.metrics["spread"], by_command.metrics["spread"])
    assert "finished before" in pigevo(words.replace("watch.py", str(watch))).err
    assert (Path("run/operators/on_generation") / "watch.py").read_text() == WATCH
    assert by_command.settings.values["on_generation"] == {"function": f"{watch}:every", "options": {}}
    with pytest.raises(InputError, match="on_generation is given twice"):
        package.evolve(*small_words("on_generation=watch.py:every"), on_generation=own.every)
    with pytest.raises(InputError, match="on_generation changes nothing here"):
        package.generations(*small_words("on_generation=watch.py:every"))
    with pytest.raises(InputError, match="on_generation changes nothing here"):
        package.generations(*small_words(), on_generation=own.every)
    with pytest.raises(InputError, match=r"on_generation = 3 must be a function"):
        package.evolve(*small_words(), on_generation=3)


def test_a_watcher_has_options_as_operators_have(pigevo, answer, watch):
    words = "on_generation=watch.py:least on_generation.options.share=0.25 on_generation.options.names=[a,b]"
    answer(f"{SMALL} {words} hydra.run.dir=run")
    run = package.load_run("run")
    half = package.evolve(*small_words("on_generation=watch.py:least"))
    assert run.metrics["a"].tolist() == run.metrics["b"].tolist() == (half.metrics["least"] / 2).tolist()
    assert run.result["config_hash"] != half.result["config_hash"]
    assert pigevo(f"{SMALL} {words} hydra.run.dir=run").err.count("finished before") == 1
    differences = run.settings.differences
    options = {"on_generation.options.share": 0.25, "on_generation.options.names": ["a", "b"]}
    expected = {"on_generation": f"{watch}:least", **options}
    assert {key: differences[key] for key in differences if key.startswith("on_")} == expected
    assert "not compared, because they come from on_generation: a, b" in answer("verify run")
    answer(f"{SMALL} on_generation=watch.py:Since on_generation.options.number=2 hydra.run.dir=ended")
    assert package.load_run("ended").result["generations"] == 2


def test_a_watcher_changes_no_generation(pigevo):
    def writes(generation):
        generation.state.genomes[:] = 1

    with pytest.raises(InputError, match=r"on_generation changed the genomes of a generation, which it may only read"):
        package.evolve(*small_words(), on_generation=writes)


def test_a_watcher_ends_a_run_which_is_verified_and_shown_without_it(pigevo, answer, watch):
    assert "ended with generation 3 of 6" in pigevo(f"{SMALL} on_generation=watch.py:three hydra.run.dir=run").err
    watch.write_text("open('sprung', 'w')\n")
    for words in ("verify run --generations 99", "show run --picture none", "report run --no-film"):
        answer(words)
    assert not Path("sprung").exists()
    assert "there is no function 'three'" in pigevo("resume run").err


def test_what_a_watcher_raises_is_a_sentence_and_the_run_goes_on_with_it(pigevo, answer, watch):
    Path("broken").touch()
    output = pigevo(f"{SMALL} on_generation=watch.py:every hydra.run.dir=run")
    assert output.status == 2
    assert "on_generation: every failed: KeyError: 'four' (watch.py, line 5)." in output.err
    Path("broken").unlink()
    watch.write_text(WATCH + "# edited\n")
    assert "watch.py:every has changed since the run began" in pigevo("resume run").err
    watch.write_text(WATCH)
    answer("resume run")
    assert len(package.load_run("run").metrics["spread"]) == 4


WRONG = {
    "watch.py:nobody": "on_generation: there is no function 'nobody' in watch.py",
    "none.py:every": "on_generation: there is no file none.py",
    "every": "on_generation: 'every' names no function",
    "watch.py:two": "on_generation.options.other is missing: two needs it",
    "watch.py:none": "on_generation: none takes 0 arguments",
    "watch.py:Silent": "Silent cannot look at generations: its class must have a method `__call__(self, generation)`",
    "watch.py:least on_generation.options.share=x": "on_generation.options.share = 'x' must be a number",
    "watch.py:least on_generation.options.shar=0": "on_generation.options.shar; least takes share, names",
    "watch.py:least on_generation.share=0": "no setting on_generation.share; write on_generation.options.share",
    "null on_generation.options.share=0": "on_generation.options belong to a function",
    "watch.py:text": "on_generation returned a str; it must return nothing, or numbers by name",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_watcher_gets_one_sentence(pigevo, watch, words):
    output = pigevo(f"{SMALL} on_generation={words}")
    assert output.status == 2
    assert WRONG[words] in output.err


def test_a_watcher_that_was_edited_during_a_sweep_is_named(watch):
    before = Settings.of(*small_words(f"on_generation={watch}:every"))
    watch.write_text(WATCH + "# edited\n")
    edited = Settings.read(before.values)
    assert changed(edited, before.identity) == f"{watch}:every: changed since the sweep was planned"
    assert changed(edited, edited.identity) == ""


@pytest.mark.slow
def test_a_sweep_reads_a_watcher_in_its_workers(answer, watch):
    for swept, generations in (
        ("on_generation=null,watch.py:three", {"on_generation=null": 6, "on_generation=watch.py:three": 3}),
        (
            "on_generation=watch.py:Since on_generation.options.number=2,4",
            {"on_generation.options.number=2": 2, "on_generation.options.number=4": 4},
        ),
    ):
        answer(f"-m {SMALL} {swept} hydra.launcher.workers=1")
        sweep = package.load_sweep(max(Path("outputs/sweeps").iterdir(), key=lambda path: path.stat().st_mtime_ns))
        assert {member.setting: run.result["generations"] for member, run in sweep.runs.items()} == generations
    own = importlib.import_module("watch")
    sweep = package.sweep(*small_words(), on_generation=own.every, seed=[1, 2], workers=1)
    table = sweep.table()
    spread = table["value"][(table["metric"] == "spread") & (table["seed"] == 2)]
    assert spread.tolist() == package.evolve(*small_words(), on_generation=own.every, seed=2).metrics["spread"].tolist()
    assert "read\n" in (sweep.members[0].folder / "run.log").read_text()
    Path("broken").touch()
    with pytest.raises(SomeFailed, match=r"on_generation: every failed: KeyError: 'four'"):
        package.sweep(*small_words(), on_generation=own.every, seed=[3], workers=1)


RULES = """
import numpy as np, pigevo
def high(generation, least: int = 3): return generation.number >= least
class Seen(pigevo.StopRule):
    def __init__(self, times: int = 4): self.times = times
    def remember(self, generation, remembered): return {"seen": remembered.get("seen", np.zeros(1)) + 1}
    def ends(self, generation, remembered): return self.remember(generation, remembered)["seen"][0] > self.times
"""


@pytest.fixture
def rules(tmp_path, no_pictures):
    (tmp_path / "rules.py").write_text(RULES)
    return tmp_path / "rules.py"


@pytest.mark.parametrize(("name", "option"), [("high", "least=2"), ("Seen", "times=2")])
def test_a_run_ends_by_a_stop_rule_and_is_shown_verified_and_gone_on_with(pigevo, answer, refused, rules, name, option):
    words = f"{SMALL} stop=rules.py:{name} stop.options.{option} hydra.run.dir=run"
    assert "ended with generation 2 of 6" in pigevo(words).err
    assert (Path("run/operators/stop") / "rules.py").read_text() == RULES
    assert package.load_run("run").settings.values["stop"]["function"] == f"{rules}:{name}"
    answer("verify run --run-code --generations 99")
    assert "finished before" in pigevo("resume run").err
    rules.write_text(RULES + "# edited\n")
    refused("resume run", f"rules.py:{name} has changed since the run in")
    refused("verify run --source rules.py=rules.py", "rules.py is another rules.py than the run in")


def test_a_stop_rule_that_python_hands_over_is_the_one_of_the_file(rules, monkeypatch, pigevo):
    monkeypatch.syspath_prepend(rules.parent)
    monkeypatch.delitem(sys.modules, "rules", raising=False)
    own = importlib.import_module("rules")
    for rule, name, generations in ((own.high, "high", 3), (own.Seen, "Seen", 4)):
        by_word = Settings.of(*small_words(), f"stop={rules}:{name}")
        assert Settings.of(*small_words(), stop=rule).hash == by_word.hash
        assert package.evolve(*small_words(), stop=rule).result["generations"] == generations
    for _ in range(2):
        assert package.evolve(*small_words(), stop=own.Seen(1), folder="run").result["generations"] == 1
        assert pigevo("verify run").status == 2  # what it captures is in nobody's file
    package.evolve(*small_words(), stop=lambda generation: True, folder="other")
    assert "the stop rule of other was handed over from Python" in pigevo("verify other").err


def test_who_only_reads_a_run_runs_none_of_its_code(pigevo, rules):
    words = f"{SMALL} stop=rules.py:high crossover=rules.py:mine hydra.run.dir=run"
    rules.write_text(RULES + "def mine(first, second, context): return first\n")
    assert pigevo(words).status == 0
    rules.write_text("open('sprung', 'w')\n")
    for command in ("show run --picture none", "duel run optimal --target 12", "result run", "status run"):
        pigevo(command)
    assert package.load_run("run").champion.game.target == 12
    assert not Path("sprung").exists()


@pytest.mark.parametrize("group", ["stop", "crossover", "fitness"])
def test_settings_of_somebody_else_make_no_other_object(tmp_path, monkeypatch, group):
    """A run's folder names its operators: a class that is none of theirs is not called with the folder's options."""
    monkeypatch.chdir(tmp_path)
    own = {"name": "custom", "function": "subprocess:Popen", "options": {"args": ["touch", "sprung"]}}
    with pytest.raises(InputError, match=r"Popen cannot be a .*: its class must inherit from"):
        assert Settings.read({**Settings.of("debug=fast").values, group: own}).plan
    assert not Path("sprung").exists()


WORDS = ("debug=fast", "game.target=9", "generations=6", "baseline=none", "figures=none", "record_every=1")


def test_each_generation_is_a_line_with_all_settings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain = package.evolve(*WORDS)
    words = {"on_generation": f"{EXAMPLES}/track.py:to_json"}
    run = package.evolve(*WORDS, "mutation=0.07", **words, folder=tmp_path / "run")
    lines = [json.loads(line) for line in Path("tracked.jsonl").read_text().splitlines()]
    assert [line["generation"] for line in lines] == list(range(7))
    assert [line["mean"] for line in lines] == run.metrics["mean"].tolist()
    assert {line["folder"] for line in lines} == {str(tmp_path / "run")}
    Path("tracked.jsonl").unlink()
    assert package.evolve(*WORDS, **words).result["digest"] == plain.result["digest"]
    [again, *_] = [json.loads(line) for line in Path("tracked.jsonl").read_text().splitlines()]
    differing = {key for key, value in lines[0]["settings"].items() if again["settings"][key] != value}
    assert (differing, again["folder"]) == ({"mutation"}, "")


class FakeMlflow:
    """Keeps what it is told, as MLflow does."""

    def __init__(self):
        self.runs, self.active = [], None

    def set_experiment(self, name):
        self.experiment = name

    def active_run(self):
        return self.active

    def start_run(self, run_name):
        self.active = {"name": run_name, "params": {}, "metrics": []}
        self.runs.append(self.active)

    def log_params(self, params):
        self.active["params"] |= {key: str(value) for key, value in params.items()}

    def log_metrics(self, metrics, step):
        self.active["metrics"].append((step, metrics["mean"]))

    def end_run(self):
        self.active = None


def test_a_tracker_can_tell_settings_apart(tmp_path, monkeypatch):
    mlflow = FakeMlflow()
    monkeypatch.setitem(sys.modules, "mlflow", mlflow)
    words = {"on_generation": f"{EXAMPLES}/track.py:to_mlflow"}
    for number, more in enumerate(([], ["mutation=0.07"], ["crossover=uniform"], ["fitness.games=6", "seed=4"])):
        package.evolve(*WORDS, *more, **words, folder=tmp_path / str(number))
    assert mlflow.active is None
    plain, *others = [run["params"] for run in mlflow.runs]
    for params, expected in zip(
        others,
        ({"mutation": "0.07"}, {"crossover": "uniform"}, {"fitness.games": "6", "seed": "4"}),
        strict=True,
    ):
        differing = {key: value for key, value in params.items() if plain.get(key) != value and key != "folder"}
        assert differing.items() >= expected.items()
        assert set(differing) - set(expected) <= {key for key in params if key.startswith("crossover.")}
        settings = package.load_run(params["folder"]).settings
        assert {key: params[key] for key in expected} == {
            key: str(value) for key, value in flat(settings.values) if key in expected
        }
        assert {*params} == {*dict(flat(settings.values)), "folder"}


@pytest.mark.slow
def test_mlflow_tracks_a_run(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "store").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    words = {"on_generation": f"{EXAMPLES}/track.py:to_mlflow"}
    run = package.evolve(*WORDS, "on_generation.options.every=4", "seed=3", **words, folder=tmp_path / "run")
    assert mlflow.active_run() is None
    client = mlflow.MlflowClient()
    [tracked] = client.search_runs([client.get_experiment_by_name("pigevo").experiment_id])
    assert tracked.info.status == "FINISHED"
    assert tracked.data.params["seed"] == "3"
    assert tracked.data.params["folder"] == str(tmp_path / "run")
    assert {"mutation", "fitness.games", "experiment"} < tracked.data.params.keys()
    history = client.get_metric_history(tracked.info.run_id, "mean")
    means = run.metrics["mean"]
    assert [(row.step, row.value) for row in history] == [(n, means[n]) for n in (0, 4, 6)]


KEEPS_ITSELF = """
import os

class Kept:
    def __init__(self, file):
        self.me, self.file = self, file

    def __del__(self, os=os):
        os.rename(self.file, self.file + ".ended")

def watch(generation):
    if generation.number == 6:
        open("kept", "w").close()
        watch.kept = Kept("kept")  # until the process ends
"""


def test_the_process_ends_a_users_objects_that_only_a_look_for_garbage_finds(tmp_path):
    (tmp_path / "watch.py").write_text(KEEPS_ITSELF)
    words = "experiment=cube_random debug=fast game.target=9 baseline=none figures=none on_generation=watch.py:watch"
    done = subprocess.run(
        [sys.executable, "-m", "pigevo", *words.split()], cwd=tmp_path, env=environment_of_a_process(), check=False
    )
    assert done.returncode == 0
    assert (tmp_path / "kept.ended").exists()
