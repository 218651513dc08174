"""What records, runs and sweeps show in a notebook: the figures they have, all text escaped, and no display needed."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest
from PIL import Image

import pigevo
from pigevo import three_player
from pigevo.core.imports import NotebookDisplay
from pigevo.runs.result import sentences
from pigevo.sweeps.report import ranking_of
from pigevo.web.notebook import VIEWS
from tests.reference.any_game import TINY, sample
from tests.small import small_words
from tests.web.page import View


@pytest.fixture
def sketched(monkeypatch):
    """Every picture is the same few coloured dots: drawing takes most of the time of a face."""
    dots = Image.fromarray(np.arange(48, dtype=np.uint8).reshape(4, 4, 3))
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda _, file, **__: dots.save(file, "PNG"))


GAME = pigevo.Pig(20)
NASTY = "<script>alert('1')</script> & \"two\"\n\x1b[31m </div>"


def six(*figures):
    return [f"{figure:.6f}" for figure in figures]


def test_every_record_with_a_notebook_display_has_a_view():
    for home in ("strategies.strategy", "exact.solve", "exact.evaluate", "simulation.match", "tournaments.result",
                 "three_player.solver", "runs.load", "sweeps.load"):  # fmt: skip
        import_module(f"pigevo.{home}")
    kinds = [kind for kind in NotebookDisplay.__subclasses__() if kind.__module__.startswith("pigevo.")]
    assert {kind.__name__ for kind in kinds} == set(VIEWS)


@pytest.mark.slow
def test_a_strategy_says_what_show_does_beside_its_map():
    a = pigevo.hold_at(GAME, 8)
    view, p = View(a), pigevo.win_probability(a, pigevo.optimal(GAME).strategy)
    assert view.title == f"hold_at:8 in {GAME}"
    assert view.row("wins against the optimum, exactly") == six(p.first, p.second, p.overall)
    assert view.row("level") == ["10 against 10", "8"]
    worst = pigevo.best_response(a).overall
    assert f"the strategy that does best against it wins {100 * worst:.1f} %" in view.text
    assert "It holds at 8 at all of these scores, unless that wins." in view.text
    assert "misleads" not in view.text
    assert min(view.picture.shape[:2]) > 300
    other = View(pigevo.hold_at(GAME, 3)).picture
    assert view.picture.shape != other.shape or not np.array_equal(view.picture, other)


def test_a_map_that_misleads_says_so(sketched):
    a = pigevo.Strategy.from_function(GAME, lambda i, j, k: (k < 5) | (k == 7), "gap")
    view = View(a)
    assert view.row("at the start") == ["0 against 0", "5", "7"]
    assert view.tables[1][0] == ["", "scores", "first holds at", "rolls again at"]
    assert "At 65.0 % of the scores it rolls again above a hold, so that the map misleads there" in view.text


@pytest.mark.parametrize("name", sample("pig", "ten_rounds"))
def test_strategies_and_solutions_of_every_game_have_a_face(name, sketched):
    game = TINY[name]
    best = pigevo.optimal(game)
    for record in (pigevo.random_strategy(game, seed=1), best):
        view = View(record)
        assert view.title.endswith(f" in {game}")
        assert len(view.tables) == 2
        assert view.images or "No picture: " in view.text
    assert View(best).row("wins, exactly") == six(best.value, best.second, best.overall)


def test_words_say_why_there_is_no_picture():
    mixed = pigevo.Strategy.from_function(GAME, lambda i, j, k: 0.5 + 0 * (i + j + k), "half", mixed=True)
    for strategy, why in ((mixed, "leaves decisions to chance"), (pigevo.hold_at(pigevo.Pig(1), 1), "nothing to draw")):
        view = View(strategy)
        assert view.images == []
        assert re.search(f"No picture: .*{why}", view.text)
    assert "Chance decides in 100.0 % of its cells; they count as the more likely decision." in View(mixed).text


def test_what_would_take_long_is_left_out_with_a_word(monkeypatch):
    solution = pigevo.best_response(pigevo.hold_at(GAME, 8))
    monkeypatch.setattr("pigevo.web.notebook.MOST_CELLS", 20**3 - 1)
    for name in ("character_data", "hold_data"):
        monkeypatch.setattr(f"pigevo.figures.character.{name}", lambda *_: pytest.fail("it was computed"))
    view = View(solution.strategy)
    assert view.title == repr(solution.strategy)
    assert "8,000 cells takes a while" in view.text
    assert view.images == []
    assert View(solution).row("wins, exactly") == six(solution.value, solution.second, solution.overall)


def test_a_solution_shows_its_values_and_its_map(sketched):
    solution = pigevo.best_response(pigevo.hold_at(GAME, 8))
    view = View(solution)
    assert view.title == f"{solution.strategy.name} in {GAME}"
    assert view.row("wins, exactly") == six(solution.value, solution.second, solution.overall)
    assert len(view.row("ahead")) >= 2
    assert view.picture.size
    assert "right to" not in view.text
    assert "Each is right to 2e-09." in View(replace(solution, error=2e-9)).text


def test_win_probabilities_show_both_seats_and_what_else_can_happen():
    game = pigevo.Pig(20, allow_pass=True)
    waits = pigevo.Strategy.from_function(game, lambda i, j, k: (k < 8) & ((k > 0) | (i < 10)), "waits")
    p = pigevo.win_probability(waits, waits)
    assert p.stalemate_first > 0
    view = View(p)
    assert view.row("wins") == six(p.first, p.second, p.overall)
    assert view.row("stalemate")[:2] == six(p.stalemate_first, p.stalemate_second)
    assert [row[0] for row in view.tables[0]] == ["", "wins", "stalemate"]
    assert view.images == []


def test_a_match_shows_its_games_and_its_interval():
    m = pigevo.play_match(pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 4), games=2000, seed=1)
    view, (low, high) = View(m), m.interval(0.95)
    assert view.tables[0][1:] == [["wins", f"{m.wins:,}"], ["losses", f"{m.losses:,}"]]
    assert f"Win rate {m.win_rate:.4f}, 95 % interval {low:.4f} to {high:.4f}." in view.text
    assert View(replace(m, draws=3, unfinished=2)).row("draws") == ["3"]


@pytest.mark.parametrize("games", [None, 50])
def test_a_tournament_shows_its_first_twenty_beside_the_matrix(games, sketched):
    tournament = pigevo.tournament([f"hold_at:{n}" for n in range(1, 24)], games, game=GAME)
    view = View(tournament)
    head, *rows = view.tables[0]
    assert head[:3] == ["rank", "strategy", "mean"]
    assert [row[:2] for row in rows] == [[str(entry.rank), entry.name] for entry in tournament.ranking[:20]]
    assert "and 3 more: see .ranking" in view.text
    best = tournament.ranking[0]
    mean = f"{best.mean:.4f} ({best.low:.4f} to {best.high:.4f})" if games else f"{best.mean:.4f}"
    assert rows[0][2] == mean
    assert "Nash mixture: " in view.text
    assert view.picture.size


def test_a_tournament_names_who_did_not_play_and_draws_no_matrix_that_nobody_could_read(monkeypatch):
    monkeypatch.setattr("pigevo.web.notebook.MOST_DRAWN", 1)
    tournament = replace(pigevo.tournament(["hold_at:3", "hold_at:5"], game=GAME), failed=(("bad.py", NASTY),))
    view = View(tournament)
    assert "Did not play: bad.py: <script>" in view.text
    assert view.images == []


def test_three_players_show_their_seats_and_mixed_choices():
    t = three_player.solve(three_player.Game(target=10))
    view = View(t)
    assert view.row("wins, exactly") == six(*t.value)
    assert "exploitability()" in view.text
    assert f"nobody gains more than {t.exploitability():.2g} at any state" in View(t).text
    states = [((5, 6, 7, 2), 0.25)]  # put in: the first game with a mixed choice takes long to solve
    mixed = type("Mixed", (three_player.ThreeSolution,), {"mixed": states})(t.strategy, t.values, t.open_orbits)
    assert View(mixed).tables[1][1] == ["5", "6", "7", "2", "0.250000"]


def test_no_name_can_become_html(sketched):
    roll = pigevo.hold_at(GAME, 8).roll
    strategy = pigevo.Strategy(GAME, roll, NASTY)
    for record in (strategy, pigevo.best_response(strategy)):
        view = View(record)  # which lets only a few tags pass
        assert "<script>alert('1')</script> & \"two\"" in view.title
        assert "\\x1b[31m" in view.title
        assert view.images[0]["@alt"] == view.title


@pytest.mark.slow
def test_a_view_needs_no_display_and_leaves_the_users_matplotlib_alone():
    code = """
