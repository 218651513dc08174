"""A strategy as OpenSpiel's policy: asked, evaluated and played by OpenSpiel's own tools."""

import numpy as np
import pytest
from scipy.sparse import identity, lil_matrix
from scipy.sparse.linalg import spsolve

import pigevo

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not here; it has no wheel for every machine")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import expected_game_score, get_all_states  # noqa: E402
from open_spiel.python.bots.policy import PolicyBot  # noqa: E402

ROLL, STOP = 0, 1
LONG = 1_000_000  # moves, which no game of these comes near to


def by_chance(game):
    return pigevo.Strategy.from_function(game, lambda i, j, k: (1 + i + 2 * j) / (3 + i + 2 * j + k), "by chance", True)


STRATEGIES = {
    "hold_at": lambda game: pigevo.hold_at(game, 5),
    "score": lambda game: pigevo.score(game, 3),
    "keep_pace_and_end_race": lambda game: pigevo.keep_pace_and_end_race(game, 4, 3, 2),
    "random_strategy": lambda game: pigevo.random_strategy(game, seed=3),
    "optimal": lambda game: pigevo.optimal(game).strategy,
    "by chance": by_chance,
}
GAMES = [
    pigevo.Pig(10), pigevo.Pig(15), pigevo.Pig(11, sides=4), pigevo.Pig(12, allow_pass=True),
    pigevo.Race(12, {2: 1 / 3, 3: 1 / 3}, 1 / 3), pigevo.Piglet(10), pigevo.Piglet(10, heads=2 / 3),
]  # fmt: skip


def ahead(state, chance=1.0):
    """The decisions and ends that follow, each with its probability."""
    if not state.is_chance_node():
        return [(chance, state)]
    return [pair for face, p in state.chance_outcomes() for pair in ahead(state.child(face), chance * p)]


def value(pair):
    """The return of the first of two policies when it moves first, from OpenSpiel's transitions and their answers."""
    start = pair[0].game.new_initial_state()
    number, todo, entries, ends = {str(start): 0}, [start], [], []
    for n, state in enumerate(todo):
        answers = pair[state.current_player()].action_probabilities(state)
        assert answers.keys() == set(state.legal_actions())
        for action, often in answers.items():
            for p, after in ahead(state.child(action), often) if often else ():
                if after.is_terminal():
                    ends.append((n, p * after.returns()[0]))
                    continue
                if str(after) not in number:
                    number[str(after)] = len(todo)
                    todo.append(after)
                entries.append((n, number[str(after)], p))
    moves, end = lil_matrix((len(todo), len(todo))), np.zeros(len(todo))
    for n, m, p in entries:
        moves[n, m] += p
    for n, p in ends:
        end[n] += p
    return spsolve((identity(len(todo)) - moves).tocsr(), end)[0]


CASES = [
    pytest.param(game, name, marks=[] if (n + m) % len(STRATEGIES) == 0 else pytest.mark.slow)  # each with some other
    for n, game in enumerate(GAMES)
    for m, name in enumerate(STRATEGIES)
]


@pytest.mark.parametrize(("game", "name"), CASES, ids=str)
def test_openspiels_transitions_and_the_policies_give_pigevos_win_probabilities(game, name):
    a, b = STRATEGIES[name](game), pigevo.hold_at(game, 4)
    one, two = (pigevo.to_openspiel(strategy, horizon=LONG) for strategy in (a, b))
    p = pigevo.win_probability(a, b)
    assert value((one, two)) == pytest.approx(2 * p.first - 1, abs=1e-11)
    assert value((two, one)) == pytest.approx(1 - 2 * p.second, abs=1e-11)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_state_is_answered_as_the_strategy_answers(name):
    game = pigevo.Pig(10, allow_pass=True)
    strategy = STRATEGIES[name](game)
    policy = pigevo.to_openspiel(strategy, horizon=60)
    states = get_all_states.get_all_states(policy.game, include_terminals=False, to_string=str)
    asked = set()
    for state in states.values():
        scores, _, mover = str(state).partition("\nCurrent player: ")
        numbers = [int(word) for word in scores.replace(",", "").split() if word.isdigit()]
        own, other, total = numbers if int(mover) == 0 else (numbers[1], numbers[0], numbers[2])
        if own + total >= 10:
            assert policy.action_probabilities(state) == {STOP: 1.0}
            continue
        rolls = float(strategy.roll[own, other, total])
        assert policy.action_probabilities(state, int(mover)) == {ROLL: rolls, STOP: 1 - rolls}
        asked.add((int(mover), own, other, total))
    assert len(asked) > 600


