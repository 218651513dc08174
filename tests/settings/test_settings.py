"""Settings as one value: checked, named, pickled, and what a run is, with the source of what is not pigevo's own."""

import copy
import dataclasses
import json
import multiprocessing
import pickle
import re
import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import pigevo
from pigevo import three_player
from pigevo.errors import InputError
from pigevo.evolution.operators import KINDS
from pigevo.games import Pig
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings

VOLATILE = ("force", "workers", "checkpoint_every", "figures")
"""By hand: what may change without another run coming out of it, and nothing else may."""

PLAIN = Settings.of()


def read(typed=(), **change):
    return Settings.read({**PLAIN.values, **change}, typed, PLAIN.values)


def test_settings_are_a_value():
    seeded = Settings.of("seed=3")
    assert seeded == Settings.of(seed=3) == PLAIN.with_(seed=3) != PLAIN
    assert len({seeded, Settings.of(seed=3), PLAIN}) == 2
    assert seeded.with_(workers=seeded.workers + 1) != seeded
    assert repr(seeded) == f"Settings({seeded.folder!r})"
    with pytest.raises(dataclasses.FrozenInstanceError):
        seeded.seed = 4
    again = Settings.read(PLAIN.values, base=PLAIN.base)
    assert (again, again.values, hash(again)) == (PLAIN, PLAIN.values, hash(PLAIN))


def test_a_changed_copy_has_its_own_plan():
    settings = Settings.of("game.target=12", "generations=7")
    assert settings.plan.seed == 0
    again = settings.with_(seed=5, workers=1, generations=9).plan
    assert (again.seed, again.workers, again.generations) == (5, 1, 9)
    with pytest.raises(InputError, match="seed = -1 is out of range"):
        PLAIN.with_(seed=-1)
    with pytest.raises(InputError, match="there is no general setting 'mutations'; did you mean mutation"):
        PLAIN.with_(mutations=0.1)
    with pytest.raises(InputError, match="there is no general setting 'population'"):
        PLAIN.with_(population="optimal")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"mutation": 1.5}, "mutation = 1.5 is out of range"),
        ({"seed": "x"}, "seed = 'x' must be a whole number"),
        ({"seed": True}, "seed = True must be a whole number"),
        ({"mutatoin": 1}, "no setting 'mutatoin'; did you mean mutation"),
        ({"game": {}}, "game names no choice"),
        ({"game": {"name": "pgi"}}, "no game 'pgi'; did you mean pig"),
        ({"game": {"name": "pig", "target": 0}}, "game.target = 0 is out of range"),
        ({"population": {"name": "random", "size": 1}}, "population.size = 1 is out of range"),
        ({"population": {"name": "random", "size": 7}}, "population.size = 7 is odd"),
    ],
)
def test_full_keys_in_refusals(change, message):
    with pytest.raises(InputError, match=re.escape(message)):
        assert read(**change).plan


def test_what_is_left_out():
    assert read(game={"name": "pig"}) == PLAIN
    assert read(population={"name": "random"}) == PLAIN  # the size as well
    for key in ("seed", "mutation", "generations"):
        with pytest.raises(InputError, match=f"{key} is missing"):
            Settings.read({k: v for k, v in PLAIN.values.items() if k != key})


CHANGES = [
    {"experiment": "cube_random"}, {"seed": 77}, {"mutation": 0.02}, {"generations": 77}, {"record_every": 77},
    {"debug": "fast"}, {"game": {"name": "pig", "target": 77}}, {"population": {"name": "random", "size": 78}},
    {"selection": {"name": "round_robin"}}, {"fitness": {"name": "games", "games": 77}},
    {"crossover": {"name": "blocks"}}, {"mutator": {"name": "boundary"}}, {"cubes": {"name": "waves"}},
    {"replacement": {"name": "survivors_and_offspring"}}, {"baseline": {"name": "random_search"}},
    {"islands": {"name": "ring"}}, {"stop": {"name": "evaluations"}}, {"lineage": True}, {"behaviour": True},
]  # fmt: skip


