"""What records show in a notebook: the figures they have, all text escaped, and no display needed."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import pigevo
from pigevo import three_player
from pigevo.core.imports import NotebookDisplay
from pigevo.web.notebook import VIEWS
from tests.games.tiny import TINY, sample
from tests.web.page import View

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
def test_it_needs_no_display_and_leaves_the_users_matplotlib_alone():
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
