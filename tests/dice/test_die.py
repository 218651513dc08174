"""A game's die, read from the words of a draw: its law, and that its rolls are independent.

All seeds are fixed.  A law test fails when its p-value is below `RARE`.
"""

import itertools

import numpy as np
import pytest

from pigevo.dice import Die, Draw
from pigevo.games import Pig, Piglet, Race
from tests.cases import RARE, fits

GAMES = {
    "six sides": Pig(),
    "ten sides": Pig(sides=10),
    "two sides": Pig(sides=2),
    "fair coin": Piglet(),
    "biased coin": Piglet(heads=0.3),
    "sure coin": Piglet(heads=1),
    "odd gains": Race(30, {1: 0.05, 4: 0.3, 7: 0.25, 11: 0.1}, 0.3),
    "no bust": Race(30, {1: 0.6, 2: 0.3, 9: 0.1}, 0.0),
}


def law_of(game):
    """The chance of each number of points, 0 for a bust, where there is any."""
    return {points: p for points, p in {0: game.bust, **dict(game.die)}.items() if p > 0}


def rolls_of(game, count, seed=21):
    return np.fromiter(Draw(seed, "dice").rolls(Die.of(game.die, game.bust)), dtype=np.int64, count=count)


class TestDie:
    @pytest.mark.parametrize("name", GAMES)
    def test_the_table_has_the_probabilities_of_the_game(self, name):
        game = GAMES[name]
        die = Die.of(game.die, game.bust)
        share = {}
        for own, alias, cut in zip(die.own.tolist(), die.alias.tolist(), die.cut.tolist(), strict=True):
            share[own] = share.get(own, 0) + cut / 2**32
            share[alias] = share.get(alias, 0) + 1 - cut / 2**32
        expected = dict(game.die) | {0: game.bust}
        for points in expected | share:
            assert share.get(points, 0) / len(die.own) == pytest.approx(expected.get(points, 0), abs=1e-9)

    @pytest.mark.parametrize("name", ["six sides", "biased coin", "sure coin", "odd gains", "no bust"])
    def test_rolls_follow_the_law_of_the_game(self, name):
        rolls, law = rolls_of(GAMES[name], 60_000), law_of(GAMES[name])
        assert set(rolls.tolist()) == set(law)
        assert len(law) == 1 or fits([int(np.sum(rolls == points)) for points in law], [*law.values()]) > RARE

    @pytest.mark.parametrize("name", ["six sides", "ten sides", "odd gains", "biased coin"])
    def test_two_rolls_are_independent_wherever_they_lie_in_words_and_blocks(self, name):
        rolls, law = rolls_of(GAMES[name], 60_000, seed=22), law_of(GAMES[name])
        faces = np.searchsorted(sorted(law), rolls)
        chances = np.array([law[points] for points in sorted(law)])
        for distance in (1, 2, 3, 4, 7, 8, 31, 32):
            starts = np.arange(len(rolls) - distance)
            starts = starts[starts // distance % 2 == 0]  # so that no roll stands in two pairs
            pairs = np.bincount(faces[starts] * len(law) + faces[starts + distance], minlength=len(law) ** 2)
            assert fits(pairs, np.outer(chances, chances).ravel()) > RARE, distance

    @pytest.mark.parametrize("sides", [2, 6, 8, 9, 20, 64, 65, 1000])
    def test_a_fair_die_reads_the_digits_of_a_word_and_so_few_that_no_sequence_is_favoured(self, sides):
        die = Die.of(Pig(sides=sides).die, Pig(sides=sides).bust)
        n = die.rolls_per_word
        assert n == (8 if sides <= 8 else 4 if sides <= 64 else 2)
        assert sides**n <= 2**24  # a sequence has 2^64 / sides^n words, to within one
        for word in [0, 1, 2**64 - 1, 2**63, *Draw(sides, "dice").words(50).tolist()]:
            digits = word * sides**n >> 64
            expected = [digits // sides ** (n - 1 - place) % sides + 1 for place in range(n)]
            assert die.read(word) == [0 if face == 1 else face for face in expected]

    def test_a_die_with_second_choices_reads_a_word_and_then_its_lower_half(self):
        game = GAMES["odd gains"]
        die = Die.of(game.die, game.bust)
        assert die.rolls_per_word == 2
        for word in Draw(5, "dice").words(200).tolist():
            first, second = die.read(word)
            assert second == die.read(word % 2**32 << 32)[0]
            assert first == die.read(word >> 32 << 32)[0]

    def test_rolls_read_word_after_word(self):
        draw = Draw(4, "dice", 1, 2, 3)
        die = Die.of(Pig().die, Pig().bust)
        expected = [points for word in draw.words(60).tolist() for points in die.read(word)]
        assert list(itertools.islice(draw.rolls(die), 480)) == expected
