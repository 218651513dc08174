"""Checkpoints: all of a run's state, and nothing that is damaged or another's."""

import json

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


def assert_same(a, b):
    assert np.array_equal(a.state.genomes, b.state.genomes)
    assert a.state.genomes.dtype == b.state.genomes.dtype
    for name in ("generation", "wave", "fresh", "evaluations", "games"):
        assert getattr(a.state, name) == getattr(b.state, name)
    assert a.seconds == b.seconds
    assert list(a.logbook.rows) == list(b.logbook.rows)
    halls = [[(m.tobytes(), m.fitness.values) for m in point.logbook.hall] for point in (a, b)]
    assert halls[0] == halls[1]


def test_a_hall_of_equals_keeps_its_order(points, tmp_path):
    logbook, grid = Logbook(), CubeGrid(pigevo.Pig(target=5), 1)
    values = np.array([0.5, 0.25, 0.5, 0.5, 0.25, 0.5, 0.5, 0.25])
    logbook.enter(grid, np.eye(8, grid.genes, dtype=np.uint8), values)
    assert len(logbook.hall) == 8
    point = Checkpoint(points[0].state, logbook, 0.0)
    save_checkpoint(tmp_path, KEY, point)
    assert_same(load_checkpoint(tmp_path, KEY)[0], point)


@pytest.mark.parametrize("share", [0, 0.02, 0.3, 0.7, 0.99])
def test_a_truncated_one_gives_way_to_the_one_before(points, tmp_path, share):
    save_checkpoint(tmp_path, KEY, points[2])
    save_checkpoint(tmp_path, KEY, points[4])
    content = (tmp_path / CHECKPOINT_FILE).read_bytes()
    (tmp_path / CHECKPOINT_FILE).write_bytes(content[: int(len(content) * share)])
    point, refused = load_checkpoint(tmp_path, KEY)
    assert point.state.generation == 2
    (sentence,) = refused
    assert CHECKPOINT_FILE in sentence
    assert sentence.endswith(".")


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


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"config_hash": "b" * 64}, "another config hash"),
        ({"stream_version": 0}, "another stream version (0, not "),
        ({"format": 1}, "another format (1, not 3)"),
        ({"shape": "6x9"}, "is damaged, or not a checkpoint of pigevo"),
        ({"shape": [6, -9]}, "is damaged, or not a checkpoint of pigevo"),
        ({"rows": 99}, "holds fewer or other rows"),
        ({"rows": 1}, "holds fewer or other rows"),
        ({"rows_hash": "c" * 64}, "holds fewer or other rows"),
        ({"rows": "3"}, "is damaged, or not a checkpoint of pigevo"),
        ({"seconds": None}, "is damaged, or not a checkpoint of pigevo"),
    ],
)
def test_one_that_is_another_s_is_refused_with_a_sentence(points, tmp_path, changes, part):
    assert part in refusal(tmp_path, points[2], lambda record, _: record.update(changes))


ANOTHER_STATE = {
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
    "versions that are none": lambda record, arrays: record.update(versions=[1]),
    "packed otherwise": lambda record, arrays: arrays.update(genomes=arrays["genomes"].astype(np.int64)),
}


@pytest.mark.parametrize("name", sample(ANOTHER_STATE, 0, 4, 8, 10))
def test_another_state_is_refused(points, tmp_path, name):
    assert "is damaged, or not a checkpoint of pigevo" in refusal(tmp_path, points[4], ANOTHER_STATE[name])
