"""How many distinct states games come to: against chains over every state, and against games that are played."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.simulation.stepwise import play_turns
from tests.cases import duels, law
from tests.people.games import small
from tests.reference import any_game
from tests.reference.any_game import START


def chances(game, a, b, most=8):
    """The chance that a comes to each of some cells, (cell, moving first, moving second): a system for each cell."""
    number = any_game.states(game)
    n = len(number)
    step = any_game.played(game, number, a, b).tocsr()[:, :n]
    places = {}
    for s in number:
        if s.player == 0:
            places.setdefault(any_game.cell(game, s), []).append(number[s])
    cells = sorted(places)
    for cell in cells[:: -(-len(cells) // most)]:
        wanted = np.zeros(n)
        wanted[places[cell]] = 1
        solved = spsolve((sparse.identity(n) - sparse.diags(1 - wanted) @ step).tocsc(), wanted)
        yield cell, solved[number[START]], solved[number[START._replace(player=1)]]


def assert_as_chain(game, a, b):
    distinct = pigevo.distinct_states(a, b)
    for cell, first, second in chances(game, a, b):
        assert (distinct.first[cell], distinct.second[cell]) == pytest.approx((first, second), abs=1e-10), cell


@law(duels(largest=5), quick=6, full=25)
def test_chances_are_those_of_a_chain_over_all_states(duel):
    game, a, b = duel
    if game.bust < 1:
        assert_as_chain(game, a, b)


SMALLER = {"target": 12, "cap": 24}
"""Every state of every game is looked at, which takes long in larger games."""


@pytest.mark.parametrize("name", [name for name in GAMES if not small(name).falls])
def test_so_they_are_in_every_game_in_which_scores_only_grow(name):
    game = small(name, **{option: value for option, value in SMALLER.items() if option in GAMES[name].options})
    assert_as_chain(game, pigevo.optimal(game).strategy, pigevo.random_strategy(game, seed=2))


def test_as_many_states_as_games_that_are_played_come_to():
    game = pigevo.Pig(20)
    a, b = pigevo.hold_at(game, 7), pigevo.random_strategy(game, seed=1)
    distinct = pigevo.distinct_states(a, b)
    counts = []
    for seed in range(40):
        draw = Draw(seed, "dice")
        counts.append(len(set().union(*(states_of_game(a, b, n % 2, draw.at(part=n)) for n in range(50)))))
    error = np.std(counts, ddof=1) / len(counts) ** 0.5
    assert np.mean(counts) == pytest.approx(distinct.expected(50), abs=4 * error)


def states_of_game(a, b, seat, draw):
    """The states to which player `a` comes in a game that is played, turn totals of 0 among them."""
    return {
        (turn.own, turn.opponent, total)
        for turn in play_turns(*((a, b) if seat == 0 else (b, a)), draw, 1000)
        for total in itertools.accumulate(turn.rolls, initial=0)
        if turn.player == seat and turn.own + total < a.game.target
    }


def test_games_needed_are_the_fewest():
    game = pigevo.Pig(20)
    a = pigevo.hold_at(game, 7)
    distinct = pigevo.distinct_states(a, a)
    reachable = distinct.most / distinct.states
    for share in (0.01, 0.1, 0.9 * reachable):
        games = distinct.games_for(share)
        assert distinct.share(games) >= share > distinct.share(games - 1)
    assert distinct.games_for(reachable + 1e-9) is distinct.games_for(reachable) is None
    assert distinct.games_for(distinct.share(1) / 2) == 1
    surely = pigevo.distinct_states(*[pigevo.hold_at(pigevo.Pig(1), 1)] * 2)
    assert [surely.games_for(share) for share in (0.01, 0.5, 1.0)] == [1, 1, 1]
    assert distinct.games_for(0) == 0
    assert distinct.expected(0) == 0
    assert distinct.expected(1e15) == pytest.approx(distinct.most)


def test_games_in_which_scores_fall_are_refused():
    game = pigevo.parse_strategy("optimal", small("two_dice")).game
    with pytest.raises(InputError, match="scores can fall"):
        pigevo.distinct_states(pigevo.hold_at(game, 5), pigevo.hold_at(game, 5))
