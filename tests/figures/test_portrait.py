"""Strategies in figures, words and pictures: character, decisions, portraits, films and tournaments of champions."""

import os
import subprocess
import sys
import weakref
from dataclasses import asdict, replace
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.path import Path as Outline
from matplotlib.text import Text
from PIL import Image

import pigevo
from pigevo import three_player as tp
from pigevo.core.text import percent
from pigevo.errors import InputError
from pigevo.exact import best_response, optimal, reach, win_probability
from pigevo.figures import matrices
from pigevo.figures.axes import figure_of, image_of
from pigevo.figures.character import (
    beside_data,
    character_data,
    gap_cells,
    hold_data,
    holds_table,
    ignores_opponent,
    places_of,
    tendency,
)
from pigevo.figures.curve import curve_data
from pigevo.figures.decisions import decisions_data, drawn_rolls, plot_decisions, plot_surfaces
from pigevo.figures.evolving import film_data, film_figures, frame_data, plot_frame
from pigevo.figures.matrices import MasterTournament, master_tournament_data, plot_master_tournament, plot_tournament
from pigevo.figures.portrait import VIEWS, plot_portrait, plot_slice, portrait_data, rarely_reached
from pigevo.figures.ranks import MOST_ROWS, mean_ranks, plot_ranks
from pigevo.figures.strategy_curves import plot_sticking, sticking_data
from pigevo.figures.three_advice import PLACES, advice_data, describe_advice, plays_data
from pigevo.games import GAMES, Pig
from pigevo.runs.pictures import plot_champion, save_film
from pigevo.strategies import Strategy
from pigevo.strategies.rules import parse_rule
from tests.reference.any_game import TINY, sample
from tests.small import environment_of_a_process

PIG_40 = pigevo.Pig(target=40)


def changed(strategy, cells):
    roll = strategy.roll.copy()
    for cell, value in cells.items():
        roll[cell] = value
    return Strategy(strategy.game, roll, "changed")


def holds_of(strategy):
    return {hold.place: hold for hold in hold_data(strategy)}


def share_of_play(a, b, cell):
    """The share of the decisions of a against b that fall at a cell."""
    visits = np.where(np.broadcast_to(PIG_40.decision_states, PIG_40.shape), reach(a, b).overall, 0)
    return visits[cell] / visits.sum()


def test_a_hold_has_the_totals_at_which_it_rolls_again():
    strategy = changed(pigevo.hold_at(PIG_40, 8), {(0, 0, 10): True, (0, 0, 11): True, (0, 0, 20): True})
    start, level, *_ = hold_data(strategy)
    assert (start.place, start.at, start.first) == ("at the start", {"own": 0, "opponent": 0}, 8)
    assert start.again == ((10, 11), (20, 20))
    assert (level.at, level.first, level.again, level.wins) == ({"own": 20, "opponent": 20}, 8, (), False)


def test_who_rolls_to_the_end_holds_nowhere():
    holds = hold_data(pigevo.roll_to_win(PIG_40))
    assert {(hold.first, hold.wins) for hold in holds} == {(None, False)}
    near = holds_of(pigevo.hold_at(PIG_40, 8))["ahead near the end"]
    assert (near.at["own"], near.first, near.wins) == (34, None, True)


@pytest.mark.parametrize("name", ["skunk", "equal_turns"])
@pytest.mark.parametrize(("hold", "first", "wins"), [(12, 12, False), (13, None, True)])
def test_in_a_race_with_a_last_turn_only_the_cap_wins_at_once(name, hold, first, wins):
    """Who stands at 17 of 20 may go on beyond the target: holding at 12 is a choice there, and at 13 it would win."""
    game = GAMES[name].function(target=20, cap=30)
    near = holds_of(Strategy.from_function(game, lambda i, j, k: k < hold))["ahead near the end"]
    assert (near.at["own"], near.first, near.wins) == (17, first, wins)


@pytest.mark.parametrize("name", sample("skunk", "ten_rounds"))
def test_every_game_has_its_places_and_its_figures(name):
    small = {"target": 12} if "target" in GAMES[name].options else {"turns": 3, "cap": 30}
    game = GAMES[name].function(**small)
    for at in places_of(game).values():
        assert set(at) <= {axis.name for axis in game.between}
        assert all(at[axis.name] in axis.values for axis in game.between if axis.name in at)
    strategy = pigevo.hold_at(game, 5)
    character, best = character_data(strategy), optimal(game).strategy
    assert character.overall == pytest.approx(win_probability(strategy, best).overall)
    assert character.exploitability == pytest.approx(best_response(strategy).overall - 0.5)
    assert (character.gap_places, character.gap_decisions, character.chance) == (0, 0, 0)


