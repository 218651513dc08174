import pytest
from hydra import initialize_config_dir

from pigevo.config import check, compose, conf_folder, register
from pigevo.sweeps.settings import flat, label, swept


@pytest.fixture(scope="module", autouse=True)
def _hydra():
    """One search path for all: composing is then several times as fast."""
    register()
    with initialize_config_dir(str(conf_folder()), version_base="1.3"):
        yield


def configs(*lists):
    return [check(compose(words.split())) for words in lists]


def labels(*lists):
    found = configs(*lists)
    keys = swept(found)
    return [label(flat(config), keys) for config in found]


def test_seeds_and_how_a_run_is_done_are_no_settings():
    assert swept(configs("seed=1 workers=1 checkpoint_every=3", "seed=2")) == []


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        (("mutation=0", "mutation=1e-3"), ["mutation=0", "mutation=0.001"]),
        (("fitness=games", "fitness=exact"), ["fitness=games", "fitness=exact"]),
        (("game.target=20", "game.target=30"), ["game.target=20", "game.target=30"]),
        (
            ("cubes=only_20", "cubes=only_5", "cubes=waves"),
            ["cubes.sizes=[20]", "cubes.sizes=[5]", "cubes.sizes=[20,10,5]"],
        ),
        (
            ("experiment=cube_random", "experiment=knockout_random"),
            ["experiment=cube_random", "experiment=knockout_random"],
        ),
        (
            ("cubes=none", "cubes=waves", "cubes=waves cubes.sizes=[5]"),
            ["cubes=none", "cubes=waves,cubes.sizes=[20,10,5]", "cubes=waves,cubes.sizes=[5]"],
        ),
    ],
)
def test_a_setting_is_told_by_the_fewest_keys(lists, expected):
    assert labels(*lists) == expected


def test_different_runs_have_different_settings_or_seeds():
    words = [f"mutation={m} population.size={n} seed={s}" for m in (0, 0.1) for n in (4, 6) for s in (1, 2)]
    found = configs(*words)
    keys = swept(found)
    assert sorted(keys) == ["mutation", "population.size"]
    assert len({(label(flat(config), keys), config["seed"]) for config in found}) == 8
