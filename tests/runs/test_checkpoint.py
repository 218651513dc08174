"""Checkpoints: all of a run's state, and nothing that is damaged or another's."""

import json
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.evolution.logbook import Logbook
from pigevo.evolution.loop import first_state, generations
from pigevo.runs.checkpoint import CHECKPOINT_FILE, Checkpoint, load_checkpoint, save_checkpoint
from pigevo.strategies import CubeGrid
from tests.cases import sample
from tests.small import small_settings

KEY = "a" * 64


@pytest.fixture
def points():
    """Checkpoints of the generations of one run."""
    plan = small_settings("population.size=6").plan
    logbook, made = Logbook(), []
    for generation in generations(plan, first_state(plan)):
        logbook.record(generation, 0.5 * generation.number)
        made.append(Checkpoint(generation.state, logbook, 0.5 * generation.number))
    return made


def test_the_state_and_a_hall_of_equals_in_its_order_come_back(points, tmp_path):
    logbook, grid = Logbook(), CubeGrid(pigevo.Pig(target=5), 1)
    values = np.array([0.5, 0.25, 0.5, 0.5, 0.25, 0.5, 0.5, 0.25])
    logbook.enter(grid, np.eye(8, grid.genes, dtype=np.uint8), values)
    saved = Checkpoint(replace(points[3].state, arrived=(2, 0)), logbook, 1.5)
    save_checkpoint(tmp_path, KEY, saved)
    loaded, refused = load_checkpoint(tmp_path, KEY)
    assert (loaded.state.digest, loaded.seconds, refused) == (saved.state.digest, 1.5, [])
    for name in ("generation", "wave", "fresh", "evaluations", "games", "arrived"):
        assert getattr(loaded.state, name) == getattr(saved.state, name)
    hall, loaded_hall = ([(m.tobytes(), m.fitness.values) for m in point.logbook.hall] for point in (saved, loaded))
    assert len(hall) == 8
    assert hall == loaded_hall


def refusal(folder, point, change):
    """Why a checkpoint is refused of which `change` has changed the record and the arrays."""
    save_checkpoint(folder, KEY, point)
    with np.load(folder / CHECKPOINT_FILE) as file:
        arrays = dict(file)
    record = json.loads(str(arrays["pigevo_checkpoint"]))
    change(record, arrays)
    np.savez(folder / CHECKPOINT_FILE, **arrays | {"pigevo_checkpoint": np.array(json.dumps(record))})
    loaded, (sentence,) = load_checkpoint(folder, KEY)
    assert loaded is None
    assert "\n" not in sentence
    return sentence


OTHER = {
    "config": ({"config_hash": "b" * 64}, "another config hash"),
    "dice": ({"stream_version": 0}, "another stream version (0, not "),
    "format": ({"format": 1}, "another format (1, not 3)"),
    "more rows": ({"rows": 99}, "holds fewer or other rows"),
    "fewer rows": ({"rows": 1}, "holds fewer or other rows"),
    "other rows": ({"rows_hash": "c" * 64}, "holds fewer or other rows"),
}
DAMAGE = {
    "a shape that is a word": lambda record, arrays: record.update(shape="6x9"),
    "a negative shape": lambda record, arrays: record.update(shape=[6, -9]),
    "a count that is a word": lambda record, arrays: record.update(rows="3"),
    "no time": lambda record, arrays: record.update(seconds=None),
    "generation": lambda record, arrays: record.update(generation=3),
    "wave": lambda record, arrays: record.update(wave=7),
    "games": lambda record, arrays: record.update(games=record["games"] + 1),
    "a shape with as many genes": lambda record, arrays: record.update(shape=record["shape"][::-1]),
    "a gene": lambda record, arrays: arrays["genomes"].__setitem__(0, arrays["genomes"][0] ^ 1),
    "what an operator remembers": lambda record, arrays: arrays.update({"memory.mutator.rates": np.ones(3)}),
    "no digest": lambda record, arrays: record.pop("digest"),
    "a generation that is a word": lambda record, arrays: record.update(generation="4"),
    "fewer members of the hall": lambda record, arrays: arrays.update(hall=arrays["hall"][1:]),
    "a hall of numbers": lambda record, arrays: arrays.update(hall=arrays["hall"].astype(float)),
    "versions that are a list": lambda record, arrays: record.update(versions=[1]),
    "packed otherwise": lambda record, arrays: arrays.update(genomes=arrays["genomes"].astype(np.int64)),
}


@pytest.mark.parametrize("name", OTHER)
def test_a_checkpoint_of_another_run_is_refused_with_a_sentence(points, tmp_path, name):
    changes, part = OTHER[name]
    assert part in refusal(tmp_path, points[2], lambda record, _: record.update(changes))


@pytest.mark.parametrize("name", sample(DAMAGE, 1, 2, 4, 8, 12, 14))
def test_a_damaged_checkpoint_is_refused(points, tmp_path, name):
    assert "is damaged, or not a checkpoint of pigevo" in refusal(tmp_path, points[4], DAMAGE[name])