@pytest.mark.parametrize(
    "game",
    [PIG_40, pigevo.Pig(target=15, allow_pass=True), GAMES["ten_rounds"].function(turns=2, cap=12, rolls=True)],
    ids=str,
)
def test_gaps_are_rolls_above_a_hold(game):
    between = len(game.between)
    random, again = pigevo.random_strategy(game, 4), {(1,) * between + (7,): True}
    strategy = changed(pigevo.hold_at(game, 4), again) if game.remembers else random
    gaps = gap_cells(strategy)
    for cell in np.argwhere(gaps)[::97]:
        place, total = tuple(cell[:between]), cell[between]
        rolls = strategy.roll[place].reshape(game.size, -1).any(axis=1)
        assert strategy.roll[tuple(cell)]
        assert not rolls[0 if game.allow_pass else 1 : total].all()
    assert gaps.any()
    assert not gap_cells(pigevo.hold_at(game, 4)).any()


def test_gaps_are_weighed_by_play():
    strategy = changed(pigevo.hold_at(PIG_40, 8), {(0, 0, 9): True, (0, 0, 30): True})
    character = character_data(strategy)
    assert character.gap_places == pytest.approx(1 / 1600)
    gaps = share_of_play(strategy, optimal(PIG_40).strategy, (0, 0, 9))
    assert character.gap_decisions == pytest.approx(gaps)
    assert gaps > 0


def test_strategies_differ_by_play_and_by_cells():
    a, b = pigevo.hold_at(PIG_40, 8), changed(pigevo.hold_at(PIG_40, 8), {(0, 0, 5): False, (39, 39, 0): True})
    beside = beside_data(a, b)
    assert beside.cells == pytest.approx(1 / np.broadcast_to(PIG_40.decision_states, PIG_40.shape).sum())
    assert beside.decisions == pytest.approx(share_of_play(a, b, (0, 0, 5)))
    assert beside.overall == pytest.approx(win_probability(a, b).overall)


def test_where_chance_decides_strategies_differ_by_their_chances():
    best = optimal(PIG_40).strategy
    erring = beside_data(pigevo.noisy(best, 0.1), best)
    assert (erring.cells, erring.decisions) == (pytest.approx(0.1), pytest.approx(0.1))


def said_of(strategy):
    return tendency(asdict(character_data(strategy)))


def test_ahead_and_behind_differ_in_the_opponents_score_alone():
    for game in (pigevo.Pig(), GAMES["ten_rounds"].function(turns=3, cap=30)):
        ahead, behind = places_of(game)["ahead"], places_of(game)["behind"]
        assert [axis for axis in ahead if ahead[axis] != behind[axis]] == ["opponent" if game.target else "difference"]


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("multiple(25)", "It holds at 25 at all of these scores, unless that wins."),
        ("23; race own>=57", "It holds at 23 at all of these scores, unless that wins."),
        ("marks(23,47,72)", "It does not look at the opponent's score."),
        ("quarters(24,20,28,20)", "It does not look at the opponent's score."),
        ("20; race either>=71", "It holds at 20 both when ahead (50 against 30) and when behind (50 against 70), but not everywhere."),
        ("20; race either>=70", "It rolls further when behind (50 against 70) than when ahead (50 against 30)."),
        ("20-(j-i)/8", "It rolls further when ahead (50 against 30) than when behind (50 against 70)."),
    ],
)  # fmt: skip
def test_one_sentence_compares_only_what_differs_in_the_opponents_score(rule, says):
    assert said_of(parse_rule(rule).strategy(pigevo.Pig())) == says


def test_where_nobody_can_be_ahead_at_half_of_the_target_nothing_is_compared():
    hurries = Strategy.from_function(pigevo.Pig(target=5), lambda i, j, k: k < 2 or j == 4)
    assert places_of(hurries.game)["ahead"] == {"own": 2, "opponent": 2}
    assert said_of(hurries) == "Where it holds depends on the scores."


@pytest.mark.parametrize("name", sorted(GAMES))
def test_who_ignores_the_other_player_is_known_in_every_game(name):
    small = {"target": 12} if "target" in GAMES[name].options else {"turns": 3, "cap": 30}
    game = GAMES[name].function(**small)
    assert ignores_opponent(pigevo.hold_at(game, 5)) != bool(game.reply)  # in a last turn it rolls until ahead
    assert not ignores_opponent(pigevo.random_strategy(game, 1))


def test_nothing_is_reached_after_a_pass():
    """Roll and wait passes where it is ahead at 80 and more: that it would roll at 1 there concerns no turn."""
    strategy = pigevo.roll_and_wait(pigevo.Pig(allow_pass=True))
    near = holds_of(strategy)["ahead near the end"]
    assert (near.first, near.again) == (0, ())
    assert not gap_cells(strategy).any()
    assert said_of(strategy).startswith("It holds at 20 both when ahead")


def test_chance_is_the_share_of_decisions_left_to_it():
    half = Strategy(PIG_40, np.where(PIG_40.decision_states, 0.5, pigevo.hold_at(PIG_40).roll.astype(float)))
    assert character_data(half).chance == 1


