"""Pictures of strategies show their numbers."""

import numpy as np
import pytest
from matplotlib.path import Path as Outline
from matplotlib.text import Text

import pigevo
from pigevo.core.text import percent
from pigevo.errors import InputError
from pigevo.exact import reach
from pigevo.figures.axes import figure_of
from pigevo.figures.decisions import drawn_rolls
from pigevo.figures.portrait import VIEWS, plot_portrait, portrait_data
from pigevo.games import GAMES
from pigevo.strategies import Strategy
from tests.games.tiny import sample

GAME = pigevo.Pig(target=20)
A, B = pigevo.hold_at(GAME, 8), pigevo.optimal(GAME).strategy


def test_the_map_of_differences_adds_up_the_decisions_of_play():
    other = pigevo.random_strategy(GAME, 1)
    data = portrait_data([A, other])
    visits = np.where(np.broadcast_to(GAME.decision_states, GAME.shape), reach(A, other).overall, 0)
    assert np.allclose(abs(data.differ), np.where(A.roll != other.roll, visits, 0).sum(axis=2))
    more, less = (np.where(x.roll & ~y.roll, visits, 0).sum(axis=2) for x, y in ((A, other), (other, A)))
    for sign, mostly in ((1, more > less), (-1, less > more)):
        assert mostly.any()
        assert (sign * data.differ[mostly] > 0).all()


def caption(ax):
    return ax.get_figure(root=False).get_supxlabel().replace("\n", " ").replace("\u00a0", " ")


def drawn(ax):
    """What the image of a panel shows, by its axes; where it shows nothing NaN."""
    return np.ma.filled(ax.get_images()[0].get_array(), np.nan).T


def test_maps_have_a_line_above_and_a_caption_below_where_a_first_hold_misleads():
    panels = plot_portrait(portrait_data([A, pigevo.random_strategy(GAME, 2)]), "map")
    assert [ax.get_title() for ax in panels] == ["hold_at:8", "random_strategy:2"]
    assert "Above its first hold, random_strategy:2 rolls again at 8" in caption(panels[0])
    assert "hold_at:8 rolls again" not in caption(panels[0])
    assert "Pale: hold_at:8 hardly ever gets there (fewer than 1 decision in 100,000 games)." in caption(panels[0])


def test_maps_are_pale_where_play_hardly_ever_comes():
    data = portrait_data([A, B])
    rare = np.where(np.broadcast_to(GAME.decision_states, GAME.shape), reach(A, B).overall, 0).sum(axis=2) < 1e-5
    assert 0 < rare.mean() < 1
    for ax in plot_portrait(data, "map"):
        assert np.array_equal(ax.get_images()[0].get_alpha().T, np.where(rare, 0.2, 1))
    assert plot_portrait(portrait_data([A]), "map")[0].get_images()[0].get_alpha() is None


def test_both_strategies_are_drawn_on_one_scale():
    panels = plot_portrait(portrait_data([A, B]))
    assert [ax.get_box_aspect() for ax in panels[:3]] == [1, 1, 1]
    assert panels[0].get_images()[0].get_clim() == panels[1].get_images()[0].get_clim()
    bars = [ax for ax in figure_of(panels).axes if ax.get_label() == "<colorbar>"]
    assert len(bars) == 3  # one of both maps, one of their differences, one of costs
    assert panels[-1].get_zlim() == panels[-2].get_zlim()


def test_the_map_of_one_strategy_stands_in_the_middle():
    panels = plot_portrait(portrait_data([B]))
    figure = figure_of(panels)
    figure.draw_without_rendering()
    (bar,) = (ax for ax in figure.axes if ax.get_label() == "<colorbar>")
    middle = (panels[0].get_tightbbox().x0 + bar.get_tightbbox().x1) / 2
    assert middle == pytest.approx(figure.bbox.width / 2, rel=0.15)


def test_a_title_with_a_long_name_keeps_clear_of_the_colour_bar():
    first = pigevo.Strategy(GAME, A.roll, name="champion of generation 3300")
    panels = plot_portrait(portrait_data([first, B]))
    figure = figure_of(panels)
    figure.draw_without_rendering()
    bars = [ax.get_window_extent() for ax in figure.axes if ax.get_label() == "<colorbar>"]
    (title,) = (ax.title.get_window_extent() for ax in panels if ax.get_title().startswith("loss of"))
    assert not any(title.overlaps(bar) for bar in bars)


