"""What a choice costs is what the engine says: each by itself, along a game, and over all games."""

import itertools

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.exact import reach
from pigevo.games.game import GAMES
from pigevo.people import Judge, review
from tests.people.games import follow, opponents, play, small

CLOSE = 1e-12
FALLING = 1e-9
"""Where a score can fall, worths are found to within a proven error."""


def close(game):
    return FALLING if game.falls else CLOSE


@pytest.mark.parametrize("name", list(GAMES))
def test_best_play_costs_nothing_and_costs_and_luck_lead_from_the_start_to_the_end(name):
    """The luck is counted by itself: from what a choice was worth to what the next place is worth, by another way."""
    game, costs = small(name), 0.0
    for opponent in opponents(game):
        judge = Judge(opponent)
        worth = pigevo.state_values(judge.best.strategy, opponent)
        for seat, number in itertools.product((0, 1), range(4)):
            best = review(play(opponent, follow(judge.best.strategy), 1, number, seat), judge)
            assert best.cost <= close(game)
            found = review(play(opponent, lambda place: place.total < 6, 2, number, seat), judge)
            stood, luck = found.start, 0.0
            for one in found.judged:
                luck += worth[one.place.cell] - stood
                stood = one.choice.roll if one.rolled else one.choice.hold
            luck += found.end - stood
            assert found.start - found.cost + luck == pytest.approx(found.end, abs=close(game))
            assert found.luck == pytest.approx(luck, abs=close(game))
            costs += found.cost
    assert costs > 0.1


@pytest.mark.parametrize("name", ["pig", "two_dice", "ten_rounds"])
def test_over_all_games_the_costs_are_what_a_strategy_wins_less_than_the_best_response(name):
    """How often play comes to each place, times what the choice there costs (Kakade & Langford 2002)."""
    game = small(name, target=12) if GAMES[name].defaults.get("target") else small(name, cap=12, turns=2)
    mine, opponent = pigevo.hold_at(game, 4), pigevo.hold_at(game, 7)
    judge, often = Judge(opponent), reach(mine, opponent)
    lost = {0: 0.0, 1: 0.0}
    for seat, visits in ((0, often.first), (1, often.second)):
        for cell in map(tuple, np.argwhere((visits > 0) & np.broadcast_to(game.decision_states, game.shape)).tolist()):
            choice = judge._choices.at(*numbers(game, cell))
            chosen = choice.roll if mine.roll[cell] else choice.hold
            lost[seat] += visits[cell] * (max(choice.roll, choice.hold) - chosen)
    p = pigevo.win_probability(mine, opponent)
    assert lost[0] == pytest.approx(judge.start(0) - p.first, abs=1e-9)
    assert lost[1] == pytest.approx(judge.start(1) - p.second, abs=1e-9)
    assert lost[0] > 0.01


def numbers(game, cell):
    between = len(game.between)
    return (int(np.ravel_multi_index(cell[:between], game.shape[:between])),
            int(np.ravel_multi_index(cell[between:], game.shape[between:])))  # fmt: skip


def test_a_game_that_was_left_has_no_luck():
    opponent = pigevo.hold_at(pigevo.Pig(target=30), 10)
    answers = iter([False, True])
    found = review(play(opponent, lambda _: next(answers, None)), Judge(opponent))
    assert (found.end, found.luck) == (None, None)
    assert len(found.judged) == 2


def test_one_who_passes_by_chance_cannot_be_judged():
    game = pigevo.Pig(target=10, allow_pass=True)
    opponent = pigevo.Strategy(game, np.full(game.shape, 0.5), "half")
    with pytest.raises(InputError, match="passes by chance is not known here"):
        Judge(opponent).start(0)


def test_a_pass_that_costs_the_game():
    """Against one who passes as well, a pass ends the game, and nobody wins."""
    game = pigevo.Pig(target=10, allow_pass=True)
    opponent = pigevo.hold_at(game, 0)
    found = review(play(opponent, lambda _: False), Judge(opponent))
    assert [one.choice.hold for one in found.judged] == [0.0]
    assert found.cost == pytest.approx(1.0)  # who never passes cannot lose
    assert found.start == pytest.approx(1.0)


def test_where_the_number_of_rolls_counts_it_counts():
    game = small("ten_rounds", rolls=True, turns=2, cap=20)
    mine = pigevo.Strategy.from_function(game, lambda left, second, lead, total, rolls: (rolls < 3) & (total < 12))
    judge = Judge(mine)
    played = [play(mine, lambda place: len(place.rolls) < 2, number=n) for n in range(8)]
    worth = pigevo.state_values(judge.best.strategy, mine)
    judged = [one for game_played in played for one in review(game_played, judge).judged]
    assert {len(one.place.rolls) for one in judged} == {1, 2}
    for one in judged:
        assert max(one.choice.roll, one.choice.hold) == pytest.approx(worth[one.place.cell], abs=CLOSE)
        assert one.rolled == (len(one.place.rolls) < 2)
