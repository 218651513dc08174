"""The compiled game on a board against its plain twin, game by game."""

import numpy as np
import pytest

from pigevo.dice import STREAMS, Draw
from pigevo.games import GAMES, Pig
from pigevo.simulation import play_pairs
from pigevo.simulation.boards import player_on_board
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.strategies import Strategy, hold_at, random_strategy
from tests.games.tiny import TINY


def ends(a, b, draw, count, most_turns, paired=False):
    place = draw.pair, *map(np.uint64, (draw.generation, draw.seed, STREAMS[draw.stream]))
    tables = np.stack([a.table, b.table])
    return player_on_board(a.game, tables, np.array([[0, 1]]), 10**6, most_turns, place, paired)(0, count).tolist()


def twin(a, b, draw, part, most_turns, paired=False):
    """The same game in plain Python, seen by `a`."""
    seats = (a, b) if part % 2 == 0 else (b, a)
    ended = outcome(list(play_turns(*seats, draw.at(pair=draw.pair, part=part), most_turns, paired)), a.game)
    return ended if part % 2 == 0 else {0: 1, 1: 0}.get(ended, ended)


def mixed(game, seed):
    chances = np.where(
        game.starts, 1.0, Draw(seed, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    )
    return Strategy(game, chances)


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("name", TINY)
def test_every_game_ends_alike(name, paired):
    game = TINY[name]
    if game.one_die:
        return  # such games have lanes, whose twin is tested beside them
    for seed in range(4):
        a, b = random_strategy(game, seed=2 * seed), random_strategy(game, seed=2 * seed + 1)
        draw = Draw(seed, "dice", 2, 3)
        assert ends(a, b, draw, 40, 60, paired) == [twin(a, b, draw, part, 60, paired) for part in range(40)]


@pytest.mark.parametrize("game", [Pig(target=20), *TINY.values()], ids=str)
def test_decisions_left_to_chance_end_alike(game):
    a, b = mixed(game, 1), mixed(game, 2)
    draw = Draw(5, "dice", 1, 2)
    found = ends(a, b, draw, 60, 80)
    assert found == [twin(a, b, draw, part, 80) for part in range(60)]
    assert len(set(found)) > 1


def test_games_of_turns_can_be_drawn_and_counted():
    game = GAMES["ten_rounds"].bind({"turns": 1, "cap": 12})
    a = hold_at(game, 1)
    counts = play_pairs(game, np.stack([a.table, a.table]), [(0, 1)], 600, Draw(1, "dice"))
    wins, losses, stalemates, unfinished, draws = counts[0]
    assert (stalemates, unfinished) == (0, 0)
    assert wins + losses + draws == 600
    assert 60 < draws < 140  # one in six: both roll once, and the first roll is safe
