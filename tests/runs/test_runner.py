"""A run on disk: its files, and that it is the same whatever the threads."""

import json
import logging
import os
import subprocess
import sys

import pytest

import pigevo
import pigevo.core.machine
from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, MEASURED
from pigevo.runs import run, stepper
from pigevo.runs.folder import settings_of
from pigevo.settings.settings import Settings
from tests.cases import sample
from tests.runs.cases import contents, rows_of
from tests.small import small_settings

FILES = {
    ".hydra/config.yaml", ".hydra/overrides.yaml", "operators/sources.json", "operators/crossover/ops.py", "metrics.csv", "checkpoint.npz", "checkpoint.before.npz", "champion.npz", "champions.csv",
    "population.npz", "result.json", "figures/curve.png", "figures/champion.png", ".lock",
}  # fmt: skip


@pytest.mark.parametrize("kind", sample(["svg", "png", "pdf"], 0))
def test_pictures_have_the_format_that_is_wanted(tmp_path, kind):
    mark = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]
    drawn = run(small_settings(f"figures={kind}"), tmp_path / "drawn")
    assert run(small_settings(), tmp_path / "none")["digest"] == drawn["digest"]
    for name in ("curve", "champion"):
        assert (tmp_path / f"drawn/figures/{name}.{kind}").read_bytes().startswith(mark)
    assert not (tmp_path / "none" / "figures").exists()


def test_a_config_of_before_the_format_of_pictures_is_read(tmp_path):
    values = dict(small_settings().values)
    del values["figures"]
    assert Settings.read(values).figures == "auto"
    assert Settings.read(values).hash == small_settings().hash


def test_a_selection_that_does_not_say_who_meets_whom_gets_a_line_about_what_that_costs(tmp_path, caplog):
    (tmp_path / "sel.py").write_text("def best(scores, context):\n    return (-scores).argsort()[: len(scores) // 2]\n")
    caplog.set_level("INFO")
    run(small_settings(f"selection={tmp_path / 'sel.py'}:best"), tmp_path / "own")
    message = "selection best does not choose pairs, so everyone meets everyone: 15 matches a generation"
    assert message in caplog.text
    assert "with a parameter `opponents: int = 1` each member meets one" in caplog.text
    caplog.clear()
    run(small_settings("selection=round_robin"), tmp_path / "named")
    assert "everyone meets everyone" not in caplog.text


@pytest.fixture
def result(finished):
    return json.loads((finished / "result.json").read_text())


def test_the_folder_holds_these_files_and_nothing_else(finished):
    assert set(contents(finished)) == FILES
    assert (finished / "figures/curve.png").read_bytes().startswith(b"\x89PNG")


def test_metrics_have_a_row_for_each_recorded_generation(finished):
    rows = rows_of(finished)
    assert tuple(rows[0]) == (*COLUMNS, "entropy", *MEASURED, "digest")
    assert [int(row["generation"]) for row in rows] == [0, 2, 3, 4, 5, 6, 8, 9]  # every second, and ends of waves
    assert [row["wave"] for row in rows] == ["1", "1", "1", "2", "2", "3", "3", "3"]
    assert [row["cube_size"] for row in rows] == ["6"] * 3 + ["4x3x2"] * 2 + ["1"] * 3
    assert [int(row["evaluations"]) for row in rows] == [6 * int(row["generation"]) for row in rows]
    assert [int(row["games"]) for row in rows] == [30 * int(row["generation"]) for row in rows]
    for row in rows:
        worst, mean, best = (float(row[column]) for column in ("worst", "mean", "best"))
        rounding = 1e-12  # a mean of equal figures may miss them by a bit
        assert 0 <= worst <= mean + rounding <= best + 2 * rounding <= 0.5 + 3 * rounding
        assert 0 < float(row["diversity"]) < 1
    seconds = [float(row["seconds"]) for row in rows]
    assert seconds == sorted(seconds)


def test_the_result_has_the_champions_exact_figure_and_repeats_the_metrics(finished, result):
    champion = pigevo.load_strategy(finished / "champion.npz")
    exact = pigevo.win_probability(champion, pigevo.optimal(champion.game).strategy)
    assert result["champion"] == {"first": exact.first, "second": exact.second, "overall": exact.overall}
    assert result["optimum"] == pigevo.optimal(champion.game).value
    assert result["config"] == settings_of(finished).values
    rows = rows_of(finished)
    peak = max(rows, key=lambda row: float(row["mean"]))
    assert (result["peak_mean"], result["peak_generation"]) == (float(peak["mean"]), int(peak["generation"]))
    assert result["last_mean"] == float(rows[-1]["mean"])
    assert result["best_seen"] == max(float(row["best"]) for row in rows)
    assert result["generations"] == 9
    assert result["evaluations"] == 6 * 10  # nine generations judged on the way, the tenth for the champion
    assert result["games"] == 9 * 30 + 15 * 10  # and all 15 pairs of the last
    assert {"digest", "versions", "config_hash", "seconds", "baseline"} <= set(result)


