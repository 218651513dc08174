"""A race against the archive asks less and says the same of everyone that truncation can choose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.fitness.archive import Archive, raced


@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 8), st.randoms(use_true_random=False))
def test_the_best_and_whoever_is_as_good_as_those_who_stayed_have_their_whole_result(kept, opponents, others, random):
    whole = np.array([[random.randint(0, 9) / 9 for _ in range(opponents)] for _ in range(kept + others)])
    asked = np.zeros_like(whole)

    def met(number, players):
        asked[players, number] += 1
        return whole[players, number]

    found = raced(whole[:kept], kept + others, met)
    bar, worst = whole[:kept].min(), whole.min(axis=1)
    good = worst >= bar
    assert np.array_equal(found[good], whole[good])
    assert (found[~good].min(axis=1) < bar).all()
    assert (found.min(axis=1) >= worst).all()
    assert asked.max(initial=0) <= 1
    assert not asked[:kept].any()
    assert (asked[kept:].sum(axis=1) >= 1).all()


def test_those_who_leave_meet_nobody_more():
    whole = np.array([[0.5, 0.4, 0.6], [0.9, 0.3, 0.9], [0.9, 0.5, 0.1]])
    meetings = []

    def met(number, players):
        meetings.append((number, players.tolist()))
        return whole[players, number]

    found = raced(whole[:1], 3, met)
    assert meetings == [(1, [1, 2]), (0, [2]), (2, [2])]  # the opponent by whom the one who stays does worst is first
    assert found.tolist() == [[0.5, 0.4, 0.6], [0.3, 0.3, 0.3], [0.9, 0.5, 0.1]]


def populations(*words):
    cubes = "cubes.sizes=[5,1]", "cubes.generations=[12,12]"
    run = pigevo.generations("coevolve", "game.target=20", *cubes, "fitness.every=4", *words, seed=2)
    return [(g.state.digest, g.scores.max()) for g in run]


def test_a_run_is_the_same_to_the_bit_with_it_and_without(monkeypatch):
    whole = populations("fitness.race=false")
    asked = []
    original = raced

    def counted(known, members, met):
        return original(known, members, lambda number, players: asked.append(len(players)) or met(number, players))

    monkeypatch.setattr("pigevo.evolution.fitness.archive.raced", counted)
    assert populations("fitness.race=true") == whole
    assert 0 < sum(asked) < 0.7 * 8 * 18 * 24


def test_the_mean_is_no_race():
    with pytest.raises(InputError, match=r"fitness.by = mean knows no race: leave fitness\.race away"):
        Archive(by="mean", race=True)