def test_there_is_no_exploitability_where_a_draw_is_no_half():
    game = GAMES["ten_rounds"].function(turns=2, cap=20, draw=0.0)
    character = character_data(pigevo.hold_at(game, 5))
    assert character.exploitability is None
    assert character.best_response == pytest.approx(best_response(pigevo.hold_at(game, 5)).overall)


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=40))


def test_holds_are_those_of_the_strategy():
    game = tp.Piglet(20)
    holds_at_five = tp.Strategy.from_function(game, lambda a, b, c, k: k < 5 or (k in (7, 8) and b < c))
    plays = plays_data(holds_at_five)
    assert [hold.place for hold in plays.holds] == list(PLACES)
    holds = {hold.place: hold for hold in plays.holds}
    assert holds["leads late"].at == {"own": 15, "next": 10, "third": 10}
    assert holds["leads late"].first is None  # with 5 points to go there is nothing to hold at
    assert holds["follows, the leader moves next"].first == 5
    assert holds["follows, the leader moves next"].again == ((7, 8),)
    assert holds["follows, the leader moves last"].again == ()
    assert plays.level == 15
    assert plays_data(tp.Strategy.from_function(game, lambda *_: 1)).level == 0


def test_what_the_two_player_optimum_loses_is_counted_seat_by_seat(solution):
    advice, other = advice_data(solution), tp.lifted(solution.game, "leader")
    for seat, lost in enumerate(advice.loses):
        seated = [other if n == seat else solution.strategy for n in range(3)]
        assert lost == pytest.approx(solution.value[seat] - tp.win_probabilities(seated)[seat], abs=1e-14)
    assert min(advice.loses) > 1e-3
    text = "\n".join(describe_advice(asdict(advice)))
    lost = [100 * loss for loss in advice.loses]
    assert f"{sum(lost) / 3:.2f} percentage points of win probability, by seat {lost[0]:.2f}" in text
    assert "it rolls until it has won from the start, the two-player optimum from 2 points each on" in text


def test_leading_and_following_differ_in_words():
    game = tp.Piglet(20)
    leads = tp.Strategy.from_function(game, lambda a, b, c, k: k < (3 if a < min(b, c) else 5 if b < c else 6))
    plays = asdict(plays_data(leads))
    text = "\n".join(describe_advice({"strategies": [plays, plays], "loses": [0.0, 0.0, 0.0]}))
    assert "Ahead (12 against 6 and 6) it holds at 3; behind the leader (6 against 12 and 6) it holds at 5 if" in text
    assert "if the leader moves next and holds at 6 if last." in text


PIG_30 = Pig(target=30)


def walked(strategy, i, j):
    """The turn total at which a player who rolls on first stops, if every total could be met."""
    k = 0
    while i + k < strategy.game.target and strategy.roll[i, j, k]:
        k += 1
    return k


