"""Runs that their stop rule has ended, and runs on islands: their files, and whoever reads them, know where the end is."""

from dataclasses import replace

import pytest

import pigevo
from pigevo.cli.summary import summary
from pigevo.errors import InputError
from pigevo.evolution.loop import first_state, generations
from pigevo.runs import run, stepper
from pigevo.runs.film import champions, reel_of
from pigevo.runs.load import load_run
from pigevo.runs.verify import replay, verify
from tests.runs.test_runner import rows_of
from tests.runs.test_stopped import ENDED, PROGRESS, RING, STAR, Stop, stopping_after

WAVES = (
    "cubes=waves", "cubes.sizes=[6,3,1]", "cubes.generations=[3,2,4]", "stop=evaluations", "stop.evaluations=25",
    "baseline=random_search", "baseline.populations=4",
)  # fmt: skip


@pytest.mark.parametrize("words", [ENDED, WAVES, PROGRESS], ids=["games", "waves", "progress"])
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


def test_it_ends_in_memory_as_on_disk(make_settings, as_overrides, tmp_path):
    result = run(make_settings(*ENDED), tmp_path / "run")
    held = pigevo.evolve(*as_overrides(*ENDED))
    assert held.result["digest"] == result["digest"]
    assert [g.number for g in pigevo.generations(*as_overrides(*ENDED))] == list(range(result["generations"] + 1))


def test_games_of_its_last_generation_are_replayed_and_none_of_a_later_one(make_settings, tmp_path, monkeypatch):
    settings, whole = make_settings(*ENDED, "checkpoint_every=50"), tmp_path / "whole"
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
    ended, longer = make_settings(*ENDED), make_settings("generations=50", "record_every=3")
    for name, (real, settings) in {"early": (2, longer), "late": (12, ended)}.items():
        folder = tmp_path / name
        plan = replace(ended.plan, stop=_EndsAt(real))
        other = replace(settings)
        other.__dict__["plan"] = plan
        run(other, folder)
        verified = verify(folder, 1000, 1)
        assert not verified.same
        assert any(
            ("does not end with generation 2" if name == "early" else "ends with generation 4") in sentence
            for sentence in verified.differences
        )


class _EndsAt:
    def __init__(self, number):
        self._number = number

    def ends(self, generation, remembered):
        return generation.number == self._number

    def remember(self, generation, remembered):
        return {}


@pytest.mark.parametrize("words", [RING, pytest.param(STAR, marks=pytest.mark.slow)], ids=["ring", "star"])
def test_it_is_made_again_and_filmed(make_settings, tmp_path, words):
    settings, folder = make_settings(*words, "record_every=1"), tmp_path / "whole"
    whole = run(settings, folder)
    assert whole["evaluations"] == int(rows_of(folder)[-1]["evaluations"]) + 12 - (words is STAR) * 2
    again = verify(folder, 100, 2)
    assert again.same, again.differences
    assert again.whole
    assert len(list(champions(reel_of(folder, 1)))) == whole["generations"] + 1


@pytest.mark.slow
def test_games_of_every_island_and_of_the_end_are_replayed_as_they_were_played(make_settings, tmp_path):
    settings, folder = make_settings(*RING, "fitness.games=4"), tmp_path / "run"
    run(settings, folder)
    *_, before, last = generations(settings.plan, first_state(settings.plan))
    _, at_the_end = last.final_order
    for number, evaluation in ((4, before.evaluation), (5, at_the_end)):
        for pairing, (pair, wins) in enumerate(zip(evaluation.pairs.tolist(), evaluation.wins, strict=True)):
            games = [replay(settings, folder, number, pairing, game) for game in range(4)]
            assert {game.members for game in games} == {tuple(pair), tuple(pair[::-1])}
            winners = [game.members[game.result] for game in games]
            assert [winners.count(member) for member in pair] == (4 * wins).tolist()
    assert len(at_the_end.pairs) == 66
