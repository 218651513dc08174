"""A search for settings: proposals that depend neither on workers nor on interruptions, and the best one, confirmed by fresh seeds."""

import json
import subprocess
import sys

import numpy as np
import pytest

import pigevo
from pigevo.cli.commands.sweeps import _text
from pigevo.errors import InputError
from pigevo.runs.progress import Interrupted
from pigevo.sweeps import JobOutcome, tuning
from pigevo.sweeps.tuning import FRESH, search_space, tune
from tests.small import done_here, environment_of_a_process, wait_for

TINY = (
    "debug=fast",
    "game.target=9",
    "baseline=none",
    "fitness.games=4",
    "mutation=0.001..0.1:log",
    "population.size=4..7",
)
SIX = {"runs": 6, "seeds": 1, "confirm": 2, "batch": 3, "workers": 1}


def done(jobs, workers=1, title=""):
    return done_here([job for job in jobs if not job.is_finished])


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", done)


@pytest.fixture
def by_rate(monkeypatch):
    """No run is done: a champion is the better the less genes flip."""
    monkeypatch.setattr(tuning, "_champions", lambda jobs: np.array([0.5 - 5 * job.settings.mutation for job in jobs]))
    monkeypatch.setattr(
        "pigevo.sweeps.run_sweep.run_jobs", lambda jobs, workers, title: [JobOutcome(job, "finished") for job in jobs]
    )


def contents(tuned):
    proposals = [(dict(proposal.values), proposal.score, proposal.refused) for proposal in tuned.proposals]
    return proposals, dict(tuned.importance), tuned.confirmed


class TestTheSpace:
    def test_what_is_typed_is_what_optuna_searches(self):
        words = ["mutation=0.0001..0.05:log", "population.size=10..80:2", "n=3..9", "x=-1..2.5", "y=0..1:0.25", "k=1..64:log",
                 "selection=knockout,round_robin", "cubes.sizes=[20,10],[5]", "experiment=cube_random"]  # fmt: skip
        fixed, space = search_space(words)
        assert fixed == ["experiment=cube_random"]
        distributions = {dimension.key: dimension.distribution for dimension in space}
        assert [(type(dimension).__name__[:3], dimension.low, dimension.high, dimension.step, dimension.log) for dimension in list(distributions.values())[:6]] == [
            ("Flo", 0.0001, 0.05, None, True), ("Int", 10, 80, 2, False), ("Int", 3, 9, 1, False),
            ("Flo", -1.0, 2.5, None, False), ("Flo", 0.0, 1.0, 0.25, False), ("Int", 1, 64, 1, True),
        ]  # fmt: skip
        assert distributions["selection"].choices == ("knockout", "round_robin")
        assert distributions["cubes.sizes"].choices == ("[20,10]", "[5]")

    def test_a_number_is_typed_short_and_stays_inside_its_range(self):
        (dimension,) = search_space(["mutation=0.00012344..0.05:log"])[1]
        assert dimension.text(0.0123456) == "0.01235"
        assert dimension.text(0.00012344) == "0.00012344"

    @pytest.mark.parametrize(
        ("word", "value", "text"),
        [
            ("s=1000.5..2000.5:1", 1550.5, "1550.5"), ("s=10000.25..10000.75", 10000.512345, "10000.5123"),
            ("s=0..1:0.1", 0.1 + 0.2, "0.3"), ("s=-1..2.5", -0.123456, "-0.1235"), ("s=0.0..4", 0.0, "0.0"),
        ],
    )  # fmt: skip
    def test_a_number_is_as_fine_as_its_range(self, word, value, text):
        (dimension,) = search_space([word])[1]
        assert dimension.text(value) == text

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["mutation=0.01"], "nothing to search"),
            (["mutation=0.1.."], "no range of numbers"),
            (["mutation=0.1..0.01"], "the first number must be below the second"),
            (["mutation=0..0.1:log"], "begins above 0"),
            (["population.size=10..12:5"], "a step lies between 0 and the width"),
            (["mutation=0..1e999"], r"mutation=0\.\.1e999: the numbers of a range lie between -1e\+300 and 1e\+300"),
            ([f"population.size=2..{'9' * 5000}"], r"size=2\.\.9+\.\.\.9+: the numbers of a range lie between"),
            (["mutation=0..0.1:1e-30"], r"the step is too small for the range: leave it out"),
            (["mutation=1..2:lin"], "no range of numbers"),
            (["mutation=0..1", "mutation=0,1"], "searched twice"),
            (["mutation=0..1", "seed=1"], "seed=1 cannot be set here"),
            (["mutation=0..1", "force=true"], "force=true cannot be set here"),
        ],
    )
    def test_a_wrong_one_is_refused(self, words, message):
        with pytest.raises(InputError, match=message):
            search_space(words)