@pytest.mark.parametrize(
    "strategy",
    [
        pigevo.hold_at(PIG_30, 8), pigevo.score(PIG_30, 5), pigevo.roll_to_win(PIG_30), pigevo.random_strategy(PIG_30, 3),
        pigevo.optimal(PIG_30).strategy, pigevo.skip_when_level(Pig(target=30, allow_pass=True), 6),
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
    roll = pigevo.hold_at(PIG_30, 8).roll.copy()
    assert decisions_data(Strategy(PIG_30, roll)).agrees == 1
    roll[3, 4, 12] = True  # holds at 8 and rolls again at 12
    roll[5, 6, 9] = True
    assert decisions_data(Strategy(PIG_30, roll)).agrees == pytest.approx(1 - 2 / 900)


def test_pictures_of_a_run_say_where_a_first_hold_misleads():
    panels = plot_champion(pigevo.random_strategy(PIG_30, 2))
    said = panels[0].get_figure(root=False).get_supxlabel().replace("\n", " ").replace("\u00a0", " ")
    assert said.startswith("Above its first hold, random_strategy:2 rolls again at ")
    assert figure_of(plot_champion(pigevo.hold_at(PIG_30, 8))).get_supxlabel().startswith("Pale: hold_at:8 hardly ever")


def test_pictures_of_a_run_are_pale_where_its_champion_hardly_ever_gets():
    champion, best = pigevo.hold_at(PIG_30, 8), pigevo.optimal(PIG_30).strategy
    rare = rarely_reached(champion, best)
    assert rare[1, 0]  # no throw and no hold leads to a score of 1
    assert not rare[8, 0]
    for axes in plot_champion(champion):
        assert np.array_equal(axes.get_images()[0].get_alpha().T < 1, rare)


@pytest.mark.parametrize("numbers", [(5, 9), (5,)])
def test_the_picture_has_a_panel_for_each_strategy_on_one_scale(numbers):
    decisions = [decisions_data(pigevo.hold_at(PIG_30, n)) for n in numbers]
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
    said = figure_of(plot_surfaces([decisions_data(pigevo.random_strategy(PIG_30, 2))])).get_supxlabel()
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


PIG_20 = pigevo.Pig(target=20)
A, B = pigevo.hold_at(PIG_20, 8), pigevo.optimal(PIG_20).strategy


def test_the_map_of_differences_adds_up_the_decisions_of_play():
    other = pigevo.random_strategy(PIG_20, 1)
    data = portrait_data([A, other])
    visits = np.where(np.broadcast_to(PIG_20.decision_states, PIG_20.shape), reach(A, other).overall, 0)
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
    panels = plot_portrait(portrait_data([A, pigevo.random_strategy(PIG_20, 2)]), "map")
    assert [ax.get_title() for ax in panels] == ["hold_at:8", "random_strategy:2"]
    assert "Above its first hold, random_strategy:2 rolls again at 8" in caption(panels[0])
    assert "hold_at:8 rolls again" not in caption(panels[0])
    assert "Pale: hold_at:8 hardly ever decides there (fewer than 1 decision in 100,000 games)." in caption(panels[0])


def test_maps_are_pale_where_play_hardly_ever_comes():
    data = portrait_data([A, B])
    rare = np.where(np.broadcast_to(PIG_20.decision_states, PIG_20.shape), reach(A, B).overall, 0).sum(axis=2) < 1e-5
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
    first = pigevo.Strategy(PIG_20, A.roll, name="champion of generation 3300")
    panels = plot_portrait(portrait_data([first, B]))
    figure = figure_of(panels)
    figure.draw_without_rendering()
    bars = [ax.get_window_extent() for ax in figure.axes if ax.get_label() == "<colorbar>"]
    (title,) = (ax.title.get_window_extent() for ax in panels if ax.get_title().startswith("loss of"))
    assert not any(title.overlaps(bar) for bar in bars)


def test_long_names_above_maps_and_landscapes_stand_apart():
    name = "pupils.py:a_strategy_with_a_name_of_sixty_letters_{}"
    data = [decisions_data(Strategy(PIG_20, A.roll, name.format(n))) for n in ("one", "two")]
    for panels in (plot_decisions(data), plot_surfaces(data, views=[(28, -60)])):
        figure = figure_of(panels)
        figure.draw_without_rendering()
        titles = [ax.title.get_window_extent() for ax in panels]
        bars = [ax.get_window_extent() for ax in figure.axes if ax.get_label() == "<colorbar>"]
        assert not any(one.overlaps(other) for one, other in combinations([*titles, *bars], 2))
        assert titles[0].x0 >= 0
        assert max(title.y1 for title in titles) <= figure.bbox.height
        assert [ax.get_title().replace("\n", "") for ax in panels] == [one.name for one in data]


@pytest.mark.parametrize("at", [-1, 20])
def test_a_slice_that_does_not_exist_is_refused(at):
    with pytest.raises(InputError, match=f"at = {at} is out of range: there are 20 slices, numbered from 0 on"):
        plot_slice(portrait_data([A]), at)


def test_places_that_play_hardly_ever_reaches_are_no_agreement():
    data = portrait_data([pigevo.hold_at(PIG_20, 8), pigevo.hold_at(PIG_20, 9)])
    (ax,) = plot_portrait(data, "difference")
    colours = drawn(ax)
    assert data.reached[3, 0] == 0  # who holds at 8 or more never has 3
    assert np.isnan(colours[3, 0])
    assert colours[0, 0] == data.differ[0, 0] < 0
    assert colours[12, 0] == data.differ[12, 0] == 0
    assert data.reached[12, 0] > 1e-5
    assert "Grey: hardly ever a decision there (fewer than 1 in 100,000 games)." in caption(ax)


@pytest.mark.parametrize("name", ["pig", "ten_rounds", "equal_turns"])
def test_where_the_seat_matters_pictures_and_tables_say_whose_decisions_they_show(name):
    words = "For the player who moves first in each round."
    game = TINY[name]
    strategies = [pigevo.hold_at(game, 3), optimal(game).strategy]
    data, by_seat = portrait_data(strategies), name != "pig"
    for view in ("map", "surface"):
        assert (words in caption(plot_portrait(data, view)[0])) == by_seat
    for view in ("difference", "costs"):
        assert ("Both seats together." in caption(plot_portrait(data, view)[0])) == by_seat
    (legend,) = figure_of(plot_portrait(data, "slices")).subfigs[0].legends
    assert legend.get_title().get_text() == (words if by_seat else "")
    beside = plot_slice(data, 0).get_legend()
    assert beside.get_title().get_text() == (words if by_seat else "")
    table = holds_table([asdict(character_data(strategy)) for strategy in strategies])
    assert (f"  {words}" in table) == by_seat
    best, frames = film_data({0: strategies[0]})
    assert (words in caption(plot_frame(best, frames[0])[0])) == by_seat


def test_a_map_of_the_first_seat_is_pale_where_only_the_second_one_gets():
    game = TINY["ten_rounds"]
    data = portrait_data([pigevo.hold_at(game, 3), optimal(game).strategy])
    first_turn = data.decisions[0].extent[1] - data.decisions[0].extent[0] - 1
    assert np.flatnonzero(~data.rare[first_turn]).tolist() == [-data.decisions[0].extent[2]]
    assert (data.reached[first_turn] >= 1e-5).sum() > 1


def test_the_loss_of_all_places_counts_those_that_are_not_drawn():
    game = GAMES["ten_rounds"].bind({"turns": 3, "cap": 90})
    strategy, best = pigevo.hold_at(game, 70), optimal(game).strategy
    data = portrait_data([strategy, best])
    lost = 100 * (0.5 - win_probability(strategy, best).overall)
    assert data.lost == pytest.approx(lost)
    assert data.costs.sum() < lost - 0.05  # which would print otherwise
    (ax,) = plot_portrait(data, "costs")
    assert f"(all places together: {lost:.2f})" in figure_of(ax).axes[-1].get_ylabel()
    assert "Leads beyond 60 are not drawn." in caption(ax)


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
    other = pigevo.random_strategy(PIG_20, 2)
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
    panels = plot_portrait(portrait_data([Strategy(PIG_20, A.roll, "champion of generation 3600"), B]))
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
    data = portrait_data([A, pigevo.hold_at(PIG_20, 11)])
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
        (Strategy(PIG_20, np.where(PIG_20.decision_states, 0.5, A.roll.astype(float))), "leaves decisions to chance"),
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


CHAMPIONS = {generation: pigevo.hold_at(PIG_20, 3 + generation) for generation in (0, 2, 5)}


def test_each_frame_is_a_champion_in_play_against_the_optimum():
    best, frames = film_data(CHAMPIONS)
    optimum = pigevo.optimal(PIG_20).strategy
    assert best.title == "the optimum"
    for (generation, champion), frame in zip(CHAMPIONS.items(), frames, strict=True):
        won = pigevo.win_probability(champion, optimum).overall
        assert frame.title == f"generation {generation}: {100 * won:.1f} %"
        assert np.array_equal(frame.turns, pigevo.reach(champion, optimum).overall[:, :, 0])
        assert frame.decisions.first_hold[0, 0] == 3 + generation


def test_places_are_weighed_by_the_turns_that_begin_there():
    game = GAMES["ten_rounds"].bind({"turns": 2, "cap": 9})
    optimum, champion = pigevo.optimal(game).strategy, pigevo.hold_at(game, 4)
    frame = frame_data("", champion, optimum)
    assert frame.turns.shape == frame.decisions.first_hold.shape == (2, 19)
    assert frame.turns[1].sum() == frame.turns[1, 9] == 0.5  # the first turn of who moves first, at a lead of 0
    assert np.array_equal(frame.turns, pigevo.reach(champion, optimum).overall[:, 0, :, 0])


@pytest.mark.parametrize("game", [pigevo.Pig(target=1), GAMES["ten_rounds"].bind({"turns": 1, "cap": 9})])
def test_where_there_is_nothing_to_draw_over_two_axes_hold_values_are_drawn(game):
    champions = {0: pigevo.hold_at(game, 4), 3: pigevo.hold_at(game, 7)}
    best, frames = film_data(champions, curve())
    assert [frame.holds for frame in frames] == [hold_data(champion) for champion in champions.values()]
    for frame, figure in zip(frames, film_figures(best, frames, curve()), strict=True):
        axes, below = figure.axes
        optimum, champion = axes.lines
        assert (optimum.get_label(), champion.get_label(), axes.get_title()) == ("the optimum", "champion", frame.title)
        edge = axes.get_xlim()[1] / 1.03
        holds = [edge if hold.first is None else hold.first for hold in frame.holds]
        assert list(champion.get_xdata()) == pytest.approx(holds)
        assert below.get_xlabel() == "generation"


@pytest.mark.slow
def test_the_film_shows_every_frame_and_rests_on_the_last(tmp_path):
    save_film(tmp_path / "film.gif", film_figures(*film_data(CHAMPIONS)), per_second=4, rest=2, dpi=20)
    with Image.open(tmp_path / "film.gif") as film:
        pictures, milliseconds = [], 0
        for number in range(film.n_frames):
            film.seek(number)
            milliseconds += film.info["duration"]
            pictures.append(film.convert("RGB").tobytes())
    assert len(set(pictures)) == 3
    assert milliseconds == 3 * 250 + 2000


def curve():
    figures = {"best": 0.3, "mean": 0.2, "worst": 0.1}
    waves = [{"wave": 1, "cube_size": "10"}] * 3 + [{"wave": 2, "cube_size": "1"}] * 3
    return curve_data([{"generation": n} | wave | figures for n, wave in enumerate(waves)])


def test_titles_name_the_wave_and_the_curve_marks_the_generation():
    best, frames = film_data(CHAMPIONS, curve())
    waves = ["wave 1 (cubes of 10)", "wave 1 (cubes of 10)", "wave 2 (single cells)"]
    for (number, wave), frame in zip(zip(CHAMPIONS, waves, strict=True), frames, strict=True):
        assert frame.title == f"generation {number}, {wave}: {100 * frame.overall:.1f} %"
    for frame, figure in zip(frames, film_figures(best, frames, curve()), strict=True):
        champion, _, below = [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]
        assert champion.get_title() == frame.title.replace(", wave", "\nwave")
        assert np.array_equal(champion.get_images()[0].get_array(), frame.decisions.first_hold.T)
        (marked,) = [line for line in below.lines if line.get_marker() == "D"]
        assert (marked.get_xdata()[0], marked.get_ydata()[0]) == (frame.generation, frame.overall)


def test_a_title_is_no_wider_than_its_panel():
    best, frames = film_data({3600: CHAMPIONS[0]}, curve())
    assert frames[0].title.startswith("generation 3,600, wave 2 (single cells): ")
    panels = plot_frame(best, replace(frames[0], title="generation 3,600, wave 2 (cubes of 20x20x10): 32.0 %"))
    figure_of(panels).draw_without_rendering()
    assert panels[0].title.get_window_extent().width <= panels[0].get_window_extent().width


def test_nothing_is_pale_and_places_where_turns_begin_are_outlined():
    best, (frame,) = film_data({0: CHAMPIONS[5]})
    panels = plot_frame(best, frame)
    assert "Above the turn total at which it first holds, a champion may roll again." in caption(panels[0])
    assert all(ax.get_images()[0].get_alpha() is None for ax in panels)
    (outline,) = panels[0].collections
    edges = {tuple(map(tuple, segment)) for segment in np.array(outline.get_segments()).tolist()}
    assert frame.turns[7, 0] < 1e-3 <= frame.turns[8, 0]
    assert ((8, 0), (8, 1)) in edges


@pytest.mark.parametrize(("per_second", "milliseconds"), [(8, 120), (60, 20), (50, 20), (40, 20), (30, 30), (7, 140)])
def test_a_fast_gif_has_whole_hundredths_of_a_second_that_browsers_show(tmp_path, per_second, milliseconds):
    frames = (Figure(figsize=(1, 1), facecolor=color) for color in "rgb")
    with Image.open(save_film(tmp_path / "film.gif", frames, per_second=per_second, rest=2, dpi=20)) as film:
        durations = []
        for number in range(film.n_frames):
            film.seek(number)
            durations.append(film.info["duration"])
    assert durations == [milliseconds, milliseconds, pytest.approx(2000 + milliseconds, abs=80)]


def test_a_film_keeps_few_of_its_pictures_in_memory(tmp_path, monkeypatch):
    made, kept = [], []

    def picture(*arguments):
        kept.append(sum(image() is not None for image in made))
        image = image_of(*arguments)
        made.append(weakref.ref(image))
        return image

    monkeypatch.setattr("pigevo.runs.pictures.image_of", picture)
    save_film(tmp_path / "film.gif", (Figure(figsize=(1, 1), facecolor=str(n / 9)) for n in range(9)), dpi=20)
    assert len(kept) == 9
    assert max(kept) <= 3


@pytest.mark.parametrize("target", [2, 30, 100])
def test_a_frame_has_room_for_its_titles_and_its_caption(target):
    game = pigevo.Pig(target=target)
    best, frames = film_data({0: pigevo.hold_at(game, 2)}, curve())
    champion, *_ = panels = plot_frame(best, frames[0], curve())
    figure_of(panels).draw_without_rendering()
    assert champion.title.get_window_extent().y1 <= figure_of(panels).bbox.y1
    part = champion.get_figure(root=False)
    (words,) = [text for text in part.findobj(Text) if text.get_text() == part.get_supxlabel()]
    assert champion.xaxis.label.get_window_extent().y0 >= words.get_window_extent().y1


@pytest.fixture
def ffmpeg(tmp_path, monkeypatch):
    """A function that puts a script in the place of ffmpeg, with its arguments in a list."""

    def put(script):
        program = tmp_path / "ffmpeg"
        program.write_text(f"#!{sys.executable}\nimport shutil, sys\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setitem(mpl.rcParams, "animation.ffmpeg_path", str(program))

    return put


def colourful():
    return (Figure(figsize=(2, 2), facecolor=colour) for colour in "rgb")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="scripts are no programs here")
def test_an_mp4_has_every_frame_and_rests_on_the_last_whatever_the_user_s_settings(tmp_path, ffmpeg, monkeypatch):
    monkeypatch.setitem(mpl.rcParams, "savefig.bbox", "tight")
    ffmpeg("shutil.copyfileobj(sys.stdin.buffer, open(sys.argv[-1], 'wb'))")
    film = save_film(tmp_path / "film.mp4", colourful(), per_second=4, rest=2, dpi=20).read_bytes()
    pixels = np.frombuffer(film, np.uint8).reshape(-1, 40 * 40, 3)
    red, green, blue = [255, 0, 0], [0, 128, 0], [0, 0, 255]
    assert pixels[:, 0].tolist() == [red, green] + [blue] * 9
    assert (pixels == pixels[:, :1]).all()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="scripts are no programs here")
def test_an_ffmpeg_that_fails_is_one_sentence(tmp_path, ffmpeg):
    ffmpeg("sys.exit('Unknown encoder')")
    with pytest.raises(
        InputError, match=r"^ffmpeg could not make the film: Unknown encoder; a \.gif needs no ffmpeg\.$"
    ):
        save_film(tmp_path / "film.mp4", (figure for _ in range(99) for figure in colourful()), dpi=20)
    assert not (tmp_path / "film.mp4").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="files have no limit here")