@pytest.mark.parametrize("pair", [(3, 2), (2, 4)])
def test_policy_value_is_the_exact_figure_but_for_games_cut_off(pair):
    game = pigevo.Pig(4)
    a, b = (pigevo.hold_at(game, n) for n in pair)
    one, two = (pigevo.to_openspiel(strategy, horizon=12) for strategy in (a, b))
    returns = expected_game_score.policy_value(one.game.new_initial_state(), [one, two])
    assert returns == pytest.approx([2 * pigevo.win_probability(a, b).first - 1] * np.array([1, -1]), abs=1e-5)
    assert abs(returns[0] - (2 * pigevo.win_probability(b, a).first - 1)) > 1e-2  # who is who matters


def test_a_table_of_it_is_worth_the_same():
    policy = pigevo.to_openspiel(by_chance(pigevo.Pig(4)), horizon=6)
    table = policy.to_tabular()
    assert isinstance(table, policies.TabularPolicy)
    start = policy.game.new_initial_state()
    for other in (table, policies.UniformRandomPolicy(policy.game)):
        returns = [expected_game_score.policy_value(start, [one, other]) for one in (policy, table)]
        assert returns[0] == pytest.approx(returns[1], abs=1e-15)


def test_bots_play_it_and_what_they_draw_can_be_repeated():
    game = pigevo.Pig(30)
    policy = pigevo.to_openspiel(pigevo.hold_at(game, 8))

    def returns(seed):
        rng = np.random.RandomState(seed)
        bots = [PolicyBot(player, rng, policy) for player in (0, 1)]
        return [pyspiel.evaluate_bots(policy.game.new_initial_state(), bots, seed) for seed in range(20)]

    played = returns(1)
    assert {abs(one[0]) for one in played} == {1.0}
    assert played == returns(1)

    half = by_chance(game)
    start = policy.game.new_initial_state()
    after = next(state for state in (start.child(ROLL).child(face) for face in (3,)))
    draws = [
        [pigevo.to_openspiel(half, random_state=np.random.RandomState(seed)).sample_action(after) for seed in range(30)]
        for _ in "ab"
    ]
    assert draws[0] == draws[1]
    assert set(draws[0]) == {ROLL, STOP}


def test_the_game_has_the_parameters_of_the_strategys():
    def parameters(game, **options):
        return pigevo.to_openspiel(pigevo.hold_at(game, 3), **options).game.get_parameters()

    assert parameters(pigevo.Pig(50, sides=8), horizon=70) == {
        "players": 2, "winscore": 50, "diceoutcomes": 8, "horizon": 70, "piglet": False,
    }  # fmt: skip
    coin = parameters(pigevo.Piglet(10, heads=0.75))
    assert (coin["diceoutcomes"], coin["piglet"], coin["horizon"]) == (4, True, 1000)


def test_states_that_are_not_its_own_are_refused():
    policy = pigevo.to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3))
    with pytest.raises(pigevo.InputError, match="and the state is of another game"):
        policy.action_probabilities(pyspiel.load_game("pig(winscore=11)").new_initial_state())
    start = policy.game.new_initial_state()
    for state, player in ((start.child(ROLL), None), (start, 1)):
        with pytest.raises(pigevo.InputError, match="in which that player is to move"):
            policy.action_probabilities(state, player)
