"""Three players: equilibria by brute force, given strategies, and target 62, which the literature left open."""

import itertools
import json
import threading
from pathlib import Path

import hypothesis.strategies as st
import numpy as np
import pytest
from scipy.stats import chisquare

import pigevo
from pigevo import InputError, Race
from pigevo import three_player as tp
from pigevo.dice import Die, Draw
from pigevo.storage.records import write_arrays
from pigevo.three_player.equilibria import all_equilibria, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, OWN, start_values
from pigevo.three_player.rules import count_orbits, orbits_by_total, shape, throws_of, won_values
from pigevo.three_player.solver import OrbitSolver
from tests.cases import games, law
from tests.reference import three

TINY = [tp.Piglet(4, 0.3), tp.Piglet(3, 0.8), pigevo.Race(4, {1: 0.3, 2: 0.3}, 0.4)]


def distinct(tables):
    different = []
    for table in tables:
        if not any(np.abs(table - other).max() < 1e-10 for other in different):
            different.append(table)
    return different


def after_of(solution):
    """The solution's values as the reference wants them: by player, not by turn."""

    def after(m, a, b, c):
        return np.roll(solution.values[a, b, c], m)

    return after


def orbits(target):
    return [tuple(o) for o in np.concatenate(list(orbits_by_total(target))).tolist()]


def assert_all_pure_profiles(solution, in_units=lambda shares: shares, won=three.win_only):
    """The pure equilibria of every orbit are those among all pure profiles."""
    game = solution.game
    opened = {o.needs: o for o in getattr(solution, "shares", solution).open_orbits}
    for needs in orbits(game.target):
        expected = distinct(three.pure_equilibria(needs, game.die, game.bust, after_of(solution), won=won))
        if len(set(needs)) == 1:  # one state, so one policy: what differs between the players is none
            expected = [v for v in expected if np.ptp([np.roll(v[m], -m) for m in range(3)], axis=0).max() < 1e-10]
        if needs in opened:
            ours = distinct([in_units(e.values) for e in opened[needs].equilibria if e.mixing == 0])
            ours = [np.array([np.roll(v[m], m) for m in range(3)]) for v in ours]
        else:
            ours = [np.array([after_of(solution)(m, *(needs[(m + n) % 3] for n in range(3))) for m in range(3)])]
        assert len(expected) == len(ours)
        assert all(min(np.abs(f - t).max() for t in ours) < 1e-12 for f in expected)


@pytest.mark.parametrize("game", TINY, ids=str)
def test_every_pure_profile_of_every_orbit_was_tried_and_the_same_ones_are_equilibria(game):
    assert_all_pure_profiles(tp.solve(game))


def test_of_all_pure_profiles_of_the_whole_game_the_solution_is_an_equilibrium():
    game = tp.Piglet(2, 0.45)
    states = [(2, b, c) for b in (1, 2) for c in (1, 2)]
    policies = [dict(zip(states, rolls, strict=True)) for rolls in itertools.product((0.0, 1.0), repeat=4)]

    def play(mine, others):
        chance = [lambda a, b, c, k, p=p: p[a, b, c] for p in (mine, others, others)]
        return three.solve(2, game.die, game.bust, chance)

    def gain(policy):
        stay = play(policy, policy)
        return max(play(other, policy)[s][0] - stay[s][0] for other in policies for s in stay)

    stable = [p for p in policies if gain(p) < 1e-12]
    solution = tp.solve(game)
    played = {s: solution.strategy.chance(*s, 1) for s in states}
    assert played in stable
    assert len(stable) == 1


def test_a_result_does_not_depend_on_the_threads_and_is_a_part_of_that_to_a_larger_target():
    one, two = (tp.solve(tp.Game(target=30), workers=workers) for workers in (1, 2))
    small = tp.solve(tp.Game(target=20))
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.strategy.decisions, two.strategy.decisions)
    assert np.array_equal(small.values, one.values[:21, :21, :21])


