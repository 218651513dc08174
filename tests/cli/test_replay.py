"""`replay`: one game of a run, roll by roll."""

import json
from pathlib import Path

import pytest

from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import Fitness
from pigevo.runs.folder import settings_of
from pigevo.simulation import play_pairs
from tests.cli.small import RUN, change

pytestmark = pytest.mark.usefixtures("no_pictures")


@pytest.mark.parametrize(  # the third generation is judged on the grid of the second wave
    ("generation", "paired"),
    [(3, "false"), (5, "true"), *(pytest.param(n, "false", marks=pytest.mark.slow) for n in (0, 2, 6))],
)
def test_every_game_ends_as_the_kernels_said(pigevo, generation, paired):
    assert pigevo(f"{RUN} fitness.games=4 fitness.paired={paired}").status == 0
    plan = settings_of(Path("run")).plan
    found, seen = list(generations(plan, first_state(plan)))[generation], []
    assert found.number == generation

    class Watched(Fitness):
        plays = plan.fitness.plays

        def __call__(self, tables, context, original=plan.fitness):
            counts = play_pairs(plan.game, tables[:], context.pairs.tolist(), 4, context.draw, paired=paired == "true")
            seen.append((context.draw.generation, counts, context.pairs))
            return original(tables, context)

    object.__setattr__(plan, "fitness", Watched())
    again = evaluate(plan, found.state)
    assert next_state(again) if generation < 6 else again.final_order
    ((number, counts, pairs),) = seen
    assert number == generation
    for pairing in (0, len(pairs) - 1):
        games = [
            json.loads(pigevo(f"replay run --generation {generation} --pairing {pairing} --game {n} --json").out)
            for n in range(4)
        ]
        assert [g["members"] for g in games] == [pairs[pairing][:: 1 if n % 2 == 0 else -1].tolist() for n in range(4)]
        winners = [g["members"][g["result"]] for g in games]
        assert [winners.count(member) for member in pairs[pairing]] == counts[pairing][:2].tolist()


def test_it_is_told_roll_by_roll(pigevo, finished):
    said = pigevo("replay run --generation 2 --pairing 1 --game 3")
    record = json.loads(pigevo("replay run --generation 2 --pairing 1 --game 3 --json").out)
    assert said.err == ""
    assert "dice: seed 0, stream dice, generation 2, pair 1, game 3" in said.out
    assert f"member {record['members'][record['result']]} wins by" in said.out
    rolls = [str(p) if p else "bust" for turn in record["turns"] for p in turn["rolls"]]
    told = " ".join(line[26:].split(", holds")[0].strip() for line in said.out.splitlines()[4:-2])
    assert told == " ".join(rolls)


def test_without_a_checkpoint_the_game_is_the_same(pigevo, finished):
    words = "replay run --generation 5 --pairing 2 --game 1 --json"
    near = json.loads(pigevo(words).out)
    for path in finished.glob("checkpoint*"):
        path.unlink()
    far = json.loads(pigevo(words).out)
    assert (near.pop("made_from"), far.pop("made_from")) == (5, 0)
    assert near == far


def test_a_population_that_is_not_the_recorded_one_is_refused(pigevo, finished):
    change(finished, 2, "digest", "0" * 64)
    assert "was changed since it was written" in pigevo("replay run --generation 2 --pairing 1 --game 3").err
    (finished / "result.json").unlink()
    said = pigevo("replay run --generation 2 --pairing 1 --game 3")
    assert said.status == 2
    assert "generation 2 made again is not the one in run/metrics.csv" in said.err
