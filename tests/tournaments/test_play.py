"""Tournaments as a whole, exact and played, what is written, and how many games distinguish two strategies."""

import csv
import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from scipy import stats

import pigevo
from pigevo.cli.commands.tournament import describe_tournament
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.simulation import Match
from pigevo.tournaments import RankedStrategy, exact_seats, games_to_tell, games_within, power_of
from pigevo.web.report.tournament import tournament_report
from tests.cases import SLOW, duels
from tests.reference.any_game import TINY

GAME = pigevo.Pig(target=20)


def assert_exact(players):
    first, second = exact_seats(players, 1)
    for row, a in enumerate(players):
        for column, b in enumerate(players):
            p = pigevo.win_probability(a, b)
            assert (first[row, column], second[row, column]) == pytest.approx((p.first, p.second), abs=1e-12)


@given(duels(players=3, largest=5))
@SLOW
def test_both_seats_of_every_pair_are_the_exact_figures(duel):
    _, *players = duel
    assert_exact(players)


@pytest.mark.parametrize("name", ["ten_rounds", "two_dice"])
def test_both_seats_in_other_games_and_with_chance(name):
    game = TINY[name]
    chances = Draw(3, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    mixed = pigevo.Strategy(game, np.where(game.starts, 1.0, chances), "mixed")
    assert_exact([pigevo.hold_at(game, 3), mixed, pigevo.optimal(game).strategy])


def test_an_exact_tournament():
    played = pigevo.tournament(["hold_at:1..12", "optimal"], game=GAME, times=50)
    players = [*(pigevo.hold_at(GAME, n) for n in range(1, 13)), pigevo.optimal(GAME).strategy]
    np.testing.assert_allclose(played.overall, pigevo.win_matrix(players), atol=1e-12)
    np.testing.assert_allclose(played.overall, (played.first + played.second) / 2, atol=1e-12)
    means = {name: (row.sum() - 0.5) / 12 for name, row in zip(played.names, played.overall, strict=True)}
    assert [entry.name for entry in played.ranking] == sorted(means, key=lambda name: -means[name])
    best = played.ranking[0]
    assert (best.name, best.beats, best.loses, best.share) == ("optimal", 12, 0, 1.0)
    assert best.mean == pytest.approx(means["optimal"])
    assert (best.low, best.error, played.low) == (None, None, None)
    assert sum(entry.round_robin for entry in played.ranking) == pytest.approx(1)
    assert sum(entry.knockout for entry in played.ranking) == pytest.approx(1)
    assert best.knockout == max(entry.knockout for entry in played.ranking)
    for entry in played.ranking:
        row = played.overall[played.names.index(entry.name)]
        assert entry.beats == (row > 0.5 + 1e-12).sum()
        assert entry.loses == (row < 0.5 - 1e-12).sum()


def test_a_played_tournament():
    played = pigevo.tournament(["hold_at:1..4", "optimal"], games=400, seed=3, game=GAME)
    exact = pigevo.tournament(["hold_at:1..4", "optimal"], game=GAME).overall
    assert (played.first, played.second) == (None, None)
    np.testing.assert_allclose(played.overall + played.overall.T, 1)
    assert ((played.low <= exact) & (exact <= played.high)).mean() > 0.8
    off = ~np.eye(5, dtype=bool)
    assert (played.low[off] < played.overall[off]).all()
    assert played.low[0, 1] == pytest.approx(1 - played.high[1, 0])
    assert played.overall[0, 1] * 400 == round(played.overall[0, 1] * 400)
    again = pigevo.tournament(["hold_at:1..4", "optimal"], games=400, seed=3, game=GAME, workers=1)
    assert (again.overall == played.overall).all()
    for entry in played.ranking:
        assert entry.low < entry.mean < entry.high
        assert entry.high - entry.low == pytest.approx(
            2 * 1.96 * np.sqrt(entry.mean * (1 - entry.mean) / 1600), rel=0.02
        )
        assert entry.error > 0
    winner = max(played.ranking, key=lambda entry: entry.beats)
    assert winner.round_robin == max(entry.round_robin for entry in played.ranking)


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


def test_entries_may_be_strategies_or_a_mapping():
    three, four = pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 4)
    assert pigevo.tournament([three, four, three], times=5).names == ("hold_at:3", "hold_at:4", "hold_at:3 (2)")
    assert pigevo.tournament({"x": three, "y": four}, times=5).names == ("x", "y")
    assert pigevo.tournament([three, "hold_at:9"], times=5).names == ("hold_at:9", "hold_at:3")