def test_progress_is_called_in_the_callers_thread_and_adds_up_to_all_orbits():
    threads, done = set(), []

    def progress(count):
        threads.add(threading.get_ident())
        done.append(count)

    game = tp.Piglet(6)
    tp.solve(game, workers=2, progress=progress)
    assert sum(done) == count_orbits(6) == len(orbits(6))
    assert threads == {threading.get_ident()}


def test_wrong_games_are_refused():
    with pytest.raises(pigevo.InputError, match="may not pass"):
        tp.solve(pigevo.Pig(5, allow_pass=True))
    with pytest.raises(pigevo.InputError, match="too large for three players"):
        tp.solve(pigevo.Pig(151))


FORMAT_1 = Path(__file__).with_name("three_player_format1.npz")
"""Piglet to 7 with heads 0.33, saved before this package was a package."""


@pytest.mark.parametrize(
    "game", [tp.Piglet(7, 0.33), pytest.param(tp.Game(target=62), marks=pytest.mark.slow)], ids=str
)
def test_a_saved_solution_is_the_same_and_certified_again(game, tmp_path):
    made = tp.solve(game)
    again = tp.load(tp.save(made, tmp_path / "solution.npz"))
    assert np.array_equal(again.strategy.decisions, made.strategy.decisions)
    assert again.mixed == made.mixed
    assert np.array_equal(again.values[1:, 1:, 1:], made.values[1:, 1:, 1:])
    assert again.certificate.holds
    assert repr(again) == repr(made)
    assert [o.needs for o in again.several] == [o.needs for o in made.several]


def test_a_strategy_is_no_solution(tmp_path):
    path = pigevo.hold_at(pigevo.Pig(5), 2).save(tmp_path / "s.npz")
    with pytest.raises(pigevo.InputError, match="not a three-player solution"):
        tp.load(path)
    with pytest.raises(pigevo.InputError, match="there is no file"):
        tp.load(tmp_path / "none.npz")


def test_a_file_of_the_first_format_is_read_and_is_as_it_was_to_the_bit():
    old, new = tp.load(FORMAT_1), tp.solve(tp.Piglet(7, 0.33))
    assert old.game == new.game
    assert np.array_equal(new.values, old.values)
    assert np.array_equal(new.strategy.decisions, old.strategy.decisions)
    assert [o.needs for o in old.without_pure] == [o.needs for o in new.without_pure] == [(2, 7, 6)]
    assert old.mixed == new.mixed
    assert len(old.mixed) == 2
    assert old.certificate.holds


def changed(folder, changes):
    """A file of the first format with another record."""
    arrays = dict(np.load(FORMAT_1))
    record = json.loads(str(arrays["pigevo_three_player"])) | changes
    return write_arrays(folder / "s.npz", arrays | {"pigevo_three_player": np.array(json.dumps(record))})


def test_a_file_of_a_later_format_is_refused(tmp_path):
    with pytest.raises(pigevo.InputError, match=r"written by a later pigevo \(format 3\)"):
        tp.load(changed(tmp_path, {"format": 3}))


def test_a_file_for_other_rewards_is_refused_and_one_for_a_win_alone_read(tmp_path):
    rewards = {"places": [1.0, 0.0, 0.0], "after_first_win": "stop"}
    assert tp.load(changed(tmp_path, {"format": 2, "rewards": rewards})).certificate.holds
    for places in ([2.0, 1.0, -3.0], "scores"):
        with pytest.raises(pigevo.InputError, match=r"/s\.npz was solved for other rewards than a win: `"):
            tp.load(changed(tmp_path, {"format": 2, "rewards": rewards | {"places": places}}))


