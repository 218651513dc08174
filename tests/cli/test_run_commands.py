"""`resume`, `verify` and `replay` of a run's folder."""

import csv
import json
import signal
from pathlib import Path

import numpy as np
import pytest

from pigevo.arena import play_pairs
from pigevo.evolution.loop import evolve, first_state
from pigevo.evolution.plan import plan_from
from pigevo.runs import runner
from pigevo.runs.folder import config_of

SMALL = (
    "debug=fast game.target=12 population.size=6 mutation=0.03 cubes=waves cubes.sizes=[6,4] cubes.generations=[3,3] "
    "checkpoint_every=1 record_every=2"
)
RUN = f"{SMALL} hydra.run.dir=run"


@pytest.fixture(autouse=True)
def _no_pictures(monkeypatch):
    monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
    monkeypatch.setattr("pigevo.runs.pictures.draw_so_far", lambda *_: None)


@pytest.fixture
def stopping(monkeypatch):
    """Runs are interrupted by Ctrl-C in the generation of this number."""

    def stop_in(generation):
        def evolve_until(plan, state):
            for later in evolve(plan, state):
                if later.generation == generation:
                    signal.raise_signal(signal.SIGINT)
                yield later

        monkeypatch.setattr(runner, "evolve", evolve_until)

    return stop_in


@pytest.fixture
def finished(pigevo):
    assert pigevo(f"{RUN} fitness.games=30").status == 0
    return Path("run").resolve()


def digest_of(folder):
    return json.loads((folder / "result.json").read_text())["digest"]


class TestResume:
    @pytest.mark.parametrize("force", [False, True])
    @pytest.mark.parametrize("generation", [1, 4, 6])
    def test_goes_on_where_the_folder_stands(self, pigevo, finished, stopping, monkeypatch, generation, force):
        whole = digest_of(finished)
        stopping(generation)
        said = pigevo(f"{SMALL} fitness.games=30 hydra.run.dir=other force={str(force).lower()}")
        assert said.status == 130
        assert f"stopped after generation {generation}; " in said.err
        assert "`pigevo resume other` goes on from there" in said.err or not force
        assert ("the same command" in said.err) == (not force)
        assert (Path("other") / "metrics.csv").exists()
        assert (Path("other") / "digests.csv").exists()
        monkeypatch.undo()
        monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        monkeypatch.chdir(finished.parent)
        said = pigevo("resume other --json")
        assert said.status == 0
        assert f"going on after generation {generation} of 6" in said.err
        assert json.loads(said.out)["digest"] == whole
        assert "going on after" in (Path("other") / "run.log").read_text()

    def test_a_finished_run_is_shown_and_left_alone(self, pigevo, finished):
        before = (finished / "result.json").stat().st_mtime_ns
        said = pigevo("resume run")
        assert said.status == 0
        assert "finished before" in said.err
        assert "champion" in said.err
        assert (finished / "result.json").stat().st_mtime_ns == before

    def test_a_folder_without_a_checkpoint_begins(self, pigevo, finished):
        whole = digest_of(finished)
        for path in (p for p in finished.glob("*.*") if p.is_file()):
            path.unlink()
        assert pigevo("resume run").status == 0
        assert digest_of(finished) == whole


