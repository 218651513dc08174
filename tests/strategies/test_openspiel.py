"""A strategy as a policy of OpenSpiel's `pig`, an implementation by other people, and what cannot be one.

OpenSpiel lets a player stop at a turn total of 0, and a player whose points suffice must still say `stop`; after
`horizon` moves the game is a draw, which no game of these tests comes near to.
"""

import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

import pigevo
from pigevo.games.pig_variants import HoldToWin

try:
    import pyspiel
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score, get_all_states
    from open_spiel.python.bots.policy import PolicyBot
except ModuleNotFoundError:
    pyspiel = None

needs_openspiel = pytest.mark.skipif(
    pyspiel is None, reason="open_spiel is not here; it has no wheel for every machine"
)
ROLL, STOP = 0, 1
LONG = 1_000_000


def by_chance(game):
    def rolls(i, j, k):
        return (1 + i + 2 * j) / (3 + i + 2 * j + k) if i + k < game.target else 0

    return pigevo.Strategy.from_function(game, rolls, "by chance", True)


def holding_at_the_target(strategy):
    """As OpenSpiel has it; where reaching the target wins at once, it is the strategy itself."""
    own, _, total = strategy.game.scores
    return pigevo.Strategy(strategy.game, strategy.roll & (own + total < strategy.game.target), strategy.name)


STRATEGIES = {
    "hold_at": lambda game: pigevo.hold_at(game, 5),
    "score": lambda game: pigevo.score(game, 3),
    "keep_pace_and_end_race": lambda game: pigevo.keep_pace_and_end_race(game, 4, 3, 2),
    "random_strategy": lambda game: holding_at_the_target(pigevo.random_strategy(game, seed=3)),
    "optimal": lambda game: pigevo.optimal(game).strategy,
    "by chance": by_chance,
}
GAMES = [
    pigevo.Pig(10), pigevo.Pig(20), pigevo.Pig(11, sides=4), pigevo.Pig(12, allow_pass=True),
    pigevo.Race(12, {2: 1 / 3, 3: 1 / 3}, 1 / 3), pigevo.Piglet(10), pigevo.Piglet(10, heads=2 / 3),
    HoldToWin(9, beyond=4), HoldToWin(12, allow_pass=True),
]  # fmt: skip


def after_chance(state, chance=1.0):
    """The decisions and ends that follow, each with its probability."""
    if not state.is_chance_node():
        return [(chance, state)]
    return [pair for face, p in state.chance_outcomes() for pair in after_chance(state.child(face), chance * p)]


def explore(game):
    """Every state with a decision; what each action leads to, (states, states), and the first player's return at once.

    A state in which only `stop` is legal has the same row for both actions.
    """
    start = game.new_initial_state()
    number, states, entries, ends = {str(start): 0}, [start], {ROLL: [], STOP: []}, {ROLL: [], STOP: []}
    for n, state in enumerate(states):
        for action in (ROLL, STOP):
            legal = action if action in state.legal_actions() else state.legal_actions()[0]
            for p, after in after_chance(state.child(legal)):
                if after.is_terminal():
                    ends[action].append((n, p * after.returns()[0]))
                    continue
                if str(after) not in number:
                    number[str(after)] = len(states)
                    states.append(after)
                entries[action].append((n, number[str(after)], p))
    size, actions = len(states), (ROLL, STOP)
    moves = [
        csr_matrix((p, (n, m)), shape=(size, size)) for n, m, p in (zip(*entries[a], strict=True) for a in actions)
    ]
    returns = [np.bincount(n, p, size) for n, p in (zip(*ends[a], strict=True) for a in actions)]
    return states, moves, returns


def value(pair):
    """The return of the first of two policies when it moves first, from OpenSpiel's transitions and their answers."""
    states, moves, returns = explore(pair[0].game)
    answers = [pair[state.current_player()].action_probabilities(state) for state in states]
    assert all(answer.keys() == set(state.legal_actions()) for answer, state in zip(answers, states, strict=True))
    rolls = np.array([answer.get(ROLL, 0.0) for answer in answers])
    step = moves[ROLL].multiply(rolls[:, None]) + moves[STOP].multiply(1 - rolls[:, None])
    return spsolve(csr_matrix(identity(len(rolls)) - step), rolls * returns[ROLL] + (1 - rolls) * returns[STOP])[0]


CASES = [
    pytest.param(game, name, marks=[] if (n + m) % len(STRATEGIES) == 0 else pytest.mark.slow)
    for n, game in enumerate(GAMES)
    for m, name in enumerate(STRATEGIES)
]


