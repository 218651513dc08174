"""What a process pool or a cache on disk pickles: settings, runs, generations, plans and toolboxes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import pigevo
from pigevo import three_player
from pigevo.errors import InputError

WORDS = ("debug=fast", "game.target=10", "baseline=none")


def first_half(first, second, context):
    """A crossover that another process can import."""
    half = first.shape[1] // 2
    return np.concatenate([first[:, :half], second[:, half:]], axis=1)


class Mine(pigevo.Mutation):
    """A mutator that another process can import."""

    def __call__(self, genomes, context):
        return 1 - genomes


OWN = [{}, {"crossover": first_half}, {"seed": 3, "mutator": Mine}, {"selection": "tournament", "islands": "ring"}]


def again(value):
    return pickle.loads(pickle.dumps(value))


def evolved(seed):
    return pigevo.evolve(*WORDS, seed=seed)


def planned(settings):
    return settings, settings.plan.seed


@pytest.mark.parametrize("own", OWN)
def test_settings_and_what_comes_of_them(own):
    settings = pigevo.Settings.of(*WORDS, **own)
    assert again(settings) == settings
    assert (again(settings).name, again(settings).values) == (settings.name, settings.values)
    assert again(settings.plan).draw("fitness", 3) == settings.plan.draw("fitness", 3)
    toolbox, other = settings.toolbox(), again(settings.toolbox())
    genomes = toolbox.population()
    assert np.array_equal(other.population(), genomes)
    assert np.array_equal(other.evaluate(genomes, 1).scores, toolbox.evaluate(genomes, 1).scores)
    assert np.array_equal(copy.deepcopy(toolbox).evaluate(genomes, 1).scores, toolbox.evaluate(genomes, 1).scores)
    run = pigevo.evolve(*WORDS, **own)
    assert again(run).result == run.result
    assert (again(run).champion.digest, again(run).settings) == (run.champion.digest, run.settings)
    generation = list(pigevo.generations(*WORDS, **own))[-1]
    assert np.array_equal(again(generation).final_scores, generation.final_scores)


def test_a_function_of_a_file(tmp_path):
    file = tmp_path / "ops.py"
    file.write_text("def mine(first, second, context):\n    return first\n")
    settings = pigevo.Settings.of(*WORDS, f"crossover={file}:mine")
    dumped = pickle.dumps(settings)
    assert pickle.loads(dumped) == settings
    with pytest.raises(InputError, match=r"crossover mine of .*ops.py cannot be pickled.*pickle the settings"):
        pickle.dumps(settings.plan)
    file.write_text("def mine(first, second, context):\n    return second\n")
    with pytest.raises(InputError, match="a file that they name has changed"):
        pickle.loads(dumped)


@pytest.mark.parametrize("part", [lambda s: s, lambda s: s.plan, lambda s: s.toolbox()])
def test_a_function_that_no_other_process_finds_is_refused_in_a_sentence(part):
    settings = pigevo.Settings.of(*WORDS, crossover=lambda first, second, context: first)
    with pytest.raises(InputError, match=r"crossover .*lambda.* cannot be pickled.*define it with `def` at the top"):
        pickle.dumps(part(settings))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_runs_come_back_from_a_process_pool(method):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        runs = list(pool.map(evolved, range(2)))
        settings, seed = pool.submit(planned, pigevo.Settings.of(*WORDS, seed=4, crossover=first_half)).result()
    assert [run.result["digest"] for run in runs] == [evolved(seed).result["digest"] for seed in range(2)]
    assert (settings, seed) == (pigevo.Settings.of(*WORDS, seed=4, crossover=first_half), 4)


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
def test_arrays_of_copies_are_as_those_of_what_was_copied(copied):
    game = pigevo.Pig(target=10)
    strategy, grid = pigevo.hold_at(game, 4), pigevo.CubeGrid(game, 3)
    assert all((hash(strategy), game.mesh, grid.row_of_cell.any()))
    for own in (strategy, pigevo.mix(strategy, pigevo.hold_at(game, 5), 0.5)):
        other = copied(own)
        assert (other, hash(other), other.name) == (own, hash(own), own.name)
        assert (other.table.flags.c_contiguous, other.roll.flags.writeable) == (True, False)
    assert not copied(grid).row_of_cell.flags.writeable
    assert not copied(game).mesh["own"].flags.writeable


def test_settings_do_not_depend_on_what_a_captured_strategy_was_used_for():
    game = pigevo.Pig(target=10)
    strategy, grid = pigevo.hold_at(game, 4), pigevo.CubeGrid(game, 3)

    def mine(genomes, context):
        return genomes if strategy.name or grid or game else 1 - genomes

    before = pigevo.Settings.of(*WORDS, mutator=mine).hash
    assert all((hash(strategy), game.mesh, grid.row_of_cell.any()))
    assert pigevo.Settings.of(*WORDS, mutator=mine).hash == before


@pytest.mark.parametrize("copied", [again, copy.copy, copy.deepcopy])
def test_arrays_that_cannot_be_written_to_cannot_in_copies_either(copied):
    scores, pairs = np.array([0.1, 0.2]), np.array([[0, 1]])
    for record in (
        pigevo.optimal(pigevo.Pig(8)),
        pigevo.best_response(pigevo.hold_at(pigevo.Pig(8), 3)),
        three_player.solve(pigevo.Piglet(3)),
        pigevo.Evaluation.of_scores(scores, pairs),
    ):
        arrays = {name: value for name, value in vars(copied(record)).items() if isinstance(value, np.ndarray)}
        assert arrays
        assert not any(array.flags.writeable for array in arrays.values())
        assert all(np.array_equal(array, getattr(record, name)) for name, array in arrays.items())