def test_a_film_that_finds_no_room_is_one_sentence(tmp_path):
    program = (
        "import resource; from pathlib import Path; from pigevo.runs.pictures import save_film\n"
        "from pigevo.figures.axes import new_figure\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try: save_film(Path('f.gif'), [new_figure((2, 1)) for _ in range(3)])\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment_of_a_process(), capture_output=True, text=True
    )
    assert done.stdout == "InputError f.gif cannot be written: File too large.\n"
    assert not [*tmp_path.iterdir()]


def test_the_matrix_is_exact_and_the_referee_beside_it():
    champions = [pigevo.hold_at(PIG_20, n) for n in (2, 5, 8)]
    data = master_tournament_data([0, 10, 20], champions)
    assert np.allclose(data.matrix, pigevo.win_matrix(champions))
    best = pigevo.optimal(PIG_20).strategy
    assert data.referee == pytest.approx([pigevo.win_probability(c, best).overall for c in champions])
    assert data.cycles == ()
    assert (20, 0) not in data.lost
    assert "no cycles" in plot_master_tournament(data)[0].get_title()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_a_cycle_is_named(monkeypatch, order):
    stone = np.full((4, 4), 0.5)
    for a, b in zip(order, (*order[1:], order[0]), strict=True):
        stone[a, b], stone[b, a] = 0.6, 0.4
    monkeypatch.setattr(matrices, "win_matrix", lambda strategies: stone)
    data = master_tournament_data([1, 2, 3], [pigevo.hold_at(PIG_20, 5)] * 3)
    assert len(data.cycles) == 1
    assert set(data.cycles[0]) == {1, 2, 3}
    a, b, c = (g - 1 for g in data.cycles[0])
    assert stone[a, b] == stone[b, c] == stone[c, a] == 0.6
    assert "beats" in plot_master_tournament(data)[0].get_title()