@pytest.mark.usefixtures("here")
class TestASearch:
    def test_six_runs_and_the_best_is_confirmed_by_fresh_seeds_beside_the_default(self, tmp_path):
        tuned = tune([*TINY[:-1], "population.size=4..7"], **SIX, outputs=tmp_path)
        assert len(tuned.proposals) == 6
        odd = [proposal for proposal in tuned.proposals if int(proposal.values["population.size"]) % 2]
        assert odd
        assert all(proposal.score is None and "is odd" in proposal.refused for proposal in odd)
        assert tuned.best.score == max(proposal.score for proposal in tuned.proposals if proposal not in odd)
        words = [*TINY[:4], *(f"{key}={value}" for key, value in tuned.best.values.items())]
        assert tuned.best.score == pigevo.evolve(*words, seed=0).result["champion"]["overall"]
        fresh = [pigevo.evolve(*words, seed=FRESH + n).result["champion"]["overall"] for n in (0, 1)]
        assert tuned.confirmed.champions == tuple(fresh)
        plain = [pigevo.evolve(*TINY[:4], seed=FRESH + n).result["champion"]["overall"] for n in (0, 1)]
        assert tuned.default.champions == tuple(plain)
        assert tuned.default.setting == "mutation=0.01,population.size=20"
        assert tuned.compared.difference == pytest.approx(np.mean(fresh) - np.mean(plain))

        sweep = pigevo.load_sweep(tuned.folder)
        assert sweep.swept == ("mutation", "population.size")
        assert len(sweep.finished) == len(sweep.members) == 6 - len(odd) + 4
        by_seed = {0: tuned.best.score, FRESH: fresh[0], FRESH + 1: fresh[1]}
        assert sweep.by_seed("champion")[tuned.best.setting] == by_seed

    def test_it_goes_on_where_it_was_stopped_and_longer_ones_from_shorter_ones(self, tmp_path, monkeypatch):
        whole = tune(TINY, **SIX, outputs=tmp_path / "whole")
        begun = []

        def stopped(jobs, workers=1, title=""):
            begun.append(title)
            if len(begun) == 2:
                done(jobs[:-1])
                return [JobOutcome(job, "finished" if job.is_finished else "interrupted") for job in jobs]
            return done(jobs)

        monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", stopped)
        with pytest.raises(Interrupted, match="proposals 4 to 6 of 6; the same command goes on"):
            tune(TINY, **SIX, outputs=tmp_path / "stopped")
        again = tune(TINY, **SIX, outputs=tmp_path / "stopped")
        assert contents(again) == contents(whole)
        assert len(list((tmp_path / "stopped" / "sweeps").iterdir())) == 1
        shorter = tune(TINY, **SIX | {"runs": 4, "confirm": 0}, outputs=tmp_path / "stopped")
        assert shorter.folder == again.folder
        assert shorter.proposals == whole.proposals[:4]

    def test_a_batch_is_proposed_before_its_results_are_known(self, tmp_path, by_rate):
        short = SIX | {"runs": 14, "confirm": 0}
        one, three, again = (tune(TINY, **short | {"batch": batch}, outputs=tmp_path) for batch in (1, 3, 3))
        assert one.proposals[:10] == three.proposals[:10]  # at random, whatever is known
        assert one.proposals != three.proposals == again.proposals

    @pytest.mark.parametrize(("rates", "proposed"), [("0.001,0.01", True), ("0.001,0.002", False)])
    def test_where_the_default_was_searched_too_no_comparison_by_all_seeds_is_advised(
        self, tmp_path, by_rate, rates, proposed
    ):
        tuned = tune([*TINY[:4], f"mutation={rates}"], **SIX, outputs=tmp_path)
        assert tuned.default.setting == "mutation=0.01"
        assert tuned.default_was_proposed == proposed
        assert ("pigevo compare" in _text(tuned)) != proposed

    def test_the_command_that_is_advised_names_the_settings_as_the_sweep_does(self, tmp_path, by_rate):
        tuned = tune([*TINY[:4], "mutation=0.0..1.0:1.0"], **SIX, outputs=tmp_path)
        assert _text(tuned).endswith(" mutation=0 mutation=0.01")
        assert {"mutation=0", "mutation=0.01"} <= {member.setting for member in pigevo.load_sweep(tuned.folder).members}

    def test_a_setting_that_is_a_file_is_named_as_the_sweep_names_it(self, tmp_path, by_rate):
        files = [tmp_path / f"{name}.npz" for name in "ab"]
        for hold, file in enumerate(files, 4):
            pigevo.hold_at(pigevo.Pig(9), hold).save(file)
        words = [*TINY[:3], "fitness=exact_vs", f"fitness.opponent={files[0]},{files[1]}"]
        tuned = tune(words, **SIX | {"runs": 2}, outputs=tmp_path / "outputs")
        assert tuned.confirmed.setting in {"fitness.opponent=a.npz", "fitness.opponent=b.npz"}
        assert {tuned.confirmed.setting, tuned.default.setting} <= set(pigevo.load_sweep(tuned.folder).settings)

    def test_no_difference_is_larger_than_what_the_optimum_wins(self, tmp_path, monkeypatch, by_rate):
        """With three seeds each, and champions far apart, the interval alone would reach further."""
        monkeypatch.setattr(tuning, "_most", lambda jobs: 0.5)
        monkeypatch.setattr(tuning, "_champions", lambda jobs: np.linspace(0, 5 * jobs[0].settings.mutation, len(jobs)))
        compared = tune([*TINY[:4], "mutation=0.0..0.1:0.1"], **SIX | {"confirm": 3}, outputs=tmp_path).compared
        assert compared.low < 0 < compared.high == 0.5

    def test_a_failing_run_is_a_refused_proposal(self, tmp_path, monkeypatch):
        def one_fails(jobs, workers=1, title=""):
            return [JobOutcome(jobs[0], "failed", "there is not enough memory"), *done(jobs[1:])]

        monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", one_fails)
        tuned = tune([*TINY[:-1], "population.size=4..8:2"], **SIX | {"confirm": 0}, outputs=tmp_path)
        assert [bool(proposal.refused) for proposal in tuned.proposals] == [True, False, False, True, False, False]
        assert {member.state for member in pigevo.load_sweep(tuned.folder).members} == {"failed", "finished"}

    def test_what_is_always_refused_ends_the_search_and_leaves_nothing(self, tmp_path):
        for words, runs, seeds, message in (
            (["mutation=2..3.5"], 20, 1, r"12 proposals, and all are refused: .*out of range"),
            (["fitness.games=nan", "mutation=0.1..0.2"], 20, 1, "fitness.games"),
            (["mutatoin=0..1"], 20, 1, "there is no setting mutatoin"),
            (["mutation=0..1"], 2, 3, "runs = 2 is less than one proposal takes"),
        ):
            with pytest.raises(InputError, match=message):
                tune([*TINY[:3], *words], runs=runs, seeds=seeds, batch=4, outputs=tmp_path / "outputs")
            assert list(tmp_path.iterdir()) == []

    def test_the_one_that_matters_is_the_important_one(self, tmp_path, by_rate, monkeypatch):
        words = [*TINY[:4], "mutation=0..0.1", "population.size=4..8:2"]
        tuned = tune(words, **SIX | {"runs": 25, "confirm": 0}, outputs=tmp_path)
        assert tuned.evaluator == "fANOVA"
        assert tuned.importance["mutation"] > 0.8
        assert float(tuned.best.values["mutation"]) < 0.02  # of 25 at random the least is above that once in 250 times

        def without_sklearn(**_):
            raise ImportError("sklearn")

        monkeypatch.setattr("optuna.importance.FanovaImportanceEvaluator", without_sklearn)
        assert tune(words, **SIX | {"runs": 12, "confirm": 0}, outputs=tmp_path).evaluator == "PED-ANOVA"


def test_without_optuna_there_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(InputError, match=r"needs Optuna: pip install"):
        tune(TINY, **SIX, outputs=tmp_path)


@pytest.mark.slow
def test_killed_it_goes_on_and_workers_change_nothing(tmp_path):
    words = [*TINY[:4], "mutation=0.001..0.1:log", "generations=100", "population.size=6", "figures=none"]
    options = ["--runs", "6", "--seeds", "1", "--confirm", "2", "--batch", "3", "--json"]

    def begun(name, workers):
        (tmp_path / name).mkdir(exist_ok=True)
        command = [sys.executable, "-m", "pigevo", "tune", *words, *options, "--workers", workers]
        environment = environment_of_a_process()
        return subprocess.Popen(command, cwd=tmp_path / name, env=environment, stdout=subprocess.PIPE, text=True)

    def answer(process):
        return {key: value for key, value in json.loads(process.communicate(timeout=300)[0]).items() if key != "sweep"}

    def finished():
        return list(tmp_path.glob("killed/outputs/default/*/result.json"))

    whole, killed = answer(begun("whole", "1")), begun("killed", "2")
    wait_for(finished, 120)
    killed.kill()
    killed.communicate()
    assert len(finished()) < 10
    assert answer(begun("killed", "2")) == whole
