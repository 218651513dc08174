"""A game in which a draw is worth more than a half: no figure, line or bound takes a half for the best there is."""

import pytest

import pigevo
from pigevo.core.intervals import bound_of_best, bound_of_means
from pigevo.web.report.curves import run_curves

WORDS = {
    "game": "ten_rounds", "game.turns": 2, "game.cap": 30, "game.draw": 1, "cubes": "none", "generations": 2,
    "population.size": 6, "fitness.games": 10, "baseline": "random_search", "baseline.populations": 20,
}  # fmt: skip


@pytest.fixture(scope="module")
def run():
    return pigevo.evolve(**WORDS)


def test_the_ceiling_is_what_the_optimum_wins_against_itself(run):
    best = pigevo.optimal(run.champion.game)
    assert best.overall > 0.55
    assert best.overall == pytest.approx(pigevo.best_response(best.strategy).overall)
    assert run.result["optimum_overall"] == run.optimum == best.overall
    view = run._repr_html_().replace("&nbsp;", " ")
    assert f"{100 * best.overall:.3g} % is the best there is, as this game counts draws" in view


def test_the_line_of_the_optimum_is_drawn_there(run):
    (axes,) = run.plot().axes
    (line,) = [line for line in axes.get_lines() if line.get_label() == "the optimum"]
    assert set(line.get_ydata()) == {run.optimum}
    assert axes.get_ylim()[1] > run.optimum
    assert "the optimum" in str(run_curves(run, run.settings, "curve"))


def test_a_bound_of_means_allows_for_members_up_to_there(run):
    among_random = run.finish.comparison
    peak = bound_of_means(among_random.own, run.settings.plan.size, run.result["peak_mean"], run.optimum)
    among = among_random.record["peak_among_means"]
    assert among["best_of_recorded_bound"] == bound_of_best(peak, among["recorded"])