def test_tables_and_pictures_are_written(tmp_path):
    played = pigevo.tournament(["score:3,0..2", "hold_at:3"], game=GAME, times=5)
    paths = played.save(tmp_path / "new")
    assert [path.name for path in paths] == [
        "matrix.csv", "ranking.csv", "cycles.csv", "matrix_first.csv", "tournament_Pig-to-20.png",
    ]  # fmt: skip
    head, *rows = csv.reader(paths[0].open())
    assert head == ["", "score:3,0", "score:3,1", "score:3,2", "hold_at:3"]
    assert [[float(x) for x in row[1:]] for row in rows] == played.overall.tolist()
    ranking = list(csv.DictReader(paths[1].open()))
    assert [row["name"] for row in ranking] == [entry.name for entry in played.ranking]
    assert float(ranking[0]["mean"]) == played.ranking[0].mean
    sampled = pigevo.tournament(["score:3,0..2", "hold_at:3"], 10, game=GAME, times=5)
    with_games = list(csv.DictReader(sampled.save(tmp_path / "games")[1].open()))
    assert [*with_games[0]] == list(RankedStrategy.__dataclass_fields__)
    assert [*ranking[0]] == [name for name in with_games[0] if name not in ("low", "high", "error")]
    assert all(value for row in ranking + with_games for value in row.values())
    assert paths[-1].read_bytes()[:4] == b"\x89PNG"
    assert "score:3,1" in played.save(tmp_path / "new", figures="svg")[-1].read_text()
    with pytest.raises(InputError, match=r"must end with \.png or \.pdf or \.svg"):
        played.save(tmp_path / "new", figures="gif")


def test_equal_entrants_share_a_rank_in_every_form(tmp_path):
    """Equal strategies under two names, whose means differ by rounding; the rank after theirs is left out."""
    four = pigevo.hold_at(GAME, 4)
    entrants = {"ada": four, "best": pigevo.optimal(GAME).strategy, "last": pigevo.hold_at(GAME, 1), "emmy": four}
    played = pigevo.tournament(entrants, times=5)
    ranks = {entry.name: entry.rank for entry in played.ranking}
    assert ranks == {"best": 1, "ada": 2, "emmy": 2, "last": 4}
    assert [entry["rank"] for entry in played.as_json["ranking"]] == [1, 2, 2, 4]
    written = {path.name: path for path in played.save(tmp_path)}
    assert [row["rank"] for row in csv.DictReader(written["ranking.csv"].open())] == ["1", "2", "2", "4"]
    _, ranking, by_seat, *_ = describe_tournament(played).split("\n\n")
    assert [line.split()[0] for line in ranking.splitlines()] == ["rank", "1", "2", "2", "4"]
    assert [line.split()[0] for line in by_seat.splitlines()[2:]] == ["rank", "1", "2", "2", "4"]
    page, notebook = "".join(tournament_report(played)), played._repr_html_()
    for name, rank in ranks.items():
        assert f'<th scope="row">{rank} {name}</th>' in page
        assert re.search(rf">{rank}</th><td>{name}</td>", notebook)


@pytest.mark.parametrize("games", [None, 50])
def test_means_have_four_decimals_where_they_are_read_and_all_digits_in_the_table(games, tmp_path):
    played = pigevo.tournament(["hold_at:3..4"], games, game=GAME, times=5)
    best, ranking = played.ranking[0], played.save(tmp_path)[1]
    assert f" {best.name}  {best.mean:.4f} " in describe_tournament(played)
    assert f"{100 * best.mean:.1f} %</td>" in "".join(tournament_report(played))
    assert float(next(csv.DictReader(ranking.open()))["mean"]) == best.mean


def test_a_cycle_is_named_in_every_form(tmp_path):
    """Turtle beats roll to win, which beats roll and wait, which beats turtle: Exeter 2017, section 3.3.6."""
    game = pigevo.Pig(allow_pass=True)
    played = pigevo.tournament(["turtle:5", "roll_to_win", "roll_and_wait:80,5"], game=game, times=5)
    record = json.loads(json.dumps(played.as_json))
    if played.transitive:
        pytest.fail(str(played.overall))
    ((names, margins),) = played.named_cycles()
    assert record["cycles"] == [{"strategies": names, "margins": margins}]
    assert sum(record["nash"].values()) == pytest.approx(1)
    assert min(margins) > 0
    a = played.names.index(names[0]), played.names.index(names[1])
    assert margins[0] == pytest.approx((played.overall[a] - played.overall[a[::-1]]) / 2)
    (row,) = csv.DictReader((played.save(tmp_path)[2]).open())
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
def test_options_out_of_range_are_refused(words, options, message):
    with pytest.raises(InputError, match=message):
        pigevo.tournament(words, **options)