def test_places_that_play_hardly_ever_reaches_are_no_agreement():
    data = portrait_data([pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 9)])
    (ax,) = plot_portrait(data, "difference")
    colours = drawn(ax)
    assert data.reached[3, 0] == 0  # who holds at 8 or more never has 3
    assert np.isnan(colours[3, 0])
    assert colours[0, 0] == data.differ[0, 0] < 0
    assert colours[12, 0] == data.differ[12, 0] == 0
    assert data.reached[12, 0] > 1e-5
    assert "Grey: play hardly ever gets there" in caption(ax)


def test_of_leads_those_up_to_60_are_drawn():
    game = GAMES["ten_rounds"].bind({"turns": 3})
    data = portrait_data([pigevo.hold_at(game, 15), pigevo.hold_at(game, 20)])
    assert {decisions.extent for decisions in data.decisions} == {(1, 4, -60, 61)}
    panels = plot_portrait(data)
    assert panels[0].get_ylim() == (-60, 61)
    assert [ax.get_title() for ax in panels[4:7]] == ["lead -20", "lead 0", "lead 20"]
    assert "Leads beyond 60 are not drawn." in caption(panels[0])


@pytest.mark.parametrize(
    ("share", "message"),
    [(0.0, "0.0 %"), (1e-9, "less than 0.1 %"), (0.25, "25.0 %"), (0.99999, "more than 99.9 %"), (1, "100.0 %")],
)
def test_a_share_is_never_rounded_to_none_or_all(share, message):
    assert percent(share) == message


def test_slices_show_every_roll():
    data = portrait_data([A, B])
    assert data.slices == (0, 8, 16)
    i, k = np.indices((20, 20))
    for at, ax in zip(data.slices, plot_portrait(data, "slices"), strict=True):
        assert np.array_equal(drawn(ax) == 1, A.roll[:, at] & (i + k < 20))
        assert np.array_equal(drawn(ax) == 2, i + k >= 20)
        assert ax.get_title() == f"opponent's score {at}"


def test_the_border_goes_around_every_island():
    """Each edge between a cell that rolls and one that does not is drawn, but for those at the axes."""
    other = pigevo.random_strategy(GAME, 2)
    _, border = plot_portrait(portrait_data([A, other]), "slices")[0].collections
    roll, ends = other.roll[:, 0], np.array(border.get_segments())
    flat, upright = ((ends[:, 0, axis] == ends[:, 1, axis]).sum() for axis in (1, 0))
    assert upright == (roll[1:] != roll[:-1]).sum()
    assert flat == (np.diff(roll, axis=1) != 0).sum() + roll[:, -1].sum()


PANELS = {"all": 2 + 2 + 3 + 2, "map": 2, "slices": 3, "surface": 2, "difference": 1, "costs": 1}


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_is_drawn_with_its_title(view):
    panels = plot_portrait(portrait_data([A, B]), view, "one $title")
    assert (figure_of(panels).get_suptitle(), len(panels)) == ("one $title", PANELS[view])


def test_a_picture_of_one_panel_is_as_high_as_a_projector_shows():
    """Else a landscape is a small thing in a wide strip; and no part of the strip is empty."""
    for view, strategies in [("surface", [A]), ("map", [A]), ("difference", [A, B]), ("costs", [A, B])]:
        (ax,) = plot_portrait(portrait_data(strategies), view)
        figure = figure_of(ax)
        assert figure.get_figheight() >= 5.8
        figure.draw_without_rendering()
        if view != "surface":
            assert ax.get_tightbbox().x0 < 0.12 * figure.bbox.width


def test_the_ends_of_a_colour_bar_say_the_direction_outside():
    (ax,) = plot_portrait(portrait_data([A, B]), "difference")
    figure = figure_of(ax)
    figure.draw_without_rendering()
    (bar,) = (ax for ax in figure.axes if ax.get_label() == "<colorbar>")
    box = bar.get_window_extent()
    below, above = (text.get_window_extent() for text in bar.texts)
    assert below.y1 < box.y0 < box.y1 < above.y0
    assert all(figure.bbox.y0 <= text.y0 and text.y1 <= figure.bbox.y1 for text in (below, above))
    assert bar.get_yticklabels()[-1].get_text() == "1 in 10"


def test_a_champion_is_called_by_its_whole_name():
    panels = plot_portrait(portrait_data([Strategy(GAME, A.roll, "champion of generation 3600"), B]))
    texts = [text.get_text() for text in figure_of(panels).findobj(Text)]
    assert "champion of generation 3,600 rolls" in texts
    assert "champion of generation 3,600 holds" in texts
    assert any("only champion of\ngeneration 3,600\nrolls" in text for text in texts)
    assert "border of where the optimum rolls" in texts


