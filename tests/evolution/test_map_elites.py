"""MAP-Elites: behaviours by their definition, the archive beside that of pyribs, and runs that lose nothing."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.logbook import outcome_of
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.operators import Context
from pigevo.evolution.selection.map_elites import BEHAVIOURS, MapElites, behaviours_of, elites_of, hold_values
from pigevo.games import GAMES
from pigevo.runs import run
from pigevo.runs.progress import Interrupted
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid, EliteMap
from tests.evolution.helpers import course_of

GAME = pigevo.Pig(target=12)
RACES = [GAME, pigevo.Pig(target=9, allow_pass=True), pigevo.Piglet(target=7)]
GRIDS = [CubeGrid(game, size) for game in RACES for size in (1, (4, 3, 1), 5)]
SMALL = (
    "experiment=illuminate", "debug=fast", "game.target=15", "population.size=40", "cubes.sizes=[6,2]",
    "cubes.generations=[3,4]", "selection.cells=[5,5]", "workers=1", "record_every=1", "figures=none", "checkpoint_every=2",
)  # fmt: skip


def map_of(plan, generation):
    return EliteMap.of(outcome_of(plan, generation.state, generation.scores).arrays)


def first_holds(strategy):
    """The hold value of each pair of scores, one state after the other."""
    game, target = strategy.game, strategy.game.target
    holds = np.zeros((target, target))
    for i in range(target):
        for j in range(target):
            totals = range(0 if game.allow_pass else 1, target - i)
            holds[i, j] = next((k for k in totals if not strategy.roll[i, j, k]), target - i)
    return holds


def deficit_slope(holds, weights):
    """By weighted least squares, of hold values on the deficit, with an intercept for each own score."""
    i, j = np.indices(holds.shape)
    design = np.column_stack([(j - i).ravel(), np.repeat(np.eye(len(holds)), len(holds), axis=0)])
    root = np.sqrt(weights).ravel()
    (slope, *_), *_ = np.linalg.lstsq(design * root[:, None], holds.ravel() * root, rcond=None)
    return slope


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_behaviours_are_what_their_definitions_say_state_by_state(grid):
    genomes = Draw(3, "population").bits(20, grid.genes) | Draw(4, "population").bits(20, grid.genes)
    for genome, values in zip(genomes, behaviours_of(tuple(BEHAVIOURS), grid, genomes), strict=True):
        holds = first_holds(grid.strategy(genome))
        assert np.array_equal(hold_values(grid, genome[None])[0], holds)
        behaviour = dict(zip(BEHAVIOURS, values, strict=True))
        assert behaviour["mean_hold"] == pytest.approx(np.diag(holds).mean())
        assert behaviour["hold_ahead"] == pytest.approx(holds[np.tril_indices(len(holds), -1)].mean())
        assert behaviour["hold_behind"] == pytest.approx(holds[np.triu_indices(len(holds), 1)].mean())
        assert behaviour["deficit_slope"] == pytest.approx(deficit_slope(holds, np.ones_like(holds)), abs=1e-9)


def test_where_good_play_comes_behaviours_are_weighted_by_its_turns():
    grid, best = CubeGrid(GAME, 1), pigevo.optimal(GAME).strategy
    begun = pigevo.exact.turn_starts(best, best)
    genomes = np.concatenate([Draw(5, "population").bits(10, grid.genes), grid.from_strategies([best])])
    for genome, (hold, slope) in zip(
        genomes, behaviours_of(["visited_hold", "visited_slope"], grid, genomes), strict=True
    ):
        holds = first_holds(grid.strategy(genome))
        assert hold == pytest.approx((begun * holds).sum() / begun.sum(), abs=1e-12)
        assert slope == pytest.approx(deficit_slope(holds, begun), abs=1e-9)


def test_where_decisions_depend_on_the_difference_a_deficit_is_a_negative_one():
    game = GAMES["ten_rounds"].bind({"turns": 2, "cap": 20})
    grid = CubeGrid(game, 1)
    behind = pigevo.Strategy.from_function(game, lambda left, second, lead, k: k < 5 - lead // 10)
    behaviour = behaviours_of(tuple(BEHAVIOURS), grid, grid.from_strategies([behind]))[0]
    assert behaviour[3] == pytest.approx(0.1, abs=0.01)
    assert behaviour[1] < behaviour[0] == 5 < behaviour[2]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_behaviours_inside_their_ranges(name):
    entry = GAMES[name]
    size = {"target": 9} if "target" in entry.options else {"turns": 2, "cap": 9}
    game = entry.bind(entry.completed({key: value for key, value in size.items() if key in entry.options}))
    grid = CubeGrid(game, 3)
    values = behaviours_of(tuple(BEHAVIOURS), grid, Draw(1, "population").bits(6, grid.genes))
    spans = np.array([behaviour.span(game) for behaviour in BEHAVIOURS.values()])
    assert np.isfinite(values).all()
    assert (values[:, [0, 3]] >= spans[[0, 3], 0]).all()
    assert (values[:, [0, 3]] <= spans[[0, 3], 1]).all()


def test_the_best_of_each_cell_stays_and_of_equal_ones_the_first():
    cells, scores = np.array([3, 1, 3, 1, 3, 2]), np.array([0.1, 0.4, 0.3, 0.4, 0.3, 0.0])
    assert elites_of(cells, scores).tolist() == [1, 2, 5]


def test_more_elites_than_the_share_are_the_best_of_them():
    selection, scores = MapElites(share=0.5), Draw(1, "validation").uniforms(10)
    state = {"cells": np.arange(10)}
    chosen = selection(scores, Context(Draw(1, "selection"), CubeGrid(GAME, 4), scores=scores, state=state))
    assert chosen.tolist() == sorted(np.argsort(-scores)[:5].tolist())


def test_what_lies_outside_a_range_is_in_the_cell_at_its_edge():
    cells_of = MapElites(cells=(4, 3), ranges=((0, 8), (-3, 3))).cells_of
    values = np.array([[-1, -9], [0, -3], [7.99, 2.99], [8, 3], [99, 9], [2, -1], [3.9, -1.1]])
    assert cells_of(GAME, values).tolist() == [[0, 0], [0, 0], [3, 2], [3, 2], [3, 2], [1, 1], [1, 0]]


@pytest.mark.slow  # to import pyribs takes seconds
def test_an_archive_of_pyribs_that_is_handed_the_same_strategies_is_the_same():
    archives = pytest.importorskip("ribs.archives")
    plan = Settings.of(*SMALL, "seed=4").plan
    selection, cells = plan.selection, plan.selection.cells
    archive = archives.GridArchive(solution_dim=1, dims=cells, ranges=selection.spans(plan.game), epsilon=1e-12)
    for number, generation in enumerate(course_of(plan)):
        new = slice(len(generation.genomes) - generation.state.fresh, None)
        measures = behaviours_of(selection.behaviours, generation.grid, generation.genomes[new])
        for score, place in zip(generation.scores[new], measures, strict=True):
            archive.add_single([number], score, place)
        ours = map_of(plan, generation)
        data = archive.data(["index", "objective", "measures"])
        order = np.argsort(data["index"])
        assert np.array_equal(archive.int_to_grid_index(data["index"][order]), ours.places)
        assert np.array_equal(data["objective"][order], ours.wins)
        assert np.array_equal(data["measures"][order], ours.measures)
        assert archive.stats.coverage == pytest.approx(ours.coverage)
        assert archive.stats.qd_score == pytest.approx(ours.qd_score)
    assert number == 7


def test_all_elites_stay_in_the_population():
    plan = Settings.of(*SMALL, "crossover=uniform", "mutation=0", "mutator=bit_flip").plan
    generation = evaluate(plan, first_state(plan))
    following = next_state(generation)
    staying = following.genomes[: len(following.genomes) - following.fresh]
    assert {row.tobytes() for row in staying} == {row.tobytes() for row in map_of(plan, generation).genomes}


def test_a_stopped_run_goes_on_to_the_same_archive(tmp_path):
    settings = Settings.of(*SMALL, "seed=2")

    def stop(generation):
        if generation.number == 5:
            raise KeyboardInterrupt

    whole = run(settings, tmp_path / "whole")
    with pytest.raises(Interrupted):
        run(settings, tmp_path / "parts", on_generation=stop)
    parts = run(settings, tmp_path / "parts")
    assert (parts["digest"], parts["elites"]) == (whole["digest"], whole["elites"])
    assert (tmp_path / "parts/archive.npz").read_bytes() == (tmp_path / "whole/archive.npz").read_bytes()
    metrics = pigevo.load_run(tmp_path / "parts").metrics
    assert metrics["coverage"][-1] == whole["elites"]["coverage"]
    assert metrics["qd_score"][-1] == pytest.approx(whole["elites"]["qd_score"], abs=1e-12)


def test_a_behaviour_of_the_user_s_is_part_of_what_the_run_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = (*SMALL, "selection.behaviours=[mine.py:early,mean_hold]", "selection.ranges=[[0,9],[0,8]]")
    (tmp_path / "mine.py").write_text("def early(holds, game):\n    return holds[:5].mean()\n")
    before, elites = Settings.of(*words), pigevo.evolve(*words[1:], "illuminate").elite_map
    assert elites.behaviours == ("early", "mean_hold")
    holds = hold_values(elites.grid, elites.genomes[:1])[0]
    assert elites.measures[0].tolist() == [holds[:5].mean(), np.diag(holds).mean()]
    (tmp_path / "mine.py").write_text("def early(holds, game):\n    return holds[:4].mean()\n")
    assert Settings.of(*words).hash != before.hash


WRONG = [
    ("selection.behaviours=[means,mean_hold]", "there is no behaviour 'means'"),
    ("selection.behaviours=[mean_hold]", "selection.behaviours has 1 values: a map has two axes, so it needs two."),
    ("selection.cells=[5,5,5]", "selection.cells has 3 values"),
    ("selection.cells=[0,5]", "selection.cells = 0 is out of range"),
    ("selection.ranges=[[4,2],[0,1]]", "must be the least and the largest value, for example [0,40]"),
    ("selection.ranges=[[-inf,2],[0,1]]", "[-inf, 2.0] must be the least and the largest value, for example [0,40]"),
    ("selection.ranges=[[0,inf],[0,1]]", "[0.0, inf] must be the least and the largest value, for example [0,40]"),
    ("selection.ranges=[[0,1],[-1e308,1e308]]", "must be the least and the largest value, for example [0,40]"),
    ("selection.behaviours=[nowhere.py:one,mean_hold]", "there is no file nowhere.py."),
]


def test_wrong_settings_are_refused():
    for word, part in WRONG:
        name = word.partition("=")[0]
        with pytest.raises(InputError) as error:
            assert Settings.of(*(other for other in SMALL if not other.startswith(name)), word).plan
        assert part in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("return holds", "returned array("),
        ("return 1 / 0", "failed: "),
        ("return float('nan')", "returned nan"),
        ("return 10**400", "returned 1000"),
    ],
)
def test_a_behaviour_that_gives_no_number_is_refused(body, part, tmp_path):
    (tmp_path / "mine.py").write_text(f"def wrong(holds, game):\n    {body}\n")
    where = f"selection.behaviours=[{tmp_path}/mine.py:wrong,mean_hold]"
    with pytest.raises(InputError, match="the behaviour wrong") as error:
        pigevo.evolve("illuminate", *SMALL[1:], where, "selection.ranges=[[0,9],[0,8]]")
    assert part in str(error.value)
