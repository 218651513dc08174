"""A run on disk: its files, the samples beside which it is placed, where it ends, and that threads change nothing."""

import dataclasses
import json
import logging
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from omegaconf import OmegaConf

import pigevo
import pigevo.core.machine
from pigevo.cli.summary import summary
from pigevo.core.intervals import bound_of_best, bound_of_means
from pigevo.errors import InputError
from pigevo.evolution.logbook import COLUMNS, MEASURED
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.random_search import random_values, search
from pigevo.games import Pig
from pigevo.runs import baseline, run, stepper
from pigevo.runs.baseline import cached_sample
from pigevo.runs.folder import CONFIG, settings_of
from pigevo.runs.load import load_run
from pigevo.runs.pictures import champions, reel_of
from pigevo.runs.verify import replay, verify
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from pigevo.sweeps.curves import random_sample
from pigevo.web.report.curves import run_curves
from tests.cases import sample
from tests.runs.conftest import ENDED, PROGRESS, RING, SAMPLED, STAR, contents, left_after, rows_of
from tests.small import resealed, small_settings, small_words

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
    for one in searches:
        assert one["strategies"] == result["evaluations"]
        # every group plays as a generation does, the last of which the run judges by all pairs only
        assert one["games"] == result["games"] + 30
        assert 0 < one["by_matches"] <= 0.5


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


WAVES = (
    "cubes=waves", "cubes.sizes=[6,3,1]", "cubes.generations=[3,2,4]", "stop=evaluations", "stop.evaluations=25", *SAMPLED
)  # fmt: skip
KINDS = {"games": ENDED, "waves": WAVES, "progress": PROGRESS, "ring": RING, "star": STAR}


@pytest.mark.parametrize("kind", [*list(KINDS)[:4], pytest.param("star", marks=pytest.mark.slow)])
def test_the_end_of_a_run_by_its_stop_rule_is_the_last_generation_everywhere(tmp_path, kind):
    settings, folder = small_settings(*KINDS[kind]), tmp_path / "run"
    result = run(settings, folder)
    end = result["generations"]
    assert (0 < end < result["planned"]) == (kind != "ring")
    assert result["planned"] == settings.plan.generations
    assert [int(row["generation"]) for row in rows_of(folder)][-1] == end
    assert max(load_run(folder).champions) == end
    assert load_run(folder).champion == load_run(folder).champions[end]
    assert f"{end} of {settings.plan.generations} generations" in summary(result, settings, folder) or kind == "ring"
    again = verify(folder, 1000, 2)
    assert again.same, again.differences
    assert again.whole
    assert run(settings, folder) == result
    reel = reel_of(folder, 1)
    assert reel.numbers == tuple(range(end + 1))
    assert [number for number, _ in champions(reel)] == list(reel.numbers)
    in_memory = pigevo.evolve(*small_words(*KINDS[kind]))
    assert in_memory.result["digest"] == result["digest"]
    assert [g.number for g in pigevo.generations(*small_words(*KINDS[kind]))] == list(range(end + 1))


def test_games_of_its_last_generation_are_replayed_and_none_of_a_later_one(tmp_path):
    """Of a run that has not reached its end as well."""
    settings, whole, part = small_settings(*ENDED, "checkpoint_every=50"), tmp_path / "whole", tmp_path / "part"
    end, pairs = run(settings, whole)["generations"], 6 * 5 // 2
    left_after(1, settings, part)
    games = [replay(settings, folder, end, pairs - 1, 9) for folder in (whole, part)]
    assert games[0].counter["generation"] == end
    assert games[0].turns == games[1].turns
    with pytest.raises(InputError, match=f"generation {end + 1} is out of range"):
        replay(settings, whole, end + 1, 0, 0)
    with pytest.raises(InputError, match=f"the run ends with generation {end}"):
        replay(settings, part, end + 1, 0, 0)


def test_verify_finds_a_run_that_ended_before_or_after_its_rule(tmp_path):
    early, late = tmp_path / "early", tmp_path / "late"
    longer = small_settings("generations=50", "record_every=3")
    run(longer, early, on_generation=lambda generation: {"stop": generation.number == 2})
    run(longer.with_(generations=12), late)
    (late / CONFIG).write_text(OmegaConf.to_yaml(small_settings(*ENDED, "baseline=none").values))
    resealed(late)
    for folder, sentence in ((early, "does not end with generation 2"), (late, "ends with generation 4")):
        assert any(sentence in difference for difference in verify(folder, 1000, 1).differences)


