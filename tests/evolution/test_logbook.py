"""What is recorded of a population: diversity, the best ever seen, luck, outcomes, and the map of elites."""

import itertools
import json
from dataclasses import make_dataclass, replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.cli import main
from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import logbook
from pigevo.evolution.diversity import behavioural_diversity, diversity, entropy, visits_by_gene, ways_to_play
from pigevo.evolution.evaluation import Evaluation, every_pair, referee
from pigevo.evolution.fitness.archive import Archive, ArchiveGames
from pigevo.evolution.fitness.win_rates import Games, Siblings
from pigevo.evolution.logbook import (
    COLUMNS,
    HALL_SIZE,
    MEASURED,
    MOST_ELITES,
    RESULT_FIELDS,
    Logbook,
    measured,
    outcome_of,
)
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.operators import Context, Outcome
from pigevo.evolution.selection.map_elites import BEHAVIOURS, MapElites, behaviours_of, elites_of, hold_values
from pigevo.games import GAMES, Pig
from pigevo.runs import run
from pigevo.runs.progress import Interrupted
from pigevo.runs.result import write_result
from pigevo.settings.settings import Settings
from pigevo.storage.records import write_arrays
from pigevo.strategies import CubeGrid, EliteMap, load_elite_map
from tests.cases import sample
from tests.evolution.conftest import context_of, course_of, states_of, tables_of
from tests.web.report.conftest import sketch


@pytest.mark.parametrize(("n", "genes"), [(2, 1), (2, 50), (5, 33), (8, 200)])
def test_diversity_is_the_mean_share_of_genes_in_which_two_members_differ(n, genes):
    genomes = Draw(n, "population").bits(n, genes)
    pairs = [np.mean(a != b) for a, b in itertools.combinations(genomes, 2)]
    assert diversity(genomes) == pytest.approx(np.mean(pairs), abs=1e-12)


def test_diversity_counts_large_populations_without_overflow():
    genomes = np.repeat(np.array([[1], [0]], np.uint8), 300, axis=0)
    assert diversity(genomes) == pytest.approx(2 * 300 * 300 / (600 * 599))
    assert diversity(genomes[:, :0]) == 0


def test_a_row_is_the_referee_s_view_of_the_population(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [5, 2], "generations": 3})
    logbook, state = Logbook(), states_of(plan)[5]
    row = logbook.record(evaluate(plan, state), 1.23456)
    members = [plan.waves[1].grid.strategy(g) for g in state.genomes]
    best = pigevo.optimal(plan.game).strategy
    values = [pigevo.win_probability(m, best).overall for m in members]
    assert tuple(row) == (*COLUMNS, "entropy", "digest")
    assert row["digest"] == state.digest
    assert (row["best"], row["worst"]) == (pytest.approx(max(values)), pytest.approx(min(values)))
    assert row["mean"] == pytest.approx(np.mean(values), abs=1e-12)
    assert row["diversity"] == diversity(state.genomes)
    assert (row["generation"], row["wave"], row["cube_size"], row["seconds"]) == (5, 2, "2", 1.235)
    assert (row["evaluations"], row["games"]) == (40, 5 * 4 * 20)
    assert list(logbook.rows) == [row]


def test_the_hall_of_fame_keeps_the_best_ever_seen(make_plan):
    plan = make_plan(population={"name": "random", "size": 12}, mutation=0.1, generations=12)
    logbook, values = Logbook(), {}
    for generation in course_of(plan):
        logbook.record(generation, 0.0)
        rows = generation.grid.to_tables(generation.genomes)
        values |= {np.packbits(r).tobytes(): v for r, v in zip(rows, referee(plan.game, rows).tolist(), strict=True)}
    hall = [(np.asarray(member).tobytes(), member.fitness.values[0]) for member in logbook.hall]
    assert len(values) > 100
    assert [value for _, value in hall] == sorted(values.values(), reverse=True)[:HALL_SIZE]
    assert all(values[packed] == value for packed, value in hall)


def test_the_hall_of_fame_keeps_no_one_twice():
    game = Pig(target=12)
    grid, logbook = CubeGrid(game, 1), Logbook()
    genomes = grid.from_strategies([pigevo.hold_at(game, n) for n in (3, 4, 5)] * 6)
    for _ in range(3):
        logbook.enter(grid, genomes, referee(game, grid.to_tables(genomes)))
    assert len(logbook.hall) == 3


