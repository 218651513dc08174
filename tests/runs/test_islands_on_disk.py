"""A run on islands on disk: made again, filmed, and its games replayed."""

import pytest

from pigevo.evolution.loop import first_state, generations
from pigevo.runs import run
from pigevo.runs.film import champions, reel_of
from pigevo.runs.verify import replay, verify
from tests.runs.test_runner import rows_of
from tests.runs.test_stopped import RING, STAR


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
