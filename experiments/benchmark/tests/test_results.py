"""What trials come to, pictures, IOHprofiler's records, and the reference results with their tables and README."""

import json
import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from experiments.benchmark.tests.entrants import Mutants
from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.core.intervals import mean_interval
from pigevo.dice import Draw
from pigevo.experiments import load_study
from pigevo.experiments.benchmark import instance, reference_beside, try_out
from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.bench import function_id, ioh_files
from pigevo.experiments.benchmark.command import describe
from pigevo.experiments.benchmark.instances import SUITES
from pigevo.experiments.benchmark.results import (
    FEWEST,
    TARGETS,
    Early,
    Results,
    area,
    bounded_interval,
    hits,
    ratio_interval,
    reference_standings,
    reference_trials,
    resampled,
    running_time,
    running_times,
)
from pigevo.experiments.benchmark.trial import Trial
from pigevo.experiments.common.spent import anytime_data, ecdf_data, plot_anytime, plot_ecdf
from pigevo.experiments.common.tables import read_sections

PLACE = instance("t9")
GAMES_PLACE = instance("t9-d3-g10")


def trial(spent, loss, budget=1000, seed=0, exploitability=None):
    loss = np.array(loss, dtype=float)
    exploitability = 2 * loss if exploitability is None else np.array(exploitability)
    return Trial("a", PLACE.name, seed, budget, np.array(spent), loss, exploitability, np.zeros(3, np.uint8))


def results_of(place=PLACE, **trials):
    """The results of algorithms on one instance."""
    return Results({name: {place.name: of} for name, of in trials.items()}, {place.name: place})


def test_a_target_is_hit_when_the_champion_first_comes_to_it():
    champion = trial([0, 10, 100, 1000], [0.3, 0.05, 0.2, 0.01])
    expected = [1, 10, 10, 1000, 1000, np.inf]
    assert hits([champion], "loss", [0.5, 0.2, 0.05, 0.049, 0.01, 0.001]).tolist() == [expected]
    assert hits([champion], "exploitability", [0.1]).tolist() == [[10]]
    near = trial([0, 1, 10], [0.4, 0.4, 0.035])
    assert hits([near], "loss", [0.005, 0.004], zero=0.03).tolist() == [[10, np.inf]]


def test_expected_running_time_counts_what_failed():
    """Two of three hit, after 10 and 30; the third ended at 200: (10 + 30 + 200) / 2."""
    hit = np.array([[10.0], [np.inf], [30.0]])
    assert running_time(hit, np.array([500.0, 200.0, 400.0])).tolist() == [120]
    assert running_time(np.full((2, 1), np.inf), np.array([5.0, 5.0])).tolist() == [np.inf]


def test_running_times_have_intervals_which_may_be_infinite():
    trials = [trial([0, n, 1000], [0.3, 0.04, 0.04], seed=n) for n in range(10, 40)]
    time, low, high = running_times(trials, "loss", [0.05, 0.01])
    assert time[0] == np.mean(range(10, 40))
    assert (low[0], high[0]) == pytest.approx(mean_interval(np.arange(10.0, 40.0)))
    assert (time[1], low[1], high[1]) == (np.inf, np.inf, np.inf)
    trials = [trial([0, 10, 1000], [0.3, 0.04 if seed == 0 else 0.3, 0.3], seed=seed) for seed in range(3)]
    time, low, high = running_times(trials, "loss", [0.05])
    assert time[0] == 2010
    assert low[0] < time[0] < high[0] == np.inf