import sys, matplotlib, pigevo
before = dict(matplotlib.rcParams)
html = pigevo.hold_at(pigevo.Pig(12), 5)._repr_html_()
print("base64" in html, "matplotlib.pyplot" in sys.modules, dict(matplotlib.rcParams) == before)
"""
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"} | {"MPLBACKEND": "tkagg"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == ["True", "False", "True"]


def test_where_matplotlib_can_draw_nothing_the_words_are_there(monkeypatch):
    def fails(*_, **__):
        raise RuntimeError("latex was not found")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fails)
    view = View(pigevo.hold_at(GAME, 8))
    assert view.images == []
    assert view.row("level") == ["10 against 10", "8"]


WORDS = small_words("seed=4", "baseline=none")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        return pigevo.evolve(*WORDS, folder=tmp_path_factory.mktemp("runs") / "<b>run")


@pytest.fixture
def copied(run, tmp_path):
    """A run to change."""
    return shutil.copytree(run.folder, tmp_path / "run")


def test_a_run_shows_its_sentences_its_exact_figures_and_its_curve(run):
    view, record = View(run), run.result
    p = pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy)
    for seat, wins in (("moving first", p.first), ("moving second", p.second), ("overall", p.overall)):
        assert view.row(f"champion, {seat}") == [f"{wins:.6f}"]
    assert view.row(f"population mean, generation {record['generations']}, the last") == [f"{record['last_mean']:.6f}"]
    assert " ".join(sentences(record)) in view.text
    assert view.title.startswith("Run seed=4 ")
    assert "mutation=0.03" in view.title
    assert f"Folder: {run.folder}" in view.text
    assert view.picture.size
    assert repr(run) == f"<run: its champion wins {p.overall:.4f} against the optimum, in {run.folder}>"


def test_a_run_that_is_only_in_memory_names_no_folder(sketched):
    view = View(pigevo.evolve(*WORDS))
    assert "Folder: " not in view.text
    assert repr(view.record).endswith(", in memory>")


def test_a_run_that_was_stopped_says_how_far_it_is(run, copied, sketched):
    (copied / "result.json").unlink()
    stopped = pigevo.load_run(copied)
    view = View(stopped)
    last = f"{run.metrics['mean'][-1]:.4f}"
    assert f"in generation {run.metrics['generation'][-1]} the population wins {last} on average" in view.text
    assert view.tables == []
    assert view.picture.size
    assert repr(stopped) == f"<run: in generation {run.metrics['generation'][-1]}, not finished, in {stopped.folder}>"


def test_a_run_whose_settings_are_gone_says_so(copied, sketched):
    run = pigevo.load_run(copied)
    (copied / ".hydra" / "config.yaml").unlink()
    view = View(run)
    assert view.title == repr(run)
    assert "config.yaml" in view.text
    assert "Traceback" not in view.html


def test_a_sweep_ranks_its_settings_with_intervals(finished_sweep):
    sweep = pigevo.load_sweep(finished_sweep)
    view = View(sweep)
    ranking = ranking_of(sweep, "champion")
    assert view.title == "A sweep of 6 runs: 6 finished"
    ends = ["undetermined" if r.low is None else f"{r.low:.4f} to {r.high:.4f}" for r in ranking]
    rows = [[r.setting, "3", f"{r.mean:.4f}", end, f"{r.sd:.4f}"] for r, end in zip(ranking, ends, strict=True)]
    assert view.tables[0][1:] == rows
    assert ranking[0].mean > ranking[-1].mean


def test_a_large_sweep_is_cut_and_a_huge_one_not_read(finished_sweep, monkeypatch):
    monkeypatch.setattr("pigevo.web.notebook.MOST_ROWS", 1)
    sweep = pigevo.load_sweep(finished_sweep)
    view = View(sweep)
    assert len(view.tables[0]) == 1 + 1
    assert f"and 3 more: pigevo report {sweep.folder}" in view.text
    monkeypatch.setattr("pigevo.web.notebook.MOST_RUNS", 5)
    assert View(sweep).tables  # its results have been read
    again = View(pigevo.load_sweep(finished_sweep))
    assert again.tables == []
    assert "So many results take a while to read" in again.text
    assert "runs" not in vars(again.record)


def test_a_sweep_that_was_stopped_or_damaged_says_so(finished_sweep, tmp_path):
    shutil.copytree(finished_sweep.parents[1], tmp_path / "outputs")
    folder = tmp_path / "outputs" / "sweeps" / finished_sweep.name
    first, second, *others = (member.folder for member in pigevo.load_sweep(folder).members)
    (first / "result.json").unlink()
    view = View(pigevo.load_sweep(folder))
    assert view.title == "A sweep of 6 runs: 1 interrupted, 5 finished"
    assert sorted(row[1] for row in view.tables[0][1:] if row[0].startswith("mutation=")) == ["2", "3"]
    record = json.loads((second / "result.json").read_text())
    (second / "result.json").write_text(json.dumps(record)[:-9])
    damaged = View(pigevo.load_sweep(folder))
    assert "1 failed" in damaged.title
    assert f"{second.name} has failed: " in damaged.text
    for member in (second, *others):
        (member / "result.json").unlink()
    assert View(pigevo.load_sweep(folder)).tables == []