def test_strategies_that_decide_alike_have_equal_chances_and_are_named():
    holds = [pigevo.hold_at(GAME, n) for n in (3, 5, 5, 6, 3, 5)]
    entrants = {name: strategy for name, strategy in zip("abcdef", holds, strict=True)}
    entrants["f"] = pigevo.noisy(holds[-1], 0)
    entrants["g"] = pigevo.noisy(holds[-1], 0.1)
    played = pigevo.tournament(entrants, times=7)
    assert played.alike == (("a", "e"), ("b", "c", "f"))
    assert played.as_json["alike"] == [["a", "e"], ["b", "c", "f"]]
    assert played.alike_in_words() == ["a and e decide alike everywhere", "b, c and f decide alike everywhere"]
    assert played.alike_in_words(1) == ["a and e decide alike everywhere", "and 1 more group of this kind"]
    chances = {ranked.name: (ranked.round_robin, ranked.knockout) for ranked in played.ranking}
    for group in played.alike:
        assert len({chances[name] for name in group}) == 1
    assert sum(robin for robin, _ in chances.values()) == pytest.approx(1)
    assert sum(knockout for _, knockout in chances.values()) == pytest.approx(1)
    assert pigevo.tournament({"a": holds[0], "b": holds[1]}, times=2).alike == ()


def test_the_1537_games_of_the_report():
    """Exeter 2017, section 3.3.1: 0.475 n = n / 2 - 0.98 sqrt(n)."""
    assert games_within(distance=0.025, confidence=0.95) == 1537
    assert games_within() == 1537


@pytest.mark.parametrize(("games", "confidence"), [(10, 0.8), (57, 0.95), (200, 0.99)])
def test_the_power_is_that_of_the_interval(games, confidence):
    """Summed over the numbers of wins whose interval lies above a half."""
    telling_wins = [wins for wins in range(games + 1) if Match(wins, games - wins).interval(confidence)[0] > 0.5]
    for p in (0.55, 0.7):
        expected = stats.binom.pmf(telling_wins, games, p).sum()
        assert power_of(games, p, confidence) == pytest.approx(expected)
        assert power_of(games, 1 - p, confidence) == pytest.approx(expected)


@pytest.mark.parametrize("p", [0.52, 0.75, 1.0, 0.42])
@pytest.mark.parametrize("power", [0.5, 0.95])
def test_no_fewer_games_have_the_power(p, power):
    games = games_to_tell(p, 0.95, power)
    assert games % 2 == 0
    assert all(power_of(n, p) >= power for n in range(games, games + 200, 2))
    assert power_of(games - 2, p) < power if games > 2 else True


def test_games_grow_with_the_inverse_square_of_the_distance_from_a_half():
    for p, confidence, wanted in ((0.503098, 0.2, 0.4), (0.505, 0.2, 0.4), (0.505, 0.9, 0.05), (0.505, 0.001, 0.5),
                                  (0.505, 0.1, 0.5), (0.503098, 0.3, 0.4), (0.5003, 0.001, 0.5)):  # fmt: skip
        games = games_to_tell(p, confidence, wanted)  # the power rises in steps back and forth
        powers = {n: power_of(n, p, confidence) for n in range(max(2, games - 2), games + 3000, 2)}
        assert min(power for n, power in powers.items() if n >= games) >= wanted
        assert games == 2 or powers[games - 2] < wanted
    assert games_to_tell(0.503, 0.01, 0.5) > 0
    assert games_to_tell(0.5) is None
    assert games_to_tell(0.5 + 1e-14) is None
    assert games_to_tell(0.51) == pytest.approx(((1.96 / 2 + 0.8416 / 2) / 0.01) ** 2, rel=0.01)
    assert games_to_tell(0.5 + 1e-8) == pytest.approx(1e12 * games_to_tell(0.51), rel=0.01)
    counts = [games_to_tell(p) for p in (0.501, 0.51, 0.55, 0.7, 0.9)]
    assert counts == sorted(counts, reverse=True)