@pytest.mark.slow
def test_games_of_every_island_and_of_the_end_are_replayed_as_they_were_played(tmp_path):
    settings, folder = small_settings(*RING, "fitness.games=4"), tmp_path / "run"
    run(settings, folder)
    *_, before, last = generations(settings.plan, first_state(settings.plan))
    _, at_the_end = last.final_order
    for number, evaluation in ((4, before.evaluation), (5, at_the_end)):
        for pairing, (pair, wins) in enumerate(zip(evaluation.pairs.tolist(), evaluation.wins, strict=True)):
            games = [replay(settings, folder, number, pairing, game) for game in range(4)]
            assert {game.members for game in games} == {tuple(pair), tuple(pair[::-1])}
            winners = [game.members[game.result] for game in games]
            assert [winners.count(member) for member in pair] == (4 * wins).tolist()
    assert len(at_the_end.pairs) == 66


TEN_ROUNDS = {
    "game": "ten_rounds", "game.turns": 2, "game.cap": 30, "game.draw": 1, "cubes": "none", "generations": 2,
    "population.size": 6, "fitness.games": 10, "baseline": "random_search", "baseline.populations": 20,
}  # fmt: skip


@pytest.fixture(scope="module")
def run_with_draws():
    return pigevo.evolve(**TEN_ROUNDS)


def test_the_ceiling_is_what_the_optimum_wins_against_itself(run_with_draws):
    best = pigevo.optimal(run_with_draws.champion.game)
    assert best.overall > 0.55
    assert best.overall == pytest.approx(pigevo.best_response(best.strategy).overall)
    assert run_with_draws.result["optimum_overall"] == run_with_draws.optimum == best.overall
    view = run_with_draws._repr_html_().replace("&nbsp;", " ")
    assert f"{100 * best.overall:.3g} % is the best there is, as this game counts draws" in view


def test_the_line_of_the_optimum_is_drawn_there(run_with_draws):
    (axes,) = run_with_draws.plot().axes
    (line,) = [line for line in axes.get_lines() if line.get_label() == "the optimum"]
    assert set(line.get_ydata()) == {run_with_draws.optimum}
    assert axes.get_ylim()[1] > run_with_draws.optimum
    assert "the optimum" in str(run_curves(run_with_draws, run_with_draws.settings, "curve"))


def test_a_bound_of_means_allows_for_members_up_to_there(run_with_draws):
    among_random = run_with_draws.finish.comparison
    peak = bound_of_means(
        among_random.own, run_with_draws.settings.plan.size, run_with_draws.result["peak_mean"], run_with_draws.optimum
    )
    among = among_random.record["peak_among_means"]
    assert among["best_of_recorded_bound"] == bound_of_best(peak, among["recorded"])


GRID = CubeGrid(Pig(target=10), 4)
POPULATIONS = small_settings("baseline=random_search").choices["baseline"].values["populations"]


class Maker:
    """Counts how often a sample is made."""

    calls = 0

    def __call__(self, grid, size, workers, track):
        self.calls += 1
        return np.full((POPULATIONS, size), 0.25 + self.calls)


@pytest.fixture
def make():
    return Maker()


@pytest.fixture
def drawn_sample(make):
    """The sample of some settings on a grid, from the maker or the cache."""

    def sample_of(*words, grid=GRID, make=make):
        settings = small_settings("game.target=10", "baseline=random_search", *words)
        settings.__dict__["plan"] = dataclasses.replace(settings.plan, baseline=make)
        return cached_sample(settings, grid)

    return sample_of


MAIN_JOB = Settings.of("experiment=cube_random", "mutation=0.005")
"""Its samples come with the package: after a change of what decides them, remove the old files from
`pigevo/runs/random_samples`, start the main job, and copy the new ones from the folder that `pigevo cache` names."""


def supplied_sample(size):
    """The sample that comes with the package for a cube size of the main job, and its grid."""
    grid = CubeGrid(MAIN_JOB.plan.game, size)
    values, path = cached_sample(MAIN_JOB, grid)
    assert path.parent == baseline.SUPPLIED
    return values, grid


@pytest.mark.parametrize("size", [20, 5, 1])
def test_the_samples_of_the_main_job_come_with_the_package(size):
    values, grid = supplied_sample(size)
    assert values.shape == (300, 20)
    some = [0, 150, 299]
    assert np.array_equal(values[some], random_values(grid, 20, some, 1))


@pytest.mark.long
@pytest.mark.parametrize("size", [20, 5, 1])
def test_the_samples_of_the_package_are_those_that_a_run_makes(size):
    values, grid = supplied_sample(size)
    assert np.array_equal(values, random_values(grid, 20, range(300), 2))


