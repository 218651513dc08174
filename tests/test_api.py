"""`pigevo.evolve` and `pigevo.generations`: the same runs as the command's, in memory or in a folder."""

import json
import os

import numpy as np
import pytest
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, MEASURED
from tests.small import small_settings, small_words

WAVES = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]")


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)


def small(*words, **values):
    return pigevo.evolve(*small_words(*words), **values)


@pytest.mark.parametrize("words", [WAVES, ("fitness=exact_vs_optimal", "replacement=survivors_and_offspring")])
def test_in_memory_in_a_folder_and_by_the_command_it_is_the_same_run(words):
    given = small_words(*words)
    memory, folder = pigevo.evolve(*given), pigevo.evolve(*given, folder="run")
    assert main([*given, "hydra.run.dir=command"]) == 0
    command = pigevo.load_run("command")
    for other in (folder, command):
        for key in set(memory.result) - {"seconds", "phases"}:
            assert other.result[key] == memory.result[key], key
        assert other.champion == memory.champion
        assert [m.digest for m in other.population] == [m.digest for m in memory.population]
        more = () if "fitness=exact_vs_optimal" in words else MEASURED
        assert list(other.metrics) == list(memory.metrics) == [*COLUMNS, "entropy", *more, "digest"]
        for name in set(memory.metrics) - {"seconds"}:
            assert np.array_equal(other.metrics[name], memory.metrics[name]), name
            assert other.metrics[name].dtype.kind == memory.metrics[name].dtype.kind, name
        assert other.settings == memory.settings


def test_a_run_has_champion_population_metrics_and_pictures(tmp_path):
    run = small("baseline=random_search", "baseline.populations=3")
    figures = pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy)
    assert run.result["champion"]["overall"] == figures.overall
    assert len(run.population) == 6
    assert run.metrics["generation"].tolist() == [0, 2, 4, 6]
    assert run.frame()["mean"].tolist() == run.metrics["mean"].tolist()
    assert run.plot().axes[0].lines
    assert run.plot()._repr_png_().startswith(b"\x89PNG")  # what a notebook shows
    assert run.settings.seed == 0
    assert run.folder is None
    assert list(tmp_path.iterdir()) == []  # in memory nothing is written
    assert json.loads(json.dumps(run.result)) == run.result
    assert not GlobalHydra.instance().is_initialized()


def test_words_and_arguments_are_the_same():
    words = pigevo.Settings.of("cube_random", "mutation=0.005", "fitness.games=25", "cubes.sizes=[20,[4,4,1]]")
    arguments = pigevo.Settings.of(
        "experiment=cube_random", mutation=np.float64(0.005), fitness="games", **{"fitness.games": 25, "cubes.sizes": (20, [4, 4, 1])}
    )  # fmt: skip
    assert words == arguments
    text = pigevo.Settings.of(fitness="exact_vs", **{"fitness.opponent": "keep_pace_and_end_race:21,8,29"})
    assert text.choices["fitness"].options["opponent"] == "keep_pace_and_end_race:21,8,29"
    assert pigevo.Settings.of(force=True, experiment=None).force


def test_a_folder_of_a_finished_run_returns_it(monkeypatch):
    whole = small(folder="run")
    monkeypatch.setattr("pigevo.runs.stepper.generations", None)  # would fail if called
    assert small(folder="run").result == whole.result
    with pytest.raises(InputError, match="holds a run of another config"):
        small("seed=1", folder="run")


WRONG = [
    ((), {"mutation": "lots"}, "mutation = "),
    ((), {"seed": object()}, "must be a number, a word or a list"),
    ((), {"seed": [1, 2]}, "seed"),
    ((), {"cubes": len}, "cubes cannot be a function; a function can be one of game, population, fitness"),
    ((3,), {}, "3 must be a setting: write 'key=value'"),
    (("mutation=0.1,0.2",), {}, "several values"),
    (("fitness=exact_vs",), {"fitness.opponent": "nobody"}, "fitness.opponent: there is no strategy 'nobody'"),
]