def test_one_strategy_has_no_difference_and_the_optimum_no_costs():
    assert len(plot_portrait(portrait_data([B]))) == 1 + 3 + 1
    for strategies, view, message in (([B], "difference", "name another one"), ([B, A], "costs", "loses against")):
        with pytest.raises(InputError, match=message):
            plot_portrait(portrait_data(strategies), view)


def test_the_map_of_costs_adds_up_to_what_is_lost():
    data = portrait_data([A, pigevo.hold_at(GAME, 11)])
    lost = 0.5 - pigevo.win_probability(A, B).overall
    assert data.costs.sum() == pytest.approx(100 * lost, abs=1e-10)
    (ax,) = plot_portrait(data, "costs")
    assert drawn(ax)[0, 0] == data.costs[0, 0] == data.costs.max()
    assert np.isnan(drawn(ax)[3, 0])  # who holds at 8 or more never has 3


@pytest.mark.parametrize("name", sample("equal_turns", "ten_rounds"))
def test_every_game_is_drawn(name):
    """All panels are there, over the game's own axes, and say what they show; cells with decisions are not won."""
    small = {"target": 9} if "target" in GAMES[name].options else {"turns": 3, "cap": 20}
    game = GAMES[name].function(**small)
    data = portrait_data([pigevo.hold_at(game, 5), pigevo.hold_at(game, 7)])
    panels, slices = plot_portrait(data), len(data.slices)
    x, y = ("turns left", "lead") if game.turns else ("own score", "opponent's score")
    assert [ax.get_xlabel() for ax in panels] == [x] * (6 + slices)
    assert [ax.get_ylabel() for ax in panels] == [y] * 4 + ["turn total"] * slices + [y] * 2
    titles = [ax.get_title() for ax in panels[:4]]
    assert titles == ["hold_at:5", "hold_at:7", "decisions that differ", "loss of hold_at:5"]
    assert {ax.get_title() for ax in panels[4:-2]} == {f"{y} {data.decisions[0].extent[2] + at}" for at in data.slices}
    assert {drawn(ax).shape for ax in panels[:2]} == {data.decisions[0].first_hold.shape}
    open_, _ = drawn_rolls(Strategy(game, np.broadcast_to(game.decision_states | game.starts, game.shape)))
    won = ~open_.any(axis=1)[:, 1:] if game.target else False
    assert (data.won[:, 1:] == won).all()


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (Strategy(GAME, np.where(GAME.decision_states, 0.5, A.roll.astype(float))), "leaves decisions to chance"),
        (pigevo.hold_at(GAMES["ten_rounds"].function(turns=2, cap=9, rolls=True), 3), "also depend on the rolls"),
        (pigevo.hold_at(pigevo.Pig(target=1)), "nothing to draw"),
    ],
)
def test_what_no_picture_can_show_is_refused(strategy, message):
    with pytest.raises(InputError, match=message):
        portrait_data([strategy])


def test_cells_at_which_only_the_second_rolls_are_hatched_to_their_edges():
    game = pigevo.Piglet(target=10)
    data = portrait_data([pigevo.random_strategy(game, 2), pigevo.optimal(game).strategy])
    (ax,) = plot_portrait(data, "difference")
    (hatched,) = [collection for collection in ax.collections if getattr(collection, "hatches", None)]
    rings = [Outline(ring) for path in hatched.get_paths() for ring in path.to_polygons()]
    corners = np.array([(0.5, 0.5), (0.1, 0.1), (0.9, 0.1), (0.1, 0.9)])
    near = (np.argwhere(np.ones((10, 10)))[:, None] + corners).reshape(-1, 2)
    inside = np.sum([ring.contains_points(near) for ring in rings], axis=0) % 2 == 1  # a ring may be a hole
    assert np.array_equal(inside, np.repeat(data.differ < -1e-5, 4))
    assert 0 < inside.mean() < 1


@pytest.mark.parametrize("name", ["equal_turns", "ten_rounds"])
def test_the_numbers_along_a_landscape_are_few(name):
    panels = plot_portrait(portrait_data([pigevo.random_strategy(GAMES[name].bind({}), 1)]), "surface")
    assert all(len(axis.get_major_locator()()) <= 7 for ax in panels for axis in (ax.xaxis, ax.yaxis, ax.zaxis))