def test_a_dot_stands_where_an_earlier_champion_wins():
    data = MasterTournament((0, 50, 90), np.full((3, 3), 0.5), np.full(3, 0.5), (), ((90, 50), (50, 0)))
    [dots] = plot_master_tournament(data)[0].lines
    assert sorted(dots.get_xydata().tolist()) == [[0, 1], [1, 2]]  # column: the earlier one; row: the later one
    assert not plot_master_tournament(MasterTournament((0, 50, 90), data.matrix, data.referee, (), ()))[0].lines


def test_a_master_tournament_has_whole_generations_and_counts_its_pairs():
    data = MasterTournament((0, 1, 2), np.full((3, 3), 0.5), np.full(3, 0.5), (), ((1, 0),))
    above, below = plot_master_tournament(data)
    assert set(below.get_xticks() % 1) == {0}
    assert above.get_title() == "no cycles of three; 1 pair in which the earlier champion wins"


def test_a_matrix_of_another_size_than_its_names_is_refused():
    with pytest.raises(InputError, match=r"the matrix of 3 strategies has the shape \(3, 3\), not \(2, 2\)"):
        plot_tournament(["a", "b", "c"], np.full((2, 2), 0.5))


@pytest.mark.parametrize("won", [(0.22, 0.22, 0.22), (0.05, 0.47, 0.49, 0.495), (0.5, 0.5)])
def test_champions_are_seen_however_weak_they_are(won):
    count = len(won)
    data = MasterTournament(tuple(range(count)), np.full((count, count), 0.5), np.array(won), (), ())
    _, below = plot_master_tournament(data)
    low, high = below.get_ylim()
    assert low < min(won)
    assert high > 0.5


