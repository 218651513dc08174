"""A run on islands on disk: stopped, made again, filmed, and its games replayed."""

import pytest

from pigevo.evolution.loop import first_state, generations
from pigevo.runs import run, stepper
from pigevo.runs.film import champions, reel_of
from pigevo.runs.replay import replay
from pigevo.runs.verify import verify
from pigevo.settings.settings import Settings
from tests.runs.test_runner import rows_of
from tests.runs.test_stopped import Stop, stopping_after

RING = ("islands=ring", "islands.count=3", "islands.interval=2", "population.size=12", "generations=5")
STAR = (
    "islands=star", "islands.count=2", "islands.interval=1", "population.size=12", "cubes=waves", "cubes.sizes=[6,3]",
    "cubes.generations=[2,3]", "selection=round_robin", "replacement=elites", "mutator=self_adapting",
    "stop=evaluations", "stop.evaluations=50",
)  # fmt: skip


@pytest.fixture
def settings_of_words(as_overrides):
    def make(words):
        found = as_overrides(*words)
        rated = not any(word == "mutator=self_adapting" for word in found)
        return Settings.of(*(word for word in found if rated or not word.startswith("mutation=")))

    return make


@pytest.mark.parametrize("words", [RING, pytest.param(STAR, marks=pytest.mark.slow)], ids=["ring", "star"])
def test_it_is_made_again_filmed_and_resumed_to_the_same(settings_of_words, tmp_path, monkeypatch, words):
    settings, folder = settings_of_words((*words, "record_every=1")), tmp_path / "whole"
    whole = run(settings, folder)
    assert whole["evaluations"] == int(rows_of(folder)[-1]["evaluations"]) + 12 - (words is STAR) * 2
    again = verify(folder, 100, 2)
    assert again.same, again.differences
    assert again.whole
    assert len(list(champions(reel_of(folder, 1)))) == whole["generations"] + 1
    for generation in range(whole["generations"]):
        part = tmp_path / str(generation)
        with monkeypatch.context() as patch, pytest.raises(Stop):
            patch.setattr(stepper, "generations", stopping_after(generation))
            run(settings, part)
        assert run(settings, part)["digest"] == whole["digest"]


@pytest.mark.slow
def test_games_of_every_island_and_of_the_end_are_replayed_as_they_were_played(settings_of_words, tmp_path):
    settings, folder = settings_of_words((*RING, "fitness.games=4")), tmp_path / "run"
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
