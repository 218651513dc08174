"""What a sweep's report has: its table, curves with their bands, and ranking."""

import csv
import json
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.figures.ranks import mean_ranks
from pigevo.storage.files import write_bytes
from pigevo.sweeps.curves import POINTS, band_of
from pigevo.sweeps.report import _further_seeds, report
from pigevo.sweeps.statistics import compare_pairs

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
