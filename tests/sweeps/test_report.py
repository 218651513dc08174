"""A sweep read back and reported: its runs, its table, curves and ranking, with random search beside its settings."""

import csv
import io
import json
import re
import shutil
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.colors import to_hex

import pigevo
from pigevo.cli import main
from pigevo.cli.commands.report import describe
from pigevo.core.intervals import mean_interval
from pigevo.errors import InputError
from pigevo.figures.ranks import mean_ranks
from pigevo.storage.files import locked, write_bytes
from pigevo.sweeps import Job
from pigevo.sweeps.comparison import GAMES, QUICK, cautions
from pigevo.sweeps.curves import APART, POINTS, band_of, notes_on_ends, panels_of
from pigevo.sweeps.load import _names_of, _sharing, load_sweep
from pigevo.sweeps.record import WHOLE, write_failures
from pigevo.sweeps.report import (
    FORMS,
    RandomMean,
    _answer,
    _further_seeds,
    random_means,
    ranking_of,
    report,
    title_of,
    verdicts,
)
from pigevo.sweeps.run_sweep import drive
from pigevo.sweeps.statistics import compare_pairs
from pigevo.web.drawing import page_colour
from pigevo.web.html import minus
from pigevo.web.report import reported_settings
from pigevo.web.report.curves import sweep_curves
from pigevo.web.report.sweep import _ranking, _sheet, _varied, reported_runs
from tests.small import done_here, small_settings, two_rates


def test_a_run_is_read_back(finished_sweep):
    member = pigevo.load_sweep(finished_sweep).members[0]
    run = pigevo.load_run(member.folder)
    assert run.settings.seed == member.seed
    assert run.metrics["generation"].tolist() == [0, 2, 4, 6]
    assert run.metrics["cube_size"].tolist() == ["1"] * 4
    assert run.metrics["mean"][-1] == run.result["last_mean"]
    assert pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy).overall == pytest.approx(
        run.result["champion"]["overall"]
    )
    frame = run.frame()
    assert list(frame.columns)[:2] == ["generation", "wave"]
    assert frame["mean"].tolist() == run.metrics["mean"].tolist()