@pytest.mark.parametrize(
    ("champions", "budget", "cost", "zero", "expected"),
    [
        (trial([0, 1], [0.0, 0.0]), 1000, 1, 0, 1),
        (trial([0, 1000], [0.5, 0.5]), 1000, 1, 0, 0),
        (trial([0, 10, 1000], [0.5, 0.0, 0.0]), 100, 1, 0, 1 / 2),  # held from the geometric middle of the budget on
        (trial([0, 1, 1000], [0.5, TARGETS[2], 0.5]), 1000, 1, 0, 3 / len(TARGETS)),
        (trial([0, 10, 100], [0.5, 0.0, 0.5]), 1000, 1, 0, 1 / 3),  # held by luck for a while
        (trial([0, 10], [0.5, 0.0]), 1000, 1, 0, 2 / 3),  # an algorithm that ended early keeps its champion
        (trial([0, 100], [0.0, 0.0]), 10_000, 100, 0, 1),  # nothing can be held before the first match
        (trial([0, 1], [0.4, 0.03]), 1000, 1, 0.03, 1),  # the best genome has all targets
        (trial([0, 1], [0.4, 0.02]), 1000, 1, 0.03, 1),
        (trial([0, 1], [0.4, 0.03]), 1000, 1, 0, 3 / len(TARGETS)),
    ],
)
def test_the_area_is_what_is_held_over_a_logarithmic_budget(champions, budget, cost, zero, expected):
    assert area([replace(champions, budget=budget)], "loss", cost, zero)[0] == pytest.approx(expected)


def test_the_area_agrees_with_a_sum_over_many_budgets():
    champions = trial([0, 7, 90, 200, 600], [0.3, 0.09, 0.003, 0.2, 0.0003])
    budgets = np.geomspace(1, 1000, 200_001)
    loss = champions.loss[np.searchsorted(champions.spent, budgets, side="right") - 1]
    assert area([champions], "loss", 1)[0] == pytest.approx((loss[:, None] <= np.array(TARGETS)).mean(), abs=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0])
def test_an_interval_of_equal_values_allows_for_unseen_ones(value):
    """If a share of 1 - 0.025^(1/n) differs, all n values are alike with a probability of 2.5 %."""
    low, high = bounded_interval(np.full(8, value), (0.0, 1.0))
    missed = 1 - 0.025 ** (1 / 8)
    assert (low, high) == pytest.approx((value * (1 - missed), value + missed * (1 - value)))
    assert high - low == pytest.approx(missed)
    assert bounded_interval(np.full(5, value), (0.0, 1.0)) == (None, None)


def test_the_interval_of_a_rare_failure_holds_the_mean():
    """An algorithm that fails in one trial of ten, with eight seeds: often no seed has failed."""
    held, failed = 0, Draw(0, "validation").uniforms(8 * 2000).reshape(-1, 8) < 0.1
    for seeds in failed:
        low, high = bounded_interval(np.where(seeds, 0.0, 1.0), (0.0, 1.0))
        held += low <= 0.9 <= high
    assert held / 2000 >= 0.95


def test_the_interval_of_a_ratio_holds_what_a_t_test_does_not_reject():
    spent, hit = np.array([3.0, 5.0, 9.0, 4.0, 7.0, 9.0, 9.0, 2.0]), np.array([1, 1, 0, 1, 1, 0, 1, 1], bool)
    low, high = ratio_interval(spent, hit)
    for end in (low, high):
        assert stats.ttest_1samp(spent - end * hit, 0).pvalue == pytest.approx(0.05)
    assert low < spent.mean() / hit.mean() < high
    assert np.isnan(ratio_interval(np.full(5, 3.0), np.ones(5, bool))).all()


def test_seeds_are_drawn_with_replacement_and_evenly():
    drawn = resampled(7)
    assert np.bincount(drawn.ravel(), minlength=7) == pytest.approx(np.full(7, 1000), abs=4.5 * 1000**0.5)
    assert (drawn == resampled(7)).all()
    assert len({tuple(row) for row in drawn}) > 990


def test_results_put_the_better_algorithm_first():
    better = [trial([0, 10, 1000], [0.3, 0.01, 0.001 * seed], seed=seed) for seed in range(3)]
    worse = [trial([0, 10, 1000], [0.3, 0.2, 0.1], seed=seed) for seed in range(3)]
    results = results_of(a=worse, b=better)
    assert [standing.algorithm for standing in results.standings] == ["b", "a"]
    assert results.standings[1].hit == pytest.approx(2 / len(TARGETS))
    first = results.endings[0]
    assert (first.algorithm, first.unit, first.spent) == ("b", "evaluations", 1000)
    assert (first.loss, first.exploitability) == pytest.approx((0.001, 0.002))
    assert (first.loss_low, first.loss_zero) == (None, 0)
    times = {(time.algorithm, time.by, time.target): time for time in results.times()}
    assert len(times) == 4 * len(TARGETS)
    assert (times["b", "loss", 0.01].time, times["b", "loss", 0.01].hit) == (10, 3)
    assert (times["a", "loss", 0.01].time, times["a", "loss", 0.01].high) == (None, None)