GAME = Pig(target=16)
MEMBERS = [pigevo.random_strategy(GAME, seed=s) for s in range(4)] + [pigevo.hold_at(GAME, n) for n in (3, 6)]
PAST = {"archive": np.packbits(np.stack([pigevo.hold_at(GAME, n).table for n in (5, 9)]).reshape(2, -1), axis=1)}
SOME = np.array([4, 1])


def context(**more):
    return context_of(GAME, Draw(3, "dice", 5), pairs=every_pair(len(MEMBERS)), **more)


def test_the_truth_of_games_is_the_mean_exact_result_against_the_same_members():
    matrix = pigevo.win_matrix(MEMBERS)
    expected = (matrix.sum(axis=1) - matrix.diagonal()) / (len(MEMBERS) - 1)
    assert np.allclose(Games().truth(tables_of(MEMBERS), context(), SOME), expected[SOME], atol=1e-12)
    two = replace(context(), pairs=np.array([[0, 1], [2, 4], [4, 3]]))
    met = [(matrix[4, 2] + matrix[4, 3]) / 2, matrix[1, 0]]
    assert np.allclose(Games().truth(tables_of(MEMBERS), two, SOME), met, atol=1e-12)


@pytest.mark.parametrize("by", ["worst", "mean"])
def test_the_truth_of_an_archive_is_the_exact_fitness_against_the_same_opponents(by):
    fitness, tables = ArchiveGames(by=by), tables_of(MEMBERS)
    expected = Archive(by=by, exploring_starts=0)(tables, context(state=PAST)).scores
    assert np.allclose(fitness.truth(tables, context(state=PAST), SOME), expected[SOME], atol=1e-12)
    against_first = pigevo.win_matrix(MEMBERS)[:, 0]  # before there are champions
    assert np.allclose(fitness.truth(tables, context(), SOME), against_first[SOME], atol=1e-12)


def test_the_truth_of_siblings_is_their_exact_match():
    matrix = pigevo.win_matrix(MEMBERS)
    assert np.allclose(Siblings().truth(tables_of(MEMBERS), context(), SOME), [matrix[4, 5], matrix[1, 0]], atol=1e-12)


FITNESSES = {
    "games": Games(20_000),
    "paired": Games(20_000, paired=True),
    "archive": ArchiveGames(games=40_000, by="mean"),
    "siblings": Siblings(20_000),
}


@pytest.mark.parametrize("fitness", FITNESSES.values(), ids=list(FITNESSES))
def test_scores_of_many_games_come_near_their_truth(fitness):
    tables, met = tables_of(MEMBERS), context(state=PAST)
    returned = fitness(tables, met)
    evaluation = (
        Evaluation.of_matches(len(MEMBERS), met.pairs, returned) if isinstance(returned, np.ndarray) else returned
    )
    truth = fitness.truth(tables, met, np.arange(len(MEMBERS)))
    assert np.abs(evaluation.scores - truth).max() < 4.5 * 0.5 / 20_000**0.5


def test_luck_is_the_champions_score_less_its_truth(make_plan):
    plan = make_plan(population={"name": "random", "size": 30}, generations=2)
    for generation in course_of(plan):
        order, evaluation = generation.final_order
        figures = measured(plan, generation.state, order, evaluation)
        matrix = pigevo.win_matrix(generation.strategies)
        luck = evaluation.scores - (matrix.sum(axis=1) - matrix.diagonal()) / 29
        assert tuple(figures) == MEASURED
        assert figures["measured"] == evaluation.scores[generation.best] == evaluation.scores.max()
        assert figures["measured_games"] == 29 * 20
        won = round(figures["measured"] * 29 * 20)
        assert (figures["measured_low"], figures["measured_high"]) == share_interval(won, 29 * 20)
        assert figures["luck"] == pytest.approx(luck[generation.best], abs=1e-12)
        assert figures["elites_luck"] == pytest.approx(luck[order[:3]].mean(), abs=1e-12)


@pytest.mark.parametrize("sets", [5, 20])
def test_the_interval_of_a_share_of_sets_is_that_of_so_many_sets(make_plan, sets):
    plan = make_plan(population={"name": "random", "size": 30}, fitness={"name": "sets", "games": 100, "sets": sets})
    generation = course_of(plan)[-1]
    figures = measured(plan, generation.state, *generation.final_order)
    assert figures["measured_games"] == 29 * 100
    won = round(figures["measured"] * 29 * sets)
    assert (figures["measured_low"], figures["measured_high"]) == share_interval(won, 29 * sets)


