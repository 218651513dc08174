"""Equilibria of three players against brute force and publications, equilibria of orbits made up by hand, and their files."""

import itertools
import json
import threading
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.storage.records import write_arrays
from pigevo.three_player.equilibria import all_equilibria, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, OWN, start_values
from pigevo.three_player.rules import count_orbits, orbits_by_total, throws_of
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


FORMAT_1 = Path(__file__).parent / "format1.npz"
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