@needs_openspiel
@pytest.mark.parametrize(("game", "name"), CASES, ids=str)
def test_openspiels_transitions_and_the_policies_give_pigevos_win_probabilities(game, name):
    a, b = STRATEGIES[name](game), pigevo.hold_at(game, 4)
    policy, opponent = (pigevo.to_openspiel(strategy, horizon=LONG) for strategy in (a, b))
    p = pigevo.win_probability(a, b)
    assert value((policy, opponent)) == pytest.approx(2 * p.first - 1, abs=1e-11)
    assert value((opponent, policy)) == pytest.approx(1 - 2 * p.second, abs=1e-11)


@needs_openspiel
def test_the_optimum_is_worth_what_value_iteration_on_openspiel_says():
    """Leave to pass, as in OpenSpiel, is worth nothing."""
    states, moves, returns = explore(pyspiel.load_game("pig", {"winscore": 20, "horizon": LONG}))
    first = np.array([state.current_player() == 0 for state in states])
    worth, change = np.zeros(len(states)), 1.0
    while change > 1e-15:
        by_roll, by_stop = (moves[action] @ worth + returns[action] for action in (ROLL, STOP))
        before, worth = worth, np.where(first, np.maximum(by_roll, by_stop), np.minimum(by_roll, by_stop))
        change = np.abs(worth - before).max()
    for allow_pass in (False, True):
        assert 2 * pigevo.optimal(pigevo.Pig(20, allow_pass=allow_pass)).value - 1 == pytest.approx(worth[0], abs=1e-12)


@needs_openspiel
@pytest.mark.parametrize("name", STRATEGIES)
def test_every_state_is_answered_as_the_strategy_answers(name):
    game = pigevo.Pig(10, allow_pass=True)
    strategy = STRATEGIES[name](game)
    policy = pigevo.to_openspiel(strategy, horizon=60)
    states = get_all_states.get_all_states(policy.game, include_terminals=False, to_string=str)
    decisions = set()
    for state in states.values():
        scores, _, mover = str(state).partition("\nCurrent player: ")
        numbers = [int(word) for word in scores.replace(",", "").split() if word.isdigit()]
        own, other, total = numbers if int(mover) == 0 else (numbers[1], numbers[0], numbers[2])
        if own + total >= 10:
            assert policy.action_probabilities(state) == {STOP: 1.0}
            continue
        rolls = float(strategy.roll[own, other, total])
        assert policy.action_probabilities(state, int(mover)) == {ROLL: rolls, STOP: 1 - rolls}
        decisions.add((int(mover), own, other, total))
    assert len(decisions) > 600


@needs_openspiel
@pytest.mark.parametrize("pair", [(3, 2), (2, 4)])
def test_policy_value_is_the_exact_figure_but_for_games_cut_off(pair):
    game = pigevo.Pig(4)
    a, b = (pigevo.hold_at(game, n) for n in pair)
    policy, opponent = (pigevo.to_openspiel(strategy, horizon=12) for strategy in (a, b))
    returns = expected_game_score.policy_value(policy.game.new_initial_state(), [policy, opponent])
    assert returns == pytest.approx([2 * pigevo.win_probability(a, b).first - 1] * np.array([1, -1]), abs=1e-5)
    assert abs(returns[0] - (2 * pigevo.win_probability(b, a).first - 1)) > 1e-2  # who is who matters


@needs_openspiel
def test_a_table_of_it_is_worth_the_same():
    policy = pigevo.to_openspiel(by_chance(pigevo.Pig(4)), horizon=6)
    table = policy.to_tabular()
    assert isinstance(table, policies.TabularPolicy)
    start = policy.game.new_initial_state()
    for other in (table, policies.UniformRandomPolicy(policy.game)):
        returns = [expected_game_score.policy_value(start, [player, other]) for player in (policy, table)]
        assert returns[0] == pytest.approx(returns[1], abs=1e-15)


