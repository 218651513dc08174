"""The champions that a run records, and the descent of its members."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.lineage import GAINS
from pigevo.evolution.logbook import Champion
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.plan import Birth, joined_births
from pigevo.games import Pig
from pigevo.runs import run
from pigevo.runs import stepper as module
from pigevo.runs.checkpoint import CHECKPOINT_FILE
from pigevo.runs.load import lineage_of
from pigevo.runs.metrics import CHAMPIONS, CHAMPIONS_FILE, LINEAGE, LINEAGE_FILE
from pigevo.runs.result import RESULT_FILE
from pigevo.runs.stepper import MOST_MEASURED, lineage_spacing, measuring, spacing
from pigevo.runs.verify import verify
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from tests.cases import sample
from tests.runs.conftest import left_after
from tests.small import small_settings

WAVES = ("cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[3,3]")
OF_SELECTION = ("selection=truncation_tenth", "replacement=survivors_and_offspring")
FITNESSES = {
    "knockout": ("selection=knockout",),
    "round_robin": ("selection=round_robin",),
    "optimum": (*OF_SELECTION, "fitness=exact_vs_optimal"),
    "archive": (*OF_SELECTION, "fitness=archive", "fitness.every=2"),
    "race": (*OF_SELECTION, "fitness=archive_race", "fitness.every=2"),
    "noisy": (*OF_SELECTION, "fitness=archive_games"),
}


@pytest.mark.parametrize("cubes", sample([WAVES, ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[3,3]")], 0))
@pytest.mark.parametrize("fitness", FITNESSES)
def test_champions_are_the_best_by_the_run_s_own_fitness_as_at_its_end(tmp_path, fitness, cubes):
    settings = small_settings(*cubes, *FITNESSES[fitness])
    ends = {
        g.number: g.grid.strategy(g.genomes[g.final_order[0][0]])
        for g in generations(settings.plan, first_state(settings.plan))
    }
    run(settings, tmp_path / "run")
    recorded = pigevo.load_run(tmp_path / "run").champions
    assert list(recorded) == [0, 2, 3, 4, 6]
    assert all(champion == ends[number] for number, champion in recorded.items())
    assert recorded[6] == pigevo.load_run(tmp_path / "run").champion
    assert verify(tmp_path / "run", 99, 1).same


def test_champions_in_memory_are_the_same(tmp_path):
    words = ("debug=fast", "game.target=12", "population.size=6", "generations=6", "record_every=2")
    memory, disk = pigevo.evolve(*words), pigevo.evolve(*words, folder=tmp_path / "run")
    assert dict(memory.champions) == dict(disk.champions)
    assert memory.champions[6] == memory.champion
    assert repr(memory.champions) == "<4 recorded champions, of generations 0 to 6>"
    assert disk.champions[4].name == "generation 4"
    with pytest.raises(KeyError):
        disk.champions[5]


def test_a_run_that_ends_before_its_plan_has_that_of_its_last_generation(tmp_path):
    words = ("debug=fast", "game.target=9", "population.size=4", "generations=9", "record_every=2")
    ended = pigevo.evolve(*words, folder=tmp_path / "a", on_generation=lambda g: {"stop": g.number == 5})
    assert list(ended.champions) == [0, 2, 4, 5]
    assert ended.champions[5] == ended.champion


def test_where_the_file_is_lost_an_unfinished_run_makes_the_same_again(tmp_path):
    settings, folder = small_settings("generations=7", "checkpoint_every=2"), tmp_path / "run"
    run(settings, tmp_path / "whole")
    left_after(4, settings, folder)
    (folder / CHAMPIONS_FILE).unlink()
    run(settings, folder)
    assert (folder / CHAMPIONS_FILE).read_bytes() == (tmp_path / "whole" / CHAMPIONS_FILE).read_bytes()


def test_what_was_cut_or_lost_meanwhile_is_written_anew(tmp_path):
    grid = CubeGrid(pigevo.Pig(9), 3)
    champions = [Champion(n, grid, bytes([n] * -(-grid.genes // 8))) for n in range(4)]
    path = CHAMPIONS.write(tmp_path, champions) and tmp_path / CHAMPIONS_FILE
    whole, more = path.read_bytes(), CHAMPIONS.write(tmp_path, champions[:2])
    path.write_bytes(path.read_bytes()[:-3])
    assert CHAMPIONS.write(tmp_path, champions, more) == CHAMPIONS.write(tmp_path, champions)
    assert path.read_bytes() == whole
    path.unlink()
    CHAMPIONS.write(tmp_path, champions, more)
    assert path.read_bytes() == whole


def test_a_file_of_a_later_pigevo_is_refused(tmp_path):
    folder = tmp_path / "run"
    run(small_settings(), folder)
    (folder / RESULT_FILE).unlink()
    (folder / CHECKPOINT_FILE).unlink()
    (folder / "checkpoint.before.npz").unlink()
    text = (folder / CHAMPIONS_FILE).read_text()
    (folder / CHAMPIONS_FILE).write_text(text.replace('"format": 1', '"format": 2'))
    with pytest.raises(InputError, match=r"written by a later pigevo \(format 2\): update pigevo"):
        _ = pigevo.load_run(folder).champions


FREE = ("selection=truncation", "fitness=exact_vs_optimal")


def all_of(settings):
    return [n for n in range(settings.plan.generations + 1) if n in spacing(settings)]


def test_champions_of_the_metrics_are_recorded_where_that_is_not_too_much():
    waves = ("cubes=waves", "cubes.sizes=[20,10]", "cubes.generations=[11,12]")
    settings = Settings.of(*waves, *FREE, record_every=5)
    assert all_of(settings) == [0, 5, 10, 11, 15, 20, 23]


@pytest.mark.parametrize(
    ("name", "most", "wanted"),
    [("MOST_CHAMPIONS", 24, 4), ("MOST_CHAMPIONS", 5, 16), ("MOST_CHAMPIONS", 2, 64), ("MOST_CHAMPION_BYTES", 1000, 8)],
)
def test_of_too_many_every_second_is_left_out(monkeypatch, name, most, wanted):
    monkeypatch.setattr(module, name, most)
    settings = Settings.of(*FREE, **{"game.target": 9, "generations": 64}, record_every=1)
    assert spacing(settings).step == wanted
    held = len(all_of(settings))
    assert held <= most if name == "MOST_CHAMPIONS" else held * (40 + settings.plan.waves[0].grid.genes / 6) <= most
    assert set(all_of(settings)) <= set(all_of(settings.with_(record_every=1)))


def test_where_not_even_the_ends_of_waves_fit_only_the_last_one_stays(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHAMPION_BYTES", 10)
    settings = Settings.of(*FREE, **{"game.target": 9}, generations=64)
    assert all_of(settings) == []


def test_a_billion_generations_are_spaced_at_once():
    settings = Settings.of(*FREE, **{"game.target": 9}, generations=10**9, record_every=1)
    assert 10**9 / spacing(settings).step <= module.MOST_CHAMPIONS


@pytest.mark.parametrize(
    ("words", "games"),
    [
        (("selection=knockout", "fitness=games", "fitness.games=100"), 100),
        (("selection=knockout", "fitness=games", "fitness.games=10000"), 10000),
        (("selection=knockout", "fitness=exact"), module.EXACT),
    ],
)
def test_where_members_must_meet_once_more_it_costs_little(words, games):
    settings = Settings.of(*words, **{"population.size": 20, "generations": 1000}, record_every=1)
    most = max(module.MOST_GAMES, 0.1 * 10 * 1000 * games)
    assert most / 2.1 < (len(all_of(settings)) - 1) * 190 * games <= most


@pytest.mark.parametrize("words", [("selection=round_robin", "fitness.games=10000"), FREE])
def test_where_everybody_is_known_all_are_recorded(words):
    settings = Settings.of(*words, **{"game.target": 12, "generations": 1000}, record_every=1)
    assert len(all_of(settings)) == 1001


def test_bytes_are_those_of_the_file(tmp_path):
    grid = CubeGrid(Pig(100), (3, 2, 1))
    champions = [Champion(10**6 + n, grid, bytes(-(-grid.genes // 8))) for n in range(50)]
    CHAMPIONS.write(tmp_path, champions)
    size = (tmp_path / "champions.csv").stat().st_size
    assert 0.99 < size / (50 * (module.PER_LINE + grid.genes // 6)) < 1.01


def test_on_islands_nobody_has_met_everyone_yet():
    words = ("selection=round_robin", "fitness.games=1000", "generations=1000", "record_every=1", "game.target=12")
    assert spacing(Settings.of(*words)).step == 1
    assert spacing(Settings.of(*words, "islands=ring")).step > 100


@pytest.mark.parametrize(("generations", "step"), [(25, 1), (26, 2), (100, 4), (101, 8)])
def test_luck_is_computed_in_few_generations_and_at_the_ends_of_waves(generations, step):
    waves = ("cubes=waves", "cubes.sizes=[20,10]", f"cubes.generations=[11,{generations - 11}]")
    luck = measuring(Settings.of(*waves, record_every=1))
    assert (luck.step, luck.ends) == (step, {11, generations})
    assert generations // luck.step <= MOST_MEASURED


def test_luck_is_computed_nowhere_where_no_champion_is_known(monkeypatch):
    monkeypatch.setattr(module, "MOST_CHAMPION_BYTES", 1)
    assert 0 not in measuring(Settings.of(*FREE, record_every=1))


PLAIN = ("debug=fast", "game.target=15", "population.size=8", "baseline=none", "figures=none", "mutation=0.02")
LINEAGE_WAVES = ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[4,4]")
KINDS = {
    "waves": (*LINEAGE_WAVES, "record_every=3", "replacement=survivors_and_offspring"),
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


def test_the_descent_is_the_same_in_memory_on_disk_and_of_a_run_that_has_not_recorded_it(tmp_path):
    words = (*PLAIN, "generations=6", "record_every=2")
    plain = pigevo.evolve(*words, folder=tmp_path / "plain")
    known = pigevo.evolve(*words, lineage=True)
    assert not plain.lineage.recorded
    again = lineage_of(tmp_path / "plain")
    for descent in (again, pigevo.evolve(*words, lineage=True, folder=tmp_path / "with").lineage):
        for other, generation in zip(descent.recorded, known.lineage.recorded, strict=True):
            for name in ("generation", "line", "parents", "values"):
                np.testing.assert_array_equal(getattr(other, name), getattr(generation, name))


def test_what_is_recorded_of_the_descent_is_bounded():
    few = Settings.of("generations=100000", "record_every=1", "population.size=20", "lineage=true")
    assert lineage_spacing(few).step == 32  # 3126 generations of 20
    assert lineage_spacing(few.with_(generations=4000)).step == 1
    many = Settings.of("generations=1000", "record_every=1", "population.size=5000", "lineage=true")
    assert lineage_spacing(many).step == 64


def test_a_damaged_file_of_the_descent_is_refused(tmp_path):
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
