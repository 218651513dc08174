"""A user's own functions and classes as arguments of `pigevo.evolve`."""

import functools
import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from tests import newcomer
from tests.small import environment_of_a_process, small_words

NO_GAMES = [word for word in small_words() if not word.startswith("fitness.")]


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    for name, value in environment_of_a_process().items():
        monkeypatch.setenv(name, value)


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
