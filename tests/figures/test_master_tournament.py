"""Champions against champions, and mean ranks: the numbers behind the pictures."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.figures import matrices
from pigevo.figures.axes import figure_of
from pigevo.figures.matrices import MasterTournament, master_tournament_data, plot_master_tournament, plot_tournament
from pigevo.figures.ranks import MOST_ROWS, mean_ranks, plot_ranks

GAME = pigevo.Pig(target=20)


def test_the_matrix_is_exact_and_the_referee_beside_it():
    champions = [pigevo.hold_at(GAME, n) for n in (2, 5, 8)]
    data = master_tournament_data([0, 10, 20], champions)
    assert np.allclose(data.matrix, pigevo.win_matrix(champions))
    best = pigevo.optimal(GAME).strategy
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
    data = master_tournament_data([1, 2, 3], [pigevo.hold_at(GAME, 5)] * 3)
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


@pytest.mark.parametrize(("won", "low"), [(0.22, 0.0), (0.49, 0.4)])
def test_champions_are_seen_however_weak_they_are(won, low):
    data = MasterTournament((0, 1, 2), np.full((3, 3), 0.5), np.full(3, won), (), ())
    _, below = plot_master_tournament(data)
    assert low <= below.get_ylim()[0] < won


def test_a_tournament_of_long_names_leaves_room_for_its_matrix():
    names = [f"{'a_long_way_to_say_what_a_rule_does_' * 4}{number}" for number in range(3)]
    panels = plot_tournament(names, np.full((3, 3), 0.5))
    figure_of(panels).draw_without_rendering()
    assert panels[0].get_position().size.min() > 0.3


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
