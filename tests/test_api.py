"""`pigevo.evolve` and `pigevo.generations`: the same runs as of the command, also with functions of a user."""

import functools
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, MEASURED
from tests import newcomer
from tests.small import environment_of_a_process, small_settings, small_words

WAVES = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]")


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    for name, value in environment_of_a_process().items():
        monkeypatch.setenv(name, value)


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
            ({"stop": float("nan")}, "returned stop = nan; it must be True or False"),
            ({"stop": 0.3}, "it must be True or False"),
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


ODD = {
    "lists": np.ndarray.tolist, "integers": lambda genes: genes.astype(int), "floats": lambda genes: genes.astype(float),
    "booleans": lambda genes: genes.astype(bool), "columns": np.asfortranarray, "subclass": lambda genes: genes.view(np.recarray),
}  # fmt: skip
NO_GENOMES = {
    "a gene is 0, a hold, or 1": lambda genes: genes * 7, "cannot be masked": lambda genes: np.ma.array(genes, mask=genes),
    "a genome on this grid has 40 genes, not 39": lambda genes: genes[:, 1:], r"40 genes, not shape \(40,\) instead of \(n, 40\)": lambda genes: genes[0],
    "every genome on this grid has 40 genes": lambda genes: [[0, 1], *genes.tolist()],
}  # fmt: skip


def _a_generation(toolbox, changed):
    genomes, scores = changed(toolbox.population()), np.linspace(0, 1, 20)
    return (
        toolbox.evaluate(genomes, 2).scores, toolbox.keep(genomes, scores, 2), toolbox.mate(genomes, scores, 6, 2),
        toolbox.mutate(genomes, scores, 2),
    )  # fmt: skip


@pytest.fixture
def cubes_of_5():
    return pigevo.Settings.of("cube_random", "debug=fast", "game.target=20").toolbox(2)  # 20 members of 40 genes


def test_the_toolbox_takes_zeros_and_ones_of_any_type(cubes_of_5):
    for changed in ODD.values():
        for mine, plain in zip(_a_generation(cubes_of_5, changed), _a_generation(cubes_of_5, np.asarray), strict=True):
            assert np.array_equal(mine, plain)


@pytest.mark.parametrize("wrong", NO_GENOMES)
@pytest.mark.parametrize("tool", ["evaluate", "keep", "mate", "mutate"])
def test_the_toolbox_refuses_what_are_no_genomes(cubes_of_5, tool, wrong):
    more = {"evaluate": (2,), "mate": (np.zeros(20), 6, 2)}.get(tool, (np.zeros(20), 2))
    with pytest.raises(InputError, match=wrong):
        getattr(cubes_of_5, tool)(NO_GENOMES[wrong](cubes_of_5.population()), *more)


def test_the_toolbox_refuses_other_arguments_with_a_sentence(cubes_of_5):
    genomes, scores = cubes_of_5.population(), np.zeros(20)
    for call, wrong in {
        lambda: cubes_of_5.mate(genomes, scores[1:], 6, 2): "one for each of 20 members",
        lambda: cubes_of_5.mate(genomes, scores + np.nan, 6, 2): "a score is nan",
        lambda: cubes_of_5.mate(genomes, scores, 2.5, 2): "children = 2.5 must be",
        lambda: cubes_of_5.mutate(genomes, scores, -1): "generation = -1 must be",
        lambda: cubes_of_5.evaluate(genomes, 1.5): "generation = 1.5 must be",
        lambda: cubes_of_5.select(scores, 1): "select takes the result of evaluate",
        lambda: small_settings().toolbox(1): "wave = 1 must be a whole number from 0 to 0",
    }.items():
        with pytest.raises(InputError, match=wrong):
            call()


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


NO_GAMES = [word for word in small_words() if not word.startswith("fitness.")]


@pytest.fixture
def ops(tmp_path, monkeypatch):
    """The newcomer's module, in a folder of its own."""
    (tmp_path / "own").mkdir()
    shutil.copy(newcomer.__file__, tmp_path / "own" / "newcomer_s.py")
    monkeypatch.syspath_prepend(tmp_path / "own")
    monkeypatch.delitem(sys.modules, "newcomer_s", raising=False)
    importlib.invalidate_caches()
    return importlib.import_module("newcomer_s")


