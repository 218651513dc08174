"""Equilibria of orbits made up by hand, in which two and three players mix, and those that elimination leaves."""

import numpy as np
import pytest

from pigevo import three_player as tp
from pigevo.three_player.equilibria import all_equilibria, best_turns
from pigevo.three_player.orbit_kernels import LEAVE, OWN, start_values
from pigevo.three_player.rules import orbits_by_total, throws_of


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
