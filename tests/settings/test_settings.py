"""Settings as one value: checked, told apart, and named."""

import dataclasses
import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import Pig
from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings

VOLATILE = ("force", "workers", "checkpoint_every", "figures")
"""By hand: what may change without another run coming out of it, and nothing else may."""

PLAIN = Settings.of()


def read(typed=(), **change):
    return Settings.read({**PLAIN.values, **change}, typed, PLAIN.values)


def test_they_are_a_value():
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
