"""Ways to spend games: their laws, on members of whom the truth is known."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.archive import ArchiveGames
from pigevo.evolution.game_allocation import (
    ALLOCATION_RULES,
    IN,
    OUT,
    Next,
    Standings,
    allocation_rule,
    decided,
    racing,
    radii,
    ranked_by_tier,
    shares,
    spend,
)
from pigevo.games import Pig
from tests.evolution.helpers import context_of, tables_of

GAME = Pig(target=16)
MEMBERS = [pigevo.hold_at(GAME, n) for n in (2, 4, 5, 6, 7, 9, 12, 16)]
PAST = {"archive": np.packbits(np.stack([pigevo.hold_at(GAME, n).table for n in (5, 9)]).reshape(2, -1), axis=1)}


def coins(truth, seed, calls=None):
    """A `play` function: member n wins each game with chance `truth[n]`; a unit is two games."""

    def play(more, number):
        if calls is not None:
            calls.append(more.copy())
        won = np.zeros((len(truth), 1))
        for n, units in enumerate(more):
            if units:
                draw = Draw(seed, "validation", number, pair=n)
                won[n] = (draw.uniforms(2 * int(units)) < truth[n]).sum()
        return won

    return play


@pytest.mark.parametrize("name", sorted(ALLOCATION_RULES))
@pytest.mark.parametrize("members", [2, 7, 20])
def test_everyone_plays_and_the_budget_is_not_exceeded(name, members):
    truth, budget = np.linspace(0.3, 0.6, members), 200 * members
    for generation in (0, 100):  # growing spends on average what fixed does
        spent = spend(allocation_rule(name), coins(truth, generation), members, budget, generation=generation)
        assert spent.played.min() > 0
        assert spent.played.sum() <= budget
        assert spent.won.max() <= 2 * spent.played.max()


def test_growing_begins_low_ends_high_and_has_the_mean_of_fixed():
    rule, play = allocation_rule("growing:0.25,40"), coins(np.full(4, 0.5), 1)
    games = [spend(rule, play, 4, 400, generation=generation).played[0] for generation in range(41)]
    assert (games[0], games[20], games[40]) == (25, 100, 175)
    assert np.mean(games) == pytest.approx(100, abs=0.5)
    assert games == sorted(games)


def test_halving_halves_until_as_many_are_left_as_are_wanted():
    calls, truth = [], np.linspace(0.1, 0.9, 20)
    spent = spend(allocation_rule("halving:0.1"), coins(truth, 3, calls), 20, 8000)
    assert [int((c > 0).sum()) for c in calls] == [20, 10, 5, 3]
    assert [int(c.max()) for c in calls] == [100, 200, 400, 666]
    on = [set(np.flatnonzero(c)) for c in calls]
    assert all(later < sooner for sooner, later in itertools.pairwise(on))
    scores = ranked_by_tier(spent.won[:, 0] / (2 * spent.played), spent.tiers)
    assert set(np.argsort(-scores)[:3]) == on[-1]
    assert {18, 19} <= on[-1]


def test_who_was_left_behind_never_ranks_above_who_went_on():
    scores, tiers = np.array([0.5, 0.9, 0.4, 0.45, 0.1]), np.array([2, 0, 2, 1, 1])
    ordered = ranked_by_tier(scores, tiers)
    assert np.argsort(-ordered).tolist()[:2] == [0, 2]
    assert ordered[1] < ordered[4] < ordered[3] < ordered[2] == 0.4
    assert np.array_equal(ranked_by_tier(scores, np.zeros(5, int)), scores)


def test_the_intervals_of_a_race_are_those_of_hoeffding_shared_among_all_rounds_and_members():
    wide = np.sqrt(np.log(2 * 8 * np.pi**2 / (6 * 0.05)) / 200)
    assert radii(np.array([100]), 1, 8, 0.05)[0] == pytest.approx(wide, rel=1e-12)


@pytest.mark.parametrize("wanted", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_a_race_decides_wrongly_at_most_as_often_as_it_says(wanted):
    truth, wrong, came = np.array([0.7, 0.62, 0.6, 0.5, 0.45, 0.4, 0.3, 0.2]), 0, 0
    best = np.argsort(-truth)[:wanted]
    for race in range(200):
        spent = spend(lambda standings: racing(standings, 0.9, wanted / 8, 20), coins(truth, race), 8, 8 * 600)
        out, into = spent.tiers == OUT, spent.tiers == IN
        came += int(out.sum() + into.sum())
        wrong += bool(out[best].any() or np.delete(into, best).any())
    assert came > 200 * 3  # it does decide
    assert stats.binomtest(wrong, 200, 0.1, alternative="greater").pvalue > 0.01


def test_who_is_in_and_who_is_out_follows_from_the_intervals():
    means, played = np.array([0.9, 0.5, 0.5, 0.1]), np.full(4, 4000)
    standings = Standings(means, played, np.zeros(4, int), 1, 10**6)
    assert decided(standings, 0.95, 1).tolist() == [IN, OUT, OUT, OUT]
    assert decided(standings, 0.95, 2).tolist() == [IN, 0, 0, OUT]
    few = Standings(means, np.full(4, 3), np.zeros(4, int), 1, 10**6)
    assert decided(few, 0.95, 1).tolist() == [0, 0, 0, 0]
    assert decided(Standings(means, played, np.array([0, IN, 0, 0]), 1, 10**6), 0.95, 1)[1] == IN


def test_allocation_shares_are_those_of_the_paper():
    means, variances = np.array([0.6, 0.5, 0.4, 0.55]), np.array([0.2, 0.25, 0.1, 0.2])
    parts = shares(means, variances, 1)
    assert parts.sum() == pytest.approx(1)
    assert parts[1] / parts[2] == pytest.approx((0.25 / 0.1**2) / (0.1 / 0.2**2))
    assert parts[3] / parts[1] == pytest.approx((0.2 / 0.05**2) / (0.25 / 0.1**2))
    others = np.array([1, 2, 3])
    assert parts[0] == pytest.approx(np.sqrt(0.2 * (parts[others] ** 2 / variances[others]).sum()))
    two = shares(means, variances, 2)
    border = (np.sqrt(0.25) * 0.55 + np.sqrt(0.2) * 0.5) / (np.sqrt(0.25) + np.sqrt(0.2))
    assert two[0] / two[2] == pytest.approx((0.2 / (0.6 - border) ** 2) / (0.1 / (0.4 - border) ** 2))
    assert np.allclose(shares(np.full(3, 0.5), np.full(3, 0.25), 3), 1 / 3)


def test_allocation_spends_where_it_is_close():
    truth = np.array([0.6, 0.58, 0.3, 0.3, 0.3, 0.3])
    spent = spend(allocation_rule("allocation:0.16"), coins(truth, 2), 6, 6000)
    assert spent.played[:2].min() > 2 * spent.played[2:].max()
    assert spent.played.sum() > 5900


def test_wrong_ways_are_refused():
    for options, message in (
        ({"spend": "halvin"}, "halving"),
        ({"spend": "racing:0.1", "by": "mean"}, "out of range"),
        ({"spend": "halving"}, "fitness.by=mean, or fitness.size=1"),
        ({"spend": "fixed:3"}, "fixed takes none"),
    ):
        with pytest.raises(InputError, match=message):
            ArchiveGames(**options)
    with pytest.raises(InputError, match="too small for 3 members"):
        spend(lambda standings: Next(np.array([1, 0, 1]), standings.tiers), coins(np.full(3, 0.5), 1), 3, 9)


def evaluated(draw=None, state=PAST, members=MEMBERS, **options):
    fitness = ArchiveGames(by="mean", size=2, games=800, **options)
    return fitness(
        tables_of(members), context_of(GAME, draw or Draw(3, "dice", 5), pairs=np.array([[0, 1]]), state=state)
    )


@pytest.mark.parametrize("spend", ["halving:0.25", "racing:0.9,0.25", "allocation:0.25", "growing"])
def test_games_are_counted_and_the_scores_are_shares_of_them(spend):
    evaluation = evaluated(spend=spend)
    assert evaluation.games == evaluation.played.sum() <= 8 * 800
    won = evaluation.cases.mean(axis=1) * evaluation.played
    assert np.allclose(won, np.rint(won))
    assert (evaluation.scores <= evaluation.cases.mean(axis=1)).all()


def test_dice_are_common_unless_common_is_false():
    twice = [MEMBERS[2], MEMBERS[2], MEMBERS[5]]
    same, apart = evaluated(members=twice), evaluated(members=twice, common=False)
    assert same.scores[0] == same.scores[1]
    assert apart.scores[0] != apart.scores[1]
    rounds = evaluated(members=twice, spend="allocation:0.3")
    assert len(np.unique(rounds.played)) > 1


def test_pooled_games_are_kept_and_added():
    fitness = ArchiveGames(by="mean", size=2, games=800, pool=True)
    genomes = pigevo.CubeGrid(GAME, 1).from_strategies(MEMBERS)
    first = evaluated(Draw(3, "dice", 5), pool=True)
    context = context_of(GAME, Draw(3, "dice", 5), first.scores, state=PAST, evaluation=first)
    state = {**PAST, **{k: v for k, v in fitness.remember(genomes, context).items() if k.startswith("pool")}}
    others = [MEMBERS[6], pigevo.hold_at(GAME, 3), MEMBERS[1]]
    alone, pooled = (evaluated(Draw(3, "dice", 6), s, others, pool=True) for s in (PAST, state))
    assert (alone.played.tolist(), pooled.played.tolist()) == ([800] * 3, [1600, 800, 1600])
    assert alone.games == pooled.games == 2400
    assert np.allclose(pooled.cases[0], (alone.cases[0] + first.cases[6]) / 2)
    assert np.array_equal(pooled.cases[1], alone.cases[1])
    elsewhere = {**state, "archive": PAST["archive"][::-1].copy()}
    assert evaluated(Draw(3, "dice", 6), elsewhere, others, pool=True).played.tolist() == [800] * 3


def test_every_round_has_dice_of_its_own(monkeypatch):
    """Two rounds of 50 couples: the second has other dice than the first."""

    def played(rounds):
        def rule(standings):
            return Next(np.full(standings.members, 50 if standings.round < rounds else 0), standings.tiers)

        monkeypatch.setattr("pigevo.evolution.fitness.archive.allocation_rule", lambda _: rule)
        evaluation = evaluated()
        return evaluation.cases * evaluation.played[:, None] / 2

    once, twice = played(1), played(2)
    assert (twice - once != once).any(axis=0).all()
    assert np.abs((twice - once).sum() / once.sum() - 1) < 0.1