@pytest.mark.parametrize(("words", "values", "message"), WRONG)
def test_wrong_words_are_one_input_error(words, values, message):
    with pytest.raises(InputError) as caught:
        pigevo.Settings.of(*words, **values).toolbox()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_runs_are_refused_as_settings_are():
    for call in (pigevo.evolve, pigevo.generations):
        with pytest.raises(InputError, match="no setting mutatoin; did you mean mutation"):
            call("mutatoin=0.1")
    with pytest.raises(InputError, match="workers = 0 is out of range"):
        pigevo.sweep(*small_words(), workers=0, seed=range(2))


CALLS = []


def _fails_once(generation):
    CALLS.append(generation.number)
    if len(CALLS) == 6:
        raise ZeroDivisionError
    return {"number": generation.number}


class TestOnGeneration:
    def test_it_sees_every_generation_and_adds_columns(self):
        seen = []

        def look(generation):
            seen.append((generation.number, len(generation.strategies), generation.exact.max()))
            return {"spread": generation.exact.std(), "odd": generation.number % 2 == 1}

        run, plain = small(on_generation=look), small()
        assert [number for number, *_ in seen] == list(range(7))
        assert run.metrics["best"].tolist() == [best for number, _, best in seen if number % 2 == 0]
        assert run.metrics["odd"].tolist() == [0.0] * 4
        assert run.metrics["spread"].dtype == float
        assert run.result["digest"] == plain.result["digest"]
        assert run.result["config_hash"] != plain.result["config_hash"]
        assert list(run.frame().columns)[-3:] == ["spread", "odd", "digest"]

    def test_it_may_stop_the_run(self):
        run = small(on_generation=lambda generation: {"stop": generation.number == 3}, folder="run")
        assert (run.result["generations"], run.result["planned"]) == (3, 6)
        assert run.metrics["generation"].tolist() == [0, 2, 3]
        assert "stop" not in run.metrics
        whole = small("generations=3", "record_every=1")
        assert run.champion == whole.champion
        assert main(["verify", "run", "--generations", "99"]) == 0

    def test_after_a_stop_it_goes_on_from_the_checkpoint_but_not_without_it(self, capsys):
        CALLS.clear()
        with pytest.raises(ZeroDivisionError):
            small(on_generation=_fails_once, folder="run")
        assert main(["resume", "run"]) == 2
        assert "the on_generation of" in capsys.readouterr().err
        with pytest.raises(InputError, match="holds a run of another config"):
            small(folder="run")
        run = small(on_generation=_fails_once, folder="run")
        assert CALLS == [0, 1, 2, 3, 4, 5, 5, 6]
        assert run.metrics["number"].tolist() == [0, 2, 4, 6]
        assert run.result["digest"] == small().result["digest"]

    def test_what_it_returns_is_checked(self):
        for returned, message in [
            (3, "returned an int; it must return nothing, or numbers by name"),
            ({"mean": 0.5}, "returned the column 'mean': choose another name"),
            ({"a b": 1}, "returned the column 'a b'"),
            ({3: 1}, "must return nothing, or numbers by name"),
            ({"a": "text"}, "returned a = 'text'; it must be a number"),
            ({"a": np.ones(2)}, "it must be a number"),
            ({"a": 10**400}, "it must be a number"),  # too large for a float
        ]:
            with pytest.raises(InputError, match="on_generation") as caught:
                small(on_generation=lambda _, given=returned: given)
            assert message in str(caught.value)


