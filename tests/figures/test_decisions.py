"""A strategy at a glance, and what its formula is, against a walk through its turns; pictures of games other than races."""

import numpy as np
import pytest

import pigevo
from pigevo.figures.axes import figure_of
from pigevo.figures.decisions import decisions_data, plot_decisions, plot_surfaces
from pigevo.figures.evolving import film_data, film_figures
from pigevo.figures.portrait import rarely_reached
from pigevo.figures.strategy_curves import plot_sticking, sticking_data
from pigevo.games import GAMES, Pig
from pigevo.runs.pictures import plot_champion
from pigevo.strategies import Strategy
from tests.games.tiny import TINY, sample

GAME = Pig(target=30)


def walked(strategy, i, j):
    """The turn total at which a player who rolls on first stops, if every total could be met."""
    k = 0
    while i + k < strategy.game.target and strategy.roll[i, j, k]:
        k += 1
    return k


@pytest.mark.parametrize(
    "strategy",
    [
        pigevo.hold_at(GAME, 8), pigevo.score(GAME, 5), pigevo.roll_to_win(GAME), pigevo.random_strategy(GAME, 3),
        pigevo.optimal(GAME).strategy, pigevo.skip_when_level(Pig(target=30, allow_pass=True), 6),
        pigevo.hold_at(Pig(target=1)),
    ],
    ids=lambda s: s.name,
)  # fmt: skip
def test_first_hold_is_where_a_walk_through_the_totals_ends(strategy):
    data = decisions_data(strategy)
    target = strategy.game.target
    expected = [[walked(strategy, i, j) for j in range(target)] for i in range(target)]
    assert data.first_hold.tolist() == expected
    assert (data.name, data.target) == (strategy.name, target)


def test_agrees_is_the_share_of_scores_with_one_hold_value():
    roll = pigevo.hold_at(GAME, 8).roll.copy()
    assert decisions_data(Strategy(GAME, roll)).agrees == 1
    roll[3, 4, 12] = True  # holds at 8 and rolls again at 12
    roll[5, 6, 9] = True
    assert decisions_data(Strategy(GAME, roll)).agrees == pytest.approx(1 - 2 / 900)


def test_pictures_of_a_run_say_where_a_first_hold_misleads():
    panels = plot_champion(pigevo.random_strategy(GAME, 2))
    said = panels[0].get_figure(root=False).get_supxlabel().replace("\n", " ").replace("\u00a0", " ")
    assert said.startswith("Above its first hold, random_strategy:2 rolls again at ")
    assert figure_of(plot_champion(pigevo.hold_at(GAME, 8))).get_supxlabel().startswith("Pale: hold_at:8 hardly ever")


def test_pictures_of_a_run_are_pale_where_its_champion_hardly_ever_gets():
    champion, best = pigevo.hold_at(GAME, 8), pigevo.optimal(GAME).strategy
    rare = rarely_reached(champion, best)
    assert rare[1, 0]  # no throw and no hold leads to a score of 1
    assert not rare[8, 0]
    for axes in plot_champion(champion):
        assert np.array_equal(axes.get_images()[0].get_alpha().T < 1, rare)


@pytest.mark.parametrize("numbers", [(5, 9), (5,)])
def test_the_picture_has_a_panel_for_each_strategy_on_one_scale(numbers):
    decisions = [decisions_data(pigevo.hold_at(GAME, n)) for n in numbers]
    panels = plot_decisions(decisions)
    for axes, data in zip(panels, decisions, strict=True):
        (image,) = axes.get_images()
        assert image.get_clim() == (0, max(numbers))
        assert np.array_equal(image.get_array(), data.first_hold.T)
        words = axes.get_title(), axes.get_xlabel(), axes.get_ylabel()
        assert words == (data.name, "own score", "opponent's score")
    assert "first holds" in figure_of(panels).axes[-1].get_ylabel()


@pytest.mark.parametrize("name", sample("pig", "skunk", "ten_rounds"))
def test_maps_landscapes_and_films_of_every_game_are_drawn(name):
    champion = pigevo.hold_at(TINY[name], 3)
    data = decisions_data(champion)
    assert data.first_hold.shape == (data.extent[1] - data.extent[0], data.extent[3] - data.extent[2])
    plot_decisions([data])
    [axes] = plot_surfaces([data], views=((28.0, -60.0),))
    assert (axes.get_xlabel(), axes.get_ylabel()) == data.axes
    assert len(list(film_figures(*film_data({0: champion})))) == 1
    if not TINY[name].one_die:
        with pytest.raises(pigevo.InputError, match=r"races of one die.*\.$"):
            pigevo.gene_importance(champion, champion)


def test_a_race_with_a_last_turn_is_won_at_its_cap():
    game = GAMES["skunk"].bind({"target": 10, "cap": 15})
    rolls = pigevo.Strategy.from_function(game, lambda i, j, k: True)
    assert np.array_equal(decisions_data(rolls).first_hold, 15 - np.arange(10)[:, None] + np.zeros(15, int))


def test_landscapes_stand_side_by_side_a_row_for_each_view():
    data = decisions_data(pigevo.hold_at(pigevo.Pig(target=10), 4))
    panels = plot_surfaces([data, data], views=[(30, 40), (20, 10), (5, 5)])
    assert [axes.get_title() for axes in panels] == ["hold_at:4", "hold_at:4", "", "", "", ""]
    assert [(axes.elev, axes.azim) for axes in panels[1:3]] == [(30, 40), (20, 10)]


def test_landscapes_say_that_they_show_the_first_hold():
    said = figure_of(plot_surfaces([decisions_data(pigevo.random_strategy(GAME, 2))])).get_supxlabel()
    said = said.replace("\n", " ")
    assert said.startswith(
        "Height: turn total at which it first holds, or wins. Above its first hold, random_strategy:2 rolls again at"
    )


def test_each_mean_roll_is_a_curve_of_the_formula():
    axes = plot_sticking(sticking_data(4, 50, v=[0.4, 0.9]))
    for v, line in zip((0.4, 0.9), axes.get_lines(), strict=True):
        rolls, chance = line.get_xydata().T
        assert chance == pytest.approx(np.minimum(1, rolls ** (4 * v) / 50))
        assert line.get_label() == f"v = {v}"
    assert (rolls[0], rolls[-1]) == (1, 10)