def random_orbit(seed, turns):
    """Lines of each player on a convex envelope, as `all_turns` gives them."""
    rng = np.random.default_rng(seed)
    lines = []
    for count in turns:
        leave = np.sort(rng.uniform(0.2, 0.9, count))[::-1]
        starts = np.sort(rng.uniform(0.05, 0.6, count - 1))
        table = np.zeros((count, 4))
        table[:, LEAVE] = leave
        table[0, OWN] = leave[0] * rng.uniform(0.3, 0.7)
        for i, x in enumerate(starts):
            table[i + 1, OWN] = table[i, OWN] - (leave[i] - leave[i + 1]) * x
        share = rng.uniform(0.0, 1.0, count)
        rest = leave - table[:, OWN]
        table[:, 1], table[:, 2] = rest * share, rest * (1 - share)
        lines.append(table)
    return lines


def largest_gain(lines, equilibrium):
    x = [start_values(equilibrium.lines, (m + 1) % 3)[2] for m in range(3)]
    worth = [turns[:, OWN] + (1 - turns[:, LEAVE]) * x[m] for m, turns in enumerate(lines)]
    played = [line[OWN] + (1 - line[LEAVE]) * x[m] for m, line in enumerate(equilibrium.lines)]
    return max(w.max() - p for w, p in zip(worth, played, strict=True))


TURNS = (3, 3, 3)
EQUILIBRIA = [all_equilibria(random_orbit(seed, TURNS)) for seed in range(330)]


def test_every_orbit_has_an_odd_number_of_equilibria_of_which_the_first_is_pure_if_any_is_and_leaves_soonest():
    """Wilson 1971: almost all finite games have an odd number."""
    for equilibria in EQUILIBRIA:
        assert len(equilibria) % 2 == 1
        assert [e.mixing for e in equilibria] == sorted(e.mixing for e in equilibria)
        pure = [e.stay for e in equilibria if e.mixing == 0]
        assert pure == sorted(pure)
    assert max(map(len, EQUILIBRIA)) >= 3


@pytest.mark.parametrize("mixing", [0, 2, 3])
def test_in_equilibria_with_any_number_of_mixing_players_nobody_gains(mixing):
    of_kind = [(seed, e) for seed, equilibria in enumerate(EQUILIBRIA) for e in equilibria if e.mixing == mixing]
    assert len(of_kind) >= 3
    for seed, equilibrium in of_kind:
        assert largest_gain(random_orbit(seed, TURNS), equilibrium) < 1e-13


def test_ties_make_several_pure_equilibria_and_no_mixture():
    lines = random_orbit(5, (1, 1, 2))
    x = start_values(np.array([lines[0][0], lines[1][0], lines[2][0]]), 0)[2]
    lines[2][1, OWN] = lines[2][0, OWN] - (lines[2][0, LEAVE] - lines[2][1, LEAVE]) * x  # indifferent where he is
    equilibria = all_equilibria(lines)
    assert [e.mixing for e in equilibria] == [0, 0]


def test_elimination_takes_away_no_turn_that_an_equilibrium_plays():
    """All equilibria in all best turns are those in the turns that are left, of which there are one or more."""
    four, seven = tp.Piglet(4, 0.3), tp.Piglet(7, 0.33)
    orbits = [(four, needs) for needs in np.concatenate(list(orbits_by_total(4))).tolist()]
    values = {game: np.moveaxis(tp.solve(game).values, -1, 0) for game in (four, seven)}
    most_left = set()
    for game, needs in [*orbits, (seven, [2, 7, 6])]:  # there only a mixture is an equilibrium
        turns = best_turns(needs, values[game], throws_of(game))
        all_lines = [lines[: np.argmax(starts == 1)] for lines, starts in zip(turns.lines, turns.starts, strict=True)]
        expected, equilibria = all_equilibria(all_lines), all_equilibria(turns.left)
        assert len(equilibria) == len(expected)
        for equilibrium in expected:
            assert min(np.abs(equilibrium.lines - other.lines).max() for other in equilibria) < 1e-11
        most_left.add(max(map(len, turns.left)))
    assert 1 in most_left
    assert max(most_left) > 1


