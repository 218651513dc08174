"""A run stopped anywhere, by anything, or killed at any moment, goes on to the same end."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pigevo
from pigevo.runs import Interrupted, run
from pigevo.runs.checkpoint import CHECKPOINT_FILE, load_checkpoint
from pigevo.settings.settings import Settings
from tests.cases import sample
from tests.runs.cases import ENDED, PROGRESS, RING, STAR, WAVES, left_after, untimed
from tests.small import small_settings, small_words

PLACES = ("before rename", "after rename", "half written")
COUNTS = (1, 2, 3, 4, 5, 6, 7, 9, 12, 15, 18)
FEW = (2, 9)
MAP = (
    "experiment=illuminate", "fitness=exact_vs_optimal", "mutator=self_adapting", "cubes=none", "generations=4",
    "checkpoint_every=1", "record_every=1",
)  # fmt: skip
TWO_WAVES = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]", "checkpoint_every=1", "record_every=1")


def left_by(folder: Path, settings: Settings):
    """Everything of a finished run that must not depend on how often it was stopped."""
    result = json.loads((folder / "result.json").read_text())
    point, refused = load_checkpoint(folder, settings.hash)
    assert refused == []
    hall = [(member.tobytes(), member.fitness.values) for member in point.logbook.hall]
    counters = (result["generations"], result["evaluations"], result["games"])
    names = ("champion.npz", "champions.csv", "population.npz", "archive.npz")
    files = {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}
    return result["digest"], result["champion"], untimed(folder), hall, counters, point.state.digest, files


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kind", [TWO_WAVES, MAP], ids=["waves", "illuminate"])
@pytest.mark.parametrize("counts", [FEW, pytest.param(COUNTS, marks=pytest.mark.long)], ids=["few", "all"])
def test_killed_while_writing_any_file_and_going_on_it_is_the_same_run(tmp_path, environment, counts, kind):
    words = small_words(*kind)
    points = [(place, count) for place in PLACES for count in counts]
    script = Path(__file__).with_name("kill_here.py")
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path), json.dumps(points), *words],
        env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    killed = json.loads(done.stdout.splitlines()[-1])
    assert len(killed) == len(points)
    assert sum(killed.values()) > 2 * len(points)  # many died more than once
    settings = Settings.of(*words)
    whole = left_by(tmp_path / "whole", settings)
    assert ("archive.npz" in whole[-1]) == (kind is MAP)
    for name in killed:
        assert left_by(tmp_path / name, settings) == whole, name
        assert list((tmp_path / name).glob(".*.partial")) == [], name


@pytest.mark.parametrize("delays", sample([(0.1, None), (0.02, 0.1, 0.4, None)]))
def test_killed_at_any_time_and_given_again_the_command_ends_in_the_same_run(tmp_path, environment, delays):
    words = (
        "game.target=24", "population.size=20", "generations=200", "checkpoint_every=7", "fitness.games=20", "seed=8",
        "workers=2", "hydra.run.dir=run",
    )  # fmt: skip
    settings = Settings.of(*words[:-1])
    kills = 0
    for delay in delays:  # from the first checkpoint on; the last one may finish
        process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", *words], cwd=tmp_path, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        until, begun = time.monotonic() + 600, tmp_path / "run" / CHECKPOINT_FILE
        while process.poll() is None and not begun.exists() and time.monotonic() < until:
            time.sleep(0.01)
        if delay is not None:
            time.sleep(delay)
            process.kill()
        kills += process.wait(600) == -9
    assert kills >= 1
    run(settings, tmp_path / "whole")
    assert left_by(tmp_path / "run", settings) == left_by(tmp_path / "whole", settings)


KINDS = {
    "waves": (*WAVES, "replacement=survivors_and_offspring"), "seldom": ("generations=9", "checkpoint_every=4", "record_every=3"),
    "ended": ENDED, "no progress": PROGRESS, "ring": RING,
    "rates": ("replacement=immigrants", "replacement.share=0.3", "mutator=inherited_rate"), "star": STAR,
    "roulette": ("selection=roulette", "fitness=exact_vs_optimal", "crossover=blocks"),
}  # fmt: skip


@pytest.mark.parametrize("kind", sample(KINDS, 0, 1, 2, 3, 4, 5))
def test_a_run_killed_after_any_generation_and_resumed_is_the_same(tmp_path, kind):
    """Its record of descent, too, which changes nothing in the run itself."""
    settings = small_settings(*KINDS[kind], "lineage=true")
    whole = run(settings, tmp_path / "whole")
    without = pigevo.evolve(*small_words(*KINDS[kind])).result
    assert whole["digest"] == without["digest"]
    assert whole["config_hash"] != without["config_hash"]
    for generation in range(whole["generations"]):
        folder = tmp_path / str(generation)
        left_after(generation, settings, folder)
        assert not (folder / "result.json").exists()
        again = run(settings, folder)
        assert again["digest"] == whole["digest"]
        assert again["champion"] == whole["champion"]
        assert untimed(folder) == untimed(tmp_path / "whole")
        for name in ("champions.csv", "lineage.csv"):
            assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_after_its_generation(tmp_path, number):
    def interrupt(generation):
        if generation.number == 3:
            signal.raise_signal(number)

    settings, before = small_settings(), signal.getsignal(number)
    with pytest.raises(Interrupted, match="stopped after generation 3; the same command goes on from there"):
        run(settings, tmp_path / "run", on_generation=interrupt)
    assert signal.getsignal(number) is before
    point, refused = load_checkpoint(tmp_path / "run", settings.hash)
    assert (point.state.generation, refused) == (3, [])
    assert run(settings, tmp_path / "run")["digest"] == run(settings, tmp_path / "whole")["digest"]
