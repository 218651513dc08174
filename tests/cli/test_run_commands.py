"""`resume`, `verify` and `replay` of a run's folder."""

import csv
import json
import signal
from pathlib import Path

import pytest

from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import Fitness
from pigevo.runs import stepper
from pigevo.runs.folder import settings_of
from pigevo.simulation import play_pairs
from tests.cli.small import RUN, SMALL, change, digest_of

pytestmark = pytest.mark.usefixtures("no_pictures")


@pytest.fixture
def stopping(monkeypatch):
    """Runs are interrupted by Ctrl-C in the generation of this number."""

    def stop_in(generation):
        def until(plan, state):
            for later in generations(plan, state):
                if later.number == generation:
                    signal.raise_signal(signal.SIGINT)
                yield later

        monkeypatch.setattr(stepper, "generations", until)

    return stop_in


class TestResume:
    @pytest.mark.parametrize(("generation", "force"), [(4, True), (6, False)])
    def test_goes_on_where_the_folder_stands(self, pigevo, finished, stopping, monkeypatch, generation, force):
        whole = digest_of(finished)
        stopping(generation)
        output = pigevo(f"{SMALL} fitness.games=30 hydra.run.dir=other force={str(force).lower()}")
        assert output.status == 130
        assert f"stopped after generation {generation}; " in output.err
        assert "`pigevo resume other` goes on from there" in output.err or not force
        assert ("the same command" in output.err) == (not force)
        rows = list(csv.DictReader((Path("other") / "metrics.csv").open(newline="")))
        assert all(len(row["digest"]) == 64 for row in rows)
        monkeypatch.undo()
        monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        monkeypatch.chdir(finished.parent)
        output = pigevo("resume other --json")
        assert output.status == 0
        assert f"going on after generation {generation} of 6" in output.err
        assert json.loads(output.out)["digest"] == whole
        assert "going on after" in (Path("other") / "run.log").read_text()

    def test_a_finished_run_is_shown_and_left_alone(self, pigevo, finished):
        before = (finished / "result.json").stat().st_mtime_ns
        output = pigevo("resume run")
        assert output.status == 0
        assert "finished before" in output.err
        assert output.out.startswith("The champion wins")
        assert (finished / "result.json").stat().st_mtime_ns == before


class TestVerify:
    def test_a_run_made_again_is_the_same(self, pigevo, finished):
        output = pigevo("verify run --generations 3 --json")
        assert output.status == 0
        record = json.loads(output.out)
        assert record["compared"] == [0, 2, 3]
        assert (record["same"], record["whole"], record["next_recorded"]) == (True, False, 4)
        assert "same to the bit" in pigevo("verify run --generations 3").out

    def test_up_to_its_end_the_digest_of_the_whole_run_is_compared(self, pigevo, finished):
        output = pigevo("verify run --generations 99")
        assert output.status == 0
        assert "and so are the digest of the whole run, its champion and its result" in output.out
        record = json.loads((finished / "result.json").read_text())
        (finished / "result.json").write_text(json.dumps(record | {"digest": "0" * 64}))
        output = pigevo("verify run --generations 99")
        assert output.status == 1
        assert "different: the whole run: its digest is 000000000000 in result.json" in output.out

    def test_a_stopped_run_can_be_verified_too(self, pigevo, stopping, monkeypatch):
        stopping(4)
        assert pigevo(RUN).status == 130
        monkeypatch.setattr(stepper, "generations", generations)
        assert json.loads(pigevo("verify run --json").out)["compared"] == [0, 2, 3, 4]

    def test_another_population_is_told_with_the_versions_that_changed(self, pigevo, finished):
        change(finished, 2, "digest", "0" * 64)
        output = pigevo("verify run")
        assert output.status == 1
        assert "different: generation 2: the population is another one (digest 000000000000 then" in output.out
        assert "no version has changed since the run began" in output.out
        record = json.loads((finished / "result.json").read_text())
        record["begun_with"] |= {"numba": "0.1.0", "streams": 0}
        (finished / "result.json").write_text(json.dumps(record))
        output = pigevo("verify run")
        assert "changed since the run began: numba 0.1.0, now " in output.out
        assert "changed since the run began: streams 0, now 1" in output.out

    def test_an_altered_figure_and_config_are_told(self, pigevo, finished):
        change(finished, 2, "mean", "0.5")
        output = pigevo("verify run")
        assert (output.status, "generation 2: mean is 0.5 in metrics.csv" in output.out) == (1, True)
        path = finished / ".hydra" / "config.yaml"
        path.write_text(path.read_text().replace("mutation: 0.03", "mutation: 0.3"))
        assert "changed since the run began: the settings: their hash was" in pigevo("verify run").out


