"""A sweep read back: how far it is, its table, curves, ranking and comparisons."""

import csv
import json
import shutil

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs.lock import locked
from pigevo.seals import sealed_json
from pigevo.sweeps.contest import contest
from pigevo.sweeps.record import write_failures
from pigevo.sweeps.report import report


@pytest.fixture
def sweep(finished_sweep, tmp_path):
    """A copy, somewhere else: what a sweep consists of moves as a whole."""
    shutil.copytree(finished_sweep.parents[1], tmp_path / "moved")
    return tmp_path / "moved" / "sweeps" / finished_sweep.name


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


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda f: shutil.rmtree(f), "holds no run"),
        (lambda f: (f / "metrics.csv").unlink(), r"metrics\.csv is missing"),
        (lambda f: (f / "metrics.csv").write_text("a,b\n1\n"), "was changed since it was written"),
        (lambda f: (f / "result.json").write_text("{"), "is damaged"),
    ],
)
def test_a_damaged_run_is_refused(sweep, damage, said):
    folder = pigevo.load_sweep(sweep).members[0].folder
    damage(folder)
    with pytest.raises(InputError, match=said):
        pigevo.load_run(folder)


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
    assert len([path for path in elsewhere.rglob("*")]) == 5
    assert name == "report" or not [path for path in (sweep / "report").rglob("*.*") if not path.is_symlink()]


def test_a_report_that_cannot_be_drawn_writes_nothing(sweep):
    with pytest.raises(InputError, match="there is no axis"):
        report(pigevo.load_sweep(sweep), axis="nowhere")
    found = pigevo.load_sweep(sweep)
    for run in found.runs.values():
        run.metrics["games"][:] = 0
    with pytest.raises(InputError, match="has spent any games"):
        report(found, axis="games")
    assert not (sweep / "report").exists()