class TestGenerations:
    def test_they_are_those_of_the_run(self):
        run, generations = small(*WAVES, "record_every=1"), list(pigevo.generations(*small_words(*WAVES)))
        assert [generation.number for generation in generations] == list(range(6))
        assert [generation.state.digest for generation in generations] == run.metrics["digest"].tolist()
        for generation, mean, wave in zip(generations, run.metrics["mean"], run.metrics["wave"], strict=True):
            assert generation.genomes.shape == (6, generation.grid.genes)
            assert generation.genomes.dtype == np.uint8
            assert generation.exact.mean() == pytest.approx(mean, abs=1e-12)
            assert generation.state.wave == wave - 1
            assert generation.scores.shape == (6,)
            assert generation.strategies[2] == generation.grid.strategy(generation.genomes[2])
            optimum = pigevo.optimal(generation.grid.game).strategy
            assert generation.exact[2] == pytest.approx(
                pigevo.win_probability(generation.strategies[2], optimum).overall, abs=1e-12
            )
        assert generations[-1].strategies[generations[-1].final_order[0][0]] == run.champion

    def test_they_are_made_when_they_are_needed(self):
        generations = pigevo.generations(
            "generations=1000000", "game.target=12", "population.size=6", "fitness.games=10"
        )
        assert [next(generations).number for _ in range(3)] == [0, 1, 2]

    def test_scores_are_those_of_the_run_s_own_fitness(self):
        for generation in pigevo.generations(*small_words("fitness=exact_vs_optimal")):
            assert generation.scores == pytest.approx(generation.exact, abs=1e-12)


def test_another_hydra_is_left_as_it_was(tmp_path):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "config.yaml").write_text("colour: blue\n")
    with initialize_config_dir(str(tmp_path / "theirs"), version_base="1.3"):
        before = GlobalHydra.instance().hydra
        inside = pigevo.Settings.of("seed=4")
        with pytest.raises(InputError):
            pigevo.Settings.of("mutatoin=4")
        assert GlobalHydra.instance().hydra is before
        assert compose("config").colour == "blue"
    assert inside == pigevo.Settings.of("seed=4")


@pytest.mark.parametrize("words", [WAVES, ("replacement=survivors_and_offspring", "crossover=blocks")])
def test_the_toolbox_drives_a_loop_of_one_s_own_to_the_same_populations(words):
    settings = small_settings(*words)
    toolbox = settings.toolbox()
    genomes, populations = toolbox.population(), []
    for generation in range(settings.plan.waves[0].generations + 1):
        populations.append(genomes)
        evaluation = toolbox.evaluate(genomes, generation)
        chosen = toolbox.select(evaluation, generation)
        survivors, scores = genomes[chosen], evaluation.scores[chosen]
        staying = toolbox.keep(survivors, evaluation.scores, generation)
        children = toolbox.mate(survivors, scores, len(genomes) - len(staying), generation)
        genomes = np.concatenate([staying, toolbox.mutate(children, evaluation.scores, generation)])
    generations = pigevo.generations(*small_words(*words))
    for mine, theirs in zip(populations, generations, strict=False):
        assert np.array_equal(mine, theirs.genomes)


class _Unmade(pigevo.Selection):
    def __init__(self):
        raise OSError("no disk")

    def __call__(self, evaluation, context):
        return np.arange(2)


def test_a_class_that_cannot_be_made_is_named():
    with pytest.raises(InputError, match=r"_Unmade failed: .*no disk"):
        small(selection=_Unmade)


def test_the_toolbox_has_the_pairs_of_the_selection():
    settings = small_settings()
    pairs, toolbox = settings.toolbox().pairs(10, 3), settings.toolbox()
    assert np.array_equal(np.sort(pairs.ravel()), np.arange(10))  # the knockout's matching
    genomes = toolbox.population()
    assert np.array_equal(toolbox.evaluate(genomes, 3).pairs, toolbox.pairs(len(genomes), 3))


def test_a_folder_that_is_gone(tmp_path):
    (tmp_path / "gone").mkdir()
    os.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    for call in (small, lambda: pigevo.sweep(*small_words(), seed=[1, 2])):
        with pytest.raises(InputError, match="the present folder has been removed: go to another one"):
            call()