@pytest.mark.parametrize(
    "replacement", [{"name": "elites"}, {"name": "immigrants", "share": 0.3}, {"name": "offspring"}]
)
def test_twins_meet_where_members_stay_or_arrive_and_their_luck_is_by_those_matches(make_plan, replacement):
    plan = make_plan(
        population={"name": "hold_at", "size": 20}, generations=3, replacement=replacement,
        fitness={"name": "siblings", "games": 4000}, selection={"name": "truncation"}, mutator={"name": "mirrored"},
    )  # fmt: skip
    for generation in course_of(plan)[1:]:
        fresh, twins = generation.state.fresh, []
        for first in range(20 - fresh, 20 - sum(generation.state.arrived) - 1, 2):
            both = [generation.strategies[first + n] for n in (0, 1)]
            exact = pigevo.win_probability(*both).overall
            assert abs(generation.scores[first] - exact) < 4.5 * 0.5 / 4000**0.5
            assert generation.scores[first] + generation.scores[first + 1] == pytest.approx(1) or first == 20 - fresh
            twins.append(first)
        assert len(twins) == (fresh - sum(generation.state.arrived)) // 2 > 5
        figures = measured(plan, generation.state, *generation.final_order)
        assert abs(figures["luck"]) < 4.5 * 0.5 / 4000**0.5


@pytest.mark.parametrize("replacement", ["elites", "offspring"])
def test_twins_on_islands_meet_in_the_matches_that_choose_the_champion_too(make_plan, replacement):
    plan = make_plan(
        population={"name": "hold_at", "size": 21}, generations=2, replacement={"name": replacement},
        fitness={"name": "siblings", "games": 4000}, selection={"name": "truncation"}, mutator={"name": "mirrored"},
        islands={"name": "ring", "count": 3},
    )  # fmt: skip
    for generation in course_of(plan):
        order, evaluation = generation.final_order
        if generation.islands:  # in the last generation there is the final evaluation alone
            assert np.array_equal(evaluation.scores, np.concatenate([part.scores for part in generation.islands]))
        luck = measured(plan, generation.state, order, evaluation)["luck"]
        assert abs(luck) < 4.5 * 0.5 / 4000**0.5


def test_the_best_of_many_by_few_games_is_lucky(make_plan):
    plan = make_plan(population={"name": "random", "size": 20}, generations=0, fitness={"name": "games", "games": 1})
    luck = []
    for seed in range(30):
        (generation,) = course_of(replace(plan, seed=seed))
        luck.append(measured(generation.plan, generation.state, *generation.final_order)["luck"])
    assert np.mean(luck) > 3 * np.std(luck) / 30**0.5 > 0


def test_elites_are_few(make_plan, monkeypatch):
    plan = make_plan(population={"name": "random", "size": 150}, fitness={"name": "games", "games": 2}, generations=0)
    (generation,), numbers = course_of(plan), []
    monkeypatch.setattr(logbook, "true_scores", lambda plan, state, pairs, members: numbers.append(len(members)))
    assert tuple(measured(plan, generation.state, *generation.final_order)) == MEASURED[:4]
    assert numbers == [MOST_ELITES]


def test_nothing_is_measured_where_nothing_is_played(make_plan):
    generation = course_of(make_plan(fitness={"name": "exact"}))[0]
    assert measured(generation.plan, generation.state, *generation.final_order) == {}


SMALL_GAMES = {
    "pig": pigevo.Pig(target=14), "piglet": pigevo.Piglet(target=9), "passing": pigevo.Pig(target=9, allow_pass=True),
    "ten rounds": pigevo.games.GAMES["ten_rounds"].bind({"turns": 2, "cap": 12}),
}  # fmt: skip


@pytest.mark.parametrize(("n", "genes"), [(2, 1), (7, 40), (300, 5)])
def test_entropy_is_that_of_each_gene(n, genes):
    genomes = Draw(n, "population").bits(n, genes)
    share = genomes.mean(axis=0)
    expected = stats.entropy(np.stack([share, 1 - share]), base=2).mean()
    assert entropy(genomes) == pytest.approx(expected, abs=1e-12)
    assert entropy(np.ones((n, genes), np.uint8)) == 0
    assert entropy(genomes[:, :0]) == 0