def test_in_a_game_with_draws_a_champion_beats_another_that_wins_less():
    """Where draws count as wins of both, most win probabilities are above a half."""
    game = GAMES["ten_rounds"].bind({"turns": 2, "draw": 1.0, "cap": 30})
    champions = [pigevo.hold_at(game, n) for n in (15, 20, 22)]
    data = master_tournament_data([0, 1, 2], champions)
    matrix, best = pigevo.win_matrix(champions), optimal(game).strategy
    assert data.optimum == pytest.approx(win_probability(best, best).overall)
    assert data.optimum > 0.55
    pairs = [(1, 0), (2, 0), (2, 1)]
    wins_more = {(later, earlier) for later, earlier in pairs if matrix[earlier, later] > matrix[later, earlier]}
    assert set(data.lost) == wins_more
    assert wins_more != {(later, earlier) for later, earlier in pairs if matrix[earlier, later] > 0.5}
    above, below = plot_master_tournament(data)
    assert np.mean(above.images[0].get_clim()) == pytest.approx(data.optimum)
    assert below.get_ylim()[1] > data.optimum


def test_a_tournament_of_long_names_leaves_room_for_its_matrix():
    names = [f"{'a_long_way_to_say_what_a_rule_does_' * 4}{number}" for number in range(3)]
    panels = plot_tournament(names, np.full((3, 3), 0.5))
    figure_of(panels).draw_without_rendering()
    assert panels[0].get_position().size.min() > 0.3


