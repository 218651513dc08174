"""The compiled game against its plain twin, game by game."""

import numpy as np
import pytest

from pigevo.arena import play_pairs
from pigevo.arena.kernels import play_game, play_pair
from pigevo.arena.plain import Turn, outcome, play_turns
from pigevo.dice import STREAMS, Die, Draw
from pigevo.games import Pig, Piglet, Race
from pigevo.strategies import Strategy, hold_at, random_strategy, roll_to_win, skip_when_level

GAMES = {
    "pig": Pig(target=30),
    "biased piglet": Piglet(target=9, heads=0.7),
    "odd gains": Race(25, {1: 0.1, 4: 0.3, 7: 0.25}, 0.35),
    "no bust": Race(25, {2: 0.5, 3: 0.5}, 0.0),
    "passing": Pig(target=20, allow_pass=True),
}


def compiled(first, second, draw, most_turns):
    game = first.game
    die = Die.of(game.die, game.bust)
    counter = (draw.seed, STREAMS[draw.stream], draw.generation, draw.pair, draw.part)
    words = np.zeros(4, dtype=np.uint64)
    return play_game(first.rows, second.rows, die.own, die.other, die.cut, *map(np.uint64, counter), most_turns, words)


def plain(first, second, draw, most_turns):
    return outcome(list(play_turns(first, second, draw, most_turns)), first.game.target)


@pytest.mark.parametrize("most_turns", [1000, 7, 1])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_ends_alike(name, most_turns):
    game = GAMES[name]
    seen = set()
    for number in range(60):
        a, b = random_strategy(game, seed=2 * number), random_strategy(game, seed=2 * number + 1)
        for part in range(3):
            draw = Draw(number, "dice", generation=number % 5, pair=number % 7, part=part)
            ended = plain(a, b, draw, most_turns)
            assert compiled(a, b, draw, most_turns) == ended
            seen.add(ended)
    expected = {1000: {0, 1}, 7: {0, 1, 3}, 1: {3}}[most_turns]
    if name == "passing":
        expected = {1000: {0, 1, 2}, 7: {2, 3}, 1: {3}}[most_turns]
    assert seen >= expected


def test_long_turns_read_as_many_dice_alike():
    game = Race(200, {1: 0.9}, 0.1)
    a = hold_at(game, 60)
    for part in range(12):
        draw = Draw(3, "dice", part=part)
        assert any(len(turn.rolls) > 20 for turn in play_turns(a, a, draw, 500))
        assert compiled(a, a, draw, 500) == plain(a, a, draw, 500)


def test_players_who_pass_at_level_scores_end_in_stalemates_alike():
    game = Pig(target=40, allow_pass=True)
    a = skip_when_level(game)
    ends = [plain(a, a, Draw(5, "dice", part=part), 1000) for part in range(150)]
    assert [compiled(a, a, Draw(5, "dice", part=part), 1000) for part in range(150)] == ends
    assert ends.count(2) > 10


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("start", [0, 1, 13])
def test_a_match_counts_the_games_of_alternating_seats(name, start):
    game = GAMES[name]
    a, b = random_strategy(game, seed=1), hold_at(game, 6)
    die = Die.of(game.die, game.bust)
    counter = tuple(map(np.uint64, (9, STREAMS["dice"], 4, 2)))
    counts = play_pair(a.rows, b.rows, die.own, die.other, die.cut, *counter, start, 40, 30)
    expected = np.zeros(4, dtype=int)
    for part in range(start, start + 40):
        draw = Draw(9, "dice", 4, 2, part)
        if part % 2 == 0:
            ended = plain(a, b, draw, 30)
        else:
            ended = {0: 1, 1: 0}.get(back := plain(b, a, draw, 30), back)
        expected[ended] += 1
    assert counts.tolist() == expected.tolist()


def test_pairs_play_with_the_dice_of_their_number():
    game = GAMES["pig"]
    players = [random_strategy(game, seed=s) for s in range(3)]
    rows = np.stack([p.rows for p in players])
    pairs = [(0, 1), (2, 0), (0, 1)]
    counts = play_pairs(game, rows, pairs, 9, Draw(2, "dice", 6))
    for number, (a, b) in enumerate(pairs):
        won = 0
        for part in range(9):
            seats = (a, b) if part % 2 == 0 else (b, a)
            ended = plain(players[seats[0]], players[seats[1]], Draw(2, "dice", 6, number, part), 1000)
            won += seats[ended] == a
        assert counts[number].tolist() == [won, 9 - won, 0, 0]
    assert not np.array_equal(counts[0], counts[2])


class TestPlain:
    """The plain twin itself follows the rules, turn by turn."""

    def test_turns_alternate_and_add_up(self):
        a, b = hold_at(Pig(target=50), 12), hold_at(Pig(target=50), 25)
        turns = list(play_turns(a, b, Draw(1, "dice"), 1000))
        scores = [0, 0]
        for number, turn in enumerate(turns):
            assert max(scores) < 50
            assert turn.player == number % 2
            assert (turn.own, turn.opponent) == (scores[turn.player], scores[1 - turn.player])
            assert turn.banked == (0 if 0 in turn.rolls else sum(turn.rolls))
            assert 0 not in turn.rolls[:-1]
            scores[turn.player] += turn.banked
        assert scores[turns[-1].player] >= 50

    def test_a_turn_ends_when_the_strategy_holds(self):
        game = Pig(target=100)
        for turn in play_turns(hold_at(game, 20), hold_at(game, 20), Draw(2, "dice"), 1000):
            if turn.banked:
                assert turn.banked >= min(20, 100 - turn.own)
                assert turn.banked - turn.rolls[-1] < min(20, 100 - turn.own)

    def test_the_target_is_banked_at_once(self):
        game = Race(10, {3: 1.0}, 0.0)
        (only,) = play_turns(roll_to_win(game), roll_to_win(game), Draw(1, "dice"), 10)
        assert only == Turn(0, 0, 0, (3, 3, 3, 3), 12)
        assert outcome([only], 10) == 0

    def test_two_passes_in_a_row_are_a_stalemate_and_one_is_not(self):
        game = Pig(target=10, allow_pass=True)
        passing, rolling = Strategy.from_function(game, lambda i, j, k: False), roll_to_win(game)
        turns = list(play_turns(passing, passing, Draw(1, "dice"), 100))
        assert [t.is_pass for t in turns] == [True, True]
        assert outcome(turns, 10) == 2
        assert outcome(list(play_turns(passing, rolling, Draw(1, "dice"), 100)), 10) == 1

    def test_too_many_turns_are_unfinished(self):
        game = Pig(target=100, sides=2)
        turns = list(play_turns(roll_to_win(game), roll_to_win(game), Draw(1, "dice"), 9))
        assert len(turns) == 9
        assert outcome(turns, 100) == 3
