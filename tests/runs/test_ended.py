"""A run that its stop rule has ended is finished: its files, and whoever reads them, know where its end is."""

from dataclasses import replace

import pytest

import pigevo
from pigevo.cli.summary import summary
from pigevo.errors import InputError
from pigevo.runs import run, stepper
from pigevo.runs.film import champions, reel_of
from pigevo.runs.load import load_run
from pigevo.runs.replay import replay
from pigevo.runs.verify import verify
from pigevo.settings.settings import Settings
from tests.runs.test_runner import rows_of
from tests.runs.test_stopped import Stop, stopping_after
from tests.small import small_words

GAMES = ("stop=evaluations", "stop.evaluations=30", "generations=50", "record_every=3", "baseline=random_search")
WAVES = (
    "cubes=waves", "cubes.sizes=[6,3,1]", "cubes.generations=[3,2,4]", "stop=evaluations", "stop.evaluations=25",
    "baseline=random_search", "baseline.populations=4",
)  # fmt: skip
PROGRESS = (
    "fitness=panel", "selection=truncation", "replacement=survivors_and_offspring", "generations=50",
    "record_every=4", "stop=any", "stop.rules=[no_progress:3]", "mutation=0.01",
)  # fmt: skip


@pytest.fixture
def make_settings():
    """Small settings; a panel plays no games."""

    def made(*words):
        return Settings.of(*(w for w in small_words(*words) if (w, words[0]) != ("fitness.games=10", PROGRESS[0])))

    return made


@pytest.mark.parametrize("words", [GAMES, WAVES, PROGRESS], ids=["games", "waves", "progress"])
def test_its_end_is_the_last_generation_everywhere(make_settings, tmp_path, words):
    settings, folder = make_settings(*words), tmp_path / "run"
    result = run(settings, folder)
    end = result["generations"]
    assert 0 < end < result["planned"] == settings.plan.generations
    numbers = [int(row["generation"]) for row in rows_of(folder)]
    assert numbers[-1] == end
    assert max(load_run(folder).champions) == end
    assert load_run(folder).champion == load_run(folder).champions[end]
    assert f"{end} of {settings.plan.generations} generations" in summary(result, settings, folder)
    again = verify(folder, 1000, 1)
    assert again.same, again.differences
    assert again.whole
    assert run(settings, folder) == result
    reel = reel_of(folder, 1)
    assert reel.numbers == tuple(range(end + 1))
    assert [number for number, _ in champions(reel)] == list(reel.numbers)


@pytest.mark.parametrize("words", [GAMES, PROGRESS], ids=["games", "progress"])
def test_killed_after_any_generation_it_ends_with_the_same_one(make_settings, tmp_path, monkeypatch, words):
    settings = make_settings(*words, "baseline=none")
    whole = run(settings, tmp_path / "whole")
    for generation in range(whole["generations"]):
        folder = tmp_path / str(generation)
        with monkeypatch.context() as patch, pytest.raises(Stop):
            patch.setattr(stepper, "generations", stopping_after(generation))
            run(settings, folder)
        assert run(settings, folder)["digest"] == whole["digest"]


def test_it_ends_in_memory_as_on_disk(make_settings, as_overrides, tmp_path):
    kept = run(make_settings(*GAMES), tmp_path / "run")
    held = pigevo.evolve(*as_overrides(*GAMES))
    assert held.result["digest"] == kept["digest"]
    assert [g.number for g in pigevo.generations(*as_overrides(*GAMES))] == list(range(kept["generations"] + 1))


def test_up_to_its_end_it_is_the_run_without_the_rule(make_settings, as_overrides, tmp_path):
    run(make_settings(*GAMES, "record_every=1"), tmp_path / "ended")
    run(make_settings("generations=6", "record_every=1"), tmp_path / "whole")
    ended, whole = ([row["digest"] for row in rows_of(tmp_path / name)] for name in ("ended", "whole"))
    assert 1 < len(ended) < len(whole)
    assert whole[: len(ended)] == ended


def test_games_of_its_last_generation_are_replayed_and_none_of_a_later_one(make_settings, tmp_path, monkeypatch):
    settings, whole = make_settings(*GAMES, "checkpoint_every=50"), tmp_path / "whole"
    end, pairs = run(settings, whole)["generations"], 6 * 5 // 2
    assert replay(settings, whole, end, pairs - 1, 9).counter["generation"] == end
    with pytest.raises(InputError, match=f"generation {end + 1} is out of range"):
        replay(settings, whole, end + 1, 0, 0)
    with monkeypatch.context() as patch, pytest.raises(Stop):  # of one that has not reached its end too
        patch.setattr(stepper, "generations", stopping_after(1))
        run(settings, tmp_path / "part")
    assert (
        replay(settings, tmp_path / "part", end, pairs - 1, 9).turns == replay(settings, whole, end, pairs - 1, 9).turns
    )
    with pytest.raises(InputError, match=f"the run ends with generation {end}"):
        replay(settings, tmp_path / "part", end + 1, 0, 0)


def test_verify_tells_of_a_run_that_ended_elsewhere(make_settings, tmp_path):
    """One that was ended before its rule does, or went on, is another run's files under this one's settings."""
    ended, longer = make_settings(*GAMES), make_settings("generations=50", "record_every=3")
    for name, (real, told) in {"early": (2, longer), "late": (12, ended)}.items():
        folder = tmp_path / name
        plan = replace(ended.plan, stop=_EndsAt(real))
        other = replace(told)
        other.__dict__["plan"] = plan
        run(other, folder)
        found = verify(folder, 1000, 1)
        assert not found.same
        assert any(
            ("does not end with generation 2" if name == "early" else "ends with generation 4") in said
            for said in found.differences
        )


class _EndsAt:
    def __init__(self, number):
        self._number = number

    def ends(self, generation, remembered):
        return generation.number == self._number

    def remember(self, generation, remembered):
        return {}
