"""Decisions that depend on the opponent's last turn, and on the number of rolls: rules made here, against brute force."""

import itertools
from dataclasses import dataclass, replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.boundary import move_in_patches
from pigevo.games.game import Game, Throw
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.strategies import CubeGrid, Strategy
from tests.evolution.conftest import context_of
from tests.games.every_state import assert_pair_as_every_state
from tests.reference import any_game
from tests.simulation.test_twin import mixed, on_board, twin


@dataclass(frozen=True)
class Remembering(Game):
    """A die of three faces, whose players remember what `remembers` says."""

    target: int = 6
    turns: int = 0
    cap: int = 0
    reply: str = ""
    allow_pass: bool = False
    remembers: tuple[str, ...] = ("last_turn",)
    most_rolls: int = 3
    throws = (Throw(1, 0.25, "turn"), Throw(2, 0.5), Throw(3, 0.25))


EVERY = [
    Remembering(),
    Remembering(allow_pass=True),
    Remembering(remembers=("last_turn", "rolls")),
    Remembering(reply="second", cap=9),
    Remembering(target=0, turns=2, cap=8),
    Remembering(target=0, turns=2, cap=8, remembers=("rolls", "last_turn")),
]


def by_last_turn(game, more):
    """Beats the opponent's last turn by so much, whatever the score."""

    def rule(**at):
        return at["total"] < at["last_turn"] + more

    roll = np.broadcast_to(rule(**game.mesh), game.shape) & game.decision_states
    return Strategy(game, roll | (game.starts & (not game.allow_pass)), f"beats the last turn by {more}")


SAMPLE = [pytest.param(game, marks=pytest.mark.slow if n in (0, 2, 4) else []) for n, game in enumerate(EVERY)]


@pytest.mark.parametrize("game", SAMPLE, ids=str)
def test_win_probabilities_are_those_of_every_state(game):
    players = by_last_turn(game, 1), by_last_turn(game, 3), pigevo.random_strategy(game, seed=1), mixed(game, 2)
    for a in players:
        for b in players[1:]:
            assert_pair_as_every_state(a, b)


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_to_remember_helps_against_who_does_but_not_in_the_optimum(game):
    best, forgetful = pigevo.optimal(game), pigevo.optimal(replace(game, remembers=()))
    assert (best.value, best.second) == pytest.approx((forgetful.value, forgetful.second), abs=1e-11)
    opponent = by_last_turn(game, 1)
    answer = pigevo.best_response(opponent)
    assert (answer.value, answer.second) == pytest.approx(any_game.optimum(game, opponent), abs=1e-11)


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_games_are_simulated_as_their_plain_twin_plays_them(game):
    a, b, draw = by_last_turn(game, 1), mixed(game, 3), Draw(3, "dice", 1, 2)
    outcomes = on_board(a, b, draw, 60, 40)
    assert outcomes == [twin(a, b, draw, part, 40) for part in range(60)]
    turns = list(play_turns(a, b, draw.at(pair=draw.pair, part=0), 40))
    assert outcome(turns, game) == outcomes[0]
    for before, turn in itertools.pairwise(turns):
        if turn.player == 0 and len(turn.rolls) and sum(turn.rolls) == turn.banked:
            assert turn.banked >= min(before.banked + 1, game.size - (turn.own if game.target else 0))


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_cubes_and_files_hold_such_strategies(game, tmp_path):
    grid, player = CubeGrid(game), by_last_turn(game, 2)
    genome = grid.from_strategies([player])
    assert grid.strategy(genome[0]) == player
    assert grid.genes == np.broadcast_to(game.decision_states, game.shape).sum()


def move_in_patch(grid, genome, patch, by, level=None, slanted=False):
    patches = np.array([[(part.start, part.stop) for part in patch]])
    levels = None if level is None else np.array([level])
    move_in_patches(grid, genome[None], np.array([0]), patches, np.array([by]), levels, np.array([slanted]))


def test_a_move_of_the_boundary_moves_it_for_each_number_of_rolls():
    game = Remembering(target=12, remembers=("rolls",))
    grid = CubeGrid(game)
    genome = grid.from_strategies([Strategy.from_function(game, lambda i, j, k, r: (k < 3 + r) & (r < 3) | (k < 1))])[0]
    move_in_patch(grid, genome, np.s_[2:4, 5:6], 2)
    later = grid.strategy(genome)
    for own, rolls in ((2, 1), (3, 1), (2, 2)):
        assert [later.roll[own, 5, k, rolls] for k in range(3 + rolls, 6 + rolls)] == [True, True, False]
    assert not later.roll[1, 5, 4, 1]
    assert not later.roll[2, 4, 4, 1]


def test_a_level_move_takes_the_boundary_of_one_place_for_each_number_of_rolls():
    game = Remembering(target=12, remembers=("rolls",))
    grid = CubeGrid(game)
    player = Strategy.from_function(game, lambda i, j, k, r: k < np.where(i == 2, 3 + r, 8))
    genome = grid.from_strategies([player])[0]
    move_in_patch(grid, genome, np.s_[0:5, 0:12], 0, (2, 7))
    level = grid.strategy(genome).roll
    for rolls in (1, 2, 3):
        assert level[4, 3, 2 + rolls, rolls]
        assert not level[4, 3, 3 + rolls, rolls]
    assert level[5, 3, 6, 1]


def test_a_slanted_move_holds_at_the_lead_of_one_place():
    turns = Remembering(target=0, turns=2, cap=8, remembers=())
    grid = CubeGrid(turns)
    genome = grid.from_strategies([Strategy.from_function(turns, lambda i, j, k: k < 4)])[0]
    move_in_patch(grid, genome, np.s_[0:1, 1:2, 3:9], 1, (0, 1, 7), slanted=True)
    slanted = grid.strategy(genome).roll
    for place in range(3, 9):  # at the lead of place 7, which is -1, it now holds at 5
        first = int(np.argmin([*slanted[0, 1, place], False]))
        assert first == min(5 + 7 - place, 8)
    assert not slanted[0, 0, 5, 4]
    race = Remembering(target=12, remembers=())
    grid = CubeGrid(race)
    genome = grid.from_strategies([Strategy.from_function(race, lambda i, j, k: k < 4)])[0]
    move_in_patch(grid, genome, np.s_[2:4, 4:9], 0, (2, 6), slanted=True)
    slanted = grid.strategy(genome).roll
    assert [int(np.argmin(slanted[2, j])) for j in range(3, 10)] == [4, 2, 3, 4, 5, 6, 4]
    assert [int(np.argmin(slanted[3, j])) for j in range(3, 10)] == [4, 1, 2, 3, 4, 5, 4]
    assert int(np.argmin(slanted[4, 6])) == 4


@pytest.mark.parametrize("name", ["boundary", "self_adapting"])
@pytest.mark.parametrize("game", EVERY, ids=str)
def test_mutators_of_the_boundary_take_every_axis(game, name):
    grid = CubeGrid(game, 2)
    genomes = Draw(1, "population").bits(6, grid.genes)
    mutator = MUTATORS[name].bind({} if name == "boundary" else {"kinds": ("slant",)})
    context = context_of(grid, Draw(2, "mutation"), np.arange(6.0), fresh=6)
    context = replace(context, state=mutator.remember(genomes, context))
    changed = mutator(genomes, context)
    assert changed.shape == genomes.shape
    assert (changed != genomes).any()
