"""`pigevo.sweep`: the sweep of the command, from Python."""

import importlib
import sys

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.sweeps.job import FINISHED, JobOutcome
from tests.small import small_words

FEW = [word for word in small_words() if not word.startswith("mutation")]


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def contents(sweep):
    return [(m.folder, m.setting, m.seed, m.values, m.state, m.error) for m in sweep.members]


def test_it_gives_what_load_sweep_gives_and_what_is_finished_is_not_done_again(tmp_path, workers):
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
def own(tmp_path, monkeypatch):
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


def test_functions_and_classes_stand_in_lists_as_names_do(jobs, own):
    sweep = pigevo.sweep(*FEW, selection=["knockout", own.top, own.Middle], crossover=own.mine)
    assert [job.settings.choices["selection"].label for job in jobs] == ["selection=knockout", "top", "Middle"]
    assert {job.settings.choices["crossover"].label for job in jobs} == {"mine"}
    alone = [pigevo.Settings.of(*FEW, selection=s, crossover=own.mine) for s in ("knockout", own.top, own.Middle)]
    assert [settings.hash for settings in alone] == [job.settings.hash for job in jobs]
    labels = ["selection=knockout", "selection=newcomer_ops.py:Middle", "selection=newcomer_ops.py:top"]
    assert sorted(member.setting for member in sweep.members) == labels
    jobs.clear()
    pigevo.sweep(*FEW[:1], game=iter([own.short, pigevo.Pig]), baseline="none")
    assert [job.settings.choices["game"].label for job in jobs] == ["short", "game=pig"]


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


@pytest.mark.slow
def test_an_operator_from_a_file_goes_to_the_workers(tmp_path, own):
    shares = {"crossover.options.share": [0.1, 0.2]}
    sweep = pigevo.sweep(*FEW, crossover=own.mine, outputs="there", workers=1, **shares)
    assert sweep.settings == ["crossover.options.share=0.1", "crossover.options.share=0.2"]
    assert sweep.folder.is_relative_to(tmp_path / "there")
    for run in sweep.runs.values():
        alone = pigevo.evolve(*FEW, crossover=own.mine, **{"crossover.options.share": 0.1})
        assert run.result["digest"] == alone.result["digest"]
        assert (run.folder / "operators" / "crossover" / "newcomer_ops.py").is_file()
    sweep = pigevo.sweep(*FEW, selection=["knockout", own.top], workers=1)
    digests = {run.result["digest"] for run in sweep.runs.values()}
    assert digests == {pigevo.evolve(*FEW, selection=selection).result["digest"] for selection in ("knockout", own.top)}


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


@pytest.mark.parametrize(("values", "message"), WRONG)
def test_what_is_wrong_is_one_error_before_anything_is_written(tmp_path, workers, values, message):
    with pytest.raises(InputError) as caught:
        pigevo.sweep(*FEW, **values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == workers == []