@needs_openspiel
def test_bots_play_it_around_the_exact_figure_and_what_they_draw_can_be_repeated():
    game = pigevo.Pig(20, allow_pass=True)
    players = pigevo.turtle(game, 3), pigevo.roll_and_wait(game, 12, 6)
    pair = [pigevo.to_openspiel(player) for player in players]

    def returns(games):
        rng = np.random.RandomState(1)
        bots = [PolicyBot(player, rng, policy) for player, policy in enumerate(pair)]
        start = pair[0].game.new_initial_state()
        return [pyspiel.evaluate_bots(start.clone(), bots, seed)[0] for seed in range(games)]

    played = returns(1500)
    assert set(played) == {1.0, -1.0}
    assert played[:20] == returns(20)
    p = pigevo.win_probability(*players).first
    assert abs(played.count(1.0) - 1500 * p) < 3.3 * np.sqrt(1500 * p * (1 - p))  # 99.9 %

    unsure = by_chance(pigevo.Pig(30))
    draws = []
    for _ in range(2):
        policy = pigevo.to_openspiel(unsure, random_state=np.random.RandomState(2))
        after = policy.game.new_initial_state().child(ROLL).child(3)
        draws.append([policy.sample_action(after) for _ in range(30)])
    assert draws[0] == draws[1]
    assert set(draws[0]) == {ROLL, STOP}


@needs_openspiel
def test_the_game_has_the_parameters_of_the_strategys():
    def parameters(game, **options):
        return pigevo.to_openspiel(pigevo.hold_at(game, 3), **options).game.get_parameters()

    assert parameters(pigevo.Pig(50, sides=8), horizon=70) == {
        "players": 2, "winscore": 50, "diceoutcomes": 8, "horizon": 70, "piglet": False,
    }  # fmt: skip
    coin = parameters(pigevo.Piglet(10, heads=0.75))
    assert (coin["diceoutcomes"], coin["piglet"], coin["horizon"]) == (4, True, 1000)


@needs_openspiel
def test_states_that_are_not_its_own_are_refused():
    policy = pigevo.to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3))
    with pytest.raises(pigevo.InputError, match="and the state is of another game"):
        policy.action_probabilities(pyspiel.load_game("pig(winscore=11)").new_initial_state())
    start = policy.game.new_initial_state()
    for state, player in ((start.child(ROLL), None), (start, 1)):
        with pytest.raises(pigevo.InputError, match="in which that player is to move"):
            policy.action_probabilities(state, player)


@pytest.mark.parametrize(
    "game",
    [
        pigevo.Piglet(10, heads=0.6), pigevo.Race(10, {1: 0.5, 3: 0.25}, 0.25), pigevo.Race(10, {1: 1.0}, 0.0),
        pigevo.Race(10, {2: 0.5, 3: 0.3}, 0.2), pigevo.Piglet(10, heads=1 - 1e-12),
    ],
    ids=str,
)  # fmt: skip
def test_other_races_are_refused_in_a_sentence(game):
    with pytest.raises(pigevo.InputError, match=r"^OpenSpiel has no .*: its pig is a race with one fair die"):
        pigevo.to_openspiel(pigevo.hold_at(game, 3))


@pytest.mark.parametrize("name", ["two_dice", "ten_rounds", "skunk", "progressive", "big_pig"])
def test_other_games_are_refused_in_a_sentence(name):
    from pigevo.games import GAMES

    with pytest.raises(pigevo.InputError, match="OpenSpiel has no "):
        pigevo.to_openspiel(pigevo.hold_at(GAMES[name].function(), 3))


def test_a_strategy_that_rolls_where_openspiel_lets_it_only_stop_is_refused():
    on = pigevo.Strategy.from_function(HoldToWin(10), lambda i, j, k: k < 5, "on")
    with pytest.raises(pigevo.InputError, match=r"^on may roll with 10 points or more: OpenSpiel lets .* only stop"):
        pigevo.to_openspiel(on)


@pytest.mark.parametrize("horizon", [0, -1, 2**31, 1.5, "ten", None])
def test_a_wrong_horizon_is_refused(horizon):
    with pytest.raises(pigevo.InputError, match=r"horizon must be an integer from 1 to 2,147"):
        pigevo.to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3), horizon=horizon)


def test_without_openspiel_one_sentence_says_what_to_install(monkeypatch):
    for name in [
        name for name in sys.modules if name.startswith(("pigevo.strategies.openspiel", "open_spiel", "pyspiel"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    from pigevo.strategies.openspiel import to_openspiel

    with pytest.raises(pigevo.InputError, match=r"^to_openspiel needs OpenSpiel: pip install open_spiel\.$"):
        to_openspiel(pigevo.hold_at(pigevo.Pig(10), 3))


def test_openspiel_is_imported_only_when_a_policy_is_made():
    code = "import sys, pigevo; pigevo.to_openspiel; print({'pyspiel', 'open_spiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