def test_every_setting_but_the_volatile_ones_makes_another_hash():
    assert re.fullmatch("[0-9a-f]{64}", PLAIN.hash)
    for key, value in zip(VOLATILE, (True, 77, 77, "none"), strict=True):
        assert read(**{key: value}).hash == PLAIN.hash
    assert Settings.read(dict(reversed(PLAIN.values.items()))).hash == PLAIN.hash
    assert read(game=dict(reversed(PLAIN.values["game"].items()))).hash == PLAIN.hash
    assert {key for change in CHANGES for key in change} == set(PLAIN.values) - set(VOLATILE)
    hashes = {read(**change).hash for change in CHANGES}
    assert len(hashes | {PLAIN.hash}) == len(CHANGES) + 1


def _name(**change):
    name, _, digest = read(**change).name.rpartition("-")
    assert re.fullmatch("[0-9a-f]{10}", digest)
    return name


def save_strategy(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    pigevo.hold_at(Pig(), 20).save(path)


def test_names(tmp_path, monkeypatch):
    assert _name() == "unchanged"
    assert _name(workers=9, force=True) == "unchanged"
    assert _name(seed=3, mutation=0.005) == "mutation=0.005,seed=3"
    assert _name(fitness={"name": "games", "games": 25}) == "fitness.games=25"
    assert _name(fitness={"name": "exact"}) == "fitness=exact"
    waves = {"name": "waves", "sizes": [20, 10], "generations": 100}
    assert _name(cubes=waves) == "cubes.sizes=20+10,cubes=waves"
    deap = {"name": "deap", "operator": "cxUniform", "arguments": {"indpb": 0.3}}
    assert _name(crossover=deap) == "crossover.arguments.indpb=0.3,crossover=deap"
    monkeypatch.chdir(tmp_path)
    save_strategy(tmp_path / "some" / "where:20 x.npz")
    opponent = {"name": "exact_vs", "opponent": "some/where:20 x.npz"}
    assert _name(fitness=opponent) == "fitness.opponent=where_20_x.npz,fitness=exact_vs"


def test_long_names_are_cut_between_settings(tmp_path, monkeypatch):
    waves = {"name": "waves", "sizes": list(range(40, 0, -1)), "generations": 7}
    name = _name(cubes=waves, mutation=0.5, seed=123456)
    assert len(name) <= 80
    assert name == "cubes.generations=7,seed=123456"
    monkeypatch.chdir(tmp_path)
    save_strategy(tmp_path / f"{'x' * 200}.npz")
    assert len(_name(fitness={"name": "exact_vs", "opponent": f"{'x' * 200}.npz"})) == 80


def test_a_folder_whose_long_name_lacks_the_seed_is_kept(tmp_path):
    waves = {"name": "waves", "sizes": list(range(40, 0, -1)), "generations": 7}
    settings = read(cubes=waves, seed=3)
    assert settings.folder_in(tmp_path) == tmp_path / settings.folder
    assert ",seed=3-" in settings.folder
    earlier = tmp_path / settings.folder.replace(",seed=3", "")
    earlier.mkdir(parents=True)
    assert settings.folder_in(tmp_path) == earlier


def test_the_usual_arguments_of_a_deap_operator_are_filled_in():
    for operator, arguments in {"cxUniform": {"indpb": 0.5}, "cxTwoPoint": {}, "cxOnePoint": {}}.items():
        crossover = Settings.of("crossover=deap", f"crossover.operator={operator}").values["crossover"]
        assert crossover["arguments"] == arguments
    plain = Settings.of("crossover=deap", "++crossover.arguments.indpb=0.5")
    assert plain.hash == Settings.of("crossover=deap").hash
    assert Settings.read(plain.values) == plain
    assert Settings.of("selection=deap").values["selection"]["arguments"] == {"tournsize": 3}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("experiment=rediscover mutation=0.1", "mutation = 0.1 changes nothing with mutator=self_adapting"),
        ("mutator=boundary mutation=0.1", "leave it out; its own settings are mutator."),
        ("experiment=cube_random generations=50", "write cubes.generations=VALUE, or cubes=none"),
        ("generations=50 cubes=only_20", "generations = 50 changes nothing with cubes=waves"),
    ],
)
def test_a_typed_setting_that_would_change_nothing_is_refused(words, message):
    with pytest.raises(InputError, match=re.escape(message)):
        Settings.of(*words.split())


