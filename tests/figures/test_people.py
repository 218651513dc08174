"""Scores of people by turn: the numbers are the record's, and what is drawn is the numbers."""

import numpy as np
import pytest

import pigevo
from pigevo.figures.people import games_data, plot_games, plot_mean_scores, plot_scores, scores_data
from pigevo.people import analyse, parse_people

PIG = pigevo.Pig()
ROWS = """game,player,preference,turn,rolls,banked
1,ann,seeking,1,4,22
1,bob,averse,1,2,0
1,ann,,2,3,13
1,bob,,2,2,8
1,ann,,3,1,0
2,eve,averse,1,2,6
"""


def test_groups_are_the_stated_preferences_and_have_the_slopes_of_the_analysis():
    people = parse_people(ROWS, PIG)
    groups = scores_data(people)
    assert list(groups) == ["averse", "seeking"]
    assert groups["averse"].scores == ((0, 8), (6,))
    assert groups["averse"].means == (3, 8)
    assert groups == analyse(people).by_preference
    some = ROWS.replace("seeking", "")
    assert list(scores_data(parse_people(some, PIG))) == ["averse", "none stated"]
    assert list(scores_data(parse_people(some.replace("averse", ""), PIG))) == ["all players"]


def test_every_score_is_a_dot_and_the_trend_has_the_slope_of_the_means():
    groups = scores_data(parse_people(ROWS, PIG))
    averse, seeking = plot_scores(groups)
    assert averse.get_lines()[0].get_xydata().tolist() == [[1, 0], [2, 8], [1, 6]]
    assert averse.get_xlim() == seeking.get_xlim()
    assert averse.get_ylim() == seeking.get_ylim()
    _, means = plot_mean_scores(groups)
    dots, trend = means.get_lines()
    assert dots.get_xydata().tolist() == [[1, 22], [2, 35], [3, 35]]
    fitted = np.polyfit([1, 2, 3], [22, 35, 35], 1)
    assert trend.get_ydata() == pytest.approx(np.polyval(fitted, [1, 2, 3]))
    assert trend.get_label() == "6.50 points a turn"


def test_three_groups_have_panels_of_one_width():
    rows = ROWS + "2,joe,neutral,1,1,4\n"
    panels = plot_scores(scores_data(parse_people(rows, PIG)))
    assert len(panels) == 3
    panels[0].figure.draw_without_rendering()
    assert len({round(panel.get_position().width, 2) for panel in panels}) == 1


def test_a_player_of_one_turn_has_no_trend():
    (panel,) = plot_mean_scores(scores_data(parse_people("game,player,turn,rolls,banked\n1,a,1,1,0\n", PIG)))
    assert len(panel.get_lines()) == 1


def test_both_players_of_a_game_start_at_0_and_who_moved_first_is_the_first():
    people = parse_people(ROWS, PIG)
    (game,) = games_data(people, ["1"])
    assert game.players == ("ann, seeking", "bob, averse")
    (panel,) = plot_games([game])
    assert [line.get_ydata().tolist() for line in panel.get_lines()] == [[0, 22, 35, 35], [0, 0, 8]]
    assert [text.get_text() for text in panel.get_legend().get_texts()] == list(game.players)
    assert [game.name for game in games_data(people)] == ["1", "2"]
    with pytest.raises(pigevo.InputError, match="there is no game 3"):
        games_data(people, ["3"])
