import re

import pytest

from pigevo.config import check, compose
from pigevo.errors import InputError
from pigevo.runs.naming import VOLATILE, config_hash, run_name
from pigevo.threads import available_cores


@pytest.fixture(scope="module")
def plain():
    return check(compose([]))


def test_check_of_a_checked_config_changes_nothing(plain):
    assert check(plain) == plain


def test_types(plain):
    assert isinstance(check(compose(["mutation=1"]))["mutation"], float)
    assert plain["experiment"] is None
    assert plain["workers"] == available_cores()


@pytest.mark.parametrize(
    ("change", "told"),
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
def test_full_keys_in_refusals(plain, change, told):
    with pytest.raises(InputError, match=re.escape(told)):
        check({**plain, **change})


def test_an_option_left_out_has_its_default(plain):
    assert check({**plain, "game": {"name": "pig"}}) == plain


def test_what_is_missing(plain):
    with pytest.raises(InputError, match="seed is missing"):
        check({k: v for k, v in plain.items() if k != "seed"})


def test_hash(plain):
    assert re.fullmatch("[0-9a-f]{64}", config_hash(plain))
    for key in VOLATILE:
        assert config_hash({**plain, key: 77}) == config_hash(plain)
    assert config_hash({**plain, "hydra": {}}) == config_hash(plain)
    assert config_hash({**plain, "seed": 77}) != config_hash(plain)
    assert config_hash(dict(reversed(plain.items()))) == config_hash(plain)


def _settings(plain, **change):
    name, _, digest = run_name({**plain, **change}, plain).rpartition("-")
    assert re.fullmatch("[0-9a-f]{10}", digest)
    return name


def test_names(plain):
    assert _settings(plain) == "unchanged"
    assert _settings(plain, workers=9, force=True) == "unchanged"
    assert _settings(plain, seed=3, mutation=0.005) == "mutation=0.005,seed=3"
    assert _settings(plain, fitness={"name": "games", "games": 25}) == "fitness.games=25"
    assert _settings(plain, fitness={"name": "exact"}) == "fitness=exact"
    waves = {"name": "waves", "sizes": [20, 10], "generations": 100}
    assert _settings(plain, cubes=waves) == "cubes.sizes=20+10,cubes=waves"
    deap = {"name": "deap", "operator": "cxUniform", "arguments": {"indpb": 0.3}}
    assert _settings(plain, crossover=deap) == "crossover.arguments.indpb=0.3,crossover=deap"
    opponent = {"name": "exact_vs", "opponent": "some/where:20 x.npz"}
    assert _settings(plain, fitness=opponent) == "fitness.opponent=some_where_20_x.npz,fitness=exact_vs"


def test_long_names_are_cut_between_settings(plain):
    waves = {"name": "waves", "sizes": list(range(40, 0, -1)), "generations": 7}
    name = _settings(plain, cubes=waves, mutation=0.5, seed=123456)
    assert len(name) <= 80
    assert name == "cubes.generations=7"
    opponent = {"name": "exact_vs", "opponent": "x" * 300}
    assert len(_settings(plain, fitness=opponent)) == 80


def test_the_usual_arguments_of_a_deap_operator_are_filled_in():
    shown = {
        "cxUniform": {"indpb": 0.5},
        "cxTwoPoint": {},
        "cxOnePoint": {},
    }
    for operator, arguments in shown.items():
        crossover = check(compose(["crossover=deap", f"crossover.operator={operator}"]))["crossover"]
        assert crossover["arguments"] == arguments
    plain = check(compose(["crossover=deap", "++crossover.arguments.indpb=0.5"]))
    assert config_hash(plain) == config_hash(check(compose(["crossover=deap"])))
    assert check(plain) == plain
    assert check(compose(["selection=deap"]))["selection"]["arguments"] == {"tournsize": 3}


@pytest.mark.parametrize("operator", ["mutFlipBit", "mutShuffleIndexes", "mutInversion", "mutUniformInt"])
def test_mutations_of_deap_need_no_arguments(operator):
    assert check(compose(["mutator=deap", f"mutator.operator={operator}"]))["mutator"]["operator"] == operator