WRONG = [
    ("replay run --generation 7 --pairing 0 --game 0", "generation 7 is out of range: the run has generations 0 to 6"),
    ("replay run --generation 2 --pairing 3 --game 0", "pairing 3 is out of range: generation 2 has 0 to 2"),
    ("replay run --generation 6 --pairing 15 --game 0", "pairing 15 is out of range: generation 6 has 0 to 14"),
    ("replay run --generation 2 --pairing 0 --game 30", "game 30 is out of range: a match of this run has games 0 to"),
    ("replay run --generation -1 --pairing 0 --game 0", "-1 is not in the range"),
    ("replay run --generation 1 --pairing 0", "Missing option '--game'"),
    ("replay . --generation 1 --pairing 0 --game 0", "holds no run: give the folder of one"),
    ("replay exact --generation 2 --pairing 0 --game 0", "fitness=exact plays no games"),
    ("resume nowhere", "nowhere holds no run"),
    ("verify .", "holds no run"),
    ("debug=fast hydra.run.dir=run/result.json/run", "result.json"),
    ("verify run --generations -1", "-1 is not in the range"),
]


def test_one_sentence(pigevo, refused, finished):
    pigevo(f"{SMALL} fitness=exact hydra.run.dir=exact")
    for words, message in WRONG:
        refused(words, message)


def test_what_a_killed_run_was_adding_is_passed_over(pigevo, finished):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(path.read_text() + "8,1,1,5")
    assert pigevo("verify run").status == 0


pytestmark = pytest.mark.usefixtures("no_pictures")


@pytest.mark.parametrize(  # the third generation is judged on the grid of the second wave
    ("generation", "paired"), [(3, "false"), (5, "true"), pytest.param(6, "false", marks=pytest.mark.slow)]
)
def test_every_game_ends_as_the_kernels_said(pigevo, generation, paired):
    assert pigevo(f"{RUN} fitness.games=4 fitness.paired={paired}").status == 0
    plan = settings_of(Path("run")).plan
    generation_again, seen = list(generations(plan, first_state(plan)))[generation], []
    assert generation_again.number == generation

    class Watched(Fitness):
        plays = plan.fitness.plays

        def __call__(self, tables, context, original=plan.fitness):
            counts = play_pairs(plan.game, tables[:], context.pairs.tolist(), 4, context.draw, paired=paired == "true")
            seen.append((context.draw.generation, counts, context.pairs))
            return original(tables, context)

    object.__setattr__(plan, "fitness", Watched())
    again = evaluate(plan, generation_again.state)
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
    output = pigevo("replay run --generation 2 --pairing 1 --game 3")
    record = json.loads(pigevo("replay run --generation 2 --pairing 1 --game 3 --json").out)
    assert output.err == ""
    assert "dice: seed 0, stream dice, generation 2, pair 1, game 3" in output.out
    assert f"member {record['members'][record['result']]} wins by" in output.out
    rolls = [str(p) if p else "bust" for turn in record["turns"] for p in turn["rolls"]]
    printed = " ".join(line[26:].split(", holds")[0].strip() for line in output.out.splitlines()[4:-2])
    assert printed == " ".join(rolls)


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
    output = pigevo("replay run --generation 2 --pairing 1 --game 3")
    assert output.status == 2
    assert "generation 2 made again is not the one in run/metrics.csv" in output.err
