"""Stop rules of the user's, from a file: in runs, sweeps, `resume` and `verify`, and in nobody's hands who only reads."""

import importlib
import sys
from pathlib import Path

import pytest

import pigevo as package
from pigevo.errors import InputError
from pigevo.settings.settings import Settings
from tests.small import small_words

RULES = """
import numpy as np, pigevo
def high(generation, least: int = 3): return generation.number >= least
class Seen(pigevo.StopRule):
    def __init__(self, times: int = 4): self.times = times
    def remember(self, generation, remembered): return {"seen": remembered.get("seen", np.zeros(1)) + 1}
    def ends(self, generation, remembered): return self.remember(generation, remembered)["seen"][0] > self.times
"""
SMALL = " ".join(small_words())


@pytest.fixture
def rules(tmp_path, no_pictures):
    (tmp_path / "rules.py").write_text(RULES)
    return tmp_path / "rules.py"


@pytest.mark.parametrize(("name", "option"), [("high", "least=2"), ("Seen", "times=2")])
def test_a_run_ends_by_it_and_is_shown_verified_and_gone_on_with(pigevo, rules, name, option):
    words = f"{SMALL} stop=rules.py:{name} stop.options.{option} hydra.run.dir=run"
    assert "ended with generation 2 of 6" in pigevo(words).err
    assert (Path("run/operators/stop") / "rules.py").read_text() == RULES
    assert package.load_run("run").settings.values["stop"]["function"] == f"{rules}:{name}"
    assert pigevo("verify run --generations 99").status == 0
    assert "finished before" in pigevo("resume run").err
    rules.write_text(RULES + "# edited\n")
    for command in ("verify run", "resume run"):
        assert "rules.py:" in (said := pigevo(command)).err
        assert "is not what it was when the run in" in said.err
        assert said.status == 2


def test_one_that_python_hands_over_is_the_one_of_the_file(rules, monkeypatch, pigevo):
    monkeypatch.syspath_prepend(rules.parent)
    monkeypatch.delitem(sys.modules, "rules", raising=False)
    own = importlib.import_module("rules")
    for one, name in ((own.high, "high"), (own.Seen, "Seen")):
        named = Settings.of(*small_words(), f"stop={rules}:{name}")
        assert Settings.of(*small_words(), stop=one).hash == named.hash
        assert package.evolve(*small_words(), stop=one).result["generations"] == {"high": 3, "Seen": 4}[name]
    assert package.evolve(*small_words(), stop=own.Seen(1), folder="run").result["generations"] == 1
    assert pigevo("verify run").status == 2  # what it captures is in nobody's file
    assert package.evolve(*small_words(), stop=own.Seen(1), folder="run").result["generations"] == 1
    package.evolve(*small_words(), stop=lambda generation: True, folder="other")
    assert "the stop rule of other was handed over from Python" in pigevo("verify other").err


@pytest.mark.slow
def test_a_sweep_hands_it_to_its_workers(pigevo, rules):
    said = pigevo(f"-m {SMALL} stop=none,rules.py:high,rules.py:Seen hydra.launcher.workers=1")
    assert said.status == 0, said.err
    (sweep,) = map(package.load_sweep, Path("outputs/sweeps").iterdir())
    ended = {member.setting: run.result["generations"] for member, run in sweep.runs.items()}
    assert ended == {"stop=none": 6, "stop=rules.py:high": 3, "stop=rules.py:Seen": 4}


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