def test_an_experiment_s_setting_without_effect_is_dropped_and_leaves_the_identity_alone(tmp_path):
    def settings(number, *words):
        """Of an experiment with a mutation and generations of its own."""
        folder = tmp_path / str(number) / "experiment"
        folder.mkdir(parents=True, exist_ok=True)
        text = f"# @package _global_\nexperiment: mine\nmutation: 0.{number}\ngenerations: {number}\n"
        (folder / "mine.yaml").write_text(text)
        composed = Composer(folder.parent)(["experiment=mine", *words])
        return Settings.read(composed.values, composed.typed, composed.base)

    for words in ((), ("mutator=boundary",)):  # of which the generations still have an effect
        assert settings(1, *words).hash != settings(2, *words).hash
    waves, other = (settings(number, "mutator=boundary", "cubes=waves") for number in (1, 2))
    assert waves.hash == other.hash
    assert waves.folder == other.folder == f"mine/cubes=waves,mutator=boundary-{waves.hash[:10]}"
    assert not {"mutation", "generations"} & set(waves.values)


def test_no_experiment_and_no_size_can_be_chosen():
    for word in ("experiment=none", "experiment=null", "sweep=none", "~population.size"):
        assert Settings.of(word) == PLAIN
    assert Settings.of("experiment=none", "seed=3").folder.startswith("default/seed=3-")


def test_threads_compose_one_after_the_other():
    """Hydra has one global state: two that composed at once would meet in it."""
    with ThreadPoolExecutor(3) as threads:
        made = [*threads.map(lambda seed: Settings.of(f"seed={seed}"), range(5))]
    assert [settings.seed for settings in made] == list(range(5))


NUMBERS = "def few(genomes, context, flips: float = 1, steps: tuple[float, ...] = (1, 2), share: float | None = None): "


def test_a_default_of_another_type_of_number_makes_no_other_settings(tmp_path):
    """The runs of a sweep read their settings from its record: a default of 1 for a float was another run than 1.0."""
    (tmp_path / "own.py").write_text(f"{NUMBERS}\n    return genomes\n")
    settings = Settings.of(f"mutator={tmp_path / 'own.py'}:few")
    assert repr(settings.values["mutator"]["options"]) == repr({"flips": 1.0, "steps": [1.0, 2.0], "share": None})
    assert Settings.read(json.loads(json.dumps(settings.values))).hash == settings.hash


@pytest.mark.parametrize(
    ("option", "why"), [("n: int = None", "None must be a whole"), ("n: int = .5", "0.5 must be a whole")]
)
def test_a_default_that_does_not_fit_its_type_is_refused(tmp_path, option, why):
    (tmp_path / "own.py").write_text(f"def few(genomes, context, {option}):\n    return genomes\n")
    with pytest.raises(InputError, match=rf"few's default of n = {why}"):
        Settings.of(f"mutator={tmp_path / 'own.py'}:few")


def test_an_option_in_the_place_of_an_argument_is_refused(tmp_path):
    """A mutator with an option, named as a crossover, got the context for the option."""
    (tmp_path / "own.py").write_text("def few(rows, context, share: float = 0.1):\n    return rows\n")
    with pytest.raises(InputError, match="few has the option share among the 3 arguments that a crossover is handed"):
        Settings.of(f"crossover={tmp_path / 'own.py'}:few")


OPS = """
from helper import few
def population(size, context): return context.draw.bits(size, context.grid.genes)
def fitness(tables, context): return tables.mean(axis=(1, 2, 3))
def selection(scores, context): return few(scores)
def crossover(first, second, context, share: float = 0.5): return first
def mutator(genomes, context): return genomes
def replacement(survivors, context): return survivors[:0]
"""
HELPER = "def few(scores): return scores.argsort()[: len(scores) // 2]\n"