def test_no_figure_depends_on_who_else_takes_part():
    noise = [0.001, 0.02, 0.005, 0.03, 0.002, 0.01]
    mine = [trial([0, 10, 1000], [0.3, 0.02, end], seed=seed) for seed, end in enumerate(noise)]
    b, c = ([trial([0, 5, 1000], [0.3, 0.1, loss], seed=n) for n in range(6)] for loss in (0.0, 0.2))
    (alone,), beside = results_of(a=mine).standings, results_of(a=mine, b=b, c=c).standings
    assert alone in beside
    assert len(beside) == 3


@pytest.mark.parametrize("seeds", [1, 2, 5, 6, 20])
def test_few_seeds_have_no_interval(seeds):
    results = results_of(a=[trial([0, 10 + seed, 1000], [0.3, 0.02, 0.001], seed=seed) for seed in range(seeds)])
    (standing,), (end,), hit = results.standings, results.endings, next(time for time in results.times() if time.hit)
    bounds = (standing.area_low, standing.area_high, end.loss_low, end.loss_high)
    assert [bound is None for bound in bounds] == [seeds < 6] * 4
    assert [bound is None for bound in (hit.low, hit.high)] == [seeds < 20] * 2
    assert ("too few seeds" in describe(results)) == (seeds < 6)


@pytest.mark.parametrize("ends", [(0.4, 0.3, 0.35, 0.45, 0.2, 0.5), (0.49, 0.47, 0.48) * 2, (0.0, 0.002, 0.02) * 3])
def test_intervals_of_losses_and_exploitabilities_lie_within_their_range(ends):
    (ending,) = results_of(a=[trial([0, 9], [end, end], 9, seed, [end, end]) for seed, end in enumerate(ends)]).endings
    assert 0 <= ending.loss_low < ending.loss < ending.loss_high <= 0.5
    assert 0 <= ending.exploitability_low < ending.exploitability < ending.exploitability_high <= 0.5


def test_an_interval_of_all_possible_values_is_undetermined():
    losses = (0.0, 0.5, 0.0, 0.5, 0.0, 0.5)
    results = results_of(a=[trial([0, 1000], [0.3, loss], seed=seed) for seed, loss in enumerate(losses)])
    (end,) = results.endings
    assert (end.loss_low, end.loss_high, end.exploitability_low) == (None, None, None)
    assert describe(results).count("(undetermined)") == 2


def test_an_algorithm_that_is_optimal_for_fewer_pairs_than_genes_is_reported():
    """An algorithm that computes the optimum by itself cannot be recognised by what it loads."""
    place = GAMES_PLACE
    genes = place.grid.genes
    results = results_of(
        place,
        early=[trial([0, 10, 9000], [0.3, 0.0005, 0.0]), trial([0, 50, 9000], [0.3, 0.0, 0.0], seed=1)],
        late=[trial([0, 10 * genes - 10, 10 * genes], [0.3, 0.002, 0.0])],
        at_once=[trial([0, 10, 9000], [0.0005, 0.0, 0.0])],
    )
    assert results.early == [Early("early", place.name, 2, 1, genes)]


def test_hits_count_by_the_share_of_their_own_budget():
    """So that evaluations and games can be in one picture."""
    games = instance("t9-g10")
    few = [trial([0, 10, 100], [0.5, 0.0, 0.0], budget=100, seed=seed) for seed in range(2)]
    many = [trial([0, 5000], [0.5, 0.05], budget=10_000, seed=seed) for seed in range(2)]
    results = Results({"a": {PLACE.name: few, games.name: many}}, {PLACE.name: PLACE, games.name: games})
    n = len(TARGETS)
    shares = results.shares("a", "loss")
    assert shares.shape == (2, 2 * n)
    assert shares[:, :n].ravel().tolist() == [0.1] * (2 * n)
    assert shares[0, n:].tolist() == [0.5] * 3 + [np.inf] * (n - 3)
    assert results.shares("a", "exploitability")[0, n:].tolist() == [0.5] * 2 + [np.inf] * (n - 2)


