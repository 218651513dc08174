"""Tournaments as a whole: the matrix, exact and played, the ranking, and what is written."""

import csv
import json

import numpy as np
import pytest
from hypothesis import given

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.tournaments import exact_seats
from tests.cases import SLOW, duels
from tests.games.tiny import TINY

GAME = pigevo.Pig(target=20)


@given(duels(players=3, largest=5))
@SLOW
def test_both_seats_of_every_pair_are_the_exact_figures(duel):
    _, *players = duel
    first, second = exact_seats(players, 1)
    for row, a in enumerate(players):
        for column, b in enumerate(players):
            p = pigevo.win_probability(a, b)
            assert (first[row, column], second[row, column]) == pytest.approx((p.first, p.second), abs=1e-12)


@pytest.mark.parametrize("name", ["ten_rounds", "two_dice"])
def test_both_seats_in_other_games_and_with_chance(name):
    game = TINY[name]
    chances = Draw(3, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    mixed = pigevo.Strategy(game, np.where(game.starts, 1.0, chances), "mixed")
    players = [pigevo.hold_at(game, 3), mixed, pigevo.optimal(game).strategy]
    first, second = exact_seats(players, 1)
    for row, a in enumerate(players):
        for column, b in enumerate(players):
            p = pigevo.win_probability(a, b)
            assert (first[row, column], second[row, column]) == pytest.approx((p.first, p.second), abs=1e-12)


def test_an_exact_tournament():
    found = pigevo.tournament(["hold_at:1..12", "optimal"], game=GAME, times=50)
    players = [*(pigevo.hold_at(GAME, n) for n in range(1, 13)), pigevo.optimal(GAME).strategy]
    np.testing.assert_allclose(found.overall, pigevo.win_matrix(players), atol=1e-12)
    np.testing.assert_allclose(found.overall, (found.first + found.second) / 2, atol=1e-12)
    means = {name: (row.sum() - 0.5) / 12 for name, row in zip(found.names, found.overall, strict=True)}
    assert [one.name for one in found.ranking] == sorted(means, key=lambda name: -means[name])
    best = found.ranking[0]
    assert (best.name, best.beats, best.loses, best.share) == ("optimal", 12, 0, 1.0)
    assert best.mean == pytest.approx(means["optimal"])
    assert (best.low, best.error, found.low) == (None, None, None)
    assert sum(one.round_robin for one in found.ranking) == pytest.approx(1)
    assert sum(one.knockout for one in found.ranking) == pytest.approx(1)
    assert best.knockout == max(one.knockout for one in found.ranking)
    for one in found.ranking:
        row = found.overall[found.names.index(one.name)]
        assert one.beats == (row > 0.5 + 1e-12).sum()
        assert one.loses == (row < 0.5 - 1e-12).sum()


@pytest.mark.slow
def test_hold_at_1_to_100_is_transitive_and_25_the_best():
    """Exeter 2017, section 3.3.5, and figure 18."""
    found = pigevo.tournament(["hold_at:1..100"], times=20)
    assert found.transitive
    assert len(found.cycles) == 0
    assert (found.ranking[0].name, found.ranking[0].beats) == ("hold_at:25", 99)
    assert found.overall[24, 29] == pytest.approx(0.546416, abs=5e-7)  # section 3.3.6
    for a, b, overall in ((20, 21, 0.5084), (15, 20, 0.4426), (1, 80, 0.4986), (36, 52, 0.6193), (13, 31, 0.4724)):
        assert found.overall[a - 1, b - 1] == pytest.approx(overall, abs=1e-4)  # figure 17, of rounded figures


def test_a_played_tournament():
    found = pigevo.tournament(["hold_at:1..4", "optimal"], games=400, seed=3, game=GAME)
    exact = pigevo.tournament(["hold_at:1..4", "optimal"], game=GAME).overall
    assert (found.first, found.second) == (None, None)
    np.testing.assert_allclose(found.overall + found.overall.T, 1)
    assert ((found.low <= exact) & (exact <= found.high)).mean() > 0.8
    off = ~np.eye(5, dtype=bool)
    assert (found.low[off] < found.overall[off]).all()
    assert found.low[0, 1] == pytest.approx(1 - found.high[1, 0])
    assert found.overall[0, 1] * 400 == round(found.overall[0, 1] * 400)
    again = pigevo.tournament(["hold_at:1..4", "optimal"], games=400, seed=3, game=GAME, workers=1)
    assert (again.overall == found.overall).all()
    for one in found.ranking:
        assert one.low < one.mean < one.high
        assert one.high - one.low == pytest.approx(2 * 1.96 * np.sqrt(one.mean * (1 - one.mean) / 1600), rel=0.02)
        assert one.error > 0
    winner = max(found.ranking, key=lambda one: one.beats)
    assert winner.round_robin == max(one.round_robin for one in found.ranking)


def test_games_with_stalemates_and_draws():
    passing = pigevo.Pig(target=10, allow_pass=True)
    words = ["skip_when_level:3", "skip_when_level:4", "hold_at:3"]
    exact = pigevo.tournament(words, game=passing, times=10)
    assert exact.overall[0, 1] + exact.overall[1, 0] < 0.9
    played = pigevo.tournament(words, games=4000, seed=1, game=passing)
    np.testing.assert_allclose(played.overall, np.where(np.eye(3), 0.5, exact.overall), atol=0.03)
    rounds = TINY["ten_rounds"]
    exact = pigevo.tournament(["hold_at:2", "hold_at:5"], game=rounds, times=10)
    played = pigevo.tournament(["hold_at:2", "hold_at:5"], games=4000, seed=1, game=rounds)
    np.testing.assert_allclose(played.overall, exact.overall, atol=0.03)


def test_strategies_and_mappings():
    three, four = pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 4)
    assert pigevo.tournament([three, four, three], times=5).names == ("hold_at:3", "hold_at:4", "hold_at:3 (2)")
    assert pigevo.tournament({"x": three, "y": four}, times=5).names == ("x", "y")
    assert pigevo.tournament([three, "hold_at:9"], times=5).names == ("hold_at:9", "hold_at:3")


