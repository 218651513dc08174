"""Runs that their stop rule has ended, and runs on islands: their files, and whoever reads them, know where the end is."""

import pytest
from omegaconf import OmegaConf

import pigevo
from pigevo.cli.summary import summary
from pigevo.errors import InputError
from pigevo.evolution.loop import first_state, generations
from pigevo.runs import run
from pigevo.runs.folder import CONFIG
from pigevo.runs.load import load_run
from pigevo.runs.pictures import champions, reel_of
from pigevo.runs.verify import replay, verify
from tests.runs.cases import ENDED, PROGRESS, RING, SAMPLED, STAR, left_after, rows_of
from tests.small import resealed, small_settings, small_words

WAVES = (
    "cubes=waves", "cubes.sizes=[6,3,1]", "cubes.generations=[3,2,4]", "stop=evaluations", "stop.evaluations=25", *SAMPLED
)  # fmt: skip
KINDS = {"games": ENDED, "waves": WAVES, "progress": PROGRESS, "ring": RING, "star": STAR}


@pytest.mark.parametrize("kind", [*list(KINDS)[:4], pytest.param("star", marks=pytest.mark.slow)])
def test_its_end_is_the_last_generation_everywhere(tmp_path, kind):
    settings, folder = small_settings(*KINDS[kind]), tmp_path / "run"
    result = run(settings, folder)
    end = result["generations"]
    assert (0 < end < result["planned"]) == (kind != "ring")
    assert result["planned"] == settings.plan.generations
    assert [int(row["generation"]) for row in rows_of(folder)][-1] == end
    assert max(load_run(folder).champions) == end
    assert load_run(folder).champion == load_run(folder).champions[end]
    assert f"{end} of {settings.plan.generations} generations" in summary(result, settings, folder) or kind == "ring"
    again = verify(folder, 1000, 2)
    assert again.same, again.differences
    assert again.whole
    assert run(settings, folder) == result
    reel = reel_of(folder, 1)
    assert reel.numbers == tuple(range(end + 1))
    assert [number for number, _ in champions(reel)] == list(reel.numbers)
    in_memory = pigevo.evolve(*small_words(*KINDS[kind]))
    assert in_memory.result["digest"] == result["digest"]
    assert [g.number for g in pigevo.generations(*small_words(*KINDS[kind]))] == list(range(end + 1))


def test_games_of_its_last_generation_are_replayed_and_none_of_a_later_one(tmp_path):
    """Of a run that has not reached its end as well."""
    settings, whole, part = small_settings(*ENDED, "checkpoint_every=50"), tmp_path / "whole", tmp_path / "part"
    end, pairs = run(settings, whole)["generations"], 6 * 5 // 2
    left_after(1, settings, part)
    games = [replay(settings, folder, end, pairs - 1, 9) for folder in (whole, part)]
    assert games[0].counter["generation"] == end
    assert games[0].turns == games[1].turns
    with pytest.raises(InputError, match=f"generation {end + 1} is out of range"):
        replay(settings, whole, end + 1, 0, 0)
    with pytest.raises(InputError, match=f"the run ends with generation {end}"):
        replay(settings, part, end + 1, 0, 0)


def test_verify_finds_a_run_that_ended_before_or_after_its_rule(tmp_path):
    early, late = tmp_path / "early", tmp_path / "late"
    longer = small_settings("generations=50", "record_every=3")
    run(longer, early, on_generation=lambda generation: {"stop": generation.number == 2})
    run(longer.with_(generations=12), late)
    (late / CONFIG).write_text(OmegaConf.to_yaml(small_settings(*ENDED, "baseline=none").values))
    resealed(late)
    for folder, sentence in ((early, "does not end with generation 2"), (late, "ends with generation 4")):
        assert any(sentence in difference for difference in verify(folder, 1000, 1).differences)


@pytest.mark.slow
def test_games_of_every_island_and_of_the_end_are_replayed_as_they_were_played(tmp_path):
    settings, folder = small_settings(*RING, "fitness.games=4"), tmp_path / "run"
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
