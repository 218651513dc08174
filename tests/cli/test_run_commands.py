"""`resume`, `verify` and `replay` of a run's folder."""

import csv
import json
import signal
from pathlib import Path

import numpy as np
import pytest

from pigevo.evolution.loop import generations
from pigevo.runs import stepper
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
        said = pigevo(f"{SMALL} fitness.games=30 hydra.run.dir=other force={str(force).lower()}")
        assert said.status == 130
        assert f"stopped after generation {generation}; " in said.err
        assert "`pigevo resume other` goes on from there" in said.err or not force
        assert ("the same command" in said.err) == (not force)
        rows = list(csv.DictReader((Path("other") / "metrics.csv").open(newline="")))
        assert all(len(row["digest"]) == 64 for row in rows)
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
        assert said.out.startswith("The champion wins")
        assert (finished / "result.json").stat().st_mtime_ns == before

    def test_a_folder_without_a_checkpoint_begins(self, pigevo, finished):
        whole = digest_of(finished)
        for path in (p for p in finished.glob("[!.]*") if p.is_file()):
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
        assert "and so are the digest of the whole run, its champion and its result" in said.out
        record = json.loads((finished / "result.json").read_text())
        (finished / "result.json").write_text(json.dumps(record | {"digest": "0" * 64}))
        said = pigevo("verify run --generations 99")
        assert said.status == 1
        assert "different: the whole run: its digest is 000000000000 in result.json" in said.out

    def test_a_stopped_run_can_be_verified_too(self, pigevo, stopping, monkeypatch):
        stopping(4)
        assert pigevo(RUN).status == 130
        monkeypatch.setattr(stepper, "generations", generations)
        assert json.loads(pigevo("verify run --json").out)["compared"] == [0, 2, 3, 4]

    def test_another_population_is_told_with_the_versions_that_changed(self, pigevo, finished):
        change(finished, 2, "digest", "0" * 64)
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
        change(finished, 2, "mean", "0.5")
        said = pigevo("verify run")
        assert said.status == 1
        assert "generation 2: mean is 0.5 in metrics.csv" in said.out

    def test_an_altered_config_is_told(self, pigevo, finished):
        path = finished / ".hydra" / "config.yaml"
        path.write_text(path.read_text().replace("mutation: 0.03", "mutation: 0.3"))
        said = pigevo("verify run")
        assert said.status == 1
        assert "changed since the run began: the settings: their hash was" in said.out


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


def test_one_sentence(refused, finished):
    for words, message in WRONG:
        refused(words, message)


def test_a_fitness_without_games_has_none_to_replay(pigevo):
    pigevo(f"{RUN} fitness=exact")
    said = pigevo("replay run --generation 2 --pairing 0 --game 0")
    assert said.status == 2
    assert "fitness=exact plays no games" in said.err


def test_a_damaged_config_is_refused(pigevo, finished):
    for number, content in enumerate(("", "[1]", "seed: [", "seed: 3", "\x00")):
        (finished / ".hydra" / "config.yaml").write_text(content)
        said = pigevo(("resume run", "verify run")[number % 2])
        assert (said.status, said.err.count("\n")) == (2, 1)
        assert (
            "config.yaml cannot be read as a config of this pigevo" in said.err
            or "config.yaml is damaged (it is n" in said.err
        )


DAMAGES = [
    lambda text: "",
    lambda text: text.splitlines()[0] + "\n",
    lambda text: text.replace(text.splitlines()[2].rpartition(",")[2], "abc"),
    lambda text: text.rpartition(",")[0],
    lambda text: "\n".join("x" + line for line in text.splitlines()),
    lambda text: text.replace(",", ",x"),
    lambda text: text + "\x00",
]


CUT = (3, 6)
"""Those that leave whole rows, as a run does that was killed while it added one."""


@pytest.mark.parametrize("number", range(len(DAMAGES)))
def test_damaged_metrics_of_a_finished_run_are_told(pigevo, finished, number):
    path = finished / "metrics.csv"
    path.write_text(DAMAGES[number](path.read_text()))
    said = pigevo("replay run --generation 2 --pairing 1 --game 3")
    assert (said.status, said.out) == (2, "")
    assert "metrics.csv was changed since it was written" in said.err
    said = pigevo("verify run --generations 0")
    assert said.status == (1 if number in CUT else 2)
    told = "metrics.csv was changed since it was written" if number in CUT else "metrics.csv is damaged"
    assert told in said.out + said.err


@pytest.mark.parametrize(
    ("command", "number"),
    [
        ("verify run", 0),
        ("replay run --generation 2 --pairing 1 --game 3", 1),
        ("verify run", 2),
        ("verify run", 4),
        ("verify run", 5),
    ],
)
def test_damaged_metrics_of_an_unfinished_run_are_refused(pigevo, finished, number, command):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(DAMAGES[number](path.read_text()))
    said = pigevo(command)
    assert said.status == 2
    assert "metrics.csv is damaged" in said.err


def test_what_a_killed_run_was_adding_is_passed_over(pigevo, finished):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(path.read_text() + "8,1,1,5")
    assert pigevo("verify run").status == 0


def test_rows_that_a_checkpoint_counts_on_are_missed(pigevo, finished):
    (finished / "result.json").unlink()
    path = finished / "metrics.csv"
    path.write_text(path.read_text().rpartition(",")[0])
    said = pigevo("verify run")
    assert said.status == 1
    assert "metrics.csv holds fewer or other rows than a checkpoint counts on" in said.out


def test_a_folder_that_cannot_be_made_is_one_sentence_and_status_2(refused, tmp_path):
    (tmp_path / "file").write_text("")
    refused("debug=fast hydra.run.dir=file/run", "file")


def test_the_last_population_can_be_read_again(pigevo, finished):
    from pigevo.runs import load_population

    grid, genomes = load_population(finished / "population.npz")
    assert genomes.shape == (6, grid.genes)
    assert set(np.unique(genomes)) <= {0, 1}
    (finished / "population.npz").write_bytes(b"PK")
    from pigevo.errors import InputError

    with pytest.raises(InputError, match="population"):
        load_population(finished / "population.npz")
