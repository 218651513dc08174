"""The odds of a roll are those of the throws, each followed to what it brings."""

import pytest

from pigevo.games.game import GAMES
from pigevo.people import Odds, odds_of
from pigevo.simulation.stepwise import Place
from tests.people.games import small


@pytest.mark.parametrize("own", [0, 8, 15])
@pytest.mark.parametrize("rolls", [(), (3,), (2, 2)])
@pytest.mark.parametrize("name", list(GAMES))
def test_each_throw_counts(name, rolls, own):
    game = small(name)
    own = min(own, game.size - 6)
    place = Place(game, 0, 1, own, 0, rolls=rolls)
    ends = falls = wins = 0.0
    gains = []
    for throw in game.throws if rolls else game.first_throws:
        match throw.ends:
            case "turn":
                ends, after = ends + throw.chance, own + throw.points
            case "score":
                falls, after = falls + throw.chance, 0
            case _:
                gains.append(throw.points)
                after = own + sum(rolls) + throw.points
        wins += throw.chance * bool(game.target and after >= game.size)
    assert odds_of(place) == Odds(
        pytest.approx(ends), pytest.approx(falls), pytest.approx(wins), (min(gains), max(gains))
    )
