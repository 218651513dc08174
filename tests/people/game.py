"""Games that somebody who follows a rule plays against a strategy, and small games of every kind."""

import pigevo
from pigevo.dice import Draw
from pigevo.games.game import GAMES
from pigevo.people import Played, events

SMALL = {"target": 20, "cap": 40, "turns": 3, "draw": 0.4, "heads": 0.6}
"""Of these every game takes what it has."""


def small(name, **more):
    entry = GAMES[name]
    own = {option: value for option, value in SMALL.items() if option in entry.options}
    return entry.bind(entry.completed(entry.check(own | more, "game")))


def opponents(game):
    """One that holds early, the optimum, and one that leaves some decisions to chance."""
    half = pigevo.hold_at(game, 7).roll.astype(float) * 0.5
    half[game.beginning] = 1.0
    return [pigevo.hold_at(game, 8), pigevo.optimal(game).strategy, pigevo.Strategy(game, half, "half")]


def follow(strategy):
    return lambda place: bool(strategy.roll[place.cell])


def play(opponent, decide, seed=0, number=0, seat=0):
    return Played.of(opponent, seat, events(opponent, seat, Draw(seed, "dice", part=number), decide))