def test_what_is_written(tmp_path):
    found = pigevo.tournament(["score:3,0..2", "hold_at:3"], game=GAME, times=5)
    paths = found.save(tmp_path / "new")
    assert [path.name for path in paths] == ["matrix.csv", "ranking.csv", "cycles.csv", "tournament.png"]
    head, *rows = csv.reader(paths[0].open())
    assert head == ["", "score:3,0", "score:3,1", "score:3,2", "hold_at:3"]
    assert [[float(x) for x in row[1:]] for row in rows] == found.overall.tolist()
    ranking = list(csv.DictReader(paths[1].open()))
    assert [row["name"] for row in ranking] == [one.name for one in found.ranking]
    assert float(ranking[0]["mean"]) == found.ranking[0].mean
    assert paths[3].read_bytes()[:4] == b"\x89PNG"
    assert "score:3,1" in found.save(tmp_path / "new", figures="svg")[3].read_text()
    with pytest.raises(InputError, match=r"must end with \.png or \.pdf or \.svg"):
        found.save(tmp_path / "new", figures="gif")


def test_a_cycle_is_named_in_every_form(tmp_path):
    """Turtle beats roll to win, which beats roll and wait, which beats turtle: Exeter 2017, section 3.3.6."""
    game = pigevo.Pig(allow_pass=True)
    found = pigevo.tournament(["turtle:5", "roll_to_win", "roll_and_wait:80,5"], game=game, times=5)
    record = json.loads(json.dumps(found.as_json))
    if found.transitive:
        pytest.fail(str(found.overall))
    ((names, margins),) = found.named_cycles()
    assert record["cycles"] == [{"strategies": names, "margins": margins}]
    assert sum(record["nash"].values()) == pytest.approx(1)
    assert min(margins) > 0
    a = found.names.index(names[0]), found.names.index(names[1])
    assert margins[0] == pytest.approx((found.overall[a] - found.overall[a[::-1]]) / 2)
    (row,) = csv.DictReader((found.save(tmp_path)[2]).open())
    assert [row["a"], row["b"], row["c"]] == names


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        (["hold_at:3..4"], {"length": 0}, "length = 0: a match has an even number"),
        (["hold_at:3..4"], {"games": 10**30}, "games = 1000000000000000000000000000000: a match has at most 1,000,000"),
        (["hold_at:3..4"], {"length": 10**6}, "length = 1000000: a match has at most 100,000 games"),
        (["hold_at:3..4"], {"times": 0}, "times = 0: draw from 1 to 1,000,000 round robins"),
        ([pigevo.hold_at(GAME, 3), pigevo.hold_at(pigevo.Pig(), 3)], {}, "must play the same game"),
    ],
)
def test_what_is_refused(words, options, message):
    with pytest.raises(InputError, match=message):
        pigevo.tournament(words, **options)
