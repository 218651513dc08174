"""An opponent that adapts: what it believes of simulated players, what it plays, and what it can lose at most."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.cli.play_session import Adaptive
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.people import account, adapting, answers_to_holds, first_belief, hold_value, learned, plan
from pigevo.people.adapting import Belief, played_strategy, quantiles, refuse_to_adapt
from pigevo.people.habits import SLIPS
from tests.people.games import game_of, played, slipping, turns_by, turns_of

GAME = pigevo.Pig(target=20)
ANSWERS = answers_to_holds(GAME)
BEST = pigevo.optimal(GAME)
VALUE = np.array([BEST.value, BEST.second])


def certain(n, game=GAME):
    chances = np.zeros(game.target)
    chances[n - 1] = 1.0
    return Belief(game, np.outer(chances, adapting.SLIP_CHANCES), 1, 1, 1)


SMALL = pigevo.Pig(target=12)


def drawn(joint, draw):
    """A hold value and the chances of both slips, from a prior."""
    place = min(int(np.searchsorted(np.cumsum(joint), draw.uniforms(1)[0])), joint.size - 1)
    value, slips = divmod(place, len(SLIPS) ** 2)
    return value + 1, float(SLIPS[slips // len(SLIPS)]), float(SLIPS[slips % len(SLIPS)])


@pytest.mark.parametrize("change", [pytest.param(0.0, marks=pytest.mark.slow), 0.5])
def test_the_posterior_is_calibrated(change):
    """Where a player comes from the prior, the posterior's distribution function at its hold value is uniform."""
    prior = first_belief(SMALL).joint
    places, inside = [], 0
    for number in range(300):
        draw = Draw(number, "validation")
        (value, *slips), known = drawn(prior, draw.at(part=1)), first_belief(SMALL)
        for game in range(3):
            if game and draw.at(part=2, pair=game).uniforms(1)[0] < change:
                value = drawn(prior, draw.at(part=3, pair=game))[0]
            known = learned(known, turns_by(SMALL, value, *slips, seed=3 * number + game)[:5], change)
        below, here = known.chances[: value - 1].sum(), known.chances[value - 1]
        places.append(below + here * draw.at(part=5).uniforms(1)[0])
        low, high = known.interval
        inside += low <= value <= high
    assert stats.kstest(places, "uniform").pvalue > 0.001
    assert stats.binom.cdf(inside, 300, 0.95) > 0.001


def test_a_player_who_slips_is_in_intervals_that_shrink_with_more_games():
    game = pigevo.Pig()
    player = slipping(game, lambda i, j: 25, 0.05, 0.05)
    games = played(player, pigevo.hold_at(game, 20), games=8, seed=5)
    known, widths = first_belief(game), []
    for game_played in games:
        known = learned(known, game_played.turns_of("ann"), 0.0)
        widths.append(known.interval[1] - known.interval[0])
    assert known.interval[0] <= 25 <= known.interval[1]
    assert widths[-1] <= 3 < widths[0]
    everything = hold_value(game, turns_of(games))
    assert (known.games, known.turns, known.decisions) == (8, everything.turns, everything.decisions)
    at_once = learned(first_belief(game), turns_of(games))
    assert known.joint == pytest.approx(at_once.joint, abs=1e-6)


def test_a_player_who_changes_is_noticed():
    known = fixed = first_belief(GAME)
    for game in range(14):
        turns = turns_by(GAME, 5 if game < 10 else 14, SLIPS[0], SLIPS[0], seed=game)
        known, fixed = learned(known, turns), learned(fixed, turns, 0.0)
    assert known.interval[0] > 10
    assert fixed.value != 14


def test_quantiles_leave_at_most_so_much_aside():
    values, chances = np.array([3.0, 1.0, 2.0, 4.0]), np.array([0.5, 0.03, 0.02, 0.45])
    assert quantiles(values, chances, 0.95) == (1.0, 4.0)
    assert quantiles(values, chances, 0.9) == (2.0, 4.0)
    assert quantiles(values, chances, 0.0) == (3.0, 3.0)


def test_gains_and_losses_are_those_of_the_referee():
    for number in range(0, len(ANSWERS.to), 4):
        answer = ANSWERS.strategies[number]
        assert answer == pigevo.best_response(pigevo.hold_at(GAME, int(ANSWERS.to[number]))).strategy
        worst = pigevo.best_response(answer).strategy
        lost = pigevo.win_probability(answer, worst)
        assert VALUE - ANSWERS.losses[number] == pytest.approx([lost.first, lost.second], abs=1e-12)
        for n in (1, 6, 13, 20):
            held = pigevo.hold_at(GAME, n)
            mine, best = (pigevo.win_probability(own, held) for own in (answer, BEST.strategy))
            gained = [mine.first - best.first, mine.second - best.second]
            assert ANSWERS.gains[number, n - 1] == pytest.approx(gained, abs=1e-12)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("cap", "n"), [(0.002, 3), (0.01, 6), (0.3, 9)])
