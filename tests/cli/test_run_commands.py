"""`resume`, `verify` and `replay` of a run's folder."""

import csv
import json
from pathlib import Path

import pytest

from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import Fitness
from pigevo.evolution.population import to_layout
from pigevo.runs.folder import settings_of
from pigevo.simulation import play_pairs
from tests.cli.small import RUN, SMALL, change, digest_of

pytestmark = pytest.mark.usefixtures("no_pictures")


@pytest.mark.parametrize(("generation", "force"), [(4, True), (6, False)])
def test_resume_goes_on_where_the_folder_stands(pigevo, finished, stopping, generation, force):
    with stopping(generation):
        output = pigevo(f"{SMALL} fitness.games=30 hydra.run.dir=other force={str(force).lower()}")
    assert output.status == 130
    assert f"stopped after generation {generation}; " in output.err
    assert "`pigevo resume other` goes on from there" in output.err or not force
    assert ("the same command" in output.err) == (not force)
    rows = list(csv.DictReader(Path("other/metrics.csv").read_text().splitlines()))
    assert all(len(row["digest"]) == 64 for row in rows)
    output = pigevo("resume other --json")
    assert output.status == 0
    assert f"going on after generation {generation} of 6" in output.err
    assert json.loads(output.out)["digest"] == digest_of(finished)
    assert "going on after" in Path("other/run.log").read_text()


def test_a_finished_run_is_shown_and_left_alone(pigevo, finished):
    before = (finished / "result.json").stat().st_mtime_ns
    output = pigevo("resume run")
    assert output.status == 0
    assert "finished before" in output.err
    assert output.out.startswith("The champion wins")
    assert (finished / "result.json").stat().st_mtime_ns == before


def test_a_run_made_again_is_the_same(answer, record_of, finished):
    record = record_of("verify run --generations 3")
    assert record["compared"] == [0, 2, 3]
    assert (record["same"], record["whole"], record["next_recorded"]) == (True, False, 4)
    assert "same to the bit" in answer("verify run --generations 3")


@pytest.fixture
def differs(pigevo):
    """`verify` finds that a run is another one than it was, and says how."""

    def check(message, words=""):
        output = pigevo(f"verify run {words}")
        assert output.status == 1
        assert message in output.out

    return check


def test_up_to_its_end_the_digest_of_the_whole_run_is_compared(answer, differs, finished):
    words = "--generations 99"
    output = " ".join(answer(f"verify run {words}").split())
    assert "and so are the digest of the whole run, its champion and its result" in output
    record = json.loads((finished / "result.json").read_text())
    (finished / "result.json").write_text(json.dumps(record | {"digest": "0" * 64}))
    differs("different: the whole run: its digest is 000000000000 in result.json", words)


def test_a_stopped_run_can_be_verified_too(pigevo, record_of, stopping):
    with stopping(4):
        assert pigevo(RUN).status == 130
    assert record_of("verify run")["compared"] == [0, 2, 3, 4]


def test_another_population_is_reported_with_the_versions_that_changed(differs, finished):
    change(finished, 2, "digest", "0" * 64)
    differs("different: generation 2: the population is another one (digest 000000000000 then")
    differs("no version has changed since the run began")
    record = json.loads((finished / "result.json").read_text())
    record["begun_with"] |= {"numba": "0.1.0", "streams": 0}
    (finished / "result.json").write_text(json.dumps(record))
    differs("changed since the run began: numba 0.1.0, now ")
    differs("changed since the run began: streams 0, now 1")


def test_an_altered_figure_and_config_are_reported(differs, finished):
    change(finished, 2, "mean", "0.5")
    differs("generation 2: mean is 0.5 in metrics.csv")
    path = finished / ".hydra" / "config.yaml"
    path.write_text(path.read_text().replace("mutation: 0.03", "mutation: 0.3"))
    differs("changed since the run began: the settings: their hash was")


def test_what_a_killed_run_was_adding_is_passed_over(answer, finished):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(path.read_text() + "8,1,1,5")
    answer("verify run")


def test_a_run_without_games_has_none_to_replay(answer, refused):
    answer(f"{SMALL} fitness=exact hydra.run.dir=exact")
    refused("replay exact --generation 2 --pairing 0 --game 0", "fitness=exact plays no games")


@pytest.mark.parametrize(  # the third generation is judged on the grid of the second wave
    ("number", "paired"), [(3, "false"), (5, "true"), pytest.param(6, "false", marks=pytest.mark.slow)]
)
def test_every_game_ends_as_the_kernels_count(answer, record_of, number, paired):
    answer(f"{RUN} fitness.games=4 fitness.paired={paired}")
    plan, matches = settings_of(Path("run")).plan, []
    generation = list(generations(plan, first_state(plan)))[number]

    class Watched(Fitness):
        plays = plan.fitness.plays

        def __call__(self, tables, context, original=plan.fitness):
            laid = to_layout(tables, plan.game)
            counts = play_pairs(plan.game, laid, context.pairs.tolist(), 4, context.draw, paired=paired == "true")
            matches.append((context.draw.generation, counts, context.pairs))
            return original(tables, context)

    object.__setattr__(plan, "fitness", Watched())
    again = evaluate(plan, generation.state)
    assert next_state(again) if number < 6 else again.final_order
    ((generation_of_draw, counts, pairs),) = matches
    assert generation_of_draw == generation.number == number
    for pairing in (0, len(pairs) - 1):
        games = [record_of(f"replay run --generation {number} --pairing {pairing} --game {n}") for n in range(4)]
        assert [g["members"] for g in games] == [pairs[pairing][:: 1 if n % 2 == 0 else -1].tolist() for n in range(4)]
        winners = [g["members"][g["result"]] for g in games]
        assert [winners.count(member) for member in pairs[pairing]] == counts[pairing][:2].tolist()


def test_a_replay_is_printed_roll_by_roll(pigevo, record_of, finished):
    words = "replay run --generation 2 --pairing 1 --game 3"
    output, record = pigevo(words), record_of(words)
    assert output.err == ""
    assert "dice: seed 0, stream dice, generation 2, pair 1, game 3" in output.out
    assert f"member {record['members'][record['result']]} wins by" in output.out
    rolls = [str(p) if p else "bust" for turn in record["turns"] for p in turn["rolls"]]
    printed = " ".join(line[26:].split(", holds")[0].strip() for line in output.out.splitlines()[4:-2])
    assert printed == " ".join(rolls)


def test_without_a_checkpoint_the_game_is_the_same(record_of, finished):
    words = "replay run --generation 5 --pairing 2 --game 1"
    near = record_of(words)
    for path in finished.glob("checkpoint*"):
        path.unlink()
    far = record_of(words)
    assert (near.pop("made_from"), far.pop("made_from")) == (5, 0)
    assert near == far


def test_a_population_that_is_not_the_recorded_one_is_refused(pigevo, refused, finished):
    change(finished, 2, "digest", "0" * 64)
    words = "replay run --generation 2 --pairing 1 --game 3"
    refused(words, "was changed since it was written")
    (finished / "result.json").unlink()
    output = pigevo(words)
    assert output.status == 2
    assert "generation 2, repeated, is not the one in run/metrics.csv" in output.err