def random_strategy(game, seed, pure=False):
    chances = np.random.default_rng(seed).random(shape(game))
    return tp.Strategy.from_chances(game, np.round(chances) if pure else chances)


@law(games(largest=4, allow_pass=False), st.integers(0, 2**32), quick=8, full=30)
def test_given_strategies_solve_the_dense_system(game, seed):
    players, t = [random_strategy(game, seed + n, pure=n == 2) for n in range(3)], game.target
    dense = three.solve(t, game.die, game.bust, [p.chance for p in players])
    values = tp.evaluate(players)
    for (m, a, b, c), expected in dense.items():
        assert values[m, :, a, b, c] == pytest.approx(expected, abs=1e-10)
    assert tp.win_probabilities(players) == pytest.approx(values[0, :, t, t, t], abs=1e-15)


@law(games(largest=6, allow_pass=False), st.integers(0, 2**32), st.booleans(), quick=8, full=60)
def test_the_certificate_holds_and_no_random_policy_gains(game, seed, pure):
    other, solution = random_strategy(game, seed, pure), tp.solve(game)
    assert solution.certificate.holds
    values = tp.evaluate([other, solution.strategy, solution.strategy])
    for m in range(3):
        own = np.moveaxis(solution.values, -1, 0)[-m % 3]
        assert (values[m, 0] - own)[1:, 1:, 1:].max() <= 1e-12
    assert solution.values[1:, 1:, 1:].sum(axis=-1) == pytest.approx(1, abs=1e-10)


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=50))


def test_to_30_points_everybody_rolls_to_win_and_whom_he_looks_at_is_all_the_same():
    game = tp.Game(target=30)
    solution = tp.solve(game)
    assert solution.strategy.decisions[30, 30, 30].all()


@pytest.mark.parametrize("view", tp.VIEWS)
def test_the_two_player_optimum_falls_short_of_the_equilibrium(view, solution):
    values = tp.evaluate([tp.lifted(solution.game, view), solution.strategy, solution.strategy])[:, 0, 50, 50, 50]
    lost = [solution.value[seat] - values[m] for seat, m in enumerate((0, 2, 1))]
    assert all(0 < x < 0.05 for x in lost)


def test_the_view_decides_which_opponent_counts():
    game = tp.Game(target=20)
    roll = pigevo.optimal(game).strategy.roll
    for a, b, c, k in [(20, 3, 15, 7), (12, 15, 3, 9), (9, 9, 9, 4), (20, 1, 20, 15)]:
        for view, other in (("leader", min(b, c)), ("next", b)):
            assert tp.lifted(game, view).chance(a, b, c, k) == roll[20 - a, 20 - other, k]
        if b == c:
            assert tp.lifted(game, "both").chance(a, b, c, k) == roll[20 - a, 20 - b, k]
    with pytest.raises(pigevo.InputError, match="no view 'leadr'; did you mean leader"):
        tp.lifted(game, "leadr")


def test_wrong_players_are_refused():
    with pytest.raises(pigevo.InputError, match="takes three"):
        tp.evaluate([random_strategy(tp.Piglet(3), 1)] * 2)
    with pytest.raises(pigevo.InputError, match="must play the same game"):
        tp.evaluate([random_strategy(tp.Piglet(n), 1) for n in (3, 3, 4)])


GAMES = [tp.Game(target=20), tp.Piglet(5, 0.6), Race(9, {1: 0.2, 2: 0.35, 5: 0.15}, 0.3)]