def evolve(*words, **values):
    base = NO_GAMES if "fitness" in values else small_words()
    return pigevo.evolve(*base, *words, **values)


def test_a_plain_function_of_each_kind(ops):
    run, again = evolve(**ops.PLAIN), evolve(**ops.PLAIN)
    assert run.result["digest"] == again.result["digest"]
    assert run.result["config_hash"] == again.result["config_hash"]
    for kind, function in ops.PLAIN.items():
        assert run.settings.choices[kind].label == function.__name__
        assert kind in run.settings.sources
    generations = list(pigevo.generations(*NO_GAMES, **ops.PLAIN))
    assert 0.4 < generations[0].genomes.mean() < 0.6
    first = {genome.tobytes() for genome in generations[0].genomes}
    for generation in generations:
        assert generation.scores.tolist() == pytest.approx([strategy.roll.mean() for strategy in generation.strategies])
        assert {genome.tobytes() for genome in generation.genomes} <= first  # nothing new is ever made
    assert generations[-1].scores.max() == pytest.approx(generations[0].scores.max())


def test_their_options_are_settings(ops):
    run = evolve("population.options.share=1", population=ops.random_half)
    assert run.settings.values["population"]["options"] == {"share": 1.0}
    assert run.settings.values["population"]["size"] == 6
    ones = next(pigevo.generations(*small_words("population.options.share=1"), population=ops.random_half))
    assert ones.genomes.all()
    with pytest.raises(InputError, match=r"population\.options\.shrae"):
        evolve("population.options.shrae=1", population=ops.random_half)
    with pytest.raises(InputError, match="must be a number"):
        evolve("population.options.share=much", population=ops.random_half)


def test_the_source_of_a_function_is_saved_and_its_run_goes_on(ops):
    run = evolve(crossover=ops.first_parent, folder="run")
    assert "def first_parent" in (run.folder / "operators" / "crossover" / "newcomer_s.py").read_text()
    assert evolve(crossover=ops.first_parent, folder="run").result == run.result
    assert main(["verify", "run", "--run-code", "--generations", "99"]) == 0
    with pytest.raises(InputError, match="holds a run of another config"):
        evolve(crossover=lambda first, second, context: second, folder="run")


def flipping(law):
    def mine(genomes, context):
        chosen = law.sf(context.draw.normals(genomes.size)) < 0.05
        return genomes ^ chosen.reshape(genomes.shape)

    return mine


def test_an_operator_without_a_comparable_identity_is_refused_on_disk_alone(tmp_path):
    words = [word for word in small_words() if not word.startswith("mutation")]
    first, second = (pigevo.evolve(*words, mutator=flipping(scipy.stats.norm(at))) for at in (0, 1))
    assert first.result["digest"] != second.result["digest"]
    for given in (
        {"mutator": flipping(scipy.stats.norm(0))},
        {"on_generation": flipping(scipy.stats.norm(0))},
    ):
        with pytest.raises(InputError, match=r"law of .* is a rv_continuous_frozen, whose content cannot be compared"):
            pigevo.evolve(*words, **given, folder="run")
    assert not Path("run").exists()


def test_what_its_own_calls_change_does_not_make_another_operator(tmp_path):
    known = {}

    def mine(first, second, context):
        known[context.generation] = len(known)
        return first

    run = evolve(crossover=mine, folder="run")
    assert known
    assert evolve(crossover=mine, folder="run").result == run.result
    known.clear()
    known["another"] = 1
    with pytest.raises(InputError, match="holds a run of another config"):
        evolve(crossover=mine, folder="run")


def test_a_function_edited_after_its_import_runs_as_it_was_with_a_warning(ops, caplog):
    path = Path(ops.__file__)
    path.write_text(path.read_text().replace("    return first\n", "    return second\n"))
    run = evolve(crossover=ops.first_parent)
    sentence = f"first_parent is not what {path} holds now. To use the file as it is now, start Python again, or reload"
    assert sentence in caplog.text
    with pytest.raises(InputError, match=sentence):
        evolve(crossover=ops.first_parent, folder="run")
    with pytest.raises(InputError, match=sentence):
        pigevo.sweep(*small_words(), crossover=ops.first_parent, seed=[1, 2])
    caplog.clear()
    assert evolve(crossover=importlib.reload(ops).first_parent).result["digest"] != run.result["digest"]
    assert not caplog.text