@pytest.mark.parametrize(
    ("count", "name"), [(8, "a rule of many words, the {} of eight, that ends like all"), (10, "hold_at:{}")]
)
def test_the_numbers_and_names_of_a_tournament_stand_apart(count, name):
    names = [name.format(number) for number in range(10, 10 + count)]
    panels = plot_tournament(names, np.full((count, count), 0.50505))
    axes, means = panels
    figure_of(panels).draw_without_rendering()
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert len(set(labels)) == count
    numbers = [text.get_window_extent() for text in axes.texts]
    assert len(numbers) == count * (count - 1)
    ticks = [label.get_window_extent() for label in means.get_xticklabels() if label.get_text()]
    low, high = means.bbox.x0, means.bbox.x1
    shown = [box for box in ticks if low <= (box.x0 + box.x1) / 2 <= high]
    for boxes in (numbers, shown):
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@pytest.mark.filterwarnings("error")
def test_names_in_letters_that_the_font_lacks_bring_no_warning():
    plot_tournament(["\u732a", "hold_at:20"], np.full((2, 2), 0.5))


def test_a_single_strategy_has_no_mean():
    _, means = plot_tournament(["alone"], np.array([[0.5]]))
    assert np.isnan(means.lines[0].get_xdata()).all()


def test_ranks_by_hand():
    found = mean_ranks({"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.4], "c": [0.2, 0.1, 0.5]})
    assert found.names == ("b", "c", "a")
    assert found.ranks.tolist() == pytest.approx([(1 + 1.5 + 2) / 3, (2 + 3 + 1) / 3, (3 + 1.5 + 3) / 3])
    assert found.by_seed.tolist() == [[1, 1.5, 2], [2, 3, 1], [3, 1.5, 3]]


@pytest.mark.parametrize(("settings", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_the_critical_difference_is_that_of_the_table_of_demsar(settings, q):
    """Table 5 of JMLR 7 (2006); with four classifiers on fourteen data sets it is 1.25."""
    figures = np.random.default_rng(0).normal(size=(settings, 14))
    apart = mean_ranks({f"{n}": row for n, row in enumerate(figures)}).apart
    assert apart == pytest.approx(q * (settings * (settings + 1) / 84) ** 0.5, rel=3e-4)
    if settings == 4:
        assert round(apart, 2) == 1.25


def test_among_equal_settings_few_pairs_are_told_apart():
    """At most one table in twenty with any; the tolerance is that of 200 tables at p = .001."""
    rng, wrong = np.random.default_rng(2), 0
    for _ in range(200):
        found = mean_ranks({f"{n}": rng.normal(size=20) for n in range(12)})
        wrong += found.ranks[-1] - found.ranks[0] > found.apart
    assert wrong <= 200 * 0.05 + 3.1 * (200 * 0.05 * 0.95) ** 0.5


@pytest.mark.parametrize("values", [{"a": [1, 2]}, {"a": [1], "b": [2]}, {"a": [1, 2], "b": [1, 2, 3]}])
def test_too_few_are_refused(values):
    with pytest.raises(InputError, match="at least two settings"):
        mean_ranks(values)


def test_the_picture_shows_the_best_of_very_many():
    rng = np.random.default_rng(1)
    ax = plot_ranks(mean_ranks({f"x={n}": rng.normal(-n / 50, 1, 10) for n in range(MOST_ROWS + 20)}))
    assert len(ax.get_yticks()) == MOST_ROWS
    assert "not shown to differ, at 5 %" in ax.get_xlabel()


def test_the_cells_of_a_tournament_have_the_unit_of_its_scale():
    axes, means = plot_tournament(["good", "bad"], np.array([[0.5, 0.75], [0.25, 0.5]]))
    assert [text.get_text() for text in axes.texts] == ["0.7500", "0.2500"]
    low, high = axes.images[0].get_clim()
    assert low < 0.5 < high < 1
    assert all(0 < value < 1 for value in means.lines[0].get_xdata())
