"""Pictures of games other than races of one die: drawn by their own axes, or refused in a sentence."""

import numpy as np
import pytest

import pigevo
from pigevo.figures.decisions import decisions_data, plot_decisions, plot_surfaces
from pigevo.figures.evolving import film_data, film_figures, learned_data
from pigevo.games import GAMES
from tests.games.tiny import TINY, sample


@pytest.mark.parametrize("name", sample("skunk", "ten_rounds"))
def test_decisions_of_every_game_are_drawn(name):
    game = TINY[name]
    data = decisions_data(pigevo.hold_at(game, 3))
    assert data.first_hold.shape == (data.extent[1] - data.extent[0], data.extent[3] - data.extent[2])
    plot_decisions([data])
    [axes] = plot_surfaces([data], views=((28.0, -60.0),))
    assert (axes.get_xlabel(), axes.get_ylabel()) == data.axes


def test_a_race_with_a_last_turn_is_won_at_its_cap():
    game = GAMES["skunk"].bind({"target": 10, "cap": 15})
    rolls = pigevo.Strategy.from_function(game, lambda i, j, k: True)
    assert np.array_equal(decisions_data(rolls).first_hold, 15 - np.arange(10)[:, None] + np.zeros(15, int))


@pytest.mark.parametrize("name", sample("pig", "ten_rounds"))
def test_films_are_drawn_and_what_was_learned_is_or_is_refused_in_a_sentence(name):
    game = TINY[name]
    champion = pigevo.hold_at(game, 3)
    if game.one_die:
        assert learned_data(champion).agreement <= 1
    else:
        with pytest.raises(pigevo.InputError, match=r"races of one die, not for .*\.$"):
            learned_data(champion)
        with pytest.raises(pigevo.InputError, match=r"races of one die.*\.$"):
            pigevo.gene_importance(champion, champion)
    assert len(list(film_figures(*film_data({0: champion})))) == 1