def test_a_function_with_other_values_than_in_its_file_is_not_a_changed_file(ops, capsys):
    half = functools.partial(ops.random_half, share=0.7)
    run = evolve(population=half, folder="run")
    for command in ("verify", "resume"):
        assert main([command, "run", "--run-code"]) == 2
        assert "has the same source as when the run in" in capsys.readouterr().err
    assert evolve(population=half, folder="run").result == run.result
    with pytest.raises(InputError, match="where it is another function: pass"):
        pigevo.sweep(*small_words(), population=half, seed=[1, 2])


def test_a_function_without_a_name_can_only_be_handed_over_again(capsys):
    run = evolve(crossover=lambda first, second, context: second, folder="run")
    for command in ("verify", "resume"):
        assert main([command, "run", "--run-code"]) == 2
        message = capsys.readouterr().err
        assert "the crossover of" in message
        assert "was handed over from Python: call pigevo.evolve with it and this folder again" in message
    assert pigevo.load_run("run").champion == run.champion


@pytest.mark.parametrize("kinds", [["fitness"], list(newcomer.CLASSES)], ids="+".join)
def test_a_class_of_one_s_own_is_stopped_and_goes_on_the_same(ops, kinds):
    values = {kind: ops.CLASSES[kind] for kind in kinds}
    whole = evolve(**values)

    def stop(generation):
        if generation.number == 3:
            raise ZeroDivisionError

    from pigevo.runs import stepper

    with pytest.raises(ZeroDivisionError), pytest.MonkeyPatch.context() as patch:
        made = stepper.generations
        patch.setattr(
            stepper, "generations", lambda *given: (stop(generation) or generation for generation in made(*given))
        )
        evolve(**values, folder="run")
    run = evolve(**values, folder="run")
    assert run.result["digest"] == whole.result["digest"]
    assert main(["verify", "run", "--run-code", "--generations", "99"]) == 0


def test_a_fitness_remembers_from_one_generation_to_the_next(ops):
    before = None
    for generation in pigevo.generations(*NO_GAMES, "fitness.options.first=roll_to_win", fitness=ops.Champions):
        opponent = before or pigevo.parse_strategy("roll_to_win", generation.grid.game)
        expected = [pigevo.win_probability(member, opponent).overall for member in generation.strategies]
        assert generation.scores == pytest.approx(expected)
        before = generation.strategies[int(np.argmax(generation.scores))]


def test_classes_define_pairs_and_games(ops):
    reach = 2
    words = [*NO_GAMES, f"selection.options.reach={reach}"]
    for generation in pigevo.generations(*words, fitness=ops.Matches, selection=ops.Neighbours):
        pairs = generation.evaluation.pairs
        if generation.number < 6:
            assert len(pairs) == 6 * reach
        members = generation.strategies
        won = np.array([pigevo.win_probability(members[a], members[b]).overall for a, b in pairs])
        for n in range(6):
            mine = np.concatenate([won[pairs[:, 0] == n], 1 - won[pairs[:, 1] == n]])
            assert generation.scores[n] == pytest.approx(mine.mean())


SCRIPT = """
import pigevo
def mine(first, second, context): return first
if {condition}:
    print(len(pigevo.sweep(*{words}, crossover=mine, workers=2).finished))
"""


@pytest.mark.parametrize("condition", [pytest.param('__name__ == "__main__"', marks=pytest.mark.slow), "True"])
def test_a_script_with_a_sweep_and_its_own_operator(tmp_path, condition):
    """Workers read the operator from the script, and must not begin the sweep in it again."""
    (tmp_path / "script.py").write_text(SCRIPT.format(condition=condition, words=small_words("seed=range(2)")))
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=False, timeout=600)
    if condition != "True":
        assert done.stdout == "2\n", done.stderr
    else:
        assert "pigevo.sweep is called while" in done.stderr
        assert 'write the call below `if __name__ == "__main__":`' in done.stderr