def test_the_baseline_places_the_run_among_random_ones(result):
    base = result["baseline"]
    assert base["populations"] == 4
    assert base["peak_among_means"]["sample"] == 4
    assert base["peak_among_means"]["value"] == result["peak_mean"]
    assert base["peak_among_means"]["recorded"] == 8
    for placed in base["champion_among_members"].values():
        assert placed["sample"] == 24
        assert placed["value"] == result["champion"]["overall"]
    assert all(os.path.exists(path) for path in base["cache"])
    low, high = base["own_interval"]
    assert low <= base["own_mean"] <= high


def test_random_search_has_the_runs_budget_and_its_handicap_on_the_first_cubes_and_on_the_champions_own(result):
    searches = result["baseline"]["random_search"]
    assert [search["cubes"] for search in searches] == ["6", "1"] == list(result["baseline"]["champion_among_members"])
    for search in searches:
        assert search["strategies"] == result["evaluations"]
        # every group plays as a generation does, the last of which the run judges by all pairs only
        assert search["games"] == result["games"] + 30
        assert 0 < search["by_matches"] <= 0.5


def test_best_seen_is_the_best_of_all_recorded_generations_and_not_of_the_last(tmp_path):
    result = run(small_settings("population=optimal", "mutation=0.2"), tmp_path / "run")
    best = [float(row["best"]) for row in rows_of(tmp_path / "run")]
    assert result["best_seen"] == max(best) > max(best[1:])
    assert result["peak_mean"] > result["last_mean"]


def test_a_finished_run_is_shown_and_left_alone(tmp_path, monkeypatch, caplog):
    folder = tmp_path / "run"
    first = run(small_settings(), folder)
    stamps = {p: p.stat().st_mtime_ns for p in folder.rglob("*") if p.name != ".lock"}
    monkeypatch.setattr(stepper, "generations", None)  # would fail if called
    with caplog.at_level(logging.INFO):
        assert run(small_settings("workers=2", "checkpoint_every=5"), folder) == first
    assert "finished before (force=true runs it again)" in caplog.text
    assert {p: p.stat().st_mtime_ns for p in folder.rglob("*") if p.name != ".lock"} == stamps


def test_force_runs_it_again(tmp_path):
    folder = tmp_path / "run"
    first = run(small_settings(), folder)
    (folder / "result.json").write_text(json.dumps(first | {"champion": None}))
    again = run(small_settings("force=true"), folder)
    assert again["digest"] == first["digest"]
    assert again["champion"] == first["champion"]
    assert {"result.json", "champion.npz", "population.npz"} < set(contents(folder)) < FILES


def test_seeds_and_settings_change_a_digest(tmp_path):
    words = ["seed=0", "seed=1", "mutation=0.2", "replacement=survivors_and_offspring", "fitness.games=11"]
    assert len({run(small_settings(w), tmp_path / w)["digest"] for w in words}) == len(words)


def test_a_wrong_operator_is_refused_before_the_folder_exists(tmp_path):
    with pytest.raises(InputError, match="did you mean hold_at"):
        run(small_settings("population=named", "population.size=6", "population.names=[hold_up]"), tmp_path / "run")
    assert not (tmp_path / "run").exists()


WORDS = ("debug=fast", "game.target=12", "cubes=waves", "cubes.sizes=[6,3]", "cubes.generations=[2,3]", "mutation=0.03")


@pytest.mark.parametrize("fitness", ["games", "exact", "exact_vs_optimal"])
def test_the_digest_is_the_same_for_one_two_and_four_workers(tmp_path, monkeypatch, fitness):
    monkeypatch.setattr(pigevo.core.machine, "available_cores", lambda: 4)  # four threads, whatever the machine has
    settings = Settings.of(*WORDS, f"fitness={fitness}", "figures=none")
    digests = {run(settings.with_(workers=n), tmp_path / str(n))["digest"] for n in (1, 2, 4)}
    assert len(digests) == 1


@pytest.mark.slow
def test_the_digest_is_the_same_for_any_number_of_numba_s_threads(tmp_path, environment):
    digests, errors = set(), []
    for threads, workers in ((1, 1), (2, 4), (3, 2)):
        folder = tmp_path / f"{threads}-{workers}"
        done = subprocess.run(
            [sys.executable, "-m", "pigevo", *WORDS, f"workers={workers}", f"hydra.run.dir={folder}"],
            env=environment | {"NUMBA_NUM_THREADS": str(threads)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        digests.add(json.loads((folder / "result.json").read_text())["digest"])
        errors.append(done.stderr)
    assert len(digests) == 1
    cores = pigevo.core.machine.available_cores()
    assert (f"workers = 4: this machine has {cores}, so the run takes {cores}." in errors[1]) == (cores < 4)