def test_the_champions_of_a_sweep_are_taken_where_many_strategies_meet(finished_sweep, capsys):
    loaded = pigevo.load_sweep(finished_sweep)
    champions = loaded.champions()
    assert list(champions) == [f"{m.setting},seed={m.seed}" for m in loaded.finished]
    assert list(champions.values())[1] == loaded.finished[1].load().champion
    assert [champion.name for champion in champions.values()] == list(champions)
    assert set(pigevo.tournament(champions, times=1).names) == set(champions)
    few = "--populations 20 --generations 5 --json"
    assert main(["dynamics", "optimal", str(finished_sweep), *few.split()]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["names"] == ["optimal", *champions]
    assert record["game"] == str(loaded.finished[0].load().champion.game)
    assert [row["setting"] for row in record["settings"]] == loaded.settings
    assert sum(row["champions"] for row in record["settings"]) == len(champions)
    for key in ("end", "alpha_rank", "takes_over"):
        together = record["strategies"][0][key] + sum(row[key] for row in record["settings"])
        assert together == pytest.approx(1, abs=1e-9)
    assert main(["tournament", str(finished_sweep), "--times", "1", "--target", "50"]) == 2
    assert "not Pig to 50: give the game's own settings" in capsys.readouterr().err


def test_a_sweep_without_a_finished_run_has_no_champions(sweep):
    for member in pigevo.load_sweep(sweep).members:
        (member.folder / "result.json").unlink()
    with pytest.raises(InputError, match=r"no run of .* has finished: run the sweep first"):
        pigevo.load_sweep(sweep).champions()
    table = pigevo.load_sweep(sweep).table()
    assert [name for name in table if not len(table[name])] == list(table)
    assert list(table)[:6] == ["run", "setting", "seed", "generation", "metric", "value"]


def test_how_far_each_run_is(sweep, capsys):
    loaded = pigevo.load_sweep(sweep)
    assert [m.state for m in loaded.members] == ["finished"] * 8
    assert main(["status", str(sweep)]) == 0
    folders = [m.folder for m in loaded.members]
    shutil.rmtree(folders[0])
    for folder in folders[1:4]:
        (folder / "result.json").unlink()
    shutil.rmtree(folders[2] / "figures", ignore_errors=True)
    (folders[2] / "checkpoint.npz").unlink()
    write_failures(sweep, {folders[2]: "killed by signal 9 (Killed)", folders[5]: "failed once, finished since"})
    capsys.readouterr()
    with locked(folders[3]):
        states = [m.state for m in pigevo.load_sweep(sweep).members]
        assert states == ["missing", "interrupted", "failed", "running", *["finished"] * 4]
        assert main(["status", str(sweep)]) == 1
    output = capsys.readouterr().out
    assert "8 runs: 4 finished, 1 running, 1 failed, 1 interrupted, 1 missing" in output
    assert "killed by signal 9" in output
    assert "failed once" not in output
    main(["status", str(sweep), "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["counts"]["interrupted"] == 2
    assert not (folders[0]).exists()  # looking makes nothing


@pytest.mark.parametrize("content", ["{", '{"format": 99, "runs": []}'])
def test_a_damaged_record_is_refused(tmp_path, content):
    (tmp_path / "sweep.json").write_text(content)
    with pytest.raises(InputError, match=r"is damaged|by a later pigevo"):
        pigevo.load_sweep(tmp_path)


@pytest.mark.parametrize("linked", ["outputs/sweeps", "outputs", ""])
def test_a_sweep_whose_folder_or_one_above_it_is_a_link_is_read(make_jobs, tmp_path, linked):
    if linked:
        (tmp_path / "disk" / linked).mkdir(parents=True)
        (tmp_path / linked).parent.mkdir(exist_ok=True)
        (tmp_path / linked).symlink_to(tmp_path / "disk" / linked)
    folder = drive(
        make_jobs(tmp_path / "outputs" / "runs", [1, 2]), ["seed=1,2"], tmp_path / "outputs/sweeps", done_here
    )
    (tmp_path / "mine").symlink_to(folder)
    for place in (folder, folder.resolve(), tmp_path / "mine"):
        assert [member.state for member in load_sweep(place).members] == ["finished"] * 2


RANDOM = "random populations, single cells (95 %)"


@pytest.mark.parametrize("name", ["report", "report/figures", "report/table.csv", "report/figures/mean.png"])
def test_a_report_is_not_written_through_a_link(sweep, tmp_path, name):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "figures").mkdir(parents=True)
    for other in ("table.csv", "ranking.csv", "figures/mean.png", "mean.png"):
        (elsewhere / other).write_text("of somebody")
    place = sweep / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(elsewhere if place.suffix == "" else elsewhere / place.name)
    with pytest.raises(InputError, match="is a link"):
        report(pigevo.load_sweep(sweep))
    assert {path.read_text() for path in elsewhere.rglob("*.*")} == {"of somebody"}
    assert len(list(elsewhere.rglob("*"))) == 5
    assert name == "report" or not [path for path in (sweep / "report").rglob("*.*") if not path.is_symlink()]


def test_a_report_that_cannot_be_drawn_writes_nothing(sweep):
    with pytest.raises(InputError, match="there is no axis"):
        report(pigevo.load_sweep(sweep), axis="nowhere")
    loaded = pigevo.load_sweep(sweep)
    for run in loaded.runs.values():
        run.metrics["games"][:] = 0
    with pytest.raises(InputError, match="has spent any games"):
        report(loaded, axis="games")
    assert not (sweep / "report").exists()


def test_the_table_is_long_and_the_same_in_every_form_and_one_format_is_that_of_all_pictures(sweep, monkeypatch):
    from pyarrow import parquet

    monkeypatch.setattr("pigevo.web.report.sweep.sweep_report", lambda *_: [])
    assert main(["report", str(sweep), "--no-film", "--figures", "svg"]) == 0
    made = {path.name: path for path in (sweep / "report").rglob("*.*")}
    drawn = {"best.svg", "mean.svg", "worst.svg", "diversity.svg", "hand_in.svg"}
    assert set(made) == {"table.csv", "table.parquet", "ranking.csv", *drawn}
    assert all("mutation=0.3</text>" in made[name].read_text() for name in drawn)
    loaded = pigevo.load_sweep(sweep)
    table = loaded.table()
    assert list(table) == ["run", "setting", "seed", "generation", "metric", "value", "mutation"]
    assert len(table["value"]) == 8 * (4 * 8 + 4)
    with made["table.csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == table["value"].tolist()
    assert parquet.read_table(made["table.parquet"]).to_pydict() == {
        name: column.tolist() for name, column in table.items()
    }
    frame = loaded.frame()
    means = frame[(frame.setting == "mutation=0") & (frame.seed == 2) & (frame.metric == "mean")]
    (member,) = (m for m in loaded.members if (m.setting, m.seed) == ("mutation=0", 2))
    assert means.value.tolist() == member.load().metrics["mean"].tolist()
    champion = frame[(frame.metric == "champion") & (frame.run == member.folder.name)]
    assert champion.value.item() == member.load().result["champion"]["overall"]
    assert champion.generation.item() == 6


def test_the_ranking_is_that_of_the_results(sweep, capsys, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    monkeypatch.setattr("pigevo.web.report.sweep.sweep_report", lambda *_: [])
    assert main(["report", str(sweep), "--metric", "last_mean", "--axis", "evaluations", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    results = pigevo.load_sweep(sweep).results()
    means = {s: results["last_mean"][results["setting"] == s].mean() for s in ("mutation=0", "mutation=0.3")}
    assert [ranked["setting"] for ranked in record["ranking"]] == sorted(means, key=means.get, reverse=True)
    for ranked in record["ranking"]:
        assert ranked["mean"] == pytest.approx(means[ranked["setting"]])
        assert ranked["low"] <= ranked["mean"] <= ranked["high"]
    assert record["runs"] == {"finished": 8}
    assert main(["report", str(sweep)]) == 0
    output = capsys.readouterr().out
    assert "8 of 8 runs have finished" in output
    assert "mutation=0.3" in output


def test_the_curves(sweep, monkeypatch):
    drawn = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: drawn.update({path.stem: figure}))
    loaded = pigevo.load_sweep(sweep)
    for axis in ("generation", "games", "seconds"):
        report(loaded, axis=axis)
        (axes,) = drawn["mean" if axis == "generation" else f"mean_{axis}"].axes
        lines = {line.get_label(): line for line in axes.get_lines() if line.get_label()}  # but for pieces before names
        assert set(lines) == {"mutation=0", "mutation=0.3", RANDOM, "the optimum"}
        if axis == "seconds":
            continue
        runs = [m.load() for m in loaded.members if m.setting == "mutation=0.3"]
        assert lines["mutation=0.3"].get_xdata().tolist() == runs[0].metrics[axis].tolist()
        median = np.median([run.metrics["mean"] for run in runs], axis=0)
        assert lines["mutation=0.3"].get_ydata().tolist() == pytest.approx(median.tolist())
        low, high = 0.05, 0.95
        random = lines[RANDOM].get_ydata()[0]
        assert low < random < high
    assert RANDOM not in {line.get_label() for line in drawn["diversity"].axes[0].get_lines()}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["status", "nowhere"], "there is no folder nowhere"),
        (["report", "SWEEP", "--metric", "champoin"], "did you mean champion"),
        (["report", "SWEEP", "--axis", "gnerations"], "did you mean generation"),
        (["compare", "SWEEP", "mutation=0.4"], "no setting 'mutation=0.4'"),
        (["compare", "SWEEP", "nowhere"], "there is no folder nowhere"),
        (["compare", "SWEEP", "a=1", "b=2", "c=3"], "at most two settings"),
        (["compare"], "Missing argument"),
    ],
)
def test_wrong_words_are_one_sentence(words, message, sweep, capsys):
    assert main([str(sweep) if word == "SWEEP" else word for word in words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_sweep_in_which_nothing_has_finished_is_refused(sweep, capsys):
    for member in pigevo.load_sweep(sweep).members:
        (member.folder / "result.json").unlink()
    for command in ("report", "compare"):
        assert main([command, str(sweep)]) == 2
        assert "has finished: run the sweep first" in capsys.readouterr().err


def run(places, values):
    return SimpleNamespace(metrics={"seconds": np.array(places), "mean": np.array(values)})


def test_a_band_goes_as_far_as_all_runs_do():
    """Where one run has not begun, or is over, nothing is known of it."""
    runs = [run([0.0, 10.0], [0.0, 1.0]), run([2.0, 6.0], [0.2, 0.6]), run([1.0, 8.0], [0.1, 0.8])]
    band = band_of(runs, "mean", "seconds", 0.5)
    assert (band.x[0], band.x[-1], len(band.x), band.runs) == (2.0, 6.0, POINTS, 3)
    for line in (band.low, band.median, band.high):
        assert line == pytest.approx(band.x / 10)


def test_runs_without_a_common_stretch_have_no_curve_and_the_figures_say_so(sweep, monkeypatch):
    """The first run compiles what the next ones load: it begins when they are over, and there is nothing between."""
    late, early = run([35.0, 39.0], [0.2, 0.6]), run([0.2, 2.0], [0.1, 0.8])
    assert len(band_of([late, early], "mean", "seconds", 0.5).median) == 0
    nothing_spent = [run([0.0] * n, [0.5] * n) for n in (2, 3)]  # not one after the other
    assert len(band_of(nothing_spent, "mean", "seconds", 0.5).median) > 0
    loaded, figures = pigevo.load_sweep(sweep), {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: figures.update({path.stem: figure}))
    first, *others = loaded.runs.values()
    for one in others:
        one.metrics["seconds"] = np.linspace(0.1, 2, len(one.metrics["seconds"]))
    assert not notes_on_ends([*loaded.by_setting.values()], "generation")
    first.metrics["seconds"] = 35 + np.linspace(0.1, 2, len(first.metrics["seconds"]))
    report(loaded, axis="seconds")
    for figure in (figures["mean_seconds"], figures["hand_in_seconds"]):
        assert APART in figure.axes[0].get_xlabel()
        assert "a curve ends where the first of its runs does" in figure.axes[0].get_xlabel()
        assert not any(max(line.get_xdata(), default=0) > 2 for line in figure.axes[0].get_lines())
    for place, one in enumerate(others):
        one.metrics["seconds"] = 100 * place + np.linspace(0.1, 2, len(one.metrics["seconds"]))
    with pytest.raises(InputError, match="in every setting one run was over before another had begun, in seconds"):
        report(loaded, axis="seconds")
    assert "curve-mean-seconds" not in str(sweep_curves(loaded, "generation", "curve"))


def test_a_run_counts_as_it_is_between_its_records():
    runs = [run([0.0, 4.0, 8.0], [0.0, 0.4, 0.0]), run([0.0, 8.0, 20.0], [0.2, 0.2, 9.0])]
    band = band_of(runs, "mean", "seconds", 0.5)
    assert band.x[-1] == 8.0
    triangle = np.interp(band.x, [0, 4, 8], [0, 0.4, 0])
    assert band.median == pytest.approx((triangle + 0.2) / 2)
    assert band.high == pytest.approx(np.maximum(triangle, 0.2) * 0.75 + np.minimum(triangle, 0.2) * 0.25)


def test_runs_recorded_at_the_same_places_are_not_interpolated():
    band = band_of([run([0, 10, 11], [0.1, 0.5, 0.9]), run([0, 10, 11], [0.3, 0.7, 0.5])], "mean", "seconds", 0.5)
    assert band.x.tolist() == [0, 10, 11]
    assert band.median.tolist() == pytest.approx([0.2, 0.6, 0.7])


def test_a_page_has_all_seeds_among_the_settings_that_vary(sweep):
    """Not the last seed of each setting, nor the first run's, as though all had it."""
    loaded = pigevo.load_sweep(sweep)
    seeds = sorted({member.seed for member in loaded.members})
    assert len(seeds) > 2
    assert _varied(loaded)["seed"] == [f"{seeds[0]} to {seeds[-1]}"]
    one = replace(loaded, members=tuple(member for member in loaded.members if member.seed == seeds[0]))
    assert "seed" not in _varied(one)


def test_the_sheet_to_hand_in_says_that_quick_runs_settle_nothing(sweep, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    loaded = pigevo.load_sweep(sweep)
    made = report(loaded)
    chosen = reported_settings(next(iter(loaded.runs.values())))
    assert cautions(loaded) == (QUICK,)
    assert str(_sheet(made, chosen)).count(QUICK) == 1
    first = min(member.seed for member in loaded.members)
    one = replace(loaded, members=tuple(member for member in loaded.members if member.seed == first))
    assert f"the mean over seed {first}." in str(_sheet(report(one), chosen))
    alone = [member for member in loaded.members if member.setting == loaded.settings[0]]
    assert str(_sheet(report(replace(loaded, members=tuple(alone))), chosen)).count(QUICK) == 1


def test_of_two_runs_none_is_the_median(sweep, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    loaded = pigevo.load_sweep(sweep)
    for seeds, title in ((2, "The other run"), (3, "The median run")):
        chosen = sorted({member.seed for member in loaded.members})[:seeds]
        some = replace(loaded, members=tuple(member for member in loaded.members if member.seed in chosen))
        assert reported_runs(report(some))[1].title.startswith(title)


def test_settings_of_different_games_are_said_to_be_so(sweep):
    loaded = pigevo.load_sweep(sweep)
    games = {setting: {"name": "pig", "target": 9 + n} for n, setting in enumerate(loaded.settings)}
    members = [replace(one, values={**one.values, "game": games[one.setting]}) for one in loaded.members]
    of_two_games = replace(loaded, members=tuple(members))
    assert cautions(of_two_games) == (GAMES, QUICK)
    assert GAMES in str(pigevo.compare(of_two_games))
    of_one_game = [member for member in members if member.setting == loaded.settings[0]]
    assert cautions(of_two_games, together=[of_one_game]) == (QUICK,)
    assert GAMES not in str(pigevo.compare(loaded))


def test_random_populations_of_several_settings_are_told_apart(sweep, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made = report(pigevo.load_sweep(sweep))
    low, high = RandomMean(0.2, 0.1, 0.3, 50), RandomMean(0.25, None, None, 50)
    same = replace(made, random={"x=1": low, "x=2": low})
    assert random_means(same) == ["50 random populations win 20.0 % (10.0 to 30.0) on average"]
    other = replace(made, random={"x=1": high, "x=2": low, "x=3": high})
    assert random_means(other) == [
        "With x=2, 50 random populations win 20.0 % (10.0 to 30.0) on average",
        "With x=1 and 3, 50 random populations win 25.0 % on average",
    ]


def test_of_three_or_more_settings_the_mean_ranks_are_drawn(sweep):
    loaded = pigevo.load_sweep(sweep)
    members = [replace(one, setting=f"x={n // 2}", seed=n % 2) for n, one in enumerate(loaded.members)]
    made = replace(loaded, members=tuple(members))
    made.__dict__["runs"] = dict(zip(members, loaded.runs.values(), strict=True))
    drawn = sweep / "report" / "ranks.svg"
    assert drawn in report(made, figures="svg").files
    assert all(f"x={n}</text>" in drawn.read_text() for n in range(4))
    assert "mean rank over 2 seeds" in drawn.read_text()


@pytest.mark.parametrize(("best", "filled"), [((0.41, 0.45, 0.6), "abc"), ((0.6, 0.61, 0.62), "a")])
def test_the_picture_of_ranks_fills_the_dots_that_compare_does_not_separate(sweep, monkeypatch, best, filled):
    """Three settings have the same order with each of three seeds, so that Nemenyi's test separates a from c."""
    three = {"a": best, "b": (0.4, 0.39, 0.41), "c": (0.35, 0.36, 0.38)}
    values, figures = {f"x={name}": dict(enumerate(row)) for name, row in three.items()}, {}
    assert np.ptp(mean_ranks({name: [*row.values()] for name, row in values.items()}).ranks) == 2
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: figures.update({path.stem: figure}))
    loaded = pigevo.load_sweep(sweep)
    members = [replace(one, setting=f"x={'abc'[n % 3]}", seed=n // 3) for n, one in enumerate(loaded.members)]
    made = replace(loaded, members=tuple(members))
    made.__dict__["runs"] = dict(zip(members, loaded.runs.values(), strict=True))
    monkeypatch.setattr(type(made), "by_seed", lambda *_: values)
    report(made)
    (ax,) = figures["ranks"].axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert [name for name, line in zip(names, ax.lines, strict=True) if line.get_markerfacecolor() != "w"] == [
        f"x={name}" for name in filled
    ]


@pytest.mark.parametrize(
    ("metric", "instead"),
    [("x/../../evil", "there are: best_seen, champion, last_mean, peak_mean"), ("peak", "did you mean peak_mean?")],
)
def test_what_is_no_metric_is_refused_as_that(sweep, capsys, metric, instead):
    assert main(["report", str(sweep), "--metric", metric]) == 2
    assert f"there is no metric '{metric}'; {instead}" in capsys.readouterr().err


def test_another_metric_or_axis_replaces_no_file_of_the_default(sweep, monkeypatch):
    def save(path, figure):
        drawn = [
            (ax.get_xlabel(), ax.get_ylabel(), [line.get_xydata().tolist() for line in ax.lines]) for ax in figure.axes
        ]
        write_bytes(path, json.dumps(drawn).encode())

    monkeypatch.setattr("pigevo.sweeps.report.save_figure", save)
    loaded = pigevo.load_sweep(sweep)
    usual = report(loaded).files
    before = {path: path.read_bytes() for path in usual}
    others = {*report(loaded, metric="peak_mean").files, *report(loaded, axis="games").files} - {*usual}
    assert {path.name for path in others} >= {"ranking_peak_mean.csv", "hand_in_peak_mean.png", "hand_in_games.png"}
    assert {path: path.read_bytes() for path in usual} == before


def test_the_further_seeds_of_an_open_comparison_are_those_of_the_textbook():
    """n = ((z(1 - a / 2) + z(.8)) s / d)^2 for a known spread; the t-test needs a few more (Cohen 1988, chapter 2)."""
    rng = np.random.default_rng(5)
    changes = rng.normal(size=12)
    changes = 0.02 + 0.05 * (changes - changes.mean()) / changes.std(ddof=1)
    values = {"m=1": dict.fromkeys(range(12), 0.4), "m=2": {seed: 0.4 - d for seed, d in enumerate(changes)}}
    differences = SimpleNamespace(compared=compare_pairs(values, [("m=1", "m=2")]))
    ranking = [SimpleNamespace(setting=setting, runs=12) for setting in values]
    made = SimpleNamespace(first=["m=1", "m=2"], differences=differences, ranking=ranking)
    (sentence,) = _further_seeds(made)
    textbook = ((1.959964 + 0.841621) * 0.05 / 0.02) ** 2 - 12
    more = int(re.match(r"About (\d+) more seeds", sentence)[1])
    assert textbook < more < textbook + 4
    assert (
        "a difference of 2.0 percentage points, as seen between m=1 and 2 (an estimate, for a power of 80 %" in sentence
    )
    assert _further_seeds(SimpleNamespace(first=["m=1"], differences=made.differences)) == []
    made.ranking[1].runs = 11  # the means beside the sentence are then of other seeds, and may lie the other way round
    made.first.reverse()
    (sentence,) = _further_seeds(made)
    assert "between m=2 and 1 in the 12 seeds that both have, where m=1 is ahead (an estimate" in sentence


SEEDS = range(3)
RATES = (0, 0.3)
WORDS = ("game.target=30", "cubes=waves", "cubes.sizes=[4,2]", "cubes.generations=[2,4]", "baseline=random_search",
         "baseline.populations=2")  # fmt: skip


@pytest.fixture(scope="module")
def compared(tmp_path_factory, samples):
    """Two rates with three seeds each, on cubes of 4 and then of 2, beside random search."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(samples))
        return two_rates(tmp_path_factory.mktemp("outputs"), 3, *WORDS)


@pytest.fixture
def compared_sweep(compared):
    return pigevo.load_sweep(compared)


def by_record(sweep, cubes):
    """What the runs' own records say, by seed, each once."""
    by_seed = {}
    for member, run in sweep.runs.items():
        (search,) = (search for search in run.result["baseline"]["random_search"] if search["cubes"] == cubes)
        assert search["seed"] == member.seed
        by_seed.setdefault(member.seed, set()).add(search["by_matches"])
    assert all(len(values) == 1 for values in by_seed.values())  # the rates share a search, the seeds do not
    return {seed: values.pop() for seed, values in by_seed.items()}


@pytest.mark.parametrize("sign", [1, -1])
def test_a_setting_and_a_random_search_have_one_colour_in_all_figures_whatever_the_ranking(
    compared_sweep, monkeypatch, sign
):
    figures = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: figures.update({path.stem: figure}))
    for module in ("report", "curves"):
        monkeypatch.setattr(f"pigevo.sweeps.{module}.is_ordered", lambda _: False)
    ranking = sorted(ranking_of(compared_sweep, "champion"), key=lambda ranked: sign * ranked.mean)
    monkeypatch.setattr("pigevo.sweeps.report.ranking_of", lambda *_: ranking)
    dots = re.findall("<svg.*?</svg>", "".join(map(str, _ranking(report(compared_sweep)))))
    of_curves = {line.get_label(): to_hex(line.get_color()) for line in figures["mean"].axes[0].get_lines()}
    rows = figures["hand_in"].axes[1]
    names = [label.get_text() for label in rows.get_yticklabels()]
    assert len(names) == len(RATES) + 2
    for row, (name, dot) in enumerate(zip(names, dots, strict=True)):
        (mean,) = (line for line in rows.get_lines() if line.get_marker() == "|" and line.get_ydata()[0] == row)
        (color,) = {color for label, color in of_curves.items() if f"{label},".startswith(f"{name},")}
        assert to_hex(mean.get_color()) == color
        assert page_colour(color) in dot


def test_the_figure_to_hand_in_says_what_it_leaves_out(compared_sweep, monkeypatch):
    """Above are the curves of the first settings and the means of random searches, and no means of other champions."""
    figures = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: figures.update({path.stem: figure}))
    monkeypatch.setattr("pigevo.sweeps.report.MOST_CURVES", 1)
    monkeypatch.setattr("pigevo.sweeps.report.MOST_OUTCOMES", 3)
    made = report(compared_sweep)
    above, below = figures["hand_in"].axes
    level = [line.get_ydata()[0] for line in above.get_lines() if len({*line.get_ydata()}) == 1]
    searches = [ranked.mean for ranked in made.ranking[:3] if "random" in ranked.setting]
    assert set(searches) <= set(level)
    assert not {ranked.mean for ranked in made.settings} & set(level)
    assert "\nOnly the first 1 of 2 settings in the ranking have curves." in above.get_xlabel()
    assert "random search: mean of its champions" in above.get_xlabel()
    assert ": the first 3 of 4 rows of the ranking\n" in below.get_xlabel()
    assert "simultaneous for all 4" in below.get_xlabel()
    assert len(below.get_yticks()) == 3


def test_each_seed_has_a_draw_and_each_search_its_rows(compared_sweep):
    results, table = compared_sweep.results(), compared_sweep.table()
    for cubes in ("4", "2"):
        values, name = by_record(compared_sweep, cubes), f"random_search,cubes={cubes}"
        assert len(set(values.values())) == len(SEEDS)
        rows = results["setting"] == name
        assert dict(zip(results["seed"][rows].tolist(), results["champion"][rows].tolist(), strict=True)) == values
        assert set(results["run"][rows].tolist()) == {""}
        assert np.isnan(results["last_mean"][rows]).all()
        assert np.isnan(results["mutation"][rows]).all()
        long = (table["setting"] == name) & (table["metric"] == "champion")
        assert sorted(table["value"][long].tolist()) == sorted(values.values())
    assert results["mutation"][: len(compared_sweep.runs)].tolist() == [0.0] * 3 + [0.3] * 3
    assert not {"random_search_mean", "random_search_best"} & set(table["metric"].tolist())


def test_random_search_stands_in_the_ranking_with_its_interval(compared_sweep, compared, monkeypatch, capsys):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made = report(compared_sweep)
    assert len(made.ranking) == 4
    assert [ranked.setting for ranked in made.settings] == [
        ranked.setting for ranked in made.ranking if "mutation" in ranked.setting
    ]
    for ranked in made.ranking:
        if "random_search" in ranked.setting:
            values = np.array([*by_record(compared_sweep, ranked.setting.partition("=")[2]).values()])
            assert (ranked.runs, ranked.mean) == (3, pytest.approx(values.mean()))
            assert (ranked.low, ranked.high) == mean_interval(values, 1 - 0.05 / 4, compared_sweep.attainable)
    text, printed = " ".join(verdicts(made)), describe(made).splitlines()
    for size in (4, 2):
        assert any(line.startswith(f"  random search, cubes of {size}  ") for line in printed)
        assert f"Random search, cubes of {size} (chosen by the same matches out of " in text
    by_mean = report(compared_sweep, "last_mean")
    assert by_mean.searches == {}
    assert len(by_mean.ranking) == 2


@pytest.mark.parametrize(
    ("better", "sentence"),
    [
        ((), "None of the 3 settings is shown to beat random search, cubes of 20."),
        (("m=1",), "m=1 beats random search, cubes of 20; no other setting is shown to."),
        (("m=1", "m=2"), "m=1 and 2 beat random search, cubes of 20; no other setting is shown to."),
        (("m=1", "m=2", "m=3"), "All 3 settings beat random search, cubes of 20."),
    ],
)
def test_the_answer_says_which_settings_beat_the_best_random_search(better, sentence):
    """Of two searches the one with the larger mean counts."""
    high, low = "random_search,cubes=20", "random_search,cubes=5"
    against = [
        SimpleNamespace(a=high, b=name, better=name if name in better else None) for name in ("m=1", "m=2", "m=3")
    ]
    searches = {low: [], high: against}
    ranking = [SimpleNamespace(setting=name) for name in ("m=1", high, "m=2", low, "m=3")]
    assert _answer(SimpleNamespace(ranking=ranking, searches=searches)) == [sentence]


def test_a_single_setting_is_called_by_its_name():
    pair = SimpleNamespace(a="random_search", b="", better="random_search")
    ranking = [SimpleNamespace(setting=name) for name in ("random_search", "")]
    made = SimpleNamespace(ranking=ranking, searches={"random_search": [pair]})
    assert _answer(made) == [f"{WHOLE.capitalize()} is not shown to beat random search."]


def test_the_ranking_as_a_table_to_hand_in(compared, capsys):
    run = compared.parent.parent / "default" / "0-0"
    for form, begins in (
        ("markdown", "| mutation | seeds |"),
        ("latex", r"\begin{tabular}{lrrrrr}"),
        ("csv", "mutation,seeds,"),
    ):
        assert main(["report", str(compared), "--table", form]) == 0
        output, beside = capsys.readouterr()
        assert output.startswith(begins)
        assert "simultaneous for all 4" in beside
        assert "random search, cubes of 4" in output
        assert main(["report", str(run), "--table", form]) == 2
        assert "is a run" in capsys.readouterr().err
    rows = [*csv.reader(io.StringIO(output))]
    assert rows[0] == ["mutation", "seeds", "mean", "low", "high", "standard deviation"]
    assert {row[0] for row in rows[1:]} == {"0", "0.3", "random search, cubes of 4", "random search, cubes of 2"}
    assert not (compared / "report.html").exists()


def test_signs_that_mean_something_in_latex_are_written_as_such():
    table = FORMS["latex"](["a", *"bcdef"], [["o_p%&#$^~|<>{}\\x.py", *"12345"]])
    signs = r"\textasciicircum{}\textasciitilde{}\textbar{}\textless{}\textgreater{}\{\}\textbackslash{}"
    assert table.splitlines()[4] == rf"o\_p\%\&\#\${signs}x.py & 1 & 2 & 3 & 4 & 5 \\"


@pytest.mark.parametrize(
    "words", ["--axis games", "--html page.html", "--film", "--no-film", "--figures pdf", "--json"]
)
def test_an_option_without_effect_on_the_table_is_refused(compared, capsys, words):
    assert main(["report", str(compared), "--table", "csv", *words.split()]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"--table prints the ranking and writes nothing: {words.split()[0]} has no effect" in output.err


def test_compare_takes_random_search_as_a_setting(compared, capsys):
    def pairs(*settings):
        assert main(["compare", str(compared), *settings, "--json"]) == 0
        return {(pair["a"], pair["b"]): pair["seeds"] for pair in json.loads(capsys.readouterr().out)["compared"]}

    assert set(pairs("random_search")) == {
        (f"random_search,cubes={size}", f"mutation={rate}") for size in (4, 2) for rate in RATES
    }
    assert pairs("random_search,cubes=4", "mutation=0") == {("random_search,cubes=4", "mutation=0"): 3}
    assert [set(pair) for pair in pairs()] == [{"mutation=0", "mutation=0.3"}]
    assert main(["compare", str(compared), "random_search", "mutation=0"]) == 2
    assert "more than one setting" in capsys.readouterr().err


def test_the_report_and_compare_give_the_same_intervals(compared_sweep, compared, monkeypatch):
    """All comparisons with random search are corrected together, whichever command makes them."""
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made, alone = report(compared_sweep), pigevo.compare(compared_sweep, "random_search")
    assert [pair for pairs in made.searches.values() for pair in pairs] == alone.compared
    assert alone.correction.startswith("4 comparisons")
    page = "".join(map(str, _ranking(made)))
    for pair in alone.compared:
        ends = "undetermined" if pair.low is None else minus(f"{pair.low:+.4f} to {pair.high:+.4f}")
        assert f">{ends}</td>" in page
        assert f">{pair.corrected:.2g}</td>" in page
    assert f"against random search for {alone.correction}" in page


def test_the_line_of_random_search_in_the_curves_is_not_that_of_random_populations(compared_sweep):
    (panel,) = panels_of(compared_sweep, "mean", "generation")
    tried = compared_sweep.searches[0].strategies
    lines = {f"random search, cubes of {size}, best of {tried:,}": size for size in ("4", "2")}
    assert set(panel.searches) == set(lines)
    for name, size in lines.items():
        assert panel.searches[name] == pytest.approx(np.mean([*by_record(compared_sweep, size).values()]))
    assert list(panel.random) == ["random populations, cubes of 4 (95 %)"]
    (panel,) = panels_of(compared_sweep, "diversity", "generation")
    assert not panel.searches


@pytest.mark.parametrize(("means", "drawn"), [((0.2, 0.2), 1), ((0.2, 0.3), 0)])
def test_random_populations_are_drawn_if_all_settings_of_a_panel_share_them(compared_sweep, monkeypatch, means, drawn):
    """Settings of different games have different ones of the same name: the last one's would stand for all."""
    left = iter(means)
    monkeypatch.setattr(
        "pigevo.sweeps.curves.random_sample", lambda _: ("random populations", np.full((9, 4), next(left)))
    )
    (panel,) = panels_of(compared_sweep, "mean", "generation")
    assert [middle for _, middle, _ in panel.random.values()] == pytest.approx([0.2] * drawn)


def test_settings_with_other_budgets_have_searches_of_their_own(tmp_path):
    words = ("baseline=random_search", "baseline.populations=2")
    jobs = [Job(small_settings(*words, f"population.size={size}"), tmp_path / str(size)) for size in (4, 8)]
    loaded = pigevo.load_sweep(drive(jobs, ["population.size=4,8"], tmp_path / "sweeps", done_here))
    assert {search.setting for search in loaded.searches} == {
        f"random_search,population.size={size}" for size in (4, 8)
    }
    assert len({search.strategies for search in loaded.searches}) == 2
    (panel,) = panels_of(loaded, "mean", "generation")
    assert len(panel.searches) == 2


def test_a_search_that_some_settings_share_counts_once(tmp_path):
    """It is named by what distinguishes it: counted once a setting, it would make every correction larger."""
    words = ("baseline=random_search", "baseline.populations=2")
    jobs = [
        Job(small_settings(*words, f"population.size={size}", f"mutation={rate}", f"seed={seed}"), tmp_path / f"{size}-{rate}-{seed}")
        for size in (4, 8) for rate in (0, 0.1, 0.3) for seed in (0, 1)
    ]  # fmt: skip
    loaded = pigevo.load_sweep(drive(jobs, ["mutation=0,0.1,0.3"], tmp_path / "sweeps", done_here))
    assert [(search.setting, search.seed) for search in loaded.searches] == [
        (f"random_search,population.size={size}", seed) for size in (4, 8) for seed in (0, 1)
    ]
    compared = pigevo.compare(loaded, "random_search")
    assert len(compared.compared) == 12
    assert compared.correction.startswith("12 comparisons")


def search_of(seed, chosen, strategies=20):
    return {seed: {"cubes": "4", "seed": seed, "strategies": strategies, "by_matches": chosen}}


@pytest.mark.parametrize(
    ("found", "groups"),
    [
        ({"a": search_of(0, 0.2) | search_of(1, 0.3), "b": search_of(1, 0.3) | search_of(2, 0.1)}, [["a", "b"]]),
        ({"a": search_of(0, 0.2) | search_of(1, 0.3), "b": search_of(1, 0.3) | search_of(0, 0.1)}, [["a"], ["b"]]),
        ({"a": search_of(0, 0.2), "b": search_of(0, 0.2, 30)}, [["a"], ["b"]]),
        ({"a": search_of(0, 0.2), "b": search_of(1, 0.2)}, [["a"], ["b"]]),  # nothing tells that they are one
        ({"a": search_of(0, 0.2), "c": search_of(1, 0.3), "b": search_of(0, 0.2) | search_of(1, 0.3)}, [["b", "a", "c"]]),
    ],
)  # fmt: skip
def test_settings_share_a_search_if_it_is_the_same_with_each_common_seed(found, groups):
    assert [settings for settings, _ in _sharing(found)] == groups


def test_groups_of_settings_are_named_by_keys_or_by_their_first():
    sweep = SimpleNamespace(
        swept=("x", "y"), words={f"x={x},y={y}": {"x": str(x), "y": str(y)} for x in (1, 2) for y in (1, 2)}
    )
    first, second, third, fourth = sweep.words
    assert _names_of([[first, second], [third, fourth]], sweep) == ["x=1", "x=2"]
    assert _names_of([[first, fourth], [second, third]], sweep) == [first, second]
    assert _names_of([[first, second, third, fourth]], sweep) == [""]


def test_searches_that_tried_different_numbers_of_strategies_say_so(compared_sweep, monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda *_: None)
    made, tried = report(compared_sweep), compared_sweep.searches[0].strategies
    fewer = [search if search.seed else replace(search, strategies=3) for search in compared_sweep.searches]
    monkeypatch.setitem(vars(compared_sweep), "searches", tuple(fewer))
    assert f"out of 3 to {tried} strategies" in "".join(verdicts(made))


@pytest.mark.parametrize(
    ("typed", "column"),
    [
        (["1", "0.5", "1e3"], [1.0, 0.5, 1000.0]),
        (["9007199254740993", "9007199254740992"], ["9007199254740993", "9007199254740992"]),
        (["'007'", "7"], ["'007'", "7"]),
        (["0.5", "none"], ["0.5", "none"]),
    ],
)
def test_a_column_of_swept_values_tells_apart_what_settings_do(compared_sweep, typed, column):
    sweep = replace(compared_sweep, swept=("x",))
    vars(sweep)["words"] = {f"x={value}": {"x": value} for value in typed}
    assert sweep._swept([f"x={value}" for value in typed])["x"].tolist() == column


def test_a_record_whose_search_was_the_same_for_every_seed_counts_once(compared_sweep):
    for run in compared_sweep.runs.values():
        for search in run.result["baseline"]["random_search"]:
            del search["seed"]
            search["by_matches"] = 0.25
    assert {(search.seed, search.champion) for search in compared_sweep.searches} == {(0, 0.25)}
    assert len(compared_sweep.searches) == 2


def test_panels_and_bands_stand_in_the_order_of_their_values(compared_sweep):
    members = [replace(member, setting=str(n)) for n, member in enumerate(compared_sweep.members[:4])]
    rates = dict(zip("0123", ("0.1", "0.01", "1e-3", "0.05"), strict=True))
    mixed = replace(compared_sweep, members=tuple(members), swept=("mutation",))
    mixed.__dict__["words"] = {setting: {"mutation": rate, "experiment": ""} for setting, rate in rates.items()}
    mixed.__dict__["runs"] = dict(zip(members, compared_sweep.runs.values(), strict=False))
    (panel,) = panels_of(mixed, "diversity", "generation")
    assert list(panel.bands) == [f"mutation={rate}" for rate in ("1e-3", "0.01", "0.05", "0.1")]


@pytest.mark.parametrize(
    ("setting", "title"),
    [
        ("random_search", "random search"),
        ("random_search,cubes=1", "random search, single cells"),
        ("random_search,cubes=10", "random search, cubes of 10"),
        ("random_search,cubes=20,fitness=exact", "random search, cubes of 20, fitness=exact"),
        ("mutation=0.01", "mutation=0.01"),
    ],
)
def test_random_search_is_called_by_its_cubes(setting, title):
    assert title_of(setting) == title