@pytest.fixture
def ops(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "helper.py").write_text(HELPER)
    (tmp_path / "own" / "ops.py").write_text(OPS)
    return tmp_path / "own" / "ops.py"


def of(kind, path, *words):
    return Settings.of("game.target=12", f"{kind}=custom", f"{kind}.function={path}:{kind}", *words)


def test_an_edited_operator_or_what_it_imports_is_another_run_and_what_it_does_not_import_is_not(ops):
    before = {kind: of(kind, ops) for kind in KINDS}
    (ops.parent / "other.py").write_text("few = 3\n")
    assert of("selection", ops).hash == before["selection"].hash
    (ops.parent / "helper.py").write_text(HELPER + "# edited\n")
    assert of("selection", ops).hash != before["selection"].hash
    (ops.parent / "helper.py").write_text(HELPER)
    ops.write_text(OPS + "# edited\n")
    for kind in KINDS:
        after = of(kind, ops)
        assert (after.hash != before[kind].hash, after.folder != before[kind].folder) == (True, True), kind


def test_the_same_file_elsewhere_is_the_same_run(ops, tmp_path, monkeypatch):
    shutil.copytree(ops.parent, tmp_path / "moved")
    here, moved = of("crossover", ops), of("crossover", tmp_path / "moved" / "ops.py")
    assert (here.hash, here.folder) == (moved.hash, moved.folder)
    assert here.name.startswith("crossover.function=ops.py_crossover,")
    monkeypatch.chdir(ops.parent)
    assert of("crossover", "ops.py").folder == here.folder
    assert of("crossover", "ops.py").values["crossover"]["function"] == f"{ops}:crossover"  # found from any folder


def test_options_and_other_functions_of_the_file_are_other_runs(ops):
    default, changed = of("crossover", ops), of("crossover", ops, "crossover.options.share=0.3")
    assert len({settings.hash for settings in (default, changed, of("mutator", ops))}) == 3
    assert of("crossover", ops, "crossover.options.share=0.5").hash == default.hash


def test_functions_without_a_file_are_known_by_what_they_do():
    def made(number):
        return lambda first, second, context: first ^ np.uint8(number)

    hashes = [Settings.of("game.target=12", crossover=made(number)).hash for number in (0, 0, 1)]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize("version", ["STREAM_VERSION", "ENGINE_VERSION"])
def test_the_versions_of_the_dice_and_of_the_engine_belong_to_it(monkeypatch, version):
    before = Settings.of("seed=3").folder
    monkeypatch.setattr(f"pigevo.settings.settings.{version}", -1)
    assert Settings.of("seed=3").folder != before


def saved(path, threshold):
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".csv":
        path.write_text("\n".join([",".join([str(threshold)] * 12)] * 12) + "\n")
    elif path.suffix == ".py":
        path.write_text(f"def rule(i, j, k): return k < {threshold}\n")
        return f"{path}:rule"
    else:
        pigevo.hold_at(pigevo.Pig(target=12), threshold).save(path)
    return str(path)


@pytest.mark.parametrize(
    ("suffix", "words"),
    [
        ("npz", ("fitness=exact_vs", "fitness.opponent={}")),
        ("csv", ("population=named", "population.names=['{}']")),
        ("py", ("population=named", "population.names=['{}']")),
    ],
)
def test_a_strategy_from_a_file_counts_by_its_content(tmp_path, suffix, words):
    def settings(word):
        return Settings.of("game.target=12", *(part.format(word) for part in words))

    path = tmp_path / f"a.{suffix}"
    before = settings(saved(path, 5))
    assert settings(saved(tmp_path / "other" / f"b.{suffix}", 5)).hash == before.hash
    assert settings(saved(tmp_path / "other" / f"a.{suffix}", 5)).folder == before.folder
    assert settings(saved(tmp_path / "a.npz", 5)).hash == before.hash  # from whatever kind of file
    after = settings(saved(path, 6))
    assert after.hash != before.hash
    assert after.folder != before.folder


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