@pytest.mark.parametrize("name", sample(SMALL_GAMES, 0, 3))
@pytest.mark.parametrize("size", [1, (4, 3, 5), 50])
def test_diversity_by_behaviour_is_that_of_decisions_where_the_optimum_plays(name, size):
    game = SMALL_GAMES[name]
    grid = pigevo.CubeGrid(game, size)
    genomes = Draw(5, "population").bits(5, grid.genes)
    best = pigevo.optimal(game).strategy
    weight = np.where(game.decision_states, pigevo.reach(best, best).overall, 0)
    members = [grid.strategy(genome) for genome in genomes]
    pairs = [((a.roll != b.roll) * weight).sum() / weight.sum() for a, b in itertools.combinations(members, 2)]
    visits = visits_by_gene(grid)
    assert visits.shape == (grid.genes,)
    assert visits.sum() == pytest.approx(weight.sum(), rel=1e-12)
    assert behavioural_diversity(genomes, visits) == pytest.approx(np.mean(pairs), abs=1e-12)


@pytest.mark.parametrize("name", sample(SMALL_GAMES, 0))
def test_those_who_play_alike_do_so_in_every_game(name):
    game = SMALL_GAMES[name]
    strategy, best = pigevo.hold_at(game, 4), pigevo.optimal(game).strategy
    decides = np.broadcast_to(game.decision_states, game.shape)
    visits = np.where(decides, pigevo.reach(strategy, best).overall, 0)
    once = strategy.roll.copy()
    once[np.unravel_index(visits.argmax(), visits.shape)] ^= True
    twin, other = pigevo.Strategy(game, strategy.roll ^ (decides & (visits == 0))), pigevo.Strategy(game, once)
    assert (twin.roll != strategy.roll).any()
    assert ways_to_play([strategy, other, twin, strategy]).tolist() == [0, 1, 0, 0]
    assert pigevo.win_probability(twin, best) == pigevo.win_probability(strategy, best)
    assert pigevo.win_probability(other, best) != pigevo.win_probability(strategy, best)


DIVERSITY_WORDS = (
    "debug=fast",
    "game.target=12",
    "population.size=6",
    "baseline=none",
    "figures=none",
    "generations=6",
)


def test_in_a_run_diversity_by_behaviour_is_a_column_that_changes_nothing_else(tmp_path):
    plain = pigevo.evolve(*DIVERSITY_WORDS)
    run = pigevo.evolve(*DIVERSITY_WORDS, "checkpoint_every=1", behaviour=True, folder=tmp_path / "run")
    assert run.result["digest"] == plain.result["digest"]
    assert "behaviour" not in plain.metrics
    assert run.result["config_hash"] != plain.result["config_hash"]
    np.testing.assert_array_equal(run.metrics["entropy"], plain.metrics["entropy"])
    grid = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
    genomes = grid.from_strategies(run.population)
    assert run.metrics["behaviour"][-1] == behavioural_diversity(genomes, visits_by_gene(grid))
    assert run.metrics["entropy"][-1] == entropy(genomes)


def test_the_hall_of_fame_of_a_run(tmp_path):
    run = pigevo.evolve(*DIVERSITY_WORDS, "record_every=1", folder=tmp_path / "run")
    in_memory = pigevo.evolve(*DIVERSITY_WORDS, "record_every=1").hall_of_fame
    hall = pigevo.load_run(tmp_path / "run").hall_of_fame
    values = [value for _, value in hall]
    assert values == sorted(values, reverse=True)
    assert values[0] == run.result["best_seen"]
    assert [strategy for strategy, _ in hall] == [strategy for strategy, _ in in_memory]
    best = pigevo.optimal(hall[0][0].game).strategy
    assert values == pytest.approx([pigevo.win_probability(strategy, best).overall for strategy, _ in hall], abs=1e-12)
    assert len({strategy.digest for strategy, _ in hall}) == len(hall) == 10
    assert run.ways_to_play.shape == (6,)
    (tmp_path / "run/checkpoint.npz").write_bytes(b"x")
    with pytest.raises(pigevo.errors.InputError, match=r"checkpoint\.npz"):
        _ = pigevo.load_run(tmp_path / "run").hall_of_fame