def test_a_fair_test():
    a, b = pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 3)
    result = pigevo.fair_test(a, b, seed=2)
    exact = pigevo.win_probability(a, b)
    assert (result.first, result.second, result.overall) == (exact.first, exact.second, exact.overall)
    assert (result.share, result.decided) == (pytest.approx(exact.overall), pytest.approx(1))
    assert result.needed == result.games == games_to_tell(exact.overall)
    assert 0.8 <= result.power_at < 0.85
    assert result.match == pigevo.play_match(a, b, games=result.games, seed=2)
    assert (result.low, result.high) == result.match.interval(0.95)
    assert result.holds == (result.low <= exact.overall <= result.high)
    assert json.loads(json.dumps(result.as_json))["match"]["wins"] == result.match.wins


def test_the_better_strategy_is_recognised_with_the_stated_power():
    a, b = pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 5)
    results = [pigevo.fair_test(a, b, power=0.7, seed=seed) for seed in range(300)]
    right = sum(result.better == b.name for result in results)
    assert results[0].share < 0.5
    assert stats.binomtest(right, 300, results[0].power_at).pvalue > 0.001
    assert sum(result.better == a.name for result in results) <= 5
    assert sum(result.holds for result in results) >= 270


def test_level_strategies_play_the_1537_games():
    twenty = pigevo.hold_at(GAME, 20)
    result = pigevo.fair_test(twenty, twenty)
    assert (result.needed, result.games, result.power_at) == (None, 1538, 0.0)
    assert result.share == pytest.approx(0.5)


def test_games_that_nobody_wins_are_set_aside():
    game = pigevo.Pig(target=10, allow_pass=True)
    a, b = pigevo.skip_when_level(game, 3), pigevo.skip_when_level(game, 5)
    result, p = pigevo.fair_test(a, b), pigevo.win_probability(a, b)
    lost = pigevo.win_probability(b, a).overall
    assert result.decided == pytest.approx(p.overall + lost)
    assert result.decided < 0.95
    assert result.share == pytest.approx(p.overall / (p.overall + lost))
    assert result.needed == pytest.approx(games_to_tell(result.share) / result.decided, abs=2)
    assert result.match.stalemates > 0
    assert (result.low, result.high) == Match(result.match.wins, result.match.losses).interval(0.95)


def test_draws_are_set_aside():
    rounds = pigevo.games.GAMES["ten_rounds"].bind({"turns": 2, "cap": 20})
    a, b = pigevo.hold_at(rounds, 10), pigevo.hold_at(rounds, 4)
    result, p = pigevo.fair_test(a, b, games=2000), pigevo.win_probability(a, b)
    draws = (p.draw_first + p.draw_second) / 2
    assert draws > 0.01
    assert result.decided == pytest.approx(1 - draws)
    assert result.share == pytest.approx((p.overall - draws / 2) / (1 - draws))
    assert result.match.draws == pytest.approx(2000 * draws, abs=5 * math.sqrt(2000 * draws))


def test_more_games_than_allowed_are_not_played():
    a, b = pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 3)
    result = pigevo.fair_test(a, b, most=10)
    assert (result.games, result.match, result.low, result.better, result.holds) == (0, None, None, None, None)
    assert result.needed > 10
    assert pigevo.fair_test(a, b, most=10, games=100).match.games == 100


@pytest.mark.parametrize(
    "call",
    [
        lambda: games_within(distance=0), lambda: games_within(p=2), lambda: games_to_tell(-1),
        lambda: power_of(1.5, 0.6), lambda: games_to_tell(float("nan")),
        lambda: pigevo.fair_test(pigevo.hold_at(GAME, 3), pigevo.hold_at(pigevo.Pig(), 3)),
        *[lambda given=given: pigevo.fair_test(pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 4), **given)
          for given in ({"confidence": 1.0}, {"power": 0.0}, {"games": 7})],
    ],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(call):
    with pytest.raises(InputError):
        call()


def test_a_distance_determines_the_number_of_games():
    a, b = pigevo.hold_at(pigevo.Pig(target=30), 12), pigevo.hold_at(pigevo.Pig(target=30), 10)
    assert pigevo.fair_test(a, b, within=0.025).games == 1538  # the 1,537 of Exeter 2017, made even
    assert pigevo.fair_test(a, b, within=0.05).games == 386  # (1.95996 / .05)**2 / 4 is 384.1
    with pytest.raises(pigevo.InputError, match="exclude each other: give one of them"):
        pigevo.fair_test(a, b, games=100, within=0.025)
