"""The descent of the members of a run."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.plan import Birth, joined_births
from pigevo.runs.load import lineage_of
from pigevo.runs.metrics import LINEAGE, LINEAGE_FILE
from pigevo.runs.stepper import lineage_spacing
from pigevo.settings.settings import Settings

PLAIN = ("debug=fast", "game.target=15", "population.size=8", "baseline=none", "figures=none", "mutation=0.02")
WAVES = ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[4,4]")
KINDS = {
    "waves": (*WAVES, "record_every=3", "replacement=survivors_and_offspring"),
    "islands": ("generations=6", "population.size=12", "islands=ring", "islands.count=3", "islands.interval=2"),
    "immigrants": ("generations=6", "replacement=immigrants", "replacement.share=0.3", "mutator=inherited_rate"),
    "roulette": ("generations=6", "selection=roulette", "fitness=exact_vs_optimal", "crossover=blocks"),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_the_gains_add_up_to_the_change_of_the_mean(kind):
    words = [word for word in (*PLAIN, *KINDS[kind]) if not word.startswith("record_every")]
    metrics = pigevo.evolve(*words, "record_every=1", lineage=True).metrics
    brought = sum(metrics[name][1:] for name in GAINS)
    assert np.abs(metrics["gain_selection"][1:]).max() > 1e-4
    inside = metrics["wave"][1:] == metrics["wave"][:-1]  # new cubes are part of no operator's work
    np.testing.assert_allclose(brought[inside], np.diff(metrics["mean"])[inside], atol=1e-12)


def test_values_are_those_of_the_members_and_of_their_parents():
    settings = Settings.of(*PLAIN, "generations=4", "record_every=1", "lineage=true")
    recorded = pigevo.evolve(*PLAIN, "generations=4", "record_every=1", lineage=True).lineage.recorded
    made = list(generations(settings.plan, first_state(settings.plan)))
    assert [descent.generation for descent in recorded] == [0, 1, 2, 3, 4]
    assert np.isnan(recorded[0].values[:, :3]).all()
    for before, after, descent in zip(made[:-1], made[1:], recorded[1:], strict=True):
        np.testing.assert_array_equal(descent.values[:, 3], after.exact)
        np.testing.assert_allclose(descent.values[:, 1], before.exact[descent.parents].mean(axis=1), atol=1e-14)
        for member, (first, second) in enumerate(descent.parents):
            apart = [np.count_nonzero(before.genomes[p] != after.genomes[member]) for p in (first, second)]
            assert descent.line[member] == (second if apart[1] < apart[0] else first)


def test_a_copy_is_worth_what_its_nearest_parent_is():
    same = ("mutation=0", "crossover=deap", "crossover.operator=cxUniform", "crossover.arguments={indpb: 0}")
    unmutated = pigevo.evolve(*PLAIN, *same, "generations=3", "record_every=1", lineage=True)
    assert np.nanmax(np.abs(unmutated.metrics["gain_mutation"])) == 0
    start, first = unmutated.lineage.recorded[:2]
    assert first.children.shape == (8, 2)
    assert np.abs(first.children[:, 0]).max() > 1e-3
    for child, line in zip(first.values, first.line, strict=True):
        assert child[2] == child[3] == start.values[line, 3]


def test_a_line_between_recorded_generations_is_that_through_all_of_them():
    every = pigevo.evolve(*PLAIN, "generations=8", "record_every=1", lineage=True)
    some = pigevo.evolve(*PLAIN, "generations=8", "record_every=4", lineage=True)
    member = every.result["champion_member"]
    path = dict(every.lineage.ancestors(member))
    assert set(path) == set(range(9))
    assert dict(some.lineage.ancestors(member)) == {number: path[number] for number in (0, 4, 8)}
    lines = every.lineage.lines()
    assert lines[8] == 8
    assert all(lines[n] <= lines[n + 1] for n in range(8))


def test_who_comes_from_another_island_is_found_there():
    before = np.eye(4, dtype=np.uint8)
    nobody, own = np.array([[-1, -1]]), np.array([[0, 1]])
    islands = [
        Birth(before[:2], np.concatenate([own, nobody]), np.array([[1, 1, 0, 0], [0, 0, 1, 0]], np.uint8)),
        Birth(before[2:], np.concatenate([own, nobody]), np.array([[0, 0, 1, 1], [1, 0, 0, 1]], np.uint8)),
    ]
    assert joined_births(islands).parents.tolist() == [[0, 1], [2, -1], [2, 3], [-1, -1]]


def test_it_is_the_same_in_memory_on_disk_and_of_a_run_that_has_not_recorded_it(tmp_path):
    words = (*PLAIN, "generations=6", "record_every=2")
    plain = pigevo.evolve(*words, folder=tmp_path / "plain")
    known = pigevo.evolve(*words, lineage=True)
    assert not plain.lineage.recorded
    again = lineage_of(tmp_path / "plain")
    for descent in (again, pigevo.evolve(*words, lineage=True, folder=tmp_path / "with").lineage):
        for other, generation in zip(descent.recorded, known.lineage.recorded, strict=True):
            for name in ("generation", "line", "parents", "values"):
                np.testing.assert_array_equal(getattr(other, name), getattr(generation, name))


def test_what_is_recorded_is_bounded():
    few = Settings.of("generations=100000", "record_every=1", "population.size=20", "lineage=true")
    assert lineage_spacing(few).step == 32  # 3126 generations of 20
    assert lineage_spacing(few.with_(generations=4000)).step == 1
    many = Settings.of("generations=1000", "record_every=1", "population.size=5000", "lineage=true")
    assert lineage_spacing(many).step == 64


def test_a_damaged_file_is_refused(tmp_path):
    pigevo.evolve(*PLAIN, "generations=3", "lineage=true", folder=tmp_path)
    path = tmp_path / LINEAGE_FILE
    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    assert len(LINEAGE.read(tmp_path)) == 4
    for damaged in (
        whole.replace("generation,member", "generation,number"), "".join(lines[:5] + lines[6:]),
        "".join([*lines[:9], lines[9].replace("1,0,", "1,0,99,", 1), *lines[10:]]), whole[:40] + "x" + whole[40:],
    ):  # fmt: skip
        path.write_text(damaged)
        with pytest.raises(InputError, match=r"lineage\.csv"):
            LINEAGE.read(tmp_path)
        with pytest.raises(InputError, match=r"lineage\.csv"):
            _ = pigevo.load_run(tmp_path).lineage
    path.write_text(whole + lines[-1][:5])  # what a killed run was writing
    assert len(LINEAGE.read(tmp_path)) == 4