OUTCOME_WORDS = ("debug=fast", "game.target=12", "baseline=none", "figures=none", "fitness=exact_vs_optimal", "seed=3")


class Margin(pigevo.Selection):
    """The better half survives; the outcome says how good both halves are."""

    outcome_name, outcome_columns = "margin", ("upper", "lower")
    changes = MappingProxyType({})

    def __call__(self, scores, context):
        return np.argsort(-scores, kind="stable")[: len(scores) // 2]

    def outcome(self, genomes, context, wins):
        values = wins(np.argsort(-context.scores, kind="stable"))
        upper, lower = (float(half.mean()) for half in np.array_split(values, 2))
        right = {"columns": {"upper": upper, "lower": lower}, "record": {"upper": upper}, "arrays": {"wins": values}}
        return Outcome(**{**right, **self.changes})


def margin(**attributes):
    """The selection above with other attributes."""
    return type("Margin", (Margin,), attributes)


def test_an_outcome_becomes_columns_a_field_and_a_file(tmp_path):
    run = pigevo.evolve(*OUTCOME_WORDS, selection=Margin, folder=tmp_path / "run")
    upper, lower = run.metrics["upper"], run.metrics["lower"]
    assert (upper + lower) / 2 == pytest.approx(run.metrics["mean"])
    assert run.result["margin"] == {"upper": upper[-1]}
    with np.load(tmp_path / "run/archive.npz") as file:
        assert file["wins"].mean() == pytest.approx(run.metrics["mean"][-1])
        assert file["wins"].max() == run.result["champion"]["overall"]
    silent = margin(outcome_name="", outcome_columns=())
    other = pigevo.evolve(*OUTCOME_WORDS, selection=silent, folder=tmp_path / "other")
    assert other.result["digest"] == run.result["digest"]
    assert not (tmp_path / "other/archive.npz").exists()


WRONG_OUTCOMES = [
    ({"columns": {"upper": 0.5}}, "numbers for the columns upper, lower"),
    ({"columns": {"upper": 0.5, "lower": "x"}}, "numbers for the columns upper, lower"),
    ({"columns": {"upper": 0.5, "lower": 10**400}}, "numbers for the columns upper, lower"),
    ({"columns": ["upper", "lower"]}, "numbers for the columns upper, lower"),
    ({"record": [1]}, "a record with entries by name"),
    ({"record": {"upper": np.zeros(2)}}, "a record that JSON can hold"),
    ({"arrays": {"wins": [1]}}, "arrays of numbers by name from `outcome`"),
]
WRONG_NAMES = [
    *(({"outcome_name": name}, r"which result\.json already has") for name in ("digest", "files")),
    *(({"outcome_name": name}, "it must be a name") for name in ("a b", 3)),
    ({"outcome_name": "elites"}, "belongs to pigevo's MapElites"),
    *(({"outcome_columns": columns}, "it must be a tuple") for columns in (3, "upper", ["upper"], ("a b",))),
    *(
        ({"outcome_columns": ("upper", name)}, r"which metrics\.csv already has")
        for name in ("best", "entropy", "luck", "gain_selection", "digest")
    ),
]


def test_wrong_outcomes_are_refused():
    for changes, part in WRONG_OUTCOMES:
        with pytest.raises(InputError, match=rf"the selection .*Margin.* returned .*; it must return {part}"):
            pigevo.evolve(*OUTCOME_WORDS, selection=margin(changes=changes))


def test_names_that_are_taken_or_no_names_are_refused_before_the_run(tmp_path):
    for attributes, part in WRONG_NAMES:
        with pytest.raises(InputError, match=rf"^the selection .*Margin.* has .*outcome_.*{part}"):
            pigevo.evolve(*OUTCOME_WORDS, selection=margin(**attributes), folder=tmp_path / "run")
        assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="returned the column 'upper': choose another name"):
        pigevo.evolve(*OUTCOME_WORDS, selection=Margin, on_generation=lambda generation: {"upper": 1})


def test_a_class_that_inherits_from_one_of_pigevo_s_keeps_its_outcome_name():
    run = pigevo.evolve(*OUTCOME_WORDS, "selection=map_elites", selection=type("Mine", (MapElites,), {}))
    assert run.elite_map.coverage == run.result["elites"]["coverage"]