class TestVerify:
    def test_a_run_made_again_is_the_same(self, pigevo, finished):
        said = pigevo("verify run --generations 3 --json")
        assert said.status == 0
        record = json.loads(said.out)
        assert record["compared"] == [0, 2, 3]
        assert (record["same"], record["whole"], record["next_recorded"]) == (True, False, 4)
        assert "same to the bit" in pigevo("verify run --generations 3").out

    def test_up_to_its_end_the_digest_of_the_whole_run_is_compared(self, pigevo, finished):
        said = pigevo("verify run --generations 99")
        assert said.status == 0
        assert "and so is the digest of the whole run" in said.out
        record = json.loads((finished / "result.json").read_text())
        (finished / "result.json").write_text(json.dumps(record | {"digest": "0" * 64}))
        said = pigevo("verify run --generations 99")
        assert said.status == 1
        assert "different: the whole run: its digest is 000000000000 in result.json" in said.out

    def test_a_stopped_run_can_be_verified_too(self, pigevo, stopping):
        stopping(4)
        assert pigevo(RUN).status == 130
        assert json.loads(pigevo("verify run --json").out)["compared"] == [0, 2, 3, 4]

    def test_another_population_is_told_with_the_versions_that_changed(self, pigevo, finished):
        path = finished / "digests.csv"
        rows = path.read_text().splitlines()
        rows[2] = "2," + "0" * 64
        path.write_text("\n".join(rows) + "\n")
        said = pigevo("verify run")
        assert said.status == 1
        assert "different: generation 2: the population is another one (digest 000000000000 then" in said.out
        assert "no version has changed since the run began" in said.out
        record = json.loads((finished / "result.json").read_text())
        record["begun_with"] |= {"numba": "0.1.0", "streams": 0}
        (finished / "result.json").write_text(json.dumps(record))
        said = pigevo("verify run")
        assert "changed since the run began: numba 0.1.0, now " in said.out
        assert "changed since the run began: streams 0, now 1" in said.out

    def test_an_altered_figure_is_told(self, pigevo, finished):
        path = finished / "metrics.csv"
        rows = list(csv.reader(path.open(newline="")))
        rows[2][6] = "0.5"
        path.write_text("\n".join(map(",".join, rows)) + "\n")
        said = pigevo("verify run")
        assert said.status == 1
        assert "generation 2: mean is 0.5 in metrics.csv" in said.out

    def test_an_altered_config_is_told(self, pigevo, finished):
        path = finished / ".hydra" / "config.yaml"
        path.write_text(path.read_text().replace("mutation: 0.03", "mutation: 0.3"))
        said = pigevo("verify run")
        assert said.status == 1
        assert "changed since the run began: the config: its hash was" in said.out


class TestReplay:
    @pytest.mark.parametrize("paired", ["false", "true"])
    @pytest.mark.parametrize("generation", [0, 2, 3, 5, 6])  # the third is judged on the grid of the second wave
    def test_every_game_ends_as_the_kernels_said(self, pigevo, generation, paired):
        assert pigevo(f"{RUN} fitness.games=4 fitness.paired={paired}").status == 0
        config = config_of(Path("run"))
        plan = plan_from(config)
        states = [first_state(plan), *evolve(plan, first_state(plan))]
        seen, judge = [], plan.judge

        def watch(tables, pairs, draw):
            seen.append(
                (draw.generation, play_pairs(plan.game, tables, pairs, 4, draw, paired=paired == "true"), pairs)
            )
            return judge(tables, pairs, draw)

        object.__setattr__(plan, "judge", watch)
        if generation < 6:
            next(iter(evolve(plan, states[generation])))
        else:
            from pigevo.evolution.loop import final_ranking

            final_ranking(plan, states[generation])
        ((number, counts, pairs),) = seen
        assert number == generation
        for pairing in (0, len(pairs) - 1):
            games = [
                json.loads(pigevo(f"replay run --generation {generation} --pairing {pairing} --game {n} --json").out)
                for n in range(4)
            ]
            assert [g["members"] for g in games] == [
                pairs[pairing][:: 1 if n % 2 == 0 else -1].tolist() for n in range(4)
            ]
            winners = [g["members"][g["result"]] for g in games]
            assert [winners.count(member) for member in pairs[pairing]] == counts[pairing][:2].tolist()

    def test_it_is_told_roll_by_roll(self, pigevo, finished):
        said = pigevo("replay run --generation 2 --pairing 1 --game 3")
        record = json.loads(pigevo("replay run --generation 2 --pairing 1 --game 3 --json").out)
        assert "making generation 2 again" in said.err
        assert "dice: seed 0, stream dice, generation 2, pair 1, game 3" in said.out
        assert f"member {record['members'][record['result']]} wins by" in said.out
        rolls = [str(p) if p else "bust" for turn in record["turns"] for p in turn["rolls"]]
        told = " ".join(line[26:].split(", holds")[0].strip() for line in said.out.splitlines()[4:-2])
        assert told == " ".join(rolls)

    def test_without_a_checkpoint_the_game_is_the_same(self, pigevo, finished):
        words = "replay run --generation 5 --pairing 2 --game 1 --json"
        near = json.loads(pigevo(words).out)
        for path in finished.glob("checkpoint*"):
            path.unlink()
        far = json.loads(pigevo(words).out)
        assert (near.pop("made_from"), far.pop("made_from")) == (5, 0)
        assert near == far

    def test_a_population_that_is_not_the_recorded_one_is_refused(self, pigevo, finished):
        path = finished / "digests.csv"
        path.write_text("generation,digest\n2," + "0" * 64 + "\n")
        said = pigevo("replay run --generation 2 --pairing 1 --game 3")
        assert said.status == 2
        assert "generation 2 made again is not the one in run/digests.csv" in said.err