def words_in(axes):
    texts = [text.get_text() for text in axes.texts]
    legend = axes.get_legend()
    return [*texts, *([text.get_text() for text in legend.get_texts()] if legend else []), axes.get_ylabel()]


def test_labels_are_words():
    hit = ecdf_data(np.array([[0.1, 0.5], [0.2, np.inf]]), np.array([[0, 1], [1, 1]]))
    lost = anytime_data([np.array([0, 10])], [np.array([0.5, 0.1])])
    for axes in (plot_ecdf({"one_comma_lambda": hit}), plot_anytime({"one_comma_lambda": lost}, "games")):
        assert any(text.startswith("one comma lambda") for text in words_in(axes))
        assert not [text for text in words_in(axes) if "_" in text or "(" in text]


@pytest.fixture(scope="module")
def trials():
    return [try_out(Mutants, GAMES_PLACE, seed, 1000, name="my mutants") for seed in range(3)]


@pytest.fixture
def folder(trials, tmp_path):
    for name, content in ioh_files(trials, GAMES_PLACE, "loss", "a source"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def blocks(folder):
    (table,) = folder.rglob("*.dat")
    parts = re.split(r"^evaluations raw_y\n", table.read_text(), flags=re.M)
    assert parts[0] == ""
    return [np.array([line.split(" ") for line in part.splitlines()], dtype=float) for part in parts[1:]]


def test_the_record_has_what_readers_require(folder, trials):
    (file,) = folder.glob("*.json")
    record = json.loads(file.read_text())
    number = function_id(GAMES_PLACE)
    assert file.name == f"IOHprofiler_f{number}_t9-d3-c1-g10.json"
    required = {"version", "suite", "function_id", "function_name", "maximization", "algorithm", "attributes"}
    assert required <= record.keys()
    assert tuple(map(int, record["version"].split("."))) >= (0, 3, 3)  # older ones have separators in quotes
    assert (record["function_id"], record["maximization"]) == (number, False)
    assert record["algorithm"] == {"name": "my mutants", "info": "a source"}
    assert record["attributes"] == ["evaluations", "raw_y"]
    assert {"unit": "games"} in record["experiment_attributes"]
    (scenario,) = record["scenarios"]
    assert scenario["path"] == f"data_f{number}_t9-d3-c1-g10/IOHprofiler_f{number}_DIM324.dat"
    assert (folder / scenario["path"]).is_file()
    assert scenario["dimension"] == GAMES_PLACE.grid.genes == 324
    assert [run["evals"] for run in scenario["runs"]] == [trial.spent[-1] for trial in trials]
    assert [run["best"]["y"] for run in scenario["runs"]] == [trial.loss.min() for trial in trials]


def test_a_table_has_a_block_for_each_seed_that_begins_at_1_and_ends_with_the_last_evaluation(folder, trials):
    tables = blocks(folder)
    assert len(tables) == 3
    for rows, trial in zip(tables, trials, strict=True):
        assert rows[0].tolist() == pytest.approx([1, trial.loss[0]], abs=1e-9)
        assert rows[-1].tolist() == pytest.approx([1000, trial.loss[-1]], abs=1e-9)
        assert (np.diff(rows[:, 0]) > 0).all()
        assert rows[1:, 1] == pytest.approx(trial.loss[1:], abs=1e-9)
        assert (rows[:, 0] == 1).sum() == 1  # which is how a reader tells runs apart


def test_where_the_first_record_is_of_one_evaluation_it_is_the_beginning(tmp_path):
    class One(Mutants):
        size = 1

    place = instance("t9-d3")
    trial = try_out(One, place, 0, 10)
    table = dict(ioh_files([trial], place, "exploitability"))
    (rows,) = (content.decode().splitlines()[1:] for name, content in table.items() if name.endswith(".dat"))
    assert [int(row.split(" ")[0]) for row in rows] == trial.spent[1:].tolist()
    assert float(rows[0].split(" ")[1]) == pytest.approx(trial.exploitability[1], abs=1e-9)


def test_functions_have_numbers_of_their_own():
    names = {name for suite in SUITES.values() for name in suite} | {f"t{n}-d3" for n in range(20, 60)}
    numbers = {name: function_id(instance(name)) for name in names}
    assert len(set(numbers.values())) == len(names)
    assert max(numbers.values()) < 2**16
    assert [numbers[name] for name in SUITES["small"]] == list(range(1, len(SUITES["small"]) + 1))


def test_a_published_reader_reads_it(folder, trials):
    iohinspector = pytest.importorskip("iohinspector")
    manager = iohinspector.DataManager()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager.add_folder(str(folder))
    overview = manager.overview
    assert overview["algorithm_name"].to_list() == ["my mutants"] * 3
    assert overview["function_name"].to_list() == [GAMES_PLACE.name] * 3
    assert overview["dimension"].to_list() == [324] * 3
    assert overview["evals"].to_list() == [int(trial.spent[-1]) for trial in trials]
    assert overview["best_y"].to_list() == [trial.loss.min() for trial in trials]
    data = manager.load(monotonic=False, include_meta_data=True)
    for run, trial in enumerate(trials, start=1):
        rows = data.filter(data["run_id"] == run)
        assert rows["evaluations"].to_list() == [1, *trial.spent[1:].tolist()]
        assert rows["raw_y"].to_list() == pytest.approx(trial.loss.tolist(), abs=1e-9)


def test_a_published_reader_finds_the_same_running_times(folder, trials):
    iohinspector = pytest.importorskip("iohinspector")
    from iohinspector.metrics.fixed_target import aggregate_running_time

    manager = iohinspector.DataManager()
    manager.add_folder(str(folder))
    data = manager.load(monotonic=True, include_meta_data=True)
    middle = float(np.median([trial.loss.min() for trial in trials]))
    table = aggregate_running_time(data, f_min=middle / 3, f_max=0.3, eval_max=1000).sort_values("raw_y")
    ours, _, _ = running_times(trials, "loss", table["raw_y"].to_numpy())
    assert {1, 2, 3} <= set(table["success_count"])  # some targets are hit by some seeds only
    assert ours == pytest.approx(table["ERT"].to_numpy())


KNOWN = reference_trials()
CHEAP = ("t10-d2-c1-exact", "t20-d3-c2-g100", "piglet-t20-c2-g10")


@pytest.fixture(scope="module")
def results():
    """A benchmark of one reference algorithm, computed here."""
    place = instance("t10-d2-c1-g10")
    trials = [try_out(ALGORITHMS["one_comma_lambda"].function, place, seed) for seed in range(FEWEST)]
    return Results({"one_comma_lambda": {place.name: trials}}, {place.name: place})


def test_every_algorithm_has_results_on_every_instance_of_every_suite():
    places = {name for names in SUITES.values() for name in names}
    runs = {(row.instance, row.algorithm, row.seed, row.budget) for row in KNOWN}
    assert len(runs) == len(KNOWN)
    assert runs == {
        (name, algorithm, seed, instance(name).usual_budget)
        for name in places for algorithm in ALGORITHMS for seed in range(FEWEST)
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", CHEAP)
def test_a_trial_done_again_ends_as_in_the_table(name, algorithm):
    (row,) = [known for known in KNOWN if (known.instance, known.algorithm, known.seed) == (name, algorithm, 1)]
    trial = try_out(ALGORITHMS[algorithm].function, instance(name), 1)
    assert trial.spent[-1] == row.spent
    ends = (trial.loss[-1], trial.exploitability[-1])
    assert ends == pytest.approx((row.loss, row.exploitability), abs=6e-7)


def test_standings_are_those_of_a_benchmark(results):
    (place,) = results.instances
    (again,) = results.standings
    (known,) = [standing for standing in reference_standings(KNOWN, [place]) if standing.algorithm == again.algorithm]
    figures = [(standing.area, standing.area_low, standing.area_high, standing.hit) for standing in (again, known)]
    assert figures[0] == pytest.approx(figures[1], abs=2e-6)
    areas = [
        [standing.area_loss for standing in KNOWN if standing.algorithm == "knockout" and standing.instance == place]
        for place in CHEAP
    ]
    (knockout,) = [standing for standing in reference_standings(KNOWN, CHEAP) if standing.algorithm == "knockout"]
    assert knockout.area == pytest.approx(np.mean(areas))


def test_all_others_stand_beside_an_entrant(results):
    beside = reference_beside(results)
    assert {standing.algorithm for standing in beside} == ALGORITHMS.keys() - {"one_comma_lambda"}
    assert [standing.area for standing in beside] == sorted((standing.area for standing in beside), reverse=True)


def test_nothing_stands_beside_another_budget_or_instance(results):
    (trials,) = results.trials["one_comma_lambda"].values()
    (place,) = results.instances.values()
    half = [replace(trial, budget=trial.budget // 2) for trial in trials]
    assert reference_beside(replace(results, trials={"mine": {place.name: half}})) == []
    other = instance("t11-d2-c1-g10")
    places = {place.name: place, other.name: other}
    assert reference_beside(Results({"mine": {place.name: trials, other.name: trials}}, places)) == []


STUDY = load_study("benchmark")
README, TABLES = readme_and_tables("benchmark")


def test_tables_follow_from_the_trials():
    assert STUDY.tables(KNOWN) == TABLES


def test_the_table_of_the_readme_is_that_of_all_instances():
    printed = re.findall(r"^\| (\w+) \| (0\..+) \| (0\..+) \| (0\..+) \|$", README, flags=re.M)
    assert [list(cells) for cells in printed] == [cells[1:] for cells in cells_of(TABLES["suites"], "all |")]


def test_sentences_that_compare_say_what_the_tables_say():
    area = {cells[1]: [number.value for number in numbers(cells[2])] for cells in cells_of(TABLES["suites"], "all |")}
    _, _, random_search = area.pop("random_search")
    assert [name for name, (_, low, _) in area.items() if low > random_search] == ["knockout", "nash_memory"]
    (cells,) = cells_of(TABLES["instances"], "t20-d3-c2-g100 |")
    means, lows, highs = zip(*([number.value for number in numbers(cell)] for cell in cells[1:]), strict=True)
    assert min(highs) > max(lows)
    assert (min(means), max(means)) == (0.129, 0.160)


def test_algorithms_that_do_not_use_the_oracle_are_the_same_without_it():
    losses = {}
    for trial in KNOWN:
        losses.setdefault((trial.instance, trial.algorithm), []).append((trial.loss, trial.area_loss))
    for task in ("t20-d3-c2-exact", "t20-d3-c2-g100"):
        pairs = {name: (losses[task, name], losses[f"{task}-oracle", name]) for name in ALGORITHMS}
        assert {name for name, (without, oracle) in pairs.items() if without != oracle} == {
            "hill_climber",
            "random_search",
        }


def test_the_readme_counts_what_there_is():
    places = {name for names in SUITES.values() for name in names}
    assert f"{len(ALGORITHMS)} {len(places)} {len(SUITES['games'])}" == "10 14 4"  # ten, fourteen, four of other games
    assert STUDY.MOST_SEEDS == 6


@pytest.mark.slow
def test_the_study_writes_its_tables_and_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(STUDY, "SUITES", {"t10-d2-c1-g10": ("t10-d2-c1-g10",)})
    STUDY.run(tmp_path, 1, 1)
    assert {path.name for path in tmp_path.glob("*.*") if path.is_file()} >= {"tables.md", "trials.csv"}
    assert set(read_sections(tmp_path)) == set(TABLES)
    assert (tmp_path / "pictures/hits.png").is_file()
    again, committed = (
        [trial for trial in reference_trials(path) if trial.seed == 0 and trial.instance == "t10-d2-c1-g10"]
        for path in (tmp_path / "trials.csv", None)
    )
    assert len(again) == len(ALGORITHMS)
    assert again == committed