@pytest.mark.parametrize("words", [(), ("selection=map_elites", "lineage=true")])
def test_the_taken_names_are_all_fields_of_a_result(words, tmp_path):
    result = pigevo.evolve(*OUTCOME_WORDS, *words, folder=tmp_path / "run").result
    assert set(result) - {"elites"} == set(RESULT_FIELDS)


def test_an_option_may_be_called_as_a_part_of_an_outcome():
    def call(self, scores, context):
        return np.argsort(-scores)[: self.columns - self.record + self.arrays]

    fields = [(name, int, 4) for name in ("columns", "record", "arrays")]
    selection = make_dataclass("Mine", fields, bases=(pigevo.Selection,), namespace={"__call__": call})
    run = pigevo.evolve(*OUTCOME_WORDS, selection=selection, on_generation=lambda generation: {"number": 1})
    assert set(run.metrics["number"]) == {1}


def test_arrays_are_read_only_from_a_file_of_the_run_s_own(tmp_path, monkeypatch):
    sketch(monkeypatch)
    folder = tmp_path / "run"
    pigevo.evolve(*OUTCOME_WORDS, folder=folder)
    (folder / "archive.npz").write_bytes(b"of somebody else")
    assert pigevo.load_run(folder).archive == {}
    assert main(["report", str(folder), "--figures", "svg"]) == 0
    assert main(["verify", str(folder)]) == 0


NO_MAPS = [
    ("pigevo_elites", lambda _: np.array('{"format": 99}'), r"later pigevo \(format 99\)"),
    ("wins", lambda wins: wins[:-1], "wins has the shape"),
    ("measures", lambda measures: measures.astype(np.float32), "measures holds float32"),
    ("bits", None, "it has no bits"),
    ("places", lambda places: places + 99, "a cell lies outside the map"),
]


def test_arrays_that_are_no_elite_map_are_refused_wherever_they_are_read(tmp_path, capsys):
    folder = tmp_path / "run"
    right = pigevo.evolve(*OUTCOME_WORDS, "selection=map_elites", folder=folder).archive
    for name, change, part in NO_MAPS:
        arrays = {key: right[key] for key in right if key != name} | ({name: change(right[name])} if change else {})
        with pytest.raises(InputError, match=part):
            EliteMap.of(arrays)
        write_arrays(folder / "archive.npz", arrays)
        with pytest.raises(InputError, match=part):
            load_elite_map(folder / "archive.npz")
    capsys.readouterr()
    assert main(["verify", str(folder)]) != 0
    assert "archive.npz holds other arrays than the run" in capsys.readouterr().out
    record = json.loads((folder / "result.json").read_text())
    names = record.pop("files")
    write_result(folder, {key: record[key] for key in record if key not in ("format", "hash")}, names)
    with pytest.raises(InputError, match=part):
        assert pigevo.load_run(folder).elite_map
    assert main(["report", str(folder), "--figures", "svg"]) != 0
    assert part in capsys.readouterr().err


PIG_12 = pigevo.Pig(target=12)
RACES = [PIG_12, pigevo.Pig(target=9, allow_pass=True), pigevo.Piglet(target=7)]
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
    grid, best = CubeGrid(PIG_12, 1), pigevo.optimal(PIG_12).strategy
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
    for share, size, most in ((0.5, 10, 5), (0.29, 100, 29), (0.57, 100, 57), (0.999, 100, 99), (0.001, 100, 1)):
        selection, scores = MapElites(share=share), Draw(1, "validation").uniforms(size)
        state = {"cells": np.arange(size)}
        chosen = selection(scores, Context(Draw(1, "selection"), CubeGrid(PIG_12, 4), scores=scores, state=state))
        assert chosen.tolist() == sorted(np.argsort(-scores)[:most].tolist())


def test_what_lies_outside_a_range_is_in_the_cell_at_its_edge():
    cells_of = MapElites(cells=(4, 3), ranges=((0, 8), (-3, 3))).cells_of
    values = np.array([[-1, -9], [0, -3], [7.99, 2.99], [8, 3], [99, 9], [2, -1], [3.9, -1.1]])
    assert cells_of(PIG_12, values).tolist() == [[0, 0], [0, 0], [3, 2], [3, 2], [3, 2], [1, 1], [1, 0]]


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


WRONG_MAPS = [
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
    for word, part in WRONG_MAPS:
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