def test_whoever_plays_wins_no_more_than_the_bound(seat, cap, n):
    chosen = plan(certain(n), ANSWERS, seat, cap)
    assert chosen.most_loss <= cap + 1e-15
    answer = ANSWERS.strategies[chosen.answer]
    knowing = pigevo.best_response(answer).strategy
    persons = [
        knowing, pigevo.roll_to_win(GAME), pigevo.best_response(knowing).strategy,
        *(pigevo.hold_at(GAME, value) for value in range(1, 21)),
        *(pigevo.random_strategy(GAME, seed=seed) for seed in range(5)),
    ]  # fmt: skip

    def lost(person, against_optimum):
        wins = [pigevo.win_probability(answer, person), pigevo.win_probability(BEST.strategy, against_optimum)]
        first, second = (chosen.share * getattr(wins[0], of) + (1 - chosen.share) * getattr(wins[1], of)
                         for of in ("first", "second"))  # fmt: skip
        return VALUE[seat] - (second if seat else first)

    assert max(lost(person, person) for person in persons) <= chosen.most_loss + 1e-12
    assert lost(knowing, BEST.strategy) == pytest.approx(chosen.most_loss, abs=1e-12)  # who knows which it meets
    held = lost(pigevo.hold_at(GAME, n), pigevo.hold_at(GAME, n))
    best = pigevo.win_probability(BEST.strategy, pigevo.hold_at(GAME, n))
    assert VALUE[seat] - held - (best.second if seat else best.first) == pytest.approx(chosen.gain, abs=1e-12)


def test_the_plan_is_the_answer_that_is_worth_most():
    mixed = Belief(GAME, (certain(5).joint + 3 * certain(9).joint) / 4)
    for seat in (0, 1):
        chosen = plan(mixed, ANSWERS, seat, 0.01)
        shares = [min(1.0, 0.01 / loss) if loss else 1.0 for loss in ANSWERS.losses[:, seat]]
        worths = [
            share * (gains[4, seat] + 3 * gains[8, seat]) / 4
            for share, gains in zip(shares, ANSWERS.gains, strict=True)
        ]
        assert chosen.gain == pytest.approx(max(worths))
        assert chosen.share == shares[chosen.answer]
        assert chosen.to == ANSWERS.to[chosen.answer]
        assert chosen.gains == pytest.approx(chosen.share * ANSWERS.gains[chosen.answer, :, seat])


def test_without_a_profitable_answer_it_plays_the_optimum():
    nothing = adapting.BestResponses(GAME, ANSWERS.to, ANSWERS.strategies, -np.abs(ANSWERS.gains), ANSWERS.losses)
    chosen = plan(certain(9), nothing, 0)
    assert (chosen.answer, chosen.share, chosen.most_loss, chosen.gain) == (None, 0.0, 0.0, 0.0)
    assert played_strategy(chosen.answer, ANSWERS) == BEST.strategy


def test_the_account_is_the_sum_of_the_games():
    plans = [plan(certain(n), ANSWERS, seat) for n, seat in ((4, 0), (9, 1), (15, 0))]
    total = account(plans, certain(9))
    assert total.games == 3
    assert total.gain == total.low == total.high == pytest.approx(sum(chosen.gains[8] for chosen in plans))
    assert total.most_loss == pytest.approx(sum(chosen.most_loss for chosen in plans))
    prior = account(plans, first_belief(GAME))
    sums = sum(chosen.gains for chosen in plans)
    assert sums.min() <= prior.low < prior.high <= sums.max()
    assert account([], first_belief(GAME)).most_loss == 0


def test_it_responds_as_often_as_planned():
    """The number of responses has the binomial law."""
    opponent, responds = Adaptive(ANSWERS, 0.1, 7), 0
    for number in range(500):
        responds += opponent.opponent_of_game(number, 1).opponent != BEST.strategy
    share = plan(first_belief(GAME), ANSWERS, 0, 0.1).share
    assert 0.1 < share < 0.9
    assert stats.binomtest(responds, 500, share).pvalue > 0.001


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (pigevo.Pig(target=9, allow_pass=True), "one player wins what the other loses: leave out --allow-pass"),
        (game_of("two_dice", target=9), "in races of one die"),
        (pigevo.Pig(target=201), "a target of at most 200, not 201"),
    ],
)
def test_other_games_are_refused(game, why):
    with pytest.raises(InputError, match=why):
        refuse_to_adapt(game)
    with pytest.raises(InputError, match=why):
        answers_to_holds(game)


@pytest.mark.parametrize(
    "game", [pigevo.Pig(target=1), pigevo.Piglet(target=6), pigevo.Race(target=7, gains={1: 0.4, 3: 0.3}, bust=0.3)]
)
def test_answers_in_other_races(game):
    steps = []
    answers = answers_to_holds(game, steps.append)
    assert len(steps) == adapting.steps_of_answers(game)
    for seat in (0, 1):
        chosen = plan(first_belief(game), answers, seat)
        assert 0 <= chosen.most_loss <= 0.01 + 1e-15
        assert (chosen.gain > 0) == (chosen.answer is not None)
