"""What was swept, told by the fewest keys."""

import pytest

from pigevo.settings.compose import Composer
from pigevo.settings.settings import Settings
from pigevo.sweeps.labels import flat, label, swept


@pytest.fixture(scope="module")
def values_of():
    """The plain values of settings given as words."""
    composer = Composer()

    def read(*lists):
        composed = [composer(words.split()) for words in lists]
        return [Settings.read(one.values, one.typed, one.base).values for one in composed]

    return read


def test_seeds_and_how_a_run_is_done_are_no_settings(values_of):
    assert swept(values_of("seed=1 workers=1 checkpoint_every=3", "seed=2 force=true")) == []


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
        (
            ("mutator=bit_flip", "mutator=boundary", "mutator=bit_flip mutation=0.1"),
            ["mutator=bit_flip,mutation=0.01", "mutator=boundary", "mutator=bit_flip,mutation=0.1"],
        ),
    ],
)
def test_a_setting_is_told_by_the_fewest_keys(values_of, lists, expected):
    found = values_of(*lists)
    keys = swept(found)
    assert [label(flat(values), keys) for values in found] == expected


def test_different_runs_have_different_settings_or_seeds(values_of):
    words = [f"mutation={m} population.size={n} seed={s}" for m in (0, 0.1) for n in (4, 6) for s in (1, 2)]
    found = values_of(*words)
    keys = swept(found)
    assert sorted(keys) == ["mutation", "population.size"]
    assert len({(label(flat(values), keys), values["seed"]) for values in found}) == 8


def test_runs_from_before_there_was_a_group_differ_in_nothing_from_those_without(values_of):
    (now,) = values_of("seed=1")
    before = {key: value for key, value in now.items() if key not in ("stop", "islands")}
    assert swept([now, before]) == []
    assert flat(before) == flat(now)
