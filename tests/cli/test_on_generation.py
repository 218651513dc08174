"""A function of the user's that looks at every generation, from a file: in runs, sweeps, and when a run goes on."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import pigevo as package
from pigevo.errors import InputError
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import SomeFailed, changed
from tests.small import small_words

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


def test_it_is_the_same_as_one_that_python_hands_over(pigevo, watch):
    assert pigevo(f"{SMALL} on_generation=watch.py:every hydra.run.dir=run").status == 0
    found, own = package.load_run("run"), importlib.import_module("watch")
    handed, named = (package.evolve(*small_words(), on_generation=one) for one in (own.every, "watch.py:every"))
    plain = package.evolve(*small_words())
    for run in (handed, named):
        assert run.result["config_hash"] == found.result["config_hash"] != plain.result["config_hash"]
        assert run.result["digest"] == found.result["digest"] == plain.result["digest"]
        assert np.array_equal(run.metrics["spread"], found.metrics["spread"])
    assert "finished before" in pigevo(f"{SMALL} on_generation={watch}:every hydra.run.dir=run").err
    assert (Path("run/operators/on_generation") / "watch.py").read_text() == WATCH
    assert found.settings.values["on_generation"] == {"function": f"{watch}:every", "options": {}}
    with pytest.raises(InputError, match="on_generation is given twice"):
        package.evolve(*small_words("on_generation=watch.py:every"), on_generation=own.every)
    with pytest.raises(InputError, match="on_generation changes nothing here"):
        package.generations(*small_words("on_generation=watch.py:every"))


def test_it_has_options_as_operators_have(pigevo, watch):
    words = "on_generation=watch.py:least on_generation.options.share=0.25 on_generation.options.names=[a,b]"
    assert pigevo(f"{SMALL} {words} hydra.run.dir=run").status == 0
    found = package.load_run("run")
    half = package.evolve(*small_words("on_generation=watch.py:least"))
    assert found.metrics["a"].tolist() == found.metrics["b"].tolist() == (half.metrics["least"] / 2).tolist()
    assert found.result["config_hash"] != half.result["config_hash"]
    assert pigevo(f"{SMALL} {words} hydra.run.dir=run").err.count("finished before") == 1
    changed = Settings.of(*small_words(*words.split())).differences
    assert {key: changed[key] for key in changed if key.startswith("on_")} == {
        "on_generation": f"{watch}:least", "on_generation.options.share": 0.25, "on_generation.options.names": ["a", "b"]
    }  # fmt: skip
    assert pigevo("verify run").status == 0
    assert (
        pigevo(f"{SMALL} on_generation=watch.py:Since on_generation.options.number=2 hydra.run.dir=ended").status == 0
    )
    assert package.load_run("ended").result["generations"] == 2


def test_a_run_without_one_is_what_it_was():
    assert "on_generation" not in Settings.of(*small_words()).values
    assert not {"on_generation", "callback"} & set(Settings.of(*small_words()).identity)


def test_it_ends_a_run_which_is_verified_and_shown_without_it(pigevo, watch):
    assert "ended with generation 3 of 6" in pigevo(f"{SMALL} on_generation=watch.py:three hydra.run.dir=run").err
    watch.write_text("open('sprung', 'w')\n")
    assert pigevo("verify run --generations 99").status == 0
    assert pigevo("show run --picture none").status == 0
    assert pigevo("report run --no-film").status == 0
    assert not Path("sprung").exists()
    assert "there is no function 'three'" in pigevo("resume run").err


def test_what_it_raises_is_a_sentence_and_the_run_goes_on_with_it(pigevo, watch):
    Path("broken").touch()
    said = pigevo(f"{SMALL} on_generation=watch.py:every hydra.run.dir=run")
    assert (said.status, "on_generation: every failed: KeyError: 'four' (watch.py, line 5)." in said.err) == (2, True)
    Path("broken").unlink()
    watch.write_text(WATCH + "# edited\n")
    assert "watch.py:every is not what it was when the run began" in pigevo("resume run").err
    watch.write_text(WATCH)
    assert pigevo("resume run").status == 0
    assert len(package.load_run("run").metrics["spread"]) == 4


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("watch.py:nobody", "on_generation: there is no function 'nobody' in watch.py"),
        ("none.py:every", "on_generation: there is no file none.py"),
        ("every", "on_generation: 'every' names no function"),
        ("watch.py:two", "on_generation.options.other is missing: two needs it"),
        ("watch.py:none", "on_generation: none takes 0 arguments"),
        (
            "watch.py:Silent",
            "Silent cannot look at generations: its class must have a method `__call__(self, generation)`",
        ),
        ("watch.py:least on_generation.options.share=x", "on_generation.options.share = 'x' must be a number"),
        (
            "watch.py:least on_generation.options.shar=0",
            "no setting on_generation.options.shar; least takes share, names",
        ),
        (
            "watch.py:least on_generation.share=0",
            "there is no setting on_generation.share; write on_generation.options.share",
        ),
        ("null on_generation.options.share=0", "on_generation.options belong to a function"),
        ("watch.py:text", "on_generation returned a str; it must return nothing, or numbers by name"),
    ],
)
def test_a_wrong_one_gets_one_sentence(pigevo, watch, place, said):
    found = pigevo(f"{SMALL} on_generation={place}")
    assert found.status == 2
    assert said in found.err


def test_one_that_was_edited_during_a_sweep_is_named(watch):
    before = Settings.of(*small_words(f"on_generation={watch}:every"))
    watch.write_text(WATCH + "# edited\n")
    now = Settings.read(before.values)
    assert changed(now, before.identity) == f"{watch}:every: changed since the sweep was planned"
    assert changed(now, now.identity) == ""


@pytest.mark.slow
def test_a_sweep_reads_it_in_its_workers(pigevo, watch):
    assert pigevo(f"-m {SMALL} on_generation=null,watch.py:three hydra.launcher.workers=1").status == 0
    (sweep,) = map(package.load_sweep, Path("outputs/sweeps").iterdir())
    assert {m.setting: run.result["generations"] for m, run in sweep.runs.items()} == {
        "on_generation=null": 6, "on_generation=watch.py:three": 3
    }  # fmt: skip
    words = "on_generation=watch.py:Since on_generation.options.number=2,4 hydra.launcher.workers=1"
    assert pigevo(f"-m {SMALL} {words} hydra.sweep.dir=options").status == 0
    (sweep,) = map(package.load_sweep, Path("options/sweeps").iterdir())
    assert {m.setting: run.result["generations"] for m, run in sweep.runs.items()} == {
        "on_generation.options.number=2": 2, "on_generation.options.number=4": 4
    }  # fmt: skip
    own = importlib.import_module("watch")
    sweep = package.sweep(*small_words(), on_generation=own.every, seed=[1, 2], workers=1)
    table = sweep.table()
    spread = table["value"][(table["metric"] == "spread") & (table["seed"] == 2)]
    assert spread.tolist() == package.evolve(*small_words(), on_generation=own.every, seed=2).metrics["spread"].tolist()
    assert "read\n" in (sweep.members[0].folder / "run.log").read_text()
    Path("broken").touch()
    with pytest.raises(SomeFailed, match=r"on_generation: every failed: KeyError: 'four'"):
        package.sweep(*small_words(), on_generation=own.every, seed=[3], workers=1)