def random_players(game):
    rng = np.random.default_rng(7)
    return [tp.Strategy.from_chances(game, rng.random(shape(game)) * 1.4 // 0.7 / 2) for _ in range(3)]


def word_by_word(players, seed, number):
    """The winner of one game, in plain Python."""
    game = players[0].game
    die = Die.of(game.die, game.bust)
    words = iter(Draw(seed, "dice", part=number).words(4000).tolist())
    needs = [game.target] * 3
    for turn in range(1000):
        m = turn % 3
        a, b, c = (needs[(m + n) % 3] for n in range(3))
        total = 0
        while True:
            points = die.read(next(words))[0]
            if points == 0:
                total = 0
                break
            total += points
            if total >= a:
                return m
            chance = players[m].chance(a, b, c, total)
            if 0 < chance < 1:
                chance = float((next(words) >> 11) * 2.0**-53 < chance)
            if not chance:
                break
        needs[m] -= total
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_kernel_plays_the_plain_games_which_agree_with_the_exact_values(game):
    """The latter by a chi-square test at 1e-4, with a fixed seed."""
    players = random_players(game)
    winners = [word_by_word(players, 11, n) for n in range(80)]
    match = tp.play(players, 80, seed=11)
    assert match.wins == tuple(winners.count(m) for m in range(3))
    assert match.unfinished == 0
    match = tp.play(players, 60_000, seed=5)
    expected = np.array(tp.win_probabilities(players)) * match.games
    assert chisquare(match.wins, expected).pvalue > 1e-4


def test_the_equilibrium_of_target_30_lies_in_its_intervals():
    solution = tp.solve(tp.Game(target=30))
    match = tp.play([solution.strategy] * 3, 100_000, seed=2)
    for value, (low, high), rate in zip(solution.value, match.intervals(0.999), match.win_rates, strict=True):
        assert low < value < high
        assert low < rate < high


def test_the_result_does_not_depend_on_the_threads_and_progress_adds_up_to_all_games():
    players, done = random_players(GAMES[1]), []
    assert tp.play(players, 25_000, 1, workers=1) == tp.play(players, 25_000, 1, workers=2, progress=done.append)
    assert done == [10_000, 10_000, 5_000]


def test_wrong_input_is_refused():
    players = random_players(GAMES[0])
    for number in (0, 10**30, 1.5, "9" * 400):
        with pytest.raises(
            InputError, match=r"^games = .{1,80}: play a whole number of games, from 1 to 1,000,000,000\.$"
        ):
            tp.play(players, number)
    with pytest.raises(InputError, match="takes three"):
        tp.play(players[:2], 10)
    with pytest.raises(InputError, match="seed"):
        tp.play(players, 10, seed=-1)


GAME = tp.Piglet(4)


def rule(a, b, c, k):
    return 0.25 if k == b else k < c


def test_a_rule_becomes_a_strategy_everywhere():
    s = tp.Strategy.from_function(GAME, rule)
    for a, b, c, k in np.ndindex(5, 5, 5, 4):
        if min(a, b, c) > 0 and k < a:
            assert s.chance(a, b, c, k) == (1 if k == 0 else rule(a, b, c, k))
    assert all(p == 0.25 for _, p in s.mixed)
    assert ((3, 2, 1, 2), 0.25) in s.mixed
    assert f"mixed states: {len(s.mixed)}" in repr(s)


def test_a_rule_that_draws_random_numbers_is_refused():
    draw = np.random.default_rng(1)
    with pytest.raises(InputError, match=r"at \(4, 4, 4, 3\) is 0\.\d+ and 0\.\d+ when it is asked again"):
        tp.Strategy.from_function(GAME, lambda a, b, c, k: draw.random())


def test_strategies_of_any_memory_layout_can_be_mixed():
    s = tp.Strategy.from_function(GAME, rule)
    frozen = tp.Strategy(GAME, np.asfortranarray(s.decisions), s.codes.astype(np.int32), s.chances.copy())
    frozen.chances.setflags(write=False)
    assert tp.win_probabilities([s, frozen, s]) == tp.win_probabilities([s, s, s])
    assert tp.play([frozen, s, s], 100) == tp.play([s, s, s], 100)


def test_wrong_arrays_are_refused():
    chances = np.full(shape(GAME), 0.5)
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy.from_chances(GAME, chances + 1)
    s = tp.Strategy.from_chances(GAME, chances)
    with pytest.raises(InputError, match="do not fit"):
        tp.Strategy(tp.Piglet(5), *s.tables)
    with pytest.raises(InputError, match="needs its chance"):
        tp.Strategy(GAME, s.decisions, s.codes[1:], s.chances[1:])
    with pytest.raises(InputError, match="from 0 to 1"):
        tp.Strategy(GAME, s.decisions, s.codes, s.chances + 1)
    with pytest.raises(InputError, match="nobody may pass"):
        tp.Strategy(GAME, np.zeros_like(s.decisions), s.codes[:0], s.chances[:0])


ORACLE = json.loads(Path(__file__).with_name("oracles.json").read_text())["three_player_cycle"]
MIXED = {(32, 62, 61, 14), (62, 61, 32, 28)}


def scores(needs, target=62):
    return [target - n for n in needs]


def test_up_to_61_every_orbit_has_a_pure_equilibrium_and_at_62_one_has_not(pig62):
    without = [o.needs for o in pig62.without_pure]
    assert ORACLE["first_target_without"] == 62
    assert all(max(needs) > ORACLE["largest_target_with_convergence"] for needs in without)
    assert without == [(32, 62, 61)]


def test_the_states_that_mix_are_those_between_which_iterations_cycle(pig62):
    assert {state for state, _ in pig62.mixed} == MIXED
    assert sorted(scores(state[:3]) for state in MIXED) == sorted(ORACLE["states"])
    assert all(0 < p < 1 for _, p in pig62.mixed)


def test_the_certificate_holds(pig62):
    assert 0 < pig62.exploitability() < 1e-14  # rounding
    assert min(pig62.certificate.where[:3]) > 0
    assert pig62.certificate.error < 1e-14


def test_the_other_equilibria_of_an_earlier_orbit_do_not_help(pig62):
    """Of the orbits with several equilibria that can come before, in play after, (32, 62, 61), there is one."""
    before = [o for o in pig62.several if all(n <= m for n, m in zip(sorted(o.needs), (32, 61, 62), strict=True))]
    assert [o.needs for o in before] == [(30, 58, 58)]
    assert len(before[0].equilibria) == 3


@pytest.mark.slow
def test_with_another_one_of_them_the_orbit_mixes_too(pig62):
    solver = OrbitSolver(pig62.game, won_values(62))
    other = solver.solve(choose=lambda orbit: 1 if orbit.needs == (30, 58, 58) else 0)
    assert (32, 62, 61) in [o.needs for o in other.without_pure]
    assert other.exploitability() < 1e-14


@pytest.mark.slow
def test_another_mixture_decision_or_value_is_refused(pig62):
    s = pig62.strategy
    moved = tp.certify(tp.Strategy(s.game, s.decisions, s.codes, s.chances + 0.01), pig62.values)
    assert not moved.holds
    assert moved.gain > 1e-9
    decisions, state = s.decisions.copy(), (40, 40, 40, 5)
    assert decisions[state] == 1
    decisions[state] = 0
    other = tp.certify(tp.Strategy(s.game, decisions, s.codes, s.chances), pig62.values)
    assert not other.holds
    assert other.gain > 1e-4


def test_other_values_are_refused_and_so_is_what_is_no_number():
    solution = tp.solve(tp.Piglet(7, 0.33))
    values = solution.values.copy()
    values[2, 3, 4, 1] += 1e-9
    certificate = tp.certify(solution.strategy, values)
    assert certificate.error == pytest.approx(1e-9)
    assert not certificate.holds
    values[2, 3, 4, 1] = np.nan
    assert not tp.certify(solution.strategy, values).holds


def test_right_values_of_what_is_no_equilibrium_are_refused():
    game = tp.Piglet(7, 0.33)
    turtle = tp.Strategy.from_function(game, lambda a, b, c, k: k < 1)
    certificate = tp.certify(turtle, np.moveaxis(tp.evaluate([turtle] * 3)[0], 0, -1))
    assert certificate.error < 1e-14 < 1e-3 < certificate.gain
    assert not certificate.holds