def test_how_far_each_run_is(sweep, capsys):
    found = pigevo.load_sweep(sweep)
    assert [m.state for m in found.members] == ["finished"] * 8
    assert main(["status", str(sweep)]) == 0
    folders = [m.folder for m in found.members]
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
    said = capsys.readouterr().out
    assert "8 runs: 4 finished, 1 running, 1 failed, 1 interrupted, 1 missing" in said
    assert "killed by signal 9" in said
    assert "failed once" not in said
    main(["status", str(sweep), "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["counts"]["interrupted"] == 2
    assert not (folders[0]).exists()  # looking makes nothing


def test_the_table_is_long_and_the_same_in_every_form(sweep):
    from pyarrow import parquet

    found = pigevo.load_sweep(sweep)
    made = report(found)
    names = {path.name for path in made.files}
    assert names == {"table.csv", "table.parquet", "ranking.csv", "best.png", "mean.png", "worst.png", "diversity.png"}
    table = found.table()
    assert list(table) == ["run", "setting", "seed", "generation", "metric", "value"]
    assert len(table["value"]) == 8 * (4 * 7 + 4)
    with (sweep / "report" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["value"]) for row in rows] == table["value"].tolist()
    assert parquet.read_table(sweep / "report" / "table.parquet").to_pydict() == {
        k: v.tolist() for k, v in table.items()
    }
    frame = found.frame()
    one = frame[(frame.setting == "mutation=0") & (frame.seed == 2) & (frame.metric == "mean")]
    (member,) = (m for m in found.members if (m.setting, m.seed) == ("mutation=0", 2))
    assert one.value.tolist() == member.load().metrics["mean"].tolist()
    champion = frame[(frame.metric == "champion") & (frame.run == member.folder.name)]
    assert champion.value.item() == member.load().result["champion"]["overall"]
    assert champion.generation.item() == 6


def test_the_ranking_is_that_of_the_results(sweep, capsys):
    assert main(["report", str(sweep), "--metric", "last_mean", "--axis", "evaluations", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    results = pigevo.load_sweep(sweep).results()
    means = {s: results["last_mean"][results["setting"] == s].mean() for s in ("mutation=0", "mutation=0.3")}
    assert [one["setting"] for one in record["ranking"]] == sorted(means, key=means.get, reverse=True)
    for one in record["ranking"]:
        assert one["mean"] == pytest.approx(means[one["setting"]])
        assert one["low"] <= one["mean"] <= one["high"]
    assert record["runs"] == {"finished": 8}
    assert main(["report", str(sweep)]) == 0
    said = capsys.readouterr().out
    assert "8 of 8 runs have finished" in said
    assert "mutation=0.3" in said


def test_the_curves(sweep, monkeypatch):
    drawn = {}
    monkeypatch.setattr("pigevo.sweeps.report.save_figure", lambda path, figure: drawn.update({path.stem: figure}))
    found = pigevo.load_sweep(sweep)
    for axis in ("generation", "evaluations", "games", "seconds"):
        report(found, axis=axis)
        (axes,) = drawn["mean"].axes
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert set(lines) == {"mutation=0", "mutation=0.3", "random search (95 %)", "the optimum"}
        if axis == "seconds":
            continue
        runs = [m.load() for m in found.members if m.setting == "mutation=0.3"]
        assert lines["mutation=0.3"].get_xdata().tolist() == runs[0].metrics[axis].tolist()
        median = np.median([run.metrics["mean"] for run in runs], axis=0)
        assert lines["mutation=0.3"].get_ydata().tolist() == pytest.approx(median.tolist())
        low, high = 0.05, 0.95
        random = lines["random search (95 %)"].get_ydata()[0]
        assert low < random < high
    assert "random search (95 %)" not in {line.get_label() for line in drawn["diversity"].axes[0].get_lines()}


def test_two_settings_by_seed(sweep, capsys):
    results = pigevo.load_sweep(sweep).results()
    a, b = (results["champion"][results["setting"] == f"mutation={rate}"] for rate in ("0", "0.3"))
    made = contest([str(sweep), "mutation=0", "mutation=0.3"])
    (one,) = made.compared
    assert (one.a, one.b, one.seeds) == ("mutation=0", "mutation=0.3", 4)
    assert one.difference == pytest.approx((a - b).mean())
    assert one.effect == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    (alone,) = contest([str(sweep)]).compared
    assert abs(alone.difference) == pytest.approx(abs(one.difference))
    assert main(["compare", str(sweep), "mutation=0", "mutation=0.3"]) == 0
    said = capsys.readouterr().out
    assert "mutation=0  against  mutation=0.3" in said
    assert "of 4 seeds" in said


def test_a_comparison_says_that_runs_are_quick_ones(sweep, capsys):
    record = json.loads((sweep / "sweep.json").read_text())
    for debug in ("none", "fast"):
        record["runs"][0]["config"]["debug"] = debug
        for run in record["runs"][1:]:
            run["config"]["debug"] = "none"
        kept = {name: record[name] for name in ("name", "overrides", "swept", "runs")}
        (sweep / "sweep.json").write_bytes(sealed_json(kept))
        assert main(["compare", str(sweep)]) == 0
        assert ("Runs of debug=fast are among them" in capsys.readouterr().out) == (debug == "fast")


def test_what_is_compared_with_what():
    from pigevo.sweeps.contest import _pairs, _parts

    assert _pairs("abc", []) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert _pairs("abc", ["b"]) == [("b", "a"), ("b", "c")]
    assert _pairs("abc", ["c", "a"]) == [("c", "a")]
    assert _pairs("abcdefg", []) == [("a", other) for other in "bcdefg"]
    assert _parts("cubes.sizes=[20,10],mutation=0") == ["cubes.sizes=[20,10]", "mutation=0"]


def test_two_sweeps(sweep, capsys, tmp_path):
    """Each half of the sweep as a sweep of its own."""
    record = json.loads((sweep / "sweep.json").read_text())
    halves = {}
    for rate in (0.0, 0.3):
        halves[rate] = sweep.parent / f"half{rate}"
        halves[rate].mkdir()
        runs = [run for run in record["runs"] if run["config"]["mutation"] == rate]
        kept = {name: record[name] for name in ("name", "overrides", "swept")}
        (halves[rate] / "sweep.json").write_bytes(sealed_json({**kept, "runs": runs}))
    assert main(["compare", *map(str, halves.values()), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["A"].endswith("(mutation=0)")
    (one,) = found["compared"]
    assert (one["a"], one["b"]) == ("A", "B")
    assert one["difference"] == pytest.approx(
        contest([str(sweep), "mutation=0", "mutation=0.3"]).compared[0].difference
    )


def test_two_sweeps_are_told_apart_by_all_settings_in_which_they_differ(sweep):
    from dataclasses import replace

    from pigevo.sweeps.contest import _two_sweeps

    found = pigevo.load_sweep(sweep)

    def changed(rate, **settings):
        """The runs of one mutation rate, as if they had had other settings too."""
        members = [member for member in found.members if member.values["mutation"] == rate]
        made = tuple(replace(member, values={**member.values, **settings}) for member in members)
        return replace(found, members=made)

    def labels(*sweeps):
        made = _two_sweeps(*sweeps, "champion")
        assert [(one.a, one.b) for one in made.compared] == [("A", "B")]
        return [made.names[name].partition(" ")[2] for name in "AB"]

    fitness = found.members[0].values["fitness"]
    exact = {"name": "exact"}
    assert labels(changed(0), changed(0.3)) == ["(mutation=0)", "(mutation=0.3)"]
    assert labels(changed(0), changed(0.3, generations=7, workers=3)) == [
        "(generations=6,mutation=0)",
        "(generations=7,mutation=0.3)",
    ]
    assert labels(changed(0, experiment="mine"), changed(0.3, fitness=exact)) == [
        f"(experiment=mine,fitness=games,fitness.games={fitness['games']},fitness.paired=false,mutation=0)",
        "(experiment=null,fitness=exact,mutation=0.3)",
    ]
    assert labels(changed(0), changed(0)) == ["", ""]


def test_settings_that_vary_inside_a_sweep_label_no_sweep(sweep):
    from dataclasses import replace

    from pigevo.sweeps.contest import _two_sweeps

    found = pigevo.load_sweep(sweep)
    later = tuple(replace(member, values={**member.values, "generations": 7}) for member in found.members)
    made = _two_sweeps(found, replace(found, members=later), "champion")
    assert [made.names[name].partition(" ")[2] for name in "AB"] == ["(generations=6)", "(generations=7)"]
    assert {(one.a, one.b) for one in made.compared} == {
        (f"A: mutation={rate}", f"B: mutation={rate}") for rate in ("0", "0.3")
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["status", "nowhere"], "nowhere holds no sweep"),
        (["report", "SWEEP", "--metric", "champoin"], "did you mean champion"),
        (["report", "SWEEP", "--axis", "gnerations"], "did you mean generation"),
        (["compare", "SWEEP", "mutation=0.4"], "no setting 'mutation=0.4'"),
        (["compare", "SWEEP", "nowhere"], "nowhere holds no sweep"),
        (["compare", "SWEEP", "a=1", "b=2", "c=3"], "at most two settings"),
        (["compare"], "Missing argument"),
    ],
)
def test_wrong_words_are_one_sentence(words, said, sweep, capsys):
    assert main([str(sweep) if word == "SWEEP" else word for word in words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 99, "runs": []}', '{"format": 1, "runs": [{}]}'])
def test_a_damaged_record_is_refused(tmp_path, content):
    (tmp_path / "sweep.json").write_text(content)
    with pytest.raises(InputError, match=r"is damaged|by a later pigevo"):
        pigevo.load_sweep(tmp_path)


def test_nothing_finished_is_told(sweep, capsys):
    for member in pigevo.load_sweep(sweep).members:
        (member.folder / "result.json").unlink()
    for command in ("report", "compare"):
        assert main([command, str(sweep)]) == 2
        assert "has finished: run the sweep first" in capsys.readouterr().err