WRONG = [
    ("replay run --generation 7 --pairing 0 --game 0", "generation 7 is out of range: the run has generations 0 to 6"),
    ("replay run --generation 2 --pairing 3 --game 0", "pairing 3 is out of range: generation 2 has 0 to 2"),
    ("replay run --generation 6 --pairing 15 --game 0", "pairing 15 is out of range: generation 6 has 0 to 14"),
    (
        "replay run --generation 2 --pairing 0 --game 30",
        "game 30 is out of range: a match of this run has games 0 to 29",
    ),
    ("replay run --generation -1 --pairing 0 --game 0", "-1 is not in the range"),
    ("replay run --generation 1 --pairing 0", "Missing option '--game'"),
    ("replay . --generation 1 --pairing 0 --game 0", "holds no run: give the folder of one"),
    ("resume nowhere", "nowhere holds no run"),
    ("resume .", "holds no run"),
    ("verify .", "holds no run"),
    ("verify run --generations -1", "-1 is not in the range"),
]


@pytest.mark.parametrize(("words", "told"), WRONG, ids=[w for w, _ in WRONG])
def test_one_sentence(pigevo, finished, words, told):
    said = pigevo(words)
    assert said.status == 2
    line = said.err.splitlines()[-1]
    assert line.startswith("pigevo: ")
    assert told in line
    assert said.out == ""


def test_a_judge_without_games_has_none_to_replay(pigevo):
    pigevo(f"{RUN} fitness=exact")
    said = pigevo("replay run --generation 2 --pairing 0 --game 0")
    assert said.status == 2
    assert "fitness=exact plays no games" in said.err


@pytest.mark.parametrize("content", ["", "[1]", "seed: [", "seed: 3", "\x00"])
@pytest.mark.parametrize("command", ["resume run", "verify run"])
def test_a_damaged_config_is_refused(pigevo, finished, command, content):
    (finished / ".hydra" / "config.yaml").write_text(content)
    said = pigevo(command)
    assert said.status == 2
    assert "config.yaml is no config of this pigevo" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("content", ["", "generation,digest\n", "generation,digest\n0,abc\n", "generation\nx\n"])
def test_damaged_digests_are_refused(pigevo, finished, content):
    (finished / "digests.csv").write_text(content)
    said = pigevo("verify run")
    assert said.status == 2
    assert "digests.csv is damaged" in said.err


def test_a_folder_that_cannot_be_made_is_one_sentence_and_status_2(pigevo, tmp_path):
    (tmp_path / "file").write_text("")
    said = pigevo("debug=fast hydra.run.dir=file/run")
    assert said.status == 2
    assert said.err.startswith("pigevo: ")
    assert said.err.count("\n") == 1


def test_the_last_population_can_be_read_again(pigevo, finished):
    from pigevo.runs import load_population

    grid, genomes = load_population(finished / "population.npz")
    assert genomes.shape == (6, grid.genes)
    assert set(np.unique(genomes)) <= {0, 1}
    (finished / "population.npz").write_bytes(b"PK")
    from pigevo.errors import InputError

    with pytest.raises(InputError, match="population"):
        load_population(finished / "population.npz")