def test_a_sample_is_made_once(drawn_sample, make, tmp_path):
    first, path = drawn_sample()
    again, same = drawn_sample("workers=2", "seed=3", "fitness.games=20")
    assert make.calls == 1
    assert np.array_equal(first, again)
    assert path == same
    assert path.is_relative_to(tmp_path / "cache" / "pigevo")


@pytest.mark.parametrize(
    ("words", "grid"),
    [
        ([], CubeGrid(Pig(target=10), (4, 4, 5))),
        ([], CubeGrid(Pig(target=11), 4)),
        ([], CubeGrid(Pig(target=10, allow_pass=True), 4)),
        (["population.size=8"], GRID),
        (["baseline.populations=9"], GRID),
    ],
)
def test_whatever_decides_a_sample_makes_another(drawn_sample, make, words, grid):
    drawn_sample()
    drawn_sample(*words, grid=grid)
    assert make.calls == 2


def test_random_populations_are_drawn_beside_runs_without_a_baseline_of_which_a_plan_is_made():
    settings = small_settings("game.target=10", "baseline=none")
    settings.refuse_impossible()
    for seed in (1, 2):
        settings = settings.with_(seed=seed)
        assert random_sample(settings)[1].shape == (300, settings.plan.size)


@pytest.mark.parametrize("version", ["STREAM_VERSION", "ENGINE_VERSION"])
def test_another_version_of_the_dice_or_of_the_engine_makes_another_sample(drawn_sample, make, monkeypatch, version):
    drawn_sample()
    monkeypatch.setattr(baseline, version, -1)
    drawn_sample()
    assert make.calls == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 damaged", {"other": np.ones(3)}, {"sample": np.empty((0, 6))}])
def test_a_damaged_sample_is_made_again(drawn_sample, make, content):
    _, path = drawn_sample()
    if isinstance(content, dict):
        np.savez(path, **content)
    else:
        path.write_bytes(content)
    assert [drawn_sample()[0][0, 0] for _ in range(2)] == [2.25, 2.25]
    assert make.calls == 2


def test_threads_and_processes_that_need_one_sample_draw_it_once(drawn_sample, make, tmp_path):
    """A lock of flock is one of an open file, so that threads meet it as processes do."""

    def slowly(*arguments):
        time.sleep(0.5)
        return make(*arguments)

    with ThreadPoolExecutor(3) as threads:
        made = [*threads.map(lambda _: drawn_sample(make=slowly)[0], range(3))]
    assert make.calls == 1
    assert all(np.array_equal(values, made[0]) for values in made)
    (name,) = (path.name for path in (tmp_path / "cache" / "pigevo" / "baselines").iterdir())
    assert name.endswith(".npz")  # no lock stays


def test_a_process_that_is_killed_while_it_draws_holds_up_nobody(drawn_sample, make, tmp_path):
    _, path = drawn_sample()
    path.unlink()
    script = f"""
import sys, time
from pathlib import Path
from pigevo.storage.files import alone
with alone(Path({str(path)!r})):
    print("held", flush=True)
    time.sleep(600)
"""
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(drawn_sample)
        time.sleep(0.5)
        assert not waiting.done()
        holder.kill()
        holder.wait()
        values, _ = waiting.result(600)
    assert make.calls == 2
    assert values.shape == (POPULATIONS, 6)
    assert list(path.parent.iterdir()) == [path]


def test_where_nothing_can_be_written_the_sample_is_still_made(drawn_sample, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    values, path = drawn_sample()
    assert values.shape == (POPULATIONS, 6)
    assert path is None


def test_a_search_is_made_once_for_what_decides_it(monkeypatch):
    made = []

    def counted(*arguments):
        made.append(search(*arguments))
        return made[-1]

    monkeypatch.setattr(baseline, "search", counted)

    def searched(*words, strategies=24, grid=GRID):
        settings = small_settings("game.target=10", "baseline=random_search", *words)
        return baseline.cached_search(settings, grid, strategies)

    first, path = searched()
    assert (searched("mutation=0.3", "workers=2"), len(made)) == ((first, path), 1)
    path.write_bytes(b"damaged")
    assert (searched()[0], len(made)) == (first, 2)
    paired = "fitness=games fitness.paired=true fitness.games=20"
    for others in ("seed=5", "fitness.games=12", paired, "selection=round_robin", "population.size=8"):
        searched(*others.split())
    searched(strategies=30)
    searched(grid=CubeGrid(Pig(target=10), 5))
    assert len(made) == 9
