"""What every registered game must keep, without asking for it: a new one is tried here by itself."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.games import GAMES, game_from_record, game_to_record
from pigevo.games.game_record import options_of
from pigevo.settings.settings import Settings
from pigevo.strategies import Strategy, hold_at, random_strategy, score
from tests.games.every_state import assert_best_as_every_state, assert_pair_as_every_state
from tests.games.tiny import TINY, sample
from tests.reference import any_game

EVERY = pytest.mark.parametrize("name", GAMES)
CLOSE = 1e-12


def mixed(game, seed):
    chances = Draw(seed, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    return Strategy(game, np.where(game.starts, 1.0, chances), f"mixed {seed}")


def players(game):
    return hold_at(game, 5), score(game, 3), random_strategy(game, seed=1), mixed(game, 2)


@EVERY
def test_win_probabilities_are_those_of_one_system_over_every_state(name):
    for a, b in itertools.combinations(players(TINY[name]), 2):
        assert_pair_as_every_state(a, b)


@EVERY
def test_the_optimum_and_best_responses_are_those_of_value_iteration(name):
    game = TINY[name]
    opponents = players(game)
    assert_best_as_every_state(game, *opponents)
    best = pigevo.optimal(game)
    for answer, opponent in [(best, best.strategy), *((pigevo.best_response(b), b) for b in opponents)]:
        p = pigevo.win_probability(answer.strategy, opponent)
        assert (p.first, p.second) == pytest.approx((answer.value, answer.second), abs=1e-11)
        assert 0 <= answer.error < 1e-12
        assert 0 <= p.error < 1e-12


@EVERY
def test_simulated_games_lie_around_the_exact_figure(name):
    game, count = TINY[name], 4000
    for a, b in itertools.combinations(players(game), 2):
        p, m = pigevo.win_probability(a, b), pigevo.play_match(a, b, games=count, seed=4)
        for share, exact in (
            (m.wins, p.overall - game.draw * (p.draw_first + p.draw_second) / 2),
            (m.draws, (p.draw_first + p.draw_second) / 2),
            (m.stalemates, (p.stalemate_first + p.stalemate_second) / 2),
        ):
            assert share / count == pytest.approx(exact, abs=4.5 * (exact * (1 - exact) / count) ** 0.5 + 1e-9)


@EVERY
def test_visits_add_up_to_the_turns_of_a_game(name):
    game = TINY[name]
    a, b = hold_at(game, 5), random_strategy(game, seed=1)
    visits = pigevo.reach(a, b)
    consulted = np.broadcast_to(game.decision_states | game.starts, game.shape)
    assert visits.first[~consulted].sum() == 0
    if game.turns:
        assert np.where(game.starts, visits.first, 0).sum() == pytest.approx(game.turns)


@EVERY
def test_what_every_state_is_worth_is_known_where_play_comes_and_where_it_does_not(name):
    game = TINY[name]
    for a in (random_strategy(game, seed=1), mixed(game, 2)):
        values, slow = pigevo.state_values(a, hold_at(game, 5)), any_game.values(game, a, hold_at(game, 5))
        reached = ~np.isnan(slow)
        assert values[reached] == pytest.approx(slow[reached], abs=CLOSE)
        assert values.shape == game.shape
        assert 0 <= values.min() <= values.max() <= 1


@EVERY
def test_strategies_are_saved_and_loaded(name, tmp_path):
    game = TINY[name]
    for player in players(game):
        again = pigevo.load_strategy(player.save(tmp_path / "mine.npz"))
        assert again == player
        assert again.game == game
        assert again.is_mixed == player.is_mixed
    assert game_from_record(game_to_record(game)) == game


@pytest.mark.parametrize("name", sample("pig", "progressive", "ten_rounds"))
def test_one_generation_evolves(name):
    game = TINY[name]
    own = options_of(game)
    words = [f"game={name}", *(f"game.{key}={value}" for key, value in own.items() if not isinstance(value, tuple))]
    for operators in (
        ("selection=knockout", "fitness=games", "fitness.games=4", "cubes=none", "mutation=0.1"),
        ("selection=truncation", "fitness=exact_vs_optimal", "crossover=blocks", "mutator=self_adapting",
         "cubes=waves", "cubes.sizes=[3,1]", "cubes.generations=2"),
    ):  # fmt: skip
        length = () if "cubes=waves" in operators else ("generations=1",)
        *_, last = pigevo.generations(*words, "population.size=6", "workers=1", *length, *operators)
        assert last.number > 0
        best = pigevo.optimal(game).strategy
        won = [pigevo.win_probability(player, best).overall for player in last.strategies]
        assert won == pytest.approx(last.exact, abs=CLOSE)
        assert max(won) <= 0.5 + 1e-9


@pytest.mark.parametrize("name", sample("pig", "ten_rounds"))
def test_its_settings_are_those_of_its_class(name):
    choice = Settings.of(f"game={name}").choices["game"]
    assert choice.options == GAMES[name].completed({})


@EVERY
def test_how_what_is_thrown_can_lie_adds_up_to_its_throws(name):
    """On the page a throw is drawn as it lies: each way brings a throw of the rules, and all ways to it have its chance."""
    game = GAMES[name].bind({})
    lies = {(t.points, t.ends): 0.0 for t in (*game.throws, *game.first_throws)}
    for faces, throw in game.faces:
        assert faces
        lies[throw.points, throw.ends] += throw.chance
    for some in (game.throws, game.first_throws):
        assert [lies[t.points, t.ends] for t in some] == pytest.approx([t.chance for t in some])
